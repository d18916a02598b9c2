"""Reading leaves no trace: nothing is made, migrated or written, whatever lies beside the file."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from muniment import (
    Around,
    Checkpoint,
    Collections,
    Doctor,
    Erase,
    ExchangeInspect,
    ExchangeRecall,
    ExchangeReplay,
    ExchangeRetain,
    History,
    Keys,
    Memory,
    Migrate,
    Recall,
    Receipts,
    Records,
    Scopes,
    Show,
    StateGet,
    StateHistory,
    StateList,
    Status,
    Tasks,
    Thread,
    Threads,
    Verify,
    Why,
    WhyNot,
)
from muniment.operations import OPERATIONS
from tests.golden.make import CLUB
from tests.requirements.marker import requirement
from tests.store.files import change, listing, rows

EXAMPLES = Path(__file__).parents[2] / "examples"

READS: Mapping[str, Callable[[], Any]] = {
    "recall": lambda: Recall(query="telescope", scope=CLUB),
    "recall history": lambda: Recall(query="telescope", history=True, scope=CLUB),
    "why": lambda: Why(id="e2", query="telescope", scope=CLUB),
    "why-not": lambda: WhyNot(id="e2", query="telescope", scope=CLUB),
    "show": lambda: Show(id="e2", scope=CLUB),
    "history": lambda: History(key="door-code", scope=CLUB),
    "thread": lambda: Thread(thread="t1", scope=CLUB),
    "context": lambda: Around(id="e2", scope=CLUB),
    "state get": lambda: StateGet(key="night", scope=CLUB),
    "state history": lambda: StateHistory(key="night", scope=CLUB),
    "status": lambda: Status(scope=CLUB),
    "verify chain": lambda: Verify(depth="chain", scope=CLUB),
    "verify": lambda: Verify(scope=CLUB),
    "verify all": lambda: Verify(all=True),
    "checkpoint": lambda: Checkpoint(scope=CLUB),
    "migrate dry run": lambda: Migrate(dry_run=True, scope=CLUB),
    "doctor": lambda: Doctor(scope=CLUB),
    "scopes": Scopes,
    "threads": lambda: Threads(scope=CLUB),
    "collections": lambda: Collections(scope=CLUB),
    "state list": lambda: StateList(scope=CLUB),
    "keys": lambda: Keys(scope=CLUB),
    "records": lambda: Records(scope=CLUB),
    "tasks": lambda: Tasks(scope=CLUB),
    "receipts": lambda: Receipts(scope=CLUB),
    "erase plan": lambda: Erase(event="e2", scope=CLUB),
}


# They read another system's files, and no scope.
EXCHANGES: Mapping[str, Callable[[Path], Any]] = {
    "exchange inspect": lambda place: ExchangeInspect(file=str(place / "greenhouse.aotxccir")),
    "exchange recall": lambda place: ExchangeRecall(
        store=str(place / "greenhouse.aotxccir"),
        queries=str(place / "greenhouse.queries"),
        out=str(place.parent / "answers"),
    ),
    "exchange retain": lambda place: ExchangeRetain(
        store=str(place / "greenhouse.aotxccir"),
        queries=str(place / "first.queries"),
        out=str(place.parent / "kept"),
    ),
    "exchange replay": lambda place: ExchangeReplay(store=str(place / "greenhouse.aotxccir")),
}


def read(directory: Path, name: str) -> None:
    """One reading operation on a directory; whether it finds anything does not matter here."""
    with Memory.open(directory) as memory:
        memory.run(READS[name]())


def unshared(directory: Path) -> dict[str, tuple[str, int, int]]:
    """Every file but the engine's shared memory, which holds nothing and is made anew."""
    return {name: found for name, found in listing(directory).items() if name[-4:] != "-shm"}


@requirement("ledger:file:refused")
@pytest.mark.parametrize("name", READS)
def test_reading_leaves_the_directory_as_it_was(copy: Path, name: str) -> None:
    """The same files with the same bytes and the same times, and no new one."""
    before = listing(copy.parent)

    read(copy.parent, name)

    assert listing(copy.parent) == before


