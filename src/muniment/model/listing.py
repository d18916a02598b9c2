"""Lists of what there is: scopes, threads, collections, keys, records, open tasks, receipts."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from muniment import limits
from muniment.model.event_kinds import Kind
from muniment.model.experience import Items
from muniment.model.request import Request, spell

ListedStanding = Literal[
    "any",
    "current",
    "superseded",
    "retracted",
    "stale",
    "expired",
    "withdrawn",
    "proposed",
    "rejected",
    "erased",
]
ANY_STANDING: ListedStanding = "any"
_NAME = limits.NAME_BYTES_MAX
_Limit = Annotated[int, spell("how many at most")]
_After = Annotated[int, spell("the `next` of the page before")]


class ScopeListed(msgspec.Struct, frozen=True, kw_only=True):
    """One scope.  `scope` is null where its name was erased."""

    scope: str | None
    file: str
    seq: int
    bytes: int


class ScopesListed(msgspec.Struct, frozen=True, kw_only=True):
    """Scopes by their files' names.  `unreadable`: files that `doctor` has more to say of."""

    items: tuple[ScopeListed, ...]
    unreadable: tuple[str, ...]


class Scopes(Request[ScopesListed], frozen=True, kw_only=True):
    """List the scopes of a place."""


class ThreadListed(msgspec.Struct, frozen=True, kw_only=True):
    """One thread.  The times are those that its messages carry; null where none does."""

    thread: str
    messages: int
    first_at: str | None
    last_at: str | None
    last_seq: int


class ThreadsListed(msgspec.Struct, frozen=True, kw_only=True):
    """A page of threads.  `next`: what to give as `after` for the following page."""

    items: tuple[ThreadListed, ...]
    next: int | None = None


class Threads(Request[ThreadsListed], frozen=True, kw_only=True):
    """List the threads, the one that was written to last first."""

    collection: Annotated[
        str | None,
        spell("those of this collection; default: of all that is in none", bytes_max=_NAME),
    ] = None
    limit: _Limit = limits.PAGE_ITEMS_DEFAULT
    after: _After = limits.INTEGER_MAX


class Keys(Request[Items], frozen=True, kw_only=True):
    """List the newest version of each record that has a key, the last written first."""

    limit: _Limit = limits.PAGE_ITEMS_DEFAULT
    after: _After = limits.INTEGER_MAX


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """Which records are listed: of this kind, about this name, standing so, before this seq."""

    kind: Kind | None
    about: str | None
    standing: ListedStanding
    before: int


class Records(Request[Items], frozen=True, kw_only=True):
    """List the records, also those without a key, the last written first.

    What is kept for a reader or in a room is listed for that reader and in that room alone.
    """

    kind: Annotated[Kind | None, spell("only records of this kind")] = None
    task: Annotated[str | None, spell("only what is bound to this task", bytes_max=_NAME)] = None
    about: Annotated[str | None, spell("only what is about this name", bytes_max=_NAME)] = None
    standing: Annotated[ListedStanding, spell("only what stands so; any: past versions too")] = (
        "current"
    )
    reader: Annotated[
        str | None, spell("for whom: what is private to this reader is listed", bytes_max=_NAME)
    ] = None
    room: Annotated[
        str | None, spell("where: what is kept in this room is listed", bytes_max=_NAME)
    ] = None
    limit: _Limit = limits.PAGE_ITEMS_DEFAULT
    after: _After = limits.INTEGER_MAX


class KeyListed(msgspec.Struct, frozen=True, kw_only=True):
    """One state key with its JSON value."""

    key: str
    value: Any
    id: str
    seq: int
    recorded_at: str


class KeysListed(msgspec.Struct, frozen=True, kw_only=True):
    """A page of state keys.  `next`: what to give as `after` for the following page."""

    items: tuple[KeyListed, ...]
    next: int | None = None


class StateList(Request[KeysListed], frozen=True, kw_only=True):
    """List the state keys with their values, the last set first."""

    prefix: Annotated[str, spell("only keys that begin so", bytes_max=limits.KEY_BYTES_MAX)] = ""
    at_seq: Annotated[int | None, spell("as they were after this seq")] = None
    limit: _Limit = limits.PAGE_ITEMS_DEFAULT
    after: _After = limits.INTEGER_MAX


class CollectionListed(msgspec.Struct, frozen=True, kw_only=True):
    """One collection.  The times are those that its messages carry; null where none does."""

    collection: str
    messages: int
    threads: int
    first_at: str | None
    last_at: str | None
    last_seq: int


class CollectionsListed(msgspec.Struct, frozen=True, kw_only=True):
    """A page of collections.  `next`: what to give as `after` for the following page."""

    items: tuple[CollectionListed, ...]
    next: int | None = None


class Collections(Request[CollectionsListed], frozen=True, kw_only=True):
    """List the collections, the one that was written to last first."""

    limit: _Limit = limits.PAGE_ITEMS_DEFAULT
    after: _After = limits.INTEGER_MAX


class Tasks(Request[Items], frozen=True, kw_only=True):
    """List the open tasks, oldest first."""

    limit: _Limit = limits.PAGE_ITEMS_DEFAULT
    after: _After = 0


class ReceiptListed(msgspec.Struct, frozen=True, kw_only=True):
    """One recorded recall.  `query` is null where it was erased."""

    id: str
    seq: int
    recorded_at: str
    query: str | None
    policy: str
    chosen: tuple[str, ...]
    left_out: int
    bytes: int


class ReceiptsListed(msgspec.Struct, frozen=True, kw_only=True):
    """A page of receipts.  `next`: what to give as `after` for the following page."""

    items: tuple[ReceiptListed, ...]
    next: int | None = None


class Receipts(Request[ReceiptsListed], frozen=True, kw_only=True):
    """List the recorded recalls, newest first."""

    limit: _Limit = limits.PAGE_ITEMS_DEFAULT
    after: _After = limits.INTEGER_MAX
