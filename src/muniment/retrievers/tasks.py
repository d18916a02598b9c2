"""Tasks: the open tasks that a caller names for looking after, and no others."""

from __future__ import annotations

from muniment import limits
from muniment.errors import BadShape
from muniment.model import event
from muniment.model.hit import Ask, Found, Hit
from muniment.model.version import Row
from muniment.projections import binding, standing
from muniment.store.tx import Read

NAME = "tasks"


def find(read: Read, ask: Ask) -> Found:
    """The open tasks that are required or pinned, in that order; all, oldest first, without any.

    Raises:
        BadShape: one of them is no open task.
    """
    # One more than a pack can hold shows that it must overflow.
    seen = binding.seen(ask.filter, "record.seq")
    rows = standing.open_tasks(read, ask.moment, limits.ITEMS_MAX + 1, also=seen)
    every = {row.seq: row for row in rows}
    named = [(id, "require") for id in ask.required] + [(id, "pin") for id in ask.pinned]
    seqs = [_named(id, at, every) for id, at in named] or list(every)
    hits = [
        Hit(seq=seq, retriever=NAME, rank=rank, score=1.0)
        for rank, seq in enumerate(dict.fromkeys(seqs), start=1)
        if ask.filter.only in (None, seq)
    ]
    return Found(retriever=NAME, hits=tuple(hits), limited=len(rows) > limits.ITEMS_MAX)


def _named(id: str, at: str, every: dict[int, Row]) -> int:
    reference = event.reference(id, at)
    row = every.get(reference.seq)
    if row is None or reference.letter != "r" or reference.mark not in (None, row.mark):
        raise BadShape(f"{id!r} is no open task; the policy tasks shows nothing else", at=at)
    return row.seq
