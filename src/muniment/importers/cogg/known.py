"""What the check of a Cogg subject has seen so far."""

from __future__ import annotations

from typing import Any

import msgspec

from muniment.errors import BrokenSource
from muniment.importers.cogg.bodies import Limits


class Known(msgspec.Struct, kw_only=True):
    """What the commits up to here say, and what of it is needed to read them again."""

    genesis: str
    limits: Limits
    ticks: dict[str, int]  # by commit id
    state: dict[str, Any]
    head: str
    time: int
    wake_at: int | None = None
    wakes: dict[str, int | None] = {}  # by commit id: when it is to wake
    plans: dict[str, str] = {}  # by commit id: digest of what an attempt quotes of its wake plan
    notes: dict[str, int] = {}  # tick by note id
    used: dict[str, str] = {}  # the commit that consumed an occasion
    spent: dict[str, str] = {}  # the commit that an attempt led to
    causes: dict[str, list[int]] = {}  # seqs of occasions by the head they came at
    tries: dict[str, list[int]] = {}  # seqs of attempts by the head they started from


def must(holds: bool, at: str, said: str) -> None:
    """Nothing, if it holds.

    Raises:
        BrokenSource: it does not.
    """
    if not holds:
        raise BrokenSource(said, at=at)
