"""One bit of a closed file makes a value of another type: it is found, and nothing crashes on it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw
import pytest

from muniment import (
    History,
    Memory,
    Observe,
    Rebuild,
    Recall,
    Remember,
    Show,
    StateDelete,
    StateGet,
    StateHistory,
    StateSetTo,
    Status,
)
from muniment.errors import BrokenLedger, MunimentError
from muniment.model.integrity import Depth
from muniment.projections import state
from muniment.store.projector import Difference
from muniment.surfaces.cli import main
from tests.faults import cells
from tests.faults.sampling import some
from tests.requirements.marker import requirement
from tests.store.files import content, opened

TABLES = (
    "answer", "binding", "commits", "content", "experience", "experience_tag", "link",
    "projection", "receipt", "receipt_item", "record", "scope", "state", "tag",
    "text_index_config", "text_index_data", "text_index_docsize", "text_index_idx", "vector",
    "vector_model",
)  # fmt: skip
DEPTHS: tuple[Depth, ...] = ("chain", "content", "full")
REQUESTS: tuple[Any, ...] = (
    Recall(query="telescope door code", policy="hybrid"),
    Show(id="e1"),
    History(key="door-code"),
    StateHistory(key="night"),
    StateGet(key="night"),
    Status(),
    Observe(text="More.", role="user"),
    StateSetTo(key="night", value=3),
    Remember(text="The door code is under the mat.", key="door-code"),
    Rebuild(),
)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a scope in which every table has a row, closed; nobody writes to it."""
    directory = tmp_path_factory.mktemp("small") / "memory"
    with Memory.open(directory, embedder="hashed", embed_writes=True) as memory:
        said = memory.observe(
            "The door code is 5512.", role="user", external_id="m1", thread="t", tags=("home",)
        )
        memory.observe("The lamp is green.", role="assistant", actor="Ann")
        for key in ("first", "second"):
            memory.remember(
                "The door code is 5512.", key="door-code", kind="fact", sources=(said.id,),
                command_key=key,
            )  # fmt: skip
        memory.remember("Be kind to Mira.", kind="requirement", task="visit", sources=(said.id,))
        memory.run(StateSetTo(key="night", value=1))
        memory.run(StateSetTo(key="day", value=1))
        memory.run(StateDelete(key="day"))
        memory.recall("lamp", record=True)
    (path,) = directory.glob("*.muniment")
    return path


@pytest.fixture
def file(small: Path, place: Path) -> Path:
    """A copy of `small` that a test may spoil."""
    path = place / small.name
    path.write_bytes(small.read_bytes())
    return path


def flipped(path: Path, table: str, at_most: int) -> Iterator[tuple[int, int]]:
    """The file with one bit of a record header of the table changed: its offset and the bit."""
    sound = path.read_bytes()
    offsets = [at for name, header in cells.headers(path) if name == table for at in header]
    assert offsets, "a table of which nothing would be tried"
    for offset, bit in some([(at, bit) for at in offsets for bit in range(8)], at_most):
        spoilt = bytearray(sound)
        spoilt[offset] ^= 1 << bit
        renewed(path, bytes(spoilt))
        yield offset, bit


def renewed(path: Path, held: bytes) -> None:
    """The file holds these bytes, and no log of another one lies beside it."""
    for beside in path.parent.glob(f"{path.name}-*"):
        beside.unlink()
    path.write_bytes(held)


def read(path: Path) -> object:
    """Everything that the file says, or that it cannot be read."""
    try:
        return content(path)
    except (apsw.Error, UnicodeDecodeError) as error:
        return type(error)


@pytest.mark.faults
@requirement("ledger:verify:any-type", "ledger:verify:any-byte")
@pytest.mark.parametrize("table", TABLES)
def test_a_value_of_another_type_is_found(file: Path, table: str) -> None:
    """Every bit of what the engine notes of the types of a row: the check answers, with a fault."""
    right = read(file)
    for where in flipped(file, table, 24):
        with Memory.open(file) as memory:
            found = memory.verify()

        assert not found.ok or read(file) == right, where


@pytest.mark.faults
@requirement("ledger:verify:any-type")
@pytest.mark.parametrize("table", TABLES)
def test_whatever_is_asked_of_such_a_file_the_answer_is_ours(file: Path, table: str) -> None:
    """An answer, or an error of ours; never one of Python's."""
    for _ in flipped(file, table, 6):
        spoilt = file.read_bytes()
        for request in REQUESTS:
            renewed(file, spoilt)
            with Memory.open(file, embedder="hashed") as memory, suppress(MunimentError):
                memory.run(request)


