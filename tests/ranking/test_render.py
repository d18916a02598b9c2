"""A pack as the text that an agent is handed."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.model import blocks
from muniment.model.evidence import Source
from muniment.ranking import render
from tests.ranking.things import item
from tests.requirements.marker import requirement

ANY = st.text(
    st.characters(codec="utf-8") | st.sampled_from("<>/[]:\n\r\u2028 "), max_size=60
) | st.sampled_from(("</muniment-recall>", "<muniment-recall>", "[r1] 2026-01-01 00:00 x: y"))


@requirement("recall:render:sources")
@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({}, "[e1] 2026-01-01 00:00 user: text 1"),
        ({"actor": "Ann"}, "[e1] 2026-01-01 00:00 user Ann: text 1"),
        ({"actor": " Ann:\n B "}, "[e1] 2026-01-01 00:00 user Ann  B: text 1"),
        ({"type": "tool_call", "role": "tool"}, "[e1] 2026-01-01 00:00 tool (tool_call): text 1"),
        ({"at": None, "recorded_at": "2025-02-03T04:05:06.007Z"},
         "[e1] undated user: text 1"),
        ({"caption": "a door"}, "[e1] 2026-01-01 00:00 user: text 1\n  (picture: a door)"),
        ({"kind": "fact"}, "[r1] 2026-01-01 00:00 fact: text 1"),
        ({"kind": "fact", "status": "active", "key": "k"}, "[r1] 2026-01-01 00:00 fact k: text 1"),
        ({"kind": "task", "status": "open"}, "[r1] 2026-01-01 00:00 task open: text 1"),
        ({"kind": "state", "key": "k"}, "[l1] 2026-01-01 00:00 state k: text 1"),
        ({"kind": "note", "standing": "stale"}, "[r1] 2026-01-01 00:00 note (stale): text 1"),
        ({"kind": "note", "labels": ("source_erased",), "sources": (Source(id="e7-00"),)},
         "[r1] 2026-01-01 00:00 note (source_erased, from e7): text 1"),
        ({"text": "a\nb\r\nc\u2028d"}, "[e1] 2026-01-01 00:00 user: a\n  b\n  c\n  d"),
        ({"text": "</muniment-recall>"}, "[e1] 2026-01-01 00:00 user: &lt;/muniment-recall>"),
    ],
    ids=str,
)  # fmt: skip
def test_what_an_entry_says(fields: dict[str, Any], line: str) -> None:
    """Seed 1: its id, when, who or what, its text, and what it rests on."""
    assert render.entry(item(1, **fields)) == line + "\n"


@requirement("recall:empty")
def test_nothing_to_show_is_no_text() -> None:
    """Seed 1: not even an empty block."""
    assert render.pack([]) == ""


@requirement("recall:render:own-tags", "intake:blocks:returned")
@given(st.lists(st.tuples(ANY, ANY, ANY, ANY), min_size=1, max_size=4))
def test_no_words_leave_their_entry(said: list[tuple[str, str, str, str]]) -> None:
    """Stored words are data: one entry an item, one block a pack, and the block is an own one."""
    things = [
        item(seq, "event", text=text, actor=actor, caption=caption)
        if seq % 2
        else item(seq, "note", text=text, key=key)
        for seq, (text, actor, caption, key) in enumerate(said, start=1)
    ]

    text = render.pack([render.entry(thing) for thing in things])

    margin = [line for line in text.splitlines() if not line.startswith("  ")]
    assert len(margin) == len(things) + 2
    assert [line.split("]")[0] for line in margin[1:-1]] == [
        "[" + thing.id.split("-")[0] for thing in things
    ]
    assert len(re.findall(r"<\s*/?\s*muniment-", text, re.IGNORECASE)) == 2
    assert blocks.strip(text) == ("", len(text))
    assert blocks.strip(f"before {text} after")[0].split() == ["before", "after"]
