"""State: a small map of keys to JSON values that can be read as it was after any seq."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment import Commit, Memory, StateGet, StateHistory, StateSetTo
from muniment.errors import BadShape, StateFull, TooLong
from tests.requirements.marker import requirement
from tests.store.files import content, only_file

KEYS = ("a", "b", "c")
WRITES = st.lists(
    st.dictionaries(st.sampled_from(KEYS), st.none() | st.integers(0, 3), min_size=1),
    min_size=1,
    max_size=8,
)


@requirement("ledger:state:set-and-get")
def test_null_is_a_value_and_nothing_is_none(memory: Memory) -> None:
    """A key that was never set has no seq; one that was set to null has."""
    put = memory.run(StateSetTo(key="a", value=None))

    assert memory.run(StateGet(key="a")).seq == put.seq
    assert memory.run(StateGet(key="a")).value is None
    assert memory.run(StateGet(key="b")).seq is None


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory that the examples of one test share."""
    return tmp_path_factory.mktemp("state") / "memory"


@requirement("ledger:state:at-seq")
@given(writes=WRITES)
def test_a_key_answers_what_it_was_after_any_seq(kept: Path, writes: list[dict[str, Any]]) -> None:
    """Against a plain map: each key at each seq since the first write of the example."""
    with Memory.open(kept, synchronous="normal") as memory:
        start = memory.observe("a new example", role="system").seq
        names = {key: f"{key} of {start}" for key in KEYS}
        expected: list[dict[str, Any]] = [{}]
        for write in writes:
            done = memory.run(Commit(state={names[key]: value for key, value in write.items()}))
            for seq in range(start + len(expected), max(done.state.values()) + 1):
                (key,) = (key for key in write if done.state[names[key]] == seq)
                expected.append({**expected[-1], key: write[key]})

        for seq, values in enumerate(expected, start):
            for key in KEYS:
                found = memory.run(StateGet(key=names[key], at_seq=seq))
                assert (found.seq is not None, found.value) == (key in values, values.get(key))
        for key in KEYS:
            listed = [item.text for item in memory.run(StateHistory(key=names[key])).items]
            assert listed == _changes(expected, key)


@requirement("ledger:state:at-seq")
def test_a_seq_before_the_first_has_no_value_and_a_negative_one_is_wrong(memory: Memory) -> None:
    """The edges: 0, beyond the end, and below."""
    memory.run(StateSetTo(key="a", value=1))

    assert memory.run(StateGet(key="a", at_seq=0)).seq is None
    assert memory.run(StateGet(key="a", at_seq=10**9)).value == 1
    with pytest.raises(BadShape):
        memory.run(StateGet(key="a", at_seq=-1))


@requirement("ledger:state:limits")
@pytest.mark.parametrize(
    ("state", "error"),
    [
        ({"k": "x" * (65_536 - 2)}, None),
        ({"k": "x" * (65_536 - 1)}, TooLong),
        ({f"k{n}": n for n in range(64)}, None),
        ({f"k{n}": n for n in range(65)}, TooLong),
        ({f"k{n:02}": "x" * 65_000 for n in range(16)}, None),
        ({f"k{n:02}": "x" * 65_000 for n in range(17)}, StateFull),
    ],
    ids=["64 KiB", "one more", "64 keys", "65 keys", "below 1 MiB", "above 1 MiB"],
)
def test_state_is_small(
    memory: Memory, directory: Path, state: dict[str, Any], error: type[Exception] | None
) -> None:
    """A value above 64 KiB, more than 64 keys and a state above 1 MiB change nothing."""
    memory.run(StateSetTo(key="first", value=1))
    before = content(only_file(directory))

    if error is None:
        memory.run(Commit(state=state))
        for key, value in state.items():
            assert memory.run(StateGet(key=key)).value == value
    else:
        with pytest.raises(error):
            memory.run(Commit(state=state))
        assert content(only_file(directory)) == before


@requirement("ledger:state:limits")
def test_a_value_that_takes_the_place_of_a_large_one_fits(memory: Memory) -> None:
    """What counts is what the state holds afterwards."""
    memory.run(Commit(state={f"k{n:02}": "x" * 65_000 for n in range(16)}))

    memory.run(Commit(state={"k00": "y" * 65_000}))

    assert memory.run(StateGet(key="k00")).value == "y" * 65_000


def _changes(states: list[dict[str, Any]], key: str) -> list[str]:
    """The values of a key in their order, as JSON texts."""
    found: list[str] = []
    for before, after in pairwise(states):
        if key in after and (key not in before or before[key] != after[key]):
            found.append("null" if after[key] is None else str(after[key]))
    return found
