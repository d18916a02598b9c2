"""JSON values cut out of a file that is read in pieces."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import BadInput
from muniment.importers import reading
from muniment.model.turn import Failed, Options
from tests.importers.files import Chunked

OPTIONS = Options(label="x")
SCALARS = st.none() | st.booleans() | st.integers() | st.text('a"\\{}[],: \u00e9\U0001f600')
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text('a"\\[}', max_size=3), inner)
)


def cut(file: bytes, piece: int = 1, bytes_max: int = 1_000) -> list[tuple[str, Any]]:
    """Place and value, or code, of all that is cut out of a file that comes a piece at a time."""
    pipe: Any = Chunked(file, piece)
    return [
        (item.at, item.code if isinstance(item, Failed) else json.loads(item.raw))
        for item in reading.values(pipe, OPTIONS, ("list",), bytes_max)
    ]


def said(read: Callable[[], Any]) -> Any:
    """What is read, or "refused"."""
    try:
        return read()
    except (BadInput, ValueError):
        return "refused"


def pairs(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object that has each key once."""
    if len({key for key, _ in members}) < len(members):
        raise ValueError("a key is repeated")
    return dict(members)


@given(values=st.lists(VALUES), piece=st.integers(1, 9), indent=st.sampled_from([None, 0, 2]))
def test_the_elements_of_an_array_come_one_by_one(
    values: list[Any], piece: int, indent: int | None
) -> None:
    """However the bytes are cut on their way, the values are those of the whole text."""
    file = json.dumps(values, indent=indent).encode()

    assert cut(file, piece, len(file)) == [(f"$[{at}]", value) for at, value in enumerate(values)]


@given(values=st.lists(VALUES), before=VALUES, after=VALUES, piece=st.integers(1, 9))
def test_a_list_in_an_object_comes_between_the_rest(
    values: list[Any], before: Any, after: Any, piece: int
) -> None:
    """What stands before the list and what stands behind it are objects of their own."""
    file = json.dumps({"before": before, "list": values, "after": after}).encode()

    assert cut(file, piece, len(file)) == [
        ("$", {"before": before}),
        *((f"$.list[{at}]", value) for at, value in enumerate(values)),
        ("$", {"after": after}),
    ]


@pytest.mark.parametrize(
    ("file", "found"),
    [
        (b'{"a": 1}', [("$", {"a": 1})]),
        (b"{}", [("$", {})]),
        (b"[]", []),
        (b" 7 ", [("$", 7)]),
        (b'"a"', [("$", "a")]),
        (b'{"list": 5}', [("$", {"list": 5})]),
        (b'{"list": [1], "list": [2]}', [("$", {}), ("$.list[0]", 1), ("$.list", "bad_json")]),
        (b"\xef\xbb\xbf[1]", [("$[0]", 1)]),
        (b"", [("$", "bad_json")]),
        (b"[1, 2] 3", [("$[0]", 1), ("$[1]", 2), ("$", "bad_json")]),
        (b"[1 2]", [("$[0]", 1), ("$", "bad_json")]),
        (b"[1,]", [("$[0]", 1), ("$[1]", "bad_json")]),
        (b"[1", [("$[0]", 1), ("$", "bad_json")]),
        (b'[1, "a', [("$[0]", 1), ("$[1]", "bad_json")]),
        (b'[1, "a\\', [("$[0]", 1), ("$[1]", "bad_json")]),
        (b'[1, {"a": [', [("$[0]", 1), ("$[1]", "bad_json")]),
        (b"{5: 1}", [("$", "bad_json")]),
        (b'{"a" 1}', [("$", "bad_json")]),
        (b'{"a": }', [("$.a", "bad_json")]),
        (b'{"\xff": 1}', [("$", "bad_encoding")]),
    ],
)
def test_a_file_that_is_no_json_says_where(file: bytes, found: list[tuple[str, Any]]) -> None:
    """What came before the break is given, and one last word tells the place."""
    assert cut(file) == found


@pytest.mark.parametrize(
    "long",
    [b'"' + b'x\\"' * 400 + b'"', b"[" + b"[1]," * 300 + b"2]", b"9" * 1_001],
    ids=["string", "array", "number"],
)
def test_a_value_that_is_too_long_is_passed_over(long: bytes) -> None:
    """It fails alone and is not held; its neighbours are given."""
    assert cut(b"[1," + long + b",2]", 7) == [("$[0]", 1), ("$[1]", "too_long"), ("$[2]", 2)]


def test_a_value_may_be_just_as_long_as_the_limit() -> None:
    """The bound is inclusive."""
    text = "x" * 998

    assert cut(json.dumps([text, text + "x"]).encode(), 64) == [
        ("$[0]", text),
        ("$[1]", "too_long"),
    ]


@given(text=st.text('{}[]",:\\ 1a\n', max_size=30))
def test_decoding_refuses_what_is_no_json_and_nothing_else(text: str) -> None:
    """The same values as the standard library reads, but no key twice."""
    found = said(lambda: reading.decode(text.encode(), "$"))
    expected = said(lambda: json.loads(text, object_pairs_hook=pairs))

    assert found == expected


@given(lines=st.lists(st.binary(max_size=40)), limit=st.integers(1, 50))
def test_lines_are_numbered_and_those_too_long_are_not_held(lines: list[bytes], limit: int) -> None:
    """Blank lines are passed over and counted all the same."""
    lines = [line.replace(b"\n", b"") for line in lines]
    file = io.BytesIO(b"\n".join(lines))

    found = dict(reading.lines(file, OPTIONS, 1_000_000))

    bare = [line.removeprefix(reading.BOM) if not at else line for at, line in enumerate(lines)]
    assert found == {
        number: line.strip(b" \t\r") for number, line in enumerate(bare, 1) if line.strip(b" \t\r")
    }
