"""Backups: a whole, verified copy of one moment, which is opened like any other file."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from muniment import Backup, Erase, Memory, Observe, Recall, errors
from muniment.projections import record
from tests.faults import writes
from tests.faults.seen import contents
from tests.faults.test_killed import killed
from tests.requirements.marker import requirement
from tests.store.files import change, ledger, only_file

WORDS = "The harbour opens at nine."


def filled(memory: Memory) -> None:
    """Something of each kind."""
    said = memory.observe(WORDS, role="user", external_id="m1")
    memory.remember("Nine o'clock.", key="harbour", kind="fact", sources=(said.id,))
    memory.run(Recall(query="harbour", record=True))


def mode(path: Path) -> int:
    """Who may read and write it."""
    return path.stat().st_mode & 0o777


@requirement("ledger:backup:copy")
def test_a_backup_holds_all_and_opens_like_any_file(
    memory: Memory, directory: Path, place: Path
) -> None:
    """CONTRACT: `backup FILE`; restoring is opening the file."""
    filled(memory)
    target = place / "copy.muniment"

    done = memory.run(Backup(file=str(target)))

    verified = memory.verify()
    assert (done.head, done.seq, done.not_checked) == (verified.head, verified.seq, ())
    assert done.bytes == target.stat().st_size
    assert mode(target) == 0o600
    assert ledger(target) == ledger(only_file(directory))
    assert [path.name for path in place.iterdir() if path.name.startswith("copy")] == [target.name]
    with Memory.open(target) as restored:
        assert restored.verify().faults == ()
        assert restored.recall("harbour").items[0].text == "Nine o'clock."
        assert restored.observe(WORDS, role="user", external_id="m1").known
        assert not restored.observe("A new day.", role="user").known


@requirement("ledger:backup:copy")
def test_the_first_bytes_say_that_it_is_written_through_a_log(memory: Memory, place: Path) -> None:
    """docs/format.md: the journal mode is WAL, of a copy too."""
    filled(memory)

    memory.run(Backup(file=str(place / "copy")))

    assert (place / "copy").read_bytes()[18:20] == b"\2\2"


@requirement("ledger:backup:new-file")
def test_no_file_gives_way_to_a_backup(memory: Memory, directory: Path, place: Path) -> None:
    """Never over an existing file, nor into the store, where it would be another scope's."""
    filled(memory)
    (place / "there").write_text("kept")

    (place / "link").symlink_to(place / "elsewhere")

    for target in ("there", "link", "none/copy", "there/copy", "memory/copy.muniment", "memory"):
        with pytest.raises(errors.BadFile) as refused:
            memory.run(Backup(file=str(place / target)))
        assert refused.value.at == "file"

    with pytest.raises(errors.BadFile):
        memory.run(Backup(file="-"))
    assert (place / "there").read_text() == "kept"
    assert sorted(path.name for path in place.iterdir()) == ["link", "memory", "there"]
    assert len(list(directory.glob("*.muniment"))) == 1


@requirement("ledger:backup:new-file")
def test_a_log_that_lies_there_is_not_taken_for_the_copys_own(memory: Memory, place: Path) -> None:
    """The engine would play it back into the copy; and a copy is never laid where a log belongs."""
    filled(memory)
    memory.run(Backup(file=str(place / "one.muniment")))
    (place / "copy-wal").write_bytes(b"of a file that is gone")

    with pytest.raises(errors.BadFile):
        memory.run(Backup(file=str(place / "copy")))
    with Memory.open(place / "one.muniment") as one:
        for end in ("-wal", "-shm", "-lock", ".new", ".backup-1"):
            with pytest.raises(errors.BadFile):
                one.run(Backup(file=str(place / f"one.muniment{end}")))
        one.run(Backup(file=str(place / "two.muniment")))
        assert one.verify().faults == ()


@requirement("ledger:backup:verified")
def test_a_copy_that_does_not_verify_is_not_kept(
    memory: Memory, directory: Path, place: Path
) -> None:
    """A backup that nobody could restore is worse than none."""
    filled(memory)
    memory.close()
    change(only_file(directory), "UPDATE content SET bytes = x'7b7d' WHERE place = 1")

    with Memory.open(directory) as again, pytest.raises(errors.BackupFaulty) as refused:
        again.run(Backup(file=str(place / "copy")))

    assert (refused.value.code, refused.value.exit) == ("backup_faulty", 3)
    assert sorted(path.name for path in place.iterdir()) == ["memory"]


