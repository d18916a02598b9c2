"""What turns texts into vectors, and what a recall knows of the meaning of its question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Protocol

import msgspec

from muniment import limits
from muniment.model.request import Request, spell

Vector = Sequence[float]


class Embedder(Protocol):
    """A model.  Vectors of two names, or of two dimensions, are never compared.

    It may have a `least`: the likeness, from -1 to 1, below which what is nearest to a question has
    nothing to do with it.
    """

    @property
    def name(self) -> str:
        """Which model, and which edition of it: the same name always gives the same vectors."""

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """One vector a text, in their order, of any length greater than zero.

        Whatever else it gives or raises is told as `EmbedderUnavailable`.

        Raises:
            Unavailable: the model cannot be reached.
        """


class Meaning(msgspec.Struct, frozen=True, kw_only=True):
    """A question as a vector, and the name of the model that made it.

    `least`: the likeness below which what is nearest has nothing to do with it.
    """

    model: str
    vector: tuple[float, ...]
    least: float = -1.0


class Covered(msgspec.Struct, frozen=True, kw_only=True):
    """How much of a scope has vectors of one model."""

    embedder: str
    dimension: int
    covered: int  # texts that have one
    texts: int  # that there are


class Embedded(msgspec.Struct, frozen=True, kw_only=True):
    """What was done about the vectors of one model, and how much has one now."""

    embedder: str
    dimension: int
    embedded: int  # texts that got one
    forgotten: int  # vectors that went
    covered: int
    texts: int


class Embed(Request[Embedded], frozen=True, kw_only=True):
    """Make the vectors that a model lacks, so that a recall finds what is said in other words.

    They are a cache: nothing is lost with them, and a recall works without.
    """

    embedder: Annotated[
        str | None,
        spell(
            "the model: minilm, wordllama, use, hashed (for trying out), model2vec:NAME,"
            " sentence-transformers:NAME, fastembed:NAME or http(s)://HOST/PATH#MODEL;"
            " else MUNIMENT_EMBEDDER",
            bytes_max=limits.NAME_BYTES_MAX,
        ),
    ] = None
    most: Annotated[int | None, spell("stop after so many texts")] = None
    forget: Annotated[bool, spell("take the model's vectors away instead")] = False
