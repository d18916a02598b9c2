"""A recall request as one ask for every retriever, and its budget."""

from __future__ import annotations

from typing import Any

import pytest

from muniment import errors
from muniment.model.moment import Moment
from muniment.model.query import Recall
from muniment.ranking import plan
from muniment.ranking.policies import POLICIES
from tests.ranking.things import NOW
from tests.requirements.marker import requirement

MOMENT = Moment(at_ms=NOW)


@requirement("recall:budget:out-of-range")
@pytest.mark.parametrize(
    ("budget", "taken"),
    [
        ({"bytes_max": 1}, True), ({"bytes_max": 1_048_576}, True), ({"items_max": 1}, True),
        ({"items_max": 256}, True), ({"bytes_max": 0}, False), ({"bytes_max": 1_048_577}, False),
        ({"items_max": 0}, False), ({"items_max": 257}, False), ({"items_max": -3}, False),
    ],
    ids=str,
)  # fmt: skip
def test_a_budget_has_a_range(budget: dict[str, Any], taken: bool) -> None:
    """Seed 1: zero, negative and absurd bounds are refused."""
    request = Recall(query="a", **budget)

    if taken:
        found = plan.budget(request)
        assert {name: getattr(found, name) for name in budget} == budget
    else:
        with pytest.raises(errors.BadShape):
            plan.budget(request)


def test_the_defaults_are_the_promised_ones() -> None:
    """8,192 bytes, 16 items, 64 hits a retriever."""
    request = Recall(query="a")

    assert (plan.budget(request).bytes_max, plan.budget(request).items_max) == (8_192, 16)
    assert plan.ask(request, MOMENT).limit == 64
    assert request.policy == "balanced"


def test_an_ask_carries_what_was_asked() -> None:
    """Every filter of the request reaches every retriever."""
    given: dict[str, Any] = {
        "thread": "t", "session": "s", "exclude_session": "x", "role": "user", "type": "message",
        "collection": "c", "tags": ("a",),
    }  # fmt: skip
    request = Recall(query="red door", since=1, until=2, require=("e1",), pin=("e2",), **given)

    asked = plan.ask(request, MOMENT)

    assert {name: getattr(asked.filter, name) for name in given} == given
    assert (asked.filter.since_ms, asked.filter.until_ms, asked.filter.only) == (1, 2, None)
    assert (asked.required, asked.pinned) == (("e1",), ("e2",))
    assert asked.terms.words == ("red", "door")


@pytest.mark.parametrize(("since", "until"), [(1, 1), (2, 1)])
def test_a_window_is_not_empty(since: int, until: int) -> None:
    """A window that holds no moment is a mistake."""
    with pytest.raises(errors.BadShape) as caught:
        plan.ask(Recall(query="a", since=since, until=until), MOMENT)

    assert caught.value.at == "until"


@pytest.mark.parametrize("field", ["require", "pin"])
def test_references_are_bounded(field: str) -> None:
    """64 of a kind in one recall."""
    ids = tuple(f"e{number}" for number in range(65))

    with pytest.raises(errors.BadShape) as caught:
        plan.ask(Recall(query="a", **{field: ids}), MOMENT)

    assert caught.value.at == field


def test_every_policy_must_show_what_is_named() -> None:
    """Data, one row a policy; no retriever twice."""
    for policy in POLICIES:
        every = (*policy.must, *policy.may)
        assert policy.must[0] in ("required", "tasks")
        assert len(set(every)) == len(every)
        assert plan.policy(Recall(query="a", policy=policy.name)) == policy
