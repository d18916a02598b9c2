"""The reference of kinds: what a record may be, who may own it, and when it stops to stand."""

from __future__ import annotations

from typing import get_args

from muniment.model.event_kinds import Kind, Owner
from muniment.model.standing import Cause, effect, standing
from muniment.rules.records import OWNERS, STATUSES

HEAD = """\
# Kinds of record

A record has one of these kinds and one of its kind's statuses; the first one is taken where none is said. What a status means for recall is its standing: only what is current is recalled, and an id always answers with its standing. [Codes](codes.md) says what each standing means.

| kind | statuses, and the standing each gives | owners |
|---|---|---|
"""
CHANGES = """
## When what it rests on changes

What becomes of a record when one of its sources gets a newer version (or goes stale), is taken back, is withdrawn, or is erased. Where it stands, the item is labelled `source_...` with what became of the source. Of an erased source's own words nothing stays: [Forget](../howto/forget.md) says what else goes.

| kind | newer version | taken back | withdrawn | erased |
|---|---|---|---|---|
"""
_CAUSES: tuple[Cause, ...] = ("superseded", "retracted", "withdrawn", "erased")


def page() -> str:
    """Every kind with its statuses and owners, and what its sources do to it."""
    kinds: tuple[Kind, ...] = get_args(Kind)
    rows = [f"| `{kind}` | {_statuses(kind)} | {_owners(kind)} |" for kind in kinds]
    changes = [
        f"| `{kind}` | " + " | ".join(effect(kind, cause) or "stands" for cause in _CAUSES) + " |"
        for kind in kinds
    ]
    return HEAD + "\n".join(rows) + "\n" + CHANGES + "\n".join(changes) + "\n"


def _statuses(kind: Kind) -> str:
    return ", ".join(f"`{status}` ({_standing(kind, status)})" for status in STATUSES[kind])


def _standing(kind: Kind, status: str) -> str:
    return standing(kind=kind, status=status, ended=None, valid_to_ms=None, until_ms=None, now_ms=0)


def _owners(kind: Kind) -> str:
    return ", ".join(f"`{owner}`" for owner in OWNERS.get(kind, get_args(Owner)))
