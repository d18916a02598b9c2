"""Integrity: what a check of one scope finds, and how much it went over."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from muniment.errors import BrokenLedger
from muniment.model.embedding import Covered
from muniment.model.event import JOURNAL
from muniment.model.integrity import CheckpointNote, Fault, Verify
from muniment.model.request import Time
from muniment.projections import PROJECTIONS, vector
from muniment.store import audit, checkpoint, ledger, scrub
from muniment.store.checked import Chain, Checked, kept_going
from muniment.store.tx import Read, Tip
from muniment.store.verify import faults as chain_faults


class Tally(msgspec.Struct):
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

    def add(self, memory: Chain | Tip | None, journal: Chain | Tip | None) -> None:
        """One scope's chains, as far as they went; None: they had not begun."""
        if memory is not None:
            self.commits += memory.height + 1
            self.events += memory.seq
            self.head, self.seq = memory.head, memory.seq
        self.receipts += 0 if journal is None else journal.seq


def faults(
    read: Read, request: Verify, kept: CheckpointNote | None, tally: Tally
) -> Iterator[Fault]:
    """Everything that is wrong with one scope, which is counted into `tally` too.

    `kept` is the checkpoint to compare with, where the scope is the one that it is of.
    """
    if request.new and kept is not None and (kept.scope == read.scope.id or not request.all):
        before = list(kept_going("commits", checkpoint.faults(read, kept)))
        if before:  # what is new cannot be told
            yield from before
            return
    since = kept if request.new else None
    checked = Checked(read, content=request.depth != "chain", since=since)
    yield from chain_faults(checked)
    memory, journal = checked.chains["m"], checked.chains["j"]
    if request.as_recorded is None:
        tally.add(memory, journal)
    else:
        tally.add(*_then(read, request.as_recorded))
    tally.erased += checked.erased
    ours = kept is not None and (kept.scope == read.scope.id or not request.all)
    tally.compared |= ours
    if kept is not None and ours and not request.new:
        yield from kept_going("commits", checkpoint.faults(read, kept))
    if request.depth == "full":
        yield from kept_going("projection", audit.faults(read, PROJECTIONS))
        yield from kept_going("projection", _noted(tally, audit.unchecked(read, PROJECTIONS)))
        yield from kept_going("vector_model", _noted(tally, _unmade(read)))
    yield from kept_going("pending", _pending(read))


def _pending(read: Read) -> Iterator[Fault]:
    if scrub.due(read):
        yield Fault(code="erasure_pending", table="pending")


def _noted(tally: Tally, not_checked: Iterator[str]) -> Iterator[Fault]:
    """No fault, but where what was not checked cannot be told."""
    tally.not_checked |= dict.fromkeys(not_checked)
    yield from ()


def _then(read: Read, recorded: Time) -> tuple[Tip | None, Tip | None]:
    """Where both chains stood; nowhere where that cannot be read, which is a fault of its own."""
    assert isinstance(recorded, int), "checked at the door"
    try:
        return ledger.tip_at(read, recorded), ledger.tip_at(read, recorded, JOURNAL)
    except BrokenLedger:
        return None, None


def _unmade(read: Read) -> Iterator[str]:
    """What cannot be judged without a model, and how much it lacks."""
    for each in covered(read):
        yield (
            f"vectors of {each.embedder}: their numbers, which only the model makes; "
            f"{each.covered} of {each.texts} texts have one"
        )


def covered(read: Read) -> tuple[Covered, ...]:
    """How much of the scope has vectors, by model."""
    found = []
    for model in vector.models(read):
        covered, texts = vector.coverage(read, model.name)
        found.append(
            Covered(embedder=model.name, dimension=model.dimension, covered=covered, texts=texts)
        )
    return tuple(found)
