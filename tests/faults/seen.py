"""What a directory of scopes says, short enough to compare and to print."""

from __future__ import annotations

import hashlib
from pathlib import Path

from muniment import Memory
from muniment.errors import NotFound
from muniment.model.integrity import Fault
from tests.store.files import content, rows

FIRST_COMMITS = 2  # one of each chain, made with the scope


def contents(directory: Path) -> dict[str, str]:
    """A digest of every row and token of each scope, by file.

    A scope in which nothing was said yet is none.
    """
    return {path.name: _digest(content(path)) for path in files(directory)}


def said(directory: Path) -> list[str]:
    """A digest of each scope's ledger, whatever its file is called."""
    return [
        _digest([rows(path, f"SELECT * FROM {table}") for table in ("commits", "content")])
        for path in files(directory)
    ]


def files(directory: Path) -> list[Path]:
    """The files of the scopes in which something was said."""
    return [
        path
        for path in sorted(directory.glob("*.muniment"))
        if rows(path, "SELECT count(*) FROM commits")[0][0] > FIRST_COMMITS
    ]


def faults(directory: Path) -> tuple[Fault, ...]:
    """What verify finds in all scopes together."""
    with Memory.open(directory) as memory:
        try:
            return memory.verify(all=True).faults
        except NotFound:
            return ()


def _digest(value: object) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]
