"""Boosts: what a thing is besides its words, weighed for one question.  Pure, named, additive.

Each answers a number from 0 to 1 for the things it has something to say of.  What a boost is for
shows in the data (who speaks, how long the messages are), so that it says nothing elsewhere.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Mapping

import msgspec

from muniment.model import time
from muniment.model.cue import Cues
from muniment.model.pack import Item


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """What a boost may look at: one question, and all that was found for it, by seq."""

    items: Mapping[int, Item]
    scores: Mapping[int, float]  # what the words are worth, larger is better
    cues: Cues
    after: Mapping[int, int] = {}  # the message before each in its conversation, where known
    told: Mapping[int, float] = {}  # what the caller's own function says of each, from 0 to 1


Boost = Callable[[Case], Mapping[int, float]]

# A message this long says as much as a message can, for the purpose of `length`.
_LONG = math.log1p(400)
# From here on what the other side says is an essay: it explains, and the facts are in what the
# user said.
_ESSAY = 1_000
_NAME_LETTERS_MIN = 3
_DAYS_BESIDE = 2
_TIME_WORDS = """
    yesterday today tomorrow tonight last next ago week weekend month year morning since recently
    monday tuesday wednesday thursday friday saturday sunday january february april june july
    august september october november december"""
_TIMES = frozenset(_TIME_WORDS.split())
_YEARS = ("19", "20")
_TOKEN = re.compile(r"\w+")


def speaker(case: Case) -> Mapping[int, float]:
    """1 for what the one speaker said whom the question names; nothing where it names two."""
    named: dict[str, set[str]] = {}
    for actor in {item.actor for item in case.items.values() if item.actor}:
        names = {part.casefold() for part in re.findall(r"[^\W\d_]+", actor)}
        found = {part for part in names if len(part) >= _NAME_LETTERS_MIN} & case.cues.words
        if found:
            named[actor] = found
    if len(named) != 1:
        return {}
    return {seq: 1.0 for seq in case.scores if case.items[seq].actor in named}


def session(case: Case) -> Mapping[int, float]:
    """How good the best of its session is, from 0 to 1."""
    items, scores = case.items, case.scores
    sessions = {seq: (items[seq].thread, items[seq].session) for seq in scores}
    best: dict[tuple[str | None, str | None], float] = defaultdict(float)
    for seq, score in scores.items():
        best[sessions[seq]] = max(best[sessions[seq]], score)
    top = max(best.values(), default=0.0) or 1.0
    return {
        # What belongs to no conversation stands for itself.
        seq: (scores[seq] if sessions[seq] == (None, None) else best[sessions[seq]]) / top
        for seq in scores
    }


def date(case: Case) -> Mapping[int, float]:
    """How much of the date in the question is that of the message, from 0 to 1."""
    cues = case.cues
    if not cues.months and not cues.years and not cues.spans:
        return {}
    return {
        seq: 1.0 if _is_inside(case.items[seq].at, cues) else _same_date(case.items[seq].at, cues)
        for seq in case.scores
    }


def time_word(case: Case) -> Mapping[int, float]:
    """1 for what speaks of a time, where the question asks for one."""
    if not case.cues.when:
        return {}
    return {seq: 1.0 for seq in case.scores if _tells_time(case.items[seq].text)}


def length(case: Case) -> Mapping[int, float]:
    """From 0 for an empty text to 1 for a long one, by the logarithm: a greeting says little."""
    return {seq: min(1.0, math.log1p(len(case.items[seq].text)) / _LONG) for seq in case.scores}


def kept(case: Case) -> Mapping[int, float]:
    """1 for a record or a state value: somebody concluded it and gave it its words."""
    return {seq: 1.0 for seq in case.scores if case.items[seq].kind != "event"}


def asks(case: Case) -> Mapping[int, float]:
    """1 for a message that ends in a question; weighed below zero, because it tells nothing."""
    return {seq: 1.0 for seq in case.scores if _asks(case.items[seq])}


def answers(case: Case) -> Mapping[int, float]:
    """1 for a message right after one that ends in a question: it tells what was asked."""
    return {
        seq: 1.0
        for seq in case.scores
        if (before := case.items.get(case.after.get(seq, 0))) is not None and _asks(before)
    }


def user(case: Case) -> Mapping[int, float]:
    """How long what the others write is, for what the user said among it.

    0 where nobody but users speaks; 1 from about a page on.  In short talk both sides tell.
    """
    said = [case.items[seq] for seq in case.scores]
    others = [len(item.text) for item in said if item.role == "assistant"]
    if not others:
        return {}
    essay = min(1.0, sum(others) / len(others) / _ESSAY)
    return {item.seq: essay for item in said if item.role == "user"}


def scorer(case: Case) -> Mapping[int, float]:
    """What the caller's own function says of each."""
    return case.told


BOOSTS: dict[str, Boost] = {
    "speaker": speaker,
    "session": session,
    "date": date,
    "time_word": time_word,
    "length": length,
    "kept": kept,
    "asks": asks,
    "answers": answers,
    "user": user,
    "scorer": scorer,
}


def _asks(item: Item) -> bool:
    return item.text.rstrip().endswith(("?", "？"))


def _tells_time(text: str) -> bool:
    words = _TOKEN.findall(text.lower())
    return not _TIMES.isdisjoint(words) or any(
        len(word) == 4 and word.startswith(_YEARS) and word.isdecimal() for word in words
    )


def _is_inside(at: str | None, cues: Cues) -> bool:
    if at is None or not cues.spans:
        return False
    at_ms = time.parse(at, "at")
    return any(span.from_ms <= at_ms < span.until_ms for span in cues.spans)


def _same_date(at: str | None, cues: Cues) -> float:
    if at is None or not (cues.months or cues.years):
        return 0.0
    year, month, day = int(at[:4]), int(at[5:7]), int(at[8:10])
    if cues.years and year not in cues.years:
        return 0.0
    if not cues.months:
        return 0.5
    if month not in cues.months:
        return 0.0
    near = any(abs(day - other) <= _DAYS_BESIDE for other in cues.days)
    return 1.0 if near else 0.5
