"""What becomes of another system's objects here, one after the other in the order of updates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from muniment.errors import BadExchange
from muniment.exchange import appraisals, objects, rendering, sight, texts
from muniment.exchange.layout import NO_ID, Ref
from muniment.exchange.objects import Row
from muniment.exchange.sight import Place, Sight
from muniment.exchange.store import Store
from muniment.model.event_kinds import Grade, Kind, Status

_HOMES: dict[int, Kind] = {
    objects.ASSERTION: "belief", objects.IDENTITY: "belief", objects.CUE: "note",
    objects.INTENTION: "intention", objects.WORKING: "note", objects.APPRAISAL: "appraisal",
}  # fmt: skip
_GRADES: dict[int, Grade] = {objects.SUPPORTED: "supported", objects.DISPUTED: "disputed"}


class Carried(msgspec.Struct, frozen=True, kw_only=True):
    """One version that has a home here: a message (`kind` None) or a record."""

    row: Row
    text: str
    kind: Kind | None = None
    status: Status | None = None
    actor: str | None = None
    about: str | None = None
    source: Ref | None = None
    supersedes: Ref | None = None
    # What binds a record; of a message, who else sees it has no home but a collection.
    seen: dict[str, str] = {}
    grade: Grade | None = None
    task: str | None = None
    appraised: tuple[int | None, int | None] | None = None  # benefit and harm of an appraisal
    metadata: dict[str, Any]


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """A version that says that the one before it does not hold any more."""

    row: Row
    before: Ref


class Left(msgspec.Struct, frozen=True, kw_only=True):
    """One version that has no home here, and why."""

    row: Row
    reason: str
    detail: str = ""


def objects_of(store: Store, places: frozenset[Place | None]) -> Iterator[Carried | Ended | Left]:
    """Every version of a store: what it becomes, or why it becomes nothing."""
    seen = Sight(store)
    for row, payload in store.objects:
        if sight.place(row) not in places:
            yield Left(row=row, reason="scope", detail="it belongs to somebody else")
        elif row.flags & objects.TOMBSTONE or row.evidence == objects.WITHDRAWN:
            yield _ended(row)
        else:
            yield _version(store, row, payload)
            newest = store.newest(row.id)
            if newest is not None and newest.ref == row.ref and _over(store, seen, row):
                yield Ended(row=row, before=row.ref)


def _ended(row: Row) -> Ended | Left:
    if row.version == 1:
        return Left(row=row, reason="withdrawn", detail="it was withdrawn from the start")
    return Ended(row=row, before=Ref(row.id, row.version - 1))


def _over(store: Store, seen: Sight, row: Row) -> bool:
    """Whether it does not hold any more, though nothing newer says so."""
    place = store.places[row.ref]
    ended = 0 < seen.until[place] <= store.sequence
    return row.kind != objects.EVENT and (ended or seen.faults[place] == "denied")


def _version(store: Store, row: Row, payload: Any) -> Carried | Left:
    if row.flags & objects.COLD:
        return Left(row=row, reason="cold", detail="its payload is elsewhere")
    if row.kind != objects.EVENT and row.kind not in _HOMES:
        return Left(row=row, reason="kind", detail="nothing here is of this kind")
    try:
        if row.kind == objects.APPRAISAL:
            return _appraisal(store, row, payload)
        if not texts.known(payload):
            return Left(row=row, reason="payload", detail="it is no text")
        return _text(store, row, payload)
    except BadExchange as error:
        return Left(row=row, reason=error.code, detail=error.detail)


def _text(store: Store, row: Row, payload: Any) -> Carried | Left:
    text = texts.read(payload, "payload")
    if row.kind == objects.EVENT:
        actor = rendering.Wire(store).actor(row.ref)
        return Carried(
            row=row, text=text.text, actor=None if actor == "unknown" else actor, seen=_seen(row),
            metadata=_metadata(row),
        )  # fmt: skip
    source = store.get(row.source)
    copied = source is not None and source.row.kind == objects.EVENT
    if row.kind == objects.WORKING and copied and source is not None and payload == source.payload:
        return Left(row=row, reason="copy", detail=f"the event {row.source} has come itself")
    bound = text if isinstance(text, texts.Bound) else None
    kind = "requirement" if bound is not None and bound.required else _HOMES[row.kind]
    metadata = _metadata(row)
    if isinstance(text, texts.Span):
        metadata |= {"span": texts.SPANS[text.span], "start_byte": text.start}
    carried = _record(row, text.text, kind, _status(row, kind), metadata)
    return carried if bound is None else msgspec.structs.replace(carried, task=bound.task.hex())


def _appraisal(store: Store, row: Row, payload: Any) -> Carried:
    found = appraisals.read(payload, "payload")
    metadata = _metadata(row) | {
        "arousal": found.arousal, "consequence": found.consequence,
        "confidence": found.confidence, "units": appraisals.UNITS,
    }  # fmt: skip
    text = rendering.appraised(found).decode()
    carried = _record(row, text, "appraisal", "active", metadata)
    about = carried.about
    source = store.row(row.source)
    if source is not None and source.kind == objects.EVENT:
        actor = rendering.Wire(store).actor(row.source)  # as the message that it becomes has it
        about = None if actor == "unknown" else actor
    return msgspec.structs.replace(carried, about=about, appraised=(found.benefit, found.harm))


def _record(row: Row, text: str, kind: Kind, status: Status, metadata: dict[str, Any]) -> Carried:
    before = Ref(row.id, row.version - 1) if row.version > 1 else row.superseded
    return Carried(
        row=row,
        text=text,
        kind=kind,
        status=status,
        about=None if row.subject == NO_ID else row.subject.hex(),
        source=row.source or None,
        supersedes=before or None,
        seen=_seen(row),
        grade=_GRADES.get(row.evidence),
        metadata=metadata,
    )


def _seen(row: Row) -> dict[str, str]:
    """Who sees it, as a record says that; nothing where everybody does."""
    if row.scope == objects.PRIVATE:
        return {"visibility": "private", "reader": row.owner.hex()}
    if row.scope == objects.ROOM:
        return {"visibility": "room", "room": row.room.hex()}
    return {}


def _status(row: Row, kind: str) -> Status:
    if kind == "belief" and row.evidence == objects.DISPUTED:
        return "disputed"
    if kind == "intention":
        return "pending" if row.retention == objects.PENDING else "completed"
    return "active"


def _metadata(row: Row) -> dict[str, Any]:
    """What the old row says that has no field here."""
    return {
        "id": row.id.hex(), "version": row.version, "kind": objects.KINDS[row.kind],
        "source": str(row.source) if row.source else None,
        "source_kind": row.source_kind, "evidence": row.evidence,
        "expiry": row.expiry, "updated": row.updated,
    }  # fmt: skip
