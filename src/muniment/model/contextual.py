"""Contextual recall: what may be chosen, for whom, and what was chosen.  Values alone.

A reference is an id with a version.  Ids are whatever a store has for ids, as long as they can be
ordered: sixteen bytes, or the ids of a ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Literal, Protocol

import msgspec

Ref = tuple[Any, int]

Code = Literal[
    "format",
    "capacity",
    "reference",
    "scope",
    "version",
    "sequence",
    "source",
    "layout",
    "missing",
    "stale",
    "denied",
    "unavailable",
]
Reason = Literal["required", "pinned", "similar", "obligation", "support", "significant"]
Part = Literal["memory", "appraisal", "support"]
Bound = Literal["entries", "bytes", "tokens"]

SCALE = 1_000_000


class Evidence(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One version of one thing, as the selection sees it; whoever asks.

    A *memory* can be chosen; an *appraisal* enters with a memory that it assesses; a *support*
    enters only with one of those.  `held` is the caller's own, for its style of rendering, and
    refers to no evidence in turn.
    """

    ref: Ref
    part: Part = "memory"
    held: Any = None
    # Whether it can be seen: nobody sees it (`fault`), only who may look into all of `needs`, only
    # before `until`.  `place` is where it belongs itself; None is everybody's.
    fault: Code | None = None
    needs: frozenset[Hashable] = frozenset()
    place: Hashable = None
    until: int | None = None
    # What is wrong with its text, or with its vector; and whether its text is out of reach.
    broken: Code | None = None
    unfit: Code | None = None
    cold: bool = False
    subject: Any = None  # None: nobody in particular
    source: Ref | None = None
    group: Ref | None = None  # the event it comes from; None: it is its own source
    copy: bool = False  # a working copy of the event it comes from
    complete: bool = False  # and word for word the same
    # Bound to a task, if any: an obligation of it, or offered in it alone.
    task: Any = None
    required: bool = False
    pending: bool = True
    priority: int | None = None  # of obligations: the greatest first, those with none last
    space: Hashable = None  # of its vector: what may be compared with what
    vector: Any = None  # bytes of little-endian 32-bit floats
    # Of appraisals: how much is at stake (millionths; None: not known), what is assessed, in which
    # task alone it counts, and whether only for those who take part.
    intensity: int | None = None
    assesses: Ref | None = None
    for_task: Any = None
    for_participants: bool = False
    # What enters together with it or not at all, in front of it and behind it.
    before: tuple[Ref, ...] = ()
    after: tuple[Ref, ...] = ()

    @property
    def origin(self) -> Ref:
        """The source that it counts for."""
        return self.ref if self.group is None else self.group

    @property
    def contextual(self) -> bool:
        """Whether it is bound to a task."""
        return self.task is not None


class Audience(msgspec.Struct, frozen=True, kw_only=True):
    """Who asks, and when: what may be looked into, and from which places something is taken."""

    open: frozenset[Hashable] = frozenset()
    places: frozenset[Hashable] = frozenset((None,))
    at: int = 0


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """One question.  `participants` may be empty: then nobody knows who takes part.

    `task` None: nothing that is bound to a task applies.  `ranked`: appraisals have their say, in
    millionths: below `floor` of likeness nothing enters, whatever `boost` would add.
    """

    audience: Audience = Audience()
    revision: int = 5
    required: tuple[Ref, ...] = ()
    pinned: tuple[Ref, ...] = ()
    task: Any = None
    participants: tuple[Any, ...] = ()
    ranked: bool = False
    floor: int = 0
    boost: int = 0
    space: Hashable = None
    vector: Any = None
    entries_max: int = 16
    bytes_max: int = 4_096
    fits: Callable[[bytes], bool] | None = None  # says of the whole text; None: bytes decide


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a selection.  `likeness` and `score` where it was compared."""

    evidence: Evidence
    reason: Reason
    likeness: float | None = None
    score: float | None = None


class LeftOut(msgspec.Struct, frozen=True, kw_only=True):
    """What was considered: `budget_entries`, `_bytes` or `_tokens`, or a code of its own."""

    ref: Ref
    reason: str
    score: float | None = None


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """What was chosen, in order, and its text; what was left out, the best of it first."""

    entries: tuple[Chosen, ...]
    text: bytes
    left_out: tuple[LeftOut, ...] = ()


class Turned(msgspec.Struct, frozen=True, kw_only=True):
    """A question that is not answered, and the first thing that stands against it.

    Where something must be shown and does not fit (`capacity`), what all of that would need.
    """

    code: Code
    detail: str
    ref: Ref | None = None
    over: Bound | None = None
    entries_needed: int | None = None
    bytes_needed: int | None = None


class Style(Protocol):
    """How chosen things become a text."""

    def text(self, chosen: Sequence[Chosen], asked: Asked) -> bytes:
        """The whole text of a selection, on which the budget is measured."""
        ...

    def least(self, evidence: Evidence, asked: Asked, *, alone: bool) -> int:
        """At least so many bytes are added by it; none of what is chosen is a copy of it.

        `alone`: nothing else that is chosen comes from its source.
        """
        ...
