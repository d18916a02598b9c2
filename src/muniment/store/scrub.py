"""After an erasure: no byte of it in free pages, moved cells, the log or automatic backups."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import apsw

from muniment.errors import Unavailable
from muniment.store import files
from muniment.store.failures import translated
from muniment.store.tx import Write

ERASURE = "erasure"
COMPACTION = "compaction"  # of pages that no table has any more
_WAIT_MS = 250


def owe(write: Write, receipt: str, work: str = ERASURE) -> None:
    """Notes, in the transaction of whoever left traces, that they are still to be removed."""
    write.run("INSERT OR REPLACE INTO pending (work, receipt) VALUES (?, ?)", (work, receipt))


def due(connection: apsw.Connection) -> bool:
    """Whether the traces of an erasure are still to be removed."""
    try:
        row = connection.execute("SELECT 1 FROM pending WHERE work = ?", (ERASURE,)).fetchone()
    except apsw.Error as error:
        raise translated(error) from error
    return row is not None


def finish(connection: apsw.Connection, wait_ms: int, path: Path) -> bool:
    """Whether every trace is gone now, of erasures and of pages that no table has any more.

    The whole file is written anew: a page that was split keeps copies of cells that moved.  The
    automatic backups of the file at `path` hold what was erased, and go.
    False while a reader holds an older snapshot, or where anything else is in the way: what was
    asked for is committed, so that no failure may look as if it were not, and the next writer
    tries again.
    """
    connection.set_busy_timeout(_WAIT_MS)
    try:
        if connection.execute("SELECT 1 FROM pending").fetchone() is None:
            return True
        if due(connection):
            for backup in files.automatic_backups(path):
                backup.unlink(missing_ok=True)
            files.sync_directory(path.parent)
        connection.execute("VACUUM")
        if not _log_emptied(connection):
            return False
        connection.execute("DELETE FROM pending")
        _log_emptied(connection)
    except (apsw.Error, Unavailable, OSError):
        return False
    finally:
        connection.set_busy_timeout(wait_ms)
    return True


def _log_emptied(connection: apsw.Connection) -> bool:
    with suppress(apsw.BusyError, apsw.LockedError):
        busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0]
        return not busy
    return False


def alone(path: Path) -> bool:
    """Whether no other connection has the file open; its log is then folded in and gone.

    Leaving write-ahead mode needs the file for oneself, which is what is asked here.
    """
    connection = apsw.Connection(str(path), apsw.SQLITE_OPEN_READWRITE)
    try:
        connection.set_busy_timeout(_WAIT_MS)
        return str(connection.pragma("journal_mode", "delete")) == "delete"
    except apsw.Error:
        return False
    finally:
        connection.close()
