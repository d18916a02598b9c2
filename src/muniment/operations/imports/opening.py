"""The file to import, opened: as it lies, from standard input, or inside an archive."""

from __future__ import annotations

import io
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from muniment.errors import BadFile, UnknownFormat

_ZIPS = (b"PK\x03\x04", b"PK\x05\x06")  # the second holds nothing
# The file of an export of ChatGPT or Claude that holds what was said.
_CONVERSATIONS = "conversations.json"
_NAMED_MAX = 3


class _Member(io.RawIOBase):
    # What is wrong with an archive shows while it is read, in errors of three libraries.

    def __init__(self, held: Any) -> None:
        super().__init__()
        self._held = held

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            piece: bytes = self._held.read(len(buffer))
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise BadFile(f"the archive is damaged: {error}", at="file") from error
        buffer[: len(piece)] = piece
        return len(piece)


@contextmanager
def opened(file: str) -> Iterator[tuple[BinaryIO, str]]:
    """The bytes to import and the name they go by; of an archive those of its conversations.

    Raises:
        BadFile: it cannot be read.
        UnknownFormat: it is an archive of something else.
    """
    if file == "-":
        if sys.stdin is None:
            raise BadFile("standard input is closed", at="file")
        yield sys.stdin.buffer, ""
        return
    with ExitStack() as stack:
        try:
            held = stack.enter_context(Path(file).open("rb"))
            first = held.peek(len(_ZIPS[0]))
        except OSError as error:
            raise BadFile.unreadable(file, error, "file") from error
        if not first.startswith(_ZIPS):
            yield held, file
            return
        member, name = _inside(stack, file)
        yield member, name


def _inside(stack: ExitStack, file: str) -> tuple[BinaryIO, str]:
    """The one file of an archive that holds conversations, and its name."""
    try:
        archive = stack.enter_context(zipfile.ZipFile(file))
        name = _chosen(file, archive)
        held = stack.enter_context(archive.open(name))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise BadFile(f"the archive cannot be read: {error}", at="file") from error
    return io.BufferedReader(_Member(held)), name


def _chosen(file: str, archive: zipfile.ZipFile) -> str:
    names = [each.filename for each in archive.infolist() if not each.is_dir()]
    if not names:
        raise UnknownFormat(f"{file!r} is an archive without any file", at="file")
    told = [name for name in names if PurePosixPath(name).name == _CONVERSATIONS]
    for found in (told, names):
        if len(found) == 1:
            return found[0]
    texts = [name for name in names if PurePosixPath(name).suffix in (".json", ".jsonl", ".md")]
    shown = ", ".join((texts or names)[:_NAMED_MAX])
    more = len(texts or names) - _NAMED_MAX
    raise UnknownFormat(
        f"{file!r} is an archive without one {_CONVERSATIONS}: extract it and import its files by"
        f" name ({shown}{f' and {more} more' if more > 0 else ''})",
        at="file",
    )
