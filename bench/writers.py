"""Writers: many threads of one process, and several processes, on one scope."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from bench.clocks import wall
from muniment import Memory

THREADS = 32
QUEUED = 1_000
PROCESSES = 4
# What each of the processes does: it says how long every one of its writes took.
_WRITES = """
import json, sys, time
from muniment import Memory
took = []
with Memory.open(sys.argv[1]) as memory:
    for number in range(int(sys.argv[2])):
        started = time.perf_counter()
        memory.observe(f"It is {number}.", role="user")
        took.append(time.perf_counter() - started)
print(json.dumps(took))
"""


def figures(directory: Path, count: int) -> dict[str, Any]:
    """Durable commits a second, and the longest that any of several processes waited."""
    with Memory.open(directory / "threads") as memory:
        memory.observe("first", role="user")
        alone, many, queued = (_rate(memory, each, count) for each in (1, THREADS, QUEUED))
    return {
        "threads": THREADS,
        "one_thread_a_second": alone,
        "threads_a_second": many,
        "queued": QUEUED,
        "queued_a_second": queued,
        **_processes(directory / "processes", count // PROCESSES),
    }


def _rate(memory: Memory, threads: int, count: int) -> float:
    """Commits a second of so many threads, each of which waits for its own answer."""

    def observe(number: int) -> None:
        memory.observe(f"It is {number}.", role="user")

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(observe, range(threads)))  # they are there
        return count / wall(lambda: list(pool.map(observe, range(count))))


def _processes(place: Path, count: int) -> dict[str, Any]:
    """The longest that a write took, of processes that write as fast as they can."""
    with Memory.open(place) as memory:
        memory.observe("first", role="user")
    command = [sys.executable, "-c", _WRITES, str(place), str(count)]
    writing = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(PROCESSES)
    ]
    took = [seconds for each in writing for seconds in json.loads(each.communicate()[0])]
    return {"processes": PROCESSES, "writes": len(took), "longest_s": max(took)}
