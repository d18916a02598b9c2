"""Canonical bytes and the digests over them."""

from __future__ import annotations

import hmac
import json
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from muniment import errors
from muniment.model import canonical
from tests.requirements.marker import requirement

STRINGS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
HASHED = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | STRINGS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text(st.characters(codec="ascii", exclude_characters="\0"), max_size=6),
            inner,
            max_size=4,
        )
    ),
    max_leaves=15,
)


@given(HASHED)
def test_canonical_bytes_are_those_of_the_standard(value: Any) -> None:
    """RFC 8785, for all that may be hashed: ASCII keys, strings, integers within 2**53."""
    assert canonical.encode(value) == rfc8785.dumps(value)


@given(st.lists(st.binary(max_size=9), max_size=4), st.binary(min_size=1, max_size=9))
def test_a_digest_is_of_its_domain(parts: list[bytes], domain: bytes) -> None:
    """The same bytes in another place have another digest."""
    whole = canonical.digest(domain, b"".join(parts))

    assert canonical.digest(domain, *parts) == whole
    assert canonical.digest(domain + b"x", *parts) != whole
    assert len(whole) == 32


@given(STRINGS, STRINGS, st.binary(min_size=32, max_size=32))
def test_a_tag_recognises_its_string_and_tells_kinds_apart(
    one: str, other: str, secret: bytes
) -> None:
    """Promise 8: what outlives an erasure is keyed, and says nothing without its key."""
    tag = canonical.tag(secret, "key", one)

    assert (tag == canonical.tag(secret, "key", other)) is (one == other)
    assert canonical.tag(secret, "external", one) != tag
    assert canonical.tag(bytes(32) if any(secret) else b"\1" * 32, "key", one) != tag
    assert len(tag) == 32


@given(STRINGS, st.binary(max_size=150))
def test_a_tag_is_the_hmac_of_the_standard(text: str, secret: bytes) -> None:
    """RFC 2104 over SHA-256, with keys shorter and longer than a block."""
    whole = hmac.digest(secret, b"key\0" + text.encode(), "sha256")

    assert canonical.tag(secret, "key", text) == whole[: canonical.TAG_BYTES].hex()


@requirement("records:shape:repeated-key", "records:shape:encoding")
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"a":1,"a":1}', "bad_json"), ('[{"b":{"a":1,"a":2}}]', "bad_json"), ("", "bad_json"),
        ("{", "bad_json"), ("NaN", "bad_json"), ("[-Infinity]", "bad_json"), ("'a'", "bad_json"),
        ("1e400", "bad_json"), ("[-1E-400]", "bad_json"),
        ("1.00000000000000001", "bad_json"), ("[123456789012345678.5]", "bad_json"),
        ('{"a":0.1e-9999}', "bad_json"),
        ("[" * 200 + "]" * 200, "bad_json"), ("[" * 100_000, "bad_json"),
        ('"\\u0000"', "bad_encoding"), ('"\\ud800"', "bad_encoding"),
        ('{"\\ud800":1}', "bad_encoding"), (b"\xff\xfe", "bad_encoding"),
        (b'"\xc3"', "bad_encoding"), (b'"\xed\xa0\x80"', "bad_encoding"),
    ],
    ids=lambda text: repr(text)[:24],
)  # fmt: skip
def test_json_that_would_not_come_back_is_refused(text: str | bytes, code: str) -> None:
    """Seed 1, typed writes: repeated keys, bad encoding and what no reader can read."""
    with pytest.raises(errors.BadInput) as caught:
        canonical.read_json(text, "metadata")

    assert caught.value.code == code
    assert (caught.value.at or "").startswith("metadata")


@given(HASHED)
def test_json_comes_back_as_it_was(value: Any) -> None:
    """Whatever a reader of JSON can read."""
    assert canonical.read_json(json.dumps(value), "value") == value
    assert canonical.read_json(json.dumps(value).encode(), "value") == value
    assert json.loads(canonical.plain_json(value, "value")) == value


@pytest.mark.parametrize(
    ("value", "at"),
    [
        (float("nan"), "v"), ([1, float("inf")], "v[1]"), ({"a": 2**53}, "v.a"), ({1: 2}, "v"),
        ({"a": [b""]}, "v.a[0]"), (frozenset(), "v"),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_no_exact_json_is_refused_at_its_place(value: Any, at: str) -> None:
    """A number that is not kept exactly, and what JSON has no word for."""
    with pytest.raises(errors.BadJson) as caught:
        canonical.plain_json(value, "v")

    assert caught.value.at == at


@pytest.mark.parametrize("text", ["", "a", "日本 🎉", "\x01", "\ufffe", "\u2028"])
def test_any_other_string_can_be_stored(text: str) -> None:
    """Only NUL and half surrogate pairs cannot."""
    canonical.check_text(text, "text")
