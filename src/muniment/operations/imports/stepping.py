"""Another memory's ledger, step by step: each becomes one commit, with what it cites by our ids.

A step is recognised by the tag of its mark, and what was written with it by the tags of keys in
the same commit.  Both outlive an erasure, so that nothing comes back and later steps still find
what they follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from muniment import limits
from muniment.decisions import experience as deciding
from muniment.decisions import records as deciding_records
from muniment.decisions import state as deciding_state
from muniment.decisions import tasks as deciding_tasks
from muniment.errors import (
    BadInput,
    NotFound,
    NotTakenIn,
    Refused,
    StateFull,
    SummaryOfOverwritten,
    TasksFull,
)
from muniment.model import codec, event
from muniment.model import scope as naming
from muniment.model.event import Draft, Event
from muniment.model.event_kinds import RecordWritten, StateContent, StateSet
from muniment.model.foreign import OldNote, OldValue, Step
from muniment.operations.imports.arriving import Origin, Tally, gather
from muniment.operations.operation import Context
from muniment.projections import record, state
from muniment.rules import records as rules
from muniment.rules import redaction, summaries
from muniment.rules import state as state_rules
from muniment.store import ledger
from muniment.store.tx import Write


class _Written(msgspec.Struct):
    """What stands here for things of the other ledger."""

    records: dict[str, str] = {}  # our id by the note's
    values: dict[str, tuple[str, str]] = {}  # id and JSON text by state key


class _Coming(msgspec.Struct):
    """The notes and values of one step that are to be written, each with its draft."""

    notes: list[tuple[OldNote, Draft]] = []
    values: list[tuple[OldValue, Draft]] = []


def take_steps(
    context: Context, scope: str | None, steps: Iterator[Step], origin: Origin, tally: Tally
) -> None:
    """Every step as one commit, several of them in one transaction."""
    written = _Written()
    batch: list[Step] = []
    events = size = 0
    for step in steps:
        batch.append(step)
        events += len(step.turns) + len(step.notes) + len(step.values)
        size += sum(len(turn.text) + len(turn.metadata or "") for turn in step.turns)
        if events >= limits.IMPORT_BATCH_EVENTS or size >= limits.IMPORT_BATCH_BYTES:
            _store(context, scope, batch, (origin, tally, written))
            batch, events, size = [], 0, 0
    _store(context, scope, batch, (origin, tally, written))


def _store(
    context: Context,
    scope: str | None,
    batch: Sequence[Step],
    run: tuple[Origin, Tally, _Written],
) -> None:
    origin, tally, written = run
    now_ms = context.now()
    with context.write(scope) as write:
        for given in batch:
            step = _redacted(given, origin) if origin.redact else given
            messages = gather(write, step.turns, origin, tally)
            coming = _Coming()
            if step.mark is not None:
                tag = _tag(write, step)
                if tag in messages.known:
                    _recognised(write, step, messages.known[tag], tally, written)
                elif tag in messages.places:
                    coming = _decided(write, step, now_ms, tally, written)
                    _make_fit(write, coming, len(messages.drafts), tally)
                else:
                    _passed_over(step, tally)
            drafts = [draft for _, draft in (*coming.notes, *coming.values)]
            if messages.drafts or drafts:
                events = context.append(write, [*messages.drafts, *drafts], now_ms)
                _remember(coming, events[len(messages.drafts) :], written)
            tally.imported += len(drafts)
        tip = ledger.tip(write)
    tally.head, tally.seq = tip.head, tip.seq


def _redacted(step: Step, origin: Origin) -> Step:
    """The step without secrets in notes and values; those of its turns go with the turns."""
    return msgspec.structs.replace(
        step,
        notes=tuple(
            msgspec.structs.replace(
                old, note=msgspec.structs.replace(old.note, text=_clean(old.note.text, origin))
            )
            for old in step.notes
        ),
        values=tuple(
            msgspec.structs.replace(old, value=_clean(old.value, origin)) for old in step.values
        ),
    )


def _clean(value: Any, origin: Origin) -> Any:
    """A JSON value with a marker for each secret in it."""
    held, gone = redaction.cleaned(value)
    origin.redacted += gone
    return held


def _tag(write: Write, step: Step) -> str:
    """The external tag of the step's mark."""
    (marked,) = (turn for turn in step.turns if turn.external_id == step.mark)
    assert marked.namespace is not None
    assert step.mark is not None
    return deciding.external_tag(write, marked.namespace, step.mark)


def _recognised(write: Write, step: Step, mark: Event, tally: Tally, written: _Written) -> None:
    """What an earlier run wrote for a step, and what it did not."""
    _, events = ledger.commit_of(write, mark.seq)
    tags = {
        (type(each.shape), each.shape.key_tag): each.id
        for each in events
        if isinstance(each.shape, RecordWritten | StateSet)
    }
    for note in step.notes:
        assert note.note.key is not None
        id = tags.get((RecordWritten, deciding_records.key_tag_of(write, note.note.key)))
        if id is None:
            tally.fail(note.at, NotTakenIn("an earlier run did not take it in"))
        else:
            written.records[note.id] = id
            tally.skip(note.at, _gone(write, id))
    for old in step.values:
        try:
            text = state_rules.value_text(
                old.key, old.value, "value", naming.allowed(write.scope.limits)
            )
        except BadInput as error:
            tally.fail(old.at, error)
            continue
        id = tags.get((StateSet, deciding_state.key_tag_of(write, old.key)))
        if id is not None:
            written.values[old.key] = (id, text)
        # A value that stood already was not written again.
        if id is None and written.values.get(old.key, ("", ""))[1] != text:
            tally.fail(old.at, NotTakenIn("an earlier run did not take it in"))
        else:
            tally.skip(old.at, _gone(write, id))


