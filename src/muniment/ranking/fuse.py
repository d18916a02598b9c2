"""Several retrievers' hits as one order: a sum of scores, then what the policy's boosts add.  Pure.

Each retriever's scores are divided by its best, so that they can be added; a sum of ranks loses
what the distances say (it was 5 to 6 points worse on the same data).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from muniment.model.cue import Cues
from muniment.model.hit import Found, Hit
from muniment.model.pack import Item
from muniment.ranking.boosts import BOOSTS
from muniment.ranking.policies import Policy

NAME = "fused"


def fused(found: Sequence[Found], items: Mapping[int, Item], cues: Cues, policy: Policy) -> Found:
    """All hits of the policy's optional retrievers in one order, best first.

    A thing that has no neighbours by its kind, a record or state, counts as its own window.
    """
    totals: dict[int, float] = defaultdict(float)
    weights: dict[int, float] = defaultdict(float)
    passages: dict[int, int | None] = {}
    for each in found:
        weight = policy.may.get(each.retriever)
        if weight is None:
            continue
        best = max((hit.score for hit in each.hits), default=0.0) or 1.0
        for hit in each.hits:
            if hit.seq in items:
                totals[hit.seq] += weight * hit.score / best
                weights[hit.seq] += weight
                passages.setdefault(hit.seq, hit.passage)
    for seq in totals:
        if items[seq].kind != "event" or passages[seq] is not None:
            totals[seq] *= sum(policy.may.values()) / weights[seq]
    plain = dict(totals)
    for name, weight in policy.boosts.items():
        for seq, boost in BOOSTS[name](items, plain, cues).items():
            totals[seq] += weight * boost
    order = sorted(totals, key=lambda seq: (-totals[seq], -seq))
    return Found(
        retriever=NAME,
        hits=tuple(
            Hit(seq=seq, retriever=NAME, rank=rank, score=totals[seq], passage=passages[seq])
            for rank, seq in enumerate(order, start=1)
        ),
        limited=any(each.limited for each in found),
    )
