"""Prepared queries: a file of 1 to 64 rows of 8,192 bytes, each with one of four extensions or none.

The envelope and the rows are read apart, so that one bad row does not take the others along.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from muniment.exchange import vectors
from muniment.exchange.layout import (
    DIGEST_BYTES,
    ID_BYTES,
    NO_ID,
    SCALE,
    TEXT_BYTES_MAX,
    Reader,
    Ref,
    u32s,
    u64s,
)

MAGIC = b"AOTXREQ1"
HEAD_BYTES = 64
ROW_BYTES = 8_192
COUNT_MAX = 64
FILE_BYTES_MAX = HEAD_BYTES + COUNT_MAX * ROW_BYTES
ENTRIES_MAX = 16
MEMORY_BYTES_MAX = 4_096
REFERENCES_MAX = 8
PARTICIPANTS_MAX = 64

PRIVATE, ROOM, INSTANCE = range(3)
_EXTENSION = b"AOTXCTX"
_EXTENSION_AT = 6_688
_EXTENSION_BYTES = ROW_BYTES - _EXTENSION_AT
_TASK = 1  # the flags of an extension
_RANKED = 2
_ACTOR_FROM = 2  # the revision that names the current source's actor

Revision = Literal[1, 2, 3, 4]


class Extension(msgspec.Struct, frozen=True, kw_only=True):
    """What a query says beyond likeness: its task and who takes part, and how appraisals count.

    `task` None: nothing that is bound to a task.  `ranked` False: floor and boost are zero.
    """

    revision: Revision
    task: bytes | None = None
    participants: tuple[bytes, ...] = ()
    ranked: bool = False
    floor: int = 0
    boost: int = 0
    actor: bytes = NO_ID


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """One row.  In the form of a raw text it has neither vector nor digests."""

    request: bytes
    selection: bytes
    principal: bytes
    room: bytes = NO_ID
    scope: int = INSTANCE
    model: bytes = bytes(DIGEST_BYTES)
    processor: bytes = bytes(DIGEST_BYTES)
    vector: bytes = b""
    entries_max: int = ENTRIES_MAX
    bytes_max: int = MEMORY_BYTES_MAX
    required: tuple[Ref, ...] = ()
    focus: tuple[Ref, ...] = ()
    text: str
    extension: Extension | None = None

    @property
    def revision(self) -> int:
        """Of its extension; 0 where it has none."""
        return 0 if self.extension is None else self.extension.revision

    @property
    def space(self) -> vectors.Space:
        """What its vector may be compared with."""
        return vectors.space(len(self.vector) // 4, self.model, self.processor)


class Envelope(msgspec.Struct, frozen=True, kw_only=True):
    """A file of queries: for which store, and at which sequence of it."""

    lineage: bytes
    cut: int
    rows: tuple[bytes, ...]


def read_envelope(data: Any, at: str = "queries") -> Envelope:
    """The rows of a file, not yet read themselves.

    Raises:
        BadExchange: the envelope breaks a rule.
    """
    reader = Reader(data, at, least=HEAD_BYTES)
    reader.magic(MAGIC)
    count = reader.u32(8)
    reader.must(1 <= count <= COUNT_MAX, "count", f"1 to {COUNT_MAX}")
    reader.must(reader.u32(12) == 1, "schema", "1")
    reader.must(reader.u32(40) == ROW_BYTES, "row_bytes", str(ROW_BYTES))
    reader.zeros(44, HEAD_BYTES)
    wanted = HEAD_BYTES + count * ROW_BYTES
    reader.must(len(reader.data) == wanted, "bytes", f"{wanted}, found {len(reader.data)}")
    starts = range(HEAD_BYTES, wanted, ROW_BYTES)
    return Envelope(
        lineage=reader.id(16),
        cut=reader.u64(32),
        rows=tuple(reader.take(start, ROW_BYTES) for start in starts),
    )


def write_envelope(envelope: Envelope) -> bytes:
    """The file with these rows."""
    head = MAGIC + u32s(len(envelope.rows), 1) + envelope.lineage
    head += u64s(envelope.cut) + u32s(ROW_BYTES)
    return head.ljust(HEAD_BYTES, b"\0") + b"".join(envelope.rows)


def read(row: Any, at: str = "query", *, raw: bool = False) -> Query:
    """The query of one row; `raw`: in the form of a text that has no vector yet.

    Raises:
        BadExchange: it breaks a rule, with its status.
    """
    reader = Reader(row, at, ROW_BYTES)
    _check_ids(reader)
    width = reader.u32(128)
    model, processor = reader.take(64, DIGEST_BYTES), reader.take(96, DIGEST_BYTES)
    if raw:
        reader.zeros(64, 132, "model")
    else:
        reader.must(any(model) and any(processor), "model", "two digests")
        reader.must(1 <= width <= vectors.WIDTH_MAX, "width", f"1 to {vectors.WIDTH_MAX}")
    entries, size = reader.u32(132), reader.u32(136)
    reader.must(1 <= entries <= ENTRIES_MAX, "entries_max", f"1 to {ENTRIES_MAX}")
    reader.must(1 <= size <= MEMORY_BYTES_MAX, "bytes_max", f"1 to {MEMORY_BYTES_MAX}")
    counts = reader.u32(140), reader.u32(144)
    reader.must(max(counts) <= REFERENCES_MAX, "required", f"at most {REFERENCES_MAX} each")
    text_bytes = reader.u32(148)
    reader.must(1 <= text_bytes <= TEXT_BYTES_MAX, "text", f"1 to {TEXT_BYTES_MAX} bytes")
    reader.zeros(156, 160)
    end = 160 + 4 * width
    reader.zeros(end, 4_256, "vector")
    vector = reader.take(160, 4 * width)
    reader.must(raw or vectors.comparable(vector), "vector", "finite, not all zero", "layout")
    required = _refs(reader, 4_256, counts[0], "required")
    focus = _refs(reader, 4_448, counts[1], "focus")
    text = reader.text(4_640, text_bytes, "text")
    reader.zeros(4_640 + text_bytes, _EXTENSION_AT, "text")
    return Query(
        request=reader.id(0),
        principal=reader.id(16),
        room=reader.id(32),
        selection=reader.id(48),
        scope=reader.u32(152),
        model=model,
        processor=processor,
        vector=vector,
        entries_max=entries,
        bytes_max=size,
        required=required,
        focus=focus,
        text=text,
        extension=_extension(Reader(reader.data[_EXTENSION_AT:], f"{at}.extension")),
    )


def write(query: Query) -> bytes:
    """The row that says this query."""
    text = query.text.encode()
    head = query.request + query.principal + query.room + query.selection
    head += query.model + query.processor
    head += u32s(len(query.vector) // 4, query.entries_max, query.bytes_max)
    head += u32s(len(query.required), len(query.focus), len(text), query.scope, 0)
    head += query.vector.ljust(4_096, b"\0")
    for refs in (query.required, query.focus):
        head += b"".join(ref.bytes for ref in refs).ljust(192, b"\0")
    head += text.ljust(TEXT_BYTES_MAX, b"\0")
    return head + write_extension(query.extension)


def write_extension(extension: Extension | None) -> bytes:
    """The last bytes of a row."""
    if extension is None:
        return bytes(_EXTENSION_BYTES)
    flags = _TASK * (extension.task is not None) + _RANKED * extension.ranked
    head = _EXTENSION + str(extension.revision).encode() + u32s(extension.revision, flags)
    head += (extension.task or NO_ID) + u32s(len(extension.participants))
    head += u32s(extension.floor, extension.boost, extension.revision)
    head += b"".join(extension.participants).ljust(PARTICIPANTS_MAX * ID_BYTES, b"\0")
    return (head + extension.actor).ljust(_EXTENSION_BYTES, b"\0")


def _check_ids(reader: Reader) -> None:
    request, principal, room, selection = (reader.id(place) for place in (0, 16, 32, 48))
    scope = reader.u32(152)
    reader.must(request not in (NO_ID, selection), "request", "an id of its own")
    reader.must(principal != NO_ID, "principal", "an id")
    reader.must(selection != NO_ID, "selection", "an id")
    reader.must(scope <= INSTANCE, "scope", "0, 1 or 2")
    reader.must((room != NO_ID) == (scope == ROOM), "room", "an id where the scope is a room")


def _refs(reader: Reader, place: int, count: int, field: str) -> tuple[Ref, ...]:
    end = place + count * 24
    reader.zeros(end, place + REFERENCES_MAX * 24, field)
    found = tuple(Ref(reader.id(at), reader.u64(at + 16)) for at in range(place, end, 24))
    for index, ref in enumerate(found):
        whole = ref.id != NO_ID and ref.version > 0
        reader.must(whole, f"{field}[{index}]", "an id and a version", "reference")
    return found


def _extension(reader: Reader) -> Extension | None:
    if bytes(reader.data).count(0) == len(reader.data):
        return None
    magic = reader.take(0, 8)
    revision = magic[-1] - ord("0")
    known = magic[:-1] == _EXTENSION and 1 <= revision <= 4
    reader.must(known, "magic", "AOTXCTX1 to 4")
    agreed = reader.u32(8) == revision == reader.u32(44)
    reader.must(agreed, "schema", "magic, schema and policy agree")
    flags = reader.u32(12)
    least = 1 if revision < _ACTOR_FROM else 0
    reader.must(least <= flags <= 3, "flags", f"{least} to 3")
    task, count = reader.id(16), reader.u32(32)
    floor, boost = reader.u32(36), reader.u32(40)
    bound, ranked = bool(flags & _TASK), bool(flags & _RANKED)
    reader.must((task != NO_ID) == bound, "task", "an id where flag 1 is set")
    reader.must(count <= (PARTICIPANTS_MAX if bound else 0), "participants", "too many")
    reader.must(max(floor, boost) <= (SCALE if ranked else 0), "floor", "0 to 1000000 with flag 2")
    end = 48 + count * ID_BYTES
    participants = tuple(reader.id(place) for place in range(48, end, ID_BYTES))
    distinct = len(set(participants)) == count and NO_ID not in participants
    reader.must(distinct, "participants", "ids, each of them once")
    reader.zeros(end, 48 + PARTICIPANTS_MAX * ID_BYTES, "participants")
    if revision < _ACTOR_FROM:
        reader.zeros(1_072, 1_088)
    reader.zeros(1_088, _EXTENSION_BYTES)
    return Extension(
        revision=revision,  # type: ignore[arg-type]  # one of the four
        task=task if bound else None,
        participants=participants,
        ranked=ranked,
        floor=floor,
        boost=boost,
        actor=reader.id(1_072),
    )


def distinct(rows: Sequence[Query]) -> bool:
    """Whether no two queries of a batch, nor one query's two ids, are to be the same object."""
    ids = [id for row in rows for id in (row.request, row.selection)]
    return len(set(ids)) == len(ids)
