"""Plain lines: a message that needs no second look is read three times faster.  Pure."""

from __future__ import annotations

import re
from datetime import tzinfo

import msgspec

from muniment.importers import parts
from muniment.model.event_kinds import ExperienceType, Role
from muniment.model.turn import Turn

# In a text that a fast decoder lets through: NUL, or half a surrogate pair.
_TAB, _RETURN, _BACKSLASH = b"\t\r\\"
ESCAPED = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")


class _Plain(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, gc=False):
    # The message of a line that needs no second look: see `plain`.
    role: Role
    text: str | None = None
    content: str | None = None
    type: ExperienceType | None = None
    actor: str | None = None
    at: str | int | float | None = None
    timestamp: str | int | float | None = None
    thread: str | None = None
    session: str | None = None
    external_id: str | int | None = None
    id: str | int | None = None
    parent: str | int | None = None
    reply_to: str | int | None = None


_read_plain = msgspec.json.Decoder(_Plain).decode
_PLAIN_MEMBERS = len(_Plain.__struct_fields__)


def plain(line: bytes, at: str, number: int, tz: tzinfo | None) -> Turn | None:
    """The turn of a plain line; None: it has to be read with care.

    The fast decoder keeps the last of repeated keys.  Each key ends in `":` unless white space
    stands before its colon, and text can only add to their count; so an object with as many
    members as there are of these repeats no key.

    Raises:
        BadTime: the line is plain and its time is none.
    """
    apart = _TAB in line or _RETURN in line or b" :" in line
    if apart or (_BACKSLASH in line and ESCAPED.search(line)):
        return None
    try:
        said = _read_plain(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    members = msgspec.structs.astuple(said)
    if _PLAIN_MEMBERS - members.count(None) != line.count(b'":'):
        return None
    for value in members:
        if value.__class__ is str and (not value or value.isspace()):
            return None
    text, external_id, moment = said.text, said.external_id, said.at
    if (text is None) is (said.content is None):
        return None
    if external_id is None:
        external_id = said.id
    elif said.id is not None:
        return None
    if moment is None:
        moment = said.timestamp
    elif said.timestamp is not None:
        return None
    at_ms = parts.moment(moment, tz)
    return Turn(
        at=at,
        role=said.role,
        text=text or said.content or "",
        type=said.type or ("tool_result" if said.role == "tool" else "message"),
        ordering="medium" if at_ms is None else "high",
        actor=said.actor,
        at_ms=at_ms,
        said_at=parts.worded(moment),
        external_id=None if external_id is None else str(external_id),
        parent=None if said.parent is None else str(said.parent),
        reply_to=None if said.reply_to is None else str(said.reply_to),
        session=said.session,
        thread=said.thread,
        lines=(number, number),
    )
