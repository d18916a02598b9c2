"""Typed objects: a row of 256 bytes for each version, beside which its payload stands."""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

from muniment.exchange.layout import NO_ID, SCALE, UNKNOWN, Reader, Ref
from muniment.exchange.status import refused

ROW_BYTES = 256

(
    EVENT, ASSERTION, APPRAISAL, RELATIONSHIP, CUE, INTENTION, WORKING, MEDIA, COMPONENT,
    SELECTION, POLICY, IDENTITY, REVIEW,
) = range(1, 14)  # fmt: skip
KINDS = {
    EVENT: "event", ASSERTION: "assertion", APPRAISAL: "appraisal", RELATIONSHIP: "relationship",
    CUE: "cue", INTENTION: "intention", WORKING: "working", MEDIA: "media",
    COMPONENT: "component", SELECTION: "selection", POLICY: "policy", IDENTITY: "identity",
    REVIEW: "review",
}  # fmt: skip

TOMBSTONE, PROTECTED, COLD = 1, 2, 4
PRIVATE, ROOM, INSTANCE = range(3)
AUTHORED, OBSERVED, REPORTED, INFERRED = range(1, 5)
UNKNOWN_EVIDENCE, SUPPORTED, DISPUTED, WITHDRAWN = range(4)
ORDINARY, RETAINED, PENDING = range(3)


class Row(NamedTuple):
    """One version of one object."""

    kind: int
    flags: int
    id: bytes
    lineage: bytes
    version: int
    created: int
    updated: int
    owner: bytes
    room: bytes = NO_ID
    source_id: bytes = NO_ID
    source_version: int = 0
    subject: bytes = NO_ID
    superseded_id: bytes = NO_ID
    superseded_version: int = 0
    payload_at: int = 0
    payload_bytes: int = 0
    scope: int = INSTANCE
    source_kind: int = AUTHORED
    evidence: int = UNKNOWN_EVIDENCE
    retention: int = ORDINARY
    importance: int = UNKNOWN
    expiry: int = 0
    embedding_id: bytes = NO_ID
    embedding_version: int = 0
    policy: int = 1

    @property
    def ref(self) -> Ref:
        """This very version."""
        return Ref(self.id, self.version)

    @property
    def source(self) -> Ref:
        """What it comes from, if anything."""
        return Ref(self.source_id, self.source_version)

    @property
    def superseded(self) -> Ref:
        """What it takes the place of, if anything."""
        return Ref(self.superseded_id, self.superseded_version)

    @property
    def embedding(self) -> Ref:
        """Its vector, if it has one."""
        return Ref(self.embedding_id, self.embedding_version)


_LAYOUT = struct.Struct("<HHI16s16sQQQ16s16s16sQ16s16sQQQIIIIIIQ16sQQ16s")
assert _LAYOUT.size == ROW_BYTES


def read(data: Any, at: str) -> Row:
    """The object of one row, every field in its range.

    Raises:
        BadExchange: a field is not.
    """
    reader = Reader(data, at, ROW_BYTES)
    found = _LAYOUT.unpack(reader.data)
    schema, *fields = found
    reserved, last = found[22], found[27]
    del fields[21], fields[-1]
    row = Row._make(fields)
    if schema != 1 or reserved or any(last):
        raise refused("format", "schema 1 and zero bytes in between", f"{at}.schema")
    _check(reader, row)
    return row


def write(row: Row) -> bytes:
    """The 256 bytes of one row."""
    fields = list(row)
    return _LAYOUT.pack(1, *fields[:21], 0, *fields[21:], bytes(16))


def moved(row: Row, payload_at: int) -> Row:
    """The same row with its payload elsewhere."""
    return row._replace(payload_at=payload_at)


def _check(reader: Reader, row: Row) -> None:
    must = reader.must
    must(row.kind in KINDS, "kind", "1 to 13")
    must(row.flags <= TOMBSTONE | PROTECTED | COLD, "flags", "1, 2 and 4")
    must(row.id != NO_ID, "id", "an id")
    must(row.lineage != NO_ID, "lineage", "an id")
    must(1 <= row.version <= row.updated, "version", "1 to the update")
    must(1 <= row.created <= row.updated, "created", "1 to the update")
    must(row.owner != NO_ID, "owner", "an id")
    must(row.scope <= INSTANCE, "scope", "0, 1 or 2")
    must((row.room != NO_ID) == (row.scope == ROOM), "room", "an id where the scope is a room")
    must(AUTHORED <= row.source_kind <= INFERRED, "source_kind", "1 to 4", "source")
    must(row.evidence <= WITHDRAWN, "evidence", "0 to 3")
    must(row.retention <= PENDING, "retention", "0 to 2")
    must(
        row.importance <= SCALE or row.importance == UNKNOWN, "importance", "millionths or unknown"
    )
    must(row.policy > 0, "policy", "a revision")
    for field, ref in (
        ("source", row.source), ("superseded", row.superseded), ("embedding", row.embedding),
    ):  # fmt: skip
        must((ref.id == NO_ID) == (ref.version == 0), field, "an id has a version", "reference")
    must(
        row.source_kind != INFERRED or bool(row.source), "source", "inferred from something",
        "source",
    )  # fmt: skip
    if row.payload_bytes == 0:
        must(bool(row.flags & TOMBSTONE), "payload_bytes", "only a tombstone has none")
        must(row.payload_at == 0, "payload_at", "0 where there are no bytes")
