"""Days that a question names, and what is left of its words."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from muniment import limits
from muniment.model import text
from muniment.model.cue import cues
from muniment.model.day import Span
from tests.requirements.marker import requirement

THURSDAY = int(datetime(2026, 9, 17, 12, tzinfo=UTC).timestamp() * 1000)


def named(question: str, at_ms: int | None = THURSDAY) -> list[tuple[str, int]]:
    """The first day and the number of days of each span."""
    return [
        (f"{datetime.fromtimestamp(span.from_ms / 1000, UTC):%Y-%m-%d}", days(span))
        for span in cues(question, at_ms).spans
    ]


def days(span: Span) -> int:
    """How many whole days it is long."""
    return (span.until_ms - span.from_ms) // 86_400_000


WHOLE = [
    "What did I say on 2026-09-10?", "at 2026-09-10T11:10:00Z", "on 10 September 2026",
    "the 10th of September 2026", "September 10th, 2026", "september 10,2026", "Sept. 10, 2026",
    "am 10.09.2026.", "am 10. 9. 2026", "am 10. September 2026", "2026/09/10",
    "２０２６-０９-１０", "2026年9月10日に何を", "last Friday as seen on 10 September 2026",
    "on Thursday, 10 September 2026", "notes from 2026-09-10",
]  # fmt: skip
RELATIVE = {
    "What happened yesterday?": ("2026-09-16", 1), "today": ("2026-09-17", 1),
    "the day before yesterday": ("2026-09-15", 1), "yesterday's order": ("2026-09-16", 1),
    "What did we talk about on Thursday?": ("2026-09-10", 1), "last Thursday": ("2026-09-10", 1),
    "on Wednesday": ("2026-09-16", 1), "last friday": ("2026-09-11", 1),
    "next Friday": ("2026-09-18", 1), "next Thursday": ("2026-09-24", 1),
    "last week": ("2026-09-07", 7), "this week": ("2026-09-14", 7),
    "on Tuesday last week": ("2026-09-07", 7), "last month": ("2026-08-01", 31),
    "this month": ("2026-09-01", 30), "3 days ago": ("2026-09-14", 1),
    "a week ago": ("2026-09-07", 7), "two weeks ago": ("2026-08-31", 7),
    "heute": ("2026-09-17", 1), "Was war gestern?": ("2026-09-16", 1),
    "vorgestern": ("2026-09-15", 1), "letzte Woche": ("2026-09-07", 7),
    "am Donnerstag": ("2026-09-10", 1), "vor drei Tagen": ("2026-09-14", 1),
    "昨日は何をしましたか": ("2026-09-16", 1), "昨天": ("2026-09-16", 1), "今日": ("2026-09-17", 1),
    "今天": ("2026-09-17", 1), "一昨日": ("2026-09-15", 1), "前天": ("2026-09-15", 1),
    "大前天": ("2026-09-14", 1), "先週": ("2026-09-07", 7), "上周": ("2026-09-07", 7),
}  # fmt: skip
UNSURE = [
    "09/10/2026", "10 September", "on Thursday, 10 September", "10-12 September 2026",
    "version 1.10.09.2026", "2026-02-30", "2026-13-01", "code 2026 09 10", "in 2026", "the 10th",
    "you may", "we march", "on Thursdays", "this Thursday", "Thursday", "in the last week",
    "the last week of May", "last weekend", "2 or 3 days ago", "about 3 days ago", "1.5 days ago",
    "since yesterday", "before 2026-09-10", "until last week", "seit gestern", "昨日から",
    "between 2026-09-10 and 2026-09-12", "from 2026-09-10 to 2026-09-12", "yesterday - today",
    "目前天气", "一次", "5512 and 7731",
]  # fmt: skip


@requirement("recall:days:named")
@pytest.mark.parametrize("question", WHOLE)
def test_a_whole_date_is_a_day_however_it_is_written(question: str) -> None:
    """With and without a moment, which it does not need."""
    assert named(question) == named(question, None) == [("2026-09-10", 1)]


@requirement("recall:days:named")
@pytest.mark.parametrize(("question", "span"), RELATIVE.items())
def test_a_day_is_called_from_the_moment_of_the_question(
    question: str, span: tuple[str, int]
) -> None:
    """The moment is a Thursday; a week begins on Monday.  Without a moment it is no day."""
    assert named(question) == [span]
    assert named(question, None) == []


@requirement("recall:days:named")
@pytest.mark.parametrize("question", UNSURE)
def test_what_could_mean_two_days_or_a_stretch_between_names_none(question: str) -> None:
    """A number alone is no day, and what lies before or since a day is not that day."""
    assert named(question) == []


@requirement("recall:days:named")
def test_several_days_are_named_and_a_pasted_page_names_none() -> None:
    """Each once; more than anybody asks for are those of a text that was pasted."""
    page = " ".join(f"2026-01-{day:02}" for day in range(1, limits.SPANS_MAX + 2))

    assert named("yesterday or on Monday, yesterday?") == [("2026-09-16", 1), ("2026-09-14", 1)]
    assert len(named(page.rsplit(" ", 1)[0])) == limits.SPANS_MAX
    assert named(page) == []
    assert cues(page).dates == ()


@requirement("recall:days:words")
@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("which boat on 2026-09-10?", {"boat", "2026 09 10", "10 september 2026",
                                       "september 10 2026"}),
        ("boat 10.09.2026", {"boat", "10 09 2026", "2026 09 10", "10 september 2026",
                             "september 10 2026"}),
        ("boat, September 10th, 2026", {"boat", "september", "september 10th 2026", "2026 09 10",
                                        "10 september 2026", "september 10 2026"}),
        ("boat yesterday", {"boat", "yesterday"}),
        ("boat 10 of 2026", {"boat", "10", "2026"}),
        ("What did we talk about yesterday?", set()),
        ("Was ist gestern passiert?", set()),
        ("What's on Thursday?", {"thursday"}),
    ],
)  # fmt: skip
def test_the_numbers_of_a_date_are_no_words(question: str, words: set[str]) -> None:
    """The date as a whole is one; and where all is asked for that was said, no other tells what."""
    found = cues(question, THURSDAY)

    assert set(text.terms(question, found.dates, all_said=found.all_said).words) == words


@requirement("recall:days:words")
def test_a_date_in_quotation_marks_stays_a_quotation() -> None:
    """Exactly what holds it is asked for."""
    question = 'who wrote "on 2026-09-10"?'

    assert text.terms(question, cues(question).dates).quoted == ("on 2026 09 10",)


PIECES = st.sampled_from([
    *WHOLE, *RELATIVE, *UNSURE, "0000-00-00", "9999-12-31", "0001-01-01", "999 weeks ago", "last ",
    "on ", " ago", "-", "to", "10", "2026", "\u0308", "İ", "ﬁ",
])  # fmt: skip


@requirement("recall:days:named")
@given(
    st.lists(PIECES | st.text(max_size=9), max_size=6),
    st.none() | st.integers(limits.TIME_MS_MIN, limits.TIME_MS_MAX),
)
@example(["last month"], limits.TIME_MS_MIN)
@example(["next week"], limits.TIME_MS_MAX)
def test_no_question_is_too_much(pieces: list[str], at_ms: int | None) -> None:
    """Whatever is asked whenever: whole days, a month at most, and terms."""
    question = " ".join(pieces)

    found = cues(question, at_ms)
    terms = text.terms(question, found.dates, all_said=found.all_said)

    assert all(1 <= days(span) <= 31 and span.from_ms % 86_400_000 == 0 for span in found.spans)
    assert len(terms.words) <= limits.QUERY_TERMS_MAX
