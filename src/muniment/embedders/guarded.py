"""A model that somebody else wrote: whatever it raises or gives wrongly is one error.

The one place in which every exception is caught, because a model may raise anything: a broken
connection, a lack of memory, a mistake of its own.  The cause stays chained to the error.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from muniment import limits
from muniment.errors import EmbedderUnavailable, MunimentError, Unavailable
from muniment.model.embedding import Embedder, Vector

T = TypeVar("T")
# What stays above nothing and below infinity when it is squared in 32 bits.
_LEAST, _MOST = 1e-18, 1e18


class Guarded:
    """An embedder around an embedder, with the same name, dimension and vectors."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    @property
    def name(self) -> str:
        """What its vectors are called.

        Raises:
            EmbedderUnavailable: it has no name, or none that can be kept.
        """
        name: Any = called("a model without a name", lambda: self._embedder.name)
        kept = isinstance(name, str) and name.strip() and name.isprintable()
        if not kept or len(name.encode()) > limits.NAME_BYTES_MAX:
            raise _wrong("a model's name is a printable text")
        return str(name)

    @property
    def dimension(self) -> int:
        """How many numbers a vector has.

        Raises:
            EmbedderUnavailable: it is no number above zero.
        """
        number = called(self.name, lambda: operator.index(self._embedder.dimension))
        if number < 1:
            raise _wrong(f"{self.name} has a dimension of {number}")
        return number

    @property
    def least(self) -> float:
        """The likeness, from -1 to 1, below which what is nearest is no answer; -1 where it has none.

        Raises:
            EmbedderUnavailable: it is no such number.
        """
        least: Any = called(self.name, lambda: getattr(self._embedder, "least", -1.0))
        if isinstance(least, bool) or not isinstance(least, int | float) or not -1 <= least <= 1:
            raise _wrong(f"{self.name} has a least likeness of {least!r}")
        return float(least)

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """One vector a text, in their order, each of finite numbers and of some length.

        Raises:
            EmbedderUnavailable: the model raises, or gives anything else.
        """
        name, dimension = self.name, self.dimension
        vectors: list[Vector] = called(name, lambda: list(self._embedder.embed(texts)))
        if len(vectors) != len(texts):
            raise _wrong(f"{name} gave {len(vectors)} vectors for {len(texts)} texts")
        for each in vectors:
            if not called(name, lambda each=each: _sound(each, dimension)):  # type: ignore[misc]  # the default binds it
                raise _wrong(
                    f"{name} gave a vector that is not {dimension} finite numbers"
                    " of a length above zero"
                )
        return vectors


def called(who: str, call: Callable[[], T], ours: type[MunimentError] = Unavailable) -> T:
    """What the call gives; errors of our own that a model may raise pass as they are.

    Raises:
        EmbedderUnavailable: it raised something.
    """
    try:
        return call()
    except ours:
        raise
    except Exception as error:
        raise _wrong(f"{who} does not answer: {type(error).__name__}: {error}") from error


def _sound(vector: Vector, dimension: int) -> bool:
    if len(vector) != dimension or not all(map(math.isfinite, vector)):
        return False
    return _LEAST < max(map(abs, vector)) < _MOST


def _wrong(detail: str) -> EmbedderUnavailable:
    return EmbedderUnavailable(detail, at="embedder")
