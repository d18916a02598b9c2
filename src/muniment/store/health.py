"""The state of the machine, a place and its files, seen from outside; nothing is changed."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

import apsw

from muniment import limits
from muniment.model import foreign
from muniment.model import scope as naming
from muniment.model.health import Check, Condition, Subject
from muniment.store import connect, files, migrate

_OTHERS = 0o077
_HEADER_BYTES = 100


def engine() -> Iterator[Check]:
    """Whether the database engine can do what is asked of it."""
    told = f"SQLite {connect.engine()}, apsw {apsw.apsw_version()}"
    yield Check(check="engine", state="ok", detail=told)
    scratch = connect.scratch()
    try:
        scratch.execute(
            "CREATE VIRTUAL TABLE tried USING fts5(text, content = '', contentless_delete = 1)"
        )
    except apsw.Error as error:
        advice = "install an apsw that brings FTS5, from a wheel of its own"
        yield Check(check="text_index", state="failed", detail=str(error), advice=advice)
    else:
        yield Check(check="text_index", state="ok", detail="FTS5 is there")
    finally:
        scratch.close()


def clock(now_ms: int, newest_ms: int | None) -> Check:
    """Whether the host's clock can be right; `newest_ms` is when something was last recorded."""
    advice = "set the clock: times are kept for ever"
    if now_ms < limits.CLOCK_FROM_MS:
        return Check(check="clock", state="warning", detail="before 2025", advice=advice)
    if newest_ms is not None and now_ms < newest_ms:
        detail = f"{newest_ms - now_ms} ms before the last commit"
        return Check(check="clock", state="warning", detail=detail, advice=advice)
    return Check(check="clock", state="ok")


def place(path: Path, *, single: bool) -> Iterator[Check]:
    """Whether there is something, and whether others may look into it."""
    if not path.exists():
        advice = "the first write makes it"
        yield Check(check="place", state="warning", detail="nothing is here yet", advice=advice)
        yield Check(check="directory_mode", state="not_checked")
        return
    if not (path.is_dir() or path.is_file()):
        advice = "name a directory or a scope's file"
        yield Check(check="place", state="failed", detail="neither of the two", advice=advice)
        yield Check(check="directory_mode", state="not_checked")
        return
    yield Check(check="place", state="ok", detail="one scope's file" if single else "a directory")
    if single:
        # The directory around a file that somebody named is that somebody's own.
        yield Check(check="directory_mode", state="not_checked", detail="it is no store")
    else:
        yield _mode("directory_mode", path, None, "chmod 700")


def disk(path: Path, largest: int) -> Check:
    """Whether there is room: an erasure and a backup write a whole file anew."""
    near = next((each for each in (path, *path.absolute().parents) if each.is_dir()), None)
    if near is None:
        return Check(check="disk", state="not_checked", detail="there is no directory")
    free = shutil.disk_usage(near).free
    detail = f"{free} bytes free"
    if free < limits.DISK_FREE_BYTES_MIN:
        return Check(check="disk", state="failed", detail=detail, advice="make room before writing")
    if free < max(limits.DISK_FREE_BYTES_LOW, 2 * largest):
        advice = "make room: an erasure writes the whole file anew"
        return Check(check="disk", state="warning", detail=detail, advice=advice)
    return Check(check="disk", state="ok", detail=detail)


def leftovers(directory: Path, present: Sequence[Path]) -> Iterator[Check]:
    """What processes that were killed left behind in a directory of scopes."""
    names = {path.name for path in present}
    found = False
    for path in sorted(directory.iterdir()):
        begin, end, rest = path.name.partition(naming.SUFFIX)
        if not end:
            continue
        made, new, _ = path.name.partition(".new")
        if new and not files.being_made(path.with_name(made + new)):
            advice = "nothing; the next writer or migration of that scope sweeps it away"
        elif rest == "-journal" or (rest in ("-wal", "-shm", "-lock") and begin + end not in names):
            advice = "see that no process uses it, then delete it"
        else:
            continue
        found = True
        yield Check(
            check="leftovers",
            state="warning",
            file=path.name,
            detail="left by a process that was killed",
            advice=advice,
        )
    if not found:
        yield Check(check="leftovers", state="ok")


def file(path: Path) -> Iterator[Check]:
    """What the first bytes of a scope's file, its mode and its neighbours say."""
    name = path.name
    try:
        # Looked at first: a pipe would be waited for until somebody writes to it.
        if not stat.S_ISREG(path.stat().st_mode):
            advice = "move it out of the store"
            yield _check("file_readable", "failed", name, "it is no file", advice)
            return
        with path.open("rb") as opened:
            head = opened.read(_HEADER_BYTES)
    except OSError as error:
        advice = "let its owner read it"
        yield _check("file_readable", "failed", name, str(error.strerror), advice)
        return
    yield _check("file_readable", "ok", name, f"{path.stat().st_size} bytes")
    yield _mode("file_mode", path, name, "chmod 600")
    header = foreign.header(head)
    if header is None or header.application_id != connect.APPLICATION_ID:
        advice = "move it out of the store"
        yield _check("file_kind", "failed", name, "it is none of Muniment's", advice)
        return
    yield _check("file_kind", "ok", name)
    yield from _written(path, header)
    kept = files.automatic_backups(path)
    if kept:
        size = sum(each.stat().st_size for each in kept)
        detail = f"{', '.join(each.name for each in kept)}; {size} bytes"
        advice = "delete what you do not want to go back to"
        yield _check("automatic_backups", "ok", name, detail, advice)


def _written(path: Path, header: foreign.Header) -> Iterator[Check]:
    seen, known = header.version, migrate.latest()
    if seen > known:
        advice = "use the program that wrote it, or a newer one"
        yield _check("file_version", "failed", path.name, f"{seen}, known {known}", advice)
    elif seen < known:
        advice = "run muniment migrate"
        yield _check("file_version", "warning", path.name, f"{seen}, known {known}", advice)
    else:
        yield _check("file_version", "ok", path.name, str(seen))
    if header.logged:
        yield _check("journal_mode", "ok", path.name, "a write-ahead log")
    else:
        advice = "nothing; the next write sets it"
        yield _check("journal_mode", "warning", path.name, "no write-ahead log", advice)
    log = Path(f"{path}-wal")
    size = log.stat().st_size if log.exists() else 0
    if size > limits.LOG_BYTES_HIGH:
        advice = "end what reads for long; the next writer then folds the log in"
        yield _check("log_size", "warning", path.name, f"{size} bytes", advice)
    else:
        yield _check("log_size", "ok", path.name, f"{size} bytes")


def _mode(check: Subject, path: Path, name: str | None, command: str) -> Check:
    told = path.stat()
    mode = stat.S_IMODE(told.st_mode)
    if mode & _OTHERS:
        detail = f"{mode:04o}: others may read or write it"
        return _check(check, "warning", name, detail, f"{command} {path.name}")
    if told.st_uid != os.geteuid():
        return _check(check, "warning", name, "it belongs to another user", "use it as that user")
    return _check(check, "ok", name, f"{mode:04o}")


def _check(
    check: Subject, state: Condition, name: str | None, detail: str = "", advice: str = ""
) -> Check:
    return Check(check=check, state=state, file=name, detail=detail, advice=advice)
