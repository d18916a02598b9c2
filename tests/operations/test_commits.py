"""Commits: several things at once or none of them, the head expected, and a command said twice."""

from __future__ import annotations

from typing import Any

import pytest

from muniment import Commit, Memory, Note, Remember, StateGet, StateHistory, StateSetTo, errors
from tests.operations.seen import erased, ids, refused, shown, stated

UNKNOWN = "e9-0123456789abcdef"
WRONG = (
    (Note(text=" "), "blank_text", "notes[1].text"),
    (Note(text="b", sources=(UNKNOWN,)), "not_found", "notes[1].sources[0]"),
    (Note(text="b", supersedes="r9"), "not_found", "notes[1].supersedes"),
    (Note(text="b", status="closed"), "bad_shape", "notes[1].status"),
    (Note(text="b", kind="procedure"), "ungrounded_procedure", "notes[1].sources"),
    (Note(text="b", key="tele"), "open_task_protected", "notes[1].kind"),
    (Note(text="b", key="mine"), "owner_differs", "notes[1].owner"),
    (Note(text="b", key="a"), "bad_shape", "notes[1].key"),
)


def test_what_a_commit_says_appears_together(memory: Memory) -> None:
    """Promise 2: one commit, one head, and everything in it is there."""
    before = memory.remember("before", key="b").head

    done = memory.run(
        Commit(
            notes=(Note(text="The lamp is on.", key="a"), Note(text="The lamp is red.", key="b")),
            state={"lamp": {"on": True}, "count": 1},
        )
    )

    assert [shown(memory, each.id).text for each in done.records] == [
        "The lamp is on.", "The lamp is red.",
    ]  # fmt: skip
    assert memory.run(StateGet(key="lamp")).value == {"on": True}
    assert done.state["count"] == memory.run(StateGet(key="count")).seq
    assert {each.head for each in done.records} == {done.head} == {memory.verify().head}
    assert done.head != before
    assert len(memory.recall("lamp").items) == 3


@pytest.mark.parametrize(("wrong", "code", "at"), WRONG, ids=[at for _, _, at in WRONG])
def test_one_wrong_record_takes_the_whole_commit_with_it(
    memory: Memory, wrong: Note, code: str, at: str
) -> None:
    """Promise 2: of a refused commit nothing shows, neither record nor state nor words."""
    memory.remember("Return it.", key="tele", kind="task")
    memory.remember("Mine.", key="mine", owner="user")

    with refused(memory, code, at=at):
        memory.run(Commit(notes=(Note(text="quagga", key="a"), wrong), state={"quagga": 1}))

    assert ids(memory.recall("quagga", policy="lexical")) == []
    assert memory.history("a").items == ()
    assert memory.run(StateGet(key="quagga")).seq is None


def test_a_wrong_state_value_takes_the_records_with_it(memory: Memory) -> None:
    """Promise 2: in the other direction too."""
    memory.remember("held")

    with refused(memory, "too_long", at="state.big"):
        memory.run(Commit(notes=(Note(text="quagga"),), state={"small": 1, "big": "x" * 65_536}))

    assert ids(memory.recall("quagga")) == []


def test_a_source_in_the_same_commit_is_no_source(memory: Memory) -> None:
    """Promise 3: evidence is earlier than what rests on it."""
    last = memory.remember("held")

    with refused(memory, "not_found", at="notes[1].sources[0]"):
        memory.run(Commit(notes=(Note(text="a"), Note(text="b", sources=(f"r{last.seq + 1}",)))))


def test_a_writer_who_expects_another_head_loses_and_nothing_of_it_shows(memory: Memory) -> None:
    """Promise 2: a lost race is told to the loser, who can read again and decide again."""
    seen = memory.remember("held", key="k").head
    winner = memory.remember("the winner", key="k")

    for request in (
        Remember(text="the loser", key="k", expect_head=seen),
        Commit(notes=(Note(text="the loser"),), expect_head=seen),
        StateSetTo(key="k", value="the loser", expect_head=seen),
        Remember(text="the loser", expect_head="0" * 64),
    ):
        with refused(memory, "head_moved", at="expect_head"):
            memory.run(request)
    with pytest.raises(errors.Conflict) as lost:
        memory.remember("the loser", expect_head=seen)

    assert winner.head in lost.value.detail
    assert ids(memory.recall("loser")) == []
    assert memory.remember("the next", key="k", expect_head=winner.head).supersedes == winner.id


def test_the_head_a_scope_begins_with_can_be_expected(memory: Memory) -> None:
    """The first writer of a scope may have seen it empty."""
    from muniment import Retract, Status

    first = memory.remember("held")
    memory.run(Retract(id=first.id, expect_head=first.head))

    with refused(memory, "head_moved", at="expect_head"):
        memory.remember("late", expect_head=first.head)
    assert memory.run(Status()).seq == 2


def test_recording_a_recall_lets_no_writer_lose(memory: Memory) -> None:
    """The head that a writer expects is that of the memory, which a recall does not move."""
    seen = memory.remember("held").head
    memory.recall("held", record=True)

    assert not memory.remember("next", expect_head=seen).known


