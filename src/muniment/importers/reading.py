"""The bytes of a file to import, cut into lines or JSON values, each of them bounded.

It knows no format.  Values are cut out by their brackets and strings alone and read one by one,
so one that is broken does not take its neighbours along, and memory holds one at a time.
Event parsers were weighed and left: the fast one turns half a surrogate pair into "?" silently.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

import msgspec

from muniment.errors import BadEncoding, BadInput, BadJson, TooLong
from muniment.model import canonical
from muniment.model.turn import Failed, Options

HEAD_BYTES = 65_536  # what `recognises` gets to see
CHUNK_BYTES = 65_536  # progress is told at least this often
BOM = b"\xef\xbb\xbf"
SPACE = b" \t\r\n"

_QUOTE, _BACKSLASH = b'"\\'
_OPENERS, _CLOSERS = b"[{", b"]}"
_END = -1
_BLANK = re.compile(rb"[ \t\r\n]*+")
_SCALAR = re.compile(rb'[^ \t\r\n,:"\[\]{}]*+')
# Possessive, so that a string which the buffer cuts is given up at once, not tried backwards.
_OUTSIDE = re.compile(rb'(?:[^"\[\]{}]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+', re.DOTALL)
_INSIDE = re.compile(rb"(?:[^\"\\]++|\\.)*+", re.DOTALL)
_UNSAFE = re.compile("[\0\ud800-\udfff]")


class Value(msgspec.Struct, frozen=True, kw_only=True):
    """One JSON value of a file, still as bytes."""

    at: str  # "$[3]", "$.messages[3]", or "$" for what stands outside a list
    raw: bytes
    before: bool = False  # at "$": a list of the object follows, and these members stood before


class _Rejoined(io.RawIOBase):
    # The one way to hand the standard library a stream: a head already read, then the rest.

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        super().__init__()
        self._head = head
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._head[: len(buffer)] or self._rest.read(len(buffer))
        self._head = self._head[len(piece) :]
        buffer[: len(piece)] = piece
        return len(piece)


def peek(file: BinaryIO) -> tuple[bytes, BinaryIO]:
    """The first 64 KiB, or all there is, and a file that still begins with them.

    Nothing is sought, so a pipe will do.  `file` stays open when the other is closed.
    """
    pieces = []
    missing = HEAD_BYTES
    while missing and (piece := file.read(missing)):
        pieces.append(piece)
        missing -= len(piece)
    head = b"".join(pieces)
    return head, io.BufferedReader(_Rejoined(head, file), CHUNK_BYTES)


def shown(text: str) -> str:
    """`text`, with what cannot be stored or printed written as an escape."""
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def failed(at: str, error: BadInput) -> Failed:
    """What went wrong at this place."""
    return Failed(at=shown(at), code=error.code, detail=shown(error.detail))


def lines(file: BinaryIO, options: Options, bytes_max: int) -> Iterator[tuple[int, bytes | None]]:
    """Each line that is not blank with its number from 1; None for one that is too long.

    The line's end and a byte order mark before the first line are taken off.
    """
    tell = _Teller(options.progress)
    number = 0
    while piece := file.readline(CHUNK_BYTES):
        number += 1
        tell(len(piece))
        if piece[-1] != 10 and len(piece) == CHUNK_BYTES:
            line = _long_line(file, piece, tell, bytes_max)
        else:
            line = piece
        if number == 1 and line is not None and line.startswith(BOM):
            line = line[len(BOM) :]
        if line is None:
            yield number, None
        elif line := line.strip(SPACE):
            yield number, line
    tell.end()


def pieces(file: BinaryIO, options: Options) -> Iterator[bytes]:
    """Each line as it stands, with its end; one over 64 KiB comes in several pieces."""
    tell = _Teller(options.progress)
    while piece := file.readline(CHUNK_BYTES):
        tell(len(piece))
        yield piece
    tell.end()


def whole(file: BinaryIO, options: Options, bytes_max: int) -> bytes | None:
    """All of a file; None, and no more held, where it is longer than `bytes_max`."""
    tell = _Teller(options.progress)
    pieces: list[bytes] = []
    size = 0
    while size <= bytes_max and (piece := file.read(CHUNK_BYTES)):
        tell(len(piece))
        size += len(piece)
        pieces.append(piece)
    tell.end()
    return b"".join(pieces) if size <= bytes_max else None


def values(
    file: BinaryIO, options: Options, lists: tuple[str, ...], bytes_max: int
) -> Iterator[Value | Failed]:
    """The elements of an array; of an object, the elements of its members named in `lists`.

    What else an object holds comes as an object at "$": once before such a list, and once at
    the end if anything is left or there was no list.  A value over `bytes_max` fails alone.
    Where the file itself is cut or no JSON, one last `Failed` says at which byte.
    """
    scanner = _Scanner(file, _Teller(options.progress))
    try:
        yield from _document(scanner, lists, bytes_max)
    except BadInput as error:
        yield failed(scanner.at, error)
    scanner.tell.end()


def decode(raw: bytes, at: str) -> Any:
    """The value of a JSON text; its strings may still hold NUL and halves of surrogate pairs.

    Raises:
        BadEncoding: the bytes are not UTF-8.
        BadJson: no JSON, a repeated key, a number that is not finite, or nesting too deep.
    """
    try:
        return _decode(raw.decode())
    except UnicodeDecodeError as error:
        raise BadEncoding(f"byte {error.start} of it is not UTF-8", at=at) from error
    except RecursionError as error:
        raise BadJson("the JSON is nested too deeply", at=at) from error
    except ValueError as error:
        raise BadJson(f"not JSON: {error}", at=at) from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a key is repeated")
    return members


def _finite(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


_decode = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_finite,
                           parse_float=canonical.kept_float).decode  # fmt: skip


def _long_line(file: BinaryIO, piece: bytes, tell: _Teller, bytes_max: int) -> bytes | None:
    pieces = [piece]
    size = len(piece)
    while piece[-1] != 10 and (piece := file.readline(CHUNK_BYTES)):
        tell(len(piece))
        size += len(piece)
        if size <= bytes_max + 2:
            pieces.append(piece)
        else:
            pieces.clear()
    line = b"".join(pieces)
    return line if pieces and len(line.rstrip(b"\r\n")) <= bytes_max else None


def _document(
    scanner: _Scanner, lists: tuple[str, ...], bytes_max: int
) -> Iterator[Value | Failed]:
    scanner.skip_mark()
    first = scanner.next()
    if first == _END:
        raise BadJson("the file holds nothing")
    if first == b"["[0]:
        yield from _elements(scanner, "$", bytes_max)
    elif first == b"{"[0]:
        yield from _members(scanner, lists, bytes_max)
    else:
        yield scanner.value(bytes_max)
    scanner.at = "$"
    if scanner.next() != _END:
        raise BadJson(f"more than one JSON value, from byte {scanner.offset} on")


def _elements(scanner: _Scanner, at: str, bytes_max: int) -> Iterator[Value | Failed]:
    scanner.expect(b"[")
    if scanner.next() == b"]"[0]:
        scanner.expect(b"]")
        return
    index = 0
    while True:
        scanner.at = f"{at}[{index}]"
        yield scanner.value(bytes_max)
        scanner.at = at
        index += 1
        if scanner.expect(b",]") == b"]"[0]:
            return


def _members(scanner: _Scanner, lists: tuple[str, ...], bytes_max: int) -> Iterator[Value | Failed]:
    held: list[bytes] = []
    size = 0
    streamed: set[str] = set()
    scanner.expect(b"{")
    if scanner.next() == b"}"[0]:
        scanner.expect(b"}")
        yield Value(at="$", raw=b"{}")
        return
    while True:
        scanner.at = "$"
        name, raw_name = scanner.name(bytes_max)
        scanner.expect(b":")
        scanner.at = f"$.{name}"
        if name in lists and name not in streamed and scanner.next() == b"["[0]:
            streamed.add(name)
            yield Value(at="$", raw=b"{" + b",".join(held) + b"}", before=True)
            held.clear()
            size = 0
            yield from _elements(scanner, scanner.at, bytes_max)
        else:
            value = scanner.value(bytes_max - size)
            if isinstance(value, Failed):
                yield value
            elif name in streamed:
                yield failed(scanner.at, BadJson("a key is repeated"))
            else:
                held.append(raw_name + b":" + value.raw)
                size += len(held[-1])
        scanner.at = "$"
        if scanner.expect(b",}") == b"}"[0]:
            break
    if held or not streamed:
        yield Value(at="$", raw=b"{" + b",".join(held) + b"}")


class _Teller:
    # Counts the bytes read and tells the caller at least each 64 KiB.

    def __init__(self, progress: Callable[[int], None] | None) -> None:
        self._progress = progress
        self._read = 0
        self._told = 0

    def __call__(self, count: int) -> None:
        self._read += count
        if self._read - self._told >= CHUNK_BYTES:
            self.end()

    def end(self) -> None:
        if self._progress is not None and self._read > self._told:
            self._progress(self._read)
        self._told = self._read


class _Scanner:
    # A cursor over the bytes of one JSON text.  It finds where values end and checks nothing
    # inside them: brackets are counted, not matched, and the decoder refuses what is wrong.

    def __init__(self, file: BinaryIO, tell: _Teller) -> None:
        self.at = "$"
        self.tell = tell
        self._file = file
        self._buffer = b""
        self._before = 0  # bytes that have left the buffer
        self._cursor = 0

    @property
    def offset(self) -> int:
        return self._before + self._cursor

    def skip_mark(self) -> None:
        while len(self._buffer) < len(BOM) and self._more():
            pass
        if self._buffer.startswith(BOM):
            self._cursor = len(BOM)

    def next(self) -> int:
        """The next byte that is not white space, not consumed; -1 at the end."""
        while True:
            found = _BLANK.match(self._buffer, self._cursor)
            assert found is not None
            self._cursor = found.end()
            if self._cursor < len(self._buffer):
                return self._buffer[self._cursor]
            if not self._more():
                return _END

    def expect(self, wanted: bytes) -> int:
        """The next byte that is not white space, consumed; it is one of `wanted`."""
        byte = self.next()
        if byte == _END:
            raise BadJson(f"the file ends at byte {self.offset}, inside JSON")
        if byte not in wanted:
            raise BadJson(f"byte {self.offset} is not one of {wanted.decode()!r}")
        self._cursor += 1
        return byte

    def name(self, bytes_max: int) -> tuple[str, bytes]:
        """The name of a member, decoded and as it stands."""
        if self.next() != _QUOTE:
            raise BadJson(f"byte {self.offset} begins no name of a member")
        value = self.value(bytes_max)
        if isinstance(value, Failed):
            raise BadJson(f"the name before byte {self.offset} is too long")
        return str(decode(value.raw, self.at)), value.raw

    def value(self, bytes_max: int) -> Value | Failed:
        """The next value whole, or why it is passed over; the cursor stands behind it."""
        first = self.next()
        begin = self.offset
        if first == _END or first in b",:]}":
            raise BadJson(f"a value is missing at byte {begin}")
        kept: list[bytes] = []
        size = 0
        for piece in self._pieces(first):
            size += len(piece)
            if size <= bytes_max:
                kept.append(piece)
            else:
                kept.clear()
        if size > bytes_max:
            return failed(self.at, TooLong(f"{size} bytes from byte {begin} on are too many"))
        return Value(at=shown(self.at), raw=b"".join(kept))

    def _pieces(self, first: int) -> Iterator[bytes]:
        begin = self.offset
        inside = first == _QUOTE
        depth = 0
        start = self._cursor
        scalar = not inside and first not in _OPENERS
        cursor = start + inside
        while True:
            pattern = _SCALAR if scalar else _INSIDE if inside else _OUTSIDE
            found = pattern.match(self._buffer, cursor)
            assert found is not None
            cursor = found.end()
            byte = self._buffer[cursor] if cursor < len(self._buffer) else _END
            if byte == _END or (byte == _BACKSLASH and inside):
                self._cursor = cursor
                yield self._buffer[start:cursor]
                if not self._more():
                    if scalar:
                        return
                    raise BadJson(f"the file ends inside the value from byte {begin} on")
                start = cursor = 0
                continue
            if not scalar:
                cursor += 1
                if byte == _QUOTE:
                    inside = not inside
                else:
                    depth += 1 if byte in _OPENERS else -1
            if scalar or (depth == 0 and not inside):
                self._cursor = cursor
                yield self._buffer[start:cursor]
                return

    def _more(self) -> bool:
        chunk = self._file.read(CHUNK_BYTES)
        self.tell(len(chunk))
        self._before += self._cursor
        self._buffer = self._buffer[self._cursor :] + chunk
        self._cursor = 0
        return bool(chunk)
