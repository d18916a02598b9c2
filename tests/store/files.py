"""A scope's file seen from outside: its rows, its bytes, and changes that nobody should make."""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

LEDGER = ("scope", "commits", "content")


def only_file(directory: Path) -> Path:
    """The file of the only scope in `directory`."""
    (path,) = directory.glob("*.muniment")
    return path


@contextmanager
def opened(path: Path) -> Iterator[apsw.Connection]:
    """A connection of the engine itself, without anything of the program."""
    connection = apsw.Connection(str(path), apsw.SQLITE_OPEN_READWRITE)
    try:
        yield connection
    finally:
        connection.close()


def rows(path: Path, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """The rows of one statement."""
    with opened(path) as connection:
        return connection.execute(sql, values).fetchall()


def change(path: Path, sql: str, values: Sequence[Any] = ()) -> None:
    """Execute one statement on the file, and leave no log beside it."""
    with opened(path) as connection:
        connection.execute(sql, values)


def headers(path: Path, chain: str = "m") -> list[dict[str, Any]]:
    """The headers of a chain, from the first, each with its hash as `hash`."""
    found = rows(path, "SELECT hash, header FROM commits WHERE chain = ? ORDER BY seq", (chain,))
    return [{**json.loads(plain(header)), "hash": hash.hex()} for hash, header in found]


def plain(header: bytes) -> bytes:
    """A stored header as it is hashed."""
    return zlib.decompress(header[9:]) if header[:1] == b"z" else header


def ledger(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of the ledger's tables."""
    return {table: rows(path, f"SELECT * FROM {table} ORDER BY 1, 2, 3") for table in LEDGER}


def tables(path: Path) -> list[str]:
    """The tables of the file that are no shadow of another, by name."""
    found = rows(
        path,
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual')"
        " AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    return [name for (name,) in found]


def content(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Everything that the file says: the rows of each table, and each token of the text index."""
    found: dict[str, list[tuple[Any, ...]]] = {}
    with opened(path) as connection:
        for table in tables(path):
            if table == "text_index":
                connection.execute(
                    "CREATE VIRTUAL TABLE temp.token USING fts5vocab (main, text_index, instance)"
                )
                read = connection.execute("SELECT doc, term, offset FROM temp.token")
            else:
                read = connection.execute(f"SELECT * FROM {table}")
            found[table] = sorted(read.fetchall(), key=repr)
    return found


def listing(directory: Path) -> dict[str, tuple[str, int, int]]:
    """Each file below `directory`: what is in it, how long it is, when it was last written."""
    return {
        str(path.relative_to(directory)): (
            hashlib.sha256(path.read_bytes()).hexdigest(),
            path.stat().st_size,
            path.stat().st_mtime_ns,
        )
        for path in sorted(directory.rglob("*"))
        if path.is_file()
    }


def bytes_of(directory: Path) -> bytes:
    """The bytes of every file below `directory`, one after the other."""
    return b"\n".join(path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file())


def flip(path: Path, offset: int, mask: int = 1) -> None:
    """Change one byte of a file where it lies."""
    with path.open("r+b") as file:
        file.seek(offset)
        (byte,) = file.read(1)
        file.seek(offset)
        file.write(bytes([byte ^ mask]))
        file.flush()
        os.fsync(file.fileno())
