"""Payloads about what is at stake: appraisals, relationships, their queue, their configuration.

Amounts are millionths on a scale of the project's own, or not known; that is never zero.
"""

from __future__ import annotations

from typing import Any

import msgspec

from muniment.exchange.layout import (
    DIGEST_BYTES,
    NO_ID,
    NONE,
    Reader,
    Ref,
    scaled,
    u32s,
)

RELATIONSHIP = b"AOTXREL1"
QUEUE = b"AOTXAPQ1"
CONFIGURATION = b"AOTXAPC1"
UNITS = 1
COMPLETE = 1  # the state of a queue's entry
_APPRAISAL_BYTES = 32
_MODEL_MADE_BYTES = 128
_CONSEQUENCE_MAX = 4
_STATES = range(4)  # pending, complete, refused, interrupted

Quote = tuple[int, int]  # where it starts in the event's text, and how long it is; bytes


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """What made an appraisal (schema 2): a model, for one entry of the queue, from a quote."""

    processor: bytes
    model: bytes
    queue: Ref
    quote: Quote


class Appraisal(msgspec.Struct, frozen=True, kw_only=True):
    """What is at stake in what it assesses; each amount is millionths or None."""

    benefit: int | None = None
    harm: int | None = None
    arousal: int | None = None
    consequence: int = 0  # 0 is unknown; 1 to 4 in order
    confidence: int | None = None
    made: Made | None = None


class Relationship(msgspec.Struct, frozen=True, kw_only=True):
    """What one exposure did to a relationship, as reported; with the spans that say so."""

    exposure: int = 1
    regard_gain: int | None = None
    regard_loss: int | None = None
    trust_gain: int | None = None
    trust_loss: int | None = None
    task: bytes = NO_ID
    evidence: Quote = (0, 0)
    task_quote: Quote = (0, 0)
    commitment: Quote = (0, 0)
    processor: bytes
    model: bytes
    queue: Ref


