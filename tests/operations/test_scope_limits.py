"""What a scope allows: chosen when it is made, said by its genesis, and read by the rules."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from muniment import Commit, Import, Memory, Note, Observe, StateSetTo, errors
from tests.conftest import Clock
from tests.operations.seen import ids, refused
from tests.requirements.marker import requirement

SMALL = {"pack_bytes_max": 2_400, "pack_items_max": 4}


def opened(directory: Path, **limits: int) -> Memory:
    """A memory whose new scopes have these limits."""
    chance = random.Random(7).randbytes
    return Memory.open(directory, clock=Clock(), entropy=chance, scope_limits=limits)


@requirement("ledger:scope:limits", "records:protect:capacity")
def test_a_scope_keeps_the_pack_it_was_made_with(directory: Path) -> None:
    """Seed 1: immutable, also for a program that would choose others; a recall follows it."""
    with opened(directory, **SMALL) as memory:
        tasks = [memory.remember(f"Errand {n}.", kind="task").id for n in range(4)]
        with refused(memory, "tasks_full", at="text"):
            memory.remember("One too many.", kind="task")
    with Memory.open(directory) as memory:
        with refused(memory, "tasks_full", at="text"):
            memory.remember("One too many.", kind="task")
        for number in range(30):
            memory.remember(f"The garden gate {number}.")
        pack = memory.recall("garden gate")
        assert ids(pack) == tasks
        assert len(memory.recall("garden gate", items_max=9).items) == 9
        assert len(memory.recall("garden gate", items_max=99).text) <= 2_400
        assert memory.verify().faults == ()
        memory.remember("Elsewhere there is room.", kind="task", scope="there")
        with pytest.raises(errors.PackOverflow):
            memory.recall("garden gate", items_max=3)


@requirement("ledger:scope:limits")
@pytest.mark.parametrize(
    ("limit", "write", "code", "at"),
    [
        ({"message_bytes_max": 60}, Observe(text="at length, " * 6, role="user"), "too_long",
         "text"),
        ({"record_text_bytes_max": 3}, Commit(notes=(Note(text="four"),)), "too_long",
         "notes[0].text"),
        ({"key_bytes_max": 3}, Commit(notes=(Note(text="a", key="four"),)), "too_long",
         "notes[0].key"),
        ({"notes_per_commit_max": 1}, Commit(notes=(Note(text="a"), Note(text="b"))), "too_long",
         "notes"),
        ({"state_writes_per_commit_max": 1}, Commit(state={"a": 1, "b": 2}), "too_long", "state"),
        ({"state_value_bytes_max": 3}, StateSetTo(key="a", value="four"), "too_long", "value"),
        ({"state_bytes_max": 9}, StateSetTo(key="a", value="fourteen"), "state_full", None),
        ({"sources_max": 1}, Commit(notes=(Note(text="a", sources=("e1", "e2")),)), "too_long",
         "notes[0].sources"),
        ({"covers_max": 1}, Commit(notes=(Note(text="a", kind="summary", sources=("e1", "e2"),
                                               covers=("e1", "e2")),)), "too_long",
         "notes[0].covers"),
    ],
    ids=str,
)  # fmt: skip
def test_each_limit_of_a_scope_is_kept_to(
    directory: Path, limit: dict[str, int], write: Any, code: str, at: str | None
) -> None:
    """A1: genesis carries immutable limits, and the rules read them there."""
    for place, limits in (("small", limit), ("usual", {})):
        with opened(directory / place, **limits) as memory:
            for number in range(2):
                memory.observe(f"said at length, for the {number}th time", role="user")
            if limits:
                with refused(memory, code, at=at):
                    memory.run(write)
            else:
                memory.run(write)


@requirement("ledger:scope:limits")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("pack_items_max", 0), ("pack_items_max", 257), ("pack_bytes_max", 255),
        ("pack_bytes_max", 1_048_577), ("sources_max", 33), ("sources_max", 0), ("luck", 1),
        ("sources_max", 1.5), ("sources_max", True), ("sources_max", "8"),
        ("message_bytes_max", 1_048_577),
    ],
)  # fmt: skip
def test_no_scope_allows_more_than_the_program(directory: Path, name: str, value: Any) -> None:
    """Bad input with the name of the limit, before anything is made."""
    with pytest.raises(errors.BadInput) as caught:
        opened(directory, **{name: value})

    assert caught.value.at == f"scope_limits.{name}"
    assert not directory.exists()


@requirement("ledger:scope:limits")
def test_what_is_too_long_for_the_scope_is_told_of_an_import_too(
    directory: Path, tmp_path: Path
) -> None:
    """The line that is over, by its number; the others are taken in."""
    file = tmp_path / "said.jsonl"
    file.write_text('{"role": "user", "text": "short"}\n{"role": "user", "text": "not so short"}\n')
    with opened(directory, message_bytes_max=8) as memory:
        done = memory.run(Import(file=str(file)))
        assert done.imported == 1
        assert [(each.at, each.code) for each in done.failed] == [("line:2 text", "too_long")]
