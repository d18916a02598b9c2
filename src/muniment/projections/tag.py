"""Keyed tags of external ids and command keys: what recognises a repeat, also of what is erased.

Looked up by a tag's first eight bytes and compared in full with the shape in the ledger.  Beside
them, which commands found a thing standing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from muniment.model import event
from muniment.model.event import Event
from muniment.model.event_kinds import CommandAnswered, MessageObserved
from muniment.store import ledger
from muniment.store.projector import Difference, row_differences
from muniment.store.tx import Read, Write

NAME = "tag"
VERSION = 1
DDL = (
    """CREATE TABLE tag (
        scope INTEGER NOT NULL,
        prefix INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        PRIMARY KEY (scope, prefix, seq)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE answer (
        scope INTEGER NOT NULL,
        known INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        PRIMARY KEY (scope, known, seq)
    ) STRICT, WITHOUT ROWID""",
)
TABLES = {
    "tag": "SELECT seq, prefix, scope FROM tag ORDER BY seq, prefix, scope",
    "answer": "SELECT seq, known, scope FROM answer ORDER BY seq, known, scope",
}


def on_message_observed(write: Write, events: Sequence[Event]) -> None:
    """The external ids of messages."""
    _insert(
        write,
        [
            (observed.shape.external_tag, observed.seq)
            for observed in events
            if isinstance(observed.shape, MessageObserved)
        ],
    )


def on_command_answered(write: Write, events: Sequence[Event]) -> None:
    """The command keys of records and state, and what their commands found standing."""
    shapes = [answered.shape for answered in events if isinstance(answered.shape, CommandAnswered)]
    _insert(write, [(shape.command_tag, shape.seq) for shape in shapes])
    write.many(
        "INSERT OR IGNORE INTO answer (scope, known, seq) VALUES (?, ?, ?)",
        [
            (write.scope.number, event.reference(id).seq, shape.seq)
            for shape in shapes
            for _, id in shape.known
        ],
    )


ON = {MessageObserved: on_message_observed, CommandAnswered: on_command_answered}


def differences(real: Read, right: Read) -> Iterator[Difference]:
    """Row by row."""
    return row_differences(real, right, TABLES)


def external(read: Read, tag: str) -> Event | None:
    """The message with this external tag, without its content."""
    return externals(read, [tag]).get(tag)


def externals(read: Read, tags: Sequence[str]) -> dict[str, Event]:
    """The messages with these external tags, without their contents, by tag."""
    rows = read.among(
        "SELECT seq FROM tag WHERE scope = ? AND prefix IN ",
        read.scope.number,
        [event.signed(tag[:16]) for tag in tags],
    )
    wanted = set(tags)
    found: dict[str, Event] = {}
    for seq in sorted({row[0] for row in rows}):
        message = ledger.event_at(read, seq)
        if isinstance(message.shape, MessageObserved):
            tag = message.shape.external_tag
            if tag in wanted and tag is not None:
                found.setdefault(tag, message)
    return found


def command(read: Read, tag: str) -> Event | None:
    """The event that remembers the command with this tag, without its content."""
    for found in _events(read, tag):
        if isinstance(found.shape, CommandAnswered) and found.shape.command_tag == tag:
            return found
    return None


def answers(read: Read, seq: int) -> list[int]:
    """The seqs of the commands that found what is at `seq` standing, in order."""
    return read.column(
        "SELECT seq FROM answer WHERE scope = ? AND known = ? ORDER BY seq",
        (read.scope.number, seq),
    )


def _events(read: Read, tag: str) -> Iterator[Event]:
    for seq in read.column(
        "SELECT seq FROM tag WHERE scope = ? AND prefix = ? ORDER BY seq",
        (read.scope.number, event.signed(tag[:16])),
    ):
        yield ledger.event_at(read, seq)


def _insert(write: Write, tags: Sequence[tuple[str | None, int]]) -> None:
    write.many(
        "INSERT INTO tag (scope, prefix, seq) VALUES (?, ?, ?)",
        [(write.scope.number, event.signed(tag[:16]), seq) for tag, seq in tags if tag is not None],
    )
