"""Migrations: said before, backed up, taken whole or not at all, and never by reading.

There is one step today.  These tests stand in a later release that knows a second one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from muniment import Backup, Memory, Migrate, Observe, Rebuild, Recall, Status, errors
from muniment.model.erasure import Erased
from muniment.store import migrate as migrating
from tests.faults import writes
from tests.faults.seen import contents
from tests.faults.test_killed import killed
from tests.requirements.marker import requirement
from tests.store.files import ledger, only_file, rows


@pytest.fixture
def old(memory: Memory, directory: Path) -> Path:
    """The file of a scope of today, closed."""
    said = memory.observe(writes.SECRET, role="user", thread="t")
    memory.remember("The harbour opens at nine.", key="harbour", sources=(said.id,))
    memory.run(Recall(query="harbour", record=True))
    memory.close()
    return only_file(directory)


@pytest.fixture
def later(old: Path) -> Iterator[Path]:
    """The same, for the program of a later release."""
    with writes.later():
        yield old


def version(path: Path) -> int:
    """The number of the ledger's tables."""
    found: int = rows(path, "PRAGMA user_version")[0][0]
    return found


def names(path: Path) -> list[str]:
    """What lies beside a file, without its lock."""
    found = (each.name.removeprefix(path.name) for each in path.parent.iterdir())
    return sorted(name for name in found if name not in ("", "-lock"))


@requirement("ledger:migrate:dry-run", "ledger:file:migrations")
def test_a_dry_run_says_what_would_be_done_and_does_nothing(later: Path) -> None:
    """CONTRACT: `{"from", "to", "pending"}`."""
    before = later.read_bytes()

    with Memory.open(later) as memory:
        told = memory.run(Migrate(dry_run=True))

    assert (told.from_, told.to, told.pending, told.backup) == (1, 2, ("2: marks",), None)
    assert later.read_bytes() == before
    assert names(later) == []


@requirement("ledger:migrate:backup", "ledger:file:migrations")
def test_a_migration_leaves_the_file_as_it_was_beside_it(later: Path) -> None:
    """A11: an automatic backup before a real step, which today's program opens."""
    before = ledger(later)

    with Memory.open(later) as memory:
        done = memory.run(Migrate())
        again = memory.run(Migrate())
        faults = memory.verify().faults
        status = memory.run(Status())

    kept = later.with_name(f"{later.name}.backup-1")
    assert (done.from_, done.to, done.pending, done.backup) == (1, 2, ("2: marks",), kept.name)
    assert (again.from_, again.to, again.pending, again.backup) == (2, 2, (), None)
    assert (faults, status.version, version(later)) == ((), 2, 2)
    assert (kept.stat().st_mode & 0o777, version(kept)) == (0o600, 1)
    assert ledger(kept) == before
    assert rows(later, "SELECT hash, header FROM commits") == rows(
        kept, "SELECT hash, header FROM commits"
    )


@requirement("ledger:migrate:backup")
def test_a_directory_does_not_take_a_backup_for_a_scope(later: Path, directory: Path) -> None:
    """It lies beside the scope's file, and is none."""
    with Memory.open(directory) as memory:
        memory.run(Migrate())

        assert memory.verify(all=True).scopes == 1


@requirement("ledger:migrate:reading")
def test_reading_never_migrates_and_writing_asks_for_it(later: Path) -> None:
    """A11: a later program reads every file, and says what to do before it writes one."""
    before = later.read_bytes()

    with Memory.open(later) as memory:
        assert memory.recall("harbour").items
        assert memory.verify().faults == ()
        assert memory.run(Status()).version == 1
        for write in (Observe(text="No.", role="user"), Rebuild()):
            with pytest.raises(errors.MigrationNeeded) as refused:
                memory.run(write)
            assert refused.value.code == "migration_needed"
        memory.run(Backup(file=str(later.parent.parent / "copy")))

    assert later.read_bytes() == before


@requirement("ledger:migrate:newer")
def test_an_older_program_refuses_what_a_newer_one_migrated(old: Path) -> None:
    """A11: newer file refused by older program; the copy beside it still opens."""
    with writes.later(), Memory.open(old) as memory:
        memory.run(Migrate())

    with Memory.open(old) as memory:
        for request in (Recall(query="harbour"), Observe(text="No.", role="user"), Migrate()):
            with pytest.raises(errors.FileNewer):
                memory.run(request)
    with Memory.open(old.with_name(f"{old.name}.backup-1")) as kept:
        assert kept.verify().faults == ()


@requirement("ledger:migrate:newer")
def test_an_older_program_that_has_the_file_open_writes_no_more(old: Path) -> None:
    """It is told at its next write, not at its next start."""
    with Memory.open(old) as running:
        running.run(Observe(text="Before.", role="user"))
        with writes.later(), Memory.open(old) as newer:
            newer.run(Migrate())

        with pytest.raises(errors.FileNewer):
            running.run(Observe(text="After.", role="user"))


