"""Commits: all or nothing, against an expected head, and once however often they are sent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from muniment import Commit, Erase, History, Memory, Note, Remember, Show, StateGet, StateSetTo
from muniment.errors import (
    CommandKeyReused,
    Conflict,
    HeadMoved,
    OpenTaskProtected,
    StateFull,
    TooLong,
)
from tests.requirements.marker import requirement
from tests.store.files import content, only_file


@requirement("ledger:commit:atomic")
def test_what_belongs_to_a_commit_appears_together(memory: Memory) -> None:
    """Records, links, search entries, state and head, in one step of the chain."""
    said = memory.observe("The meeting moved to Friday.", role="user")

    done = memory.run(
        Commit(
            notes=(
                Note(text="The meeting is on Friday.", key="meeting", sources=(said.id,)),
                Note(text="Bring the telescope.", kind="task"),
            ),
            state={"mood": "calm"},
        )
    )

    first, second = (record.id for record in done.records)
    assert memory.verify().commits == 3  # the scope's first, what was said, and this one
    assert memory.verify().head == done.head
    assert [source.id for source in memory.run(Show(id=first)).items[0].sources] == [said.id]
    assert {item.id for item in memory.recall("telescope meeting").chosen} >= {first, second}
    assert memory.run(StateGet(key="mood")).value == "calm"


@requirement("ledger:commit:atomic")
@pytest.mark.parametrize(
    ("bad", "error"),
    [
        ({"notes": (Note(text="a"), Note(text="No.", key="tele"))}, OpenTaskProtected),
        ({"notes": (Note(text="a"),), "state": {"k": "x" * 70_000}}, TooLong),
        ({"notes": tuple(Note(text=f"note {n}") for n in range(9))}, TooLong),
        ({"state": {f"k{n}": "x" * 65_000 for n in range(17)}}, StateFull),
    ],
    ids=["a rule", "a value", "too many", "state"],
)
def test_a_commit_with_one_bad_part_writes_nothing(
    memory: Memory, directory: Path, bad: dict[str, Any], error: type[Exception]
) -> None:
    """The parts before the bad one leave no trace in any table."""
    memory.remember("Return the telescope.", key="tele", kind="task")
    before = content(only_file(directory))

    with pytest.raises(error):
        memory.run(Commit(**bad))

    assert content(only_file(directory)) == before


@requirement("ledger:commit:expected-head")
@pytest.mark.parametrize(
    "write",
    [
        lambda head: Remember(text="late", key="k", expect_head=head),
        lambda head: Commit(notes=(Note(text="late"),), state={"k": 2}, expect_head=head),
        lambda head: StateSetTo(key="k", value=2, expect_head=head),
    ],
    ids=["remember", "commit", "state set"],
)
def test_the_one_who_is_late_is_told_which_head_won(
    directory: Path, write: Callable[[str], Any]
) -> None:
    """Two writers read the same head; the second is a conflict, and nothing of it shows."""
    with Memory.open(directory) as one, Memory.open(directory) as other:
        seen = one.remember("first").head
        won = other.remember("second").head
        before = content(only_file(directory))

        with pytest.raises(HeadMoved) as refused:
            one.run(write(seen))

        assert isinstance(refused.value, Conflict)
        assert won in refused.value.detail
        assert content(only_file(directory)) == before
        assert one.run(write(won))


@requirement("ledger:commit:command-key-repeated")
def test_a_repeated_command_answers_as_the_first_time(memory: Memory, directory: Path) -> None:
    """Ids, versions, state and head are those of the first answer, whatever came between."""
    memory.remember("old", key="a")
    request = Commit(
        notes=(Note(text="new", key="a"), Note(text="b"), Note(text="old news", key="c")),
        state={"k": 1},
        expect_head=memory.remember("old news", key="c").head,
        command_key="once",
    )
    first = memory.run(request)
    memory.remember("newer", key="a")
    before = content(only_file(directory))

    again = memory.run(request)

    assert [record.id for record in again.records] == [record.id for record in first.records]
    assert [r.supersedes for r in again.records] == [r.supersedes for r in first.records]
    assert (again.state, again.head, again.known) == (first.state, first.head, True)
    assert content(only_file(directory)) == before


@requirement("ledger:commit:command-key-repeated")
def test_a_repeated_command_that_had_found_everything_standing_answers_so_again(
    memory: Memory, directory: Path
) -> None:
    """A command that wrote nothing of its own is remembered all the same."""
    held = memory.remember("a", key="a")
    request = Remember(text="a", key="a", command_key="once")
    first = memory.run(request)
    memory.remember("b", key="a")
    before = content(only_file(directory))

    again = memory.run(request)

    assert (first.id, again.id) == (held.id, held.id)
    assert content(only_file(directory)) == before


@requirement("ledger:commit:command-key-reused")
@pytest.mark.parametrize(
    "other",
    [
        Remember(text="other", key="a", command_key="once"),
        Remember(text="a", key="b", command_key="once"),
        Remember(text="a", key="a", kind="fact", command_key="once"),
        StateSetTo(key="a", value="a", command_key="once"),
    ],
    ids=["text", "key", "kind", "state"],
)
def test_a_command_key_with_other_content_is_a_conflict(
    memory: Memory, directory: Path, other: Any
) -> None:
    """One key, one command: what differs in anything is somebody's mistake."""
    memory.remember("a", key="a", command_key="once")
    before = content(only_file(directory))

    with pytest.raises(CommandKeyReused) as refused:
        memory.run(other)

    assert isinstance(refused.value, Conflict)
    assert content(only_file(directory)) == before


@requirement("erasure:return:command-key")
def test_an_erased_command_is_known_by_its_key_alone(memory: Memory, directory: Path) -> None:
    """The digest went with the content; the tag still says that this was done."""
    first = memory.remember("a secret", key="a", command_key="once")
    planned = memory.run(Erase(record=first.id))
    memory.run(Erase(record=first.id, confirm=planned.token))
    before = content(only_file(directory))

    again = memory.remember("something else", key="a", command_key="once")

    assert (again.id, again.known) == (first.id, True)
    assert memory.run(History(key="a")).items[0].standing == "erased"
    assert content(only_file(directory)) == before
