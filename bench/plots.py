"""The figures as pictures: each beside what it is to reach, on a scale on which that is 1."""

from __future__ import annotations

from pathlib import Path
from typing import Any

# Where a figure stands in the JSON, what it says, what it is to reach, and whether less is better.
GOALS: tuple[tuple[str, str, float, bool], ...] = (
    ("commit.one_record.cpu_us", "CPU of a commit of one record, us", 300, True),
    ("commit.eight_records.cpu_us", "CPU of a commit of eight records, us", 700, True),
    ("commit.one_record.syncs_a_commit", "syncs a commit", 1, True),
    ("commit.threads.a_second", "durable commits a second, 32 threads", 3_000, False),
    ("import.cpu_us_an_event", "CPU of an imported event, us", 30, True),
    ("import.bytes_a_raw_byte", "bytes on disk a raw byte", 3.5, True),
    ("import.memory_mb_max", "memory of an import, MB", 250, True),
    ("recall.lexical.ratio_p95", "lexical recall p95, times the bare query", 2, True),
    ("verify.commits_a_second.chain", "verify, commits a second, chain", 250_000, False),
    ("verify.commits_a_second.content", "verify, commits a second, content", 80_000, False),
    ("verify_full_over_import", "verify full, times the import", 2, True),
    ("verify.new_ms.chain", "verify of 1,000 new commits, ms", 10, True),
    ("scopes.file_bytes", "file of a small scope, bytes", 200_000, True),
    ("scopes.ratio", "opening one of 5,000, times one of 5", 1.1, True),
    ("cold_process.above_floor_ms", "cold recall above an empty process, ms", 60, True),
)


def draw(figures: dict[str, Any], directory: Path) -> None:
    """`speed.svg` and, where it was measured, `evidence.svg`, in `directory`."""
    directory.mkdir(parents=True, exist_ok=True)
    _speed(figures, directory / "speed.svg")
    if isinstance(figures["evidence"], dict):
        _evidence(figures["evidence"], directory / "evidence.svg")


def value(figures: dict[str, Any], place: str) -> float:
    """The figure at a place such as `commit.one_record.cpu_us`."""
    found: Any = figures
    for name in place.split("."):
        found = found[name]
    return float(found)


def _speed(figures: dict[str, Any], file: Path) -> None:
    from matplotlib.figure import Figure

    rows = [
        (f"{what}: {value(figures, place):,.3g} (to reach: {goal:,})",
         value(figures, place) / goal if less else goal / value(figures, place))
        for place, what, goal, less in reversed(GOALS)
    ]  # fmt: skip
    figure = Figure(figsize=(11, 0.42 * len(rows) + 1.2), layout="constrained")
    axes = figure.subplots()
    colours = ["#3b7a57" if share <= 1 else "#b5523b" for _, share in rows]
    axes.barh([name for name, _ in rows], [share for _, share in rows], color=colours)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xlabel("share of what it may be; up to 1 is reached")
    figure.savefig(file)


def _evidence(evidence: dict[str, Any], file: Path) -> None:
    from matplotlib.figure import Figure

    recalls = {name: float(found) for name, found in evidence.items() if name.startswith("recall_")}
    figure = Figure(figsize=(7, 3.2), layout="constrained")
    axes = figure.subplots()
    axes.bar(list(recalls), list(recalls.values()), color="#3b7a57")
    axes.set_ylim(0, 1)
    axes.set_ylabel("share of the known evidence")
    figure.savefig(file)
