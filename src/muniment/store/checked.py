"""What a check has seen so far: of each chain, and of the contents."""

from __future__ import annotations

import hmac
from array import array
from typing import Any

from muniment.store.tx import Read


class Chain:
    """How far one chain has been followed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.height = -1
        self.seq = 0
        self.head: str | None = None
        self.recorded_ms = 0
        self.other_height = -1
        self.heads: dict[str, int] = {}  # hash to height
        self.marks = array("Q")  # by seq - 1: the digest part of each id
        self.letters: list[str] = []  # by seq - 1; "?" where the header cannot be read


class Checked:
    """What a check of one scope has seen."""

    def __init__(self, read: Read, *, content: bool) -> None:
        self.read = read
        self.content = content
        self.chains = {name: Chain(name) for name in ("m", "j")}
        self.genesis: Any = None
        self.born: Any = None  # the scope that the first header names
        self.missing: dict[int, int] = {}  # place to height
        self.authorised: set[int] = set()  # places that an erasure names
        self.through = {"m": 0, "j": 0}  # the last seq that an erasure of everything covers
        self.waiting: list[tuple[dict[str, Any], str]] = []  # journal ids that memory events cite

    @property
    def erased(self) -> int:
        """How many contents are gone, and may be."""
        return sum(self.may_miss(place) for place in self.missing)

    def may_miss(self, place: int) -> bool:
        """Whether an erasure has taken this content."""
        covered = self.through["m"] if place > 0 else self.through["j"]
        return place in self.authorised or abs(place) <= covered

    def tag(self, kind: str, text: str) -> str:
        """The keyed tag that a text must have."""
        message = kind.encode() + b"\0" + text.encode()
        return hmac.digest(self.read.scope.secret, message, "sha256")[:16].hex()
