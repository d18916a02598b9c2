"""May this thing be shown for this ask, and if not, why?"""

from __future__ import annotations

from typing import Any

import pytest

from muniment.model.pack import Item
from muniment.model.query import Filter
from muniment.ranking import gates
from tests.ranking.things import NOW, ask, item
from tests.requirements.marker import requirement

EVENT = item(1, thread="t", session="s", tags=("a", "b"))
NOTE = item(2, "note")


@requirement("recall:filter:each", "recall:filter:collection", "recall:explain:left-out")
@pytest.mark.parametrize(
    ("filter", "thing", "reason"),
    [
        ({}, EVENT, None),
        ({"thread": "t"}, EVENT, None), ({"thread": "u"}, EVENT, "thread"),
        ({"session": "s"}, EVENT, None), ({"session": "u"}, EVENT, "session"),
        ({"exclude_session": "u"}, EVENT, None),
        ({"exclude_session": "s"}, EVENT, "session_excluded"),
        ({"exclude_session": "s"}, item(1), None),
        ({"role": "user"}, EVENT, None), ({"role": "tool"}, EVENT, "role"),
        ({"type": "message"}, EVENT, None), ({"type": "import"}, EVENT, "type"),
        ({"tags": ("a",)}, EVENT, None), ({"tags": ("b", "a")}, EVENT, None),
        ({"tags": ("a", "c")}, EVENT, "tags"),
        ({}, item(1, collection="c"), "collection"), ({}, item(1, collection="anchor"), None),
        ({"collection": "c"}, item(1, collection="c"), None),
        ({"collection": "c"}, item(1, collection="anchor"), "collection"),
        ({"collection": "c"}, EVENT, "collection"),
        ({}, NOTE, None), ({"exclude_session": "s"}, NOTE, None),
        ({"thread": "t"}, NOTE, "not_experience"), ({"tags": ("a",)}, NOTE, "not_experience"),
        ({"collection": "c"}, NOTE, "not_experience"), ({"role": "user"}, NOTE, "not_experience"),
        ({"type": "message"}, item(3, "state"), "not_experience"),
    ],
    ids=str,
)  # fmt: skip
def test_which_filter_a_thing_does_not_pass(
    filter: dict[str, Any], thing: Item, reason: str | None
) -> None:
    """Seed 2: one reason code a filter; what only experience has, leaves the rest out."""
    assert gates.reason(thing, ask(Filter(**filter))) == reason


@requirement("recall:filter:time")
@pytest.mark.parametrize("thing", [item(1), NOTE, item(3, "state")], ids=lambda thing: thing.kind)
@pytest.mark.parametrize(
    ("since", "until", "reason"),
    [
        (NOW, None, None), (NOW + 1, None, "before_window"), (None, NOW + 1, None),
        (None, NOW, "after_window"), (NOW, NOW + 1, None), (NOW - 1, NOW, "after_window"),
    ],
)  # fmt: skip
def test_a_window_holds_its_first_moment_and_not_its_last(
    thing: Item, since: int | None, until: int | None, reason: str | None
) -> None:
    """Seed 2: since is inclusive, until exclusive."""
    assert gates.reason(thing, ask(Filter(since_ms=since, until_ms=until))) == reason


@requirement("recall:filter:undated")
def test_what_has_no_time_is_in_no_window() -> None:
    """An import may not know when something was said; a moment counts it from when it was known."""
    undated = item(1, at=None, recorded_at="2026-01-02T00:00:00.000Z")

    assert gates.reason(undated, ask(Filter())) is None
    assert gates.reason(undated, ask(Filter(since_ms=NOW + 1))) == "undated"
    assert gates.reason(undated, ask(Filter(until_ms=NOW + 1))) == "undated"
    assert gates.reason(undated, ask(Filter(said_until_ms=NOW + 1))) == "after_moment"


@requirement("recall:standing:current")
@pytest.mark.parametrize(
    "standing",
    ["superseded", "retracted", "stale", "expired", "withdrawn", "proposed", "rejected", "erased"],
)
def test_only_what_is_current_passes_but_for_the_past(standing: Any) -> None:
    """Promise 5: the reason is the standing; what is erased passes never."""
    thing = item(1, "note", standing=standing)

    assert gates.reason(thing, ask()) == standing
    assert gates.reason(thing, ask(history=True)) == ("erased" if standing == "erased" else None)


def test_what_does_not_hold_yet_is_not_shown() -> None:
    """A window begins with its first moment."""
    later = item(1, "fact", valid_from="2026-01-01T00:00:00.001Z")
    now = item(1, "fact", valid_from="2026-01-01T00:00:00.000Z")

    assert gates.reason(later, ask()) == "not_yet_valid"
    assert gates.reason(now, ask()) is None


def test_standing_comes_before_filters() -> None:
    """The first thing against it is named, and that it does not stand is the first."""
    thing = item(1, standing="erased", thread="t")

    assert gates.reason(thing, ask(Filter(thread="u"))) == "erased"
