"""Doctor: each thing that can be wrong with a place is named, with what to do; nothing changes."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import apsw
import pytest

from muniment import Doctor, Memory, Migrate, Observe, errors
from muniment.model import scope
from muniment.model.health import Check, Examined
from tests.conftest import START_MS, Clock
from tests.faults import writes
from tests.requirements.marker import requirement
from tests.store.files import change, listing, only_file


def examined(directory: Path, named: str | None = None) -> Examined:
    """What doctor says of a place."""
    with Memory.open(directory, clock=Clock(START_MS + 10**9)) as memory:
        return memory.run(Doctor(scope=named))


def found(told: Examined, state: str) -> list[tuple[str, str | None]]:
    """The checks in a state, with their files."""
    return [(each.check, each.file) for each in told.checks if each.state == state]


def only(told: Examined, check: str) -> Check:
    """The one check of this name."""
    (one,) = [each for each in told.checks if each.check == check]
    return one


@pytest.fixture
def file(memory: Memory, directory: Path) -> Path:
    """The file of a scope in which something was said, closed."""
    memory.observe("The harbour opens at nine.", role="user")
    memory.close()
    return only_file(directory)


@requirement("ledger:doctor:sound")
def test_a_sound_place_is_ok_and_the_ledger_is_left_to_verify(directory: Path, file: Path) -> None:
    """Each check is there, and only the ledger is not looked at."""
    before = listing(directory)

    told = examined(directory)

    assert told.ok
    assert found(told, "warning") == found(told, "failed") == []
    assert found(told, "not_checked") == [("ledger", file.name)]
    assert listing(directory) == before
    assert "verify" in only(told, "ledger").advice


@requirement("ledger:doctor:sound")
def test_one_scope_or_one_file_can_be_looked_at_alone(
    memory: Memory, directory: Path, file: Path
) -> None:
    """`--scope` names it; a file's directory is whoever's it is."""
    with Memory.open(directory) as other:
        other.run(Observe(text="Elsewhere.", role="user", scope="other"))

    whole, one, alone = examined(directory), examined(directory, "other"), examined(file)

    assert len({each.file for each in whole.checks}) == 3
    assert {each.file for each in one.checks} - {None} == {
        path.name for path in directory.glob("other-*.muniment")
    }
    assert only(alone, "directory_mode").state == "not_checked"
    assert alone.ok
    with pytest.raises(errors.NotFound):
        examined(directory, "nobody")


@requirement("ledger:doctor:sound")
def test_a_place_where_nothing_is_yet_can_be_looked_at(directory: Path) -> None:
    """Before the first write one wants to know whether it will work; nothing is made."""
    told = examined(directory)

    assert told.ok
    assert found(told, "warning") == [("place", None)]
    assert not directory.exists()


WRONG: dict[str, tuple[str, str]] = {
    "PRAGMA user_version = 99": ("file_version", "failed"),
    "PRAGMA application_id = 7": ("file_kind", "failed"),
    "PRAGMA journal_mode = delete": ("journal_mode", "warning"),
    "UPDATE projection SET fingerprint = 'x' WHERE name = 'text'": ("derived_tables", "warning"),
    "INSERT INTO pending VALUES ('erasure', 'l1')": ("pending", "warning"),
    "DROP TABLE scope": ("ledger", "failed"),
    "DELETE FROM commits": ("ledger", "failed"),
}


@requirement("ledger:doctor:files")
@pytest.mark.parametrize("sql", WRONG)
def test_what_is_wrong_with_a_file_is_named_with_what_to_do(
    directory: Path, file: Path, sql: str
) -> None:
    """Exactly that, for exactly that file."""
    change(file, sql)

    told = examined(directory)

    check, state = WRONG[sql]
    assert found(told, state) == [(check, file.name)]
    assert only(told, check).advice
    assert told.ok == (state == "warning")


@requirement("ledger:doctor:files")
@pytest.mark.parametrize(
    ("held", "check"), [(b"", "file_kind"), (b"words", "file_kind"), (None, "file_readable")]
)
def test_a_file_that_is_none_of_ours_is_named(
    directory: Path, file: Path, held: bytes | None, check: str
) -> None:
    """The others are looked at all the same."""
    strange = directory / "strange.muniment"
    strange.mkdir() if held is None else strange.write_bytes(held)

    told = examined(directory)

    assert found(told, "failed") == [(check, strange.name)]
    assert ("file_version", file.name) in found(told, "ok")
    assert ("pending", strange.name) in found(told, "not_checked")


@requirement("ledger:doctor:files")
def test_a_pipe_among_the_files_is_named_and_not_waited_for(directory: Path, file: Path) -> None:
    """Nobody may ever write to it; the name of a file that is being made is no exception."""
    os.mkfifo(directory / "pipe.muniment")
    os.mkfifo(directory / "other.muniment.new")

    told = examined(directory)

    assert found(told, "failed") == [("file_readable", "pipe.muniment")]
    assert ("leftovers", "other.muniment.new") in found(told, "warning")


@requirement("ledger:doctor:modes")
def test_what_others_may_read_is_named(directory: Path, file: Path) -> None:
    """CONTRACT: directories 0700, files 0600."""
    directory.chmod(0o755)
    file.chmod(0o644)

    told = examined(directory)

    assert found(told, "warning") == [("directory_mode", None), ("file_mode", file.name)]
    assert only(told, "file_mode").advice == f"chmod 600 {file.name}"


@requirement("ledger:doctor:files")
def test_a_copy_beside_its_file_and_a_file_under_another_name_are_named(
    directory: Path, file: Path
) -> None:
    """Nothing would be written to the copy, and nothing be found in the other."""
    copy = directory / "copy.muniment"
    shutil.copy(file, copy)

    told = examined(directory)
    assert found(told, "warning") == [("file_name", copy.name)]
    assert file.name in next(each.detail for each in told.checks if each.file == copy.name
                             and each.check == "file_name")  # fmt: skip

    file.unlink()
    Path(f"{file}-lock").unlink()
    told = examined(directory)
    assert told.ok
    assert found(told, "warning") == [("file_name", copy.name)]
    assert "rename" in only(told, "file_name").advice


@requirement("ledger:doctor:files")
def test_two_files_that_may_both_be_the_scopes_are_named(directory: Path, file: Path) -> None:
    """Only one of them is written to; the other is what it was when it was copied."""
    second = directory / scope.file_name("default", 1)
    second.write_bytes(file.read_bytes())

    told = examined(directory)

    (doubled,) = [name for check, name in found(told, "warning") if check == "file_name"]
    assert doubled in (file.name, second.name)


@requirement("ledger:doctor:leftovers")
def test_what_killed_processes_left_is_named(directory: Path, file: Path) -> None:
    """Half a scope, half a backup, and what lies beside no file; a scope's own log is none."""
    for name in (
        "other-00000000.muniment.new",
        f"{file.name}.backup-1.new",
        "gone-00000000.muniment-wal",
        f"{file.name}-journal",
    ):
        (directory / name).write_bytes(b"")
    (directory / "notes.txt").write_text("mine")

    told = examined(directory)

    assert sorted(name or "" for check, name in found(told, "warning") if check == "leftovers") == [
        f"{file.name}-journal",
        f"{file.name}.backup-1.new",
        "gone-00000000.muniment-wal",
        "other-00000000.muniment.new",
    ]


