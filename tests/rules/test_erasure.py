"""What goes with what is erased?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.rules import erasure
from muniment.rules.erasure import Citing
from tests.requirements.marker import requirement

SAID = "The harbour is open all year and the ferry leaves at nine"
DENSE = "港口全年开放渡轮九点离开"


@requirement("erasure:derived:repeating")
@pytest.mark.parametrize(
    ("source", "copy", "repeats"),
    [
        (SAID, "They say the ferry leaves at nine o'clock.", True),
        (SAID, "the ferry leaves at", True),  # all of it stands in the source
        (SAID, "the ferry leaves at ten", False),
        (SAID, "THE HARBOUR, is: open -- all!", True),
        (SAID, "all open is harbour the", False),
        (SAID, "harbour open year ferry nine leaves", False),
        (SAID, "The ｈａｒｂｏｕｒ is open all day.", True),
        (SAID, "", False),
        ("", SAID, False),
        ("?!", "?!", False),
        (DENSE, "听说港口全年开放渡轮", True),
        (DENSE, "港口全年开放", True),  # the whole of it stands in the source
        (DENSE, "他说港口全年开放了", False),
        (DENSE, "港口全年开放九点离开", False),
        ("Ключ лежит под синим камнем у входа", "ключ лежит под СИНИМ камнем, да", True),
        ("Ключ лежит под синим камнем у входа", "под синим камнем у", True),
        ("Ключ лежит под синим камнем у входа", "там под синим камнем у двери", False),
        ("7731", "The code is 7731.", True),
        ("The code is 7731.", "7731", True),
        ("The code is 7731.", "7732", False),
        ("a b c d e", "x a b c d y", False),
        ("a b c d e f", "x b c d e f y", True),
    ],
)
def test_which_words_are_the_same_words(source: str, copy: str, repeats: bool) -> None:
    """Promise 8: five words in a row or eight dense characters; or all of a shorter text."""
    assert erasure.repeats(source, copy) is repeats
    assert erasure.repeats(copy, source) is repeats


@requirement("erasure:derived:covering", "erasure:derived:repeating", "erasure:derived:listed")
@pytest.mark.parametrize(
    ("kind", "text", "covers", "reason"),
    [
        ("summary", "Nothing of it.", True, "covers"),
        ("summary", "The harbour is open all summer.", True, "covers"),
        ("proposal", "Nothing of it.", False, "proposal"),
        ("note", "The harbour is open all summer.", False, "same_words"),
        ("belief", "The harbour is open all summer.", False, "same_words"),
        ("note", "Ships come there.", False, None),
        ("belief", "Ships come there.", False, None),
        ("task", "Ask whether ships come.", False, None),
    ],
)
def test_why_a_dependent_follows(kind: str, text: str, covers: bool, reason: str | None) -> None:
    """Promise 8: what is derived from it goes with it, and what only cites it stays."""
    citing = Citing(id="r1", kind=kind, text=text, covers=covers, version=False)

    assert erasure.follows(SAID, citing) == reason


@given(st.lists(st.sampled_from("abcdefg"), min_size=5, max_size=30), st.data())
def test_five_words_of_it_anywhere_are_found(words: list[str], data: st.DataObject) -> None:
    """Promise 8: wherever they stand in either text."""
    start = data.draw(st.integers(0, len(words) - 5))
    around = st.lists(st.sampled_from(("x", "y", "z")), max_size=5)
    before, after = data.draw(around), data.draw(around)

    assert erasure.repeats(" ".join(words), " ".join([*before, *words[start : start + 5], *after]))


@given(st.text(), st.text())
def test_the_comparison_works_on_any_text_and_both_ways(one: str, other: str) -> None:
    """No text is too strange to be compared, and neither side matters more."""
    assert erasure.repeats(one, other) == erasure.repeats(other, one)
