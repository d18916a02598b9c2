"""What the words of a content must be beyond their types: JSON texts, digests, names and limits.

A part of the check; shares nothing with append.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

from muniment.errors import BadEncoding, BadJson
from muniment.model import canonical
from muniment.model.event_kinds import (
    AnyShape,
    CommandContent,
    Content,
    MessageContent,
    MessageObserved,
    RecallContent,
    RecordContent,
    RecordWritten,
    StateContent,
)
from muniment.model.scope import Allowed

_DIGEST = re.compile(r"[0-9a-f]{64}\Z")
# What may be meant for one task alone.
_FOR_TASKS = frozenset(
    ("note", "fact", "procedure", "story", "belief", "intention", "requirement", "appraisal")
)
_LONG = re.compile(r"\d{16}|\\u0000")  # what only the long way can judge


def wrong(shape: AnyShape, found: Content, stored: bytes, allowed: Allowed) -> str | None:
    """The first field of a content that breaks a rule of the format; None where none does.

    `stored` are its bytes; `allowed` are the limits that the scope was made with.
    """
    if type(found) is MessageContent:
        # Nearly all are like this, and nothing can be wrong with them: no text in it is empty.
        if (
            b'""' not in stored and len(stored) <= allowed.message_bytes_max
            and found.metadata is None and not found.tags
            and (found.external_id is None or shape.external_tag is not None)  # type: ignore[union-attr]
        ):  # fmt: skip
            return None
        return _message(shape, found, allowed)
    if isinstance(found, RecordContent):
        return _record(shape, found, allowed)
    if isinstance(found, StateContent):
        return _state(found, allowed)
    if isinstance(found, CommandContent):
        return None if _DIGEST.match(found.request) else "request"
    assert isinstance(found, RecallContent)
    return _recall(found)


def _message(shape: Any, found: MessageContent, allowed: Allowed) -> str | None:
    if not found.text or _longer(shape, found.text, allowed.message_bytes_max):
        return "text"
    if found.caption is not None and (
        not found.caption or _longer(shape, found.caption, allowed.message_bytes_max)
    ):
        return "caption"
    if found.tags and ("" in found.tags or len(set(found.tags)) != len(found.tags)):
        return "tags"
    names = (found.actor, found.collection, found.session, found.source, found.thread)
    if "" in names:
        return "actor"
    if found.external_id is not None:
        assert isinstance(shape, MessageObserved)
        if not found.external_id or shape.external_tag is None:
            return "external_id"
    return None if found.metadata is None or _is_object(found.metadata) else "metadata"


def _record(shape: Any, found: RecordContent, allowed: Allowed) -> str | None:
    assert isinstance(shape, RecordWritten)
    if not found.text or _longer(shape, found.text, allowed.record_text_bytes_max):
        return "text"
    if found.key is not None and (
        not found.key or _longer(shape, found.key, allowed.key_bytes_max)
    ):
        return "key"
    if len(shape.sources) > allowed.sources_max or len(shape.covers) > allowed.covers_max:
        return "sources"
    # Only what is private has a reader, and only what is seen in a room names one.
    if (found.reader is not None) != (shape.visibility == "private") or found.reader == "":
        return "reader"
    if (found.room is not None) != (shape.visibility == "room") or found.room == "":
        return "room"
    if found.task is None:
        if shape.kind == "requirement":
            return "task"
    elif not found.task or shape.kind not in _FOR_TASKS:
        return "task"
    return None if found.metadata is None or _is_kept_object(found.metadata) else "metadata"


def _state(found: StateContent, allowed: Allowed) -> str | None:
    if not found.key or len(found.key.encode()) > allowed.key_bytes_max:
        return "key"
    large = len(found.value.encode()) > allowed.state_value_bytes_max
    return "value" if large or not is_value(found.value) else None


def _recall(found: RecallContent) -> str | None:
    if not _DIGEST.match(found.pack_digest):
        return "pack_digest"
    filters = found.filters
    if filters is not None and (filters == "{}" or filters[:1] != "{" or not is_value(filters)):
        return "filters"
    return None


def is_value(text: str) -> bool:
    """Whether a text is JSON just as a value is kept: sorted, without white space, read exactly."""
    if _is_plain(text):
        return True
    try:
        return canonical.plain_json(canonical.read_json(text, ""), "") == text
    except (BadEncoding, BadJson, RecursionError):
        return False


def _is_kept_object(text: str) -> bool:
    """Whether a text is a JSON object that comes back as it went in, as it was given."""
    if text[:1] == "{" and _is_plain(text):
        return True
    try:
        return isinstance(canonical.read_json(text, ""), dict)
    except (BadEncoding, BadJson):
        return False


def _is_object(text: str) -> bool:
    """Whether a text is a JSON object in which no key stands twice."""
    if text[:1] == "{" and _is_plain(text):
        return True
    try:
        return isinstance(canonical.parsed(text, ""), dict)
    except BadJson:
        return False


class _Fraction(Exception):  # a sign, and no error
    """A number that is no integer: engines write these in different ways."""


def _fraction(_: str) -> Any:
    raise _Fraction


_plain: Callable[[str], Any] = msgspec.json.Decoder(float_hook=_fraction).decode
_again = msgspec.json.Encoder(order="sorted").encode


def _is_plain(text: str) -> bool:
    """Whether a text is canonical for sure; no is said to some that are, and quickly."""
    if _LONG.search(text) or text.count("[") + text.count("{") > 100:
        return False
    try:
        return bool(_again(_plain(text)) == text.encode())
    except (_Fraction, msgspec.DecodeError, RecursionError):
        return False


def _longer(shape: AnyShape, text: str, most: int) -> bool:
    """Whether a text of a content is longer than it may be."""
    return (shape.content_bytes or 0) > most and len(text.encode()) > most
