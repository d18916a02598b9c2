"""Text as the index sees it, and questions as terms.  Pure; the index's own tokenizer stems.

Scripts written without spaces are indexed one token a character and asked for in pairs, so that
any two characters that stand side by side are found; symbols such as emoji are tokens too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

import msgspec

from muniment import limits
from muniment.model import day, letters
from muniment.model.day import Written

# What the full-text index of a scope is made with; part of the projection's fingerprint.
TOKENIZER = "porter unicode61 remove_diacritics 2 categories 'L* N* Co So'"

# Han, kana, hangul, Thai, Lao, Myanmar, Khmer: written without spaces, or with few.
_DENSE = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_WORD = re.compile(r"[^\W_]+")
_QUOTED = re.compile(r'["“”„«]([^"“”„«»]{2,400})["“”»]')
_SYMBOL = (
    "\u00a6\u00a9\u00ae\u00b0\u2100-\u214f\u2190-\u21ff\u2300-\u23ff\u2460-\u27bf\u2900-\u297f"
    "\u2b00-\u2bff\u3200-\u33ff\U0001f000-\U0001faff"
)

_STOP_WORDS = """
    a about above after again against ain all also am an and any are aren as at be because been
    before being below between both but by can could couldn d did didn do does doesn doing don
    down during each few for from further had hadn has hasn have haven having he her here hers
    herself him himself his how i if in into is isn it its itself just ll m ma many me mightn
    more most much mustn my myself needn no nor not now o of off on once only or other our ours
    ourselves out over own re s same shan she should shouldn so some such t than that the their
    theirs them themselves then there these they this those through to too under until up ve
    very was wasn we were weren what when where which while who whom why will with won would
    wouldn y you your yours yourself yourselves"""
STOP_WORDS = frozenset(_STOP_WORDS.split())


class Terms(msgspec.Struct, frozen=True):
    """A question taken apart."""

    words: tuple[str, ...]  # each one token, or some side by side with spaces between
    quoted: tuple[str, ...]  # phrases that the question put in quotation marks
    left_out: int  # terms beyond the limit, shortest first
    exact: bool = False  # the question is nothing but quotations


def prepared(text: str) -> str:
    """`text` as it is indexed: folded, dense scripts and symbols one token a character."""
    if text.isascii():
        return text
    text = _between().sub(_parting, letters.folded(text))
    return _apart(_SYMBOL).sub(r" \1 ", _apart(_DENSE).sub(r" \1 ", text))


def terms(query: str, dates: Sequence[Written] = (), *, all_said: bool = False) -> Terms:
    """The terms of a question, in its order, without repeats and without stop words.

    The numbers of a whole date are no words; the date is one, as it is written there and as most
    write it.  Where all is asked for that was said on a day, no other word tells what.

    A question of stop words alone has none: nothing is relevant to it.  Beyond
    `QUERY_TERMS_MAX` the longest stay, as the likeliest to be rare.
    """
    query = letters.folded(query)
    every: dict[str, str] = {}
    others = [] if all_said else _tokens(_undated(query, dates))
    for token in (*others, *_dated(query, dates)):
        every.setdefault(token.casefold(), token)
    kept = [term for folded, term in every.items() if folded not in STOP_WORDS]
    if len(kept) > limits.QUERY_TERMS_MAX:
        longest = sorted(range(len(kept)), key=lambda at: (-len(kept[at]), at))
        chosen = sorted(longest[: limits.QUERY_TERMS_MAX])
    else:
        chosen = list(range(len(kept)))
    phrases = (" ".join(_phrase(found[1])) for found in _QUOTED.finditer(query))
    return Terms(
        words=tuple(kept[at] for at in chosen),
        quoted=tuple(dict.fromkeys(phrase for phrase in phrases if phrase)),
        left_out=len(kept) - len(chosen),
        exact=not _tokens(_QUOTED.sub(" ", query)),
    )


def _undated(query: str, dates: Sequence[Written]) -> str:
    """The question without its dates; the name of a month is a word of it."""
    for each in reversed(dates):
        query = f"{query[: each.start]} {each.month} {query[each.end :]}"
    return query


def _dated(query: str, dates: Sequence[Written]) -> Iterator[str]:
    for each in dates:
        yield " ".join(_phrase(query[each.start : each.end])).lower()
        yield from day.spelled(each.day)


def words(text: str) -> list[str]:
    """The words of a text for comparing texts: NFKC, case folded, dense scripts by character."""
    text = unicodedata.normalize("NFKC", text).casefold()
    return _WORD.findall(text if text.isascii() else _apart(_DENSE).sub(r" \1 ", text))


def dense(word: str) -> bool:
    """Whether `word` is one character of a script written without spaces."""
    return not word.isascii() and _apart(_DENSE).fullmatch(word) is not None


@cache
def _between() -> re.Pattern[str]:
    """What may part two words: all but letters, digits, symbols, spaces, and what is plain ASCII."""
    return re.compile(f"[^\\w\\s\\x00-\\x7f{_SYMBOL}]")


def _parting(found: re.Match[str]) -> str:
    """A space, or the mark that it is.  The engine knows no sign younger than itself."""
    return found[0] if unicodedata.category(found[0])[0] == "M" else " "


@cache
def _apart(letters: str, times: str = "") -> re.Pattern[str]:
    """What finds one of these letters; made on first use, because most texts need none."""
    return re.compile(f"([{letters}]{times})")


def _tokens(query: str) -> list[str]:
    found: list[str] = []
    for piece in re.split(r"\s+", query):
        at = 0
        for run in () if piece.isascii() else _apart(_DENSE, "+").finditer(piece):
            found += _plain(piece[at : run.start()])
            found += _pairs(run[0])
            at = run.end()
        found += _plain(piece[at:])
    return found


def _plain(text: str) -> list[str]:
    symbols = [] if text.isascii() else _apart(_SYMBOL).findall(text)
    return [word.lower() if word.isascii() else word for word in _words(text)] + symbols


def _words(text: str) -> list[str]:
    """Runs of letters and digits, each with the marks on them.

    The engine takes some marks for parts of a word and some for the end of one.  A word that is
    asked for with its marks is taken apart as it was in the text.
    """
    if text.isascii():
        return _WORD.findall(text)
    found: list[str] = []
    begin: int | None = None
    for at, character in enumerate(text):
        if character.isalnum() or (begin is not None and unicodedata.category(character)[0] == "M"):
            begin = at if begin is None else begin
        elif begin is not None:
            found.append(text[begin:at])
            begin = None
    return found if begin is None else [*found, text[begin:]]


def _pairs(run: str) -> list[str]:
    letters = [character for character in run if unicodedata.category(character)[0] in "LN"]
    if len(letters) < 2:
        return letters
    return [first + " " + second for first, second in pairwise(letters)]


def _phrase(text: str) -> list[str]:
    return _words(prepared(text))
