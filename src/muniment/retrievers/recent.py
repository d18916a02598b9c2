"""Recent: the newest things that pass the filter, newest first."""

from __future__ import annotations

from muniment.model.hit import Ask, Found, Hit
from muniment.projections import experience, record
from muniment.store.tx import Read

NAME = "recent"


def find(read: Read, ask: Ask) -> Found:
    """The newest events and records together, by seq."""
    seqs = experience.latest(read, ask.filter, ask.limit + 1)
    if not ask.filter.experience_only:
        moment = None if ask.history else ask.moment
        seqs += record.latest(read, ask.filter, moment, ask.limit + 1)
    newest = sorted(seqs, reverse=True)
    hits = [
        Hit(seq=seq, retriever=NAME, rank=rank, score=1.0 / rank)
        for rank, seq in enumerate(newest[: ask.limit], start=1)
    ]
    return Found(retriever=NAME, hits=tuple(hits), limited=len(newest) > ask.limit)
