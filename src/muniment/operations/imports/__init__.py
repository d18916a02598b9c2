"""Import: a file's turns or steps into the ledger, batch by batch; what is known is passed over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from muniment import importers, limits
from muniment.errors import BadFile, BadShape, UnknownFormat
from muniment.exchange.layout import KINDS
from muniment.model import time
from muniment.model.experience import Import, Imported
from muniment.model.foreign import LedgerImporter
from muniment.model.request import file_name
from muniment.model.turn import Failed, Importer, Options, Passed, Turn
from muniment.operations.imports.arriving import Origin, Tally, gather
from muniment.operations.imports.opening import opened
from muniment.operations.imports.stepping import take_steps
from muniment.operations.operation import Context
from muniment.store import ledger


def import_file(context: Context, request: Import) -> Imported:
    """Every turn of the file that was not known, in commits of a few hundred.

    Of another memory's ledger each step, once all of it has been verified.  A commit is whole or
    not there; a killed import goes on where it stopped when run again, because what it wrote is
    known by its external ids.
    """
    tz = None if request.tz is None else time.zone(request.tz, "tz")
    progress = request.progress if callable(request.progress) else None
    given = file_name(request.file)
    piped = given == "-"
    tally = Tally()
    with opened(given) as (file, inside):
        # A file of an archive is called like itself, so that it is known when it is extracted.
        label = request.label or ("stdin" if piped else Path(inside).name)
        origin = Origin(label, redact=request.redact)
        options = Options(label=label, tz=tz, subject=request.subject, progress=progress)
        head, whole = importers.peek(file)
        name = inside or label
        importer: Importer | LedgerImporter
        foreign = importers.ledger(name, head, request.format)
        if foreign is not None:
            if inside != given:
                where = "a pipe" if piped else "an archive"
                raise BadFile(f"a database is read from its file, not from {where}", at="file")
            importer = foreign
            steps = foreign.steps(given, head, options)
            take_steps(context, request.scope, steps, origin, tally)
        elif request.subject is not None:
            raise BadShape("only another memory's ledger has subjects", at="subject")
        else:
            _check_ours(name, head, request.format)
            importer = importers.choose(name, head, request.format)
            _take_turns(context, request.scope, importer.turns(whole, options), origin, tally)
    return Imported(
        imported=tally.imported,
        skipped=tally.skipped,
        known_behind_new=tally.known_behind_new,
        erased_before=tuple(tally.erased_before),
        erased_before_more=tally.erased_before_more,
        failed=tuple(tally.failed),
        failed_more=tally.failed_more,
        left_branches=tally.left_branches,
        other_lines=tally.other_lines,
        other_lines_at=tuple(tally.other_lines_at),
        stripped_messages=tally.stripped,
        unlinked=tally.unlinked,
        unlinked_at=tuple(tally.unlinked_at),
        redacted=origin.redacted,
        format=importer.NAME,
        head=tally.head,
        seq=tally.seq,
    )


def _check_ours(name: str, head: bytes, format: str) -> None:
    """Nothing, if the file is none of the exchange formats, which no importer reads."""
    kind = KINDS.get(head[:8])
    if kind is not None and format == "auto":
        raise UnknownFormat(
            f"{name!r} is {kind}; exchange convert takes a container over, and exchange recall"
            " answers prepared queries from one",
            at="file",
        )


def _take_turns(
    context: Context,
    scope: str | None,
    turns: Iterator[Turn | Failed | Passed],
    origin: Origin,
    tally: Tally,
) -> None:
    batch: list[Turn] = []
    size = 0
    for turn in turns:
        if isinstance(turn, Failed):
            tally.fail_at(turn.at, turn.code, turn.detail)
            continue
        if isinstance(turn, Passed):
            tally.leave(turn)
            continue
        batch.append(turn)
        size += len(turn.text)
        if len(batch) >= limits.IMPORT_BATCH_EVENTS or size >= limits.IMPORT_BATCH_BYTES:
            _store(context, scope, batch, origin, tally)
            batch, size = [], 0
    _store(context, scope, batch, origin, tally)


def _store(
    context: Context, scope: str | None, batch: list[Turn], origin: Origin, tally: Tally
) -> None:
    """One batch as one commit; also an empty one makes the scope and says its head."""
    now_ms = context.now()
    with context.write(scope) as write:
        coming = gather(write, batch, origin, tally)
        if coming.drafts:
            context.append(write, coming.drafts, now_ms)
        tip = ledger.tip(write)
    tally.head, tally.seq = tip.head, tip.seq
