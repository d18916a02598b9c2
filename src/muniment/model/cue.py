"""What a question says besides its words: whom it names, and which time it asks about."""

from __future__ import annotations

import re

import msgspec

from muniment.model import day, letters, time
from muniment.model.day import MONTHS, WEEKDAYS, Span, Written
from muniment.model.text import STOP_WORDS

_WORD = re.compile(r"[^\W\d_]+")
_DAY = re.compile(r"\b([12]?\d|3[01])(?:st|nd|rd|th)?\b")
# A number is a year only where the question says so: after a month, or after such a word.
_YEAR = re.compile(
    rf"\b(?:in|of|since|until|during|before|after|{'|'.join(MONTHS)})(?: \d{{1,2}})?,? "
    r"((?:19|20)\d\d)\b"
)
# "May" and "march" are months only beside a day or a year, or with a capital inside a sentence.
_UNSURE = ("may", "march")
# A question of a day with nothing else than these asks for all that was said on it: with one of
# the first, or with no word at all.  "What's on Thursday?" may well be meant otherwise.
_SAYING_WORDS = """
    say said tell told talk talked talking speak spoke discuss discussed mention mentioned happen
    happened write wrote chat chatted gesagt erzählt geredet gesprochen besprochen geschrieben
    passiert geschehen gefragt fragte sprachen sprach redeten unterhalten ask asked remind
    remember recall was were did war waren"""
_FILLING_WORDS = """
    us anything everything something ist sind wurde habe haben hast
    hat wir ich du er sie es mir mich dir uns wer wie wo wann welche worüber worum wovon über von
    vom alles etwas und oder der die das den dem des ein eine einen im in an am auf mit
    zu um ging los"""
_SAYING = frozenset(_SAYING_WORDS.split())
_FILLING = STOP_WORDS.union(_SAYING, _FILLING_WORDS.split(), WEEKDAYS)
_WHEN = re.compile(
    r"\s*(?:when\b|how long\b|since when\b|(?:on |in )?(?:what|which) "
    r"(?:date|day|week|month|year|time)\b)"
)


class Cues(msgspec.Struct, frozen=True, kw_only=True):
    """What was found in one question.  `words` are case folded."""

    words: frozenset[str]
    months: tuple[int, ...] = ()  # 1 to 12
    days: tuple[int, ...] = ()  # 1 to 31, only with a month
    years: tuple[int, ...] = ()
    when: bool = False  # it asks for a time
    dates: tuple[Written, ...] = ()  # by their places in the question, its letters folded
    spans: tuple[Span, ...] = ()  # the days it asks for, each a month at most
    all_said: bool = False  # it asks for whatever was said on these days
    asked_days: tuple[str, ...] = ()  # these days as `day.told` says them


def cues(question: str, at_ms: int | None = None, tz: time.Zone | None = None) -> Cues:
    """The cues of a question, in English; in other languages its words and the days of `day.py`.

    `at_ms` is the moment from which "yesterday" is seen, in the zone; without one it names no day.
    "Today" is one only where nothing else is asked: else it is mostly said in passing.
    """
    folded = question.casefold()
    words = _WORD.findall(folded)
    months = tuple(
        number for number, name in enumerate(MONTHS, start=1) if _is_named(name, question, words)
    )
    spelled = letters.folded(question)
    dates = day.written(spelled)
    named = day.named(spelled, dates, at_ms, tz)
    all_said = bool(named.spans) and _asks_for_all(named.rest)
    whole = [time.of_day(each.day) for each in dates]
    years = (*map(int, _YEAR.findall(folded)), *(year for year, _, _ in whole))
    days = tuple(int(number) for number in _DAY.findall(folded)) if months else ()
    spans = () if named.today and not all_said else named.spans
    return Cues(
        words=frozenset(words),
        months=tuple(dict.fromkeys((*months, *(month for _, month, _ in whole)))),
        days=tuple(dict.fromkeys((*days, *(number for _, _, number in whole)))),
        years=tuple(dict.fromkeys(years)),
        when=_WHEN.match(folded) is not None,
        dates=dates,
        spans=spans,
        all_said=all_said,
        asked_days=tuple(day.told(span, tz) for span in spans),
    )


def _asks_for_all(rest: str) -> bool:
    """Whether a question that names a day has but these words besides, or none."""
    words = frozenset(re.findall(r"\w+", rest))
    return words <= _FILLING and (not words or not words.isdisjoint(_SAYING))


def _is_named(month: str, question: str, words: list[str]) -> bool:
    if month not in words:
        return False
    capital = re.search(rf"\S\s+{month.title()}\b", question) is not None
    return month not in _UNSURE or capital
