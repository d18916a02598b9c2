"""Commands as a user types them, in this process or in one of their own."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from muniment.surfaces.cli import main

ROOT = Path(__file__).parents[2]
EXPORT = ROOT / "examples" / "telescope-club.json"


class Answer(msgspec.Struct, frozen=True):
    """What a command printed, and how it ended."""

    code: int
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        """Standard output."""
        return self.out.decode()

    @property
    def json(self) -> Any:
        """The one object on standard output."""
        return msgspec.json.decode(self.out)

    @property
    def error(self) -> Any:
        """The error on standard error, with nothing on standard output."""
        assert self.out == b""
        found = msgspec.json.decode(self.err)
        assert list(found) == ["error"]
        return found["error"]


class Shell:
    """Runs commands on one directory of scopes."""

    def __init__(self, db: Path) -> None:
        self.db = db

    def __call__(self, *words: str, stdin: bytes = b"") -> Answer:
        """A command on the directory."""
        return run("--db", str(self.db), *words, stdin=stdin)

    def json(self, *words: str, code: int = 0, stdin: bytes = b"") -> Any:
        """The JSON of a command that ends with `code`."""
        answer = self("--json", *words, stdin=stdin)
        assert answer.code == code, answer.err.decode()
        assert answer.err == b""
        return answer.json

    def error(self, *words: str, code: int) -> Any:
        """The error of a command that ends with `code`."""
        answer = self("--json", *words)
        assert answer.code == code, answer
        return answer.error


def run(*words: str, stdin: bytes = b"") -> Answer:
    """A command in this process."""
    given = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    err = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    before = sys.stdin
    try:
        sys.stdin = given
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = main(words)
            except SystemExit as end:  # after the help has been printed
                code = int(end.code or 0)
    finally:
        sys.stdin = before
    return Answer(code, _written(out), _written(err))


def environment(**more: str) -> Mapping[str, str]:
    """The environment of a process of its own: nothing of Muniment's but what is given."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MUNIMENT_")}
    return kept | {"PYTHONPATH": str(ROOT / "src")} | more


def process(*words: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Answer:
    """A command in a process of its own, with these variables besides."""
    done = subprocess.run(
        [sys.executable, "-m", "muniment", *words],
        input=stdin,
        capture_output=True,
        env=environment(**(env or {})),
        check=False,
        timeout=60,
    )
    return Answer(done.returncode, done.stdout, done.stderr)


def _written(stream: io.TextIOWrapper) -> bytes:
    stream.flush()
    held = stream.buffer
    assert isinstance(held, io.BytesIO)
    return held.getvalue()
