"""How many of all the places where something can go wrong are tried."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import settings

T = TypeVar("T")


def thorough() -> bool:
    """Whether this run tries everything: its profile is one that tries properties very often."""
    return settings().max_examples > 100


def some(every: Sequence[T], at_most: int, thorough_at_most: int = 10**9) -> Sequence[T]:
    """At most so many, evenly spread, the first and the last among them; more in a thorough run."""
    most = thorough_at_most if thorough() else at_most
    if len(every) <= most:
        return every
    return [every[at * (len(every) - 1) // (most - 1)] for at in range(most)]
