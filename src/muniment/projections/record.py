"""Records by seq: every version, when it ended and why, and what it cites.

Standing is folded, not walked: when something ends, the fold writes that on it and on what
depends on it, so that one row answers whether a record stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from muniment.model import binding, event
from muniment.model.event import Event
from muniment.model.event_kinds import ContentErased, RecordContent, RecordWritten, StateSet
from muniment.model.moment import LAST_SEQ, Moment
from muniment.model.query import Filter
from muniment.model.record import text_hash
from muniment.model.standing import Cause, Standing, effect, standing
from muniment.store.projector import Difference, row_differences
from muniment.store.tx import Read, Write

NAME = "record"
VERSION = 1
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
        replaced_ms INTEGER,
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
COLUMNS = (
    "seq, mark, kind, status, owner, key_tag, key, about, text_bytes, supersedes, recorded_ms,"
    " valid_from_ms, valid_to_ms, until_ms, ended, to_seq, replaced_ms, receipt, bound"
)
TABLES = {
    "record": f"SELECT {COLUMNS}, text_hash, scope FROM record ORDER BY seq",
    "link": "SELECT record, position, source, source_id, role, span_start, span_end, covers, scope"
    " FROM link ORDER BY record, position, scope",
}
ANY: tuple[str, list[Any]] = ("1", [])  # a condition that everything passes


class Row(msgspec.Struct, frozen=True, array_like=True):
    """One row, in the order of `COLUMNS`.  `ended` and `to_seq`: how and where it ended."""

    seq: int
    mark: int
    kind: str
    status: str
    owner: str
    key_tag: str | None
    key: str | None
    about: str | None
    text_bytes: int
    supersedes: int | None
    recorded_ms: int
    valid_from_ms: int | None
    valid_to_ms: int | None
    until_ms: int | None
    ended: str | None
    to_seq: int | None
    replaced_ms: int | None  # from when on what superseded it holds; None: from then on
    receipt: str | None
    bound: int  # its shape says more, which the table `binding` has

    @property
    def id(self) -> str:
        """The record's id."""
        return event.id_text("r", self.seq, self.mark)

    def standing(self, moment: Moment) -> Standing:
        """Whether it stands at that moment; an erased one never does."""
        over = self.to_seq is not None and self.to_seq <= moment.seq
        if self.ended == "superseded" and self.replaced_ms is not None:
            over = over and self.replaced_ms <= moment.at_ms
        return standing(
            kind=self.kind,
            status=self.status,
            ended=self.ended if over or self.ended == "erased" else None,
            valid_to_ms=self.valid_to_ms,
            until_ms=self.until_ms,
            now_ms=moment.at_ms,
        )


def on_record_written(write: Write, events: Sequence[Event]) -> None:
    """A new version: a row, its links, and the end of what it supersedes."""
    for written in events:
        shape = written.shape
        assert isinstance(shape, RecordWritten)
        before = None if shape.supersedes is None else event.reference(shape.supersedes).seq
        _insert_links(write, shape)
        _insert(write, written, before)
        if before is not None:
            cause: Cause = "retracted" if shape.status == "retracted" else "superseded"
            _end(write, before, "superseded", shape.seq, shape.valid_from_ms)
            _follow(write, before, cause, shape.seq)


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


ON = {RecordWritten: on_record_written, StateSet: on_state_set, ContentErased: on_content_erased}


def differences(real: Read, right: Read) -> Iterator[Difference]:
    """Row by row."""
    return row_differences(real, right, TABLES)


def by_seq(read: Read, seqs: Sequence[int]) -> dict[int, Row]:
    """The rows at these seqs, by seq."""
    sql = f"SELECT {COLUMNS} FROM record WHERE scope = ? AND seq IN "
    return {row[0]: Row(*row) for row in read.among(sql, read.scope.number, seqs)}


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


def taken_back(read: Read, row: Row, moment: Moment) -> bool:
    """Whether the newest version that took the row's place by then is a retraction."""
    if row.standing(moment) != "superseded":
        return False
    if row.key_tag is not None and not moment.past:
        last = newest(read, row.key_tag)
        return last is not None and last.status == "retracted"
    while after := [each for each in successors(read, row.seq) if each.seq <= moment.seq]:
        row = after[0]
    return row.status == "retracted"


def same_text(read: Read, text_hash: int) -> list[Row]:
    """Records without a key that may have this text and have not ended, oldest first."""
    return _rows(
        read,
        "scope = ? AND text_hash = ? AND to_seq IS NULL ORDER BY seq",
        (read.scope.number, text_hash),
    )


