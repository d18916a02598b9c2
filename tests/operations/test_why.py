"""Why: the parts of what one thing is worth for a question, which add up to its score."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment import Explained, Memory, Policy, Why
from muniment.model.cue import Cues, cues
from muniment.model.hit import Found, Hit
from muniment.ranking import explained, fuse
from muniment.ranking.policies import POLICIES
from tests.operations.seen import ids, refused
from tests.ranking.things import item
from tests.requirements.marker import requirement

ROUNDED = 20  # millionths that so many parts may be off together


def why(memory: Memory, id: str, query: str, **fields: Any) -> Explained:
    """The account of one thing, which must agree with the recall itself."""
    told = memory.run(Why(id=id, query=query, **fields))
    pack = memory.recall(query, **fields)
    shown = {each.id: place for place, each in enumerate(pack.items, start=1)}
    assert (told.shown, told.place) == (told.id in shown, shown.get(told.id))
    if told.worth_ppm is not None:
        assert abs(sum(part.adds_ppm for part in told.parts) - told.worth_ppm) <= ROUNDED
    if told.shown and told.worth_ppm is not None and not told.must:
        assert told.best_ppm is not None
        score = pack.items[shown[told.id] - 1].score_ppm
        assert score == pytest.approx(told.worth_ppm / told.best_ppm * 1_000_000, abs=ROUNDED)
    return told


@requirement("recall:explain:why")
@pytest.mark.parametrize("policy", ["balanced", "hybrid", "lexical", "recent"])
def test_the_parts_of_everything_that_is_shown_add_up_to_its_score(
    memory: Memory, policy: str
) -> None:
    """Of messages in talk, of records and of state values, by every policy."""
    for number in range(12):
        memory.observe(f"The heron stood by pond {number}. Did you see it?", role="user",
                       actor="Ann" if number % 2 else "Ben", thread=f"t{number % 3}")  # fmt: skip
    memory.remember("A heron eats fish.", key="heron", kind="fact")

    pack = memory.recall("When did Ann see the heron?", policy=policy, items_max=8)

    assert len(pack.items) >= 8
    for each in pack.items:
        told = why(memory, each.id, "When did Ann see the heron?", policy=policy, items_max=8)
        assert {part.name for part in told.parts if part.by == "retriever"} >= set(each.reasons)


@requirement("recall:explain:why")
def test_each_part_says_what_it_adds_and_where_it_comes_from(memory: Memory) -> None:
    """A retriever by its rank and share of its best, a boost by what it says; each by its weight."""
    first = memory.observe("apple", role="user", actor="Ann").id
    second = memory.observe("apple and a pear", role="user", actor="Ben").id
    policy = Policy(may={"lexical": 2.0}, boosts={"speaker": 0.5, "asks": -1.0})

    told = {each: why(memory, each, "Ann: apple", policy=policy) for each in (first, second)}

    parts = {part.name: part for part in told[first].parts}
    assert set(parts) == {"lexical", "speaker"}
    assert (parts["lexical"].rank, parts["lexical"].value_ppm) == (1, 1_000_000)
    assert (parts["lexical"].weight_ppm, parts["lexical"].adds_ppm) == (2_000_000, 2_000_000)
    assert (parts["speaker"].by, parts["speaker"].adds_ppm) == ("boost", 500_000)
    (other,) = told[second].parts
    assert (other.name, other.rank) == ("lexical", 2)
    assert 0 < other.value_ppm < 1_000_000
    assert told[second].best_ppm == told[first].worth_ppm == 2_500_000


@requirement("recall:explain:why")
def test_what_must_be_shown_says_by_what(memory: Memory) -> None:
    """A task, or what the caller requires, needs no worth."""
    task = memory.remember("Water the garden.", kind="task").id
    said = memory.observe("apple", role="user").id

    told = why(memory, task, "apple")
    assert (told.must, told.parts, told.worth_ppm) == (("open_tasks",), (), None)
    assert why(memory, said, "apple", require=(said,)).must == ("required",)
    assert why(memory, said, "apple").must == ()


@requirement("recall:explain:why")
def test_what_is_not_shown_has_its_parts_too(memory: Memory) -> None:
    """And the reason of `why-not`."""
    for number in range(4):
        memory.observe(f"apple {number}", role="user", thread=f"t{number}")
    shown = ids(memory.recall("apple", items_max=1))
    other = "e1" if not shown[0].startswith("e1-") else "e2"

    told = why(memory, other, "apple", items_max=1)
    assert (told.shown, told.reason, told.place) == (False, "budget_items", None)
    assert told.parts
    unfound = why(memory, other, "pear")
    assert (unfound.reason, unfound.parts, unfound.worth_ppm) == ("no_match", (), None)
    with refused(memory, "not_found", at="id"):
        memory.run(Why(id="e99", query="apple"))


@requirement("recall:explain:why")
def test_a_correction_says_what_it_is_worth_by_what_it_corrects(memory: Memory) -> None:
    """It comes along whatever its own words."""
    wrong = memory.observe("The ferry leaves at nine.", role="user").id
    right = memory.observe("Sorry, at ten.", role="user", type="correction", reply_to=wrong).id

    told = why(memory, right, "when leaves the ferry?")

    assert told.shown
    assert [part.name for part in told.parts if part.by == "correction"] == ["correction"]


NAMES = ("lexical", "nearby", "similar", "synonyms", "dated")


@st.composite
def hits(draw: st.DrawFn) -> list[Found]:
    """What some retrievers hand on, best first."""
    found = []
    for name in draw(st.lists(st.sampled_from(NAMES), unique=True, min_size=1)):
        seqs = draw(st.lists(st.integers(1, 9), unique=True, max_size=6))
        scores = sorted(
            draw(st.lists(st.floats(0.01, 9), min_size=len(seqs), max_size=len(seqs))), reverse=True
        )
        each = tuple(
            Hit(seq=seq, retriever=name, rank=rank, score=score)
            for rank, (seq, score) in enumerate(zip(seqs, scores, strict=True), start=1)
        )
        found.append(Found(retriever=name, hits=each, limited=draw(st.booleans())))
    return found


@requirement("recall:explain:why")
@given(hits(), st.sampled_from([policy for policy in POLICIES if policy.may]))
def test_the_parts_of_any_hits_add_up(found: list[Found], policy: Policy) -> None:
    """By every built-in policy, for events and records."""
    items = {seq: item(seq, text=f"text {seq}?", kind="event" if seq % 2 else "fact")
             for seq in range(1, 10)}  # fmt: skip
    asked: Cues = cues("When was text 3?")

    worth = fuse.worth(found, items, asked, policy, {})

    for seq, total in worth.totals.items():
        parts = explained.parts(worth, policy, seq)
        assert abs(sum(part.adds_ppm for part in parts) - explained.ppm(total)) <= ROUNDED
