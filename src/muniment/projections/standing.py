"""What stands: the questions to the table `record` that a moment decides.

`record` makes the table and fills it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from muniment.model.listing import ANY_STANDING, Listed
from muniment.model.moment import Moment
from muniment.model.query import Filter
from muniment.model.version import COLUMNS, Row
from muniment.store.tx import Read, all_typed

_BATCH = 512  # rows at a time, of which those are listed that stand as is asked
ANY: tuple[str, list[Any]] = ("1", [])  # a condition that everything passes


def open_tasks(
    read: Read, moment: Moment, limit: int, after: int = 0, also: tuple[str, list[Any]] = ANY
) -> list[Row]:
    """Tasks open at that moment behind a seq that pass `also`, past their time too; oldest first."""
    # Nothing ends an open task for some moments alone.
    rows = read.rows(
        f"SELECT {COLUMNS} FROM record WHERE scope = ? AND status = 'open'"
        f" AND {_unended('record', moment)} AND seq > ? AND {also[0]} ORDER BY seq LIMIT ?",
        (read.scope.number, after, *also[1], limit),
    )
    return all_typed(Row, rows)


def passing(filter: Filter, seq: str) -> tuple[str, list[Any]]:
    """A condition on the seq that the expression `seq` gives, and its values."""
    where, values = _bounds(filter)
    return f"EXISTS (SELECT 1 FROM record r WHERE r.seq = {seq}{where})", values


def ended(seq: str, moment: Moment) -> str:
    """An expression: whether the record at `seq` is over then; null where there is none."""
    return f"(SELECT NOT ({_current('r', moment)}) FROM record r WHERE r.seq = {seq})"


def latest(
    read: Read, filter: Filter, moment: Moment | None, limit: int, also: tuple[str, list[Any]]
) -> list[int]:
    """The seqs of records that stand then and pass `also`, or of all versions, newest first."""
    where, values = _bounds(filter)
    standing = "r.ended IS NOT 'erased'" if moment is None else _current("r", moment)
    return read.column(
        f"SELECT r.seq FROM record r WHERE r.scope = ? AND {standing}{where} AND {also[0]}"
        " ORDER BY r.seq DESC LIMIT ?",
        [read.scope.number, *values, *also[1], limit],
    )


def keyed(read: Read, before: int, limit: int) -> list[int]:
    """The seqs of the newest version of each key, newest first, below a seq."""
    return read.column(
        "SELECT max(seq) AS newest FROM record WHERE scope = ? AND key_tag IS NOT NULL"
        " GROUP BY key_tag HAVING newest < ? ORDER BY newest DESC LIMIT ?",
        (read.scope.number, before, limit),
    )


def beside(read: Read, newest: Sequence[int], moment: Moment) -> dict[int, list[int]]:
    """The versions of its key, by the seq of the newest, that stand then or are still to stand.

    The newest of them first.
    """
    begin = f"max({moment.at_ms:d}, coalesce(r.valid_from_ms, {moment.at_ms:d}))"
    sql = (
        "SELECT n.seq, r.seq FROM record n JOIN record r ON r.scope = n.scope"
        f" AND r.key_tag = n.key_tag AND r.seq < n.seq AND {_current('r', moment, begin)}"
        " WHERE n.scope = ? AND n.seq IN "
    )
    found: dict[int, list[int]] = {}
    for seq, other in sorted(read.among(sql, read.scope.number, newest), reverse=True):
        found.setdefault(seq, []).append(other)
    return found


def line(read: Read, seq: int) -> list[int]:
    """The seqs of every version of what the record at `seq` is a version of, oldest first."""
    scope = read.scope.number
    return read.column(
        "WITH RECURSIVE earlier (seq, supersedes) AS ("
        " SELECT seq, supersedes FROM record WHERE scope = ? AND seq = ?"
        " UNION SELECT r.seq, r.supersedes FROM record r JOIN earlier e"
        " ON r.scope = ? AND r.seq = e.supersedes),"
        " later (seq) AS (SELECT ?"
        " UNION SELECT r.seq FROM record r JOIN later l ON r.scope = ? AND r.supersedes = l.seq)"
        " SELECT seq FROM earlier UNION SELECT seq FROM later ORDER BY seq",
        (scope, seq, scope, seq, scope),
    )


def listed(
    read: Read, asked: Listed, moment: Moment, limit: int, also: tuple[str, list[Any]]
) -> list[int]:
    """The seqs of the records that are asked for and pass `also`, newest first."""
    where, values = f"r.scope = ? AND r.seq < ? AND {also[0]}", [*also[1]]
    for column, value in (("kind", asked.kind), ("about", asked.about)):
        if value is not None:
            where += f" AND r.{column} = ?"
            values.append(value)
    # What stands is over for no moment; this spares the long past of a scope.
    where += " AND r.to_seq IS NULL" if asked.standing == "current" else ""
    columns = ", ".join(f"r.{name}" for name in COLUMNS.split(", "))
    found: list[int] = []
    before = asked.before
    while len(found) < limit:
        rows = [
            Row(*row)
            for row in read.rows(
                f"SELECT {columns} FROM record r WHERE {where} ORDER BY r.seq DESC LIMIT ?",
                (read.scope.number, before, *values, _BATCH),
            )
        ]
        found += [row.seq for row in rows if asked.standing in (ANY_STANDING, row.standing(moment))]
        if len(rows) < _BATCH:
            break
        before = rows[-1].seq
    return found[:limit]


def _unended(row: str, moment: Moment) -> str:
    """A condition: nothing had ended the row at that moment, for every moment, but time itself."""
    if not moment.past:
        return f"{row}.to_seq IS NULL"
    return (
        f"({row}.to_seq IS NULL OR {row}.to_seq > {moment.seq:d}) AND {row}.ended IS NOT 'erased'"
    )


def _current(row: str, moment: Moment, at: str | None = None) -> str:
    """A condition: the row stands at that moment, as `Row.standing` says; so it takes up a limit.

    `at` is an expression of the time that is judged instead of the moment's.
    """
    at = at or f"{moment.at_ms:d}"
    over = (
        f"EXISTS (SELECT 1 FROM json_each({row}.ends) e WHERE e.value ->> 1 <= {moment.seq:d}"
        f" AND coalesce(e.value ->> 2 <= {at}, 1)"
        f" AND coalesce(e.value ->> 3 > {at}, 1))"
    )
    return (
        f"iif({row}.ends IS NULL, {_unended(row, moment)},"
        f" {row}.ended IS NOT 'erased' AND NOT {over})"
        f" AND {row}.kind <> 'proposal'"
        f" AND {row}.status NOT IN ('retracted', 'rejected', 'expired')"
        f" AND coalesce({row}.until_ms > {at}, 1)"
        f" AND coalesce({row}.valid_from_ms <= {at}, 1)"
    )


def _bounds(filter: Filter) -> tuple[str, list[Any]]:
    """By the time of writing; nothing else in a filter speaks of records."""
    parts, values = "", []
    for sql, value in (
        ("recorded_ms >= ?", filter.since_ms),
        ("recorded_ms < ?", filter.until_ms),
        ("seq <= ?", filter.to_seq),
        ("seq = ?", filter.only),
    ):
        if value is not None:
            parts += f" AND r.{sql}"
            values.append(value)
    return parts, values
