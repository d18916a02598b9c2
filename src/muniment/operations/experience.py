"""Experience: take in, replay, show what stands around."""

from __future__ import annotations

import msgspec

from muniment import limits
from muniment.decisions import experience as deciding
from muniment.decisions import items, moments, names
from muniment.errors import BadShape, NotFound
from muniment.model import event
from muniment.model.event import Draft
from muniment.model.experience import Around, Items, Message, Observe, Observed, Thread
from muniment.model.moment import Moment
from muniment.model.pack import Item
from muniment.operations.operation import Context
from muniment.projections import experience
from muniment.rules import redaction
from muniment.store import ledger
from muniment.store.tx import Read

_HANGING_MAX = 100  # children and replies of one event that its context shows


def observe(context: Context, request: Observe) -> Observed:
    """One message into the ledger, or the one that was there."""
    now_ms = context.now()
    at = request.at
    assert not isinstance(at, str), "checked at the door"
    message = Message(
        text=request.text,
        role=request.role,
        type=request.type,
        at_ms=now_ms if at is None else at,
        actor=request.actor,
        caption=request.caption,
        collection=request.collection,
        external_id=request.external_id,
        session=request.session,
        source=request.source,
        tags=request.tags,
        thread=request.thread,
        lines=request.lines,
        span=request.span,
        parent=request.parent,
        reply_to=request.reply_to,
    )
    message, redacted = redaction.redacted(message) if request.redact else (message, 0)
    with context.write(request.scope) as write:
        tag = None
        if request.external_id is not None:
            tag = deciding.external_tag(write, "", request.external_id)
        found = deciding.observe(write, message, tag)
        known = not isinstance(found, Draft)
        placed = (
            found if not isinstance(found, Draft) else context.append(write, [found], now_ms)[0]
        )
        shape = placed.shape
        erased = known and not ledger.contents(write, type(shape), [placed.seq])
        return Observed(
            id=placed.id,
            seq=placed.seq,
            head=ledger.head(write),
            known=known,
            standing="erased" if erased else "current",
            mode=request.mode,
            stripped=getattr(shape, "stripped", 0),
            redacted=redacted,
        )


def thread(context: Context, request: Thread) -> Items:
    """A thread's messages in order, from `after` on."""
    _check_range("limit", request.limit, 1, limits.PAGE_ITEMS_MAX)
    with context.read(request.scope) as read:
        moment = moments.of(read, request, context.now())
        rows = experience.thread(read, request.thread, request.after, moment, request.limit + 1)
        page = rows[: request.limit]
        shown = items.in_order(read, [row.seq for row in page], moment)
        return Items(items=shown, next=page[-1].seq if len(rows) > len(page) else None)


def around(context: Context, request: Around) -> Items:
    """An event with what stands around it, each labelled by how; in order, none twice."""
    _check_range("before", request.before, 0, limits.CONTEXT_MAX)
    _check_range("after", request.after, 0, limits.CONTEXT_MAX)
    with context.read(request.scope) as read:
        moment = moments.of(read, request, context.now())
        with names.hinted(read, (request.id,), to_seq=moment.seq):
            anchor = _anchor(read, request.id, moment)
        labels: dict[int, str] = {anchor.seq: "anchor"}
        if anchor.thread is not None:
            for row in experience.before(read, anchor, request.before):
                labels.setdefault(row.seq, "before")
            for row in experience.thread(read, anchor.thread, anchor.seq, moment, request.after):
                labels.setdefault(row.seq, "after")
        for seq, label in ((anchor.parent, "parent"), (anchor.reply_to, "answered")):
            if seq is not None:
                labels.setdefault(seq, label)
        for row in experience.hanging_on(read, anchor.seq, _HANGING_MAX):
            labels.setdefault(row.seq, "child" if row.parent == anchor.seq else "reply")
        found = items.by_seq(read, sorted(labels), moment)
        return Items(items=tuple(_labelled(found[seq], labels[seq]) for seq in sorted(found)))


def _anchor(read: Read, id: str, moment: Moment) -> experience.Row:
    """The event with this id, if there was one by then.

    Raises:
        NotFound: there was none.
    """
    named = event.named(id, "id", "e")
    anchor = experience.by_seq(read, [named.seq]).get(named.seq)
    if anchor is None or anchor.seq > moment.seq or named.mark not in (None, anchor.mark):
        raise NotFound(f"nothing here has the id {id!r}", at="id")
    return anchor


def _labelled(item: Item, label: str) -> Item:
    return msgspec.structs.replace(item, labels=(*item.labels, label))


def _check_range(field: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise BadShape(f"from {least} to {most}", at=field)
