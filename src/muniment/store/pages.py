"""What the engine itself finds wrong with a file's pages, or with those of one table."""

from __future__ import annotations

from muniment.errors import BrokenFile, RebuildNeeded
from muniment.store.tx import Read

LINES_MAX = 100


def damage(read: Read, table: str | None = None) -> list[str]:
    """What is wrong, in the engine's words; nothing where it can read every page."""
    try:
        for virtual in read.column(
            "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE %' ORDER BY name"
        ):
            # A text index remembers its layout until it is asked for a row: without this, what
            # another process has written since would look like damage.
            read.row(f"SELECT rowid FROM {virtual}")
        lines = read.column(f"PRAGMA integrity_check({LINES_MAX if table is None else table})")
    except (BrokenFile, RebuildNeeded) as error:
        return [error.detail]
    return [] if lines == ["ok"] else [str(line) for line in lines]
