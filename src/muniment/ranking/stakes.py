"""What is at stake in a memory: which appraisal of it counts, for whom and in which task.  Pure."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import msgspec

from muniment.model.contextual import SCALE, Asked, Audience, Code, Evidence, Ref
from muniment.ranking.cosine import NO_BOOSTS, Boosts
from muniment.ranking.spaces import Space, sees

KEPT_MAX = 64  # audiences of which is kept what they see: as many as a batch has

Resolve = Callable[[Ref, Audience], Code | None]


class Raised(msgspec.Struct, frozen=True):
    """By place: the appraisal that counts, and what it adds to the score."""

    best: dict[int, Evidence] = {}
    boosts: Boosts = NO_BOOSTS


class _Seen(msgspec.Struct):
    """By place: the appraisal that counts whatever is asked, or all from which it is taken."""

    fixed: dict[int, Evidence] = {}
    depending: dict[int, list[Evidence]] = {}


class Stakes:
    """Appraisals by what they assess."""

    def __init__(self, verdict: Resolve) -> None:
        self.copied: dict[Ref, list[Ref]] = {}  # working copies by their event
        self._verdict = verdict
        self._assessing: dict[Ref, list[Evidence]] = {}
        self._seen: dict[tuple[Hashable, Audience], _Seen] = {}
        self._plain: dict[tuple[Hashable, Audience, int], Raised] = {}
        self._last: tuple[Asked, Raised] | None = None  # of the question in hand

    def add(self, appraisal: Evidence) -> None:
        """One more."""
        if appraisal.assesses is not None:
            self._assessing.setdefault(appraisal.assesses, []).append(appraisal)

    def strongest(self, asked: Asked, held: Space) -> Raised:
        """By place: the appraisal with most at stake, ties by reference, and what it adds."""
        if self._last is not None and self._last[0] is asked:
            return self._last[1]
        key = (asked.space, asked.audience)
        if key not in self._seen:
            if len(self._seen) >= KEPT_MAX:
                self._seen.clear()
                self._plain.clear()
            self._seen[key] = self._assessed(held, asked.audience)
        known = self._seen[key]
        if not known.depending:
            found = self._plain.get((*key, asked.boost))
            if found is None:
                if len(self._plain) >= KEPT_MAX:
                    self._plain.clear()
                found = self._plain[(*key, asked.boost)] = _raised(asked, known.fixed)
        else:
            best = dict(known.fixed)
            for place, appraisals in known.depending.items():
                mine = next((each for each in appraisals if self.counts(each, asked)), None)
                if mine is not None:
                    best[place] = mine
            found = _raised(asked, best)
        self._last = (asked, found)
        return found

    def counts(self, appraisal: Evidence, asked: Asked) -> bool:
        """Whether an appraisal has a say in this question: it is seen, known, and meant for it."""
        if not appraisal.intensity or not sees(asked.audience, appraisal):
            return False
        if appraisal.for_task is not None and appraisal.for_task != asked.task:
            return False
        outside = asked.participants and appraisal.subject not in asked.participants
        if appraisal.for_participants and outside:
            return False
        return all(
            self._verdict(ref, asked.audience) is None
            for ref in (*appraisal.before, *appraisal.after)
        )

    def _assessed(self, held: Space, audience: Audience) -> _Seen:
        """By place: what assesses it and is seen, the strongest first."""
        found: dict[int, list[Evidence]] = {}
        for target, appraisals in self._assessing.items():
            seen = [each for each in appraisals if each.intensity and sees(audience, each)]
            for ref in (target, *self.copied.get(target, ())) if seen else ():
                place = held.places.get(ref)
                if place is not None:
                    subject = held.memories[place].subject
                    mine = [each for each in seen if each.subject == subject]
                    found.setdefault(place, []).extend(mine)
        known = _Seen()
        for place, appraisals in found.items():
            appraisals.sort(key=lambda each: (-(each.intensity or 0), each.ref))
            if any(each.after for each in appraisals):
                known.depending[place] = appraisals
            elif appraisals:
                known.fixed[place] = appraisals[0]
        return known


def assesses(appraisal: Evidence, memory: Evidence) -> bool:
    """Whether an appraisal is of this memory, or of the very event that it is a copy of."""
    return appraisal.subject == memory.subject and (
        appraisal.assesses == memory.ref
        or (memory.copy and memory.group is not None and appraisal.assesses == memory.group)
    )


def _raised(asked: Asked, best: dict[int, Evidence]) -> Raised:
    share = asked.boost / SCALE
    added = {place: share * ((each.intensity or 0) / SCALE) for place, each in best.items()}
    return Raised(best, Boosts(added))
