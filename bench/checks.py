"""Checks: verify over commits of one record each, and over what is new since a checkpoint."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench.clocks import cpu
from muniment import Checkpoint, Memory, Verify

NEW = 1_000


def figures(directory: Path, commits: int) -> dict[str, Any]:
    """Commits a second of CPU at each depth, and the milliseconds of a check of `NEW` commits."""
    note = directory / "note"
    with Memory.open(directory / "checked", synchronous="normal") as memory:
        for number in range(commits):
            memory.remember(f"Note {number} of many.", key=f"k{number}")
        rates = {
            depth: (commits + 1) / cpu(lambda: memory.run(Verify(depth=depth)))  # noqa: B023 - called at once
            for depth in ("chain", "content", "full")
        }
        memory.run(Checkpoint(out=str(note)))
        for number in range(NEW):
            memory.observe(f"Newer {number}.", role="user")
        new = {
            depth: cpu(lambda: memory.run(Verify(depth=depth, checkpoint=str(note), new=True)))  # noqa: B023 - called at once
            for depth in ("chain", "content")
        }
    return {
        "commits": commits,
        "commits_a_second": rates,
        "new_commits": NEW,
        "new_ms": {depth: spent * 1e3 for depth, spent in new.items()},
    }
