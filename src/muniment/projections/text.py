"""The full-text index of a scope: every text once, as it was prepared, under its seq.

A short text is one row with its seq as rowid; a long one is a row a passage.  All versions of a
record stay in it; what a recall may show is decided by those that join it.

The engine writes out what it holds after each commit's run of events of one kind.  So how the
index lies in its tables follows from the ledger too, and a check can compare every byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest

import msgspec

from muniment.model import event, passage, text
from muniment.model.event import Event
from muniment.model.event_kinds import (
    Content,
    ContentErased,
    MessageContent,
    MessageObserved,
    RecordContent,
    RecordWritten,
    StateContent,
    StateSet,
)
from muniment.store import made
from muniment.store.projector import Difference
from muniment.store.tx import Read, Row, Write, all_typed, typed

NAME = "text"
VERSION = 2
DDL = (
    f"""CREATE VIRTUAL TABLE text_index USING fts5 (
        body, content = '', contentless_delete = 1, tokenize = "{text.TOKENIZER}"
    )""",
)
TABLES = {"text_index": "SELECT id, sz FROM text_index_docsize ORDER BY id"}

# What the engine keeps the index in: its tables, with their columns.
_PARTS = {
    "data": "id, block",
    "idx": "segid, term, pgno",
    "docsize": "id, sz, origin",
    "config": "k, v",
}
# A segment's number stands above bit 37 of its blocks' ids; tombstones lie far off.
_HELD = "SELECT id >> 37 FROM text_copy_data WHERE id > 10 AND id >> 37 < 65536"
_LISTED = "SELECT segid FROM text_copy_idx"
# Each query finds a row where the copied index is not what it should be.
_IN_USE = (
    (
        (
            "SELECT 1 WHERE (SELECT block FROM text_copy_data WHERE id = 1)"
            " IS NOT (SELECT block FROM text_index_data WHERE id = 1)"
        ),
        "the totals differ",
    ),
    (
        (
            "SELECT 1 FROM text_copy_config c FULL JOIN text_index_config r ON c.k = r.k"
            " WHERE c.v IS NOT r.v"
        ),
        "the settings differ",
    ),
    (
        (
            f"SELECT * FROM ({_HELD} EXCEPT {_LISTED})"
            f" UNION ALL SELECT * FROM ({_LISTED} EXCEPT {_HELD})"
        ),
        "the list of segments differs",
    ),
    (
        (
            "SELECT 1 FROM text_copy_idx i WHERE NOT EXISTS"
            " (SELECT 1 FROM text_copy_data d WHERE d.id = (i.segid << 37) + (i.pgno >> 1))"
        ),
        "a page is not there",
    ),
    (
        (
            "SELECT 1 FROM temp.right_term r LEFT JOIN temp.copy_term c ON c.term = r.term"
            " WHERE c.doc IS NOT r.doc OR c.cnt IS NOT r.cnt"
        ),
        "a term is not found",
    ),
)

# A passage's rowid: above every seq, then the seq, then its number.
PASSAGES = 1 << 60
PASSAGE_BITS = 11
# A count of words is below 2**56; the ninth byte of a longer number would hold eight bits.
_VARINT_BYTES_MAX = 8


class _Sized(msgspec.Struct, array_like=True):
    """A row of the engine's own tables: a number, and numbers as the engine stores them."""

    id: int
    block: bytes


def seq_expression(rowid: str) -> str:
    """An SQL expression for the seq that a row belongs to; `rowid` is qualified."""
    return f"iif({rowid} < {PASSAGES}, {rowid}, ({rowid} - {PASSAGES}) >> {PASSAGE_BITS})"


def seq_of(rowid: int) -> int:
    """The seq of the event that a row belongs to."""
    return rowid if rowid < PASSAGES else (rowid - PASSAGES) >> PASSAGE_BITS


def passage_of(rowid: int) -> int | None:
    """Which passage of a long text a row is; None for a whole text."""
    return None if rowid < PASSAGES else (rowid - PASSAGES) & ((1 << PASSAGE_BITS) - 1)


def on_message_observed(write: Write, events: Sequence[Event]) -> None:
    """What was said, with the speaker's name and what a picture shows."""
    _index(write, events)


