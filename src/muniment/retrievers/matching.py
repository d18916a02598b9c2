"""Matching: BM25 over the full-text index, each long text by its best passage.

What the retrievers that go by words are made of.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from muniment.model.hit import Ask, Found, Hit
from muniment.projections import text
from muniment.retrievers import passing
from muniment.store.tx import Read

_FIRST_ROWS = 2  # times the limit: room for what the filter and doubles take away


def found(read: Read, ask: Ask, name: str, match: str) -> Found:
    """What fits the full-text expression best, as hits of the retriever `name`."""
    hits, limited = _search(read, ask, match, name)
    return Found(retriever=name, hits=tuple(hits), limited=limited)


def _search(read: Read, ask: Ask, match: str, name: str) -> tuple[list[Hit], bool]:
    """Best rows first, more of them until enough things that are not over have passed."""
    where, values = passing.condition(read, ask, _MATCHED)
    ended = passing.ended(_BEST, ask.moment)
    rows_max = ask.limit * _FIRST_ROWS
    while True:
        rows = read.rows(
            f"SELECT best.row, best.score, {ended}"
            " FROM (SELECT text_index.rowid AS row, bm25(text_index)"
            f" AS score FROM text_index WHERE text_index MATCH ? AND {where}"
            " ORDER BY score, text_index.rowid DESC LIMIT ?) AS best",
            (match, *values, rows_max),
        )
        best = _best(rows)
        passed = sum(ask.history or not ended for _, _, ended in best)
        if passed > ask.limit or len(rows) < rows_max:
            return _hits(best, ask, name), passed > ask.limit
        rows_max *= 4


def _best(rows: Sequence[tuple[Any, ...]]) -> list[tuple[int, float, bool]]:
    """The first row of each thing."""
    found: dict[int, tuple[int, float, bool]] = {}
    for rowid, score, ended in rows:
        found.setdefault(text.seq_of(rowid), (rowid, score, bool(ended)))
    return list(found.values())


def _hits(best: Sequence[tuple[int, float, bool]], ask: Ask, name: str) -> list[Hit]:
    """At most `limit` hits that are not over, and at most as many that are and stood among them."""
    room = {False: ask.limit, True: ask.limit}
    hits: list[Hit] = []
    for rowid, score, ended in best:
        over = ended and not ask.history
        if not room[over]:
            if not over:
                break
            continue
        room[over] -= 1
        hits.append(
            Hit(
                seq=text.seq_of(rowid),
                retriever=name,
                rank=len(hits) + 1,
                score=-score,
                passage=text.passage_of(rowid),
            )
        )
    return hits


_MATCHED = text.seq_expression("text_index.rowid")
_BEST = text.seq_expression("best.row")
