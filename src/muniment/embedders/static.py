"""WordLlama: one vector a piece of a word, added up.  English, 256 dimensions, very fast.

Beats MiniLM on long texts and loses to it on short turns.
"""

from __future__ import annotations

from pathlib import Path

from muniment.embedders import parts
from muniment.embedders.parts import LEAST, Model

NAME = "wordllama-l2-supercat-256"
DIMENSION = 256


def load(_: str) -> Model:
    """The model, from inside its package.

    Raises:
        ExtraMissing: the package is not installed.
    """
    package = parts.installed("wordllama", "wordllama")
    inside = Path(package.__file__).parent
    # It looks for its own tokenizer in the wrong place, unless the place is named.
    model = package.WordLlama.load(cache_dir=inside, disable_download=True)
    return Model(NAME, DIMENSION, model.embed, LEAST)
