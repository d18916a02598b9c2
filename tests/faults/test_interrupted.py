"""A write that is interrupted at any step of the engine: all of it, or nothing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from muniment import Memory
from muniment.errors import Interrupted
from tests.faults import writes
from tests.faults.sampling import some
from tests.faults.seen import contents
from tests.requirements.marker import requirement


class Steps:
    """Counts the engine's steps on every connection, and interrupts from one of them on."""

    def __init__(self) -> None:
        self.taken = 0
        self.stop_at: int | None = None
        self.stop_for = 1

    def __call__(self) -> bool:
        """Whether the engine is to stop here."""
        self.taken += 1
        if self.stop_at is None:
            return False
        return self.stop_at <= self.taken < self.stop_at + self.stop_for

    def begin(self, stop_at: int | None = None, stop_for: int = 1) -> None:
        """Count from the start again."""
        self.taken, self.stop_at, self.stop_for = 0, stop_at, stop_for


@pytest.fixture
def steps() -> Iterator[Steps]:
    """The steps of every connection that is opened from now on."""
    counted = Steps()

    def hook(connection: apsw.Connection) -> None:
        connection.set_progress_handler(counted, 1)

    apsw.connection_hooks.append(hook)
    yield counted
    apsw.connection_hooks.remove(hook)


class Kept:
    """A memory on a copy of a store, opened and made anew only where it is asked for."""

    def __init__(self, base: Path, directory: Path) -> None:
        self.base = base
        self.directory = directory
        self.memory: Memory | None = None
        self.before: dict[str, str] = {}

    def get(self) -> Memory:
        """The memory, as it was at first or as it was left."""
        if self.memory is None:
            shutil.rmtree(self.directory, ignore_errors=True)
            shutil.copytree(self.base, self.directory)
            self.memory = writes.opened(self.directory)
            self.memory.observe("Every connection is open.", role="user")
            self.before = contents(self.directory)
        return self.memory

    def drop(self) -> None:
        """The next one is as at first again."""
        if self.memory is not None:
            self.memory.close()
        self.memory = None


def number_of_steps(name: str, kept: Kept, steps: Steps) -> int:
    """How many steps a write takes on a memory that is open already."""
    memory = kept.get()
    steps.begin()
    writes.WRITES[name](memory, kept.directory)
    kept.drop()
    return steps.taken


def interrupted(name: str, kept: Kept, steps: Steps, stop_at: int, stop_for: int = 1) -> bool:
    """Whether the write said that it was interrupted."""
    memory = kept.get()
    steps.begin(stop_at, stop_for)
    try:
        writes.WRITES[name](memory, kept.directory)
    except Interrupted:
        return True
    finally:
        steps.begin()
    return False


def check(name: str, kept: Kept) -> None:
    """A write that was answered is whole, and the same memory goes on."""
    memory = kept.get()
    memory.observe("And on it goes.", role="user")
    assert memory.verify(all=True).faults == ()
    if name.startswith("erase"):
        assert writes.CANARY.encode() not in b"".join(
            path.read_bytes() for path in kept.directory.glob("*.muniment*")
        )
    kept.drop()


@pytest.mark.faults
@requirement("ledger:commit:atomic", "ledger:crash:killed")
@pytest.mark.parametrize("name", writes.WRITES)
def test_a_write_that_is_interrupted_leaves_all_or_nothing(
    place: Path, steps: Steps, name: str
) -> None:
    """At every step: an error and the file as before, or an answer; and the memory goes on."""
    writes.prepare(place / "base")
    kept = Kept(place / "base", place / "memory")

    total = number_of_steps(name, kept, steps)

    for at in some(range(1, total + 1), 40):
        if interrupted(name, kept, steps, at):
            assert contents(kept.directory) == kept.before, at
        else:
            check(name, kept)
    check("", kept)


@pytest.mark.faults
@requirement("ledger:commit:atomic")
@pytest.mark.parametrize("name", ["commit", "erase"])
def test_an_interruption_that_lasts_does_not_spoil_the_memory(
    place: Path, steps: Steps, name: str
) -> None:
    """From some step on nothing runs any more, not even the way back; later all does again."""
    writes.prepare(place / "base")
    kept = Kept(place / "base", place / "memory")

    total = number_of_steps(name, kept, steps)

    for at in some(range(1, total + 1), 20):
        if interrupted(name, kept, steps, at, stop_for=10**9):
            assert contents(kept.directory) == kept.before, at
        else:
            check(name, kept)
    check("", kept)
