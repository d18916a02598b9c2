"""What each figure is to reach."""

from __future__ import annotations

import copy
import statistics
from collections.abc import Callable, Sequence
from typing import Any

from bench import exchange

# Where a figure stands in the JSON, what it says, what it is to reach, and whether less is better.
GOALS: tuple[tuple[str, str, float, bool], ...] = (
    ("commit.one_record.cpu_us", "CPU of a commit of one record, us", 300, True),
    ("commit.eight_records.cpu_us", "CPU of a commit of eight records, us", 700, True),
    ("commit.one_record.syncs_a_commit", "syncs a commit", 1, True),
    ("commit.from_a_hook.syncs", "syncs of a process that writes once, the log left", 2, True),
    ("commit.slow_disk.ratio_p50", "commit, times a synced write of 4 ms, p50", 1.25, True),
    ("commit.slow_disk.ratio_mean", "commit, times a synced write of 4 ms, mean", 1.5, True),
    ("writers.threads_a_second", "durable commits a second, 32 threads", 3_000, False),
    ("writers.queued_a_second", "durable commits a second, 1,000 queued", 10_000, False),
    ("writers.longest_s", "longest write of four processes at once, s", 0.5, True),
    ("import.cpu_us_an_event", "CPU of an imported event, us", 30, True),
    ("import.bytes_a_raw_byte", "bytes on disk a raw byte", 3.5, True),
    ("import.memory_mb_max", "memory of an import, MB", 250, True),
    ("context_long_over_short", "context in a long thread, times one in a short", 1.25, True),
    ("recall.lexical.ratio_p95", "lexical recall p95, times the bare query", 2, True),
    (
        "meaning.talk.recall_ms_p50",
        "hybrid recall from 5,000 events, its model apart, ms",
        10,
        True,
    ),
    ("meaning.vectors.search_ms_p50", "search among the vectors of the large scope, ms", 3, True),
    ("meaning.vectors.recall_at_10", "share of the ten nearest that it finds", 0.99, False),
    ("verify.commits_a_second.chain", "verify, commits a second, chain", 250_000, False),
    ("verify.commits_a_second.content", "verify, commits a second, content", 80_000, False),
    ("verify_full_over_import", "verify full, times the import", 2, True),
    ("verify_memory_mb_max", "memory of verify, MB", 250, True),
    ("verify.new_ms.chain", "verify of 1,000 new commits, ms", 10, True),
    ("scopes.file_bytes", "file of a small scope, bytes", 200_000, True),
    ("scopes.ratio", "opening one of 5,000, times one of 5", 1.1, True),
    ("cold_process.above_floor_ms", "cold recall above an empty process, ms", 60, True),
    *(
        (
            f"exchange.{size}.batch_{batch}.of_what_it_may",
            f"prepared query, {size:,} objects, batch of {batch}, share of what it may take",
            1.0,
            True,
        )
        for size in exchange.SIZES
        for batch in exchange.REPEATS
    ),
)


# What a figure's smallest part takes alone, in the same run: the same statements by the bare driver,
# or the libraries that are loaded.
PARTS = {
    "commit.one_record.cpu_us": "commit.one_record.driver_us",
    "commit.eight_records.cpu_us": "commit.eight_records.driver_us",
    "import.cpu_us_an_event": "import.driver_us_an_event",
    "cold_process.above_floor_ms": "cold_process.libraries_ms",
}


def value(figures: dict[str, Any], place: str) -> float | None:
    """The figure at a place such as `commit.one_record.cpu_us`; None where it was not measured."""
    found: Any = figures
    for name in place.split("."):
        if name not in found:
            return None
        found = found[name]
    return float(found)


def share(found: float, goal: float, *, less: bool) -> float:
    """What part of what it may be a figure takes; up to 1 is reached."""
    return found / goal if less else goal / found


def settled(rounds: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The figures of the last round, with what is to be reached taken from all of them.

    Of a time or a rate the quickest round counts, for other work on the machine only makes it
    slower; of the longest wait the longest; of memory the least, because a process that begins
    counts that of the one it comes from for a moment; of everything else, ratios among it, the
    middle one.
    """
    figures = copy.deepcopy(rounds[-1])
    for place, what, _, less in GOALS:
        _settle(figures, rounds, place, _choice(what, less=less))
    for place in PARTS.values():
        _settle(figures, rounds, place, min)
    return {**figures, "rounds": len(rounds)}


def _choice(what: str, *, less: bool) -> Callable[[list[float]], float]:
    """Which of several rounds counts, by what is measured."""
    if "longest" in what:
        return max
    if what.endswith((", us", ", ms", ", MB")) or "a second" in what:
        return min if less else max
    return statistics.median_low


def _settle(
    figures: dict[str, Any],
    rounds: Sequence[dict[str, Any]],
    place: str,
    choose: Callable[[list[float]], float],
) -> None:
    found = [each for each in (value(one, place) for one in rounds) if each is not None]
    if not found:
        return
    *parts, last = place.split(".")
    into = figures
    for part in parts:
        into = into[part]
    into[last] = choose(found)
