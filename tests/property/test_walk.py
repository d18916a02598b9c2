"""Ten thousand steps beside the plain model, drawn by chance alone and so quickly."""

from __future__ import annotations

import random

import pytest

from tests.property.test_memory import Machine
from tests.property.world import SCOPES
from tests.requirements.marker import requirement

RULES = ("write", "write", "write", "forget", "ask", "disturb")
STEPS = 50


def walk(seed: int, steps: int) -> None:
    """Do so many things to two scopes and to their models, and compare them after each."""
    draw = random.Random(seed)
    machine = Machine()
    try:
        machine.begin(draw)
        for _ in range(steps):
            rule, scope = draw.choice(RULES), draw.choice(SCOPES)
            if rule == "write":
                machine.write(scope, draw, draw.randint(1, 6))
            else:
                getattr(machine, rule)(scope, draw)
            machine.nothing_unknown_was_written_and_every_open_task_is_shown()
    finally:
        machine.teardown()


@requirement("records:protect:capacity", "records:summary:recursive", "recall:isolated:ranking")
@pytest.mark.parametrize("seed", range(10))
def test_a_walk_of_fifty_steps_ends_where_the_model_does(seed: int) -> None:
    """Tasks, summaries and staleness through levels, refusals, erasures, rebuilds, two scopes."""
    walk(seed, STEPS)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1_000, 1_200))
def test_ten_thousand_steps_end_where_the_model_does(seed: int) -> None:
    """The same, two hundred times over."""
    walk(seed, STEPS)


@pytest.mark.soak
def test_a_long_walk_ends_where_the_model_does() -> None:
    """One history of a thousand steps: old things meet new ones."""
    walk(7, 20 * STEPS)
