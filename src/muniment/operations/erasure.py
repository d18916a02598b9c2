"""Forgetting, in two steps: a plan with a token, then the erasure with its receipt."""

from __future__ import annotations

import hmac
from pathlib import Path

import msgspec

from muniment.decisions import erasure as deciding
from muniment.decisions import names
from muniment.errors import BadShape, NothingToErase, Unavailable, WrongToken
from muniment.model import canonical, event
from muniment.model.erasure import Erase, Erased
from muniment.model.event import JOURNAL, Draft
from muniment.model.event_kinds import ContentErased, ReceiptErased
from muniment.model.moment import Moment
from muniment.operations.operation import Context
from muniment.projections import PROJECTIONS, experience, record, state, text, vector
from muniment.store import audit, ledger, projector, scrub, tx
from muniment.store.tx import Read, Write

CHECKED = (
    "ledger content",
    "derived tables",
    "text index",
    "free pages",
    "write-ahead log",
    "automatic backups",
)
NOT_CHECKED = (
    "the same told in other words",
    "the same words in what does not rest on it, or in a key, metadata or a name beside it",
    "questions of recorded recalls that did not find it",
    "copies made outside this directory",
    "blocks that the disk has released",
)
UNPROVABLE = "the chain, whose file is gone: nothing can be proved any more"


def erase(context: Context, request: Erase) -> Erased:
    """Without a token the plan; with it the erasure, which leaves no byte behind."""
    _check(request)
    path = context.store.find(request.scope)
    if request.confirm is None:
        with context.read(request.scope) as read:
            return _planned(read, request)
    return _erased(context, request, path)


def _planned(read: Read, request: Erase) -> Erased:
    head = ledger.head(read)
    if request.all:
        return Erased(
            done=False, counts=_all_counts(read), token=_token(read, request, head), head=head
        )
    plan = _plan(read, request)
    return Erased(
        done=False,
        counts=_counts(read, plan),
        dependents=plan.dependents,
        token=_token(read, request, head),
        head=head,
    )


def _erased(context: Context, request: Erase, path: Path) -> Erased:
    now_ms = context.now()
    with context.write(request.scope, make=False, alone=True) as write:
        tip = ledger.tip(write)
        expected = _token(write, request, tip.head)
        if not hmac.compare_digest(expected.encode(), (request.confirm or "").encode()):
            raise WrongToken("not the token of this request at this head", at="confirm")
        projector.disarm(write)
        foreign = audit.foreign(write, PROJECTIONS)
        if request.all:
            counts = _all_counts(write)
            receipt = _erase_all(context, write, now_ms)
        else:
            plan = _plan(write, request)
            counts = _counts(write, plan)
            receipt = _erase_planned(context, write, plan, now_ms)
        # The engine keeps the totals of deleted rows, and with them the weight of every word.
        projector.rebuild(write, [text])
        write.kept.clear()
        scrub.owe(write, receipt)
        head = ledger.head(write)
    # A scope whose name was erased before may have got its file renamed just now.
    path = path if path.exists() else context.store.find(request.scope)
    pending = _pending(context, path)
    if request.all and not pending:
        pending = not context.store.forget_name(path, remove=request.remove_file)
    not_checked: tuple[str, ...] = (*CHECKED, *NOT_CHECKED) if pending else NOT_CHECKED
    if foreign:
        not_checked += (f"tables in the file that are not Muniment's: {', '.join(foreign)}",)
    if request.remove_file and not pending:
        not_checked += (UNPROVABLE,)
    return Erased(
        done=True,
        erased=counts,
        head=head,
        checked=() if pending else CHECKED,
        not_checked=not_checked,
        pending=pending,
        receipt=receipt,
    )


def _erase_all(context: Context, write: Write, now_ms: int) -> str:
    """Everything goes that has been said, asked and called by name; the receipt's id."""
    memory, journal = ledger.tip(write), ledger.tip(write, JOURNAL)
    tx.erase_scope_name(write)
    ledger.erase(write, range(1, memory.seq + 1))
    ledger.erase(write, range(-journal.seq, 0))
    erased = context.append(write, [Draft(ContentErased(through=memory.seq))], now_ms)
    if journal.seq:
        context.append(write, [Draft(ReceiptErased(through=journal.seq))], now_ms, JOURNAL)
    return erased[0].id


def _erase_planned(context: Context, write: Write, plan: deciding.Plan, now_ms: int) -> str:
    gone = [event.reference(id).seq for id in (*plan.targets, *plan.following)]
    ledger.erase(write, gone)
    shape = ContentErased(targets=plan.targets, dependents=plan.following)
    erased = context.append(write, [Draft(shape)], now_ms)
    if plan.receipts:
        ledger.erase(write, [-event.reference(id).seq for id in plan.receipts])
        told = ReceiptErased(targets=plan.receipts)
        context.append(write, [Draft(told)], now_ms, JOURNAL)
    return erased[0].id


def _pending(context: Context, path: Path) -> bool:
    try:
        with context.store.read(path) as read:
            return scrub.due(read)
    except Unavailable:
        # It is done, and nobody can say now whether its traces are gone.
        return True


def _plan(read: Read, request: Erase) -> deciding.Plan:
    if request.event is not None:
        ids = [deciding.event_id(read, request.event, "event")]
    elif request.record is not None:
        # Which version is meant does not matter, all of them go; so no clock is asked.
        named = names.standing(read, request.record, Moment(at_ms=0), "record")
        ids = deciding.record_ids(read, named, "record")
    elif request.session is not None:
        ids = deciding.of_session(read, request.session)
    else:
        assert request.source is not None
        ids = deciding.of_source(read, request.source)
    if not deciding.standing_contents(read, ids):
        raise NothingToErase("its content is erased already")
    return deciding.plan(read, ids, with_dependents=request.with_dependents)


def _token(read: Read, request: Erase, head: str) -> str:
    asked = msgspec.structs.replace(request, scope=None, confirm=None)
    return canonical.tag(read.scope.secret, "erase", canonical.encode(asked).decode() + head)


def _counts(read: Read, plan: deciding.Plan) -> dict[str, int]:
    """How many rows of each table speak of what would go."""
    ids = (*plan.targets, *plan.following)
    seqs = [event.reference(id).seq for id in ids]
    return {
        "content": deciding.standing_contents(read, ids) + len(plan.receipts),
        "experience": len(experience.by_seq(read, seqs)),
        "record": len(record.by_seq(read, seqs)),
        "state": len(state.by_seq(read, seqs)),
        "receipt": len(plan.receipts),
        "text_index": sum(len(text.rows_of(read, seq)) for seq in seqs),
        **_vectors(vector.count_of(read, seqs)),
    }


def _all_counts(read: Read) -> dict[str, int]:
    scope = (read.scope.number,)
    counted = {
        table: read.value(f"SELECT count(*) FROM {table} WHERE scope = ?", scope)
        for table in ("content", "experience", "record", "state", "receipt")
    }
    counted["text_index"] = read.value("SELECT count(*) FROM text_index_docsize")
    return counted | _vectors(read.value("SELECT count(*) FROM vector"))


def _vectors(count: int) -> dict[str, int]:
    """Named only where there are any: most scopes have none."""
    return {"vector": count} if count else {}


def _check(request: Erase) -> None:
    named = (request.event, request.record, request.session, request.source)
    if sum(each is not None for each in named) + request.all != 1:
        raise BadShape(
            "say what to erase by one of `event`, `record`, `session`, `source` and `all`",
            at="event",
        )
    if request.remove_file and not request.all:
        raise BadShape("a file is removed only with `all`", at="remove_file")
