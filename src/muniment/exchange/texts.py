"""Payloads that hold a text: revisions 1 to 4.

1 is a plain text.  2 is bound to a task.  3 is a span of an event's text that a model took out.
4 is the one sentence that asks for a review of a task.
"""

from __future__ import annotations

import struct
from typing import Any, Literal, NamedTuple

import msgspec

from muniment.exchange.layout import DIGEST_BYTES, ID_BYTES, NO_ID, Reader, u32s

PLAIN = b"AOTXMEM1"
BOUND = b"AOTXMEM2"
SPAN = b"AOTXMEM3"
REVIEW = b"AOTXMEM4"
MAGIC_BYTES = 8
_HEAD_BYTES = {PLAIN: 32, BOUND: 64, SPAN: 96, REVIEW: 64}

# What a span is: the word under which it is shown, by its number.
SPANS = {1: "participant mention", 2: "task mention", 3: "assertion", 4: "correction"}
CORRECTION = 4


class Plain(msgspec.Struct, frozen=True, kw_only=True):
    """Revision 1: a text alone."""

    text: str


class Bound(msgspec.Struct, frozen=True, kw_only=True):
    """Revision 2, or 4 where it is a review: a text that is bound to a task."""

    text: str
    task: bytes
    required: bool
    review: bool = False


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """Revision 3: an exact span of an event's text."""

    text: str
    span: Literal[1, 2, 3, 4]
    start: int  # bytes of the event's text
    model: bytes
    processor: bytes


Text = Plain | Bound | Span


class Place(NamedTuple):
    """Where the text stands in its payload."""

    start: int
    size: int


def known(payload: Any) -> bool:
    """Whether a payload begins like one of these."""
    return bytes(payload[:MAGIC_BYTES]) in _HEAD_BYTES


def start(payload: Any) -> int:
    """Where its text begins."""
    return _HEAD_BYTES[bytes(payload[:MAGIC_BYTES])]


def read(payload: Any, at: str) -> Text:
    """What a payload of any of the four revisions says.

    Raises:
        BadExchange: it breaks a rule of its revision.
    """
    reader = Reader(payload, at)
    magic = bytes(reader.data[:MAGIC_BYTES])
    reader.must(magic in _HEAD_BYTES, "magic", "a text of revision 1 to 4")
    head = _HEAD_BYTES[magic]
    reader.must(len(reader.data) >= head, "bytes", f"at least {head}")
    revision = int(magic[-1:])
    reader.must(reader.u32(8) == revision, "schema", str(revision))
    size = reader.u32(12)
    reader.must(len(reader.data) == head + size, "bytes", f"{head} and the text's")
    text = reader.text(head, size, "text")
    if magic == PLAIN:
        reader.zeros(16, 32)
        return Plain(text=text)
    return _span(reader, text) if magic == SPAN else _bound(reader, text)


def write(text: Text) -> bytes:
    """The payload that says this."""
    said = text.text.encode()
    if isinstance(text, Plain):
        return PLAIN + u32s(1, len(said)) + bytes(16) + said
    if isinstance(text, Span):
        head = SPAN + u32s(3, len(said), text.span, text.start)
        return head + text.model + text.processor + bytes(8) + said
    magic, schema = (REVIEW, 4) if text.review else (BOUND, 2)
    head = magic + u32s(schema, len(said)) + text.task
    return head + struct.pack("<I", text.required) + bytes(28) + said


def _bound(reader: Reader, text: str) -> Bound:
    review = bytes(reader.data[:MAGIC_BYTES]) == REVIEW
    task, required = reader.id(16), reader.u32(32)
    reader.must(task != NO_ID, "task", "an id")
    reader.must(required in ((1,) if review else (0, 1)), "required", "0 or 1; of a review 1")
    reader.zeros(36, 64)
    return Bound(text=text, task=task, required=required == 1, review=review)


def _span(reader: Reader, text: str) -> Span:
    span = reader.u32(16)
    reader.must(span in SPANS, "span", "1 to 4")
    model, processor = reader.take(24, DIGEST_BYTES), reader.take(56, DIGEST_BYTES)
    reader.must(any(model), "model", "a digest")
    reader.must(any(processor), "processor", "a digest")
    reader.zeros(88, 96)
    return Span(
        text=text,
        span=span,  # type: ignore[arg-type]  # one of the four
        start=reader.u32(20),
        model=model,
        processor=processor,
    )


assert ID_BYTES == 16  # as the heads above are laid out
