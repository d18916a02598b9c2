"""May this value be set?"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment import errors, limits
from muniment.model.event_kinds import StateContent, StateSet
from muniment.model.scope import PROGRAM
from muniment.rules import state
from muniment.rules.state import Facts

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=9),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=5), inner, max_size=4
    ),
    max_leaves=12,
)  # fmt: skip


@given(JSON)
def test_a_value_comes_back_from_its_text(value: Any) -> None:
    """The text is JSON that any reader reads, and says no key twice."""
    text = state.value_text("k", value, "value", PROGRAM)

    assert json.loads(text) == value
    assert state.value_text("k", json.loads(text), "value", PROGRAM) == text


@pytest.mark.parametrize(
    ("before", "value", "written"),
    [
        (None, None, True), (None, "1", True), ("l1", "1", False), ("l1", "2", True),
        ("l1", None, True),
    ],
)  # fmt: skip
def test_a_value_that_stands_is_not_written_again(
    before: str | None, value: str | None, written: bool
) -> None:
    """An erased value stands no more, and setting it again is a new event."""
    draft = state.put("k", "1", Facts(key_tag="0" * 32, before=before, value=value))

    assert (draft is not None) is written
    if draft is not None:
        assert isinstance(draft.shape, StateSet)
        assert draft.shape.supersedes == before
        assert draft.content == StateContent(key="k", value="1")


@pytest.mark.parametrize(
    ("present", "leaving", "coming", "full"),
    [
        (0, 0, limits.STATE_BYTES_MAX, False), (0, 0, limits.STATE_BYTES_MAX + 1, True),
        (limits.STATE_BYTES_MAX, 5, 5, False), (limits.STATE_BYTES_MAX, 5, 6, True),
        (limits.STATE_BYTES_MAX - 1, 0, 1, False),
    ],
)  # fmt: skip
def test_the_whole_state_has_a_bound(present: int, leaving: int, coming: int, full: bool) -> None:
    """What is replaced makes room for what replaces it."""
    try:
        state.check_size(present, leaving, coming, limits.STATE_BYTES_MAX)
    except errors.StateFull:
        assert full
    else:
        assert not full
