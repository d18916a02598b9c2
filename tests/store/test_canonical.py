"""The bytes that are hashed are those of RFC 8785, whatever was said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from muniment import Commit, Memory, Note, Observe, StateGet, StateSetTo, limits
from tests.golden import make
from tests.requirements.marker import requirement
from tests.store.files import only_file, plain, rows

# What may be stored: no NUL, no half of a surrogate pair.
TEXTS = st.text(
    st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=60
).filter(lambda text: bool(text.strip()) and "<" not in text)
NUMBERS = st.integers(-(2**53 - 1), 2**53 - 1)
TIMES = st.integers(limits.TIME_SECONDS_END, limits.TIME_MS_MAX) | st.integers(-1_000, 1_000)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory that the examples of one test share."""
    return tmp_path_factory.mktemp("canonical") / "memory"


@requirement("ledger:header:canonical")
@given(texts=st.lists(TEXTS, min_size=1, max_size=8, unique=True), at=st.none() | TIMES)
def test_headers_and_contents_are_canonical_json(
    kept: Path, texts: list[str], at: int | None
) -> None:
    """Any text at any place: the stored bytes are what an RFC 8785 library writes."""
    with Memory.open(kept, synchronous="normal") as memory:
        if at is None or abs(at) < 10**14:
            memory.run(
                Observe(text=texts[0], role="tool", actor=texts[-1], tags=(texts[0],), at=at)
            )
        memory.run(Commit(notes=tuple(Note(text=text, about=texts[-1]) for text in texts)))

    stored = rows(only_file(kept), "SELECT header FROM commits ORDER BY seq DESC LIMIT 2")
    held = rows(only_file(kept), "SELECT bytes FROM content ORDER BY place DESC LIMIT 9")

    for bytes in [plain(header) for (header,) in stored] + [content for (content,) in held]:
        assert rfc8785.dumps(json.loads(bytes)) == bytes


@requirement("ledger:header:canonical")
def test_every_header_of_the_golden_commands_is_canonical(tmp_path: Path) -> None:
    """Every kind of event with most of its fields; a long header is deflated only where it lies."""
    make.write(tmp_path)

    stored = [
        header
        for path in tmp_path.glob("*.muniment")
        for (header,) in rows(path, "SELECT header FROM commits")
    ]

    assert [header for header in stored if header[:1] == b"z"]
    for header in stored:
        assert rfc8785.dumps(json.loads(plain(header))) == plain(header)


@requirement("ledger:state:set-and-get")
@given(key=TEXTS.filter(lambda text: len(text.encode()) <= 128), value=VALUES)
def test_a_state_key_answers_the_value_it_was_given(kept: Path, key: str, value: object) -> None:
    """Any JSON value: null, nested, with keys in any script, and numbers exactly."""
    with Memory.open(kept, synchronous="normal") as memory:
        memory.run(StateSetTo(key=key, value=value))

        found = memory.run(StateGet(key=key)).value

    assert json.dumps(found, sort_keys=True) == json.dumps(value, sort_keys=True)