@pytest.mark.parametrize("name", READS)
def test_reading_leaves_the_log_of_a_killed_writer_as_it_was(
    copy: Path, place: Path, name: str
) -> None:
    """What the log holds is read and not folded in: that is for the next writer to do."""
    left = place / "left"
    left.mkdir()
    with Memory.open(copy.parent) as memory:
        memory.observe("The telescope came back.", role="user", scope=CLUB)
        for path in copy.parent.glob("*.muniment*"):
            shutil.copy2(path, left / path.name)
    assert next(iter(left.glob("*-wal"))).stat().st_size > 0
    before = unshared(left)

    read(left, name)
    with Memory.open(left) as memory:
        found = memory.recall("The telescope came back.", scope=CLUB).text

    assert "came back" in found
    assert unshared(left) == before


@pytest.mark.parametrize("name", [name for name in READS if name != "verify all"])
def test_reading_from_nothing_makes_nothing(place: Path, name: str) -> None:
    """A scope that is not there is not made by a question about it."""
    from muniment.errors import NotFound

    with pytest.raises(NotFound):
        read(place / "memory", name)

    assert list(place.iterdir()) == []


def test_reading_does_not_mend_a_derived_table_of_another_version(copy: Path) -> None:
    """It says that a rebuild is needed; the next write makes it, or a rebuild does."""
    from muniment.errors import RebuildNeeded

    change(copy, "UPDATE projection SET fingerprint = 'older' WHERE name = 'record'")
    before = listing(copy.parent)

    with Memory.open(copy.parent) as memory:
        with pytest.raises(RebuildNeeded):
            memory.recall("telescope", scope=CLUB)
        assert listing(copy.parent)[copy.name] == before[copy.name]

        memory.observe("A new day.", role="user", scope=CLUB)
        assert memory.recall("telescope", scope=CLUB).items
    assert rows(copy, "SELECT count(*) FROM projection WHERE fingerprint = 'older'") == [(0,)]


def test_every_reading_operation_is_tried_here() -> None:
    """One that is added to the table of operations is added above."""
    # Which need something of their own; see below.
    tried = {*READS, *EXCHANGES, "replay", "backup"}

    assert {each.name for each in OPERATIONS if each.effect == "read"} <= tried


def test_replaying_a_receipt_leaves_the_directory_as_it_was(copy: Path) -> None:
    """A recall that is recorded writes; deciding it again does not."""
    from muniment import Replay

    with Memory.open(copy.parent) as memory:
        receipt = memory.run(Recall(query="telescope", record=True, scope=CLUB)).receipt
    assert receipt is not None
    before = listing(copy.parent)

    with Memory.open(copy.parent) as memory:
        memory.run(Replay(receipt=receipt, scope=CLUB))

    assert listing(copy.parent) == before


def test_backing_up_leaves_the_directory_as_it_was(copy: Path, place: Path) -> None:
    """A copy lies elsewhere; a log that a killed writer left is copied, and not folded in."""
    from muniment import Backup

    left = place / "left"
    left.mkdir()
    with Memory.open(copy.parent) as memory:
        memory.observe("The telescope came back.", role="user", scope=CLUB)
        for path in copy.parent.glob("*.muniment*"):
            shutil.copy2(path, left / path.name)
    before = unshared(left)

    with Memory.open(left) as memory:
        memory.run(Backup(file=str(place / "backup"), scope=CLUB))

    assert unshared(left) == before
    with Memory.open(place / "backup") as backup:
        assert "came back" in backup.recall("The telescope came back.").text


@pytest.mark.parametrize("name", EXCHANGES)
def test_reading_another_systems_files_leaves_them_and_the_memory_as_they_were(
    copy: Path, place: Path, name: str
) -> None:
    """What is answered lies in a directory of its own."""
    files = place / "files"
    files.mkdir()
    for path in EXAMPLES.glob("greenhouse.*"):
        shutil.copy2(path, files / path.name)
    # The first query alone: of all of them one is refused.
    every = (files / "greenhouse.queries").read_bytes()
    alone = every[:8] + (1).to_bytes(4, "little") + every[12 : 64 + 8_192]
    (files / "first.queries").write_bytes(alone)
    before = listing(copy.parent), listing(files)

    with Memory.open(copy.parent) as memory:
        memory.run(EXCHANGES[name](files))

    assert (listing(copy.parent), listing(files)) == before
