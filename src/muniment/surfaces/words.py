"""What the answers for people are put together from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Answer = Mapping[str, Any]
LISTED_MAX = 5  # of what was left out or failed; the JSON has all


def fields(answer: Answer) -> str:
    """Every field that says something, a line each."""
    return "".join(f"{field}: {value(each)}\n" for field, each in answer.items() if said(each))


def said(each: Any) -> bool:
    """Whether a value says anything."""
    return each not in (None, (), [], {}, "")


def value(each: Any) -> str:
    """A value in a line."""
    if isinstance(each, dict):
        return ", ".join(f"{key} {value(member)}" for key, member in each.items() if said(member))
    if isinstance(each, list | tuple):
        return "; ".join(value(member) for member in each)
    if isinstance(each, bool):
        return "yes" if each else "no"
    return str(each)


def short(id: str) -> str:
    """An id by the part before the dash."""
    return id.partition("-")[0]


def listed(lines: Sequence[str]) -> str:
    """The first few lines, and how many more there are."""
    more = len(lines) - LISTED_MAX
    tail = f"and {more} more; --json lists them\n" if more > 0 else ""
    return "".join(lines[:LISTED_MAX]) + tail


def number(count: int, thing: str) -> str:
    """So many of a thing."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def rows(counts: Mapping[str, int]) -> str:
    """Counts by name, those that are not zero."""
    return ", ".join(f"{table} {rows}" for table, rows in counts.items())
