"""What the engine itself finds wrong with a file's pages, or with those of one table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw

from muniment.errors import BrokenFile, RebuildNeeded
from muniment.store.tx import Read

LINES_MAX = 100
_LOCK_BYTE = 1 << 30  # the page that holds it belongs to the engine, and to no table
_NUMBER = 4  # bytes of a page's number


def damage(read: Read, table: str | None = None) -> list[str]:
    """What is wrong, in the engine's words; nothing where it can read every page."""
    try:
        for virtual in read.column(
            "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE %' ORDER BY name"
        ):
            # A text index remembers its layout until it is asked for a row: without this, what
            # another process has written since would look like damage.
            read.row(f"SELECT rowid FROM {virtual}")
        lines = _told(read, LINES_MAX if table is None else table)
        if not lines and table is None:
            # The engine leaves out the free pages, and those of nothing, where the first table of
            # its list has no root page, as the text index has none: these are asked for apart.
            lines = _told(read, "sqlite_schema") or list(_unused(read))
    except (BrokenFile, RebuildNeeded) as error:
        return [error.detail]
    return lines


def countable() -> bool:
    """Whether this engine can list the pages of each table."""
    return "ENABLE_DBSTAT_VTAB" in apsw.compile_options


def unaccounted(size: int, count: int, known: int) -> int:
    """How many of a file's pages are neither in use nor free, as `known` of them are.

    In a file of more than a gigabyte one page is the engine's, which locks by a byte of it.
    """
    return count - known - (count * size > _LOCK_BYTE)


def _told(read: Read, what: int | str) -> list[str]:
    lines = read.column(f"PRAGMA integrity_check({what})")
    return [] if lines == ["ok"] else [str(line) for line in lines]


def _unused(read: Read) -> Iterator[str]:
    """Pages that belong to nothing, or to two: each is of a table, of an index or free."""
    if not countable():
        return
    size, count = read.value("PRAGMA page_size"), read.value("PRAGMA page_count")
    free, listed = read.value("PRAGMA freelist_count"), _free(read, size, count)
    used = 0
    for (page,) in read.each("SELECT pageno FROM dbstat"):
        used += 1
        if page in listed:
            yield f"Page {page}: free and in use"
    left = unaccounted(size, count, used + free)
    if left:
        yield f"{count} pages, of which {used} are in use and {free} free: {left} of nothing"


def _free(read: Read, size: int, count: int) -> set[int]:
    """The numbers of the free pages, as the file lists them; none where a log is in the way."""
    if _logged(read):
        return set()
    found: set[int] = set()
    trunk = _numbers(read, 0, 32, 1)[0]
    while 0 < trunk <= count and trunk not in found:
        found.add(trunk)
        start = (trunk - 1) * size
        trunk, leaves = _numbers(read, start, 0, 2)
        found.update(_numbers(read, start, 2 * _NUMBER, min(leaves, size // _NUMBER - 2)))
    found.discard(0)
    return found


def _logged(read: Read) -> bool:
    """Whether the log beside the file holds pages that are newer than the file's own."""
    log = read.connection.filename_wal
    return not log or (Path(log).exists() and Path(log).stat().st_size > 0)


def _numbers(read: Read, start: int, at: int, many: int) -> list[int]:
    """Numbers of four bytes that lie in the file beside each other."""
    if not many:
        return []
    right, held = read.connection.read("main", 0, start + at, many * _NUMBER)
    if not right:
        return [0] * many
    return [int.from_bytes(held[n : n + _NUMBER]) for n in range(0, many * _NUMBER, _NUMBER)]