class Queued(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of the queue of appraisals."""

    state: int
    configuration: Ref
    task: bytes = NO_ID
    result: int = 0
    processor: bytes
    model: bytes
    descriptor: Ref = NONE


class Configuration(msgspec.Struct, frozen=True, kw_only=True):
    """How appraisals are made, and how recall uses them where a query does not say."""

    flags: int
    pages: int
    tokens: int
    ticks: int
    floor: int
    boost: int
    rows: int
    processor: bytes


def read(payload: Any, at: str) -> Appraisal:
    """The appraisal that a payload holds, schema 1 or 2.

    Raises:
        BadExchange: it breaks a rule.
    """
    reader = Reader(payload, at, least=_APPRAISAL_BYTES)
    schema = reader.u32(0)
    reader.must(schema in (1, 2), "schema", "1 or 2")
    size = _APPRAISAL_BYTES if schema == 1 else _MODEL_MADE_BYTES
    reader.must(len(reader.data) == size, "bytes", str(size))
    consequence = reader.u32(16)
    reader.must(consequence <= _CONSEQUENCE_MAX, "consequence", "0 to 4")
    reader.must(reader.u32(24) == UNITS, "units", str(UNITS))
    reader.zeros(28, 32)
    return Appraisal(
        benefit=reader.scaled(4, "benefit"),
        harm=reader.scaled(8, "harm"),
        arousal=reader.scaled(12, "arousal"),
        consequence=consequence,
        confidence=reader.scaled(20, "confidence"),
        made=None if schema == 1 else _made(reader),
    )


def write(appraisal: Appraisal) -> bytes:
    """The payload that holds this appraisal."""
    made = appraisal.made
    head = u32s(
        1 if made is None else 2,
        scaled(appraisal.benefit),
        scaled(appraisal.harm),
        scaled(appraisal.arousal),
        appraisal.consequence,
        scaled(appraisal.confidence),
        UNITS,
        0,
    )
    if made is None:
        return head
    return head + made.processor + made.model + made.queue.bytes + u32s(*made.quote)


def read_relationship(payload: Any, at: str) -> Relationship:
    """The relationship that a payload holds.

    Raises:
        BadExchange: it breaks a rule.
    """
    reader = Reader(payload, at, 192)
    reader.magic(RELATIONSHIP)
    reader.must(reader.u32(8) == 1, "schema", "1")
    reader.must(reader.u32(12) == 1, "exposure", "1")
    reader.zeros(160, 192)
    return Relationship(
        regard_gain=reader.scaled(16, "regard_gain"),
        regard_loss=reader.scaled(20, "regard_loss"),
        trust_gain=reader.scaled(24, "trust_gain"),
        trust_loss=reader.scaled(28, "trust_loss"),
        task=reader.id(32),
        evidence=(reader.u32(48), reader.u32(52)),
        task_quote=(reader.u32(56), reader.u32(60)),
        commitment=(reader.u32(64), reader.u32(68)),
        processor=reader.take(72, DIGEST_BYTES),
        model=reader.take(104, DIGEST_BYTES),
        queue=reader.ref(136, "queue"),
    )


def write_relationship(found: Relationship) -> bytes:
    """The payload that holds this relationship."""
    values = (found.regard_gain, found.regard_loss, found.trust_gain, found.trust_loss)
    head = RELATIONSHIP + u32s(1, found.exposure, *map(scaled, values)) + found.task
    head += u32s(*found.evidence, *found.task_quote, *found.commitment)
    return head + found.processor + found.model + found.queue.bytes + bytes(32)


def read_queued(payload: Any, at: str) -> Queued:
    """The entry of the queue that a payload holds.

    Raises:
        BadExchange: it breaks a rule.
    """
    reader = Reader(payload, at, 160)
    reader.magic(QUEUE)
    reader.must(reader.u32(8) == 1, "schema", "1")
    reader.must(reader.u32(12) in _STATES, "state", "0 to 3")
    reader.zeros(60, 64)
    reader.zeros(152, 160)
    return Queued(
        state=reader.u32(12),
        configuration=reader.ref(16, "configuration"),
        task=reader.id(40),
        result=reader.u32(56),
        processor=reader.take(64, DIGEST_BYTES),
        model=reader.take(96, DIGEST_BYTES),
        descriptor=reader.ref(128, "descriptor"),
    )


def write_queued(found: Queued) -> bytes:
    """The payload that holds this entry."""
    head = QUEUE + u32s(1, found.state) + found.configuration.bytes + found.task
    head += u32s(found.result, 0) + found.processor + found.model
    return head + found.descriptor.bytes + bytes(8)


def read_configuration(payload: Any, at: str) -> Configuration:
    """The configuration that a payload holds.

    Raises:
        BadExchange: it breaks a rule.
    """
    reader = Reader(payload, at, 96)
    reader.magic(CONFIGURATION)
    reader.must(reader.u32(8) == 1, "schema", "1")
    reader.must(reader.u32(12) <= 7, "flags", "1, 2 and 4")
    floor, boost = reader.scaled(28, "floor"), reader.scaled(32, "boost")
    reader.must(floor is not None and boost is not None, "floor", "known")
    assert floor is not None
    assert boost is not None
    reader.zeros(72, 96)
    return Configuration(
        flags=reader.u32(12),
        pages=reader.u32(16),
        tokens=reader.u32(20),
        ticks=reader.u32(24),
        floor=floor,
        boost=boost,
        rows=reader.u32(36),
        processor=reader.take(40, DIGEST_BYTES),
    )


def write_configuration(found: Configuration) -> bytes:
    """The payload that holds this configuration."""
    numbers = (found.flags, found.pages, found.tokens, found.ticks, found.floor, found.boost)
    head = CONFIGURATION + u32s(1, *numbers, found.rows)
    return head + found.processor + bytes(24)


def _made(reader: Reader) -> Made:
    processor, model = reader.take(32, DIGEST_BYTES), reader.take(64, DIGEST_BYTES)
    reader.must(any(processor) and any(model), "processor", "two digests")
    queue = reader.ref(96, "queue")
    reader.must(bool(queue), "queue", "an entry of the queue", "reference")
    return Made(
        processor=processor, model=model, queue=queue, quote=(reader.u32(120), reader.u32(124))
    )