@requirement("ledger:doctor:machine")
def test_a_clock_that_runs_behind_is_named(directory: Path, file: Path) -> None:
    """Times are kept for ever, so one that is wrong is worth a word."""
    for now in (0, START_MS):
        with Memory.open(directory, clock=Clock(now)) as memory:
            told = memory.run(Doctor())

        assert found(told, "warning") == [("clock", None)]


@requirement("ledger:doctor:machine")
def test_a_disk_without_room_is_named(
    directory: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An erasure writes a whole file anew; with next to nothing no commit fits."""
    monkeypatch.setattr("muniment.limits.DISK_FREE_BYTES_LOW", 2**62)
    low = examined(directory)
    monkeypatch.setattr("muniment.limits.DISK_FREE_BYTES_MIN", 2**62)
    none = examined(directory)

    assert found(low, "warning") == [("disk", None)]
    assert found(none, "failed") == [("disk", None)]


@requirement("ledger:doctor:machine")
def test_a_log_that_grows_is_named(
    directory: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader that never ends keeps it."""
    monkeypatch.setattr("muniment.limits.LOG_BYTES_HIGH", 0)
    reader = apsw.Connection(str(file))
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM commits").fetchall()
    with Memory.open(directory) as memory:
        memory.observe("One more word.", role="user")

        told = memory.run(Doctor())

    reader.close()
    assert ("log_size", file.name) in found(told, "warning")


@requirement("ledger:doctor:files")
def test_an_older_file_is_to_be_migrated_and_its_copies_are_listed(
    directory: Path, file: Path
) -> None:
    """A later program says what to do."""
    with writes.later():
        before = examined(directory)
        with Memory.open(directory) as memory:
            memory.run(Migrate())
        after = examined(directory)

    assert found(before, "warning") == [("file_version", file.name)]
    assert "migrate" in only(before, "file_version").advice
    assert found(after, "warning") == []
    assert "backup-1" in only(after, "automatic_backups").detail
