"""Foreign formats in: each module reads bytes and yields turns, and the places that hold none.

Those in `LEDGERS` read another program's ledger, and yield its commits as steps.
"""

from __future__ import annotations

from muniment.errors import BadEncoding, UnknownFormat
from muniment.importers import chat_json, chatgpt, claude, claude_code, cogg, markdown, table
from muniment.importers.reading import BOM, HEAD_BYTES, peek
from muniment.model.foreign import LedgerImporter
from muniment.model.turn import Importer

# The first that recognises a file reads it, so the narrower stand before the wider.
IMPORTERS: tuple[Importer, ...] = (chatgpt, claude, claude_code, chat_json, table, markdown)
LEDGERS: tuple[LedgerImporter, ...] = (cogg,)

# What a shell or a spreadsheet of Windows writes before such a text.
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")

__all__ = ["HEAD_BYTES", "IMPORTERS", "LEDGERS", "choose", "ledger", "peek"]


def ledger(name: str, head: bytes, format: str) -> LedgerImporter | None:
    """The importer of another program's ledger that `choose` would be wrong to look for."""
    for importer in LEDGERS:
        if format == importer.NAME or (format == "auto" and importer.recognises(head, name)):
            return importer
    return None


def choose(name: str, head: bytes, format: str) -> Importer:
    """The importer called `format`, or for "auto" the first that recognises the file.

    `name` is the file's and may be empty; `head` is what `peek` gave.

    Raises:
        UnknownFormat: no importer has this name, or none recognises the file.
        BadEncoding: it says itself that it is UTF-16.
    """
    if head.startswith(_UTF_16):
        raise BadEncoding(f"{name!r} is UTF-16; save it as UTF-8 and import that", at="file")
    for importer in IMPORTERS:
        if format == importer.NAME or (format == "auto" and importer.recognises(head, name)):
            return importer
    names = [each.NAME for each in IMPORTERS] + [each.NAME for each in LEDGERS]
    known = ", ".join(names)
    if format == "auto" and head[:2] == b"PK":
        raise UnknownFormat(
            f"{name!r} is an archive, which is read from its file and not from a pipe, or from"
            " inside another: extract it and import its files by name",
            at="format",
        )
    if format == "auto" and not head.removeprefix(BOM).strip():
        raise UnknownFormat(f"{name!r} is empty", at="file")
    if format == "auto":
        raise UnknownFormat(f"{name!r} is none of {known}", at="format")
    raise UnknownFormat(f"{format!r} is none of auto, {known}", at="format")
