"""The writers of one file in this process: one at a time, and those who wait share a COMMIT.

The first command begins a transaction and runs alone in it.  Where others wait when it is done,
the transaction stays open for them, each in a step of its own that can be taken back without the
others'; the last one commits, and all are answered then.  So a disk that takes milliseconds to
say that it has something is asked once for many.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw

from muniment import errors, limits
from muniment.store import connect, scrub, tx
from muniment.store.failures import translated
from muniment.store.interrupts import HeldBack, note_written
from muniment.store.locks import FileLock
from muniment.store.turns import Turn

_PATIENCE_S = 0.05


class _Group:
    """The commands of one transaction.  `error`: why none of them was written."""

    def __init__(self) -> None:
        self.size = 0
        self.over = False
        self.ended: threading.Event | None = None  # what those wait for who do not end it
        self.error: errors.MunimentError | None = None


class Writers:
    """One file's connection that writes, and who may use it."""

    def __init__(self, path: Path, wait_ms: int, open_: Callable[[], apsw.Connection]) -> None:
        self._path = path
        self._wait_ms = wait_ms
        self._open = open_
        self._connection: apsw.Connection | None = None
        self._turn = Turn()
        self._group: _Group | None = None
        self._lock = FileLock(path)  # against other processes

    @contextmanager
    def command(self, *, alone: bool) -> Iterator[apsw.Connection]:
        """A transaction, or a step of one that others have begun; all or nothing of what is inside.

        It has been committed when this ends.  `alone`: nobody else's commands are in it.  The
        wait for other processes counts from here, so that threads do not wait one after another.

        Raises:
            Unavailable: the file cannot be written, or the transaction not be committed.
        """
        until = time.monotonic() + self._wait_ms / 1000
        with HeldBack():
            group: _Group | None = None
            try:
                with self._turn.taken(seen=True):
                    try:
                        if alone:
                            self._end()
                        group, connection = self._joined(until)
                        with self._step(group, connection):
                            yield connection
                        group.size += 1
                    finally:
                        if alone or not self._turn.waiting or _full(self._group):
                            self._end()
                        elif group is not None and group.ended is None:
                            group.ended = threading.Event()
            except BaseException:
                # An interruption can strike in the midst of the above; nothing may stay open by it.
                self._end_if_open(group)
                raise
            self._wait_for(group)
            note_written()

    def pause(self, until: float) -> None:
        """Nobody writes, and nothing of it is open, where that comes about by then."""
        if self._turn.pause(until):
            self._shut()

    def resume(self) -> None:
        """They write on, where they were held up."""
        self._turn.resume()

    def close(self) -> None:
        """The connection is closed, once nobody uses it."""
        with self._turn.taken():
            self._shut()

    def _shut(self) -> None:
        self._end()
        self._lock.close()
        held, self._connection = self._connection, None
        if held is not None:
            # A log that cannot be folded in now stays beside the file, for the next to open it.
            with suppress(apsw.Error):
                held.close()

    def _joined(self, until: float) -> tuple[_Group, apsw.Connection]:
        """The group that is open, or a new one with its transaction."""
        if self._group is not None and self._connection is not None:
            return self._group, self._connection
        left_ms = max(0, round((until - time.monotonic()) * 1000))
        try:
            self._lock.acquire(left_ms)
            if self._connection is None or not connect.usable(self._connection):
                self._connection = self._open()
            _begin(self._connection, until, self._wait_ms)
        except BaseException:
            self._lock.close()
            raise
        self._group = _Group()
        return self._group, self._connection

    @contextmanager
    def _step(self, group: _Group, connection: apsw.Connection) -> Iterator[None]:
        """What is inside is taken back where it fails, and with it all others where it must be."""
        try:
            if group.size:
                with tx.step(connection):
                    yield
            else:
                yield
        except BaseException as error:
            if not group.size or not tx.going_on(connection):
                group.error = errors.Interrupted("a command beside it took the transaction along")
                self._end()
            if isinstance(error, apsw.Error):
                raise translated(error) from error
            raise

    def _end(self) -> None:
        """The open transaction is committed, or taken back where its group has failed."""
        group, connection, self._group = self._group, self._connection, None
        if group is None or connection is None:
            return
        try:
            if group.error is None:
                owed = scrub.owed(connection)
                tx.commit(connection)
                if owed:
                    scrub.finish(connection, self._wait_ms, self._path)
        except errors.MunimentError as error:
            group.error = error  # and everyone in it is told
        except BaseException:
            # Whoever commits was interrupted; what the others wrote is not his to lose.
            self._commit_after_all(group, connection)
            raise
        finally:
            # First those who wait: an interruption in the midst of this must not leave them there.
            group.over = True
            if group.ended is not None:
                group.ended.set()
            tx.roll_back(connection)
            self._lock.release()

    def _commit_after_all(self, group: _Group, connection: apsw.Connection) -> None:
        """An interruption that came behind the COMMIT has done no harm; one before it is made good."""
        if group.error is None and tx.going_on(connection):
            try:
                tx.commit(connection)
            except errors.MunimentError as error:
                group.error = error

    def _end_if_open(self, group: _Group | None) -> None:
        """The group's transaction is ended, or whichever is open where that is not known."""
        with self._turn.taken():
            if group is None or self._group is group:
                self._end()

    def _wait_for(self, group: _Group) -> None:
        """The group's transaction is over.  Whoever was to end it may have gone away."""
        while not group.over:
            if group.ended is None or not group.ended.wait(_PATIENCE_S):
                self._end_if_open(group)
        if group.error is not None:
            raise group.error


def _begin(connection: apsw.Connection, until: float, wait_ms: int) -> None:
    """A transaction is open.  Both locks together are waited for no longer than one would be."""
    connection.set_busy_timeout(max(0, round((until - time.monotonic()) * 1000)))
    try:
        tx.begin(connection)
    finally:
        if connect.usable(connection):
            connection.set_busy_timeout(wait_ms)


def _full(group: _Group | None) -> bool:
    return group is not None and group.size >= limits.GROUP_COMMANDS_MAX
