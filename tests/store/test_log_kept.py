"""A log that is left beside the file: fewer syncs, and nothing else is different."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.floors import Syncs
from muniment import Erase, Memory
from tests.requirements.marker import requirement
from tests.store.files import only_file
from tests.surfaces.shell import Shell


def log_of(directory: Path) -> Path:
    """Where the log of the only scope lies, or would."""
    path = only_file(directory)
    return path.with_name(path.name + "-wal")


def written(directory: Path, text: str, *, keep_log: bool) -> None:
    """One message by somebody who opens the file for it and closes it again."""
    with Memory.open(directory, keep_log=keep_log) as memory:
        memory.observe(text, role="user")


@requirement("ledger:file:log-kept")
def test_a_log_that_was_left_is_read_and_written_on(directory: Path) -> None:
    """By those who leave it too, and by those who do not."""
    for number in range(3):
        written(directory, f"It is {number}.", keep_log=True)
    assert log_of(directory).stat().st_size > 0

    with Memory.open(directory) as memory:
        assert memory.verify(depth="full").ok
        assert {item.text for item in memory.recall("it is", policy="recent").items} == {
            f"It is {number}." for number in range(3)
        }
    assert log_of(directory).stat().st_size > 0, "who only reads leaves it as it was"


@requirement("ledger:file:log-kept")
def test_the_next_ordinary_writer_folds_it_in(directory: Path) -> None:
    """Then the file alone holds everything."""
    written(directory, "It is left.", keep_log=True)
    written(directory, "It is one more.", keep_log=True)
    written(directory, "It is folded in.", keep_log=False)

    assert not log_of(directory).exists()
    with Memory.open(directory) as memory:
        assert memory.verify(depth="full").ok
        assert len(memory.recall("it is", policy="recent").items) == 3


@requirement("ledger:file:log-kept")
@pytest.mark.parametrize(("keep_log", "most"), [(True, 2), (False, 4)])
def test_a_process_that_writes_once_syncs_so_often(
    directory: Path, most: int, *, keep_log: bool
) -> None:
    """As seen below the engine; the first one made the scope."""
    written(directory, "It is the first.", keep_log=keep_log)
    syncs = Syncs()
    with syncs:
        for number in range(4):
            written(directory, f"It is {number}.", keep_log=keep_log)

    assert 4 <= syncs.count <= 4 * most


@requirement("ledger:file:log-kept")
def test_what_is_erased_stays_in_no_log_that_is_left(directory: Path) -> None:
    """An erasure empties the log, whoever leaves it."""
    with Memory.open(directory, keep_log=True) as memory:
        seen = memory.observe("The word is xyzzyplugh.", role="user")
        plan = memory.run(Erase(event=seen.id))
        assert memory.run(Erase(event=seen.id, confirm=plan.token)).done

    every = [path.read_bytes() for path in directory.iterdir()]
    assert not any(b"xyzzyplugh" in each for each in every)


@requirement("ledger:file:log-kept")
def test_a_command_says_it_by_a_flag(directory: Path) -> None:
    """Before the command's name or behind it."""
    shell = Shell(directory)
    shell("observe", "It is made.", "--role", "user")
    assert not log_of(shell.db).exists()
    shell("--keep-log", "observe", "It is left.", "--role", "user")
    assert log_of(shell.db).stat().st_size > 0
    shell("observe", "It is folded in.", "--role", "user")
    assert not log_of(shell.db).exists()
