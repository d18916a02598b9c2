"""The tree of a conversation: the branch it went on with, or all of it where it is no tree.

Pure, and of no format: the importers share it, and it imports none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from muniment.errors import BrokenThread
from muniment.importers import reading
from muniment.model.turn import Failed


class Node(msgspec.Struct, frozen=True, kw_only=True):
    """A message and what it says it hangs on."""

    at: str  # where it says so
    name: str | None
    parent: str | None
    first: bool = False  # it may begin the conversation, also beside others that do


class Tree(msgspec.Struct, frozen=True, kw_only=True):
    """How nodes hang together, by their places among them."""

    above: list[int | None]
    order: list[int]  # all: in the order of the file, and what is above before what is below
    faults: list[Failed]
    sound: bool  # from each node one way leads up to where the conversation begins

    def parted(
        self, named: int | None, created: Callable[[int], int]
    ) -> tuple[list[int], list[int]]:
        """The branch down to the named node, or to the newest, and what stands on others.

        Of leaves created together the last in the file is the newest.  Where the tree is not
        sound, the branch is all there is.
        """
        if not self.sound:
            return self.order, []
        place = named
        if place is None:
            inner = set(self.above)
            leaves = [place for place in range(len(self.above)) if place not in inner]
            place = max(reversed(leaves), key=created)
        branch: list[int] = []
        while place is not None:
            branch.append(place)
            place = self.above[place]
        return branch[::-1], sorted(set(self.order).difference(branch))


def tree(nodes: Sequence[Node]) -> Tree:
    """The tree of these nodes, and a fault for each place where they are none.

    A name that is there twice is no fault here: which of the two says something else shows when
    they are stored.
    """
    places: dict[str, int] = {}
    for place, node in enumerate(nodes):
        if node.name is not None:
            places.setdefault(node.name, place)
    above = [None if node.parent is None else places.get(node.parent) for node in nodes]
    faults = [
        _fault(node.at, f"the parent {node.parent!r} is missing")
        for node, found in zip(nodes, above, strict=True)
        if node.parent is not None and found is None
    ]
    faults += _without_parent(nodes)
    order, turning = _ordered(above)
    faults += [
        _fault(nodes[place].at, f"the parent {nodes[place].parent!r} is one of its own children")
        for place in turning
    ]
    named = sum(node.name is not None for node in nodes)
    return Tree(above=above, order=order, faults=faults, sound=not faults and len(places) == named)


def astray(named: str, at: str) -> Failed:
    """That a conversation goes on from a message which is not in it."""
    why = f"no message is called {named!r}; the conversation is taken in as if none were named"
    return reading.failed(at, BrokenThread(why))


def _without_parent(nodes: Iterable[Node]) -> list[Failed]:
    """One fault for all nodes that have no parent and do not begin the conversation."""
    begun = any(node.first for node in nodes)
    loose = [node for node in nodes if node.parent is None and not node.first]
    rest = loose if begun else loose[1:]
    if not rest:
        return []
    more = f" (nor have {len(rest) - 1} after it)" if rest[1:] else ""
    return [_fault(rest[0].at, f"it has no parent{more}, and the conversation began elsewhere")]


def _ordered(above: list[int | None]) -> tuple[list[int], list[int]]:
    """All places, those above first; and those whose parent is also below them, one a cycle."""
    order: list[int] = []
    turning: list[int] = []
    done = [False] * len(above)
    for start in range(len(above)):
        way: list[int] = []
        place: int | None = start
        while place is not None and not done[place]:
            done[place] = True
            way.append(place)
            place = above[place]
        # A way ends at the top, on an earlier one, or on itself.
        if place is not None and place in way:
            turning.append(way[-1])
        order += reversed(way)
    return order, turning


def _fault(at: str, why: str) -> Failed:
    return reading.failed(at, BrokenThread(f"{why}; all of the conversation is taken in"))
