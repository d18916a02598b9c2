"""Derived tables, generically: make them, show them events, make them again, compare them.

A projection is a pure fold over the ledger.  It names its tables, the statements that make them,
and what it does with each kind of event; which projections there are is said by the caller.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Protocol

import msgspec

from muniment import limits
from muniment.errors import BrokenFile, BrokenLedger, NotFound, RebuildNeeded
from muniment.model import event
from muniment.model.event import Event
from muniment.store import ledger, made, pages, scrub
from muniment.store.tx import Read, Write

Handler = Callable[[Write, Sequence[Event]], None]


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """A place where a derived table is not what the ledger says.  `unread`: it cannot be read."""

    table: str
    seq: int | None
    detail: str
    unread: bool = False


class Projection(Protocol):
    """One file of `muniment.projections`."""

    @property
    def NAME(self) -> str:  # noqa: N802 - a module's constant, as all of these
        """What it is called in the table of fingerprints."""

    @property
    def VERSION(self) -> int:  # noqa: N802
        """Counts the meanings that the same statements have had."""

    @property
    def DDL(self) -> tuple[str, ...]:  # noqa: N802
        """The statements that make its tables."""

    @property
    def TABLES(self) -> Mapping[str, str]:  # noqa: N802
        """Each table, with the query of all its rows in a total order."""

    @property
    def ON(self) -> Mapping[Any, Handler]:  # noqa: N802
        """What it does with each kind of event, by the shape's type."""

    def differences(self, real: Read, right: Write) -> Iterator[Difference]:
        """Where the tables differ from those folded again into `right`."""


def fingerprint(projection: Projection) -> str:
    """What changes when the projection's tables or their meaning change; 16 hex digits."""
    return _fingerprint(projection.NAME, str(projection.VERSION), *projection.DDL)


@cache
def _fingerprint(*said: str) -> str:
    return hashlib.sha256("\n".join(said).encode()).hexdigest()[:16]


def create(write: Write, projections: Sequence[Projection]) -> None:
    """Empty tables for these projections."""
    for projection in projections:
        for statement in projection.DDL:
            write.run(statement)
        made.note(write, projection.NAME, fingerprint(projection))


def apply(write: Write, projections: Sequence[Projection], events: Sequence[Event]) -> None:
    """Shows the events, in their order, to each projection."""
    runs = list(_runs(events))
    for projection in projections:
        for kind, run in runs:
            handler = projection.ON.get(kind)
            if handler is not None:
                handler(write, run)


def outdated(read: Read, projections: Sequence[Projection]) -> list[Projection]:
    """The projections whose tables are missing or of another version."""
    return _other_than(made.read_all(read), projections)


def prepare(write: Write, projections: Sequence[Projection]) -> bool:
    """Every projection can be written: those of another version are made again.

    Whether anything had to be written for that.
    """
    found = made.read_all(write)
    touched = made.touched(write, found)
    old = _other_than(found, projections)
    if old:
        rebuild(write, old)
    return touched or bool(old)


def check(read: Read, projections: Sequence[Projection]) -> None:
    """Nothing, where every projection can be read.

    Raises:
        RebuildNeeded: one is missing or of another version.
    """
    old = outdated(read, projections)
    if old:
        names = ", ".join(projection.NAME for projection in old)
        raise RebuildNeeded(f"made by another version or missing: {names}; run rebuild")


def rebuild(
    write: Write, projections: Sequence[Projection], broken: Collection[str] = ()
) -> dict[str, int]:
    """Makes the tables again from the ledger; the rows of each.

    `broken` are tables that the engine cannot read and so cannot drop.
    """
    disarm(write)
    for projection in projections:
        for table in projection.TABLES:
            if table in broken:
                _strike(write, table)
            else:
                write.run(f"DROP TABLE IF EXISTS {table}")
    create(write, projections)
    fold(write, write, projections)
    return {
        table: _count(write, table) for projection in projections for table in projection.TABLES
    }


def disarm(write: Write) -> None:
    """No trigger and no view is left, of which there are none of ours.

    A trigger would act on what is about to be written, and keep a copy of what is erased.
    """
    for kind, name in write.rows(
        "SELECT type, name FROM sqlite_schema WHERE type IN ('trigger', 'view') ORDER BY type, name"
    ):
        quoted = name.replace('"', '""')
        write.run(f'DROP {kind} IF EXISTS "{quoted}"')


