"""The driver alone: the very statements that a piece of work gave it, run again without us.

What is left when all of Python's part is taken away: no validation, no digests, no canonical JSON,
no decisions.  It says how much of a figure could be saved at all.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

Statement = tuple[str, Any]


@contextmanager
def recorded() -> Iterator[list[Statement]]:
    """Every statement with its values, of the connections that are opened inside."""
    statements: list[Statement] = []

    def note(_: object, sql: str, values: Any) -> bool:
        if not sql.lstrip().upper().startswith("PRAGMA"):  # how a connection is opened
            statements.append((sql, values))
        return True

    def hook(connection: apsw.Connection) -> None:
        connection.exec_trace = note

    apsw.connection_hooks.append(hook)
    try:
        yield statements
    finally:
        apsw.connection_hooks.remove(hook)


def alone(file: Path, work: Callable[[], object]) -> float:
    """CPU seconds of the statements that `work` runs on `file`, of which it is a copy that serves.

    `file` is closed before and after; `work` opens and closes what it needs.
    """
    copy = file.with_suffix(".alone")
    shutil.copyfile(file, copy)
    with recorded() as statements:
        work()
    connection = apsw.Connection(str(copy))
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    connection.pragma("journal_mode", "wal")
    connection.pragma("secure_delete", "on")
    connection.pragma("synchronous", "full")
    try:
        started = time.process_time()
        for sql, values in statements:
            connection.execute(sql, values).fetchall()
        return time.process_time() - started
    finally:
        connection.close()
