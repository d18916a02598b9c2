"""Vectors: made for what lacks them, in batches that can be broken off, or taken away."""

from __future__ import annotations

import math
from collections.abc import Sequence

from muniment import limits
from muniment.decisions import items, meanings
from muniment.errors import BadShape, EmbedderUnavailable
from muniment.model.embedding import Embed, Embedded, Embedder, Vector
from muniment.operations.operation import Context
from muniment.projections import vector


def embed(context: Context, request: Embed) -> Embedded:
    """Makes the vectors that a model lacks here, oldest text first.

    Each batch is stored by itself, outside of which no transaction is open while the model works.
    What is broken off goes on with the next call; a second one finds nothing to do.
    """
    embedder = context.embedder(request.embedder)
    if embedder is None:
        raise BadShape("name a model, here or when the memory is opened", at="embedder")
    if request.most is not None and request.most < 1:
        raise BadShape("a number above zero", at="most")
    forgotten = embedded = 0
    if request.forget:
        with context.write(request.scope, make=False) as write:
            forgotten = vector.forget(write, embedder.name)
            write.kept.clear()
    else:
        embedded = _made(context, request, embedder)
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


def _made(context: Context, request: Embed, embedder: Embedder) -> int:
    done = after = 0
    while request.most is None or done < request.most:
        room = limits.EMBED_BATCH_TEXTS
        if request.most is not None:
            room = min(room, request.most - done)
        with context.read(request.scope) as read:
            seqs = vector.lacking(read, embedder.name, after, room)
            things = items.in_order(read, seqs, meanings.NOW)
        if not seqs:
            break
        after = seqs[-1]
        texts = meanings.texts(things)
        numbers = packed(embedder.embed([text for _, _, text in texts]), embedder, len(texts))
        with context.write(request.scope, make=False) as write:
            # Whoever erased or embedded one of them meanwhile was here first.
            still = set(vector.lacking(write, embedder.name, seqs[0] - 1, len(seqs)))
            done += len(still.intersection(seqs))
            vector.put(
                write,
                embedder.name,
                embedder.dimension,
                [
                    (seq, part, each)
                    for (seq, part, _), each in zip(texts, numbers, strict=True)
                    if seq in still
                ],
            )
    return done


def packed(vectors: Sequence[Vector], embedder: Embedder, count: int) -> list[bytes]:
    """Vectors as they are stored: 16-bit floats, little end first, of length 1.

    Raises:
        EmbedderUnavailable: they are not what the embedder says it gives.
    """
    import numpy as np

    if len(vectors) != count:
        raise EmbedderUnavailable(f"{embedder.name} gave {len(vectors)} vectors for {count} texts")
    for each in vectors:
        if len(each) != embedder.dimension or not all(map(math.isfinite, each)):
            raise EmbedderUnavailable(
                f"{embedder.name} gave a vector that is not {embedder.dimension} finite numbers"
            )
    matrix = np.asarray(vectors, np.float32).reshape(count, embedder.dimension)
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    lengths[lengths == 0] = 1.0
    return [row.tobytes() for row in (matrix / lengths).astype("<f2")]
