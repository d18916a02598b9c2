"""Synonyms: what says words that mean nearly the same as the question's."""

from __future__ import annotations

from muniment.model.hit import Ask, Found
from muniment.retrievers import matching
from muniment.store.tx import Read

NAME = "synonyms"


def find(read: Read, ask: Ask) -> Found:
    """The things that the other words of a group fit best; nothing where no group has any.

    Phrases in quotation marks ask for exactly what holds them.
    """
    if not ask.alike or ask.terms.quoted:
        return Found(retriever=NAME, hits=())
    return matching.found(read, ask, NAME, " OR ".join(f'"{phrase}"' for phrase in ask.alike))
