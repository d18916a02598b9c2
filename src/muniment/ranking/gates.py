"""Gates: may this thing be shown for this ask, and if not, why?  Pure."""

from __future__ import annotations

from muniment.model import time
from muniment.model.hit import Ask
from muniment.model.pack import Item
from muniment.model.query import ANCHOR, Filter


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
        return item.standing
    if item.valid_from is not None and time.parse(item.valid_from, "at") > ask.moment.at_ms:
        return "not_yet_valid"
    return None


def _asked_for(item: Item, ask: Ask) -> str | None:
    """Why `item` is not what was asked for, or None."""
    if ask.filtered:
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
