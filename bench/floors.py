"""Floors: the least that the same work costs with the bare driver, a file and a hash."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

import apsw

BLOCK = b"\0" * 16_384


def synced_write(path: Path, longer_s: float = 0.0) -> Callable[[], None]:
    """Overwrites 16 KiB in place and waits until the disk has it, and so much longer."""
    file = os.open(path, os.O_RDWR | os.O_CREAT)
    os.write(file, BLOCK)
    os.fsync(file)

    def once() -> None:
        os.pwrite(file, BLOCK, 0)
        os.fdatasync(file)
        if longer_s:
            time.sleep(longer_s)

    return once


class Syncs:
    """Counts how often the engine asks the disk to have something, on files opened inside.

    Each takes `longer_s` longer than the disk does.
    """

    def __init__(self, longer_s: float = 0.0) -> None:
        self.count = 0
        self.longer_s = longer_s
        self.below = apsw.vfs_names()[0]
        self._vfs = _CountingVfs(self)

    def __enter__(self) -> Self:
        apsw.set_default_vfs("counting")
        return self

    def __exit__(self, *_: object) -> None:
        apsw.set_default_vfs(self.below)


class _CountingVfs(apsw.VFS):
    def __init__(self, syncs: Syncs) -> None:
        self._syncs = syncs
        super().__init__("counting", syncs.below)

    def xOpen(self, name: Any, flags: list[int]) -> _CountingFile:  # noqa: N802 - the driver's word
        """A file whose syncs are counted."""
        return _CountingFile(self._syncs, name, flags)


class _CountingFile(apsw.VFSFile):
    def __init__(self, syncs: Syncs, name: Any, flags: list[int]) -> None:
        self._syncs = syncs
        super().__init__(syncs.below, name, flags)

    def xSync(self, flags: int) -> None:  # noqa: N802
        """Counted, and done."""
        self._syncs.count += 1
        super().xSync(flags)
        if self._syncs.longer_s:
            time.sleep(self._syncs.longer_s)


def bare_commits(path: Path, count: int) -> float:
    """CPU seconds of one bare commit: a hashed row with its text in an index, durable."""
    connection = apsw.Connection(str(path))
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full")
    connection.execute("CREATE TABLE ledger (seq INTEGER PRIMARY KEY, hash BLOB, body TEXT)")
    connection.execute(
        "CREATE VIRTUAL TABLE words USING fts5 (body, content = '', contentless_delete = 1)"
    )
    head = b""
    started = time.process_time()
    for seq in range(1, count + 1):
        text = f"Note {seq}."
        head = hashlib.sha256(head + text.encode()).digest()
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO ledger VALUES (?, ?, ?)", (seq, head, text))
        connection.execute("INSERT INTO words (rowid, body) VALUES (?, ?)", (seq, text))
        connection.execute("COMMIT")
    spent = time.process_time() - started
    connection.close()
    return spent / count


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
