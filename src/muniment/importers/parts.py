"""What a message is made of: words, things without words, its time, and what else is said.

Pure, and of no format: the importers share it, and it imports none of them.
"""

from __future__ import annotations

import json
import re
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from muniment.errors import BadJson, BadShape, BadTime
from muniment.model import time

# Numbers at or above are milliseconds: as seconds this is the year 5138, as milliseconds 1973.
MILLISECONDS_FROM = 1e11

_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")
_NUMBER_CHARACTERS_MIN = 9  # fewer could be a date
_NUMBER_END = 1e15  # beyond the year 9999; below, milliseconds are exact in a float


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """What one part of a message holds: words, a thing that has none, or both."""

    text: str = ""
    marker: str = ""  # "image", "file: plan.pdf"


def kind(value: Any) -> str:
    """What a JSON value is, for people."""
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "null" if value is None else "an object" if isinstance(value, dict) else "an array"


def json_text(value: Any) -> str:
    """A JSON value as one text with sorted keys, its integers exact.

    Raises:
        BadJson: a number is not finite, or the nesting is too deep.
    """
    try:
        return json.dumps(
            value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
        )
    except RecursionError as error:
        raise BadJson("the JSON is nested too deeply") from error
    except ValueError as error:
        raise BadJson(f"not kept exactly: {error}") from error


def content(value: Any) -> tuple[str, list[str]]:
    """The text of a message's parts, and a marker for each part that is not words.

    Raises:
        BadShape: it is no list, or a part is neither a string nor an object.
    """
    if value is None:
        return "", []
    if not isinstance(value, list):
        raise BadShape(f"text is a string or an array of parts, not {kind(value)}")
    texts: list[str] = []
    markers: list[str] = []
    for index, piece in enumerate(value):
        if isinstance(piece, str):
            texts.append(piece)
        elif isinstance(piece, dict):
            found = part(piece)
            texts.append(found.text)
            markers.extend([found.marker] if found.marker else [])
        elif piece is not None:
            raise BadShape(f"part {index} is a string or an object, not {kind(piece)}")
    return wording(texts, markers), markers


def part(members: dict[str, Any]) -> Part:
    """The words of one part of a message, and a marker for what is not words.

    Words are `text` (a string, or an object with `value`) or a `content` that is a string.  A
    marker names the file, or else the kind that `type` or `content_type` gives.
    """
    said = members.get("content_type") or members.get("type")
    said = said.strip() if isinstance(said, str) else ""
    name = _file_name(members)
    if name:
        name = f"{said if 'tool' in said or 'function' in said else 'file'}: {name}"
    text = members.get("text")
    if isinstance(text, dict):
        text = text.get("value")
    if not isinstance(text, str):
        text = members.get("content")
    if isinstance(text, str):
        return Part(text=text, marker=name)
    plain = next((known for known in ("image", "audio", "video") if known in said), said)
    return Part(marker=name or plain or "part")


def wording(texts: list[str], markers: list[str]) -> str:
    """The texts a line each; without any, the markers in brackets, so that it is not blank."""
    text = "\n".join(text for text in texts if text)
    if text.strip() or not markers:
        return text
    return "\n".join(f"[{marker}]" for marker in markers)


def moment(value: Any, tz: ZoneInfo | None) -> int | None:
    """Milliseconds UTC; a number says by its size whether it counts seconds.

    Raises:
        BadTime: no time, or one that may be meant in more than one way.
    """
    if value is None:
        return None
    if isinstance(value, str):
        if value[4:5] == "-":  # the usual case, and the regular expression costs as much again
            return time.parse(value, "at", tz)
        digits = value.strip()
        if not _NUMBER.fullmatch(digits):
            return time.parse(value, "at", tz)
        if len(digits) < _NUMBER_CHARACTERS_MIN:
            raise BadTime(f"{digits!r} may be a date or a number of seconds")
        value = float(digits)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadTime(f"a time is a string or a number, not {kind(value)}")
    if not abs(value) < _NUMBER_END:
        raise BadTime("the time is out of range")
    return time.check(round(value if abs(value) >= MILLISECONDS_FROM else value * 1000), "at")


def _file_name(members: dict[str, Any]) -> str:
    inner = members.get("file")
    for holder in (members, inner if isinstance(inner, dict) else {}):
        for field in ("name", "filename", "file_name"):
            name = holder.get(field)
            if isinstance(name, str) and name.strip():
                return name.strip()
    return ""
