"""Open tasks: nothing but a task write takes the place of one, however it is tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from muniment import Close, Commit, Memory, Note, Rebuild, Recall, Retract, Tasks, errors
from tests.operations.seen import erased, ids, needed, refused, shown
from tests.operations.test_standing import At
from tests.requirements.marker import requirement

TEXT = "Return the telescope to Mira."
OTHERS = (
    "note", "fact", "procedure", "summary", "story", "belief", "intention",
    "requirement", "appraisal", "proposal",
)  # fmt: skip


@requirement("records:protect:open-task")
@pytest.mark.parametrize("kind", OTHERS)
def test_no_other_kind_replaces_an_open_task(memory: Memory, kind: str) -> None:
    """Seed 1, typed writes: ordinary writes cannot silently overwrite an open task."""
    said = memory.observe("Never mind.", role="user", collection="apart").id
    task = memory.remember(TEXT, key="tele", kind="task")

    for status in ({}, {"status": "retracted"}) if kind != "proposal" else ({},):
        with refused(memory, "open_task_protected", at="kind"):
            memory.remember("Never mind.", key="tele", kind=kind, sources=(said,), **needed(kind, said),
                            **status)  # fmt: skip

    assert [item.text for item in memory.recall("nothing of it").items] == [TEXT]
    assert shown(memory, task.id).standing == "current"


@requirement("records:protect:open-task")
@pytest.mark.parametrize("owner", ["user", "agent"])
@pytest.mark.parametrize("kind", ["task", "note"])
def test_no_other_owner_replaces_an_open_task(memory: Memory, kind: str, owner: str) -> None:
    """Seed 1, typed writes: also not with a task write, because the key is not theirs."""
    memory.remember(TEXT, key="tele", kind="task")

    with refused(memory, "owner_differs", at="owner"):
        memory.remember("Never mind.", key="tele", kind=kind, owner=owner)
    if kind == "task":
        with refused(memory, "owner_differs", at="owner"):
            memory.remember(TEXT, key="tele", kind=kind, owner=owner, status="closed")


@requirement("records:protect:by-id")
@pytest.mark.parametrize("key", ["tele", None])
@pytest.mark.parametrize("short", [True, False])
def test_an_open_task_is_protected_where_it_is_named_by_id(
    memory: Memory, key: str | None, short: bool
) -> None:
    """Seed 1, typed writes: the way to a task does not change what may replace it."""
    task = memory.remember(TEXT, key=key, kind="task")
    named = task.id.split("-")[0] if short else task.id

    with refused(memory, "open_task_protected", at="kind"):
        memory.remember("Never mind.", key=key, supersedes=named)
    with refused(memory, "open_task_protected" if key is None else "supersedes_other",
                 at="kind" if key is None else "supersedes"):  # fmt: skip
        memory.remember("Never mind.", key="other", supersedes=named)
    if key is not None:
        with refused(memory, "supersedes_other", at="supersedes"):
            memory.remember("Never mind.", supersedes=named)


@requirement("records:protect:open-task")
def test_a_commit_of_several_does_not_replace_an_open_task(memory: Memory) -> None:
    """Promise 2: what is refused takes the rest of its commit with it."""
    task = memory.remember(TEXT, key="tele", kind="task")
    close = Note(text=TEXT, key="tele", kind="task", status="closed")
    write = Note(text="Never mind.", key="tele")

    with refused(memory, "open_task_protected", at="notes[1].kind"):
        memory.run(Commit(notes=(Note(text="Before."), write), state={"k": 1}))
    with refused(memory, "bad_shape", at="notes[1].key"):
        memory.run(Commit(notes=(close, write)))
    with refused(memory, "bad_shape", at="notes[1].key"):
        memory.run(Commit(notes=(write, close)))
    assert ids(memory.recall("before never mind")) == [task.id]


@requirement("records:protect:open-task")
def test_a_newer_version_of_an_open_task_is_protected_like_the_first(memory: Memory) -> None:
    """Seed 1: protection is of the task, not of the text it began with."""
    first = memory.remember(TEXT, key="tele", kind="task")
    second = memory.remember("Return it today.", key="tele", kind="task")

    with refused(memory, "open_task_protected", at="kind"):
        memory.remember("Never mind.", key="tele")
    with refused(memory, "supersedes_other", at="supersedes"):
        memory.remember("Never mind.", key="tele", supersedes=first.id)
    assert ids(memory.recall("anything")) == [second.id]


@requirement("records:protect:task-write")
@pytest.mark.parametrize("key", ["tele", None])
def test_a_task_write_replaces_closes_and_retracts(memory: Memory, key: str | None) -> None:
    """Seed 1: whoever writes a task says what becomes of the task."""

    def write(text: str, before: str | None, status: str) -> str:
        named = None if key else before
        return memory.remember(text, key=key, kind="task", status=status, supersedes=named).id

    opened = write(TEXT, None, "open")
    changed = write("Return it today.", opened, "open")
    closed = write("Returned.", changed, "closed")
    opened_again = write("Return it once more.", closed, "open")
    retracted = write("Keep it.", opened_again, "retracted")

    versions = [shown(memory, id) for id in (opened, changed, closed, opened_again, retracted)]
    assert [item.status for item in versions] == ["open", "open", "closed", "open", "retracted"]
    assert [item.standing for item in versions] == ["superseded"] * 4 + ["retracted"]


@requirement("records:protect:task-write")
@pytest.mark.parametrize("kind", ["note", "fact", "story"])
@pytest.mark.parametrize("status", ["closed", "retracted"])
def test_a_task_that_is_over_is_replaced_by_anything(
    memory: Memory, status: str, kind: str
) -> None:
    """Protection lasts as long as the task is open."""
    memory.remember(TEXT, key="tele", kind="task")
    over = memory.remember(TEXT, key="tele", kind="task", status=status)

    after = memory.remember("It is back.", key="tele", kind=kind)

    assert after.supersedes == over.id


@requirement("records:close:task")
@pytest.mark.parametrize("key", ["tele", None])
def test_closing_a_task_keeps_its_text_and_it_is_no_longer_open(
    memory: Memory, key: str | None
) -> None:
    """Seed 1: closing is a version like any other."""
    task = memory.remember(TEXT, key=key, kind="task", about="Mira", metadata='{"a":1}')
    assert ids(memory.recall("anything")) == [task.id]

    closed = memory.run(Close(id=task.id.split("-")[0]))

    item = shown(memory, closed.id)
    assert (item.text, item.status, item.about, item.metadata) == (
        TEXT,
        "closed",
        "Mira",
        '{"a":1}',
    )
    assert (item.key, item.supersedes) == (key, task.id)
    assert ids(memory.recall("anything")) == []
    assert memory.recall("telescope").items[0].id == closed.id


def test_closing_and_retracting_can_expect_a_head(memory: Memory) -> None:
    """A lost race is told to the loser."""
    task = memory.remember(TEXT, kind="task")
    memory.observe("Meanwhile.", role="user")

    with refused(memory, "head_moved", at="expect_head"):
        memory.run(Close(id=task.id, expect_head=task.head))
    with refused(memory, "head_moved", at="expect_head"):
        memory.run(Retract(id=task.id, expect_head=task.head))


@requirement("erasure:return:predecessor")
def test_the_key_of_an_erased_task_is_free(memory: Memory) -> None:
    """Promise 8: nothing is left of it that could be protected; a new write supersedes it."""
    task = memory.remember(TEXT, key="tele", kind="task")
    erased(memory, record=task.id)

    written = memory.remember("The telescope is ours.", key="tele")

    assert written.supersedes == task.id
    assert ids(memory.recall("telescope")) == [written.id]


@requirement("recall:tasks:guaranteed")
def test_every_open_task_is_in_a_balanced_pack(memory: Memory) -> None:
    """Promise 4: they come first, oldest first, whatever is asked and however good the rest is."""
    tasks = [memory.remember(f"Errand {n}.", key=f"t{n}", kind="task").id for n in range(5)]
    for number in range(20):
        memory.remember(f"The garden gate {number}.", key=f"n{number}")
    memory.run(Close(id=tasks.pop(2)))

    for question in ("garden gate", "zzz", "", "errand"):
        pack = memory.recall(question)
        assert ids(pack)[:4] == tasks
        assert all("open_tasks" in item.reasons for item in pack.items[:4])
    narrow = memory.recall("garden gate", items_max=4)
    assert ids(narrow) == tasks


@requirement("recall:tasks:guaranteed")
def test_a_task_that_is_put_off_is_shown_from_then_on(directory: Path) -> None:
    """A new version takes the old one's place at once, also where it holds from later on only."""
    now = At(1_000)
    with Memory.open(directory, clock=now) as memory:
        first = memory.remember(TEXT, key="tele", kind="task").id
        later = memory.remember(TEXT, key="tele", kind="task", valid_from=2_000).id

        before = [shown(memory, first).standing, ids(memory.recall("telescope")),
                  ids(memory.recall("zzz")), ids(memory.run(Tasks()))]  # fmt: skip
        now.ms = 2_000
        after = ids(memory.recall("zzz"))
        memory.run(Rebuild())

        assert before == ["superseded", [], [], [later]]
        assert after == ids(memory.recall("zzz")) == [later]
        assert memory.verify().faults == ()


@requirement("recall:budget:required")
@pytest.mark.parametrize("budget", [{"items_max": 2}, {"bytes_max": 200}])
def test_open_tasks_that_do_not_fit_are_an_overflow(memory: Memory, budget: dict[str, int]) -> None:
    """Promise 4: what must be shown and does not fit is an explicit overflow, never a cut."""
    tasks = [memory.remember(f"Errand {n} of the day.", kind="task").id for n in range(3)]

    with pytest.raises(errors.Overflow) as caught:
        memory.run(Recall(query="garden", **budget))

    assert caught.value.code == "pack_overflow"
    assert tasks[2] in caught.value.detail
    assert memory.recall("garden", policy="lexical", **budget).items == ()
