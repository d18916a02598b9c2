"""What an importer yields: turns, the places in a file that hold none, and what is left out.

An importer reads bytes and says what it found and where.  It knows no scope, no ledger and no
clock; what is refused, known or linked is decided behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import BinaryIO, Literal, Protocol

import msgspec

from muniment.model.event_kinds import ExperienceType, Ordering, Role
from muniment.model.time import Zone


class Turn(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One message of a file, in the file's own words."""

    at: str  # where it stands: "line:12" or "$[3].mapping.abc"
    role: Role
    text: str
    type: ExperienceType = "message"
    ordering: Ordering = "high"
    actor: str | None = None
    at_ms: int | None = None
    said_at: str | None = None  # the time in the file's words, which no option changes
    caption: str | None = None
    collection: str | None = None
    external_id: str | None = None  # within `namespace`; absent: derived from the turn itself
    namespace: str | None = None  # absent: the import's label
    anywhere: bool = False  # the id names this message also where another session tells it again
    metadata: str | None = None  # a JSON object as text
    parent: str | None = None  # an external id of the same namespace
    reply_to: str | None = None  # an external id of the same namespace
    session: str | None = None
    tags: tuple[str, ...] = ()
    thread: str | None = None
    lines: tuple[int, int] | None = None
    span: tuple[int, int] | None = None


class Failed(msgspec.Struct, frozen=True, kw_only=True):
    """A place in a file that could not be taken in, and why."""

    at: str
    code: str
    detail: str


class Passed(msgspec.Struct, frozen=True, kw_only=True):
    """What is left out of a file on purpose, and counted.

    A left branch is one that the conversation did not go on with; another line is nobody's
    message, and not known to hold nothing.
    """

    at: str
    kind: Literal["left_branch", "other_line"]
    count: int = 1  # of messages, or of lines


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What a caller says about the file as a whole."""

    label: str
    tz: Zone | None = None
    subject: str | None = None  # one of several that a file holds
    progress: Callable[[int], None] | None = None  # bytes read so far


class Importer(Protocol):
    """One module of `muniment.importers`."""

    NAME: str
    SUFFIXES: tuple[str, ...]

    def recognises(self, head: bytes, name: str) -> bool:
        """Whether a file with these first 64 KiB and this name is of this format."""

    def turns(self, file: BinaryIO, options: Options) -> Iterator[Turn | Failed | Passed]:
        """Turns in the order of the conversation, parents before children."""