def on_record_written(write: Write, events: Sequence[Event]) -> None:
    """What is held, with its key and whom it is about."""
    _index(write, events)


def on_state_set(write: Write, events: Sequence[Event]) -> None:
    """The key and the value."""
    _index(write, events)


def on_content_erased(write: Write, events: Sequence[Event]) -> None:
    """The rows go.

    Their words stay in the index's own pages, and in the totals that weigh all others, until the
    table is made again; an erasure does that before its commit.
    """
    for erased in events:
        shape = erased.shape
        assert isinstance(shape, ContentErased)
        if shape.through is not None:
            _delete(write, [(1, shape.through), (_first(1), _first(shape.through + 1) - 1)])
        gone = [event.reference(id).seq for id in shape.targets + shape.dependents]
        _delete(write, [(seq, seq) for seq in gone])
        _delete(write, [(_first(seq), _first(seq + 1) - 1) for seq in gone])
        _write_out(write)


ON = {
    MessageObserved: on_message_observed,
    RecordWritten: on_record_written,
    StateSet: on_state_set,
    ContentErased: on_content_erased,
}


def differences(real: Read, right: Write) -> Iterator[Difference]:
    """Every byte of the engine's own tables, where this engine alone has written them.

    Where another one has, or a byte differs, the index is tried out in a copy: the sizes of all
    rows, every token at its place; each term is looked for, and each row deleted.
    """
    as_written = made.here(real, NAME)
    if as_written:
        for part, columns in _PARTS.items():
            for found in _part_differences(real, right, part, columns):
                as_written = False
                yield found
    if not as_written:
        yield from _meaning_differences(real, right)


def _part_differences(real: Read, right: Read, part: str, columns: str) -> Iterator[Difference]:
    """The first row of one of the engine's tables that is not what it was made as."""
    query = f"SELECT {columns} FROM text_index_{part} ORDER BY 1, 2"
    for left, wanted in zip_longest(real.each(query), right.each(query)):
        if left != wanted:
            row = left if wanted is None else wanted
            seq = _seq_of(row[0]) if part == "docsize" else None
            detail = f"the row {row[0]!r}" + (" is one too many" if wanted is None else " differs")
            yield Difference(table=f"text_index_{part}", seq=seq, detail=detail)
            return


def _meaning_differences(real: Read, right: Write) -> Iterator[Difference]:
    sizes = TABLES["text_index"]
    yield from _unequal(real.each(sizes), right.each(sizes), "the size of a row")
    _copy(real, right)
    tokens = "SELECT doc, term, offset FROM temp."
    yield from _unequal(
        right.each(tokens + "copy_token"), right.each(tokens + "right_token"), "a token"
    )
    for query, what in _IN_USE:
        if right.row(query) is not None:
            yield Difference(table="text_index", seq=None, detail=what)
    right.run("INSERT INTO text_copy (text_copy, rank) VALUES ('deletemerge', 0)")
    right.run("DELETE FROM text_copy")
    left = right.value("SELECT doc FROM temp.copy_token")
    if left is not None:
        yield Difference(table="text_index", seq=_seq_of(left), detail="a row cannot be deleted")


def holding(read: Read, word: str, limit: int) -> list[int]:
    """The seqs of what holds this word, in order; none where more than `limit` rows do."""
    rows = read.column(
        "SELECT rowid FROM text_index WHERE text_index MATCH ? ORDER BY rowid LIMIT ?",
        (f'"{word}"', limit + 1),
    )
    return sorted({seq_of(rowid) for rowid in rows}) if len(rows) <= limit else []


def lengths(read: Read, seqs: Sequence[int]) -> dict[int, int]:
    """How many words the short texts at these seqs have in the index, by seq."""
    sql = "SELECT id, sz FROM text_index_docsize WHERE ? AND id IN "
    return {
        # Nearly always one byte.
        row.id: row.block[0] if len(row.block) == 1 else _integer(row.block, 0)[0]
        for row in all_typed(_Sized, read.among(sql, 1, seqs))
    }


