"""What was selected: rows of 32 bytes; and the event that keeps the query that was asked."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import msgspec

from muniment.exchange.layout import NO_ID, Reader, Ref, u32s, u64s

ROW_BYTES = 32
MEMBERS_MAX = 64  # of a stored selection
RECALLED_MAX = 16  # that a recall writes
WIRE_BYTES = 16 + RECALLED_MAX * ROW_BYTES
TEXT = 1  # the representation of everything but
MEDIA = 2
QUESTION = b"AOTXQUE1"
_QUESTION_HEAD_BYTES = 16


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """One row of a selection."""

    ref: Ref
    representation: int = TEXT


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """The query that a recorded selection answers, byte by byte, and at which sequence."""

    cut: int
    query: bytes


def known_question(payload: Any) -> bool:
    """Whether a payload begins like a recorded query."""
    return bytes(payload[:8]) == QUESTION


def read(payload: Any, at: str, *, wire: bool = False) -> tuple[Member, ...]:
    """The members of a selection as it is stored, or of fixed size as it travels.

    Raises:
        BadExchange: a rule is broken.
    """
    reader = Reader(payload, at, WIRE_BYTES if wire else None, least=16)
    reader.must(reader.u32(0) == 1, "schema", "1")
    count = reader.u32(4)
    most = RECALLED_MAX if wire else MEMBERS_MAX
    reader.must(count <= most, "count", f"at most {most}")
    reader.zeros(8, 16)
    end = 16 + count * ROW_BYTES
    if wire:
        reader.zeros(end, WIRE_BYTES, "padding")
    reader.must(wire or len(reader.data) == end, "bytes", "a head and the rows")
    return tuple(_member(reader, 16 + row * ROW_BYTES, f"{at}[{row}]") for row in range(count))


def write(members: Sequence[Member], *, wire: bool = False) -> bytes:
    """The payload, or what travels, for these members."""
    rows = [each.ref.bytes + u32s(each.representation, 0) for each in members]
    found = u32s(1, len(rows)) + bytes(8) + b"".join(rows)
    return found.ljust(WIRE_BYTES, b"\0") if wire else found


def read_question(payload: Any, query_bytes: int, at: str) -> Question:
    """The recorded query that a payload holds; the query itself is read by itself.

    Raises:
        BadExchange: a rule is broken.
    """
    reader = Reader(payload, at, _QUESTION_HEAD_BYTES + query_bytes)
    reader.magic(QUESTION)
    return Question(cut=reader.u64(8), query=reader.take(_QUESTION_HEAD_BYTES, query_bytes))


def write_question(found: Question) -> bytes:
    """The payload that keeps a query."""
    return QUESTION + u64s(found.cut) + found.query


def _member(reader: Reader, place: int, at: str) -> Member:
    row = Reader(reader.data[place : place + ROW_BYTES], at)
    ref = Ref(row.id(0), row.u64(16))
    row.must(ref.id != NO_ID and ref.version > 0, "ref", "an id and a version", "reference")
    (representation,) = struct.unpack_from("<I", row.data, 24)
    row.must(representation in (TEXT, MEDIA), "representation", "1 or 2")
    row.zeros(28, 32)
    return Member(ref=ref, representation=representation)
