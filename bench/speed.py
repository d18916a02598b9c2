"""Speed: durable commits, imports, recalls and checks, each as a ratio to its floor."""

from __future__ import annotations

import itertools
import json
import os
import random
import resource
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw

from bench import floors
from muniment import Around, Import, Memory, Verify

WORDS = 60_000
WORDS_PER_TEXT = 20
QUERIES = 60
TERMS = 6
LIMIT = 64


def figures(directory: Path, *, events: int, commits: int) -> dict[str, Any]:
    """Every speed figure; seconds of CPU unless a name says otherwise."""
    texts = _texts(events)
    return {
        "machine": {"cores": os.cpu_count(), "sqlite": apsw.sqlite_lib_version()},
        "commit": _commit(directory, commits),
        **_large(directory, texts),
    }


def _texts(count: int) -> list[str]:
    """Texts whose words follow the Zipf-Mandelbrot law; the same for every run."""
    chance = random.Random(1)
    weights = list(itertools.accumulate(1 / (rank + 2.7) for rank in range(WORDS)))
    words = [f"w{rank}" for rank in range(WORDS)]
    return [
        " ".join(chance.choices(words, cum_weights=weights, k=WORDS_PER_TEXT)) for _ in range(count)
    ]


def _commit(directory: Path, count: int) -> dict[str, Any]:
    """One durable record a commit, alternating with a synced write of 16 KiB."""
    floor = floors.synced_write(directory / "floor.bin")
    with Memory.open(directory / "commits") as memory:
        memory.remember("first")
        ours: list[float] = []
        bare: list[float] = []
        cpu = 0.0
        for number in range(count):
            started = time.process_time()
            ours.append(_wall(lambda: memory.remember(f"Note {number}.", key=f"k{number}")))  # noqa: B023 - called at once
            cpu += time.process_time() - started
            bare.append(_wall(floor))
    return {
        "wall_ms_p50": statistics.median(ours) * 1e3,
        "floor_ms_p50": statistics.median(bare) * 1e3,
        "ratio_p50": statistics.median(ours) / statistics.median(bare),
        "ratio_mean": statistics.fmean(ours) / statistics.fmean(bare),
        "cpu_us": cpu / count * 1e6,
    }


def _large(directory: Path, texts: list[str]) -> dict[str, Any]:
    """Import of many events, then recall, context and checks over them."""
    file = directory / "events.jsonl"
    raw = sum(map(len, texts))
    with file.open("w") as lines:
        for number, text in enumerate(texts):
            message = {"role": "user", "text": text, "id": number, "thread": f"t{number // 500}"}
            lines.write(json.dumps(message) + "\n")
    floor = floors.bulk_insert(directory / "floor.db", texts)
    with Memory.open(directory / "large") as memory:
        cpu = _cpu(lambda: memory.run(Import(file=str(file))))
        again = _cpu(lambda: memory.run(Import(file=str(file))))
        recall = _recall(memory, directory / "floor.db")
        middle = memory.recall(texts[len(texts) // 2], items_max=1).items[0].id
        context = _cpu(lambda: memory.run(Around(id=middle)))
        checks = {
            depth: _cpu(lambda: memory.run(Verify(depth=depth)))  # noqa: B023 - called at once
            for depth in ("chain", "content", "full")
        }
    size = next((directory / "large").glob("*.muniment")).stat().st_size
    count = len(texts)
    return {
        "import": {
            "events": count,
            "cpu_us_an_event": cpu / count * 1e6,
            "floor_us_an_event": floor / count * 1e6,
            "ratio": cpu / floor,
            "again_us_an_event": again / count * 1e6,
            "bytes_a_raw_byte": size / raw,
        },
        "recall": recall,
        "context_ms": context * 1e3,
        "verify_us_an_event": {depth: spent / count * 1e6 for depth, spent in checks.items()},
        "memory_mb_max": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def _recall(memory: Memory, floor_path: Path) -> dict[str, Any]:
    """The same questions to the product and to the bare index, in turn."""
    chance = random.Random(2)
    floor = floors.ranked(floor_path, LIMIT)
    ours: list[float] = []
    bare: list[float] = []
    for _ in range(QUERIES):
        terms = [f"w{chance.randrange(20, 5_000)}" for _ in range(TERMS)]
        ours.append(_cpu(lambda: memory.recall(" ".join(terms), items_max=16)))  # noqa: B023 - called at once
        bare.append(_cpu(lambda: floor(terms)))  # noqa: B023 - called at once
    return {
        "cpu_ms_p50": statistics.median(ours) * 1e3,
        "cpu_ms_p95": statistics.quantiles(ours, n=20)[-1] * 1e3,
        "floor_ms_p50": statistics.median(bare) * 1e3,
        "floor_ms_p95": statistics.quantiles(bare, n=20)[-1] * 1e3,
        "ratio_p95": statistics.quantiles(ours, n=20)[-1] / statistics.quantiles(bare, n=20)[-1],
    }


def _cpu(call: Callable[[], object]) -> float:
    started = time.process_time()
    call()
    return time.process_time() - started


def _wall(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started
