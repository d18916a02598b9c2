"""The floor: equal passes, less does not, and nothing that is at stake makes up for it."""

from __future__ import annotations

from typing import Any

import pytest

from muniment.exchange import queries
from muniment.exchange.recall import Library
from tests.exchange.kitchen import entries
from tests.exchange.things import Making, id_of
from tests.exchange.things import query as asked
from tests.requirements.marker import requirement

FLOOR = 600_000  # the likeness of (3, 4) and (1, 0), which is exact


def letters(made: Making, **fields: Any) -> list[int]:
    """What is chosen, by the first byte of its id."""
    known: dict[str, Any] = {"revision": 3, "ranked": True, "floor": FLOOR, "boost": 1_000_000}
    row = queries.write(asked("What?", 1.0, 0.0, **(known | fields)))
    (answer,) = Library(made.store()).answer([row])
    return [letter[0] for letter, _ in entries(answer)]


@requirement("exchange:context:floor")
@pytest.mark.parametrize(("floor", "chosen"), [(FLOOR, [2, 1]), (FLOOR + 1, [2])])
def test_what_is_just_as_like_passes(floor: int, chosen: list[int]) -> None:
    """Less is strictly less."""
    made = Making()
    made.memory(1, "At the floor.", 3.0, 4.0)
    made.memory(2, "Above it.", 4.0, 3.0)

    assert letters(made, floor=floor) == chosen


@requirement("exchange:context:floor")
def test_no_stake_lifts_anything_above_the_floor() -> None:
    """The floor is asked for before any boost: all of harm adds nothing to what is gone."""
    made = Making()
    low = made.memory(1, "Below it.", 2.999, 4.0, subject=id_of(9))
    made.memory(2, "At the floor.", 3.0, 4.0)
    made.appraise(3, low, harm=1_000_000)

    assert letters(made) == [2]
    assert letters(made, floor=0) == [1, 3, 2]


@requirement("exchange:context:floor", "exchange:selection:complete")
@pytest.mark.parametrize(("floor", "chosen"), [(FLOOR, 3), (FLOOR + 1, 2)])
def test_a_complete_copy_below_the_floor_takes_nobodys_place(floor: int, chosen: int) -> None:
    """What is dropped is not preferred either; just as like as the floor, it is."""
    made = Making()
    event = made.event(1, "The door was open all night.")
    made.memory(2, "The door was open.", 1.0, 0.0, source=event)
    made.memory(3, "The door was open all night.", 3.0, 4.0, source=event)

    assert letters(made, floor=floor, entries_max=1) == [chosen]
