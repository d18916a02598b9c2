"""The moment that a request speaks of, found in the ledger."""

from __future__ import annotations

from typing import Protocol

from muniment.model.moment import LAST_SEQ, Moment
from muniment.model.request import Time
from muniment.store import ledger
from muniment.store.tx import Read


class AsOf(Protocol):
    """A request that may speak of the past."""

    @property
    def as_of(self) -> Time | None:
        """What held then."""

    @property
    def as_recorded(self) -> Time | None:
        """As it was known then."""


def of(read: Read, request: AsOf, now_ms: int) -> Moment:
    """The moment of a request whose times have been checked; now where it names none.

    Without `as_of`, what was known at `as_recorded` is judged by that time's clock.
    """
    valid, recorded = request.as_of, request.as_recorded
    assert not isinstance(valid, str), "checked at the door"
    assert not isinstance(recorded, str), "checked at the door"
    seq = LAST_SEQ if recorded is None else ledger.seq_at(read, recorded)
    judged = now_ms if recorded is None else recorded
    return Moment(
        at_ms=judged if valid is None else valid,
        seq=seq,
        said_until_ms=None if valid is None else valid + 1,
    )
