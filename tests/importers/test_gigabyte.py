"""A gigabyte comes in through a narrow door, also after a kill in its midst."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from muniment import Memory, Status
from tests.requirements.marker import requirement

GIGABYTE = 1_000_000_000
MEGABYTES_MAX = 300
WORDS = [f"word{number}" for number in range(20_000)]


def messages() -> Iterator[dict[str, Any]]:
    """Messages of a thousand bytes or so, in conversations of a thousand."""
    for number in itertools.count():
        text = " ".join(WORDS[(number * 31 + each * each) % len(WORDS)] for each in range(110))
        role = "assistant" if number % 2 else "user"
        yield {"id": number, "role": role, "thread": f"t{number // 1_000}", "text": text}


def written(path: Path, *, array: bool) -> int:
    """A file of a gigabyte, as lines or as one array; how many messages it has."""
    with path.open("w", encoding="utf-8") as file:
        size, count, every = file.write("[" if array else ""), 0, messages()
        while size < GIGABYTE:
            size += file.write(json.dumps(next(every)) + (", " if array else "\n"))
            count += 1
        if array:
            file.write("{}]")  # a last element that is no message
    return count


def started(place: Path, file: Path) -> subprocess.Popen[bytes]:
    """An import as a process of its own."""
    command = [sys.executable, "-m", "muniment", "--db", str(place), "import", str(file), "--json"]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def finished(process: subprocess.Popen[bytes]) -> tuple[dict[str, Any], float]:
    """What the import answers, and the megabytes that it took at its largest."""
    assert process.stdout is not None
    answer = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    assert process.returncode == 0
    return json.loads(answer), used.ru_maxrss / 1024


@pytest.mark.soak
@requirement("importers:every:streamed", "importers:every:interrupted")
@pytest.mark.parametrize("array", [False, True], ids=["lines", "array"])
def test_a_gigabyte_comes_in_within_300_megabytes(tmp_path: Path, array: bool) -> None:
    """Killed on the way and begun again, nothing is lost, doubled, or held in memory."""
    file, place = tmp_path / "large.json", tmp_path / "memory"
    count = written(file, array=array)
    first = started(place, file)
    time.sleep(20)
    first.send_signal(signal.SIGKILL)
    first.wait()
    assert first.stdout is not None
    first.stdout.close()
    with Memory.open(place) as memory:
        had = memory.run(Status()).counts["experience"]

    rest, megabytes = finished(started(place, file))
    again, megabytes_again = finished(started(place, file))

    assert 0 < had < count
    assert (rest["imported"], rest["skipped"]) == (count - had, had)
    assert (again["imported"], again["skipped"]) == (0, count)
    assert len(rest["failed"]) == len(again["failed"]) == int(array)
    assert max(megabytes, megabytes_again) < MEGABYTES_MAX
    with Memory.open(place) as memory:
        assert memory.run(Status()).counts["experience"] == count
        assert memory.verify(depth="content").ok
