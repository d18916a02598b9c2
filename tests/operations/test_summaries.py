"""Summaries: what they may stand for, how they end, and where what they cover is still found."""

from __future__ import annotations

from pathlib import Path

import pytest

from muniment import Close, Commit, Memory, Note, Rebuild, Retract, WhyNot
from tests.operations.seen import erased, ids, left_out, refused, shown
from tests.operations.test_standing import At
from tests.requirements.marker import requirement

LONG = "The gate of the old boathouse opens with the code seven seven three one."


def summed(memory: Memory, text: str, *sources: str, **fields: object) -> str:
    """The id of a summary that covers all of its sources."""
    return memory.remember(text, kind="summary", sources=sources, covers=sources, **fields).id


@requirement("records:summary:sources", "records:summary:open-task", "records:summary:shorter")
def test_each_refusal_has_its_own_code_and_changes_nothing(memory: Memory) -> None:
    """Seed 1: through the door, each cause beside the neighbour that is accepted."""
    old = memory.remember(LONG, key="k").id
    new = memory.remember(f"{LONG} Since May.", key="k").id
    back = memory.remember(LONG, key="b").id
    taken = memory.run(Retract(id=back)).id
    past = memory.remember(LONG, valid_to=1).id
    offer = memory.remember(LONG, kind="proposal").id
    task = memory.remember(LONG, key="t", kind="task").id

    for source, code in (
        (old, "summary_of_superseded"),
        (back, "summary_of_retracted"),
        (taken, "summary_of_retracted"),
        (past, "summary_of_not_standing"),
        (offer, "summary_of_not_standing"),
        (task, "summary_of_open_task"),
    ):
        with refused(memory, code, at="sources[1]"):
            summed(memory, "The code.", new, source)
    with refused(memory, "summary_not_shorter", at="text"):
        summed(memory, f"{LONG} Since May!", new)
    closed = memory.run(Close(id=task)).id
    written = summed(memory, "The code, and a task.", new, closed.split("-")[0])

    assert shown(memory, written).covers == (new, closed)


@requirement("records:summary:same-commit")
def test_a_commit_does_not_sum_up_what_it_writes_anew(memory: Memory) -> None:
    """Promise 2: in either order, by key, by id and as a state value."""
    keyed = memory.remember(LONG, key="k").id
    bare = memory.remember(LONG).id
    memory.run(Commit(state={"s": LONG}))
    value = "l3"

    def commit(source: str, *others: Note, first: bool = True, **fields: object) -> None:
        summary = Note(text="A code.", kind="summary", sources=(source,), covers=(source,))
        notes = (summary, *others) if first else (*others, summary)
        memory.run(Commit(notes=notes, **fields))

    for first in (True, False):
        at = f"notes[{0 if first else 1}].sources[0]"
        with refused(memory, "summary_of_overwritten", at=at):
            commit(keyed, Note(text="Shut.", key="k"), first=first)
        with refused(memory, "summary_of_overwritten", at=at):
            commit(bare, Note(text="Shut.", supersedes=bare), first=first)
    with refused(memory, "summary_of_overwritten", at="notes[0].sources[0]"):
        commit(value, state={"s": 1})
    with refused(memory, "not_found", at="notes[1].sources[0]"):
        commit("r5", Note(text=LONG), first=False)
    commit(keyed, Note(text="Another."), state={"other": 1})

    assert memory.verify().faults == ()


