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
    "StateDeleted": ("m", "l", None),
    "CommandAnswered": ("m", "l", None),
    "ContentErased": ("m", "l", None),
    "RecallRecorded": ("j", "q", None),
    "ReceiptErased": ("j", "j", None),
}
SECOND = ("StateDeleted",)  # what there is in format 2 only
JOURNAL_LETTERS = ("q", "j")
ONE_ID = ("parent", "reply_to", "supersedes", "receipt")
MANY_IDS = ("covers", "targets", "dependents", "required", "chosen")

Row = tuple[Any, ...]


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
            self.numbers = (connection.pragma("application_id"), connection.pragma("user_version"))
            self.scopes: list[Row] = connection.execute(
                "SELECT number, id, name, secret, limits FROM scope"
            ).fetchall()
            self.commits: list[Row] = connection.execute(
                "SELECT scope, chain, seq, height, hash, header FROM commits ORDER BY chain, seq"
            ).fetchall()
            contents: list[Row] = connection.execute(
                "SELECT place, scope, salt, bytes FROM content"
            ).fetchall()
            self.contents = {place: row for place, *row in contents}
        finally:
            connection.close()

    def chain(self, chain: str) -> list[Row]:
        """The commits of a chain, from the first."""
        return [row for row in self.commits if row[1] == chain]

    def shapes(self, chain: str) -> list[dict[str, Any]]:
        """The events of a chain, from the first."""
        return [shape for row in self.chain(chain) for shape in json.loads(plain(row[5]))["events"]]


def faults(path: Path) -> list[str]:
    """Everything that is not as docs/format.md says, in words; nothing where all is well."""
    file = File(path)
    if file.numbers != (APPLICATION_ID, 1) or len(file.scopes) != 1:
        return ["not a file of these formats"]
    return [
        *_chains(file), *_contents(file), *_citations(file), *_values(file), *_records(file),
        *_receipts(file),
    ]  # fmt: skip


def _chains(file: File) -> Iterator[str]:
    for chain in ("m", "j"):
        before: dict[str, Any] | None = None
        seq = 0
        for row in file.chain(chain):
            held = plain(row[5])
            header = json.loads(held)
            for what in (
                *_place(file, row, header, held),
                *_links(file, header, before),
                *_events(header, chain, seq, row[2]),
            ):
                yield f"{chain} {row[3]}: {what}"
            before, seq = {**header, "hash": row[4].hex()}, row[2]


def _place(file: File, row: Row, header: dict[str, Any], held: bytes) -> Iterator[str]:
    """A header where it lies: its bytes, its hash, its row."""
    number, id, name, secret, limits = file.scopes[0]
    if digest("muniment/commit/1", held) != row[4].hex():
        yield "hash"
    if canonical(header) != held:
        yield "not canonical"
    if (row[5][:1] == b"z") != (len(held) > 4_096):
        yield "deflated or not"
    second = any(shape["event"] in SECOND for shape in header["events"])
    if (header["format"], header["scope"], header["chain"]) != (1 + second, id, row[1]):
        yield "format, scope or chain"
    if (row[0], row[3]) != (number, header["height"]):
        yield "scope's number, or height"
    if header["height"] == 0:
        yield from _genesis(header["genesis"], secret, name, limits)
    elif "genesis" in header:
        yield "genesis"


def _links(file: File, header: dict[str, Any], before: dict[str, Any] | None) -> Iterator[str]:
    """What a header says of the one before and of the other chain."""
    if before is None:
        before = {"hash": None, "height": -1, "recorded_ms": 0, "other": None}
    if (header["parent"], header["height"]) != (before["hash"], before["height"] + 1):
        yield "parent or height"
    if header["recorded_ms"] < before["recorded_ms"]:
        yield "time"
    others = {None: -1} | {
        row[4].hex(): row[3] for row in file.commits if row[1] != header["chain"]
    }
    if header["other"] is None and (header["chain"], header["height"]) != ("m", 0):
        yield "no other"
    if header["other"] not in others or others[header["other"]] < others[before["other"]]:
        yield "other"


def _events(header: dict[str, Any], chain: str, seq: int, last: int) -> Iterator[str]:
    """The numbers, kinds and ids of a commit's events."""
    seqs = [shape["seq"] for shape in header["events"]]
    kinds = [shape["event"] for shape in header["events"]]
    if len(kinds) > 1 and {"ContentErased", "ReceiptErased"} & {*kinds}:
        yield "an erasure beside something"
    if "CommandAnswered" in kinds and (
        kinds.index("CommandAnswered") != len(kinds) - 1
        or not {*kinds[:-1]} <= {"RecordWritten", "StateSet"}
    ):
        yield "an answer of what it is not"
    if seqs != list(range(seq + 1, last + 1)) or (header["height"] > 0) != bool(seqs):
        yield "seq"
    for index, shape in enumerate(header["events"]):
        if KINDS[shape["event"]][0] != chain:
            yield "event of the other chain"
        if event_id(header["parent"], index, shape) != shape["id"]:
            yield f"id of {shape['seq']}"


