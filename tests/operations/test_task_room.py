"""Room for tasks: what was accepted as open is shown by every recall that asks for no less."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from muniment import (
    Close,
    Commit,
    Memory,
    Note,
    Rebuild,
    Recall,
    Retract,
    Tasks,
    errors,
)
from muniment.model.record import Remembered
from tests.operations.seen import erased, ids, refused
from tests.requirements.marker import requirement

ITEMS, BYTES = 16, 8_192


def opened(memory: Memory, number: int, **fields: object) -> list[str]:
    """So many short open tasks."""
    return [
        memory.remember(f"Errand {n}.", key=f"t{n}", kind="task", **fields).id
        for n in range(number)
    ]


def longest(remember: Callable[[str], Remembered], most: int = BYTES) -> int:
    """The length of the longest text that `remember` accepts; found by halving, then written."""
    low, high = 1, most
    while low < high:
        middle = (low + high + 1) // 2
        try:
            remember("x" * middle)
        except errors.TasksFull:
            high = middle - 1
        else:
            low = middle
    return low


@requirement("records:protect:capacity")
def test_sixteen_open_tasks_are_taken_and_no_more(memory: Memory) -> None:
    """Seed 1: capacity is checked when a task is opened, and closing one makes room."""
    tasks = opened(memory, ITEMS)

    with refused(memory, "tasks_full", at="text"):
        memory.remember("One too many.", kind="task")
    assert ids(memory.recall("anything")) == tasks
    memory.run(Close(id=tasks[3]))
    last = memory.remember("One more.", kind="task").id

    assert ids(memory.recall("anything")) == [*tasks[:3], *tasks[4:], last]


@requirement("records:protect:capacity")
@pytest.mark.parametrize(
    ("text", "key"),
    [("a", None), ("a", "k"), ("é", "ключ"), ("🎉", "a: (b)"), ("a\n", "k"), ("a\x85", None),
     ("<muniment", "k"), ("日", "<muniment-recall>")],
    ids=ascii,
)  # fmt: skip
def test_the_bytes_of_open_tasks_are_counted_as_a_pack_has_them(
    memory: Memory, text: str, key: str | None
) -> None:
    """Promise 4: measured on what is really handed over, to the byte."""
    for number in range(40):  # so that all ids that follow have as many digits
        memory.observe(f"{number}", role="user")
    memory.remember("Return the telescope.", kind="task")
    kept = memory.remember("x", kind="task", key=key)

    def written(filler: str) -> Remembered:
        """A new version of the same task, so much longer."""
        nonlocal kept
        said = f"{text * 40}{filler}"
        named = kept.id if key is None else None
        kept = memory.remember(said, kind="task", key=key, supersedes=named)
        return kept

    size = longest(written)

    with refused(memory, "tasks_full", at="text"):
        written("x" * (size + 1))
    pack = memory.recall("anything")
    assert (len(pack.items), pack.bytes) == (2, BYTES)
    assert memory.recall("anything", policy="tasks").bytes == BYTES


@requirement("records:protect:capacity")
def test_a_text_that_no_pack_holds_is_no_open_task(memory: Memory) -> None:
    """A note of that length is one that can be shown by its passages; a task is shown whole."""
    memory.remember("Before.")

    with refused(memory, "tasks_full", at="text"):
        memory.remember("x" * BYTES, kind="task")
    assert not memory.remember("x" * BYTES).known
    assert not memory.remember("x" * BYTES, kind="task", status="closed").known


@requirement("records:protect:capacity")
def test_whichever_way_a_task_is_opened_it_must_fit(memory: Memory) -> None:
    """Opening again, lengthening, changing the kind, naming by id, and several at once."""
    over = memory.remember("Long ago.", key="over", kind="task", status="closed")
    note = memory.remember("A thought.", key="note")
    bare = memory.remember("A thought without a key.")
    tasks = opened(memory, ITEMS)

    with refused(memory, "tasks_full", at="text"):
        memory.remember("Long ago.", key="over", kind="task", status="open")
    with refused(memory, "tasks_full", at="text"):
        memory.remember("Do it.", supersedes=over.id, key="over", kind="task")
    with refused(memory, "tasks_full", at="text"):
        memory.remember("Do it.", key="note", kind="task")
    with refused(memory, "tasks_full", at="text"):
        memory.remember("Do it.", supersedes=bare.id, kind="task")
    with refused(memory, "tasks_full", at="text"):
        memory.remember("x" * 8_000, key="t3", kind="task")
    with refused(memory, "tasks_full", at="text"):
        memory.remember("Errand.", key=None, kind="task", valid_from=4_000_000_000_000)

    assert note.supersedes is None
    assert ids(memory.recall("anything")) == tasks


@requirement("records:protect:capacity")
def test_all_that_a_commit_opens_is_counted_together(memory: Memory) -> None:
    """Promise 2: a commit is accepted or refused as a whole, with what it closes."""
    opened(memory, ITEMS - 1)
    two = tuple(Note(text=f"New {n}.", key=f"n{n}", kind="task") for n in range(2))
    done = Note(text="Errand 4.", key="t4", kind="task", status="closed")

    with refused(memory, "tasks_full", at="notes[2].text"):
        memory.run(Commit(notes=(Note(text="A thought."), *two)))
    with refused(memory, "tasks_full", at="notes[1].text"):
        memory.run(Commit(notes=tuple(Note(text="x" * 4_000, key=f"n{n}", kind="task")
                                      for n in range(2))))  # fmt: skip
    memory.run(Commit(notes=(*two, done)))

    assert len(memory.recall("anything").items) == ITEMS


@requirement("records:protect:capacity")
def test_a_full_scope_can_still_be_written_to(memory: Memory) -> None:
    """What takes no more room is accepted: an equal write, a shorter one, and everything else."""
    tasks = opened(memory, ITEMS)

    assert memory.remember("Errand 5.", key="t5", kind="task").known
    memory.remember("Err 5.", key="t5", kind="task")
    memory.remember("The telescope is heavy.")
    memory.observe("Where is it?", role="user")
    memory.run(Retract(id=tasks[0]))

    assert len(memory.recall("anything").items) == ITEMS - 1


@requirement("records:protect:capacity")
def test_what_becomes_of_the_sources_of_a_task_cannot_make_it_too_long(memory: Memory) -> None:
    """An answer labels a task by its sources; the room for that is kept from the beginning."""
    said = memory.observe("Bring it back.", role="user").id
    sources = [said, *(memory.remember(f"Reason {n}.", key=f"s{n}").id for n in range(3))]
    number = 0

    def written(text: str) -> Remembered:
        nonlocal number
        number += 1
        return memory.remember(text, key="t", kind="task", sources=tuple(sources))

    longest(written)
    before = memory.recall("anything", items_max=1)
    memory.remember("Another reason.", key="s0")
    memory.run(Retract(id=sources[2]))
    erased(memory, record=sources[3])
    erased(memory, event=said)
    after = memory.recall("anything", items_max=1)

    assert before.bytes < after.bytes <= BYTES
    assert set(after.items[0].labels) == {
        "source_superseded", "source_retracted", "source_erased",
    }  # fmt: skip


@requirement("records:protect:capacity")
def test_a_task_past_its_time_keeps_its_room_until_it_is_closed(memory: Memory) -> None:
    """So a question about any moment can be answered; a recall with history shows what fits."""
    past = [memory.remember(f"Was due {n}.", kind="task", valid_to=1 + n).id for n in range(ITEMS)]

    with refused(memory, "tasks_full", at="text"):
        memory.remember("Due now.", kind="task")
    assert memory.recall("anything").items == ()
    assert ids(memory.run(Recall(query="anything", as_of=0))) == past
    assert len(memory.recall("due", history=True, items_max=3).items) == 3
    memory.run(Close(id=past[0]))
    due = memory.remember("Due now.", kind="task").id

    assert ids(memory.recall("anything")) == [due]
    assert ids(memory.recall("anything", history=True, items_max=1)) == [due]


@requirement("records:protect:capacity", "recall:budget:required")
def test_only_a_smaller_budget_than_the_scopes_own_can_overflow(memory: Memory) -> None:
    """Promise 4: a budget of one call is that call's own affair, and the overflow names them."""
    tasks = opened(memory, ITEMS)

    with pytest.raises(errors.PackOverflow) as caught:
        memory.recall("anything", items_max=ITEMS - 1)

    assert tasks[-1] in caught.value.detail
    assert len(memory.run(Tasks(limit=5)).items) == 5
    assert ids(memory.recall("", policy="tasks", require=(tasks[7],), items_max=1)) == [tasks[7]]


