"""Who may see which version of what, and why not.  Worked out once for a store.

A version stands on its source, on what it takes the place of, on its vector and on what its
payload names, and they on theirs.  The newest version of each of them must be visible; which
places that takes, and until when, is kept for every version.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from muniment.errors import BadExchange
from muniment.exchange import appraisals, objects, queries, selections
from muniment.exchange.layout import NO_ID, Ref
from muniment.exchange.objects import Row
from muniment.exchange.store import Store
from muniment.model.contextual import Audience, Code

Place = tuple[int, bytes]  # the scope, and whose it is: an owner's or a room's
# What needs more places than anybody has needs this one, which nobody has: the sets stay small
# however long the chains are.
_NOWHERE: frozenset[Hashable] = frozenset({(-1, NO_ID)})
_PLACES_MAX = 2  # of somebody's own and the room's


def place(row: Row) -> Place | None:
    """Where a row belongs; None: everybody may see it."""
    if row.scope == objects.INSTANCE:
        return None
    return row.scope, row.owner if row.scope == objects.PRIVATE else row.room


def audience(query: queries.Query, cut: int) -> Audience:
    """Who asks a query, at a sequence of the store."""
    mine: Place = (objects.PRIVATE, query.principal)
    room: Place = (objects.ROOM, query.room)
    own = {objects.PRIVATE: mine, objects.ROOM: room}.get(query.scope)
    seen = {mine, room} if query.room != NO_ID else {mine}
    return Audience(open=frozenset(seen), places=frozenset({None, own}), at=cut)


class Sight:
    """What each version of a store rests on, as far as it decides who sees it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.needs: list[frozenset[Hashable]] = []
        self.until: list[int] = []  # 0: for ever
        self.faults: list[Code | None] = []
        self.cold: list[bool] = []
        self._known: dict[frozenset[Hashable], frozenset[Hashable]] = {}
        # In the order of updates: what a version refers to stands in front of it.
        for row, payload in store.objects:
            self._add(row, list(refers(row, payload)))

    def resolve(self, ref: tuple[bytes, int], audience: Audience) -> Code | None:
        """Why an exact version is not to be had, or None."""
        newest = self.store.newest(ref[0])
        if newest is None:
            return "missing"
        if _gone(newest) or not _seen(newest, audience):
            return "denied"
        if newest.version != ref[1] or newest.ref in self.store.superseded:
            return "stale"
        at = self.store.latest[newest.id]
        ended = self.until[at] and self.until[at] <= audience.at
        if ended or not self.needs[at] <= audience.open:
            return "denied"
        if self.faults[at] is not None:
            return self.faults[at]
        if self.cold[at]:
            return "unavailable"
        return None if place(newest) in audience.places else "scope"

    def stale(self, row: Row) -> bool:
        """Whether a newer version or another object has taken its place."""
        newest = self.store.newest(row.id)
        return newest is None or newest.version != row.version or row.ref in self.store.superseded

    def _add(self, row: Row, refs: list[tuple[Ref, bool]]) -> None:
        newest = self.store.newest(row.id)
        assert newest is not None
        fault: Code | None = "denied" if _gone(newest) else None
        until = newest.expiry
        cold = bool(row.flags & objects.COLD)
        at = place(newest)
        needs: frozenset[Hashable] = frozenset() if at is None else frozenset({at})
        for ref, current in refs:
            index = self.store.places.get(ref)
            if index is None or index >= len(self.needs):
                continue
            fault = fault or self.faults[index]
            if current and fault is None and self.stale(self.store.objects[index].row):
                fault = "stale"
            cold = cold or self.cold[index]
            needs |= self.needs[index]
            if len(needs) > _PLACES_MAX:
                needs = _NOWHERE
            until = min(until or self.until[index], self.until[index] or until)
        self.needs.append(self._known.setdefault(needs, needs))
        self.until.append(until)
        self.faults.append(fault)
        self.cold.append(cold)


def refers(row: Row, payload: object) -> Iterator[tuple[Ref, bool]]:
    """What a version rests on; True: on its being current."""
    for ref in (row.source, row.superseded, row.embedding):
        if ref:
            yield ref, False
    if row.flags & (objects.TOMBSTONE | objects.COLD):
        return
    if row.kind not in (
        objects.APPRAISAL, objects.RELATIONSHIP, objects.POLICY, objects.SELECTION,
    ):  # fmt: skip
        return
    try:
        yield from _inside(row, payload)
    except BadExchange:
        return  # another payload, which names nothing


def _inside(row: Row, payload: object) -> Iterator[tuple[Ref, bool]]:
    if row.kind == objects.APPRAISAL:
        made = appraisals.read(payload, "appraisal").made
        if made is not None:
            yield made.queue, False
    elif row.kind == objects.RELATIONSHIP:
        yield appraisals.read_relationship(payload, "relationship").queue, False
    elif row.kind == objects.POLICY:
        entry = appraisals.read_queued(payload, "queue")
        yield entry.configuration, False
        if entry.descriptor:
            yield entry.descriptor, False
    else:
        for member in selections.read(payload, "selection"):
            yield member.ref, True


def _gone(row: Row) -> bool:
    """Whether nobody sees it any more."""
    return bool(row.flags & objects.TOMBSTONE) or row.evidence == objects.WITHDRAWN


def _seen(row: Row, audience: Audience) -> bool:
    at = place(row)
    return (at is None or at in audience.open) and (row.expiry == 0 or row.expiry > audience.at)
