"""Several retrievers' hits as one order: a sum of scores, then what the policy's boosts add.  Pure.

Each retriever's scores are divided by its best, so that they can be added; a sum of ranks loses
what the distances say (it was 5 to 6 points worse on the same data).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import msgspec

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


class Worth(msgspec.Struct, frozen=True, kw_only=True):
    """What each thing that was found is worth, by seq, and what that is made of."""

    totals: Mapping[int, float]
    passages: Mapping[int, int | None]  # the passage of a long text that was found first
    asked: Sequence[Found]
    alone: frozenset[int]  # these have nothing beside them
    boosts: Mapping[str, Mapping[int, float]]  # what each says, from 0 to 1
    raised: Mapping[int, float]  # what a correction gained by what it corrects


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
    found_worth = worth(found, items, cues, policy, told)
    totals, passages = found_worth.totals, found_worth.passages
    order = sorted(totals, key=lambda seq: (-totals[seq], -seq))
    return Found(
        retriever=NAME,
        hits=tuple(
            Hit(seq=seq, retriever=NAME, rank=rank, score=totals[seq], passage=passages[seq])
            for rank, seq in enumerate(order, start=1)
        ),
        limited=any(each.limited for each in found),
    )


def worth(
    found: Sequence[Found],
    items: Mapping[int, Item],
    cues: Cues,
    policy: Policy,
    told: Mapping[int, float],
) -> Worth:
    """What each hit of the policy's optional retrievers is worth; the arguments of `fused`."""
    weights = weights_of(policy)
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
    alone = frozenset(
        seq for seq in passages if items[seq].kind != "event" or passages[seq] is not None
    )
    plain = _sums(asked, passages, alone, weights)
    case = Case(items=items, scores=plain, cues=cues, after=after, told=told)
    boosts = {name: BOOSTS[name](case) for name in policy.boosts}
    totals = dict(plain)
    for name, weight in policy.boosts.items():
        for seq, boost in boosts[name].items():
            totals[seq] += weight * boost
    raised: dict[int, float] = {}
    # A correction is worth no less than what it corrects, and stands before it as the newer one.
    for right, wrong in corrections:
        raised[right] = max(0.0, totals[wrong] - totals[right])
        totals[right] = max(totals[right], totals[wrong])
    return Worth(
        totals=totals,
        passages=passages,
        asked=asked,
        alone=alone,
        boosts=boosts,
        raised=raised,
    )


def weights_of(policy: Policy) -> Mapping[str, float]:
    """The weight of each optional retriever."""
    return {**policy.otherwise, **policy.may}


def shares(found: Found) -> tuple[dict[int, float], float]:
    """What each hit is worth, of its retriever's best, and what a thing is that is none of them.

    A full list of what was said on a day says nothing against what it left out: that has the boost
    for the same day.
    """
    best = max((hit.score for hit in found.hits), default=0.0) or 1.0
    beyond = found.limited and found.hits and found.retriever not in BY_DAY
    unlisted = _UNLISTED * found.hits[-1].score / best if beyond else 0.0
    return {hit.seq: hit.score / best for hit in found.hits}, unlisted


def alone_factor(asked: Sequence[Found], weights: Mapping[str, float]) -> float:
    """How much more the words of a thing count that has nothing beside it."""
    names = {each.retriever for each in asked}.difference(BY_DAY)
    by_words = sum(weights[name] for name in names.difference(BESIDE))
    return sum(weights[name] for name in names) / by_words if by_words else 1.0


def _sums(
    asked: Sequence[Found],
    seqs: Mapping[int, int | None],
    alone: frozenset[int],
    weights: Mapping[str, float],
) -> dict[int, float]:
    """What each thing is worth by its words: a weighted sum of scores from 0 to 1."""
    totals: dict[int, float] = defaultdict(float)
    for each in asked:
        if each.retriever not in BY_DAY:
            _add(totals, each, seqs, weights[each.retriever])
    factor = alone_factor(asked, weights)
    for seq in alone:
        totals[seq] *= factor
    # The day is no word, and has nothing to do with what stands beside a thing.
    for each in asked:
        if each.retriever in BY_DAY:
            _add(totals, each, seqs, weights[each.retriever])
    return totals


def _add(totals: dict[int, float], found: Found, seqs: Iterable[int], weight: float) -> None:
    scores, unlisted = shares(found)
    for seq in seqs:
        totals[seq] += weight * scores.get(seq, unlisted)
