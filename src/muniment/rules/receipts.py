"""What a recall's receipt says.  Pure: the choice and what it was made from in, a draft out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from muniment.model import canonical
from muniment.model.event import Draft
from muniment.model.event_kinds import (
    LeftOut,
    RecallContent,
    RecallRecorded,
    RecordedFound,
    RecordedHit,
)
from muniment.model.hit import Ask, Found
from muniment.model.pack import Pack
from muniment.model.query import Budget

PACK_DOMAIN = b"muniment/pack/1"


class Program(msgspec.Struct, frozen=True):
    """What decided: its own version and the database engine's."""

    version: str
    engine: str


class Recalled(msgspec.Struct, frozen=True, kw_only=True):
    """One recall, as it went."""

    query: str
    filters: Mapping[str, object]
    ask: Ask
    budget: Budget
    found: Sequence[Found]
    ids: Mapping[int, str]  # of every hit, by seq
    pack: Pack
    memory_seq: int
    vectors: tuple[int, int] | None  # texts with a vector of the model, and all texts


def receipt(recalled: Recalled, program: Program) -> Draft:
    """The event that accounts for a recall: its words apart, everything else as numbers and ids."""
    ask, pack, budget = recalled.ask, recalled.pack, recalled.budget
    shape = RecallRecorded(
        policy=pack.policy,
        memory_head=pack.head,
        memory_seq=recalled.memory_seq,
        at_ms=ask.moment.at_ms,
        to_seq=ask.moment.seq if ask.moment.past else None,
        said_until_ms=ask.moment.said_until_ms,
        history=ask.history,
        bytes_max=budget.bytes_max,
        items_max=budget.items_max,
        bytes=pack.bytes,
        tokens=budget.tokens_fit is not None,
        style=ask.style,
        floor_ppm=ask.floor_ppm,
        boost_ppm=ask.boost_ppm,
        vectors=recalled.vectors,
        found=tuple(_recorded(found, recalled.ids) for found in recalled.found),
        required=tuple(recalled.ids[seq] for seq in _required(recalled)),
        chosen=tuple(item.id for item in pack.items),
        left_out=tuple(LeftOut(left.id, left.reason, left.bytes) for left in pack.suppressed),
        left_out_more=pack.trace.suppressed_more,
        program=program.version,
        engine=program.engine,
    )
    given = {name: value for name, value in recalled.filters.items() if value}
    content = RecallContent(
        query=recalled.query,
        pack_digest=pack_digest(pack.text),
        filters=canonical.plain_json(given, "filters") if given else None,
        embedder=pack.trace.embedder,
        task=ask.filter.task,
        participants=ask.filter.participants,
        reader=ask.filter.reader,
        room=ask.filter.room,
    )
    return Draft(shape, content)


def pack_digest(text: str) -> str:
    """The digest of a pack's text; stands in a salted content, and goes with it."""
    return canonical.digest(PACK_DOMAIN, text.encode()).hex()


def _recorded(found: Found, ids: Mapping[int, str]) -> RecordedFound:
    best = max((hit.score for hit in found.hits), default=1.0) or 1.0
    return RecordedFound(
        retriever=found.retriever,
        hits=tuple(
            RecordedHit(
                ids[hit.seq],
                round(1_000_000 * hit.score / best),
                -1 if hit.passage is None else hit.passage,
            )
            for hit in found.hits
            if hit.seq in ids
        ),
        limited=found.limited,
    )


def _required(recalled: Recalled) -> list[int]:
    wanted = set(recalled.ask.required)
    return [
        seq for seq, id in recalled.ids.items() if id in wanted or id.split("-", 1)[0] in wanted
    ]
