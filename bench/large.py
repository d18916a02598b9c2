"""A large scope: its import, recalls from it, what stands around an event, and its checks."""

from __future__ import annotations

import itertools
import json
import os
import random
import resource
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from bench import driver, floors
from bench.clocks import cpu
from muniment import Around, Import, Memory, Verify

WORDS = 60_000
WORDS_PER_TEXT = 20
THREAD_EVENTS = 500
QUERIES = 60
TERMS = 6
LIMIT = 64
AROUND = 100
DRIVEN = 10_000  # events whose statements are kept in memory


def texts(count: int) -> list[str]:
    """Texts whose words follow the Zipf-Mandelbrot law; the same for every run."""
    chance = random.Random(1)
    weights = list(itertools.accumulate(1 / (rank + 2.7) for rank in range(WORDS)))
    words = [f"w{rank}" for rank in range(WORDS)]
    return [
        " ".join(chance.choices(words, cum_weights=weights, k=WORDS_PER_TEXT)) for _ in range(count)
    ]


def figures(directory: Path, events: int) -> dict[str, Any]:
    """Import of many events as a process of its own, then questions to them in this one."""
    file = directory / "events.jsonl"
    said = texts(events)
    with file.open("w") as lines:
        for number, text in enumerate(said):
            message = {"role": "user", "text": text, "id": number}
            message["thread"] = f"t{number // THREAD_EVENTS}" if number < events // 2 else "long"
            lines.write(json.dumps(message) + "\n")
    floor = floors.bulk_insert(directory / "floor.db", said)
    usage = _process("--db", str(directory / "large"), "import", str(file))
    spent = usage.ru_utime + usage.ru_stime
    with Memory.open(directory / "large") as memory:
        again = cpu(lambda: memory.run(Import(file=str(file))))
        policies = {
            policy: _recall(memory, directory / "floor.db", policy)
            for policy in ("lexical", "balanced")
        }
        around = _around(memory, {"short": said[7], "long": said[-7]})
        checks = {
            depth: cpu(lambda: memory.run(Verify(depth=depth)))  # noqa: B023 - called at once
            for depth in ("chain", "content", "full")
        }
    verifying = _process("--db", str(directory / "large"), "verify").ru_maxrss / 1024
    size = next((directory / "large").glob("*.muniment")).stat().st_size
    return {
        "import": {
            "events": events,
            "cpu_us_an_event": spent / events * 1e6,
            "floor_us_an_event": floor / events * 1e6,
            "driver_us_an_event": _driver(directory, file) * 1e6,
            "ratio": spent / floor,
            "again_us_an_event": again / events * 1e6,
            "raw_bytes_an_event": sum(map(len, said)) / events,
            "bytes_a_raw_byte": size / sum(map(len, said)),
            "memory_mb_max": usage.ru_maxrss / 1024,
        },
        "recall": policies,
        "context_ms": {name: taken * 1e3 for name, taken in around.items()},
        "context_long_over_short": around["long"] / around["short"],
        "verify_us_an_event": {depth: spent / events * 1e6 for depth, spent in checks.items()},
        "verify_full_over_import": checks["full"] / spent,
        "verify_memory_mb_max": verifying,
    }


def _process(*words: str) -> resource.struct_rusage:
    """What a command took as a process of its own."""
    child = subprocess.Popen([sys.executable, "-m", "muniment", *words], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, words
    return usage


def _driver(directory: Path, file: Path) -> float:
    """CPU seconds an event of what an import gives the driver, over the first events of the file."""
    place, some = directory / "driver", directory / "some.jsonl"
    with file.open() as lines:
        first = list(itertools.islice(lines, DRIVEN))
    some.write_text("".join(first))
    with Memory.open(place) as memory:
        memory.observe("first", role="user")

    def imported() -> None:
        with Memory.open(place) as memory:
            memory.run(Import(file=str(some)))

    return driver.alone(next(place.glob("*.muniment")), imported) / len(first)


def _around(memory: Memory, texts: dict[str, str]) -> dict[str, float]:
    """Median seconds of what stands around one message of each thread, asked in turn."""
    ids = {name: memory.recall(text, items_max=1).items[0].id for name, text in texts.items()}
    taken: dict[str, list[float]] = {name: [] for name in texts}
    for _ in range(AROUND):
        for name, id in ids.items():
            taken[name].append(cpu(lambda: memory.run(Around(id=id))))  # noqa: B023 - called at once
    return {name: statistics.median(each) for name, each in taken.items()}


def _recall(memory: Memory, floor_path: Path, policy: str) -> dict[str, Any]:
    """The same questions to the product and to the bare index, in turn."""
    chance = random.Random(2)
    floor = floors.ranked(floor_path, LIMIT)
    ours: list[float] = []
    bare: list[float] = []
    for _ in range(QUERIES):
        terms = [f"w{chance.randrange(20, 5_000)}" for _ in range(TERMS)]
        ours.append(cpu(lambda: memory.recall(" ".join(terms), policy=policy)))  # noqa: B023 - called at once
        bare.append(cpu(lambda: floor(terms)))  # noqa: B023 - called at once
    return {
        "cpu_ms_p50": statistics.median(ours) * 1e3,
        "cpu_ms_p95": statistics.quantiles(ours, n=20)[-1] * 1e3,
        "floor_ms_p50": statistics.median(bare) * 1e3,
        "floor_ms_p95": statistics.quantiles(bare, n=20)[-1] * 1e3,
        "ratio_p95": statistics.quantiles(ours, n=20)[-1] / statistics.quantiles(bare, n=20)[-1],
    }
