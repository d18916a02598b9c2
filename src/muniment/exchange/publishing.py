"""Containers on the disk: read with care, written so that a crash leaves one generation or the other.

Sections and directory first, and they are on the disk; then the commit, and it is; then the root
slot that is not in use, and it is.  Leases on the file keep programs apart that know them.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from muniment.errors import BadFile, InUse, IoFailed
from muniment.exchange import container
from muniment.exchange.container import Container, Point, Prologue, Root, Section
from muniment.exchange.status import refused

# A file of a few kilobytes may say that it is gigabytes long; reading zeros takes as long as any.
_HOLES_BYTES_MAX = 67_108_864
_EXTENTS_MAX = 10_000


@contextlib.contextmanager
def opened(
    path: Path, at: str = "file", bytes_max: int = container.FILE_BYTES_MAX
) -> Iterator[Any]:
    """The bytes of a regular file; nothing is loaded before it is looked at.

    Raises:
        BadFile: it is missing, no regular file, too long or empty.
        BadExchange: it takes far less of the disk than it is long.
        InUse: it changed while it was read, or somebody writes it.
    """
    descriptor = _descriptor(path, os.O_RDONLY, at)
    try:
        _lease(descriptor, path, at, alone=False)
        before = os.fstat(descriptor)
        if not 0 < before.st_size <= bytes_max:
            raise BadFile(f"{before.st_size} bytes; 1 to {bytes_max} are read", at=at)
        if _holes(descriptor, before.st_size) > _HOLES_BYTES_MAX:
            raise refused("capacity", f"at most {_HOLES_BYTES_MAX} bytes of holes", at)
        view = mmap.mmap(descriptor, before.st_size, access=mmap.ACCESS_READ)
        yield memoryview(view)
        after = os.fstat(descriptor)
        if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
            raise InUse(f"{str(path)!r} changed while it was read", at=at)
        # The map is closed when nothing looks into it any more.
    finally:
        os.close(descriptor)


def create(path: Path, prologue: Prologue, sections: Sequence[Section], point: Point) -> None:
    """A new file with its first generation.

    Raises:
        BadFile: there is something at the path.
        IoFailed: the operating system would not write it.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise BadFile(f"{str(path)!r} exists already", at="file") from error
    except OSError as error:
        raise IoFailed(f"{str(path)!r} cannot be made: {error.strerror}", at="file") from error
    try:
        _write(descriptor, [(0, prologue.bytes), (container.DATA_AT - 1, b"\0")])
        found = container.laid_out(sections, point, 1, bytes(32), container.DATA_AT)
        _publish(descriptor, prologue, found, slot=0)
    finally:
        os.close(descriptor)
    sync_directory(path.parent)


def append(path: Path, known: Container, sections: Sequence[Section], point: Point) -> None:
    """A further generation behind the one that was read; the old one stays where it is.

    Raises:
        InUse: somebody else has the file, or it is not what was read.
        IoFailed: the operating system would not write it.
    """
    descriptor = _descriptor(path, os.O_RDWR, "file")
    try:
        _lease(descriptor, path, "file", alone=True)
        found = container.read(mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ))
        if (found.generation, found.commit_digest) != (known.generation, known.commit_digest):
            raise InUse(f"{str(path)!r} has another generation by now", at="file")
        end = os.fstat(descriptor).st_size
        layout = container.laid_out(sections, point, known.generation + 1, known.commit_digest, end)
        _publish(descriptor, known.prologue, layout, slot=1 - known.slot)
    finally:
        os.close(descriptor)


def _publish(
    descriptor: int, prologue: Prologue, found: tuple[list[tuple[int, Any]], Root], slot: int
) -> None:
    writes, root = found
    _write(descriptor, writes[:-1])
    _sync(descriptor)
    _write(descriptor, writes[-1:])
    _sync(descriptor)
    _write(descriptor, [(container.ROOT_SLOTS[slot], container.root_page(root, prologue))])
    _sync(descriptor)


def _descriptor(path: Path, flags: int, at: str) -> int:
    """The file, opened without waiting; a pipe, a link or a device is none.

    Raises:
        BadFile: it is no regular file, or cannot be opened.
    """
    try:
        found = os.open(path, flags | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise BadFile.unreadable(path, error, at) from error
    if not stat.S_ISREG(os.fstat(found).st_mode):
        os.close(found)
        raise BadFile(f"{str(path)!r} is no regular file", at=at)
    return found


def _holes(descriptor: int, size: int) -> int:
    """How many bytes of the file nobody has written, as far as the system says."""
    if not hasattr(os, "SEEK_DATA"):
        return 0
    at = found = 0
    for _ in range(_EXTENTS_MAX):
        try:
            data = os.lseek(descriptor, at, os.SEEK_DATA)
        except OSError:  # behind the last of them
            return found + size - at
        found += data - at
        at = os.lseek(descriptor, data, os.SEEK_HOLE)
        if at >= size:
            break
    return found


def _lease(descriptor: int, path: Path, at: str, *, alone: bool) -> None:
    import fcntl

    kind = fcntl.LOCK_EX if alone else fcntl.LOCK_SH
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise InUse(f"somebody else has {str(path)!r}", at=at) from error
    except OSError as error:
        raise IoFailed(f"{str(path)!r} cannot be locked: {error.strerror}", at=at) from error


def _write(descriptor: int, writes: Sequence[tuple[int, Any]]) -> None:
    try:
        for at, data in writes:
            view = memoryview(data)
            done = 0
            while done < len(view):
                done += os.pwrite(descriptor, view[done:], at + done)
    except OSError as error:
        raise IoFailed(f"the file cannot be written: {error.strerror}", at="file") from error


def _sync(descriptor: int) -> None:
    try:
        os.fsync(descriptor)
    except OSError as error:
        raise IoFailed(f"the file cannot be written: {error.strerror}", at="file") from error


def sync_directory(path: Path) -> None:
    """The names in a directory are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
