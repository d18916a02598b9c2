"""Transactions: everything of one command appears together, or nothing of it.

`BEGIN`, `COMMIT` and `ROLLBACK` stand in this file only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableMapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import apsw
import msgspec

from muniment import errors
from muniment.store.failures import translated

T = TypeVar("T")

Row = tuple[Any, ...]
ROLLBACK_TRIES = 3
_AMONG = (1, 4, 16, 64, 256)
AMONG_MAX = _AMONG[-1]
_FEW = 3  # rows up to which each is checked by itself: to begin with a list takes as long as three


class ScopeRow(msgspec.Struct, frozen=True, kw_only=True):
    """Who the file belongs to.  `name` is None once erased.

    `wrong`: the columns whose values are of other types than theirs, and are left blank here.
    """

    number: int
    id: str
    name: str | None
    secret: bytes
    limits: str
    wrong: tuple[str, ...] = ()


class Tip(msgspec.Struct, frozen=True, kw_only=True):
    """Where a chain stands: its last commit."""

    head: str
    height: int
    seq: int


class Read:
    """One snapshot of one scope: everything read through it belongs to the same moment."""

    def __init__(
        self,
        connection: apsw.Connection,
        scope: ScopeRow,
        kept: MutableMapping[str, Any] | None = None,
    ) -> None:
        self.connection = connection
        self.scope = scope
        # What is held in memory for the file between transactions; may be gone at any time.
        self.kept = {} if kept is None else kept
        self.decoded: dict[Any, Any] = {}  # commits decoded in this transaction, newest last
        self.tips: dict[str, Tip] = {}  # where the chains stand in this transaction

    def each(self, sql: str, values: Sequence[Any] = ()) -> Iterator[Row]:
        """The rows of one statement, one at a time."""
        try:
            yield from self.connection.execute(sql, values)
        except (apsw.Error, UnicodeDecodeError) as error:
            raise translated(error) from error

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """The rows of one statement."""
        try:
            return self.connection.execute(sql, values).fetchall()
        except (apsw.Error, UnicodeDecodeError) as error:
            raise translated(error) from error

    def among(self, sql: str, value: Any, keys: Sequence[int]) -> list[Row]:
        """The rows of one statement for many keys: `sql` ends in `IN `, after one `?` for `value`.

        The keys are asked for in a few fixed numbers, so that few statements are prepared.
        """
        found: list[Row] = []
        for first in range(0, len(keys), AMONG_MAX):
            some = keys[first : first + AMONG_MAX]
            room = next(size for size in _AMONG if size >= len(some))
            padded = [*some, *[some[-1]] * (room - len(some))]
            found += self.rows(f"{sql}({', '.join('?' * room)})", (value, *padded))
        return found

    def row(self, sql: str, values: Sequence[Any] = ()) -> Row | None:
        """The first row of one statement, or None."""
        try:
            return self.connection.execute(sql, values).fetchone()
        except (apsw.Error, UnicodeDecodeError) as error:
            raise translated(error) from error

    def column(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """The first value of each row."""
        return [row[0] for row in self.rows(sql, values)]

    def value(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """The first value of the first row, or None."""
        row = self.row(sql, values)
        return None if row is None else row[0]


class Write(Read):
    """A transaction that may write.  Its scope's other writers wait until it ends."""

    def run(self, sql: str, values: Sequence[Any] = ()) -> None:
        """Execute one statement."""
        try:
            self.connection.execute(sql, values)
        except (apsw.Error, UnicodeDecodeError) as error:
            raise translated(error) from error

    def many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Execute one statement for each row."""
        try:
            self.connection.executemany(sql, rows)
        except (apsw.Error, UnicodeDecodeError) as error:
            raise translated(error) from error

    def changes(self) -> int:
        """The rows that the last statement changed."""
        return self.connection.changes()


@contextmanager
def reading(connection: apsw.Connection) -> Iterator[None]:
    """One snapshot for all that is read inside."""
    try:
        connection.execute("BEGIN")
        yield
    except apsw.Error as error:
        raise translated(error) from error
    finally:
        roll_back(connection)


@contextmanager
def writing(connection: apsw.Connection) -> Iterator[None]:
    """All that is written inside, or nothing of it.

    Raises:
        Locked: another writer held the file for longer than this one waits.
    """
    try:
        begin(connection)
        yield
        commit(connection)
    except apsw.Error as error:
        raise translated(error) from error
    finally:
        # After a COMMIT there is nothing to roll back; after anything else there must not be
        # anything left, whatever was raised.
        roll_back(connection)


def begin(connection: apsw.Connection) -> None:
    """A transaction that may write is open.

    Raises:
        Locked: another writer held the file for longer than this one waits.
    """
    try:
        connection.execute("BEGIN IMMEDIATE")
    except BaseException as error:
        # An interrupted BEGIN can raise and still leave a transaction open.
        roll_back(connection)
        if isinstance(error, apsw.Error):
            raise translated(error) from error
        raise


@contextmanager
def step(connection: apsw.Connection) -> Iterator[None]:
    """A part of an open transaction: all of what is inside, or nothing of it."""
    try:
        connection.execute("SAVEPOINT step")
        yield
        connection.execute("RELEASE step")
    except BaseException as error:
        _take_back(connection)
        if isinstance(error, apsw.Error):
            raise translated(error) from error
        raise


def going_on(connection: apsw.Connection) -> bool:
    """Whether the transaction that was open still is."""
    try:
        return connection.in_transaction
    except apsw.ConnectionClosedError:
        return False


def commit(connection: apsw.Connection) -> None:
    """What the open transaction wrote is there, for ever and for all.

    Raises:
        Unavailable: it is not, and nothing of it is.
    """
    try:
        _commit(connection)
    except apsw.Error as error:
        raise translated(error) from error


def _commit(connection: apsw.Connection) -> None:
    """Commits.  An interruption that comes when all is done already changes nothing."""
    undone: list[bool] = []
    connection.set_rollback_hook(lambda: undone.append(True))
    try:
        connection.execute("COMMIT")
    except apsw.InterruptError:
        if undone or connection.in_transaction:
            raise
    finally:
        connection.set_rollback_hook(None)


def _take_back(connection: apsw.Connection) -> None:
    """The step is undone; where even that fails, the whole transaction is."""
    try:
        connection.execute("ROLLBACK TO step")
        connection.execute("RELEASE step")
    except apsw.Error:
        roll_back(connection)


def roll_back(connection: apsw.Connection) -> None:
    """No transaction is open; where none can be ended, the connection is closed."""
    for _ in range(ROLLBACK_TRIES):
        if not going_on(connection):
            return
        # An interruption may hit the clean-up too; the engine's own close would do the same.
        with suppress(apsw.InterruptError):
            connection.execute("ROLLBACK")
    connection.close(True)


def typed(kind: type[T], row: Row) -> T:
    """A row of a table as the struct that has its columns, each of its type.

    The engine looks at types when it writes: one bit of a file makes another type of a value.

    Raises:
        BrokenFile: a value is of another type than its column.
    """
    try:
        return msgspec.convert(row, kind, builtin_types=(bytes,))
    except msgspec.ValidationError as error:
        raise _wrongly_typed(error) from error


def all_typed(kind: type[T], rows: Sequence[Row]) -> list[T]:
    """Rows of one table as `typed` has them; many in one go, which takes a quarter for each.

    Raises:
        BrokenFile: a value is of another type than its column.
    """
    if len(rows) <= _FEW:
        return [typed(kind, row) for row in rows]
    try:
        return msgspec.convert(rows, list[kind], builtin_types=(bytes,))  # type: ignore[valid-type]  # a variable
    except msgspec.ValidationError as error:
        raise _wrongly_typed(error) from error


def _wrongly_typed(error: msgspec.ValidationError) -> errors.BrokenFile:
    return errors.BrokenFile(
        f"a value in the file is of another type than its column; see verify ({error})"
    )


def scope_row(connection: apsw.Connection, *, whole: bool = True) -> ScopeRow:
    """Who the file belongs to.  `whole`: every value is of the type of its column.

    Raises:
        BrokenLedger: there is not exactly one scope in it, or a value is of another type.
    """
    try:
        rows: list[Row] = connection.execute(
            "SELECT number, id, name, secret, limits FROM scope"
        ).fetchall()
    except (apsw.Error, UnicodeDecodeError) as error:
        raise translated(error) from error
    if len(rows) != 1:
        raise errors.BrokenLedger(f"the file holds {len(rows)} scopes instead of one")
    number, id, name, secret, limits = rows[0]
    wrong = tuple(
        column
        for column, value, kind in (
            ("id", id, str),
            ("name", "" if name is None else name, str),
            ("secret", secret, bytes),
            ("limits", limits, str),
        )
        if type(value) is not kind
    )
    if wrong and whole:
        raise errors.BrokenLedger(f"of another type in the row of the scope: {', '.join(wrong)}")
    return ScopeRow(
        number=number,
        id="" if "id" in wrong else id,
        name=None if "name" in wrong else name,
        secret=b"" if "secret" in wrong else secret,
        limits="" if "limits" in wrong else limits,
        wrong=wrong,
    )


def add_scope(write: Write) -> None:
    """The file belongs to the transaction's scope from now on."""
    row = write.scope
    write.run(
        "INSERT INTO scope (number, id, name, secret, limits) VALUES (?, ?, ?, ?, ?)",
        (row.number, row.id, row.name, row.secret, row.limits),
    )


def erase_scope_name(write: Write) -> None:
    """The scope's name is gone; its tag in the first header still recognises it."""
    write.run("UPDATE scope SET name = NULL WHERE number = ?", (write.scope.number,))
