"""The deep check: the file's pages, the statements its tables were made by, and every derived row.

Everything is folded again into a private database and compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import apsw

from muniment.errors import BrokenFile, BrokenLedger, RebuildNeeded
from muniment.model.integrity import Fault
from muniment.store import connect, migrate, pages, projector
from muniment.store.projector import Projection
from muniment.store.tx import Read, Write


def faults(read: Read, projections: Sequence[Projection]) -> Iterator[Fault]:
    """What is wrong outside the chain itself."""
    for line in pages.damage(read):
        yield Fault(code="file_malformed", detail=line)
    yield from _definitions(read, projections)
    scratch = connect.scratch()
    try:
        right = Write(scratch, read.scope)
        right.run("CREATE TABLE projection (name TEXT PRIMARY KEY, fingerprint TEXT NOT NULL)")
        projector.create(right, projections)
        projector.fold(read, right, projections)
        for projection in projections:
            yield from _compared(projection, read, right)
    except BrokenLedger as error:
        # The chain's own check has named the place; without it nothing can be folded.
        yield Fault(code="not_folded", detail=error.detail)
    finally:
        scratch.close()


def _definitions(read: Read, projections: Sequence[Projection]) -> Iterator[Fault]:
    """Tables, indexes and triggers other than those that this program makes."""
    version = connect.version(read.connection)
    # A file that has not seen the last steps is right without them.
    known = 0 < version <= migrate.latest()
    wanted = connect.scratch()
    try:
        migrate.migrate(wanted, version if known else None)
        for projection in projections:
            for statement in projection.DDL:
                wanted.execute(statement)
        right = _schema(Read(wanted, read.scope))
    finally:
        wanted.close()
    present = _schema(read)
    for name in sorted(right.keys() | present.keys(), key=str):
        if present.get(name) != right.get(name):
            code = "table_missing" if name not in present else "table_differs"
            yield Fault(code=code, table=name)
    stored: dict[str, str] = dict(read.rows("SELECT name, fingerprint FROM projection"))
    made = {projection.NAME: projector.fingerprint(projection) for projection in projections}
    for name in sorted(made.keys() | stored.keys(), key=str):
        if stored.get(name) != made.get(name):
            yield Fault(code="fingerprint_differs", table="projection", detail=name)
    if not known:
        yield Fault(code="version_differs", detail=str(version))


def _schema(read: Read) -> dict[str, str]:
    return dict(
        read.rows(
            "SELECT name, coalesce(sql, '') FROM sqlite_schema"
            " WHERE name NOT LIKE 'sqlite_%' ORDER BY name"
        )
    )


def _compared(projection: Projection, read: Read, right: Write) -> Iterator[Fault]:
    try:
        for found in projection.differences(read, right):
            yield Fault(
                code="row_differs", chain="m", seq=found.seq, table=found.table, detail=found.detail
            )
    except (BrokenFile, RebuildNeeded, apsw.Error) as error:
        table = next(iter(projection.TABLES))
        yield Fault(code="table_unreadable", table=table, detail=str(error))
