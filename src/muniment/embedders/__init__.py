"""Embedders: texts in, vectors out.  Loaded by name, on first use, and never by a plain recall."""

from __future__ import annotations

from importlib import import_module

from muniment.errors import UnknownEmbedder
from muniment.model.embedding import Embedder

# Each name, with what loads it from the rest of the spelling.
EMBEDDERS = {
    "minilm": "muniment.embedders.minilm:load",
    "wordllama": "muniment.embedders.static:load",
    "use": "muniment.embedders.multilingual:load",
    "model2vec": "muniment.embedders.installed:model2vec",
    "sentence-transformers": "muniment.embedders.installed:sentence_transformers",
    "fastembed": "muniment.embedders.installed:fastembed",
    "http": "muniment.embedders.endpoint:load",
    "https": "muniment.embedders.endpoint:load",
    "hashed": "muniment.embedders.hashed:load",
}
# Those that name a model by what stands behind the colon.
WITH_MODEL = ("model2vec", "sentence-transformers", "fastembed", "http", "https")
# The packaged models by the names that their vectors carry.
MODELS = {
    "all-MiniLM-L6-v2-int8": "minilm",
    "wordllama-l2-supercat-256": "wordllama",
    "universal-sentence-encoder-multilingual-3": "use",
    "hashed-1": "hashed",
}


def of_model(name: str) -> str | None:
    """How the embedder is spelled whose vectors carry this name.

    None where texts would leave this machine: an endpoint is asked only by whoever names it.
    """
    return MODELS.get(name, name if name.partition(":")[0] in WITH_MODEL[:3] else None)


def named(spelling: str) -> Embedder:
    """The embedder that `spelling` names.

    A name alone (`minilm`), a library and the name or folder of a model
    (`model2vec:models/potion`), or an endpoint and a model (`http://host/v1#name`).

    Raises:
        UnknownEmbedder: nothing is called so.
        EmbedderUnavailable: what it needs is not installed, or the model is not there.
    """
    name, colon, rest = spelling.partition(":")
    loader = EMBEDDERS.get(name)
    if loader is None or bool(colon) != (name in WITH_MODEL) or (colon and not rest):
        known = ", ".join(f"{each}:..." if each in WITH_MODEL else each for each in EMBEDDERS)
        raise UnknownEmbedder(f"{spelling!r} is none of {known}", at="embedder")
    module, function = loader.split(":")
    given = spelling if name in ("http", "https") else rest
    embedder: Embedder = getattr(import_module(module), function)(given)
    return embedder
