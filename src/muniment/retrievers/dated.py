"""Dated: what was said on the days that a question names, whatever its words.

Messages alone: a record or a state value bears the time at which somebody wrote it down, which is
seldom the day that it tells of.  It is found by its words, and the day counts there too.
"""

from __future__ import annotations

from muniment.model.hit import Ask, Found, Hit
from muniment.projections import experience
from muniment.store.tx import Read

NAME = "dated"
# The first counts most, so that some of the day come before what only the words fit; not by much,
# so that what a message says has its say.
_FALLING = 0.25


def find(read: Read, ask: Ask) -> Found:
    """Messages of those days, spread over them; first the newest, then the others far apart.

    Phrases in quotation marks ask for exactly what holds them.
    """
    if not ask.cues.spans or ask.terms.quoted:
        return Found(retriever=NAME, hits=())
    stretches = [(span.from_ms, span.until_ms) for span in ask.cues.spans]
    seqs, every = experience.spread(read, ask.filter, stretches, ask.limit)
    hits = tuple(
        Hit(seq=seq, retriever=NAME, rank=rank, score=rank**-_FALLING)
        for rank, seq in enumerate(_apart(seqs), start=1)
    )
    return Found(retriever=NAME, hits=hits, limited=every > len(seqs))


def _apart(seqs: list[int]) -> list[int]:
    """In such an order that however many are taken they lie far apart: the last, the middle..."""
    bits = max(1, len(seqs) - 1).bit_length()
    places = (int(f"{number:0{bits}b}"[::-1], 2) for number in range(1 << bits))
    return [seqs[-1 - place] for place in places if place < len(seqs)]
