"""State: a small map of keys to JSON values, with every value it ever had."""

from __future__ import annotations

from typing import Any

import pytest

from muniment import Commit, Memory, StateGet, StateHistory, StateSetTo, errors
from tests.operations.seen import erased, ids, refused, shown, stated

VALUES = [
    None, True, False, 0, -1, 2**53 - 1, 1.5, -0.25, "", "text", "日本語 🎉", "line\nline", [], {},
    [1, [2, [3]]], {"b": 1, "a": {"c": [None]}}, {"": 0}, {"ключ": "значение"},
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_comes_back_as_it_was(memory: Memory, value: Any) -> None:
    """Any JSON value is a state, null included."""
    done = memory.run(StateSetTo(key="k", value=value))

    got = memory.run(StateGet(key="k"))

    assert (got.value, got.seq) == (value, done.seq)
    assert type(got.value) is type(value)


def test_a_key_that_was_never_set_has_no_seq(memory: Memory) -> None:
    """Null is a value; what was never set is told by the missing seq."""
    memory.run(StateSetTo(key="null", value=None))

    assert memory.run(StateGet(key="null")).seq is not None
    assert memory.run(StateGet(key="never")).seq is None
    assert memory.run(StateHistory(key="never")).items == ()


def test_a_state_can_be_read_at_any_past_seq(memory: Memory) -> None:
    """Seed 1: the state at a past seq is what had been set up to there."""
    seqs = [memory.run(StateSetTo(key="k", value=value)).seq or 0 for value in ("a", "b", "c")]
    memory.observe("meanwhile", role="user")

    values = [memory.run(StateGet(key="k", at_seq=seq)).value for seq in range(seqs[-1] + 3)]

    assert values == [None, "a", "b", "c", "c", "c"]
    with refused(memory, "bad_shape", at="at_seq"):
        memory.run(StateGet(key="k", at_seq=-1))


def test_the_history_of_a_key_lists_every_value(memory: Memory) -> None:
    """Oldest first, each with its standing."""
    for value in (1, 2, 1):
        memory.run(StateSetTo(key="k", value=value))

    items = memory.run(StateHistory(key="k")).items

    assert [(item.text, item.standing) for item in items] == [
        ("1", "superseded"), ("2", "superseded"), ("1", "current"),
    ]  # fmt: skip
    assert {(item.kind, item.key) for item in items} == {("state", "k")}
    assert [item.supersedes for item in items] == [None, items[0].id, items[1].id]


@pytest.mark.parametrize("value", [{"a": 1, "b": [2]}, "same", None])
def test_a_value_that_stands_already_writes_nothing(memory: Memory, value: Any) -> None:
    """A host that says the same again adds no event; the order of keys makes no difference."""
    first = memory.run(StateSetTo(key="k", value=value))
    before = stated(memory)
    turned = dict(reversed(value.items())) if isinstance(value, dict) else value

    again = memory.run(StateSetTo(key="k", value=turned))

    assert (again.known, again.seq, again.head) == (True, first.seq, first.head)
    assert stated(memory) == before


def test_bounds_are_counted_in_bytes(memory: Memory) -> None:
    """Seed 1, limits: a value of 64 KiB as JSON, a key of 128 bytes, 64 keys a commit."""
    at = "é" * 32_767  # and two quotation marks
    key = "é" * 64

    memory.run(StateSetTo(key=key, value=at))

    assert memory.run(StateGet(key=key)).value == at
    with refused(memory, "too_long", at="value"):
        memory.run(StateSetTo(key=key, value=at + "a"))
    with refused(memory, "too_long", at="key"):
        memory.run(StateSetTo(key=key + "a", value=1))
    with refused(memory, "too_long", at="state"):
        memory.run(Commit(state={f"k{number}": 1 for number in range(65)}))
    assert len(memory.run(Commit(state={f"k{number}": 1 for number in range(64)})).state) == 64


def test_the_state_of_a_scope_has_a_bound(memory: Memory) -> None:
    """Seed 1, limits: 1 MiB together; what is replaced makes room."""
    for number in range(15):
        memory.run(StateSetTo(key=f"k{number}", value="x" * 65_500))
    full = {f"k{number}": "y" * 65_500 for number in range(15, 17)}

    with refused(memory, "state_full"):
        memory.run(Commit(state=full))
    memory.run(Commit(state={**full, "k0": None, "k1": None}))

    assert memory.run(StateGet(key="k16")).value == "y" * 65_500


@pytest.mark.parametrize(
    ("value", "code", "at"),
    [
        (float("nan"), "bad_json", "value"),
        ([float("inf")], "bad_json", "value[0]"),
        ({"a": 2**53}, "bad_shape", "value.a"),
        ("a\0", "bad_encoding", "value"),
        ({"a": ["\ud800"]}, "bad_encoding", "value.a[0]"),
        ({"\0": 1}, "bad_encoding", "value"),
        ({"a": {1: 2}}, "bad_shape", "value.a"),
        ([b"a"], "bad_json", "value[0]"),
    ],
    ids=repr,
)
def test_a_value_that_would_not_come_back_is_refused(
    memory: Memory, value: Any, code: str, at: str
) -> None:
    """What is stored is what any reader of JSON gets; the path leads to the very place."""
    memory.run(StateSetTo(key="k", value=1))

    with refused(memory, code, at=at):
        memory.run(StateSetTo(key="k", value=value))
    with refused(memory, code, at=f"state.k{at.removeprefix('value')}"):
        memory.run(Commit(state={"k": value}))


@pytest.mark.parametrize("depth", [129, 1_000, 100_000])
def test_a_value_is_not_nested_without_end(memory: Memory, depth: int) -> None:
    """What is deeper than any reader goes is bad input and no crash."""
    value: Any = 1
    for _ in range(128):
        value = [value]
    memory.run(StateSetTo(key="k", value=value))

    for _ in range(depth - 128):
        value = [value]
    before = stated(memory)
    with pytest.raises(errors.BadInput) as caught:
        memory.run(StateSetTo(key="k", value=value))

    assert caught.value.code == "bad_json"
    assert stated(memory) == before


@pytest.mark.parametrize("key", ["", " ", "\n"])
def test_a_key_is_not_blank(memory: Memory, key: str) -> None:
    """A key names something."""
    memory.run(StateSetTo(key="k", value=1))

    with refused(memory, "blank_text", at="key"):
        memory.run(StateSetTo(key=key, value=1))


def test_keys_of_state_and_of_records_do_not_meet(memory: Memory) -> None:
    """Two things of different kinds may have the same name."""
    record = memory.remember("a record", key="k")
    memory.run(StateSetTo(key="k", value="a value"))

    assert [item.id for item in memory.history("k").items] == [record.id]
    assert len(memory.run(StateHistory(key="k")).items) == 1


def test_a_state_value_is_found_by_its_key_and_its_words(memory: Memory) -> None:
    """Only the present value is found; the one before is listed as superseded."""
    memory.run(StateSetTo(key="lighthouse", value={"colour": "white"}))
    memory.run(StateSetTo(key="lighthouse", value={"colour": "red"}))

    pack = memory.recall("which colour has the lighthouse")

    assert [(item.kind, item.text) for item in pack.items] == [("state", '{"colour":"red"}')]
    assert [each.reason for each in pack.suppressed] == ["superseded"]
    assert shown(memory, ids(pack)[0]).standing == "current"


def test_an_erased_value_is_gone_at_every_seq(memory: Memory) -> None:
    """Promise 8: no past moment gives it back, and the key can be set again."""
    memory.run(StateSetTo(key="k", value="Forget this."))
    memory.run(StateSetTo(key="k", value="And this."))
    items = memory.run(StateHistory(key="k")).items
    erased(memory, record=items[0].id)

    after = memory.run(StateSetTo(key="k", value="new"))

    assert [memory.run(StateGet(key="k", at_seq=seq)).value for seq in (1, 2)] == [None, None]
    assert [item.standing for item in memory.run(StateHistory(key="k")).items] == [
        "erased", "erased", "current",
    ]  # fmt: skip
    assert memory.run(StateGet(key="k")).seq == after.seq
