"""Standard input, output and error: UTF-8 whatever the locale, bounded, and never a traceback."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, TextIO

import msgspec

from muniment import errors

STDIN = "-"
FILE = "@"


def write(stream: TextIO | None, text: str) -> None:
    """Puts `text` on a stream and flushes it.

    A stream that its owner closed takes nothing.  A reader who has gone is no failure: what the
    answer speaks of is done.

    Raises:
        AnswerLost: the operating system would not take it.
    """
    if stream is None:
        return
    try:
        stream.flush()
        stream.buffer.write(text.encode("utf-8", "backslashreplace"))
        stream.flush()
    except OSError as error:
        # What is left in the buffer would be tried again, and fail again, when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if not isinstance(error, BrokenPipeError):
            raise errors.AnswerLost(f"the answer was not written: {error.strerror}") from error


def json_line(value: Any) -> str:
    """`value` as one line of JSON; a file's name that is no UTF-8 is escaped."""
    try:
        return msgspec.json.encode(value).decode() + "\n"
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")) + "\n"


def text(given: str, at: str, bytes_max: int) -> str:
    """`given`, or all of standard input where it is `-`, without its last line end.

    Raises:
        TooLong, BadEncoding, BadFile: standard input holds no such text.
    """
    if given != STDIN:
        return given
    try:
        # One more than may be: the end of the last line does not count.
        held = _stdin(at, bytes_max + 1).removesuffix(b"\n")
        return _bounded(held, at, bytes_max).decode()
    except UnicodeDecodeError as error:
        raise errors.BadEncoding("standard input is not UTF-8", at=at) from error


def document(given: str, at: str, bytes_max: int) -> str | bytes:
    """A JSON text: `given`, or what `@FILE` holds, or standard input where it is `-`.

    Raises:
        TooLong, BadFile: it is too long, or cannot be read.
    """
    if given == STDIN:
        return _stdin(at, bytes_max)
    if not given.startswith(FILE):
        return given
    try:
        with Path(given[len(FILE) :]).open("rb") as file:
            return _bounded(file.read(bytes_max + 1), at, bytes_max)
    except (OSError, ValueError) as error:
        raise errors.BadFile.unreadable(given[len(FILE) :], error, at) from error


def _stdin(at: str, bytes_max: int) -> bytes:
    if sys.stdin is None:
        raise errors.BadFile("standard input is closed", at=at)
    return _bounded(sys.stdin.buffer.read(bytes_max + 1), at, bytes_max)


def _bounded(held: bytes, at: str, bytes_max: int) -> bytes:
    if len(held) > bytes_max:
        raise errors.TooLong(f"at most {bytes_max} bytes", at=at)
    return held
