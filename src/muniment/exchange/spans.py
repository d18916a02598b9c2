"""May these words of a model be taken in?  Exact spans of an event's text, and reviews of a task."""

from __future__ import annotations

from typing import Any, Protocol

from muniment.errors import BadExchange
from muniment.exchange import appraisals, objects, selections, texts
from muniment.exchange.images import Stored
from muniment.exchange.layout import NO_ID, Ref
from muniment.exchange.objects import Row
from muniment.exchange.status import refused

_KINDS = {1: objects.IDENTITY, 2: objects.CUE, 3: objects.ASSERTION, 4: objects.ASSERTION}
_SUPPORTS = 5  # of a review: event, appraisal, entry of the queue, relationship, task


class Staged(Protocol):
    """The store with what comes to it."""

    def get(self, ref: Ref) -> Stored | None:
        """An exact version."""
        ...

    def superseded_at(self, ref: Ref) -> int | None:
        """The first update that took the place of a version."""
        ...


def event_text(payload: Any) -> bytes | None:
    """The text of an event in plain words, or None where it has none."""
    try:
        found = texts.read(payload, "event")
    except BadExchange:
        return None
    return found.text.encode() if isinstance(found, texts.Plain) else None


def unique(payload: Any, start: int, size: int) -> bool:
    """Whether a span lies in an event's text, between characters, and nowhere else in it."""
    text = event_text(payload)
    if text is None or not size or start + size > len(text):
        return False
    quote = text[start : start + size]
    return _whole(quote) and text.find(quote) == start and text.find(quote, start + 1) < 0


def check(staged: Staged, row: Row, payload: Any, at: str) -> None:
    """Nothing, if a span stands in its event as it says, and corrects what may be corrected.

    Raises:
        BadExchange: it does not.
    """
    span = texts.read(payload, at)
    assert isinstance(span, texts.Span)
    right = row.source_kind == objects.INFERRED and row.subject == NO_ID
    if not right or row.kind != _KINDS[span.span]:
        raise refused("format", "inferred, of nobody, and of the span's kind", at)
    source = staged.get(row.source)
    held = None
    if source is not None and source.row.kind == objects.EVENT:
        held = event_text(source.payload)
    quote = span.text.encode()
    if held is None or held[span.start : span.start + len(quote)] != quote:
        raise refused("source", "the span of the event's text", f"{at}.start")
    if bool(row.superseded) != (span.span == texts.CORRECTION):
        raise refused("format", "a correction takes the place of something", at)
    if row.superseded:
        _check_corrected(staged, row, f"{at}.superseded")


def check_review(staged: Staged, row: Row, payload: Any, at: str) -> None:
    """Nothing, if a review names the five things that it rests on, and they belong together.

    Raises:
        BadExchange: it does not.
    """
    found = texts.read(payload, at)
    review = isinstance(found, texts.Bound) and found.review
    right = row.kind == objects.REVIEW and row.source_kind == objects.INFERRED
    if not review or not right:
        raise refused("format", "an inferred review", at)
    members = supports(staged, row)
    if members is None or not _together(staged, row, members):
        raise refused("source", "a selection of the five things that belong together", at)


def supports(staged: Staged, row: Row) -> tuple[Ref, ...] | None:
    """The five things that a review rests on, in order; None where it names no such five."""
    source = staged.get(row.source)
    if source is None or source.row.kind != objects.SELECTION:
        return None
    if source.row.source_kind != objects.INFERRED:
        return None
    try:
        members = selections.read(source.payload, "supports")
    except BadExchange:
        return None
    return tuple(each.ref for each in members) if len(members) == _SUPPORTS else None


def _together(staged: Staged, row: Row, refs: tuple[Ref, ...]) -> bool:
    found = [staged.get(ref) for ref in refs]
    if any(each is None for each in found):
        return False
    event, appraisal, queue, relationship, _ = (each for each in found if each is not None)
    kinds = (event.row.kind, appraisal.row.kind, relationship.row.kind)
    if kinds != (objects.EVENT, objects.APPRAISAL, objects.RELATIONSHIP):
        return False
    try:
        made = appraisals.read(appraisal.payload, "appraisal").made
        entry = appraisals.read_queued(queue.payload, "queue")
        related = appraisals.read_relationship(relationship.payload, "relationship")
    except BadExchange:
        return False
    return (
        made is not None
        and made.queue == refs[2] == related.queue
        and entry.state == appraisals.COMPLETE
        and entry.descriptor == refs[4]
        and appraisal.row.source == refs[0] == relationship.row.source
        and appraisal.row.subject == row.subject
    )


def _check_corrected(staged: Staged, row: Row, at: str) -> None:
    old = staged.get(row.superseded)
    if old is None:
        raise refused("reference", "an exact earlier version that stands", at)
    span = texts.known(old.payload) and bytes(old.payload[: texts.MAGIC_BYTES]) == texts.SPAN
    claim = span and old.row.kind == objects.ASSERTION
    same = (old.row.owner, old.row.room, old.row.scope) == (row.owner, row.room, row.scope)
    if not claim or not same or old.row.flags & objects.PROTECTED:
        raise refused("denied", "an assertion of the same owner, room and scope", at)
    newer = staged.get(Ref(old.row.id, old.row.version + 1))
    replaced = staged.superseded_at(old.row.ref)
    revised = newer is not None and newer.row.updated < row.updated
    if revised or (replaced is not None and replaced < row.updated):
        raise refused("stale", "what was current just before", at)


def _whole(quote: bytes) -> bool:
    try:
        quote.decode()
    except UnicodeDecodeError:
        return False
    return True
