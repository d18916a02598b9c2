"""Meaning: what a recall by vectors costs apart from its model, and how exact its search is."""

from __future__ import annotations

import json
import statistics
import time
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from muniment import Embed, Import, Memory, Policy

DIMENSION = 384
CLUSTERS = 200
SPREAD = 1.2  # how far the clusters lie apart, where the spread within one is 1
TALK = 5_000
QUESTIONS = 60
TOP = 10
BY_VECTORS = Policy(name="own", must=(), may={"similar": 1.0})
BY_TIME = Policy(name="own", must=(), may={"recent": 1.0})


class Drawn:
    """A model whose vectors are drawn from the text: around a few centres, as texts have topics."""

    name = "drawn"
    dimension = DIMENSION

    def __init__(self) -> None:
        centres = np.random.default_rng(1).standard_normal((CLUSTERS, DIMENSION))
        self._centres = (SPREAD * centres).astype(np.float32)
        self.cpu = 0.0

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector a text."""
        started = time.process_time()
        vectors = [self._vector(text.rpartition(": ")[2]).tolist() for text in texts]
        self.cpu += time.process_time() - started
        return vectors

    def _vector(self, text: str) -> Any:
        chance = np.random.default_rng(zlib.crc32(text.encode()))
        own = chance.standard_normal(DIMENSION, dtype=np.float32)
        vector = self._centres[int(chance.integers(CLUSTERS))] + own
        return vector / np.linalg.norm(vector)


def figures(directory: Path, texts: Sequence[str]) -> dict[str, Any]:
    """A hybrid recall in a long talk, and the search among as many vectors as there are texts.

    What a search takes is what a recall by vectors takes beyond one that shows the newest.
    """
    model = Drawn()
    with _memory(directory / "talk", texts[:TALK], 500, model) as memory:
        talk = {"events": TALK, "recall_ms_p50": _cost(memory, texts[:TALK], "hybrid", model)}
    # In talks of one message the nearest are plainly known: no neighbour has its say.
    with _memory(directory / "vectors", texts, 1, model) as memory:
        whole = _cost(memory, texts, BY_VECTORS, model)
        vectors = {
            "rows": len(texts),
            "recall_ms_p50": whole,
            "search_ms_p50": whole - _cost(memory, texts, BY_TIME, model),
            f"recall_at_{TOP}": _found(memory, texts, model),
        }
    return {"talk": talk, "vectors": vectors}


def _memory(place: Path, texts: Sequence[str], talk: int, model: Drawn) -> Memory:
    """The texts with their vectors, in talks of so many."""
    file = place.with_suffix(".jsonl")
    file.write_text(
        "\n".join(
            json.dumps({"role": "user", "text": text, "id": at, "thread": f"t{at // talk}"})
            for at, text in enumerate(texts)
        )
    )
    memory = Memory.open(place, embedder=model, synchronous="normal")
    memory.run(Import(file=str(file)))
    memory.run(Embed())
    return memory


def _questions(texts: Sequence[str]) -> list[str]:
    chosen = texts[:: max(1, len(texts) // QUESTIONS)]
    return [" ".join(text.split()[:6]) for text in chosen]


def _cost(memory: Memory, texts: Sequence[str], policy: str | Policy, model: Drawn) -> float:
    """Median CPU milliseconds of a recall, its model apart."""
    memory.recall("to begin with", policy=policy)
    spent: list[float] = []
    for question in _questions(texts):
        before, started = model.cpu, time.process_time()
        memory.recall(question, policy=policy, items_max=TOP)
        spent.append(time.process_time() - started - (model.cpu - before))
    return statistics.median(spent) * 1e3


def _found(memory: Memory, texts: Sequence[str], model: Drawn) -> float:
    """Which share of the nearest a recall shows, in the mean."""
    every = np.array(model.embed(texts), np.float32)
    shares: list[float] = []
    for question in _questions(texts):
        asked = np.array(model.embed([question])[0], np.float32)
        nearest = np.argsort(-(every @ asked))[:TOP].tolist()
        pack = memory.recall(question, policy=BY_VECTORS, items_max=TOP)
        found = {item.external_id for item in pack.items}
        shares.append(sum(str(at) in found for at in nearest) / TOP)
    return statistics.fmean(shares)
