"""Floors: the least that the same work costs with the bare driver, a file and a hash."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import apsw

BLOCK = b"\0" * 16_384


def synced_write(path: Path) -> Callable[[], None]:
    """Overwrites 16 KiB in place and waits until the disk has it."""
    file = os.open(path, os.O_RDWR | os.O_CREAT)
    os.write(file, BLOCK)
    os.fsync(file)

    def once() -> None:
        os.pwrite(file, BLOCK, 0)
        os.fdatasync(file)

    return once


def bulk_insert(path: Path, texts: Sequence[str]) -> float:
    """CPU seconds to hash, chain, store and index the texts, in transactions of 500."""
    connection = apsw.Connection(str(path))
    connection.pragma("journal_mode", "wal")
    connection.execute("CREATE TABLE ledger (seq INTEGER PRIMARY KEY, hash BLOB, body TEXT)")
    connection.execute(
        "CREATE VIRTUAL TABLE words USING fts5 (body, content = '', contentless_delete = 1,"
        " tokenize = 'porter unicode61')"
    )
    started = time.process_time()
    head = b""
    for first in range(0, len(texts), 500):
        rows = []
        for seq, text in enumerate(texts[first : first + 500], start=first + 1):
            head = hashlib.sha256(head + text.encode()).digest()
            rows.append((seq, head, text))
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("INSERT INTO ledger VALUES (?, ?, ?)", rows)
        connection.executemany(
            "INSERT INTO words (rowid, body) VALUES (?, ?)", [(row[0], row[2]) for row in rows]
        )
        connection.execute("COMMIT")
    spent = time.process_time() - started
    connection.close()
    return spent


def ranked(path: Path, limit: int) -> Callable[[Sequence[str]], int]:
    """The bare BM25 query over an index of the same tokenizer, with the rows it finds fetched."""
    connection = apsw.Connection(str(path))

    def once(terms: Sequence[str]) -> int:
        match = " OR ".join(f'"{term}"' for term in terms)
        rows = connection.execute(
            "SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words) LIMIT ?",
            (match, limit),
        ).fetchall()
        for (seq,) in rows:
            connection.execute("SELECT body FROM ledger WHERE seq = ?", (seq,)).fetchone()
        return len(rows)

    return once
