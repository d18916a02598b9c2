"""A check of a store's file by somebody who has docs/format.md and nothing else of Muniment.

SHA-256, JSON, inflate and a way to read SQLite tables; it imports nothing of the program, and
shares no line with it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw

APPLICATION_ID = 0x4D554E49
DIGITS = "0123456789abcdefghijklmnopqrstuv"
# Each kind of event: its chain, its letter, and the tag that its content's key must have.
KINDS: dict[str, tuple[str, str, str | None]] = {
    "MessageObserved": ("m", "e", None),
    "RecordWritten": ("m", "r", "key"),
    "StateSet": ("m", "l", "state"),
    "CommandAnswered": ("m", "l", None),
    "ContentErased": ("m", "l", None),
}
ONE_ID = ("parent", "reply_to", "supersedes")
MANY_IDS = ("covers", "targets", "dependents")


def canonical(value: Any) -> bytes:
    """The canonical bytes of a JSON value without floats."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def digest(domain: str, *parts: bytes) -> str:
    """SHA-256 over the domain, a zero byte and the parts, in hex."""
    return hashlib.sha256(domain.encode() + b"\0" + b"".join(parts)).hexdigest()


def tag(secret: bytes, kind: str, text: str) -> str:
    """What recognises a text of a kind, in hex."""
    return hmac.digest(secret, f"{kind}\0{text}".encode(), "sha256")[:16].hex()