@requirement("records:summary:recursive")
def test_a_summary_of_summaries_is_written_where_that_is_meant(memory: Memory) -> None:
    """Coverage is carried through the levels, and so is how many there are."""
    said = [memory.observe(f"{LONG} {n}", role="user").id for n in range(4)]
    low = [summed(memory, "The first code of the gate.", *said[:2]),
           summed(memory, "The other code of the gate.", *said[2:])]  # fmt: skip

    with refused(memory, "summary_of_summary", at="sources[0]"):
        summed(memory, "Two codes.", *low)
    with refused(memory, "bad_shape", at="recursive"):
        memory.remember("Two codes.", sources=tuple(low), recursive=True)
    with refused(memory, "summary_not_shorter", at="text"):
        summed(memory, "x" * 60, low[0], said[0], recursive=True)
    middle = summed(memory, "Two codes.", *low, recursive=True)
    high = summed(memory, "Codes.", middle, recursive=True)

    assert [shown(memory, id).level for id in (said[0], low[0], middle, high)] == [None, 1, 2, 3]
    assert shown(memory, low[0]).coverage == tuple(said[:2])
    assert shown(memory, middle).coverage == (*low, *said)
    assert shown(memory, high).coverage == (middle, *low, *said)
    assert shown(memory, high).covers == (middle,)


@requirement("records:summary:recursive")
def test_what_a_source_covers_is_carried_also_where_the_source_is_only_cited(
    memory: Memory,
) -> None:
    """The union of what its sources cover."""
    said = memory.observe(LONG, role="user").id
    low = summed(memory, "The code.", said)
    high = memory.remember("A code.", kind="summary", sources=(low,), recursive=True).id

    assert (shown(memory, high).covers, shown(memory, high).coverage) == ((), (said,))


@requirement("records:summary:recursive")
def test_summaries_do_not_stand_on_each_other_without_end(memory: Memory) -> None:
    """Eight levels, and whoever needs more sums up anew."""
    top = memory.observe("x" * 50, role="user").id
    for level in range(8):
        top = summed(memory, "x" * (40 - level), top, recursive=True)

    with refused(memory, "summary_too_deep", at="sources[0]"):
        summed(memory, "x", top, recursive=True)
    assert shown(memory, top).level == 8


def levels(memory: Memory, source: str) -> list[str]:
    """Three summaries, each of the one before."""
    found = [source]
    for text in ("The boathouse code.", "A boathouse.", "Boathouse"):
        found.append(summed(memory, text, found[-1], recursive=True))
    return found[1:]


@requirement("records:standing:stale-summary")
@pytest.mark.parametrize("end", ["superseded", "retracted", "state"])
def test_staleness_goes_through_every_level_at_once(memory: Memory, end: str) -> None:
    """What it rests on is no longer so; default recall leaves all of them out, with the reason."""
    source = memory.remember(LONG, key="k").id
    if end == "state":
        memory.run(Commit(state={"k": LONG}))
        source = "l2"
    chain = levels(memory, source)
    assert set(chain) < set(ids(memory.recall("boathouse")))

    match end:
        case "superseded":
            memory.remember("Shut.", key="k")
        case "retracted":
            memory.run(Retract(id=source))
        case _:
            memory.run(Commit(state={"k": 1}))

    assert [shown(memory, id).standing for id in chain] == ["stale"] * 3
    pack = memory.recall("boathouse")
    assert not set(chain) & set(ids(pack))
    assert {id: left_out(pack)[id] for id in chain} == dict.fromkeys(chain, "stale")
    past = memory.recall("boathouse", history=True)
    assert {item.id: item.standing for item in past.items if item.id in chain} == dict.fromkeys(
        chain, "stale"
    )
    memory.run(Rebuild())
    assert [shown(memory, id).standing for id in chain] == ["stale"] * 3
    assert memory.verify().faults == ()


@requirement("records:standing:stale-summary")
def test_validity_goes_through_every_level(directory: Path) -> None:
    """A summary of what has run out is stale from that moment, and so is one of that."""
    now = At(1_000)
    with Memory.open(directory, clock=now) as memory:
        source = memory.remember(LONG, valid_to=2_000).id
        chain = levels(memory, source)

        now.ms = 1_999
        before = [shown(memory, id).standing for id in chain]
        now.ms = 2_000
        after = [shown(memory, id).standing for id in chain]

        assert (before, after) == (["current"] * 3, ["stale"] * 3)
        with refused(memory, "summary_of_not_standing", at="sources[0]"):
            summed(memory, "Boat", chain[-1], recursive=True)


