"""Files and directories that may be read and not written, or not even read."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults import writes
from tests.faults.test_killed import ROOT
from tests.requirements.marker import requirement
from tests.store.files import listing, only_file

WRITES = ("Observe", "Observe new", "Remember")


@pytest.fixture
def shown() -> Iterator[Path]:
    """A directory that everybody may look into, also where the temporary one is its owner's."""
    with tempfile.TemporaryDirectory(dir="/tmp") as made:
        place = Path(made)
        place.chmod(0o755)
        writes.prepare(place / "memory")
        for lock in (place / "memory").glob("*-lock"):
            lock.unlink()
        yield place
        for path in (place / "memory", *(place / "memory").glob("*")):
            path.chmod(0o700)


def answers(directory: Path, own: Path) -> dict[str, str]:
    """What somebody is answered whose files these are not."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.faults.powerless", directory, own],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr[-2_000:]
    found: dict[str, str] = json.loads(ran.stdout)
    return found


def lock_up(directory: Path, files: int, itself: int) -> None:
    """Everything in the directory and the directory have these modes."""
    for path in directory.iterdir():
        path.chmod(files)
    directory.chmod(itself)


@requirement("ledger:file:refused")
def test_what_may_only_be_read_is_read_and_every_write_says_so(shown: Path, place: Path) -> None:
    """A memory on a medium that cannot be written answers questions, and nothing changes."""
    directory = shown / "memory"
    lock_up(directory, 0o444, 0o555)
    before = listing(directory)

    found = answers(directory, place / "own")

    assert "nine" in found.pop("text")
    assert {name: code for name, code in found.items() if name in WRITES} == dict.fromkeys(
        WRITES, "read_only"
    )
    assert {code for name, code in found.items() if name not in WRITES} == {"ok"}
    assert listing(directory) == before


@requirement("ledger:file:refused")
@pytest.mark.parametrize("shared", [True, False], ids=["with its index", "log alone"])
def test_a_log_that_may_only_be_read_is_read_or_said_to_be_unreadable(
    shown: Path, place: Path, shared: bool
) -> None:
    """Never the file without its log, which would hide what was answered last."""
    directory = shown / "memory"
    with writes.opened(place / "live") as memory:
        writes.prepare(place / "live")
        memory.observe("The harbour closes at noon.", role="user")
        for path in (place / "live").glob("*.muniment*"):
            if not path.name.endswith("-lock") and (shared or not path.name.endswith("-shm")):
                shutil.copy(path, directory / path.name)
    lock_up(directory, 0o444, 0o555)
    before = listing(directory)

    found = answers(directory, place / "own")

    assert "noon" in found.get("text", "noon")
    assert found["Recall"] in ("ok", "cannot_open", "read_only")
    assert listing(directory) == before


@requirement("ledger:file:refused")
@pytest.mark.parametrize("modes", [(0o000, 0o755), (0o644, 0o000)], ids=["file", "directory"])
def test_what_may_not_even_be_read_is_unavailable(
    shown: Path, place: Path, modes: tuple[int, int]
) -> None:
    """One code for each, and no traceback."""
    directory = shown / "memory"
    lock_up(directory, *modes)

    found = answers(directory, place / "own")

    assert set(found.values()) <= {"cannot_open", "read_only"}


def test_a_file_that_may_only_be_read_in_a_directory_of_ones_own(shown: Path, place: Path) -> None:
    """Reading works, writing says read_only, and the file is what it was."""
    directory = shown / "memory"
    lock_up(directory, 0o444, 0o777)
    before = listing(directory)[only_file(directory).name]

    found = answers(directory, place / "own")

    assert (found["Recall"], found["Remember"]) == ("ok", "read_only")
    assert listing(directory)[only_file_of(directory)] == before


def only_file_of(directory: Path) -> str:
    """The name of the default scope's file."""
    (path,) = directory.glob("default-*.muniment")
    return path.name
