"""Commits: what a durable write costs, alone, of several records, and from a process of its own."""

from __future__ import annotations

import statistics
import time
from pathlib import Path
from typing import Any

from bench import driver, floors
from bench.clocks import cpu, wall
from muniment import Commit, Memory, Note

RECORDS_MANY = 8
HOOKS = 10
WARM = 20
SYNC_S = 0.004


def figures(directory: Path, count: int) -> dict[str, Any]:
    """Durable commits, one of them alternating with a synced write of 16 KiB."""
    return {
        "one_record": _one(directory, count),
        "eight_records": _eight(directory, count),
        "slow_disk": _slow_disk(directory, count),
        "from_a_hook": {
            "syncs": _from_a_hook(directory / "hook", keep_log=True),
            "syncs_with_the_log_folded_in": _from_a_hook(directory / "folded", keep_log=False),
        },
    }


def _one(directory: Path, count: int) -> dict[str, Any]:
    """Commits of one record; syncs are counted apart, because counting them costs something."""
    floor = floors.synced_write(directory / "floor.bin")
    place = directory / "commits"
    ours: list[float] = []
    bare: list[float] = []
    spent = 0.0
    with Memory.open(place) as memory:
        _remember(memory, "w", WARM)
        for number in range(count):
            started = time.process_time()
            ours.append(wall(lambda: memory.remember(f"Note {number}.", key=f"k{number}")))  # noqa: B023 - called at once
            spent += time.process_time() - started
            bare.append(wall(floor))
    syncs = floors.Syncs()
    with syncs, Memory.open(place) as memory:
        _remember(memory, "v", WARM)  # the first writes the head of a new log
        syncs.count = 0
        _remember(memory, "s", count)
        counted = syncs.count

    def again() -> None:
        with Memory.open(place) as memory:
            _remember(memory, "d", count)

    return {
        "wall_ms_p50": statistics.median(ours) * 1e3,
        "floor_ms_p50": statistics.median(bare) * 1e3,
        "ratio_p50": statistics.median(ours) / statistics.median(bare),
        "ratio_mean": statistics.fmean(ours) / statistics.fmean(bare),
        "beyond_floor_ms_p50": (statistics.median(ours) - statistics.median(bare)) * 1e3,
        "cpu_us": spent / count * 1e6,
        "driver_us": driver.alone(_file(place), again) / count * 1e6,
        "floor_cpu_us": floors.bare_commits(directory / "bare.db", count) * 1e6,
        "syncs_a_commit": counted / count,
    }


def _slow_disk(directory: Path, count: int) -> dict[str, Any]:
    """A commit beside an alternating synced write, where each sync takes `SYNC_S` longer.

    That is about what a disk of a data centre takes; on one that has no cache to wait for, it is
    the processor that a commit waits for.
    """
    floor = floors.synced_write(directory / "slow.bin", SYNC_S)
    ours: list[float] = []
    bare: list[float] = []
    with floors.Syncs(SYNC_S), Memory.open(directory / "slow") as memory:
        _remember(memory, "w", WARM)
        for number in range(count):
            ours.append(wall(lambda: memory.remember(f"Note {number}.", key=f"k{number}")))  # noqa: B023 - called at once
            bare.append(wall(floor))
    return {
        "sync_ms": SYNC_S * 1e3,
        "ratio_p50": statistics.median(ours) / statistics.median(bare),
        "ratio_mean": statistics.fmean(ours) / statistics.fmean(bare),
    }


def _remember(memory: Memory, letter: str, count: int) -> None:
    for number in range(count):
        memory.remember(f"Note {number}.", key=f"{letter}{number}")


def _eight(directory: Path, count: int) -> dict[str, float]:
    """CPU microseconds of one commit of eight records, each a new version of its key."""
    place = directory / "eight"

    def commit(memory: Memory, number: int) -> None:
        notes = (Note(text=f"N {number} {each}.", key=f"c{each}") for each in range(RECORDS_MANY))
        memory.run(Commit(notes=tuple(notes)))

    def many(memory: Memory, first: int) -> None:
        for number in range(first, first + count):
            commit(memory, number)

    def again() -> None:
        with Memory.open(place) as memory:
            many(memory, count)

    with Memory.open(place) as memory:
        commit(memory, -1)
        spent = cpu(lambda: many(memory, 0))
    bare = driver.alone(_file(place), again)
    return {"cpu_us": spent / count * 1e6, "driver_us": bare / count * 1e6}


def _file(place: Path) -> Path:
    """The file of the only scope there."""
    return next(place.glob("*.muniment"))


def _from_a_hook(place: Path, *, keep_log: bool) -> float:
    """Syncs of one message by somebody who opens the file for it and closes it again."""
    syncs = floors.Syncs()
    with syncs:
        for number in range(HOOKS + 1):
            if number == 1:
                syncs.count = 0  # the first one made the scope
            with Memory.open(place, keep_log=keep_log) as memory:
                memory.observe(f"It is {number}.", role="user")
    return syncs.count / HOOKS
