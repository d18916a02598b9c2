"""A copy of a scope's file as it was at one moment, while others read and write on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import apsw

from muniment import errors
from muniment.store import connect, files, scrub
from muniment.store.failures import translated


def make(
    source: Path, target: Path, wait_ms: int, check: Callable[[Path], None], *, replace: bool
) -> int:
    """The bytes of a copy at `target`, which is there once `check` let it pass, or not at all.

    The copy is written anew page by page, so that it is as small as it can be, and nothing that
    was erased is in it.  `replace`: an older file of that name gives way at the very end.

    Raises:
        BadFile: there is a file of that name, or no such directory.
        Unavailable: there is no room, or the directory may not be written.
    """
    if not target.parent.is_dir():
        raise errors.BadFile(f"there is no directory {str(target.parent)!r}", at="file")
    name = None if replace else files.in_the_way(target)
    if name is not None:
        raise errors.BadFile(f"{name} exists already", at="file")
    with files.making(target, replace=replace) as unfinished:
        _copy(source, unfinished, wait_ms)
        _complete(unfinished, wait_ms)
        check(unfinished)
    return target.stat().st_size


def _copy(source: Path, unfinished: Path, wait_ms: int) -> None:
    connection = connect.reader(source, wait_ms)
    try:
        # The engine takes what it writes elsewhere for a change, too; the source stays as it is.
        connection.pragma("query_only", False)
        connection.execute("VACUUM INTO ?", (str(unfinished),))
    except apsw.Error as error:
        raise translated(error) from error
    finally:
        connection.close()


def _complete(unfinished: Path, wait_ms: int) -> None:
    """A scope's file like any other: it is written through a log, and owes no removal."""
    connection = connect.writer(unfinished, wait_ms, "full")
    try:
        scrub.finish(connection, wait_ms, unfinished)
        connect.fold_log(connection)
    finally:
        connection.close()
