"""One scope's file with its connections: one that writes, and as many that read as are in use."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw
import msgspec

from muniment import errors, limits
from muniment.store import connect, files, forks, migrate, tx
from muniment.store.tx import ScopeRow
from muniment.store.writers import Writers

_STEP_S = 0.001  # between two looks at who still reads, before a fork


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How a store is opened.  `entropy` gives that many random bytes.

    `limits` are those that a new scope has besides or instead of the usual ones.
    """

    entropy: Callable[[int], bytes]
    wait_ms: int = limits.WAIT_MS_DEFAULT
    synchronous: str = "full"
    keep_log: bool = False
    limits: Mapping[str, int] = {}


class Settled:
    """That a file may be written as it is, for as long as nobody else has committed to it."""

    def __init__(self) -> None:
        self._seen: tuple[apsw.Connection, int, ScopeRow] | None = None

    def row(self, connection: apsw.Connection) -> ScopeRow | None:
        """Who the file belongs to, where that and its tables are as they were found to be right.

        Asked inside a transaction: the engine counts what other connections have committed.
        """
        if self._seen is not None:
            known, version, row = self._seen
            if known is connection and version == connect.data_version(connection):
                return row
        return None

    def note(self, connection: apsw.Connection, row: ScopeRow) -> None:
        """All was found to be right, in the transaction that is open, and nothing was mended."""
        self._seen = (connection, connect.data_version(connection), row)

    def forget(self) -> None:
        """Something else than an ordinary command is about to be written."""
        self._seen = None


class Opened:
    """A file's connections.  Readers are lent and given back; writers take turns."""

    def __init__(self, path: Path, settings: Settings) -> None:
        self.path = path
        self.settings = settings
        self.writers = Writers(path, settings.wait_ms, self._open_writer)
        self.settled = Settled()
        self.named: str | None = None  # as it was read; for as long as this holds the file open
        self.kept: dict[str, Any] = {}  # in memory, made of the file; a dict is safe to share
        self._readers: list[apsw.Connection] = []
        self._door = threading.Lock()  # closed to those who want a reader while the process forks
        self._shut = False  # whether a fork has closed it
        self._opening: list[int] = []  # the threads that are about to have one
        self._lent: dict[int, int] = {}  # to which thread, by connection
        forks.watch(self)

    def lend_reader(self) -> apsw.Connection:
        """A connection that only reads, to be given back.

        Raises:
            Unavailable: the file cannot be read, or is no store.
        """
        thread = threading.get_ident()
        with self._door:
            self._opening.append(thread)
        try:
            connection = self._reader()
            self._lent[id(connection)] = thread
        finally:
            self._opening.remove(thread)
        return connection

    def _reader(self) -> apsw.Connection:
        with suppress(IndexError):
            return self._readers.pop()
        with self._there():
            if self.path.stat().st_size == 0:
                raise errors.NotAStore(f"{self.path.name} is empty")
            settings = self.settings
            return _known(connect.reader(self.path, settings.wait_ms, keep_log=settings.keep_log))

    def give_back(self, connection: apsw.Connection) -> None:
        """A reader is free again."""
        self._lent.pop(id(connection), None)
        if connect.usable(connection):
            self._readers.append(connection)

    def scope(self) -> ScopeRow:
        """Who the file belongs to, now."""
        connection = self.lend_reader()
        try:
            row = tx.scope_row(connection)
        finally:
            self.give_back(connection)
        self.named = row.name
        return row

    def close(self) -> None:
        """Every connection that is not in use is closed."""
        self._close_readers()
        self.writers.close()

    def pause(self, until: float) -> None:
        """No connection is open, where those that are in use come to an end by then.

        What the thread that asks has in use itself is not waited for.
        """
        self.writers.pause(until)
        self._shut = self._door.acquire(timeout=max(0.0, until - time.monotonic()))
        if self._shut:
            own = threading.get_ident()
            while {*self._opening, *self._lent.values()} - {own} and time.monotonic() < until:
                time.sleep(_STEP_S)
            self.named = None  # while it is closed, anybody may rename the file
            self._close_readers()

    def resume(self) -> None:
        """It may be used again."""
        if self._shut:
            self._shut = False
            self._door.release()
        self.writers.resume()

    def _close_readers(self) -> None:
        self.kept.clear()
        held, self._readers = self._readers, []
        for connection in held:
            # A log that cannot be folded in now stays beside the file, for the next to open it.
            with suppress(apsw.Error):
                connection.close()

    def _open_writer(self) -> apsw.Connection:
        settings = self.settings
        with self._there():
            connection = _known(
                connect.writer(
                    self.path, settings.wait_ms, settings.synchronous, keep_log=settings.keep_log
                )
            )
        files.sweep_unfinished(self.path)
        return connection

    @contextmanager
    def _there(self) -> Iterator[None]:
        """A failure to open the file inside is told as what it is, where the file has gone."""
        try:
            yield
        except (errors.Unavailable, FileNotFoundError) as error:
            if files.present(self.path):
                raise
            raise errors.NotFound(f"{self.path.name} has been removed or renamed") from error
        except OSError as error:
            raise files.os_failure(error) from error


def _known(connection: apsw.Connection) -> apsw.Connection:
    """`connection`, if its file is none of a newer program."""
    try:
        migrate.pending(connection)
    except errors.MunimentError:
        connection.close()
        raise
    return connection
