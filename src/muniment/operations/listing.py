"""Lists of what there is, page by page."""

from __future__ import annotations

from muniment import limits
from muniment.decisions import items, receipts
from muniment.decisions import state as deciding_state
from muniment.errors import BadShape, BrokenLedger, Corrupt, Unavailable
from muniment.model import time
from muniment.model.event_kinds import StateContent, StateSet
from muniment.model.experience import Items
from muniment.model.listing import (
    CollectionListed,
    Collections,
    CollectionsListed,
    KeyListed,
    Keys,
    KeysListed,
    Listed,
    ReceiptListed,
    Receipts,
    ReceiptsListed,
    Records,
    ScopeListed,
    Scopes,
    ScopesListed,
    StateList,
    Tasks,
    ThreadListed,
    Threads,
    ThreadsListed,
)
from muniment.model.moment import LAST_SEQ, Moment
from muniment.model.query import Filter
from muniment.operations.operation import Context
from muniment.projections import binding, experience, receipt, standing, state
from muniment.store import ledger


def scopes(context: Context, request: Scopes) -> ScopesListed:
    """Every scope of the place, or the one that is named."""
    one = request.scope is not None
    paths = [context.store.find(request.scope)] if one else context.store.scopes()
    listed: list[ScopeListed] = []
    unreadable: list[str] = []
    for path in paths:
        try:
            with context.store.read(path, whole=False) as read:
                listed.append(
                    ScopeListed(
                        scope=read.scope.name,
                        file=path.name,
                        seq=ledger.tip(read).seq,
                        bytes=path.stat().st_size,
                    )
                )
        except (Corrupt, Unavailable):
            unreadable.append(path.name)
    return ScopesListed(items=tuple(listed), unreadable=tuple(unreadable))


def threads(context: Context, request: Threads) -> ThreadsListed:
    """The threads whose last message stands before `after`."""
    _check(request.limit)
    with context.read(request.scope) as read:
        rows = experience.threads(read, request.collection, request.after, request.limit + 1)
    page = rows[: request.limit]
    return ThreadsListed(
        items=tuple(
            ThreadListed(
                thread=name,
                messages=count,
                first_at=time.text(first),
                last_at=time.text(last),
                last_seq=seq,
            )
            for name, count, first, last, seq in page
        ),
        next=page[-1][-1] if len(rows) > len(page) else None,
    )


def collections(context: Context, request: Collections) -> CollectionsListed:
    """The collections whose last message stands before `after`."""
    _check(request.limit)
    with context.read(request.scope) as read:
        rows = experience.collections(read, request.after, request.limit + 1)
    page = rows[: request.limit]
    return CollectionsListed(
        items=tuple(
            CollectionListed(
                collection=name,
                messages=count,
                threads=threads,
                first_at=time.text(first),
                last_at=time.text(last),
                last_seq=seq,
            )
            for name, count, threads, first, last, seq in page
        ),
        next=page[-1][-1] if len(rows) > len(page) else None,
    )


def state_keys(context: Context, request: StateList) -> KeysListed:
    """The state keys with their values, now or after a past seq, of those set before `after`."""
    _check(request.limit)
    if request.at_seq is not None and request.at_seq < 0:
        raise BadShape("a seq is not negative", at="at_seq")
    with context.read(request.scope) as read:
        rows = state.listed(read, request.prefix, request.after, request.at_seq, request.limit + 1)
        page = rows[: request.limit]
        held = ledger.contents(read, StateSet, [row.seq for row in page])
    listed = []
    for row in page:
        content = held.get(row.seq)
        if not isinstance(content, StateContent):
            raise BrokenLedger(f"the content of {row.id} is missing")
        listed.append(
            KeyListed(
                key=content.key,
                value=deciding_state.value_of(content.value),
                id=row.id,
                seq=row.seq,
                recorded_at=time.text(row.recorded_ms) or "",
            )
        )
    more = page[-1].seq if len(rows) > len(page) else None
    return KeysListed(items=tuple(listed), next=more)


def keys(context: Context, request: Keys) -> Items:
    """The newest version of each key, of those before `after`, and behind it what stands as well.

    So a version that is planned does not hide the one that holds until then, nor that the plan.
    """
    _check(request.limit)
    with context.read(request.scope) as read:
        seqs = standing.keyed(read, request.after, request.limit + 1)
        page = seqs[: request.limit]
        moment = Moment(at_ms=context.now(), seq=LAST_SEQ)
        beside = standing.beside(read, page, moment)
        found = [each for seq in page for each in (seq, *beside.get(seq, ()))]
        more = page[-1] if len(seqs) > len(page) else None
        return Items(items=items.in_order(read, found, moment), next=more)


def records(context: Context, request: Records) -> Items:
    """The records before `after` that are asked for, as far as who asks may see them."""
    _check(request.limit)
    asked = Listed(
        kind=request.kind, about=request.about, standing=request.standing, before=request.after
    )
    sees, whose = binding.seen(Filter(reader=request.reader, room=request.room), "r.seq")
    bound, task = binding.of_task(request.task, "r.seq")
    with context.read(request.scope) as read:
        moment = Moment(at_ms=context.now(), seq=LAST_SEQ)
        also = (f"{sees} AND {bound}", [*whose, *task])
        seqs = standing.listed(read, asked, moment, request.limit + 1, also)
        page = seqs[: request.limit]
        more = page[-1] if len(seqs) > len(page) else None
        return Items(items=items.in_order(read, page, moment), next=more)


def tasks(context: Context, request: Tasks) -> Items:
    """The open tasks behind `after`, also those whose time is over."""
    _check(request.limit)
    with context.read(request.scope) as read:
        moment = Moment(at_ms=context.now(), seq=LAST_SEQ)
        rows = standing.open_tasks(read, moment, request.limit + 1, request.after)
        page = [row.seq for row in rows[: request.limit]]
        more = page[-1] if len(rows) > len(page) else None
        return Items(items=items.in_order(read, page, moment), next=more)


def recalls(context: Context, request: Receipts) -> ReceiptsListed:
    """The receipts that stand before `after` in the journal."""
    _check(request.limit)
    with context.read(request.scope) as read:
        rows = receipt.latest(read, request.after, request.limit + 1)
        page = rows[: request.limit]
        listed = []
        for row in page:
            _, shape, content = receipts.by_id(read, row.id, "after")
            listed.append(
                ReceiptListed(
                    id=row.id,
                    seq=row.seq,
                    recorded_at=time.text(row.recorded_ms) or "",
                    query=None if content is None else content.query,
                    policy=shape.policy,
                    chosen=shape.chosen,
                    left_out=len(shape.left_out) + shape.left_out_more,
                    bytes=shape.bytes,
                )
            )
        more = page[-1].seq if len(rows) > len(page) else None
        return ReceiptsListed(items=tuple(listed), next=more)


def _check(limit: int) -> None:
    if not 1 <= limit <= limits.PAGE_ITEMS_MAX:
        raise BadShape(f"from 1 to {limits.PAGE_ITEMS_MAX}", at="limit")
