"""The context of an event: what stands before and after it, above it and under it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from muniment import Around, Memory
from tests.conftest import Clock
from tests.operations.seen import erased, refused
from tests.requirements.marker import requirement


def around(memory: Memory, id: str, before: int, after: int) -> list[tuple[str, str]]:
    """What stands around an event: its text and how it hangs together, in order."""
    items = memory.run(Around(id=id, before=before, after=after)).items
    assert [item.seq for item in items] == sorted({item.seq for item in items})
    return [(item.text, item.labels[-1]) for item in items]


@requirement("experience:context:around")
@pytest.mark.parametrize(("before", "after"), [(0, 0), (1, 0), (0, 2), (3, 3), (100, 100)])
def test_as_many_as_asked_stand_before_and_after(memory: Memory, before: int, after: int) -> None:
    """Seed 2: a bounded piece of the thread, and of this thread alone."""
    said = []
    for number in range(11):
        said.append(memory.observe(f"a{number}", role="user", thread="a").id)
        memory.observe(f"b{number}", role="user", thread="b")

    found = around(memory, said[5], before, after)

    texts = [f"a{number}" for number in range(max(0, 5 - before), min(11, 6 + after))]
    assert [text for text, _ in found] == texts
    assert dict(found)["a5"] == "anchor"
    assert {label for text, label in found if text < "a5" and text != "a10"} <= {"before"}


@requirement("experience:context:around", "experience:links:tool-result")
def test_parent_children_and_answers_stand_around_it_and_none_twice(memory: Memory) -> None:
    """Seed 2: a tool result names its tool call, and each is found from the other."""
    above = memory.observe("above", role="user", thread="elsewhere").id
    question = memory.observe("question", role="user", thread="t").id
    call = memory.observe(
        "call", role="assistant", type="tool_call", thread="t", parent=above, reply_to=question
    ).id
    result = memory.observe("result", role="tool", type="tool_result", thread="t", parent=call).id
    memory.observe("far", role="user", thread="t")
    memory.observe("answer", role="assistant", thread="u", reply_to=call)

    of_call = around(memory, call, 0, 0)
    of_result = around(memory, result, 0, 0)

    assert of_call == [
        ("above", "parent"), ("question", "answered"), ("call", "anchor"),
        ("result", "child"), ("answer", "reply"),
    ]  # fmt: skip
    assert of_result == [("call", "parent"), ("result", "anchor")]
    assert [text for text, _ in around(memory, call, 5, 5)] == [
        "above", "question", "call", "result", "far", "answer",
    ]  # fmt: skip


@requirement("experience:context:around")
def test_an_event_without_a_thread_has_no_neighbours(memory: Memory) -> None:
    """Neighbours are those of a conversation."""
    memory.observe("before", role="user")
    id = memory.observe("alone", role="user").id
    memory.observe("after", role="user")

    assert around(memory, id, 5, 5) == [("alone", "anchor")]


def test_an_erased_event_keeps_its_links_and_no_words(memory: Memory) -> None:
    """Promise 8: the hole is in view where it was."""
    question = memory.observe("question", role="user", thread="t").id
    memory.observe("answer", role="assistant", thread="t", reply_to=question)
    erased(memory, event=question)

    assert around(memory, question, 5, 5) == [("", "anchor"), ("answer", "reply")]


@pytest.mark.parametrize(
    ("field", "value"), [("before", -1), ("after", -1), ("before", 101), ("after", 101)]
)
def test_a_context_is_bounded(memory: Memory, field: str, value: int) -> None:
    """More than 100 is a thread and no context."""
    id = memory.observe("said", role="user").id

    with refused(memory, "bad_shape", at=field):
        memory.run(Around(id=id, **{field: value}))


def test_a_record_has_no_context(memory: Memory) -> None:
    """A record stands by its sources, not by its neighbours."""
    id = memory.remember("held").id

    with refused(memory, "not_found", at="id"):
        memory.run(Around(id=id))


@contextmanager
def steps() -> Iterator[list[int]]:
    """Counts, on every connection that is opened inside, the steps of the engine's machine."""
    counted = [0]

    def step() -> bool:
        counted[0] += 1
        return False

    def watch(connection: apsw.Connection) -> None:
        connection.set_progress_handler(step, 1)

    apsw.connection_hooks.append(watch)
    try:
        yield counted
    finally:
        apsw.connection_hooks.remove(watch)


@requirement("experience:context:time")
def test_the_work_of_a_context_does_not_grow_with_its_thread(
    memory: Memory, directory: Path, clock: Clock
) -> None:
    """Seed 2: counted in the engine's own steps, which are the same on every machine."""
    taken = []
    for size in (20, 100, 500):
        said = [memory.observe("a", role="user", thread=f"of {size}").id for _ in range(size)]
        with steps() as counted, Memory.open(directory, clock=clock) as fresh:
            assert len(fresh.run(Around(id=said[size // 2], before=5, after=5)).items) == 11
        taken.append(counted[0])

    assert taken[0] > 100
    assert max(taken) - min(taken) < 20
