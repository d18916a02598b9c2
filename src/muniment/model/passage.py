"""Long texts in passages: whole sentences where possible, overlapping a little."""

from __future__ import annotations

import re

from muniment import limits

# Where a passage may end, best first: a blank line, a line, a sentence (also CJK), a word.
_BREAKS = (
    re.compile(r"\n\s*\n"),
    re.compile(r"\n"),
    re.compile(r"[.!?…]['\")\]]*\s|[。！？]"),
    re.compile(r"\s"),
)


def spans(text: str) -> list[tuple[int, int]]:
    """The passages of `text` as character spans, in order; none where it is short enough whole.

    Each has at most `PASSAGE_BYTES_MAX` bytes, together they cover the text, and each but the
    first begins up to `PASSAGE_OVERLAP_BYTES_MAX` bytes before the last one's end.
    """
    if len(text) * 4 <= limits.PASSAGE_ABOVE_BYTES or _bytes(text) <= limits.PASSAGE_ABOVE_BYTES:
        return []
    found: list[tuple[int, int]] = []
    start = 0
    while True:
        end = _end(text, start)
        found.append((start, end))
        if end == len(text):
            assert len(found) <= limits.PASSAGES_PER_TEXT_MAX
            return found
        start = _next(text, start, end)


def _end(text: str, start: int) -> int:
    """The best break in the last third of what fits after `start`."""
    hard = _fitting(text, start, limits.PASSAGE_BYTES_MAX)
    if hard == len(text):
        return hard
    soft = start + (hard - start) * 2 // 3
    for pattern in _BREAKS:
        ends = [found.end() for found in pattern.finditer(text, soft, hard)]
        if ends:
            return ends[-1]
    return hard


def _next(text: str, start: int, end: int) -> int:
    """Where the passage after `start`-`end` begins: at a word, a little before `end`."""
    back = end
    size = 0
    while back > start + 1:
        size += len(text[back - 1].encode())
        if size > limits.PASSAGE_OVERLAP_BYTES_MAX:
            break
        back -= 1
    for found in re.compile(r"\s").finditer(text, back, end):
        if found.end() < end:
            return found.end()
    return end


def _fitting(text: str, start: int, bytes_max: int) -> int:
    """The largest end such that the characters from `start` have at most `bytes_max` bytes."""
    piece = text[start : start + bytes_max].encode()[:bytes_max]
    return start + len(piece.decode("utf-8", "ignore"))


def _bytes(text: str) -> int:
    return len(text.encode())
