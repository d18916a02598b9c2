"""Prepared queries over a store of typed objects, against the bare product of its vectors."""

from __future__ import annotations

import gc
import random
import statistics
from typing import Any

import numpy as np

from bench.clocks import cpu, wall
from muniment.exchange import appraisals, objects, queries, texts, vectors
from muniment.exchange.images import Image, Stored
from muniment.exchange.layout import NO_ID
from muniment.exchange.objects import Row
from muniment.exchange.queries import Extension, Query
from muniment.exchange.recall import Library
from muniment.exchange.store import Store, restored

SIZES = (8_192, 100_000, 1_000_000)
WIDTH = 384
REPEATS = {1: 31, 64: 7}  # by the queries of a batch; the middle one counts
_MODEL, _OWNER, _LINEAGE, _TASK = b"\x07" * 32, b"\x01" * 16, b"\x02" * 16, b"\x03" * 16
_OBLIGED = 8  # requirements of the task
_ASSESSED = 100  # every so manieth memory has an appraisal


def figures(sizes: tuple[int, ...]) -> dict[str, Any]:
    """Milliseconds of a query by the number of objects and the batch, with the bare product's."""
    return {str(size): _of_one(size) for size in sizes}


def _of_one(size: int) -> dict[str, Any]:
    store, vectors_ = _store(size)
    libraries: list[Library] = []
    loading = wall(lambda: libraries.append(Library(store)))
    (library,) = libraries
    first = wall(lambda: library.answer(_rows(1)))
    bare = np.frombuffer(b"".join(vectors_), "<f4").reshape(len(vectors_), WIDTH)
    gc.freeze()
    found: dict[str, Any] = {
        "memories": len(vectors_), "width": WIDTH, "load_s": loading, "first_query_s": first,
    }  # fmt: skip
    for batch, repeats in REPEATS.items():
        rows = _rows(batch)
        asked = np.frombuffer(b"".join(row[160 : 160 + 4 * WIDTH] for row in rows), "<f4")
        asked = asked.reshape(batch, WIDTH)
        whole, product = [], []
        for _ in range(repeats):
            whole.append(cpu(lambda: library.answer(rows)))  # noqa: B023 - called at once
            product.append(cpu(lambda: asked @ bare.T))  # noqa: B023 - called at once
        spent, floor = statistics.median(whole), statistics.median(product)
        found[f"batch_{batch}"] = {
            "query_ms": spent / batch * 1e3,
            "product_ms": floor / batch * 1e3,
            # What it may take: one and a half products, and two milliseconds a query.
            "of_what_it_may": spent / (1.5 * floor + 2e-3 * batch),
        }
    gc.unfreeze()
    return found


def _store(size: int) -> tuple[Store, list[bytes]]:
    """Events with their vectors and working copies, some of them appraised, and a task."""
    drawn = np.random.default_rng(11).standard_normal((size // 3, WIDTH), dtype=np.float32)
    rng = random.Random(11)
    made: list[Stored] = []
    held: list[bytes] = []

    def add(kind: int, payload: bytes, **fields: Any) -> Row:
        now = len(made) + 1
        row = Row(
            kind=kind, flags=0, id=rng.randbytes(16), lineage=_LINEAGE, version=1, created=now,
            updated=now, owner=_OWNER, payload_bytes=len(payload),
            **({"source_kind": objects.REPORTED} | fields),
        )  # fmt: skip
        made.append(Stored(row, payload))
        return row

    for number in range((size - _OBLIGED) // 3):
        text = texts.write(texts.Plain(text=f"Entry {number}: the vents were open until evening."))
        event = add(objects.EVENT, text, subject=_OWNER)
        source = {"source_id": event.id, "source_version": 1}
        numbers = drawn[number].tobytes()
        held.append(numbers)
        vector = vectors.Vector(numbers=numbers, model=_MODEL, processor=_MODEL, event=event.ref)
        component = add(objects.COMPONENT, vectors.write(vector), **source)
        add(objects.WORKING, text, **source, subject=_OWNER, embedding_id=component.id,
            embedding_version=1)  # fmt: skip
        if number % _ASSESSED == 0:
            stake = appraisals.write(appraisals.Appraisal(harm=rng.randrange(1_000_000)))
            add(objects.APPRAISAL, stake, **source, subject=_OWNER,
                source_kind=objects.INFERRED)  # fmt: skip
    for number in range(_OBLIGED):
        said = texts.Bound(text=f"Rule {number}.", task=_TASK, required=True)
        add(objects.CUE, texts.write(said), source_id=made[0].row.id, source_version=1)
    image = Image(tail=False, lineage=_LINEAGE, sequence=len(made), tick=1, objects=tuple(made))
    return restored(image), held


def _rows(batch: int) -> list[bytes]:
    """Questions of a task, with appraisals at work."""
    rng = np.random.default_rng(13)
    extension = Extension(
        revision=4, task=_TASK, participants=(_OWNER,), ranked=True, floor=50_000, boost=100_000
    )
    return [
        queries.write(
            Query(
                request=(2 * number + 1).to_bytes(16, "big"), principal=_OWNER, room=NO_ID,
                selection=(2 * number + 2).to_bytes(16, "big"), model=_MODEL, processor=_MODEL,
                vector=rng.standard_normal(WIDTH, dtype=np.float32).tobytes(),
                text="What of the vents?", extension=extension,
            )
        )
        for number in range(batch)
    ]  # fmt: skip
