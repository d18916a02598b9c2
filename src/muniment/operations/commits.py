"""Commits: records and state keys that appear together or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from muniment.decisions import names
from muniment.decisions import records as deciding
from muniment.decisions import state as deciding_state
from muniment.decisions import tasks as deciding_tasks
from muniment.errors import BadShape, CommandKeyReused, MunimentError, NotFound, TooLong
from muniment.model import event, scope
from muniment.model.event import Draft, Event
from muniment.model.event_kinds import (
    CommandAnswered,
    RecordWritten,
    StateContent,
    StateSet,
    Status,
)
from muniment.model.evidence import Source
from muniment.model.record import (
    Appraise,
    Close,
    Commit,
    Committed,
    Correct,
    Note,
    Remember,
    Remembered,
    Require,
    Retract,
)
from muniment.operations.operation import Context
from muniment.rules import redaction, summaries
from muniment.rules.records import Known
from muniment.store import ledger
from muniment.store.tx import Read, Write


def write_all(context: Context, request: Commit, *, beside_plans: bool = False) -> Committed:
    """Records and state keys in one commit, or nothing of it; without secrets where asked."""
    if not request.redact:
        return _write_all(context, request, beside_plans=beside_plans)
    clean, counts, in_state = redaction.committed(request)
    done = _write_all(context, clean, beside_plans=beside_plans)
    return msgspec.structs.replace(
        done,
        records=tuple(
            msgspec.structs.replace(each, redacted=count)
            for each, count in zip(done.records, counts, strict=False)  # none of an erased command
        ),
        redacted=sum(counts) + in_state,
    )


def _write_all(context: Context, request: Commit, *, beside_plans: bool) -> Committed:
    """Records and state keys in one commit, or nothing of it.

    With `beside_plans` a note takes the place of a version wherever that is to stand.
    A repeated command key answers again what it answered, before anything else is looked at.
    """
    _check_sizes(request, scope.PROGRAM)
    now_ms = context.now()
    asked = msgspec.structs.replace(request, scope=None, expect_head=None, command_key=None)
    with context.write(request.scope) as write:
        command = deciding.command(write, request.command_key, asked)
        before = deciding.repeated(write, command)
        if before is not None:
            return _answered_again(write, *before)
        ledger.expect(write, request.expect_head)
        _check_sizes(request, scope.allowed(write.scope.limits))
        found = _decided(write, request.notes, now_ms, beside_plans=beside_plans)
        puts = deciding_state.put(write, request.state)
        _check_summaries(found, puts)
        drafts = [each for each in (*found, *puts.values()) if isinstance(each, Draft)]
        if command is not None:
            drafts = command.signed(drafts, _known_ids(found, puts))
        events = context.append(write, drafts, now_ms) if drafts else []
        return _committed(write, found, puts, events)


def write_one(
    context: Context, request: Remember | Require | Appraise | Correct, note: Note
) -> Remembered:
    """One record, or the version that says it already; errors name the request's own fields."""
    commit = Commit(
        scope=request.scope,
        notes=(note,),
        redact=request.redact,
        expect_head=request.expect_head,
        command_key=request.command_key,
    )
    try:
        done = write_all(context, commit, beside_plans=isinstance(request, Correct))
    except MunimentError as error:
        if error.at is not None:
            error.at = error.at.removeprefix("notes[0]").removeprefix(".") or None
        raise
    if not done.records:
        # The command is erased, so that its digest cannot tell; its kind of event still does.
        raise CommandKeyReused("that command key wrote no record", at="command_key")
    return done.records[0]


def one_changed(context: Context, request: Retract | Close, status: Status) -> Remembered:
    """A new version of one record with another status."""
    now_ms = context.now()
    with context.write(request.scope, make=False) as write:
        ledger.expect(write, request.expect_head)
        id = names.newest(write, request.id)
        found = deciding.changed(write, id, status, now_ms)
        events = context.append(write, [found], now_ms) if isinstance(found, Draft) else []
        return _committed(write, [found], {}, events).records[0]


def _decided(
    write: Write, notes: Sequence[Note], now_ms: int, *, beside_plans: bool
) -> list[Draft | Known]:
    deciding.check_distinct_keys(notes)
    found: list[Draft | Known] = []
    for index, note in enumerate(notes):
        try:
            if beside_plans:
                found += deciding.corrected(write, note, now_ms)
            else:
                found.append(deciding.remember(write, note, now_ms))
        except MunimentError as error:
            if isinstance(error, NotFound):
                error.detail = names.hint(write, _named(note, error.at)) or error.detail
            error.at = f"notes[{index}]" + (f".{error.at}" if error.at else "")
            raise
    _check_distinct_versions(found)
    deciding_tasks.check_room(write, found)
    return found


