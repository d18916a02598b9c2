"""Whether a record stands at a moment, and if not, why."""

from __future__ import annotations

from typing import Any

import pytest

from muniment.model.standing import effect, standing
from tests.requirements.marker import requirement

ASSERTING = ("belief", "requirement", "intention", "appraisal")
TELLING = ("note", "fact", "procedure", "task", "story")


@requirement("records:standing:one-answer", "records:standing:expired")
@pytest.mark.parametrize(
    ("kind", "status", "facts", "wanted"),
    [
        ("note", "active", {}, "current"), ("task", "open", {}, "current"),
        ("task", "closed", {}, "current"), ("requirement", "done", {}, "current"),
        ("belief", "disputed", {}, "current"), ("intention", "deferred", {}, "current"),
        ("intention", "completed", {}, "current"), ("intention", "rejected", {}, "rejected"),
        ("intention", "expired", {}, "expired"), ("note", "retracted", {}, "retracted"),
        ("proposal", "proposed", {}, "proposed"), ("proposal", "shadow", {}, "proposed"),
        ("proposal", "needs_review", {}, "proposed"), ("proposal", "deferred", {}, "proposed"),
        ("proposal", "accepted", {}, "superseded"), ("proposal", "rejected", {}, "rejected"),
        ("proposal", "superseded", {}, "superseded"), ("proposal", "expired", {}, "expired"),
        ("note", "active", {"ended": "superseded"}, "superseded"),
        ("note", "retracted", {"ended": "superseded"}, "superseded"),
        ("note", "retracted", {"ended": "erased"}, "erased"),
        ("summary", "active", {"ended": "stale"}, "stale"),
        ("summary", "retracted", {"ended": "stale"}, "retracted"),
        ("belief", "active", {"ended": "withdrawn"}, "withdrawn"),
        ("note", "active", {"valid_to_ms": 11, "until_ms": 11}, "current"),
        ("note", "active", {"valid_to_ms": 10, "until_ms": 10}, "expired"),
        ("note", "retracted", {"valid_to_ms": 9, "until_ms": 9}, "retracted"),
        ("belief", "active", {"until_ms": 10}, "withdrawn"),
        ("belief", "active", {"until_ms": 11}, "current"),
        ("summary", "active", {"until_ms": 10}, "stale"),
        ("proposal", "proposed", {"until_ms": 10}, "superseded"),
        ("proposal", "proposed", {"until_ms": 11}, "proposed"),
        ("proposal", "proposed", {"valid_to_ms": 10, "until_ms": 10}, "expired"),
        ("proposal", "rejected", {"until_ms": 10}, "rejected"),
        ("belief", "active", {"valid_to_ms": 10, "until_ms": 5}, "expired"),
        ("belief", "active", {"ended": "erased", "valid_to_ms": 5, "until_ms": 5}, "erased"),
    ],
    ids=str,
)  # fmt: skip
def test_the_one_answer(kind: str, status: str, facts: dict[str, Any], wanted: str) -> None:
    """Promise 5: at moment 10, from one row."""
    plain: dict[str, Any] = {"ended": None, "valid_to_ms": None, "until_ms": None}

    assert standing(kind=kind, status=status, now_ms=10, **{**plain, **facts}) == wanted


@requirement("records:standing:stale-summary")
@pytest.mark.parametrize("cause", ["superseded", "retracted", "stale", "withdrawn", "erased"])
def test_what_becomes_of_what_rests_on_it(cause: Any) -> None:
    """The table of standing, column by column."""
    over = cause in ("retracted", "withdrawn", "erased")

    assert effect("summary", cause) == "stale"
    assert {effect(kind, cause) for kind in ASSERTING} == {"withdrawn" if over else None}
    assert {effect(kind, cause) for kind in TELLING} == {None}
    assert effect("proposal", cause) == ("superseded" if over else None)
