"""`python -m tests.faults.dying WRITE BASE OUT MOST`: a write that is killed at each of its moments.

A moment is a statement of SQL, a write, sync or removal of the engine's, or a file that Python
opens, links, renames or removes.  For each of up to MOST moments a child is forked that works on
its own copy of BASE, in OUT, and kills itself there; a write of the engine is torn in the middle.
On standard output: how many moments the whole write has.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

import apsw

from tests.faults import writes

FILE_EVENTS = ("open", "os.link", "os.mkdir", "os.remove", "os.rename")


class Moments:
    """Counts moments from the time it is armed, and ends the process at one of them."""

    def __init__(self) -> None:
        self.armed = False
        self.seen = 0
        self.last: int | None = None

    def pass_one(self) -> bool:
        """Whether this is the last moment: then whoever asked does half of its work and dies."""
        if not self.armed:
            return False
        self.seen += 1
        return self.seen == self.last

    def at_call(self, *_: Any) -> bool:
        """Dies here or goes on."""
        if self.pass_one():
            die()
        return True


MOMENTS = Moments()


def die() -> None:
    """What the system does to a process that nobody asked."""
    os.kill(os.getpid(), signal.SIGKILL)


class DyingFile(apsw.VFSFile):
    """A file of the engine's whose writes are moments."""

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - the driver's name
        """Writes all, or half and no more."""
        if MOMENTS.pass_one():
            super().xWrite(data[: len(data) // 2], offset)
            die()
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802 - the driver's name
        """Syncs, if it comes to that."""
        MOMENTS.at_call()
        super().xSync(flags)

    def xTruncate(self, size: int) -> None:  # noqa: N802 - the driver's name
        """Truncates, if it comes to that."""
        MOMENTS.at_call()
        super().xTruncate(size)


class DyingSystem(apsw.VFS):
    """The system's files, for the engine."""

    def __init__(self) -> None:
        self.below = apsw.vfs_names()[0]
        super().__init__("dying", self.below, makedefault=True)

    def xOpen(self, name: Any, flags: Any) -> apsw.VFSFile:  # noqa: N802 - the driver's name
        """A file whose writes are moments."""
        return DyingFile(self.below, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802 - the driver's name
        """Removes, if it comes to that."""
        MOMENTS.at_call()
        super().xDelete(filename, syncdir)


def watch() -> None:
    """From here on everything that a memory does passes through moments."""

    def on_event(event: str, _: tuple[Any, ...]) -> None:
        if event in FILE_EVENTS:
            MOMENTS.at_call()

    def on_connection(connection: apsw.Connection) -> None:
        connection.exec_trace = MOMENTS.at_call

    sys.addaudithook(on_event)
    apsw.connection_hooks.append(on_connection)


def work(name: str, directory: Path, last: int | None) -> int:
    """Does the write, or dies at its moment `last`; how many there were."""
    MOMENTS.last = last
    with writes.opened(directory) as memory:
        MOMENTS.armed = True
        {**writes.WRITES, **writes.OTHERS}[name](memory, directory)
    MOMENTS.armed = False
    return MOMENTS.seen


def forked(name: str, base: Path, directory: Path, last: int | None) -> int:
    """The exit status of a child that does the write on a copy; -9 where it was killed."""
    shutil.copytree(base, directory)
    child = os.fork()
    if child == 0:
        seen = work(name, directory, last)
        (directory / "answered").write_text(str(seen))
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main() -> None:
    """See above."""
    name, base, out, most = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])
    # What is loaded on first use is loaded before, so that a child does the write alone.
    writes.prepare(out / "loaded")
    for write in (*writes.WRITES.values(), *writes.OTHERS.values()):
        with writes.opened(out / "loaded") as memory:
            write(memory, out / "loaded")
    shutil.rmtree(out / "loaded")
    system = DyingSystem()
    watch()
    assert forked(name, base, out / "whole", None) == 0
    total = int((out / "whole" / "answered").read_text())
    for number in range(min(most, total)):
        last = 1 + number * (total - 1) // max(1, min(most, total) - 1)
        status = forked(name, base, out / f"{last:06}", last)
        assert status == -signal.SIGKILL, (last, status)
    system.unregister()
    print(total)


if __name__ == "__main__":
    main()
