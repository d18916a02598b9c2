"""Gates: may this thing be shown for this ask, and if not, why?  Pure."""

from __future__ import annotations

from muniment.model import time
from muniment.model.hit import Ask
from muniment.model.pack import Item
from muniment.model.query import ANCHOR, Filter

_ANY = Filter()
# What is said in its task until it is done, and the statuses of what is not.
_ENDING = {"requirement", "intention"}
_WAITING = {"active", "pending"}


def reason(item: Item, ask: Ask) -> str | None:
    """The code of the first gate that `item` does not pass, or None."""
    return standing(item, ask) or _asked_for(item, ask)


def standing(item: Item, ask: Ask) -> str | None:
    """Why `item` does not stand, or None.

    An erased thing never passes; a past one passes with `history`.
    """
    if item.standing == "erased":
        return "erased"
    if item.standing != "current" and not ask.history:
        return ended(item)
    if item.valid_from is not None and time.parse(item.valid_from, "at") > ask.moment.at_ms:
        return "not_yet_valid"
    return None


def ended(item: Item) -> str:
    """The word for how `item` ended: that of the version in its place, where that says one."""
    return item.outcome or item.standing


def seen(item: Item, filter: Filter) -> bool:
    """Whether who asks may see `item`; if not, it is nowhere, and no reason is given."""
    if item.visibility is None:
        return True
    asks, whose = (
        (filter.reader, item.reader) if item.visibility == "private" else (filter.room, item.room)
    )
    return asks is not None and asks == whose


def applies(item: Item, filter: Filter) -> str | None:
    """Why `item`, if it is bound to a task, does not apply in the one that is asked about."""
    if item.task is None:
        return None
    if item.task != filter.task:
        return "other_task"
    if item.about is not None and item.about not in filter.participants:
        return "other_participant"
    done = item.kind in _ENDING and item.status not in _WAITING
    return "not_pending" if done else None


def _asked_for(item: Item, ask: Ask) -> str | None:
    """Why `item` is not what was asked for, or None."""
    if not ask.filtered and (unfit := applies(item, ask.filter)) is not None:
        return unfit
    if ask.filtered or (item.collection is None and ask.filter == _ANY):
        return None
    if item.kind == "event":
        return _experience(item, ask.filter) or _time(item, ask.filter)
    if ask.filter.experience_only:
        return "not_experience"
    return _time(item, ask.filter)


def _experience(item: Item, filter: Filter) -> str | None:
    hidden = item.collection not in (None, ANCHOR)
    differs = (
        ("thread", filter.thread not in (None, item.thread)),
        ("session", filter.session not in (None, item.session)),
        ("session_excluded", filter.exclude_session is not None
         and filter.exclude_session == item.session),
        ("role", filter.role not in (None, item.role)),
        ("type", filter.type not in (None, item.type)),
        ("collection", hidden if filter.collection is None
         else filter.collection != item.collection),
        ("tags", not set(filter.tags) <= set(item.tags)),
    )  # fmt: skip
    return next((code for code, out in differs if out), None)


def _time(item: Item, filter: Filter) -> str | None:
    at = item.at or item.recorded_at
    bounded = filter.since_ms is not None or filter.until_ms is not None
    if bounded and item.kind == "event" and item.at is None:
        return "undated"
    if filter.since_ms is not None and time.parse(at, "at") < filter.since_ms:
        return "before_window"
    said_until = filter.said_until_ms if item.kind == "event" else None
    if said_until is not None and time.parse(at, "at") >= said_until:
        return "after_moment"
    if filter.until_ms is not None and time.parse(at, "at") >= filter.until_ms:
        return "after_window"
    return None
