"""When Cogg may act next: the budget of attempts and the wake plan, worked out again.  Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from muniment.importers.cogg.bodies import Limits

POLICY = "cogg:wake/v2"
FIRST_POLICY = "cogg:wake/v1"


class Admissions:
    """When each attempt of a subject was admitted: seqs in order, and their times."""

    def __init__(self, seqs: Sequence[int], times: Sequence[int]) -> None:
        self._seqs = seqs
        self._times = times

    @property
    def last(self) -> int:
        """The time of the last one, or -1."""
        return self._times[-1] if self._times else -1

    def budget(self, limits: Limits, now: int, through: int) -> dict[str, int]:
        """What may be spent at `now`, by the attempts up to the seq `through`."""
        known = bisect_right(self._seqs, through)
        # Before the first period is over every attempt counts.
        after = now - limits.period_ms if now >= limits.period_ms else -1
        first = bisect_right(self._times, after, 0, known)
        last = bisect_right(self._times, now, 0, known)
        used = last - first
        floor = max(now, self._times[known - 1] + limits.min_wake_ms) if known else now
        quota = now
        if used >= limits.max_attempts:
            quota = self._times[last - limits.max_attempts] + limits.period_ms
        return {
            "used": used,
            "limit": limits.max_attempts,
            "period_ms": limits.period_ms,
            "through_seq": self._seqs[known - 1] if known else 0,
            "floor_at": floor,
            "quota_at": quota,
            "eligible_at": max(floor, quota),
        }


def plan(limits: Limits, decided: int, wanted: int | None, budget: dict[str, int]) -> Any:
    """The wake plan of a commit at the time `decided` that asked to wake after `wanted` ms."""
    granted: int | None = None
    reasons: list[str] = []
    if wanted is None:
        reasons.append("waiting_external")
    else:
        delay = wanted
        if delay < limits.min_wake_ms:
            delay, reasons = limits.min_wake_ms, ["minimum_interval"]
        if delay > limits.max_wake_ms:
            delay, reasons = limits.max_wake_ms, [*reasons, "maximum_interval"]
        granted = decided + delay
        if budget["eligible_at"] > granted:
            granted, reasons = budget["eligible_at"], [*reasons, "attempt_budget"]
    return {
        "policy": POLICY,
        "decided_at": decided,
        "requested_after_ms": wanted,
        "requested_at": None if wanted is None else decided + wanted,
        "granted_at": granted,
        "granted_after_ms": None if granted is None else granted - decided,
        "reasons": reasons,
        "budget": budget,
    }


def first_plan(limits: Limits, decided: int, wanted: int | None) -> int | None:
    """When a commit of the first schema wakes: no longest interval, and no budget."""
    return None if wanted is None else decided + max(wanted, limits.min_wake_ms)
