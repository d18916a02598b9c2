"""Likeness of vectors, exactly: the same order from every library.  Pure.

The likeness of x and y is `dot / (sqrt(|x|²) * sqrt(|y|²))`, each sum taken in 64 bits in the
order of the numbers, over 32-bit inputs (the product of two of those is exact in 64 bits).  No
fast product sums in that order.  So one product of matrices in 32 bits, for a whole batch, says
who could be among the best: its error is bounded, whatever the order (`slack`), and within that
bound the sums are taken again, exactly.  NumPy loads on first use; without it all sums are exact
from the start, which gives the same and takes longer.
"""

from __future__ import annotations

import itertools
import math
import operator
import struct
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

_NUMBERS_AT_ONCE = 1_048_576  # that are turned into 64 bits: bounds memory
_FIRST = 64  # candidates that are looked at exactly before more are
_BLOCK = 512  # scores of which first only the greatest is compared


def numbers(vector: Any) -> tuple[float, ...]:
    """The numbers of a vector in bytes."""
    return struct.unpack(f"<{len(vector) // 4}f", vector)


def summed(left: Sequence[float], right: Sequence[float]) -> float:
    """The sum of products, in order; Python's own `sum` would correct its rounding."""
    terms = itertools.accumulate(map(operator.mul, left, right))
    return float(deque(terms, maxlen=1).pop())


def likeness(left: Sequence[float], right: Sequence[float]) -> float:
    """The cosine of two vectors that are not all zero."""
    norms = math.sqrt(summed(left, left)) * math.sqrt(summed(right, right))
    return summed(left, right) / norms


class Boosts:
    """What is added to the scores at some positions."""

    def __init__(self, added: dict[int, float] | None = None) -> None:
        self.added = added or {}
        self._arrays: tuple[Any, Any] | None = None

    def arrays(self, np: Any) -> tuple[Any, Any]:
        """Positions in order, and what is added there."""
        if self._arrays is None:
            places = np.fromiter(self.added, dtype=np.int64, count=len(self.added))
            values = np.fromiter(self.added.values(), dtype=np.float64, count=len(places))
            order = np.argsort(places)
            self._arrays = places[order], values[order]
        return self._arrays


