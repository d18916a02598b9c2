"""Appraisals: what is most at stake in each thing that the others found."""

from __future__ import annotations

from muniment.model.hit import Ask, Found, Hit
from muniment.projections import binding, standing
from muniment.store.tx import Read

NAME = "appraisals"


def find(read: Read, ask: Ask) -> Found:
    """The strongest appraisal of each of `ask.others`, the strongest first.

    Each that stands, may be seen, and is meant for every task or the one that is asked about.
    """
    over = standing.ended("b.seq", ask.moment)
    filter = ask.filter
    rows = binding.appraisals(read, ask.others, filter, over) if ask.others else []
    hits = [
        Hit(seq=seq, retriever=NAME, rank=rank, score=intensity)
        for rank, (seq, _, intensity) in enumerate(rows, start=1)
    ]
    return Found(retriever=NAME, hits=tuple(hits))
