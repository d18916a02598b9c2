"""A fork, whatever the other threads are in the midst of: both sides go on at once."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from muniment import Memory, Status
from muniment.store.pool import Store
from tests.requirements.marker import requirement

THREADS = 4
FORKS = 12
SLOW_S = 3.0  # an engine's lock that is never given back takes the whole wait of ten

# Threads are what this is about.
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")


@contextmanager
def busy(memory: Memory) -> Iterator[list[str]]:
    """Threads that write and read meanwhile; afterwards the ids of what they wrote."""
    over = threading.Event()
    written: list[str] = []

    def work(number: int) -> None:
        while not over.is_set():
            written.append(memory.observe(f"thread {number}", role="user").id)
            memory.recall("thread")

    with ThreadPoolExecutor(THREADS) as pool:
        running = [pool.submit(work, number) for number in range(THREADS)]
        try:
            yield written
        finally:
            over.set()
    for each in running:
        each.result()


def stored(memory: Memory) -> Store:
    """What is below a memory, where a transaction can be held open."""
    return memory._context.store  # noqa: SLF001 - no command can be made to last


def child(memory: Memory, directory: Path, number: int) -> int:
    """A forked process that writes through what was its parent's memory, and through its own."""
    process = os.fork()
    if process == 0:
        status = 1
        try:
            memory.observe(f"child {number}", role="user")
            with Memory.open(directory, wait_ms=10_000) as own:
                own.observe(f"child {number} again", role="user")
            status = 0
        finally:
            os._exit(status)
    return process


@requirement("ledger:commit:forked")
def test_children_of_a_fork_in_the_midst_of_writes_write_at_once(directory: Path) -> None:
    """So do the threads of their parent; nothing is lost on either side."""
    with Memory.open(directory, wait_ms=10_000) as memory:
        memory.observe("first", role="user")

        ends, took = [], []
        with busy(memory) as written:
            for number in range(FORKS):
                started = time.monotonic()
                process = child(memory, directory, number)
                ends.append(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
                took.append(time.monotonic() - started)

        assert ends == [0] * FORKS
        assert max(took) < SLOW_S
        events = len(written) + 1 + 2 * FORKS
        assert memory.run(Status()).seq == events
        assert memory.verify().faults == ()


@requirement("ledger:commit:forked")
def test_a_fork_waits_until_a_write_beside_it_has_ended(directory: Path) -> None:
    """Where another thread is inside a transaction, the child finds the file free all the same."""
    with Memory.open(directory, wait_ms=10_000) as memory:
        memory.observe("first", role="user")
        store = stored(memory)
        inside = threading.Event()

        def write() -> None:
            with store.write(store.find(None)):
                inside.set()
                time.sleep(0.3)

        thread = threading.Thread(target=write)
        thread.start()
        inside.wait()
        started = time.monotonic()
        process = child(memory, directory, 0)

        assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
        assert time.monotonic() - started < SLOW_S
        thread.join()
        memory.observe("after", role="user")
        assert memory.verify().faults == ()


@requirement("ledger:commit:forked")
def test_a_fork_inside_a_write_of_its_own_thread_does_not_wait_for_itself(directory: Path) -> None:
    """The write is the parent's, and is committed there."""
    with Memory.open(directory) as memory:
        memory.observe("first", role="user")
        store = stored(memory)

        started = time.monotonic()
        with store.write(store.find(None)):
            process = os.fork()
            if process == 0:
                os._exit(0)
        assert time.monotonic() - started < SLOW_S

        assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
        memory.observe("after", role="user")
        assert memory.verify().faults == ()
