"""Messages as JSON: one object a line, an array of them, or an object with `messages`.

A message has `role` and `text` (or `content`, or `parts`: a string, or a list of strings and of
objects with `text`; or `message` or `body`, where none of these is there and nothing is called).
It may have `type`, `actor` (or `name`, `speaker`), `at` (or `timestamp`, `created_at`, `time`),
`thread`, `session`, `external_id` (or `id`), `parent`, `reply_to`, `tags`, `collection`, `caption`
and `metadata`.  Where two names of one field are there, the first of this list counts and the
other goes, like every field not named here, into the turn's metadata under its own name.
A field that is null counts as absent, and so do a name that is blank and the type `text`.

Times are ISO 8601 with an offset, days with dots (`7.9.2026 14:30`), or numbers since 1970:
milliseconds from 1e11 on, seconds below.  A tool message without `type` is a tool result; one with
`tool_calls` or `function_call` and no text is a tool call and its text says what is called.

Parts that are content blocks (`tool_use`, `tool_result`, `thinking`, a `document` with words) make
each part a turn of its own: a result is the tool's, in whosever message it stands, a document is
an import that the narrator tells, and a thought is in the collection "thinking".

A line or element may itself hold `messages`: a conversation, whose `thread`, `session` and
`collection` its messages inherit.  In a file that is one such object these must stand before
the messages, which are read as they come; its other members are about no message and are passed
over, and so are blank lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import tzinfo
from typing import Any, BinaryIO, get_args

from muniment import limits
from muniment.errors import BadInput, BadShape, BlankText, TooLong, UnknownRole
from muniment.importers import parts, reading
from muniment.importers.chat_json import plain
from muniment.importers.parts import Block
from muniment.model import canonical
from muniment.model.event_kinds import ExperienceType, Role
from muniment.model.turn import Failed, Options, Turn

NAME = "json"
SUFFIXES: tuple[str, ...] = (".json", ".jsonl", ".ndjson")

_LINED = (".jsonl", ".ndjson")
_START = re.compile(rb'\s*(?:\[\s*[{\]]|\{\s*["}])')
_MESSAGES = re.compile(rb'(?<!\\)"messages"\s*:\s*\[')
_TYPES = get_args(ExperienceType)
# The names of each field, the one that counts most first.
_SAID_AS = (
    ("role",),
    ("text", "content", "parts", "message", "body"),
    ("type",),
    ("actor", "name", "speaker"),
    parts.TIMES,
    ("thread",),
    ("session",),
    ("external_id", "id"),
    ("parent",),
    ("reply_to",),
    ("tags",),
    ("collection",),
    ("caption",),
    ("metadata",),
)
_FIELDS = {name: names[0] for names in _SAID_AS for name in names}
_RANKS = {name: rank for names in _SAID_AS for rank, name in enumerate(names)}
_NAMES = ("actor", "thread", "session", "collection", "caption")
_IDS = ("external_id", "parent", "reply_to")
_FAILED = {"error": True}  # as the other formats say it
# A text only where there are words, and nothing else that the message says.
_LOOSE = ("message", "body")
_CALLS = ("tool_calls", "function_call")
_INHERITED = ("thread", "session", "collection")


def recognises(head: bytes, name: str) -> bool:
    """Whether it begins like JSON that holds objects, or is named like JSON lines."""
    return name.lower().endswith(_LINED) or bool(_START.match(head.removeprefix(reading.BOM)))


def turns(file: BinaryIO, options: Options) -> Iterator[Turn | Failed]:
    """Turns in the order of the file, and what failed in between, one line or element each."""
    head, file = reading.peek(file)
    if _is_lines(head.removeprefix(reading.BOM)):
        yield from _from_lines(file, options)
    else:
        yield from _from_document(file, options)


def _is_lines(head: bytes) -> bool:
    """Whether each line is a value of its own, and not the whole file one value.

    One line alone is the whole file if it is an array or holds `messages`.  Several lines are one
    value if the first ends inside it and the second goes on with it.
    """
    head = head.lstrip(reading.SPACE)
    first, _, rest = head.partition(b"\n")
    second = rest.lstrip(reading.SPACE)
    array = head[:1] == b"["
    if not second:
        return not (array or _MESSAGES.search(first))
    if (not array and head[:1] != b"{") or _whole(first):
        return True
    if array:
        return False
    if _MESSAGES.search(first):
        return bool(_MESSAGES.match(second, 1))
    return second[:1] not in (b'"', b"}")


def _whole(line: bytes) -> bool:
    try:
        reading.decode(line.strip(reading.SPACE), "$")
    except BadInput:
        # It may be refused for what it says and still not go on in the next line.
        return line.count(b"{") == line.count(b"}") and line.count(b"[") == line.count(b"]")
    return True


def _from_lines(file: BinaryIO, options: Options) -> Iterator[Turn | Failed]:
    size_max = limits.IMPORT_ITEM_BYTES_MAX
    for number, line in reading.lines(file, options, size_max):
        at = f"line:{number}"
        if line is None:
            yield reading.failed(at, TooLong(f"the line is over {size_max} bytes"))
            continue
        try:
            turn = plain.plain(line, at, number, options.tz)
            if turn is not None:
                yield turn
                continue
            members = _members(line, at)
            if "role" in members or "messages" not in members:
                yield from _turns(members, at, options.tz, (number, number))
            else:
                yield from _conversation(members, at, options)
        except BadInput as error:
            yield reading.failed(at, error)


def _from_document(file: BinaryIO, options: Options) -> Iterator[Turn | Failed]:
    inherited: dict[str, str] = {}
    streamed = False
    for value in reading.values(file, options, ("messages",), limits.IMPORT_ITEM_BYTES_MAX):
        if isinstance(value, Failed):
            yield value
            continue
        try:
            members = _members(value.raw, value.at)
            if value.before:
                inherited = _names(members)
                streamed = True
            elif value.at == "$" and streamed:
                _check_late(members)
            elif "role" in members or "messages" not in members:
                yield from _turns(_inherit(members, inherited), value.at, options.tz, None)
            else:
                yield from _conversation(members, value.at, options)
        except BadInput as error:
            yield reading.failed(value.at, error)


def _conversation(members: dict[str, Any], at: str, options: Options) -> Iterator[Turn | Failed]:
    messages = members["messages"]
    if not isinstance(messages, list):
        raise BadShape(f"messages is an array, not {parts.kind(messages)}")
    # Conversations in different places are different threads, named or not.
    inherited = {"thread": f"{options.label}#{at}"} | _names(members)
    for index, message in enumerate(messages):
        where = f"{at}.messages[{index}]"
        try:
            if not isinstance(message, dict):
                raise BadShape(f"a message is an object, not {parts.kind(message)}")
            yield from _turns(_inherit(message, inherited), where, options.tz, None)
        except BadInput as error:
            yield reading.failed(where, error)


def _names(members: dict[str, Any]) -> dict[str, str]:
    found = {name: _name(members.get(name), name) for name in _INHERITED}
    return {name: value for name, value in found.items() if value is not None}


def _inherit(members: dict[str, Any], inherited: dict[str, str]) -> dict[str, Any]:
    missing = {name: inherited[name] for name in inherited if members.get(name) is None}
    return members | missing if missing else members


def _check_late(members: dict[str, Any]) -> None:
    late = [name for name in _INHERITED if members.get(name) is not None]
    if late:
        raise BadShape(f"{late[0]} stands behind the messages, which went without it")


def _members(raw: bytes, at: str) -> dict[str, Any]:
    """The members of an object, with nothing in them that could not be stored."""
    if plain.ESCAPED.search(raw):
        members = canonical.read_json(raw, at, canonical.kept_float)
    else:
        members = reading.decode(raw, at)
    if not isinstance(members, dict):
        raise BadShape(f"a message is an object, not {parts.kind(members)}")
    return members


def _turns(
    members: dict[str, Any], at: str, tz: tzinfo | None, lines: tuple[int, int] | None
) -> Iterator[Turn | Failed]:
    """The turn that a message is, or of content blocks one each.

    Raises:
        BadInput: a field is missing, of the wrong type or out of its range.
    """
    found, extra = _sorted_out(members)
    found["role"] = _role(found.get("role"))
    for name in _NAMES:
        if name in found:
            found[name] = _name(found[name], name)
    for name in _IDS:
        if name in found:
            found[name] = _id(found[name], name)
    text = found.pop("text", None)
    blocked = isinstance(text, list) and any(map(_is_block, text))
    if not blocked:
        _say(found, text, extra)
    if "type" in found and found["type"] not in _TYPES:
        raise BadShape(f"type is one of {_TYPES}")
    if "tags" in found:
        found["tags"] = _tags(found["tags"])
    said_at = found.pop("at", None)
    at_ms = parts.moment(said_at, tz)
    if extra or "metadata" in found:
        found["metadata"] = _metadata(found.get("metadata"), extra)
    found |= {"said_at": parts.worded(said_at), "at": at, "at_ms": at_ms, "lines": lines}
    found["ordering"] = "medium" if at_ms is None else "high"
    if blocked:
        yield from _by_blocks(found, parts.blocks(text, at))
    else:
        yield Turn(**found)


def _say(found: dict[str, Any], text: Any, extra: dict[str, Any]) -> None:
    """Puts what a message says into its fields, and of which type it is then."""
    if type(text) is not str:
        text, markers = parts.content(text)
        if markers:
            found["caption"] = ", ".join([*filter(None, [found.get("caption")]), *markers])
    if not text or text.isspace():
        text = _calls(extra)
        found.setdefault("type", "tool_call")
    elif found["role"] == "tool":
        found.setdefault("type", "tool_result")
    found["text"] = text


def _is_block(piece: Any) -> bool:
    """Whether a part was not said aloud by whoever the message is of."""
    said = piece.get("type") if isinstance(piece, dict) else None
    apart = isinstance(said, str) and said.endswith(("tool_use", "tool_result", "thinking"))
    return apart or (said == parts.DOCUMENT and bool(parts.part(piece).text.strip()))


def _by_blocks(whole: dict[str, Any], blocks: Iterator[Block | Failed]) -> Iterator[Turn | Failed]:
    """A turn a block, each behind the one before: what a tool gave back is not its reader's word.

    The first is called by the message's id, the others by `id#1`, `id#2`, ..., a call by its own.
    """
    own, before, used = whole.get("external_id"), whole.get("parent"), 0
    for block in blocks:
        if isinstance(block, Failed):
            yield block
            continue
        said = parts.block_fields(block, whole["role"])
        said["tags"] = tuple(dict.fromkeys((*whole.get("tags", ()), *said["tags"])))
        said = {name: value for name, value in said.items() if value}
        if block.type == "message" and "type" in whole:
            said["type"] = whole["type"]
        named = f"{own}#{used}" if own and used else own
        said |= {"external_id": block.id or named, "parent": before}
        before, used = said["external_id"] or before, used + 1
        if block.failed:
            said["metadata"] = parts.json_text(json.loads(whole.get("metadata") or "{}") | _FAILED)
        yield Turn(**(whole | said))
    if not used:
        raise BlankText("the message has no text")


def _sorted_out(members: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is said for each field of a turn, and what is said beyond them."""
    found: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    said_as: dict[str, str] = {}
    for name, value in members.items():
        field = _FIELDS.get(name)
        if field is None:
            extra[name] = value
        elif value is None or (name == "type" and value == "text"):
            continue
        elif name in _LOOSE and not _is_loose_text(members, value):
            extra[name] = value
        elif field not in found:
            found[field] = value
            said_as[field] = name
        elif _RANKS[name] < _RANKS[said_as[field]]:
            extra[said_as[field]] = found[field]
            found[field] = value
            said_as[field] = name
        else:
            extra[name] = value
    return found, extra


