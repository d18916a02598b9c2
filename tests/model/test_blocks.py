"""The blocks that a memory hands to a host, and how they are taken out again."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.model import blocks
from tests.requirements.marker import requirement

OWN = re.compile(
    r"<\s{0,8}/?\s{0,8}(?:muniment-(?:recall|bridge|session|strategy)|cogmem_[a-z0-9_]{0,64})\b"
    r"[^<>]{0,512}>",
    re.IGNORECASE,
)
PIECES = st.lists(
    st.sampled_from(
        ("<muniment-recall>", "</muniment-recall>", "<MUNIMENT-Bridge a='b'>",
         "</muniment-bridge >", "<cogmem_x>", "</COGMEM_X>", "<", ">", "/", "muniment-recall",
         "<b>", "a", " ", "\n", "<muniment-", "recall>", "< / muniment-session", "日本")
    ),
    max_size=14,
).map("".join)  # fmt: skip


@requirement("intake:blocks:any-form", "intake:blocks:stripped")
@given(PIECES)
def test_what_is_left_holds_no_own_tag(text: str) -> None:
    """Seed 2: however they are nested, cut or mixed; and what was taken away is counted."""
    left, stripped = blocks.strip(text)

    assert not OWN.search(left)
    assert blocks.strip(left) == (left, 0)
    assert (stripped == 0) is not bool(OWN.search(text))


@requirement("intake:blocks:rest-untouched")
@given(st.text())
def test_a_text_without_own_tags_is_left_alone(text: str) -> None:
    """Seed 2: to the last space."""
    if not OWN.search(text):
        assert blocks.strip(text) == (text, 0)


@requirement("recall:render:own-tags")
@given(PIECES)
def test_a_defused_text_opens_and_closes_nothing(text: str) -> None:
    """Stored words are data, and read as they were written."""
    defused = blocks.defuse(text)

    assert not OWN.search(defused)
    assert defused.replace("&lt;", "<") == text.replace("&lt;", "<")


@requirement("intake:blocks:earlier")
@pytest.mark.parametrize("name", blocks.NAMES)
def test_every_block_is_known_by_its_name(name: str) -> None:
    """Ours and the earlier kernel's."""
    for written in (name, name.upper(), name.lower(), name.title()):
        assert blocks.strip(f"a<{written}>b</{written}>c") == ("ac", 2 * len(name) + 6)


def test_taking_blocks_out_takes_time_in_proportion_to_the_text() -> None:
    """A message of a mebibyte of tags is no trouble."""
    text = "<muniment-recall>" * 60_000

    assert blocks.strip(text) == ("", len(text))
    assert blocks.strip("<" * 1_000_000) == ("<" * 1_000_000, 0)
    assert blocks.strip("<muniment-recall " * 60_000)[1] == 0


@requirement("intake:blocks:linear")
@pytest.mark.parametrize(
    "text",
    [
        "<" + " " * 900_000 + "z",
        ("<" + " " * 1_000) * 900,
        "<" * 900_000 + "muniment-",
        "<cogmem_" * 90_000,
    ],
    ids=["spaces", "many", "open", "names"],
)
def test_a_hostile_text_costs_no_more_than_its_length(text: str) -> None:
    """One message must not stop a memory: what tries each beginning to the end takes hours here."""
    left, _ = blocks.strip(text)

    assert left == text or left == blocks.defuse(text)
    assert len(blocks.defuse(text)) >= len(text)
