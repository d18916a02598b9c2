"""Days that a question names: whole dates, and days as they are called from a moment.

English, and the simplest few in German, Japanese and Chinese.  A phrase that could mean two days
names none, and so does a question that asks for what was before, since or between.  Days are those
of UTC, as times are everywhere, or of a zone that is asked for.  Nothing is compiled before a
question needs it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

import msgspec

from muniment import limits
from muniment.model import time

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
_MONTHS_MORE = {
    "januar": 1, "februar": 2, "märz": 3, "mai": 5, "juni": 6, "juli": 7, "oktober": 10,
    "dezember": 12, "sept": 9,
}  # fmt: skip
WEEKDAYS = (
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag",
)  # fmt: skip
# How far away from the day of the moment, in days.
_CALLED = {
    "the day before yesterday": -2, "day before yesterday": -2, "yesterday": -1, "today": 0,
    "vorgestern": -2, "gestern": -1, "heute": 0,
}  # fmt: skip
_TODAY = frozenset(("today", "heute", "今日", "今天"))
# Each with how far it is away, and whether in weeks.  What goes on with other signs is another
# word: the 前天 of 目前天气, the 今日 of 昨今日本.
_DENSE = (
    ("大前天", -3, False), ("一昨日|(?<!大)前天(?![气氣])", -2, False),
    ("(?<!一)昨日|昨天", -1, False), ("今日(?!本)|今天", 0, False),
    ("先週|上週|上周(?![期边邊围圍])|上个?星期", -1, True), ("今週", 0, True),
)  # fmt: skip
_WHICH = {
    "last": -1, "this": 0, "next": 1, "letzte": -1, "letzten": -1, "letzter": -1, "diese": 0,
    "diesen": 0, "dieser": 0,
}  # fmt: skip
_NUMBERS = {
    "a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "einem": 1, "einer": 1, "zwei": 2, "drei": 3, "vier": 4,
    "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9, "zehn": 10,
}  # fmt: skip
# One of these is in every relative phrase; most questions have none and are looked at no further.
_TELLING = frozenset((*WEEKDAYS, "yesterday", "today", "vorgestern", "gestern", "heute",
                      "week", "month", "woche", "monat", "ago", "vor"))  # fmt: skip
_TELLING_DENSE = "[日天週周期]"
# Before a phrase: it is the end of a stretch of time, and nothing is asked of the day itself.
_ENDS = frozenset(("since", "before", "after", "until", "till", "by", "through", "than",
                   "seit", "bis", "nach", "ab", "vor"))  # fmt: skip
# The same where another phrase stands before.
_ENDS_SECOND = frozenset(("to", "-", "–", "—", "~"))
# Behind these "about" says what is spoken of, and not that a number is nearly right.
_SPEAKING = frozenset(("talk", "talked", "talking", "speak", "spoke", "spoken", "say", "said", "tell",
                       "told", "chat", "chatted", "ask", "asked", "hear", "heard", "know", "write",
                       "wrote", "me", "us", "you", "discussion", "conversation"))  # fmt: skip
_NEAR = 64  # characters, in which such a word stands
_BESIDE = frozenset(("the", "on", "dem", "den", "am", *WEEKDAYS))
_ENDS_DENSE = ("から", "まで", "以", "之", "より", "到", "至")


class Span(msgspec.Struct, frozen=True, order=True):
    """Whole days, in milliseconds UTC."""

    from_ms: int
    until_ms: int  # exclusive


class Written(msgspec.Struct, frozen=True):
    """A whole date and where a question has it."""

    day: int  # counted from 1970-01-01
    start: int
    end: int
    month: str = ""  # the name of the month as it is written there, if it is


class _Named(msgspec.Struct, frozen=True, order=True):
    """Where a phrase stands, the first day that it means, and how many."""

    start: int
    end: int
    first: int
    days: int = 1


class Days(msgspec.Struct, frozen=True):
    """What a question names of days, in its order, and its words besides."""

    spans: tuple[Span, ...] = ()
    rest: str = ""
    today: bool = False  # it says no other day than today, which may be meant in passing


NO_DAYS = Days()


def written(question: str) -> tuple[Written, ...]:
    """The whole dates in a question whose letters are folded, in its order.

    10.09.2026 is day, month, year; 09/10/2026 could be two days and is none.  A text of more than
    `SPANS_MAX` is a page that was pasted, and asks for no day.
    """
    numbers = re.findall("[0-9]+", question)
    if len(numbers) < 2 or max(map(len, numbers)) < 4:
        return ()
    found: list[Written] = []
    for each in sorted(_dates(question), key=lambda each: each.start):
        if not found or each.start >= found[-1].end:
            found.append(each)
    return tuple(found) if len(found) <= limits.SPANS_MAX else ()


def named(
    question: str, dates: Sequence[Written], at_ms: int | None, tz: time.Zone | None = None
) -> Days:
    """The days of a question whose letters are folded; without a moment its whole dates alone.

    They are days of the zone, or of UTC.  Beside a whole date other phrases are as seen from that,
    and left alone.
    """
    folded = question.casefold()
    if dates:
        found = [_Named(each.start, each.end, each.day) for each in dates]
    elif at_ms is None:
        return NO_DAYS
    else:
        try:
            found = sorted(_relative(folded, time.local_day(at_ms, tz)))
        except ValueError:  # outside the years that there are
            return NO_DAYS
    if not found or "between" in folded or "zwischen" in folded:
        return NO_DAYS
    if any(_is_end(folded, each, second=at > 0) for at, each in enumerate(found)):
        return NO_DAYS
    try:
        spans = tuple(dict.fromkeys(_span(each.first, each.days, tz) for each in found))
    except ValueError:  # as above
        return NO_DAYS
    if len(spans) > limits.SPANS_MAX:
        return NO_DAYS
    ends = (0, *(each.end for each in found))
    starts = (*(each.start for each in found), len(folded))
    rest = " ".join(folded[end:start] for end, start in zip(ends, starts, strict=True))
    today = all(folded[each.start : each.end] in _TODAY for each in found)
    return Days(spans, rest, today)


def told(span: Span, tz: time.Zone | None) -> str:
    """The days in ISO 8601: one, or the first and the last with a stroke between."""
    first = time.local_day(span.from_ms, tz)
    last = time.local_day(span.until_ms - 1, tz)
    days = ("{:04}-{:02}-{:02}".format(*time.of_day(each)) for each in dict.fromkeys((first, last)))
    return "/".join(days)


def spelled(number: int) -> tuple[str, ...]:
    """The words of a date as most texts write it out."""
    year, month, day = time.of_day(number)
    name = MONTHS[month - 1]
    return f"{year:04} {month:02} {day:02}", f"{day} {name} {year}", f"{name} {day} {year}"


def _dates(question: str) -> Iterator[Written]:
    for pattern in _patterns():
        for found in pattern.finditer(question):
            parts = found.groupdict()
            month = parts.get("name", "")
            number = _months()[month.casefold()] if month else int(parts["month"])
            try:
                day = time.day_number(int(parts["year"]), number, int(parts["day"]))
            except ValueError:  # there is no such day
                continue
            yield Written(day, found.start(), found.end(), month)


@cache
def _months() -> dict[str, int]:
    """The number of each name of a month, also of its first three letters."""
    full = {name: number for number, name in enumerate(MONTHS, start=1)}
    return {**{name[:3]: number for name, number in full.items()}, **full, **_MONTHS_MORE}


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    names = "|".join(sorted(_months(), key=len, reverse=True))
    begin, end = r"(?<![\w.:/-])", r"(?![\w/-]|[.:][0-9])"
    year, month, day = "(?P<year>[0-9]{4})", "(?P<month>[0-9]{1,2})", "(?P<day>[0-9]{1,2})"
    name, nth = rf"(?P<name>{names})\.?", "(?:st|nd|rd|th)?"
    return tuple(
        re.compile(pattern, re.ASCII | re.IGNORECASE)
        for pattern in (
            rf"{begin}{year}-{month}-{day}(?:(?=t[0-9])|{end})",
            rf"{begin}{year}/{month}/{day}{end}",
            rf"{begin}{day}\.\s?{month}\.\s?{year}{end}",
            rf"{begin}{day}(?:{nth}|\.)(?:\s+of)?\s+{name},?\s+{year}{end}",
            rf"{begin}{name}\s+{day}{nth}(?:,\s*|\s+){year}{end}",
            rf"{begin}{year}\s?年\s?{month}\s?月\s?{day}\s?[日号號]",
        )
    )


def _relative(folded: str, today: int) -> Iterator[_Named]:
    """The phrases that mean days as seen from one of them."""
    if not _TELLING.isdisjoint(re.findall(r"[^\W\d_]+", folded)):
        yield from _spaced(folded, today)
    if not folded.isascii() and re.search(_TELLING_DENSE, folded):
        for pattern, away, weeks in _DENSE:
            for found in re.finditer(pattern, folded):
                days = _week(today, away) if weeks else (today + away, 1)
                yield _Named(*found.span(), *days)


def _spaced(folded: str, today: int) -> Iterator[_Named]:
    called, weekday, stretch, ago = _phrases()
    for found in called.finditer(folded):
        yield _Named(*found.span(), today + _CALLED[found["called"]])
    long_ago = (found for found in ago.finditer(folded) if not _is_about(folded, found.start()))
    wide = [*stretch.finditer(folded), *long_ago]
    for found in wide:
        yield _Named(*found.span(), *_stretch(found, today))
    # "On Thursday last week" is a day of that week, and the week is found.
    for found in () if wide else weekday.finditer(folded):
        for weekday_name in re.findall("|".join(WEEKDAYS), found["weekdays"]):
            ahead = (WEEKDAYS.index(weekday_name) % 7 - _weekday(today)) % 7
            away = (ahead or 7) if found["which"] == "next" else ahead - 7
            yield _Named(*found.span(), today + away)


def _is_about(folded: str, start: int) -> bool:
    """Whether "about" stands before, and means nearly; behind a word of saying it is what of."""
    before, last = ["", "", *folded[:start].split()][-2:]
    return last == "about" and before not in _SPEAKING


def _stretch(found: re.Match[str], today: int) -> tuple[int, int]:
    """The first day and the number of days of a week, a month, or a day so long ago."""
    parts = {name: value for name, value in found.groupdict().items() if value}
    if "which" in parts:
        by_week = parts["unit"] in ("week", "woche")
        return (_week if by_week else _month)(today, _WHICH[parts["which"]])
    number, unit = parts.get("number") or parts["zahl"], parts.get("unit") or parts["einheit"]
    count = int(number) if number.isdecimal() else _NUMBERS[number]
    return _week(today, -count) if unit[0] == "w" else (today - count, 1)


@cache
def _phrases() -> tuple[re.Pattern[str], ...]:
    """Days by what they are called, weekdays, weeks and months, and so long ago."""
    weekdays = "|".join(WEEKDAYS)
    months = "|".join((*MONTHS, *_MONTHS_MORE))
    numbers = "[0-9]{1,3}|" + "|".join(_NUMBERS)
    return (
        re.compile(rf"\b(?P<called>{'|'.join(_CALLED)})\b"),
        re.compile(
            rf"\b(?:(?P<which>last|next|letzten)|on|am)\s+(?P<weekdays>(?:{weekdays})\b"
            rf"(?:\s*(?:,|and|or|und|oder)\s*(?:on\s+|am\s+)?(?:{weekdays})\b)*)"
            # That is a date without a year, or another week's day.
            rf"(?!,?\s+(?:the\s+|den\s+)?(?:[0-9]|{months}|of\b|before last|after next))"
        ),
        re.compile(
            # "The last week" is as well the seven days before.
            rf"(?<!the )(?<!der )\b(?P<which>{'|'.join(_WHICH)})\s+"
            r"(?P<unit>week|month|woche|monat)\b(?!\s+(?:of|before)\b)"
        ),
        re.compile(
            rf"(?<![\w.,-])(?<!around )(?<!or )(?<!over )"
            rf"(?:(?P<number>{numbers})\s+(?P<unit>days?|weeks?)\s+ago\b"
            rf"|vor\s+(?P<zahl>{numbers})\s+(?P<einheit>tag(?:en)?|wochen?)\b)"
        ),
    )


def _is_end(folded: str, named: _Named, *, second: bool) -> bool:
    """Whether what stands there is an end of a stretch of time."""
    if folded.startswith(_ENDS_DENSE, named.end):
        return True
    words = folded[max(0, named.start - _NEAR) : named.start].replace(",", " ").split()
    while words and words[-1] in _BESIDE:
        words.pop()
    return bool(words) and (words[-1] in _ENDS or (second and words[-1] in _ENDS_SECOND))


def _week(today: int, away: int) -> tuple[int, int]:
    """From Monday on."""
    return today + 7 * away - _weekday(today), 7


def _weekday(day: int) -> int:
    """0 for a Monday; the first day of 1970 was a Thursday."""
    return (day + 3) % 7


def _month(today: int, away: int) -> tuple[int, int]:
    year, month, _ = time.of_day(today)
    number = year * 12 + month - 1 + away
    first, after = (time.day_number(each // 12, each % 12 + 1, 1) for each in (number, number + 1))
    return first, after - first


def _span(day: int, days: int, tz: time.Zone | None) -> Span:
    time.of_day(day + days - 1)  # there is such a day
    return Span(time.day_start(day, tz), time.day_start(day + days, tz))
