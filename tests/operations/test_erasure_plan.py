"""Erasure, the first step: what would go is said, nothing goes, and only that plan can be done."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from muniment import Memory, StateHistory, StateSetTo
from tests.operations.seen import erased, refused, stated
from tests.requirements.marker import requirement


def rows(memory: Memory, **asked: Any) -> dict[str, int]:
    """The counts of a plan that are not zero."""
    return {table: count for table, count in memory.erase(**asked).counts.items() if count}


@requirement("erasure:plan:counts")
def test_a_plan_changes_nothing_and_says_what_would_go(memory: Memory, directory: Path) -> None:
    """Promise 8: first the counts and what rests on it, then a token, and no byte is touched."""
    event = memory.observe("The code of the door is 7731 today.", role="user").id
    copy = memory.remember("She said: the code of the door is 7731.", sources=(event,)).id
    other = memory.remember("There is a door.", sources=(event,)).id
    before, files = stated(memory), {path: path.read_bytes() for path in directory.iterdir()}

    plan = memory.erase(event=event)

    assert not plan.done
    assert plan.head == memory.verify().head
    assert plan.token
    assert {(each.id, each.follows, each.reason) for each in plan.dependents} == {
        (copy, True, "same_words"), (other, False, "cites"),
    }  # fmt: skip
    assert rows(memory, event=event) == {
        "content": 2,
        "experience": 1,
        "record": 1,
        "text_index": 2,
    }
    assert stated(memory) == before
    shared = {path for path in files if path.name.endswith("-shm")}
    assert all(path.read_bytes() == held for path, held in files.items() if path not in shared)


@requirement("erasure:plan:counts")
def test_what_is_done_is_what_was_planned(memory: Memory) -> None:
    """The second step answers the counts of the first, by the receipt of an event."""
    event = memory.observe("The code of the door is 7731 today.", role="user").id
    memory.remember("She said: the code of the door is 7731.", key="k", sources=(event,))
    plan = memory.erase(event=event)

    done = memory.erase(event=event, confirm=plan.token)

    assert done.done
    assert done.erased == plan.counts
    assert (done.pending, done.head) == (False, memory.verify().head)
    assert done.receipt is not None
    assert done.receipt.startswith("l")
    assert memory.verify().erased == plan.counts["content"]


@requirement("erasure:plan:wrong-token")
def test_a_token_is_good_for_its_request_at_its_head_alone(memory: Memory) -> None:
    """Promise 8: what was not planned is not done, and a plan of yesterday is none."""
    one = memory.observe("The first thing that was said.", role="user").id
    two = memory.observe("Another thing that was said.", role="user").id
    memory.observe("The first thing that was said.", role="user", scope="there")
    token = memory.erase(event=one).token
    elsewhere = memory.erase(event="e1", scope="there").token

    for asked in (
        {"event": two, "confirm": token}, {"all": True, "confirm": token},
        {"event": one, "with_dependents": True, "confirm": token},
        {"event": one, "confirm": ""}, {"event": one, "confirm": "0" * 32},
        {"event": "e1", "confirm": elsewhere}, {"event": one, "confirm": token[:-1] if token else ""},
        {"event": one, "confirm": memory.erase(event=two).token},
        {"all": True, "remove_file": True, "confirm": memory.erase(all=True).token},
    ):  # fmt: skip
        with refused(memory, "wrong_token", at="confirm"):
            memory.erase(**asked)
    memory.observe("Meanwhile.", role="user")
    with refused(memory, "wrong_token", at="confirm"):
        memory.erase(event=one, confirm=token)

    assert memory.verify().erased == 0
    erased(memory, event=one)


@requirement("erasure:plan:wrong-token")
def test_a_token_is_spent_by_what_it_does(memory: Memory) -> None:
    """Done once, the head has moved."""
    id = memory.observe("The first thing that was said.", role="user").id
    token = memory.erase(event=id).token
    memory.erase(event=id, confirm=token)

    with refused(memory, "wrong_token", at="confirm"):
        memory.erase(event=id, confirm=token)


@pytest.mark.parametrize(
    ("asked", "at"),
    [
        ({}, "event"), ({"with_dependents": True}, "event"), ({"event": "e1", "all": True}, "event"),
        ({"event": "e1", "record": "r2"}, "event"), ({"session": "s", "source": "f"}, "event"),
        ({"event": "e1", "remove_file": True}, "remove_file"),
        ({"session": "s", "remove_file": True}, "remove_file"),
    ],
    ids=str,
)  # fmt: skip
def test_one_thing_is_erased_at_a_time(memory: Memory, asked: dict[str, Any], at: str) -> None:
    """What is to go is named once, and a file goes only with all that is in it."""
    memory.observe("said", role="user", session="s", source="f")
    memory.remember("held")

    with refused(memory, "bad_shape", at=at):
        memory.erase(**asked)


@pytest.mark.parametrize("asked", [{"session": "no such"}, {"source": "no such"}, {"session": "S"}])
def test_a_session_or_source_that_is_not_here_is_not_found(
    memory: Memory, asked: dict[str, str]
) -> None:
    """Promise 7: names are compared exactly, and elsewhere is not here."""
    memory.observe("said", role="user", session="s", source="f")
    memory.observe("said", role="user", session="no such", source="no such", scope="there")

    with refused(memory, "not_found", at=next(iter(asked))):
        memory.erase(**asked)


@pytest.mark.parametrize("target", ["event", "record", "state"])
def test_what_is_erased_cannot_be_erased_again(memory: Memory, target: str) -> None:
    """There is nothing left to erase, and the answer says so."""
    memory.run(StateSetTo(key="k", value="Forget this."))
    id = {
        "event": memory.observe("Forget this.", role="user").id,
        "record": memory.remember("Forget this.").id,
        "state": memory.run(StateHistory(key="k")).items[0].id,
    }[target]
    asked = {"event" if target == "event" else "record": id}
    erased(memory, **asked)

    with refused(memory, "nothing_to_erase"):
        memory.erase(**asked)


def test_an_event_is_no_record_and_a_record_no_event(memory: Memory) -> None:
    """Each is named where it belongs."""
    event, record = memory.observe("said", role="user").id, memory.remember("held").id

    with refused(memory, "not_found", at="record"):
        memory.erase(record=event)
    with refused(memory, "not_found", at="event"):
        memory.erase(event=record)


@requirement("erasure:receipt:checked")
def test_the_answer_says_what_was_checked_and_what_was_not(memory: Memory) -> None:
    """Seed 2: an erasure does not promise what it cannot know."""
    id = memory.observe("said", role="user").id
    plan = memory.erase(event=id)

    done = memory.erase(event=id, confirm=plan.token)

    assert len(done.checked) > 3
    assert done.not_checked
    assert not set(done.checked) & set(done.not_checked)
    assert (plan.checked, plan.not_checked) == ((), ())


@requirement("erasure:plan:elsewhere")
def test_the_same_number_elsewhere_is_named_and_stays_unless_it_is_taken(memory: Memory) -> None:
    """A short secret is repeated without resting on what is erased; the person must hear of it."""
    said = memory.observe("My number is 123-45-6789.", role="user").id
    echo = memory.observe("Noted, 6789 at the end.", role="assistant", reply_to=said).id
    loose = memory.remember("Ann's number ends in 6789.").id
    other = memory.remember("Ann likes tea.").id

    plan = memory.erase(event=said)
    wide = memory.erase(event=said, with_dependents=True)
    memory.erase(event=said, with_dependents=True, confirm=wide.token)

    assert [(each.id, each.follows, each.reason) for each in plan.dependents] == [
        (echo, False, "same_number"), (loose, False, "same_number"),
    ]  # fmt: skip
    assert all(each.follows for each in wide.dependents)
    assert [item.id for item in memory.recall("Ann number 6789 tea").items] == [other]
