"""How well a message and its neighbours cover a question together.  Pure.

A short turn seldom holds all that was asked: the question before it, or the answer after it, does.
So each message is judged by BM25 as if it were one text with the two before it and the two behind
it (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009, with k1 and b as they
are usual).  A word counts once a message, because short turns rarely say it twice to mean more.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

# Messages on either side.  One is too few for a question, its answer and the thanks; of three,
# the farthest speak of something else.
REACH = 2
WIDTH = 2 * REACH + 1
K1 = 1.2
B = 0.75
_BYTE = 255


class Word(msgspec.Struct, frozen=True):
    """One word of a question: the places that hold it, and how much it tells, above 0."""

    places: frozenset[int]
    rarity: float


def rough(postings: Sequence[Sequence[int]], total: int) -> tuple[list[Word], bytes]:
    """The words, and a score from 0 to 255 for each place from 0 to `total`.

    Here places are neighbours by their numbers.  `postings` has the places of each word, from 1
    to `total`.  The places are the bytes of one long integer, so that an addition adds up the whole
    scope at once; a window holds at most `WIDTH` messages, so that no byte runs over.
    """
    reached = [_reached(places, total) for places in postings]
    words = [
        Word(frozenset(places), _rarity(total + 1 - near.count(0), total))
        for places, near in zip(postings, reached, strict=True)
    ]
    most = sum(word.rarity * _saturated(WIDTH) for word in words) or 1.0
    scores = 0
    for word, near in zip(words, reached, strict=True):
        table = [
            int(_BYTE * word.rarity * _saturated(count) / most) if count else 0
            for count in range(WIDTH + 1)
        ]
        scores += int.from_bytes(near.translate(bytes(table).ljust(256, b"\0")), "little")
    return words, scores.to_bytes(total + 1, "little")


def score(window: Sequence[int], words: Sequence[Word], length: float) -> float:
    """How well the places of one window cover the words together.

    `length` is that of the window, where 1 is the mean of all.
    """
    room = _room(length)
    total = 0.0
    for word in words:
        count = len(word.places.intersection(window))
        if count:
            total += word.rarity * count * (K1 + 1) / (count + room)
    return total


def _reached(places: Sequence[int], total: int) -> bytes:
    """How many places of a window hold the word, for the window around each place."""
    marks = bytearray(total + 1)
    for place in places:
        marks[place] = 1
    own = int.from_bytes(marks, "little")
    near = own
    for step in range(1, REACH + 1):
        near += (own << 8 * step) + (own >> 8 * step)
    return near.to_bytes(total + 1 + REACH, "little")[: total + 1]


def _saturated(count: int) -> float:
    return count * (K1 + 1) / (count + _room(1.0))


def _room(length: float) -> float:
    return K1 * (1 - B + B * length)


def _rarity(holding: int, total: int) -> float:
    """The inverse document frequency of BM25; a document is a window."""
    return math.log(1 + max(0.0, total - holding + 0.5) / (holding + 0.5))
