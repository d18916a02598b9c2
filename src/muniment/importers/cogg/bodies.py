"""The bytes that Cogg hashes, and what stands in them.

An id is the SHA-256 of a compact JSON text with sorted keys.  What is stored is that text, so the
stored bytes are hashed as they stand; only parts of a body are written anew before.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any, Literal, TypeVar

import msgspec

from muniment.errors import BadInput, BrokenSource
from muniment.importers.reading import decode

B = TypeVar("B")

_EXPONENT_FROM, _EXPONENT_TO = 1e15, 1e16
_LONG = re.compile(r"\d{16}\.\d")
_plain = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


class Limits(msgspec.Struct, frozen=True):
    """What a subject was made with, for ever."""

    min_wake_ms: int
    max_attempts: int
    period_ms: int
    max_wake_ms: int = 31_536_000_000


class Genesis(msgspec.Struct, frozen=True):
    """The commit at tick 0."""

    created_at: int
    limits: Limits
    memory: dict[str, Any]
    nonce: str
    parent: None
    schema: int
    subject: str
    tick: int
    wake_at: None


class Write(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A key of the state that gets a value."""

    key: str
    value: Any


class NoteBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A typed note."""

    key: str
    text: str
    type: Literal["note", "fact", "procedure", "episode", "task", "summary", "prospective"]
    status: Literal["active", "open", "closed", "retracted"]
    sources: tuple[str, ...]
    covers: tuple[str, ...]


class Proposal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a backend answered."""

    kind: Literal["null", "reflection", "speech"]
    text: str
    memory: tuple[Write, ...]
    wake_after_ms: int | None
    notes: tuple[NoteBody, ...] = ()


class Transition(msgspec.Struct, frozen=True):
    """A commit at a later tick."""

    attempt: str
    committed_at: int
    memory: dict[str, Any]
    occasion: str
    parent: str
    proposal: Proposal
    schema: int
    subject: str
    tick: int
    wake_at: int | None
    inference_elapsed_ms: int | None = None
    wall_observed_at: int | None = None
    wake_plan: dict[str, Any] | None = None
    emission: dict[str, Any] | msgspec.UnsetType | None = msgspec.UNSET
    disposition: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET


class Cause(msgspec.Struct, frozen=True):
    """What woke the agent."""

    key: str
    kind: Literal["created", "external", "scheduled"]
    parents: tuple[str]
    payload: Any
    received_at: int
    schema: Literal[1]
    subject: str


class Try(msgspec.Struct, frozen=True):
    """One admitted attempt of a backend."""

    admitted_at: int
    backend: str
    nonce: str
    occasion: str
    parent: str
    prior_unsettled: bool
    schema: int
    subject: str
    tick: int
    temporal: dict[str, Any] | None = None
    wall_observed_at: int | None = None
    context: dict[str, Any] | None = None
    execution: dict[str, Any] | None = None
    inputs: tuple[dict[str, Any], ...] = ()


class Capabilities(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an executor can do."""

    remote: bool
    exact_tokens: bool
    checkpoint: bool
    cancellation: bool


class Execution(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The executor that an attempt was given to."""

    schema: Literal["cogg:execution/v1"]
    executor: str
    backend: str
    session: str
    capabilities: Capabilities


class PacketBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a producer handed to an attempt as evidence."""

    schema: Literal["cogg:input/v1"]
    kind: Literal["observation", "inference"]
    producer: str
    content: Any
    sources: tuple[str, ...]


class Packet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Such evidence with its id."""

    id: str
    body: PacketBody


class Disposition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why an occasion was set aside without an answer."""

    schema: Literal["cogg:disposition/v1"]
    reason: Literal["occasion_failures"]
    limit: int
    failures: tuple[str, ...]


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a backend did not take part."""

    kind: Literal["abstain"]
    reason: Literal["missing_input", "unsupported", "uncertain", "refused"]
    detail: str


class Abstention(msgspec.Struct, frozen=True):
    """The receipt of an attempt in which a backend did not take part."""

    attempt: str
    subject: str
    parent: str
    occasion: str
    execution: dict[str, Any] | None
    outcome: Outcome


def dumped(value: Any) -> str:
    """`value` as the text that Cogg writes and hashes."""
    text = _plain(value)
    # Only a float can hold sixteen digits before a point; in a string they do no harm here.
    return _slowly(value) if _LONG.search(text) else text


def digest(text: str) -> str:
    """The id of what this text says."""
    return hashlib.sha256(text.encode()).hexdigest()


def note_id(parent: str, index: int, note: NoteBody) -> str:
    """The id of a note: of its place in its proposal, on the head before the commit."""
    return digest(dumped({"index": index, "note": msgspec.structs.asdict(note), "parent": parent}))


def parsed(text: str, at: str) -> Any:
    """The value of a stored JSON text.

    Raises:
        BrokenSource: it is no JSON.
    """
    try:
        return decode(text.encode(), at)
    except (BadInput, UnicodeEncodeError) as error:
        why = error.detail if isinstance(error, BadInput) else error
        raise BrokenSource(f"not readable: {why}", at=at) from error


def body(text: str, kind: type[B], id: str, at: str) -> B:
    """What a stored body says, if its bytes have this id.

    Raises:
        BrokenSource: they have another, or say something else.
    """
    if digest(text) != id:
        raise BrokenSource(f"its bytes do not have the id {id}", at=at)
    return typed(parsed(text, at), kind, at)


def typed(value: Any, kind: type[B], at: str) -> B:
    """A parsed value as what it should be.

    Raises:
        BrokenSource: it is something else.
    """
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise BrokenSource(f"not what stands there: {error}", at=at) from error


def _slowly(value: Any) -> str:
    if isinstance(value, dict):
        members = (f"{_plain(key)}:{_slowly(value[key])}" for key in sorted(value))
        return "{" + ",".join(members) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_slowly, value)) + "]"
    return _float(value) if isinstance(value, float) else _plain(value)


def _float(value: float) -> str:
    """As Cogg's library: from 1e15 on with an exponent, which Python begins at 1e16."""
    if not _EXPONENT_FROM <= abs(value) < _EXPONENT_TO:
        return _plain(value)
    digits = repr(abs(value)).replace(".", "").rstrip("0")
    point = "." if digits[1:] else ""
    return f"{'-' if value < 0 else ''}{digits[0]}{point}{digits[1:]}e+15"
