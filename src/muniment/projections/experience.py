"""Experience by seq: who said what kind of thing where and when, and what it hangs on.

The text itself stands in the ledger once; after an erasure the caller's words are gone from here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from muniment.model import event
from muniment.model.event import Event
from muniment.model.event_kinds import ContentErased, MessageContent, MessageObserved
from muniment.model.moment import Moment
from muniment.model.query import ANCHOR, Filter
from muniment.store.projector import Difference, row_differences
from muniment.store.tx import Read, Write, all_typed

NAME = "experience"
VERSION = 1
DDL = (
    """CREATE TABLE experience (
        seq INTEGER PRIMARY KEY,
        scope INTEGER NOT NULL,
        mark INTEGER NOT NULL,
        role TEXT NOT NULL,
        type TEXT NOT NULL,
        ordering TEXT NOT NULL,
        at_ms INTEGER,
        recorded_ms INTEGER NOT NULL,
        parent INTEGER,
        reply_to INTEGER,
        line_first INTEGER,
        line_last INTEGER,
        span_start INTEGER,
        span_end INTEGER,
        actor TEXT,
        thread TEXT,
        session TEXT,
        collection TEXT,
        erased INTEGER NOT NULL
    ) STRICT""",
    "CREATE INDEX experience_thread ON experience (scope, thread, seq) WHERE thread IS NOT NULL",
    "CREATE INDEX experience_session ON experience (scope, session, seq) WHERE session IS NOT NULL",
    """CREATE INDEX experience_collection ON experience (scope, collection)
        WHERE collection IS NOT NULL""",
    "CREATE INDEX experience_parent ON experience (scope, parent, seq) WHERE parent IS NOT NULL",
    "CREATE INDEX experience_reply ON experience (scope, reply_to, seq) WHERE reply_to IS NOT NULL",
    """CREATE TABLE experience_tag (
        scope INTEGER NOT NULL,
        tag TEXT NOT NULL,
        seq INTEGER NOT NULL,
        PRIMARY KEY (scope, tag, seq)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX experience_tag_seq ON experience_tag (scope, seq)",
)
COLUMNS = (
    "seq, mark, role, type, ordering, at_ms, recorded_ms, parent, reply_to,"
    " line_first, line_last, span_start, span_end, actor, thread, session, collection, erased"
)
TABLES = {
    "experience": f"SELECT {COLUMNS}, scope FROM experience ORDER BY seq",
    "experience_tag": "SELECT seq, tag, scope FROM experience_tag ORDER BY seq, tag, scope",
}


class Row(msgspec.Struct, frozen=True, array_like=True):
    """One row, in the order of `COLUMNS`.  Parents are seqs."""

    seq: int
    mark: int
    role: str
    type: str
    ordering: str
    at_ms: int | None
    recorded_ms: int
    parent: int | None
    reply_to: int | None
    line_first: int | None
    line_last: int | None
    span_start: int | None
    span_end: int | None
    actor: str | None
    thread: str | None
    session: str | None
    collection: str | None
    erased: int

    @property
    def id(self) -> str:
        """The event's id."""
        return event.id_text("e", self.seq, self.mark)


def on_message_observed(write: Write, events: Sequence[Event]) -> None:
    """A row for each, and one for each tag."""
    scope = write.scope.number
    write.many(
        "INSERT INTO experience (scope, seq, mark, role, type, ordering, at_ms, recorded_ms,"
        " parent, reply_to, line_first, line_last, span_start, span_end,"
        " actor, thread, session, collection, erased)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [_values(scope, observed) for observed in events],
    )
    tags = [
        (scope, tag, observed.seq)
        for observed in events
        if isinstance(observed.content, MessageContent)
        for tag in observed.content.tags
    ]
    write.many("INSERT OR IGNORE INTO experience_tag (scope, tag, seq) VALUES (?, ?, ?)", tags)


def on_content_erased(write: Write, events: Sequence[Event]) -> None:
    """No word of a caller stays with an erased event."""
    for erased in events:
        assert isinstance(erased.shape, ContentErased)
        blank = (
            "UPDATE experience SET actor = NULL, thread = NULL, session = NULL,"
            " collection = NULL, erased = 1 WHERE scope = ? AND seq"
        )
        scope = write.scope.number
        if erased.shape.through is not None:
            write.run(f"{blank} <= ?", (scope, erased.shape.through))
            write.run(
                "DELETE FROM experience_tag WHERE scope = ? AND seq <= ?",
                (scope, erased.shape.through),
            )
        gone = [(scope, event.reference(id).seq) for id in erased_ids(erased.shape)]
        write.many(f"{blank} = ?", gone)
        write.many("DELETE FROM experience_tag WHERE scope = ? AND seq = ?", gone)


def erased_ids(shape: ContentErased) -> tuple[str, ...]:
    """The ids that an erasure names."""
    return shape.targets + shape.dependents


ON = {MessageObserved: on_message_observed, ContentErased: on_content_erased}


def differences(real: Read, right: Read) -> Iterator[Difference]:
    """Row by row."""
    return row_differences(real, right, TABLES)


