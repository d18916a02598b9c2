"""What a shape and a content must be beyond their types: the rules of the format's page.

A part of the check; shares nothing with append.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from typing import Any

import msgspec

from muniment import limits
from muniment.model.event_kinds import (
    BY_SHAPE,
    AnyShape,
    CommandAnswered,
    Content,
    ContentErased,
    MessageObserved,
    RecallRecorded,
    ReceiptErased,
    RecordWritten,
    StateDeleted,
    StateSet,
)

_ID = re.compile(r"([a-z])(?:0|[1-9a-v][0-9a-v]{0,12})-[0-9a-f]{16}\Z")
_DIGEST = re.compile(r"[0-9a-f]{64}\Z")
_TAG = re.compile(r"[0-9a-f]{32}\Z")
_WORD = re.compile(r"[a-z][a-z_]{0,31}\Z")
_VERSION = re.compile(r"[0-9A-Za-z.+-]{1,32}\Z")
_THINGS = "erl"  # the letters of what can be cited, shown and erased
_PPM_MAX = 1_000_000
# The statuses of each kind of record.
_STATUSES = {
    **dict.fromkeys(("note", "fact", "procedure", "summary", "story", "appraisal"),
                    ("active", "retracted")),
    "task": ("open", "closed", "retracted"),
    "belief": ("active", "disputed", "retracted"),
    "intention": (
        "pending", "confirmed", "deferred", "completed", "rejected", "expired", "retracted"
    ),
    "requirement": ("active", "done", "retracted"),
    "proposal": (
        "proposed", "shadow", "needs_review", "deferred", "accepted", "rejected", "superseded",
        "expired",
    ),
}  # fmt: skip
_ALONE = {ContentErased, ReceiptErased}
_ANSWERS = (RecordWritten, StateSet)  # what a command writes
_sorted = msgspec.json.Encoder(order="sorted").encode


def wrong(shape: AnyShape) -> str | None:
    """The first field of a shape that breaks a rule of the format; None where none does."""
    digest, size = shape.content_digest, shape.content_bytes
    has = digest is not None
    if has != (BY_SHAPE[type(shape)].content is not None) or has != (size is not None):
        return "content_digest"
    if digest is not None and not _DIGEST.match(digest):
        return "content_digest"
    if size is not None and not 0 <= size <= limits.INTEGER_MAX:
        return "content_bytes"
    return _RULES[type(shape)](shape)


def apart(shapes: Sequence[AnyShape]) -> AnyShape | None:
    """An event of a commit that may not stand there beside the others; None where none is."""
    if len(shapes) == 1 and type(shapes[0]) is not CommandAnswered:
        return None
    kinds = set(map(type, shapes))
    if len(shapes) > 1 and not kinds.isdisjoint(_ALONE):
        return next(each for each in shapes if type(each) in _ALONE)
    if CommandAnswered in kinds and not _answers(shapes):
        return next(each for each in shapes if type(each) is CommandAnswered)
    return None


def _answers(shapes: Sequence[AnyShape]) -> bool:
    """Whether the last event answers a command, behind what that wrote and nothing else."""
    *written, last = shapes
    if not isinstance(last, CommandAnswered) or not all(type(each) in _ANSWERS for each in written):
        return False
    places = [place for place, _ in last.known]
    total = len(written) + len(places)
    if not total or places != sorted(set(places)) or (places and places[-1] >= total):
        return False
    answers = ["r" if isinstance(each, RecordWritten) else "l" for each in written]
    for place, id in last.known:
        answers.insert(place, id[0])
    return answers == sorted(answers, reverse=True)  # records, and then state values


def content(shape: AnyShape, stored: bytes) -> Content | None:
    """A content, if its bytes are exactly those of its kind's canonical form; else None."""
    try:
        found: Content = _reader(type(shape))(stored)
    except (msgspec.DecodeError, RecursionError, KeyError):
        return None
    if _sorted(found) != stored or (b"\\u0000" in stored and "\0" in _words(found)):
        return None
    return found


@cache
def _reader(shape: type[Any]) -> Callable[[bytes], Any]:
    return msgspec.json.Decoder(BY_SHAPE[shape].content or type(None)).decode


def _words(found: Content) -> str:
    values = (getattr(found, name) for name in found.__struct_fields__)
    return " ".join(" ".join(each) if isinstance(each, tuple) else str(each) for each in values)


def _message(shape: MessageObserved) -> str | None:
    # Most fields are absent, and this is asked of each message.
    at_ms, tag = shape.at_ms, shape.external_tag
    if at_ms is not None and not limits.TIME_MS_MIN <= at_ms <= limits.TIME_MS_MAX:
        return "at_ms"
    parent, reply_to, lines, span = shape.parent, shape.reply_to, shape.lines, shape.span
    if not (parent is reply_to is None or _ids((parent, reply_to), "e")):
        return "parent"
    if not (lines is span is None or (_spans((lines,), 1) and _spans((span,), 0))):
        return "span"
    if shape.stripped < 0:
        return "stripped"
    return None if tag is None or _TAG.match(tag) else "external_tag"


def _record(shape: RecordWritten) -> str | None:
    return _record_cites(shape) or _record_says(shape)


def _record_cites(shape: RecordWritten) -> str | None:
    if shape.supersedes is not None and not _ids((shape.supersedes,), "r"):
        return "supersedes"
    if shape.receipt is not None and not _ids((shape.receipt,), "q"):
        return "receipt"
    cited = [source.id for source in shape.sources]
    if cited and not (_ids(cited, _THINGS) and _once(cited) and _parts(shape)):
        return "sources"
    if shape.kind == "summary" and not cited:
        return "sources"
    if shape.covers and not (
        (shape.kind, shape.status) == ("summary", "active")
        and set(shape.covers) <= set(cited)
        and _once(shape.covers)
    ):
        return "covers"
    if (shape.assesses is None) == (shape.kind == "appraisal"):
        return "assesses"
    return None if shape.assesses is None or shape.assesses in cited else "assesses"


