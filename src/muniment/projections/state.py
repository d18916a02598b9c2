"""State: a small map of keys to JSON values, at every seq.  The values stand in the ledger."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from muniment.model import event
from muniment.model.event import Event
from muniment.model.event_kinds import ContentErased, StateContent, StateDeleted, StateSet
from muniment.model.moment import LAST_SEQ, Moment
from muniment.model.query import Filter
from muniment.model.standing import Standing
from muniment.store.projector import Difference, row_differences
from muniment.store.tx import Read, Write, all_typed, typed

NAME = "state"
VERSION = 1
DDL = (
    """CREATE TABLE state (
        seq INTEGER PRIMARY KEY,
        scope INTEGER NOT NULL,
        mark INTEGER NOT NULL,
        key_tag TEXT NOT NULL,
        key TEXT,
        bytes INTEGER NOT NULL,
        recorded_ms INTEGER NOT NULL,
        supersedes INTEGER,
        to_seq INTEGER,
        erased INTEGER NOT NULL
    ) STRICT""",
    "CREATE INDEX state_key ON state (scope, key_tag, seq)",
)
COLUMNS = "seq, mark, key, bytes, recorded_ms, supersedes, to_seq, erased"
# Whether another value stands where it ended; if not, its key was deleted there.
_SELECT = (
    f"{COLUMNS}, (to_seq IS NULL OR EXISTS (SELECT 1 FROM state n WHERE n.scope = state.scope"
    " AND n.seq = state.to_seq))"
)
TABLES = {"state": f"SELECT {COLUMNS}, key_tag, scope FROM state ORDER BY seq"}


class Row(msgspec.Struct, frozen=True, array_like=True):
    """One row, in the order of `COLUMNS`.  `bytes`: key and value together.

    `goes_on`: it has not ended, or another value ended it.
    """

    seq: int
    mark: int
    key: str | None
    bytes: int
    recorded_ms: int
    supersedes: int | None
    to_seq: int | None
    erased: int
    goes_on: int

    @property
    def id(self) -> str:
        """The event's id."""
        return event.id_text("l", self.seq, self.mark)

    def standing(self, moment: Moment) -> Standing:
        """Whether it is the value at that moment."""
        if self.erased and self.seq not in moment.unerased:
            return "erased"
        if self.to_seq is None or self.to_seq > moment.seq:
            return "current"
        return "superseded" if self.goes_on else "retracted"


def on_state_set(write: Write, events: Sequence[Event]) -> None:
    """The newest value takes the place of the one before."""
    scope = write.scope.number
    for written in events:
        shape = written.shape
        assert isinstance(shape, StateSet)
        before = None if shape.supersedes is None else event.reference(shape.supersedes).seq
        if before is not None:
            write.run(
                "UPDATE state SET to_seq = ? WHERE scope = ? AND seq = ?",
                (shape.seq, scope, before),
            )
        content = written.content
        present = isinstance(content, StateContent)
        write.run(
            "INSERT INTO state (scope, seq, mark, key_tag, key, bytes, recorded_ms, supersedes,"
            " to_seq, erased) VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, ?)",
            (
                scope,
                shape.seq,
                written.mark,
                shape.key_tag,
                content.key if isinstance(content, StateContent) else None,
                (shape.content_bytes or 0) if present else 0,
                written.recorded_ms,
                before,
                0 if present else 1,
            ),
        )


def on_state_deleted(write: Write, events: Sequence[Event]) -> None:
    """The value has ended, and none takes its place."""
    for deleted in events:
        shape = deleted.shape
        assert isinstance(shape, StateDeleted)
        write.run(
            "UPDATE state SET to_seq = ? WHERE scope = ? AND seq = ?",
            (shape.seq, write.scope.number, event.reference(shape.supersedes).seq),
        )


