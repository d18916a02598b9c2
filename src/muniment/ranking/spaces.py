"""The memories of one vector space, in the order of their references: who is seen by whom.  Pure."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable
from typing import Any

from muniment.model.contextual import Asked, Audience, Evidence
from muniment.ranking.cosine import Matrix


class Space:
    """The memories of one vector space, by reference."""

    def __init__(self, memories: list[Evidence], namespace: Any) -> None:
        self.memories = sorted(memories, key=lambda each: each.ref)
        self.places = {each.ref: place for place, each in enumerate(self.memories)}
        self.plain: dict[tuple[frozenset[Hashable], Hashable], list[int]] = {}
        self.ending: list[int] = []
        self.of_task: dict[Any, list[int]] = {}
        for place, each in enumerate(self.memories):
            if each.contextual:
                self.of_task.setdefault(each.task, []).append(place)
            elif each.until is not None:
                self.ending.append(place)
            else:
                self.plain.setdefault((each.needs, each.place), []).append(place)
        self._namespace = namespace
        self._matrix: Matrix | None = None

    @property
    def matrix(self) -> Matrix:
        """Their vectors."""
        if self._matrix is None:
            vectors = [each.vector for each in self.memories]
            self._matrix = Matrix(vectors, self._namespace)
        return self._matrix

    def bound(self, asked: Asked) -> list[int]:
        """Where those stand that are bound to the task of a question."""
        return self.of_task.get(asked.task, [])

    def _keys(self, audience: Audience) -> Iterable[tuple[frozenset[Hashable], Hashable]]:
        """What is seen by an audience may need this, and stand there."""
        sets = 1 << len(audience.open)
        if sets * len(audience.places) > len(self.plain):
            return [
                (needs, at)
                for needs, at in self.plain
                if needs <= audience.open and at in audience.places
            ]
        return (
            (frozenset(needs), at)
            for size in range(len(audience.open) + 1)
            for needs in itertools.combinations(audience.open, size)
            for at in audience.places
        )

    def seen(self, audience: Audience) -> list[int]:
        """Where those stand, in order, that are bound to no task and seen by this audience."""
        places = [place for place in self.ending if sees(audience, self.memories[place])]
        for key in self._keys(audience):
            places += self.plain.get(key, ())
        return sorted(places)


def sees(audience: Audience, evidence: Evidence) -> bool:
    """Whether it stands, and this audience may look at it and at all that it rests on."""
    return (
        evidence.fault is None
        and evidence.needs <= audience.open
        and evidence.place in audience.places
        and (evidence.until is None or evidence.until > audience.at)
    )


def applies(memory: Evidence, asked: Asked) -> bool:
    """Whether the task and those who take part are the ones that it is bound to, if any."""
    if not memory.contextual:
        return True
    return (
        asked.task is not None
        and memory.task == asked.task
        and memory.pending
        and (memory.subject is None or memory.subject in asked.participants)
    )
