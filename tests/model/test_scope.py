"""A scope's name, and the name of the file that holds it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment import errors
from muniment.model import scope

NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc",)), min_size=1, max_size=30
).filter(str.strip)


@given(NAMES)
def test_a_file_has_a_plain_name(name: str) -> None:
    """Whatever a scope is called, its file can be written down, copied and typed."""
    file = scope.file_name(name)

    assert file.isascii()
    assert file.endswith(scope.SUFFIX)
    assert len(file) <= 64
    assert not set(file) & set('/\\:*?"<>| ')
    assert not file.startswith((".", "-"))


@given(NAMES, NAMES)
def test_two_scopes_have_two_files(one: str, other: str) -> None:
    """Names that look alike differ in their digits, and a scope has more of these than one."""
    assert (scope.file_name(one) == scope.file_name(other)) is (one == other)
    assert len({scope.file_name(one, take) for take in range(8)}) == 8


@given(NAMES)
def test_an_erased_file_keeps_nothing_of_the_name(name: str) -> None:
    """Promise 8: neither a letter nor a digest of the name is left."""
    file = scope.erased_file_names("0123456789abcdef0123456789abcdef")[0]

    assert file == "erased-01234567.muniment"
    assert scope.name_digits(name)[:8] not in file


@pytest.mark.parametrize(
    ("name", "code"),
    [("", "blank_text"), ("\u3000", "blank_text"), ("é" * 65, "too_long"), ("a\tb", "bad_shape"),
     ("\x7f", "bad_shape"), ("a\0", "bad_encoding"), ("\udc00", "bad_encoding")],
    ids=ascii,
)  # fmt: skip
def test_what_is_no_name(name: str, code: str) -> None:
    """1 to 128 bytes, no control characters."""
    with pytest.raises(errors.BadInput) as caught:
        scope.check_name(name)

    assert (caught.value.code, caught.value.at) == (code, "scope")
    assert scope.check_name("é" * 64) == "é" * 64
