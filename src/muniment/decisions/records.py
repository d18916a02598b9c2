"""Records: the versions and sources a rule needs to know, and the drafts it answers."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from muniment.errors import BadShape, CommandKeyReused, NotCurrent, NotFound
from muniment.model import canonical, event, scope, stretch
from muniment.model.binding import Binding
from muniment.model.event import Draft, Event, Reference
from muniment.model.event_kinds import (
    AnyShape,
    CommandAnswered,
    CommandContent,
    MessageContent,
    MessageObserved,
    RecordContent,
    RecordWritten,
    StateContent,
    StateSet,
    Status,
)
from muniment.model.evidence import Link, Source
from muniment.model.moment import Moment
from muniment.model.record import Note, SourceFact, Version, text_hash
from muniment.model.version import Row
from muniment.projections import binding, experience, link, receipt, record, state, tag
from muniment.rules import bindings, summaries
from muniment.rules import records as rules
from muniment.rules.records import Facts, Known
from muniment.store import ledger
from muniment.store.tx import Read


class Command(msgspec.Struct, frozen=True):
    """A command key's tag, and the digest of the command it belongs to."""

    tag: str
    digest: str

    def signed(self, drafts: list[Draft], known: Sequence[tuple[int, str]]) -> list[Draft]:
        """The drafts of one commit, and behind them the event that remembers the command.

        `known` are the answers that stood before.
        """
        answered = CommandAnswered(command_tag=self.tag, known=tuple(known))
        return [*drafts, Draft(answered, CommandContent(request=self.digest))]


def command(read: Read, key: str | None, asked: object) -> Command | None:
    """What stands for a command key, or None where none was given."""
    if key is None:
        return None
    digest = canonical.digest(b"muniment/command/1", canonical.encode(asked)).hex()
    return Command(canonical.tag(read.scope.secret, "command", key), digest)


def repeated(read: Read, command: Command | None) -> tuple[str, list[Event]] | None:
    """The head after, and the events of, the commit that this command wrote before.

    Raises:
        CommandKeyReused: the key was used for another command.
    """
    if command is None:
        return None
    answered = tag.command(read, command.tag)
    if answered is None:
        return None
    head, events = ledger.commit_of(read, answered.seq)
    content = ledger.contents(read, CommandAnswered, [answered.seq]).get(answered.seq)
    # Once anything of it is erased the key alone recognises the command: to compare would let
    # somebody guess what was erased.
    if isinstance(content, CommandContent) and content.request != command.digest:
        raise CommandKeyReused(f"that command key wrote {events[0].id}", at="command_key")
    return head, events


def remember(read: Read, note: Note, now_ms: int) -> Draft | Known:
    """What one note becomes.

    Raises:
        NotFound: a source or the version to supersede is unknown.
        Refused, BadInput: as the rule says.
    """
    old = None if note.supersedes is None else version(read, note.supersedes, now_ms, "supersedes")
    return _remembered(read, note, old, old, now_ms)


def corrected(read: Read, note: Note, now_ms: int) -> list[Draft | Known]:
    """What a note becomes that takes the place of a version wherever that is to stand.

    A version for each stretch of time, in order; what is planned between them stays.

    Raises:
        NotCurrent: it does not stand, and something follows it.
        NotFound, Refused, BadInput: as for any note.
    """
    assert note.supersedes is not None, "a correction names what it corrects"
    old = version(read, note.supersedes, now_ms, "supersedes")
    if old.newest and old.standing != "current":
        raise NotCurrent(f"{old.id} is {old.standing}, and {old.newest} follows it", at="id")
    if not old.newest:
        return [_remembered(read, note, old, old, now_ms)]
    row = record.by_seq(read, [old.seq])[old.seq]
    newest = _version(read, record.last(read, row), now_ms)
    from_ms = row.judged_ms(now_ms)
    places = [place for each in _together(read, row) for place in each.places(from_ms)]
    assert places, "it stands then"
    assert stretch.holds(places[0], from_ms), "as above"
    first = rules.beside_plans(note, old, newest.id, places[0])
    found = _remembered(read, first, old, newest, now_ms)
    return [found, *rules.again(found, places)] if isinstance(found, Draft) else [found]


