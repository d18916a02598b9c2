"""Another program's ledger on its way in: its file's header, and its commits step by step.

What a step cites it cites by the ids of its own ledger.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import msgspec

from muniment.model.record import Note
from muniment.model.turn import Options, Turn

_MAGIC = b"SQLite format 3\0"
_HEADER_BYTES = 100


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """What the first bytes of a database say of the program that wrote it."""

    application_id: int
    version: int
    logged: bool  # it is written through a write-ahead log


def header(head: bytes) -> Header | None:
    """The header of a database that begins with these bytes; None where it is none."""
    if len(head) < _HEADER_BYTES or not head.startswith(_MAGIC):
        return None
    return Header(
        application_id=int.from_bytes(head[68:72]),
        version=int.from_bytes(head[60:64]),
        logged=head[18] == 2,
    )


class OldNote(msgspec.Struct, frozen=True, kw_only=True):
    """One version of one record of the other ledger, in our words.

    `before` is the version that it took the place of there; `note` has no sources of its own.
    """

    at: str
    id: str
    before: str | None
    note: Note
    sources: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()


class OldValue(msgspec.Struct, frozen=True, kw_only=True):
    """A state key of the other ledger that got a value."""

    at: str
    key: str
    value: Any


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """What belongs into one commit: turns, and what was written with them.

    `mark` is the external id of the turn by which the step is recognised when it comes again;
    only a step with a mark has notes and values.
    """

    turns: tuple[Turn, ...]
    mark: str | None = None
    notes: tuple[OldNote, ...] = ()
    values: tuple[OldValue, ...] = ()


class LedgerImporter(Protocol):
    """One module of `muniment.importers` that reads another program's ledger."""

    NAME: str
    SUFFIXES: tuple[str, ...]

    def recognises(self, head: bytes, name: str) -> bool:
        """Whether a file with these first 64 KiB and this name is of this format."""

    def steps(self, path: str, head: bytes, options: Options) -> Iterator[Step]:
        """Its commits in their order, once all of them have been verified under its own rules."""
