"""Proving and mending: verify, checkpoint, rebuild, backup, migrate, status."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from muniment.model.embedding import Covered
from muniment.model.request import FileName, Request, Time, spell

Depth = Literal["chain", "content", "full"]


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is not as it was written, and where."""

    code: str
    scope: str | None = None
    chain: str | None = None
    seq: int | None = None
    height: int | None = None
    table: str | None = None
    detail: str = ""


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """What a check found.  `compared` says with what outside the file, if anything.

    `events` and `commits` are of the memory chain, `receipts` what the journal holds; these, and
    `head` and `seq`, are as of the time that was asked for.  `erased` is what is gone by now.
    """

    ok: bool
    compared: str
    depth: Depth
    events: int
    commits: int
    receipts: int
    scopes: int
    erased: int
    faults: tuple[Fault, ...]
    not_checked: tuple[str, ...]
    head: str | None = None
    seq: int | None = None


class Verify(Request[Verified], frozen=True, kw_only=True):
    """Check that nothing was rewritten, cut or lost; every fault is listed with its place."""

    depth: Annotated[Depth, spell("how deep: chain, content or full")] = "full"
    checkpoint: Annotated[
        FileName | None, spell("a checkpoint file to compare with", file=True)
    ] = None
    new: Annotated[bool, spell("only what came after the checkpoint; at chain or content")] = False
    all: Annotated[bool, spell("every scope of the directory")] = False
    as_recorded: Annotated[
        Time | None,
        spell("check everything, and say how much there was and where the head was then",
              form="time"),
    ] = None  # fmt: skip


class ChainPoint(msgspec.Struct, frozen=True, kw_only=True):
    """Where one chain stood."""

    head: str
    height: int
    seq: int


class CheckpointNote(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The small note that is kept somewhere else."""

    muniment_checkpoint: int
    scope: str  # the scope's random id
    memory: ChainPoint
    journal: ChainPoint
    at_ms: int


class Checkpointed(msgspec.Struct, frozen=True, kw_only=True):
    """What the note says."""

    head: str
    seq: int
    height: int
    journal_head: str
    journal_seq: int
    scope_id: str
    file: str | None


class Checkpoint(Request[Checkpointed], frozen=True, kw_only=True):
    """Write a note of both heads, to be kept elsewhere and compared with later."""

    out: Annotated[FileName | None, spell("the file to write; it must not exist", file=True)] = None


class Rebuilt(msgspec.Struct, frozen=True, kw_only=True):
    """The rows of each table that was made again, and what could not be made again.

    `dropped`: by model, how many texts lost their vectors; `embed` makes them again.
    """

    rebuilt: dict[str, int]
    dropped: dict[str, int]
    head: str
    seq: int


class Rebuild(Request[Rebuilt], frozen=True, kw_only=True):
    """Make every derived table again from the ledger; the ledger itself is not touched."""


class BackedUp(msgspec.Struct, frozen=True, kw_only=True):
    """A copy of a scope's file that was verified in full, and where its chains stand.

    `not_checked`: what this program cannot judge, such as tables of another version.
    """

    file: str
    bytes: int
    head: str
    seq: int
    journal_head: str
    journal_seq: int
    scope_id: str
    not_checked: tuple[str, ...]


class Backup(Request[BackedUp], frozen=True, kw_only=True):
    """Copy a scope's file as it is now, while others write, and verify the copy.

    The copy is a scope's file like any other: to restore it is to open it.
    """

    file: Annotated[FileName, spell("the file to write; it must not exist", form="path")]


class Migrated(msgspec.Struct, frozen=True, kw_only=True):
    """From which ledger version to which, and what is or was to be done.

    `backup` is the copy of the file before, made beside it.
    """

    from_: int = msgspec.field(name="from")
    to: int
    pending: tuple[str, ...]
    backup: str | None = None


class Migrate(Request[Migrated], frozen=True, kw_only=True):
    """Bring the ledger's tables to this program's version; a backup is made before."""

    dry_run: Annotated[bool, spell("say what would be done")] = False


class Stated(msgspec.Struct, frozen=True, kw_only=True):
    """How much a scope holds.

    `seq` counts the events, as `events` of a check does.  `counts` has what was taken in
    (`experience`), the state keys, and the records of each kind that have not ended; `erased` is
    how much of the experience has no words any more.
    """

    name: str | None
    scope_id: str
    file: str
    bytes: int
    head: str
    seq: int
    commits: int
    journal_head: str
    journal_seq: int
    counts: dict[str, int]
    erased: int
    erasure_pending: bool
    vectors: tuple[Covered, ...]
    version: int


class Status(Request[Stated], frozen=True, kw_only=True):
    """Count what a scope holds."""
