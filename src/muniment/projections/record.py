"""Records by seq: every version, when it ended and why, and what it cites.

Standing is folded, not walked: when something ends, the fold writes that on it and on what
depends on it, so that one row answers whether a record stands.  `standing` asks it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from muniment.errors import RebuildNeeded
from muniment.model import binding, event, stretch
from muniment.model.event import Event
from muniment.model.event_kinds import (
    ContentErased,
    RecordContent,
    RecordWritten,
    StateDeleted,
    StateSet,
)
from muniment.model.moment import LAST_SEQ, Moment
from muniment.model.record import text_hash
from muniment.model.standing import OUTCOMES, Cause, Outcome, effect
from muniment.model.stretch import ALWAYS, End, Stretch
from muniment.model.version import COLUMNS, Row
from muniment.store.projector import Difference, row_differences
from muniment.store.tx import Read, Write, all_typed, typed

NAME = "record"
VERSION = 2
DDL = (
    """CREATE TABLE record (
        seq INTEGER PRIMARY KEY,
        scope INTEGER NOT NULL,
        mark INTEGER NOT NULL,
        kind TEXT NOT NULL,
        status TEXT NOT NULL,
        owner TEXT NOT NULL,
        key_tag TEXT,
        key TEXT,
        about TEXT,
        text_hash INTEGER,
        text_bytes INTEGER NOT NULL,
        supersedes INTEGER,
        recorded_ms INTEGER NOT NULL,
        valid_from_ms INTEGER,
        valid_to_ms INTEGER,
        until_ms INTEGER,
        ended TEXT,
        to_seq INTEGER,
        ends TEXT,
        receipt TEXT,
        bound INTEGER NOT NULL
    ) STRICT""",
    "CREATE INDEX record_key ON record (scope, key_tag, seq) WHERE key_tag IS NOT NULL",
    "CREATE INDEX record_text ON record (scope, text_hash) WHERE text_hash IS NOT NULL",
    """CREATE INDEX record_supersedes ON record (scope, supersedes)
        WHERE supersedes IS NOT NULL""",
    "CREATE INDEX record_open ON record (scope, seq) WHERE status = 'open' AND to_seq IS NULL",
    """CREATE TABLE link (
        scope INTEGER NOT NULL,
        record INTEGER NOT NULL,
        position INTEGER NOT NULL,
        source INTEGER NOT NULL,
        source_id TEXT NOT NULL,
        role TEXT NOT NULL,
        span_start INTEGER,
        span_end INTEGER,
        covers INTEGER NOT NULL,
        PRIMARY KEY (scope, record, position)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX link_source ON link (scope, source, record)",
)
TABLES = {
    "record": f"SELECT {COLUMNS}, text_hash, scope FROM record ORDER BY seq",
    "link": "SELECT record, position, source, source_id, role, span_start, span_end, covers, scope"
    " FROM link ORDER BY record, position, scope",
}


def on_record_written(write: Write, events: Sequence[Event]) -> None:
    """A new version: a row, its links, and the end of what it supersedes."""
    for written in events:
        shape = written.shape
        assert isinstance(shape, RecordWritten)
        before = None if shape.supersedes is None else event.reference(shape.supersedes).seq
        _insert_links(write, shape)
        _insert(write, written, before)
        if before is not None:
            _replace(write, shape, before)


def on_content_erased(write: Write, events: Sequence[Event]) -> None:
    """No word of a caller stays with an erased record; what rests on it ends by its kind."""
    scope = write.scope.number
    blank = (
        "UPDATE record SET key = NULL, about = NULL, text_hash = NULL, text_bytes = 0,"
        " ended = 'erased', to_seq = coalesce(to_seq, ?) WHERE scope = ? AND seq"
    )
    for erased in events:
        shape = erased.shape
        assert isinstance(shape, ContentErased)
        if shape.through is not None:
            write.run(f"{blank} <= ?", (shape.seq, scope, shape.through))
            continue
        gone = [event.reference(id).seq for id in shape.targets + shape.dependents]
        write.many(f"{blank} = ?", [(shape.seq, scope, seq) for seq in gone])
        for seq in gone:
            _follow(write, seq, "erased", shape.seq)


def on_state_set(write: Write, events: Sequence[Event]) -> None:
    """What rests on the value that a key had before ends by its kind."""
    for put in events:
        before = getattr(put.shape, "supersedes", None)
        if before is not None:
            _follow(write, event.reference(before).seq, "superseded", put.seq)


def on_state_deleted(write: Write, events: Sequence[Event]) -> None:
    """What rests on the value that a key had ends by its kind."""
    for deleted in events:
        shape = deleted.shape
        assert isinstance(shape, StateDeleted)
        _follow(write, event.reference(shape.supersedes).seq, "retracted", shape.seq)


ON = {
    RecordWritten: on_record_written,
    StateSet: on_state_set,
    StateDeleted: on_state_deleted,
    ContentErased: on_content_erased,
}


def differences(real: Read, right: Read) -> Iterator[Difference]:
    """Row by row."""
    return row_differences(real, right, TABLES)


