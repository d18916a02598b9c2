"""Hashed: each word to a few places of a vector by its digest.

Knows no meaning at all.  For tests, and to see that everything else works.
"""

from __future__ import annotations

import hashlib
import math

from muniment.embedders.parts import Model
from muniment.model import text

NAME = "hashed-1"
DIMENSION = 128
_PLACES = 4  # of a word; enough that two words seldom share most of them


def load(_: str) -> Model:
    """The only one there is."""
    return Model(NAME, DIMENSION, lambda texts: [vector(each) for each in texts])


def vector(words: str) -> list[float]:
    """A unit vector; texts of the same words have the same one, whatever their order."""
    sums = [0.0] * DIMENSION
    sums[0] = 1e-6  # so that a text without words has a direction too
    for word in text.words(words):
        digest = hashlib.blake2b(word.encode(), digest_size=2 * _PLACES).digest()
        for at in range(_PLACES):
            sign = 1.0 if digest[2 * at] & 1 else -1.0
            sums[digest[2 * at + 1] % DIMENSION] += sign
    length = math.sqrt(sum(number * number for number in sums))
    return [number / length for number in sums]
