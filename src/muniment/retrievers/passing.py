"""What a retriever may find at all, as conditions on a seq.  Where everything may be, none is asked.

What retrievers that go by words and by meaning share.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from muniment.model.hit import Ask
from muniment.model.moment import Moment
from muniment.projections import binding, experience, standing, state
from muniment.store.tx import Read


def condition(read: Read, ask: Ask, seq: str) -> tuple[str, list[Any]]:
    """A condition on the seq that the expression `seq` gives, and its values."""
    if everything(read, ask):
        return "1", []
    parts, values = experience.passing(ask.filter, seq)
    if not ask.filter.experience_only:
        for passing in (standing.passing, state.passing):
            part, more = passing(ask.filter, seq)
            parts += f" OR {part}"
            values += more
    bound, more = binding.passing(ask.filter, seq)
    said = f"({parts}) AND {bound}"
    values += more
    if ask.filter.only is not None:
        said += f" AND {seq} = ?"
        values.append(ask.filter.only)
    return said, values


def among(read: Read, ask: Ask, seqs: Sequence[int]) -> set[int]:
    """Those of these seqs that pass."""
    if everything(read, ask):
        return set(seqs)
    where, values = condition(read, ask, "thing.value")
    listed = f"[{','.join(map(str, seqs))}]"
    sql = f"SELECT thing.value FROM json_each(?) AS thing WHERE {where}"
    return set(read.column(sql, (listed, *values)))


def everything(read: Read, ask: Ask) -> bool:
    """Whether nothing in the scope is hidden, kept from anybody, or filtered away."""
    return experience.unfiltered(read, ask.filter) and binding.unbound(read)


def ended(seq: str, moment: Moment) -> str:
    """An expression: whether the record or value at the seq is over then; 0 for all else."""
    return f"coalesce({standing.ended(seq, moment)}, {state.ended(seq, moment)}, 0)"
