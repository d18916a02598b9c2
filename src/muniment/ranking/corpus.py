"""What can be chosen, indexed once: who sees what, what is bound to a task, what assesses what.

Pure.  A question looks into the indexes and never through everything.  What one audience sees of
a space is worked out once and kept, for the last few of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, Protocol

import msgspec

from muniment.model.contextual import SCALE, Asked, Audience, Code, Evidence, Ref
from muniment.ranking.cosine import Wanted
from muniment.ranking.spaces import Space, applies, sees
from muniment.ranking.stakes import KEPT_MAX, Raised, Resolve, Stakes


class Candidate(msgspec.Struct, frozen=True):
    """A memory that was compared, with the appraisal that it enters with, if any."""

    evidence: Evidence
    likeness: float
    score: float
    appraisal: Evidence | None = None


class Offer(Protocol):
    """What a selection looks into: memories, and what is bound to them or assesses them."""

    by_ref: dict[Ref, Evidence]
    copies: dict[Ref, list[Ref]]  # complete working copies by their event

    @property
    def verdict(self) -> Resolve:
        """Why one is not to be had, or None."""
        ...

    def obligations(self, asked: Asked) -> list[Evidence]:
        """What must be said, in order."""
        ...

    def unusable(self, asked: Asked) -> Iterable[Evidence]:
        """What would be considered, and cannot be read or reached."""
        ...

    def strangers(self, asked: Asked) -> bool:
        """Whether something could be considered if it could be compared."""
        ...

    def candidates(self, asked: Asked, about: Any) -> Iterator[Candidate]:
        """What may be chosen, best first, ties by reference."""
        ...

    def candidate(self, asked: Asked, ref: Ref) -> Candidate | None:
        """One of the candidates by its reference, if it is one."""
        ...


class Corpus:
    """Evidence, each version once.  `resolve` says exactly why something is not to be had."""

    def __init__(
        self, evidence: Iterable[Evidence], resolve: Resolve | None = None, namespace: Any = None
    ) -> None:
        self.by_ref: dict[Ref, Evidence] = {}
        self._obligations: dict[Any, list[Evidence]] = {}
        self._unusable: list[Evidence] = []
        self.verdict = resolve or self._usually  # why one is not to be had, or None
        self.stakes = Stakes(self.verdict)
        self.copies: dict[Ref, list[Ref]] = {}  # complete working copies by their event
        offered: dict[Hashable, list[Evidence]] = {}
        for each in evidence:
            self.by_ref[each.ref] = each
            if each.part == "support" or each.fault is not None:
                continue
            if each.part == "appraisal":
                self.stakes.add(each)
                continue
            if each.broken is not None or each.cold:
                self._unusable.append(each)
            elif each.required and each.contextual:
                self._obligations.setdefault(each.task, []).append(each)
            elif each.unfit is not None:
                self._unusable.append(each)
            elif each.space is not None:
                offered.setdefault(each.space, []).append(each)
                if each.complete:
                    self.copies.setdefault(each.origin, []).append(each.ref)
                if each.copy:
                    self.stakes.copied.setdefault(each.origin, []).append(each.ref)
        self._spaces = {space: Space(found, namespace) for space, found in offered.items()}
        self._seen: dict[tuple[Hashable, Audience], Any] = {}

    def obligations(self, asked: Asked) -> list[Evidence]:
        """What must be said in this task: by priority where one was given, then by reference."""
        found = [
            each for each in self._obligations.get(asked.task, ()) if self._offered(each, asked)
        ]
        return sorted(
            found, key=lambda each: (each.priority is None, -(each.priority or 0), each.ref)
        )

    def unusable(self, asked: Asked) -> Iterator[Evidence]:
        """What would be considered, and cannot be read or reached."""
        return (each for each in self._unusable if self._offered(each, asked))

    def strangers(self, asked: Asked) -> bool:
        """Whether something could be considered but for its vector, which is of another space."""
        return any(
            held.seen(asked.audience)
            or any(self._offered(held.memories[place], asked) for place in held.bound(asked))
            for space, held in self._spaces.items()
            if space != asked.space
        )

    def products(self, batch: Sequence[Asked]) -> list[Any]:
        """What each question's vector scores about with everything of its space, in few products."""
        found: list[Any] = [None] * len(batch)
        by_space: dict[Hashable, list[int]] = {}
        for index, asked in enumerate(batch):
            if asked.vector is not None and asked.space in self._spaces:
                by_space.setdefault(asked.space, []).append(index)
        for space, indexes in by_space.items():
            matrix = self._spaces[space].matrix
            rows = matrix.products([batch[index].vector for index in indexes])
            for index, row in zip(indexes, rows, strict=True):
                found[index] = row
        return found

    def candidates(self, asked: Asked, about: Any) -> Iterator[Candidate]:
        """What may be chosen, best first, ties by reference."""
        held = self._spaces.get(asked.space)
        if held is None or asked.vector is None:
            return
        raised = self._raised(asked, held)
        wanted = Wanted(
            positions=self._places(asked.space, held, asked),
            boosts=raised.boosts,
            floor=asked.floor / SCALE if asked.ranked else None,
        )
        for place, likeness, score in held.matrix.best(asked.vector, about, wanted):
            yield Candidate(held.memories[place], likeness, score, raised.best.get(place))

    def candidate(self, asked: Asked, ref: Ref) -> Candidate | None:
        """One of the candidates by its reference, if it is one."""
        held = self._spaces.get(asked.space)
        place = None if held is None else held.places.get(ref)
        if held is None or place is None or asked.vector is None:
            return None
        memory = held.memories[place]
        if not self._offered(memory, asked):
            return None
        likeness = held.matrix.one(asked.vector, place)
        if asked.ranked and likeness < asked.floor / SCALE:
            return None
        raised = self._raised(asked, held)
        score = likeness + raised.boosts.added.get(place, 0.0)
        return Candidate(memory, likeness, score, raised.best.get(place))

    def _raised(self, asked: Asked, held: Space) -> Raised:
        return self.stakes.strongest(asked, held) if asked.ranked and asked.boost else Raised()

    def _usually(self, ref: Ref, audience: Audience) -> Code | None:
        found = self.by_ref.get(ref)
        if found is None:
            return "missing"
        if found.fault is not None:
            return found.fault
        return None if sees(audience, found) else "denied"

    def _offered(self, memory: Evidence, asked: Asked) -> bool:
        return applies(memory, asked) and sees(asked.audience, memory)

    def _places(self, space: Hashable, held: Space, asked: Asked) -> Any:
        """Where those stand that this question may be answered with."""
        key = (space, asked.audience)
        if key not in self._seen:
            if len(self._seen) >= KEPT_MAX:
                self._seen.clear()
            self._seen[key] = held.matrix.places(held.seen(asked.audience))
        bound = [place for place in held.bound(asked) if self._offered(held.memories[place], asked)]
        return held.matrix.places(bound, self._seen[key]) if bound else self._seen[key]
