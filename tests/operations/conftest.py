"""A memory of its own for each test, which must verify when the test is over."""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from muniment import Memory, errors
from tests.conftest import Clock

# Kept in memory where the system can: no test here pulls the plug.
RAM = Path("/dev/shm")


@pytest.fixture
def directory() -> Iterator[Path]:
    """Where a store may be made; nothing is there yet."""
    place = RAM if RAM.is_dir() and os.access(RAM, os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=place) as made:
        yield Path(made) / "memory"


@pytest.fixture
def memory(directory: Path, clock: Clock) -> Iterator[Memory]:
    """As the shared one; afterwards every scope in it verifies, and an erasure leaves no debt."""
    with Memory.open(directory, clock=clock, entropy=random.Random(7).randbytes) as opened:
        yield opened
        try:
            faults = opened.verify(all=True).faults
        except (errors.NotFound, errors.Closed):  # The test wrote nothing, or looked itself.
            faults = ()
        assert faults == ()
