"""What embedders are made of: a library that may be missing, and vectors as plain numbers."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from muniment.errors import ExtraMissing

EXTRA = "'muniment[semantic]'"


def installed(module: str, extra: str) -> Any:
    """A library that an extra brings.

    Raises:
        ExtraMissing: it is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise ExtraMissing(
            f"{module} cannot be loaded ({error}); pip install {extra}", at="embedder"
        ) from error


def rows(matrix: Any) -> list[list[float]]:
    """A matrix, one row a text, as lists of numbers."""
    return [[float(number) for number in row] for row in matrix]


# Of three models, questions that have nothing to do with a talk came near its nearest message by
# 0.1 in the middle, by 0.23 to 0.27 at most but for one in twenty; questions about it by 0.35 and
# more but for one in twenty.
LEAST = 0.15


class Model:
    """An embedder from a function of texts; its dimension is that of its vectors.

    `least`: the likeness below which what is nearest has nothing to do with a question.
    """

    def __init__(self, name: str, dimension: int, vectors: Any, least: float = -1.0) -> None:
        self.name = name
        self.dimension = dimension
        self.least = least
        self._vectors = vectors

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector a text, in their order."""
        return rows(self._vectors(list(texts))) if texts else []
