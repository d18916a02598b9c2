"""Versions of one record with times of their own: which one holds at a moment, and what rests on it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from muniment import History, Keys, Memory, Rebuild, Retract, Show, Tasks, errors
from tests.operations.seen import erased, ids, left_out, shown
from tests.requirements.marker import requirement

Y20, Y21, Y27, Y28 = (f"20{year}-01-01T00:00Z" for year in (20, 21, 27, 28))
MOMENTS = {"19": "2019-06-01T00:00Z", "20": "2020-06-01T00:00Z", "now": "2026-06-15T00:00Z",
           "27": "2027-06-01T00:00Z", "28": "2028-06-01T00:00Z"}  # fmt: skip
OFF = "retracted"
# Each write: what it says, from when, to when; then who is held at each of the moments.
CHAINS: list[tuple[list[tuple[str, str | None, str | None]], str]] = [
    ([("Bonn", None, None), ("Koeln", Y27, None)], "Bonn Bonn Bonn Koeln Koeln"),
    (
        [("Bonn", None, None), ("Koeln", Y27, None), ("Hamburg", None, None)],
        "Hamburg Hamburg Hamburg Hamburg Hamburg",
    ),
    (
        [("Bonn", None, None), ("Koeln", Y27, None), ("Ulm", Y28, None), ("Hof", Y20, None)],
        "Bonn Hof Hof Hof Hof",
    ),
    ([("coffee", None, None), ("juice", Y20, Y21)], "coffee juice coffee coffee coffee"),
    ([("coffee", None, None), ("juice", Y27, Y28)], "coffee coffee coffee juice coffee"),
    (
        [("Bonn", None, None), ("Ulm", Y20, Y21), ("Koeln", Y27, Y28)],
        "Bonn Ulm Bonn Koeln Bonn",
    ),
    ([("coffee", None, None), ("juice", None, Y27)], "juice juice juice coffee coffee"),
    (
        [("Bonn", Y20, None), ("Koeln", Y27, Y28), ("Ulm", Y28, None)],
        "- Bonn Bonn Koeln Ulm",
    ),
    ([("Bonn", None, None), ("Koeln", Y27, None), (OFF, None, None)], "- - - - -"),
    ([("Bonn", None, None), ("Koeln", Y27, None), (OFF, Y20, Y21)], "Bonn - - - -"),
    ([("Bonn", None, None), ("Ulm", Y28, None), (OFF, Y27, None)], "Bonn Bonn Bonn - -"),
    (
        [("Bonn", None, None), (OFF, Y20, None), ("Koeln", Y27, None)],
        "Bonn - - Koeln Koeln",
    ),
]


def chain(memory: Memory, writes: list[tuple[str, str | None, str | None]], key: str | None) -> Any:
    """The versions, one after the other, and the time of each writing."""
    before, times = None, []
    for said, begin, end in writes:
        fields: dict[str, Any] = {"status": OFF} if said == OFF else {}
        done = memory.remember(
            f"Address {said}.", key=key, kind="fact", valid_from=begin, valid_to=end,
            supersedes=before if key is None else None, **fields,
        )  # fmt: skip
        before = done.id
        times.append(memory.run(Show(id=done.id)).items[0].recorded_at)
    return times


def held(memory: Memory, **moment: Any) -> str:
    """What a recall shows of it; a dash for nothing."""
    found = [item.text[8:-1] for item in memory.recall("address", **moment).items]
    assert len(found) <= 1
    return found[0] if found else "-"


@requirement("records:versions:one-holds")
@pytest.mark.parametrize("key", ["place", None])
@pytest.mark.parametrize(("writes", "wanted"), CHAINS)
def test_at_any_moment_one_version_holds_at_most(
    memory: Memory, writes: Any, wanted: str, key: str | None
) -> None:
    """The newest that speaks for the moment; as it was recorded at each writing, and again."""
    times = chain(memory, writes, key)

    for _ in range(2):
        assert " ".join(held(memory, as_of=at) for at in MOMENTS.values()) == wanted
        for before, after in pairwise(times):
            early = {at: held(memory, as_of=at, as_recorded=before) for at in MOMENTS.values()}
            late = {at: held(memory, as_of=at, as_recorded=after) for at in MOMENTS.values()}
            assert late != early
        assert held(memory) == wanted.split()[2]
        assert memory.verify().faults == ()
        memory.run(Rebuild())


@requirement("records:versions:one-holds")
def test_what_is_taken_back_leaves_nothing_of_its_key(memory: Memory) -> None:
    """By key and by the id of either version: also what a plan had left standing."""
    for name in ("key", "old", "new"):
        old = memory.remember("Address Bonn.", key=name, kind="fact")
        new = memory.remember("Address Koeln.", key=name, kind="fact", valid_from=Y27)
        memory.run(Retract(id={"key": name, "old": old.id, "new": new.id}[name]))

        for moment in MOMENTS.values():
            assert memory.recall("address", as_of=moment).items == ()
        assert shown(memory, old.id).standing == "superseded"

    with pytest.raises(errors.NotCurrent):
        memory.run(Retract(id=old.id))


@requirement("records:versions:one-holds")
def test_a_retraction_for_later_can_be_brought_forward(memory: Memory) -> None:
    """What was to end one day ends now where that is said."""
    memory.remember("Address Bonn.", key="k", kind="fact")
    memory.remember("Address Bonn.", key="k", kind="fact", status="retracted", valid_from=Y27)
    assert len(ids(memory.recall("address"))) == 1

    assert memory.run(Retract(id="k")).known is False

    assert ids(memory.recall("address")) == []
    assert memory.run(Retract(id="k")).known is True


@requirement("records:versions:one-holds")
def test_an_erased_version_leaves_no_room_to_the_one_before(memory: Memory) -> None:
    """Erasing a version never revives what it took the place of, and keeps from when it held."""
    said = memory.observe("Address Koeln, from next year on, as he says.", role="user")
    old = memory.remember("Address Bonn.", key="k", kind="fact")
    memory.remember(
        "Address Koeln, from next year on, as he says.", key="k", kind="fact", valid_from=Y27,
        sources=(said.id,),
    )  # fmt: skip
    erased(memory, event=said.id)

    assert ids(memory.recall("address")) == [old.id]
    assert ids(memory.recall("address", as_of=MOMENTS["27"])) == []


@requirement("records:standing:when-the-source-ends")
@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize(("kind", "status", "after"), [
    ("summary", "active", "stale"),
    ("summary", OFF, "stale"),
    ("belief", "active", "current"),
    ("belief", OFF, "withdrawn"),
])  # fmt: skip
def test_what_rests_on_a_thing_ends_when_that_ends(
    memory: Memory, kind: str, status: str, after: str, *, late: bool
) -> None:
    """At every level, in recall, labels and lists; also where it was written after the plan."""
    source = memory.remember("The rent is nine hundred.", key="rent", kind="fact")

    def plan() -> None:
        memory.remember("The rent is 950.", key="rent", kind="fact", status=status, valid_from=Y27)

    if not late:
        low, high = _resting(memory, kind, source.id)
        plan()
    else:
        plan()
        low, high = _resting(memory, kind, source.id)

    cause = "source_superseded" if status == "active" else "source_retracted"
    assert {low, high} <= set(ids(memory.recall("rent cheap", items_max=16)))
    assert [shown(memory, id).standing for id in (low, high)] == ["current", "current"]
    assert shown(memory, low).labels == ()
    found = {
        item.id: item
        for item in memory.recall("rent cheap", as_of=MOMENTS["27"], history=True).items
    }
    assert found[low].standing == found[high].standing == after
    assert found[low].labels == (cause,)
    (listed,) = memory.run(History(key="low", as_of=MOMENTS["27"])).items
    assert (listed.standing, listed.labels) == (after, (cause,))
    assert memory.verify().faults == ()


def _resting(memory: Memory, kind: str, source: str) -> tuple[str, str]:
    low = memory.remember("Rent cheap.", key="low", kind=kind, sources=(source,))
    more: dict[str, Any] = {"recursive": True} if kind == "summary" else {}
    high = memory.remember("Cheap.", key="high", kind=kind, sources=(low.id,), **more)
    return low.id, high.id


@requirement("records:standing:when-the-source-ends")
def test_what_rests_on_a_thing_stands_again_with_it(memory: Memory) -> None:
    """A version that held for a while only ends what rests on the other for that while."""
    source = memory.remember("He drinks coffee every day.", key="drink", kind="fact")
    memory.remember("Coffee.", key="sum", kind="summary", sources=(source.id,))
    memory.remember("He drank juice.", key="drink", kind="fact", valid_from=Y20, valid_to=Y21)

    found = {}
    for name, moment in MOMENTS.items():
        (found[name],) = memory.run(History(key="sum", as_of=moment)).items

    assert {name for name, item in found.items() if item.standing == "stale"} == {"20"}


@requirement("faces:lists:standing")
def test_lists_tell_what_is_put_off_from_what_holds(memory: Memory) -> None:
    """A task and a fact that are not yet valid say so; `keys` shows what stands beside a plan."""
    memory.remember("Water the plants.", key="w", kind="task")
    memory.remember("Cut the hedge.", key="h", kind="task", valid_from=Y27)
    old = memory.remember("Address Bonn.", key="place", kind="fact")
    new = memory.remember("Address Koeln.", key="place", kind="fact", valid_from=Y27)

    tasks = memory.run(Tasks()).items
    keys = memory.run(Keys()).items
    history = memory.run(History(key="place")).items

    assert [item.labels for item in tasks] == [(), ("not_yet_valid",)]
    assert [item.id for item in keys][:2] == [new.id, old.id]
    assert [item.key for item in keys] == ["place", "place", "h", "w"]
    assert [item.labels for item in history] == [(), ("not_yet_valid",)]


@requirement("recall:tasks:not-due")
def test_a_task_that_is_not_due_is_no_answer_to_something_else(memory: Memory) -> None:
    """Neither among what was left out, nor with history in front of the answer."""
    late = memory.remember("Water the plants.", kind="task", valid_to=1)
    later = memory.remember("Cut the hedge.", kind="task", valid_from=Y27)
    answer = memory.remember("The gate opens with 5512.")

    assert memory.recall("submarine").suppressed == ()
    assert ids(memory.recall("gate", history=True, items_max=1)) == [answer.id]
    assert left_out(memory.recall("plants hedge")) == {
        late.id: "expired", later.id: "not_yet_valid",
    }  # fmt: skip
    assert ids(memory.recall("plants", history=True)) == [late.id]
