"""Stretches of time, and how a record is over in some of them: pure arithmetic over bounds.

A bound is in milliseconds or None, which is no bound.  The first is inclusive, the second not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from muniment.model.standing import Cause

Stretch = tuple[int | None, int | None]
ALWAYS: Stretch = (None, None)


class End(msgspec.Struct, frozen=True, array_like=True):
    """The record is over in this stretch, known from the event at `seq` on.

    `how` is what the fold found out, or `retracted` where what took its place takes it back.
    """

    how: Cause
    seq: int
    from_ms: int | None
    to_ms: int | None

    @property
    def stretch(self) -> Stretch:
        """When it is over."""
        return self.from_ms, self.to_ms


def claimed(status: str, from_ms: int | None, to_ms: int | None) -> Stretch:
    """When a version speaks for its record; what takes it back does so for good."""
    return from_ms, None if status == "retracted" else to_ms


def holds(stretch: Stretch, at_ms: int) -> bool:
    """Whether the moment is in it."""
    begin, end = stretch
    return (begin is None or begin <= at_ms) and (end is None or at_ms < end)


def shared(left: Stretch, right: Stretch) -> Stretch | None:
    """What is in both, or None."""
    begins = [begin for begin in (left[0], right[0]) if begin is not None]
    ends = [end for end in (left[1], right[1]) if end is not None]
    begin, end = max(begins, default=None), min(ends, default=None)
    return None if begin is not None and end is not None and begin >= end else (begin, end)


def without(stretches: Iterable[Stretch], taken: Sequence[Stretch]) -> list[Stretch]:
    """What is left of the stretches once those taken are cut out, in order."""
    left = list(stretches)
    for begin, end in taken:
        outside: list[Stretch] = [] if begin is None else [(None, begin)]
        outside += [] if end is None else [(end, None)]
        cut = [shared(each, other) for each in left for other in outside]
        left = [each for each in cut if each is not None]
    return left


def read(ends: str | None) -> list[End]:
    """The ends that one column holds."""
    return [] if ends is None else msgspec.json.decode(ends, type=list[End])


def written(ends: Sequence[End]) -> str | None:
    """The column that holds these ends; None for none."""
    return msgspec.json.encode(ends).decode() if ends else None