def on_content_erased(write: Write, events: Sequence[Event]) -> None:
    """No word of a caller stays with an erased value."""
    scope = write.scope.number
    blank = "UPDATE state SET key = NULL, bytes = 0, erased = 1 WHERE scope = ? AND seq"
    for erased in events:
        shape = erased.shape
        assert isinstance(shape, ContentErased)
        if shape.through is not None:
            write.run(f"{blank} <= ?", (scope, shape.through))
        gone = [event.reference(id).seq for id in shape.targets + shape.dependents]
        write.many(f"{blank} = ?", [(scope, seq) for seq in gone])


ON = {
    StateSet: on_state_set,
    StateDeleted: on_state_deleted,
    ContentErased: on_content_erased,
}


def differences(real: Read, right: Read) -> Iterator[Difference]:
    """Row by row."""
    return row_differences(real, right, TABLES)


def current(read: Read, key_tag: str, at_seq: int | None = None) -> Row | None:
    """The value of a key, now or as it was after `at_seq`."""
    at = LAST_SEQ if at_seq is None else at_seq
    row = read.row(
        f"SELECT {_SELECT} FROM state WHERE scope = ? AND key_tag = ? AND seq <= ?"
        " AND coalesce(to_seq > ?, 1) ORDER BY seq DESC LIMIT 1",
        (read.scope.number, key_tag, at, at),
    )
    return None if row is None else typed(Row, row)


def listed(read: Read, prefix: str, before: int, at_seq: int | None, limit: int) -> list[Row]:
    """The values, now or after `at_seq`, of the keys that begin so; the last set first.

    Of those that stand below the seq `before`; erased ones have no key.
    """
    at = LAST_SEQ if at_seq is None else at_seq
    rows = read.rows(
        f"SELECT {_SELECT} FROM state WHERE scope = ? AND erased = 0"
        " AND substr(key, 1, length(?)) = ? AND seq < ? AND seq <= ?"
        " AND coalesce(to_seq > ?, 1) ORDER BY seq DESC LIMIT ?",
        (read.scope.number, prefix, prefix, before, at, at, limit),
    )
    return all_typed(Row, rows)


def versions(read: Read, key_tag: str, to_seq: int = LAST_SEQ) -> list[Row]:
    """Every value of a key up to a seq, oldest first."""
    rows = read.rows(
        f"SELECT {_SELECT} FROM state WHERE scope = ? AND key_tag = ? AND seq <= ? ORDER BY seq",
        (read.scope.number, key_tag, to_seq),
    )
    return all_typed(Row, rows)


def by_seq(read: Read, seqs: Sequence[int]) -> dict[int, Row]:
    """The rows at these seqs, by seq."""
    sql = f"SELECT {_SELECT} FROM state WHERE scope = ? AND seq IN "
    return {row.seq: row for row in all_typed(Row, read.among(sql, read.scope.number, seqs))}


def passing(filter: Filter, seq: str) -> tuple[str, list[Any]]:
    """A condition on the seq that the expression `seq` gives, and its values."""
    parts, values = "", []
    for sql, value in (
        ("s.recorded_ms >= ?", filter.since_ms),
        ("s.recorded_ms < ?", filter.until_ms),
        ("s.seq <= ?", filter.to_seq),
    ):
        if value is not None:
            parts += f" AND {sql}"
            values.append(value)
    return f"EXISTS (SELECT 1 FROM state s WHERE s.seq = {seq}{parts})", values


def ended(seq: str, moment: Moment) -> str:
    """An expression: whether the value at `seq` is over then; null where there is none."""
    return f"(SELECT coalesce(s.to_seq <= {moment.seq:d}, 0) FROM state s WHERE s.seq = {seq})"


def total_bytes(read: Read) -> int:
    """What the present values take together."""
    number = read.value(
        "SELECT coalesce(sum(bytes), 0) FROM state WHERE scope = ? AND to_seq IS NULL",
        (read.scope.number,),
    )
    assert isinstance(number, int)
    return number


def count(read: Read) -> int:
    """How many keys have a value now."""
    number = read.value(
        "SELECT count(*) FROM state WHERE scope = ? AND to_seq IS NULL AND erased = 0",
        (read.scope.number,),
    )
    assert isinstance(number, int)
    return number
