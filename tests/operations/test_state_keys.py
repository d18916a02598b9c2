"""State keys: listed page by page and by their beginning, and deleted."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment import (
    Commit,
    Memory,
    Rebuild,
    Show,
    StateDelete,
    StateGet,
    StateHistory,
    StateList,
    StateSetTo,
)
from tests.operations.seen import erased, ids, left_out, refused, shown, stated
from tests.requirements.marker import requirement

KEYS = ("a", "ab", "b%", "é")
STEPS = st.lists(st.tuples(st.sampled_from(KEYS), st.none() | st.integers(0, 2)), max_size=12)


def pages(memory: Memory, limit: int, **fields: Any) -> list[tuple[str, Any]]:
    """Every key with its value, page by page."""
    found: list[tuple[str, Any]] = []
    after: int | None = 2**53 - 1
    while after is not None:
        page = memory.state(limit=limit, after=after, **fields)
        assert len(page.items) == limit or page.next is None
        found += [(each.key, each.value) for each in page.items]
        after = page.next
    return found


@requirement("ledger:state:delete", "faces:lists:state")
@given(steps=STEPS)
def test_the_state_is_a_map_that_can_be_read_at_any_seq(steps: list[tuple[str, Any]]) -> None:
    """Against a plain map, in the order in which keys were set last; None deletes a key."""
    with (
        TemporaryDirectory() as directory,
        Memory.open(Path(directory) / "m", synchronous="normal") as memory,
    ):
        start = memory.observe("a new example", role="system").seq
        held: dict[str, int] = {}
        past: dict[int, dict[str, int]] = {start: {}}
        for key, value in steps:
            if value is not None:
                seq = memory.run(StateSetTo(key=key, value=value)).seq
                held = held if held.get(key) == value else {**_without(held, key), key: value}
            elif key in held:
                seq = memory.run(StateDelete(key=key)).seq
                held = _without(held, key)
            else:
                continue
            past.setdefault(seq or 0, held)

        for seq, values in past.items():
            for prefix in ("", "a", "b", "é", "%"):
                wanted = [(k, v) for k, v in reversed(values.items()) if k.startswith(prefix)]
                assert pages(memory, 2, prefix=prefix, at_seq=seq) == wanted
        assert pages(memory, 3) == list(reversed(held.items()))
        memory.run(Rebuild())
        assert pages(memory, 3) == list(reversed(held.items()))
        assert memory.verify().faults == ()


def _without(held: dict[str, int], key: str) -> dict[str, int]:
    return {name: value for name, value in held.items() if name != key}


@requirement("ledger:state:delete")
def test_a_deleted_key_has_no_value_and_keeps_its_history(memory: Memory) -> None:
    """Null is a value, and this is none; a second deletion writes nothing."""
    first = memory.run(StateSetTo(key="lamp", value=None))
    item = memory.run(StateHistory(key="lamp")).items[0]

    done = memory.run(StateDelete(key="lamp", expect_head=first.head))

    assert (done.known, done.supersedes) == (False, item.id)
    got = memory.run(StateGet(key="lamp"))
    assert (got.value, got.seq, got.known) == (None, None, False)
    assert memory.run(StateGet(key="lamp", at_seq=first.seq)).seq == first.seq
    assert [each.standing for each in memory.run(StateHistory(key="lamp")).items] == ["retracted"]
    before = stated(memory)
    again = memory.run(StateDelete(key="lamp"))
    assert (again.known, again.seq, again.supersedes) == (True, done.seq, item.id)
    assert stated(memory) == before
    new = memory.run(StateSetTo(key="lamp", value=None))
    assert new.known is False
    history = memory.run(StateHistory(key="lamp")).items
    assert [(each.standing, each.supersedes) for each in history] == [
        ("retracted", None), ("current", None),
    ]  # fmt: skip


@requirement("ledger:state:delete")
def test_what_cannot_be_deleted_is_refused(memory: Memory) -> None:
    """A key that never was, and a head that has moved."""
    memory.run(StateSetTo(key="lamp", value=1))

    with refused(memory, "not_found", at="key"):
        memory.run(StateDelete(key="lump"))
    with refused(memory, "head_moved", at="expect_head"):
        memory.run(StateDelete(key="lamp", expect_head="0" * 64))
    with refused(memory, "bad_shape", at="at_seq"):
        memory.run(StateList(at_seq=-1))


@requirement("ledger:state:delete")
@pytest.mark.parametrize(("kind", "standing"), [
    ("summary", "stale"), ("belief", "withdrawn"), ("note", "current"),
])  # fmt: skip
def test_what_rested_on_it_ends_as_with_a_retraction(
    memory: Memory, kind: str, standing: str
) -> None:
    """And a recall says that it was taken back."""
    memory.run(StateSetTo(key="lighthouse", value="white and tall and very old"))
    (item,) = memory.state().items
    on = memory.remember("White lighthouse.", kind=kind, sources=(item.id,)).id

    gone = memory.run(StateDelete(key="lighthouse"))

    assert (shown(memory, on).standing, shown(memory, on).labels) == (
        standing, ("source_retracted",),
    )  # fmt: skip
    assert left_out(memory.recall("lighthouse tall", policy="lexical"))[item.id] == "retracted"
    deletion = memory.run(Show(id=f"l{gone.seq}")).items[0] if gone.seq < 10 else None
    assert deletion is not None
    assert (deletion.kind, deletion.covers) == ("deletion", (item.id,))
    assert memory.state().items == ()


@requirement("ledger:state:delete")
def test_a_deletion_makes_room(memory: Memory) -> None:
    """The bound counts what the state holds."""
    for number in range(16):
        memory.run(StateSetTo(key=f"k{number}", value="x" * 65_000))
    with refused(memory, "state_full"):
        memory.run(StateSetTo(key="more", value="x" * 65_000))

    memory.run(StateDelete(key="k3"))

    memory.run(StateSetTo(key="more", value="x" * 65_000))
    assert len(memory.state().items) == 16


@requirement("ledger:state:delete")
def test_an_erased_value_is_not_listed_and_can_be_deleted(memory: Memory) -> None:
    """No list gives an erased key away; and what was deleted can be erased."""
    memory.run(Commit(state={"lamp": "on", "door": "open"}))
    door, lamp = memory.state().items
    erased(memory, record=lamp.id)

    assert [each.key for each in memory.state().items] == ["door"]
    memory.run(StateDelete(key="lamp"))
    memory.run(StateDelete(key="door"))
    erased(memory, record=door.id)
    assert memory.state().items == ()
    assert memory.state(at_seq=2).items == ()
    for key in ("lamp", "door"):
        assert [each.standing for each in memory.run(StateHistory(key=key)).items] == ["erased"]
    assert ids(memory.recall("open on")) == []
