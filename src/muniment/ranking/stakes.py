"""What is at stake in a memory: which appraisal of it counts, for whom and in which task.  Pure."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import msgspec

from muniment.model.contextual import SCALE, Asked, Audience, Code, Evidence, Ref
from muniment.ranking.cosine import NO_BOOSTS, Boosts
from muniment.ranking.spaces import Space, sees

KEPT_MAX = 64  # audiences of which is kept what they see: as many as a batch has
_ENTRIES_MAX = 500_000  # that are kept for all of them together: some hundred megabytes

Resolve = Callable[[Ref, Audience], Code | None]


class Raised(msgspec.Struct, frozen=True):
    """By place: the appraisal that counts, and what it adds to the score."""

    best: dict[int, Evidence] = {}
    boosts: Boosts = NO_BOOSTS


class _Group(msgspec.Struct, frozen=True):
    """Appraisals of one thing and subject, the strongest first; many places may share one."""

    appraisals: list[Evidence]
    depends: bool  # on the question, whether one of them counts


class _Seen(msgspec.Struct):
    """By place: the appraisal that counts whatever is asked, or all from which it is taken."""

    fixed: dict[int, Evidence] = {}
    depending: dict[int, list[_Group]] = {}


class Stakes:
    """Appraisals by what they assess."""

    def __init__(self, verdict: Resolve) -> None:
        self.copied: dict[Ref, list[Ref]] = {}  # working copies by their event
        self._verdict = verdict
        self._assessing: dict[Ref, list[Evidence]] = {}
        self._seen: dict[tuple[Hashable, Audience], _Seen] = {}
        self._plain: dict[tuple[Hashable, Audience, int], Raised] = {}
        self._entries = 0  # of what is kept
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
            known = self._assessed(held, asked.audience)
            self._entries += len(known.fixed) + len(known.depending)
            if len(self._seen) >= KEPT_MAX or self._entries > _ENTRIES_MAX:
                self._seen.clear()
                self._plain.clear()
                self._entries = len(known.fixed) + len(known.depending)
            self._seen[key] = known
        known = self._seen[key]
        if not known.depending:
            found = self._plain.get((*key, asked.boost))
            if found is None:
                if len(self._plain) >= KEPT_MAX:
                    self._plain.clear()
                found = self._plain[(*key, asked.boost)] = _raised(asked, known.fixed)
        else:
            found = _raised(asked, self._counting(known, asked))
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

    def _counting(self, known: _Seen, asked: Asked) -> dict[int, Evidence]:
        """By place: the strongest appraisal that counts in this question."""
        best = dict(known.fixed)
        firsts: dict[int, Evidence | None] = {}  # by group: each is looked through once
        for place, groups in known.depending.items():
            mine: list[Evidence] = []
            for group in groups:
                if id(group) not in firsts:
                    counting = (each for each in group.appraisals if self.counts(each, asked))
                    firsts[id(group)] = next(counting, None)
                first = firsts[id(group)]
                mine += [] if first is None else [first]
            if mine:
                best[place] = min(mine, key=_strength)
        return best

    def _assessed(self, held: Space, audience: Audience) -> _Seen:
        """By place: what assesses it and is seen."""
        found: dict[int, list[_Group]] = {}
        for target, appraisals in self._assessing.items():
            seen = [each for each in appraisals if each.intensity and sees(audience, each)]
            groups = _grouped(seen)
            for ref in (target, *self.copied.get(target, ())) if groups else ():
                place = held.places.get(ref)
                group = None if place is None else groups.get(held.memories[place].subject)
                if place is not None and group is not None:
                    found.setdefault(place, []).append(group)
        known = _Seen()
        for place, mine in found.items():
            if any(group.depends for group in mine):
                known.depending[place] = mine
            else:
                known.fixed[place] = min((group.appraisals[0] for group in mine), key=_strength)
        return known


def _strength(appraisal: Evidence) -> tuple[int, Ref]:
    """The strongest first, ties by reference."""
    return -(appraisal.intensity or 0), appraisal.ref


def _grouped(seen: list[Evidence]) -> dict[object, _Group]:
    """By subject."""
    found: dict[object, list[Evidence]] = {}
    for each in seen:
        found.setdefault(each.subject, []).append(each)
    return {
        subject: _Group(sorted(some, key=_strength), any(each.after for each in some))
        for subject, some in found.items()
    }


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
