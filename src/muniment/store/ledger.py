"""The ledger: commits appended, linked by their hashes, and read back.

Only this file writes `commits` and `content`.  `docs/format.md` has every byte.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

import msgspec

from muniment.errors import BrokenLedger, HeadMoved, NotFound
from muniment.model import canonical, event
from muniment.model.event import Chain, Draft, Event, Genesis, Header
from muniment.model.event_kinds import BY_SHAPE, AnyShape, Content, ContentErased
from muniment.model.evidence import Source
from muniment.store import headers
from muniment.store.tx import Read, Tip, Write

FORMAT = 1  # of a first commit, which has no events
SALT_BYTES = 16
_DECODED_MAX = 8


def begin(write: Write, genesis: Genesis, now_ms: int) -> None:
    """The first commit of both chains of a new scope."""
    other: str | None = None
    for chain in (event.MEMORY, event.JOURNAL):
        header = Header(
            format=FORMAT,
            scope=write.scope.id,
            chain=chain,
            height=0,
            parent=None,
            other=other,
            recorded_ms=now_ms,
            events=(),
            genesis=genesis,
        )
        other = _store(write, header, 0)


def tip(read: Read, chain: Chain = event.MEMORY) -> Tip:
    """Where `chain` stands now.

    Raises:
        BrokenLedger: it has not even a first commit.
    """
    known = read.tips.get(chain)
    if known is not None:
        return known
    row = read.row(
        "SELECT hash, height, seq FROM commits WHERE scope = ? AND chain = ?"
        " ORDER BY seq DESC LIMIT 1",
        (read.scope.number, chain),
    )
    if row is None:
        raise BrokenLedger(f"chain {chain} has no first commit")
    found = read.tips[chain] = _tip(row)
    return found


def head(read: Read, chain: Chain = event.MEMORY) -> str:
    """The hash of the last commit of `chain`."""
    return tip(read, chain).head


def expect(read: Read, expected: str | None) -> None:
    """Nothing, if the memory chain's head is the expected one, or none was expected.

    Raises:
        HeadMoved: it is another; the message names the head that won.
    """
    if expected is not None:
        present = head(read)
        if expected != present:
            raise HeadMoved(f"the head is {present}", at="expect_head")


def append(
    write: Write, chain: Chain, drafts: Sequence[Draft], now_ms: int, salts: bytes
) -> list[Event]:
    """The drafts as one commit at the end of `chain`, and the events they became.

    `salts` has 16 random bytes a draft.  The time recorded never runs back.
    """
    assert drafts, "a commit has at least one event"
    assert len(salts) == SALT_BYTES * len(drafts)
    last = tip(write, chain)
    other = head(write, event.JOURNAL if chain == event.MEMORY else event.MEMORY)
    recorded_ms = max(now_ms, _recorded_ms(write, chain, last.seq))
    events: list[Event] = []
    contents: list[tuple[int, int, bytes, bytes]] = []
    sign = 1 if chain == event.MEMORY else -1
    for index, draft in enumerate(drafts):
        seq = last.seq + 1 + index
        salt = salts[index * SALT_BYTES : (index + 1) * SALT_BYTES]
        shape, stored = _placed(draft, events, seq, last.head, salt)
        if stored is not None:
            contents.append((write.scope.number, sign * seq, salt, stored))
        events.append(Event(shape, draft.content, last.height + 1, recorded_ms))
    header = Header(
        format=max(BY_SHAPE[type(placed.shape)].format for placed in events),
        scope=write.scope.id,
        chain=chain,
        height=last.height + 1,
        parent=last.head,
        other=other,
        recorded_ms=recorded_ms,
        events=tuple(placed.shape for placed in events),
    )
    _store(write, header, events[-1].seq)
    write.many("INSERT INTO content (scope, place, salt, bytes) VALUES (?, ?, ?, ?)", contents)
    return events


def erase(write: Write, places: Iterable[int]) -> int:
    """The contents at these places are gone; how many there were."""
    before = write.value("SELECT total_changes()")
    write.many(
        "DELETE FROM content WHERE scope = ? AND place = ?",
        ((write.scope.number, place) for place in places),
    )
    after = write.value("SELECT total_changes()")
    assert isinstance(before, int)
    assert isinstance(after, int)
    return after - before


def place(seq: int, chain: Chain) -> int:
    """Where the content of an event stands: its seq, negative for the journal."""
    return seq if chain == event.MEMORY else -seq


def contents(read: Read, shape: type[AnyShape], seqs: Sequence[int]) -> dict[int, Content]:
    """The contents of the events of one kind at these seqs that are still there, by seq."""
    chain = BY_SHAPE[shape].chain
    stored = read.among(
        "SELECT place, bytes FROM content WHERE scope = ? AND place IN ",
        read.scope.number,
        [place(seq, chain) for seq in seqs],
    )
    return {abs(where): decode_content(shape, content) for where, content in stored}


def erased(read: Read, seqs: Collection[int]) -> set[int]:
    """Which of these seqs of the memory chain have no content, or no more."""
    found = read.among(
        "SELECT place FROM content WHERE scope = ? AND place IN ", read.scope.number, [*seqs]
    )
    return set(seqs) - {place for (place,) in found}


def erased_since(read: Read, seq: int) -> set[int]:
    """The seqs up to this one of what was erased by events behind it, and not before."""
    # An erasure is a commit of one event that has no content.
    bare = read.column(
        "SELECT c.seq FROM commits c WHERE c.scope = ? AND c.chain = ? AND NOT EXISTS"
        " (SELECT 1 FROM content t WHERE t.scope = c.scope AND t.place = c.seq) ORDER BY c.seq",
        (read.scope.number, event.MEMORY),
    )
    before: set[int] = set()
    since: set[int] = set()
    for at in bare:
        shape = shape_at(read, at) if at else None
        if isinstance(shape, ContentErased):
            gone = since if at > seq else before
            gone |= {event.reference(id).seq for id in shape.targets + shape.dependents}
            gone |= set(range(1, min(shape.through or 0, seq) + 1))
    return {each for each in since - before if each <= seq}


def shape_at(read: Read, seq: int) -> AnyShape:
    """The shape of the memory event at `seq`.

    Raises:
        NotFound: the chain is not that long.
    """
    return event_at(read, seq).shape


def event_at(read: Read, seq: int, chain: Chain = event.MEMORY) -> Event:
    """The event at `seq`, without its content.

    Raises:
        NotFound: the chain is not that long.
        BrokenLedger: its commit cannot be read.
    """
    for (held, _), (header, first, last) in read.decoded.items():
        if held == chain and first <= seq <= last:
            return Event(header.events[seq - first], None, header.height, header.recorded_ms)
    row = read.row(
        "SELECT seq, header FROM commits WHERE scope = ? AND chain = ? AND seq >= ?"
        " ORDER BY seq LIMIT 1",
        (read.scope.number, chain, seq),
    )
    if row is None or seq < 1:
        raise NotFound("nothing here has that id")
    header, last = headers.decoded(row[1]), _whole(row[0])
    first = last - len(header.events) + 1
    if not first <= seq <= last:
        raise BrokenLedger(f"no commit holds seq {seq}")
    read.decoded[chain, last] = (header, first, last)
    if len(read.decoded) > _DECODED_MAX:
        del read.decoded[next(iter(read.decoded))]
    return Event(header.events[seq - first], None, header.height, header.recorded_ms)


def seqs_with(read: Read, name: str, value: str) -> list[int]:
    """The seqs of the memory chain whose content has this value under this name; reads them all."""
    return read.column(
        "SELECT place FROM content WHERE scope = ? AND place > 0"
        " AND json_extract(CAST(bytes AS TEXT), ?) = ? ORDER BY place",
        (read.scope.number, f"$.{name}", value),
    )


def seq_at(read: Read, at_ms: int, chain: Chain = event.MEMORY) -> int:
    """The last seq of a chain that was recorded at or before `at_ms`; 0 where none was.

    Recorded times never run back, so halving finds it in a few reads.
    """
    low, high = 0, tip(read, chain).seq
    while low < high:
        middle = (low + high + 1) // 2
        last = read.value(
            "SELECT min(seq) FROM commits WHERE scope = ? AND chain = ? AND seq >= ?",
            (read.scope.number, chain, middle),
        )
        if _recorded_ms(read, chain, _whole(last)) <= at_ms:
            low = last
        else:
            before = read.value(
                "SELECT max(seq) FROM commits WHERE scope = ? AND chain = ? AND seq < ?",
                (read.scope.number, chain, middle),
            )
            high = _whole(before)
    return low


def tip_at(read: Read, at_ms: int, chain: Chain = event.MEMORY) -> Tip | None:
    """Where a chain stood at that time, as its commits say; None before there was any."""
    row = read.row(
        "SELECT hash, height, seq FROM commits WHERE scope = ? AND chain = ? AND seq = ?",
        (read.scope.number, chain, seq_at(read, at_ms, chain)),
    )
    if row is None or _recorded_ms(read, chain, row[2]) > at_ms:
        return None
    return _tip(row)


def newest_ms(read: Read) -> int:
    """When the last commit of either chain was recorded."""
    return max(
        _recorded_ms(read, chain, tip(read, chain).seq) for chain in (event.MEMORY, event.JOURNAL)
    )


def commit_of(read: Read, seq: int) -> tuple[str, list[Event]]:
    """The head after, and the events of, the commit that holds `seq` in the memory chain."""
    row = read.row(
        "SELECT hash, header FROM commits WHERE scope = ? AND chain = 'm' AND seq >= ?"
        " ORDER BY seq LIMIT 1",
        (read.scope.number, seq),
    )
    if row is None:
        raise NotFound("nothing here has that id")
    header = headers.decoded(row[1])
    return _hex(row[0]), [
        Event(shape, None, header.height, header.recorded_ms) for shape in header.events
    ]


def events(read: Read, chain: Chain = event.MEMORY) -> Iterator[list[Event]]:
    """Every commit's events, from the first, each with its content where that is left."""
    sign = 1 if chain == event.MEMORY else -1
    for stored, last in read.each(
        "SELECT header, seq FROM commits WHERE scope = ? AND chain = ? ORDER BY seq",
        (read.scope.number, chain),
    ):
        header = headers.decoded(stored)
        if not header.events:
            continue
        low, high = sorted((sign * (_whole(last) - len(header.events) + 1), sign * last))
        found: dict[int, bytes] = dict(
            read.each(
                "SELECT place, bytes FROM content WHERE scope = ? AND place BETWEEN ? AND ?",
                (read.scope.number, low, high),
            )
        )
        yield [
            Event(
                shape,
                decode_content(type(shape), found[sign * shape.seq])
                if sign * shape.seq in found
                else None,
                header.height,
                header.recorded_ms,
            )
            for shape in header.events
        ]


