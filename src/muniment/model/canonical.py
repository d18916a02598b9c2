"""Canonical bytes and the digests over them.

The bytes are RFC 8785 for what may be hashed here: objects with ASCII keys, arrays, strings,
integers within 2**53, booleans and null.  Floats are refused.  `docs/format.md` is the page.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache
from typing import Any

import msgspec

from muniment import limits
from muniment.errors import BadEncoding, BadJson

COMMIT_DOMAIN = b"muniment/commit/1"
CONTENT_DOMAIN = b"muniment/content/1"
_DIGITS_MAX = 1_000  # of an integer in JSON; what may be kept has 16
ID_DOMAIN = b"muniment/id/1"
SECRET_DOMAIN = b"muniment/secret/1"
DEFLATED_DOMAIN = b"muniment/deflated/1"
TAG_BYTES = 16
_BLOCK_BYTES = 64  # of SHA-256

_encoder = msgspec.json.Encoder(order="sorted")


def encode(value: Any) -> bytes:
    """`value` as canonical JSON bytes; structs without their default fields."""
    return _encoder.encode(value)


def digest(domain: bytes, *parts: bytes) -> bytes:
    """SHA-256 over the domain, one zero byte and the parts in order; 32 bytes."""
    state = hashlib.sha256(domain)
    state.update(b"\0")
    for part in parts:
        state.update(part)
    return state.digest()


def tag(secret: bytes, kind: str, text: str) -> str:
    """The first 16 bytes of HMAC-SHA-256(secret, kind 0 text) as 32 hex digits.

    Recognises a repeat after the text itself is erased (RFC 2104 section 5 on truncation).
    """
    inner, outer = (state.copy() for state in _keyed(secret))
    inner.update(kind.encode() + b"\0" + text.encode())
    outer.update(inner.digest())
    tag: str = outer.hexdigest()[: 2 * TAG_BYTES]
    return tag


@lru_cache(maxsize=256)
def _keyed(secret: bytes) -> tuple[Any, Any]:
    """The two hashes of RFC 2104 with the key taken in: two thirds of the work of a short text."""
    key = secret if len(secret) <= _BLOCK_BYTES else hashlib.sha256(secret).digest()
    block = key.ljust(_BLOCK_BYTES, b"\0")
    inner, outer = (hashlib.sha256(bytes(byte ^ pad for byte in block)) for pad in (0x36, 0x5C))
    return inner, outer


def check_text(text: str, at: str) -> None:
    """Raises `BadEncoding` where `text` cannot be stored and read back exactly."""
    if "\0" in text:
        raise BadEncoding("a text may not hold NUL", at=at)
    if text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError as error:
        # A byte that is not UTF-8 stands there as such a half, wherever Python decodes for us.
        escaped = "\udc80" <= text[error.start] <= "\udcff"
        found = "bytes that are not UTF-8" if escaped else "half a surrogate pair"
        raise BadEncoding(f"a text may not hold {found}", at=at) from error


def read_json(text: str | bytes, at: str, parse_float: Callable[[str], float] | None = None) -> Any:
    """The value of a JSON text, refusing what would not come back as it went in.

    `parse_float`: what is done with numbers that have a point or an exponent, where it is not
    `exact_float`.

    Raises:
        BadEncoding: the bytes are not UTF-8, or a string holds NUL or half a surrogate pair.
        BadJson: no JSON, a repeated key, a number that is not finite, or nesting too deep.
    """
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadEncoding("the bytes are not UTF-8", at=at) from error
    value = parsed(text, at, parse_float or exact_float)
    check_strings(value, at)
    return value


def parsed(text: str, at: str, parse_float: Callable[[str], float] | None = None) -> Any:
    """The value of a JSON text, whatever its strings hold and however deep it is nested.

    Raises:
        BadJson: no JSON, a repeated key, a number that is not finite, or nesting too deep to read.
    """
    try:
        return json.loads(
            text,
            object_pairs_hook=_unique,
            parse_constant=_finite,
            parse_float=parse_float or kept_float,
            parse_int=_integer,
        )
    except RecursionError as error:
        raise BadJson("the JSON is nested too deeply", at=at) from error
    except ValueError as error:
        raise BadJson(f"not JSON: {error}", at=at) from error


def check_strings(value: Any, at: str, depth: int = 0) -> None:
    """Nothing, if a JSON value can be stored and read back by anybody.

    Raises:
        BadEncoding: a string in it holds NUL or half a surrogate pair.
        BadJson: it is nested more than `JSON_DEPTH_MAX` deep.
    """
    if depth > limits.JSON_DEPTH_MAX:
        raise BadJson(f"nested more than {limits.JSON_DEPTH_MAX} deep", at=at)
    if isinstance(value, str):
        check_text(value, at)
    elif isinstance(value, dict):
        for key, member in value.items():
            check_text(key, at)
            check_strings(member, f"{at}.{key}", depth + 1)
    elif isinstance(value, list):
        for index, member in enumerate(value):
            check_strings(member, f"{at}[{index}]", depth + 1)


def plain_json(value: Any, at: str) -> str:
    """A caller's JSON value as one text, re-encoded once with sorted keys.

    It is kept as a string, so its numbers are never read again by a hash.

    Raises:
        BadJson: a number is not finite or an integer is beyond 2**53.
    """
    _check_numbers(value, at)
    return encode_text(value)


def encode_text(value: Any) -> str:
    """A JSON value as one text with sorted keys and no white space."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _integer(digits: str) -> int:
    """The number, where it has few enough digits to be read at all."""
    if len(digits) > _DIGITS_MAX:
        raise ValueError(f"the number {digits[:40]}... has {len(digits)} digits")
    return int(digits)


def exact_float(text: str) -> float:
    """The number of a JSON text, if a float is just that.

    Raises:
        ValueError: it is not, and would come back as another.
    """
    number = kept_float(text)
    if Decimal(text) != Decimal(repr(number)):
        raise ValueError(f"the number {text[:40]} is not kept exactly; say it as a string")
    return number


def kept_float(text: str) -> float:
    """The number of a JSON text, as near as a float comes to it.

    Raises:
        ValueError: nothing of it would be left, or it would be no number any more.
    """
    number = float(text)
    digits = text.lower().partition("e")[0]
    if math.isinf(number) or (number == 0 and any(digit in digits for digit in "123456789")):
        raise ValueError(f"the number {text[:40]} is beyond what can be kept")
    return number


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ValueError(f"the key {key!r} is repeated")
            seen.add(key)
    return members


def _finite(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _check_numbers(value: Any, at: str) -> None:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return
    if isinstance(value, int):
        if abs(value) > limits.INTEGER_MAX:
            raise BadJson("an integer is beyond 2**53 and would not be kept exactly", at=at)
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise BadJson("a number is not finite", at=at)
    elif isinstance(value, dict):
        for key, member in value.items():
            if not isinstance(key, str):
                raise BadJson("a key is not a string", at=at)
            _check_numbers(member, f"{at}.{key}")
    elif isinstance(value, list | tuple):
        for index, member in enumerate(value):
            _check_numbers(member, f"{at}[{index}]")
    else:
        raise BadJson(f"{type(value).__name__} is no JSON value", at=at)
