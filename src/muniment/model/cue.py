"""What a question says besides its words: whom it names, and which time it asks about."""

from __future__ import annotations

import re

import msgspec

MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_WORD = re.compile(r"[^\W\d_]+")
_DAY = re.compile(r"\b([12]?\d|3[01])(?:st|nd|rd|th)?\b")
# A number is a year only where the question says so: after a month, or after such a word.
_YEAR = re.compile(
    rf"\b(?:in|of|since|until|during|before|after|{'|'.join(MONTHS)})(?: \d{{1,2}})?,? "
    r"((?:19|20)\d\d)\b"
)
# "May" and "march" are months only beside a day or a year, or with a capital inside a sentence.
_UNSURE = ("may", "march")
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


def cues(question: str) -> Cues:
    """The cues of a question, in English; in another language there are its words alone."""
    folded = question.casefold()
    words = _WORD.findall(folded)
    months = tuple(
        number for number, name in enumerate(MONTHS, start=1) if _is_named(name, question, words)
    )
    years = tuple(int(year) for year in _YEAR.findall(folded))
    days = tuple(int(day) for day in _DAY.findall(folded)) if months else ()
    return Cues(
        words=frozenset(words),
        months=months,
        days=days,
        years=years,
        when=_WHEN.match(folded) is not None,
    )


def _is_named(month: str, question: str, words: list[str]) -> bool:
    if month not in words:
        return False
    capital = re.search(rf"\S\s+{month.title()}\b", question) is not None
    return month not in _UNSURE or capital
