"""Proving and mending: verify, checkpoint, rebuild, backup, migrate, status."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path

import msgspec

from muniment import limits
from muniment.decisions import integrity
from muniment.decisions.integrity import Tally
from muniment.errors import (
    BackupFaulty,
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
from muniment.model import scope as naming
from muniment.model.integrity import (
    BackedUp,
    Backup,
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
from muniment.model.request import file_name
from muniment.operations.operation import Context
from muniment.projections import PROJECTIONS, experience, record, state, vector
from muniment.store import (
    backup,
    checkpoint,
    connect,
    files,
    ledger,
    migrate,
    projector,
    scrub,
)
from muniment.store.checked import Checked
from muniment.store.pool import Store
from muniment.store.tx import Read
from muniment.store.verify import faults as chain_faults

INSIDE_ONLY = "not compared with any outside checkpoint"
SOUND_INSIDE = f"internally consistent; {INSIDE_ONLY}"
OUTSIDE = "compared with the checkpoint given"


def verify(context: Context, request: Verify) -> Verified:
    """Every fault of a scope, or of all scopes of a directory."""
    kept = None if request.checkpoint is None else _note(file_name(request.checkpoint))
    _check_new(request)
    tally = Tally()
    faults: list[Fault] = []
    try:
        paths = context.store.scopes() if request.all else [context.store.find(request.scope)]
    except Corrupt:
        unread = _unread(context, request.scope)
        if unread is None:
            raise
        paths = [unread]
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
        file=None if request.out is None else file_name(request.out),
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
        dropped = _vectors(read)
    with context.store.write(path, whole=False) as write:
        migrate.complete(write.connection)
        rows = projector.rebuild(write, PROJECTIONS, broken)
        tip = ledger.tip(write)
    return Rebuilt(rebuilt=rows, dropped=dropped, head=tip.head, seq=tip.seq)


def _vectors(read: Read) -> dict[str, int]:
    """How many texts have vectors, by model; only said, so that where it cannot be read it is not."""
    with suppress(Corrupt, Unavailable):
        return {model.name: vector.covered(read, model) for model in vector.models(read)}
    return {}


def back_up(context: Context, request: Backup) -> BackedUp:
    """A verified copy of the scope's file, in a file that was not there."""
    path = context.store.find(request.scope)
    if request.file == "-":
        raise BadFile("a backup is a file of its own, not standard output", at="file")
    target = Path(request.file)
    beside = target.absolute().parent.resolve() == path.absolute().parent.resolve()
    if beside and not context.store.place.single:
        raise BadFile("a backup lies outside the store, where it is no scope of it", at="file")
    if beside and target.name.startswith(path.name):
        raise BadFile("names like that are for what lies beside the scope's file", at="file")
    return _copied(context, path, target, replace=False)


def migrate_ledger(context: Context, request: Migrate) -> Migrated:
    """The steps that bring the ledger's tables to this program's version.

    They are taken in one transaction, and a verified copy of the file is beside it before.
    """
    path = context.store.find(request.scope)
    with context.store.read(path, whole=False) as read:
        seen, steps = connect.version(read.connection), migrate.pending(read.connection)
    kept: str | None = None
    if steps and not request.dry_run:
        with context.store.write(path, whole=False, behind=True) as write:
            # Somebody else may have taken them while this one waited.
            seen, steps = connect.version(write.connection), migrate.pending(write.connection)
            if steps:
                # Made while this one holds the file, so that nothing can be written in between.
                copy = files.automatic_backup(path, seen)
                _copied(context, path, copy, replace=True)
                migrate.migrate(write.connection)
                kept = copy.name
    return Migrated(
        from_=seen,
        to=migrate.latest(),
        pending=tuple(f"{step.number}: {step.name}" for step in steps),
        backup=kept,
    )


def status(context: Context, request: Status) -> Stated:
    """How much a scope holds."""
    path = context.store.find(request.scope)
    with context.store.read(path) as read:
        memory, journal = ledger.tip(read), ledger.tip(read, event.JOURNAL)
        events, erased = experience.counts(read)
        counts = {"experience": events, "state": state.count(read), **record.counts(read)}
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
            vectors=integrity.covered(read),
            version=connect.version(read.connection),
        )


