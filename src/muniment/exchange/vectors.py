"""Payloads of components: one vector of 32-bit numbers, with the model that made it."""

from __future__ import annotations

import math
import struct
from typing import Any

import msgspec

from muniment.exchange.layout import DIGEST_BYTES, NO_ID, NONE, Reader, Ref, u32s

ANY = b"AOTXVEC1"
OF_EVENT = b"AOTXVEC2"
_HEAD_BYTES = 128
WIDTH_MAX = 1_024
_FLOATS = 4  # the number of the type: 32 bits
_COSINE = 1  # the number of the metric

# Two processors for texts, for short and for longer ones, whose vectors may be compared.
SHORT = bytes.fromhex("7d12af1d2cd1e5194def983d1fd8073d1c36c444eea39c2dcf9bbe394e75892d")
LONGER = bytes.fromhex("3f5f1fdc067157f5b81e8818885bbba30484c233befe9d41aa77c037ceba5a36")

Space = tuple[int, bytes, bytes]


class Vector(msgspec.Struct, frozen=True, kw_only=True):
    """One vector: of a source by its digest (revision 1), or of an exact event (revision 2)."""

    numbers: bytes  # 32-bit floats
    model: bytes
    processor: bytes
    digest: bytes | None = None
    event: Ref = NONE

    @property
    def space(self) -> Space:
        """What it may be compared with."""
        return space(len(self.numbers) // 4, self.model, self.processor)


def space(width: int, model: bytes, processor: bytes) -> Space:
    """The vector space of a width, a model and a processor."""
    return width, model, SHORT if processor == LONGER else processor


def known(payload: Any) -> bool:
    """Whether a payload begins like a vector."""
    return bytes(payload[:8]) in (ANY, OF_EVENT)


def read(payload: Any, at: str) -> Vector:
    """The vector that a payload holds.

    Raises:
        BadExchange: it holds none, with the status `layout` where the numbers are to blame.
    """
    reader = Reader(payload, at)
    reader.must(known(reader.data), "magic", "a vector of revision 1 or 2", "reference")
    reader.must(len(reader.data) >= _HEAD_BYTES, "bytes", "a head of 128", "layout")
    revision = int(bytes(reader.data[7:8]))
    width = reader.u32(12)
    reader.must(reader.u32(8) == revision, "schema", str(revision), "layout")
    reader.must(1 <= width <= WIDTH_MAX, "width", f"1 to {WIDTH_MAX}", "layout")
    reader.must(reader.u32(16) == _FLOATS, "type", "32-bit floats", "layout")
    reader.must(reader.u32(20) == _COSINE, "metric", "cosine", "layout")
    reader.must(
        len(reader.data) == _HEAD_BYTES + 4 * width, "bytes", "a head and the numbers", "layout"
    )
    model, processor = reader.take(24, DIGEST_BYTES), reader.take(56, DIGEST_BYTES)
    reader.must(any(model) and any(processor), "model", "two digests", "layout")
    digest, event = None, NONE
    if revision == 1:
        digest = reader.take(88, DIGEST_BYTES)
        reader.must(any(digest), "source", "a digest", "layout")
        reader.must(not any(reader.data[120:128]), "reserved", "zero bytes", "layout")
    else:
        event = Ref(reader.id(88), reader.u64(104))
        reader.must(event.id != NO_ID and event.version > 0, "source", "an event", "layout")
        reader.must(not any(reader.data[112:128]), "reserved", "zero bytes", "layout")
    numbers = reader.take(_HEAD_BYTES, 4 * width)
    reader.must(comparable(numbers), "numbers", "finite and not all zero", "layout")
    return Vector(numbers=numbers, model=model, processor=processor, digest=digest, event=event)


def write(vector: Vector) -> bytes:
    """The payload that holds this vector."""
    magic, revision = (OF_EVENT, 2) if vector.digest is None else (ANY, 1)
    head = magic + u32s(revision, len(vector.numbers) // 4, _FLOATS, _COSINE)
    source = vector.event.bytes if vector.digest is None else vector.digest
    head += vector.model + vector.processor + source
    return head + bytes(_HEAD_BYTES - len(head)) + vector.numbers


def comparable(numbers: bytes) -> bool:
    """Whether these numbers have a direction: all finite and not all zero."""
    found = struct.unpack(f"<{len(numbers) // 4}f", numbers)
    return all(map(math.isfinite, found)) and any(found)