def _recorded_ms(read: Read, chain: Chain, seq: int) -> int:
    """When the commit whose last event is `seq` was recorded."""
    return headers.recorded_ms(
        read.value(
            "SELECT header FROM commits WHERE scope = ? AND chain = ? AND seq = ?",
            (read.scope.number, chain, seq),
        )
    )


def _tip(row: tuple[Any, ...]) -> Tip:
    named, height, seq = row
    return Tip(head=_hex(named), height=_whole(height), seq=_whole(seq))


def _whole(number: Any) -> int:
    if type(number) is not int:
        raise BrokenLedger("a commit's place is no number")
    return number


def _hex(named: Any) -> str:
    if not isinstance(named, bytes):
        raise BrokenLedger("a commit's hash is none")
    return named.hex()


def decode_content(shape: type[Any], stored: bytes) -> Content:
    """A stored content.

    Raises:
        BrokenLedger: it is none of that kind.
    """
    kind = BY_SHAPE[shape].content
    try:
        if kind is None:
            raise BrokenLedger(f"{shape.__name__} has no content, and one is stored")
        if not isinstance(stored, bytes):
            raise BrokenLedger("a content is no bytes")
        content: Any = msgspec.json.decode(stored, type=kind)
    except (msgspec.DecodeError, RecursionError, TypeError) as error:
        raise BrokenLedger("a content cannot be read") from error
    assert isinstance(content, Content)
    return content


