"""The lock on which the writers of one file queue, among all processes.

The engine's own lock backs off unfairly under load; this one is short and even.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from muniment import errors
from muniment.store import files

_STEP_S = 0.001
_open: set[int] = set()  # the lock files that are open


class FileLock:
    """The only writer of `path` among all processes, as far as they use this lock.

    Its file stays open between two uses, until it is closed.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def acquire(self, wait_ms: int) -> None:
        """It is held, by this process alone.

        Raises:
            Locked: another process held it for longer than `wait_ms`.
            Unavailable: its file cannot be made.
        """
        try:
            import fcntl
        except ImportError:  # A system without it: the engine's own lock does alone.
            return
        if self._file is None:
            self._file = _opened(self._path)
        deadline = time.monotonic() + wait_ms / 1000
        while True:
            with suppress(BlockingIOError):
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            if time.monotonic() > deadline:
                raise errors.Locked("another process is writing; try again, or wait longer")
            time.sleep(_STEP_S)

    def release(self) -> None:
        """It is free; nothing, where it was."""
        if self._file is not None:
            import fcntl

            # A child that was forked meanwhile has the lock as well, until it is taken off.
            with suppress(OSError):
                fcntl.flock(self._file, fcntl.LOCK_UN)

    def close(self) -> None:
        """It is free, and its file is closed."""
        self.release()
        file, self._file = self._file, None
        if file is not None:
            _open.discard(file)
            os.close(file)


@contextmanager
def locked(path: Path, wait_ms: int) -> Iterator[None]:
    """The lock of `path` is held for as long as this lasts.

    Raises:
        Unavailable: as `FileLock.acquire`.
    """
    lock = FileLock(path)
    try:
        lock.acquire(wait_ms)
        yield
    finally:
        lock.close()


def _opened(path: Path) -> int:
    try:
        file = os.open(files.lock_path(path), os.O_CREAT | os.O_RDWR, 0o600)
    except PermissionError as error:
        raise errors.ReadOnly(f"{path.name} or its directory may not be written") from error
    except OSError as error:
        raise files.os_failure(error) from error
    _open.add(file)
    return file


def _close_all() -> None:
    """In a child that was just forked: the parent's locks are not its own."""
    for file in _open:
        with suppress(OSError):
            os.close(file)
    _open.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_all)
