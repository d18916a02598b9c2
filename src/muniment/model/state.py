"""State: the requests for the values of a small map of keys, and their answers."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from muniment import limits
from muniment.model.experience import Items
from muniment.model.record import Redact
from muniment.model.request import Request, spell


class StateValue(msgspec.Struct, frozen=True, kw_only=True):
    """A state key with its JSON value; `seq` is None where it was never set.

    `known`: it stood there before, and nothing was written.
    """

    key: str
    value: Any
    seq: int | None
    head: str | None = None
    known: bool = False
    redacted: int = 0


class StateGone(msgspec.Struct, frozen=True, kw_only=True):
    """A state key that has no value.  `supersedes`: the value it had.

    `known`: it had none before, and nothing was written; `seq` is that of the deletion.
    """

    key: str
    seq: int
    head: str
    supersedes: str
    known: bool


class StateGet(Request[StateValue], frozen=True, kw_only=True):
    """The value of a state key, now or at a past seq."""

    key: Annotated[str, spell("the key", form="positional", bytes_max=limits.KEY_BYTES_MAX)]
    at_seq: Annotated[int | None, spell("as it was after this seq")] = None


class StateSetTo(Request[StateValue], frozen=True, kw_only=True):
    """Give a state key a JSON value."""

    key: Annotated[str, spell("the key", form="positional", bytes_max=limits.KEY_BYTES_MAX)]
    value: Annotated[
        Any, spell("the value: a JSON text, @FILE, or - for standard input", form="json")
    ]
    redact: Redact = False
    expect_head: Annotated[str | None, spell("write only if this is the memory head")] = None
    command_key: Annotated[
        str | None,
        spell("the same key again gives the same answer", bytes_max=limits.KEY_BYTES_MAX),
    ] = None


class StateDelete(Request[StateGone], frozen=True, kw_only=True):
    """Take a state key away: it has no value any more, and its history stays."""

    key: Annotated[str, spell("the key", form="positional", bytes_max=limits.KEY_BYTES_MAX)]
    expect_head: Annotated[str | None, spell("write only if this is the memory head")] = None


class StateHistory(Request[Items], frozen=True, kw_only=True):
    """Every value of a state key, oldest first."""

    key: Annotated[str, spell("the key", form="positional", bytes_max=limits.KEY_BYTES_MAX)]
