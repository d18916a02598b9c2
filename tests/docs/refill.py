"""Writes onto the pages what their blocks print today.

`python -m tests.docs.refill [PAGE ...]`.  For a change that is meant, such as a better ranking:
what is written must be read before it is kept, because a page is also a promise.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

from tests.docs import blocks
from tests.docs.blocks import ROOT, Step

DAY = "2026-06-01"  # stands on the pages for the day of the reader
_TODAY = re.compile(r"(\d{4}-\d\d-\d\d)([ T])\d\d:\d\d(:\d\d\.\d{3}Z)?")


def refilled(page: Path, directory: Path) -> str:
    """The text of a page with what its blocks print where it says something else."""
    text = page.read_text(encoding="utf-8")
    steps = list(blocks.run(page, directory))
    for block in reversed(blocks.blocks(page)):
        mine = [step for step in steps if step.line == block.line]
        if block.language == "console":
            text = _replaced(text, block.text, "".join(_console(step, directory) for step in mine))
        elif block.language == "python" and block.printed is not None and not mine[0].good:
            text = _replaced(text, block.printed, _shown(mine[0].printed, directory))
    return text


def _console(step: Step, directory: Path) -> str:
    printed = step.wanted if step.good else _shown(step.printed, directory)
    return f"$ {step.command}\n{printed}"


def _shown(printed: str, directory: Path) -> str:
    today = time.strftime("%Y-%m-%d", time.gmtime())

    def dated(found: re.Match[str]) -> str:
        if found[1] != today:
            return found[0]
        return f"{DAY}{found[2]}09:30" + (":00.000Z" if found[3] else "")

    text = _TODAY.sub(dated, printed.replace(str(directory), "~"))
    return text if text.endswith("\n") or not text else text + "\n"


def _replaced(text: str, before: str, after: str) -> str:
    """The last place is meant: the blocks are gone through from the end."""
    head, found, tail = text.rpartition(f"\n{before}```")
    assert found
    return f"{head}\n{after}```{tail}"


def main(names: list[str]) -> None:
    """Every page, or those that are named."""
    pages = [Path(name).resolve() for name in names] or sorted(
        [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("examples/*.md")]
    )
    for page in pages:
        if not any(block.language in blocks.RUN for block in blocks.blocks(page)):
            continue
        with tempfile.TemporaryDirectory() as name:
            directory = Path(name)
            shutil.copytree(ROOT / "examples", directory / "examples")
            os.environ.update(blocks.environment(directory))
            os.chdir(directory)
            text = refilled(page, directory)
            os.chdir(ROOT)
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
