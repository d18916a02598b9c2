"""The tables of a Cogg database, row by row, each value of its type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec

from muniment.errors import BadShape
from muniment.importers.cogg.bodies import typed
from muniment.store.foreign import Foreign

R = TypeVar("R", bound=msgspec.Struct)

_NEEDED = ("subjects", "occasions", "attempts", "commits")
_OPTIONAL = ("abstentions", "occasion_failures")
_ABSTENTIONS_FROM = 5
_NAMED_MAX = 20


class Subject(msgspec.Struct, frozen=True, array_like=True):
    """Where one subject stands."""

    id: str
    tick: int
    head: str
    memory: str
    wake: str
    limits: str
    accounting_wall: int


class Commit(msgspec.Struct, frozen=True, array_like=True):
    """One commit, whose body is what is hashed."""

    id: str
    tick: int
    body: str


class Occasion(msgspec.Struct, frozen=True, array_like=True):
    """One entry of the inbox."""

    seq: int
    id: str
    key: str
    kind: str
    parent: str
    body: str
    consumed: str | None


class Attempt(msgspec.Struct, frozen=True, array_like=True):
    """One try, with what became of it."""

    seq: int
    id: str
    parent: str
    occasion: str
    admitted_at: int
    body: str
    status: str
    error: str


class Tables:
    """One subject's rows of a Cogg file."""

    def __init__(self, foreign: Foreign, version: int, wanted: str | None) -> None:
        needed = (*_NEEDED, *(_OPTIONAL[:1] if version >= _ABSTENTIONS_FROM else ()))
        self._present = {*needed, *foreign.check_tables(needed, _OPTIONAL)}
        self._foreign = foreign
        self.version = version
        self.subject = self._chosen(wanted)

    def _chosen(self, wanted: str | None) -> Subject:
        rows = self._foreign.each(
            "SELECT id, tick, head, memory, wake, limits, accounting_wall FROM subjects ORDER BY id"
        )
        found = [typed(row, Subject, "subjects") for row in rows]
        chosen = [each for each in found if wanted in (None, each.id)]
        if len(chosen) == 1:
            return chosen[0]
        names = ", ".join(repr(each.id) for each in found[:_NAMED_MAX]) or "none"
        if wanted is None and found:
            raise BadShape(f"the file holds several subjects, name one: {names}", at="subject")
        raise BadShape(f"the file holds these subjects: {names}", at="subject")

    def commits(self) -> Iterator[Commit]:
        """Its commits by tick."""
        return self._all(Commit, "SELECT id, tick, body FROM commits WHERE subject = ?", "tick")

    def occasions(self) -> Iterator[Occasion]:
        """Its occasions in the order in which they came."""
        return self._all(
            Occasion,
            "SELECT seq, id, key, kind, parent, body, consumed FROM occasions WHERE subject = ?",
            "seq",
        )

    def attempts(self) -> Iterator[Attempt]:
        """Its attempts in the order in which they were admitted."""
        return self._all(
            Attempt,
            "SELECT seq, id, parent, occasion, admitted_at, body, status, error"
            " FROM attempts WHERE subject = ?",
            "seq",
        )

    def occasion(self, name: str, value: str | int) -> Occasion | None:
        """The occasion of the subject whose `id` or `seq` this is."""
        row = self._foreign.row(
            "SELECT seq, id, key, kind, parent, body, consumed FROM occasions"
            f" WHERE {name} = ? AND subject = ?",
            (value, self.subject.id),
        )
        return None if row is None else typed(row, Occasion, f"occasions[{value}]")

    def attempt(self, name: str, value: str | int) -> Attempt | None:
        """The attempt of the subject whose `id` or `seq` this is."""
        row = self._foreign.row(
            "SELECT seq, id, parent, occasion, admitted_at, body, status, error FROM attempts"
            f" WHERE {name} = ? AND subject = ?",
            (value, self.subject.id),
        )
        return None if row is None else typed(row, Attempt, f"attempts[{value}]")

    def abstention(self, attempt: str) -> tuple[str, str] | None:
        """Id and body of the receipt of an attempt in which a backend did not take part."""
        if _OPTIONAL[0] not in self._present:
            return None
        row = self._foreign.row("SELECT id, body FROM abstentions WHERE attempt = ?", (attempt,))
        return None if row is None else typed(row, tuple[str, str], f"abstentions[{attempt}]")

    def failure(self, attempt: str) -> str | None:
        """Why an attempt counts as a failure of its occasion, if it does."""
        if _OPTIONAL[1] not in self._present:
            return None
        row: tuple[Any, ...] | None = self._foreign.row(
            "SELECT reason FROM occasion_failures WHERE attempt = ?", (attempt,)
        )
        return None if row is None else str(row[0])

    def failed_occasion(self, attempt: str) -> str | None:
        """The occasion of which an attempt counts as a failure, if it does."""
        if _OPTIONAL[1] not in self._present:
            return None
        row: tuple[Any, ...] | None = self._foreign.row(
            "SELECT occasion FROM occasion_failures WHERE attempt = ?", (attempt,)
        )
        return None if row is None else str(row[0])

    def check_unchanged(self) -> None:
        """Nothing, if the file is the one that was opened."""
        self._foreign.check_unchanged()

    def _all(self, kind: type[R], sql: str, order: str) -> Iterator[R]:
        table = f"{kind.__name__.lower()}s"
        for row in self._foreign.each(f"{sql} ORDER BY {order}", (self.subject.id,)):
            yield typed(row, kind, f"{table}[{row[0]}]")