def broken(read: Read, projections: Sequence[Projection]) -> list[str]:
    """The tables of which the engine cannot read every page, or nothing at all.

    Asked outside of a transaction that writes: the engine does not go on with one in which it
    has met a broken page.
    """
    tables = (table for projection in projections for table in projection.TABLES)
    return [table for table in tables if not _sound(read, table)]


def fold(read: Read, write: Write, projections: Sequence[Projection]) -> None:
    """Shows every event that `read` holds to the projections' tables in `write`.

    Raises:
        BrokenLedger: what is stored is not what a ledger says; verify names the place.
    """
    try:
        _fold(read, write, projections)
    except (LookupError, NotFound, OverflowError, RebuildNeeded, ValueError) as error:
        # Only bytes that were changed get here: an id that is none, a seq that was there already.
        raise BrokenLedger(f"the ledger cannot be folded: {error}") from error


def _fold(read: Read, write: Write, projections: Sequence[Projection]) -> None:
    batch: list[Event] = []
    for chain in (event.MEMORY, event.JOURNAL):
        for events in ledger.events(read, chain):
            batch += events
            if len(batch) >= limits.IMPORT_BATCH_EVENTS:
                apply(write, projections, batch)
                batch = []
    apply(write, projections, batch)


def row_differences(real: Read, right: Read, tables: Mapping[str, str]) -> Iterator[Difference]:
    """Row by row, in the order of each table's query.  A row's first value is its seq."""
    for table, query in tables.items():
        yield from readable(table, _table_differences(real, right, table, query))


def readable(table: str, differences: Iterator[Difference]) -> Iterator[Difference]:
    """The differences of one table, of which one is that it cannot be read; others go on."""
    try:
        yield from differences
    except (BrokenFile, RebuildNeeded) as error:
        yield Difference(table=table, seq=None, detail=error.detail, unread=True)


def _table_differences(real: Read, right: Read, table: str, query: str) -> Iterator[Difference]:
    left = real.each(query)
    for wanted in right.each(query):
        found = next(left, None)
        if found != wanted:
            yield Difference(table=table, seq=_seq(wanted), detail=_where(found, wanted))
            return
    extra = next(left, None)
    if extra is not None:
        yield Difference(table=table, seq=_seq(extra), detail="a row too many")


def _other_than(
    found: Mapping[str, made.Made], projections: Sequence[Projection]
) -> list[Projection]:
    present = {name: each.fingerprint for name, each in found.items()}
    return [known for known in projections if present.get(known.NAME) != fingerprint(known)]


def _where(found: tuple[Any, ...] | None, wanted: tuple[Any, ...]) -> str:
    if found is None:
        return "the table ends too early"
    places = [
        index for index, pair in enumerate(zip(found, wanted, strict=False)) if pair[0] != pair[1]
    ]
    return f"the row differs in column {places[0] if places else len(wanted)}"


def _seq(row: tuple[Any, ...]) -> int | None:
    return row[0] if isinstance(row[0], int) else None


def _runs(events: Sequence[Event]) -> Iterator[tuple[type[Any], Sequence[Event]]]:
    """The events in runs of one kind."""
    start = 0
    for index in range(1, len(events) + 1):
        if index == len(events) or type(events[index].shape) is not type(events[start].shape):
            yield type(events[start].shape), events[start:index]
            start = index


def _count(read: Read, table: str) -> int:
    number = read.value(f"SELECT count(*) FROM {table}")
    assert isinstance(number, int)
    return number


def _sound(read: Read, table: str) -> bool:
    parts = read.column(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND (name = ? OR name GLOB ?)",
        (table, f"{table}_*"),
    )
    return not any(pages.damage(read, part) for part in parts)


def _strike(write: Write, table: str) -> None:
    """The table and its parts are no longer listed.

    Their pages are nobody's from now on, until the whole file is written anew.
    """
    write.run("PRAGMA writable_schema = ON")
    write.run(
        "DELETE FROM sqlite_schema WHERE tbl_name = ? OR tbl_name GLOB ?", (table, f"{table}_*")
    )
    write.run("PRAGMA writable_schema = RESET")
    scrub.owe(write, table, scrub.COMPACTION)
