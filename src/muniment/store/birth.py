"""A new scope's file: its tables, its identity, the first commit of both chains, and a second."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from muniment import limits
from muniment.model import canonical
from muniment.model.event import Genesis
from muniment.store import connect, files, ledger, migrate, projector, tx
from muniment.store.interrupts import note_written
from muniment.store.opened import Settings
from muniment.store.projector import Projection
from muniment.store.tx import ScopeRow, Write

# Stand in the first header, hashed, so that nobody can widen them later.
LIMITS = {
    "covers_max": limits.COVERS_MAX,
    "key_bytes_max": limits.KEY_BYTES_MAX,
    "message_bytes_max": limits.MESSAGE_BYTES_MAX,
    "notes_per_commit_max": limits.NOTES_PER_COMMIT_MAX,
    "record_text_bytes_max": limits.RECORD_TEXT_BYTES_MAX,
    "sources_max": limits.SOURCES_MAX,
    "state_bytes_max": limits.STATE_BYTES_MAX,
    "state_value_bytes_max": limits.STATE_VALUE_BYTES_MAX,
    "state_writes_per_commit_max": limits.STATE_WRITES_PER_COMMIT_MAX,
}
SECRET_BYTES = 32
ID_BYTES = 16


@contextmanager
def making(
    path: Path,
    name: str,
    projections: Sequence[Projection],
    now_ms: int,
    settings: Settings,
) -> Iterator[Write]:
    """The first transaction of the scope called `name`, whose file is at `path` afterwards.

    What fails inside leaves no file: a scope begins with something that was accepted.

    Raises:
        Unavailable: it cannot be made.
    """
    # In this order: golden files pin what is drawn first.
    id, secret = settings.entropy(ID_BYTES), settings.entropy(SECRET_BYTES)
    assert (len(secret), len(id)) == (SECRET_BYTES, ID_BYTES), "counted where it is drawn"
    allowed = {**LIMITS, **settings.limits}
    row = ScopeRow(
        number=1,
        id=id.hex(),
        name=name,
        secret=secret,
        limits=canonical.encode(allowed).decode(),
    )
    genesis = Genesis(
        name_tag=canonical.tag(secret, "scope", name),
        secret_digest=canonical.digest(canonical.SECRET_DOMAIN, secret).hex(),
        limits=allowed,
    )
    with files.making(path) as unfinished:
        connection = connect.fresh(unfinished)
        try:
            with tx.writing(connection):
                migrate.migrate(connection)
                write = Write(connection, row)
                tx.add_scope(write)
                ledger.begin(write, genesis, now_ms)
                projector.create(write, projections)
                yield write
            connect.fold_log(connection)
        finally:
            connection.close()
    note_written()