@requirement("records:protect:capacity")
def test_an_erasure_makes_room_and_a_rebuild_asks_nobody(memory: Memory) -> None:
    """Promise 1 and 8: what stands in the ledger has been accepted."""
    tasks = opened(memory, ITEMS)
    memory.run(Rebuild())
    erased(memory, record=tasks[0])

    memory.remember("One more.", kind="task")
    memory.run(Rebuild())

    assert len(memory.recall("anything").items) == ITEMS
    assert memory.verify().faults == ()


@requirement("records:protect:capacity")
@pytest.mark.parametrize("seed", range(4))
def test_whatever_was_accepted_a_plain_recall_shows(directory: Path, seed: int) -> None:
    """Random texts, keys, sources and ends: no plain recall of any kind ever overflows."""
    draw = random.Random(seed)
    with Memory.open(directory, entropy=random.Random(seed).randbytes) as memory:
        things = [memory.observe("Once.", role="user").id]
        full = 0
        for _ in range(120):
            text = draw.choice("aé\n🎉日") * draw.choice((1, 9, 99, 999))
            key = draw.choice((None, *"abcdefghijklmnopqrstuvw"))
            sources = tuple(dict.fromkeys(draw.choices(things, k=draw.randint(0, 3))))
            kind = draw.choice(("task", "task", "task", "note"))
            try:
                if draw.random() < 0.8:
                    things.append(memory.remember("x" + text, key=key, kind=kind,
                                                  sources=sources).id)  # fmt: skip
                else:
                    memory.run(draw.choice((Close, Retract))(id=draw.choice(things)))
            except errors.TasksFull:
                full += 1
            except errors.MunimentError:
                pass
            policy = draw.choice(("balanced", "hybrid", "semantic", "tasks"))
            pack = memory.recall("once", policy=policy, history=draw.random() < 0.3)
            assert pack.bytes <= BYTES

        assert full > 5
