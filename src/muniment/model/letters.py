"""Letters as the index compares them: what people write in several ways is one.  Pure.

Case and compatibility forms; accents of Greek and the points of Hebrew and Arabic, which are
written or left out; letters with a stroke or a ligature, for which many keyboards have no key;
digits of other scripts; and signs that nobody sees.  The index's own tokenizer takes the accents
off Latin letters.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

# Letters that Unicode does not take apart, and what is typed in their place.
_TYPED = {
    "ł": "l", "đ": "d", "ħ": "h", "ŧ": "t", "ø": "o", "ǿ": "o", "ı": "i", "ð": "d",
    "æ": "ae", "ǽ": "ae", "ǣ": "ae", "œ": "oe", "þ": "th", "ё": "е", "ѐ": "е",
    "أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ی": "ي", "ک": "ك", "ة": "ه", "ہ": "ه",
}  # fmt: skip
_GREEK = re.compile("[\u0370-\u03ff\u1f00-\u1fff]")
_ZEROS = (0x0660, 0x06F0, 0x0966, 0x09E6)
# Marks on letters, points, and signs that are not seen, each as the first and the last.
_NOTHING = (
    ("\u0300", "\u036f"), ("\u0591", "\u05bd"), ("\u05bf", "\u05bf"), ("\u05c1", "\u05c2"),
    ("\u05c4", "\u05c5"), ("\u05c7", "\u05c7"), ("\u0610", "\u061a"), ("\u0640", "\u0640"),
    ("\u064b", "\u065f"), ("\u0670", "\u0670"), ("\u06d6", "\u06dc"), ("\u06df", "\u06e4"),
    ("\u06e7", "\u06e8"), ("\u06ea", "\u06ed"),
    ("\u00ad", "\u00ad"), ("\u061c", "\u061c"), ("\u200e", "\u200f"), ("\u202a", "\u202e"),
    ("\u2060", "\u2064"), ("\u2066", "\u206f"), ("\ufe00", "\ufe0f"), ("\ufeff", "\ufeff"),
)  # fmt: skip


def folded(text: str) -> str:
    """`text` with one spelling for each; folding twice changes nothing."""
    if text.isascii():
        return text
    nothing, others = _found()
    table = _table()
    # An iota below a letter is a mark on it, and would be a letter of its own in the other case.
    text = _GREEK.sub(_bare, unicodedata.normalize("NFKC", text)).casefold()
    return others.sub(lambda letter: table[letter[0]], nothing.sub("", text))


def _bare(letter: re.Match[str]) -> str:
    return unicodedata.normalize("NFD", letter[0])[0]


@cache
def _table() -> dict[str, str]:
    """What stands for each letter that is not itself; made on first use."""
    table = dict(_TYPED)
    for zero in _ZEROS:
        table |= {chr(zero + digit): str(digit) for digit in range(10)}
    return table


@cache
def _found() -> tuple[re.Pattern[str], re.Pattern[str]]:
    nothing = "".join(f"{first}-{last}" for first, last in _NOTHING)
    return re.compile(f"[{nothing}]+"), re.compile(f"[{''.join(map(re.escape, _table()))}]")
