"""Small files for importers, and what comes out of them."""

from __future__ import annotations

import io
import itertools
import json
from typing import Any
from zoneinfo import ZoneInfo

from muniment.model.turn import Failed, Importer, Options, Passed, Turn

LABEL = "talks"


def told(importer: Importer, file: bytes, tz: ZoneInfo | None = None) -> list[Turn | Failed]:
    """What `importer` finds in a file with these bytes: turns and failures."""
    found = importer.turns(io.BytesIO(file), Options(label=LABEL, tz=tz))
    return [item for item in found if not isinstance(item, Passed)]


def passed(importer: Importer, file: bytes) -> list[Passed]:
    """What `importer` leaves out of a file on purpose."""
    found = importer.turns(io.BytesIO(file), Options(label=LABEL))
    return [item for item in found if isinstance(item, Passed)]


def turns(importer: Importer, file: bytes, tz: ZoneInfo | None = None) -> list[Turn]:
    """The turns of a file in which nothing fails."""
    found = told(importer, file, tz)
    taken = [item for item in found if isinstance(item, Turn)]

    assert taken == found
    return taken


def failures(importer: Importer, file: bytes, tz: ZoneInfo | None = None) -> list[tuple[str, str]]:
    """Place and code of all that fails in a file."""
    found = told(importer, file, tz)
    return [(item.at, item.code) for item in found if isinstance(item, Failed)]


def texts(found: list[Turn | Failed]) -> list[str]:
    """What is said in turns, in their order."""
    return [item.text for item in found if isinstance(item, Turn)]


def dumped(value: Any) -> bytes:
    """A JSON value as the bytes of a file."""
    return json.dumps(value).encode()


def lined(*messages: Any) -> bytes:
    """JSON values as the lines of a file."""
    return b"".join(dumped(message) + b"\n" for message in messages)


class Chunked(io.RawIOBase):
    """A pipe: it cannot seek, and gives a few bytes at a time."""

    def __init__(self, file: bytes, size: int) -> None:
        super().__init__()
        self._inner = io.BytesIO(file)
        self._size = size

    def readable(self) -> bool:
        """It can be read, and nothing else."""
        return True

    def readinto(self, buffer: Any) -> int:
        """At most `size` bytes."""
        piece = self._inner.read(min(self._size, len(buffer)))
        buffer[: len(piece)] = piece
        return len(piece)


class Repeated(io.RawIOBase):
    """A long file that is never held: a head, one piece many times, a tail."""

    def __init__(self, head: bytes, piece: bytes, times: int, tail: bytes) -> None:
        super().__init__()
        self._pieces = itertools.chain([head], itertools.repeat(piece, times), [tail])
        self._rest = b""

    def readable(self) -> bool:
        """It can be read, and nothing else."""
        return True

    def readinto(self, buffer: Any) -> int:
        """As much as one piece still has."""
        while not self._rest and (piece := next(self._pieces, None)) is not None:
            self._rest = piece
        taken = self._rest[: len(buffer)]
        self._rest = self._rest[len(taken) :]
        buffer[: len(taken)] = taken
        return len(taken)
