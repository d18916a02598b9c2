"""Nearby: messages that cover the question together with those beside them.

For short turns of one conversation.  Long texts are told by their own passages, and records and
state stand for themselves.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from muniment.model.hit import Ask, Found, Hit
from muniment.projections import experience, text
from muniment.ranking import windows
from muniment.retrievers import passing
from muniment.store.tx import Read

NAME = "nearby"
# A word that stands in more places says little about any of them.
POSTINGS_MAX = 2_000
_AROUND = 2 * windows.REACH


def find(read: Read, ask: Ask) -> Found:
    """The messages whose windows fit best, among those that hold a word themselves.

    What holds none of them is no evidence by its neighbours alone; and phrases in quotation
    marks ask for exactly what holds them.
    """
    if ask.filter.only is not None or ask.terms.quoted:
        return Found(retriever=NAME, hits=())
    count, length = text.size(read)
    condition, values = "1", list[object]()
    if not passing.everything(read, ask):
        condition, values = experience.passing(ask.filter, "text_index.rowid")
    found = (_places(read, word, condition, values) for word in ask.terms.words)
    postings = [places for places in found if places]
    words, rough = windows.rough(postings, max([count, *(places[-1] for places in postings)]))
    own = sorted({seq for places in postings for seq in places}, reverse=True)
    # These are looked at again, with their true neighbours.
    best = heapq.nlargest(ask.limit, own, key=rough.__getitem__)
    around = _windows(read, ask, best)
    lengths = text.lengths(read, sorted({seq for window in around.values() for seq in window}))
    mean = windows.WIDTH * max(1.0, length / max(1, count))
    scores = {
        seq: windows.score(window, words, sum(lengths.get(near, 0) for near in window) / mean)
        for seq, window in around.items()
    }
    ranked = sorted(scores, key=lambda seq: (-scores[seq], -seq))
    hits = [
        Hit(seq=seq, retriever=NAME, rank=rank, score=scores[seq], after=_before(around[seq], seq))
        for rank, seq in enumerate(ranked, start=1)
    ]
    return Found(retriever=NAME, hits=tuple(hits), limited=len(own) > ask.limit)


def _places(read: Read, word: str, condition: str, values: Sequence[object]) -> Sequence[int]:
    """The seqs of short texts that hold `word` and pass the filter; none where there are many."""
    found = read.column(
        "SELECT text_index.rowid FROM text_index WHERE text_index MATCH ?"
        f" AND text_index.rowid < ? AND {condition} ORDER BY text_index.rowid LIMIT ?",
        (f'"{word}"', text.PASSAGES, *values, POSTINGS_MAX + 1),
    )
    return found if len(found) <= POSTINGS_MAX else ()


def _windows(read: Read, ask: Ask, seqs: Iterable[int]) -> Mapping[int, Sequence[int]]:
    """The messages beside each of these seqs in its conversation, with itself, in order."""
    wanted = set(seqs)
    around = {
        near
        for seq in wanted
        for near in range(max(1, seq - _AROUND), min(seq + _AROUND, ask.moment.seq) + 1)
    }
    talks: dict[tuple[str | None, str | None], list[int]] = defaultdict(list)
    for seq, thread, session in experience.places(read, sorted(around)):
        talks[thread, session].append(seq)
    return {
        seq: talk[max(0, index - windows.REACH) : index + windows.REACH + 1]
        for talk in talks.values()
        for index, seq in enumerate(talk)
        if seq in wanted
    }


def _before(window: Sequence[int], seq: int) -> int | None:
    """The message before this one in its conversation."""
    index = window.index(seq)
    return window[index - 1] if index else None
