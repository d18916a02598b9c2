"""Exchange with another system's files: recall over its store, look into its files, take them in."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from muniment import limits
from muniment.model.request import FileName, Request, spell

_HEX = 32
_Store = Annotated[FileName, spell("the container of the store", form="path")]


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One chosen object, and why; the numbers where it was compared."""

    id: str
    version: int
    reason: str
    likeness: float | None = None
    score: float | None = None


class NotChosen(msgspec.Struct, frozen=True, kw_only=True):
    """One object that was considered and left out."""

    id: str
    version: int
    reason: str
    score: float | None = None


class QueryResult(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one query.  `status` 0 is an answer; else `code` and `detail` say why not.

    Where something must be shown and does not fit, `id` names it, `over` says whether entries or
    bytes were too few, and the two numbers what all of it would need.
    """

    index: int
    request: str | None
    selection: str | None
    status: int
    code: str | None = None
    detail: str | None = None
    id: str | None = None
    over: str | None = None
    entries_needed: int | None = None
    bytes_needed: int | None = None
    revision: int | None = None
    bytes: int | None = None  # of memory, without the input
    entries: tuple[Entry, ...] = ()
    left_out: tuple[NotChosen, ...] = ()
    recorded: bool = False


class ExchangeRecalled(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a batch; the same stands in the new directory, with each context."""

    out: str
    lineage: str
    cut: int
    style: str
    answered: int
    refused: int
    files: tuple[str, ...]
    results: tuple[QueryResult, ...]


class ExchangeRecall(Request[ExchangeRecalled], frozen=True, kw_only=True):
    """Answer a file of prepared queries from a container, into a new directory.

    One bad query leaves the others alone.  The directory appears when everything is in it.
    """

    store: _Store
    queries: Annotated[FileName, spell("the file of prepared queries", form="path")]
    out: Annotated[
        FileName, spell("the directory to be made", bytes_max=limits.NAME_BYTES_MAX * 8, file=True)
    ]
    all_or_nothing: Annotated[bool, spell("refuse all queries where one is refused")] = False
    style: Annotated[
        Literal["wire", "safe"],
        spell("wire: as each query's revision says; safe: in frames that no text can imitate"),
    ] = "wire"


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """What an input has become: its event, its vector, and the working copy to go on with."""

    index: int
    event: str
    vector: str
    working: str


class ExchangeRetained(msgspec.Struct, frozen=True, kw_only=True):
    """What was answered and kept; the same stands in the new directory, with each context.

    `cut`: the sequence at which the queries were answered; `sequence`: that with the inputs in it.
    """

    out: str
    lineage: str
    cut: int
    sequence: int
    kept: tuple[Kept, ...]
    files: tuple[str, ...]
    results: tuple[QueryResult, ...]


class ExchangeRetain(Request[ExchangeRetained], frozen=True, kw_only=True):
    """Answer a file of prepared queries and keep each input as memory, all of them or none.

    What was chosen must still stand once the inputs are in the store.  No decision is recorded.
    """

    store: _Store
    queries: Annotated[FileName, spell("the file of prepared queries", form="path")]
    out: Annotated[
        FileName, spell("the directory to be made", bytes_max=limits.NAME_BYTES_MAX * 8, file=True)
    ]


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """A recorded choice, replayed without a search; `status` 0: it stands as it was."""

    request: str
    selection: str
    cut: int
    status: int
    count: int
    searches: int
    code: str | None = None
    detail: str | None = None
    context: str | None = None


class ExchangeReplayed(msgspec.Struct, frozen=True, kw_only=True):
    """Every recorded choice of a container, in the order they were recorded."""

    same: bool
    items: tuple[Decision, ...]


class ExchangeReplay(Request[ExchangeReplayed], frozen=True, kw_only=True):
    """Make every recorded choice of a container again, over what it holds now.

    Where one no longer stands no context is shown at all, and the answer is a negative.
    """

    store: _Store


class ExchangeInspected(msgspec.Struct, frozen=True, kw_only=True):
    """What a file holds, every digest and rule of it checked.

    `fallback`: why a container's other root is not followed.  `unreached`: bytes in it that belong
    to no generation.
    """

    format: str
    bytes: int
    lineage: str | None = None
    sequence: int | None = None
    tick: int | None = None
    generation: int | None = None
    fallback: str | None = None
    unreached: int | None = None
    sections: tuple[str, ...] = ()
    objects: dict[str, int] = {}  # versions, by kind
    decisions: int | None = None
    slots: tuple[int, ...] = ()  # of a live file
    queries: tuple[QueryResult, ...] = ()


class ExchangeInspect(Request[ExchangeInspected], frozen=True, kw_only=True):
    """Say what a container, image, live file, file of queries or of results holds, once checked."""

    file: Annotated[FileName, spell("the file", form="path")]


class NotCarried(msgspec.Struct, frozen=True, kw_only=True):
    """One object that was not taken over, and why."""

    id: str
    version: int
    kind: str
    reason: str
    detail: str = ""


class ExchangeConverted(msgspec.Struct, frozen=True, kw_only=True):
    """What of a store was taken over: how many of each kind, how many were known, and what not."""

    carried: dict[str, int]
    known: int
    not_carried: tuple[NotCarried, ...]
    not_carried_more: int  # beyond the listed ones


class ExchangeConvert(Request[ExchangeConverted], frozen=True, kw_only=True):
    """Take a container's objects over into a scope, through the ordinary commands.

    What everybody may see there comes; with an owner or a room theirs comes as well.  A second
    run takes in nothing.
    """

    store: _Store
    owner: Annotated[str | None, spell("the id of an owner, in hex", form="id", bytes_max=_HEX)] = (
        None
    )
    room: Annotated[str | None, spell("the id of a room, in hex", form="id", bytes_max=_HEX)] = None
