"""Any model that a local library loads, by its name or folder.

Whether a name is fetched from somewhere is that library's affair; a folder never is.
"""

from __future__ import annotations

from typing import Any

from muniment.embedders import parts
from muniment.embedders.parts import Model
from muniment.errors import EmbedderUnavailable


def model2vec(model: str) -> Model:
    """A static model of the library model2vec.

    Raises:
        ExtraMissing: the library is not installed.
        EmbedderUnavailable: the model is not there.
    """
    library = parts.installed("model2vec", "model2vec")
    loaded = _loaded(lambda: library.StaticModel.from_pretrained(model), model)
    return Model(f"model2vec:{model}", int(loaded.dim), loaded.encode)


def sentence_transformers(model: str) -> Model:
    """A model of the library sentence-transformers.

    Raises:
        ExtraMissing: the library is not installed.
        EmbedderUnavailable: the model is not there.
    """
    library = parts.installed("sentence_transformers", "sentence-transformers")
    loaded = _loaded(lambda: library.SentenceTransformer(model, device="cpu"), model)
    dimension = int(loaded.get_sentence_embedding_dimension())
    return Model(f"sentence-transformers:{model}", dimension, loaded.encode)


def fastembed(model: str) -> Model:
    """A model of the library fastembed.

    Raises:
        ExtraMissing: the library is not installed.
        EmbedderUnavailable: the model is not there.
    """
    library = parts.installed("fastembed", "fastembed")
    loaded = _loaded(lambda: library.TextEmbedding(model_name=model), model)
    dimension = len(next(iter(loaded.embed(["a"]))))
    return Model(f"fastembed:{model}", dimension, loaded.embed)


def _loaded(load: Any, model: str) -> Any:
    try:
        return load()
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        raise EmbedderUnavailable(
            f"the model {model!r} cannot be loaded: {error}", at="embedder"
        ) from error
