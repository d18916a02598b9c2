"""Corrections: what somebody said of a message that the others found, to put it right."""

from __future__ import annotations

from muniment.model.hit import Ask, Found, Hit
from muniment.projections import experience
from muniment.retrievers import passing
from muniment.store.tx import Read

NAME = "corrections"


def find(read: Read, ask: Ask) -> Found:
    """The corrections that answer any of `ask.others` and pass the filter, the newest first."""
    rows = experience.corrections(read, ask.others, ask.moment)
    if rows:
        passed = passing.among(read, ask, sorted({seq for seq, _ in rows}))
        rows = [row for row in rows if row[0] in passed]
    hits = [
        Hit(seq=seq, retriever=NAME, rank=rank, score=1.0, corrects=wrong)
        for rank, (seq, wrong) in enumerate(rows[: ask.limit], start=1)
    ]
    return Found(retriever=NAME, hits=tuple(hits), limited=len(rows) > ask.limit)
