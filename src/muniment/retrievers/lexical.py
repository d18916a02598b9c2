"""Lexical: what says the words of the question."""

from __future__ import annotations

from muniment.model.hit import Ask, Found
from muniment.retrievers import matching
from muniment.store.tx import Read

NAME = "lexical"


def find(read: Read, ask: Ask) -> Found:
    """The things whose words fit best.

    Phrases in quotation marks must occur.  Where nothing holds them all, each word counts alone,
    unless the question is nothing but quotations.
    """
    for match in _matches(ask):
        found = matching.found(read, ask, NAME, match)
        if found.hits:
            return found
    return Found(retriever=NAME, hits=())


def _matches(ask: Ask) -> list[str]:
    words = [f'"{word}"' for word in ask.terms.words]
    quoted = [f'"{phrase}"' for phrase in ask.terms.quoted]
    matches = []
    if quoted:
        matches.append(" AND ".join(quoted) + f" AND ({' OR '.join(words + quoted)})")
    if words and not ask.terms.exact:
        matches.append(" OR ".join(words))
    return matches
