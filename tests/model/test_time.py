"""Times: integer milliseconds UTC inside, ISO 8601 with an offset outside."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment import errors, limits
from muniment.model import time
from tests.requirements.marker import requirement

MOMENTS = st.integers(limits.TIME_MS_MIN, limits.TIME_MS_MAX)


@given(MOMENTS)
def test_a_moment_comes_back_from_its_text(ms: int) -> None:
    """To the millisecond, from year 1 to 9999."""
    text = time.text(ms)

    assert text is not None
    assert text.endswith("Z")
    assert len(text) == 24
    assert time.parse(text, "at") == time.parse(str(ms), "at") == time.parse(ms, "at") == ms


@given(MOMENTS, MOMENTS)
def test_texts_are_in_the_order_of_their_moments(one: int, other: int) -> None:
    """So that they can be sorted as they are."""
    assert ((time.text(one) or "") < (time.text(other) or "")) is (one < other)


@requirement("experience:time:offset")
@given(st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1)), st.integers(-14 * 60, 14 * 60))  # noqa: DTZ001 - the offset comes apart
def test_an_offset_is_taken_into_account(local: datetime, minutes: int) -> None:
    """The same moment, whatever the clock on the wall says; finer parts are cut off."""
    zone = timezone(timedelta(minutes=minutes))
    told = local.replace(tzinfo=zone)

    ms = time.parse(told.isoformat(), "at")

    assert ms == (told - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
    assert time.parse(local.isoformat(), "at", zone) == ms
    with pytest.raises(errors.BadTime):
        time.parse(local.isoformat(), "at")


@pytest.mark.parametrize(
    "text",
    ["", "now", "2026-01", "2026-01-01", "2026-01-01T25:00:00Z", "2026-02-30T00:00:00Z", "1e9",
     "0x10", "１２３", "9" * 19, "-62135596800001", "253402300800000", "2026-01-01T00:00:00+25:00",
     "10000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"],
)  # fmt: skip
def test_what_is_no_time_is_refused(text: str) -> None:
    """Neither ISO 8601 with an offset nor milliseconds, or outside the years 1 to 9999."""
    with pytest.raises(errors.BadTime) as caught:
        time.parse(text, "since")

    assert (caught.value.code, caught.value.at) == ("bad_time", "since")


def test_a_zone_is_one_that_is_known() -> None:
    """By its IANA name."""
    zone = time.zone("Europe/Berlin", "tz")

    assert time.parse("2026-07-01T12:00:00", "at", zone) == time.parse("2026-07-01T10:00:00Z", "at")
    for name in ("", "Nowhere/Land", "../etc", "CEST+1\0"):
        with pytest.raises(errors.BadTime) as caught:
            time.zone(name, "tz")
        assert caught.value.at == "tz"


def test_no_time_has_no_text() -> None:
    """Unknown stays unknown."""
    assert time.text(None) is None


@pytest.mark.parametrize("said", ["2026-03-29T02:30", "2026-10-25T02:30"])
def test_a_time_that_is_none_or_two_in_its_zone_is_refused(said: str) -> None:
    """When clocks are set; an hour before and after all is well."""
    berlin = time.zone("Europe/Berlin", "tz")

    with pytest.raises(errors.BadTime):
        time.parse(said, "at", berlin)

    assert time.parse(said.replace("02:30", "04:30"), "at", berlin)
    assert time.parse(said + "+01:00", "at", berlin)


@requirement("intake:time:seconds")
@pytest.mark.parametrize("value", [1_700_000_000, "1700000000", -1_700_000_000, 100_000_000])
def test_a_number_that_must_mean_seconds_is_no_time(value: int | str) -> None:
    """It would be a moment of 1970 to 1973, and moves a fact by fifty years."""
    with pytest.raises(errors.BadTime, match="seconds"):
        time.any_form(value, "at")


@requirement("intake:time:seconds")
@pytest.mark.parametrize(
    ("value", "ms"),
    [
        (0, 0),
        (1_000, 1_000),
        (99_999_999, 99_999_999),
        (100_000_000_000, 100_000_000_000),
        ("1971-05-01T00:00:00Z", 41_904_000_000),
        (datetime(1971, 5, 1, tzinfo=UTC), 41_904_000_000),
    ],
)
def test_times_of_those_days_can_be_said(value: object, ms: int) -> None:
    """In ISO 8601, or as a datetime; and a test's clock may begin at zero."""
    assert time.any_form(value, "at") == ms