def _named(note: Note, at: str | None) -> str:
    """What a note says where it names a thing: an id, or what is none."""
    field, _, index = (at or "").rstrip("]").partition("[")
    said = getattr(note, field, "")
    said = said[int(index)] if index else said
    return said.id if isinstance(said, Source) else str(said)


def _check_distinct_versions(found: Sequence[Draft | Known]) -> None:
    """Nothing, if no two notes of one commit take the place of the same version."""
    taken: set[str] = set()
    for index, each in enumerate(found):
        if isinstance(each, Draft) and isinstance(each.shape, RecordWritten):
            before = each.shape.supersedes
            if before in taken:
                raise BadShape(
                    f"two notes of one commit supersede {before}", at=f"notes[{index}].supersedes"
                )
            taken |= {before} if before is not None else set()


def _check_summaries(found: Sequence[Draft | Known], puts: Mapping[str, Draft | str]) -> None:
    """Nothing, if no summary cites what this commit writes anew."""
    placed = [(place, each) for place, each in enumerate(found) if isinstance(each, Draft)]
    summaries.check_apart(placed, [each for each in puts.values() if isinstance(each, Draft)])


def _known_ids(
    found: Sequence[Draft | Known], puts: Mapping[str, Draft | str]
) -> list[tuple[int, str]]:
    """Each answer that stood before, with its place among all."""
    answers: list[Draft | str] = [
        each.version.id if isinstance(each, Known) else each for each in found
    ]
    answers += puts.values()
    return [(place, each) for place, each in enumerate(answers) if isinstance(each, str)]


def _committed(
    read: Read,
    found: Sequence[Draft | Known],
    puts: Mapping[str, Draft | str],
    events: Sequence[Event],
) -> Committed:
    head = ledger.head(read)
    placed = iter(events)
    records = tuple(
        _known(read, each, head) if isinstance(each, Known) else _remembered(next(placed), head)
        for each in found
    )
    state = {
        key: event.reference(each).seq if isinstance(each, str) else next(placed).seq
        for key, each in puts.items()
    }
    written = [each for each in (*found, *puts.values()) if isinstance(each, Draft)]
    return Committed(records=records, state=state, head=head, known=not written)


def _answered_again(read: Read, head: str, events: Sequence[Event]) -> Committed:
    """What a repeated command answered the first time, in the same order."""
    answers = [each.id for each in events if isinstance(each.shape, RecordWritten | StateSet)]
    for each in events:
        if isinstance(each.shape, CommandAnswered):
            for place, id in each.shape.known:
                answers.insert(place, id)
    records: list[Remembered] = []
    state: dict[str, int] = {}
    for id in answers:
        seq = event.reference(id).seq
        shape = ledger.shape_at(read, seq)
        if isinstance(shape, RecordWritten):
            gone = seq in ledger.erased(read, {seq})
            before = shape.supersedes
            records.append(
                Remembered(id=id, seq=seq, head=head, supersedes=before, known=True, erased=gone)
            )
        else:
            content = ledger.contents(read, StateSet, [seq]).get(seq)
            if isinstance(content, StateContent):
                state[content.key] = seq
    return Committed(records=tuple(records), state=state, head=head, known=True)


def _remembered(written: Event, head: str) -> Remembered:
    shape = written.shape
    assert isinstance(shape, RecordWritten)
    return Remembered(
        id=written.id, seq=written.seq, head=head, supersedes=shape.supersedes, known=False
    )


def _known(read: Read, known: Known, head: str) -> Remembered:
    version = known.version
    shape = ledger.shape_at(read, version.seq)
    assert isinstance(shape, RecordWritten)
    return Remembered(
        id=version.id, seq=version.seq, head=head, supersedes=shape.supersedes, known=True
    )


def _check_sizes(request: Commit, allowed: scope.Allowed) -> None:
    if len(request.notes) > allowed.notes_per_commit_max:
        raise TooLong(f"at most {allowed.notes_per_commit_max} notes a commit", at="notes")
    if len(request.state) > allowed.state_writes_per_commit_max:
        raise TooLong(f"at most {allowed.state_writes_per_commit_max} keys", at="state")
    if not request.notes and not request.state:
        raise BadShape("a commit holds at least one note or state key", at="notes")
