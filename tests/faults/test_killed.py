"""A process that is killed at any moment of a write: all of it, or nothing, and nothing broken."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from muniment import Memory
from tests.faults import writes
from tests.faults.sampling import thorough
from tests.faults.seen import contents, faults, said
from tests.requirements.marker import requirement

ROOT = Path(__file__).parents[2]


def killed(name: str, place: Path, most: int) -> list[Path]:
    """A directory for each moment at which the write was killed; the last moment last."""
    out = place / "out"
    out.mkdir()
    ran = subprocess.run(
        [sys.executable, "-m", "tests.faults.dying", name, place / "base", out, str(most)],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr[-2_000:]
    return sorted(out.glob("0*"))


@pytest.mark.faults
@requirement("ledger:crash:killed", "ledger:commit:atomic")
@pytest.mark.parametrize("name", writes.WRITES)
def test_a_killed_write_is_whole_or_not_there(place: Path, name: str) -> None:
    """At every statement and every write of the engine, torn in the middle.

    An erasure that was committed may still owe the removal of its traces; nothing else may.
    """
    writes.prepare(place / "base")
    before, said_before = contents(place / "base"), said(place / "base")

    directories = killed(name, place, 10_000 if thorough() else 12)

    whole, said_after = contents(place / "out" / "whole"), said(place / "out" / "whole")
    for directory in directories:
        codes = {fault.code for fault in faults(directory)}
        assert codes <= ({"erasure_pending"} if name.startswith("erase") else set()), directory
        assert said(directory) in (said_before, said_after), directory
        if not name.startswith("erase"):
            assert contents(directory) in (before, whole), directory


@pytest.mark.faults
@requirement("erasure:crash:finished-later", "erasure:bytes:gone")
@pytest.mark.parametrize("name", ["erase", "erase_all"])
def test_a_killed_erasure_is_undone_or_finished_by_the_next_writer(place: Path, name: str) -> None:
    """After one more write no byte of what was erased is left in any file of the directory."""
    writes.prepare(place / "base")

    for directory in killed(name, place, 10_000 if thorough() else 12):
        with Memory.open(directory) as memory:
            erased = bool(memory.verify(all=True, depth="content").erased)
            memory.observe("The next writer comes along.", role="user")

            assert memory.verify(all=True).faults == (), directory
        held = b"".join(path.read_bytes() for path in directory.glob("*.muniment*"))
        assert (writes.CANARY.encode() in held) != erased, directory


@pytest.mark.faults
@requirement("ledger:crash:killed")
def test_a_scope_whose_making_was_killed_can_be_made(place: Path) -> None:
    """What the killed maker left is swept away; nobody ever sees half a scope."""
    writes.prepare(place / "base")

    for directory in killed("create", place, 10_000 if thorough() else 40):
        with writes.opened(directory) as memory:
            writes.create(memory, directory)
            assert memory.verify(scope="new").faults == (), directory
        assert not [path for path in directory.iterdir() if ".new" in path.name], directory


def test_the_next_process_opens_what_a_killed_one_left(place: Path) -> None:
    """A log beside the file, of a writer that is gone, holds what it had answered."""
    writes.prepare(place / "base")
    shutil.copytree(place / "base", place / "left")
    with writes.opened(place / "base") as memory:
        writes.observe(memory, place / "base")
        for path in (place / "base").glob("*.muniment*"):
            shutil.copy(path, place / "left" / path.name)

    assert faults(place / "left") == ()
    assert contents(place / "left") == contents(place / "base")
