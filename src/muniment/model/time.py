"""Times: integer milliseconds UTC inside, ISO 8601 with an offset outside."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache

from muniment import limits
from muniment.errors import BadShape, BadTime, BrokenFile

Clock = Callable[[], int]
Zone = tzinfo

DAY_MS = 86_400_000

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST = _EPOCH.toordinal()
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}\Z")


def zone(name: str, at: str) -> tzinfo:
    """The time zone of an IANA name.

    Raises:
        BadTime: there is no such zone.
    """
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise BadTime(f"{name!r} is no IANA time zone", at=at) from error


def parse(text: str | int, at: str, tz: tzinfo | None = None) -> int:
    """Milliseconds UTC of an integer of milliseconds, or of ISO 8601 with an offset.

    A time without an offset is read in `tz`; without `tz` it is refused, because
    guessing a zone moves facts by hours.  The ledger counts milliseconds: finer parts are
    cut off, never rounded up.

    Raises:
        BadTime: no time, no offset and no zone, or outside the years 1 to 9999.
    """
    if isinstance(text, int):
        return check(text, at)
    text = text.strip()
    if _INTEGER.match(text):
        return check(int(text), at)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise BadTime(f"{text!r} is neither ISO 8601 nor milliseconds", at=at) from error
    if moment.tzinfo is None:
        if tz is None:
            raise BadTime(f"{text!r} has no offset; give one, or a time zone", at=at)
        moment = moment.replace(tzinfo=tz)
        if moment.replace(fold=1).utcoffset() != moment.replace(fold=0).utcoffset():
            raise BadTime(f"{text!r} is none or two moments in that zone; give an offset", at=at)
    try:
        return check((moment - _EPOCH) // timedelta(milliseconds=1), at)
    except OverflowError as error:
        raise BadTime(f"{text!r} is out of range", at=at) from error


def asked(value: str | int, at: str, tz: tzinfo | None = None) -> int:
    """A time as `parse` takes it, from somebody who may have counted in seconds.

    A number that is a time of our days in seconds would be one of 1970 to 1973 in milliseconds.
    Whoever means those days says so in ISO 8601.

    Raises:
        BadTime: as `parse`, or it may be meant in seconds.
    """
    ms = parse(value, at, tz)
    number = isinstance(value, int) or _INTEGER.match(value.strip())
    if number and limits.TIME_SECONDS_FROM <= abs(ms) < limits.TIME_SECONDS_END:
        raise BadTime(
            f"{ms} milliseconds are {text(ms)}; if seconds are meant, add three zeros, else say "
            "it in ISO 8601",
            at=at,
        )
    return ms


def check(ms: int, at: str) -> int:
    """`ms`, if it lies in the years 1 to 9999.

    Raises:
        BadTime: it does not.
    """
    if not limits.TIME_MS_MIN <= ms <= limits.TIME_MS_MAX:
        raise BadTime(f"{ms} ms is outside the years 1 to 9999", at=at)
    return ms


def any_form(value: object, at: str) -> int:
    """Milliseconds UTC of a time as `asked` takes it, or of a `datetime` that knows its zone.

    Raises:
        BadShape: it is none of these.
        BadTime: as `asked`.
    """
    if isinstance(value, datetime):
        return parse(value.isoformat(), at)
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise BadShape("a time is a text, an integer of milliseconds or a datetime", at=at)
    return asked(value, at)


# What was imported together was recorded together, and a session often has one time.
@lru_cache(maxsize=1024)
def text(ms: int | None) -> str | None:
    """ISO 8601 UTC with milliseconds and Z, of a time that was stored; None for None.

    Raises:
        BrokenFile: it is outside the years 1 to 9999, which nobody stores.
    """
    if ms is None:
        return None
    if not limits.TIME_MS_MIN <= ms <= limits.TIME_MS_MAX:
        raise BrokenFile(f"a stored time is {ms} ms; see verify")
    moment = _EPOCH + timedelta(milliseconds=ms)
    return moment.isoformat(timespec="milliseconds")[:-6] + "Z"


def local_day(ms: int, tz: tzinfo | None) -> int:
    """The number of the day that it is at `ms` in a zone, in UTC without one."""
    if tz is None:
        return ms // DAY_MS
    moment = (_EPOCH + timedelta(milliseconds=ms)).astimezone(tz)
    return day_number(moment.year, moment.month, moment.day)


def day_start(number: int, tz: tzinfo | None) -> int:
    """When the day of this number begins in a zone, in milliseconds UTC.

    Raises:
        ValueError: outside the years that there are.
    """
    if tz is None:
        return number * DAY_MS
    first = datetime(*of_day(number), tzinfo=tz)
    return (first - _EPOCH) // timedelta(milliseconds=1)


def day_number(year: int, month: int, day: int) -> int:
    """Which day it is, counted from 1970-01-01, which is 0.

    Raises:
        ValueError: there is no such day.
    """
    return date(year, month, day).toordinal() - _FIRST


def of_day(number: int) -> tuple[int, int, int]:
    """Year, month and day of the month of a day that is so counted.

    Raises:
        ValueError: it is outside the years 1 to 9999.
    """
    day = date.fromordinal(number + _FIRST)
    return day.year, day.month, day.day
