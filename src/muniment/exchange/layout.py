"""What every format here is read with: fixed places, zeros, ids, words, strict text."""

from __future__ import annotations

import re
import struct
from typing import Any, NamedTuple

from muniment.exchange.status import refused
from muniment.model.contextual import Code

ID_BYTES = 16
DIGEST_BYTES = 32
NO_ID = bytes(ID_BYTES)
UNKNOWN = 0xFFFF_FFFF  # a number that nobody knows; it is not 0
SCALE = 1_000_000
TEXT_BYTES_MAX = 2_048

# NUL and the other controls but TAB and LF, DEL, and those of Latin-1.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
# What a file is by its first eight bytes, as it is called where another is wanted.
KINDS = {
    b"AOTXCCIR": "a container",
    b"AOTXREQ1": "a file of prepared queries",
    b"AOTXOBJ1": "an image of objects",
    b"AOTXLOG1": "an image of a log",
}


class Ref(NamedTuple):
    """An exact version of an object; nothing at all where both are zero."""

    id: bytes = NO_ID
    version: int = 0

    def __bool__(self) -> bool:
        return self.version != 0  # both are zero, or neither

    @property
    def bytes(self) -> bytes:
        """Its 24 bytes."""
        return self.id + struct.pack("<Q", self.version)

    def __str__(self) -> str:
        return f"{self.id.hex()}@{self.version}"


NONE = Ref()


class Reader:
    """Bytes that are read by place; whatever is wrong is told with the place's name."""

    def __init__(self, data: Any, at: str, size: int | None = None, least: int = 0) -> None:
        self.data = memoryview(data)
        self.at = at
        if size is not None and len(self.data) != size:
            raise refused("format", f"{size} bytes, found {len(self.data)}", at)
        if len(self.data) < least:
            raise refused("format", f"at least {least} bytes, found {len(self.data)}", at)

    def u16(self, place: int) -> int:
        """A number of 16 bits."""
        return int(struct.unpack_from("<H", self.data, place)[0])

    def u32(self, place: int) -> int:
        """A number of 32 bits."""
        return int(struct.unpack_from("<I", self.data, place)[0])

    def u64(self, place: int) -> int:
        """A number of 64 bits."""
        return int(struct.unpack_from("<Q", self.data, place)[0])

    def take(self, place: int, size: int) -> bytes:
        """So many bytes."""
        return bytes(self.data[place : place + size])

    def id(self, place: int) -> bytes:
        """An id, which may be zero."""
        return self.take(place, ID_BYTES)

    def ref(self, place: int, at: str) -> Ref:
        """A reference: id and version, both of them or neither."""
        found = Ref(self.id(place), self.u64(place + ID_BYTES))
        if (found.id == NO_ID) != (found.version == 0):
            raise refused("reference", "an id has a version", f"{self.at}.{at}")
        return found

    def must(self, right: bool, field: str, wanted: str, code: Code = "format") -> None:
        """Nothing, if a field is as it must be.

        Raises:
            BadExchange: it is not.
        """
        if not right:
            raise refused(code, wanted, f"{self.at}.{field}")

    def zeros(self, place: int, end: int, field: str = "reserved") -> None:
        """Nothing, if these bytes are zero.

        Raises:
            BadExchange: one of them is not.
        """
        found = bytes(self.data[place:end])
        self.must(found.count(0) == len(found), field, "zero bytes")

    def magic(self, wanted: bytes) -> None:
        """Nothing, if it begins with this word.

        Raises:
            BadExchange: it begins otherwise.
        """
        found = bytes(self.data[: len(wanted)])
        kind = KINDS.get(bytes(self.data[:8]), repr(found))
        self.must(found == wanted, "magic", f"{KINDS.get(wanted, wanted.decode())}, found {kind}")

    def scaled(self, place: int, field: str) -> int | None:
        """A number of millionths, or None where it is not known."""
        found = self.u32(place)
        if found == UNKNOWN:
            return None
        self.must(found <= SCALE, field, "at most a million, or unknown")
        return found

    def text(self, place: int, size: int, field: str, least: int = 1) -> str:
        """A text of so many bytes, as strict as the formats are."""
        self.must(least <= size <= TEXT_BYTES_MAX, field, f"{least} to {TEXT_BYTES_MAX} bytes")
        self.must(place + size <= len(self.data), field, "the text is cut off")
        try:
            found = self.take(place, size).decode()
        except UnicodeDecodeError:
            raise refused("format", "UTF-8", f"{self.at}.{field}") from None
        self.must(_CONTROL.search(found) is None, field, "no control characters but TAB and LF")
        return found


def u32s(*numbers: int) -> bytes:
    """Numbers of 32 bits."""
    return struct.pack(f"<{len(numbers)}I", *numbers)


def u64s(*numbers: int) -> bytes:
    """Numbers of 64 bits."""
    return struct.pack(f"<{len(numbers)}Q", *numbers)


def scaled(number: int | None) -> int:
    """Millionths as they are written."""
    return UNKNOWN if number is None else number
