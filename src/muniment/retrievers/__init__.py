"""Retrievers: each answers an ask with hits, best first.  Filters apply before the limit."""

from __future__ import annotations

from typing import Protocol

from muniment.model.hit import Ask, Found
from muniment.retrievers import (
    appraisals,
    corrections,
    dated,
    lexical,
    nearby,
    open_tasks,
    recent,
    required,
    requirements,
    similar,
    synonyms,
    tasks,
)
from muniment.store.tx import Read


class Retriever(Protocol):
    """One file of this folder."""

    NAME: str

    def find(self, read: Read, ask: Ask) -> Found:
        """What it finds in one snapshot."""


RETRIEVERS: dict[str, Retriever] = {
    retriever.NAME: retriever
    for retriever in (
        required,
        requirements,
        open_tasks,
        tasks,
        lexical,
        nearby,
        synonyms,
        similar,
        recent,
        dated,
        appraisals,
        corrections,
    )
}
