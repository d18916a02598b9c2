"""The program as a process: its streams, its locale, a terminal, and what it loads."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.requirements.marker import requirement
from tests.surfaces.shell import EXPORT, Shell, environment, process

HEAVY = ("asyncio", "numpy", "platformdirs", "rich", "sqlite3")


def test_it_runs_as_a_module(club: Shell) -> None:
    """`python -m muniment`, with the exit code of the command."""
    done = process("--db", str(club.db), "recall", "door code", "--json")
    refused = process("--db", str(club.db), "close", "r9", "--json")

    assert (done.code, done.err) == (0, b"")
    assert done.json["items"]
    assert (refused.code, refused.error["code"]) == (1, "not_found")


@requirement("faces:cli:streams")
@pytest.mark.parametrize("locale", ["C", "POSIX"])
def test_an_answer_is_utf8_in_any_locale(club: Shell, locale: str) -> None:
    """Text in, text out, and help, in a place that knows of no UTF-8."""
    old = {"LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

    shown = process("--db", str(club.db), "recall", "eq", "--require", "e10", env=old)
    helped = process("recall", "--help", env=old)
    asked = process("--db", str(club.db), "recall", "-", stdin="土星の環".encode(), env=old)

    assert (shown.code, shown.err) == (0, b"")
    assert "土星の環" in asked.text
    assert helped.code == 0


@requirement("faces:cli:streams")
@pytest.mark.parametrize("words", [("thread", "470c4e04-8b73-4325-a7d2-7b1df32dbc35"), ("--help",)])
def test_a_reader_who_has_gone_is_no_failure(club: Shell, words: tuple[str, ...]) -> None:
    """`muniment ... | head` ends quietly."""
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "muniment", "--db", str(club.db), *words],
        stdout=write,
        stderr=subprocess.PIPE,
        env=environment(),
        check=False,
    )
    os.close(write)

    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is full")
def test_an_answer_that_is_lost_is_told(club: Shell) -> None:
    """A full disk behind standard output: exit 1, one line, no traceback."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "muniment", "--db", str(club.db), "status"],
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(),
            check=False,
        )

    assert done.returncode == 1
    assert done.stderr.endswith(b"(answer_lost)\n")


@requirement("faces:cli:streams")
@pytest.mark.parametrize(
    ("words", "code"),
    [("status", 0), ("import -", 2), ("observe - --role user", 2), ("state set k -", 2)],
)
def test_streams_that_are_closed_are_no_traceback(club: Shell, words: str, code: int) -> None:
    """A program without standard input and output does what it can, and says what it cannot."""
    done = subprocess.run(
        f'"{sys.executable}" -m muniment --db "{club.db}" {words} <&- >&-',
        shell=True,
        capture_output=True,
        env=environment(),
        check=False,
    )

    assert done.returncode == code
    assert b"Traceback" not in done.stderr


@requirement("faces:cli:start")
@pytest.mark.parametrize("words", [["recall", "door"], ["observe", "x", "--role", "user"]])
def test_a_command_loads_no_library_that_it_does_not_use(club: Shell, words: list[str]) -> None:
    """Hooks start the program on every turn, so what is heavy waits until it is needed."""
    script = (
        "import sys; from muniment.surfaces.cli import main; main(sys.argv[1:]);"
        f"print(*[name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    )

    done = subprocess.run(
        [sys.executable, "-c", script, "--db", str(club.db), *words],
        capture_output=True,
        env=environment(),
        check=True,
    )

    assert done.stderr.split() == []


@requirement("faces:cli:progress")
def test_progress_is_shown_on_a_terminal_and_nowhere_else(tmp_path: Path) -> None:
    """A bar goes to standard error, and only where somebody is watching."""
    watched = terminal("--db", str(tmp_path / "a"), "import", str(EXPORT), "--json")
    unwatched = process("--db", str(tmp_path / "b"), "import", str(EXPORT), "--json")

    assert "/" in watched
    assert unwatched.err == b""
    assert unwatched.json["imported"] == 80


def terminal(*words: str) -> str:
    """What a command shows on a terminal's standard error."""
    main, other = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "muniment", *words],
        stdout=subprocess.DEVNULL,
        stderr=other,
        env=environment(TERM="xterm"),
    ) as running:
        os.close(other)
        shown = b""
        while piece := _piece(main):
            shown += piece
        assert running.wait(60) == 0
    os.close(main)
    return shown.decode()


def _piece(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # the other end has gone
        return b""
