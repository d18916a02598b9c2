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


def number_of_steps(name: str, base: Path, steps: Steps) -> int:
    """How many steps a write takes on a memory that is open already."""
    directory = base.with_name("counted")
    shutil.copytree(base, directory)
    with writes.opened(directory) as memory:
        warm(memory)
        steps.begin()
        writes.WRITES[name](memory, directory)
        return steps.taken


def warm(memory: Memory) -> None:
    """Every connection is open."""
    memory.observe("warm", role="user")


@pytest.mark.faults
@requirement("ledger:commit:atomic", "ledger:crash:killed")
@pytest.mark.parametrize("name", writes.WRITES)
def test_a_write_that_is_interrupted_leaves_all_or_nothing(
    place: Path, steps: Steps, name: str
) -> None:
    """At every step: an error and the file as before, or an answer; and the memory goes on."""
    base = place / "base"
    writes.prepare(base)
    total = number_of_steps(name, base, steps)
    directory = place / "memory"
    for at in some(range(1, total + 1), 24):
        shutil.rmtree(directory, ignore_errors=True)
        shutil.copytree(base, directory)
        with writes.opened(directory) as memory:
            warm(memory)
            before = contents(directory)

            steps.begin(stop_at=at)
            try:
                writes.WRITES[name](memory, directory)
                answered = True
            except Interrupted:
                answered = False
            steps.begin()

            if not answered:
                assert contents(directory) == before, at
            memory.observe("and on it goes", role="user", scope="after")
            memory.observe("and on", role="user")
            assert memory.verify(all=True).faults == (), at
            if answered and name.startswith("erase"):
                assert writes.CANARY.encode() not in b"".join(
                    path.read_bytes() for path in directory.glob("*.muniment*")
                )


@pytest.mark.faults
@requirement("ledger:commit:atomic")
@pytest.mark.parametrize("name", ["commit", "erase"])
def test_an_interruption_that_lasts_does_not_spoil_the_memory(
    place: Path, steps: Steps, name: str
) -> None:
    """From some step on nothing runs any more, not even the way back; later all does again."""
    base = place / "base"
    writes.prepare(base)
    total = number_of_steps(name, base, steps)
    directory = place / "memory"
    for at in some(range(1, total + 1), 12):
        shutil.rmtree(directory, ignore_errors=True)
        shutil.copytree(base, directory)
        with writes.opened(directory) as memory:
            warm(memory)
            before = contents(directory)

            steps.begin(stop_at=at, stop_for=10**9)
            try:
                writes.WRITES[name](memory, directory)
                answered = True
            except Interrupted:
                answered = False
            steps.begin()

            if not answered:
                assert contents(directory) == before, at
            memory.observe("and on it goes", role="user")
            assert memory.verify().faults == (), at
