"""`python -m bench`: every figure as JSON, each speed beside a floor measured in the same run."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import apsw

from bench import (
    checks,
    commits,
    exchange,
    goals,
    large,
    meaning,
    page,
    places,
    plots,
    retrieval,
    writers,
)


def main() -> int:
    """Measure, print one JSON object, draw it where asked, and answer 0."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--events", type=int, default=20_000, help="events of the large scope")
    parser.add_argument("--commits", type=int, default=200, help="single durable commits")
    parser.add_argument(
        "--objects", type=int, nargs="*", default=list(exchange.SIZES),
        help="typed objects of a store; a million take 4 GB of memory and a minute and a half",
    )  # fmt: skip
    parser.add_argument("--rounds", type=int, default=1, help="how often, the quickest counts")
    parser.add_argument("--locomo", type=Path, help="conversations with questions, for evidence")
    parser.add_argument("--embedder", help="a model, for evidence by vectors too")
    parser.add_argument("--ablate", action="store_true", help="also without each signal in turn")
    parser.add_argument("--plots", type=Path, help="a directory for the same as pictures")
    parser.add_argument("--page", type=Path, help="a page whose table of figures is written anew")
    given = parser.parse_args()
    rounds: list[dict[str, Any]] = []
    for number in range(given.rounds):
        # What takes long, and much memory, stands in the last alone.
        last = number == given.rounds - 1
        asked = (
            given if last else argparse.Namespace(**{**vars(given), "objects": [], "locomo": None})
        )
        with tempfile.TemporaryDirectory(prefix="muniment-bench-") as directory:
            rounds.append(measured(Path(directory), asked))
    figures = goals.settled(rounds)
    json.dump(figures, sys.stdout, indent=2)
    sys.stdout.write("\n")
    if given.plots is not None:
        plots.draw(figures, given.plots)
    if given.page is not None:
        page.write(figures, given.page)
    return 0


def measured(directory: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Every figure; times are of the processor unless a name says otherwise."""
    figures: dict[str, Any] = {
        "machine": {"cores": os.cpu_count(), "sqlite": apsw.sqlite_lib_version()},
        "commit": commits.figures(directory, given.commits),
        "writers": writers.figures(directory, given.commits * 10),
        **large.figures(directory, given.events),
        "meaning": meaning.figures(directory, large.texts(given.events)),
        "verify": checks.figures(directory, given.commits * 10),
        **places.figures(directory, directory / "large"),
        "exchange": exchange.figures(tuple(given.objects)),
        "evidence": "not measured: give --locomo FILE",
    }
    if given.locomo is not None:
        figures["evidence"] = retrieval.figures(given.locomo, given.embedder, ablate=given.ablate)
    return figures


if __name__ == "__main__":
    sys.exit(main())
