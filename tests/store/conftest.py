"""A directory in the computer's memory where the system has that: no test here pulls the plug."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from muniment import Memory, Recall
from tests.conftest import Clock
from tests.golden import make

RAM = Path("/dev/shm")


def empty() -> tempfile.TemporaryDirectory[str]:
    """An empty directory, gone when its context ends."""
    ram = RAM if RAM.is_dir() and os.access(RAM, os.W_OK) else None
    return tempfile.TemporaryDirectory(dir=ram)


@pytest.fixture
def place() -> Iterator[Path]:
    """An empty directory."""
    with empty() as made:
        yield Path(made)


@pytest.fixture
def directory(place: Path) -> Path:
    """Where a store may be made; nothing is there yet."""
    return place / "memory"


@pytest.fixture(scope="session")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a scope with every kind of event, closed; nobody writes to it."""
    directory = tmp_path_factory.mktemp("told") / "memory"
    with Memory.open(directory, clock=Clock(), entropy=make.entropy("told")) as memory:
        make.tell_club(memory)
        memory.run(Recall(query="telescope", scope=make.CLUB, record=True))
    (path,) = directory.glob("*.muniment")
    return path


@pytest.fixture
def copy(told: Path, place: Path) -> Path:
    """A copy of `told` that a test may spoil."""
    path = place / "copy" / told.name
    path.parent.mkdir()
    path.write_bytes(told.read_bytes())
    return path