@requirement("records:standing:stale-summary", "erasure:derived:listed")
def test_every_level_is_erased_with_what_it_stands_for(memory: Memory) -> None:
    """Promise 8: a summary of a summary tells of it as well."""
    said = memory.observe(LONG, role="user").id
    chain = levels(memory, said)

    erased(memory, event=said)

    assert [shown(memory, id).standing for id in chain] == ["erased"] * 3


@requirement("records:summary:covered")
def test_what_is_covered_leaves_the_recent_things_alone(memory: Memory) -> None:
    """Seed 1: the recent lane has the summary instead; words, its id and history still lead there."""
    said = memory.observe(LONG, role="user", thread="t").id
    note = memory.remember("The harbour opens at nine.").id
    apart = memory.observe("A boat.", role="user").id
    over = summed(memory, "Codes, hours.", said, note)

    def recent(**fields: object) -> list[str]:
        return ids(memory.recall("", policy="recent", **fields))

    assert recent() == [over, apart]
    assert recent(history=True) == [over, apart, note, said]
    assert recent(thread="t") == [said]  # where the summary may not be shown in its place
    assert set(ids(memory.recall("boathouse harbour nine"))) == {said, note}
    assert set(ids(memory.recall("boathouse", policy="lexical"))) == {said}
    assert shown(memory, said).text == LONG
    assert memory.run(WhyNot(id=said, query="", policy="recent")).reason == "covered"
    assert memory.run(WhyNot(id=apart, query="", policy="recent")).reason == "shown"

    high = summed(memory, "Hours", over, recursive=True)
    assert recent() == [high, apart]
    memory.run(Retract(id=note))
    assert said in recent()
    assert not {over, high} & set(recent())


@requirement("records:summary:covered")
def test_what_was_covered_then_is_asked_as_of_then(memory: Memory) -> None:
    """Promise 9: the past is as it was known."""
    said = memory.observe(LONG, role="user")
    over = memory.remember("The code.", kind="summary", sources=(said.id,), covers=(said.id,))
    memory.run(Retract(id=over.id))
    times = [shown(memory, id).recorded_at for id in (said.id, over.id)]

    packs = [memory.recall("", policy="recent", as_recorded=time) for time in times]

    assert [ids(pack) for pack in packs] == [[said.id], [over.id]]
    assert ids(memory.recall("", policy="recent")) == [said.id]


@requirement("records:version:equal")
def test_a_summary_that_covers_something_else_is_a_new_version(memory: Memory) -> None:
    """Equal is what says the same in every respect."""
    said = [memory.observe(f"{LONG} {n}", role="user").id for n in range(2)]

    def written(*covers: str) -> bool:
        fields = {"kind": "summary", "key": "s", "sources": tuple(said), "covers": covers}
        return memory.remember("Two codes.", **fields).known

    assert [written(), written(said[0]), written(said[0]), written(*said)] == [
        False, False, True, False,
    ]  # fmt: skip


@requirement("records:kind:procedure")
def test_a_procedure_does_not_rest_on_what_was_taken_back(memory: Memory) -> None:
    """Seed 1: named by the version that was taken back, or by the one that says so; also later."""
    first = memory.remember("Press, then turn.", key="how").id
    memory.remember("Press, turn.", key="p", kind="procedure", sources=(first,))
    memory.remember("Press, turn.", key="p", kind="procedure", sources=(first,),
                    status="retracted")  # fmt: skip
    back = memory.run(Retract(id=first)).id

    for source in (first, back):
        with refused(memory, "ungrounded_procedure", at="sources"):
            memory.remember("Press, turn.", key="p", kind="procedure", sources=(source,))
    said = memory.observe("It worked.", role="tool").id
    memory.remember("Press, turn.", key="p", kind="procedure", sources=(first, said))

    assert memory.history("p").items[-1].status == "active"
