"""State: read, set and list the values of a key."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from muniment.decisions import items
from muniment.decisions import state as deciding
from muniment.errors import BadShape, MunimentError
from muniment.model.event import Draft
from muniment.model.event_kinds import StateDeleted
from muniment.model.experience import Items
from muniment.model.moment import Moment
from muniment.model.record import Commit
from muniment.model.state import (
    StateDelete,
    StateGet,
    StateGone,
    StateHistory,
    StateSetTo,
    StateValue,
)
from muniment.operations.commits import write_all
from muniment.operations.operation import Context
from muniment.projections import state
from muniment.rules import redaction
from muniment.store import ledger


def get(context: Context, request: StateGet) -> StateValue:
    """A key's value, now or after a past seq."""
    if request.at_seq is not None and request.at_seq < 0:
        raise BadShape("a seq is not negative", at="at_seq")
    with context.read(request.scope) as read:
        row, text = deciding.value_at(read, request.key, request.at_seq)
        value = None if text is None else deciding.value_of(text)
        seq = None if row is None or text is None else row.seq
        head = ledger.head(read)
        return StateValue(key=request.key, value=value, seq=seq, head=head, known=seq is not None)


def put(context: Context, request: StateSetTo) -> StateValue:
    """A key gets a value; nothing is written where it has it."""
    value, redacted = request.value, 0
    if request.redact:
        held, redacted = redaction.cleaned({request.key: value})
        value = held[request.key]
    commit = Commit(
        scope=request.scope,
        state={request.key: value},
        expect_head=request.expect_head,
        command_key=request.command_key,
    )
    with _fields_of_the_only_key(request.key):
        done = write_all(context, commit)
    return StateValue(
        key=request.key,
        value=value,
        redacted=redacted,
        seq=done.state.get(request.key),
        head=done.head,
        known=done.known,
    )


def delete(context: Context, request: StateDelete) -> StateGone:
    """A key loses its value; nothing is written where it has none any more."""
    now_ms = context.now()
    with context.write(request.scope, make=False) as write:
        ledger.expect(write, request.expect_head)
        found = deciding.delete(write, request.key)
        if isinstance(found, Draft):
            (placed,) = context.append(write, [found], now_ms)
            assert isinstance(placed.shape, StateDeleted)
            seq, before = placed.seq, placed.shape.supersedes
        else:
            assert found.to_seq is not None, "it has no value any more"
            seq, before = found.to_seq, found.id
        return StateGone(
            key=request.key,
            seq=seq,
            head=ledger.head(write),
            supersedes=before,
            known=not isinstance(found, Draft),
        )


def history(context: Context, request: StateHistory) -> Items:
    """Every value of a key, oldest first."""
    with context.read(request.scope) as read:
        rows = state.versions(read, deciding.key_tag_of(read, request.key))
        return Items(
            items=items.in_order(read, [row.seq for row in rows], Moment(at_ms=context.now()))
        )


@contextmanager
def _fields_of_the_only_key(key: str) -> Iterator[None]:
    """Errors name the request's own fields."""
    try:
        yield
    except MunimentError as error:
        if error.at is not None and error.at.startswith(f"state.{key}"):
            error.at = "value" + error.at.removeprefix(f"state.{key}")
        raise
