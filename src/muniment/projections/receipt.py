"""Receipts by seq of the journal, and which of them speak of which thing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from muniment.model import event
from muniment.model.event import Event
from muniment.model.event_kinds import RecallContent, RecallRecorded, ReceiptErased
from muniment.store.projector import Difference, row_differences
from muniment.store.tx import Read, Write, all_typed, typed

NAME = "receipt"
VERSION = 1
DDL = (
    """CREATE TABLE receipt (
        seq INTEGER PRIMARY KEY,
        scope INTEGER NOT NULL,
        mark INTEGER NOT NULL,
        recorded_ms INTEGER NOT NULL,
        erased INTEGER NOT NULL
    ) STRICT""",
    """CREATE TABLE receipt_item (
        scope INTEGER NOT NULL,
        item INTEGER NOT NULL,
        receipt INTEGER NOT NULL,
        PRIMARY KEY (scope, item, receipt)
    ) STRICT, WITHOUT ROWID""",
)
COLUMNS = "seq, mark, recorded_ms, erased"
TABLES = {
    "receipt": f"SELECT {COLUMNS}, scope FROM receipt ORDER BY seq",
    "receipt_item": "SELECT receipt, item, scope FROM receipt_item ORDER BY receipt, item, scope",
}


class Row(msgspec.Struct, frozen=True, array_like=True):
    """One row, in the order of `COLUMNS`."""

    seq: int
    mark: int
    recorded_ms: int
    erased: int

    @property
    def id(self) -> str:
        """The receipt's id."""
        return event.id_text("q", self.seq, self.mark)


def on_recall_recorded(write: Write, events: Sequence[Event]) -> None:
    """A row for each, and one for each thing that it showed or left out."""
    scope = write.scope.number
    for recorded in events:
        shape = recorded.shape
        assert isinstance(shape, RecallRecorded)
        write.run(
            "INSERT INTO receipt (scope, seq, mark, recorded_ms, erased) VALUES (?, ?, ?, ?, ?)",
            (
                scope,
                shape.seq,
                recorded.mark,
                recorded.recorded_ms,
                int(not isinstance(recorded.content, RecallContent)),
            ),
        )
        write.many(
            "INSERT INTO receipt_item (scope, item, receipt) VALUES (?, ?, ?)",
            [(scope, event.reference(id).seq, shape.seq) for id in sorted(_named(shape))],
        )


def on_receipt_erased(write: Write, events: Sequence[Event]) -> None:
    """Its words are gone; which things it spoke of stays."""
    scope = write.scope.number
    for erased in events:
        shape = erased.shape
        assert isinstance(shape, ReceiptErased)
        if shape.through is not None:
            write.run(
                "UPDATE receipt SET erased = 1 WHERE scope = ? AND seq <= ?", (scope, shape.through)
            )
        write.many(
            "UPDATE receipt SET erased = 1 WHERE scope = ? AND seq = ?",
            [(scope, event.reference(id).seq) for id in shape.targets],
        )


ON = {RecallRecorded: on_recall_recorded, ReceiptErased: on_receipt_erased}


def differences(real: Read, right: Read) -> Iterator[Difference]:
    """Row by row."""
    return row_differences(real, right, TABLES)


def by_seq(read: Read, seq: int) -> Row | None:
    """The row at this seq of the journal."""
    row = read.row(
        f"SELECT {COLUMNS} FROM receipt WHERE scope = ? AND seq = ?", (read.scope.number, seq)
    )
    return None if row is None else typed(Row, row)


def speaking_of(read: Read, seqs: Sequence[int]) -> list[Row]:
    """The receipts, not erased, that showed or left out one of these things; in order."""
    found: dict[int, Row] = {}
    for seq in seqs:
        rows = read.rows(
            "SELECT r.seq, r.mark, r.recorded_ms, r.erased FROM receipt_item i JOIN receipt r"
            " ON r.scope = i.scope AND r.seq = i.receipt WHERE i.scope = ? AND i.item = ?"
            " AND r.erased = 0",
            (read.scope.number, seq),
        )
        found |= {row.seq: row for row in all_typed(Row, rows)}
    return [found[seq] for seq in sorted(found)]


def latest(read: Read, before: int, limit: int) -> list[Row]:
    """The receipts below a seq of the journal, newest first."""
    rows = read.rows(
        f"SELECT {COLUMNS} FROM receipt WHERE scope = ? AND seq < ? ORDER BY seq DESC LIMIT ?",
        (read.scope.number, before, limit),
    )
    return all_typed(Row, rows)


def count(read: Read) -> int:
    """How many recalls have been recorded."""
    number = read.value("SELECT count(*) FROM receipt WHERE scope = ?", (read.scope.number,))
    assert isinstance(number, int)
    return number


def _named(shape: RecallRecorded) -> set[str]:
    named = set(shape.chosen) | {left.id for left in shape.left_out}
    return named | {hit.id for each in shape.found for hit in each.hits}