def _parts(shape: RecordWritten) -> bool:
    """Whether each part of a source that counts is a part, and not empty."""
    spans = [source.span for source in shape.sources if source.span is not None]
    return not spans or (_spans(spans, 0) and all(begin < end for begin, end in spans))


def _record_says(shape: RecordWritten) -> str | None:
    if shape.key_tag is not None and not _TAG.match(shape.key_tag):
        return "key_tag"
    if shape.status not in _STATUSES[shape.kind]:
        return "status"
    if shape.kind == "proposal" and shape.owner != "scope":
        return "owner"
    begin, end = shape.valid_from_ms, shape.valid_to_ms
    if begin is end is None:
        return _record_judges(shape)
    if not _times((begin, end)) or (begin is not None and end is not None and begin >= end):
        return "valid_from_ms"
    return _record_judges(shape)


def _record_judges(shape: RecordWritten) -> str | None:
    judged = (shape.benefit_ppm, shape.harm_ppm)
    if judged != (None, None) and not (shape.kind == "appraisal" and _shares(judged)):
        return "benefit_ppm"
    if shape.priority is None:
        return None
    right = _shares((shape.priority,)) and shape.kind == "requirement"
    return None if right else "priority"


def _state(shape: StateSet) -> str | None:
    if not _tags((shape.key_tag,)):
        return "key_tag"
    return None if _ids((shape.supersedes,), "l") else "supersedes"


def _deleted(shape: StateDeleted) -> str | None:
    if not _tags((shape.key_tag,)):
        return "key_tag"
    return None if _ids((shape.supersedes,), "l") else "supersedes"


def _command(shape: CommandAnswered) -> str | None:
    if not _tags((shape.command_tag,)):
        return "command_tag"
    known = _counts(at for at, _ in shape.known) and _ids((id for _, id in shape.known), "rl")
    return None if known else "known"


def _erased(shape: ContentErased) -> str | None:
    gone = (*shape.targets, *shape.dependents)
    if not _ids(gone, _THINGS) or not _once(gone):
        return "targets"
    return _through(shape)


def _receipt_erased(shape: ReceiptErased) -> str | None:
    right = _ids(shape.targets, "q") and _once(shape.targets)
    return _through(shape) if right else "targets"


def _through(shape: ContentErased | ReceiptErased) -> str | None:
    """An erasure takes what it names, or what came before it, and nothing that comes later."""
    if (shape.through is None) != bool(shape.targets):
        return "through"
    return None if shape.through is None or 0 <= shape.through < shape.seq else "through"


def _recall(shape: RecallRecorded) -> str | None:
    hits = [hit for each in shape.found for hit in each.hits]
    words = [each.retriever for each in shape.found] + [left.reason for left in shape.left_out]
    ids = [*(hit.id for hit in hits), *(left.id for left in shape.left_out)]
    found = {hit.id for hit in hits}
    numbers = (
        *(shape.memory_seq, shape.bytes, shape.bytes_max, shape.items_max, shape.left_out_more),
        *(shape.to_seq, *(shape.vectors or ())),
        *(hit.passage + 1 for hit in hits),
        *(left.bytes for left in shape.left_out),
    )
    for name, right in (
        ("policy", all(map(_WORD.match, (shape.policy, *words)))),
        ("program", all(map(_VERSION.match, (shape.program, shape.engine)))),
        ("memory_head", _DIGEST.match(shape.memory_head)),
        ("chosen", _ids((*shape.chosen, *shape.required, *ids), _THINGS)),
        ("chosen", _once(shape.chosen) and found.issuperset((*shape.chosen, *shape.required))),
        ("bytes", _counts(numbers)),
        ("found", all(abs(hit.score_ppm) <= limits.INTEGER_MAX for hit in hits)),
        ("floor_ppm", _shares((shape.floor_ppm, shape.boost_ppm))),
        ("at_ms", _times((shape.at_ms,))),
        # The end of the moment that was judged: one more than a time may be.
        ("said_until_ms", _times((shape.said_until_ms and shape.said_until_ms - 1,))),
    ):
        if not right:
            return name
    return None


_RULES: dict[type[Any], Callable[[Any], str | None]] = {
    MessageObserved: _message,
    RecordWritten: _record,
    StateSet: _state,
    StateDeleted: _deleted,
    CommandAnswered: _command,
    ContentErased: _erased,
    RecallRecorded: _recall,
    ReceiptErased: _receipt_erased,
}


def _ids(some: Iterable[str | None], letters: str) -> bool:
    for each in some:
        if each is not None:
            found = _ID.match(each)
            if found is None or found[1] not in letters:
                return False
    return True


def _once(some: Collection[str]) -> bool:
    return len(some) < 2 or len(set(some)) == len(some)


def _tags(some: Iterable[str | None]) -> bool:
    return all(each is None or _TAG.match(each) for each in some)


def _times(some: Iterable[int | None]) -> bool:
    return all(each is None or limits.TIME_MS_MIN <= each <= limits.TIME_MS_MAX for each in some)


def _counts(some: Iterable[int | None]) -> bool:
    return all(each is None or 0 <= each <= limits.INTEGER_MAX for each in some)


def _shares(some: Iterable[int | None]) -> bool:
    return all(each is None or 0 <= each <= _PPM_MAX for each in some)


def _spans(some: Iterable[tuple[int, int] | None], first: int) -> bool:
    return all(each is None or first <= each[0] <= each[1] <= limits.INTEGER_MAX for each in some)
