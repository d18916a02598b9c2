"""What is handed over: items, what was left out and why, and the pack that holds both."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from muniment.model.evidence import Source
from muniment.model.standing import Outcome, Standing

CORRECTED = "corrected"  # the label of a message that a correction answers


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One thing of a scope, as every answer shows it.

    `kind` is "event", "state" or a record's kind; by its id also "erasure", "deletion" or
    "command", whose `covers` has what it took or found.  `text` is empty once erased.  Times are
    ISO 8601 UTC.  `score_ppm` is millionths of the best hit's score; null outside a recall.
    """

    id: str
    seq: int
    kind: str
    text: str
    at: str | None
    recorded_at: str
    standing: Standing
    labels: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    score_ppm: int | None = None
    role: str | None = None
    type: str | None = None
    actor: str | None = None
    thread: str | None = None
    session: str | None = None
    external_id: str | None = None
    collection: str | None = None
    tags: tuple[str, ...] = ()
    caption: str | None = None
    source: str | None = None
    lines: tuple[int, int] | None = None
    span: tuple[int, int] | None = None  # of its source; of its own text where it is a passage
    ordering: str | None = None
    parent: str | None = None
    reply_to: str | None = None
    key: str | None = None
    status: str | None = None
    owner: str | None = None
    about: str | None = None
    supersedes: str | None = None
    superseded_by: str | None = None  # the version that took its place, where it is over
    sources: tuple[Source, ...] = ()
    covers: tuple[str, ...] = ()
    level: int | None = None  # of a summary: 1 where none of its sources is a summary
    coverage: tuple[str, ...] = ()  # all that it covers, also through summaries
    outcome: Outcome | None = None  # how it ended for good, where it is superseded by that
    valid_from: str | None = None
    valid_to: str | None = None
    metadata: str | None = None
    receipt: str | None = None  # of the recall that a record was made from
    task: str | None = None  # in which alone it applies
    visibility: str | None = None  # "room" or "private"; None: the whole scope sees it
    room: str | None = None
    reader: str | None = None
    grade: str | None = None
    priority: int | None = None
    assesses: str | None = None
    benefit_ppm: int | None = None
    harm_ppm: int | None = None


class Suppressed(msgspec.Struct, frozen=True, kw_only=True):
    """Something that was considered and left out."""

    id: str
    reason: str
    bytes: int  # what it would have taken


class Searched(msgspec.Struct, frozen=True, kw_only=True):
    """What one retriever did."""

    retriever: str
    hits: int
    limited: bool  # there was more than it may hand on


# What somebody who goes by a recall should know of how it was made.
Caveat = Literal[
    "present_statistics",
    "task_unknown",
    "no_vectors",
    "vectors_partial",
    "nothing_near",
    "vectors_unused",
]


class Trace(msgspec.Struct, frozen=True, kw_only=True):
    """How a recall came about."""

    terms: tuple[str, ...]
    quoted: tuple[str, ...]
    terms_left_out: int
    retrievers: tuple[Searched, ...]
    suppressed_more: int  # left out beyond the listed ones
    embedder: str | None = None  # the model whose vectors were compared, if any were
    caveats: tuple[Caveat, ...] = ()
    days: tuple[
        str, ...
    ] = ()  # that the question names, each ISO 8601, or the first/the last of some


class Pack(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent is shown, best first, and the account of it."""

    items: tuple[Item, ...]
    suppressed: tuple[Suppressed, ...]
    bytes: int
    text: str
    head: str
    policy: str
    trace: Trace
    receipt: str | None = None

    @property
    def bytes_used(self) -> int:
        """UTF-8 bytes of `text`."""
        return self.bytes

    @property
    def chosen(self) -> tuple[Item, ...]:
        """The items; the word that goes with `suppressed`."""
        return self.items


def plain(result: Any) -> Any:
    """A result as JSON values."""
    return msgspec.to_builtins(result)