def _together(read: Read, row: Row) -> list[Row]:
    """A version, and those that one correction wrote with it for later stretches of time."""
    found = [row]
    height = ledger.event_at(read, row.seq).height
    while after := record.successors(read, found[-1].seq):
        if ledger.event_at(read, after[0].seq).height != height:
            break
        found.append(after[0])
    return found


def _remembered(
    read: Read, note: Note, old: Version | None, named: Version | None, now_ms: int
) -> Draft | Known:
    """What a note becomes that takes the place of `old`, and follows `named` in the history."""
    key_tag = None if note.key is None else key_tag_of(read, note.key)
    newest = None if key_tag is None else record.newest(read, key_tag)
    facts = Facts(
        before=None if newest is None else _version(read, newest, now_ms),
        equal=() if key_tag is not None else _equal(read, note, now_ms),
        sources=tuple(
            source_fact(read, source, f"sources[{index}]", now_ms)
            for index, source in enumerate(note.sources)
        ),
        key_tag=key_tag,
        receipt=None if note.receipt is None else _receipt(read, note.receipt),
        named=named,
        allowed=scope.allowed(read.scope.limits),
    )
    bindings.check_note(note)
    found = rules.remember(note, facts)
    if isinstance(found, Draft):
        before = facts.before if old is None else old
        bindings.check(found, facts.sources, before)
    if isinstance(found, Draft) and note.kind == "summary":
        summaries.check(found, facts.sources, recursive=note.recursive)
    return found


def changed(read: Read, id: str, status: Status, now_ms: int) -> Draft | Known:
    """The version that takes back or closes a record.

    Raises:
        NotFound: it is unknown.
        Refused: as the rule says.
    """
    present = version(read, id, now_ms, "id")
    if status == "retracted" and present.newest and present.standing == "current":
        # It stands only until a later version holds: both are taken back together.
        row = record.by_seq(read, [present.seq])[present.seq]
        present = _version(read, record.last(read, row), now_ms)
    key_tag = None if present.key is None else key_tag_of(read, present.key)
    return rules.changed(present, status, key_tag, now_ms)


def key_tag_of(read: Read, key: str) -> str:
    """The keyed tag of a record's key."""
    return canonical.tag(read.scope.secret, "key", key)


def version(read: Read, id: str, now_ms: int, at: str) -> Version:
    """One version of a record by its id.

    Raises:
        NotFound: there is none.
    """
    named = event.named(id, at, "r")
    row = record.by_seq(read, [named.seq]).get(named.seq)
    if row is None or named.mark not in (None, row.mark):
        raise NotFound(f"nothing here has the id {id!r}", at=at)
    return _version(read, row, now_ms)


def source_fact(read: Read, source: str | Source, at: str, now_ms: int) -> SourceFact:
    """What a rule needs to know of a cited thing.

    Raises:
        NotFound: there is none of that id.
    """
    id = source if isinstance(source, str) else source.id
    named = event.named(id, at, "erl")
    seqs = [named.seq]
    fact: SourceFact | None = None
    row: Row | None = None
    mark: int | None = None
    if named.letter == "e" and (seen := experience.by_seq(read, seqs).get(named.seq)):
        mark = seen.mark
        fact = SourceFact(
            id=seen.id,
            seq=seen.seq,
            kind="event",
            role=seen.role,
            standing="erased" if seen.erased else "current",
            subject=seen.actor,
        )
    elif named.letter == "r" and (row := record.by_seq(read, seqs).get(named.seq)):
        mark = row.mark
        fact = _record_fact(read, row, now_ms)
    elif named.letter == "l" and (put := state.by_seq(read, seqs).get(named.seq)):
        mark = put.mark
        fact = SourceFact(
            id=put.id,
            seq=put.seq,
            kind="state",
            role=None,
            standing=put.standing(Moment(at_ms=now_ms)),
        )
    if fact is None or named.mark not in (None, mark):
        raise NotFound(f"nothing here has the id {id!r}", at=at)
    content = _content(read, named)
    text = None
    if content is not None:
        text = content.value if isinstance(content, StateContent) else content.text
    if row is not None:
        words = content if isinstance(content, RecordContent) else None
        fact = msgspec.structs.replace(fact, bound=_bound(read, row, words))
    if text is None:
        return fact
    return msgspec.structs.replace(fact, characters=len(text), bytes=len(text.encode()))


