"""May this value be set?  Pure: the present size and key in, a draft out."""

from __future__ import annotations

from typing import Any

import msgspec

from muniment.errors import BlankText, StateFull, TooLong
from muniment.model import canonical
from muniment.model.event import Draft
from muniment.model.event_kinds import StateContent, StateDeleted, StateSet
from muniment.model.scope import Allowed


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of one key before it is set."""

    key_tag: str
    before: str | None  # the id of its present value
    value: str | None  # its present value as JSON text


def value_text(key: str, value: Any, at: str, allowed: Allowed) -> str:
    """A state value as the JSON text that is stored.

    Raises:
        BlankText, TooLong, BadJson, BadEncoding: it may not be.
    """
    if not key.strip():
        raise BlankText("a key is not blank", at="key")
    canonical.check_text(key, "key")
    if len(key.encode()) > allowed.key_bytes_max:
        raise TooLong(f"a key has at most {allowed.key_bytes_max} bytes", at="key")
    canonical.check_strings(value, at)
    text = canonical.plain_json(value, at)
    if len(text.encode()) > allowed.state_value_bytes_max:
        raise TooLong(f"a value has at most {allowed.state_value_bytes_max} bytes", at=at)
    return text


def put(key: str, text: str, facts: Facts) -> Draft | None:
    """The event that sets a key, or None where it has that value already."""
    if facts.value == text and facts.before is not None:
        return None
    return Draft(
        StateSet(key_tag=facts.key_tag, supersedes=facts.before),
        StateContent(key=key, value=text),
    )


def delete(facts: Facts) -> Draft | None:
    """The event that takes a key's value away, or None where it has none."""
    if facts.before is None:
        return None
    return Draft(StateDeleted(key_tag=facts.key_tag, supersedes=facts.before))


def check_size(present: int, leaving: int, coming: int, most: int) -> None:
    """Nothing, if the whole state stays within its limit.

    Raises:
        StateFull: it would not.
    """
    if present - leaving + coming > most:
        raise StateFull(f"the state of this scope has at most {most} bytes")
