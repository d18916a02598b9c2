"""How well a message and its neighbours cover a question together.  Pure.

A short turn seldom holds all that was asked: the question before it, or the answer after it, does.
Each term counts once a window, more where it stands nearer, and less where it is common (the
inverse document frequency of BM25), saturating as BM25 does.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

# What a term counts at this distance from the message.
REACH = (1.0, 0.7, 0.4)
SATURATION = 0.25


def scores(
    postings: Sequence[Sequence[int]],
    total: int,
    neighbours: Callable[[int], Mapping[int, float]],
) -> dict[int, float]:
    """The window score of each place that a posting reaches.

    `postings` has the places of each term, `total` is the number of all places, and `neighbours`
    gives the places that see a term at a place, with what it counts there.
    """
    found: dict[int, float] = defaultdict(float)
    for places in postings:
        rare = math.log(1 + (total - len(places) + 0.5) / (len(places) + 0.5))
        seen: dict[int, float] = defaultdict(float)
        for place in places:
            for near, counts in neighbours(place).items():
                seen[near] += counts
        for near, counts in seen.items():
            found[near] += rare * counts * (1 + SATURATION) / (counts + SATURATION)
    return dict(found)


def by_number(place: int) -> dict[int, float]:
    """Neighbours where only the numbers of the places are known."""
    return {
        place + sign * distance: counts
        for distance, counts in enumerate(REACH)
        for sign in ((1,) if distance == 0 else (1, -1))
    }


def along(conversations: Sequence[Sequence[int]]) -> Callable[[int], Mapping[int, float]]:
    """Neighbours within each conversation, whose places stand in order."""
    near: dict[int, dict[int, float]] = {}
    for places in conversations:
        for index, place in enumerate(places):
            near[place] = {
                places[index + step]: REACH[abs(step)]
                for step in range(1 - len(REACH), len(REACH))
                if 0 <= index + step < len(places)
            }
    return lambda place: near.get(place, {})
