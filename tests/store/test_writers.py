"""Threads that write at once share a COMMIT; each is answered when what it wrote is there."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import pytest

from muniment import Memory, Show, Status
from muniment.errors import HeadMoved, MunimentError, Unavailable
from muniment.model.event import base32
from muniment.model.pack import Item
from tests.requirements.marker import requirement

THREADS = 16
EACH = 12


class Disk:
    """Stands in every COMMIT: counts it, takes its time, and may refuse it."""

    def __init__(self) -> None:
        self.commits = 0
        self.takes_s = 0.003
        self.refuse = False

    def __call__(self) -> bool:
        """Whether the COMMIT is refused."""
        self.commits += 1
        time.sleep(self.takes_s)
        return self.refuse


@pytest.fixture
def disk() -> Iterator[Disk]:
    """The disk under every connection that is opened from now on."""
    slow = Disk()

    def hook(connection: apsw.Connection) -> None:
        connection.set_commit_hook(slow)

    apsw.connection_hooks.append(hook)
    yield slow
    apsw.connection_hooks.remove(hook)


def at_once(write: Callable[[int], None]) -> None:
    """Every thread begins together; what one raises is raised here."""
    ready = threading.Barrier(THREADS)

    def run(number: int) -> None:
        ready.wait()
        write(number)

    with ThreadPoolExecutor(THREADS) as pool:
        for done in [pool.submit(run, number) for number in range(THREADS)]:
            done.result()


@requirement("ledger:commit:grouped")
def test_threads_share_commits_and_each_is_answered_when_its_own_is_there(
    memory: Memory, directory: Path, disk: Disk
) -> None:
    """Fewer COMMITs than commands; another connection sees each as soon as it is answered."""
    memory.observe("first", role="user")
    disk.commits = 0
    reading = Memory.open(directory)

    def write(number: int) -> None:
        for turn in range(EACH):
            said = memory.observe(f"{number} says {turn}", role="user", thread=str(number))
            assert reading.run(Show(id=said.id)).items[0].text == f"{number} says {turn}"

    at_once(write)
    reading.close()

    assert memory.run(Status()).seq == 1 + THREADS * EACH
    assert disk.commits < THREADS * EACH
    assert memory.verify().faults == ()


@requirement("ledger:commit:grouped")
def test_a_command_that_fails_takes_nobody_along(memory: Memory, disk: Disk) -> None:
    """Every second one is refused in the middle of somebody's transaction."""
    memory.observe("first", role="user")
    lost: list[int] = []

    def write(number: int) -> None:
        for turn in range(EACH):
            if (number + turn) % 2:
                with pytest.raises(HeadMoved):
                    memory.remember("lost", key=f"k{number}", expect_head="0" * 64)
                lost.append(number)
            else:
                memory.remember(f"{number} keeps {turn}", key=f"k{number}")

    at_once(write)

    found = memory.run(Status())
    assert len(lost) == THREADS * EACH // 2
    assert found.seq == 1 + THREADS * EACH // 2
    assert memory.recall("lost", policy="lexical").items == ()
    assert memory.verify().faults == ()


@requirement("ledger:commit:grouped")
def test_a_commit_that_fails_is_told_to_all_in_it_and_nothing_is_there(
    memory: Memory, disk: Disk
) -> None:
    """The disk refuses for a while: whoever was answered is there, nobody else is."""
    memory.observe("first", role="user")
    answered: list[str] = []
    refused: list[MunimentError] = []

    def write(number: int) -> None:
        for turn in range(EACH):
            disk.refuse = turn % 3 == 1
            try:
                answered.append(memory.observe(f"{number} says {turn}", role="user").id)
            except Unavailable as error:
                refused.append(error)

    at_once(write)
    disk.refuse = False
    memory.observe("last", role="user")

    assert refused
    assert memory.run(Status()).seq == 2 + len(answered)
    assert {memory.run(Show(id=id)).items[0].id for id in answered} == set(answered)
    assert memory.verify().faults == ()


