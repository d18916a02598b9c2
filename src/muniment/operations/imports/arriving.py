"""Turns on their way into one commit: known or not, linked, and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from muniment import limits
from muniment.decisions import experience as deciding
from muniment.errors import BadInput, NotFound, Refused
from muniment.model import scope
from muniment.model.event import Draft, Event, Local
from muniment.model.event_kinds import MessageObserved
from muniment.model.experience import ErasedLine, FailedLine, Message
from muniment.model.turn import Passed, Turn
from muniment.projections import tag
from muniment.rules import experience as rules
from muniment.rules import redaction
from muniment.store.tx import Write


class Tally(msgspec.Struct):
    """What has become of the file so far."""

    imported: int = 0
    skipped: int = 0
    known_behind_new: int = 0
    erased_before: list[ErasedLine] = []
    erased_before_more: int = 0
    failed: list[FailedLine] = []
    failed_more: int = 0
    left_branches: int = 0
    other_lines: int = 0
    other_lines_at: list[str] = []
    stripped: int = 0
    unlinked: int = 0
    unlinked_at: list[str] = []
    head: str = ""
    seq: int = 0

    def skip(self, at: str, id: str | None) -> None:
        """One more place that was known; with an `id`, what it was known by is erased."""
        self.skipped += 1
        if id is None:
            return
        if len(self.erased_before) < limits.IMPORT_FAILURES_MAX:
            self.erased_before.append(ErasedLine(at=at, id=id))
        else:
            self.erased_before_more += 1

    def fail(self, at: str, error: BadInput | NotFound | Refused) -> None:
        """One more place that was not taken in."""
        at = at if error.at is None else f"{at} {error.at}"
        self.fail_at(at, error.code, error.detail)

    def fail_at(self, at: str, code: str, detail: str) -> None:
        """One more place that was not taken in."""
        if len(self.failed) < limits.IMPORT_FAILURES_MAX:
            self.failed.append(FailedLine(at=at, code=code, detail=detail))
        else:
            self.failed_more += 1

    def leave(self, passed: Passed) -> None:
        """Something more that is not to be taken in."""
        if passed.kind == "left_branch":
            self.left_branches += passed.count
            return
        self.other_lines += passed.count
        if len(self.other_lines_at) < limits.IMPORT_OTHER_LINES_MAX:
            self.other_lines_at.append(passed.at)

    def lose(self, at: str, links: int) -> None:
        """So many links of one message lead to nothing that came before it."""
        self.unlinked += links
        if links and len(self.unlinked_at) < limits.IMPORT_UNLINKED_MAX:
            self.unlinked_at.append(at)


class Origin(msgspec.Struct):
    """The file as a whole: its label, what is done with it, and which messages without an id came.

    Told apart by 64 bits of their digest, so that a million of them take some 70 MB.
    """

    label: str
    redact: bool = False
    redacted: int = 0
    seen: set[str] = msgspec.field(default_factory=set)
    again: Counter[str] = msgspec.field(default_factory=Counter)  # of those seen before

    def ordinal(self, told: str) -> int:
        """How many equal messages came before this one."""
        mark = told[:16]
        if mark not in self.seen:
            self.seen.add(mark)
            return 0
        self.again[mark] += 1
        return self.again[mark]


class Batch(msgspec.Struct):
    """The commit being built: its drafts, and the place of each external tag among them.

    `known` are the events that stood there before, by external tag.
    """

    drafts: list[Draft] = []
    places: dict[str, int] = {}
    known: dict[str, Event] = {}

    def add(self, draft: Draft) -> None:
        """One more draft of a message."""
        assert isinstance(draft.shape, MessageObserved)
        assert draft.shape.external_tag is not None
        self.places[draft.shape.external_tag] = len(self.drafts)
        self.drafts.append(draft)


class _Arrived(msgspec.Struct, gc=False):
    """A turn on its way in: its message, and tags instead of external ids."""

    at: str
    message: Message
    tag: str
    anywhere: bool
    nameless: bool  # it has no id of its own, and is known by its words and the file's name
    parent: str | None
    reply_to: str | None


def gather(write: Write, turns: Sequence[Turn], origin: Origin, tally: Tally) -> Batch:
    """The drafts of the turns that are not known; what may not be taken in is in the tally."""
    arrived = [_arrived(write, turn, origin) for turn in turns]
    coming = Batch(known=tag.externals(write, [each.tag for each in arrived]))
    fresh = tally.imported > 0
    for each in arrived:
        try:
            found = _decide(write, each, coming)
        except (BadInput, Refused) as error:
            tally.fail(each.at, error)
            continue
        if isinstance(found, Draft):
            coming.add(found)
            tally.lose(each.at, _lost(each, found))
            fresh = True
        else:
            gone = found is not None and found.content is None
            tally.skip(each.at, found.id if found is not None and gone else None)
            tally.known_behind_new += fresh and each.nameless
    tally.imported += len(coming.drafts)
    tally.stripped += sum(getattr(draft.shape, "stripped", 0) > 0 for draft in coming.drafts)
    return coming


def _arrived(write: Write, turn: Turn, origin: Origin) -> _Arrived:
    """A turn with the tags by which it and what it hangs on are recognised."""
    namespace = turn.namespace or f"file:{origin.label}"
    message = _message(turn, origin.label)
    if origin.redact:
        message, redacted = redaction.redacted(message)
        origin.redacted += redacted
    external = turn.external_id
    if external is None:
        told = rules.told(turn)
        external = f"{told}.{origin.ordinal(told)}"
    parent, reply_to = turn.parent, turn.reply_to
    return _Arrived(
        at=turn.at,
        message=message,
        tag=deciding.external_tag(write, namespace, external),
        anywhere=turn.anywhere,
        nameless=turn.external_id is None,
        parent=None if parent is None else deciding.external_tag(write, namespace, parent),
        reply_to=None if reply_to is None else deciding.external_tag(write, namespace, reply_to),
    )


def _decide(write: Write, each: _Arrived, coming: Batch) -> Draft | Event | None:
    """The draft of one turn, or what it is known by; None where that comes with this commit.

    Raises:
        BadInput, Refused: it may not be taken in.
    """
    message = each.message
    locals: tuple[Local, ...] = ()
    if each.parent is not None or each.reply_to is not None:
        message, locals = _linked(write, each, coming)
    draft = rules.observe(message, each.tag, locals, scope.allowed(write.scope.limits))
    if each.tag in coming.places:
        before = coming.drafts[coming.places[each.tag]]
        rules.same(draft, before, anywhere=each.anywhere)
        return None
    known = coming.known.get(each.tag)
    return deciding.drafted(write, draft, known, anywhere=each.anywhere)


def _linked(write: Write, each: _Arrived, coming: Batch) -> tuple[Message, tuple[Local, ...]]:
    """The message with its links; where one leads nowhere, its place is a guess and says so."""
    links = [
        None if wanted is None else deciding.link(write, wanted, coming.places)
        for wanted in (each.parent, each.reply_to)
    ]
    message = each.message
    if (each.parent is not None and links[0] is None) or (
        each.reply_to is not None and links[1] is None
    ):
        message = msgspec.structs.replace(message, ordering="low")
    return deciding.linked(message, links[0], links[1])


def _lost(each: _Arrived, draft: Draft) -> int:
    """How many of a message's links lead nowhere."""
    found = {local.field for local in draft.locals}
    return sum(
        wanted is not None and getattr(draft.shape, field) is None and field not in found
        for field, wanted in (("parent", each.parent), ("reply_to", each.reply_to))
    )


def _message(turn: Turn, label: str) -> Message:
    return Message(
        text=turn.text,
        role=turn.role,
        type=turn.type,
        ordering=turn.ordering,
        at_ms=turn.at_ms,
        actor=turn.actor,
        caption=turn.caption,
        collection=turn.collection,
        external_id=turn.external_id,
        metadata=turn.metadata,
        session=turn.session,
        source=label,
        tags=turn.tags,
        thread=turn.thread,
        lines=turn.lines,
        span=turn.span,
    )
