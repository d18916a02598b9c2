"""What a message is made of: words, things without words, its time, and what else is said.

Pure, and of no format: the importers share it, and it imports none of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import tzinfo
from typing import Any, get_args

import msgspec

from muniment.errors import BadInput, BadJson, BadShape, BadTime
from muniment.importers import reading
from muniment.model import canonical, time
from muniment.model.event_kinds import ExperienceType, Role
from muniment.model.turn import Failed, Turn

# What other programs call those who speak, and when it was said; the first counts most.
ROLES: dict[str, Role] = {
    **{role: role for role in get_args(Role)},
    "human": "user",
    "ai": "assistant",
    "bot": "assistant",
    "model": "assistant",
    "function": "tool",
    "developer": "system",
}
TIMES = (
    *("at", "timestamp", "created_at", "time", "createdAt", "created", "create_time"),
    *("sent_at", "sentAt", "datetime", "date", "ts"),
)

# Numbers at or above are milliseconds: as seconds this is the year 5138, as milliseconds 1973.
MILLISECONDS_FROM = 1e11

# A day of the month, a month and a year, with dots between, and perhaps a time of the day.
_DOTTED = re.compile(
    r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})(?:,?[ T]+([0-9]{1,2})(:[0-9]{2}\S*(?: ?[+-]\S+)?))?"
)
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")
_NUMBER_CHARACTERS_MIN = 9  # fewer could be a date
_NUMBER_END = 1e15  # beyond the year 9999; below, milliseconds are exact in a float

DOCUMENT = "document"
# Blocks that hold nothing to read: thoughts under a seal, and what a program notes for itself.
_SEALED = ("redacted_thinking", "token_budget", "flag")


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """What one part of a message holds: words, a thing that has none, or both."""

    text: str = ""
    marker: str = ""  # "image", "file: plan.pdf"


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a message in content blocks says."""

    text: str
    role: Role | None = None  # absent: whose message it is
    type: ExperienceType = "message"
    actor: str | None = None  # the tool
    aside: str | None = None  # a collection for what was not said aloud
    failed: bool = False  # a tool says that it went wrong
    id: str | None = None  # of a call
    markers: tuple[str, ...] = ()
    reply_to: str | None = None  # the id of a call


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

    Words are `text` (a string, or an object with `value`), a `content` that is a string, or what a
    document holds.  A marker names the file, or else the kind that `type` or `content_type` gives.

    Raises:
        BadInput: a document's title, context or source is not what it should be.
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
    if said == DOCUMENT:
        return _document(members, text if isinstance(text, str) else "", name)
    if isinstance(text, str):
        return Part(text=text, marker=name)
    plain = next((known for known in ("image", "audio", "video") if known in said), said)
    return Part(marker=name or plain or "part")


def _document(members: dict[str, Any], text: str, name: str) -> Part:
    """What a document says and what is said about it, and what it is called."""
    title = (string(members, "title") or "").strip()
    markers = [name, f"{DOCUMENT}: {title}" if title else "" if name else DOCUMENT]
    texts = [string(members, "context") or "", text]
    source = members.get("source") or {}
    if not isinstance(source, dict):
        raise BadShape(f"the source of a document is an object, not {kind(source)}")
    inner = source.get("data") if source.get("type") == "text" else source.get("content")
    try:
        said, found = content([inner] if isinstance(inner, str) else inner)
    except RecursionError as error:
        raise BadJson("the JSON is nested too deeply") from error
    texts.append("" if said == wording([], found) else said)
    return Part(text=wording(texts, []), marker=", ".join(filter(None, [*markers, *found])))


def wording(texts: list[str], markers: list[str]) -> str:
    """The texts a line each; without any, the markers in brackets, so that it is not blank."""
    text = "\n".join(text for text in texts if text)
    if text.strip() or not markers:
        return text
    return "\n".join(f"[{marker}]" for marker in markers)


def moment(value: Any, tz: tzinfo | None) -> int | None:
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
            return _parsed(digits, tz)
        if len(digits) < _NUMBER_CHARACTERS_MIN:
            raise BadTime(f"{digits!r} may be a date or a number of seconds")
        value = float(digits)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadTime(f"a time is a string or a number, not {kind(value)}")
    if not abs(value) < _NUMBER_END:
        raise BadTime("the time is out of range")
    return time.check(round(value if abs(value) >= MILLISECONDS_FROM else value * 1000), "at")


def _parsed(said: str, tz: tzinfo | None) -> int:
    iso = _with_dashes(said)
    try:
        return time.parse(iso, "at", tz)
    except BadTime as error:
        # Whoever looks for it in the file looks for what stands there.
        raise BadTime(error.detail.replace(repr(iso), repr(said)), at="at") from error


def _with_dashes(said: str) -> str:
    """A day that is written with dots as ISO 8601 has it; anything else as it is."""
    found = _DOTTED.fullmatch(said)
    if found is None:
        return said
    day, month, year, hour, rest = found.groups()
    date = f"{year}-{month:0>2}-{day:0>2}"
    return date if hour is None else f"{date}T{hour:0>2}{rest.replace(' ', '')}"


def worded(value: Any) -> str | None:
    """A time in the file's own words, or None where it has none in words."""
    return value if isinstance(value, str) else None


