"""Something that a retriever found, and what it was asked."""

from __future__ import annotations

import msgspec

from muniment import limits
from muniment.model.cue import Cues
from muniment.model.embedding import Meaning
from muniment.model.event_kinds import StyleName
from muniment.model.moment import Moment
from muniment.model.query import Filter
from muniment.model.text import Terms

NO_CUES = Cues(words=frozenset())


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """What every retriever of one recall is asked."""

    terms: Terms
    cues: Cues = NO_CUES
    alike: tuple[str, ...] = ()  # words and phrases that mean nearly the same as some of its own
    meaning: Meaning | None = None  # where vectors are asked for, and there is a model
    filter: Filter
    required: tuple[str, ...] = ()
    pinned: tuple[str, ...] = ()
    history: bool = False
    filtered: bool = False  # what is judged has passed the filter already
    moment: Moment
    limit: int = limits.HITS_PER_RETRIEVER_DEFAULT
    others: tuple[int, ...] = ()  # what the others found, where it is asked what goes with that
    floor_ppm: int | None = None  # of likeness; nothing below it enters
    boost_ppm: int | None = None  # what the greatest benefit or harm adds to a likeness
    style: StyleName = "plain"


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """One thing found.  `score` is comparable within its retriever only, larger is better."""

    seq: int
    retriever: str
    rank: int  # from 1
    score: float
    passage: int | None = None  # which passage of a long text
    after: int | None = None  # the message before it in its conversation, where that is known
    corrects: int | None = None  # the message that it corrects, where it was found by that


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What a retriever hands on, best first.

    `limited`: there was more.  `far`: something was nearest, and not near enough for an answer.
    """

    retriever: str
    hits: tuple[Hit, ...]
    limited: bool = False
    far: bool = False
