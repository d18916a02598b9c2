"""Who made each derived table: by which definition, and on which engine.

A row a projection, with a seal of itself: so that a changed byte is told from another version.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

import msgspec

from muniment.store import connect
from muniment.store.tx import Read, Write

SEVERAL = ""  # engines: each may lay out an index in its own way


class Made(msgspec.Struct, frozen=True):
    """How one projection's tables came about.  `whole`: the row itself is as it was written."""

    fingerprint: str
    engine: str
    whole: bool


def note(write: Write, name: str, fingerprint: str) -> None:
    """The tables of this projection were made just now, by this definition and engine."""
    _put(write, name, fingerprint, connect.engine())


def read_all(read: Read) -> dict[str, Made]:
    """What is noted, by the projection's name."""
    return {
        name: Made(fingerprint, engine, seal == _seal(name, fingerprint, engine))
        for name, fingerprint, engine, seal in read.each(
            "SELECT name, fingerprint, engine, seal FROM projection"
        )
    }


def touched(write: Write, found: dict[str, Made]) -> bool:
    """This engine writes to tables that another one made; whether that was news."""
    others = [
        (name, made)
        for name, made in found.items()
        if made.whole and made.engine not in (SEVERAL, connect.engine())
    ]
    for name, made in others:
        _put(write, name, made.fingerprint, SEVERAL)
    return bool(others)


def here(read: Read, name: str) -> bool:
    """Whether this engine alone has written the projection's tables."""
    made = read_all(read).get(name)
    return made is not None and made.engine == connect.engine()


def _put(write: Write, name: str, fingerprint: str, engine: str) -> None:
    write.run(
        "INSERT OR REPLACE INTO projection (name, fingerprint, engine, seal) VALUES (?, ?, ?, ?)",
        (name, fingerprint, engine, _seal(name, fingerprint, engine)),
    )


@lru_cache(maxsize=64)
def _seal(*said: str) -> str:
    text = "\0".join(str(each) for each in said)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
