"""Another program's database: read, and left as it was, with nothing new beside it.

It is opened as unchanging, so that the engine takes no lock and looks at no log.  So a file that
somebody writes is refused, and one that changes while it is read is noticed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

from muniment.errors import BadFile, BrokenSource, FileNewer, InUse
from muniment.model.foreign import Header
from muniment.store.failures import translated

_LOGS = ("-wal", "-journal")  # a file whose last words stand in one of these is not whole alone


class Foreign:
    """The tables of another program's file."""

    def __init__(self, path: Path, connection: apsw.Connection) -> None:
        self.path = path
        self.connection = connection
        self._stamp = _stamp(path)

    def each(self, sql: str, values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of one statement, one at a time.

        Raises:
            BrokenSource: the engine cannot read them.
        """
        try:
            yield from self.connection.execute(sql, values)
        except (apsw.CorruptError, apsw.SQLError, UnicodeDecodeError) as error:
            raise BrokenSource(f"the database cannot be read: {error}", at="file") from error
        except apsw.Error as error:
            raise translated(error) from error

    def row(self, sql: str, values: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        """The first row of one statement, or None."""
        return next(self.each(sql, values), None)

    def check_tables(self, wanted: Sequence[str], optional: Sequence[str] = ()) -> set[str]:
        """Those of `optional` that are there; each table is a plain one, with sound pages.

        A view or a virtual table of that name could run code of the file's own.

        Raises:
            BrokenSource: one of `wanted` is missing, or one is no plain table or is damaged.
        """
        schema = {
            name: (type, sql or "")
            for name, type, sql in self.each("SELECT name, type, sql FROM sqlite_schema")
        }
        for name in (*wanted, *(name for name in optional if name in schema)):
            type, sql = schema.get(name, ("none", ""))
            if type != "table" or sql.upper().lstrip().startswith("CREATE VIRTUAL"):
                raise BrokenSource("it is missing, or no plain table", at=name)
            found = self.row(f"PRAGMA integrity_check({name})")
            if found != ("ok",):
                raise BrokenSource(f"damaged: {found[0] if found else 'unreadable'}", at=name)
        return {name for name in optional if name in schema}

    def check_unchanged(self) -> None:
        """Nothing, if the file is the one that was opened.

        Raises:
            InUse: it has been written since.
        """
        _check_alone(self.path)
        if _stamp(self.path) != self._stamp:
            raise InUse(f"{self.path.name} changed while it was read; run it again", at="file")


@contextmanager
def opened(path: Path, header: Header, versions: range) -> Iterator[Foreign]:
    """The file, if it is one of that program's; `header` is what its first bytes say.

    Raises:
        InUse: it is being written, or a log beside it holds its last words.
        FileNewer, BrokenSource: its version is above, or below, those that can be read.
        BadFile: it cannot be opened.
    """
    if header.version >= versions.stop:
        raise FileNewer(
            f"the file is of version {header.version}, this program reads up to "
            f"{versions.stop - 1}",
            at="file",
        )
    if header.version not in versions:
        raise BrokenSource(f"version {header.version} is none of that program's", at="file")
    _check_alone(path)
    uri = path.resolve().as_uri() + "?immutable=1"
    try:
        connection = apsw.Connection(uri, apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    except apsw.Error as error:
        raise BadFile(f"{path.name} cannot be opened: {error}", at="file") from error
    try:
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        yield Foreign(path, connection)
    finally:
        connection.close()


def _check_alone(path: Path) -> None:
    for end in _LOGS:
        log = Path(f"{path}{end}")
        if log.exists() and log.stat().st_size > 0:
            raise InUse(
                f"{log.name} holds what {path.name} lacks: close the program that writes it, or "
                "let that program open and close it once",
                at="file",
            )


def _stamp(path: Path) -> tuple[int, int, int]:
    told = path.stat()
    return told.st_ino, told.st_size, told.st_mtime_ns
