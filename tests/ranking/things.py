"""Items, hits and asks as a retriever would hand them on."""

from __future__ import annotations

from typing import Any

from muniment.model.hit import Ask, Found, Hit
from muniment.model.moment import Moment
from muniment.model.pack import Item
from muniment.model.query import Filter
from muniment.model.text import Terms

NOW = 1_767_225_600_000  # 2026-01-01T00:00:00Z
MARK = "0123456789abcdef"


def item(seq: int, kind: str = "event", **fields: Any) -> Item:
    """One thing that stands, said or written at the moment of asking."""
    letter = {"event": "e", "state": "l"}.get(kind, "r")
    at = "2026-01-01T00:00:00.000Z"
    plain: dict[str, Any] = {
        "id": f"{letter}{seq}-{MARK}", "seq": seq, "kind": kind, "text": f"text {seq}", "at": at,
        "recorded_at": at, "standing": "current",
    }  # fmt: skip
    if kind == "event":
        plain |= {"role": "user", "type": "message"}
    return Item(**{**plain, **fields})


def ask(filter: Filter | None = None, **fields: Any) -> Ask:
    """A question without words, at the moment `NOW`."""
    return Ask(
        terms=Terms((), (), 0), filter=filter or Filter(), moment=Moment(at_ms=NOW), **fields
    )


def found(retriever: str, *seqs: int) -> Found:
    """What a retriever hands on, best first, each half as good as the one before."""
    hits = tuple(
        Hit(seq=seq, retriever=retriever, rank=rank, score=2.0**-rank)
        for rank, seq in enumerate(seqs, start=1)
    )
    return Found(retriever=retriever, hits=hits)