NO_BOOSTS = Boosts()


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Who is compared: positions in order, what is added for some, and the least likeness."""

    positions: Any
    boosts: Boosts = NO_BOOSTS
    floor: float | None = None


class Matrix:
    """Vectors of one space, in the order in which ties are broken."""

    def __init__(self, vectors: Sequence[Any], namespace: Any = None) -> None:
        self.vectors = vectors
        self.width = len(vectors[0]) // 4
        self._at_once = max(1, _NUMBERS_AT_ONCE // self.width)
        self._namespace = namespace
        self._numpy = _numpy()
        self._units: Any = None
        self._norms: Any = None
        if self._numpy is not None:
            self._load()

    @property
    def slack(self) -> float:
        """By how much a product in 32 bits may miss a likeness, in whatever order it sums.

        Both vectors have length one, so the sum of the absolute products is at most one; each of
        `width` products and sums rounds by 2**-24 of it, and so do the numbers themselves.
        """
        return (self.width + 8) * 2.0**-24 * 1.05 + self.width * 2.0**-120

    def products(self, queries: Sequence[Any]) -> list[Any]:
        """For each query, what every vector scores about; one product for all of them."""
        if self._numpy is None or not queries:
            return [None] * len(queries)
        np = self._numpy
        asked = np.stack([self._unit(np.frombuffer(query, "<f4")) for query in queries])
        if self._namespace is None:
            return list(asked @ self._units.T)
        xp = self._namespace
        product = xp.matmul(self._units, xp.asarray(np.ascontiguousarray(asked.T)))
        return list(np.ascontiguousarray(_on_host(np, product).T))

    def best(self, query: Any, about: Any, wanted: Wanted) -> Iterator[tuple[int, float, float]]:
        """Position, likeness and score of each that is wanted, best first, ties by position.

        `about` is what `products` says for the query.
        """
        if about is None:
            yield from self._all(query, wanted)
            return
        np = self._numpy
        if self._namespace is not None and not self._trusted(query, about):
            about = self.exact(query, np.arange(len(self.vectors)))
        positions, scores = self._rough(about, wanted)
        added = wanted.boosts.added
        waiting: list[tuple[float, int, float]] = []
        looked = np.zeros(len(scores), dtype=bool)
        size = _FIRST
        while not looked.all():
            rows, least = _top(np, scores, size)
            fresh = rows[~looked[rows]]
            looked[fresh] = True
            exact = self.exact(query, positions[fresh])
            for place, value in zip(positions[fresh].tolist(), exact.tolist(), strict=True):
                if wanted.floor is None or value >= wanted.floor:
                    # Turned round, so that the best stands last and can be taken off.
                    waiting.append((value + added.get(place, 0.0), -place, value))
            waiting.sort()
            bound = -math.inf if looked.all() else least + 2 * self.slack
            while waiting and waiting[-1][0] > bound:
                score, place, value = waiting.pop()
                yield -place, value, score
            size *= 4

    def places(self, some: Sequence[int], others: Any = ()) -> Any:
        """Positions in ascending order, as this library takes them best."""
        if self._numpy is None:
            return sorted([*some, *others])
        np = self._numpy
        return np.sort(np.concatenate([np.asarray(each, np.int64) for each in (some, others)]))

    def exact(self, query: Any, positions: Any) -> Any:
        """The likeness of each of these, summed in order."""
        np = self._numpy
        asked = np.frombuffer(query, "<f4").astype(np.float64)
        norm = math.sqrt(float(_sums(np, asked[None, :] * asked[None, :])[0]))
        found = np.empty(len(positions))
        for first in range(0, len(positions), self._at_once):
            some = positions[first : first + self._at_once]
            rows = np.frombuffer(b"".join(self.vectors[place] for place in some.tolist()), "<f4")
            rows = rows.reshape(len(some), self.width).astype(np.float64)
            dots = _sums(np, rows * asked[None, :])
            found[first : first + len(some)] = dots / (self._norms[some] * norm)
        return found

    def one(self, query: Any, place: int) -> float:
        """The likeness of one."""
        return likeness(numbers(self.vectors[place]), numbers(query))

    def _load(self) -> None:
        """Each vector at length one, in 32 bits, and its exact length."""
        np = self._numpy
        units = np.empty((len(self.vectors), self.width), dtype=np.float32)
        self._norms = np.empty(len(self.vectors))
        for first in range(0, len(units), self._at_once):
            some = self.vectors[first : first + self._at_once]
            rows = np.frombuffer(b"".join(some), "<f4").reshape(len(some), self.width)
            rows = rows.astype(np.float64)
            norms = np.sqrt(_sums(np, rows * rows))
            self._norms[first : first + len(some)] = norms
            units[first : first + len(some)] = rows / norms[:, None]
        self._units = units if self._namespace is None else self._namespace.asarray(units)

    def _unit(self, query: Any) -> Any:
        np = self._numpy
        asked = query.astype(np.float64)
        return (asked / math.sqrt(float(_sums(np, asked[None, :] ** 2)[0]))).astype(np.float32)

    def _rough(self, about: Any, wanted: Wanted) -> tuple[Any, Any]:
        """Positions that may be wanted, with about what they score."""
        np = self._numpy
        positions = np.asarray(wanted.positions, np.int64)
        whole = len(positions) == len(about)  # then taking them one by one would cost the most
        scores = about if whole else about[positions]
        if wanted.floor is not None:
            kept = np.flatnonzero(scores >= wanted.floor - 2 * self.slack)
            positions, scores = kept if whole else positions[kept], scores[kept]
        if wanted.boosts.added:
            places, values = wanted.boosts.arrays(np)
            scores = scores.astype(np.float64)
            at = np.minimum(np.searchsorted(positions, places), max(len(positions) - 1, 0))
            there = positions[at] == places if len(positions) else np.zeros(len(places), bool)
            scores[at[there]] += values[there]
        return positions, scores

    def _trusted(self, query: Any, about: Any) -> bool:
        """Whether the product was as exact as 32 bits are: some libraries take fewer."""
        np = self._numpy
        some = np.arange(0, len(about), max(1, len(about) // _FIRST))
        missed = np.abs(about[some] - self.exact(query, some))
        return bool((missed <= self.slack).all())

    def _all(self, query: Any, wanted: Wanted) -> Iterator[tuple[int, float, float]]:
        asked = numbers(query)
        found = []
        for place in wanted.positions:
            value = likeness(numbers(self.vectors[place]), asked)
            if wanted.floor is None or value >= wanted.floor:
                found.append((-(value + wanted.boosts.added.get(place, 0.0)), place, value))
        for score, place, value in sorted(found):
            yield place, value, -score


def _numpy() -> Any:
    """NumPy, or None where it is not installed."""
    try:
        import numpy as np
    except ImportError:
        return None
    return np


def _on_host(np: Any, array: Any) -> Any:
    """An array of any library as one of NumPy's."""
    return np.asarray(array.cpu() if hasattr(array, "cpu") else array)


def _sums(np: Any, terms: Any) -> Any:
    """The sum of each row, taken in order: an accumulation has no other."""
    return np.add.accumulate(terms, axis=1)[:, -1]


def _top(np: Any, scores: Any, size: int) -> tuple[Any, float]:
    """Where the `size` greatest stand, and the least of them: nothing else is greater."""
    if size >= len(scores):
        return np.arange(len(scores)), -math.inf
    if len(scores) > 64 * _BLOCK and size * _BLOCK * 4 < len(scores):
        # The greatest of all stand in the blocks with the greatest maxima.
        whole = len(scores) // _BLOCK
        maxima = scores[: whole * _BLOCK].reshape(whole, _BLOCK).max(axis=1)
        blocks = np.argpartition(maxima, whole - size)[whole - size :]
        inside = (blocks[:, None] * _BLOCK + np.arange(_BLOCK)[None, :]).ravel()
        rows = np.concatenate([inside, np.arange(whole * _BLOCK, len(scores))])
        found = rows[np.argpartition(scores[rows], len(rows) - size)[len(rows) - size :]]
    else:
        found = np.argpartition(scores, len(scores) - size)[len(scores) - size :]
    return found, float(scores[found].min())