def _record_fact(read: Read, row: Row, now_ms: int) -> SourceFact:
    moment = Moment(at_ms=now_ms)
    levels = link.levels(read, row.seq) if row.kind == "summary" else []
    return SourceFact(
        id=row.id,
        seq=row.seq,
        kind=row.kind,
        role=None,
        standing="retracted" if record.taken_back(read, row, moment) else row.standing(moment),
        status=row.status,
        subject=row.about,
        level=len(levels),
        coverage=link.coverage(levels),
    )


def _content(read: Read, named: Reference) -> MessageContent | RecordContent | StateContent | None:
    """The content of an event, record or state value; None where it is erased."""
    shapes: dict[str, type[AnyShape]] = {"e": MessageObserved, "r": RecordWritten, "l": StateSet}
    content = ledger.contents(read, shapes[named.letter], [named.seq]).get(named.seq)
    assert content is None or isinstance(content, MessageContent | RecordContent | StateContent)
    return content


def _bound(read: Read, row: Row, words: RecordContent | None) -> Binding:
    """What binds a record; asked for only where its shape says anything of it."""
    said = binding.by_seq(read, [row.seq]).get(row.seq) if row.bound else None
    return binding.bound(said, words)


def _receipt(read: Read, id: str) -> str:
    """The full id of a receipt.

    Raises:
        NotFound: there is none.
    """
    named = event.named(id, "receipt", "q")
    row = receipt.by_seq(read, named.seq)
    if row is None or named.mark not in (None, row.mark):
        raise NotFound(f"nothing here has the id {id!r}", at="receipt")
    return row.id


def check_distinct_keys(notes: Sequence[Note]) -> None:
    """Nothing, if no two notes of one commit write the same key.

    Raises:
        BadShape: two do.
    """
    seen: set[str] = set()
    for index, note in enumerate(notes):
        if note.key is not None and note.key in seen:
            raise BadShape("two notes of one commit have this key", at=f"notes[{index}].key")
        if note.key is not None:
            seen.add(note.key)


def _equal(read: Read, note: Note, now_ms: int) -> tuple[Version, ...]:
    """Versions without a key that have this kind and text and have not ended."""
    found = record.same_text(read, text_hash(note.text))
    versions = [_version(read, row, now_ms) for row in found if row.kind == note.kind]
    return tuple(present for present in versions if present.text == note.text)


def _version(read: Read, row: Row, now_ms: int) -> Version:
    content = ledger.contents(read, RecordWritten, [row.seq]).get(row.seq)
    words = content if isinstance(content, RecordContent) else None
    links = link.of(read, row.seq)
    return Version(
        id=row.id,
        seq=row.seq,
        kind=row.kind,  # type: ignore[arg-type]  # the column holds what the shape held
        status=row.status,  # type: ignore[arg-type]  # as above
        owner=row.owner,  # type: ignore[arg-type]  # as above
        key=row.key,
        about=row.about,
        text="" if words is None else words.text,
        metadata=None if words is None else words.metadata,
        sources=tuple(_source(each) for each in links),
        covers=tuple(each.source_id for each in links if each.covers),
        valid_from_ms=row.valid_from_ms,
        valid_to_ms=row.valid_to_ms,
        standing=row.standing(Moment(at_ms=now_ms)),
        newest=_newest(read, row),
        bound=_bound(read, row, words),
    )


def _newest(read: Read, row: Row) -> str | None:
    """The id of the newest version of what the row is a version of, if that is another."""
    last = record.last(read, row) if row.followed else row
    return None if last.seq == row.seq else last.id


def _source(cited: Link) -> Source:
    span = None
    if cited.span_start is not None and cited.span_end is not None:
        span = (cited.span_start, cited.span_end)
    return Source(id=cited.source_id, role=cited.role, span=span)  # type: ignore[arg-type]  # the shape's own word
