"""Requests checked once, with the path of the field that is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from muniment import Commit, Note, Observe, Recall, Remember, Source, StateSetTo, errors
from muniment.model import codec
from muniment.operations import OPERATIONS
from tests.requirements.marker import requirement


def refusal(request: Any) -> tuple[str, str | None]:
    """Code and field of what is wrong with a request."""
    with pytest.raises(errors.BadInput) as caught:
        codec.checked(request)
    return caught.value.code, caught.value.at


@requirement("records:shape:unknown-field", "records:shape:encoding", "records:limit:sizes")
@pytest.mark.parametrize(
    ("request_", "code", "at"),
    [
        (Observe(text=b"a", role="user"), "bad_shape", "text"),
        (Observe(text="a", role="nobody"), "bad_shape", "role"),
        (Observe(text="a", role="user", tags=("b", "\0")), "bad_encoding", "tags[1]"),
        (Observe(text="a", role="user", lines=(1, "x")), "bad_shape", "lines[1]"),
        (Observe(text="a", role="user", at="soon"), "bad_time", "at"),
        (Observe(text="a", role="user", actor="é" * 257), "too_long", "actor"),
        (Remember(text="a", sources=(Source(id="\ud800"),)), "bad_encoding", "sources[0].id"),
        (Remember(text="a", sources=({"id": "e1", "x": 1},)), "bad_shape", "sources[0].x"),
        (Remember(text="a", kind="memo"), "bad_shape", "kind"),
        (Commit(notes=(Note(text="a"), Note(text="b", key="k" * 129))), "too_long", "notes[1].key"),
        (Commit(notes=({"text": "a", "x": 1},)), "bad_shape", "notes[0].x"),
        (Commit(notes=({},)), "bad_shape", "notes[0].text"),
        (Commit(state={"a": {1: 2}}), "bad_shape", "state.a"),
        (Commit(state={"a": [10**400]}), "bad_shape", "state.a[0]"),
        (StateSetTo(key="k" * 129, value=1), "too_long", "key"),
        (Recall(query="a", items_max=2.5), "bad_shape", "items_max"),
        (Recall(query="a", scope="\0"), "bad_encoding", "scope"),
    ],
    ids=str,
)  # fmt: skip
def test_the_path_leads_to_the_very_field(request_: Any, code: str, at: str) -> None:
    """Seed 1, typed writes: a refusal says where."""
    found = refusal(request_)

    assert found[0] == code
    assert found[1] is not None
    assert found[1].startswith(at)


def test_times_become_milliseconds_and_lists_tuples() -> None:
    """What goes on from the door is of one type."""
    request = codec.checked(
        Recall(query="a", since="1970-01-01T00:00:01Z", require=["e1"], tags=["x"])
    )

    assert (request.since, request.require, request.tags) == (1_000, ("e1",), ("x",))


def test_a_right_request_is_the_same_request() -> None:
    """Nothing is made anew where nothing is to be changed."""
    request = Remember(text="a", key="k", valid_from=5)

    assert codec.checked(request) is request or codec.checked(request) == request


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_every_field_of_every_request_says_what_it_is(operation: Any) -> None:
    """Faces and pages are read off it."""
    for field in codec.fields(operation.request):
        assert field.description or field.hidden, field.name
