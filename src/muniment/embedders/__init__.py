"""Embedders: texts in, vectors out.  Loaded by name, on first use, and never by a plain recall."""

from __future__ import annotations

from importlib import import_module

from muniment.embedders import guarded, parts
from muniment.errors import BadShape, MunimentError, UnknownEmbedder
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
# The packaged models by the names that their vectors carry.  The last one knows no meaning.
MODELS = {
    "all-MiniLM-L6-v2-int8": "minilm",
    "wordllama-l2-supercat-256": "wordllama",
    "universal-sentence-encoder-multilingual-3": "use",
    "hashed-1": "hashed",
}
FOR_TESTS = ("hashed-1",)
SPELLINGS = ", ".join(f"{name}:..." if name in WITH_MODEL else name for name in EMBEDDERS)


def of_model(name: str) -> str | None:
    """How the embedder is spelled whose vectors carry this name.

    None where texts would leave this machine: an endpoint is asked only by whoever names it.
    """
    return MODELS.get(name, name if name.partition(":")[0] in WITH_MODEL[:3] else None)


def vectors_of(spelling: str) -> str:
    """The name that the vectors of this embedder carry; it is not loaded for that.

    Raises:
        UnknownEmbedder: nothing is called so.
    """
    if spelling in MODELS:
        return spelling
    _parted(spelling)
    return next((name for name, short in MODELS.items() if short == spelling), spelling)


def named(spelling: str) -> Embedder:
    """The embedder that `spelling` names, or whose vectors are called so.

    A name alone (`minilm`), a library and the name or folder of a model
    (`model2vec:models/potion`), or an endpoint and a model (`http://host/v1#name`).

    Raises:
        UnknownEmbedder: nothing is called so.
        ExtraMissing: what it needs is not installed.
        EmbedderUnavailable: the model is not there.
    """
    spelling = MODELS.get(spelling, spelling)
    loader, given = _parted(spelling)
    module, function = loader.split(":")
    load = getattr(import_module(module), function)
    embedder: Embedder = guarded.called(f"the model {spelling}", lambda: load(given), MunimentError)
    return embedder


def checked(embedder: object, *, needed: bool) -> None:
    """Nothing, if this can be asked for vectors: a name, or an object with `embed`.

    Raises:
        BadShape: it is neither, or one is needed and none given.
        UnknownEmbedder: one is needed, and nothing is called so.
    """
    if isinstance(embedder, str):
        if needed:
            vectors_of(embedder)
    elif embedder is None:
        if needed:
            raise BadShape("to embed what is written, name a model", at="embedder")
    elif not callable(getattr(embedder, "embed", None)):
        raise BadShape("a model's name, or an object that embeds", at="embedder")


def usable(embedder: Embedder) -> Embedder:
    """The embedder, guarded, where its vectors can be stored and compared here.

    Raises:
        ExtraMissing: NumPy is not installed.
    """
    parts.installed("numpy", parts.EXTRA)
    return guarded.Guarded(embedder)


def _parted(spelling: str) -> tuple[str, str]:
    """What loads an embedder, and what it is given.

    Raises:
        UnknownEmbedder: nothing is called so.
    """
    name, colon, rest = spelling.partition(":")
    loader = EMBEDDERS.get(name)
    if loader is None or bool(colon) != (name in WITH_MODEL) or (colon and not rest):
        raise UnknownEmbedder(f"{spelling!r} is none of {SPELLINGS}", at="embedder")
    return loader, spelling if name in ("http", "https") else rest
