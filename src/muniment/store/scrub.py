"""After an erasure: no byte of it in free pages, moved cells, the log or automatic backups."""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

import apsw

from muniment.errors import Unavailable
from muniment.store import files
from muniment.store.tx import Read, Write

_RECEIPT = re.compile(r"l[0-9a-v]{1,13}-[0-9a-f]{16}\Z")

ERASURE = "erasure"
COMPACTION = "compaction"  # of pages that no table has any more
_WAIT_MS = 250


def owe(write: Write, receipt: str, work: str = ERASURE) -> None:
    """Notes, in the transaction of whoever left traces, that they are still to be removed."""
    write.run("INSERT OR REPLACE INTO pending (work, receipt) VALUES (?, ?)", (work, receipt))


def due(read: Read) -> bool:
    """Whether the traces of an erasure are still to be removed."""
    return read.row("SELECT 1 FROM pending WHERE work = ?", (ERASURE,)) is not None


def unknown(read: Read, tables: Collection[str]) -> bool:
    """Whether something is noted there that no erasure and no broken table of these left."""
    return any(
        not (work == ERASURE and _RECEIPT.match(str(said)))
        and not (work == COMPACTION and said in tables)
        for work, said in read.rows("SELECT work, receipt FROM pending")
    )


def owed(connection: apsw.Connection) -> bool:
    """Whether anything is: also pages that no table has any more."""
    with suppress(apsw.Error):
        return connection.execute("SELECT 1 FROM pending").fetchone() is not None
    return False


def finish(connection: apsw.Connection, wait_ms: int, path: Path) -> bool:
    """Whether every trace is gone now, of erasures and of pages that no table has any more.

    The whole file is written anew: a page that was split keeps copies of cells that moved.  The
    automatic backups of the file at `path` hold what was erased, and go, and so does what a maker
    of the file left that was killed.
    False while a reader holds an older snapshot, or where anything else is in the way: what was
    asked for is committed, so that no failure may look as if it were not, and the next writer
    tries again.
    """
    connection.set_busy_timeout(_WAIT_MS)
    try:
        works = {work for (work,) in connection.execute("SELECT work FROM pending").fetchall()}
        if ERASURE in works:
            for backup in files.automatic_backups(path):
                backup.unlink(missing_ok=True)
            files.sweep_unfinished(path)
            files.sync_directory(path.parent)
        if not works:
            return True
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
    try:
        connection = apsw.Connection(str(path), apsw.SQLITE_OPEN_READWRITE)
    except apsw.Error:
        return False
    try:
        connection.set_busy_timeout(_WAIT_MS)
        return str(connection.pragma("journal_mode", "delete")) == "delete"
    except apsw.Error:
        return False
    finally:
        # What was asked for is committed, and closing after it is no part of it.
        with suppress(apsw.Error):
            connection.close()