WRONG = (
    ("scope", "id", "x'05'"),
    ("scope", "name", "x'00'"),
    ("scope", "secret", "NULL"),
    ("scope", "limits", "x'7b7d'"),
    ("commits", "height", "'x'"),
    ("commits", "hash", "'x'"),
    ("commits", "header", "5"),
    ("content", "salt", "NULL"),
    ("content", "bytes", "'abc'"),
    ("vector", "numbers", "5"),
    ("vector", "seal", "NULL"),
    ("vector_model", "dimension", "'x'"),
    ("record", "mark", "'x'"),
    ("link", "source_id", "x'05'"),
)


def retype(path: Path, table: str, column: str, value: str) -> None:
    """A column holds what the engine would not take, and the table's statement is what it was."""
    with opened(path) as connection:
        ((said,),) = connection.execute(
            "SELECT sql FROM sqlite_schema WHERE name = ?", (table,)
        ).fetchall()
    kept = str(said)
    loose = kept.replace("STRICT, ", "").replace("STRICT", "").replace("NOT NULL", "")
    _say(path, table, loose)
    with opened(path) as connection:
        connection.execute(f"UPDATE {table} SET {column} = {value}")
    _say(path, table, kept)


def _say(path: Path, table: str, statement: str) -> None:
    with opened(path) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (statement, table))


@pytest.mark.faults
@requirement("ledger:verify:any-type")
@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize(("table", "column", "value"), WRONG)
def test_a_value_of_another_type_is_told_with_its_table(
    file: Path, table: str, column: str, value: str, depth: Depth
) -> None:
    """At each depth that reads the column; what it is said of is the only thing told wrong."""
    retype(file, table, column, value)

    with Memory.open(file) as memory:
        found = memory.verify(depth=depth)

    reads = {"scope": DEPTHS, "commits": DEPTHS, "content": DEPTHS[1:]}.get(table, DEPTHS[2:])
    tables = {fault.table for fault in found.faults}
    assert (table in tables) == (depth in reads), found.faults
    assert "check_failed" not in {fault.code for fault in found.faults}


@pytest.mark.faults
@requirement("ledger:verify:any-type", "ledger:verify:exit")
@pytest.mark.parametrize(("table", "column", "value"), WRONG)
def test_the_other_scopes_are_told_beside_a_value_of_another_type(
    small: Path, place: Path, table: str, column: str, value: str,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:  # fmt: skip
    """The report stands on stdout, exits 3 and goes on to every scope; one alone is told too."""
    with Memory.open(place) as memory:
        memory.observe("There is another.", role="user", scope="other")
    path = place / small.name
    path.write_bytes(small.read_bytes())
    retype(path, table, column, value)

    for words in (["--all"], []):
        code = main(["--db", str(place), "verify", "--json", *words])
        out, err = capsysbinary.readouterr()
        report = json.loads(out)
        assert (code, err, report["ok"]) == (3, b"", False)
        assert report["scopes"] == (2 if words else 1)
        assert table in {fault["table"] for fault in report["faults"]}


@requirement("ledger:verify:any-type")
@pytest.mark.parametrize("column", ["id", "name", "secret", "limits"])
def test_nothing_is_read_or_written_where_the_scope_is_of_other_types(
    file: Path, column: str
) -> None:
    """Nobody knows any more whose it is."""
    retype(file, "scope", column, "x'05'" if column != "secret" else "'x'")

    for request in REQUESTS:
        with Memory.open(file) as memory, pytest.raises(BrokenLedger):
            memory.run(request)


@requirement("ledger:verify:any-type", "ledger:verify:all-faults")
def test_a_check_that_fails_itself_is_a_fault_of_its_table(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What nobody thought of is never taken for sound, and the other tables are checked."""
    with opened(file) as connection:
        connection.execute("UPDATE record SET kind = 'note'")

    def failing(*_: object) -> Iterator[Difference]:
        yield from ()
        raise TypeError("nobody thought of it")

    monkeypatch.setattr(state, "differences", failing)
    with Memory.open(file) as memory:
        found = memory.verify()

    assert [(each.code, each.table) for each in found.faults] == [
        ("row_differs", "record"),
        ("check_failed", "state"),
    ]
