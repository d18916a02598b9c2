"""The selection by itself: evidence with ids of any kind, and a style that only says them."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from muniment.model.contextual import (
    Asked,
    Audience,
    Chosen,
    Evidence,
    Selection,
    Turned,
)
from muniment.ranking import contextual, recorded
from muniment.ranking.corpus import Corpus
from tests.requirements.marker import requirement


class Plain:
    """One line an entry: its id, padded to what `held` says."""

    def text(self, chosen: Sequence[Chosen], asked: Asked) -> bytes:
        """The lines."""
        del asked
        return b"".join(
            str(each.evidence.ref[0]).encode().ljust(each.evidence.held or 10, b".") + b"\n"
            for each in chosen
        )

    def least(self, evidence: Evidence, asked: Asked, *, alone: bool) -> int:
        """Nothing less than its line."""
        del asked, alone
        return (evidence.held or 10) + 1


def vector(*numbers: float) -> bytes:
    """32-bit numbers."""
    return struct.pack(f"<{len(numbers)}f", *numbers)


def memory(id: Any, likeness: float | None = None, **fields: Any) -> Evidence:
    """A memory with a vector that is so like the question."""
    if likeness is not None:
        fields |= {"space": "s", "vector": vector(likeness, math.sqrt(1 - likeness**2))}
    return Evidence(ref=(id, 1), **fields)


def appraisal(id: str, of: str, intensity: int | None, **fields: Any) -> Evidence:
    """What is at stake in a memory."""
    return Evidence(ref=(id, 1), part="appraisal", assesses=(of, 1), intensity=intensity, **fields)


def select(evidence: Sequence[Evidence], **fields: Any) -> Selection | Turned:
    """The selection for a question that points along the first axis."""
    asked = Asked(**({"space": "s", "vector": vector(1.0, 0.0)} | fields))
    corpus = Corpus(evidence)
    return contextual.select(corpus, asked, Plain(), corpus.products([asked])[0])


def ids(found: Selection | Turned) -> list[Any]:
    """What was chosen."""
    assert isinstance(found, Selection), found
    return [each.evidence.ref[0] for each in found.entries]


@requirement("exchange:pure:ids")
def test_ids_may_be_words_or_numbers() -> None:
    """Whatever can be ordered; ties are broken by it."""
    assert ids(select([memory("r2b", 0.5), memory("r1a", 0.5), memory("e9", 0.9)])) == [
        "e9", "r1a", "r2b",
    ]  # fmt: skip
    assert ids(select([memory(30, 0.5), memory(4, 0.5)])) == [4, 30]


@requirement("exchange:pure:priority")
def test_obligations_come_by_priority_where_it_is_given() -> None:
    """The greatest first, then those without one, by id."""
    obliged = [
        memory("a", task="cook", required=True),
        memory("b", task="cook", required=True, priority=1),
        memory("c", task="cook", required=True, priority=9),
        memory("d", task="cook", required=True, subject="ann"),
        memory("e", task="sail", required=True),
    ]

    assert ids(select(obliged, task="cook")) == ["c", "b", "a"]
    assert ids(select(obliged, task="cook", participants=("ann",))) == ["c", "b", "a", "d"]


@requirement("exchange:pure:priority")
def test_what_is_bound_to_no_task_obliges_nobody() -> None:
    """It is offered like anything else, whatever it says of itself."""
    found = select([memory("a", 0.9, required=True)])

    assert isinstance(found, Selection)
    assert [each.reason for each in found.entries] == ["similar"]


@requirement("exchange:pure:order")
def test_required_then_obligations_then_pinned_then_what_is_like_it() -> None:
    """None twice; the first reason wins."""
    some = [
        memory("p", 0.1), memory("q", 0.2), memory("o", task="t", required=True),
        memory("x", 0.9), memory("y", 0.8),
    ]  # fmt: skip

    found = select(some, task="t", required=(("q", 1),), pinned=(("p", 1), ("q", 1)))

    assert ids(found) == ["q", "o", "p", "x", "y"]
    assert isinstance(found, Selection)
    assert [each.reason for each in found.entries] == [
        "required", "obligation", "pinned", "similar", "similar",
    ]  # fmt: skip


@requirement("exchange:pure:overflow")
def test_an_overflow_names_what_overflowed_and_what_would_be_needed() -> None:
    """The first that does not fit, and how much all that must be shown takes."""
    some = [memory(name, task="t", required=True, held=30) for name in "abc"]

    few = select(some, task="t", entries_max=2)
    short = select(some, task="t", bytes_max=70)

    assert few == Turned(
        code="capacity", detail="what must be shown does not fit", ref=("c", 1), over="entries",
        entries_needed=3, bytes_needed=93,
    )  # fmt: skip
    assert isinstance(short, Turned)
    assert (short.ref, short.over, short.bytes_needed) == (("c", 1), "bytes", 93)
    assert ids(select(some, task="t", entries_max=3, bytes_max=93)) == ["a", "b", "c"]


@requirement("exchange:pure:order")
def test_what_enters_only_with_others_is_not_named_by_itself() -> None:
    """An appraisal and what belongs to one are refused, whether required or pinned."""
    some = [
        memory("a", 0.9), appraisal("x", "a", 9), Evidence(ref=("q", 1), part="support"),
    ]  # fmt: skip

    for id, code in (("x", "format"), ("q", "reference")):
        for how in ("required", "pinned"):
            found = select(some, **{how: ((id, 1),)})
            assert isinstance(found, Turned)
            assert (found.code, found.ref) == (code, (id, 1))


@requirement("exchange:pure:limits")
def test_the_limits_may_be_larger_than_those_of_the_formats() -> None:
    """Sixteen and four kilobytes are defaults alone."""
    some = [memory(number, 1 - number / 1000) for number in range(200)]

    assert len(ids(select(some))) == 16
    assert len(ids(select(some, entries_max=150, bytes_max=65_536))) == 150


@requirement("exchange:pure:appraisal")
@pytest.mark.parametrize(
    ("appraisals", "chosen"),
    [
        ([("x", "far", 900_000)], ["far", "x", "near", "mid"]),
        ([("x", "far", 0)], ["near", "mid", "far"]),
        ([("x", "far", None)], ["near", "mid", "far"]),
        ([("x", "far", 900_000), ("w", "far", 900_000)], ["far", "w", "near", "mid"]),
        ([("x", "far", 100_000), ("w", "far", 100_000)], ["near", "mid", "far", "w"]),
        ([("x", "low", 1_000_000)], ["near", "mid", "far"]),
    ],
)
def test_the_strongest_appraisal_counts_once_and_behind_the_floor(
    appraisals: list[tuple[str, str, int | None]], chosen: list[str]
) -> None:
    """Unknown is not zero's opposite; equal ones by id; below the floor nothing helps."""
    some = [memory("near", 0.9), memory("mid", 0.8), memory("far", 0.6), memory("low", 0.1)]
    some += [appraisal(*each) for each in appraisals]

    assert ids(select(some, ranked=True, floor=500_000, boost=500_000)) == chosen