def size(read: Read) -> tuple[int, int]:
    """How many rows the index has, and how many words they have together.

    The engine keeps both sums in one block: the rows, then the words of the only column.
    """
    found = read.row("SELECT id, block FROM text_index_data WHERE id = 1")
    if found is None:
        return 0, 0
    block = typed(_Sized, found).block
    rows, end = _integer(block, 0)
    return rows, _integer(block, end)[0]


def rows_of(read: Read, seq: int) -> list[int]:
    """The rowids of one event's rows."""
    found = read.column(
        "SELECT id FROM text_index_docsize WHERE id = ? OR id BETWEEN ? AND ? ORDER BY id",
        (seq, _first(seq), _first(seq + 1) - 1),
    )
    return [int(rowid) for rowid in found]


def _seq_of(rowid: object) -> int | None:
    """The same for a rowid that was read from a table to be checked."""
    return seq_of(rowid) if isinstance(rowid, int) else None


def _rows(seq: int, before: str, body: str) -> list[tuple[int, str]]:
    lead = before + "\n" if before else ""
    spans = passage.spans(body)
    if not spans:
        return [(seq, text.prepared(lead + body))]
    return [
        (_first(seq) + number, text.prepared(lead + body[start:end]))
        for number, (start, end) in enumerate(spans)
    ]


def _integer(block: bytes, start: int) -> tuple[int, int]:
    """A number as the engine stores it, seven bits a byte and the first ones first; and its end."""
    value = 0
    for at in range(start, min(start + _VARINT_BYTES_MAX, len(block))):
        value = value << 7 | block[at] & 0x7F
        if block[at] < 0x80:
            return value, at + 1
    return value, len(block)


def _first(seq: int) -> int:
    return PASSAGES + (seq << PASSAGE_BITS)


def _index(write: Write, events: Sequence[Event]) -> None:
    """The words of the events that still have any, commit by commit."""
    for _, together in groupby(events, key=lambda placed: placed.height):
        rows: list[tuple[int, str]] = []
        for placed in together:
            words = _words(placed.content)
            if words is not None:
                rows += _rows(placed.seq, *words)
        write.many("INSERT INTO text_index (rowid, body) VALUES (?, ?)", rows)
        _write_out(write)


def _words(content: Content | None) -> tuple[str, str] | None:
    """What stands before a text, and the text; None where there is none."""
    if isinstance(content, MessageContent):
        return " ".join(word for word in (content.actor, content.caption) if word), content.text
    if isinstance(content, RecordContent):
        return " ".join(word for word in (content.key, content.about) if word), content.text
    if isinstance(content, StateContent):
        return content.key, content.value
    return None


def _write_out(write: Write) -> None:
    """What the engine holds back stands in its tables."""
    write.run("INSERT INTO text_index (text_index) VALUES ('flush')")


def _delete(write: Write, ranges: Sequence[tuple[int, int]]) -> None:
    write.many("DELETE FROM text_index WHERE rowid BETWEEN ? AND ?", ranges)


def _unequal(found: Iterable[Row], wanted: Iterable[Row], what: str) -> Iterator[Difference]:
    """The first place where two lists of rows differ; a row's first value is its rowid."""
    for left, right in zip_longest(found, wanted):
        if left != right:
            at = (right or left or (0,))[0]
            yield Difference(table="text_index", seq=_seq_of(at), detail=f"{what} differs")
            return


def _copy(real: Read, right: Write) -> None:
    """The real index as `text_copy` in the private database, with vocabularies of both."""
    right.run(DDL[0].replace("text_index", "text_copy", 1))
    for part, columns in _PARTS.items():
        places = ", ".join("?" * len(columns.split()))
        right.run(f"DELETE FROM text_copy_{part}")
        right.many(
            f"INSERT INTO text_copy_{part} ({columns}) VALUES ({places})",
            real.each(f"SELECT {columns} FROM text_index_{part}"),
        )
    for name, index in (("copy", "text_copy"), ("right", "text_index")):
        for kind, form in (("token", "instance"), ("term", "row")):
            right.run(
                f"CREATE VIRTUAL TABLE temp.{name}_{kind} USING fts5vocab (main, {index}, {form})"
            )
