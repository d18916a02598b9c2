"""A program whose main thread is interrupted again and again while others write beside it.

Prints what each thread was answered, as JSON; run by test_writers.py.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time

from muniment import Memory
from muniment.errors import MunimentError

SECONDS = 4.0
BESIDE = 3


def main() -> None:
    """Write from all sides until the time is over."""
    memory = Memory.open(sys.argv[1])
    memory.observe("first", role="user")
    until = time.monotonic() + SECONDS
    answered: dict[str, list[str]] = {name: [] for name in ("main", *map(str, range(BESIDE)))}
    errors: list[str] = []

    def write(name: str) -> None:
        number = 0
        while time.monotonic() < until:
            try:
                memory.observe(f"{name} {number}", role="user")
                answered[name].append(f"{name} {number}")
            except MunimentError as error:
                errors.append(f"{name}: {error.code}")
            number += 1

    def press() -> None:
        while time.monotonic() < until - 0.5:
            time.sleep(0.003)
            os.kill(os.getpid(), signal.SIGINT)

    threads = [threading.Thread(target=write, args=(str(each),)) for each in range(BESIDE)]
    threads.append(threading.Thread(target=press))
    pressed = 0
    for thread in threads:
        _undisturbed(thread.start)
    number = 0
    while time.monotonic() < until:
        try:
            memory.observe(f"main {number}", role="user")
            answered["main"].append(f"main {number}")
        except KeyboardInterrupt:
            pressed += 1
        except MunimentError as error:
            errors.append(f"main: {error.code}")
        number += 1
    for thread in threads:
        thread.join(20)
    stuck = [thread.name for thread in threads if thread.is_alive()]
    print(json.dumps({"answered": answered, "errors": errors, "pressed": pressed, "stuck": stuck}))
    sys.stdout.flush()
    os._exit(0)


def _undisturbed(call: object) -> None:
    while True:
        try:
            call()  # type: ignore[operator]
        except KeyboardInterrupt:
            continue
        except RuntimeError:  # it was started, and the interruption came behind that
            return
        else:
            return


if __name__ == "__main__":
    main()
