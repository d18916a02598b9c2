"""Records: write one, take it back, close it, show every version."""

from __future__ import annotations

from muniment.decisions import items, moments, names
from muniment.model.experience import Items
from muniment.model.record import (
    Close,
    History,
    Note,
    Remember,
    Remembered,
    Retract,
    Show,
)
from muniment.operations.commits import one_changed, write_one
from muniment.operations.operation import Context

_NOTE_FIELDS = Note.__struct_fields__


def remember(context: Context, request: Remember) -> Remembered:
    """One record, or the version that says it already."""
    note = Note(**{field: getattr(request, field) for field in _NOTE_FIELDS})
    return write_one(context, request, note)


def retract(context: Context, request: Retract) -> Remembered:
    """A new version of the record, taken back."""
    return one_changed(context, request, "retracted")


def close(context: Context, request: Close) -> Remembered:
    """A new version of the task, closed."""
    return one_changed(context, request, "closed")


def show(context: Context, request: Show) -> Items:
    """One thing, whatever it is and whether or not it stands."""
    with context.read(request.scope) as read:
        moment = moments.of(read, request, context.now())
        id = names.standing(read, request.id, moment)
        return Items(items=(items.by_id(read, id, moment),))


def history(context: Context, request: History) -> Items:
    """Every version of a key or of an id's record, oldest first; none where there is no such key."""
    with context.read(request.scope) as read:
        moment = moments.of(read, request, context.now())
        return Items(items=items.in_order(read, names.line(read, request.key, moment.seq), moment))