def _is_loose_text(members: dict[str, Any], value: Any) -> bool:
    """Whether a `message` or `body` can be the words, and not what is beside a call."""
    called = any(members.get(name) is not None for name in _CALLS)
    return isinstance(value, str | list) and not called


def _role(role: Any) -> Role:
    if role is None:
        raise BadShape("role is missing")
    if not isinstance(role, str):
        raise BadShape(f"role is a string, not {parts.kind(role)}")
    known = parts.ROLES.get(role) or parts.ROLES.get(role.strip().lower())
    if known is None:
        raise UnknownRole(f"{role[:40]!r} is none of {sorted(parts.ROLES)}")
    return known


def _calls(extra: dict[str, Any]) -> str:
    """What a message without text calls, a line each: `name(arguments)`.

    Raises:
        BlankText: it calls nothing.
    """
    several, one = (extra.get(name) for name in _CALLS)
    calls = [*(several if isinstance(several, list) else []), {"function": one}]
    said = []
    for call in calls:
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict) and isinstance(function.get("name"), str):
            arguments = function.get("arguments", "")
            if not isinstance(arguments, str):
                arguments = parts.json_text(arguments)
            said.append(f"{function['name']}({arguments})")
    if not said:
        raise BlankText("the message has no text")
    return "\n".join(said)


def _name(value: Any, name: str) -> str | None:
    if value is not None and not isinstance(value, str):
        raise BadShape(f"{name} is a string, not {parts.kind(value)}")
    return value if value and not value.isspace() else None


def _id(value: Any, name: str) -> str | None:
    if type(value) is int:
        return str(value)
    return _name(value, name)


def _tags(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(tag, str) for tag in value):
        raise BadShape("tags is an array of strings")
    return tuple(value)


def _metadata(metadata: Any, extra: dict[str, Any]) -> str | None:
    """The metadata and what else the message says, as one object where no name is said twice."""
    if isinstance(metadata, dict) and not metadata.keys() & extra.keys():
        whole = metadata | extra
    else:
        whole = ({} if metadata is None else {"metadata": metadata}) | extra
    return parts.json_text(whole) if whole else None