@requirement("ledger:commit:grouped")
def test_an_erasure_shares_its_transaction_with_nobody(memory: Memory, disk: Disk) -> None:
    """Writers on all sides: it is done when it is answered, and their words stay."""
    secret = memory.observe("The canary sings at dawn.", role="user")

    def write(number: int) -> None:
        for turn in range(EACH):
            memory.observe(f"{number} says {turn}", role="user")
            if number == turn == 0:
                while not erased():
                    pass

    def erased() -> bool:
        plan = memory.erase(event=secret.id)
        try:
            done = memory.erase(event=secret.id, confirm=plan.token)
        except MunimentError as error:
            assert error.code == "wrong_token"  # somebody wrote in between
            return False
        assert not done.pending
        return True

    at_once(write)

    assert memory.run(Show(id=secret.id)).items[0].standing == "erased"
    assert memory.run(Status()).seq == 1 + THREADS * EACH + 1
    assert memory.verify().faults == ()


@requirement("ledger:commit:interrupted-beside")
def test_an_interrupted_thread_takes_no_other_along(directory: Path) -> None:
    """The main thread is interrupted hundreds of times: the others write on and are not lied to."""
    program = Path(__file__).with_name("pressed.py")

    done = subprocess.run(
        [sys.executable, str(program), str(directory)], capture_output=True, check=True, timeout=90
    )

    told = json.loads(done.stdout)
    with Memory.open(directory) as memory:
        stored = [item.text for item in messages(memory)]
        assert memory.verify().faults == ()
    answered = [text for texts in told["answered"].values() for text in texts]
    assert told["stuck"] == told["errors"] == []
    assert told["pressed"] > 20
    assert all(told["answered"].values())
    assert len(stored) == len(set(stored))
    assert set(answered) <= set(stored)
    # Whether a command that was interrupted is there nobody can say; all others are answered.
    assert all(text.startswith(("main", "first")) for text in set(stored) - set(answered))


def messages(memory: Memory) -> Iterator[Item]:
    """Every message there is, in order."""
    for seq in range(1, memory.run(Status()).seq + 1):
        yield memory.run(Show(id=f"e{base32(seq)}")).items[0]


@requirement("ledger:commit:interrupted-beside")
def test_a_child_that_was_forked_holds_no_lock(memory: Memory) -> None:
    """It never touches the memory and lives on; the parent and everybody else write."""
    memory.observe("first", role="user")
    going_on = threading.Event()

    def write() -> None:
        while not going_on.is_set():
            memory.observe("beside", role="user")

    thread = threading.Thread(target=write)
    thread.start()
    children = []
    try:
        for _ in range(8):
            with warnings.catch_warnings():
                warnings.simplefilter(
                    "ignore", DeprecationWarning
                )  # threads are what this is about
                child = os.fork()
            if child == 0:
                time.sleep(20)
                os._exit(0)
            children.append(child)
            time.sleep(0.02)
        started = time.monotonic()
        memory.observe("after", role="user")
        assert time.monotonic() - started < 10
    finally:
        going_on.set()
        thread.join()
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    assert memory.verify().faults == ()


@requirement("ledger:commit:interrupted-beside")
@pytest.mark.parametrize("fails", [False, True])
def test_an_interruption_that_was_held_back_is_raised_behind_the_command(fails: bool) -> None:
    """Also where the command itself was refused: whoever pressed is not overheard."""
    program = f"""
import signal
from muniment.store.interrupts import HeldBack
done = []
try:
    with HeldBack():
        signal.raise_signal(signal.SIGINT)
        done.append("went on")
        if {fails}:
            raise ValueError
except KeyboardInterrupt:
    done.append("interrupted")
assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
print(*done)
"""

    said = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, timeout=30
    )

    assert said.stdout.split() == [b"went", b"on", b"interrupted"]
