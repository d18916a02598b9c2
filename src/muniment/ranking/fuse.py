"""Several retrievers' hits as one order: a sum of scores, then what the policy's boosts add.  Pure.

Each retriever's scores are divided by its best, so that they can be added; a sum of ranks loses
what the distances say (it was 5 to 6 points worse on the same data).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from muniment.model.cue import Cues
from muniment.model.hit import Found, Hit
from muniment.model.pack import Item
from muniment.model.policy import BY_DAY, Policy
from muniment.ranking.boosts import BOOSTS, Case

NAME = "fused"
# These find messages by those beside them.  A record, a state value or a passage of a long text
# has nothing beside it, and is not behind for want of it.
BESIDE = ("nearby",)
# What a full retriever did not hand on is worth less than the last that it did, and not nothing.
_UNLISTED = 0.5


def fused(
    found: Sequence[Found],
    items: Mapping[int, Item],
    cues: Cues,
    policy: Policy,
    told: Mapping[int, float] = MappingProxyType({}),
) -> Found:
    """All hits of the policy's optional retrievers in one order, best first.

    `told` is what the caller's own function says of each thing, from 0 to 1.
    """
    weights = {**policy.otherwise, **policy.may}
    asked = [each for each in found if each.retriever in weights]
    passages: dict[int, int | None] = {}
    after: dict[int, int] = {}
    for each in asked:
        for hit in each.hits:
            if hit.seq in items:
                passages.setdefault(hit.seq, hit.passage)
                if hit.after is not None:
                    after[hit.seq] = hit.after
    corrections: list[tuple[int, int]] = []
    # The oldest first: what corrects a correction is worth what that has come to be worth.
    correcting = (hit for each in found for hit in each.hits if hit.corrects is not None)
    for hit in sorted(correcting, key=lambda hit: hit.seq):
        if hit.corrects in passages and hit.seq in items:
            corrections.append((hit.seq, hit.corrects))
            passages.setdefault(hit.seq, None)
    alone = {seq for seq in passages if items[seq].kind != "event" or passages[seq] is not None}
    by_words = [each for each in asked if each.retriever not in BY_DAY]
    plain = _sums(by_words, passages, alone, weights)
    for seq, score in _by_day(asked, weights):
        plain[seq] += score
    case = Case(items=items, scores=plain, cues=cues, after=after, told=told)
    totals = dict(plain)
    for name, weight in policy.boosts.items():
        for seq, boost in BOOSTS[name](case).items():
            totals[seq] += weight * boost
    # A correction is worth no less than what it corrects, and stands before it as the newer one.
    for right, wrong in corrections:
        totals[right] = max(totals[right], totals[wrong])
    order = sorted(totals, key=lambda seq: (-totals[seq], -seq))
    return Found(
        retriever=NAME,
        hits=tuple(
            Hit(seq=seq, retriever=NAME, rank=rank, score=totals[seq], passage=passages[seq])
            for rank, seq in enumerate(order, start=1)
        ),
        limited=any(each.limited for each in found),
    )


def _by_day(asked: Sequence[Found], weights: Mapping[str, float]) -> Iterator[tuple[int, float]]:
    """What things are worth by the day on which they were said.

    A full list says nothing against what it left out: that has the boost for the same day.
    """
    for each in asked:
        if each.retriever in BY_DAY:
            best = max((hit.score for hit in each.hits), default=1.0)
            yield from ((hit.seq, weights[each.retriever] * hit.score / best) for hit in each.hits)


def _sums(
    asked: Sequence[Found],
    seqs: Mapping[int, int | None],
    alone: set[int],
    weights: Mapping[str, float],
) -> dict[int, float]:
    """What each thing is worth by its words: a weighted sum of scores from 0 to 1."""
    totals: dict[int, float] = defaultdict(float)
    for each in asked:
        best = max((hit.score for hit in each.hits), default=0.0) or 1.0
        weight = weights[each.retriever] / best
        unlisted = _UNLISTED * each.hits[-1].score if each.limited and each.hits else 0.0
        scores = {hit.seq: hit.score for hit in each.hits}
        for seq in seqs:
            totals[seq] += weight * scores.get(seq, unlisted)
    names = {each.retriever for each in asked}
    every = sum(weights[name] for name in names)
    by_words = sum(weights[name] for name in names.difference(BESIDE))
    for seq in alone if by_words else ():
        totals[seq] *= every / by_words
    return totals