def _placed(
    draft: Draft, before: Sequence[Event], seq: int, parent: str, salt: bytes
) -> tuple[AnyShape, bytes | None]:
    """The draft's shape at its place, and its content's bytes."""
    changed: dict[str, Any] = {local.field: before[local.index].id for local in draft.locals}
    stored: bytes | None = None
    if draft.content is not None:
        stored = canonical.encode(draft.content)
        changed["content_digest"] = canonical.digest(canonical.CONTENT_DOMAIN, salt, stored).hex()
        changed["content_bytes"] = len(stored)
    shape = msgspec.structs.replace(draft.shape, seq=seq, **changed)
    _leave_defaults_out(shape)
    letter = BY_SHAPE[type(shape)].letter
    named = event.event_id(letter, seq, parent, len(before), shape)
    msgspec.structs.force_setattr(shape, "id", named)  # of a shape that nobody else has yet
    return shape, stored


def _leave_defaults_out(shape: AnyShape) -> None:
    """A word that equals its field's default is the default from now on.

    The encoder leaves out what *is* the default, and writes a word that was read from a table and
    only equals it; the same commands would give other bytes then.
    """
    for name, default in _default_words(type(shape)):
        if getattr(shape, name) == default:
            msgspec.structs.force_setattr(shape, name, default)
    for source in getattr(shape, "sources", ()):
        for name, default in _default_words(Source):
            if getattr(source, name) == default:
                msgspec.structs.force_setattr(source, name, default)


@cache
def _default_words(kind: type[msgspec.Struct]) -> tuple[tuple[str, str], ...]:
    fields = msgspec.structs.fields(kind)
    return tuple((each.name, each.default) for each in fields if isinstance(each.default, str))


def _store(write: Write, header: Header, seq: int) -> str:
    stored = canonical.encode(header)
    named = canonical.digest(canonical.COMMIT_DOMAIN, stored)
    write.run(
        "INSERT INTO commits (scope, chain, seq, height, hash, header) VALUES (?, ?, ?, ?, ?, ?)",
        (write.scope.number, header.chain, seq, header.height, named, headers.deflated(stored)),
    )
    head = named.hex()
    write.tips[header.chain] = Tip(head=head, height=header.height, seq=seq)
    return head
