"""`python -m bench`: every figure as JSON, each speed beside a floor measured in the same run."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from bench import retrieval, speed


def main() -> int:
    """Measure, print one JSON object, and answer 0."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--events", type=int, default=20_000, help="events of the large scope")
    parser.add_argument("--commits", type=int, default=200, help="single durable commits")
    parser.add_argument("--locomo", type=Path, help="conversations with questions, for evidence")
    parser.add_argument("--embedder", help="a model, for evidence by vectors too")
    parser.add_argument("--ablate", action="store_true", help="also without each signal in turn")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="muniment-bench-") as directory:
        figures = speed.figures(Path(directory), events=given.events, commits=given.commits)
        if given.locomo is None:
            figures["evidence"] = "not measured: give --locomo FILE"
        else:
            figures["evidence"] = retrieval.figures(
                given.locomo, given.embedder, ablate=given.ablate
            )
    json.dump(figures, sys.stdout, indent=2)
    sys.stdout.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
