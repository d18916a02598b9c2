"""One write of each kind, and the little store that it is done to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from muniment import (
    Backup,
    Commit,
    Erase,
    Import,
    Memory,
    Migrate,
    Note,
    Observe,
    Rebuild,
    Recall,
    Remember,
)
from muniment.store import migrate as migrating
from muniment.store.migrate import Migration
from tests.conftest import Clock
from tests.golden.make import entropy

STEP = Migration(
    number=2,
    name="marks",
    statements=(
        "CREATE TABLE mark (seq INTEGER PRIMARY KEY, word TEXT NOT NULL) STRICT",
        "CREATE INDEX mark_by_word ON mark (word)",
        "ALTER TABLE scope ADD COLUMN nickname TEXT",
    ),
)
CANARY = "xylophonecanary"
SECRET = f"The {CANARY} sleeps at the old harbour."


def opened(directory: Path) -> Memory:
    """The memory of these tests, with a clock that counts and chance that is the same each time."""
    return Memory.open(directory, clock=Clock(), entropy=entropy("faults"))


def prepare(directory: Path) -> None:
    """A scope with something to supersede, to cite and to forget, and a file to import."""
    # Of another chance than what is written later: two scopes of one would be the same scope.
    with Memory.open(directory, clock=Clock(), entropy=entropy("base")) as memory:
        said = memory.observe("The harbour opens at nine.", role="user", thread="t").id
        secret = memory.observe(SECRET, role="user", actor=CANARY, tags=(CANARY,)).id
        memory.remember("The harbour opens at nine.", key="harbour", sources=(said,))
        memory.remember(f"It is the {CANARY}.", kind="summary", sources=(secret,), covers=(secret,))
        memory.run(Recall(query=CANARY, record=True))
    turns = [{"role": "user", "content": f"imported line {number}"} for number in range(12)]
    (directory / "turns.json").write_text(json.dumps(turns))


def observe(memory: Memory, directory: Path) -> None:
    """One message."""
    memory.run(Observe(text="A new day.", role="user", external_id="day", thread="t"))


def remember(memory: Memory, directory: Path) -> None:
    """A new version of a record."""
    memory.run(Remember(text="The harbour opens at ten.", key="harbour", sources=("e1",)))


def commit(memory: Memory, directory: Path) -> None:
    """Several records and state keys, under a command key."""
    notes = (
        Note(text="The ferry is late.", sources=("e1",)),
        Note(text="Ask for the pilot.", kind="task"),
        Note(text="The harbour opens at nine.", key="harbour", sources=("e1",)),
    )
    memory.run(Commit(notes=notes, state={"mood": "calm", "n": 1}, command_key="once"))


def take_in(memory: Memory, directory: Path) -> None:
    """A file of several messages in one commit."""
    memory.run(Import(file=str(directory / "turns.json")))


def recall(memory: Memory, directory: Path) -> None:
    """A recall with its receipt on the journal."""
    memory.run(Recall(query="harbour", record=True))


def rebuild(memory: Memory, directory: Path) -> None:
    """Every derived table made again."""
    memory.run(Rebuild())


def erase(memory: Memory, directory: Path) -> None:
    """One event, with what was made from it, and every trace."""
    planned = memory.run(Erase(event="e2"))
    memory.run(Erase(event="e2", confirm=planned.token))


def erase_all(memory: Memory, directory: Path) -> None:
    """Everything in the scope, and its name."""
    planned = memory.run(Erase(all=True))
    memory.run(Erase(all=True, confirm=planned.token))


def create(memory: Memory, directory: Path) -> None:
    """The first message of a scope that is not there yet."""
    memory.run(Observe(scope="new", text="The first word.", role="user"))


def back_up(memory: Memory, directory: Path) -> None:
    """A copy, in a directory of its own."""
    (directory / "kept").mkdir(exist_ok=True)
    copy = directory / "kept" / "copy.muniment"
    copy.unlink(missing_ok=True)
    memory.run(Backup(file=str(copy)))


def migrate(memory: Memory, directory: Path) -> None:
    """A later program takes its steps."""
    with later():
        memory.run(Migrate())


@contextmanager
def later() -> Iterator[None]:
    """The program of a later release, which knows one step more."""
    known = migrating.MIGRATIONS
    migrating.MIGRATIONS = (*known, STEP)
    try:
        yield
    finally:
        migrating.MIGRATIONS = known


Write = Callable[[Memory, Path], None]
WRITES: Mapping[str, Write] = {
    write.__name__: write
    for write in (observe, remember, commit, take_in, recall, rebuild, erase, erase_all, create)
}
# These have checks of their own: a migrated file is none for today's program any more.
OTHERS: Mapping[str, Write] = {write.__name__: write for write in (back_up, migrate)}
