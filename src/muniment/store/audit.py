"""The deep check: the file's pages, the statements its tables were made by, and every derived row.

Everything is folded again into a private database and compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import apsw

from muniment.errors import BrokenFile, BrokenLedger, RebuildNeeded
from muniment.model.integrity import Fault
from muniment.store import connect, made, migrate, pages, projector, scrub, tx
from muniment.store.checked import kept_going
from muniment.store.projector import Projection
from muniment.store.tx import Read, Write

_STATISTICS = re.compile(r"sqlite_stat[0-9]\Z")


def faults(read: Read, projections: Sequence[Projection]) -> Iterator[Fault]:
    """What is wrong outside the chain itself."""
    for line in pages.damage(read):
        yield Fault(code="file_malformed", detail=line)
    yield from kept_going("projection", _makers(read, projections))
    yield from kept_going("pending", _owed(read, projections))
    other = _of_another_version(read, projections)
    known = [each for each in projections if each not in other]
    scratch = connect.scratch()
    try:
        with tx.writing(scratch):
            right = Write(scratch, read.scope)
            # A file that has not seen the last steps is right without them.
            migrate.migrate(scratch, connect.version(read.connection) or None)
            projector.create(right, projections)
            yield from kept_going("sqlite_schema", _definitions(read, right, other))
            projector.fold(read, right, known)
            for projection in known:
                yield from kept_going(
                    next(iter(projection.TABLES)), _compared(projection, read, right)
                )
    except (BrokenFile, BrokenLedger) as error:
        # The chain's own check has named the place; without it nothing can be folded.
        yield Fault(code="not_folded", detail=error.detail)
    finally:
        scratch.close()


def _owed(read: Read, projections: Sequence[Projection]) -> Iterator[Fault]:
    """What no erasure and no broken table left to be done."""
    if scrub.unknown(read, {table for each in projections for table in each.TABLES}):
        yield Fault(code="row_differs", table="pending")


def _version_known(read: Read) -> bool:
    return 0 < connect.version(read.connection) <= migrate.latest()


def unchecked(read: Read, projections: Sequence[Projection]) -> Iterator[str]:
    """What this program cannot judge, in words."""
    if not pages.countable():
        yield "pages that belong to nothing: this database engine cannot list those in use"
    for projection in _of_another_version(read, projections):
        yield f"{projection.NAME} tables: made by another version; rebuild makes them again"
    noted = made.read_all(read)
    for projection in projections:
        # Plain rows are compared whoever wrote them; an index is laid out as its engine likes.
        index = any("VIRTUAL TABLE" in statement for statement in projection.DDL)
        each = noted.get(projection.NAME)
        if index and each is not None and each.whole and each.engine != connect.engine():
            yield f"{projection.NAME} tables: how another engine laid them out"


def _of_another_version(read: Read, projections: Sequence[Projection]) -> list[Projection]:
    """Those whose tables another program made, by its own word."""
    noted = made.read_all(read)
    return [
        each
        for each in projector.outdated(read, projections)
        if each.NAME in noted and noted[each.NAME].whole
    ]


def _makers(read: Read, projections: Sequence[Projection]) -> Iterator[Fault]:
    """Every projection is noted, no other one is, and no note was changed."""
    noted = made.read_all(read)
    known = {projection.NAME for projection in projections}
    for name in sorted(known | noted.keys(), key=str):
        if name not in known or name not in noted or not noted[name].whole:
            yield Fault(code="fingerprint_differs", table="projection", detail=str(name))
    if not _version_known(read):
        version = connect.version(read.connection)
        yield Fault(code="version_differs", detail=str(version))


def _definitions(read: Read, right: Write, other: Sequence[Projection]) -> Iterator[Fault]:
    """Tables, indexes and triggers other than those that this program makes.

    `other` are the projections of another version, which has its own.
    """
    wanted, present = _schema(right), _schema(read)
    theirs = tuple(table for projection in other for table in projection.TABLES)
    for name in sorted(wanted.keys() | present.keys(), key=str):
        if str(name).startswith(theirs) or (other and name not in wanted):
            continue
        if present.get(name) != wanted.get(name):
            code = "table_missing" if name not in present else "table_differs"
            yield Fault(code=code, table=name)


def foreign(read: Read, projections: Sequence[Projection]) -> list[str]:
    """The names of tables in the file that this program does not make."""
    statements = [said for step in migrate.MIGRATIONS for said in step.statements]
    statements += [said for projection in projections for said in projection.DDL]
    made_here = " ".join(statements)
    ours = set(re.findall(r"TABLE (\w+)", made_here))
    virtual = tuple(f"{name}_" for name in re.findall(r"VIRTUAL TABLE (\w+)", made_here))
    present = read.column("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    return [
        name
        for name in present
        if name not in ours and not name.startswith(virtual) and not _STATISTICS.match(name)
    ]


def _schema(read: Read) -> dict[str, str]:
    return dict(
        read.rows(
            "SELECT CAST(name AS TEXT), concat_ws(' ', type, tbl_name, sql, typeof(type), typeof(name),"
            " typeof(tbl_name), typeof(sql)) FROM sqlite_schema"
            " WHERE name NOT GLOB 'sqlite_stat[0-9]' ORDER BY name"
        )
    )


def _compared(projection: Projection, read: Read, right: Write) -> Iterator[Fault]:
    try:
        for found in projection.differences(read, right):
            if found.unread:
                yield Fault(code="table_unreadable", table=found.table, detail=found.detail)
                continue
            yield Fault(
                code="row_differs", chain="m", seq=found.seq, table=found.table, detail=found.detail
            )
    except (BrokenFile, RebuildNeeded, apsw.Error) as error:
        table = next(iter(projection.TABLES))
        yield Fault(code="table_unreadable", table=table, detail=str(error))