@requirement("ledger:migrate:whole")
@pytest.mark.parametrize("last", range(4))
def test_a_step_that_fails_leaves_the_file_as_it_was(
    old: Path, monkeypatch: pytest.MonkeyPatch, last: int
) -> None:
    """B29: at each statement; nothing of the step shows, and the file is used on."""
    before = rows(old, "SELECT * FROM sqlite_schema")
    broken = (*writes.STEP.statements[:last], "CREATE TABLE content (x)")
    step = migrating.Migration(number=2, name="broken", statements=broken)

    with monkeypatch.context() as patch, Memory.open(old) as memory:
        patch.setattr(migrating, "MIGRATIONS", (*migrating.MIGRATIONS, step))
        with pytest.raises(errors.MunimentError):
            memory.run(Migrate())

    assert (version(old), rows(old, "SELECT * FROM sqlite_schema")) == (1, before)
    with Memory.open(old) as memory:
        assert memory.verify().faults == ()
        assert not memory.run(Observe(text="On it goes.", role="user")).known


@requirement("ledger:migrate:whole")
@pytest.mark.parametrize("statement", writes.STEP.statements)
def test_a_step_that_is_interrupted_leaves_the_file_as_it_was(later: Path, statement: str) -> None:
    """B29: an interruption from outside, inside each statement."""

    def watch(connection: apsw.Connection) -> None:
        def at(_: apsw.Cursor, sql: str, __: object) -> bool:
            if sql == statement and connection.in_transaction:
                connection.set_progress_handler(lambda: True, 1)
            return True

        connection.exec_trace = at

    apsw.connection_hooks.append(watch)
    try:
        with Memory.open(later) as memory, pytest.raises(errors.Interrupted):
            memory.run(Migrate())
    finally:
        apsw.connection_hooks.remove(watch)

    assert version(later) == 1
    with Memory.open(later) as memory:
        assert memory.verify().faults == ()
        assert memory.run(Migrate()).pending == ("2: marks",)
        assert memory.verify().faults == ()


@pytest.mark.faults
@requirement("ledger:migrate:whole", "ledger:migrate:backup")
def test_a_killed_migration_is_whole_or_not_there_and_is_run_again(place: Path) -> None:
    """B29: at every statement and every write of the engine, torn in the middle."""
    writes.prepare(place / "base")
    before = contents(place / "base")

    for directory in killed("migrate", place, 24):
        path = only_file(directory)
        for kept in directory.glob("*.backup-1"):
            with Memory.open(kept) as memory:
                assert memory.verify().faults == (), kept
        if version(path) == 1:
            with Memory.open(directory) as memory:
                assert memory.verify().faults == (), directory
            assert contents(directory) == before, directory
        with writes.later(), Memory.open(directory) as memory:
            memory.run(Migrate())
            assert memory.verify().faults == (), directory
            assert not memory.run(Observe(text="On it goes.", role="user")).known
        assert not [each for each in directory.iterdir() if ".new" in each.name], directory
        assert (directory / f"{path.name}.backup-1").exists()


def erased(memory: Memory, **fields: object) -> Erased:
    """An erasure, both steps."""
    token = memory.erase(**fields).token
    return memory.erase(**fields, confirm=token)


@requirement("erasure:bytes:automatic-backups")
def test_an_erasure_reaches_the_copies_that_migrations_made(later: Path, directory: Path) -> None:
    """B25: backups that we made; the answer lists them among what was checked."""
    with Memory.open(directory) as memory:
        memory.run(Migrate())
        later.with_name(f"{later.name}.backup-1.new").write_bytes(writes.SECRET.encode())
        assert writes.CANARY.encode() in later.with_name(f"{later.name}.backup-1").read_bytes()

        done = erased(memory, event="e1", with_dependents=True)

        assert not done.pending
        assert "automatic backups" in done.checked
    held = b"".join(path.read_bytes() for path in directory.iterdir())
    assert writes.CANARY.encode() not in held
    assert names(later) == []


@requirement("erasure:bytes:automatic-backups")
def test_a_reader_in_the_way_does_not_keep_the_copies(later: Path, directory: Path) -> None:
    """They go at once; what is pending is the file's own free pages."""
    with Memory.open(directory) as memory:
        memory.run(Migrate())
        reader = apsw.Connection(str(later))
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM commits").fetchall()

        done = erased(memory, all=True)

        assert done.pending
        assert not [name for name in names(later) if "backup" in name]
        reader.close()
        memory.run(Observe(text="The next writer.", role="user"))
    assert [path for path in directory.iterdir() if "backup" in path.name] == []
