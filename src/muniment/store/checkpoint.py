"""The small note that is kept elsewhere, and what it proves when it comes back."""

from __future__ import annotations

from collections.abc import Iterator

from muniment.model import event
from muniment.model.integrity import ChainPoint, CheckpointNote, Fault
from muniment.store import ledger
from muniment.store.tx import Read

VERSION = 1


def note(read: Read, at_ms: int) -> CheckpointNote:
    """Where both chains stand now."""
    points = {}
    for chain in (event.MEMORY, event.JOURNAL):
        tip = ledger.tip(read, chain)
        points[chain] = ChainPoint(head=tip.head, height=tip.height, seq=tip.seq)
    return CheckpointNote(
        muniment_checkpoint=VERSION,
        scope=read.scope.id,
        memory=points[event.MEMORY],
        journal=points[event.JOURNAL],
        at_ms=at_ms,
    )


def faults(read: Read, kept: CheckpointNote) -> Iterator[Fault]:
    """Where the file is not a continuation of what the note says."""
    if kept.scope != read.scope.id:
        yield Fault(code="checkpoint_scope_differs", table="scope")
        return
    for chain, point in ((event.MEMORY, kept.memory), (event.JOURNAL, kept.journal)):
        row = read.row(
            "SELECT hash, height FROM commits WHERE scope = ? AND chain = ? AND seq = ?",
            (read.scope.number, chain, point.seq),
        )
        if row is None:
            tip = ledger.tip(read, chain)
            code = "checkpoint_ahead" if tip.seq < point.seq else "checkpoint_differs"
            yield Fault(code=code, chain=chain, seq=point.seq, table="commits")
        elif not isinstance(row[0], bytes) or (row[0].hex(), row[1]) != (point.head, point.height):
            yield Fault(code="checkpoint_differs", chain=chain, seq=point.seq, table="commits")
