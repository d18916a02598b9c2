"""One memory of two scopes, led through anything that can be done, beside a plain model of it."""

from __future__ import annotations

import random
from contextlib import nullcontext

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tests.property.world import SCOPES, World

WRITES = (
    *("observe",) * 4, *("remember",) * 7, *("change",) * 3,
    "supersede", "correct", "correct", "put", "commit", "open_tasks",
    "summarize", "summarize", "summarize",
)  # fmt: skip

scopes = st.sampled_from(SCOPES)
# What is drawn inside a step is drawn evenly: values that are often the same make things that
# seldom meet.
draws = st.integers(0, 1 << 32).map(random.Random)


class Machine(RuleBasedStateMachine):
    """Rules do one thing to the memory and to the model; invariants compare them."""

    def __init__(self) -> None:
        super().__init__()
        self.world = World()
        self.scope = SCOPES[0]

    def teardown(self) -> None:
        """Everything verifies, and what was erased is in no byte."""
        try:
            self.world.everything_verifies()
        finally:
            self.world.remove()

    @initialize(draw=draws)
    def begin(self, draw: random.Random) -> None:
        """Both scopes are there."""
        for scope in SCOPES:
            self.world.oracles[scope].heads.append("")
            self.world.observe(scope, draw)

    @rule(scope=scopes, draw=draws, times=st.integers(1, 6))
    def write(self, scope: str, draw: random.Random, times: int) -> None:
        """Things are said, held, changed, set and committed."""
        self.scope = scope
        other = SCOPES[scope == SCOPES[0]]
        # Asking much before and after takes longer than the step itself.
        watched = draw.random() < 0.3
        with self.world.undisturbed(other) if watched else nullcontext():
            for _ in range(times):
                getattr(self.world, draw.choice(WRITES))(scope, draw)

    @rule(scope=scopes, draw=draws)
    def forget(self, scope: str, draw: random.Random) -> None:
        """Something is erased, and what was there before is as it was."""
        self.scope = scope
        with self.world.undisturbed(SCOPES[scope == SCOPES[0]]):
            self.world.erase(scope, draw)
        self.world.look(scope, draw)

    @rule(scope=scopes, draw=draws)
    def ask(self, scope: str, draw: random.Random) -> None:
        """What is shown for a question is what the model allows, and the rest is as it says."""
        self.scope = scope
        self.world.recall(scope, draw)
        self.world.look(scope, draw)

    @rule(scope=scopes, draw=draws)
    def disturb(self, scope: str, draw: random.Random) -> None:
        """Somebody asks for what is wrong, and the memory is opened again."""
        self.scope = scope
        self.world.ask_for_what_is_wrong(scope, draw)
        self.world.open_again(scope, draw)

    @invariant()
    def nothing_unknown_was_written_and_every_open_task_is_shown(self) -> None:
        """After every step, where it was done."""
        if self.world.said:
            self.world.chain_is_as_long_as_what_was_written(self.scope)
            self.world.every_open_task_is_shown(self.scope)


TestMemory = Machine.TestCase
# What fails is told at once: taking it apart takes minutes, and is what the long run is for.
TestMemory.settings = settings(
    max_examples=30, stateful_step_count=50, phases=(Phase.explicit, Phase.reuse, Phase.generate)
)


@pytest.mark.soak
class TestMemoryForLong(Machine.TestCase):  # type: ignore[valid-type]  # made by hypothesis
    """The same, many times over and for longer."""

    settings = settings(max_examples=300, stateful_step_count=100)
