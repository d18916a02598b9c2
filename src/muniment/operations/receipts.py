"""Receipts: decide a recorded recall again, against the present or as of then."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from muniment.decisions import items
from muniment.decisions import receipts as deciding
from muniment.errors import Overflow, Refused
from muniment.model import time
from muniment.model.event_kinds import RecallContent, RecallRecorded
from muniment.model.moment import Moment
from muniment.model.policy import REQUIREMENTS
from muniment.model.query import Filter
from muniment.model.receipt import Change, Replay, Replayed
from muniment.operations.operation import Context
from muniment.ranking import replay as deciding_again
from muniment.ranking.choose import Choice
from muniment.retrievers import RETRIEVERS
from muniment.rules.receipts import pack_digest
from muniment.store.tx import Read

NOTHING = Choice(items=(), text="", suppressed=())


def replay(context: Context, request: Replay) -> Replayed:
    """Whether the pack still follows from the recorded hits, and if not, what has changed.

    `same` means the same bytes: as of then always, unless a part has been erased.
    """
    now_ms = context.now()
    with context.read(request.scope) as read:
        row, recorded, words = deciding.by_id(read, request.receipt, "receipt")
        gone = deciding.erased_since(read, recorded)
        moment = (
            deciding_again.then(recorded, gone)
            if request.against == "then"
            else Moment(at_ms=now_ms)
        )
        if words is not None and request.against == "now":
            recorded = _renewed(read, recorded, words, moment)
        choice, changes = _decided(read, recorded, moment, gone)
        not_checked = []
        if recorded.tokens:
            not_checked.append("the caller's token function")
        if words is None:
            not_checked.append("the digest of the pack, which is erased")
        if not changes and not _same_text(choice.text, recorded, words):
            # The same things in other words: the receipt as a whole differs.
            changes = (Change(id=row.id, code="differs"),)
        return Replayed(
            same=not changes,
            changes=changes,
            against=request.against,
            receipt=row.id,
            recorded_at=time.text(row.recorded_ms) or "",
            policy=recorded.policy,
            query=None if words is None else words.query,
            embedder=None if words is None else words.embedder,
            vectors=recorded.vectors,
            style=recorded.style,
            task=None if words is None else words.task,
            participants=() if words is None else words.participants,
            reader=None if words is None else words.reader,
            room=None if words is None else words.room,
            floor_ppm=recorded.floor_ppm,
            boost_ppm=recorded.boost_ppm,
            text=choice.text,
            not_checked=tuple(not_checked),
        )


def _renewed(
    read: Read, recorded: RecallRecorded, words: RecallContent, moment: Moment
) -> RecallRecorded:
    """With the requirements that apply now: what must be said is looked up, not searched for."""
    if words.task is None:
        return recorded
    filter = Filter(
        reader=words.reader, room=words.room, task=words.task, participants=words.participants
    )
    found = RETRIEVERS[REQUIREMENTS].find(read, deciding_again.asking(recorded, filter, moment))
    items_now = items.by_seq(read, [hit.seq for hit in found.hits], moment)
    return deciding_again.renewed(
        recorded, found, {seq: each.id for seq, each in items_now.items()}
    )


def _same_text(text: str, recorded: RecallRecorded, words: RecallContent | None) -> bool:
    """Whether it is what was handed over, as far as the receipt still tells."""
    if words is None:
        return len(text.encode()) == recorded.bytes
    return pack_digest(text) == words.pack_digest


def _decided(
    read: Read, recorded: RecallRecorded, moment: Moment, gone: AbstractSet[int]
) -> tuple[Choice, tuple[Change, ...]]:
    seqs = deciding_again.seqs(recorded)
    loaded = items.by_seq(read, seqs, moment)
    try:
        if moment.past and not gone.isdisjoint(seqs):
            choice = deciding_again.left(recorded, loaded, moment)
        else:
            choice = deciding_again.decide(recorded, loaded, moment)
    except (Overflow, Refused):
        # What must be shown cannot be: every item that does not stand says why.
        choice = NOTHING
    return choice, deciding_again.changes(recorded, loaded, choice, moment, gone)
