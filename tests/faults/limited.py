"""`python -m tests.faults.limited WRITE BASE OUT KILOBYTES...`: a write with little room.

For each number a child is forked that works on its own copy of BASE in OUT, and whose files may
not grow beyond so many kilobytes.  On standard output: a line for each, the number and the code of
the error, or `ok`.
"""

from __future__ import annotations

import os
import resource
import shutil
import sys
from pathlib import Path

from muniment.errors import MunimentError
from tests.faults import writes


def answer(name: str, directory: Path, kilobytes: int) -> str:
    """The code that the write ends with."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (kilobytes * 1024, resource.RLIM_INFINITY))
    try:
        with writes.opened(directory) as memory:
            writes.WRITES[name](memory, directory)
    except MunimentError as error:
        return error.code
    return "ok"


def main() -> None:
    """See above."""
    name, base, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    for kilobytes in map(int, sys.argv[4:]):
        directory = out / str(kilobytes)
        shutil.copytree(base, directory)
        child = os.fork()
        if child == 0:
            print(kilobytes, answer(name, directory, kilobytes), flush=True)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, kilobytes


if __name__ == "__main__":
    main()
