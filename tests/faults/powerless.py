"""`python -m tests.faults.powerless DIRECTORY`: what a user may do with files that are not theirs.

Where it runs as the superuser it becomes nobody first; everything that is needed is loaded before.
On standard output: a JSON object with the code of each operation's error, or `ok`, and what a
recall says.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from muniment import Erase, Memory, Observe, Recall, Remember, Show, Status, Verify
from muniment.errors import MunimentError
from tests.faults import writes

NOBODY = 65_534
REQUESTS: tuple[Any, ...] = (
    Recall(query="harbour"),
    Show(id="e1"),
    Status(),
    Verify(),
    Erase(event="e1"),
    Observe(text="A new day.", role="user"),
    Observe(text="A new day.", role="user", scope="new"),
    Remember(text="The harbour opens at ten.", key="harbour"),
)


def become_nobody() -> None:
    """No right to anything that is not for everybody."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def answers(directory: Path) -> dict[str, str]:
    """The code of each request, by its name and scope; what the recall says under `text`."""
    found: dict[str, str] = {}
    with Memory.open(directory) as memory:
        for request in REQUESTS:
            name = " ".join(filter(None, (type(request).__name__, request.scope)))
            try:
                answer = memory.run(request)
                found[name] = "ok"
                if isinstance(request, Recall):
                    found["text"] = answer.text
                if isinstance(request, Verify):
                    found[name] = "ok" if answer.ok else repr(answer.faults)
            except MunimentError as error:
                found[name] = error.code
    return found


def main() -> None:
    """See above."""
    own = Path(sys.argv[2])
    writes.prepare(own)
    answers(own)
    become_nobody()
    print(json.dumps(answers(Path(sys.argv[1]))))


if __name__ == "__main__":
    main()