@pytest.mark.parametrize(
    "request_",
    [
        Remember(text="held", key="k", command_key="c"),
        Commit(notes=(Note(text="a"), Note(text="b", key="k")), state={"s": 1}, command_key="c"),
        Commit(state={"s": 1, "t": [1, {"u": None}]}, command_key="c"),
        StateSetTo(key="s", value="held", command_key="c"),
    ],
    ids=["remember", "commit", "state of a commit", "state"],
)
def test_a_command_said_twice_is_answered_as_the_first_time(
    memory: Memory, request_: Remember | Commit | StateSetTo
) -> None:
    """Seed 1: a repeated command key returns the first answer, whatever happened since."""
    from msgspec.structs import replace

    first = memory.run(request_)
    memory.remember("meanwhile", key="k")
    memory.run(StateSetTo(key="s", value="meanwhile"))
    before = stated(memory)

    again = memory.run(request_)
    unexpected = memory.run(replace(request_, expect_head="0" * 64))

    assert unexpected == again
    assert again == known(first)
    assert stated(memory) == before


def known(answer: object) -> object:
    """The same answer, as one gives it the second time."""
    import msgspec

    plain = msgspec.to_builtins(answer)
    records = [{**each, "known": True} for each in plain.get("records", ())]
    told = {**plain, "known": True, **({"records": records} if "records" in plain else {})}
    return msgspec.convert(told, type(answer))


def test_a_command_key_is_for_one_command(memory: Memory) -> None:
    """Seed 1: with different content it is a conflict, and nothing is written."""
    memory.remember("held", key="k", command_key="c")

    for request in (
        Remember(text="other", key="k", command_key="c"),
        Remember(text="held", command_key="c"),
        Remember(text="held", key="k", kind="fact", command_key="c"),
        Commit(notes=(Note(text="held", key="k"), Note(text="more")), command_key="c"),
        Commit(notes=(Note(text="held", key="k"),), state={"a": 1}, command_key="c"),
        StateSetTo(key="k", value="held", command_key="c"),
    ):
        with refused(memory, "command_key_reused", at="command_key"):
            memory.run(request)


def test_a_command_key_belongs_to_its_scope(memory: Memory) -> None:
    """Promise 7: the same key elsewhere is another key."""
    here = memory.remember("held", scope="here", command_key="c")
    there = memory.remember("other", scope="there", command_key="c")

    assert not here.known
    assert not there.known


def test_a_partly_known_command_is_answered_in_its_order(memory: Memory) -> None:
    """What stood before and what was written come back in the order of the command."""
    stood = memory.remember("stood before", key="b")
    memory.run(StateSetTo(key="y", value=2))
    request = Commit(
        notes=(Note(text="new", key="a"), Note(text="stood before", key="b"), Note(text="last")),
        state={"x": 1, "y": 2},
        command_key="c",
    )

    first = memory.run(request)
    again = memory.run(request)

    assert [each.known for each in first.records] == [False, True, False]
    assert first.records[1].id == stood.id
    assert not first.known
    assert (again.known, again.head) == (True, first.head)
    assert [each.id for each in again.records] == [each.id for each in first.records]
    assert again.state == first.state


def test_a_wholly_known_command_is_remembered_too(memory: Memory) -> None:
    """The key stands for its command, also where that found everything standing already."""
    stood = memory.remember("stood before", key="k")

    first = memory.remember("stood before", key="k", command_key="c")
    memory.remember("meanwhile", key="k")
    again = memory.remember("stood before", key="k", command_key="c")

    assert (first.known, first.id) == (True, stood.id)
    assert (again.known, again.id, again.head) == (True, stood.id, first.head)
    with refused(memory, "command_key_reused", at="command_key"):
        memory.remember("something else", command_key="c")


@pytest.mark.parametrize("kind", ["remember", "commit", "state"])
def test_a_command_key_of_an_erased_write_recognises_it(memory: Memory, kind: str) -> None:
    """Promise 8: what comes with it does not count any more, and nothing comes back."""
    writes: dict[str, Any] = {
        "remember": lambda: memory.remember("Forget me.", key="k", command_key="c"),
        "commit": lambda: memory.run(Commit(notes=(Note(text="Forget me."),), command_key="c")),
        "state": lambda: memory.run(StateSetTo(key="k", value="Forget me.", command_key="c")),
    }
    first = writes[kind]()
    id = first.records[0].id if kind == "commit" else getattr(first, "id", None)
    erased(memory, record=id or memory.run(StateHistory(key="k")).items[0].id)
    before = stated(memory)

    again = [
        memory.run(Commit(notes=(Note(text="Forget me."),), command_key="c")).known,
        memory.run(Commit(notes=(Note(text="Anything."),), command_key="c")).known,
        memory.run(StateSetTo(key="k", value="Forget me.", command_key="c")).known,
    ]

    assert again == [True, True, True]
    assert stated(memory) == before
    if kind == "state":
        with refused(memory, "command_key_reused", at="command_key"):
            memory.remember("Anything.", command_key="c")
    else:
        assert memory.remember("Anything.", command_key="c").id == id
    assert memory.recall("forget anything").items == ()
