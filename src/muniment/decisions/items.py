"""Things by seq, as every answer shows them: loaded in one go, labelled by what they rest on."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from muniment.errors import NotFound
from muniment.model import event, time
from muniment.model.binding import worded
from muniment.model.event import Event
from muniment.model.event_kinds import (
    CommandAnswered,
    ContentErased,
    MessageContent,
    MessageObserved,
    RecordContent,
    RecordWritten,
    StateContent,
    StateDeleted,
    StateSet,
)
from muniment.model.evidence import Link, Source
from muniment.model.moment import Moment
from muniment.model.pack import CORRECTED, Item
from muniment.model.standing import effect
from muniment.model.version import Row
from muniment.projections import binding, experience, link, record, state
from muniment.store import ledger
from muniment.store.tx import Read


def by_seq(read: Read, seqs: Sequence[int], moment: Moment) -> dict[int, Item]:
    """The things at these seqs, by seq, as they stood at the moment.

    What is no event, record or state value, or was recorded later, is left out.
    """
    found: dict[int, Item] = {}
    seqs = [seq for seq in seqs if seq <= moment.seq]
    observed = experience.by_seq(read, seqs)
    said = ledger.contents(read, MessageObserved, list(observed))
    parents = _parents(read, list(observed.values()))
    corrected = experience.corrected(read, list(observed), moment)
    for seq, row in observed.items():
        item = _event(row, said.get(seq), parents)
        if seq in corrected:
            item = msgspec.structs.replace(item, labels=(CORRECTED,))
        found[seq] = item
    rest = [seq for seq in seqs if seq not in found]
    written = record.by_seq(read, rest) if rest else {}
    held = ledger.contents(read, RecordWritten, list(written))
    bound = binding.by_seq(read, [seq for seq, version in written.items() if version.bound])
    for seq, version in written.items():
        item = _record(read, version, held.get(seq), moment)
        found[seq] = _bound(item, bound.get(seq), held.get(seq))
    rest = [seq for seq in rest if seq not in found]
    put = state.by_seq(read, rest) if rest else {}
    values = ledger.contents(read, StateSet, list(put))
    beside = {seq for row in put.values() for seq in (row.supersedes, row.to_seq) if seq}
    around = state.by_seq(read, sorted(beside))
    for seq, value in put.items():
        found[seq] = _state(value, values.get(seq), moment, around)
        if value.standing(moment) == "retracted" and value.to_seq is not None:
            deleted = ledger.event_at(read, value.to_seq).id
            found[seq] = msgspec.structs.replace(found[seq], superseded_by=deleted)
    return found


def by_id(read: Read, id: str, moment: Moment, at: str = "id") -> Item:
    """The thing with this id, or with the part of it before the dash.

    Raises:
        NotFound: there is none.
    """
    named = event.reference(id, at)
    if named.letter == "q":
        raise NotFound("a receipt is not shown: receipts lists it, replay decides it again", at=at)
    item = by_seq(read, [named.seq], moment).get(named.seq)
    if item is None and 1 <= named.seq <= min(moment.seq, ledger.tip(read).seq):
        item = _told(ledger.event_at(read, named.seq))
    if item is None or item.id[0] != named.letter:
        raise NotFound(f"nothing here has the id {id!r}", at=at)
    if named.mark is not None and event.mark_of(item.id) != named.mark:
        raise NotFound(f"nothing here has the id {id!r}", at=at)
    return item


def _told(found: Event) -> Item | None:
    """An event that is neither said nor held: what it took, or what it answered."""
    shape, at = found.shape, time.text(found.recorded_ms)
    ids: tuple[str, ...]
    if isinstance(shape, ContentErased):
        kind, ids = "erasure", shape.targets + shape.dependents
    elif isinstance(shape, CommandAnswered):
        kind, ids = "command", tuple(id for _, id in shape.known)
    elif isinstance(shape, StateDeleted):
        kind, ids = "deletion", (shape.supersedes,)
    else:
        return None
    return Item(
        id=found.id,
        seq=found.seq,
        kind=kind,
        text="",
        at=at,
        recorded_at=at or "",
        standing="current",
        covers=ids,
    )


def in_order(read: Read, seqs: Sequence[int], moment: Moment) -> tuple[Item, ...]:
    """The things at these seqs, in that order."""
    found = by_seq(read, seqs, moment)
    return tuple(found[seq] for seq in seqs if seq in found)


def labelled(item: Item, label: str) -> Item:
    """`item` with one more label."""
    return msgspec.structs.replace(item, labels=(*item.labels, label))


def _parents(read: Read, rows: Sequence[experience.Row]) -> dict[int, str]:
    wanted = {seq for row in rows for seq in (row.parent, row.reply_to) if seq is not None}
    return {seq: row.id for seq, row in experience.by_seq(read, sorted(wanted)).items()}


def _event(row: experience.Row, content: object, parents: dict[int, str]) -> Item:
    words = content if isinstance(content, MessageContent) else MessageContent(text="")
    lines = None if row.line_first is None else (row.line_first, row.line_last or 0)
    span = None if row.span_start is None else (row.span_start, row.span_end or 0)
    return Item(
        id=row.id,
        seq=row.seq,
        kind="event",
        text=words.text,
        at=time.text(row.at_ms),
        recorded_at=time.text(row.recorded_ms) or "",
        standing="erased" if row.erased else "current",
        role=row.role,
        type=row.type,
        actor=words.actor,
        thread=words.thread,
        session=words.session,
        external_id=words.external_id,
        collection=words.collection,
        tags=words.tags,
        caption=words.caption,
        source=words.source,
        lines=lines,
        span=span,
        ordering=row.ordering,
        parent=None if row.parent is None else parents.get(row.parent),
        reply_to=None if row.reply_to is None else parents.get(row.reply_to),
        metadata=words.metadata,
    )


def _record(read: Read, row: Row, content: object, moment: Moment) -> Item:
    words = content if isinstance(content, RecordContent) else RecordContent(text="")
    links = link.of(read, row.seq)
    before = {} if row.supersedes is None else record.by_seq(read, [row.supersedes])
    levels = link.levels(read, row.seq) if row.kind == "summary" else []
    return Item(
        id=row.id,
        seq=row.seq,
        kind=row.kind,
        text=words.text,
        at=time.text(row.recorded_ms),
        recorded_at=time.text(row.recorded_ms) or "",
        # Its own words are gone all the same.
        standing="erased" if row.ended == "erased" else row.standing(moment),
        labels=(*_begins(row, moment), *_labels(read, links, moment)),
        key=row.key,
        status=row.status,
        owner=row.owner,
        about=row.about,
        supersedes=before[row.supersedes].id if row.supersedes in before else None,
        superseded_by=_successor(read, row, moment),
        outcome=record.outcome(read, row, moment),
        sources=tuple(_source(each) for each in links),
        covers=tuple(each.source_id for each in links if each.covers),
        level=len(levels) or None,
        coverage=link.coverage(levels),
        valid_from=time.text(row.valid_from_ms),
        valid_to=time.text(row.valid_to_ms),
        receipt=row.receipt,
        metadata=words.metadata,
    )


def _successor(read: Read, row: Row, moment: Moment) -> str | None:
    """The version that took the place of one that is over: the first that speaks for the moment."""
    if not row.followed or row.standing(moment) == "current":
        return None
    first: str | None = None
    while after := [each for each in record.successors(read, row.seq) if each.seq <= moment.seq]:
        row = after[0]
        first = first or row.id
        if row.speaks(moment):
            return row.id
    return first


def _bound(item: Item, said: binding.Row | None, content: object) -> Item:
    """The item with what binds it; most are bound by nothing."""
    words = content if isinstance(content, RecordContent) else None
    if said is None and not worded(words):
        return item
    bound = binding.bound(said, words)
    seen = None if bound.visibility == "scope" else bound.visibility
    fields = {**bound.shape, **bound.words, "visibility": seen}
    return msgspec.structs.replace(item, **fields)


def _source(cited: Link) -> Source:
    span = None if cited.span_start is None else (cited.span_start, cited.span_end or 0)
    return Source(id=cited.source_id, role=cited.role, span=span)  # type: ignore[arg-type]  # the shape's own word


def _begins(row: Row, moment: Moment) -> tuple[str, ...]:
    """Whether it is not to hold before another moment."""
    waiting = row.valid_from_ms is not None and row.valid_from_ms > moment.at_ms
    return ("not_yet_valid",) if waiting and row.standing(moment) == "current" else ()


def _labels(read: Read, links: Sequence[Link], moment: Moment) -> tuple[str, ...]:
    """What has become of its sources: `source_superseded`, `source_erased` and so on, once each."""
    seqs = [each.source for each in links]
    if not seqs:
        return ()
    rows = [_unerased(read, row, moment) for row in record.by_seq(read, seqs).values()]
    standings: set[str] = {
        "retracted" if record.taken_back(read, row, moment) else row.standing(moment)
        for row in rows
    }
    told = experience.by_seq(read, seqs)
    left = [seq for seq, row in told.items() if not row.erased or seq in moment.unerased]
    if len(left) < len(told):
        standings.add("erased")
    if experience.corrected(read, left, moment):
        standings.add("corrected")
    if any(each.source_id.startswith("l") for each in links):
        standings |= {row.standing(moment) for row in state.by_seq(read, seqs).values()}
    return tuple(f"source_{word}" for word in sorted(standings - {"current", "proposed"}))


def _unerased(read: Read, row: Row, moment: Moment) -> Row:
    """The row as it was at a moment before it was erased; others as they are."""
    if row.ended != "erased" or row.seq not in moment.unerased:
        return row
    ended: str | None = None  # its ends say it, or it had not ended then
    if row.ends is None and row.to_seq is not None and row.to_seq <= moment.seq:
        ended = "superseded" if _followed_at(read, row) else effect(row.kind, "withdrawn")
    return msgspec.structs.replace(row, ended=ended)


def _followed_at(read: Read, row: Row) -> bool:
    """Whether it ended with the writing of a later version, and not of something it rests on."""
    later = [row]
    while later and later[0].seq != row.to_seq:
        later = record.successors(read, later[0].seq)
    return bool(later)


def _state(row: state.Row, content: object, moment: Moment, around: dict[int, state.Row]) -> Item:
    words = content if isinstance(content, StateContent) else StateContent(key="", value="")
    over = row.to_seq is not None and row.to_seq <= moment.seq
    return Item(
        id=row.id,
        seq=row.seq,
        kind="state",
        text=words.value,
        at=time.text(row.recorded_ms),
        recorded_at=time.text(row.recorded_ms) or "",
        standing="erased" if row.erased else row.standing(moment),
        key=row.key,
        supersedes=around[row.supersedes].id if row.supersedes in around else None,
        superseded_by=around[row.to_seq].id if over and row.to_seq in around else None,
    )
