"""One byte of a closed file is another: it is found, with its place, or it says nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw
import pytest

from muniment import History, Memory, Rebuild, Recall, Remember, Show, StateHistory
from muniment.errors import MunimentError
from muniment.model.integrity import Fault
from tests.faults.sampling import some, thorough
from tests.requirements.marker import requirement
from tests.store.files import content, flip, opened, rows

# What the engine keeps the text index in.
SHADOWS = ("text_index_data", "text_index_idx", "text_index_docsize", "text_index_config")
CHAINED = ("commits", "content")
OTHERS = ("scope", "projection", "experience", "experience_tag", "record", "link", "state", "tag",
          "answer", "receipt", "receipt_item")  # fmt: skip


REQUESTS: tuple[Any, ...] = (
    Recall(query="telescope door code"),
    Show(id="e2"),
    History(key="door-code"),
    StateHistory(key="night"),
    Remember(text="The door code is under the mat.", key="door-code", owner="user"),
    Rebuild(),
)


def changed(value: Any, kind: str) -> Iterator[Any]:
    """The value with one byte changed, in a few ways; another value where it is null."""
    if value is None:
        yield {"INTEGER": 1, "TEXT": "x"}.get(kind, b"x")
    elif isinstance(value, int):
        yield value ^ 1
        yield value ^ (1 << 40)
    elif isinstance(value, str):
        for at in some(range(len(value)), 2, 8):
            yield value[:at] + chr(ord(value[at]) ^ 1) + value[at + 1 :]
    elif isinstance(value, bytes):
        for at in some(range(len(value)), 2, 64):
            for mask in (1, 0x80):
                yield value[:at] + bytes([value[at] ^ mask]) + value[at + 1 :]


def spoilt(path: Path, table: str, at_most: int) -> Iterator[tuple[str, tuple[Any, ...], Any]]:
    """The file with one value of the table changed: column, the row that stood there, the value.

    Between two of them it is as it was.
    """
    sound = path.read_bytes()
    columns = rows(path, f"SELECT name, type, pk FROM pragma_table_info('{table}') ORDER BY cid")
    keys = [name for name, _, pk in columns if pk]
    held = rows(path, f"SELECT * FROM {table} ORDER BY {', '.join(keys)}")
    names = [name for name, _, _ in columns]
    for at, (name, kind, _) in enumerate(columns):
        for row in some(held, at_most):
            for value in changed(row[at], kind):
                where = " AND ".join(f"{key} IS ?" for key in keys)
                with opened(path) as connection:
                    try:
                        connection.execute(
                            f"UPDATE {table} SET {name} = ? WHERE {where}",
                            (value, *(row[names.index(key)] for key in keys)),
                        )
                    except apsw.ConstraintError:
                        continue  # a row of that key is there already
                yield name, row, value
                path.write_bytes(sound)


def found(path: Path) -> tuple[Fault, ...]:
    """What a full check finds, or the error that stands in its place."""
    try:
        with Memory.open(path) as memory:
            return memory.verify().faults
    except MunimentError as error:
        return (Fault(code=error.code, detail=error.detail),)


@pytest.mark.faults
@requirement("ledger:verify:any-byte", "ledger:verify:all-faults")
@pytest.mark.parametrize("table", CHAINED)
def test_a_byte_of_a_commit_or_content_is_found_at_its_place(copy: Path, table: str) -> None:
    """Every column of rows from first to last: the fault names chain and seq."""
    for column, row, value in spoilt(copy, table, 6):
        chain, seq = (
            (row[1], row[2]) if table == "commits" else ("m" if row[1] > 0 else "j", abs(row[1]))
        )
        faults = found(copy)

        named = {(fault.chain, fault.seq) for fault in faults}
        if column in ("scope", "chain", "seq", "place"):
            # The row now says to be another: whatever stands or is missing there is named.
            assert faults, (column, row[:3], value)
        else:
            assert (chain, seq) in named, (column, row[:3], value, faults)
        assert table in {fault.table for fault in faults}, (column, row[:3], value, faults)


@pytest.mark.faults
@requirement("ledger:verify:any-byte", "ledger:verify:projection")
@pytest.mark.parametrize("table", OTHERS)
def test_a_byte_of_another_table_is_found_and_the_table_named(copy: Path, table: str) -> None:
    """Every column of every table beside the chain, whether it is derived or says whose it is."""
    for column, row, value in spoilt(copy, table, 3):
        faults = found(copy)

        tables = {fault.table for fault in faults}
        assert table in tables or (table, column) == ("scope", "number"), (
            column,
            row,
            value,
            faults,
        )
        assert faults, (column, row, value)


@pytest.mark.faults
@requirement("ledger:verify:any-byte", "ledger:verify:projection")
@pytest.mark.parametrize("table", SHADOWS)
def test_a_byte_of_the_text_index_is_found_and_the_table_named(copy: Path, table: str) -> None:
    """Also one that says only how the index lies in its pages, and changes no answer."""
    for column, row, value in spoilt(copy, table, 8):
        faults = found(copy)

        named = {fault.table for fault in faults} | {fault.code for fault in faults}
        assert named & {table, "file_malformed"}, (column, row, value, faults)


@pytest.mark.faults
@requirement("ledger:verify:any-byte")
def test_a_byte_of_the_file_is_found_or_says_nothing(copy: Path) -> None:
    """At offsets all over the file, of headers, cells, free room and free pages alike.

    Whatever is asked of such a file, the answer is one of ours, or an error of ours.
    """
    right = content(copy)
    sound = copy.read_bytes()
    drawn = random.Random(11)
    offsets = [*range(0, 100, 7), *(drawn.randrange(len(sound)) for _ in range(4_000))]
    offsets = offsets[: 4_000 if thorough() else 90]
    for offset in offsets:
        copy.write_bytes(sound)
        flip(copy, offset, 1 << drawn.randrange(8))

        if not found(copy):
            assert content(copy) == right, offset
        for request in REQUESTS:
            with Memory.open(copy) as memory, suppress(MunimentError):
                memory.run(request)
        for beside in copy.parent.glob(f"{copy.name}-*"):
            beside.unlink()
