"""The blocks that a memory hands to a host, and how they are taken out again.

What a memory wrote itself must not come back as experience.  The tags are matched in any case,
nested, with attributes, and unclosed to the end of the text; a closing tag alone goes too.
"""

from __future__ import annotations

import re

RECALL = "muniment-recall"
NAMES = (
    "muniment-recall",
    "muniment-bridge",
    "muniment-session",
    "muniment-strategy",
    # The earlier kernel's blocks.
    "COGMEM_RECALL_CONTEXT",
    "COGMEM_TURN_BRIDGE",
    "COGMEM_SESSION_STATE",
    "COGMEM_STRATEGY_CONTEXT",
)

_TAG = re.compile(
    r"<\s{0,8}(/?)\s{0,8}(muniment-(?:recall|bridge|session|strategy)|cogmem_[a-z0-9_]{0,64})\b[^<>]{0,512}>",
    re.IGNORECASE,
)
_OPENING = re.compile(r"<(?=\s{0,8}/?\s{0,8}(?:muniment-|cogmem_))", re.IGNORECASE)


def strip(text: str) -> tuple[str, int]:
    """`text` without its own blocks, and how many characters that took away.

    What stays is cut at the edges only where a block stood there.  Time is linear.
    """
    if "<" not in text:
        return text, 0
    kept: list[str] = []
    depth = 0
    start = 0
    for found in _TAG.finditer(text):
        if depth == 0:
            kept.append(text[start : found.start()])
        depth = max(0, depth - 1) if found[1] else depth + 1
        start = found.end()
    if start == 0:
        return text, 0
    if depth == 0:
        kept.append(text[start:])
    left = "".join(kept).strip()
    stripped = len(text) - len(left)
    # What stood on both sides of a block may spell a tag together.
    return defuse(left) if _TAG.search(left) else left, stripped


def defuse(text: str) -> str:
    """`text` with the `<` of each own tag written as `&lt;`, so that it cannot close a block."""
    return _OPENING.sub("&lt;", text) if "<" in text else text
