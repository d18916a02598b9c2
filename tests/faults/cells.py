"""Where the engine keeps the types of a row: the record headers of a table, byte by byte."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.store.files import rows

_FILE_HEADER_BYTES = 100
_LEAF_INDEX, _INNER_INDEX, _LEAF_TABLE, _INNER_TABLE = 0x0A, 0x02, 0x0D, 0x05


def headers(path: Path) -> Iterator[tuple[str, range]]:
    """Each row of each table: the table's name, and where in the file its record header lies.

    A record header is the types of a row's columns.  Rows of a table without rowids lie in pages
    of an index, also in those that are no leaves.
    """
    data = path.read_bytes()
    size = int.from_bytes(data[16:18], "big")
    size = 65_536 if size == 1 else size
    for name, root in rows(
        path, "SELECT name, rootpage FROM sqlite_schema WHERE type = 'table' AND rootpage > 0"
        " ORDER BY name"
    ):  # fmt: skip
        for header in _of_page(data, size, root):
            yield name, header


def _of_page(data: bytes, size: int, page: int) -> Iterator[range]:
    start = (page - 1) * size
    at = start + (_FILE_HEADER_BYTES if page == 1 else 0)
    kind, count = data[at], int.from_bytes(data[at + 3 : at + 5], "big")
    inner = kind in (_INNER_INDEX, _INNER_TABLE)
    cells = at + (12 if inner else 8)
    for number in range(count):
        where = cells + 2 * number
        cell = start + int.from_bytes(data[where : where + 2], "big")
        if inner:
            yield from _of_page(data, size, int.from_bytes(data[cell : cell + 4], "big"))
            cell += 4
        if kind == _INNER_TABLE:
            continue
        _, cell = _number(data, cell)  # the length of what follows
        if kind == _LEAF_TABLE:
            _, cell = _number(data, cell)  # the rowid
        length, _ = _number(data, cell)
        yield range(cell, cell + length)
    if inner:
        yield from _of_page(data, size, int.from_bytes(data[at + 8 : at + 12], "big"))


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number as the engine stores it, seven bits a byte; and its end."""
    value = 0
    while data[at] & 0x80:
        value, at = value << 7 | data[at] & 0x7F, at + 1
    return value << 7 | data[at], at + 1
