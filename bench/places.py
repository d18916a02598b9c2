"""Places and processes: the file of a small scope, one scope of many, a command from a cold start."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from bench.clocks import cpu
from muniment import Memory

FEW, MANY = 5, 5_000
OPENINGS = 30
STARTS = 11


def figures(directory: Path, large: Path) -> dict[str, Any]:
    """`large` is a memory with something to recall."""
    return {"scopes": _scopes(directory), "cold_process": _cold(large)}


def _scopes(directory: Path) -> dict[str, Any]:
    """The file of a scope with one message, and opening it among few scopes and among many."""
    taken: dict[int, float] = {}
    for count in (FEW, MANY):
        place = directory / f"scopes-{count}"
        with Memory.open(place) as memory:
            memory.observe("first", role="user")
        file = next(place.glob("*.muniment"))
        for number in range(count - 1):
            os.link(file, place / f"other-{number:08x}.muniment")
        taken[count] = statistics.median(cpu(lambda: _open(place)) for _ in range(OPENINGS))  # noqa: B023 - called at once
    return {
        "file_bytes": file.stat().st_size,
        "few": FEW,
        "many": MANY,
        "open_one_of_few_ms": taken[FEW] * 1e3,
        "open_one_of_many_ms": taken[MANY] * 1e3,
        "ratio": taken[MANY] / taken[FEW],
    }


def _open(place: Path) -> None:
    with Memory.open(place) as memory:
        memory.recall("first")


def _cold(large: Path) -> dict[str, Any]:
    """CPU of `muniment recall` as a process of its own, beside one that does nothing."""
    nothing = _process("-c", "pass")
    libraries = _process("-c", "import apsw, msgspec")
    recall = _process("-m", "muniment", "--db", str(large), "recall", "w500 w700")
    return {
        "recall_cpu_ms": recall * 1e3,
        "floor_cpu_ms": nothing * 1e3,
        "libraries_ms": (libraries - nothing) * 1e3,
        "above_floor_ms": (recall - nothing) * 1e3,
    }


def _process(*arguments: str) -> float:
    """Median CPU seconds of a Python process with its compiled modules at hand."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    spent: list[float] = []
    for _ in range(STARTS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, *arguments], check=True, env=environment, stdout=subprocess.DEVNULL
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(spent)
