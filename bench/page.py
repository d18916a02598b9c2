"""The figures as a table on the page that tells them, with what each is to reach."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from bench.goals import GOALS, PARTS, share, value

_TABLE = re.compile(r"(?<=<!-- figures -->\n).*?(?=<!-- end of figures -->)", re.DOTALL)


def write(figures: dict[str, Any], page: Path) -> None:
    """The table between the page's two marks, anew."""
    text = page.read_text(encoding="utf-8")
    page.write_text(_TABLE.sub(lambda _: table(figures), text), encoding="utf-8")


def table(figures: dict[str, Any]) -> str:
    """One row a figure."""
    rows = [
        "| what | measured | to reach | | the driver or libraries alone |",
        "|---|---|---|---|---|",
    ]
    for place, what, goal, less in GOALS:
        found = value(figures, place)
        bound = "at most" if less else "at least"
        part = value(figures, PARTS[place]) if place in PARTS else None
        alone = "" if part is None else _number(part)
        if found is None:
            rows.append(f"| {what} | | {bound} {goal:,} | not measured | {alone} |")
            continue
        verdict = "reached" if share(found, goal, less=less) <= 1 else "not reached"
        rows.append(f"| {what} | {_number(found)} | {bound} {goal:,} | {verdict} | {alone} |")
    return "\n".join(rows) + "\n"


def _number(found: float) -> str:
    return f"{found:,.0f}" if found >= 100 else f"{found:.3g}"
