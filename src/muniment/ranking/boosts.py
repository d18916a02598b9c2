"""Boosts: what a thing is besides its words, weighed for one question.  Pure, named, additive."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Mapping

from muniment.model.cue import Cues
from muniment.model.pack import Item

Boost = Callable[[Mapping[int, Item], Mapping[int, float], Cues], Mapping[int, float]]

# A message this long says as much as a message can, for the purpose of `length`.
_LONG = math.log1p(400)
_NAME_LETTERS_MIN = 3
_DAYS_BESIDE = 2
_TIME = re.compile(
    r"\b(?:yesterday|today|tomorrow|tonight|last|next|ago|week|weekend|month|year|morning|since"
    r"|recently|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|april|june|july"
    r"|august|september|october|november|december|(?:19|20)\d\d)\b",
    re.IGNORECASE,
)


def speaker(
    items: Mapping[int, Item], scores: Mapping[int, float], cues: Cues
) -> Mapping[int, float]:
    """1 for what the one speaker said whom the question names; nothing where it names two."""
    named: dict[str, set[str]] = {}
    for actor in {item.actor for item in items.values() if item.actor}:
        names = {part.casefold() for part in re.findall(r"[^\W\d_]+", actor)}
        found = {part for part in names if len(part) >= _NAME_LETTERS_MIN} & cues.words
        if found:
            named[actor] = found
    if len(named) != 1:
        return {}
    return {seq: 1.0 for seq in scores if items[seq].actor in named}


def session(items: Mapping[int, Item], scores: Mapping[int, float], _: Cues) -> Mapping[int, float]:
    """How good the best of its session is, from 0 to 1."""
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


def date(items: Mapping[int, Item], scores: Mapping[int, float], cues: Cues) -> Mapping[int, float]:
    """How much of the date in the question is that of the message, from 0 to 1."""
    if not cues.months and not cues.years:
        return {}
    return {seq: _same_date(items[seq].at, cues) for seq in scores}


def time_word(
    items: Mapping[int, Item], scores: Mapping[int, float], cues: Cues
) -> Mapping[int, float]:
    """1 for what speaks of a time, where the question asks for one."""
    if not cues.when:
        return {}
    return {seq: 1.0 for seq in scores if _TIME.search(items[seq].text)}


def length(items: Mapping[int, Item], scores: Mapping[int, float], _: Cues) -> Mapping[int, float]:
    """From 0 for an empty text to 1 for a long one, by the logarithm: a greeting says little."""
    return {seq: min(1.0, math.log1p(len(items[seq].text)) / _LONG) for seq in scores}


def kept(items: Mapping[int, Item], scores: Mapping[int, float], _: Cues) -> Mapping[int, float]:
    """1 for a record or a state value: somebody concluded it and gave it its words."""
    return {seq: 1.0 for seq in scores if items[seq].kind != "event"}


def asks(items: Mapping[int, Item], scores: Mapping[int, float], _: Cues) -> Mapping[int, float]:
    """1 for a message that ends in a question; weighed below zero, because it tells nothing."""
    return {seq: 1.0 for seq in scores if items[seq].text.rstrip().endswith(("?", "？"))}


BOOSTS: dict[str, Boost] = {
    "speaker": speaker,
    "session": session,
    "date": date,
    "time_word": time_word,
    "length": length,
    "kept": kept,
    "asks": asks,
}


def _same_date(at: str | None, cues: Cues) -> float:
    if at is None:
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
