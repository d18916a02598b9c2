"""What tests share: how hard properties are tried, and a memory in which time only counts."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from muniment import Memory

START_MS = 1_767_225_600_000  # 2026-01-01T00:00:00Z
STEP_MS = 1_000

# A deadline would measure the machine; and a memory on disk is slow to make, which is no fault.
settings.register_profile(
    "dev", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("ci", settings.get_profile("dev"), derandomize=True)
settings.register_profile("faults", settings.get_profile("dev"), max_examples=500)
settings.register_profile("soak", settings.get_profile("dev"), max_examples=5_000)
settings.load_profile("ci" if "CI" in os.environ else "dev")


class Clock:
    """Milliseconds UTC that only count: each look is `step_ms` after the one before."""

    def __init__(self, start_ms: int = START_MS, step_ms: int = STEP_MS) -> None:
        self._looks = itertools.count(start_ms, step_ms)

    def __call__(self) -> int:
        """The next moment; the first is the start itself."""
        return next(self._looks)


@pytest.fixture
def clock() -> Clock:
    """The clock of `memory`."""
    return Clock()


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Where a store may be made; nothing is there yet."""
    return tmp_path / "memory"


@pytest.fixture
def memory(directory: Path, clock: Clock) -> Iterator[Memory]:
    """A memory in `directory` whose time counts seconds and whose randomness is seeded."""
    # Here, so that a door that does not open fails the tests that go through it and no others.
    from muniment import Memory

    with Memory.open(directory, clock=clock, entropy=random.Random(7).randbytes) as opened:
        yield opened
