"""The full-text index of a scope: every text once, as it was prepared, under its seq.

A short text is one row with its seq as rowid; a long one is a row a passage.  All versions of a
record stay in it; what a recall may show is decided by those that join it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from muniment.model import event, passage, text
from muniment.model.event import Event
from muniment.model.event_kinds import (
    ContentErased,
    MessageContent,
    MessageObserved,
    RecordContent,
    RecordWritten,
    StateContent,
    StateSet,
)
from muniment.store.projector import Difference
from muniment.store.tx import Read, Write

NAME = "text"
VERSION = 1
DDL = (
    f"""CREATE VIRTUAL TABLE text_index USING fts5 (
        body, content = '', contentless_delete = 1, tokenize = "{text.TOKENIZER}"
    )""",
)
TABLES = {"text_index": "SELECT id, sz FROM text_index_docsize ORDER BY id"}

# A passage's rowid: above every seq, then the seq, then its number.
PASSAGES = 1 << 60
PASSAGE_BITS = 11


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
    rows: list[tuple[int, str]] = []
    for observed in events:
        content = observed.content
        if isinstance(content, MessageContent):
            before = " ".join(word for word in (content.actor, content.caption) if word)
            rows += _rows(observed.seq, before, content.text)
    _insert(write, rows)


def on_record_written(write: Write, events: Sequence[Event]) -> None:
    """What is held, with its key and whom it is about."""
    rows: list[tuple[int, str]] = []
    for written in events:
        content = written.content
        if isinstance(content, RecordContent):
            before = " ".join(word for word in (content.key, content.about) if word)
            rows += _rows(written.seq, before, content.text)
    _insert(write, rows)


def on_state_set(write: Write, events: Sequence[Event]) -> None:
    """The key and the value."""
    rows: list[tuple[int, str]] = []
    for written in events:
        content = written.content
        if isinstance(content, StateContent):
            rows += _rows(written.seq, content.key, content.value)
    _insert(write, rows)


def on_content_erased(write: Write, events: Sequence[Event]) -> None:
    """The rows go, and then every trace of their words in the index's own pages."""
    for erased in events:
        shape = erased.shape
        assert isinstance(shape, ContentErased)
        if shape.through is not None:
            _delete(write, [(1, shape.through), (_first(1), _first(shape.through + 1) - 1)])
        gone = [event.reference(id).seq for id in shape.targets + shape.dependents]
        _delete(write, [(seq, seq) for seq in gone])
        _delete(write, [(_first(seq), _first(seq + 1) - 1) for seq in gone])
    write.run("INSERT INTO text_index (text_index) VALUES ('optimize')")


ON = {
    MessageObserved: on_message_observed,
    RecordWritten: on_record_written,
    StateSet: on_state_set,
    ContentErased: on_content_erased,
}


def differences(real: Read, right: Read) -> Iterator[Difference]:
    """The sizes of all rows, then every token at its place in both vocabularies."""
    for query, what in (
        (TABLES["text_index"], "the size of a row"),
        ("SELECT doc, term, offset FROM temp.text_tokens", "a token"),
    ):
        if "text_tokens" in query:
            for read in (real, right):
                _open_tokens(read)
        for found, wanted in zip_longest(real.each(query), right.each(query)):
            if found != wanted:
                at = (wanted or found)[0]
                yield Difference(table="text_index", seq=seq_of(at), detail=f"{what} differs")
                break


def rows_of(read: Read, seq: int) -> list[int]:
    """The rowids of one event's rows."""
    found = read.column(
        "SELECT id FROM text_index_docsize WHERE id = ? OR id BETWEEN ? AND ? ORDER BY id",
        (seq, _first(seq), _first(seq + 1) - 1),
    )
    return [int(rowid) for rowid in found]


def _rows(seq: int, before: str, body: str) -> list[tuple[int, str]]:
    lead = before + "\n" if before else ""
    spans = passage.spans(body)
    if not spans:
        return [(seq, text.prepared(lead + body))]
    return [
        (_first(seq) + number, text.prepared(lead + body[start:end]))
        for number, (start, end) in enumerate(spans)
    ]


def _first(seq: int) -> int:
    return PASSAGES + (seq << PASSAGE_BITS)


def _insert(write: Write, rows: Sequence[tuple[int, str]]) -> None:
    write.many("INSERT INTO text_index (rowid, body) VALUES (?, ?)", rows)


def _delete(write: Write, ranges: Sequence[tuple[int, int]]) -> None:
    write.many("DELETE FROM text_index WHERE rowid BETWEEN ? AND ?", ranges)


def _open_tokens(read: Read) -> None:
    read.temporary(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.text_tokens"
        " USING fts5vocab (main, text_index, instance)"
    )
