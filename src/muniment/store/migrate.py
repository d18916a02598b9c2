"""The ledger's own tables, by numbered steps.  No step rewrites a stored byte."""

from __future__ import annotations

import apsw
import msgspec

from muniment import errors
from muniment.store import connect
from muniment.store.failures import translated


class Migration(msgspec.Struct, frozen=True, kw_only=True):
    """One step: what it makes, statement by statement."""

    number: int
    name: str
    statements: tuple[str, ...]


MIGRATIONS: tuple[Migration, ...] = (
    Migration(
        number=1,
        name="the ledger, the scope, and what is pending",
        statements=(
            """CREATE TABLE scope (
                number INTEGER PRIMARY KEY,
                id TEXT NOT NULL,
                name TEXT,
                secret BLOB NOT NULL,
                limits TEXT NOT NULL
            ) STRICT""",
            # `seq` is the last of the commit's events; a first commit has none and stands at 0.
            """CREATE TABLE commits (
                scope INTEGER NOT NULL,
                chain TEXT NOT NULL,
                seq INTEGER NOT NULL,
                height INTEGER NOT NULL,
                hash BLOB NOT NULL,
                header BLOB NOT NULL,
                PRIMARY KEY (scope, chain, seq)
            ) STRICT, WITHOUT ROWID""",
            # `place` is the event's seq, negative for the journal chain: a row of a few
            # kilobytes then lies whole on its page, which it would not without a rowid.
            """CREATE TABLE content (
                scope INTEGER NOT NULL,
                place INTEGER PRIMARY KEY,
                salt BLOB NOT NULL,
                bytes BLOB NOT NULL
            ) STRICT""",
            """CREATE TABLE projection (
                name TEXT PRIMARY KEY,
                fingerprint TEXT NOT NULL,
                engine TEXT NOT NULL,
                seal TEXT NOT NULL
            ) STRICT, WITHOUT ROWID""",
            """CREATE TABLE pending (
                work TEXT PRIMARY KEY,
                receipt TEXT NOT NULL
            ) STRICT, WITHOUT ROWID""",
        ),
    ),
)
BESIDE = ("projection", "pending")  # what a file can lose without losing anything that was said


def latest() -> int:
    """The version that the last step leads to."""
    return MIGRATIONS[-1].number


def pending(connection: apsw.Connection) -> tuple[Migration, ...]:
    """The steps that this file has not seen, in order.

    Raises:
        FileNewer: it has seen steps that this program does not know.
    """
    seen = connect.version(connection)
    if seen > latest():
        raise errors.FileNewer(f"the file is of version {seen}, this program knows {latest()}")
    return tuple(step for step in MIGRATIONS if step.number > seen)


def check(connection: apsw.Connection) -> None:
    """Nothing, if the file has seen every step and may be written.

    Raises:
        MigrationNeeded: it has not.
        FileNewer: it has seen steps that this program does not know.
    """
    steps = pending(connection)
    if steps:
        seen = connect.version(connection)
        raise errors.MigrationNeeded(
            f"the file is of version {seen}, this program writes {latest()}; run migrate"
        )


def migrate(connection: apsw.Connection, to: int | None = None) -> tuple[Migration, ...]:
    """The steps taken, all or those up to `to`; inside a transaction of the caller's."""
    steps = tuple(step for step in pending(connection) if to is None or step.number <= to)
    try:
        for step in steps:
            for statement in step.statements:
                connection.execute(statement)
            connection.pragma("user_version", step.number)
    except apsw.Error as error:
        raise translated(error) from error
    return steps


def complete(connection: apsw.Connection) -> None:
    """Makes the tables again that hold nothing of the ledger, where they are missing.

    Inside a transaction of the caller's, on a file that has seen every step.
    """
    present = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema").fetchall()}
    for step in MIGRATIONS:
        for statement in step.statements:
            name = statement.split()[2]
            if name in BESIDE and name not in present:
                connection.execute(statement)
