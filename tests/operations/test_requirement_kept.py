"""What must be said stays: what may take the place of a requirement, and what a wrong task says."""

from __future__ import annotations

from typing import Any

import pytest

from muniment import Commit, Correct, Memory, Note, Remember, Require, Retract
from tests.conftest import START_MS
from tests.operations.seen import ids, refused
from tests.requirements.marker import requirement

OVEN = {"text": "The oven is off.", "task": "leave", "key": "oven"}


def must(memory: Memory, **fields: Any) -> str:
    """A requirement with a key."""
    return memory.run(Require(**{**OVEN, **fields})).id


@requirement("contextual:task:protected")
@pytest.mark.parametrize(
    "write",
    [
        Remember(text="The oven broke.", key="oven"),
        Remember(text="The oven broke.", key="oven", kind="task"),
        Remember(text="The oven broke.", key="oven", kind="fact", task="leave"),
        Require(text="The oven is on.", task="bake", key="oven"),
        Require(text="The oven is off.", task="leave", key="oven", about="Ben"),
        Commit(notes=(Note(text="Fine."), Note(text="The oven broke.", key="oven"))),
    ],
    ids=lambda write: f"{type(write).__name__}-{getattr(write, 'kind', '')}",
)
def test_no_other_write_of_its_key_takes_a_requirement_away(memory: Memory, write: Any) -> None:
    """Nothing of the write is there, and the requirement is said as before."""
    kept = must(memory)
    at = "notes[1].key" if isinstance(write, Commit) else "key"

    with refused(memory, "requirement_protected", at=at):
        memory.run(write)

    assert ids(memory.recall("zzz", task="leave")) == [kept]


@requirement("contextual:task:protected")
def test_a_requirement_gives_way_to_one_for_the_same_task_and_person_or_all(
    memory: Memory,
) -> None:
    """By key, by the version it names, and as a correction."""
    said = memory.observe("The timer does it.", role="user").id
    must(memory, about="Ben")
    must(memory, about="Ben", text="The oven is off, and cold.")
    newest = must(memory, text="The oven is off for all.")
    with refused(memory, "requirement_protected", at="key"):
        memory.remember("Not now.", supersedes=newest, key="oven")

    right = memory.run(Correct(id=newest, text="The timer turns the oven off.", sources=(said,)))

    pack = memory.recall("zzz", task="leave")
    assert [item.text for item in pack.items] == ["The timer turns the oven off."]
    assert pack.items[0].id == right.id


@requirement("contextual:task:protected")
def test_what_is_taken_back_or_over_keeps_nothing_from_its_key(memory: Memory) -> None:
    """Retracted, done, or past its time."""
    memory.run(Retract(id=must(memory)))
    assert not memory.remember("The oven broke.", key="oven").known
    memory.run(
        Remember(text="Bring it.", kind="requirement", task="leave", key="key", status="done")
    )
    assert not memory.remember("The key is lost.", key="key").known
    must(memory, key="coat", valid_to=START_MS + 1)
    assert not memory.remember("The coat is lost.", key="coat").known


@requirement("contextual:task:unknown")
def test_a_task_that_nothing_is_bound_to_is_told(memory: Memory) -> None:
    """Another spelling, or one of which only others may see anything: both alike."""
    must(memory)
    memory.run(Require(text="Psst.", task="plot", visibility="private", reader="Ann"))

    assert memory.recall("zzz", task="leave").trace.caveats == ()
    assert memory.recall("zzz", task="Leave").trace.caveats == ("task_unknown",)
    assert memory.recall("zzz", task="plot").trace.caveats == ("task_unknown",)
    assert memory.recall("zzz", task="plot", reader="Ann").trace.caveats == ()
    assert memory.recall("zzz").trace.caveats == ()


@requirement("recall:entry:about")
@pytest.mark.parametrize("style", ["plain", "safe", "grouped"])
def test_an_entry_says_whom_it_is_about(memory: Memory, style: Any) -> None:
    """Two that say the opposite of two people are no contradiction."""
    memory.remember("Prefers window seats.", about="Ann")
    memory.remember("Prefers aisle seats.", about="Ben: (b)")

    text = memory.recall("which seats?", style=style).text

    assert "about Ann" in text or "about=Ann" in text or 'about="Ann"' in text
    assert "Ben" in text


@requirement("recall:label:source-corrected")
def test_what_rests_on_a_corrected_message_is_labelled(memory: Memory) -> None:
    """From when the correction is known, and no more once that is erased."""
    said = memory.observe("The ferry leaves at nine.", role="user").id
    memory.remember("The ferry leaves at nine.", kind="fact", key="ferry", sources=(said,))
    before = memory.recall("ferry").items
    memory.observe("No, at ten.", role="user", type="correction", reply_to=said)

    after = memory.recall("ferry").items
    fact = next(item for item in before if item.kind == "fact")
    past = memory.recall("ferry", as_recorded=fact.recorded_at).items

    assert [item.labels for item in before if item.kind == "fact"] == [()]
    assert [item.labels for item in after if item.kind == "fact"] == [("source_corrected",)]
    assert [item.labels for item in past if item.kind == "fact"] == [()]
