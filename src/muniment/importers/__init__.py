"""Foreign formats in: each module reads bytes and yields turns, and the places that hold none.

Those in `LEDGERS` read another program's ledger, and yield its commits as steps.
"""

from __future__ import annotations

from pathlib import PurePath

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
    every: tuple[Importer | LedgerImporter, ...] = (*IMPORTERS, *LEDGERS)
    if format != "auto":
        names = ", ".join(each.NAME for each in every)
        raise UnknownFormat(f"{format!r} is none of auto, {names}", at="format")
    if head[:2] == b"PK":
        raise UnknownFormat(
            f"{name!r} is an archive, which is read from its file and not from a pipe, or from"
            " inside another: extract it and import its files by name",
            at="file",
        )
    if not head.removeprefix(BOM).strip():
        raise UnknownFormat(f"{name!r} is empty", at="file")
    formats = [f"{each.NAME} ({' '.join(each.SUFFIXES)})" for each in every]
    raise UnknownFormat(
        f"{name!r} is {_what(name, head)}, and no format is recognised in it; there are"
        f" {', '.join(formats)}",
        at="file",
    )


def _what(name: str, head: bytes) -> str:
    """What a file seems to be, by its name or else by its bytes."""
    suffix = PurePath(name).suffix
    if suffix:
        return f"a {suffix} file"
    try:
        head.decode()
    except UnicodeDecodeError as error:
        # A letter may be cut where the head ends.
        return "text" if len(head) == HEAD_BYTES and error.end == len(head) else "not text"
    return "not text" if b"\0" in head else "text"