def by_seq(read: Read, seqs: Sequence[int]) -> dict[int, Row]:
    """The rows at these seqs, by seq."""
    sql = f"SELECT {COLUMNS} FROM experience WHERE scope = ? AND seq IN "
    return {row.seq: row for row in all_typed(Row, read.among(sql, read.scope.number, seqs))}


def thread(read: Read, name: str, after: int, moment: Moment, limit: int) -> list[Row]:
    """The rows of a thread after a seq and known at the moment, in the order they came."""
    said = "" if moment.said_until_ms is None else " AND coalesce(at_ms, recorded_ms) < ?"
    until = [] if moment.said_until_ms is None else [moment.said_until_ms]
    return _rows(
        read,
        f"scope = ? AND thread = ? AND seq > ? AND seq <= ?{said} ORDER BY seq LIMIT ?",
        [read.scope.number, name, after, moment.seq, *until, limit],
    )


def threads(read: Read, collection: str | None, before: int, limit: int) -> list[tuple[Any, ...]]:
    """Name, number of messages, first and last time said, and last seq of the threads.

    Of those of a collection, or that are seen without naming one; the last written to first,
    below a seq.
    """
    named = "(collection IS NULL OR collection = ?)" if collection is None else "collection = ?"
    return read.rows(
        "SELECT thread, count(*), min(at_ms), max(at_ms), max(seq) AS last FROM experience"
        f" WHERE scope = ? AND thread IS NOT NULL AND erased = 0 AND {named}"
        " GROUP BY thread HAVING last < ? ORDER BY last DESC LIMIT ?",
        (read.scope.number, ANCHOR if collection is None else collection, before, limit),
    )


def collections(read: Read, before: int, limit: int) -> list[tuple[Any, ...]]:
    """Name, number of messages and threads, first and last time said, and last seq of each.

    The last written to first, below a seq.
    """
    return read.rows(
        "SELECT collection, count(*), count(DISTINCT thread), min(at_ms), max(at_ms),"
        " max(seq) AS last FROM experience"
        " WHERE scope = ? AND collection IS NOT NULL AND erased = 0"
        " GROUP BY collection HAVING last < ? ORDER BY last DESC LIMIT ?",
        (read.scope.number, before, limit),
    )


def places(read: Read, seqs: Sequence[int]) -> list[tuple[int, str | None, str | None]]:
    """Seq, thread and session of the messages among these seqs, in order."""
    sql = "SELECT seq, thread, session FROM experience WHERE scope = ? AND erased = 0 AND seq IN "
    return sorted(read.among(sql, read.scope.number, seqs), key=lambda row: row[0])


def of_session(read: Read, name: str) -> list[Row]:
    """The rows of a session, in the order they came."""
    return _rows(read, "scope = ? AND session = ? ORDER BY seq", (read.scope.number, name))


def before(read: Read, row: Row, limit: int) -> list[Row]:
    """At most `limit` rows that stand before `row` in its thread, in order."""
    found = _rows(
        read,
        "scope = ? AND thread = ? AND seq < ? ORDER BY seq DESC LIMIT ?",
        (read.scope.number, row.thread, row.seq, limit),
    )
    return found[::-1]


def hanging_on(read: Read, seq: int, limit: int) -> list[Row]:
    """At most `limit` rows whose parent is `seq` or that answer it, in order."""
    scope = read.scope.number
    children = _rows(read, "scope = ? AND parent = ? ORDER BY seq LIMIT ?", (scope, seq, limit))
    replies = _rows(read, "scope = ? AND reply_to = ? ORDER BY seq LIMIT ?", (scope, seq, limit))
    both = {row.seq: row for row in children + replies}
    return [both[seq] for seq in sorted(both)][:limit]


def corrected(read: Read, seqs: Sequence[int], moment: Moment) -> set[int]:
    """Those of these seqs that a correction answers, as was known and said at the moment."""
    return {wrong for _, wrong in corrections(read, seqs, moment)}


def corrections(read: Read, seqs: Sequence[int], moment: Moment) -> list[tuple[int, int]]:
    """The corrections that answer these seqs, as was known and said then: each with what it answers.

    The newest first.
    """
    said = moment.said_until_ms
    until = "" if said is None else f" AND coalesce(at_ms, recorded_ms) < {said:d}"
    sql = (
        "SELECT seq, reply_to, erased FROM experience"
        " WHERE scope = ? AND type = 'correction'"
        f" AND seq <= {moment.seq:d}{until} AND reply_to IN "
    )
    found = {
        (seq, wrong)
        for seq, wrong, erased in read.among(sql, read.scope.number, seqs)
        if not erased or seq in moment.unerased
    }
    return sorted(found, reverse=True)


def answers(read: Read, seqs: Sequence[int]) -> set[int]:
    """The seqs of all corrections that answer these, erased ones too."""
    sql = "SELECT seq FROM experience WHERE scope = ? AND type = 'correction' AND reply_to IN "
    return {seq for (seq,) in read.among(sql, read.scope.number, seqs)}


