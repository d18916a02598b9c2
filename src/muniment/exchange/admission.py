"""May these objects be taken in?  Each is looked up in indexes; nothing is searched through.

All that are broken are looked at, and the smallest status of them is told, with where the first
such one stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from muniment import limits
from muniment.errors import BadExchange
from muniment.exchange import appraisals, objects, selections, spans, texts
from muniment.exchange.images import Stored
from muniment.exchange.layout import NO_ID, Ref
from muniment.exchange.objects import Row
from muniment.exchange.status import refused
from muniment.model.contextual import Code

_FIXED = (objects.EVENT, objects.MEDIA, objects.COMPONENT)  # ended by a tombstone, never revised
_BOUND_KINDS = (objects.ASSERTION, objects.CUE, objects.INTENTION)


class Admitted(Protocol):
    """The store as far as it is looked at."""

    lineage: bytes
    sequence: int
    places: dict[Ref, int]
    objects: list[Stored]
    updates: set[int]
    superseded: dict[Ref, int]


class Staged:
    """The store with what comes to it."""

    def __init__(self, store: Admitted, some: Sequence[Stored]) -> None:
        self.lineage = store.lineage
        self.sequence = store.sequence
        self._store = store
        # Of two that claim to be the same version, the first is looked at.
        self._coming = {each.row.ref: each for each in reversed(some)}
        self._replacing: dict[Ref, int] = {}
        for row, _ in some:
            if row.superseded:
                before = self._replacing.get(row.superseded, row.updated)
                self._replacing[row.superseded] = min(before, row.updated)

    def get(self, ref: Ref) -> Stored | None:
        """An exact version, there already or coming."""
        place = self._store.places.get(ref)
        return self._coming.get(ref) if place is None else self._store.objects[place]

    def superseded_at(self, ref: Ref) -> int | None:
        """The first update that took the place of a version."""
        # What is in the store already came first.
        return self._store.superseded.get(ref, self._replacing.get(ref))


def check(store: Admitted, some: Sequence[Stored], at: str) -> None:
    """Nothing, if all of these may be taken in together.

    Raises:
        BadExchange: one of them breaks a rule; the smallest status of all that do.
    """
    staged = Staged(store, some)
    worst: BadExchange | None = None
    for error in (*_alone(store, some, at), *_each(staged, some, at)):
        if worst is None or error.status < worst.status:
            worst = error
    if worst is not None:
        raise worst


def resolved(staged: Staged, row: Row, ref: Ref, at: str) -> Stored:
    """What a row refers to: an exact earlier version that stands and is not seen by fewer.

    Raises:
        BadExchange: it does not stand there, or the row would be seen by more.
    """
    found = staged.get(ref)
    right = found is not None and found.row.updated < row.updated
    if not right or found is None or found.row.flags & objects.TOMBSTONE:
        raise refused("reference", "an exact earlier version that stands", at)
    if not _narrow(row, found.row):
        raise refused("scope", "seen by no more than what it refers to", at)
    return found


def _alone(store: Admitted, some: Sequence[Stored], at: str) -> Iterable[BadExchange]:
    """What is wrong with the numbers of the whole batch."""
    if len(store.objects) + len(some) > limits.EXCHANGE_OBJECTS_MAX:
        yield refused("capacity", "more objects than a store holds", at)
    taken: set[int] = set()
    refs: set[Ref] = set()
    for index, (row, _) in enumerate(some):
        used = row.updated in taken or row.updated in store.updates
        if used or row.updated > store.sequence:
            yield refused("sequence", "an update of its own, up to the store's", f"{at}[{index}]")
        if row.ref in store.places or row.ref in refs:
            yield refused("version", "a version of its own", f"{at}[{index}]")
        taken.add(row.updated)
        refs.add(row.ref)


def _each(staged: Staged, some: Sequence[Stored], at: str) -> Iterable[BadExchange]:
    for index, (row, payload) in enumerate(some):
        place = f"{at}[{index}]"
        for rule in (_versions, _references, _payload):
            try:
                rule(staged, row, payload, place)
            except BadExchange as error:
                yield error


def _must(right: object, code: Code, wanted: str, at: str) -> None:
    if not right:
        raise refused(code, wanted, at)


def _versions(staged: Staged, row: Row, payload: Any, at: str) -> None:
    """The first version stands alone; every other follows the one before it."""
    del payload
    _must(row.lineage == staged.lineage, "source", "the store's lineage", f"{at}.lineage")
    if row.version == 1:
        _must(row.created == row.updated, "version", "created when it was updated", f"{at}.created")
        _must(not row.flags & objects.TOMBSTONE, "version", "no tombstone at first", f"{at}.flags")
        return
    found = staged.get(Ref(row.id, row.version - 1))
    _must(found, "version", "the version before it", f"{at}.version")
    assert found is not None
    before = found.row
    same = ("created", "kind", "owner", "subject")
    _must(
        all(getattr(row, field) == getattr(before, field) for field in same)
        and before.updated < row.updated,
        "version", "created, kind, owner and subject as before", f"{at}.version",
    )  # fmt: skip
    _must(
        row.source_kind == before.source_kind and row.source == before.source,
        "source", "the source as before", f"{at}.source",
    )  # fmt: skip
    _must(_narrow(row, before), "scope", "seen by no more than before", f"{at}.scope")
    ended = row.flags & objects.TOMBSTONE
    _must(not before.flags & objects.TOMBSTONE, "denied", "nothing after a tombstone", at)
    kept = row.flags & objects.PROTECTED and not ended
    _must(not before.flags & objects.PROTECTED or kept, "denied", "it is protected", f"{at}.flags")
    _must(row.kind not in _FIXED or ended, "version", "ended by a tombstone alone", f"{at}.version")


def _references(staged: Staged, row: Row, payload: Any, at: str) -> None:
    del payload
    if row.source:
        source = resolved(staged, row, row.source, f"{at}.source").row
        inferred = source.source_kind != objects.INFERRED or row.source_kind == objects.INFERRED
        _must(inferred, "source", "inferred, as its source is", f"{at}.source_kind")
        if row.kind == objects.APPRAISAL:
            _must(row.subject == source.subject, "source", "its source's subject", f"{at}.subject")
    if row.superseded:
        old = resolved(staged, row, row.superseded, f"{at}.superseded").row
        same = (old.kind, old.subject) == (row.kind, row.subject)
        _must(same, "source", "the same kind and subject", f"{at}.superseded")
    if row.embedding:
        found = resolved(staged, row, row.embedding, f"{at}.embedding").row
        _must(found.kind == objects.COMPONENT, "reference", "a component", f"{at}.embedding")


def _payload(staged: Staged, row: Row, payload: Any, at: str) -> None:
    """The payloads that are looked at on the way in; plain texts and vectors are not."""
    if row.flags & (objects.TOMBSTONE | objects.COLD):
        return
    place = f"{at}.payload"
    magic = bytes(payload[: texts.MAGIC_BYTES])
    rule = _BY_MAGIC.get(magic) or _BY_KIND.get(row.kind)
    if rule is not None:
        rule(staged, row, payload, place)


def _bound(staged: Staged, row: Row, payload: Any, at: str) -> None:
    del staged
    texts.read(payload, at)
    _must(row.kind in _BOUND_KINDS, "format", "an assertion, cue or intention", at)
    _must(row.source, "format", "with a source", at)
    named = row.subject != NO_ID or row.kind == objects.CUE
    _must(named, "format", "with a subject, unless it is a cue", at)


def _selection(staged: Staged, row: Row, payload: Any, at: str) -> None:
    members = selections.read(payload, at)
    for index, member in enumerate(members):
        found = resolved(staged, row, member.ref, f"{at}[{index}]").row
        media = found.kind == objects.MEDIA
        wanted = selections.MEDIA if media else selections.TEXT
        _must(member.representation == wanted, "format", "2 for media, else 1", f"{at}[{index}]")


def _appraisal(staged: Staged, row: Row, payload: Any, at: str) -> None:
    found = appraisals.read(payload, at)
    _must(row.source, "source", "with a source", at)
    _must(row.subject != NO_ID, "source", "with a subject", at)
    if found.made is not None:
        _must(row.source_kind == objects.INFERRED, "source", "inferred", at)
        _made(staged, row, found, at)


def _made(staged: Staged, row: Row, found: appraisals.Appraisal, at: str) -> None:
    """A model made it for a complete entry of the queue, from a quote or from nothing."""
    made = found.made
    assert made is not None
    entry = _queued(staged, row, made.queue, f"{at}.queue")
    _must(entry.state == appraisals.COMPLETE, "source", "a complete entry", f"{at}.queue")
    source = resolved(staged, row, row.source, at)
    start, size = made.quote
    if size:
        unique = spans.unique(source.payload, start, size)
        _must(unique, "source", "a unique span of the event's text", f"{at}.quote")
        return
    known = (found.benefit, found.harm, found.arousal, found.confidence)
    silent = all(value is None for value in known) and found.consequence == 0 and start == 0
    _must(silent, "source", "nothing is known without a quote", f"{at}.quote")


def _relationship(staged: Staged, row: Row, payload: Any, at: str) -> None:
    found = appraisals.read_relationship(payload, at)
    _must(row.kind == objects.RELATIONSHIP, "format", "a relationship", at)
    _queued(staged, row, found.queue, f"{at}.queue")


def _queue(staged: Staged, row: Row, payload: Any, at: str) -> None:
    found = appraisals.read_queued(payload, at)
    _must(row.kind == objects.POLICY, "format", "a policy", at)
    configured = resolved(staged, row, found.configuration, f"{at}.configuration")
    appraisals.read_configuration(configured.payload, f"{at}.configuration")
    if found.descriptor:
        resolved(staged, row, found.descriptor, f"{at}.descriptor")


def _queued(staged: Staged, row: Row, ref: Ref, at: str) -> appraisals.Queued:
    """The entry of the queue that a row was made for, of the same source and subject."""
    queue = resolved(staged, row, ref, at)
    same = (queue.row.source, queue.row.subject) == (row.source, row.subject)
    _must(same, "source", "the entry of its source and subject", at)
    return appraisals.read_queued(queue.payload, at)


def _configuration(staged: Staged, row: Row, payload: Any, at: str) -> None:
    del staged
    appraisals.read_configuration(payload, at)
    _must(row.kind == objects.POLICY, "format", "a policy", at)


def _narrow(row: Row, seen: Row) -> bool:
    """Whether nobody sees `row` who may not see what it refers to."""
    if seen.scope == objects.INSTANCE:
        return True
    if seen.scope == objects.PRIVATE:
        return row.scope == objects.PRIVATE and row.owner == seen.owner
    return row.scope == objects.ROOM and row.room == seen.room


_Rule = Callable[[Staged, Row, Any, str], None]

_BY_MAGIC: dict[bytes, _Rule] = {
    texts.BOUND: _bound,
    texts.SPAN: spans.check,
    texts.REVIEW: spans.check_review,
    appraisals.RELATIONSHIP: _relationship,
    appraisals.QUEUE: _queue,
    appraisals.CONFIGURATION: _configuration,
}
_BY_KIND: dict[int, _Rule] = {
    objects.APPRAISAL: _appraisal,
    objects.SELECTION: _selection,
    objects.REVIEW: spans.check_review,
}
