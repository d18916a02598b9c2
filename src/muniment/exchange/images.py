"""The state of a store in bytes: a checkpoint, or a tail of updates that follow one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec

from muniment import limits
from muniment.errors import FileNewer
from muniment.exchange import objects
from muniment.exchange.layout import NO_ID, Reader, u32s, u64s
from muniment.exchange.objects import Row

CHECKPOINT = b"AOTXOBJ1"
TAIL = b"AOTXLOG1"
HEAD_BYTES = 128
SCHEMA = 1  # of an image whose versions are numbered one by one; others are of newer programs


class Stored(NamedTuple):
    """One version with its payload."""

    row: Row
    payload: Any  # bytes, or a view of the image


class Image(msgspec.Struct, frozen=True, kw_only=True):
    """An image as it is read: in a tail `sequence` is that of the first update."""

    tail: bool
    lineage: bytes
    sequence: int
    tick: int
    objects: tuple[Stored, ...]


def read(data: Any, at: str) -> Image:
    """The image in these bytes, each row by itself as it must be.

    Raises:
        BadExchange: a rule is broken.
        FileNewer: it is of a schema that is not read here.
    """
    reader = Reader(data, at, least=HEAD_BYTES)
    magic = reader.take(0, 8)
    reader.must(magic in (CHECKPOINT, TAIL), "magic", "a checkpoint or a tail")
    schema = reader.u32(8)
    if schema in (2, 3):
        raise FileNewer(f"images of schema {schema} are not read", at=f"{at}.schema")
    reader.must(schema == SCHEMA, "schema", str(SCHEMA))
    sizes = (reader.u32(12), reader.u32(16))
    reader.must(sizes == (HEAD_BYTES, objects.ROW_BYTES), "sizes", "128 and 256")
    count, arena = reader.u32(20), reader.u64(24)
    for fits, what in (
        (count <= limits.EXCHANGE_OBJECTS_MAX, "count"),
        (arena <= limits.EXCHANGE_PAYLOAD_BYTES_MAX, "payload_bytes"),
    ):
        reader.must(fits, what, "more than is read at once", "capacity")
    start = HEAD_BYTES + objects.ROW_BYTES * count
    places = (reader.u64(64), reader.u64(72), reader.u64(80))
    right = places == (HEAD_BYTES, start, start + arena) and len(reader.data) == start + arena
    reader.must(right, "bytes", f"{start + arena}, found {len(reader.data)}")
    lineage = reader.id(48)
    reader.must(lineage != NO_ID, "lineage", "an id")
    reader.must(reader.u32(88) == 1, "mode", "1")
    reader.zeros(92, HEAD_BYTES)
    return Image(
        tail=magic == TAIL,
        lineage=lineage,
        sequence=reader.u64(32),
        tick=reader.u64(40),
        objects=_objects(reader, count, start, arena),
    )


def write(image: Image) -> bytes:
    """The bytes of an image; the payloads stand in the order of its rows."""
    rows: list[bytes] = []
    arena: list[Any] = []
    size = 0
    for row, payload in image.objects:
        placed = row._replace(payload_at=size if row.payload_bytes else 0)
        rows.append(objects.write(placed))
        arena.append(payload)
        size += row.payload_bytes
    start = HEAD_BYTES + objects.ROW_BYTES * len(rows)
    head = (TAIL if image.tail else CHECKPOINT) + u32s(SCHEMA, HEAD_BYTES, objects.ROW_BYTES)
    head += u32s(len(rows)) + u64s(size, image.sequence, image.tick) + image.lineage
    head += u64s(HEAD_BYTES, start, start + size) + u32s(1)
    return b"".join([head.ljust(HEAD_BYTES, b"\0"), *rows, *arena])


def ordered(objects_: Sequence[Stored]) -> bool:
    """Whether the payloads stand in the order of the rows, as they are written here."""
    places = [each.row.payload_at for each in objects_ if each.row.payload_bytes]
    return places == sorted(places)


def _objects(reader: Reader, count: int, start: int, arena: int) -> tuple[Stored, ...]:
    found = []
    extents = []
    size = 0
    for index in range(count):
        place = HEAD_BYTES + objects.ROW_BYTES * index
        row = objects.read(
            reader.data[place : place + objects.ROW_BYTES], f"{reader.at}.objects[{index}]"
        )
        end = row.payload_at + row.payload_bytes
        reader.must(end <= arena, f"objects[{index}].payload_at", "inside the arena")
        if row.payload_bytes:
            extents.append((row.payload_at, end))
            size += row.payload_bytes
        found.append(Stored(row, reader.data[start + row.payload_at : start + end]))
    reader.must(size == arena, "payload_bytes", "what the rows have together")
    extents.sort()
    apart = all(one[1] <= two[0] for one, two in pairwise(extents))
    reader.must(apart, "payload_at", "no two payloads overlap")
    return tuple(found)
