"""Correcting one of several versions with times of their own: the others hold as they did."""

from __future__ import annotations

from typing import Any

import pytest

from muniment import (
    Commit,
    Correct,
    Keys,
    Memory,
    Note,
    Rebuild,
    Require,
    Retract,
    Source,
    Status,
    errors,
)
from tests.operations.seen import ids, left_out, refused, shown
from tests.operations.test_versions_in_time import CHAINS, MOMENTS, Y27, Y28, chain
from tests.requirements.marker import requirement

NAMES = list(MOMENTS)
NOW = NAMES.index("now")
# Corrections in a row: which of the versions that hold is corrected, by when it holds.
ORDERS = [("now",), ("27", "now"), ("now", "27"), ("28", "27", "now"), ("now", "now", "28")]


def held(memory: Memory) -> list[str | None]:
    """The id of what is held at each of the moments."""
    found = [ids(memory.recall("address", as_of=at)) for at in MOMENTS.values()]
    assert all(len(each) <= 1 for each in found)
    return [each[0] if each else None for each in found]


def texts(memory: Memory) -> list[str | None]:
    """What is held at each of the moments."""
    return [None if id is None else shown(memory, id).text for id in held(memory)]


def begins(memory: Memory, id: str) -> int:
    """The place of the moment at which a version begins, or of now where it has begun."""
    begin = shown(memory, id).valid_from
    return next((at for at in (3, 4) if begin == f"20{NAMES[at]}-01-01T00:00:00.000Z"), NOW)


def onward(line: list[str | None], at: int) -> list[int]:
    """The places that hold the same as one: around it, and wherever behind it."""
    first = at
    while first and line[first - 1] == line[at]:
        first -= 1
    return [place for place in range(first, len(line)) if line[place] == line[at]]


@requirement("records:versions:correct-beside-plans")
@pytest.mark.parametrize("key", ["place", None])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("writes", "wanted"), CHAINS)
def test_a_correction_holds_where_what_it_corrects_would_have_held(
    memory: Memory, writes: Any, wanted: str, order: tuple[str, ...], key: str | None
) -> None:
    """The model: a line of moments, on which one version gets another name from its stretch on."""
    said = memory.observe("That is what he said.", role="user").id
    chain(memory, writes, key)
    line = texts(memory)

    for turn, name in enumerate(order):
        old = held(memory)[NAMES.index(name)]
        if old is None:
            continue
        at = begins(memory, old)
        asked = Correct(id=old, text=f"Address {name} {turn}.", sources=(said,))
        if held(memory)[at] != old:  # It is over now, and would come back later.
            with refused(memory, "not_current", at="id"):
                memory.run(asked)
            continue
        new = memory.run(asked).id
        for place in onward(line, at):
            line[place] = asked.text

        assert texts(memory) == line
        assert held(memory)[at] == new
        with refused(memory, "not_current", at="id"):
            memory.run(asked)

    memory.run(Rebuild())
    assert texts(memory) == line
    assert memory.verify().faults == ()


def planned(memory: Memory) -> tuple[str, str, str]:
    """What was said, a version that stands, and one that is planned."""
    said = memory.observe("That is what he said.", role="user").id
    old = memory.remember("Address Bonn.", key="place", kind="fact", about="Ben").id
    new = memory.remember("Address Koeln.", key="place", kind="fact", valid_from=Y27).id
    return said, old, new


@requirement("records:versions:correct-beside-plans")
def test_a_corrected_version_and_the_plan_are_both_listed(memory: Memory) -> None:
    """Neither hides the other: in lists, in recalls, and for the next correction."""
    said, old, new = planned(memory)

    fixed = memory.run(Correct(id=old, text="Address Beuel.", sources=(said,)))

    item = shown(memory, fixed.id)
    assert (item.about, item.key, item.valid_to) == ("Ben", "place", "2027-01-01T00:00:00.000Z")
    assert fixed.supersedes == new
    assert [each.id for each in memory.run(Keys()).items] == [fixed.id, new]
    assert left_out(memory.recall("address")) == {old: "superseded", new: "not_yet_valid"}
    assert (shown(memory, new).standing, shown(memory, new).labels) == (
        "current", ("not_yet_valid",),
    )  # fmt: skip
    again = memory.run(Correct(id=new, text="Address Deutz.", sources=(said,)))
    assert [each.id for each in memory.run(Keys()).items] == [again.id, fixed.id]


@requirement("records:versions:correct-throughout")
def test_a_correction_holds_again_after_a_plan_that_ends(memory: Memory) -> None:
    """What was wrong comes back nowhere; one commit, each version after the one before."""
    said, old, _ = planned(memory)
    plan = memory.remember("Address Hof.", key="place", kind="fact", valid_from=Y27, valid_to=Y28)
    before = memory.run(Status())

    memory.run(Correct(id=old, text="Address Beuel.", sources=(said,)))

    assert texts(memory) == ["Address Beuel."] * 3 + ["Address Hof.", "Address Koeln."]
    assert held(memory)[3] == plan.id
    assert memory.run(Status()).commits == before.commits + 1


