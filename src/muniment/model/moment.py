"""The moment an answer speaks of: what held then, as it was known then."""

from __future__ import annotations

import msgspec

LAST_SEQ = (1 << 62) - 1


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """Two times in one: valid time, and recorded time as the last seq that counts.

    `said_until_ms` (exclusive) leaves out what was said later, where valid time was asked for.
    `unerased` are the seqs of things that have been erased since, and were not then.
    """

    at_ms: int
    seq: int = LAST_SEQ
    said_until_ms: int | None = None
    unerased: frozenset[int] = frozenset()

    @property
    def past(self) -> bool:
        """Whether something may have been recorded since."""
        return self.seq != LAST_SEQ
