"""Records: what a caller asks to be kept, changed and shown, and what comes back."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from muniment import limits
from muniment.model import canonical, event
from muniment.model.binding import (
    UNBOUND,
    Assesses,
    Benefit,
    Binding,
    Graded,
    Harm,
    Priority,
    Reader,
    Room,
    Seen,
    Task,
)
from muniment.model.event_kinds import Kind, Owner, Status
from muniment.model.evidence import Source
from muniment.model.experience import Items
from muniment.model.request import JsonObject, Request, Time, spell
from muniment.model.standing import Standing

_Text = spell(
    "what is held, or - for standard input",
    form="text",
    bytes_max=limits.RECORD_TEXT_BYTES_MAX,
)

_NAMED = spell("its id, or a record's key; id: or key: before it says which", form="positional")
_NAME = limits.NAME_BYTES_MAX
_Sources = Annotated[
    tuple[str | Source, ...],
    spell("the id of what it rests on; may be repeated", flag="source", form="id"),
]
_Head = Annotated[str | None, spell("write only if this is the memory head")]
_CommandKey = Annotated[
    str | None, spell("the same key again gives the same answer", bytes_max=limits.KEY_BYTES_MAX)
]

Redact = Annotated[
    bool, spell("put a marker for each secret and personal thing, before anything is kept")
]


class Remembered(msgspec.Struct, frozen=True, kw_only=True):
    """The version that stands now.  `known`: it stood before, and nothing was written.

    `erased`: it is what its command wrote, and its words are gone; they are not compared.
    """

    id: str
    seq: int
    head: str
    supersedes: str | None
    known: bool
    erased: bool = False
    redacted: int = 0  # secrets and personal things that a marker stands for


# Defaults are left out of the bytes of notes and commits, so that a field of a later release does
# not change the digest by which a repeated command is recognised.
class Note(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """One record to be written.  A source is an id, or an id with its role and span."""

    text: Annotated[str, _Text]
    key: Annotated[str | None, spell("its key", bytes_max=limits.KEY_BYTES_MAX)] = None
    kind: Kind = "note"
    status: Status | None = None  # None: the kind's first
    sources: tuple[str | Source, ...] = ()
    covers: tuple[str, ...] = ()
    about: Annotated[str | None, spell("whom", bytes_max=limits.NAME_BYTES_MAX)] = None
    owner: Owner = "scope"
    valid_from: Time | None = None
    valid_to: Time | None = None
    supersedes: str | None = None
    metadata: Annotated[
        JsonObject | None,
        spell("a JSON object", bytes_max=limits.RECORD_METADATA_BYTES_MAX, form="object"),
    ] = None
    receipt: str | None = None
    recursive: bool = False  # a summary may rest on summaries
    task: Task = None
    visibility: Seen = "scope"
    reader: Reader = None
    room: Room = None
    grade: Graded = None
    priority: Priority = None
    assesses: Assesses = None
    benefit_ppm: Benefit = None
    harm_ppm: Harm = None


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """One version of a record, loaded.  `newest`: the id of the newest one, where it is not that."""

    id: str
    seq: int
    kind: Kind
    status: Status
    owner: Owner
    key: str | None
    about: str | None
    text: str
    metadata: str | None
    sources: tuple[Source, ...]
    covers: tuple[str, ...]
    valid_from_ms: int | None
    valid_to_ms: int | None
    standing: Standing
    newest: str | None = None
    bound: Binding = UNBOUND


class SourceFact(msgspec.Struct, frozen=True, kw_only=True):
    """What a rule needs to know of a cited thing.

    A superseded record whose newest version was taken back is `retracted`.  `level` and
    `coverage` are those of a summary: how many levels it stands on, itself counted, and all that
    it covers through them.
    """

    id: str
    seq: int
    kind: str  # "event", "state" or a record's kind
    role: str | None  # of an event
    standing: Standing
    status: str | None = None  # of a record
    characters: int | None = None  # of its text; None: not known
    bytes: int = 0  # of its text
    level: int = 0
    coverage: tuple[str, ...] = ()
    subject: str | None = None  # whom a record is about, or who said it
    bound: Binding = UNBOUND


class Remember(Request[Remembered], frozen=True, kw_only=True):
    """Keep one thing: typed, versioned, with its sources."""

    text: Annotated[str, _Text]
    key: Annotated[
        str | None,
        spell("its key; a later write to it is a new version", bytes_max=limits.KEY_BYTES_MAX),
    ] = None
    kind: Annotated[Kind, spell("what kind of record it is")] = "note"
    status: Annotated[Status | None, spell("default: the kind's first status")] = None
    sources: Annotated[
        tuple[str | Source, ...],
        spell("the id of what it rests on; may be repeated", flag="source", form="id"),
    ] = ()
    covers: Annotated[
        tuple[str, ...], spell("a source that this summary stands for; may be repeated", form="id")
    ] = ()
    recursive: Annotated[bool, spell("this summary may rest on summaries")] = False
    about: Annotated[str | None, spell("whom it is about", bytes_max=limits.NAME_BYTES_MAX)] = None
    owner: Annotated[Owner, spell("whose it is, as the host knows")] = "scope"
    valid_from: Annotated[Time | None, spell("from when it holds", form="time")] = None
    valid_to: Annotated[Time | None, spell("until when it holds", form="time")] = None
    supersedes: Annotated[
        str | None, spell("the id of the version it takes the place of", form="id")
    ] = None
    metadata: Annotated[
        JsonObject | None,
        spell(
            "a JSON object kept beside it",
            bytes_max=limits.RECORD_METADATA_BYTES_MAX,
            form="object",
        ),
    ] = None
    receipt: Annotated[
        str | None, spell("the receipt of the recall it was made from", form="id")
    ] = None
    task: Task = None
    visibility: Seen = "scope"
    reader: Reader = None
    room: Room = None
    grade: Graded = None
    priority: Priority = None
    assesses: Assesses = None
    benefit_ppm: Benefit = None
    harm_ppm: Harm = None
    redact: Redact = False
    expect_head: Annotated[str | None, spell("write only if this is the memory head")] = None
    command_key: Annotated[
        str | None,
        spell("the same key again gives the same answer", bytes_max=limits.KEY_BYTES_MAX),
    ] = None


class Require(Request[Remembered], frozen=True, kw_only=True):
    """Keep what must be said whenever a task is asked about: a requirement."""

    text: Annotated[str, _Text]
    task: Annotated[str, spell("the task in which it must be said", bytes_max=_NAME)]
    about: Annotated[str | None, spell("whom it concerns; default: everybody", bytes_max=_NAME)] = (
        None
    )
    priority: Priority = None
    sources: _Sources = ()
    key: Annotated[
        str | None,
        spell("its key; a later write to it is a new version", bytes_max=limits.KEY_BYTES_MAX),
    ] = None
    owner: Annotated[Owner, spell("whose it is, as the host knows")] = "scope"
    visibility: Seen = "scope"
    reader: Reader = None
    room: Room = None
    grade: Graded = None
    valid_to: Annotated[Time | None, spell("until when it holds", form="time")] = None
    redact: Redact = False
    expect_head: _Head = None
    command_key: _CommandKey = None


class Appraise(Request[Remembered], frozen=True, kw_only=True):
    """Assess one version of a record, or one event: what it did good, and what harm.

    Who it is about and who may see it are those of what it assesses.
    """

    id: Annotated[
        str,
        spell("what is assessed: an id, or a key; id: or key: says which", form="positional"),
    ]
    text: Annotated[
        str | None,
        spell(
            "in words; default: the amounts",
            form="positional",
            bytes_max=limits.RECORD_TEXT_BYTES_MAX,
        ),
    ] = None
    benefit_ppm: Benefit = None
    harm_ppm: Harm = None
    task: Task = None
    sources: _Sources = ()
    owner: Annotated[Owner, spell("whose it is, as the host knows")] = "scope"
    grade: Graded = None
    valid_to: Annotated[Time | None, spell("until when it holds", form="time")] = None
    supersedes: Annotated[
        str | None, spell("the id of the appraisal it takes the place of", form="id")
    ] = None
    redact: Redact = False
    expect_head: _Head = None
    command_key: _CommandKey = None


class Correct(Request[Remembered], frozen=True, kw_only=True):
    """Correct a record: a new version in other words, which cites what shows it.

    Everything else stays as it was, and the old version stays in history.  What is planned for later
    stays too: the new version holds until then, and again where the old one would have.
    """

    id: Annotated[
        str,
        spell(
            "the version that stands, or is to stand, or its key; id: or key: before it says which",
            form="positional",
        ),
    ]
    text: Annotated[str, _Text]
    sources: _Sources = ()
    owner: Annotated[Owner | None, spell("whose it is, as the host knows; default: as it was")] = (
        None
    )
    grade: Graded = None
    valid_to: Annotated[
        Time | None, spell("until when it holds; default: as it was", form="time")
    ] = None
    redact: Redact = False
    expect_head: _Head = None
    command_key: _CommandKey = None


class Retract(Request[Remembered], frozen=True, kw_only=True):
    """Take a record back: a new version of it, retracted, with the same text."""

    id: Annotated[
        str,
        spell(
            "the current version's id, or its key; id: or key: before it says which",
            form="positional",
        ),
    ]
    expect_head: Annotated[str | None, spell("write only if this is the memory head")] = None


class Close(Request[Remembered], frozen=True, kw_only=True):
    """Close a task: a new version of it, closed, with the same text."""

    id: Annotated[
        str,
        spell(
            "the current version's id, or its key; id: or key: before it says which",
            form="positional",
        ),
    ]
    expect_head: Annotated[str | None, spell("write only if this is the memory head")] = None


class Committed(msgspec.Struct, frozen=True, kw_only=True):
    """What one commit wrote, in the order given."""

    records: tuple[Remembered, ...]
    state: dict[str, int]  # key to seq
    head: str
    known: bool
    redacted: int = 0  # secrets and personal things that a marker stands for


class Commit(Request[Committed], frozen=True, kw_only=True, omit_defaults=True):
    """Write up to eight records and up to 64 state keys, all or nothing."""

    notes: Annotated[tuple[Note, ...], spell("the records", form="member")] = ()
    state: Annotated[dict[str, Any], spell("state keys with their JSON values", form="member")] = (
        msgspec.field(default_factory=dict)
    )
    redact: Redact = False
    expect_head: Annotated[str | None, spell("write only if this is the memory head")] = None
    command_key: Annotated[
        str | None,
        spell("the same key again gives the same answer", bytes_max=limits.KEY_BYTES_MAX),
    ] = None


class Show(Request[Items], frozen=True, kw_only=True):
    """One thing by its id, or by the part of the id before the dash, at any version; or by its key."""

    id: Annotated[str, _NAMED]
    as_of: Annotated[Time | None, spell("what held then", form="time")] = None
    as_recorded: Annotated[Time | None, spell("as it was known then", form="time")] = None


class History(Request[Items], frozen=True, kw_only=True):
    """Every version of a record, oldest first, each with its standing."""

    key: Annotated[
        str,
        spell(
            "its key, or the id of a version; id: or key: before it says which",
            form="positional",
            bytes_max=limits.KEY_BYTES_MAX + len("key:"),
        ),
    ]
    as_of: Annotated[Time | None, spell("what held then", form="time")] = None
    as_recorded: Annotated[Time | None, spell("as it was known then", form="time")] = None


def text_hash(text: str) -> int:
    """By what a record without a key is found again by its text."""
    return event.signed(canonical.digest(b"muniment/text/1", text.encode())[:8].hex())
