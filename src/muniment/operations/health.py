"""Looking at a place: the machine, the directory, and each scope's file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from muniment.errors import Corrupt, NotFound, Unavailable
from muniment.model.health import Check, Condition, Doctor, Examined, Subject
from muniment.operations.operation import Context
from muniment.projections import PROJECTIONS
from muniment.store import files, health, ledger, migrate, projector, scrub
from muniment.store.tx import Read


class _Seen(msgspec.Struct):
    """What of the files counts for the whole place."""

    newest_ms: int | None = None
    largest: int = 0
    scopes: dict[str, str] = {}  # the file of each scope's id


def doctor(context: Context, request: Doctor) -> Examined:
    """Every check of the place, and of its files or the one that is named."""
    place = context.store.place
    if request.scope is not None:
        paths = [context.store.find(request.scope)]
    else:
        paths = context.store.scopes() if files.present(place.path) else []
    seen = _Seen()
    inside = [check for path in paths for check in _file(context, path, seen)]
    checks = [
        *health.engine(),
        health.clock(context.now(), seen.newest_ms),
        *health.place(place.path, single=place.single),
        health.disk(place.path, seen.largest),
    ]
    if place.path.is_dir():
        checks += health.leftovers(place.path, context.store.scopes())
    checks += inside
    return Examined(ok=all(each.state != "failed" for each in checks), checks=tuple(checks))


def _file(context: Context, path: Path, seen: _Seen) -> Iterator[Check]:
    outside = list(health.file(path))
    yield from outside
    if any(each.state == "failed" for each in outside):
        yield from _unchecked(path)
        return
    seen.largest = max(seen.largest, path.stat().st_size)
    try:
        with context.store.read(path, whole=False) as read:
            inside = list(_inside(context, read, path, seen))
    except (Corrupt, NotFound, Unavailable) as error:
        advice = "run muniment verify; then rebuild, or put a backup back"
        detail = f"{error.code}: {error.detail}"
        yield _check("ledger", "failed", path, detail, advice)
        yield from (check for check in _unchecked(path) if check.check != "ledger")
        return
    yield from inside


def _inside(context: Context, read: Read, path: Path, seen: _Seen) -> Iterator[Check]:
    yield _named(context, read, path, seen)
    old = projector.outdated(read, PROJECTIONS)
    if old:
        detail = ", ".join(projection.NAME for projection in old)
        advice = "run muniment rebuild; the next write does it too"
        if migrate.pending(read.connection):
            advice = "run muniment migrate, then muniment rebuild"
        yield _check("derived_tables", "warning", path, f"of another version: {detail}", advice)
    else:
        yield _check("derived_tables", "ok", path)
    named = read.scope.name is None and context.store.place.tells_name(path, read.scope.id)
    if named or scrub.due(read):
        detail = "traces of an erasure are still to be removed"
        advice = "end what reads, then write anything"
        yield _check("pending", "warning", path, detail, advice)
    else:
        yield _check("pending", "ok", path)
    newest_ms = ledger.newest_ms(read)
    seen.newest_ms = max(newest_ms, seen.newest_ms or newest_ms)
    yield _check("ledger", "not_checked", path, "", "run muniment verify")


def _named(context: Context, read: Read, path: Path, seen: _Seen) -> Check:
    """Whether the file stands where its scope is looked for, and holds no other file's scope."""
    name, places = read.scope.name, context.store.place
    wanted = [] if name is None else list(places.candidates(name))
    if wanted and path not in wanted:
        detail = f"its scope is looked for in {wanted[0].name}"
        there = files.present(wanted[0])
        advice = "move it out of the store" if there else "rename it, or move it out of the store"
        return _check("file_name", "warning", path, detail, advice)
    first = seen.scopes.setdefault(read.scope.id, path.name)
    if first != path.name:
        detail = f"it holds the same scope as {first}"
        advice = "keep the one that goes on; move the other out of the store"
        return _check("file_name", "warning", path, detail, advice)
    return _check("file_name", "ok", path)


def _unchecked(path: Path) -> Iterator[Check]:
    """What cannot be looked at in a file that cannot be read."""
    subjects: tuple[Subject, ...] = ("file_name", "derived_tables", "pending", "ledger")
    for subject in subjects:
        yield _check(subject, "not_checked", path, "the file cannot be read")


def _check(
    check: Subject, state: Condition, path: Path, detail: str = "", advice: str = ""
) -> Check:
    return Check(check=check, state=state, file=path.name, detail=detail, advice=advice)