@requirement("ledger:backup:verified")
def test_derived_tables_of_another_version_are_no_hindrance(
    memory: Memory, directory: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They can be made again, and the answer says that they were not checked."""
    with monkeypatch.context() as later:
        later.setattr(record, "DDL", (*record.DDL, "CREATE INDEX record_kind ON record (kind)"))
        filled(memory)
    memory.close()

    with Memory.open(directory) as again:
        done = again.run(Backup(file=str(place / "copy")))

    assert [said.partition(":")[0] for said in done.not_checked] == ["record tables"]


@requirement("ledger:backup:concurrent")
def test_a_backup_is_of_one_moment_while_others_write(
    memory: Memory, directory: Path, place: Path
) -> None:
    """Writers neither wait for it nor show in it by halves."""
    filled(memory)
    over = threading.Event()

    def write() -> None:
        with Memory.open(directory, synchronous="normal") as other:
            while not over.is_set():
                other.run(Observe(text="One more word.", role="user"))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        copies = [memory.run(Backup(file=str(place / f"{number}"))).seq for number in range(5)]
    finally:
        over.set()
        writer.join()

    assert copies == sorted(copies)
    assert copies[-1] > copies[0]
    for number, seq in enumerate(copies):
        with Memory.open(place / f"{number}") as copy:
            verified = copy.verify()
            assert (verified.faults, verified.seq) == ((), seq)


@requirement("ledger:backup:erased")
def test_nothing_erased_is_in_a_backup(memory: Memory, place: Path) -> None:
    """A copy is written anew: no free page of the file comes along, also with a reader in the way."""
    filled(memory)
    with memory._context.read(None):  # noqa: SLF001 - a reader who holds an old snapshot
        token = memory.run(Erase(event="e1", with_dependents=True)).token
        done = memory.run(Erase(event="e1", with_dependents=True, confirm=token))
        assert done.pending

        memory.run(Backup(file=str(place / "copy")))

    assert b"harbour opens" not in (place / "copy").read_bytes()


@requirement("ledger:backup:crash")
def test_what_a_killed_backup_left_is_swept_by_the_next(memory: Memory, place: Path) -> None:
    """The copy has its name only when it is whole."""
    filled(memory)
    (place / "copy.new").write_bytes(b"half of it")
    (place / "copy.new-wal").write_bytes(b"its log")

    memory.run(Backup(file=str(place / "copy")))

    assert sorted(path.name for path in place.iterdir()) == ["copy", "memory"]


@pytest.mark.faults
@requirement("ledger:backup:crash")
def test_a_killed_backup_is_whole_or_not_there(place: Path) -> None:
    """At every statement and every write of the engine, torn in the middle."""
    writes.prepare(place / "base")
    before = contents(place / "base")

    for directory in killed("back_up", place, 24):
        copy = directory / "kept" / "copy.muniment"
        assert contents(directory) == before, directory
        if copy.exists():
            with Memory.open(copy) as memory:
                assert memory.verify().faults == (), directory
        with Memory.open(directory) as memory:
            assert memory.verify().faults == (), directory
            writes.back_up(memory, directory)
        assert list(contents(directory / "kept").values()) == list(before.values()), directory


@requirement("ledger:backup:crash")
def test_two_backups_to_one_file_do_not_mix(memory: Memory, place: Path) -> None:
    """Whoever makes it holds it; the other is told, and does not sweep it away."""
    filled(memory)
    holding = (
        "import fcntl, os, sys\n"
        "file = os.open(sys.argv[1], os.O_CREAT | os.O_RDWR, 0o600)\n"
        "fcntl.flock(file, fcntl.LOCK_EX)\n"
        "print('held', flush=True)\n"
        "sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", holding, str(place / "copy.new")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(errors.Locked):
            memory.run(Backup(file=str(place / "copy")))
        other.communicate("")

    assert memory.run(Backup(file=str(place / "copy"))).seq
