"""What binds records: to tasks, readers and rooms, and to what they assess.  One row where any is.

A record that nothing binds has no row, so that a scope without such records pays nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from muniment.model import binding, event
from muniment.model.event import Event
from muniment.model.event_kinds import (
    ContentErased,
    Grade,
    RecordContent,
    RecordWritten,
    Visibility,
)
from muniment.model.query import Filter
from muniment.store.projector import Difference, row_differences
from muniment.store.tx import Read, Write, all_typed

NAME = "binding"
VERSION = 1
DDL = (
    """CREATE TABLE binding (
        seq INTEGER PRIMARY KEY,
        scope INTEGER NOT NULL,
        visibility TEXT NOT NULL,
        grade TEXT,
        priority INTEGER,
        assesses TEXT,
        benefit_ppm INTEGER,
        harm_ppm INTEGER,
        kind TEXT NOT NULL,
        status TEXT NOT NULL,
        assessed INTEGER,
        intensity INTEGER,
        task TEXT,
        about TEXT,
        room TEXT,
        reader TEXT
    ) STRICT""",
    "CREATE INDEX binding_task ON binding (scope, task, kind, seq) WHERE task IS NOT NULL",
    "CREATE INDEX binding_assessed ON binding (scope, assessed, seq) WHERE assessed IS NOT NULL",
    """CREATE INDEX binding_kept ON binding (scope)
        WHERE visibility <> 'scope' OR task IS NOT NULL""",
)
COLUMNS = "seq, visibility, grade, priority, assesses, benefit_ppm, harm_ppm"
TABLES = {
    "binding": f"SELECT {COLUMNS}, kind, status, assessed, intensity, task, about, room,"
    " reader, scope"
    " FROM binding ORDER BY seq"
}


class Row(msgspec.Struct, frozen=True, array_like=True):
    """What a record's shape says, in the order of `COLUMNS`."""

    seq: int
    visibility: Visibility
    grade: Grade | None
    priority: int | None
    assesses: str | None
    benefit_ppm: int | None
    harm_ppm: int | None


def on_record_written(write: Write, events: Sequence[Event]) -> None:
    """A row for each record that something binds."""
    for written in events:
        shape = written.shape
        assert isinstance(shape, RecordWritten)
        content = written.content if isinstance(written.content, RecordContent) else None
        if binding.shaped(shape) or binding.worded(content):
            _insert(write, shape, content)


def on_content_erased(write: Write, events: Sequence[Event]) -> None:
    """No word of a caller stays; where only words bound it, no row does."""
    scope = write.scope.number
    blank = (
        "UPDATE binding SET task = NULL, about = NULL, room = NULL, reader = NULL"
        " WHERE scope = ? AND seq"
    )
    empty = (
        "DELETE FROM binding WHERE visibility = 'scope' AND grade IS NULL AND priority IS NULL"
        " AND assesses IS NULL AND benefit_ppm IS NULL AND harm_ppm IS NULL AND scope = ? AND seq"
    )
    for erased in events:
        shape = erased.shape
        assert isinstance(shape, ContentErased)
        if shape.through is not None:
            for statement in (blank, empty):
                write.run(f"{statement} <= ?", (scope, shape.through))
        gone = [event.reference(id).seq for id in shape.targets + shape.dependents]
        for statement in (blank, empty):
            write.many(f"{statement} = ?", [(scope, seq) for seq in gone])


ON = {RecordWritten: on_record_written, ContentErased: on_content_erased}


def differences(real: Read, right: Read) -> Iterator[Difference]:
    """Row by row."""
    return row_differences(real, right, TABLES)


def bound(row: Row | None, content: RecordContent | None) -> binding.Binding:
    """What binds a record: what its shape says, if anything, and its content."""
    if row is None and not binding.worded(content):
        return binding.UNBOUND
    said = {} if row is None else {field: getattr(row, field) for field in binding.SHAPED}
    words = {} if content is None else {field: getattr(content, field) for field in binding.WORDS}
    return binding.Binding(**said, **words)


def by_seq(read: Read, seqs: Sequence[int]) -> dict[int, Row]:
    """The rows at these seqs, by seq."""
    sql = f"SELECT {COLUMNS} FROM binding WHERE scope = ? AND seq IN "
    return {row.seq: row for row in all_typed(Row, read.among(sql, read.scope.number, seqs))}


def unbound(read: Read) -> bool:
    """Whether nothing in the scope is kept from anybody or for a task."""
    kept = read.value(
        "SELECT 1 FROM binding WHERE scope = ? AND (visibility <> 'scope' OR task IS NOT NULL)"
        " LIMIT 1",
        (read.scope.number,),
    )
    return kept is None


def seen(filter: Filter, seq: str) -> tuple[str, list[Any]]:
    """A condition: the record at `seq` may be seen by who asks; and its values."""
    sees, values = _sees(filter)
    return f"NOT EXISTS (SELECT 1 FROM binding b WHERE b.seq = {seq} AND NOT {sees})", values