def _genesis(
    genesis: dict[str, Any], secret: bytes, name: str | None, limits: str
) -> Iterator[str]:
    if genesis["secret_digest"] != digest("muniment/secret/1", secret):
        yield "genesis: secret"
    if name is not None and genesis["name_tag"] != tag(secret, "scope", name):
        yield "genesis: name"
    if canonical(genesis["limits"]) != limits.encode():
        yield "genesis: limits"


def _contents(file: File) -> Iterator[str]:
    _, _, name, secret, _ = file.scopes[0]
    may_miss: set[int] = set()
    wanted: set[int] = set()
    for sign, chain, erasure in ((1, "m", "ContentErased"), (-1, "j", "ReceiptErased")):
        for shape in file.shapes(chain):
            if shape["event"] == erasure:
                named = [*shape.get("targets", ()), *shape.get("dependents", ())]
                may_miss.update(sign * _seq(id) for id in named)
                may_miss.update(sign * seq for seq in range(1, shape.get("through", 0) + 1))
            if "content_digest" in shape:
                wanted.add(sign * shape["seq"])
            if sign * shape["seq"] in file.contents:
                yield from _content(file, sign * shape["seq"], shape, secret)
    for place in sorted(wanted - may_miss - file.contents.keys()):
        yield f"{place}: missing content"
    for place in sorted(may_miss & file.contents.keys()):
        yield f"{place}: content that was erased"
    for place in sorted(file.contents.keys() - wanted):
        yield f"{place}: content of nothing"
    if name is None and not any("through" in shape for shape in file.shapes("m")):
        yield "the name is missing, and nothing took it"


def _content(file: File, place: int, shape: dict[str, Any], secret: bytes) -> Iterator[str]:
    scope, salt, held = file.contents[place]
    if scope != file.scopes[0][0] or len(salt) != 16:
        yield f"{place}: scope or salt of the content"
    if digest("muniment/content/1", salt, held) != shape["content_digest"]:
        yield f"{place}: content"
    if len(held) != shape["content_bytes"]:
        yield f"{place}: length of the content"
    said = json.loads(held)
    if canonical(said) != held:
        yield f"{place}: content is not canonical"
    kind = KINDS[shape["event"]][2]
    if kind is not None:
        key_tag = None if "key" not in said else tag(secret, kind, said["key"])
        if shape.get("key_tag") != key_tag:
            yield f"{place}: tag of the key"


def _citations(file: File) -> Iterator[str]:
    ids = {chain: {s["seq"]: s["id"] for s in file.shapes(chain)} for chain in ("m", "j")}
    for chain in ("m", "j"):
        for shape in file.shapes(chain):
            for cited in _cited(shape):
                there = "j" if cited[0] in JOURNAL_LETTERS else "m"
                later = there == chain and _seq(cited) >= shape["seq"]
                if later or ids[there].get(_seq(cited)) != cited:
                    yield f"{chain} {shape['seq']}: cites what is not there"


def _values(file: File) -> Iterator[str]:
    now: dict[str, str | None] = {}
    for shape in file.shapes("m"):
        if shape["event"] in ("StateSet", "StateDeleted"):
            deleted, had = shape["event"] == "StateDeleted", now.get(shape["key_tag"])
            if shape.get("supersedes") != had or (deleted and had is None):
                yield f"m {shape['seq']}: not the value that its key had"
            now[shape["key_tag"]] = None if deleted else shape["id"]


def _records(file: File) -> Iterator[str]:
    now: dict[str, str] = {}
    keyed: dict[str, bool] = {}
    taken: set[str] = set()
    for shape in file.shapes("m"):
        if shape["event"] == "RecordWritten":
            key, before = shape.get("key_tag"), shape.get("supersedes")
            newest = None if key is None else now.get(key)
            wrong = newest is not None and before != newest
            if before is not None and _seq(before) in file.contents:
                wrong |= before in taken or (newest is None and keyed[before])
            if wrong:
                yield f"m {shape['seq']}: not the version that it may take the place of"
            keyed[shape["id"]] = key is not None
            taken |= set() if before is None else {before}
            now |= {} if key is None else {key: shape["id"]}


def _receipts(file: File) -> Iterator[str]:
    heads = {row[2]: row[4].hex() for row in file.chain("m")}
    for shape in file.shapes("j"):
        if shape["event"] == "RecallRecorded":
            if heads.get(shape["memory_seq"]) != shape["memory_head"]:
                yield f"j {shape['seq']}: a head that the memory never had"
            if shape["bytes"] > shape["bytes_max"]:
                yield f"j {shape['seq']}: over its budget"
            if len(shape.get("chosen", ())) > shape["items_max"]:
                yield f"j {shape['seq']}: over its budget"


def _cited(shape: dict[str, Any]) -> list[str]:
    found = [shape[name] for name in ONE_ID if name in shape]
    found += [id for name in MANY_IDS for id in shape.get(name, ())]
    found += [source["id"] for source in shape.get("sources", ())]
    found += [hit[0] for each in shape.get("found", ()) for hit in each.get("hits", ())]
    found += [left[0] for left in shape.get("left_out", ())]
    return found + [id for _, id in shape.get("known", ())]


def _seq(id: str) -> int:
    return int(id[1:].partition("-")[0], 32)
