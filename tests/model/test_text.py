"""Text as the index sees it, and questions as terms."""

from __future__ import annotations

import time
import unicodedata

import apsw
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from muniment import limits
from muniment.model import letters, text
from tests.requirements.marker import requirement


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("where is the red door", ("red", "door")),
        ("the of and", ()),
        ("door DOOR Door door's", ("door",)),
        ("5512 and 7731", ("5512", "7731")),
        ("snake_case kebab-case", ("snake", "case", "kebab")),
        ("图", ("图",)), ("图书", ("图 书",)), ("图书馆", ("图 书", "书 馆")),
        ("图 书", ("图", "书")), ("abc图书def", ("abc", "图 书", "def")),
        ("ดี", ("ด",)), ("🎉 party", ("party", "🎉")), ("ＡＢＣ", ("abc",)),
        ("за́мок", ("замок",)), ("Straße", ("strasse",)), ("", ()), ("?! «»", ()),
        ("AND OR NOT NEAR", ("near",)), ("a*b^c", ("b", "c")),
    ],
)  # fmt: skip
def test_a_question_is_taken_apart(query: str, words: tuple[str, ...]) -> None:
    """In its order, without repeats; stop words count only where there is nothing else."""
    assert set(text.terms(query).words) == set(words)


@requirement("recall:text:quoted")
@pytest.mark.parametrize(
    ("query", "quoted"),
    [
        ('"red door"', ("red door",)), ("“red door”", ("red door",)),
        ("„red door“", ("red door",)), ("«red door»", ("red door",)),
        ('a "b c" d "e f"', ("b c", "e f")), ('"b c" "b c"', ("b c",)),
        ('"red', ()), ('red"', ()), ('""', ()), ('"a"', ()), ('"?!"', ()),
        ('"图书馆"', ("图 书 馆",)), ('"red-door, open"', ("red door open",)),
    ],
)  # fmt: skip
def test_quotation_marks_hold_phrases(query: str, quoted: tuple[str, ...]) -> None:
    """Seed 2: of any script's marks; a mark alone is no quote."""
    assert text.terms(query).quoted == quoted


@requirement("recall:text:spellings")
def test_folding_a_letter_twice_changes_nothing() -> None:
    """So what is indexed and what is asked meet, whoever folded first."""
    for code in (*range(0x80, 0xD800), *range(0xE000, 0x30000)):
        for said in (chr(code), f"α{chr(code)}b"):
            assert letters.folded(letters.folded(said)) == letters.folded(said), hex(code)


@requirement("recall:text:bounded-time")
@pytest.mark.parametrize("said", ["é", "\u01a3\u0488", "ё", "ﷺ", "漢", "🎉"])
def test_a_question_without_a_space_four_times_as_long_takes_some_four_times(said: str) -> None:
    """By the square it would be sixteen: it was, when each letter copied those before it."""

    def took(letters: int) -> float:
        question = said * letters
        started = time.process_time()
        text.terms(question)
        return time.process_time() - started

    most = min(limits.QUERY_BYTES_MAX // len(said.encode()), 80_000)
    assert took(most) < 9 * max(took(most // 4), took(most // 4)) + 0.2


@requirement("recall:text:bounded-time")
def test_a_long_question_keeps_its_longest_terms() -> None:
    """Seed 2: the longest are the likeliest to be rare, and what was left out is counted."""
    words = [f"w{number}" for number in range(10_000)] + ["extraordinarily"]

    terms = text.terms(" ".join(words))

    assert len(terms.words) == limits.QUERY_TERMS_MAX
    assert "extraordinarily" in terms.words
    assert terms.left_out == len(words) - limits.QUERY_TERMS_MAX


# Letters, marks and signs that a person may write; the index knows no newer ones.
LETTERS = st.text(
    st.characters(
        codec="utf-8", categories=("L", "N", "Mn", "Zs", "Po", "Pd"), max_codepoint=0xFFFF
    ),
    min_size=1,
    max_size=12,
)


@requirement("recall:text:scripts", "recall:text:operators")
@given(LETTERS)
@example("за́мок")
@example("ß")
@example("e\u0301")
@example("ΰ")
@example("ａ＿ｂ")
@example("0\u1de7")
@example("0\u2e3c")
@example("a\u283fb")
def test_what_is_indexed_is_found_by_itself(said: str) -> None:
    """Seed 1: a text asked as a question leads to the text, in the index's own engine."""
    connection = apsw.Connection("")
    connection.execute(
        f'CREATE VIRTUAL TABLE t USING fts5 (body, content = "", tokenize = "{text.TOKENIZER}")'
    )
    connection.execute("INSERT INTO t (rowid, body) VALUES (1, ?)", (text.prepared(said),))
    terms = text.terms(said)

    for match in (" OR ".join(f'"{word}"' for word in terms.words), *terms.quoted):
        if match and not match[0].isspace() and text.words(said):
            quoted = match if match.startswith('"') else f'"{match}"'
            assert connection.execute("SELECT rowid FROM t WHERE t MATCH ?", (quoted,)).fetchone()
    connection.close()


@requirement("recall:text:scripts")
def test_a_letter_is_found_under_every_mark_there_is() -> None:
    """Whichever of them the engine takes for a part of a word."""
    marks = [
        chr(code) for code in range(0x80, 0x30000) if unicodedata.category(chr(code))[0] == "M"
    ]
    connection = apsw.Connection("")
    connection.execute(
        f'CREATE VIRTUAL TABLE t USING fts5 (body, content = "", tokenize = "{text.TOKENIZER}")'
    )
    texts = [f"0{mark}b" for mark in marks if text.words(f"0{mark}b")]
    rows = [(row, text.prepared(said)) for row, said in enumerate(texts)]
    connection.executemany("INSERT INTO t (rowid, body) VALUES (?, ?)", rows)

    for row, said in enumerate(texts):
        for word in text.terms(said).words:
            found = connection.execute(
                "SELECT 1 FROM t WHERE t MATCH ? AND rowid = ?", (f'"{word}"', row)
            ).fetchone()
            assert found, hex(ord(said[1]))
    connection.close()


@given(st.text())
def test_any_text_can_be_asked_and_indexed(said: str) -> None:
    """Nothing in a term can be taken for an operator, and preparing twice changes nothing."""
    terms = text.terms(said)

    assert not any('"' in term for term in (*terms.words, *terms.quoted))
    assert len(terms.words) <= limits.QUERY_TERMS_MAX
    assert text.prepared(text.prepared(said)).split() == text.prepared(said).split()


@given(st.text(st.characters(codec="ascii")))
def test_plain_text_is_indexed_as_it_is(said: str) -> None:
    """Most texts need no work."""
    assert text.prepared(said) == said


@requirement("erasure:derived:repeating")
@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("The red-door, OPEN!", ["the", "red", "door", "open"]),
        ("图书馆 is open", ["图", "书", "馆", "is", "open"]),
        ("ＡＢＣ Straße", ["abc", "strasse"]),
        ("a_b", ["a", "b"]),
        ("…", []),
    ],
)
def test_texts_are_compared_by_their_words(said: str, words: list[str]) -> None:
    """Case, width and signs make no difference; dense scripts count by character."""
    assert text.words(said) == words


@given(st.text(max_size=30))
def test_comparing_does_not_see_the_form_of_letters(said: str) -> None:
    """The same letters in another normal form are the same words."""
    assert text.words(unicodedata.normalize("NFD", said)) == text.words(said) or any(
        unicodedata.category(letter).startswith("M")
        for letter in unicodedata.normalize("NFC", said)
    )
