"""An HTTP endpoint that answers as OpenAI's does: `POST <base>/embeddings`.

The texts leave this machine, for wherever the address leads.  The key, where one is needed,
stands in MUNIMENT_EMBEDDER_KEY; it is sent to that address and to nowhere else.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from muniment.errors import EmbedderUnavailable, UnknownEmbedder

KEY = "MUNIMENT_EMBEDDER_KEY"
_WAIT_S = 60
_TEXTS = 64  # of one request
_ANSWER_BYTES_MAX = 1 << 28


class Endpoint:
    """One model behind one address."""

    def __init__(self, base: str, model: str) -> None:
        self.name = f"{base}#{model}"
        self._base = base.rstrip("/")
        self._model = model
        self._dimension = 0

    @property
    def dimension(self) -> int:
        """How many numbers a vector has; the first time, the endpoint is asked."""
        if not self._dimension:
            self.embed(["a"])
        return self._dimension

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector a text, in their order.

        Raises:
            EmbedderUnavailable: the endpoint does not answer, or not as it should.
        """
        found: list[list[float]] = []
        for first in range(0, len(texts), _TEXTS):
            found += self._asked(list(texts[first : first + _TEXTS]))
        return found

    def _asked(self, texts: list[str]) -> list[list[float]]:
        answer = self._posted({"model": self._model, "input": texts})
        try:
            ordered = sorted(answer["data"], key=lambda each: each["index"])
            vectors = [[float(number) for number in each["embedding"]] for each in ordered]
            places = [each["index"] for each in ordered]
        except (KeyError, TypeError, ValueError) as error:
            raise self._failed(f"its answer has another shape: {error!r}") from error
        lengths = {len(vector) for vector in vectors} | ({self._dimension} - {0})
        if places != list(range(len(texts))) or len(lengths) != 1 or 0 in lengths:
            raise self._failed("it gives not one vector of one length for each text")
        (self._dimension,) = lengths
        return vectors

    def _posted(self, body: dict[str, Any]) -> Any:
        import urllib.error
        import urllib.request

        request = urllib.request.Request(  # noqa: S310 - the scheme was looked at by `load`
            f"{self._base}/embeddings",
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        key = os.environ.get(KEY)
        if key:
            # Not followed to another address, where it would be given away.
            request.add_unredirected_header("Authorization", f"Bearer {key}")
        try:
            with urllib.request.urlopen(request, timeout=_WAIT_S) as answer:  # noqa: S310
                return json.loads(answer.read(_ANSWER_BYTES_MAX))
        except (OSError, ValueError, urllib.error.URLError) as error:
            raise self._failed(str(error)) from error

    def _failed(self, why: str) -> EmbedderUnavailable:
        return EmbedderUnavailable(f"{self._base} does not embed: {why}", at="embedder")


def load(spelling: str) -> Endpoint:
    """The model that `http://host/v1#model` names.

    Raises:
        UnknownEmbedder: it names no host or no model.
    """
    base, _, model = spelling.partition("#")
    if not model or not base.partition("://")[2]:
        raise UnknownEmbedder(f"{spelling!r} is not http://host/path#model", at="embedder")
    return Endpoint(base, model)