@requirement("exchange:pure:appraisal")
def test_a_pair_enters_together_or_not_at_all() -> None:
    """What does not fit with its appraisal does not enter without it."""
    some = [memory("near", 0.9), memory("far", 0.6), appraisal("x", "far", 900_000)]

    found = select(some, ranked=True, boost=1_000_000, entries_max=1)

    assert ids(found) == ["near"]
    assert isinstance(found, Selection)
    assert [(each.ref[0], each.reason) for each in found.left_out] == [("far", "budget_entries")]


@requirement("exchange:pure:appraisal")
def test_what_is_required_brings_its_appraisal_only_where_that_is_a_whole_group() -> None:
    """A single one stays out; a group comes with all of it, when it is the turn of its source."""
    some = [memory("a", 0.9), memory("b", 0.5)]
    group = [Evidence(ref=("q", 1), part="support"), Evidence(ref=("r", 1), part="support")]
    whole = appraisal("x", "a", 900_000, before=(("a", 1),), after=(("q", 1), ("r", 1)))
    fields: dict[str, Any] = {"required": (("a", 1),), "ranked": True, "boost": 500_000}

    assert ids(select([*some, appraisal("x", "a", 900_000)], **fields)) == ["a", "b"]
    assert ids(select([*some, *group, whole], **fields)) == ["a", "b", "x", "q", "r"]


@requirement("exchange:pure:appraisal")
def test_another_subjects_appraisal_says_nothing() -> None:
    """It shares the memory's subject, or it is not of it."""
    some = [
        memory("far", 0.6, subject="ann"), memory("near", 0.9),
        appraisal("x", "far", 900_000, subject="bob"),
    ]  # fmt: skip

    assert ids(select(some, ranked=True, boost=1_000_000)) == ["near", "far"]


@requirement("exchange:pure:isolation")
def test_what_cannot_be_read_or_compared_refuses_nothing_in_our_revision() -> None:
    """It is left out with its code; in the old ones it refuses the query."""
    some = [
        memory("fine", 0.9), memory("bad", 0.8, broken="format"), memory("cold", 0.7, cold=True),
        Evidence(ref=("odd", 1), unfit="layout"),
    ]  # fmt: skip

    found = select(some)

    assert ids(found) == ["fine"]
    assert isinstance(found, Selection)
    assert {each.ref[0]: each.reason for each in found.left_out} == {
        "cold": "unavailable", "bad": "format", "odd": "layout",
    }  # fmt: skip
    old = select(some, revision=4)
    assert isinstance(old, Turned)
    assert old.code == "unavailable"


@requirement("exchange:pure:isolation")
def test_vectors_of_another_model_strand_nothing_in_our_revision() -> None:
    """Obligations are said although nothing can be compared; the old ones refuse."""
    some = [memory("o", task="t", required=True), memory("x", 0.9)]
    fields: dict[str, Any] = {"space": "new", "task": "t"}

    assert ids(select(some, **fields)) == ["o"]
    old = select(some, revision=4, **fields)
    assert isinstance(old, Turned)
    assert old.code == "source"


