"""What records rest on, and what rests on them: the questions to the table `link`.

`record` makes the table and fills it.
"""

from __future__ import annotations

from muniment.model.evidence import Link
from muniment.store.tx import Read

_COLUMNS = "record, source, source_id, role, span_start, span_end, covers"


def of(read: Read, seq: int) -> list[Link]:
    """What the record at `seq` cites, in the order it was given."""
    return _links(read, "record = ? ORDER BY position", seq)


def citing(read: Read, seq: int) -> list[Link]:
    """What cites the thing at `seq`, oldest first."""
    return _links(read, "source = ? ORDER BY record, position", seq)


def _links(read: Read, where: str, seq: int) -> list[Link]:
    rows = read.rows(
        f"SELECT {_COLUMNS} FROM link WHERE scope = ? AND {where}", (read.scope.number, seq)
    )
    return [Link(*row) for row in rows]
