"""Receipts: found by id, with their words where those are left."""

from __future__ import annotations

from muniment.errors import NotFound
from muniment.model import event
from muniment.model.event import JOURNAL
from muniment.model.event_kinds import RecallContent, RecallRecorded
from muniment.projections import experience, link, receipt
from muniment.store import ledger
from muniment.store.tx import Read


def by_id(read: Read, id: str, at: str) -> tuple[receipt.Row, RecallRecorded, RecallContent | None]:
    """A receipt's row, shape and words; None where these are erased.

    Raises:
        NotFound: there is none of that id.
    """
    named = event.named(id, at, "q")
    row = receipt.by_seq(read, named.seq)
    if row is None or named.mark not in (None, row.mark):
        raise NotFound(f"nothing here has the id {id!r}", at=at)
    shape = ledger.event_at(read, row.seq, JOURNAL).shape
    assert isinstance(shape, RecallRecorded)
    content = ledger.contents(read, RecallRecorded, [row.seq]).get(row.seq)
    return row, shape, content if isinstance(content, RecallContent) else None


def erased_since(read: Read, recorded: RecallRecorded) -> set[int]:
    """The seqs of what was erased after a recall; none where it takes nothing from the recall."""
    found = {event.reference(hit.id).seq for each in recorded.found for hit in each.hits}
    near = found | {each.source for seq in found for each in link.of(read, seq)}
    near |= experience.answers(read, sorted(near))
    # Looking for erasures means going through all that was written since.
    return ledger.erased_since(read, recorded.memory_seq) if ledger.erased(read, near) else set()
