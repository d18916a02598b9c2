"""Whose turn it is among the threads of this process, and who waits for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Turn:
    """One thread's at a time, or a fork's."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._holder: int | None = None  # the thread whose turn it is
        self._forking = False  # whether it is a fork's
        self.waiting: set[int] = set()  # the threads that wait for it to write

    @contextmanager
    def taken(self, *, seen: bool = False) -> Iterator[None]:
        """It is this thread's.  `seen`: those who have it know that this one waits."""
        thread = threading.get_ident()
        if seen:
            self.waiting.add(thread)
        try:
            with self._lock:
                self.waiting.discard(thread)
                self._holder = thread
                try:
                    yield
                finally:
                    self._holder = None
        finally:
            self.waiting.discard(thread)

    def pause(self, until: float) -> bool:
        """Whether it is a fork's, by then at the latest.

        A turn of the thread that asks is its own, and is not waited for.
        """
        if self._holder != threading.get_ident():
            self._forking = self._lock.acquire(timeout=max(0.0, until - time.monotonic()))
        return self._forking

    def resume(self) -> None:
        """It is nobody's, where it was the fork's."""
        if self._forking:
            self._forking = False
            self._lock.release()
