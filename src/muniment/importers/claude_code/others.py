"""Lines that are nobody's message, and prompts that waited and never came up.

What the program is known to keep for itself is passed over.  Of a kind that is not known, a line
whose words stand where messages have theirs fails; any other is counted, and so are attachments,
which hold what the program showed the model, and what was queued and is told nowhere else.  Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from muniment.errors import BadShape

# Of the prompts that wait at a time, so many of the newest are remembered.
QUEUED_MAX = 64

QUEUE, ATTACHMENT = "queue-operation", "attachment"
# Their words, if there are any, are taken in elsewhere.
_READ = ("user", "assistant", "system", "progress", "summary", "custom-title", "ai-title", QUEUE)
_KEPT = (
    "agent-color",
    "agent-name",
    "agent-setting",
    "attribution-snapshot",
    "content-replacement",
    "file-history-snapshot",
    "last-prompt",
    "mode",
    "permission-mode",
    "pr-link",
    "speculation-accept",
    "tag",
    "worktree-state",
)
_TAKEN_OUT = ("dequeue", "popAll", "remove")  # what they name was queued before
_SAID = ("text", "content", "message", "prompt")


def is_other(kind: str, members: dict[str, Any]) -> bool:
    """Whether a line is nobody's message, and not known to hold nothing.

    Raises:
        BadShape: its kind is not known, and it has words as messages have them.
    """
    if kind == ATTACHMENT:
        return queued_prompt(members) is None
    if kind in _READ or kind in _KEPT:
        return False
    if _worded(members):
        raise BadShape(f"lines of type {kind[:40]!r} are not known, and this one holds words")
    return True


def queued_prompt(members: dict[str, Any]) -> dict[str, Any] | None:
    """The attachment that is a prompt which waited, if the line holds one."""
    attached = members.get("attachment")
    if not isinstance(attached, dict) or attached.get("type") != "queued_command":
        return None
    return attached


def _worded(members: dict[str, Any]) -> bool:
    """Whether words stand where messages have theirs, at any depth."""
    rest: list[Any] = [members]
    while rest:
        value = rest.pop()
        if isinstance(value, str) and value.strip():
            return True
        if isinstance(value, dict):
            rest.extend(value[name] for name in _SAID if name in value)
        elif isinstance(value, list):
            rest.extend(value)
    return False


def wait(queue: dict[str, str], members: dict[str, Any], at: str) -> str | None:
    """The place of what waited before too many others, or cannot be read; else it waits now."""
    content = members.get("content")
    if content is None or members.get("operation") in _TAKEN_OUT:
        return None
    if not isinstance(content, str):
        return at
    if content.strip():
        queue.setdefault(content.strip(), at)
    return queue.pop(next(iter(queue))) if len(queue) > QUEUED_MAX else None


def come_up(queue: dict[str, str], members: dict[str, Any], said: list[str]) -> None:
    """Nothing waits any longer that this line says, alone or in lines of its own.

    `said` is what was read in it; what it says in tags counts as it stands, too.
    """
    message = members.get("message")
    attached = queued_prompt(members) or {}
    told = message.get("content") if isinstance(message, dict) else attached.get("prompt")
    framed = [f"\n{text.strip()}\n" for text in (*_texts(told), *said)]
    for words in [words for words in queue if any(f"\n{words}\n" in text for text in framed)]:
        del queue[words]


def _texts(told: Any) -> Iterator[str]:
    """The texts of a message's content, without what tools said."""
    for piece in told if isinstance(told, list) else [told]:
        text = piece.get("text") if isinstance(piece, dict) else piece
        if isinstance(text, str):
            yield text
