"""Requirements, appraisals and corrections: notes like any other, said in a few words."""

from __future__ import annotations

from typing import cast

from muniment.decisions import items
from muniment.errors import BadShape, NotCurrent
from muniment.model import event
from muniment.model.event_kinds import Kind, Owner, Visibility
from muniment.model.evidence import Source
from muniment.model.moment import Moment
from muniment.model.pack import Item
from muniment.model.record import Appraise, Correct, Note, Remembered, Require
from muniment.operations.commits import write_one
from muniment.operations.operation import Context

_REQUIRED = ("text", "task", "about", "priority", "sources", "key", "owner", "visibility",
             "reader", "room", "grade", "valid_to")  # fmt: skip
_APPRAISED = ("benefit_ppm", "harm_ppm", "task", "owner", "grade", "valid_to", "supersedes")
_KEPT = ("about", "key", "metadata", "valid_from", "task", "priority", "assesses", "benefit_ppm",
         "harm_ppm", "reader", "room")  # fmt: skip


def require(context: Context, request: Require) -> Remembered:
    """A requirement, or the one that says it already."""
    fields = {field: getattr(request, field) for field in _REQUIRED}
    return write_one(context, request, Note(kind="requirement", **fields))


def appraise(context: Context, request: Appraise) -> Remembered:
    """An appraisal of one thing, about whom that is about, seen by those who see that."""
    assessed = _item(context, request)
    said = (
        request.text or f"benefit={_amount(request.benefit_ppm)} harm={_amount(request.harm_ppm)}"
    )
    note = Note(
        text=said,
        kind="appraisal",
        sources=(assessed.id, *_others(request.sources, assessed.id)),
        about=assessed.actor if assessed.kind == "event" else assessed.about,
        assesses=assessed.id,
        visibility=cast("Visibility", assessed.visibility or "scope"),
        reader=assessed.reader,
        room=assessed.room,
        **{field: getattr(request, field) for field in _APPRAISED},
    )
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
    event.named(request.id, "id", "r")
    old = _item(context, request)
    # A repeated command is recognised first, and what it corrected is over by then.
    if request.command_key is None and old.standing in ("superseded", "retracted", "erased"):
        raise NotCurrent(f"{old.id} is {old.outcome or old.standing}", at="id")
    assesses = () if old.assesses is None else (old.assesses,)
    note = Note(
        text=request.text,
        kind=cast("Kind", old.kind),
        # What was in dispute is what is corrected.
        status=None if old.status == "disputed" else old.status,  # type: ignore[arg-type]  # its own
        sources=(*assesses, *_others(request.sources, *assesses)),
        owner=request.owner or cast("Owner", old.owner),
        supersedes=old.id,
        visibility=cast("Visibility", old.visibility or "scope"),
        grade=request.grade,
        valid_to=old.valid_to if request.valid_to is None else request.valid_to,
        **{field: getattr(old, field) for field in _KEPT},
    )
    return write_one(context, request, note)


def _item(context: Context, request: Appraise | Correct) -> Item:
    with context.read(request.scope) as read:
        return items.by_id(read, request.id, Moment(at_ms=context.now()))


def _others(sources: tuple[str | Source, ...], *ids: str) -> tuple[str | Source, ...]:
    """The sources without those that are named anyway."""
    named = {*ids, *(id.split("-")[0] for id in ids)}
    return tuple(
        each for each in sources if (each if isinstance(each, str) else each.id) not in named
    )


def _amount(ppm: int | None) -> str:
    return "unknown" if ppm is None else str(ppm)
