"""Headers as they are stored: read, deflated and inflated."""

from __future__ import annotations

import zlib
from functools import cache
from typing import Any

import msgspec

from muniment import limits
from muniment.errors import BrokenLedger
from muniment.model import canonical
from muniment.model.event import Header

DEFLATED = b"z"
CHECK_BYTES = 8


class _Top(msgspec.Struct):
    """A header without its events, which is quicker to read."""

    recorded_ms: int


# What reads a header is made on first use, because it takes a while to make.
@cache
def _headers() -> msgspec.json.Decoder[Header]:
    return msgspec.json.Decoder(Header)


@cache
def _tops() -> msgspec.json.Decoder[_Top]:
    return msgspec.json.Decoder(_Top)


def decoded(stored: Any) -> Header:
    """A stored header.

    Raises:
        BrokenLedger: it is none.
    """
    try:
        header = _headers().decode(inflated(stored))
    except (msgspec.DecodeError, RecursionError) as error:
        raise BrokenLedger("a commit's header cannot be read") from error
    if any(shape.id is None for shape in header.events):
        raise BrokenLedger("an event in a commit's header has no id")
    return header


def recorded_ms(stored: Any) -> int:
    """When a stored header's commit was recorded.

    Raises:
        BrokenLedger: it is none.
    """
    try:
        return _tops().decode(inflated(stored)).recorded_ms
    except (msgspec.DecodeError, RecursionError) as error:
        raise BrokenLedger("a commit's header cannot be read") from error


def inflated(stored: Any) -> bytes:
    """The header's bytes exactly as they are hashed.

    Raises:
        BrokenLedger: they are no bytes, or were deflated and do not come back.
    """
    if not isinstance(stored, bytes):
        raise BrokenLedger("a commit's header is no bytes")
    if stored[:1] != DEFLATED:
        return stored
    check, deflated = stored[1 : 1 + CHECK_BYTES], stored[1 + CHECK_BYTES :]
    if canonical.digest(canonical.DEFLATED_DOMAIN, deflated)[:CHECK_BYTES] != check:
        raise BrokenLedger("a deflated header differs from its check")
    stream = zlib.decompressobj()
    try:
        plain = stream.decompress(deflated, limits.HEADER_BYTES_MAX)
    except zlib.error as error:
        raise BrokenLedger("a deflated header cannot be inflated") from error
    if not stream.eof or stream.unused_data:
        raise BrokenLedger("a deflated header is longer than one may be, or something is behind it")
    return plain


def deflated(header: bytes) -> bytes:
    """The header's bytes as they are stored: long ones deflated, with a check before them."""
    if len(header) <= limits.HEADER_DEFLATE_ABOVE_BYTES:
        return header
    small = zlib.compress(header, 1)
    return DEFLATED + canonical.digest(canonical.DEFLATED_DOMAIN, small)[:CHECK_BYTES] + small
