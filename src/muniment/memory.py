"""The one door: `Memory.run(request) -> result`, and a handful of shortcuts for it.

Role, actor, owner and scope are what the host says; recalled text is data.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, AbstractContextManager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, TypeVar

from muniment import embedders, limits
from muniment.errors import BadShape, MunimentError
from muniment.model import codec
from muniment.model import scope as naming
from muniment.model.embedding import Embed, Embedder
from muniment.model.erasure import Erase, Erased
from muniment.model.experience import Items, Observe, Observed
from muniment.model.integrity import Verified, Verify
from muniment.model.listing import KeysListed, StateList
from muniment.model.pack import Pack
from muniment.model.query import Recall
from muniment.model.record import History, Remember, Remembered
from muniment.model.request import Request
from muniment.model.time import Clock
from muniment.operations import BY_REQUEST
from muniment.operations.operation import Context
from muniment.projections import PROJECTIONS
from muniment.store.opened import Settings
from muniment.store.pool import Store

R = TypeVar("R")
Synchronous = Literal["full", "normal"]


def _wall_clock() -> int:
    return time.time_ns() // 1_000_000


def _place(path: str | os.PathLike[str]) -> Path:
    """Where a path leads; a leading `~` is the home directory.

    No shell has put the home directory into a variable that a host sets, and a directory called
    `~` would be a memory that nobody finds again.
    """
    given = os.fspath(path)
    if given == ":memory:":
        raise BadShape("a memory is kept in a directory; take a temporary one", at="path")
    if given != "~" and not given.startswith("~/"):
        return Path(given)
    try:
        return Path(given).expanduser()
    except RuntimeError as error:
        raise BadShape("there is no home directory here; name the whole path", at="path") from error


class Memory(AbstractContextManager["Memory", None]):
    """The memories under one path.  Safe to use from several threads; close it when done."""

    def __init__(self, context: Context, *, embed_writes: bool = False) -> None:
        given: object = context
        if not isinstance(given, Context):
            raise BadShape("a memory is opened: Memory.open(path)", at="path")
        self._context = context
        self._embed_writes = embed_writes

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        clock: Clock = _wall_clock,
        entropy: Callable[[int], bytes] = os.urandom,
        synchronous: Synchronous = "full",
        wait_ms: int = limits.WAIT_MS_DEFAULT,
        embedder: str | Embedder | None = None,
        embed_writes: bool = False,
        scope_limits: Mapping[str, int] | None = None,
        keep_log: bool = False,
    ) -> Self:
        """A directory of scopes, or one scope's file; nothing is made until something is written.

        A leading `~` in `path` is the home directory; `clock` gives milliseconds UTC; `entropy`
        gives that many random bytes; `synchronous` "full" survives the loss of power with every
        answered write, "normal" may lose the last ones and stays whole; `wait_ms` is how long a
        write waits for another process; `embedder` is the model for vectors, by name or as a value
        of one's own; with `embed_writes` each write makes the vectors that are missing before it
        answers; `scope_limits` are what a scope that is made now allows for ever, none of it
        beyond what the program allows: `pack_bytes_max` and `pack_items_max` are the size of its
        own pack, `sources_max` and so on those of what is written; with `keep_log` what was written
        last stays in the log beside the file on closing, which saves two of four syncs of a process
        that opens, writes once and closes.  Whoever opens the file next reads it from there, and
        the next one that writes without `keep_log` folds it in.

        Raises:
            BadShape: a limit is unknown or out of range, a clock or an entropy is no function,
                the path is `:memory:`, an embedder is none, or what is written is to be embedded
                and by no model.
            UnknownEmbedder: what is written is to be embedded, and no model is called so.
        """
        for name, given in (("clock", clock), ("entropy", entropy)):
            if not callable(given):
                raise BadShape("a function", at=name)
        embedders.checked(embedder, needed=embed_writes)
        settings = Settings(
            wait_ms=wait_ms,
            synchronous=synchronous,
            entropy=_exact(entropy),
            limits=naming.check_limits(scope_limits or {}),
            keep_log=keep_log,
        )
        context = Context(Store(_place(path), PROJECTIONS, settings), clock, embedder)
        return cls(context, embed_writes=embed_writes)

    def run(self, request: Request[R]) -> R:
        """What the request's operation answers.

        Raises:
            Refused, Overflow, NotFound, Unavailable, BadInput, Corrupt: each with its code.
        """
        operation = BY_REQUEST.get(type(request))
        if operation is None:
            raise BadShape(f"{type(request).__name__} is no request of an operation")
        checked = codec.checked(request)
        if checked.scope is not None:
            naming.check_name(checked.scope)
        answer: R = operation.run(self._context, checked)
        if self._embed_writes and operation.effect == "write" and operation.request is not Embed:
            # What was written stands and is answered, whatever becomes of its vectors; an error
            # would have it written again.  The next write catches up.
            with suppress(MunimentError):
                self.run(Embed(scope=checked.scope))
        return answer

    def observe(self, text: str, **fields: Any) -> Observed:
        """Take in one message: `run(Observe(text=text, **fields))`."""
        return self.run(_request(Observe, text=text, **fields))

    def remember(self, text: str, **fields: Any) -> Remembered:
        """Keep one record: `run(Remember(text=text, **fields))`."""
        return self.run(_request(Remember, text=text, **fields))

    def recall(self, query: str, **fields: Any) -> Pack:
        """Find what matters: `run(Recall(query=query, **fields))`."""
        return self.run(_request(Recall, query=query, **fields))

    def erase(self, **fields: Any) -> Erased:
        """Plan an erasure or carry it out: `run(Erase(**fields))`."""
        return self.run(_request(Erase, **fields))

    def history(self, key: str, **fields: Any) -> Items:
        """Every version of a key: `run(History(key=key, **fields))`."""
        return self.run(_request(History, key=key, **fields))

    def verify(self, **fields: Any) -> Verified:
        """Check that nothing was rewritten: `run(Verify(**fields))`."""
        return self.run(_request(Verify, **fields))

    def state(self, prefix: str = "", **fields: Any) -> KeysListed:
        """The state keys with their values: `run(StateList(prefix=prefix, **fields))`."""
        return self.run(_request(StateList, prefix=prefix, **fields))

    def close(self) -> None:
        """Every connection is closed; a second call does nothing."""
        self._context.store.close()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class AsyncMemory(AbstractAsyncContextManager["AsyncMemory", None]):
    """The same door, awaited: each call runs in a worker thread."""

    def __init__(self, memory: Memory) -> None:
        given: object = memory
        if not isinstance(given, Memory):
            raise BadShape("a memory is opened: AsyncMemory.open(path)", at="path")
        self._memory = memory

    @classmethod
    def open(cls, path: str | os.PathLike[str], **settings: Any) -> Self:
        """As `Memory.open`."""
        return cls(Memory.open(path, **settings))

    async def run(self, request: Request[R]) -> R:
        """As `Memory.run`."""
        return await _in_thread(self._memory.run, request)

    async def observe(self, text: str, **fields: Any) -> Observed:
        """As `Memory.observe`."""
        return await self.run(_request(Observe, text=text, **fields))

    async def remember(self, text: str, **fields: Any) -> Remembered:
        """As `Memory.remember`."""
        return await self.run(_request(Remember, text=text, **fields))

    async def recall(self, query: str, **fields: Any) -> Pack:
        """As `Memory.recall`."""
        return await self.run(_request(Recall, query=query, **fields))

    async def erase(self, **fields: Any) -> Erased:
        """As `Memory.erase`."""
        return await self.run(_request(Erase, **fields))

    async def history(self, key: str, **fields: Any) -> Items:
        """As `Memory.history`."""
        return await self.run(_request(History, key=key, **fields))

    async def verify(self, **fields: Any) -> Verified:
        """As `Memory.verify`."""
        return await self.run(_request(Verify, **fields))

    async def state(self, prefix: str = "", **fields: Any) -> KeysListed:
        """As `Memory.state`."""
        return await self.run(_request(StateList, prefix=prefix, **fields))

    async def close(self) -> None:
        """As `Memory.close`."""
        await _in_thread(self._memory.close)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


def _exact(entropy: Callable[[int], bytes]) -> Callable[[int], bytes]:
    """The caller's function, whose bytes are counted."""

    def drawn(count: int) -> bytes:
        given: object = entropy(count)
        if not isinstance(given, bytes) or len(given) != count:
            raise BadShape("entropy gives as many bytes as it is asked for", at="entropy")
        return given

    return drawn


async def _in_thread(call: Callable[..., R], *given: Any) -> R:
    import asyncio

    return await asyncio.to_thread(call, *given)


def _request(kind: type[Request[R]], /, **fields: Any) -> Request[R]:
    """The request with these fields.

    Raises:
        BadShape: a field is missing or unknown.
    """
    known = kind.__struct_fields__
    for field in fields:
        if field not in known:
            raise BadShape(f"{kind.__name__} has no field {field!r}", at=field)
    for each in codec.fields(kind):
        if each.required and each.name not in fields:
            raise BadShape(f"{kind.__name__} needs {each.name!r}", at=each.name)
    return kind(**fields)
