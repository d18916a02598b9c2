"""The blocks of code on a page, and what running them in order prints.

A page runs in a directory of its own that holds `examples/`, with a home of its own.

- `python`: runs after the ones before it, in the same namespace.  A `text` block right behind it
  is what it prints.
- `console`: a line that begins with `$ ` is a command, up to the line that does not end in a
  backslash; what follows is what it prints.  Every command ends with 0.
- `sh`: commands alone.

Times and digests are compared as such, not by their digits.  `...` stands for anything.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).parents[2]
RUN = ("python", "console", "sh")

_FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FIRST_RUN = "2026-06-01"  # what the pages print for the time of a run
_TIME = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d{3})?Z?)?")
_DIGEST = re.compile(r"\b[0-9a-f]{64}\b|\b[0-9a-f]{32}\b|\b[0-9a-f]{16}\b")
_MARK = "\x1e"


class Block(msgspec.Struct, frozen=True):
    """One block: its language, its line on the page, its text, and what it should print."""

    language: str
    line: int
    text: str
    printed: str | None = None  # of python


class Step(msgspec.Struct, frozen=True):
    """One thing that was run: what should have come of it, and what has."""

    line: int
    command: str
    wanted: str
    printed: str
    code: int = 0

    @property
    def good(self) -> bool:
        """Whether it did what the page says."""
        return self.code == 0 and matches(self.wanted, self.printed)


def blocks(page: Path) -> list[Block]:
    """Every block of a page, in order."""
    text = page.read_text(encoding="utf-8")
    found: list[Block] = []
    end = 0
    for fence in _FENCE.finditer(text):
        line = text.count("\n", 0, fence.start()) + 1
        close = not text[end : fence.start()].strip()
        if fence[1] == "text" and close and found and found[-1].language == "python":
            found[-1] = msgspec.structs.replace(found[-1], printed=fence[2])
        found.append(Block(fence[1], line, fence[2]))
        end = fence.end()
    return found


def run(page: Path, directory: Path) -> Iterator[Step]:
    """Runs every block of a page in `directory`."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(page):
        if block.language == "python":
            yield _run_python(block, names)
        elif block.language in RUN:
            yield from _run_commands(block, directory)


def environment(directory: Path) -> dict[str, str]:
    """A home in `directory`, and the program under the names that the pages use."""
    programs = directory / ".programs"
    programs.mkdir(exist_ok=True)
    for name, words in (("muniment", "-m muniment"), ("python", ""), ("python3", "")):
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n', encoding="utf-8")
        program.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MUNIMENT_")}
    return kept | {
        "HOME": str(directory),
        "XDG_DATA_HOME": str(directory / ".data"),
        "PATH": f"{programs}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "src"),
    }


def matches(wanted: str, printed: str) -> bool:
    """Whether a page's output is what was printed."""
    pattern = re.escape(_plain(wanted)).replace(r"\.\.\.", ".*?")
    return re.fullmatch(pattern, _plain(printed), re.DOTALL) is not None


def _plain(text: str) -> str:
    lines = [line.rstrip() for line in text.strip("\n").split("\n")]
    return _DIGEST.sub("<digest>", _TIME.sub(_of_a_run, "\n".join(lines)))


def _run_python(block: Block, names: dict[str, Any]) -> Step:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block.text, f"line {block.line}", "exec"), names)
    wanted = "..." if block.printed is None else block.printed
    return Step(block.line, "python", wanted, printed.getvalue())


def _run_commands(block: Block, directory: Path) -> Iterator[Step]:
    """One shell a block; variables and the working directory are handed on in a file."""
    commands = _commands(block)
    state = directory / ".state"
    script = [f"[ -f '{state}' ] && . '{state}'"]
    for command, _ in commands:
        script += [command, f"printf '{_MARK}%s{_MARK}' $?"]
    script += [f"{{ export -p; printf 'cd \"%s\"\\n' \"$PWD\"; }} > '{state}'"]
    done = subprocess.run(
        ["bash", "-c", "\n".join(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        cwd=directory,
        env=environment(directory),
        check=False,
        timeout=120,
    )
    told = done.stdout.decode().split(_MARK)
    for index, (command, wanted) in enumerate(commands):
        printed, code = told[2 * index : 2 * index + 2]
        yield Step(block.line, command, wanted, printed, int(code))


def _commands(block: Block) -> list[tuple[str, str]]:
    """Each command of a block, with what it should print."""
    if block.language == "sh":
        return [(block.text, "...")]
    found: list[tuple[str, str]] = []
    going_on = False
    for line in block.text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], ""))
        elif going_on:
            found[-1] = (found[-1][0] + "\n" + line, "")
        else:
            found[-1] = (found[-1][0], found[-1][1] + line + "\n")
        going_on = line.endswith("\\") and (line.startswith("$ ") or going_on)
    return found


def _of_a_run(time: re.Match[str]) -> str:
    """A time at which somebody ran the page differs from run to run; one that was said does not."""
    return "<time>" if time[0] >= _FIRST_RUN else time[0]
