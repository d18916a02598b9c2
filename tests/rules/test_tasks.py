"""May these tasks stand open together?"""

from __future__ import annotations

import pytest

from muniment import errors
from muniment.rules import tasks
from muniment.rules.tasks import Change, Room
from tests.requirements.marker import requirement

MOST = Room(3, 1_000)


@requirement("records:protect:capacity")
@pytest.mark.parametrize(
    ("before", "changes", "at"),
    [
        (Room(0, 80), [Change(0, 1, 920)], None),
        (Room(0, 80), [Change(0, 1, 921)], 0),
        (Room(2, 200), [Change(0, 1, 100)], None),
        (Room(3, 200), [Change(0, 1, 100)], 0),
        (Room(2, 200), [Change(0, 1, 100), Change(1, 1, 100)], 1),
        (Room(3, 200), [Change(0, -1, -60), Change(1, 1, 100)], None),
        (Room(3, 200), [Change(0, 1, 100), Change(1, -1, -60)], None),
        (Room(3, 900), [Change(0, 0, 100)], None),
        (Room(3, 900), [Change(2, 0, 101), Change(5, 0, 0)], 2),
        (Room(3, 900), [Change(0, -2, -100), Change(1, 0, 300)], 1),
        # Fuller than it may be already: it may grow no further, in either measure.
        (Room(9, 5_000), [Change(0, 0, -1)], None),
        (Room(9, 5_000), [Change(0, -1, -9), Change(1, 1, 9)], None),
        (Room(9, 5_000), [Change(0, 0, 1)], 0),
        (Room(9, 500), [Change(0, 1, 1)], 0),
        (Room(9, 500), [Change(0, 0, 1)], None),
    ],
)
def test_what_the_open_tasks_may_grow_to(
    before: Room, changes: list[Change], at: int | None
) -> None:
    """Seed 1: in items and in bytes, each bound inclusive, the whole commit at once."""
    if at is None:
        tasks.check_room(before, changes, MOST)
        return

    with pytest.raises(errors.TasksFull) as caught:
        tasks.check_room(before, changes, MOST)

    assert (caught.value.family, caught.value.code) == ("refused", "tasks_full")
    assert caught.value.at == f"notes[{at}].text"