def open_tasks(
    read: Read, moment: Moment, limit: int, after: int = 0, also: tuple[str, list[Any]] = ANY
) -> list[Row]:
    """Tasks open at that moment behind a seq that pass `also`, past their time too; oldest first."""
    return _rows(
        read,
        f"scope = ? AND status = 'open' AND {_unended('record', moment)} AND seq > ?"
        f" AND {also[0]} ORDER BY seq LIMIT ?",
        (read.scope.number, after, *also[1], limit),
    )


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
    until = [shape.valid_to_ms, _sources_until(write, shape)]
    known = [moment for moment in until if moment is not None]
    words = content if isinstance(content, RecordContent) else None
    hashed = text_hash(words.text) if words is not None and shape.key_tag is None else None
    write.run(
        "INSERT INTO record (scope, seq, mark, kind, status, owner, key_tag, key, about,"
        " text_hash, text_bytes, supersedes, recorded_ms, valid_from_ms, valid_to_ms, until_ms,"
        " ended, receipt, bound) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            scope, shape.seq, written.mark, shape.kind, shape.status, shape.owner,
            shape.key_tag, words and words.key, words and words.about, hashed,
            len(words.text.encode()) if words else 0, before, written.recorded_ms,
            shape.valid_from_ms, shape.valid_to_ms, min(known) if known else None,
            None if words else "erased", shape.receipt, int(binding.shaped(shape)),
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


def _sources_until(write: Write, shape: RecordWritten) -> int | None:
    """The earliest last moment of its sources, for kinds that end with them."""
    if effect(shape.kind, "withdrawn") is None:
        return None
    until = write.value(
        "SELECT min(r.until_ms) FROM link l JOIN record r ON r.scope = l.scope"
        " AND r.seq = l.source WHERE l.scope = ? AND l.record = ?",
        (write.scope.number, shape.seq),
    )
    assert until is None or isinstance(until, int)
    return until


def _end(write: Write, seq: int, how: str, at_seq: int, replaced_ms: int | None = None) -> None:
    """An erased record stays erased; else the first end counts, and that of an open task at once."""
    write.run(
        "UPDATE record SET ended = coalesce(ended, ?), to_seq = coalesce(to_seq, ?),"
        " replaced_ms = coalesce(replaced_ms, iif(status = 'open', NULL, ?))"
        " WHERE scope = ? AND seq = ?",
        (how, at_seq, replaced_ms, write.scope.number, seq),
    )


def _follow(write: Write, seq: int, cause: Cause, at_seq: int) -> None:
    """What rests on the record at `seq` ends by its kind, and what rests on that, and so on."""
    waiting: list[tuple[int, Cause]] = [(seq, cause)]
    while waiting:
        source, because = waiting.pop()
        for record, kind in write.rows(
            "SELECT r.seq, r.kind FROM link l JOIN record r ON r.scope = l.scope"
            " AND r.seq = l.record WHERE l.scope = ? AND l.source = ? AND r.to_seq IS NULL"
            " ORDER BY r.seq",
            (write.scope.number, source),
        ):
            how = effect(kind, because)
            if how is not None:
                _end(write, record, how, at_seq)
                waiting.append((record, "stale" if how == "stale" else "withdrawn"))


def _unended(row: str, moment: Moment) -> str:
    """A condition: nothing had ended the row at that moment but time itself."""
    if not moment.past:
        return f"{row}.to_seq IS NULL"
    return (
        f"({row}.to_seq IS NULL OR {row}.to_seq > {moment.seq:d}) AND {row}.ended IS NOT 'erased'"
    )


def _current(row: str, moment: Moment) -> str:
    """A condition: the row stands at that moment, as `standing` says; so it takes up a limit."""
    still = f"{row}.ended = 'superseded' AND {row}.replaced_ms > {moment.at_ms:d}"
    return (
        f"({_unended(row, moment)} OR {still}) AND {row}.kind <> 'proposal'"
        f" AND {row}.status NOT IN ('retracted', 'rejected', 'expired')"
        f" AND coalesce({row}.until_ms > {moment.at_ms:d}, 1)"
        f" AND coalesce({row}.valid_from_ms <= {moment.at_ms:d}, 1)"
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


def _rows(read: Read, where: str, values: Sequence[Any]) -> list[Row]:
    return [Row(*row) for row in read.rows(f"SELECT {COLUMNS} FROM record WHERE {where}", values)]
