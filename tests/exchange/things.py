"""Stores of typed objects, made in a few words: a greenhouse and those who keep it."""

from __future__ import annotations

import struct
from typing import Any

from muniment.exchange import appraisals, objects, queries, texts, vectors
from muniment.exchange.images import Image, Stored
from muniment.exchange.layout import NO_ID, NONE, Ref
from muniment.exchange.objects import Row
from muniment.exchange.queries import Extension, Query
from muniment.exchange.store import Store, restored

LINEAGE = b"\xab" * 16
OWNER = b"\x01" * 16
ROOM = b"\x02" * 16
MODEL = b"\x07" * 32
PROCESSOR = b"\x08" * 32
CUE = b"\x77" * 16
PERSON = b"\x88" * 16
OTHER = b"\x89" * 16


def id_of(number: int) -> bytes:
    """The id with this number, repeated."""
    return bytes([number]) * 16 if number < 256 else struct.pack(">Q", number).rjust(16, b"\x0f")


def floats(*numbers: float) -> bytes:
    """32-bit numbers."""
    return struct.pack(f"<{len(numbers)}f", *numbers)


class Making:
    """A store as it is made: each object gets the next update."""

    def __init__(self, scope: int = objects.INSTANCE, owner: bytes = OWNER) -> None:
        self.objects: list[Stored] = []
        self.scope = scope
        self.owner = owner
        self.room = ROOM
        self._vectors = 0x8000

    @property
    def sequence(self) -> int:
        """The last update."""
        return len(self.objects)

    def add(self, kind: int, id: bytes, payload: bytes, **fields: Any) -> Ref:
        """An object's first version."""
        now = self.sequence + 1
        source = fields.pop("source", NONE)
        superseded = fields.pop("superseded", NONE)
        embedding = fields.pop("embedding", NONE)
        room = self.room if self.scope == objects.ROOM else NO_ID
        known: dict[str, Any] = {
            "flags": 0, "lineage": LINEAGE, "version": 1, "created": now, "updated": now,
            "owner": self.owner, "room": room, "scope": self.scope,
            "source_kind": objects.REPORTED,
        }  # fmt: skip
        row = Row(
            kind=kind, id=id, payload_bytes=len(payload),
            source_id=source.id, source_version=source.version,
            superseded_id=superseded.id, superseded_version=superseded.version,
            embedding_id=embedding.id, embedding_version=embedding.version,
            **{**known, **fields},
        )  # fmt: skip
        self.objects.append(Stored(row, payload))
        return row.ref

    def revise(self, ref: Ref, payload: bytes | None = None, **fields: Any) -> Ref:
        """The next version of an object."""
        old = next(each for each in self.objects if each.row.ref == ref)
        held = old.payload if payload is None else payload
        now = self.sequence + 1
        row = old.row._replace(version=ref.version + 1, updated=now, payload_bytes=len(held))
        self.objects.append(Stored(row._replace(**fields), held))
        return row.ref

    def end(self, ref: Ref) -> Ref:
        """A tombstone of an object."""
        return self.revise(ref, b"", flags=objects.TOMBSTONE)

    def event(self, number: int, text: str, **fields: Any) -> Ref:
        """What somebody reported."""
        return self.add(objects.EVENT, id_of(number), plain(text), **fields)

    def vector(self, *numbers: float, model: bytes = MODEL, **fields: Any) -> Ref:
        """A component."""
        self._vectors += 1
        made = vectors.Vector(
            numbers=floats(*numbers), model=model, processor=PROCESSOR, digest=b"\x09" * 32
        )
        return self.add(objects.COMPONENT, id_of(self._vectors), vectors.write(made), **fields)

    def memory(self, number: int, text: str, *numbers: float, **fields: Any) -> Ref:
        """A working memory in plain words with a vector."""
        kind = fields.pop("kind", objects.WORKING)
        embedding = self.vector(*numbers)
        return self.add(kind, id_of(number), plain(text), embedding=embedding, **fields)

    def bound(self, number: int, text: str, *numbers: float, **fields: Any) -> Ref:
        """A text that is bound to a task, an assertion unless it says otherwise."""
        kind = fields.pop("kind", objects.ASSERTION)
        task, required = fields.pop("task", CUE), fields.pop("required", False)
        if numbers:
            fields["embedding"] = self.vector(*numbers)
        payload = texts.write(texts.Bound(text=text, task=task, required=required))
        return self.add(kind, id_of(number), payload, **fields)

    def appraise(self, number: int, source: Ref, **fields: Any) -> Ref:
        """What is at stake in another object, schema 1."""
        of = next(each.row for each in self.objects if each.row.ref == source)
        names = ("benefit", "harm", "arousal", "consequence", "confidence")
        values = {name: fields.pop(name) for name in names if name in fields}
        payload = appraisals.write(appraisals.Appraisal(**values))
        known: dict[str, Any] = {"source_kind": objects.INFERRED, "subject": of.subject}
        return self.add(
            objects.APPRAISAL, id_of(number), payload, source=source, **{**known, **fields}
        )

    def image(self) -> Image:
        """All of it as a checkpoint."""
        return Image(
            tail=False, lineage=LINEAGE, sequence=self.sequence, tick=1,
            objects=tuple(self.objects),
        )  # fmt: skip

    def store(self) -> Store:
        """All of it, admitted."""
        return restored(self.image())


def plain(text: str) -> bytes:
    """A payload of revision 1."""
    return texts.write(texts.Plain(text=text))


def query(
    text: str = "What now?", *numbers: float, revision: int = 0, number: int = 0, **fields: Any
) -> Query:
    """A query by the owner; fields of the extension are told apart."""
    names = set(Extension.__struct_fields__) & set(fields)
    extension = {name: fields.pop(name) for name in names}
    made = Extension(revision=revision, **extension) if revision else None
    known: dict[str, Any] = {
        "request": id_of(0x5000 + number), "selection": id_of(0x6000 + number),
        "principal": OWNER, "model": MODEL, "processor": PROCESSOR, "extension": made,
        "vector": floats(*(numbers or (1.0, 0.0))),
    }  # fmt: skip
    return Query(text=text, **{**known, **fields})


def envelope(store: Store, *asked: Query) -> bytes:
    """A file of queries for a store."""
    rows = tuple(queries.write(each) for each in asked)
    return queries.write_envelope(
        queries.Envelope(lineage=store.lineage, cut=store.sequence, rows=rows)
    )
