"""Records: write one, take it back, close it, show every version."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from muniment.decisions import items, moments
from muniment.decisions import records as deciding
from muniment.errors import CommandKeyReused, MunimentError
from muniment.model.experience import Items
from muniment.model.record import (
    Close,
    Commit,
    History,
    Note,
    Remember,
    Remembered,
    Retract,
    Show,
)
from muniment.operations.commits import one_changed, write_all
from muniment.operations.operation import Context
from muniment.projections import record

_NOTE_FIELDS = Note.__struct_fields__


def remember(context: Context, request: Remember) -> Remembered:
    """One record, or the version that says it already."""
    note = Note(**{field: getattr(request, field) for field in _NOTE_FIELDS})
    commit = Commit(
        scope=request.scope,
        notes=(note,),
        expect_head=request.expect_head,
        command_key=request.command_key,
    )
    with _fields_of_the_only_note():
        done = write_all(context, commit)
    if not done.records:
        # The command is erased, so that its digest cannot tell; its kind of event still does.
        raise CommandKeyReused("that command key wrote no record", at="command_key")
    return done.records[0]


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
        return Items(items=(items.by_id(read, request.id, moment),))


def history(context: Context, request: History) -> Items:
    """Every version of a key, oldest first; none where the key was never written."""
    with context.read(request.scope) as read:
        moment = moments.of(read, request, context.now())
        rows = record.versions(read, deciding.key_tag_of(read, request.key), moment.seq)
        return Items(items=items.in_order(read, [row.seq for row in rows], moment))


@contextmanager
def _fields_of_the_only_note() -> Iterator[None]:
    """Errors name the request's own fields."""
    try:
        yield
    except MunimentError as error:
        if error.at is not None:
            error.at = error.at.removeprefix("notes[0]").removeprefix(".") or None
        raise
