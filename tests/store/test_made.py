"""Derived tables that another version or another engine made: said so, and never called faulty."""

from __future__ import annotations

from pathlib import Path

import pytest

from muniment import Memory, Rebuild, errors
from muniment.model.integrity import Verified
from muniment.store import connect
from tests.requirements.marker import requirement
from tests.store.files import change, rows


def checked(path: Path) -> Verified:
    """What a full check says of the scope in one file."""
    with Memory.open(path) as memory:
        return memory.verify()


def written_elsewhere(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A message is written by a program on another engine."""
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(connect, "engine", lambda: "3.0.0")
        with Memory.open(path) as memory:
            memory.observe("The sky is clear.", role="user")


@requirement("ledger:verify:other-version")
def test_tables_of_another_version_are_not_checked_and_no_fault(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A later program made its own record table: this one says that a rebuild makes it again."""
    from muniment.projections import record

    with monkeypatch.context() as later:
        later.setattr(record, "DDL", (*record.DDL, "CREATE INDEX record_kind ON record (kind)"))
        with Memory.open(copy) as memory:
            memory.observe("The sky is clear.", role="user")

    found = checked(copy)

    assert (found.ok, found.faults) == (True, ())
    assert "record tables: made by another version; rebuild makes them again" in found.not_checked


@requirement("ledger:verify:other-version")
def test_a_changed_note_of_who_made_a_table_is_a_fault(copy: Path) -> None:
    """Another version signs what it notes; a changed byte does not."""
    change(copy, "UPDATE projection SET fingerprint = 'ffffffffffffffff' WHERE name = 'record'")

    found = checked(copy)

    assert [(each.code, each.detail) for each in found.faults] == [
        ("fingerprint_differs", "record")
    ]


@requirement("ledger:verify:other-engine")
def test_what_another_engine_laid_out_is_checked_by_its_meaning(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How it lies in its pages is not checked, and said so; every token still is."""
    written_elsewhere(copy, monkeypatch)
    sound = checked(copy)
    change(copy, "DELETE FROM text_index WHERE rowid = 9")
    change(copy, "INSERT INTO text_index (rowid, body) VALUES (9, 'Clouds tomorrow')")

    spoilt = checked(copy)

    assert sound.ok
    assert sound.not_checked == (
        "outside checkpoint", "text tables: how another engine laid them out"
    )  # fmt: skip
    assert {(each.seq, each.table) for each in spoilt.faults} == {
        (9, "text_index"),
        (None, "text_index"),
    }


@requirement("ledger:verify:other-engine")
def test_a_rebuild_makes_them_ours_again(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From then on every byte is compared."""
    written_elsewhere(copy, monkeypatch)

    with Memory.open(copy) as memory:
        memory.run(Rebuild())

    assert checked(copy).not_checked == ("outside checkpoint",)
    assert rows(copy, "SELECT DISTINCT engine FROM projection") == [(connect.engine(),)]


@requirement("ledger:verify:projection")
def test_the_index_lies_the_same_however_it_came_about(memory: Memory, directory: Path) -> None:
    """One by one, many at once, erased, made again: the engine's tables follow from the ledger."""
    for number in range(40):
        memory.remember(f"Lens {number} is clean. " * (number % 7 + 1), key=f"lens-{number % 9}")
        memory.observe(f"Clear night {number}. " * (1 + 400 * (number % 13 == 0)), role="user")
    plan = memory.erase(event="e4")
    memory.erase(event="e4", confirm=plan.token)
    for number in range(40):
        memory.observe(f"After that, night {number}.", role="user")
    path = next(directory.glob("*.muniment"))
    tables = "SELECT id, hex(block) FROM text_index_data ORDER BY id"
    before, found = rows(path, tables), memory.verify()

    memory.run(Rebuild())

    assert found.not_checked == ("outside checkpoint",)
    assert found.ok
    assert rows(path, tables) == before


@requirement("ledger:verify:other-version")
def test_what_another_process_changes_between_two_writes_is_noticed(copy: Path) -> None:
    """What was found to be right is asked again as soon as somebody else has committed."""
    with Memory.open(copy) as memory:
        memory.observe("The sky is clear.", role="user")
        change(copy, "UPDATE projection SET fingerprint = 'ffffffffffffffff' WHERE name = 'record'")
        change(copy, "DELETE FROM record")

        memory.observe("Clouds tomorrow.", role="user")

        assert memory.verify().faults == ()


@requirement("ledger:verify:other-version")
def test_a_file_of_a_newer_program_is_not_written_from_then_on(copy: Path) -> None:
    """Also where it was an ordinary one a moment ago."""
    with Memory.open(copy) as memory:
        memory.observe("The sky is clear.", role="user")
        before = memory.verify().head
        change(copy, "PRAGMA user_version = 999")

        with pytest.raises(errors.FileNewer):
            memory.observe("Clouds tomorrow.", role="user")

        change(copy, "PRAGMA user_version = 1")
        assert memory.verify().head == before
