"""Whether a record stands at a moment, and if not, why: one pure function over one row."""

from __future__ import annotations

from typing import Literal, get_args

Standing = Literal[
    "current",
    "superseded",
    "retracted",
    "stale",
    "expired",
    "withdrawn",
    "proposed",
    "rejected",
    "erased",
]
Ended = Literal["superseded", "stale", "withdrawn", "erased"]

# How a thing ended for good, as the version says that took its place.
Outcome = Literal["retracted", "closed", "completed", "done", "rejected", "expired"]
OUTCOMES: dict[str, Outcome] = {outcome: outcome for outcome in get_args(Outcome)}

Cause = Literal["superseded", "retracted", "stale", "withdrawn", "erased"]

_ASSERTING = ("belief", "requirement", "intention", "appraisal")

_BY_STATUS: dict[str, Standing] = {
    "retracted": "retracted",
    "rejected": "rejected",
    "expired": "expired",
    "superseded": "superseded",
    "proposed": "proposed",
    "shadow": "proposed",
    "needs_review": "proposed",
    "deferred": "proposed",
    "accepted": "superseded",  # by what was written for it
}
_BY_TIME: dict[str, Standing] = {"summary": "stale", "proposal": "superseded"}


def standing(
    *,
    kind: str,
    status: str,
    ended: str | None,
    valid_to_ms: int | None,
    until_ms: int | None,
    now_ms: int,
) -> Standing:
    """The standing of one record version at `now_ms`.

    `ended` is what the fold found out about it: superseded by a newer version, stale or withdrawn
    because a source ended, or erased.  `valid_to_ms` is its own last moment (exclusive),
    `until_ms` the earliest of its own and its sources' last moments.
    """
    if ended == "erased":
        return "erased"
    if ended == "superseded":
        return "superseded"
    said = None if (kind, status) == ("intention", "deferred") else _BY_STATUS.get(status)
    if said not in (None, "proposed"):
        return said
    if ended == "stale":
        return "stale"
    if ended == "withdrawn":
        return "withdrawn"
    if valid_to_ms is not None and valid_to_ms <= now_ms:
        return "expired"
    if until_ms is not None and until_ms <= now_ms:
        return _BY_TIME.get(kind, "withdrawn")
    return said or "current"


def effect(kind: str, cause: Cause) -> Ended | None:
    """What becomes of a record of `kind` when one of its sources ends by `cause`.

    None: it stands, and an answer labels it.  The table is DOMAIN's; a stale source counts as
    one that got a newer version.
    """
    if kind == "summary":
        return "stale"
    if cause in ("superseded", "stale"):
        return None
    if kind in _ASSERTING:
        return "withdrawn"
    if kind == "proposal":
        return "superseded"
    return None
