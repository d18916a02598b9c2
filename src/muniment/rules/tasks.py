"""May these tasks stand open together?  Pure: what they take and what they may take.

A pack must show every open task.  So what a scope's own pack could not show is refused when it is
written, and not when somebody asks.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from muniment.errors import TasksFull


class Room(msgspec.Struct, frozen=True):
    """So many items and bytes of a pack; the bytes are those of its text, head and foot too."""

    items: int
    bytes: int


class Change(msgspec.Struct, frozen=True):
    """What one write adds to the open tasks; negative where it takes away.

    `place` is its place in its commit.
    """

    place: int
    items: int
    bytes: int


def check_room(before: Room, changes: Sequence[Change], most: Room) -> None:
    """Nothing, if the open tasks fit after a commit, or no longer grow where they do not.

    `before` is what they take now.  A scope that is over its room already, because an older
    program filled it, can be written to as long as that makes it no fuller.

    Raises:
        TasksFull: at the last write that adds.
    """
    after = Room(
        before.items + sum(change.items for change in changes),
        before.bytes + sum(change.bytes for change in changes),
    )
    if not _grows_over(before.items, after.items, most.items) and not _grows_over(
        before.bytes, after.bytes, most.bytes
    ):
        return
    adding = [change.place for change in changes if change.items > 0 or change.bytes > 0]
    raise TasksFull(
        f"the open tasks would take {after.items} items and {after.bytes} bytes of a pack; this"
        f" scope's pack holds {most.items} items and {most.bytes} bytes, and they take"
        f" {before.items} and {before.bytes} now: close a task that is done, or shorten one",
        at=f"notes[{adding[-1]}].text",
    )


def _grows_over(before: int, after: int, most: int) -> bool:
    return after > most and after > before
