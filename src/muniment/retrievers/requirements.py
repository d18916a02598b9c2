"""Requirements: what must be said in the task that is asked about, to those who take part."""

from __future__ import annotations

from muniment import limits
from muniment.model.hit import Ask, Found, Hit
from muniment.projections import binding, standing
from muniment.store.tx import Read

NAME = "requirements"


def find(read: Read, ask: Ask) -> Found:
    """The requirements that apply, by priority, then oldest first; whatever else is filtered for.

    Nobody knows who takes part where nobody is named: then those apply that concern everybody.
    """
    if ask.filter.task is None:
        return Found(retriever=NAME, hits=())
    # One more than a pack can hold shows that it must overflow.
    over = standing.ended("b.seq", ask.moment)
    seqs = binding.requirements(read, ask.filter, over, limits.ITEMS_MAX + 1)
    hits = [
        Hit(seq=seq, retriever=NAME, rank=rank, score=1.0) for rank, seq in enumerate(seqs, start=1)
    ]
    return Found(retriever=NAME, hits=tuple(hits), limited=len(seqs) > limits.ITEMS_MAX)
