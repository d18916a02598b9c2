"""Import: a file's turns into the ledger, batch by batch; what is known is passed over."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

import msgspec

from muniment import importers, limits
from muniment.decisions import experience as deciding
from muniment.errors import BadFile, BadInput, Refused
from muniment.model import time
from muniment.model.event import Draft, Event, Local
from muniment.model.event_kinds import MessageObserved
from muniment.model.experience import FailedLine, Import, Imported, Message
from muniment.model.turn import Failed, Options, Turn
from muniment.operations.operation import Context
from muniment.projections import tag
from muniment.rules import experience as rules
from muniment.rules import redaction
from muniment.store import ledger
from muniment.store.tx import Write


class _Tally(msgspec.Struct):
    """What has become of the file so far."""

    imported: int = 0
    skipped: int = 0
    failed: list[FailedLine] = []
    failed_more: int = 0
    stripped: int = 0
    head: str = ""
    seq: int = 0

    def fail(self, at: str, code: str, detail: str) -> None:
        """One more place that was not taken in."""
        if len(self.failed) < limits.IMPORT_FAILURES_MAX:
            self.failed.append(FailedLine(at=at, code=code, detail=detail))
        else:
            self.failed_more += 1


class _Source(msgspec.Struct):
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


class _Arrived(msgspec.Struct, gc=False):
    """A turn on its way in: its message, and tags instead of external ids."""

    at: str
    message: Message
    tag: str
    parent: str | None
    reply_to: str | None


class _Batch(msgspec.Struct):
    """The commit being built: its drafts, and the place of each external tag among them."""

    drafts: list[Draft] = []
    places: dict[str, int] = {}

    def add(self, draft: Draft) -> None:
        """One more draft."""
        assert isinstance(draft.shape, MessageObserved)
        assert draft.shape.external_tag is not None
        self.places[draft.shape.external_tag] = len(self.drafts)
        self.drafts.append(draft)


def import_file(context: Context, request: Import) -> Imported:
    """Every turn of the file that was not known, in commits of a few hundred.

    A commit is whole or not there; a killed import goes on where it stopped when run again,
    because what it wrote is known by its external ids.
    """
    tz = None if request.tz is None else time.zone(request.tz, "tz")
    progress = request.progress if callable(request.progress) else None
    label = request.label or ("stdin" if request.file == "-" else Path(request.file).name)
    tally, source = _Tally(), _Source(label, redact=request.redact)
    with _opened(request.file) as file:
        head, whole = importers.peek(file)
        importer = importers.choose(label if request.file == "-" else request.file, head,
                                    request.format)  # fmt: skip
        options = Options(label=label, tz=tz, progress=progress)
        batch: list[Turn] = []
        size = 0
        for turn in importer.turns(whole, options):
            if isinstance(turn, Failed):
                tally.fail(turn.at, turn.code, turn.detail)
                continue
            batch.append(turn)
            size += len(turn.text)
            if len(batch) >= limits.IMPORT_BATCH_EVENTS or size >= limits.IMPORT_BATCH_BYTES:
                _store(context, request.scope, batch, source, tally)
                batch, size = [], 0
        _store(context, request.scope, batch, source, tally)
    return Imported(
        imported=tally.imported,
        skipped=tally.skipped,
        failed=tuple(tally.failed),
        failed_more=tally.failed_more,
        stripped=tally.stripped,
        redacted=source.redacted,
        format=importer.NAME,
        head=tally.head,
        seq=tally.seq,
    )


def _store(
    context: Context, scope: str | None, batch: list[Turn], source: _Source, tally: _Tally
) -> None:
    """One batch as one commit; also an empty one makes the scope and says its head."""
    now_ms = context.now()
    with context.write(scope) as write:
        coming = _Batch()
        arrived = [_arrived(write, turn, source) for turn in batch]
        known = tag.externals(write, [each.tag for each in arrived])
        for each in arrived:
            try:
                draft = _decide(write, each, known.get(each.tag), coming)
            except (BadInput, Refused) as error:
                at = each.at if error.at is None else f"{each.at} {error.at}"
                tally.fail(at, error.code, error.detail)
                continue
            tally.skipped += draft is None
            if draft is not None:
                coming.add(draft)
        if coming.drafts:
            context.append(write, coming.drafts, now_ms)
        tip = ledger.tip(write)
    tally.imported += len(coming.drafts)
    tally.stripped += sum(getattr(draft.shape, "stripped", 0) > 0 for draft in coming.drafts)
    tally.head, tally.seq = tip.head, tip.seq


def _arrived(write: Write, turn: Turn, source: _Source) -> _Arrived:
    """A turn with the tags by which it and what it hangs on are recognised."""
    namespace = turn.namespace or f"file:{source.label}"
    message = _message(turn, source.label)
    if source.redact:
        message, redacted = redaction.redacted(message)
        source.redacted += redacted
    external = turn.external_id
    if external is None:
        told = rules.told(message)
        external = f"{told}.{source.ordinal(told)}"
    parent, reply_to = turn.parent, turn.reply_to
    return _Arrived(
        at=turn.at,
        message=message,
        tag=deciding.external_tag(write, namespace, external),
        parent=None if parent is None else deciding.external_tag(write, namespace, parent),
        reply_to=None if reply_to is None else deciding.external_tag(write, namespace, reply_to),
    )


def _decide(write: Write, each: _Arrived, known: Event | None, coming: _Batch) -> Draft | None:
    """The draft of one turn, or None where it is known.

    Raises:
        BadInput, Refused: it may not be taken in.
    """
    message = each.message
    locals: tuple[Local, ...] = ()
    if each.parent is not None or each.reply_to is not None:
        message, locals = _linked(write, each, coming)
    draft = rules.observe(message, each.tag, locals)
    if each.tag in coming.places:
        rules.same(draft, coming.drafts[coming.places[each.tag]])
        return None
    found = deciding.drafted(write, draft, known)
    return found if isinstance(found, Draft) else None


def _linked(write: Write, each: _Arrived, coming: _Batch) -> tuple[Message, tuple[Local, ...]]:
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


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        if sys.stdin is None:
            raise BadFile("standard input is closed", at="file")
        yield sys.stdin.buffer
        return
    with ExitStack() as stack:
        try:
            opened = stack.enter_context(Path(file).open("rb"))
        except OSError as error:
            raise BadFile(f"{file!r} cannot be read: {error.strerror}", at="file") from error
        yield opened
