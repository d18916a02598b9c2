"""As of a past moment: what was known then, and what held then."""

from __future__ import annotations

import pytest

from muniment import Around, Close, History, Memory, Retract, Show, Thread, errors
from tests.conftest import START_MS
from tests.operations.seen import erased
from tests.requirements.marker import requirement

DAY_MS = 86_400_000


def texts(memory: Memory, query: str, **moment: int) -> list[str]:
    """What a recall shows."""
    return [item.text for item in memory.recall(query, **moment).items]


def recorded(memory: Memory, id: str) -> int:
    """When a thing was recorded, in milliseconds."""
    at = memory.run(Show(id=id)).items[0].recorded_at
    return START_MS + round(_seconds(at) * 1000)


def _seconds(at: str) -> float:
    minutes, seconds = at[14:-1].split(":")
    return int(minutes) * 60 + float(seconds)


@requirement("recall:past:recorded", "recall:as-of:recorded")
def test_a_recall_of_the_past_does_not_know_the_correction(memory: Memory) -> None:
    """The design: later versions and endings do not count."""
    first = memory.remember("The gate opens with 5512.", key="gate")
    second = memory.remember("The gate opens with 7731.", key="gate")
    task = memory.remember("Oil the gate.", key="oil", kind="task")
    closed = memory.run(Close(id=task.id))

    moments = [recorded(memory, each.id) for each in (first, second, task, closed)]
    found = [texts(memory, "gate", as_recorded=moment) for moment in moments]

    assert texts(memory, "gate", as_recorded=moments[0] - 1) == []
    assert found[0] == ["The gate opens with 5512."]
    assert found[1] == ["The gate opens with 7731."]
    assert found[2] == ["Oil the gate.", "The gate opens with 7731."]
    assert sorted(found[3]) == sorted(texts(memory, "gate"))
    past = memory.recall("gate", as_recorded=moments[0]).trace
    assert past.caveats == ("present_statistics",)
    assert memory.recall("gate").trace.caveats == ()


@requirement("recall:past:recorded")
def test_show_history_thread_and_context_end_at_the_moment(memory: Memory) -> None:
    """The design: recorded time on every answer."""
    one = memory.observe("One.", role="user", thread="t")
    two = memory.observe("Two.", role="user", thread="t")
    first = memory.remember("First.", key="k")
    second = memory.remember("Second.", key="k")
    early, late = recorded(memory, one.id), recorded(memory, first.id)

    assert [i.text for i in memory.run(Thread(thread="t", as_recorded=early)).items] == ["One."]
    assert [i.text for i in memory.run(Around(id=one.id, as_recorded=early)).items] == ["One."]
    assert [i.text for i in memory.run(History(key="k", as_recorded=late)).items] == ["First."]
    assert memory.run(Show(id=first.id, as_recorded=late)).items[0].standing == "current"
    assert memory.run(Show(id=first.id)).items[0].standing == "superseded"
    for id in (two.id, second.id):
        with pytest.raises(errors.NotFound):
            memory.run(Show(id=id, as_recorded=early))


@requirement("recall:past:limits")
def test_later_things_take_no_place_in_the_limit(memory: Memory) -> None:
    """The design: retrievers filter before the limit."""
    first = memory.observe("The telescope is in the attic.", role="user")
    moment = recorded(memory, first.id)
    for number in range(80):
        memory.observe(f"Telescope telescope telescope {number}.", role="user")

    assert texts(memory, "telescope", as_recorded=moment) == ["The telescope is in the attic."]


@requirement("recall:past:valid")
def test_a_record_holds_in_its_window_alone(memory: Memory) -> None:
    """Seed 2: valid time is judged apart from the time of writing."""
    begin, end = START_MS - 10 * DAY_MS, START_MS - 5 * DAY_MS
    memory.remember("Ann lives in Oslo.", key="old", valid_from=begin, valid_to=end)
    memory.remember("Ann lives in Bergen.", key="new", valid_from=end)

    assert texts(memory, "Ann lives", as_of=begin - 1) == []
    assert texts(memory, "Ann lives", as_of=begin) == ["Ann lives in Oslo."]
    assert texts(memory, "Ann lives", as_of=end - 1) == ["Ann lives in Oslo."]
    assert texts(memory, "Ann lives", as_of=end) == ["Ann lives in Bergen."]
    assert texts(memory, "Ann lives") == ["Ann lives in Bergen."]


@requirement("recall:past:valid")
def test_what_was_said_later_is_no_evidence_of_then(memory: Memory) -> None:
    """The design: experience counts from when it was said, whenever it was taken in."""
    memory.observe("The club meets on Monday.", role="user", at=START_MS - 9 * DAY_MS)
    memory.observe("The club meets on Friday.", role="user", at=START_MS - 2 * DAY_MS)

    found = texts(memory, "club meets", as_of=START_MS - 5 * DAY_MS)

    assert found == ["The club meets on Monday."]


