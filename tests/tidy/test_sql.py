"""Where SQL may stand."""

from __future__ import annotations

import re

from tests.tidy.source import MODULES, strings

TRANSACTIONS = "muniment/store/tx.py"

_TRANSACTION = re.compile(r"\s*(?:BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b(?!:)")
_WRITTEN = re.compile(
    r"\b(?:INSERT\s+(?:OR\s+\w+\s+)?INTO|REPLACE\s+INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM)"
    r"\s+(\w+)",
)
# An upsert's second half names no table of its own.
_UPSERT = re.compile(r"\bDO\s+UPDATE\s+SET\b")
_LOWER = re.compile(r"\s*(?:select|insert into|update \w+ set|delete from|create table)\b.*[?=*(]")


def test_transactions_begin_and_end_in_one_file() -> None:
    """All or nothing is decided in one place, where an interrupted BEGIN is thought of."""
    elsewhere = [
        f"{module.place}:{line} {text.strip()}"
        for module in MODULES
        if module.place != TRANSACTIONS
        for line, text in strings(module)
        if _TRANSACTION.match(text)
    ]

    assert elsewhere == []


def test_each_table_is_written_by_the_sql_of_one_file() -> None:
    """Whoever wants to know how a table comes about reads one file."""
    writers: dict[str, set[str]] = {}
    for module in MODULES:
        for _, text in strings(module):
            for table in _WRITTEN.findall(_UPSERT.sub("", text)):
                writers.setdefault(table, set()).add(module.place)

    assert {table: sorted(at) for table, at in writers.items() if len(at) > 1} == {}


def test_sql_keywords_are_in_capitals() -> None:
    """SQL is told from prose at a glance."""
    small = [
        f"{module.place}:{line}"
        for module in MODULES
        for line, text in strings(module)
        if _LOWER.match(text)
    ]

    assert small == []
