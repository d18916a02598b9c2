"""What is asked of a scope: the question, who and when it concerns, and the budget."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Generic, Literal

import msgspec

from muniment import limits
from muniment.model.event_kinds import ExperienceType, Role, StyleName
from muniment.model.pack import Item, Pack
from muniment.model.policy import Policy, PolicyName
from muniment.model.request import R, Request, Time, spell

Name = limits.NAME_BYTES_MAX
_Query = spell(
    "the question, or - for standard input", form="text", bytes_max=limits.QUERY_BYTES_MAX
)
PartKind = Literal["retriever", "boost", "correction"]
ANCHOR = "anchor"  # the collection that is seen without being named


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """How much a pack may hold.  Every bound is inclusive."""

    bytes_max: int = limits.BYTES_DEFAULT  # UTF-8 bytes of the rendered text
    items_max: int = limits.ITEMS_DEFAULT
    tokens_fit: Callable[[str], bool] | None = None  # of the whole text; None: bytes decide


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """What a retriever may hand on; applied before its limit.  Empty means any."""

    thread: str | None = None
    session: str | None = None
    exclude_session: str | None = None
    role: str | None = None
    type: str | None = None
    since_ms: int | None = None  # inclusive
    until_ms: int | None = None  # exclusive
    collection: str | None = None
    tags: tuple[str, ...] = ()
    said_until_ms: int | None = None  # exclusive; of experience alone
    to_seq: int | None = None  # nothing recorded later
    only: int | None = None  # this seq alone
    # For whom, and in which task: what is kept for others is not seen, what is bound to another
    # task does not apply.
    reader: str | None = None
    room: str | None = None
    task: str | None = None
    participants: tuple[str, ...] = ()

    @property
    def experience_only(self) -> bool:
        """Whether it asks for something that only experience has."""
        return any((self.thread, self.session, self.role, self.type, self.tags, self.collection))


class Asked(Request[R], Generic[R], frozen=True, kw_only=True):
    """How a question is answered: by which policy, within which budget, out of what."""

    policy: Annotated[PolicyName | Policy, spell("which retrievers answer")] = "balanced"
    embedder: Annotated[
        str | None,
        spell(
            "the model whose vectors are compared; else MUNIMENT_EMBEDDER, else the one with most",
            bytes_max=Name,
        ),
    ] = None
    synonyms: Annotated[
        tuple[str, ...],
        spell("words that mean the same, with commas between", bytes_max=Name),
    ] = ()
    bytes_max: Annotated[
        int | None,
        spell("at most so many bytes of text; default: the scope's own, 8192", flag="bytes"),
    ] = None
    items_max: Annotated[
        int | None, spell("at most so many items; default: the scope's own, 16", flag="items")
    ] = None
    require: Annotated[
        tuple[str, ...], spell("an id that must be shown; may be repeated", form="id")
    ] = ()
    pin: Annotated[
        tuple[str, ...], spell("an id that enters first; may be repeated", form="id")
    ] = ()
    thread: Annotated[str | None, spell("only this thread", bytes_max=Name)] = None
    session: Annotated[str | None, spell("only this session", bytes_max=Name)] = None
    exclude_session: Annotated[str | None, spell("not this session", bytes_max=Name)] = None
    role: Annotated[Role | None, spell("only what this role said")] = None
    type: Annotated[ExperienceType | None, spell("only this type of experience")] = None
    since: Annotated[Time | None, spell("only from then on", form="time")] = None
    until: Annotated[Time | None, spell("only before then", form="time")] = None
    collection: Annotated[
        str | None, spell("only this collection, which is hidden else", bytes_max=Name)
    ] = None
    tags: Annotated[
        tuple[str, ...], spell("only what has this tag; may be repeated", flag="tag")
    ] = ()
    as_of: Annotated[Time | None, spell("what held then", form="time")] = None
    as_recorded: Annotated[Time | None, spell("as it was known then", form="time")] = None
    tz: Annotated[
        str | None, spell("the zone of the days that a question names; else UTC", flag="tz")
    ] = None
    history: Annotated[bool, spell("past versions too, each labelled")] = False
    task: Annotated[
        str | None, spell("the task at hand: what must be said in it is said", bytes_max=Name)
    ] = None
    participants: Annotated[
        tuple[str, ...],
        spell(
            "who takes part in the task; may be repeated; without any nobody knows",
            flag="participant",
            bytes_max=Name,
        ),
    ] = ()
    reader: Annotated[
        str | None, spell("for whom: what is private to this reader is seen", bytes_max=Name)
    ] = None
    room: Annotated[
        str | None, spell("where: what is kept in this room is seen", bytes_max=Name)
    ] = None
    floor_ppm: Annotated[
        int | None,
        spell("nothing less like the question than so many millionths of the best", flag="floor"),
    ] = None
    boost_ppm: Annotated[
        int | None,
        spell("how many millionths of the best a whole benefit or harm adds", flag="boost"),
    ] = None
    style: Annotated[
        StyleName,
        spell("safe: in frames that no text can imitate; grouped: what entries share said once"),
    ] = "plain"


class Recall(Asked[Pack], frozen=True, kw_only=True):
    """Find what matters for a question and hand over as much as the budget allows."""

    query: Annotated[str, _Query]
    record: Annotated[bool, spell("keep a receipt of what was shown and why")] = False
    tokens_fit: Annotated[
        Callable[[str], bool] | None, spell("says whether a text fits", hidden=True)
    ] = None
    scorer: Annotated[
        Callable[[str, Item], float] | None,
        spell("says how well a thing answers the question, from 0 to 1", hidden=True),
    ] = None


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """Whether one thing is shown for a question, and if not, why."""

    id: str
    shown: bool
    reason: str
    retrievers: dict[str, int]  # rank, from 1, of those that found it
    bytes: int  # what it takes or would take


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """What one retriever or one boost says of a thing, and what that adds to its worth.

    `rank` is that of a retriever that found it; null of one that did not, and of a boost.  Numbers
    are millionths: `value_ppm` of the best that the retriever found, or of what the boost may say;
    `adds_ppm` is `weight_ppm` times that.  "correction" is what a correction is worth by what it
    corrects.
    """

    name: str
    by: PartKind
    rank: int | None
    value_ppm: int
    weight_ppm: int
    adds_ppm: int


class Explained(msgspec.Struct, frozen=True, kw_only=True):
    """Why one thing is shown for a question, part by part; or that it is not, and the reason.

    `place` is its place in the pack, from 1.  `parts` add up to `worth_ppm`, which is weighed
    against `best_ppm`, the worth of the best; both are null where no optional retriever found it.
    """

    id: str
    shown: bool
    reason: str
    place: int | None
    must: tuple[str, ...]  # the retrievers by which it must be shown
    parts: tuple[Part, ...]
    worth_ppm: int | None
    best_ppm: int | None
    bytes: int  # what it takes or would take


class Why(Asked[Explained], frozen=True, kw_only=True):
    """Say why one thing is shown for a question: what found it, and what each part adds."""

    id: Annotated[
        str,
        spell("its id, or a record's key; id: or key: before it says which", form="positional"),
    ]
    query: Annotated[str, _Query]


class WhyNot(Asked[Shown], frozen=True, kw_only=True):
    """Say why one thing is not shown for a question."""

    id: Annotated[
        str,
        spell("its id, or a record's key; id: or key: before it says which", form="positional"),
    ]
    query: Annotated[str, _Query]
