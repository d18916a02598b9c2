"""Forgetting: what is asked for, what rests on it, and which of that follows."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from muniment import limits
from muniment.errors import NotFound
from muniment.model import event
from muniment.model.erasure import Dependent
from muniment.model.event_kinds import (
    AnyShape,
    CommandAnswered,
    MessageContent,
    MessageObserved,
    RecordContent,
    RecordWritten,
    StateContent,
    StateSet,
)
from muniment.projections import experience, link, receipt, record, state, tag, text
from muniment.rules import erasure as rules
from muniment.store import ledger
from muniment.store.tx import Read

_SHAPES: dict[str, type[AnyShape]] = {"e": MessageObserved, "r": RecordWritten, "l": StateSet}


RECEIPT = "receipt"


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What would be erased: the things asked for, and what rests on them."""

    targets: tuple[str, ...]
    dependents: tuple[Dependent, ...]

    @property
    def following(self) -> tuple[str, ...]:
        """The ids of the dependents in the memory chain that are erased too."""
        return tuple(
            found.id for found in self.dependents if found.follows and found.kind != RECEIPT
        )

    @property
    def receipts(self) -> tuple[str, ...]:
        """The ids of the receipts that are erased too."""
        return tuple(found.id for found in self.dependents if found.kind == RECEIPT)


def plan(read: Read, ids: Iterable[str], *, with_dependents: bool) -> Plan:
    """What goes with `ids`, in the order it is found.

    Raises:
        NotFound: one of them is unknown.
    """
    targets = dict.fromkeys(ids)
    dependents: dict[str, Dependent] = {}
    waiting = [(id, text_of(read, id)) for id in targets]
    walked: set[tuple[str, str]] = set()
    while waiting:
        id, words = waiting.pop()
        for citing in _citing(read, id):
            known = dependents.get(citing.id)
            if citing.id in targets or (known is not None and known.follows):
                continue
            going = id in targets or (id in dependents and dependents[id].follows)
            reason = rules.follows(words, citing) if going else rules.quotes(words, citing)
            follows = reason is not None or (going and with_dependents)
            if going or follows:
                dependents[citing.id] = Dependent(
                    id=citing.id, kind=citing.kind, follows=follows, reason=reason or "cites"
                )
            # What rests on something that stays may still repeat the words that go.
            onward = (citing.id, text_of(read, citing.id) if follows else words)
            if onward not in walked:
                walked.add(onward)
                waiting.append(onward)
    for found in _elsewhere(read, list(targets)):
        if found.id not in targets and found.id not in dependents:
            dependents[found.id] = msgspec.structs.replace(found, follows=with_dependents)
    gone = [*targets, *(found.id for found in dependents.values() if found.follows)]
    for id in _commands(read, gone):
        dependents[id] = Dependent(id=id, kind="command", follows=True, reason="same_command")
    for row in receipt.speaking_of(read, [event.reference(id).seq for id in gone]):
        dependents[row.id] = Dependent(id=row.id, kind=RECEIPT, follows=True, reason="speaks_of")
    return Plan(targets=tuple(targets), dependents=tuple(dependents.values()))


def _elsewhere(read: Read, ids: Iterable[str]) -> list[Dependent]:
    """What holds a number or code of these texts without resting on them, in order."""
    words = dict.fromkeys(word for id in ids for word in rules.telling(text_of(read, id)))
    most = limits.TELLING_PLACES_MAX
    seqs = sorted({seq for word in words for seq in text.holding(read, word, most)})
    found = {
        **{seq: (row.id, "event") for seq, row in experience.by_seq(read, seqs).items()},
        **{seq: (row.id, row.kind) for seq, row in record.by_seq(read, seqs).items()},
        **{seq: (row.id, "state") for seq, row in state.by_seq(read, seqs).items()},
    }
    return [
        Dependent(id=found[seq][0], kind=found[seq][1], follows=False, reason="same_number")
        for seq in seqs
        if seq in found
    ]


