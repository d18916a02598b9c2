"""`python -m tests.faults.racing ROLE NAME DIRECTORY`: one of several processes on one scope.

It waits for a line on standard input, works, and says on standard output what it did.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path

from muniment import Commit, Memory, Note, Observe, Recall, Remember, StateGet, StateSetTo
from muniment.errors import HeadMoved

WRITES = 12
THREADS = 4
FORKS = 6


def write(memory: Memory, name: str) -> dict[str, object]:
    """Messages, versions of a shared key, commits, and a counter by compare and swap."""
    lost = 0
    for number in range(WRITES):
        memory.run(
            Observe(text=f"{name} says {number}", role="user", external_id=f"{name}.{number}")
        )
        memory.run(Remember(text=f"{name} holds {number}", key=f"shared {number}"))
        memory.run(Commit(notes=(Note(text=f"{name} notes {number}"),), state={name: number}))
        while True:
            head = memory.verify(depth="chain").head
            counted = memory.run(StateGet(key="count")).value or 0
            try:
                memory.run(StateSetTo(key="count", value=counted + 1, expect_head=head))
                break
            except HeadMoved:
                lost += 1
    return {"lost": lost}


def read(memory: Memory, name: str) -> dict[str, object]:
    """Recalls and checks; each sees one moment of the scope, and nothing broken."""
    seen = [0]
    for _ in range(WRITES):
        found = memory.verify()
        assert found.faults == (), found.faults
        assert found.seq is not None
        assert found.seq >= seen[-1]
        seen.append(found.seq)
        memory.run(Recall(query=f"says holds notes {name}"))
    return {"seen": seen}


def fork(memory: Memory, name: str) -> dict[str, object]:
    """Children that go on with their parent's memory, or close it unused, and end in any way."""
    memory.run(Observe(text=f"{name} before", role="user"))
    children = []
    for number in range(FORKS):
        child = os.fork()
        if child == 0:
            if number % 3 != 2:
                memory.run(Observe(text=f"{name} child {number}", role="user"))
            if number % 3 == 0:
                os._exit(0)
            memory.close()
            sys.exit(0)
        children.append(child)
        memory.run(Observe(text=f"{name} parent {number}", role="user"))
    ends = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    memory.run(Observe(text=f"{name} after", role="user"))
    return {"ends": ends}


def thread(memory: Memory, name: str) -> dict[str, object]:
    """Several threads that share one memory."""
    failed: list[BaseException] = []

    def run(own: str) -> None:
        try:
            write(memory, own)
            read(memory, own)
        except BaseException as error:
            failed.append(error)
            raise

    threads = [threading.Thread(target=run, args=(f"{name}.{n}",)) for n in range(THREADS)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return {"failed": [repr(error) for error in failed]}


ROLES = {"write": write, "read": read, "fork": fork, "thread": thread}

if __name__ == "__main__":
    with Memory.open(Path(sys.argv[3])) as opened:
        print("ready", flush=True)
        sys.stdin.readline()
        print(json.dumps(ROLES[sys.argv[1]](opened, sys.argv[2])), flush=True)
