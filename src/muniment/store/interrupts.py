"""Ctrl-C, held back while a command is in its midst.

Python raises `KeyboardInterrupt` between any two steps of the main thread, also between the taking
of a lock and the place that would give it back.  So the main thread notes it while it writes, and
raises it when the command is done.
"""

from __future__ import annotations

# What `signal` wraps.  That names each value by an enumeration, which takes 20 us a command.
import _signal  # type: ignore[import-not-found]  # it has no stubs
import signal
import threading
import time
from types import TracebackType
from typing import Self

PATIENCE_S = 2.0
_written = [0]
_SIGINT = int(signal.SIGINT)


def written() -> int:
    """How many commands of this process have been committed."""
    return _written[0]


def note_written() -> None:
    """One more has: whoever is interrupted from here on knows that it stands."""
    _written[0] += 1


class HeldBack:
    """Nothing but what the block raises is raised in it; then what was held back, before that.

    A second interruption is let through where the first came more than two seconds before.  A
    host's own handler of the signal is left alone, and so are other threads, which get none.
    """

    def __init__(self) -> None:
        self._since: float | None = None
        self._ours = False

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread() and (
            _signal.getsignal(_SIGINT) is signal.default_int_handler
        ):
            self._ours = True
            _signal.signal(_SIGINT, self._note)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._ours:
            _signal.signal(_SIGINT, signal.default_int_handler)
            if self._since is not None and (error is None or isinstance(error, Exception)):
                raise KeyboardInterrupt from error

    def _note(self, *_: object) -> None:
        now = time.monotonic()
        if self._since is None:
            self._since = now
        elif now - self._since > PATIENCE_S:
            raise KeyboardInterrupt
