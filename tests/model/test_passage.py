"""Long texts in passages."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment import limits
from muniment.model import passage
from tests.requirements.marker import requirement

PIECES = st.sampled_from(
    ("word ", "A sentence. ", "line\n", "blank\n\n", "日本語。", "日本語", "🎉", "é", "x" * 40, " ",
     "\u2028", "A longer sentence with many words in it, and another half! ")
)  # fmt: skip


@requirement("recall:passage:found")
@settings(max_examples=40)
@given(st.lists(PIECES, max_size=30), st.integers(1, 60))
def test_passages_cover_a_text_and_overlap_a_little(pieces: list[str], times: int) -> None:
    """Nothing is lost between them, each is within its bound, and each goes on."""
    text = "".join(pieces) * times

    spans = passage.spans(text)

    if len(text.encode()) <= limits.PASSAGE_ABOVE_BYTES:
        assert spans == []
        return
    assert (spans[0][0], spans[-1][1]) == (0, len(text))
    for start, end in spans:
        assert 0 < len(text[start:end].encode()) <= limits.PASSAGE_BYTES_MAX
    for (start, end), (next_start, next_end) in pairwise(spans):
        assert start < next_start <= end < next_end
        assert len(text[next_start:end].encode()) <= limits.PASSAGE_OVERLAP_BYTES_MAX


@pytest.mark.parametrize(
    ("text", "passages"),
    [
        ("", 0), ("x" * 2_048, 0), ("x" * 2_049, 2), ("é" * 1_024, 0), ("é" * 1_024 + "x", 2),
        ("日" * 682 + "ab", 0), ("日" * 683, 2),
    ],
)  # fmt: skip
def test_only_a_long_text_has_passages(text: str, passages: int) -> None:
    """Counted in bytes."""
    assert len(passage.spans(text)) == passages


def test_a_passage_ends_with_a_sentence_where_it_can() -> None:
    """Whole sentences read better than halves."""
    text = "This is a sentence of some length. " * 200

    ends = [text[end - 2 : end] for _, end in passage.spans(text)[:-1]]

    assert set(ends) == {". "}


@pytest.mark.parametrize(
    "text",
    ["x" * limits.MESSAGE_BYTES_MAX, "日" * (limits.MESSAGE_BYTES_MAX // 3),
     " " * limits.MESSAGE_BYTES_MAX, "a. " * (limits.MESSAGE_BYTES_MAX // 3),
     ("a" * 511 + "." + " " + "🎉" * 256) * 600],
    ids=["letters", "characters", "spaces", "sentences", "uneven"],
)  # fmt: skip
def test_the_longest_message_has_no_more_passages_than_there_are_places(text: str) -> None:
    """A passage's number fits the place that the index has for it."""
    assert len(passage.spans(text)) <= limits.PASSAGES_PER_TEXT_MAX
