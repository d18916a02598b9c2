"""What records rest on, and what rests on them: the questions to the table `link`.

`record` makes the table and fills it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from muniment.model.evidence import Link
from muniment.store.tx import Read, all_typed

_COLUMNS = "record, source, source_id, role, span_start, span_end, covers"


def of(read: Read, seq: int) -> list[Link]:
    """What the record at `seq` cites, in the order it was given."""
    return _links(read, "record = ? ORDER BY position", seq)


def citing(read: Read, seq: int) -> list[Link]:
    """What cites the thing at `seq`, oldest first."""
    return _links(read, "source = ? ORDER BY record, position", seq)


def covered(scope: str, seq: str, stands: str) -> str:
    """A condition: something covers the thing at `seq`, and `stands` holds of it, at `c.record`."""
    return (
        f"EXISTS (SELECT 1 FROM link c WHERE c.scope = {scope} AND c.source = {seq}"
        f" AND c.covers = 1 AND {stands})"
    )


def is_covered(read: Read, seq: int, stands: str, values: Sequence[Any]) -> bool:
    """Whether something covers the thing at `seq`, of which `stands` holds."""
    found = read.value(f"SELECT {covered('?', '?', stands)}", (read.scope.number, seq, *values))
    return bool(found)


def levels(read: Read, seq: int) -> list[list[Link]]:
    """What the summary at `seq` cites, then what the summaries among that cite, and so on down."""
    found = [of(read, seq)]
    while below := _summaries(read, [each.source for each in found[-1]]):
        found.append([each for summary in below for each in of(read, summary)])
    return found


def coverage(levels: list[list[Link]]) -> tuple[str, ...]:
    """All that a summary covers, itself and through the summaries it rests on, each once."""
    return tuple(dict.fromkeys(each.source_id for links in levels for each in links if each.covers))


def _summaries(read: Read, seqs: list[int]) -> list[int]:
    sql = "SELECT seq FROM record WHERE scope = ? AND kind = 'summary' AND seq IN "
    return sorted({row[0] for row in read.among(sql, read.scope.number, seqs)})


def _links(read: Read, where: str, seq: int) -> list[Link]:
    rows = read.rows(
        f"SELECT {_COLUMNS} FROM link WHERE scope = ? AND {where}", (read.scope.number, seq)
    )
    return all_typed(Link, rows)
