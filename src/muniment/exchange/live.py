"""Files that a console takes in while it runs: whom a slot serves, and what is asked of it.

A slot is bound to a principal, a place and a conversation; a query names its slot, and counts on
from the binding's last.  Both kinds of query have the row of a prepared one inside; that of a text
has no vector yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from muniment.exchange import queries
from muniment.exchange.layout import NO_ID, Reader, Ref, u32s, u64s
from muniment.exchange.queries import COUNT_MAX, Query
from muniment.exchange.status import refused

BINDINGS, QUERIES, TEXTS = b"AOTXBND1", b"AOTXLIV1", b"AOTXTXT1"
_HEAD_BYTES = 64
_BINDING_BYTES = 64
_QUERY_BYTES = 64 + queries.ROW_BYTES
_ROWS = {BINDINGS: _BINDING_BYTES, QUERIES: _QUERY_BYTES, TEXTS: _QUERY_BYTES}
_RETENTION_MAX = 2  # explicit, automatic, semantic


class Binding(msgspec.Struct, frozen=True, kw_only=True):
    """Whom a slot serves.  `retention`: 0 keeps nothing by itself, 1 each input, 2 by meaning."""

    slot: int
    scope: int
    principal: bytes
    room: bytes = NO_ID
    conversation: bytes
    page_cap: int
    retention: int = 0


class Asking(msgspec.Struct, frozen=True, kw_only=True):
    """A query of a slot, the binding's next by its ordinal.

    `working`: what the binding has in hand is pinned behind what the query pins.
    """

    slot: int
    working: bool
    conversation: bytes
    ordinal: int
    query: Query


class Live(msgspec.Struct, frozen=True, kw_only=True):
    """A file: for which store, at which sequence, and its rows of one kind."""

    kind: Literal["bindings", "queries", "texts"]
    lineage: bytes
    sequence: int
    rows: tuple[Binding, ...] | tuple[Asking, ...]


_KINDS: dict[bytes, Literal["bindings", "queries", "texts"]] = {
    BINDINGS: "bindings", QUERIES: "queries", TEXTS: "texts",
}  # fmt: skip


def known(data: Any) -> bool:
    """Whether a file begins like one of these."""
    return bytes(data[:8]) in _KINDS


def read(data: Any, at: str) -> Live:
    """The rows of a file.

    Raises:
        BadExchange: a rule is broken; two rows are of the same slot.
    """
    reader = Reader(data, at, least=_HEAD_BYTES)
    magic = reader.take(0, 8)
    reader.must(magic in _KINDS, "magic", "bindings, queries or texts")
    size, count = _ROWS[magic], reader.u32(8)
    reader.must(1 <= count <= COUNT_MAX, "count", f"1 to {COUNT_MAX}")
    reader.must(reader.u32(12) == 1, "schema", "1")
    reader.must(reader.u32(40) == size, "row_bytes", str(size))
    reader.zeros(44, _HEAD_BYTES)
    reader.must(len(reader.data) == _HEAD_BYTES + count * size, "bytes", "a head and the rows")
    places = range(_HEAD_BYTES, len(reader.data), size)
    parts = [reader.data[place : place + size] for place in places]
    rows: tuple[Binding, ...] | tuple[Asking, ...]
    if magic == BINDINGS:
        rows = tuple(_binding(part, f"{at}.rows[{row}]") for row, part in enumerate(parts))
    else:
        raw = magic == TEXTS
        rows = tuple(_asking(part, f"{at}.rows[{row}]", raw=raw) for row, part in enumerate(parts))
    slots = [row.slot for row in rows]
    reader.must(len(set(slots)) == count, "rows", "each slot once", "reference")
    return Live(kind=_KINDS[magic], lineage=reader.id(16), sequence=reader.u64(32), rows=rows)


def write(live: Live) -> bytes:
    """The file with these rows."""
    magic = next(word for word, kind in _KINDS.items() if kind == live.kind)
    head = magic + u32s(len(live.rows), 1) + live.lineage
    head += u64s(live.sequence) + u32s(_ROWS[magic])
    return head.ljust(_HEAD_BYTES, b"\0") + b"".join(map(_row, live.rows))


def focused(query: Query, working: Sequence[Ref]) -> Query:
    """The query with what the binding has in hand pinned behind its own, none of it twice.

    Raises:
        BadExchange: that is more than a query may pin.
    """
    pinned = dict.fromkeys((*query.focus, *working))
    if len(pinned) > queries.REFERENCES_MAX:
        raise refused("capacity", f"at most {queries.REFERENCES_MAX} pinned", "focus")
    return msgspec.structs.replace(query, focus=tuple(pinned))


def check(asking: Asking, binding: Binding, last: int) -> None:
    """Nothing, if a query is its binding's next.

    Raises:
        BadExchange: it is somebody else's, or not the next one.
    """
    query = asking.query
    mine = (binding.principal, binding.room, binding.scope, binding.conversation)
    if (query.principal, query.room, query.scope, asking.conversation) != mine:
        raise refused("denied", "the binding's principal, place and conversation", "query")
    if asking.ordinal != last + 1:
        raise refused("sequence", f"the ordinal {last + 1}", "query.ordinal")


def _row(row: Binding | Asking) -> bytes:
    if isinstance(row, Binding):
        head = u32s(row.slot, row.scope) + row.principal + row.room + row.conversation
        return head + u32s(row.page_cap, row.retention)
    head = u32s(row.slot, row.working) + bytes(8) + row.conversation + u64s(row.ordinal)
    return head.ljust(64, b"\0") + queries.write(row.query)


def _binding(data: Any, at: str) -> Binding:
    reader = Reader(data, at)
    scope, room, retention = reader.u32(4), reader.id(24), reader.u32(60)
    reader.must(scope <= queries.INSTANCE, "scope", "0, 1 or 2")
    reader.must((room != NO_ID) == (scope == queries.ROOM), "room", "an id of a room's")
    reader.must(reader.id(8) != NO_ID, "principal", "an id")
    reader.must(retention <= _RETENTION_MAX, "retention", "0, 1 or 2")
    return Binding(
        slot=reader.u32(0), scope=scope, principal=reader.id(8), room=room,
        conversation=reader.id(40), page_cap=reader.u32(56), retention=retention,
    )  # fmt: skip


def _asking(data: Any, at: str, *, raw: bool) -> Asking:
    reader = Reader(data, at)
    reader.must(reader.u32(4) <= 1, "working", "0 or 1")
    reader.zeros(8, 16)
    reader.zeros(40, 64)
    return Asking(
        slot=reader.u32(0), working=reader.u32(4) == 1, conversation=reader.id(16),
        ordinal=reader.u64(32), query=queries.read(reader.data[64:], f"{at}.query", raw=raw),
    )  # fmt: skip
