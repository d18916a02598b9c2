"""Commits: what a durable write costs, alone, of several records, and from many threads at once."""

from __future__ import annotations

import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from bench import floors
from bench.clocks import cpu, wall
from muniment import Commit, Memory, Note

RECORDS_MANY = 8
THREADS = 32
HOOKS = 10


def figures(directory: Path, count: int) -> dict[str, Any]:
    """Durable commits, one of them alternating with a synced write of 16 KiB."""
    return {
        "one_record": _one(directory, count),
        "eight_records": {"cpu_us": _eight(directory, count)},
        "threads": _threads(directory, count * 5),
        "from_a_hook": {"syncs": _from_a_hook(directory)},
    }


def _one(directory: Path, count: int) -> dict[str, Any]:
    floor = floors.synced_write(directory / "floor.bin")
    syncs = floors.Syncs()
    ours: list[float] = []
    bare: list[float] = []
    spent = 0.0
    with syncs, Memory.open(directory / "commits") as memory:
        for number in range(20):
            memory.remember(f"Warm {number}.", key=f"w{number}")
        syncs.count = 0
        for number in range(count):
            started = time.process_time()
            ours.append(wall(lambda: memory.remember(f"Note {number}.", key=f"k{number}")))  # noqa: B023 - called at once
            spent += time.process_time() - started
            bare.append(wall(floor))
        counted = syncs.count
    return {
        "wall_ms_p50": statistics.median(ours) * 1e3,
        "floor_ms_p50": statistics.median(bare) * 1e3,
        "ratio_p50": statistics.median(ours) / statistics.median(bare),
        "ratio_mean": statistics.fmean(ours) / statistics.fmean(bare),
        "beyond_floor_ms_p50": (statistics.median(ours) - statistics.median(bare)) * 1e3,
        "cpu_us": spent / count * 1e6,
        "floor_cpu_us": floors.bare_commits(directory / "bare.db", count) * 1e6,
        "syncs_a_commit": counted / count,
    }


def _eight(directory: Path, count: int) -> float:
    """CPU microseconds of one commit of eight records."""

    def commit(number: int) -> bool:
        notes = (Note(text=f"N {number} {each}.", key=f"c{each}") for each in range(RECORDS_MANY))
        return bool(memory.run(Commit(notes=tuple(notes))).records)

    with Memory.open(directory / "eight") as memory:
        commit(-1)
        return cpu(lambda: all(map(commit, range(count)))) / count * 1e6


def _from_a_hook(directory: Path) -> float:
    """Syncs of one message by somebody who opens the file for it and closes it again."""
    syncs = floors.Syncs()
    with syncs:
        for number in range(HOOKS + 1):
            if number == 1:
                syncs.count = 0  # the first one made the scope
            with Memory.open(directory / "hook") as memory:
                memory.observe(f"It is {number}.", role="user")
    return syncs.count / HOOKS


def _threads(directory: Path, count: int) -> dict[str, Any]:
    """Durable commits a second of so many threads, and of one alone."""
    with Memory.open(directory / "threads") as memory:
        memory.observe("first", role="user")

        def rate(threads: int) -> float:
            with ThreadPoolExecutor(threads) as pool:
                spent = wall(lambda: list(pool.map(observe, range(count))))
            return count / spent

        def observe(number: int) -> None:
            memory.observe(f"It is {number}.", role="user")

        alone = rate(1)
        many = rate(THREADS)
    return {"threads": THREADS, "a_second": many, "one_thread_a_second": alone}
