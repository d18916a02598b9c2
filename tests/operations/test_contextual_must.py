"""What must be shown, and what is at stake in it: it enters for itself and brings nothing along."""

from __future__ import annotations

from typing import Any

import pytest

from muniment import Appraise, Memory, Require, WhyNot
from tests.operations.seen import ids
from tests.requirements.marker import requirement

MEAL = "plan a meal"


@requirement("contextual:stake:must")
@pytest.mark.parametrize("way", ["require", "pin", "obligation", "task"])
def test_what_must_be_shown_brings_no_appraisal_along(memory: Memory, way: str) -> None:
    """Seed 2: it enters for itself, alone; only what is chosen by likeness rises by its stake."""
    fields: dict[str, Any] = {"task": MEAL, "boost_ppm": 1_000_000, "policy": "lexical"}
    if way == "obligation":
        id = memory.run(Require(text="The soup bowl burnt.", task=MEAL)).id
    elif way == "task":
        id = memory.remember("The soup bowl burnt.", kind="task", key="bowl").id
        fields["policy"] = "balanced"
    else:
        id = memory.remember("The soup bowl burnt.", kind="fact").id
        fields[way] = (id,)
    stake = memory.run(Appraise(id=id, harm_ppm=900_000)).id
    other = memory.remember("A soup bowl.", kind="fact").id
    beside = memory.run(Appraise(id=other, harm_ppm=100_000)).id

    pack = memory.recall("soup bowl", **fields)

    assert ids(pack) == [id, other, beside]
    assert "appraised" not in pack.items[0].reasons
    assert "appraised" in pack.items[1].reasons
    why = memory.run(WhyNot(id=stake, query="soup bowl", **fields))
    assert (why.shown, why.reason) == (False, "appraisal_alone")
    room = len(memory.recall("zzz", **{**fields, "boost_ppm": None, "floor_ppm": 0}).text)
    alone = memory.recall("soup bowl", items_max=1, bytes_max=room, **fields)
    assert ids(alone) == [id]


@requirement("contextual:stake:must")
def test_an_appraisal_of_the_event_enters_with_the_copy_that_is_chosen(memory: Memory) -> None:
    """Seed 2: one that both share enters for the optional one; the required one stays required."""
    said = memory.observe("The soup burnt.", role="user", actor="Ann").id
    copy = memory.remember("Soup burns.", about="Ann", sources=(said,)).id
    stake = memory.run(Appraise(id=said, harm_ppm=900_000)).id

    pack = memory.recall("soup burns", policy="lexical", boost_ppm=1_000_000, require=(said,))

    assert ids(pack) == [said, copy, stake]
    assert "appraised" not in pack.items[0].reasons
    assert "appraised" in pack.items[1].reasons