def by_seq(read: Read, seqs: Sequence[int]) -> dict[int, Row]:
    """The rows at these seqs, by seq."""
    sql = f"SELECT {COLUMNS} FROM record WHERE scope = ? AND seq IN "
    return {row.seq: row for row in all_typed(Row, read.among(sql, read.scope.number, seqs))}


def newest(read: Read, key_tag: str) -> Row | None:
    """The newest version of a key, whatever its standing."""
    rows = _rows(
        read,
        "scope = ? AND key_tag = ? ORDER BY seq DESC LIMIT 1",
        (read.scope.number, key_tag),
    )
    return rows[0] if rows else None


def versions(read: Read, key_tag: str, to_seq: int = LAST_SEQ) -> list[Row]:
    """Every version of a key up to a seq, oldest first."""
    return _rows(
        read,
        "scope = ? AND key_tag = ? AND seq <= ? ORDER BY seq",
        (read.scope.number, key_tag, to_seq),
    )


def successors(read: Read, seq: int) -> list[Row]:
    """The versions that take the place of the one at `seq`, directly; at most one in fact."""
    return _rows(read, "scope = ? AND supersedes = ? ORDER BY seq", (read.scope.number, seq))


def outcome(read: Read, row: Row, moment: Moment) -> Outcome | None:
    """What the version says that took the row's place by then and speaks for that moment.

    None: the row is not over, or what took its place goes on.
    """
    if row.standing(moment) != "superseded":
        return None
    if row.key_tag is not None and not moment.past:
        last = newest(read, row.key_tag)
        if last is None or last.speaks(moment):
            return None if last is None else OUTCOMES.get(last.status)
    speaking = row
    while after := [each for each in successors(read, row.seq) if each.seq <= moment.seq]:
        row = after[0]
        speaking = row if row.speaks(moment) else speaking
    return OUTCOMES.get(speaking.status)


def taken_back(read: Read, row: Row, moment: Moment) -> bool:
    """Whether what took the row's place by then, and speaks for that moment, is a retraction."""
    return outcome(read, row, moment) == "retracted"


def last(read: Read, row: Row) -> Row:
    """The newest version of what the row is a version of."""
    while after := successors(read, row.seq):
        row = after[0]
    return row


def same_text(read: Read, text_hash: int) -> list[Row]:
    """Records without a key that may have this text and have not ended, oldest first."""
    return _rows(
        read,
        "scope = ? AND text_hash = ? AND to_seq IS NULL ORDER BY seq",
        (read.scope.number, text_hash),
    )


def counts(read: Read) -> dict[str, int]:
    """How many records of each kind have not ended."""
    return dict(
        read.rows(
            "SELECT kind, count(*) FROM record WHERE scope = ? AND to_seq IS NULL"
            " GROUP BY kind ORDER BY kind",
            (read.scope.number,),
        )
    )


def _insert(write: Write, written: Event, before: int | None) -> None:
    shape, content = written.shape, written.content
    assert isinstance(shape, RecordWritten)
    scope = write.scope.number
    until, ends = _limits(write, written)
    known = [moment for moment in (shape.valid_to_ms, until) if moment is not None]
    words = content if isinstance(content, RecordContent) else None
    hashed = text_hash(words.text) if words is not None and shape.key_tag is None else None
    write.run(
        "INSERT INTO record (scope, seq, mark, kind, status, owner, key_tag, key, about,"
        " text_hash, text_bytes, supersedes, recorded_ms, valid_from_ms, valid_to_ms, until_ms,"
        " ended, ends, receipt, bound)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            scope, shape.seq, written.mark, shape.kind, shape.status, shape.owner,
            shape.key_tag, words and words.key, words and words.about, hashed,
            len(words.text.encode()) if words else 0, before, written.recorded_ms,
            shape.valid_from_ms, shape.valid_to_ms, min(known) if known else None,
            None if words else "erased", stretch.written(ends), shape.receipt,
            int(binding.shaped(shape)),
        ),
    )  # fmt: skip


def _insert_links(write: Write, shape: RecordWritten) -> None:
    covered = set(shape.covers)
    write.many(
        "INSERT INTO link (scope, record, position, source, source_id, role, span_start,"
        " span_end, covers) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                write.scope.number,
                shape.seq,
                position,
                event.reference(source.id).seq,
                source.id,
                source.role,
                *(source.span or (None, None)),
                int(source.id in covered),
            )
            for position, source in enumerate(shape.sources)
        ],
    )


