"""Proving and mending: verify, checkpoint, rebuild, migrate, status."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from muniment import limits
from muniment.errors import (
    BadFile,
    BadJson,
    BadShape,
    BrokenFile,
    BrokenLedger,
    Corrupt,
    RebuildNeeded,
    TooLong,
    Unavailable,
)
from muniment.model import codec, event
from muniment.model.embedding import Covered
from muniment.model.integrity import (
    Checkpoint,
    Checkpointed,
    CheckpointNote,
    Fault,
    Migrate,
    Migrated,
    Rebuild,
    Rebuilt,
    Stated,
    Status,
    Verified,
    Verify,
)
from muniment.operations.operation import Context
from muniment.projections import PROJECTIONS, experience, record, state, vector
from muniment.store import audit, checkpoint, ledger, migrate, projector, scrub
from muniment.store.checked import Checked
from muniment.store.tx import Read
from muniment.store.verify import faults as chain_faults

INSIDE_ONLY = "not compared with any outside checkpoint"
SOUND_INSIDE = f"internally consistent; {INSIDE_ONLY}"
OUTSIDE = "compared with the checkpoint given"


class _Tally(msgspec.Struct):
    """What has been counted so far, over one scope or all."""

    events: int = 0
    commits: int = 0
    receipts: int = 0
    scopes: int = 0
    erased: int = 0
    head: str | None = None
    seq: int | None = None
    not_checked: dict[str, None] = {}
    compared: bool = False  # some scope with the checkpoint


def verify(context: Context, request: Verify) -> Verified:
    """Every fault of a scope, or of all scopes of a directory."""
    kept = None if request.checkpoint is None else _note(request.checkpoint)
    _check_new(request)
    tally = _Tally()
    faults: list[Fault] = []
    try:
        paths = context.store.scopes() if request.all else [context.store.find(request.scope)]
    except Corrupt as error:  # not even whose it is can be read
        tally.scopes += 1
        paths = []
        faults.append(Fault(code="file_malformed", scope=request.scope, detail=error.detail))
    if request.all:
        faults += _places(context, paths)
    for path in paths:
        tally.scopes += 1
        faults += _scope_faults(context, path, request, kept, tally)
    if request.all and kept is not None and not tally.compared:
        raise BadShape("the note is of no scope here", at="checkpoint")
    not_checked = []
    if request.depth != "full":
        not_checked.append("derived tables")
    if request.depth == "chain":
        not_checked.append("contents")
    if kept is None:
        not_checked.append("outside checkpoint")
    if request.new:
        not_checked.append("what came before the checkpoint")
    not_checked += tally.not_checked
    return Verified(
        ok=not faults,
        compared=OUTSIDE if kept is not None else INSIDE_ONLY if faults else SOUND_INSIDE,
        depth=request.depth,
        events=tally.events,
        commits=tally.commits,
        receipts=tally.receipts,
        scopes=tally.scopes,
        erased=tally.erased,
        faults=tuple(faults),
        not_checked=tuple(not_checked),
        head=None if request.all else tally.head,
        seq=None if request.all else tally.seq,
    )


def make_checkpoint(context: Context, request: Checkpoint) -> Checkpointed:
    """A note of both heads; written to a new file where one is named."""
    with context.read(request.scope) as read:
        note = checkpoint.note(read, context.now())
    if request.out is not None:
        try:
            with Path(request.out).open("x", encoding="utf-8") as file:
                file.write(msgspec.json.encode(note, order="sorted").decode() + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise BadFile(f"the note cannot be written: {error.strerror}", at="out") from error
    return Checkpointed(
        head=note.memory.head,
        seq=note.memory.seq,
        height=note.memory.height,
        journal_head=note.journal.head,
        journal_seq=note.journal.seq,
        scope_id=note.scope,
        file=request.out,
    )


def rebuild(context: Context, request: Rebuild) -> Rebuilt:
    """Every derived table again from the ledger, also where it is missing or malformed.

    Raises:
        BrokenLedger: the ledger does not hold; its tables may be the last trace of what it said.
    """
    path = context.store.find(request.scope)
    with context.store.read(path, whole=False) as read:
        wrong = next(chain_faults(Checked(read, content=True)), None)
        if wrong is not None:
            raise BrokenLedger(
                f"the ledger does not hold ({wrong.code} at chain {wrong.chain}, seq {wrong.seq}), "
                "so that no table is made from it; put a backup in its place"
            )
        broken = projector.broken(read, PROJECTIONS)
    with context.store.write(path, whole=False) as write:
        migrate.complete(write.connection)
        rows = projector.rebuild(write, PROJECTIONS, broken)
        tip = ledger.tip(write)
    return Rebuilt(rebuilt=rows, head=tip.head, seq=tip.seq)


def migrate_ledger(context: Context, request: Migrate) -> Migrated:
    """The steps that bring the ledger's tables to this program's version."""
    path = context.store.find(request.scope)
    with context.store.read(path, whole=False) as read:
        steps = migrate.pending(read.connection)
    if steps and not request.dry_run:
        with context.store.write(path, whole=False) as write:
            steps = migrate.migrate(write.connection)
    return Migrated(
        from_=migrate.LATEST - len(steps),
        to=migrate.LATEST,
        pending=tuple(f"{step.number}: {step.name}" for step in steps),
    )


def status(context: Context, request: Status) -> Stated:
    """How much a scope holds."""
    path = context.store.find(request.scope)
    with context.store.read(path) as read:
        memory, journal = ledger.tip(read), ledger.tip(read, event.JOURNAL)
        events, erased = experience.counts(read)
        counts = {"event": events, "state": state.count(read), **record.counts(read)}
        return Stated(
            name=read.scope.name,
            scope_id=read.scope.id,
            file=path.name,
            bytes=path.stat().st_size,
            head=memory.head,
            seq=memory.seq,
            commits=memory.height + 1,
            journal_head=journal.head,
            journal_seq=journal.seq,
            counts=counts,
            erased=erased,
            erasure_pending=scrub.due(read)
            or (read.scope.name is None and context.store.place.tells_name(path, read.scope.id)),
            vectors=_covered(read),
            version=migrate.LATEST,
        )


def _places(context: Context, paths: Sequence[Path]) -> Iterator[Fault]:
    """Files that stand where another scope's should, or that hold the same scope as another."""
    seen: dict[str, str] = {}
    for path in paths:
        try:
            with context.store.read(path, whole=False) as read:
                scope = read.scope
        except (Corrupt, Unavailable):
            continue  # told by the check of the file itself
        if scope.name is not None and path not in context.store.place.candidates(scope.name):
            yield Fault(code="file_misnamed", scope=scope.name, detail=path.name)
        if scope.id in seen:
            yield Fault(
                code="scope_doubled", scope=scope.name, detail=f"{seen[scope.id]}, {path.name}"
            )
        seen[scope.id] = path.name


