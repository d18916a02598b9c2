"""The shapes and contents of every kind of event: the words that stay in the ledger for ever.

A shape holds no string that a caller chose; a content holds all of them.  Fields that stand at
their default are left out of the bytes.  `docs/format.md` lists them; golden files pin them.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from muniment.model.evidence import Source

Role = Literal["user", "assistant", "system", "tool", "narrator"]
ExperienceType = Literal[
    "message", "tool_call", "tool_result", "task_event", "correction", "import"
]
Ordering = Literal["high", "medium", "low"]
Kind = Literal[
    "note",
    "fact",
    "procedure",
    "task",
    "summary",
    "story",
    "belief",
    "intention",
    "requirement",
    "appraisal",
    "proposal",
]
Status = Literal[
    "active",
    "retracted",
    "open",
    "closed",
    "disputed",
    "pending",
    "confirmed",
    "deferred",
    "completed",
    "rejected",
    "expired",
    "done",
    "proposed",
    "shadow",
    "needs_review",
    "accepted",
    "superseded",
]
Owner = Literal["user", "agent", "scope"]
Visibility = Literal["scope", "room", "private"]
Grade = Literal["supported", "disputed"]
StyleName = Literal["plain", "safe", "grouped"]


class Shape(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, tag_field="event"
):
    """What every event says for ever."""

    seq: int = 0
    id: str | None = None
    content_digest: str | None = None
    content_bytes: int | None = None


class MessageObserved(Shape, frozen=True, gc=False, kw_only=True, omit_defaults=True, tag=True):
    """A raw turn, tool call, tool result, task event, correction or import."""

    role: Role
    type: ExperienceType = "message"
    ordering: Ordering = "high"
    at_ms: int | None = None  # what the caller says; absent: unknown
    parent: str | None = None
    reply_to: str | None = None
    lines: tuple[int, int] | None = None  # of the source, from 1, end inclusive
    span: tuple[int, int] | None = None  # characters of the source, end exclusive
    stripped: int = 0  # characters of own blocks taken out on the way in
    external_tag: str | None = None


class MessageContent(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """Every string of a message."""

    text: str
    actor: str | None = None
    caption: str | None = None
    collection: str | None = None
    external_id: str | None = None
    metadata: str | None = None
    session: str | None = None
    source: str | None = None
    tags: tuple[str, ...] = ()
    thread: str | None = None


class RecordWritten(Shape, frozen=True, gc=False, kw_only=True, omit_defaults=True, tag=True):
    """One version of one record."""

    kind: Kind
    status: Status
    owner: Owner
    key_tag: str | None = None
    supersedes: str | None = None
    sources: tuple[Source, ...] = ()
    covers: tuple[str, ...] = ()
    valid_from_ms: int | None = None
    valid_to_ms: int | None = None
    receipt: str | None = None  # of the recall that it was made from
    visibility: Visibility = "scope"
    grade: Grade | None = None  # of its evidence; None: unknown
    priority: int | None = None  # of requirements: the greatest first
    assesses: str | None = None  # of appraisals: the exact version or event
    benefit_ppm: int | None = None  # of appraisals; None: unknown, which is not zero
    harm_ppm: int | None = None


class RecordContent(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """Every string of a record."""

    text: str
    about: str | None = None
    key: str | None = None
    metadata: str | None = None
    task: str | None = None  # in which alone it applies
    room: str | None = None  # in which alone it is seen
    reader: str | None = None  # who alone sees it


class StateSet(Shape, frozen=True, gc=False, kw_only=True, omit_defaults=True, tag=True):
    """One key of the scope's state got a value."""

    key_tag: str
    supersedes: str | None = None


