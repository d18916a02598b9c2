"""A store of typed objects, indexed: its versions by id, what takes the place of what.

Everything in a store has been admitted (`admission`): references lead to earlier versions, so
there are no circles in what rests on what.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from muniment.exchange import admission, images
from muniment.exchange.images import Image, Stored
from muniment.exchange.layout import Ref
from muniment.exchange.objects import Row
from muniment.exchange.status import refused


class Store:
    """Admitted objects in the order of their updates."""

    def __init__(self, lineage: bytes, sequence: int, tick: int) -> None:
        self.lineage = lineage
        self.sequence = sequence
        self.tick = tick
        self.objects: list[Stored] = []
        self.places: dict[Ref, int] = {}
        self.latest: dict[bytes, int] = {}
        self.superseded: dict[Ref, int] = {}  # with the update that took its place first
        self.updates: set[int] = set()

    def row(self, ref: Ref) -> Row | None:
        """An exact version."""
        place = self.places.get(ref)
        return None if place is None else self.objects[place].row

    def get(self, ref: Ref) -> Stored | None:
        """An exact version with its payload."""
        place = self.places.get(ref)
        return None if place is None else self.objects[place]

    def superseded_at(self, ref: Ref) -> int | None:
        """The first update that took the place of a version."""
        return self.superseded.get(ref)

    def payload(self, ref: Ref) -> Any:
        """The payload of a version that is there."""
        return self.objects[self.places[ref]].payload

    def newest(self, id: bytes) -> Row | None:
        """The row with the greatest version of an id."""
        place = self.latest.get(id)
        return None if place is None else self.objects[place].row

    def admit(self, some: Sequence[Stored], at: str = "objects") -> None:
        """Takes these in, all of them or none.

        Raises:
            BadExchange: one of them breaks a rule; the smallest status of all that do.
        """
        admission.check(self, some, at)
        for each in sorted(some, key=lambda one: one.row.updated):
            self._add(each)

    def image(self, *, since: int = 0) -> Image:
        """Everything as a checkpoint; with `since`, what came after that sequence as a tail."""
        some = [each for each in self.objects if each.row.updated > since]
        return Image(
            tail=since > 0,
            lineage=self.lineage,
            sequence=since + 1 if since else self.sequence,
            tick=self.tick,
            objects=tuple(some),
        )

    def _add(self, each: Stored) -> None:
        place = len(self.objects)
        self.objects.append(each)
        self.places[each.row.ref] = place
        self.updates.add(each.row.updated)
        # Versions of one id come in the order of their updates.
        self.latest[each.row.id] = place
        if each.row.superseded:
            self.superseded.setdefault(each.row.superseded, each.row.updated)


def restored(image: Image, at: str = "checkpoint") -> Store:
    """The store that a checkpoint holds.

    Raises:
        BadExchange: it is a tail, or one of its objects breaks a rule.
    """
    if image.tail:
        raise refused("format", "a checkpoint", f"{at}.magic")
    store = Store(image.lineage, image.sequence, image.tick)
    store.admit(image.objects, f"{at}.objects")
    return store


def apply(store: Store, image: Image, at: str = "tail") -> int:
    """How many updates of a tail were new; all of them are in the store then.

    Raises:
        BadExchange: it does not follow this store, or one of its objects breaks a rule.
    """
    if not image.tail:
        raise refused("format", "a tail", f"{at}.magic")
    if image.lineage != store.lineage:
        raise refused("source", "the lineage of the store", f"{at}.lineage")
    updates = [each.row.updated for each in image.objects]
    if updates != list(range(image.sequence, image.sequence + len(updates))):
        raise refused("sequence", "updates one after the other", f"{at}.objects")
    if image.sequence > store.sequence + 1:
        raise refused("sequence", "the update after the store's last", f"{at}.sequence")
    covered = [each for each in image.objects if each.row.updated <= store.sequence]
    _check_covered(store, covered, at)
    fresh = image.objects[len(covered) :]
    if not fresh:
        return 0
    if image.tick < store.tick:
        raise refused("sequence", "a tick no earlier than the store's", f"{at}.tick")
    before = store.sequence
    store.sequence = fresh[-1].row.updated
    try:
        store.admit(fresh, f"{at}.objects")
    except BaseException:
        store.sequence = before
        raise
    store.tick = image.tick
    return len(fresh)


def opened(checkpoint: Any, tail: Any = None) -> Store:
    """The store in the bytes of a checkpoint and of the tail that follows it.

    Raises:
        BadExchange: a rule is broken.
    """
    store = restored(images.read(checkpoint, "checkpoint"))
    if tail is not None:
        apply(store, images.read(tail, "tail"))
    return store


def _check_covered(store: Store, covered: Iterable[Stored], at: str) -> None:
    """What the store has already is the same, but for where its payload stands."""
    for index, (row, payload) in enumerate(covered):
        known = store.places.get(row.ref)
        here = None if known is None else store.objects[known]
        same = here is not None and here.row == row._replace(payload_at=here.row.payload_at)
        if not same or here is None or bytes(here.payload) != bytes(payload):
            raise refused("version", "what the store has already", f"{at}.objects[{index}]")
