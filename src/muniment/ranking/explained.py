"""What the worth of one thing is made of: each retriever's part, and each boost's.  Pure."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.model.hit import Found
from muniment.model.policy import BY_DAY, Policy
from muniment.model.query import Part, PartKind
from muniment.ranking import fuse
from muniment.ranking.fuse import Worth

_PPM = 1_000_000


def parts(worth: Worth, policy: Policy, seq: int) -> tuple[Part, ...]:
    """The parts that add up to `worth.totals[seq]`, but for rounding; those of no weight are none."""
    weights = fuse.weights_of(policy)
    # What stands alone is not behind for want of what stands beside it.
    factor = fuse.alone_factor(worth.asked, weights) if seq in worth.alone else 1.0
    made: list[Part] = []
    for each in worth.asked:
        scores, unlisted = fuse.shares(each)
        share, weight = scores.get(seq, unlisted), weights[each.retriever]
        weight *= 1.0 if each.retriever in BY_DAY else factor
        made.append(_part(each.retriever, "retriever", (share, weight), _rank(each, seq)))
    for name, weight in policy.boosts.items():
        made.append(_part(name, "boost", (worth.boosts[name].get(seq, 0.0), weight)))
    made.append(_part("correction", "correction", (worth.raised.get(seq, 0.0), 1.0)))
    return tuple(part for part in made if part.adds_ppm or part.rank is not None)


def demanding(found: Sequence[Found], must: Sequence[str], seq: int) -> tuple[str, ...]:
    """Those of the retrievers `must` that found it: by these it must be shown."""
    return tuple(
        each.retriever
        for each in found
        if each.retriever in must and any(hit.seq == seq for hit in each.hits)
    )


def ppm(number: float) -> int:
    """A number in millionths."""
    return round(_PPM * number)


def _part(name: str, by: PartKind, amount: tuple[float, float], rank: int | None = None) -> Part:
    value, weight = amount
    return Part(
        name=name,
        by=by,
        rank=rank,
        value_ppm=ppm(value),
        weight_ppm=ppm(weight),
        adds_ppm=ppm(value * weight),
    )


def _rank(found: Found, seq: int) -> int | None:
    return next((hit.rank for hit in found.hits if hit.seq == seq), None)
