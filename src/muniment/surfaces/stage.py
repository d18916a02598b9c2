"""Where the demonstration plays: a directory, the commands run in it, and what they printed."""

from __future__ import annotations

import contextlib
import io
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from muniment.errors import BadFile
from muniment.surfaces import streams

_LINES_MAX = 8
_COLUMNS_MAX = 132


Main = Callable[[Sequence[str]], int]  # the command line: words in, exit code out


class Stage:
    """Runs commands and prints them; remembers whether everything was as expected."""

    def __init__(self, directory: Path, file: Path, main: Main, *, silent: bool) -> None:
        self._main = main
        self.file = str(file)
        self.memory = directory / "memory"
        self.note = directory / "checkpoint.json"
        self.good = True
        self._shortened = {str(file): file.name, str(directory) + "/": ""}
        self._silent = silent
        self._steps: list[dict[str, Any]] = []
        self._began = time.monotonic()
        self._say(f"$ export MUNIMENT_DB={self.memory}\n")

    def title(self, text: str) -> None:
        """A line above what follows."""
        self._say(f"\n# {text}\n")

    def show(self, *words: str, exit: int = 0) -> str:
        """Runs a command and prints it; what it printed comes back."""
        self._say(f"$ muniment {shlex.join(self._shortly(word) for word in words)}\n")
        code, printed = _run(self._main, self.memory, words)
        lines = printed.splitlines()
        for line in lines[:_LINES_MAX]:
            shown = self._shortly(line)
            cut = shown[: _COLUMNS_MAX - 1] + "…" if len(shown) > _COLUMNS_MAX else shown
            self._say(f"  {cut}\n")
        if len(lines) > _LINES_MAX:
            self._say(f"  … {len(lines) - _LINES_MAX} more lines\n")
        if code or exit:
            self._say(f"  (exit code {code})\n")
        self._steps.append({"command": shlex.join(words), "exit": code, "good": code == exit})
        self.expect(f"exit code {exit}", code == exit)
        return printed

    def ask(self, *words: str, exit: int = 0) -> Any:
        """What a command answers as JSON; it is not printed.

        Raises:
            BadFile: with this file there is no such answer.
        """
        code, printed = _run(self._main, self.memory, (*words, "--json"))
        if code != exit:
            raise BadFile(f"the demonstration cannot go on: {printed}", at="file")
        return msgspec.json.decode(printed)

    def expect(self, what: str, found: bool) -> None:
        """Nothing, where it was so; else it is said, and remembered."""
        if not found:
            self.good = False
            self._say(f"  NOT AS EXPECTED: {what}\n")
            if self._steps:
                self._steps[-1]["good"] = False

    def tamper(self, words: str) -> Callable[[], None]:
        """Changes one byte of the ledger's file where it holds `words`; how to undo it."""
        for path in _files(self.memory.parent):
            held = path.read_bytes()
            place = held.find(words.encode())
            if place >= 0:
                changed = bytearray(held)
                changed[place] ^= 1
                path.write_bytes(changed)
                was, now = chr(held[place]), chr(changed[place])
                self._say(f"# byte {place} of {path.name} was {was!r} and is {now!r}\n")
                return lambda: self._restore(path, held)
        self.expect(f"a file holds {words!r}", found=False)
        return lambda: None

    def look_for(self, words: str, *, present: bool) -> None:
        """Looks into every byte of every file of the directory."""
        files = _files(self.memory.parent)
        holding = [path for path in files if words.encode().lower() in path.read_bytes().lower()]
        self._say(f"# {words!r} stands in {len(holding)} of the {len(files)} files there\n")
        self.expect(
            "the bytes are there" if present else "no byte is left", bool(holding) == present
        )

    def end(self) -> None:
        """The last line."""
        seconds = time.monotonic() - self._began
        verdict = "Every step did what it says" if self.good else "NOT every step did what it says"
        self._say(f"\n# {verdict}: {len(self._steps)} commands in {seconds:.1f} s.\n")

    def account(self) -> dict[str, Any]:
        """What happened, for a program."""
        return {"good": self.good, "steps": self._steps}

    def _restore(self, path: Path, held: bytes) -> None:
        path.write_bytes(held)
        self._say(f"# {path.name} is put back as it was\n")

    def _shortly(self, text: str) -> str:
        for long, short in self._shortened.items():
            text = text.replace(long, short)
        return text

    def _say(self, text: str) -> None:
        if not self._silent:
            streams.write(sys.stdout, text)


def _files(directory: Path) -> list[Path]:
    return sorted(path for path in directory.rglob("*") if path.is_file())


def _run(main: Main, memory: Path, words: Sequence[str]) -> tuple[int, str]:
    printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        code = main(["--db", str(memory), "--scope", "default", *words])
    printed.seek(0)
    return code, printed.read()