@requirement("exchange:pure:sight")
def test_only_what_the_audience_sees_is_chosen() -> None:
    """Places, what things rest on, and when they end."""
    some = [
        memory("all", 0.9), memory("mine", 0.8, place="me", needs=frozenset({"me"})),
        memory("theirs", 0.7, place="you", needs=frozenset({"you"})),
        memory("rests", 0.6, needs=frozenset({"you"})), memory("over", 0.5, until=5),
        memory("soon", 0.4, until=6), memory("gone", 0.3, fault="denied"),
    ]  # fmt: skip
    me = Audience(open=frozenset({"me"}), places=frozenset({None, "me"}), at=5)

    assert ids(select(some, audience=me)) == ["all", "mine", "soon"]
    for id, code in (("theirs", "denied"), ("gone", "denied"), ("none", "missing")):
        found = select(some, audience=me, pinned=((id, 1),))
        assert isinstance(found, Turned)
        assert (found.code, found.ref) == (code, (id, 1))


@requirement("exchange:pure:sight")
def test_who_may_look_into_many_places_costs_no_more() -> None:
    """Forty of them: nobody goes through all their combinations."""
    places = [f"place {number}" for number in range(40)]
    some = [
        memory(place, 1 - number / 100, place=place, needs=frozenset({place, places[0]}))
        for number, place in enumerate(places)
    ]
    audience = Audience(open=frozenset(places), places=frozenset({None, *places}))

    assert ids(select(some, audience=audience, entries_max=50)) == places
    few = Audience(open=frozenset(places[:2]), places=frozenset({None, *places[:2]}))
    assert ids(select(some, audience=few)) == places[:2]


@requirement("exchange:pure:replay")
def test_a_choice_is_made_again_without_a_search() -> None:
    """The same text; a new obligation, a stranger's appraisal and a lost entry refuse it."""
    some = [
        memory("o", task="t", required=True), memory("far", 0.6), memory("near", 0.9),
        appraisal("x", "far", 900_000), appraisal("y", "near", 10),
    ]  # fmt: skip
    asked = Asked(
        space="s", vector=vector(1.0, 0.0), task="t", ranked=True, boost=1_000_000, entries_max=3
    )
    corpus = Corpus(some)
    chosen = contextual.select(corpus, asked, Plain())
    assert isinstance(chosen, Selection)
    refs = [each.evidence.ref for each in chosen.entries]

    again = recorded.again(corpus, asked, refs, Plain())
    more = Corpus([*some, memory("n", task="t", required=True)])
    fewer = Corpus([each for each in some if each.ref[0] != "far"])

    assert isinstance(again, Selection)
    assert again.text == chosen.text
    for spoiled, ids_, code in (
        (more, refs, "reference"),
        (fewer, refs, "missing"),
        (corpus, [*refs[:2], ("y", 1)], "reference"),
        (corpus, [refs[1], refs[0], refs[2]], "reference"),
        (corpus, [*refs, refs[0]], "reference"),
    ):
        found = recorded.again(spoiled, asked, ids_, Plain())
        assert isinstance(found, Turned)
        assert found.code == code


@requirement("exchange:pure:replay")
def test_a_recorded_appraisal_must_still_have_its_say() -> None:
    """With the controls off, below the floor, for others, or without its group it has none."""
    group = [Evidence(ref=("q", 1), part="support"), Evidence(ref=("r", 1), part="support")]
    whole = appraisal(
        "x", "a", 900_000, before=(("a", 1),), after=(("q", 1), ("r", 1)), for_task="t"
    )
    corpus = Corpus([memory("a", 0.9), memory("b", 0.8), whole, *group])
    asked = Asked(space="s", vector=vector(1.0, 0.0), ranked=True, floor=500_000, boost=9, task="t")
    refs = [("a", 1), ("x", 1), ("q", 1), ("r", 1)]

    def again(some: Sequence[Any] = refs, **changes: Any) -> str:
        changed = msgspec.structs.replace(asked, **changes)
        found = recorded.again(corpus, changed, some, Plain())
        return found.code if isinstance(found, Turned) else "same"

    assert again() == "same"
    assert again(boost=0) == "reference"
    assert again(ranked=False) == "reference"
    assert again(floor=950_000) == "reference"
    assert again(task="u") == "reference"
    assert again(refs[:3]) == "reference"
    assert again(refs[:1] + refs[2:]) == "reference"
    assert again([("b", 1), *refs[1:]]) == "reference"
    assert again([("a", 1)]) == "same"


def test_without_a_vector_only_what_must_be_shown_is() -> None:
    """Nothing is compared, and nothing needs to be."""
    some = [memory("o", task="t", required=True), memory("x", 0.9), memory("p")]

    found = select(some, vector=None, space=None, task="t", pinned=(("p", 1),))

    assert ids(found) == ["o", "p"]
