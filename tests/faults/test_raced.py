"""Several processes and threads on one scope: nothing is lost, and nobody is told of a lock."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from muniment import Memory, StateGet
from tests.faults.racing import FORKS, THREADS, WRITES
from tests.faults.test_killed import ROOT
from tests.requirements.marker import requirement
from tests.store.files import only_file, rows


def raced(directory: Path, runners: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
    """What each of several processes answers that begin at the same moment."""
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.faults.racing", role, name, directory],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for role, name in runners
    ]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    ended = [(*process.communicate(), process.returncode) for process in started]
    assert [err[-1_000:] for _, err, code in ended if code != 0] == []
    return [json.loads(out) for out, _, _ in ended]


def texts(directory: Path) -> list[str]:
    """Every text of the scope's messages and records, in order."""
    held = rows(only_file(directory), "SELECT bytes FROM content ORDER BY place")
    return [found["text"] for (bytes,) in held if "text" in (found := json.loads(bytes))]


def written(names: Sequence[str]) -> set[str]:
    """Every text that the writers of these names say."""
    return {
        f"{name} {word} {number}"
        for name in names
        for word in ("says", "holds", "notes")
        for number in range(WRITES)
    }


def check(directory: Path, names: Sequence[str]) -> None:
    """Each text once, every increment counted, and a clean file."""
    found = texts(directory)

    assert sorted(found) == sorted(written(names) | {"first"})
    with Memory.open(directory) as memory:
        assert memory.run(StateGet(key="count")).value == len(names) * WRITES
        assert memory.verify().faults == ()


@requirement("ledger:race:writers")
def test_processes_that_write_and_read_at_once_lose_nothing(directory: Path) -> None:
    """Four that write and two that read; a lost compare and swap is the only thing told."""
    with Memory.open(directory) as memory:
        memory.observe("first", role="user")
    names = ["ann", "bob", "cleo", "dan"]

    raced(directory, [*(("write", name) for name in names), ("read", "eve"), ("read", "fay")])

    check(directory, names)


@requirement("ledger:race:writers")
def test_threads_that_share_a_memory_lose_nothing(directory: Path) -> None:
    """Each thread writes and reads; one connection writes at a time."""
    with Memory.open(directory) as memory:
        memory.observe("first", role="user")

    (answer,) = raced(directory, [("thread", "ann")])

    assert answer == {"failed": []}
    check(directory, [f"ann.{number}" for number in range(THREADS)])


@requirement("ledger:race:writers")
def test_children_of_a_fork_go_on_with_connections_of_their_own(directory: Path) -> None:
    """Parent and children write through what was one memory, and some children close it."""
    with Memory.open(directory) as memory:
        memory.observe("first", role="user")

    answers = raced(directory, [("fork", "ann"), ("fork", "bob")])

    words = ["before", "after", *(f"parent {n}" for n in range(FORKS))]
    words += [f"child {n}" for n in range(FORKS) if n % 3 != 2]
    assert [answer["ends"] for answer in answers] == [[0] * FORKS] * 2
    assert sorted(texts(directory)) == sorted(
        ["first", *(f"{name} {word}" for name in ("ann", "bob") for word in words)]
    )
    with Memory.open(directory) as memory:
        assert memory.verify().faults == ()


@requirement("ledger:race:writers")
def test_processes_that_make_a_scope_at_once_make_one(directory: Path) -> None:
    """The first write of each finds the scope, made by whoever was first."""
    names = ["ann", "bob", "cleo"]

    raced(directory, [("write", name) for name in names])

    assert len(list(directory.glob("*.muniment"))) == 1
    assert set(texts(directory)) == written(names)
