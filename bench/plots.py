"""The figures as pictures: each beside what it is to reach, on a scale on which that is 1."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench.goals import GOALS, share, value


def draw(figures: dict[str, Any], directory: Path) -> None:
    """`speed.svg` and, where it was measured, `evidence.svg`, in `directory`."""
    directory.mkdir(parents=True, exist_ok=True)
    _speed(figures, directory / "speed.svg")
    if isinstance(figures["evidence"], dict):
        _evidence(figures["evidence"], directory / "evidence.svg")


def _speed(figures: dict[str, Any], file: Path) -> None:
    from matplotlib.figure import Figure

    rows = [
        (f"{what}: {found:,.3g} (to reach: {goal:,})", share(found, goal, less=less))
        for place, what, goal, less in reversed(GOALS)
        if (found := value(figures, place)) is not None
    ]
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
