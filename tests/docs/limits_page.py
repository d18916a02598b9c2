"""The reference of limits: each with its value and the reason that stands beside it."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from muniment import limits

HEAD = """\
# Limits

What is over a limit is refused with `too_long`, `bad_shape` or a code of its own and the path of the field; nothing is cut. The unit stands in the name. Limits that bound what a scope holds are written into its first commit.

| limit | value | why |
|---|---|---|
"""
_NAME = re.compile(r"([A-Z][A-Z0-9_]*) = ")


def page() -> str:
    """Every limit, in the order of `limits.py`."""
    rows = [f"| `{name}` | {_value(name)} | {why} |" for name, why in _limits()]
    return HEAD + "\n".join(rows) + "\n"


def _limits() -> Iterator[tuple[str, str]]:
    """Each name with the comment behind it, and the first of a group with the one above it."""
    source = Path(limits.__file__).read_text(encoding="utf-8")
    behind = {
        token.start[0]: token.string.lstrip("# ")
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT and token.line.lstrip()[:1] != "#"
    }
    above: list[str] = []
    fresh = True
    for number, line in enumerate(source.splitlines(), start=1):
        if line.startswith("# "):
            above = [*([] if fresh else above), line[2:]]
            fresh = False
            continue
        fresh = True
        named = _NAME.match(line)
        if not line:
            above = []
        elif named is not None and named[1] != "VERSION":
            yield named[1], " ".join([*above, behind.get(number, "")]).strip()
            above = []


def _value(name: str) -> str:
    value = getattr(limits, name)
    assert isinstance(value, int)
    return f"{value:,}"
