"""Commits written by hand: every hash is right, and something else is not."""

from __future__ import annotations

import hashlib
import hmac
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.store.files import opened, plain

_DIGITS = "0123456789abcdefghijklmnopqrstuv"
_LETTERS = {
    "MessageObserved": "e",
    "RecordWritten": "r",
    "RecallRecorded": "q",
    "ReceiptErased": "j",
}
SALT = b"S" * 16


def digest(domain: str, *parts: bytes) -> bytes:
    """SHA-256 over the domain, a zero byte and the parts."""
    return hashlib.sha256(domain.encode() + b"\0" + b"".join(parts)).digest()


def encoded(value: Any) -> bytes:
    """Canonical JSON of what is here: ASCII keys and texts, whole numbers."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def append(
    path: Path,
    shape: Mapping[str, Any],
    content: bytes | None = b'{"text":"forged"}',
    *,
    chain: str = "m",
    header: Callable[[dict[str, Any]], None] = lambda _: None,
    said: Callable[[bytes], bytes] | None = None,
) -> int:
    """One more commit of one event; the seq of the event.  `header` and `said` change the header."""
    return append_all(path, [(shape, content)], chain=chain, header=header, said=said)


def append_all(
    path: Path,
    events: Sequence[tuple[Mapping[str, Any], bytes | None]],
    *,
    chain: str = "m",
    salt: bytes = SALT,
    header: Callable[[dict[str, Any]], None] = lambda _: None,
    said: Callable[[bytes], bytes] | None = None,
) -> int:
    """One more commit of several events, each with its content; the seq of the last.

    "EARLIER" in a shape is the id of the event before it.
    """
    with opened(path) as connection:

        def tip(name: str) -> tuple[Any, Any, Any, Any]:
            found = connection.execute(
                "SELECT seq, height, hash, header FROM commits WHERE chain = ?"
                " ORDER BY seq DESC LIMIT 1", (name,)
            )  # fmt: skip
            ((seq, height, named, stored),) = found.fetchall()
            return seq, height, named, stored

        seq, height, parent, last = tip(chain)
        before = json.loads(plain(last))
        placed: list[dict[str, Any]] = []
        for index, (shape, content) in enumerate(events):
            seq += 1
            event = {"seq": seq, **shape}
            if event.get("supersedes") == "EARLIER":
                event["supersedes"] = placed[-1]["id"]
            if content is not None:
                digested = digest("muniment/content/1", salt, content).hex()
                event.setdefault("content_digest", digested)
                event.setdefault("content_bytes", len(content))
                place = seq if chain == "m" else -seq
                connection.execute(
                    "INSERT INTO content VALUES (1, ?, ?, ?)", (place, salt, content)
                )
            said_at = b"%d" % index
            bare = encoded(event)
            named = digest("muniment/id/1", parent.hex().encode(), said_at, bare)[:8].hex()
            letter = _LETTERS.get(shape.get("event", ""), "l")
            placed.append({"id": f"{letter}{_base32(seq)}-{named}", **event})
        second = any(each.get("event") == "StateDeleted" for each in placed)
        whole = {
            "chain": chain, "events": placed, "format": 1 + second, "height": height + 1,
            "other": tip("j" if chain == "m" else "m")[2].hex(), "parent": parent.hex(),
            "recorded_ms": before["recorded_ms"] + 1, "scope": before["scope"],
        }  # fmt: skip
        header(whole)
        hashed = encoded(whole)
        stored = said(hashed) if said else deflated(hashed) if len(hashed) > 4096 else hashed
        connection.execute(
            "INSERT INTO commits VALUES (1, ?, ?, ?, ?, ?)",
            (chain, seq, height + 1, digest("muniment/commit/1", plain(stored)), stored),
        )
    return int(seq)


def deflated(header: bytes, behind: bytes = b"") -> bytes:
    """A header as a long one is stored, with something behind its stream."""
    small = zlib.compress(header, 1) + behind
    return b"z" + digest("muniment/deflated/1", small)[:8] + small


def tag(path: Path, kind: str, text: str) -> str:
    """The keyed tag of a text in this file."""
    with opened(path) as connection:
        ((secret,),) = connection.execute("SELECT secret FROM scope").fetchall()
    assert isinstance(secret, bytes)
    return hmac.digest(secret, f"{kind}\0{text}".encode(), "sha256")[:16].hex()


def ids(path: Path, event: str) -> Sequence[str]:
    """The ids of all events of one kind, oldest first."""
    with opened(path) as connection:
        stored = connection.execute("SELECT header FROM commits ORDER BY chain, seq").fetchall()
    shapes = [shape for (header,) in stored for shape in json.loads(plain(header))["events"]]
    return [shape["id"] for shape in shapes if shape["event"] == event]


def _base32(number: int) -> str:
    digits = ""
    while True:
        digits = _DIGITS[number & 31] + digits
        number >>= 5
        if not number:
            return digits
