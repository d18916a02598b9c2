"""Connections: how a scope's file is opened, for writing and for reading.

One statement a call: the driver runs a text of several only up to the first row.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import apsw

from muniment import errors, limits
from muniment.store.failures import translated

APPLICATION_ID = 0x4D554E49  # "MUNI"


def writer(
    path: Path, wait_ms: int, synchronous: str, *, keep_log: bool = False
) -> apsw.Connection:
    """A connection that may write an existing file.

    `keep_log`: what it wrote stays in the log beside the file when it is closed.

    Raises:
        Unavailable: with the code that says why.
    """
    if not os.access(path, os.W_OK) or not os.access(path.parent, os.W_OK):
        raise errors.ReadOnly(f"{path.name} or its directory may not be written")
    connection = _open(path, apsw.SQLITE_OPEN_READWRITE, wait_ms)
    try:
        _check_is_ours(connection, path)
        # Write-ahead log: readers keep their snapshot while one writer appends.
        connection.pragma("journal_mode", "wal")
        # FULL: an acknowledged commit survives the loss of power.
        connection.pragma("synchronous", synchronous)
        # Freed bytes are overwritten, so that what is erased is gone.
        connection.pragma("secure_delete", "on")
        connection.pragma("wal_autocheckpoint", limits.LOG_PAGES_MAX)
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(keep_log))
    except apsw.Error as error:
        connection.close(True)
        raise translated(error) from error
    return connection


def reader(path: Path, wait_ms: int, *, keep_log: bool = False) -> apsw.Connection:
    """A connection that only reads, and leaves the directory as it found it.

    The engine needs its shared-memory file while a log is read.  A log that another process
    left behind is not folded into the file on closing, and none is with `keep_log`.  Where the
    directory may not be written and there is no log, the file is opened as unchanging.

    Raises:
        Unavailable: with the code that says why.
    """
    log = Path(f"{path}-wal")
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        left_behind = keep_log or _size(log) > 0
        connection = _open(path, apsw.SQLITE_OPEN_READWRITE, wait_ms)
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(left_behind))
    elif _size(log) > 0:
        connection = _open(path, apsw.SQLITE_OPEN_READONLY, wait_ms)
    else:
        uri = path.resolve().as_uri() + "?immutable=1"
        connection = _open(uri, apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI, wait_ms)
    try:
        connection.pragma("query_only", True)
        _check_is_ours(connection, path)
    except apsw.Error as error:
        connection.close(True)
        raise translated(error) from error
    return connection


def _size(path: Path) -> int:
    """In bytes; 0 where there is none, which the last to close it may bring about at any time."""
    with suppress(OSError):
        return path.stat().st_size
    return 0


def fresh(path: Path) -> apsw.Connection:
    """A connection to an empty file that is being made into a store.

    Raises:
        Unavailable: the file cannot be written.
    """
    connection = _open(path, apsw.SQLITE_OPEN_READWRITE, 0)
    try:
        # Its maker folds the log in: closing would do that too, and not tell where it fails.
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        connection.pragma("application_id", APPLICATION_ID)
        connection.pragma("journal_mode", "wal")
        connection.pragma("secure_delete", "on")
    except apsw.Error as error:
        connection.close(True)
        raise translated(error) from error
    return connection


def fold_log(connection: apsw.Connection) -> None:
    """The log is in the file, and is empty.

    Raises:
        Unavailable: there is no room for it.
    """
    try:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except apsw.Error as error:
        raise translated(error) from error


def usable(connection: apsw.Connection) -> bool:
    """Whether nobody has closed it, as is done where a transaction cannot be rolled back."""
    try:
        return connection.in_transaction in (True, False)
    except apsw.ConnectionClosedError:
        return False


def scratch() -> apsw.Connection:
    """A private database that vanishes with its connection."""
    connection = apsw.Connection("")
    _keep_plans(connection)
    connection.pragma("journal_mode", "off")
    connection.pragma("synchronous", "off")
    return connection


def engine() -> str:
    """The version of the database engine."""
    return apsw.sqlite_lib_version()


def version(connection: apsw.Connection) -> int:
    """The number of the ledger's tables in this file."""
    try:
        number = connection.pragma("user_version")
    except apsw.Error as error:
        raise translated(error) from error
    assert isinstance(number, int)
    return number


def data_version(connection: apsw.Connection) -> int:
    """A number that changes where another connection has committed something."""
    try:
        (number,) = connection.execute("PRAGMA data_version").fetchall()[0]
    except apsw.Error as error:
        raise translated(error) from error
    assert isinstance(number, int)
    return number


def _open(path: Path | str, flags: int, wait_ms: int) -> apsw.Connection:
    try:
        connection = apsw.Connection(str(path), flags)
        connection.set_busy_timeout(wait_ms)
        _keep_plans(connection)
    except apsw.Error as error:
        raise translated(error) from error
    return connection


def _keep_plans(connection: apsw.Connection) -> None:
    """A statement is planned once, whatever values it is given.

    Without this the engine plans most of ours anew for each value, in case statistics of the
    table should tell against the plan; there are none.
    """
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)


def _check_is_ours(connection: apsw.Connection, path: Path) -> None:
    found = connection.pragma("application_id")
    if found != APPLICATION_ID:
        raise errors.NotAStore(f"{path.name} is not one of Muniment's files")
