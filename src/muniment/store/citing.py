"""Ids as the check reads them: what a shape cites, and what an event's own id must be.

A part of the check; shares nothing with append but `canonical.digest`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from muniment.model import canonical

JOURNAL_LETTERS = "qotj"
_DIGITS = "0123456789abcdefghijklmnopqrstuv"


def cited(shape: dict[str, Any]) -> Iterator[str]:
    """Every id that a shape cites."""
    for name in ("parent", "reply_to", "supersedes", "receipt"):
        if name in shape:
            yield shape[name]
    for source in shape.get("sources", ()):
        yield source["id"]
    for name in ("covers", "targets", "dependents", "required", "chosen"):
        yield from shape.get(name, ())
    for each in shape.get("found", ()):
        yield from (hit[0] for hit in each.get("hits", ()))
    yield from (left[0] for left in shape.get("left_out", ()))
    for _, id in shape.get("known", ()):
        yield id


def seq_of(id: str) -> int:
    """The seq that an id says."""
    return int(id[1:].partition("-")[0], 32)


def chain_of(id: str) -> str:
    """The chain of the event that an id names."""
    return "j" if id[0] in JOURNAL_LETTERS else "m"


def id_of(letter: str, seq: int, parent: str, index: int, bare: bytes) -> str:
    """The id of an event by what it is: `bare` is its shape without one."""
    named = canonical.digest(canonical.ID_DOMAIN, parent.encode(), b"%d" % index, bare)
    return f"{letter}{_base32(seq)}-{named[:8].hex()}"


def _base32(number: int) -> str:
    digits = ""
    while True:
        digits = _DIGITS[number & 31] + digits
        number >>= 5
        if not number:
            return digits
