"""The names inside a JSON value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def renamed(value: Any, change: Callable[[str], tuple[str, int]]) -> tuple[Any, int]:
    """A JSON value with every name in it changed, and how many changes that were.

    Names that become equal are told apart, so that no member is lost.
    """
    if isinstance(value, list):
        items = [renamed(each, change) for each in value]
        return [each for each, _ in items], sum(count for _, count in items)
    if not isinstance(value, dict):
        return value, 0
    members: dict[str, Any] = {}
    total = 0
    for name, member in value.items():
        (text, count), (held, more) = change(name), renamed(member, change)
        while text in members:
            text += "'"
        members[text] = held
        total += count + more
    return members, total
