"""An input that was answered becomes memory: an event, its vector, and a working copy of it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from muniment.exchange import objects, texts, vectors
from muniment.exchange.images import Stored
from muniment.exchange.layout import NO_ID, Ref, u64s
from muniment.exchange.objects import Row
from muniment.exchange.queries import Query
from muniment.exchange.store import Store

PER_INPUT = 3
_MADE = b"AOTXGEN1"


def kept(store: Store, queries: Sequence[Query]) -> list[Stored]:
    """Three objects for each input, in its scope; their updates follow the store's last."""
    ids = _unused(store)
    found: list[Stored] = []
    for query in queries:
        now = store.sequence + len(found) + 1
        found += _of_one(store, query, now, (next(ids), next(ids)))
    return found


def _of_one(store: Store, query: Query, now: int, ids: tuple[bytes, bytes]) -> Iterator[Stored]:
    actor = NO_ID if query.extension is None else query.extension.actor
    text = texts.write(texts.Plain(text=query.text))
    event = Row(
        kind=objects.EVENT, flags=0, id=query.request, lineage=store.lineage, version=1,
        created=now, updated=now, owner=query.principal, room=query.room,
        subject=query.principal if actor == NO_ID else actor, payload_bytes=len(text),
        scope=query.scope, source_kind=objects.REPORTED,
    )  # fmt: skip
    vector = vectors.write(
        vectors.Vector(
            numbers=query.vector, model=query.model, processor=query.processor,
            event=Ref(event.id, 1),
        )
    )  # fmt: skip
    component = event._replace(
        kind=objects.COMPONENT, id=ids[0], created=now + 1, updated=now + 1, subject=NO_ID,
        source_id=event.id, source_version=1, payload_bytes=len(vector),
        source_kind=objects.INFERRED,
    )  # fmt: skip
    working = event._replace(
        kind=objects.WORKING, id=ids[1], created=now + 2, updated=now + 2, source_id=event.id,
        source_version=1, embedding_id=component.id, embedding_version=1,
    )  # fmt: skip
    yield Stored(event, text)
    yield Stored(component, vector)
    yield Stored(working, text)


def _unused(store: Store) -> Iterator[bytes]:
    """Ids that no object has, counted on from the store's sequence."""
    for number in itertools.count(store.sequence + 1):
        id = _MADE + u64s(number)
        if store.newest(id) is None:
            yield id