def passing(filter: Filter, seq: str) -> tuple[str, list[Any]]:
    """A condition: it may be seen, and applies where it is bound to a task; and its values."""
    sees, values = _sees(filter)
    applies, more = _applies(filter)
    condition = f"b.seq = {seq} AND NOT ({sees} AND {applies})"
    return f"NOT EXISTS (SELECT 1 FROM binding b WHERE {condition})", values + more


def of_task(task: str | None, seq: str) -> tuple[str, list[Any]]:
    """A condition: the record at `seq` is bound to this task, where one is named; and its values."""
    if task is None:
        return "1", []
    return f"EXISTS (SELECT 1 FROM binding t WHERE t.seq = {seq} AND t.task = ?)", [task]


def is_seen(read: Read, filter: Filter, seq: int) -> bool:
    """Whether the record at this seq may be seen by who asks."""
    condition, values = seen(filter, "?")
    return bool(read.value(f"SELECT {condition}", (seq, *values)))


def knows_task(read: Read, filter: Filter) -> bool:
    """Whether anything that may be seen is bound to the task that is asked about, or ever was."""
    sees, values = _sees(filter)
    bounds, also = _bounds(filter)
    found = read.value(
        f"SELECT 1 FROM binding b WHERE b.scope = ? AND b.task = ? AND {sees}{bounds} LIMIT 1",
        [read.scope.number, filter.task, *values, *also],
    )
    return found is not None


def requirements(read: Read, filter: Filter, over: str, limit: int) -> list[int]:
    """The seqs of the task's requirements that apply, by priority, then oldest first.

    `over` says of `b.seq` whether that record does not stand.
    """
    sees, values = _sees(filter)
    applies, more = _applies(filter)
    bounds, also = _bounds(filter)
    return read.column(
        f"SELECT b.seq FROM binding b WHERE b.scope = ? AND b.task = ? AND b.kind = 'requirement'"
        f" AND {sees} AND {applies} AND NOT {over}{bounds}"
        " ORDER BY b.priority IS NULL, b.priority DESC, b.seq LIMIT ?",
        [read.scope.number, filter.task, *values, *more, *also, limit],
    )


def appraisals(
    read: Read, seqs: Sequence[int], filter: Filter, over: str
) -> list[tuple[int, int, int]]:
    """The strongest appraisal of each of these: its seq, what it assesses, and its intensity.

    Of those that may be seen, stand, are meant for every task or this one, and know of anything
    at stake; the strongest first, ties the oldest first.
    """
    sees, values = _sees(filter)
    bounds, also = _bounds(filter)
    found: dict[int, tuple[int, int, int]] = {}
    rows = read.rows(
        "SELECT b.seq, b.assessed, b.intensity FROM json_each(?) AS thing JOIN binding b"
        " ON b.scope = ? AND b.assessed = thing.value WHERE b.intensity > 0"
        f" AND (b.task IS NULL OR b.task = ?) AND {sees} AND NOT {over}{bounds}"
        " ORDER BY b.intensity DESC, b.seq",
        [f"[{','.join(map(str, seqs))}]", read.scope.number, filter.task, *values, *also],
    )
    for seq, assessed, intensity in rows:
        found.setdefault(assessed, (seq, assessed, intensity))
    return list(found.values())


def _insert(write: Write, shape: RecordWritten, content: RecordContent | None) -> None:
    said = binding.of(shape, content)
    assessed = None if said.assesses is None else event.reference(said.assesses).seq
    write.run(
        "INSERT INTO binding (scope, seq, visibility, grade, priority, assesses, benefit_ppm,"
        " harm_ppm, kind, status, assessed, intensity, task, about, room, reader)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            write.scope.number, shape.seq, said.visibility, said.grade, said.priority,
            said.assesses, said.benefit_ppm, said.harm_ppm, shape.kind, shape.status, assessed,
            binding.intensity(said.benefit_ppm, said.harm_ppm), said.task,
            None if content is None else content.about, said.room, said.reader,
        ),
    )  # fmt: skip


def _sees(filter: Filter) -> tuple[str, list[Any]]:
    parts, values = ["b.visibility = 'scope'"], list[Any]()
    for name, value in (("reader", filter.reader), ("room", filter.room)):
        if value is not None:
            kept = "private" if name == "reader" else "room"
            parts.append(f"b.visibility = '{kept}' AND b.{name} IS ?")
            values.append(value)
    return f"({' OR '.join(parts)})", values


def _applies(filter: Filter) -> tuple[str, list[Any]]:
    if filter.task is None:
        return "b.task IS NULL", []
    some = ", ".join("?" for _ in filter.participants)
    concerned = f"(b.about IS NULL OR b.about IN ({some}))"
    waiting = "(b.kind NOT IN ('requirement', 'intention') OR b.status IN ('active', 'pending'))"
    return (
        f"(b.task IS NULL OR (b.task IS ? AND {concerned} AND {waiting}))",
        [filter.task, *filter.participants],
    )


def _bounds(filter: Filter) -> tuple[str, list[Any]]:
    parts, values = "", list[Any]()
    for sql, value in (("seq <= ?", filter.to_seq), ("seq = ?", filter.only)):
        if value is not None:
            parts += f" AND b.{sql}"
            values.append(value)
    return parts, values
