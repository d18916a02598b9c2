"""How a place is: what was looked at, what was found, and what to do about it."""

from __future__ import annotations

from typing import Literal

import msgspec

from muniment.model.request import Request

Condition = Literal["ok", "warning", "failed", "not_checked"]
Subject = Literal[
    "engine",
    "text_index",
    "clock",
    "place",
    "directory_mode",
    "disk",
    "leftovers",
    "file_readable",
    "file_kind",
    "file_name",
    "file_mode",
    "file_version",
    "journal_mode",
    "log_size",
    "automatic_backups",
    "derived_tables",
    "pending",
    "ledger",
]


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was looked at.  `advice` is what to do, and empty where nothing is."""

    check: Subject
    state: Condition
    file: str | None = None
    detail: str = ""
    advice: str = ""


class Examined(msgspec.Struct, frozen=True, kw_only=True):
    """Every check, the place's first and then those of each file.  `ok`: none failed."""

    ok: bool
    checks: tuple[Check, ...]


class Doctor(Request[Examined], frozen=True, kw_only=True):
    """Look at a place, its files and the machine, and say what to do; nothing is changed.

    All scopes are looked at, or the one that is named.  What the ledger says is `verify`'s matter.
    """
