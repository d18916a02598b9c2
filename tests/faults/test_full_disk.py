"""No room: the write says so, nothing of it shows, and with room again all goes on."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import apsw
import pytest

from muniment.errors import DiskFull, IoFailed
from tests.faults import writes
from tests.faults.sampling import some
from tests.faults.seen import contents, faults
from tests.faults.test_killed import ROOT
from tests.requirements.marker import requirement

BIG = "A long story about nothing much. " * 20_000


@pytest.fixture
def pages_at_most() -> Iterator[list[int]]:
    """How many pages a file may have, for every connection that is opened from now on."""
    most = [2**32 - 2]

    def hook(connection: apsw.Connection) -> None:
        if connection.filename:  # not a private database
            connection.pragma("max_page_count", most[0])

    apsw.connection_hooks.append(hook)
    yield most
    apsw.connection_hooks.remove(hook)


@requirement("ledger:commit:atomic")
def test_a_write_for_which_there_is_no_room_leaves_nothing(
    place: Path, pages_at_most: list[int]
) -> None:
    """The engine says that the disk is full, in the middle of a large write."""
    directory = place / "memory"
    writes.prepare(directory)
    before = contents(directory)

    pages_at_most[0] = 60
    with writes.opened(directory) as memory:
        with pytest.raises(DiskFull):
            memory.observe(BIG, role="user")
        assert contents(directory) == before
        assert memory.verify().faults == ()
        memory.observe("A short one fits.", role="user")

    pages_at_most[0] = 2**32 - 2
    with writes.opened(directory) as memory:
        memory.observe(BIG, role="user")
        assert memory.verify().faults == ()


@requirement("erasure:pending:reader")
def test_an_erasure_without_room_to_write_the_file_anew_is_finished_later(
    place: Path, pages_at_most: list[int]
) -> None:
    """The erasure is committed and says pending; what comes after it is answered too."""
    directory = place / "memory"
    writes.prepare(directory)
    with writes.opened(directory) as memory:
        memory.observe(BIG, role="user")
        size = sum(path.stat().st_size for path in directory.glob("*.muniment")) // 4096
    pages_at_most[0] = size // 2
    with writes.opened(directory) as memory:
        writes.erase(memory, directory)
        pending = memory.verify().faults
        memory.observe("Life goes on.", role="user")
        assert memory.recall("life").items

    pages_at_most[0] = 2**32 - 2
    with writes.opened(directory) as memory:
        memory.observe("There is room again.", role="user")

    assert {fault.code for fault in pending} <= {"erasure_pending"}
    assert faults(directory) == ()
    held = b"".join(path.read_bytes() for path in directory.glob("*.muniment*"))
    assert writes.CANARY.encode() not in held


class Room:
    """Counts what the engine writes, and refuses it from some write on."""

    def __init__(self) -> None:
        self.written = 0
        self.stop_at: int | None = None
        self.error: type[apsw.Error] = apsw.FullError

    def begin(self, stop_at: int | None = None) -> None:
        """Count from the start again."""
        self.written, self.stop_at = 0, stop_at

    def take(self) -> None:
        """Raises, where there is no more room."""
        self.written += 1
        if self.stop_at is not None and self.written >= self.stop_at:
            raise self.error


ROOM = Room()


class NarrowFile(apsw.VFSFile):
    """A file of the engine's on a disk that is filling up."""

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - the driver's name
        """Writes, if there is room."""
        ROOM.take()
        super().xWrite(data, offset)


class NarrowSystem(apsw.VFS):
    """The system's files, for the engine, on a disk that is filling up."""

    def __init__(self) -> None:
        self.below = apsw.vfs_names()[0]
        super().__init__("narrow", self.below, makedefault=True)

    def xOpen(self, name: Any, flags: Any) -> apsw.VFSFile:  # noqa: N802 - the driver's name
        """A file on the narrow disk."""
        return NarrowFile(self.below, name, flags)


@pytest.fixture
def room() -> Iterator[Room]:
    """The room for everything that is opened from now on."""
    system = NarrowSystem()
    ROOM.begin()
    yield ROOM
    ROOM.begin()
    system.unregister()


@pytest.mark.faults
@requirement("ledger:commit:atomic")
@pytest.mark.parametrize("name", writes.WRITES)
@pytest.mark.parametrize("error", [apsw.FullError, apsw.IOError], ids=["full", "failing"])
def test_a_disk_that_is_full_at_any_write_leaves_all_or_nothing(
    place: Path, room: Room, name: str, error: type[apsw.Error]
) -> None:
    """From each write of the engine on, log and file alike, the disk takes nothing any more."""
    base, directory = place / "base", place / "memory"
    writes.prepare(base)
    before = contents(base)
    room.error = error
    shutil.copytree(base, directory)
    room.begin()
    with writes.opened(directory) as memory:
        writes.WRITES[name](memory, directory)
    for at in some(range(1, room.written + 1), 8):
        shutil.rmtree(directory)
        shutil.copytree(base, directory)
        with writes.opened(directory) as memory:
            room.begin(stop_at=at)
            try:
                writes.WRITES[name](memory, directory)
                answered = True
            except (DiskFull, IoFailed):
                answered = False
            room.begin()

            if not answered:
                assert contents(directory) == before, at
            writes.create(memory, directory)
            memory.observe("And on it goes.", role="user")
            assert memory.verify(all=True).faults == (), at


def limited(name: str, base: Path, out: Path, kilobytes: Sequence[int]) -> dict[int, str]:
    """The code that a write answers where its files cannot grow beyond so many kilobytes."""
    out.mkdir()
    ran = subprocess.run(
        [sys.executable, "-m", "tests.faults.limited", name, base, out, *map(str, kilobytes)],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr[-2_000:]
    return {int(size): code for size, code in map(str.split, ran.stdout.splitlines())}


@pytest.mark.faults
@requirement("ledger:commit:atomic")
@pytest.mark.parametrize("name", ["create", "commit", "erase"])
def test_a_file_that_may_not_grow_is_left_whole(place: Path, name: str) -> None:
    """The system refuses every byte beyond a limit, wherever that hits: log, file or lock."""
    base = place / "base"
    writes.prepare(base)
    before = contents(base)

    answers = limited(name, base, place / "out", some(range(4, 260, 4), 12))

    for kilobytes, code in answers.items():
        directory = place / "out" / str(kilobytes)
        found = {fault.code for fault in faults(directory)}
        assert found <= ({"erasure_pending"} if name == "erase" else set()), kilobytes
        if code != "ok":
            assert contents(directory) == before, kilobytes
        with writes.opened(directory) as memory:
            writes.create(memory, directory)
            memory.observe("And on it goes.", role="user")
            assert memory.verify(all=True).faults == (), kilobytes
    assert {"ok"} < set(answers.values()) <= {DiskFull.code, IoFailed.code, "ok"}
