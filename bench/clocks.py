"""How long a call takes: of the processor, and on the wall."""

from __future__ import annotations

import time
from collections.abc import Callable


def cpu(call: Callable[[], object]) -> float:
    """Seconds of this process's CPU."""
    started = time.process_time()
    call()
    return time.process_time() - started


def wall(call: Callable[[], object]) -> float:
    """Seconds on the wall."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started
