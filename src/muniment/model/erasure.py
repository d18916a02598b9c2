"""Forgetting: what is asked, what the dry run says, and what was done and checked."""

from __future__ import annotations

from typing import Annotated

import msgspec

from muniment import limits
from muniment.model.request import Request, spell


class Dependent(msgspec.Struct, frozen=True, kw_only=True):
    """Something that rests on what is to be erased."""

    id: str
    kind: str
    follows: bool  # erased with it; else it stays, labelled
    reason: str


class Erased(msgspec.Struct, frozen=True, kw_only=True):
    """A plan with its token, or what was done.

    Without a token: `counts`, `dependents`, `token`, `head`.  With it: `erased`, `checked`,
    `not_checked`, `pending`, `receipt`.  Counts are rows by table.
    """

    done: bool
    counts: dict[str, int] = {}
    dependents: tuple[Dependent, ...] = ()
    token: str | None = None
    head: str | None = None
    erased: dict[str, int] = {}
    checked: tuple[str, ...] = ()
    not_checked: tuple[str, ...] = ()
    pending: bool = False
    receipt: str | None = None


class Erase(Request[Erased], frozen=True, kw_only=True):
    """Erase content everywhere; the chain still verifies, with the hole visible.

    The first call changes nothing and answers a token; the second, with it, erases.
    """

    event: Annotated[str | None, spell("an event by id", form="id")] = None
    record: Annotated[
        str | None,
        spell(
            "a record by id or key, with all its versions; id: or key: before it says which",
            form="id",
        ),
    ] = None
    session: Annotated[
        str | None, spell("every event of a session", bytes_max=limits.NAME_BYTES_MAX)
    ] = None
    source: Annotated[
        str | None, spell("every event of a source, by its label", bytes_max=limits.NAME_BYTES_MAX)
    ] = None
    all: Annotated[bool, spell("the whole scope, its name included")] = False
    with_dependents: Annotated[bool, spell("also what would stay behind")] = False
    remove_file: Annotated[bool, spell("with --all: the file too; nothing can be proved then")] = (
        False
    )
    confirm: Annotated[str | None, spell("the token of the dry run")] = None