def _limits(write: Write, written: Event) -> tuple[int | None, list[End]]:
    """What its sources let a version that ends with them last, when it is written.

    The earliest last moment of theirs; and how it is over in each stretch to come in which one is
    that is not over yet.
    """
    shape = written.shape
    assert isinstance(shape, RecordWritten)
    if effect(shape.kind, "withdrawn") is None:
        return None, []
    until: list[int] = []
    ends: list[End] = []
    for until_ms, known in write.rows(
        "SELECT r.until_ms, r.ends FROM link l JOIN record r ON r.scope = l.scope"
        " AND r.seq = l.source WHERE l.scope = ? AND l.record = ? ORDER BY l.position",
        (write.scope.number, shape.seq),
    ):
        until += [] if until_ms is None else [until_ms]
        over = stretch.read(known)
        if any(stretch.holds(end.stretch, written.recorded_ms) for end in over):
            continue
        for end in over:
            how = effect(shape.kind, end.how)
            if how is None or end.from_ms is None or end.from_ms <= written.recorded_ms:
                continue
            new = stretch.without([end.stretch], [each.stretch for each in ends])
            ends += [End(how, shape.seq, *each) for each in new]
    return min(until, default=None), ends


def _replace(write: Write, shape: RecordWritten, before: int) -> None:
    """Each earlier version is over where the new one speaks and none between them does."""
    cause: Cause = "retracted" if shape.status == "retracted" else "superseded"
    left = [stretch.claimed(shape.status, shape.valid_from_ms, shape.valid_to_ms)]
    older: int | None = before
    while older is not None and left:
        row = _claim(write, older, shape.seq, whole=left == [ALWAYS])
        # An open task gives way at once, so that no pack need show it beside what follows it.
        over = [ALWAYS] if row.status == "open" else left
        if over != [ALWAYS] or row.ends is not None:
            _end(
                write, older, row.ends, row.to_seq, [End(cause, shape.seq, *each) for each in over]
            )
        _follow(write, older, cause, shape.seq, over)
        left = stretch.without(left, [stretch.claimed(row.status, row.from_ms, row.valid_to_ms)])
        older = row.supersedes


class _Claimed(msgspec.Struct, frozen=True, array_like=True):
    """What is known of a version whose place another one takes."""

    status: str
    from_ms: int | None
    valid_to_ms: int | None
    supersedes: int | None
    ends: str | None
    to_seq: int | None


def _claim(write: Write, seq: int, at_seq: int, *, whole: bool) -> _Claimed:
    """A version whose place is taken; where that is for every moment, it ends with this.

    An erased one stays erased; else the first end counts.
    """
    rows = write.rows(
        "UPDATE record SET ended = iif((? OR status = 'open') AND ends IS NULL,"
        " coalesce(ended, 'superseded'), ended),"
        " to_seq = iif(? OR status = 'open', coalesce(to_seq, ?), to_seq)"
        " WHERE scope = ? AND seq = ?"
        " RETURNING status, valid_from_ms, valid_to_ms, supersedes, ends, to_seq",
        (whole, whole, at_seq, write.scope.number, seq),
    )
    if not rows:
        raise RebuildNeeded("the row of an earlier version is missing; run rebuild")
    return typed(_Claimed, rows[0])


def _end(
    write: Write, seq: int, known: str | None, to_seq: int | None, more: Sequence[End]
) -> list[Stretch]:
    """The record is over in more stretches, as far as it was not; those in which it was not.

    `to_seq` is where it ended for every moment, if it has.
    """
    ends = stretch.read(known)
    if known is None and to_seq is not None:
        return []
    new: list[Stretch] = []
    for end in more:
        left = stretch.without([end.stretch], [each.stretch for each in ends])
        ends += [End(end.how, end.seq, *each) for each in left]
        new += left
    if not new:
        return []
    if new == [ALWAYS]:
        write.run(
            "UPDATE record SET ended = coalesce(ended, ?), to_seq = ? WHERE scope = ? AND seq = ?",
            (ends[0].how, ends[0].seq, write.scope.number, seq),
        )
        return new
    full = not stretch.without([ALWAYS], [each.stretch for each in ends])
    write.run(
        "UPDATE record SET ends = ?, to_seq = coalesce(to_seq, ?) WHERE scope = ? AND seq = ?",
        (stretch.written(ends), ends[-1].seq if full else None, write.scope.number, seq),
    )
    return new


def _follow(
    write: Write, seq: int, cause: Cause, at_seq: int, over: Sequence[Stretch] = (ALWAYS,)
) -> None:
    """What rests on the record at `seq` ends by its kind when it does, and what rests on that."""
    waiting: list[tuple[int, Cause, Sequence[Stretch]]] = [(seq, cause, over)]
    while waiting:
        source, because, stretches = waiting.pop()
        for record, kind, ends in write.rows(
            "SELECT r.seq, r.kind, r.ends FROM link l JOIN record r ON r.scope = l.scope"
            " AND r.seq = l.record WHERE l.scope = ? AND l.source = ? AND r.to_seq IS NULL"
            " ORDER BY r.seq",
            (write.scope.number, source),
        ):
            how = effect(kind, because)
            if how is not None:
                more = [End(how, at_seq, *each) for each in stretches]
                new = _end(write, record, ends, None, more)
                if new:
                    onward: Cause = "stale" if how == "stale" else "withdrawn"
                    waiting.append((record, onward, new))


def _rows(read: Read, where: str, values: Sequence[Any]) -> list[Row]:
    return all_typed(Row, read.rows(f"SELECT {COLUMNS} FROM record WHERE {where}", values))
