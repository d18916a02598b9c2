"""Before a fork every file is closed that can be, so that the child begins with none of them.

The engine keeps its locks of a file in the process's memory: a child would find those of its
parent's connections there for ever, of a write in another thread as if it never ended.
"""

from __future__ import annotations

import os
import threading
import time
from typing import Protocol
from weakref import WeakSet

from muniment.store.interrupts import HeldBack

_WAIT_S = 5.0


class Pausable(Protocol):
    """Something with connections that a fork must not find open."""

    def pause(self, until: float) -> None:
        """Nothing of it is in use any more, where that comes about by `until`."""

    def resume(self) -> None:
        """It may be used again, in the parent as in the child."""


_guard = threading.Lock()  # held from before a fork until after it, on both sides
_watched: WeakSet[Pausable] = WeakSet()
_paused: list[Pausable] = []


def watch(each: Pausable) -> None:
    """It is paused for every fork, as long as it lives."""
    with _guard:
        _watched.add(each)


def _pause_all() -> None:
    with HeldBack():
        _guard.acquire()
        until = time.monotonic() + _WAIT_S
        for each in list(_watched):
            # Noted first: an interruption may come through after all while it waits.
            _paused.append(each)
            each.pause(until)


def _resume_all() -> None:
    while _paused:
        _paused.pop().resume()
    _guard.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_pause_all, after_in_parent=_resume_all, after_in_child=_resume_all)
