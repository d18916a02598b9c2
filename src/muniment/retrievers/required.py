"""References: the ids that a caller requires or pins, required ones first."""

from __future__ import annotations

from muniment.errors import NotFound
from muniment.model import event
from muniment.model.hit import Ask, Found, Hit
from muniment.model.version import Row
from muniment.projections import binding, experience, record, state
from muniment.store.tx import Read

NAME = "required"


def find(read: Read, ask: Ask) -> Found:
    """A hit for each reference, in the order given.

    Raises:
        NotFound: one of them is unknown, or was at the moment that is asked for.
    """
    seqs = [_seq(read, id, "require", ask) for id in ask.required]
    seqs += [_seq(read, id, "pin", ask) for id in ask.pinned]
    hits = [
        Hit(seq=seq, retriever=NAME, rank=rank, score=1.0)
        for rank, seq in enumerate(dict.fromkeys(seqs), start=1)
    ]
    return Found(retriever=NAME, hits=tuple(hits))


def _seq(read: Read, id: str, at: str, ask: Ask) -> int:
    named = event.named(id, at, "erl")
    seqs = [named.seq]
    rows: dict[int, experience.Row] | dict[int, Row] | dict[int, state.Row] = {}
    if named.letter == "e":
        rows = experience.by_seq(read, seqs)
    elif named.letter == "r":
        rows = record.by_seq(read, seqs)
    else:
        rows = state.by_seq(read, seqs)
    row = rows.get(named.seq)
    if named.letter == "r" and row is not None and not binding.is_seen(read, ask.filter, row.seq):
        row = None  # kept from who asks, who learns no more than of what there is not
    later = ask.filter.to_seq is not None and named.seq > ask.filter.to_seq
    if row is None or later or named.mark not in (None, row.mark):
        raise NotFound(f"nothing here has the id {id!r}", at=at)
    return named.seq
