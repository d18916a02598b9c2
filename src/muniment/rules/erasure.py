"""What goes with what is erased?  Pure: texts and citations in, a plan out.

A dependent follows if it was derived from the erased thing: it covers it, it is a summary that
rests on it, it is a proposal, it is another version of it with the same words, or it repeats at
least five words in a row, or eight characters of a dense script, of what it cites.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from muniment import limits
from muniment.model import text


class Citing(msgspec.Struct, frozen=True, kw_only=True):
    """A record that cites something to be erased, or is a later version of it."""

    id: str
    kind: str
    text: str
    covers: bool
    version: bool  # a later version of the same record


def follows(erased_text: str, citing: Citing) -> str | None:
    """Why `citing` is erased with the thing of this text, or None where it may stay."""
    if citing.covers:
        return "covers"
    if citing.kind == "summary":
        return "summary"
    if citing.kind == "proposal":
        return "proposal"
    return quotes(erased_text, citing)


def quotes(erased_text: str, citing: Citing) -> str | None:
    """Why `citing` is erased with words that it repeats, or None where it does not."""
    return "same_words" if repeats(erased_text, citing.text) else None


def telling(text_: str) -> tuple[str, ...]:
    """The words of a text that tell it wherever they stand: its numbers and codes.

    What holds one of them is named in a plan; it goes only with what the person takes too.
    """
    found = dict.fromkeys(
        word
        for word in text.words(text_)
        if len(word) >= limits.TELLING_LETTERS_MIN and any(map(str.isdigit, word))
    )
    return tuple(found)


def repeats(source: str, copy: str) -> bool:
    """Whether `copy` holds a run of words of `source` that is long enough to tell it.

    Short texts repeat when one holds all of the other.
    """
    source_words, copy_words = text.words(source), text.words(copy)
    if not source_words or not copy_words:
        return False
    if _holds(copy_words, source_words) or _holds(source_words, copy_words):
        return True
    if _shares(source_words, copy_words, limits.SHARED_WORDS_MIN, dense=False):
        return True
    return _shares(source_words, copy_words, limits.SHARED_CJK_CHARACTERS_MIN, dense=True)


def _holds(outer: Sequence[str], inner: Sequence[str]) -> bool:
    size = len(inner)
    return any(outer[at : at + size] == inner for at in range(len(outer) - size + 1))


def _shares(left: Sequence[str], right: Sequence[str], size: int, *, dense: bool) -> bool:
    runs = {
        tuple(left[at : at + size])
        for at in range(len(left) - size + 1)
        if all(text.dense(word) == dense for word in left[at : at + size])
    }
    return any(tuple(right[at : at + size]) in runs for at in range(len(right) - size + 1))
