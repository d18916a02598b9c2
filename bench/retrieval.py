"""Retrieval: how much of the known evidence is among the first items of a recall."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from muniment.surfaces import evidence


def figures(conversations: Path, embedder: str | None, *, ablate: bool) -> dict[str, Any]:
    """Evidence recall without vectors, and by a model where one is named; see `bench recall`."""
    found = _measured(conversations, "balanced", None, ablate=ablate)
    if embedder is not None:
        found["with_vectors"] = _measured(conversations, "hybrid", embedder, ablate=ablate)
    return found


def _measured(file: Path, policy: str, embedder: str | None, *, ablate: bool) -> dict[str, Any]:
    return evidence.measured(file, policy, embedder, ablate=ablate, told=_told)


def _told(step: str) -> None:
    print(step, file=sys.stderr, flush=True)
