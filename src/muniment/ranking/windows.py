"""How well a message and its neighbours cover a question together.  Pure.

A short turn seldom holds all that was asked: the question before it, or the answer after it, does.
Each term counts once a window, more where it stands nearer, and less where it is common (the
inverse document frequency of BM25), saturating as BM25 does.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

# What a term counts at this distance from the message.
REACH = (1.0, 0.7, 0.4)
SATURATION = 0.25


def rough(postings: Sequence[Sequence[int]], total: int) -> dict[int, float]:
    """The window scores where places are neighbours by their numbers alone."""
    found: dict[int, float] = defaultdict(float)
    for places in postings:
        seen: dict[int, float] = defaultdict(float)
        for place in places:
            for step, counts in _STEPS:
                seen[place + step] += counts
        _add(found, seen, _rarity(places, total))
    return found


def scores(
    postings: Sequence[Sequence[int]], total: int, conversations: Sequence[Sequence[int]]
) -> dict[int, float]:
    """The window score of each place that a posting reaches within its conversation.

    `postings` has the places of each term, `total` is the number of all places, and each of
    `conversations` has its places in order.  Time is linear in postings and places.
    """
    at = {place: (talk, index) for talk in conversations for index, place in enumerate(talk)}
    found: dict[int, float] = defaultdict(float)
    for places in postings:
        seen: dict[int, float] = defaultdict(float)
        for place in places:
            if place in at:
                talk, index = at[place]
                for step, counts in _STEPS:
                    if 0 <= index + step < len(talk):
                        seen[talk[index + step]] += counts
        _add(found, seen, _rarity(places, total))
    return found


_STEPS = tuple((step, REACH[abs(step)]) for step in range(1 - len(REACH), len(REACH)))


def _rarity(places: Sequence[int], total: int) -> float:
    return math.log(1 + (total - len(places) + 0.5) / (len(places) + 0.5))


def _add(found: dict[int, float], seen: dict[int, float], rare: float) -> None:
    most = rare * (1 + SATURATION)
    for near, counts in seen.items():
        found[near] += most * counts / (counts + SATURATION)
