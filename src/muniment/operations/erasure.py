"""Forgetting, in two steps: a plan with a token, then the erasure with its receipt."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from pathlib import Path

import msgspec

from muniment.decisions import erasure as deciding
from muniment.errors import BadShape, NothingToErase, WrongToken
from muniment.model import canonical, event
from muniment.model.erasure import Erase, Erased
from muniment.model.event import Draft
from muniment.model.event_kinds import ContentErased
from muniment.operations.operation import Context
from muniment.projections import experience, record, state, text
from muniment.store import ledger, scrub, tx
from muniment.store.tx import Read

CHECKED = ("ledger content", "derived tables", "text index", "free pages", "write-ahead log")
NOT_CHECKED = ("copies made outside this directory", "blocks that the disk has released")


def erase(context: Context, request: Erase) -> Erased:
    """Without a token the plan; with it the erasure, which leaves no byte behind."""
    _check(request)
    path = context.store.find(request.scope)
    if request.confirm is None:
        with context.read(request.scope) as read:
            return _planned(read, request)
    return _erased(context, request, path)


def _planned(read: Read, request: Erase) -> Erased:
    head = ledger.tip(read).head
    if request.all:
        return Erased(
            done=False, counts=_all_counts(read), token=_token(read, request, head), head=head
        )
    plan = _plan(read, request)
    return Erased(
        done=False,
        counts=_counts(read, (*plan.targets, *plan.following)),
        dependents=plan.dependents,
        token=_token(read, request, head),
        head=head,
    )


def _erased(context: Context, request: Erase, path: Path) -> Erased:
    now_ms = context.now()
    with context.write(request.scope, make=False) as write:
        tip = ledger.tip(write)
        expected = _token(write, request, tip.head)
        if not hmac.compare_digest(expected, request.confirm or ""):
            raise WrongToken("not the token of this request at this head", at="confirm")
        if request.all:
            counts = _all_counts(write)
            shape = ContentErased(through=tip.seq)
            gone: Sequence[int] = range(1, tip.seq + 1)
            tx.erase_scope_name(write)
        else:
            plan = _plan(write, request)
            counts = _counts(write, (*plan.targets, *plan.following))
            shape = ContentErased(targets=plan.targets, dependents=plan.following)
            gone = [event.reference(id).seq for id in (*plan.targets, *plan.following)]
        ledger.erase(write, gone)
        receipt = context.append(write, [Draft(shape)], now_ms)[0].id
        scrub.owe(write, receipt)
        head = ledger.tip(write).head
    pending = _pending(context, path)
    if request.all and not pending:
        pending = not context.store.forget_name(path, remove=request.remove_file)
    return Erased(
        done=True,
        erased=counts,
        head=head,
        checked=() if pending else CHECKED,
        not_checked=NOT_CHECKED if not pending else (*CHECKED, *NOT_CHECKED),
        pending=pending,
        receipt=receipt,
    )


def _pending(context: Context, path: Path) -> bool:
    with context.store.read(path) as read:
        return scrub.due(read.connection)


def _plan(read: Read, request: Erase) -> deciding.Plan:
    if request.event is not None:
        ids = [deciding.event_id(read, request.event, "event")]
    else:
        assert request.record is not None
        ids = deciding.record_ids(read, request.record, "record")
    if not deciding.standing_contents(read, ids):
        raise NothingToErase("its content is erased already")
    return deciding.plan(read, ids, with_dependents=request.with_dependents)


def _token(read: Read, request: Erase, head: str) -> str:
    asked = msgspec.structs.replace(request, scope=None, confirm=None)
    return canonical.tag(read.scope.secret, "erase", canonical.encode(asked).decode() + head)


def _counts(read: Read, ids: Sequence[str]) -> dict[str, int]:
    """How many rows of each table speak of these."""
    seqs = [event.reference(id).seq for id in ids]
    return {
        "content": deciding.standing_contents(read, ids),
        "experience": len(experience.by_seq(read, seqs)),
        "record": len(record.by_seq(read, seqs)),
        "state": len(state.by_seq(read, seqs)),
        "text_index": sum(len(text.rows_of(read, seq)) for seq in seqs),
    }


def _all_counts(read: Read) -> dict[str, int]:
    scope = (read.scope.number,)
    counted = {
        table: read.value(f"SELECT count(*) FROM {table} WHERE scope = ?", scope)
        for table in ("content", "experience", "record", "state")
    }
    counted["text_index"] = read.value("SELECT count(*) FROM text_index_docsize")
    return counted


def _check(request: Erase) -> None:
    asked = [request.event is not None, request.record is not None, request.all]
    if sum(asked) != 1:
        raise BadShape("say what to erase: --event, --record or --all", at="event")
    if request.remove_file and not request.all:
        raise BadShape("a file is removed only with --all", at="remove_file")
