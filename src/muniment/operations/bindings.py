"""Requirements, appraisals and corrections: notes like any other, said in a few words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import cast

from muniment.decisions import items, names
from muniment.errors import BadShape, MunimentError, NotCurrent, SourceNotStanding
from muniment.model import event
from muniment.model.event_kinds import Kind, Owner, Visibility
from muniment.model.evidence import Source
from muniment.model.moment import Moment
from muniment.model.pack import Item
from muniment.model.record import Appraise, Correct, Note, Remembered, Require
from muniment.operations.commits import write_one
from muniment.operations.operation import Context
from muniment.store.tx import Read

_REQUIRED = ("text", "task", "about", "priority", "sources", "key", "owner", "visibility",
             "reader", "room", "grade", "valid_to")  # fmt: skip
_APPRAISED = ("benefit_ppm", "harm_ppm", "task", "owner", "grade", "valid_to", "supersedes")
_KEPT = ("about", "key", "metadata", "valid_from", "task", "priority", "assesses", "benefit_ppm",
         "harm_ppm", "reader", "room")  # fmt: skip
_CITED = re.compile(r"sources\[([0-9]+)\](.*)")


def require(context: Context, request: Require) -> Remembered:
    """A requirement, or the one that says it already."""
    fields = {field: getattr(request, field) for field in _REQUIRED}
    return write_one(context, request, Note(kind="requirement", **fields))


def appraise(context: Context, request: Appraise) -> Remembered:
    """An appraisal of one thing, about whom that is about, seen by those who see that."""
    assessed = _assessed(context, request)
    said = (
        request.text or f"benefit={_amount(request.benefit_ppm)} harm={_amount(request.harm_ppm)}"
    )
    cited = (assessed.id, *_others(request.sources, assessed.id))
    note = Note(
        text=said,
        kind="appraisal",
        sources=cited,
        about=assessed.actor if assessed.kind == "event" else assessed.about,
        assesses=assessed.id,
        visibility=cast("Visibility", assessed.visibility or "scope"),
        reader=assessed.reader,
        room=assessed.room,
        **{field: getattr(request, field) for field in _APPRAISED},
    )
    with _as_given(request.sources, cited):
        return write_one(context, request, note)


def correct(context: Context, request: Correct) -> Remembered:
    """A new version in other words, which cites what shows it.

    It holds wherever the one that is corrected would have held from then on; what is planned stays.
    The answer is the version for the first of those stretches.

    Raises:
        BadShape: it cites nothing.
        NotCurrent: another version stands in its place, it was taken back, or is erased.
    """
    if not request.sources:
        raise BadShape("a correction cites what shows it", at="sources")
    with context.read(request.scope) as read:
        moment = Moment(at_ms=context.now())
        id = names.commanded(read, request.id, moment.at_ms, request.command_key)
        event.named(id, "id", "r")
        old = items.by_id(read, id, moment)
        over = _over(read, old)
    # A repeated command is recognised first, and what it corrected is over by then.
    if request.command_key is None and old.standing in ("superseded", "retracted", "erased"):
        raise NotCurrent(over, at="id")
    assesses = () if old.assesses is None else (old.assesses,)
    cited = (*assesses, *_others(request.sources, *assesses))
    note = Note(
        text=request.text,
        kind=cast("Kind", old.kind),
        # What was in dispute is what is corrected.
        status=None if old.status == "disputed" else old.status,  # type: ignore[arg-type]  # its own
        sources=cited,
        owner=request.owner or cast("Owner", old.owner),
        supersedes=old.id,
        visibility=cast("Visibility", old.visibility or "scope"),
        grade=request.grade,
        valid_to=old.valid_to if request.valid_to is None else request.valid_to,
        **{field: getattr(old, field) for field in _KEPT},
    )
    with _as_given(request.sources, cited):
        return write_one(context, request, note)


def _assessed(context: Context, request: Appraise) -> Item:
    """What is to be assessed, by its id or its key.

    Raises:
        SourceNotStanding: it does not stand any more.
    """
    with context.read(request.scope) as read:
        moment = Moment(at_ms=context.now())
        id = names.commanded(read, request.id, moment.at_ms, request.command_key)
        item = items.by_id(read, id, moment)
        over = _over(read, item)
    # A repeated command is recognised first, and what it assessed may be over by then.
    if request.command_key is None and item.standing not in ("current", "erased"):
        raise SourceNotStanding(over, at="id")
    return item


def _over(read: Read, item: Item) -> str:
    """How a thing ended, and which version is the newest, if it is another."""
    said = f"{item.id} is {item.outcome or item.standing}"
    if item.superseded_by is None or item.kind == "state":
        return said
    return f"{said}; the newest version is {names.last(read, item.seq)}"


@contextmanager
def _as_given(given: Sequence[str | Source], cited: Sequence[str | Source]) -> Iterator[None]:
    """An error about what is cited names what was given: what is cited by itself is the `id`."""
    try:
        yield
    except MunimentError as error:
        found = _CITED.match(error.at or "")
        if found is not None:
            each = cited[int(found[1])]
            at = f"sources[{given.index(each)}]" if each in given else "id"
            error.at = at + found[2]
        raise


def _others(sources: tuple[str | Source, ...], *ids: str) -> tuple[str | Source, ...]:
    """The sources without those that are named anyway."""
    named = {*ids, *(id.split("-")[0] for id in ids)}
    return tuple(
        each for each in sources if (each if isinstance(each, str) else each.id) not in named
    )


def _amount(ppm: int | None) -> str:
    return "unknown" if ppm is None else str(ppm)