@requirement("recall:past:erased")
def test_an_erased_thing_was_never_there_to_be_read(memory: Memory) -> None:
    """Promise 8: nothing comes back, also not by asking about the past."""
    said = memory.observe("The code is 5512.", role="user")
    moment = recorded(memory, said.id)

    erased(memory, event=said.id)

    assert texts(memory, "code", as_recorded=moment) == []
    assert memory.run(Show(id=said.id, as_recorded=moment)).items[0].standing == "erased"


@requirement("erasure:target:session")
def test_a_session_and_a_source_are_erased_whole(memory: Memory) -> None:
    """CONTRACT: `--session` and `--source` reach every event of theirs, and nothing else."""
    for number in range(3):
        memory.observe(f"In the session {number}.", role="user", session="s1", source="a.md")
    other = memory.observe("Of the file alone.", role="user", source="a.md")
    kept = memory.observe("Of neither.", role="user", session="s2")

    assert erased(memory, session="s1").erased["content"] == 3
    assert memory.run(Show(id=other.id)).items[0].standing == "current"
    assert erased(memory, source="a.md").erased["content"] == 1
    assert memory.run(Show(id=kept.id)).items[0].standing == "current"
    for named in ({"session": "nobody"}, {"source": "nothing"}):
        with pytest.raises(errors.NotFound):
            memory.erase(**named)


@requirement("recall:as-of:versions")
def test_a_version_holds_until_the_next_one_begins(memory: Memory) -> None:
    """A correction that says from when it holds leaves what held before it, and only before it."""
    fields = {"key": "door-code", "kind": "fact"}
    old = memory.remember("The door code is 5512.", valid_from="2026-01-10T00:00Z", **fields)
    new = memory.remember("The door code is 7731.", valid_from="2026-03-14T00:00Z", **fields)

    def held(moment: str) -> list[str]:
        return [item.id for item in memory.recall("door code", as_of=moment).items]

    assert held("2026-01-09T23:59Z") == []
    assert held("2026-01-10T00:00Z") == [old.id]
    assert held("2026-03-13T23:59Z") == [old.id]
    assert held("2026-03-14T00:00Z") == [new.id]
    before, _ = memory.run(History(key="door-code", as_of="2026-02-01T00:00Z")).items
    assert before.standing == "current"


@requirement("recall:as-of:versions")
def test_a_correction_for_later_leaves_what_holds_now(memory: Memory) -> None:
    """What was written first stands until then, also without anybody asking for a moment."""
    old = memory.remember("The rent is 900.", key="rent", kind="fact")
    new = memory.remember("The rent is 950.", key="rent", kind="fact", valid_from=1 << 42)

    assert [item.id for item in memory.recall("rent").items] == [old.id]
    assert [item.id for item in memory.recall("rent", as_of=(1 << 42)).items] == [new.id]
    retracted = memory.run(Retract(id=new.id))
    assert memory.recall("rent", as_of=(1 << 42)).items == ()
    assert retracted.supersedes == new.id


@requirement("recall:as-of:recorded")
@pytest.mark.parametrize("field", ["require", "pin"])
def test_what_was_not_known_then_cannot_be_required(memory: Memory, field: str) -> None:
    """It is an unknown id, as it was at that moment, and not dropped without a word."""
    id = memory.observe("The lamp is red.", role="user").id

    with pytest.raises(errors.NotFound) as raised:
        memory.recall("lamp", as_recorded="2000-01-01T00:00Z", **{field: (id,)})

    assert raised.value.at == field


@requirement("ledger:verify:as-of")
def test_verify_says_how_much_there_was_and_where_the_head_stood(memory: Memory) -> None:
    """The design: recorded time on every answer; each past head is the one that was answered."""
    one = memory.observe("One.", role="user")
    first = memory.remember("First.", key="k")
    memory.recall("first", record=True)
    second = memory.remember("Second.", key="k")
    now = memory.verify()

    found = [memory.verify(as_recorded=recorded(memory, each.id)) for each in (one, first, second)]

    assert [each.head for each in found] == [one.head, first.head, second.head]
    assert [(each.events, each.commits, each.seq) for each in found] == [
        (1, 2, 1),
        (2, 3, 2),
        (3, 4, 3),
    ]
    assert [each.receipts for each in found] == [0, 0, 1]
    assert found[2] == now
    before = memory.verify(as_recorded=START_MS - DAY_MS)
    assert (before.ok, before.events, before.commits, before.head) == (True, 0, 0, None)
