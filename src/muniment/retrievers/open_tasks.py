"""Open tasks: what must not be forgotten, whatever is asked; oldest first."""

from __future__ import annotations

from muniment import limits
from muniment.model.hit import Ask, Found, Hit
from muniment.projections import binding, standing
from muniment.store.tx import Read

NAME = "open_tasks"


def find(read: Read, ask: Ask) -> Found:
    """Every open task, whatever is filtered for; one past its time too, which a gate then names."""
    # One more than a pack can hold shows that it must overflow.
    seen = binding.seen(ask.filter, "record.seq")
    rows = standing.open_tasks(read, ask.moment, limits.ITEMS_MAX + 1, also=seen)
    hits = [
        Hit(seq=row.seq, retriever=NAME, rank=rank, score=1.0)
        for rank, row in enumerate(rows, start=1)
        if ask.filter.only in (None, row.seq) and row.seq <= ask.moment.seq
    ]
    return Found(retriever=NAME, hits=tuple(hits), limited=len(rows) > limits.ITEMS_MAX)
