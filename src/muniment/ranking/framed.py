r"""Texts in frames that no text can imitate.  Pure.

A frame is a line in brackets, at the margin, with how many lines follow; each of these begins with
a bar and a space.  So no line of a stored text begins with a bracket, and nothing in it ends the
frame.  Whatever else a reader may take for the end of a line is spelt out (`\u2028`), and so is
the backslash that spells it, which makes the whole thing read back as it was written (`read`).
A label's value is a plain word, or a string of JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import msgspec

from muniment.errors import BadShape

INPUT = "[input]\n"

_SPELT = re.compile("[\\\\\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")
_SPELLING = re.compile(r"\\(?:\\|u([0-9a-f]{4}))")
_WORD = re.compile(r"[A-Za-z0-9_.:@/+-]+")
_NAME = re.compile(r"[a-z_]+")
_HEAD = re.compile(r"\[([a-z_]+)((?: [a-z_]+=(?:\"(?:[^\"\\]|\\.)*\"|[A-Za-z0-9_.:@/+-]+))*)\]")
_LABEL = re.compile(r" ([a-z_]+)=(\"(?:[^\"\\]|\\.)*\"|[A-Za-z0-9_.:@/+-]+)")
_LINES = "lines"
_COUNT = re.compile(r"[1-9][0-9]{0,8}")


class Frame(msgspec.Struct, frozen=True):
    """One entry: what it is, what is said of it, and its text, if it has one."""

    word: str
    labels: tuple[tuple[str, str], ...] = ()
    text: str | None = None


def write(frames: Sequence[Frame]) -> str:
    """The frames, one after the other."""
    return "".join(map(_written, frames))


def read(text: str) -> tuple[list[Frame], str | None]:
    """The frames of a text, and the input that stands behind them, if any.

    Raises:
        BadShape: `write` did not write it.
    """
    frames: list[Frame] = []
    rest = text
    while rest and not rest.startswith(INPUT):
        line, rest = _line(rest)
        head = _HEAD.fullmatch(line)
        if head is None:
            raise BadShape(f"a frame begins with a line in brackets, not {line!r}", at="text")
        labels = [(name, _value(said)) for name, said in _LABEL.findall(head[2])]
        body = None
        if labels and labels[-1][0] == _LINES:
            body, rest = _body(labels.pop()[1], rest)
        frames.append(Frame(head[1], tuple(labels), body))
    return frames, rest.removeprefix(INPUT) if rest else None


def least(text: str) -> int:
    """At least so many bytes are taken by a frame with this text."""
    return len(text.encode()) + len("[x lines=1]\n| \n")


def _written(frame: Frame) -> str:
    labels = frame.labels
    body = ""
    if frame.text is not None:
        lines = [_SPELT.sub(_spelt, line) for line in frame.text.split("\n")]
        labels = (*labels, (_LINES, str(len(lines))))
        body = "".join(f"| {line}\n" for line in lines)
    assert _NAME.fullmatch(frame.word), "words of ours"
    assert all(_NAME.fullmatch(name) for name, _ in labels), "names of ours"
    said = "".join(f" {name}={_said(value)}" for name, value in labels)
    return f"[{frame.word}{said}]\n{body}"


def _said(value: str) -> str:
    return value if _WORD.fullmatch(value) else json.dumps(value)


def _value(said: str) -> str:
    try:
        return str(json.loads(said)) if said.startswith('"') else said
    except ValueError as error:
        raise BadShape(f"a word or a string of JSON, not {said!r}", at="text") from error


def _spelt(found: re.Match[str]) -> str:
    return "\\\\" if found[0] == "\\" else f"\\u{ord(found[0]):04x}"


def _meant(found: re.Match[str]) -> str:
    return "\\" if found[1] is None else chr(int(found[1], 16))


def _line(text: str) -> tuple[str, str]:
    line, end, rest = text.partition("\n")
    if not end:
        raise BadShape("a line that ends", at="text")
    return line, rest


def _body(count: str, rest: str) -> tuple[str, str]:
    if not _COUNT.fullmatch(count):
        raise BadShape(f"as many lines as there are, not {count!r}", at="text")
    lines = []
    for _ in range(int(count)):
        line, rest = _line(rest)
        if not line.startswith("| "):
            raise BadShape(f"a line of a text begins with a bar, not {line!r}", at="text")
        lines.append(_SPELLING.sub(_meant, line[2:]))
    return "\n".join(lines), rest
