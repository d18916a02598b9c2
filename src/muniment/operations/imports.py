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
from muniment.model.event import Draft
from muniment.model.event_kinds import MessageObserved
from muniment.model.experience import FailedLine, Import, Imported, Message
from muniment.model.turn import Failed, Options, Turn
from muniment.operations.operation import Context
from muniment.rules import experience as rules
from muniment.store import ledger
from muniment.store.tx import Write


class _Tally(msgspec.Struct):
    """What has become of the file so far."""

    imported: int = 0
    skipped: int = 0
    failed: list[FailedLine] = []
    failed_more: int = 0
    head: str = ""
    seq: int = 0

    def fail(self, at: str, code: str, detail: str) -> None:
        """One more place that was not taken in."""
        if len(self.failed) < limits.IMPORT_FAILURES_MAX:
            self.failed.append(FailedLine(at=at, code=code, detail=detail))
        else:
            self.failed_more += 1


class _Source(msgspec.Struct):
    """The file as a whole: its label, and how often each message without an id has come."""

    label: str
    seen: Counter[str] = msgspec.field(default_factory=Counter)


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
    tally, source = _Tally(), _Source(label)
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
        for turn in batch:
            try:
                draft = _decide(write, turn, source, coming)
            except (BadInput, Refused) as error:
                at = turn.at if error.at is None else f"{turn.at} {error.at}"
                tally.fail(at, error.code, error.detail)
                continue
            tally.skipped += draft is None
            if draft is not None:
                coming.add(draft)
        if coming.drafts:
            context.append(write, coming.drafts, now_ms)
        tip = ledger.tip(write)
    tally.imported += len(coming.drafts)
    tally.head, tally.seq = tip.head, tip.seq


def _decide(write: Write, turn: Turn, source: _Source, batch: _Batch) -> Draft | None:
    """The draft of one turn, or None where it is known.

    Raises:
        BadInput, Refused: it may not be taken in.
    """
    namespace = turn.namespace or f"file:{source.label}"
    message = _message(turn, source.label)
    external = turn.external_id
    if external is None:
        equals = rules.derived_id(message, 0)
        external = rules.derived_id(message, source.seen[equals])
        source.seen[equals] += 1
    tag = deciding.external_tag(write, namespace, external)
    find = deciding.finder(write, batch.places)
    links = [
        None if id is None else find(deciding.external_tag(write, namespace, id))
        for id in (turn.parent, turn.reply_to)
    ]
    if any(id is not None and link is None
           for id, link in zip((turn.parent, turn.reply_to), links, strict=True)):  # fmt: skip
        # What it hangs on did not come: its place in the conversation is a guess.
        message = msgspec.structs.replace(message, ordering="low")
    message, locals = deciding.linked(message, links[0], links[1])
    draft = rules.observe(message, tag, locals)
    if tag in batch.places:
        rules.same(draft, batch.drafts[batch.places[tag]])
        return None
    found = deciding.drafted(write, draft, tag)
    return found if isinstance(found, Draft) else None


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
        yield sys.stdin.buffer
        return
    with ExitStack() as stack:
        try:
            opened = stack.enter_context(Path(file).open("rb"))
        except OSError as error:
            raise BadFile(f"{file!r} cannot be read: {error.strerror}", at="file") from error
        yield opened