def unfiltered(read: Read, filter: Filter) -> bool:
    """Whether everything in the scope passes: nothing is asked for, and nothing is hidden."""
    if filter != Filter():
        return False
    hidden = read.value(
        "SELECT 1 FROM experience WHERE scope = ? AND collection IS NOT NULL"
        " AND collection <> ? LIMIT 1",
        (read.scope.number, ANCHOR),
    )
    return hidden is None


def passing(filter: Filter, seq: str) -> tuple[str, list[Any]]:
    """A condition on the seq that the expression `seq` gives, and its values.

    A collection other than the anchor is seen only where it is named.
    """
    where, values = _conditions(filter)
    return f"EXISTS (SELECT 1 FROM experience x WHERE x.seq = {seq}{where})", values


def latest(read: Read, filter: Filter, limit: int, also: tuple[str, list[Any]]) -> list[int]:
    """The newest seqs of experience that pass the filter, newest first.

    `also` is one more condition on the row `x`, and its values.
    """
    where, values = _conditions(filter)
    if filter.only is not None:
        where += " AND x.seq = ?"
        values.append(filter.only)
    return read.column(
        f"SELECT x.seq FROM experience x WHERE x.scope = ? AND x.erased = 0{where} AND {also[0]}"
        " ORDER BY x.seq DESC LIMIT ?",
        [read.scope.number, *values, *also[1], limit],
    )


def spread(
    read: Read, filter: Filter, stretches: Sequence[tuple[int, int]], limit: int
) -> tuple[list[int], int]:
    """Seqs that pass the filter and were said in one of these stretches, and how many there are.

    In the order of their times, at most `limit`, evenly among all; ends are exclusive.
    """
    where, values = _conditions(filter)
    if filter.only is not None:
        where += " AND x.seq = ?"
        values.append(filter.only)
    within = " OR ".join("(x.at_ms >= ? AND x.at_ms < ?)" for _ in stretches)
    rows = read.rows(
        "SELECT seq, every FROM (SELECT x.seq AS seq, count(*) OVER () AS every,"
        " row_number() OVER (ORDER BY x.at_ms, x.seq) AS number FROM experience x"
        f" WHERE x.scope = ? AND x.erased = 0{where} AND ({within}))"
        " WHERE number * ? / every > (number - 1) * ? / every ORDER BY number",
        [read.scope.number, *values, *(end for each in stretches for end in each), limit, limit],
    )
    return [seq for seq, _ in rows], rows[0][1] if rows else 0


def _conditions(filter: Filter) -> tuple[str, list[Any]]:
    """What a row `x` must be, each part after an AND."""
    parts: list[str] = []
    values: list[Any] = []
    for sql, value in (
        ("x.thread = ?", filter.thread),
        ("x.session = ?", filter.session),
        ("x.session IS NOT ?", filter.exclude_session),
        ("x.role = ?", filter.role),
        ("x.type = ?", filter.type),
        ("x.at_ms >= ?", filter.since_ms),
        ("x.at_ms < ?", filter.until_ms),
        ("coalesce(x.at_ms, x.recorded_ms) < ?", filter.said_until_ms),
        ("x.seq <= ?", filter.to_seq),
    ):
        if value is not None:
            parts.append(sql)
            values.append(value)
    if filter.collection is None:
        parts.append(f"(x.collection IS NULL OR x.collection = '{ANCHOR}')")
    else:
        parts.append("x.collection = ?")
        values.append(filter.collection)
    for tag in filter.tags:
        parts.append(
            "EXISTS (SELECT 1 FROM experience_tag t"
            " WHERE t.scope = x.scope AND t.seq = x.seq AND t.tag = ?)"
        )
        values.append(tag)
    return "".join(f" AND {part}" for part in parts), values


def counts(read: Read) -> tuple[int, int]:
    """How many events there are, and how many of them are erased."""
    row = read.row(
        "SELECT count(*), coalesce(sum(erased), 0) FROM experience WHERE scope = ?",
        (read.scope.number,),
    )
    assert row is not None
    return row[0], row[1]


def _rows(read: Read, where: str, values: Sequence[Any]) -> list[Row]:
    return all_typed(Row, read.rows(f"SELECT {COLUMNS} FROM experience WHERE {where}", values))


def _values(scope: int, observed: Event) -> tuple[Any, ...]:
    shape = observed.shape
    assert isinstance(shape, MessageObserved)
    content = observed.content
    lines = shape.lines or (None, None)
    span = shape.span or (None, None)
    if isinstance(content, MessageContent):
        words = (content.actor, content.thread, content.session, content.collection, 0)
    else:
        words = (None, None, None, None, 1)
    return (
        scope,
        shape.seq,
        observed.mark,
        shape.role,
        shape.type,
        shape.ordering,
        shape.at_ms,
        observed.recorded_ms,
        None if shape.parent is None else event.reference(shape.parent).seq,
        None if shape.reply_to is None else event.reference(shape.reply_to).seq,
        *lines,
        *span,
        *words,
    )
