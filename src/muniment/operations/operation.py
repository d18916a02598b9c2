"""What an operation is, and what it is given to work with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import cache
from importlib import import_module
from typing import Any, Literal

import msgspec

from muniment import embedders
from muniment.errors import BadShape
from muniment.model import time
from muniment.model.embedding import Embedder
from muniment.model.event import MEMORY, Chain, Draft, Event
from muniment.model.request import Request
from muniment.model.time import Clock
from muniment.projections import PROJECTIONS
from muniment.store import ledger, projector
from muniment.store.pool import Store
from muniment.store.tx import Read, Write

Effect = Literal["read", "write", "erase"]


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the product's table.

    `handler` is "module:function", loaded on first use.  `finding` is the name of a result's
    field and the value with which the answer is a plain negative (the command line exits 1, or
    3 where `finding_exit` says so).
    """

    name: str
    request: type[Request[Any]]
    handler: str
    effect: Effect
    for_agents: bool
    finding: tuple[str, Any] | None = None
    finding_exit: int = 1

    def run(self, context: Context, request: Request[Any]) -> Any:
        """The answer to a request that has been checked."""
        return _loaded(self.handler)(context, request)


@cache
def _loaded(named: str) -> Callable[[Context, Request[Any]], Any]:
    module, function = named.split(":")
    found: Callable[[Context, Request[Any]], Any] = getattr(import_module(module), function)
    return found


class Context:
    """A store, a clock and a source of randomness: all that an operation may reach for."""

    def __init__(self, store: Store, clock: Clock, embedder: str | Embedder | None = None) -> None:
        self.store = store
        self._clock = clock
        self._embedder = embedder
        self._loaded: dict[str, Embedder] = {}

    def embedder(self, spelling: str | None = None) -> Embedder | None:
        """The model that is named here, or else was named when the memory was opened, if any.

        Loaded once, on first use.

        Raises:
            UnknownEmbedder: nothing is called so.
            ExtraMissing: what it needs is not installed, NumPy for one.
            EmbedderUnavailable: it cannot be loaded.
        """
        named = self._embedder if spelling is None else spelling
        if named is None:
            return None
        if not isinstance(named, str):
            return embedders.usable(named)
        if named not in self._loaded:
            self._loaded[named] = embedders.usable(embedders.named(named))
        return self._loaded[named]

    def vectors_of(self, spelling: str | None = None) -> str | None:
        """The name of that model's vectors; a model that is named by a word is not loaded.

        Raises:
            UnknownEmbedder: nothing is called so.
            EmbedderUnavailable: it cannot say its name.
        """
        named = self._embedder if spelling is None else spelling
        if named is None:
            return None
        if isinstance(named, str):
            return embedders.vectors_of(named)
        return embedders.guarded.Guarded(named).name

    def now(self) -> int:
        """Milliseconds UTC, as the host's clock says.

        Raises:
            BadShape: the clock says no whole number.
            BadTime: it is out of range.
        """
        moment: object = self._clock()
        if not isinstance(moment, int) or isinstance(moment, bool):
            raise BadShape("a clock gives whole milliseconds", at="clock")
        return time.check(moment, "clock")

    def read(self, scope: str | None) -> AbstractContextManager[Read]:
        """One snapshot of a scope.

        Raises:
            NotFound: there is no such scope.
        """
        return self.store.read(self.store.find(scope))

    def write(
        self, scope: str | None, *, make: bool = True, alone: bool = False
    ) -> AbstractContextManager[Write]:
        """One transaction on a scope, which is made where it is missing and `make` says so."""
        if make:
            return self.store.write_or_make(scope, self.now())
        return self.store.write(self.store.find(scope), alone=alone)

    def append(
        self, write: Write, drafts: Sequence[Draft], now_ms: int, chain: Chain = MEMORY
    ) -> list[Event]:
        """The drafts as one commit of a chain, shown to every projection."""
        salts = self.store.settings.entropy(ledger.SALT_BYTES * len(drafts))
        events = ledger.append(write, chain, drafts, now_ms, salts)
        projector.apply(write, PROJECTIONS, events)
        return events