@requirement("records:versions:correct-throughout")
def test_each_stretch_of_a_correction_is_a_version_of_its_own(memory: Memory) -> None:
    """History, lists and a repeated command tell it; a correction of the correction is whole."""
    said = memory.observe("That is what he said.", role="user").id
    old = memory.remember("Address Bonn.", key="place", kind="fact").id
    plan = memory.remember("Address Koeln.", key="place", kind="fact", valid_from=Y27, valid_to=Y28)
    asked = Correct(id=old, text="Address Beuel.", sources=(said,), command_key="c1")

    fixed = memory.run(asked)
    seq = memory.run(Status()).seq
    again = memory.run(asked)

    assert (again.id, again.head, again.known) == (fixed.id, fixed.head, True)
    assert memory.run(Status()).seq == seq
    first, second = memory.history("place").items[2:]
    assert (first.id, first.supersedes, second.supersedes) == (fixed.id, plan.id, fixed.id)
    assert (first.valid_to, second.valid_from) == (
        "2027-01-01T00:00:00.000Z", "2028-01-01T00:00:00.000Z",
    )  # fmt: skip
    assert [each.sources for each in (first, second)] == [(Source(id=said),)] * 2
    assert held(memory) == [fixed.id] * 3 + [plan.id, second.id]
    assert [each.id for each in memory.run(Keys()).items] == [second.id, first.id, plan.id]

    memory.run(Correct(id=fixed.id, text="Address Beul.", sources=(said,)))
    assert texts(memory) == ["Address Beul."] * 3 + ["Address Koeln.", "Address Beul."]
    memory.run(Retract(id="place"))
    assert held(memory) == [None] * 5
    assert memory.verify().faults == ()


@requirement("records:versions:correct-throughout")
def test_a_correction_with_an_end_of_its_own_holds_until_then_alone(memory: Memory) -> None:
    """Who says until when it holds means it: behind it stands again what stood before."""
    said = memory.observe("That is what he said.", role="user").id
    old = memory.remember("Address Bonn.", key="place", kind="fact").id
    plan = memory.remember("Address Koeln.", key="place", kind="fact", valid_from=Y27, valid_to=Y28)

    asked = Correct(
        id=old, text="Address Beuel.", sources=(said,), valid_to="2026-12-01T00:00Z"
    )  # fmt: skip
    fixed = memory.run(asked)

    assert held(memory) == [fixed.id] * 3 + [plan.id, old]


@requirement("records:versions:correct-throughout")
def test_a_wrong_requirement_is_not_said_after_a_plan(memory: Memory) -> None:
    """What must be said in a task is the corrected one, before and after what is said for a while."""
    said = memory.observe("It was almonds.", role="user").id
    fields = {"key": "mira", "task": "meal", "about": "Mira"}
    old = memory.run(Require(text="Nothing with peanuts.", **fields)).id
    memory.remember("Broth only.", kind="requirement", valid_from=Y27, valid_to=Y28, **fields)

    memory.run(Correct(id=old, text="Nothing with almonds.", sources=(said,)))

    shown_at = {
        at: [each.text for each in memory.recall(
            "cook", task="meal", participants=("Mira",), as_of=at, policy="tasks",
        ).items if each.kind == "requirement"] for at in MOMENTS.values()
    }  # fmt: skip
    assert list(shown_at.values()) == [["Nothing with almonds."]] * 3 + [
        ["Broth only."], ["Nothing with almonds."],
    ]  # fmt: skip


@requirement("records:versions:correct-beside-plans")
def test_an_end_of_its_own_reaches_into_the_plan(memory: Memory) -> None:
    """Who says until when it holds means it; and what is taken back takes the plan along."""
    said, old, new = planned(memory)

    fixed = memory.run(Correct(id=old, text="Address Beuel.", sources=(said,), valid_to=Y28))

    assert held(memory) == [fixed.id] * 4 + [new]
    memory.run(Retract(id=fixed.id))
    assert held(memory) == [None] * 5


@requirement("records:versions:correct-beside-plans")
def test_a_repeated_correction_answers_again(memory: Memory) -> None:
    """By its command key, also when what it corrected is over by then."""
    said, old, _ = planned(memory)
    asked = Correct(id=old, text="Address Beuel.", sources=(said,), command_key="c1")
    first = memory.run(asked)

    again = memory.run(asked)

    assert (again.id, again.known) == (first.id, True)
    with pytest.raises(errors.CommandKeyReused):
        memory.run(Correct(id=old, text="Address Ulm.", sources=(said,), command_key="c1"))


@requirement("records:versions:correct-beside-plans")
def test_an_ordinary_write_still_names_the_newest(memory: Memory) -> None:
    """Only a correction says what becomes of the plan; `remember` and `commit` must name it."""
    _, old, new = planned(memory)

    with refused(memory, "supersedes_other", at="supersedes"):
        memory.remember("Address Beuel.", key="place", kind="fact", supersedes=old)
    with refused(memory, "supersedes_other", at="notes[0].supersedes"):
        memory.run(Commit(notes=(Note(text="Address Beuel.", key="place", supersedes=old),)))
    assert held(memory) == [old] * 3 + [new] * 2


@requirement("records:versions:correct-beside-plans")
def test_an_open_task_that_is_planned_is_not_ended_by_a_correction(memory: Memory) -> None:
    """An open task gives way to the next version at once, so what stands before it must wait."""
    said = memory.observe("That is what he said.", role="user").id
    fact = memory.remember("Address Bonn.", key="place", kind="fact").id
    memory.remember("Find an address.", key="place", kind="task", valid_from=Y27)

    with refused(memory, "open_task_protected", at="kind"):
        memory.run(Correct(id=fact, text="Address Beuel.", sources=(said,)))