def _scope_faults(
    context: Context, path: Path, request: Verify, kept: CheckpointNote | None, tally: _Tally
) -> list[Fault]:
    """The faults of one file, each with the scope's name; a file that cannot be read is one."""
    found: list[Fault] = []
    name: str | None = path.name
    try:
        with context.store.read(path, whole=False) as read:
            name = read.scope.name or path.name
            if read.scope.name is None and context.store.place.tells_name(path, read.scope.id):
                found.append(Fault(code="erasure_pending", table="scope", detail="the file's name"))
            found.extend(
                msgspec.structs.replace(fault, scope=name)
                for fault in _faults(read, request, kept, tally)
            )
    except (BrokenFile, RebuildNeeded) as error:
        # Where a table cannot be read at all, the check ends there and says so.
        found.append(Fault(code="file_malformed", scope=name, detail=error.detail))
    except (Corrupt, Unavailable) as error:
        # One file that cannot be read is no reason to be silent about the others.
        if not (request.all or isinstance(error, Corrupt)):
            raise
        found.append(Fault(code=error.code, scope=name, detail=error.detail))
    return found


def _faults(
    read: Read, request: Verify, kept: CheckpointNote | None, tally: _Tally
) -> Iterator[Fault]:
    if request.new and kept is not None and (kept.scope == read.scope.id or not request.all):
        before = list(checkpoint.faults(read, kept))
        if before:  # what is new cannot be told
            yield from before
            return
    since = kept if request.new else None
    checked = Checked(read, content=request.depth != "chain", since=since)
    yield from chain_faults(checked)
    memory, journal = checked.chains["m"], checked.chains["j"]
    tally.commits += memory.height + 1
    tally.events += memory.seq
    tally.receipts += journal.seq
    tally.erased += checked.erased
    tally.head, tally.seq = memory.head, memory.seq
    ours = kept is not None and (kept.scope == read.scope.id or not request.all)
    tally.compared |= ours
    if kept is not None and ours and not request.new:
        yield from checkpoint.faults(read, kept)
    if request.depth == "full":
        yield from audit.faults(read, PROJECTIONS)
        tally.not_checked |= dict.fromkeys(audit.unchecked(read, PROJECTIONS))
        tally.not_checked |= dict.fromkeys(_unmade(read))
    if scrub.due(read):
        yield Fault(code="erasure_pending", table="pending")


def _unmade(read: Read) -> Iterator[str]:
    """What cannot be judged without a model, and how much it lacks."""
    for each in _covered(read):
        yield (
            f"vectors of {each.embedder}: their numbers, which only the model makes; "
            f"{each.covered} of {each.texts} texts have one"
        )


def _covered(read: Read) -> tuple[Covered, ...]:
    found = []
    for model in vector.models(read):
        covered, texts = vector.coverage(read, model.name)
        found.append(
            Covered(embedder=model.name, dimension=model.dimension, covered=covered, texts=texts)
        )
    return tuple(found)


def _check_new(request: Verify) -> None:
    if request.new and request.checkpoint is None:
        raise BadShape("it says which checkpoint it begins from", at="checkpoint")
    if request.new and request.depth == "full":
        raise BadShape("what is new is checked at depth chain or content", at="depth")


def _note(file: str) -> CheckpointNote:
    path = Path(file)
    try:
        if not path.is_file():
            raise BadFile("the note cannot be read: it is no file", at="checkpoint")
        with path.open("rb") as opened:
            held = opened.read(limits.CHECKPOINT_BYTES_MAX + 1)
    except OSError as error:
        raise BadFile(f"the note cannot be read: {error.strerror}", at="checkpoint") from error
    if len(held) > limits.CHECKPOINT_BYTES_MAX:
        raise TooLong(f"a note has at most {limits.CHECKPOINT_BYTES_MAX} bytes", at="checkpoint")
    try:
        kept = codec.decoded(CheckpointNote, msgspec.json.decode(held), "checkpoint")
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadJson("the note is no JSON", at="checkpoint") from error
    if kept.muniment_checkpoint != checkpoint.VERSION:
        raise BadShape("a note of a version that this program does not know", at="checkpoint")
    return kept
