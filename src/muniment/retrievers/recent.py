"""Recent: the newest things that pass the filter, newest first.

What a summary covers leaves the room to it, as long as the summary stands and may be shown
itself.  Words still find what is covered.
"""

from __future__ import annotations

from typing import Any

import msgspec

from muniment.model.hit import Ask, Found, Hit
from muniment.projections import binding, experience, link, standing
from muniment.store.tx import Read

NAME = "recent"
_ANY: tuple[str, list[Any]] = ("1", [])


def find(read: Read, ask: Ask) -> Found:
    """The newest events and records together, by seq."""
    seqs = experience.latest(read, ask.filter, ask.limit + 1, _uncovered("x", ask))
    if not ask.filter.experience_only:
        moment = None if ask.history else ask.moment
        uncovered, values = _uncovered("r", ask)
        bound, more = binding.passing(ask.filter, "r.seq")
        also = (f"{uncovered} AND {bound}", [*values, *more])
        seqs += standing.latest(read, ask.filter, moment, ask.limit + 1, also)
    newest = sorted(seqs, reverse=True)
    hits = [
        Hit(seq=seq, retriever=NAME, rank=rank, score=1.0 / rank)
        for rank, seq in enumerate(newest[: ask.limit], start=1)
    ]
    return Found(retriever=NAME, hits=tuple(hits), limited=len(newest) > ask.limit)


def is_covered(read: Read, ask: Ask, seq: int) -> bool:
    """Whether the thing at `seq` leaves its place to a summary."""
    if ask.history or ask.filter.experience_only:
        return False
    stands, values = _stands(ask)
    return link.is_covered(read, seq, stands, values)


def _uncovered(row: str, ask: Ask) -> tuple[str, list[Any]]:
    """A condition on a row, and its values; with history nothing is left out.

    No summary takes the place of experience where experience alone is asked for.
    """
    if ask.history or ask.filter.experience_only:
        return _ANY
    stands, values = _stands(ask)
    return f"NOT {link.covered(f'{row}.scope', f'{row}.seq', stands)}", values


def _stands(ask: Ask) -> tuple[str, list[Any]]:
    """A condition: the record at `c.record` stands and passes the filter."""
    # The summary of the one thing that is looked for is another thing.
    passing, values = standing.passing(msgspec.structs.replace(ask.filter, only=None), "c.record")
    bound, more = binding.passing(ask.filter, "c.record")
    return f"NOT {standing.ended('c.record', ask.moment)} AND {passing} AND {bound}", values + more