def blocks(value: Any, at: str) -> Iterator[Block | Failed]:
    """What a message in content blocks says, in order; a block that cannot be read fails alone.

    It is a string, or an array of strings and of objects with `type`: text, thinking, tool_use,
    tool_result, image and their kin.  What has no words is a marker of the first text, or the
    text itself where there is none.  The words of a document are an import that the narrator
    tells, and the first text names it.  Blank text and sealed thoughts are nothing.
    """
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list):
        shape = BadShape(f"content is a string or an array of blocks, not {kind(value)}")
        yield reading.failed(at, shape)
        return
    found: list[Block | Failed] = []
    markers: list[str] = []
    documents: list[str] = []
    for index, piece in enumerate(value):
        try:
            block = _block(piece)
        except BadInput as error:
            found.append(reading.failed(at, BadShape(f"block {index}: {error.detail}")))
            continue
        if block.type == "message":
            markers.extend(block.markers)
        elif block.type == "import":
            documents.extend(block.markers)
        if block.text.strip():
            found.append(block)
    if markers or documents:
        _mark(found, markers, documents)
    yield from found


def _mark(found: list[Block | Failed], markers: list[str], documents: list[str]) -> None:
    for index, block in enumerate(found):
        if isinstance(block, Block) and block.type == "message" and block.aside is None:
            found[index] = msgspec.structs.replace(block, markers=(*markers, *documents))
            return
    if markers:
        found.append(Block(text=wording([], markers), markers=tuple(markers)))


def _block(piece: Any) -> Block:
    if isinstance(piece, str):
        return Block(text=piece)
    if not isinstance(piece, dict):
        raise BadShape(f"it is a string or an object, not {kind(piece)}")
    said = string(piece, "type") or ""
    if said in _SEALED:
        return Block(text="")
    if said == "thinking":
        return Block(text=string(piece, "thinking") or "", aside="thinking")
    if said.endswith("tool_use"):
        return _call(piece)
    if said.endswith("tool_result"):
        return _result(piece)
    found = part(piece)
    markers = (found.marker,) if found.marker else ()
    if said == DOCUMENT and found.text.strip():
        return Block(role="narrator", type="import", text=found.text, markers=markers)
    return Block(text=found.text, markers=markers)


def _call(piece: dict[str, Any]) -> Block:
    given = piece.get("input")
    text = given if isinstance(given, str) and given.strip() else json_text(given or {})
    return Block(
        type="tool_call",
        role="assistant",
        text=text,
        actor=name(piece, "name"),
        id=name(piece, "id"),
    )


def _result(piece: dict[str, Any]) -> Block:
    given = piece.get("content")
    texts: list[str] = []
    markers: list[str] = []
    if isinstance(given, str):
        texts.append(given)
    elif isinstance(given, list):
        for item in given:
            found = _result_part(item)
            texts.append(found.text)
            markers.extend([found.marker] if found.marker else [])
    elif given is not None:
        texts.append(json_text(given))
    if not markers and not any(text.strip() for text in texts):
        # That a call came back with nothing to say is worth knowing too.
        texts.clear()
        markers.append("no output")
    return Block(
        type="tool_result",
        role="tool",
        text=wording(texts, markers),
        actor=name(piece, "name"),
        failed=piece.get("is_error") is True,
        markers=tuple(markers),
        reply_to=name(piece, "tool_use_id"),
    )


def _result_part(item: Any) -> Part:
    if isinstance(item, str):
        return Part(text=item)
    if not isinstance(item, dict):
        return Part(text=json_text(item))
    found = part(item)
    if not found.text and item.get("type") != DOCUMENT:
        # A hit of a search has a title and an address, and its text is under a seal.
        told = [item.get(field) for field in ("title", "url")]
        words = " ".join(word for word in told if isinstance(word, str))
        return Part(text=words) if words.strip() else found
    return found


def block_fields(block: Block, role: Role) -> dict[str, Any]:
    """The fields of a turn that a block of this speaker's message gives."""
    return {
        "role": block.role or role,
        "text": block.text,
        "type": block.type,
        "actor": block.actor,
        "caption": ", ".join(block.markers) or None,
        "collection": block.aside,
        "reply_to": block.reply_to,
        "tags": () if block.aside is None else (block.aside,),
    }


def storable(turn: Turn) -> Turn:
    """The turn, if each of its strings can be stored and read back exactly.

    Raises:
        BadEncoding: one of them holds NUL or half a surrogate pair.
    """
    for field, value in zip(turn.__struct_fields__, msgspec.structs.astuple(turn), strict=True):
        if isinstance(value, str) and field != "at":
            canonical.check_text(value, turn.at)
    return turn


def string(members: dict[str, Any], field: str) -> str | None:
    """A member that is a string; None where it is null or absent.

    Raises:
        BadShape: it is something else.
    """
    value = members.get(field)
    if value is not None and not isinstance(value, str):
        raise BadShape(f"{field} is a string, not {kind(value)}")
    return value


def name(members: dict[str, Any], field: str) -> str | None:
    """A member that is a string and not blank; None where it is, or is null or absent.

    Raises:
        BadShape: it is something else.
    """
    value = string(members, field)
    return value if value and not value.isspace() else None


def _file_name(members: dict[str, Any]) -> str:
    inner = members.get("file")
    for holder in (members, inner if isinstance(inner, dict) else {}):
        for field in ("name", "filename", "file_name"):
            name = holder.get(field)
            if isinstance(name, str) and name.strip():
                return name.strip()
    return ""
