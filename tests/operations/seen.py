"""What can be seen of a memory from outside: what it counts, what a refusal changed, its bytes."""

from __future__ import annotations

import random
import string
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from muniment import Item, Memory, Pack, Show, Status, errors
from muniment.model.erasure import Erased
from muniment.model.integrity import Stated

PIECE = 8  # letters of a word that together are no chance


def needed(kind: str, source: str) -> dict[str, str]:
    """The fields that no record of a kind is without, besides its sources."""
    return {"requirement": {"task": "mooring"}, "appraisal": {"assesses": source}}.get(kind, {})


def stated(memory: Memory, scope: str | None = None) -> Stated | None:
    """All that a scope counts, but the size of its file; None where there is no such scope."""
    try:
        return msgspec.structs.replace(memory.run(Status(scope=scope)), bytes=0)
    except errors.NotFound:
        return None


@contextmanager
def refused(
    memory: Memory, code: str, at: str | None = None, scope: str | None = None
) -> Iterator[None]:
    """What is done inside is refused with this code, at this field, and stores nothing."""
    before = stated(memory, scope)
    with pytest.raises(errors.MunimentError) as caught:
        yield

    assert (caught.value.code, caught.value.at) == (code, at)
    assert stated(memory, scope) == before


def shown(memory: Memory, id: str, scope: str | None = None) -> Item:
    """The one thing with this id."""
    return memory.run(Show(id=id, scope=scope)).items[0]


def texts(pack: Pack) -> list[str]:
    """What a pack says, best first."""
    return [item.text for item in pack.items]


def ids(pack: Pack) -> list[str]:
    """What a pack holds, best first."""
    return [item.id for item in pack.items]


def left_out(pack: Pack) -> dict[str, str]:
    """Why each thing that was considered is not in a pack: reasons by id, each id once."""
    reasons = {each.id: each.reason for each in pack.suppressed}
    assert len(reasons) == len(pack.suppressed)
    return reasons


def found(memory: Memory, query: str, **fields: Any) -> list[str]:
    """The ids that the words of a question lead to, best first."""
    return ids(memory.recall(query, policy="lexical", **fields))


def erased(memory: Memory, scope: str | None = None, **asked: Any) -> Erased:
    """Both steps of an erasure that nothing holds up; the answer to the second."""
    plan = memory.erase(scope=scope, **asked)
    done = memory.erase(scope=scope, confirm=plan.token, **asked)

    assert done.done
    assert not done.pending
    return done


def canary(seed: int, length: int = 24) -> str:
    """A word that stands nowhere by chance, and whose stem is no other word's."""
    return "".join(random.Random(seed).choices(string.ascii_lowercase, k=length))


def traces(directory: Path, *words: str) -> list[str]:
    """The files in whose name or bytes a piece of one of these words stands.

    In lower case, in UTF-8 and UTF-16; pieces, because an index may keep only the end of a word
    that begins like the one before it.
    """
    wanted = [
        word[at : at + PIECE].encode(encoding)
        for word in words
        for at in (*range(0, len(word) - PIECE, 4), len(word) - PIECE)
        for encoding in ("utf-8", "utf-16-le", "utf-16-be")
    ]
    return [
        path.name
        for path in sorted(directory.rglob("*"))
        if path.is_file()
        for held in [path.name.lower().encode() + b"\0" + path.read_bytes().lower()]
        if any(piece in held for piece in wanted)
    ]
