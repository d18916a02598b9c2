"""The command line: argv to a request, the answer to JSON or lines, errors to exit codes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, TextIO

import msgspec

from muniment import errors, limits
from muniment.memory import Memory
from muniment.model import time
from muniment.model.pack import plain
from muniment.operations import OPERATIONS
from muniment.operations.operation import Operation
from muniment.surfaces import arguments, plainly

INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is the contract's."""
    words = list(sys.argv[1:] if argv is None else argv)
    as_json = "--json" in words
    try:
        given = arguments.parser(words).parse_args(words)
        return _run(given)
    except errors.MunimentError as error:
        _say(error, as_json=as_json)
        return error.exit
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the answer has gone; what it said was done is done.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _run(given: argparse.Namespace) -> int:
    if given.version:
        from muniment import __version__

        _write(sys.stdout, f"muniment {__version__}\n")
        return 0
    if given.command == "demo":
        from muniment.surfaces import demo

        return demo.run(given.file)
    if given.command is None:
        raise errors.BadUsage("name a command; see muniment --help")
    operation = next(each for each in OPERATIONS if each.name == given.operation)
    given.scope = given.scope or os.environ.get("MUNIMENT_SCOPE")
    request = arguments.request(operation, given)
    with Memory.open(_place(given.db), clock=_clock(given.now), wait_ms=_wait(given)) as memory:
        answer = memory.run(_with_progress(request, operation))
    shown = plain(answer)
    if given.json:
        _write(sys.stdout, msgspec.json.encode(shown).decode() + "\n")
    else:
        _write(sys.stdout, plainly.text(operation.name, shown))
    return _exit(operation, answer)


def _exit(operation: Operation, answer: Any) -> int:
    if operation.finding is None:
        return 0
    field, value = operation.finding
    return operation.finding_exit if getattr(answer, field) == value else 0


def _with_progress(request: Any, operation: Operation) -> Any:
    """An import shows its progress on a terminal."""
    if operation.name != "import" or not sys.stderr.isatty():
        return request
    from muniment.surfaces import progress

    return msgspec.structs.replace(request, progress=progress.bar(request.file))


def _place(given: str | None) -> str:
    place = given or os.environ.get("MUNIMENT_DB")
    if place:
        return place
    from platformdirs import user_data_dir

    return user_data_dir("muniment", appauthor=False)


def _clock(given: str | None) -> Callable[[], int]:
    if given is not None:
        fixed = time.parse(given, "now")
        return lambda: fixed
    from time import time_ns

    return lambda: time_ns() // 1_000_000


def _wait(given: argparse.Namespace) -> int:
    if given.wait_ms is None:
        return limits.WAIT_MS_DEFAULT
    if not given.wait_ms.isdigit():
        raise errors.BadShape("milliseconds, from 0", at="wait_ms")
    return int(given.wait_ms)


def _say(error: errors.MunimentError, *, as_json: bool) -> None:
    if as_json:
        told = {
            "error": {
                "family": error.family,
                "code": error.code,
                "detail": error.detail,
                "at": error.at,
            }
        }
        _write(sys.stderr, msgspec.json.encode(told).decode() + "\n")
    else:
        at = f" at {error.at}" if error.at else ""
        _write(sys.stderr, f"muniment: {error.detail}{at} ({error.code})\n")


def _write(stream: TextIO, text: str) -> None:
    # Never the terminal's own encoding: an answer must not fail on what it holds.
    stream.flush()
    stream.buffer.write(text.encode("utf-8", "surrogateescape"))
    stream.flush()
