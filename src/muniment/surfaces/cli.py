"""The command line: argv to a request, the answer to JSON or lines, errors to exit codes."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec

from muniment import errors, limits
from muniment.memory import Memory
from muniment.model import time
from muniment.model.pack import plain
from muniment.operations import OPERATIONS
from muniment.operations.operation import Operation
from muniment.store import interrupts
from muniment.surfaces import arguments, plainly, streams

INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is the contract's."""
    words = list(sys.argv[1:] if argv is None else argv)
    before = words.index("--") if "--" in words else len(words)
    written = interrupts.written()
    try:
        return _run(arguments.parsed(words))
    except errors.MunimentError as error:
        _say(error, as_json="--json" in words[:before])
        return error.exit
    except KeyboardInterrupt:
        stands = interrupts.written() > written
        _say(_interrupted(stands=stands), as_json="--json" in words[:before])
        return INTERRUPTED


def script() -> int:
    """`main` for a process of its own, which nothing interrupts any more once it has answered."""
    code = main()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return code


def _interrupted(*, stands: bool) -> errors.MunimentError:
    if stands:
        return errors.AnswerLost("interrupted when something had been written, which stands")
    return errors.Interrupted("interrupted from outside")


def _run(given: argparse.Namespace) -> int:
    if given.version:
        from muniment import __version__

        shown: Any = {"version": __version__}
        streams.write(
            sys.stdout, streams.json_line(shown) if given.json else f"muniment {__version__}\n"
        )
        return 0
    if given.operation is None:
        raise errors.BadUsage("name a command; see muniment --help")
    if given.operation == "demo":
        from muniment.surfaces import demo

        return demo.run(given.file, main, as_json=given.json)
    if given.operation == "bench":
        from muniment.surfaces import bench

        return bench.run(given)
    operation = next(each for each in OPERATIONS if each.name == given.operation)
    with arguments.worded(operation):
        return _answered(operation, given)


def _answered(operation: Operation, given: argparse.Namespace) -> int:
    if given.scope is None:
        given.scope = os.environ.get("MUNIMENT_SCOPE") or None
    request = arguments.request(operation, given)
    opened = Memory.open(
        _place(given.db),
        clock=_clock(given),
        wait_ms=_wait_ms(given),
        embedder=os.environ.get("MUNIMENT_EMBEDDER") or None,
        keep_log=given.keep_log,
    )
    with opened as memory, _watched(request, operation) as watched:
        answer = memory.run(watched)
    shown = plain(answer)
    streams.write(
        sys.stdout,
        streams.json_line(shown) if given.json else plainly.text(operation.name, shown),
    )
    return _exit(operation, answer)


def _exit(operation: Operation, answer: Any) -> int:
    if operation.finding is None:
        return 0
    field, value = operation.finding
    return operation.finding_exit if getattr(answer, field) == value else 0


@contextmanager
def _watched(request: Any, operation: Operation) -> Iterator[Any]:
    """The request; an import shows how far it is, on a terminal."""
    if operation.name != "import" or sys.stderr is None or not sys.stderr.isatty():
        yield request
        return
    from muniment.surfaces import progress

    with progress.bar(request.file) as told:
        yield msgspec.structs.replace(request, progress=told)


def _place(given: str | None) -> str:
    if given == "":
        raise errors.BadShape("a path is not empty; leave it out instead", at="db")
    place = given or os.environ.get("MUNIMENT_DB")
    if place:
        return place
    from platformdirs import user_data_dir

    return user_data_dir("muniment", appauthor=False)


def _clock(given: argparse.Namespace) -> Callable[[], int]:
    if given.now is not None:
        zone = None if given.tz is None else time.zone(given.tz, "tz")
        fixed = time.asked(given.now, "now", zone)
        return lambda: fixed
    from time import time_ns

    return lambda: time_ns() // 1_000_000


def _wait_ms(given: argparse.Namespace) -> int:
    if given.wait_ms is None:
        return limits.WAIT_MS_DEFAULT
    wait_ms = arguments.integer(given.wait_ms, "wait_ms")
    if not 0 <= wait_ms <= limits.WAIT_MS_MAX:
        raise errors.BadShape(f"from 0 to {limits.WAIT_MS_MAX}", at="wait_ms")
    return wait_ms


def _say(error: errors.MunimentError, *, as_json: bool) -> None:
    if as_json:
        fields = ("family", "code", "detail", "at")
        told = streams.json_line({"error": {name: getattr(error, name) for name in fields}})
    else:
        told = plainly.error(error)
    streams.write(sys.stderr, told)
