"""Vectors: made for what lacks them, in batches that can be broken off, or taken away."""

from __future__ import annotations

from collections.abc import Sequence

from muniment import limits
from muniment.decisions import items, meanings
from muniment.errors import BadShape
from muniment.model.embedding import Embed, Embedded, Embedder, Vector
from muniment.operations.operation import Context
from muniment.projections import vector

NAME_ONE = "name a model, by `embedder` or by `Memory.open(embedder=...)`"


def embed(context: Context, request: Embed) -> Embedded:
    """Makes the vectors that a model lacks here, oldest text first.

    Each batch is stored by itself, outside of which no transaction is open while the model works.
    What is broken off goes on with the next call; a second one finds nothing to do.
    """
    if request.most is not None and request.most < 1:
        raise BadShape("a number above zero", at="most")
    if request.forget:
        return _forgotten(context, request)
    embedder = context.embedder(request.embedder)
    if embedder is None:
        raise BadShape(NAME_ONE, at="embedder")
    embedded, forgotten = _made(context, request, embedder)
    with context.read(request.scope) as read:
        covered, texts = vector.coverage(read, embedder.name)
    return Embedded(
        embedder=embedder.name,
        dimension=embedder.dimension,
        embedded=embedded,
        forgotten=forgotten,
        covered=covered,
        texts=texts,
    )


def _forgotten(context: Context, request: Embed) -> Embedded:
    """The vectors of one model go; it need not be installed for that.

    Where none is named, it is the only one that has vectors here.
    """
    name = context.vectors_of(request.embedder)
    with context.write(request.scope, make=False) as write:
        known = {model.name: model for model in vector.models(write)}
        if name is None:
            if len(known) != 1:
                held = ", ".join(known) or "no model"
                raise BadShape(f"{NAME_ONE}; {held} has vectors here", at="embedder")
            (name,) = known
        forgotten = vector.forget(write, name)
        write.kept.clear()
        covered, texts = vector.coverage(write, name)
    return Embedded(
        embedder=name,
        dimension=known[name].dimension if name in known else 0,
        embedded=0,
        forgotten=forgotten,
        covered=covered,
        texts=texts,
    )


def _made(context: Context, request: Embed, embedder: Embedder) -> tuple[int, int]:
    """How many texts got a vector, and how many vectors of another dimension went for them."""
    done = after = forgotten = 0
    name, dimension = embedder.name, embedder.dimension
    while request.most is None or done < request.most:
        room = limits.EMBED_BATCH_TEXTS
        if request.most is not None:
            room = min(room, request.most - done)
        with context.read(request.scope) as read:
            seqs = vector.lacking(read, name, dimension, after, room)
            things = items.in_order(read, seqs, meanings.NOW)
        if not seqs:
            break
        after = seqs[-1]
        texts = meanings.texts(things)
        numbers = packed(embedder.embed([text for _, _, text in texts]), dimension)
        with context.write(request.scope, make=False) as write:
            # Whoever erased or embedded one of them meanwhile was here first.
            still = set(vector.lacking(write, name, dimension, seqs[0] - 1, len(seqs)))
            done += len(still.intersection(seqs))
            known = vector.model(write, name)
            if known is not None and known.dimension != dimension:
                forgotten += vector.forget(write, name)
                write.kept.clear()
            vector.put(
                write,
                name,
                dimension,
                [
                    (seq, part, each)
                    for (seq, part, _), each in zip(texts, numbers, strict=True)
                    if seq in still
                ],
            )
    return done, forgotten


def packed(vectors: Sequence[Vector], dimension: int) -> list[bytes]:
    """Sound vectors as they are stored: 16-bit floats, little end first, of length 1."""
    import numpy as np

    matrix = np.asarray(vectors, np.float32).reshape(len(vectors), dimension)
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return [row.tobytes() for row in (matrix / lengths).astype("<f2")]