def _copied(context: Context, path: Path, target: Path, *, replace: bool) -> BackedUp:
    """A copy that stands once it has been verified in full.

    Derived tables of another version are no fault of the copy, and not checked.

    Raises:
        BackupFaulty: it does not verify.
    """
    found: list[BackedUp] = []

    def check(copy: Path) -> None:
        alone = Store(copy, PROJECTIONS, context.store.settings)
        with closing(alone), alone.read(copy, whole=False) as read:
            tally = Tally()
            for fault in integrity.faults(read, Verify(), None, tally):
                raise BackupFaulty(f"{fault.code} {fault.detail}".rstrip(), at="file")
            found.append(_backed_up(read, target, tally))

    size = backup.make(path, target, context.store.settings.wait_ms, check, replace=replace)
    return msgspec.structs.replace(found[0], bytes=size)


def _backed_up(read: Read, target: Path, tally: Tally) -> BackedUp:
    memory, journal = ledger.tip(read), ledger.tip(read, event.JOURNAL)
    return BackedUp(
        file=str(target),
        bytes=0,
        head=memory.head,
        seq=memory.seq,
        journal_head=journal.head,
        journal_seq=journal.seq,
        scope_id=read.scope.id,
        not_checked=tuple(tally.not_checked),
    )


def _unread(context: Context, scope: str | None) -> Path | None:
    """The file under the scope's own name, if not even whose it is can be read."""
    name = naming.check_name(scope or naming.DEFAULT)
    for path in filter(files.present, context.store.place.candidates(name)):
        try:
            with context.store.read(path, whole=False):
                pass
        except Corrupt:
            return path
    return None


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
    context: Context, path: Path, request: Verify, kept: CheckpointNote | None, tally: Tally
) -> list[Fault]:
    """The faults of one file, each with the scope's name; a file that cannot be read is one."""
    found: list[Fault] = []
    name: str | None = path.name
    try:
        with context.store.read(path, whole=False, checking=True) as read:
            name = read.scope.name or path.name
            erased = read.scope.name is None and not read.scope.wrong
            if erased and context.store.place.tells_name(path, read.scope.id):
                found.append(Fault(code="erasure_pending", table="scope", detail="the file's name"))
            found.extend(
                msgspec.structs.replace(fault, scope=name)
                for fault in integrity.faults(read, request, kept, tally)
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


def _check_new(request: Verify) -> None:
    if request.new and request.checkpoint is None:
        raise BadShape("it says which checkpoint it begins from", at="checkpoint")
    if request.new and request.depth == "full":
        raise BadShape("what is new is checked at depth chain or content", at="depth")


def _note(file: str) -> CheckpointNote:
    path = Path(file)
    try:
        if path.exists() and not path.is_file():
            raise BadFile(f"{file!r} cannot be read: it is no file", at="checkpoint")
        with path.open("rb") as opened:
            held = opened.read(limits.CHECKPOINT_BYTES_MAX + 1)
    except OSError as error:
        raise BadFile.unreadable(file, error, "checkpoint") from error
    if len(held) > limits.CHECKPOINT_BYTES_MAX:
        raise TooLong(f"a note has at most {limits.CHECKPOINT_BYTES_MAX} bytes", at="checkpoint")
    try:
        kept = codec.decoded(CheckpointNote, msgspec.json.decode(held), "checkpoint")
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadJson("the note is no JSON", at="checkpoint") from error
    for name, point in (("memory", kept.memory), ("journal", kept.journal)):
        if not (0 <= point.seq <= limits.INTEGER_MAX and 0 <= point.height <= point.seq):
            raise BadShape("no place that a chain has", at=f"checkpoint.{name}")
    if kept.muniment_checkpoint != checkpoint.VERSION:
        raise BadShape("a note of a version that this program does not know", at="checkpoint")
    return kept
