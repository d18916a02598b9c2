"""The objects of a store as the selection sees them, and a query as it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from muniment import limits
from muniment.errors import BadExchange
from muniment.exchange import appraisals, objects, queries, sight, spans, status, texts, vectors
from muniment.exchange.layout import NO_ID, Ref
from muniment.exchange.objects import Row
from muniment.exchange.sight import Sight
from muniment.exchange.store import Store
from muniment.model.contextual import Asked, Code, Evidence
from muniment.ranking.corpus import Corpus

_MEMORIES = (
    objects.EVENT, objects.ASSERTION, objects.CUE, objects.INTENTION, objects.WORKING,
    objects.IDENTITY, objects.REVIEW,
)  # fmt: skip
_SUPPORTS = (objects.RELATIONSHIP, objects.POLICY)


def corpus(store: Store, seen: Sight, namespace: Any = None) -> Corpus:
    """Everything of a store that can be chosen.

    Raises:
        BadExchange: so many memories share a vector that comparing them takes far more than the
            store does.
    """
    return Corpus(_evidence(store, seen), seen.resolve, namespace)


def asked(query: queries.Query, cut: int) -> Asked:
    """The question that a query is."""
    extension = query.extension
    found = Asked(
        audience=sight.audience(query, cut),
        revision=query.revision,
        required=query.required,
        pinned=query.focus,
        space=query.space,
        vector=query.vector,
        entries_max=query.entries_max,
        bytes_max=query.bytes_max,
    )
    if extension is None:
        return found
    return msgspec.structs.replace(
        found,
        task=extension.task,
        participants=extension.participants,
        ranked=extension.ranked,
        floor=extension.floor,
        boost=extension.boost,
    )


def _evidence(store: Store, seen: Sight) -> Iterator[Evidence]:
    related = _relationships(store, seen)
    used: set[Ref] = set()
    shared = 0
    for place, (row, payload) in enumerate(store.objects):
        more: dict[str, Any] | None = None
        if row.kind == objects.APPRAISAL:
            more = _appraisal(store, row, payload, related)
        elif row.kind in _SUPPORTS:
            if payload[:8] in (appraisals.RELATIONSHIP, appraisals.QUEUE):
                more = {"part": "support"}
        elif row.kind in _MEMORIES and (texts.known(payload) or row.flags & objects.COLD):
            more = _memory(store, row, payload)
            vector = more.get("vector", b"")
            shared += len(vector) if row.embedding in used else 0
            if vector:
                used.add(row.embedding)
            if shared > limits.EXCHANGE_SHARED_VECTOR_BYTES_MAX:
                raise status.refused("capacity", "vectors of their own", f"objects[{place}]")
        if more is not None:
            yield Evidence(**_of_any(seen, place, row), **more)


def _of_any(seen: Sight, place: int, row: Row) -> dict[str, Any]:
    cold = bool(row.flags & objects.COLD)
    fault: Code | None = "stale" if seen.stale(row) else seen.faults[place]
    if fault is None and seen.cold[place] and not cold:
        fault = "unavailable"
    source = seen.store.row(row.source)
    event = source is not None and source.kind == objects.EVENT
    return {
        "ref": row.ref,
        "held": place,
        "fault": fault,
        "cold": cold,
        "needs": seen.needs[place],
        "place": sight.place(row),
        "until": seen.until[place] or None,
        "subject": None if row.subject == NO_ID else row.subject,
        "source": row.source or None,
        "group": row.source if event else None,
    }


def _memory(store: Store, row: Row, payload: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    source = store.row(row.source)
    if row.kind == objects.WORKING and source is not None and source.kind == objects.EVENT:
        found["copy"] = True
        same = payload[:8] == texts.PLAIN and payload == store.payload(row.source)
        found["complete"] = bool(same)
    if row.flags & objects.COLD:
        return found
    try:
        text = texts.read(payload, "payload")
    except BadExchange as error:
        return {**found, "broken": status.of(error)}
    if isinstance(text, texts.Bound):
        found |= {
            "task": text.task,
            "required": text.required,
            "pending": row.kind != objects.INTENTION or row.retention == objects.PENDING,
        }
        if text.review:
            found["after"] = spans.supports(store, row) or ()
    if row.embedding:
        try:
            vector = _vector(store, row.embedding)
        except BadExchange as error:
            return {**found, "unfit": status.of(error)}
        found |= {"space": vector.space, "vector": vector.numbers}
    return found


def _vector(store: Store, ref: Ref) -> vectors.Vector:
    """The vector that a row is compared by.

    Raises:
        BadExchange: it is none.
    """
    held = store.get(ref)
    if held is None or held.row.kind != objects.COMPONENT:
        raise status.refused("reference", "a component", "embedding")
    vector = vectors.read(held.payload, "embedding")
    if vector.digest is None:
        event = store.row(vector.event)
        right = event is not None and event.kind == objects.EVENT
        if not right or vector.event != held.row.source:
            raise status.refused("reference", "the event that it was made of", "embedding.source")
    return vector


def _appraisal(store: Store, row: Row, payload: Any, related: dict[Ref, Ref]) -> dict[str, Any]:
    found: dict[str, Any] = {"part": "appraisal", "assesses": row.source}
    if row.flags & (objects.TOMBSTONE | objects.COLD):
        return found
    appraisal = appraisals.read(payload, "payload")
    values = [appraisal.benefit, appraisal.harm]
    if appraisal.made is None:
        return found | {"intensity": _greatest(values)}
    beside = related.get(appraisal.made.queue)
    if beside is None:
        return found  # its group is not whole, so nobody knows how much is at stake
    relationship = appraisals.read_relationship(store.payload(beside), "payload")
    values += [
        relationship.regard_gain, relationship.regard_loss,
        relationship.trust_gain, relationship.trust_loss,
    ]  # fmt: skip
    return found | {
        "intensity": _greatest(values),
        "before": (row.source,),
        "after": (appraisal.made.queue, beside),
        "for_task": None if relationship.task == NO_ID else relationship.task,
        "for_participants": True,
    }


def _greatest(values: list[int | None]) -> int | None:
    """The greatest of those that are known."""
    return max((value for value in values if value is not None), default=None)


def _relationships(store: Store, seen: Sight) -> dict[Ref, Ref]:
    """The relationship that stands for each entry of the queue."""
    found: dict[Ref, Ref] = {}
    for row, payload in store.objects:
        if row.kind != objects.RELATIONSHIP or payload[:8] != appraisals.RELATIONSHIP:
            continue
        if not seen.stale(row):
            queue = appraisals.read_relationship(payload, "payload").queue
            found[queue] = min(found.get(queue, row.ref), row.ref)
    return found