def _commands(read: Read, ids: Iterable[str]) -> list[str]:
    """The commands that wrote these things or found them standing, in order.

    The digest of a command would let somebody who has the file guess at what it said.
    """
    seqs: set[int] = set()
    for named in map(event.reference, ids):
        if named.letter != "e":
            last = ledger.commit_of(read, named.seq)[1][-1]
            seqs |= {last.seq} if isinstance(last.shape, CommandAnswered) else set()
            seqs.update(tag.answers(read, named.seq))
    return [ledger.event_at(read, seq).id for seq in sorted(seqs - ledger.erased(read, seqs))]


def of_session(read: Read, session: str) -> list[str]:
    """The ids of every event of a session, in order.

    Raises:
        NotFound: there is none.
    """
    ids = [row.id for row in experience.of_session(read, session)]
    if not ids:
        raise NotFound("nothing here has that session", at="session")
    return ids


def of_source(read: Read, source: str) -> list[str]:
    """The ids of every event that came from a source, in order.

    Raises:
        NotFound: there is none.
    """
    rows = experience.by_seq(read, ledger.seqs_with(read, "source", source))
    if not rows:
        raise NotFound("nothing here came from that source", at="source")
    return [row.id for row in rows.values()]


def event_id(read: Read, id: str, at: str) -> str:
    """The full id of an event or a state value to be erased.

    Raises:
        NotFound: there is none.
    """
    named = event.named(id, at, "el")
    row: experience.Row | state.Row | None = None
    if named.letter == "e":
        row = experience.by_seq(read, [named.seq]).get(named.seq)
    else:
        row = state.by_seq(read, [named.seq]).get(named.seq)
    if row is None or named.mark not in (None, row.mark):
        raise NotFound(f"nothing here has the id {id!r}", at=at)
    return row.id


def record_ids(read: Read, id: str, at: str) -> list[str]:
    """The ids of every version of a record, or of a state key, of which `id` is one.

    Raises:
        NotFound: there is none.
    """
    named = event.named(id, at, "rl")
    if named.letter == "l":
        return _values(read, event_id(read, id, at))
    row = record.by_seq(read, [named.seq]).get(named.seq)
    if row is None or named.mark not in (None, row.mark):
        raise NotFound(f"nothing here has the id {id!r}", at=at)
    newest = row
    while newest.key_tag is None and (after := record.successors(read, newest.seq)):
        newest = after[0]
    tag = newest.key_tag
    versions = [newest] if tag is None else record.versions(read, tag)
    # It may have got its key late: what led to the key's first version belongs to it too.
    while (before := versions[0].supersedes) is not None:
        versions.insert(0, record.by_seq(read, [before])[before])
    return [version.id for version in versions]


def text_of(read: Read, id: str) -> str:
    """The words of one thing; empty where they are erased."""
    named = event.reference(id)
    content = ledger.contents(read, _SHAPES[named.letter], [named.seq]).get(named.seq)
    if isinstance(content, MessageContent | RecordContent):
        return content.text
    return content.value if isinstance(content, StateContent) else ""


def standing_contents(read: Read, ids: Iterable[str]) -> int:
    """How many of these still have content."""
    seqs = {event.reference(id).seq for id in ids}
    return len(seqs - ledger.erased(read, seqs))


def _values(read: Read, id: str) -> list[str]:
    named = event.reference(id)
    shape = ledger.shape_at(read, named.seq)
    assert isinstance(shape, StateSet)
    return [row.id for row in state.versions(read, shape.key_tag)]


def _citing(read: Read, id: str) -> list[rules.Citing]:
    """Records that cite `id`, and later versions of it."""
    named = event.reference(id)
    links = link.citing(read, named.seq)
    covering = {each.record for each in links if each.covers}
    versions = {row.seq for row in record.successors(read, named.seq)}
    found = record.by_seq(read, sorted({each.record for each in links} | versions))
    return [
        rules.Citing(
            id=row.id,
            kind=row.kind,
            text=text_of(read, row.id),
            covers=row.seq in covering,
            version=row.seq in versions,
        )
        for row in found.values()
        if row.ended != "erased"
    ]