class StateContent(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """The key, and the value as a JSON text."""

    key: str
    value: str


class StateDeleted(Shape, frozen=True, gc=False, kw_only=True, omit_defaults=True, tag=True):
    """One key of the scope's state has no value from here on."""

    key_tag: str
    supersedes: str  # the value it had


class CommandAnswered(Shape, frozen=True, kw_only=True, omit_defaults=True, tag=True):
    """A command with a key was answered: with what stands before this in its commit.

    `known` has what it found standing already: the place of each among the command's records and
    state keys, and its id.
    """

    command_tag: str
    known: tuple[tuple[int, str], ...] = ()


class CommandContent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The digest of the command, apart from its words: it goes as soon as any of them does."""

    request: str


class ContentErased(Shape, frozen=True, kw_only=True, omit_defaults=True, tag=True):
    """The contents of these events are gone, and may be missing from now on."""

    targets: tuple[str, ...] = ()
    dependents: tuple[str, ...] = ()
    through: int | None = None  # every content up to this seq, and the scope's name


class RecordedHit(msgspec.Struct, frozen=True, array_like=True):
    """One hit of a recorded recall."""

    id: str
    score_ppm: int  # of the retriever's best
    passage: int  # of a long text; -1: the whole


class RecordedFound(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one retriever handed on, best first."""

    retriever: str
    hits: tuple[RecordedHit, ...] = ()
    limited: bool = False


class LeftOut(msgspec.Struct, frozen=True, array_like=True):
    """One thing that a recorded recall considered and left out."""

    id: str
    reason: str
    bytes: int


class RecallRecorded(Shape, frozen=True, kw_only=True, omit_defaults=True, tag=True):
    """What a recall was asked, found, showed and left out, in ids, codes and numbers."""

    policy: str
    memory_head: str
    memory_seq: int
    at_ms: int  # the moment that was judged
    to_seq: int | None = None  # where only what was recorded up to there counted
    said_until_ms: int | None = None  # where only what was said before it counted
    history: bool = False
    bytes_max: int
    items_max: int
    bytes: int
    tokens: bool = False  # a function of the caller's had its say
    style: StyleName = "plain"
    floor_ppm: int | None = None
    boost_ppm: int | None = None
    vectors: tuple[int, int] | None = None  # texts with a vector of the model, and all texts
    found: tuple[RecordedFound, ...] = ()
    required: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    left_out_more: int = 0
    program: str
    engine: str


class RecallContent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The question in the caller's words, and a digest of the pack."""

    query: str
    pack_digest: str
    filters: str | None = None  # a JSON object of those that were given
    task: str | None = None
    participants: tuple[str, ...] = ()
    reader: str | None = None
    room: str | None = None
    embedder: str | None = None  # the model whose vectors were compared, if any were


class ReceiptErased(Shape, frozen=True, kw_only=True, omit_defaults=True, tag=True):
    """The contents of these journal events are gone with what they speak of."""

    targets: tuple[str, ...] = ()
    through: int | None = None


Content = MessageContent | RecordContent | StateContent | CommandContent | RecallContent
AnyShape = (
    MessageObserved
    | RecordWritten
    | StateSet
    | StateDeleted
    | CommandAnswered
    | ContentErased
    | RecallRecorded
    | ReceiptErased
)


class EventKind(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the table below.

    `format`: the first in which there is such an event; a commit has the greatest of its events.
    """

    shape: type[Shape]
    content: type[msgspec.Struct] | None
    chain: Literal["m", "j"]
    letter: str
    format: int = 1


EVENT_KINDS = (
    EventKind(shape=MessageObserved, content=MessageContent, chain="m", letter="e"),
    EventKind(shape=RecordWritten, content=RecordContent, chain="m", letter="r"),
    EventKind(shape=StateSet, content=StateContent, chain="m", letter="l"),
    EventKind(shape=StateDeleted, content=None, chain="m", letter="l", format=2),
    EventKind(shape=CommandAnswered, content=CommandContent, chain="m", letter="l"),
    EventKind(shape=ContentErased, content=None, chain="m", letter="l"),
    EventKind(shape=RecallRecorded, content=RecallContent, chain="j", letter="q"),
    EventKind(shape=ReceiptErased, content=None, chain="j", letter="j"),
)
BY_SHAPE = {kind.shape: kind for kind in EVENT_KINDS}
BY_NAME = {kind.shape.__name__: kind for kind in EVENT_KINDS}
