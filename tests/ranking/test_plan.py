"""A recall request as one ask for every retriever, and its budget."""

from __future__ import annotations

from typing import Any

import pytest

from muniment import errors
from muniment.model.moment import Moment
from muniment.model.query import Recall
from muniment.model.scope import PROGRAM, Allowed
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
        plan.check_budget(request)
        found = plan.budget(request, PROGRAM)
        assert {name: getattr(found, name) for name in budget} == budget
    else:
        with pytest.raises(errors.BadShape):
            plan.check_budget(request)


def test_the_defaults_are_the_promised_ones() -> None:
    """8,192 bytes, 16 items, 64 hits a retriever."""
    request = Recall(query="a")

    budget = plan.budget(request, PROGRAM)
    assert (budget.bytes_max, budget.items_max) == (8_192, 16)
    assert plan.ask(request, MOMENT, budget.items_max).limit == 64
    assert request.policy == "balanced"


def test_a_scope_says_how_large_its_own_pack_is() -> None:
    """What a call asks for comes first, each bound by itself."""
    small = Allowed(pack_bytes_max=2_400, pack_items_max=4)

    own = plan.budget(Recall(query="a"), small)
    asked = plan.budget(Recall(query="a", items_max=9), small)

    assert (own.bytes_max, own.items_max) == (2_400, 4)
    assert (asked.bytes_max, asked.items_max) == (2_400, 9)


def test_an_ask_carries_what_was_asked() -> None:
    """Every filter of the request reaches every retriever."""
    given: dict[str, Any] = {
        "thread": "t", "session": "s", "exclude_session": "x", "role": "user", "type": "message",
        "collection": "c", "tags": ("a",),
    }  # fmt: skip
    request = Recall(query="red door", since=1, until=2, require=("e1",), pin=("e2",), **given)

    asked = plan.ask(request, MOMENT, 16)

    assert {name: getattr(asked.filter, name) for name in given} == given
    assert (asked.filter.since_ms, asked.filter.until_ms, asked.filter.only) == (1, 2, None)
    assert (asked.required, asked.pinned) == (("e1",), ("e2",))
    assert asked.terms.words == ("red", "door")


@pytest.mark.parametrize(("since", "until"), [(1, 1), (2, 1)])
def test_a_window_is_not_empty(since: int, until: int) -> None:
    """A window that holds no moment is a mistake."""
    with pytest.raises(errors.BadShape) as caught:
        plan.ask(Recall(query="a", since=since, until=until), MOMENT, 16)

    assert caught.value.at == "until"


@pytest.mark.parametrize("field", ["require", "pin"])
def test_references_are_bounded(field: str) -> None:
    """64 of a kind in one recall."""
    ids = tuple(f"e{number}" for number in range(65))

    with pytest.raises(errors.BadShape) as caught:
        plan.ask(Recall(query="a", **{field: ids}), MOMENT, 16)

    assert caught.value.at == field


def test_every_policy_must_show_what_is_named() -> None:
    """Data, one row a policy; no retriever twice."""
    for policy in POLICIES:
        every = (*policy.must, *policy.may)
        assert policy.must[0] in ("required", "tasks")
        assert len(set(every)) == len(every)
        assert plan.policy(Recall(query="a", policy=policy.name)) == policy