def base32(number: int) -> str:
    """A seq as an id spells it."""
    return (base32(number // 32) if number >= 32 else "") + DIGITS[number % 32]


def event_id(parent: str, index: int, shape: dict[str, Any]) -> str:
    """The id of the event at `index` of the commit after `parent`."""
    bare = {name: value for name, value in shape.items() if name != "id"}
    named = digest("muniment/id/1", parent.encode(), str(index).encode(), canonical(bare))
    letter = KINDS[shape["event"]][1]
    return f"{letter}{base32(shape['seq'])}-{named[:16]}"


def plain(stored: bytes) -> bytes:
    """A stored header as it is hashed."""
    if stored[:1] != b"z":
        return stored
    assert stored[1:9].hex() == digest("muniment/deflated/1", stored[9:])[:16]
    return zlib.decompress(stored[9:])


class File:
    """All that the format says of one file, read at once."""

    def __init__(self, path: Path) -> None:
        # As unchanging, so that the engine leaves no file beside it.
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        connection = apsw.Connection(path.resolve().as_uri() + "?immutable=1", flags)
        try:
            self.application_id = connection.pragma("application_id")
            self.version = connection.pragma("user_version")
            self.scopes = connection.execute(
                "SELECT number, id, name, secret, limits FROM scope"
            ).fetchall()
            self.commits = connection.execute(
                "SELECT scope, chain, seq, height, hash, header FROM commits ORDER BY chain, seq"
            ).fetchall()
            self.contents = {
                place: (scope, salt, held)
                for scope, place, salt, held in connection.execute(
                    "SELECT scope, place, salt, bytes FROM content"
                )
            }
        finally:
            connection.close()


def faults(path: Path) -> list[str]:
    """Everything that is not as docs/format.md says, in words; nothing where all is well."""
    file = File(path)
    if file.application_id != APPLICATION_ID or file.version != 1 or len(file.scopes) != 1:
        return ["not a file of format 1"]
    return [*_chains(file), *_contents(file)]


def _chains(file: File) -> Iterator[str]:
    number, id, name, secret, limits = file.scopes[0]
    heights = {row[4].hex(): (row[1], row[3]) for row in file.commits}
    for chain in ("m", "j"):
        parent, seq, height, recorded_ms, other_height = None, 0, 0, 0, -1
        for scope, _, last, stored_height, hash, stored in _rows(file, chain):
            header_bytes = plain(stored)
            header = json.loads(header_bytes)
            at = f"{chain} {stored_height}"
            if digest("muniment/commit/1", header_bytes) != hash.hex():
                yield f"{at}: hash"
            if canonical(header) != header_bytes:
                yield f"{at}: not canonical"
            if (header["format"], header["scope"], header["chain"]) != (1, id, chain):
                yield f"{at}: format, scope or chain"
            if (scope, header["height"], stored_height) != (number, height, height):
                yield f"{at}: height"
            if header["parent"] != parent:
                yield f"{at}: parent"
            if header["recorded_ms"] < recorded_ms:
                yield f"{at}: time"
            if (chain, height) != ("m", 0):
                named = heights.get(header["other"], (chain, -1))
                if named[0] == chain or named[1] < other_height:
                    yield f"{at}: other"
                other_height = named[1]
            seqs = [shape["seq"] for shape in header["events"]]
            if seqs != list(range(seq + 1, last + 1)) or (height > 0) != bool(seqs):
                yield f"{at}: seq"
            if height == 0:
                yield from _genesis(header["genesis"], secret, name, limits)
            elif "genesis" in header:
                yield f"{at}: genesis"
            for index, shape in enumerate(header["events"]):
                if KINDS[shape["event"]][0] != chain:
                    yield f"{at}: event of the other chain"
                if event_id(header["parent"], index, shape) != shape["id"]:
                    yield f"{at}: id of {shape['seq']}"
            parent, seq, height = hash.hex(), last, height + 1
            recorded_ms = header["recorded_ms"]


def _genesis(genesis: dict[str, Any], secret: bytes, name: str | None, limits: str) -> Iterator[str]:
    if genesis["secret_digest"] != digest("muniment/secret/1", secret):
        yield "genesis: secret"
    if name is not None and genesis["name_tag"] != tag(secret, "scope", name):
        yield "genesis: name"
    if canonical(genesis["limits"]) != limits.encode():
        yield "genesis: limits"


def _contents(file: File) -> Iterator[str]:
    secret = file.scopes[0][3]
    ids: dict[int, str] = {}
    may_miss: set[int] = set()
    missing: set[int] = set()
    places: set[int] = set()
    for row in _rows(file, "m"):
        for shape in json.loads(plain(row[5]))["events"]:
            seq = shape["seq"]
            for cited in _cited(shape):
                if ids.get(_seq(cited)) != cited:
                    yield f"{seq}: cites what is not there"
            ids[seq] = shape["id"]
            if shape["event"] == "ContentErased":
                may_miss.update(_seq(id) for name in MANY_IDS for id in shape.get(name, ()))
                may_miss.update(range(1, shape.get("through", 0) + 1))
            if "content_digest" not in shape:
                continue
            places.add(seq)
            if seq not in file.contents:
                missing.add(seq)
            else:
                yield from _content(file, seq, shape, secret)
    for seq in sorted(missing - may_miss):
        yield f"{seq}: missing content"
    for seq in sorted(may_miss & file.contents.keys()):
        yield f"{seq}: content that was erased"
    for seq in sorted(file.contents.keys() - places):
        yield f"{seq}: content of nothing"
    if file.scopes[0][2] is None and not may_miss:
        yield "the name is missing, and nothing was erased"


def _content(file: File, seq: int, shape: dict[str, Any], secret: bytes) -> Iterator[str]:
    scope, salt, held = file.contents[seq]
    if scope != file.scopes[0][0] or len(salt) != 16:
        yield f"{seq}: scope or salt of the content"
    if digest("muniment/content/1", salt, held) != shape["content_digest"]:
        yield f"{seq}: content"
    if len(held) != shape["content_bytes"]:
        yield f"{seq}: length of the content"
    said = json.loads(held)
    if canonical(said) != held:
        yield f"{seq}: content is not canonical"
    kind = KINDS[shape["event"]][2]
    if kind is not None:
        wanted = None if "key" not in said else tag(secret, kind, said["key"])
        if shape.get("key_tag") != wanted:
            yield f"{seq}: tag of the key"


def _rows(file: File, chain: str) -> list[Any]:
    return [row for row in file.commits if row[1] == chain]


def _cited(shape: dict[str, Any]) -> list[str]:
    found = [shape[name] for name in ONE_ID if name in shape]
    found += [id for name in MANY_IDS for id in shape.get(name, ())]
    found += [source["id"] for source in shape.get("sources", ())]
    return found + [id for _, id in shape.get("known", ())]


def _seq(id: str) -> int:
    return int(id[1:].partition("-")[0], 32)