def _gone(write: Write, id: str | None) -> str | None:
    """The id, if its words are erased."""
    if id is None:
        return None
    seq = event.reference(id).seq
    return id if seq in ledger.erased(write, {seq}) else None


def _passed_over(step: Step, tally: Tally) -> None:
    """Without its mark a step would not be recognised again, and come twice."""
    places = [note.at for note in step.notes] + [old.at for old in step.values]
    for at in places:
        tally.fail(at, NotTakenIn("its commit was not taken in"))


def _decided(write: Write, step: Step, now_ms: int, tally: Tally, written: _Written) -> _Coming:
    """The drafts of a step's notes and values; what may not be written is in the tally."""
    coming = _Coming()
    for old in step.notes:
        try:
            draft = _note(write, old, now_ms, written)
        except (BadInput, NotFound, Refused) as error:
            tally.fail(old.at, error)
        else:
            coming.notes.append((old, draft))
    right: dict[str, OldValue] = {}
    for value in step.values:
        try:
            _check_value(write, value, written)
        except (BadInput, Refused) as error:
            tally.fail(value.at, error)
        else:
            right[value.key] = value
    _put(write, right, coming, tally)
    return coming


def _make_fit(write: Write, coming: _Coming, skipping: int, tally: Tally) -> None:
    """Leave out summaries of what their own step writes anew, and tasks no pack would show.

    The tasks of a step are tried together first, because one may close what another opens.
    """
    notes, coming.notes = _apart(coming, tally), []
    try:
        deciding_tasks.check_room(write, [draft for _, draft in notes], skipping)
    except TasksFull:
        for old, draft in notes:
            asked = [*(each for _, each in coming.notes), draft]
            try:
                deciding_tasks.check_room(write, asked, skipping)
            except TasksFull as error:
                tally.fail(old.at, error)
            else:
                coming.notes.append((old, draft))
    else:
        coming.notes = notes


def _apart(coming: _Coming, tally: Tally) -> list[tuple[OldNote, Draft]]:
    drafts = [draft for _, draft in (*coming.notes, *coming.values)]
    kept = []
    for old, draft in coming.notes:
        try:
            summaries.check_apart([(0, draft)], drafts)
        except SummaryOfOverwritten as error:
            tally.fail(old.at, error)
        else:
            kept.append((old, draft))
    return kept


def _note(write: Write, old: OldNote, now_ms: int, written: _Written) -> Draft:
    """The draft of a note, which follows and cites what was taken in before it.

    Raises:
        KeyTaken: the key has a version of somebody else's.
        NotTakenIn: what it follows or cites is not here.
        BadInput, Refused: it may not be written.
    """
    wanted = [id for id in (*old.sources, old.before) if id is not None]
    ours = {id: written.records[id] for id in wanted if id in written.records}
    missing = [id for id in wanted if id not in ours]
    if missing:
        raise NotTakenIn(f"what it rests on was not taken in: {', '.join(missing)}")
    note = codec.checked(
        msgspec.structs.replace(
            old.note,
            sources=tuple(ours[id] for id in old.sources),
            covers=tuple(ours[id] for id in old.covers),
        )
    )
    assert note.key is not None
    newest = record.newest(write, deciding_records.key_tag_of(write, note.key))
    before = None if old.before is None else ours[old.before]
    rules.check_continues(None if newest is None else newest.id, before)
    found = deciding_records.remember(write, note, now_ms)
    assert isinstance(found, Draft), "its metadata holds an id that no other version has"
    return found


def _check_value(write: Write, old: OldValue, written: _Written) -> None:
    """Nothing, if a key may get this value next.

    Raises:
        KeyTaken: the key has a value of somebody else's.
        BadInput: the value may not be kept.
    """
    state_rules.value_text(old.key, old.value, "value", naming.allowed(write.scope.limits))
    present = state.current(write, deciding_state.key_tag_of(write, old.key))
    before = written.values.get(old.key)
    rules.check_continues(
        None if present is None else present.id, None if before is None else before[0]
    )


def _put(write: Write, right: dict[str, OldValue], coming: _Coming, tally: Tally) -> None:
    """The drafts of the values that the state has room for, and that do not stand already."""
    fitting = dict(right)
    try:
        drafts = deciding_state.put(write, {key: old.value for key, old in right.items()})
    except StateFull:
        fitting, drafts = {}, {}
        for key, old in right.items():
            asked = {**fitting, key: old}
            try:
                drafts = deciding_state.put(write, {k: each.value for k, each in asked.items()})
            except StateFull as error:
                tally.fail(old.at, error)
            else:
                fitting = asked
    for key, old in fitting.items():
        draft = drafts[key]
        if isinstance(draft, Draft):
            coming.values.append((old, draft))
        else:
            tally.skipped += 1


def _remember(coming: _Coming, events: Sequence[Event], written: _Written) -> None:
    """What later steps follow and cite."""
    placed = iter(events)
    for old, _ in coming.notes:
        written.records[old.id] = next(placed).id
    for value, draft in coming.values:
        assert isinstance(draft.content, StateContent)
        written.values[value.key] = (next(placed).id, draft.content.value)
