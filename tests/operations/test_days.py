"""Recall: what was said on the days that a question names, with a clock that stands."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from muniment import Memory, Replay, WhyNot, errors
from muniment.model.policy import Policy
from tests.operations.seen import texts
from tests.requirements.marker import requirement

NOW = int(datetime(2026, 9, 17, 12, tzinfo=UTC).timestamp() * 1000)  # a Thursday
DAYS = {
    "2026-08-20": "The mooring is paid for until spring.",
    "2026-09-09": "The harbour office closes at noon.",
    "2026-09-10": "Ferry tickets cost nine crowns now.",
    "2026-09-11": "The bus leaves at 11:10 from platform 09.",
    "2026-09-15": "Mira painted the dinghy blue.",
    "2026-09-16": "Our neighbour brought plums.",
    "2026-09-17": "Rain again.",
}


@pytest.fixture
def talk(directory: Path) -> Iterator[Memory]:
    """One message a day, and no word of any question in them."""
    with Memory.open(directory, clock=lambda: NOW) as memory:
        for day, said in DAYS.items():
            memory.observe(said, role="user", at=f"{day}T10:00Z")
        yield memory


@requirement("recall:days:dated")
@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("What did I say on 2026-09-10?", ["2026-09-10"]),
        ("What did I say on September 10th, 2026?", ["2026-09-10"]),
        ("What happened yesterday?", ["2026-09-16"]),
        ("What did we talk about on Thursday?", ["2026-09-10"]),
        ("Was ist gestern passiert?", ["2026-09-16"]), ("昨日は何をしましたか", ["2026-09-16"]),
        ("What was there last week?", ["2026-09-11", "2026-09-09", "2026-09-10"]),
        ("What did I tell you last month?", ["2026-08-20"]),
        ("What happened two days ago?", ["2026-09-15"]), ("What happened on Saturday?", []),
        ("What happened since yesterday?", []),
    ],
)  # fmt: skip
@pytest.mark.parametrize("policy", ["balanced", "hybrid"])
def test_what_was_said_on_a_day_is_found_without_a_word_of_it(
    talk: Memory, question: str, days: list[str], policy: str
) -> None:
    """And nothing else; `reasons` says that it was found by its day."""
    pack = talk.recall(question, policy=policy)

    assert {item.at[:10] for item in pack.items if item.at} == set(days)
    assert all("dated" in item.reasons for item in pack.items)


@requirement("recall:days:words")
def test_the_numbers_of_a_date_match_nothing_and_the_written_date_is_found(talk: Memory) -> None:
    """11:10 and platform 09 are no tenth of September; a text that says the date is about it."""
    planned = talk.observe("The survey of the hull is on 2026-09-10.", role="user",
                           at="2026-08-01T10:00Z").id  # fmt: skip

    pack = talk.recall("What about September 10, 2026?")

    assert [item.id for item in pack.items if "lexical" in item.reasons] == [planned]
    assert DAYS["2026-09-10"] in texts(pack)
    assert DAYS["2026-09-11"] not in texts(pack)


@requirement("recall:days:dated")
@pytest.mark.parametrize("question", ["What did Mira do with the dinghy on 2026-09-15?",
                                      "What did Mira do with the dinghy two days ago?"])  # fmt: skip
def test_what_fits_the_day_and_the_words_comes_first(talk: Memory, question: str) -> None:
    """Before others of that day, and before the same words of another day."""
    for hour in range(11, 23):
        talk.observe(f"Entry {hour} of the log: calm, nothing in sight.", role="user",
                     at=f"2026-09-15T{hour}:00Z")  # fmt: skip
        talk.observe("Mira did the dinghy again.", role="user", at=f"2026-07-15T{hour}:00Z")

    pack = talk.recall(question)

    assert pack.items[0].text == DAYS["2026-09-15"]


@requirement("recall:days:dated")
def test_a_busy_day_leaves_room_for_what_the_words_say(talk: Memory) -> None:
    """A thing of another day is still shown where the named day has more than a pack holds."""
    for minute in range(60):
        talk.observe(f"Line {minute}.", role="user", at=f"2026-09-16T11:{minute:02}Z")

    pack = talk.recall("How blue is the dinghy that you saw yesterday?")

    assert DAYS["2026-09-15"] in texts(pack)
    assert sum("dated" in item.reasons for item in pack.items) > 8


@requirement("recall:days:dated")
def test_of_a_long_stretch_something_of_each_part_is_found(talk: Memory) -> None:
    """A thousand messages of a week: what is handed on lies far apart."""
    lines = [f"2026-09-{day:02}T{hour:02}:{minute:02}Z" for day in range(7, 14)
             for hour in range(8, 20) for minute in range(0, 60, 5)]  # fmt: skip
    for at in lines:
        talk.observe("Calm.", role="user", at=at)

    pack = talk.recall("What happened last week?")

    assert len(pack.items) == 16
    assert {item.at[:10] for item in pack.items if item.at} == {
        f"2026-09-{day:02}" for day in range(7, 14)
    }


@requirement("recall:days:dated")
def test_filters_apply_before_the_limit(talk: Memory) -> None:
    """What may not be shown takes up no place, whatever the filter."""
    for minute in range(60):
        talk.observe(f"Line {minute}.", role="tool", at=f"2026-09-16T11:{minute:02}Z", thread="log")
    talk.observe("Hidden.", role="user", at="2026-09-16T12:00Z", collection="attic")
    few = Policy(may={"dated": 1.0}, hits=4)
    asked = "What happened yesterday?"

    assert texts(talk.recall(asked, policy=few, role="user", items_max=4)) == [DAYS["2026-09-16"]]
    assert texts(talk.recall(asked, policy=few, until="2026-09-16T11:00Z", items_max=4)) == [
        DAYS["2026-09-16"]
    ]
    assert texts(talk.recall(asked, collection="attic")) == ["Hidden."]
    assert "Hidden." not in texts(talk.recall(asked, items_max=200))


@requirement("recall:days:dated")
def test_yesterday_is_seen_from_the_moment_that_is_asked_about(talk: Memory) -> None:
    """As of a past moment it is the day before that."""
    pack = talk.recall("What happened yesterday?", as_of="2026-09-11T18:00Z")

    assert texts(pack) == [DAYS["2026-09-10"]]


@requirement("recall:days:dated")
def test_a_record_is_found_by_its_words_and_not_by_when_it_was_written_down(talk: Memory) -> None:
    """Somebody wrote it down today, which says nothing of the day it tells of."""
    talk.remember("The dinghy belongs to Mira.", key="dinghy")

    assert texts(talk.recall("What happened today?")) == [DAYS["2026-09-17"]]
    assert "The dinghy belongs to Mira." in texts(talk.recall("Whose dinghy is it today?"))


@requirement("recall:days:dated")
def test_words_are_looked_for_in_other_ways_though_the_day_has_messages(talk: Memory) -> None:
    """What was said on the day is no word that fits: synonyms are asked as ever."""
    talk.observe("The automobile is sold.", role="user", at="2026-09-01T10:00Z")

    assert "The automobile is sold." in texts(talk.recall("Whose car yesterday?"))


@requirement("recall:days:dated")
def test_a_quotation_asks_for_what_holds_it_and_no_day(talk: Memory) -> None:
    """As for every other way of finding."""
    assert texts(talk.recall('Who said "brought plums" today?')) == [DAYS["2026-09-16"]]


@requirement("recall:days:dated")
def test_why_not_and_replay_know_it(talk: Memory) -> None:
    """A message of the day is found by it, and a receipt replays to the same."""
    asked = "What happened yesterday?"
    pack = talk.recall(asked, record=True)

    found = talk.run(WhyNot(id=pack.items[0].id, query=asked)).retrievers
    assert found == {"dated": 1}
    assert pack.receipt is not None
    assert talk.run(Replay(receipt=pack.receipt)).same


@requirement("recall:days:dated")
@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("what did we talk about two days ago?", ["2026-09-15"]),
        ("tell me about two days ago", ["2026-09-15"]),
        ("on Thursday", ["2026-09-10"]), ("What did I do on Thursday?", ["2026-09-10"]),
        ("what did we discuss on Thursday, 10 September 2026?", ["2026-09-10"]),
        ("What happened on Wednesday and Tuesday?", ["2026-09-16", "2026-09-15"]),
        ("Was war am Mittwoch und am Dienstag?", ["2026-09-16", "2026-09-15"]),
        ("was habe ich gestern gefragt", ["2026-09-16"]), ("the day before yesterday", ["2026-09-15"]),
        ("remind me what we discussed yesterday", ["2026-09-16"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("policy", ["balanced", "hybrid", "semantic"])
def test_a_question_of_a_day_alone_is_answered_by_that_day_alone(
    directory: Path, question: str, days: list[str], policy: str
) -> None:
    """No word of the phrase beats it, and no vector fills it up; the trace says which days."""
    with Memory.open(directory, clock=lambda: NOW, embedder="hashed", embed_writes=True) as memory:
        for day, said in DAYS.items():
            memory.observe(said, role="user", at=f"{day}T10:00Z")
        memory.observe("It moved from Thursday to Wednesday, wait a day, about two days.",
                       role="user", at="2026-08-01T10:00Z")  # fmt: skip
        pack = memory.recall(question, policy=policy)

    assert {item.at[:10] for item in pack.items if item.at} == set(days)
    assert sorted(pack.trace.days) == sorted(days)
    assert pack.trace.caveats == ()


@requirement("recall:days:named")
def test_today_in_passing_names_no_day(talk: Memory) -> None:
    """Only who asks for nothing else asks for today."""
    assert talk.recall("Who painted the dinghy? I need to know it today.").trace.days == ()
    assert talk.recall("What did we talk about today?").trace.days == ("2026-09-17",)


@requirement("recall:days:named")
def test_the_days_are_those_of_a_zone_that_is_asked_for(talk: Memory) -> None:
    """What was imported by its date alone stands at the midnight of its zone."""
    night = talk.observe("It was past midnight.", role="user", at="2026-09-09T00:10+02:00").id

    def asked(tz: str | None) -> list[str]:
        pack = talk.recall("What did I say on 2026-09-09?", tz=tz)
        assert pack.trace.days == ("2026-09-09",)
        return [item.id for item in pack.items if item.id == night]

    assert asked("Europe/Berlin") == [night]
    assert asked(None) == []
    assert talk.recall("What happened last week?", tz="Asia/Tokyo").trace.days == (
        "2026-09-07/2026-09-13",
    )
    with pytest.raises(errors.BadTime) as wrong:
        asked("Nowhere/Else")
    assert wrong.value.at == "tz"
