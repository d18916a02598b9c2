"""Two small memories with questions, on which it can be seen that recall does its work.

Deterministic, without a model.  The first asks six questions of a long history within 2,400 bytes
and 4 items; the second asks eight of 91 messages.  A question is answered where the thing with the
wanted key is shown and says the wanted words.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from muniment.memory import Memory
from muniment.model.record import Commit, Note

BYTES_MAX = 2_400
ITEMS_MAX = 4
POLICIES = ("recent", "lexical", "balanced", "hybrid")
# At least so many answers, by policy; for those that cannot know better also at most.
LEAST = {
    "six questions": {"recent": 1, "lexical": 4, "balanced": 5, "hybrid": 6},
    "91 messages": {"recent": 1, "lexical": 4, "balanced": 6, "hybrid": 7},
}
_LINES = 120  # of the log in the first one
_DAYS = 80  # in the second
_FILL = "calm and clear, nothing to report; " * 9
_START_MS = 1_767_225_600_000  # 2026-01-01T00:00:00Z


class Asked(msgspec.Struct, frozen=True):
    """A question, the key of what answers it, and the words that it must say.

    Without a key nothing answers it.
    """

    question: str
    key: str | None
    words: str = ""


class Fixture(msgspec.Struct, frozen=True):
    """A history, commit by commit, and what is asked of it."""

    name: str
    fill: Callable[[Memory], None]
    asked: tuple[Asked, ...]


def measured() -> dict[str, Any]:
    """Of each fixture, by policy: what was answered, and the most bytes and items that it took.

    `ok`: every policy answered at least as many as it must, within both bounds.
    """
    found = {fixture.name: _measured(fixture) for fixture in (SIX, MESSAGES)}
    good = all(
        each["answered"] >= LEAST[name][policy]
        and each["bytes_most"] <= BYTES_MAX
        and each["items_most"] <= ITEMS_MAX
        for name, policies in found.items()
        for policy, each in policies.items()
    )
    return {"ok": good, "bytes_max": BYTES_MAX, "items_max": ITEMS_MAX, "fixtures": found}


def _measured(fixture: Fixture) -> dict[str, Any]:
    clock = iter(range(_START_MS, _START_MS + 10_000_000, 1_000))
    with (
        tempfile.TemporaryDirectory(prefix="muniment-bench-") as directory,
        Memory.open(
            Path(directory) / "memory", clock=lambda: next(clock), synchronous="normal"
        ) as memory,
    ):
        fixture.fill(memory)
        return {policy: _answered(memory, policy, fixture.asked) for policy in POLICIES}


def _answered(memory: Memory, policy: str, asked: Sequence[Asked]) -> dict[str, Any]:
    packs = [
        memory.recall(each.question, policy=policy, bytes_max=BYTES_MAX, items_max=ITEMS_MAX)
        for each in asked
    ]
    answers = [
        any(item.key == each.key and each.words in item.text for item in pack.items)
        for each, pack in zip(asked, packs, strict=True)
        if each.key is not None
    ]
    return {
        "answered": sum(answers),
        "of": len(answers),
        "answers": answers,
        "bytes_most": max(pack.bytes for pack in packs),
        "items_most": max(len(pack.items) for pack in packs),
        "shown_without_an_answer": sum(
            len(pack.items) for each, pack in zip(asked, packs, strict=True) if each.key is None
        ),
    }


def _begin(memory: Memory) -> None:
    """What both histories begin with; the summary covers the first fact, which stays findable."""
    first = memory.run(
        Commit(
            notes=(
                Note(text="The access code for the boathouse gate is willow-304.", key="gate"),
                Note(text="The spare sails are to be shipped to Lisbon.", key="sails"),
                Note(
                    text="Give the sextant back to Ines once its case is mended.",
                    key="sextant",
                    kind="task",
                    status="open",
                ),
                Note(text="The car tag of the trailer is KR-926.", key="trailer"),
                Note(text="Тетрадь Ивана лежит в зелёном ящике.", key="тетрадь"),
            )
        )
    )
    gate = first.records[0].id
    memory.remember(
        "The boathouse gate works.", key="overview", kind="summary", sources=(gate,), covers=(gate,)
    )
    memory.remember("The spare sails are to be shipped to Porto.", key="sails")


def _log(memory: Memory) -> None:
    _begin(memory)
    for number in range(_LINES):
        memory.remember(f"Weather log, entry {number}: {_FILL}", key=f"log-{number}", kind="story")


def _messages(memory: Memory) -> None:
    _begin(memory)
    memory.remember(
        "Give the sextant back to Ines once its case is mended.",
        key="sextant",
        kind="task",
        status="closed",
    )
    memory.remember(
        "Return the lantern to Tomas after its glass is replaced.",
        key="lantern",
        kind="task",
        status="open",
    )
    for first in range(0, _DAYS, 8):
        memory.run(
            Commit(
                notes=tuple(
                    Note(text=f"Weather log, entry {day}: {_FILL}", key=f"log-{day}", kind="story")
                    for day in range(first, first + 8)
                )
            )
        )
    memory.remember("The locker opens with 7719.", key="locker")
    memory.remember("The crew meets at half past six.", key="meeting")


SIX = Fixture(
    "six questions",
    _log,
    (
        Asked("what is the access code for the gate?", "gate", "willow-304"),
        Asked("where are the spare sails shipped?", "sails", "Porto"),
        Asked("how is the weather today?", "sextant", "Ines"),
        Asked("где лежит тетрадь Ивана?", "тетрадь", "зелёном ящике"),
        Asked("automobile registration", "trailer", "KR-926"),
        Asked(f"weather log entry {_LINES - 1}", f"log-{_LINES - 1}", str(_LINES - 1)),
    ),
)
MESSAGES = Fixture(
    "91 messages",
    _messages,
    (
        Asked("which access code opens the gate?", "gate", "willow-304"),
        Asked("where must the spare sails go?", "sails", "Porto"),
        Asked("what is still to be done, and what comes first?", "lantern", "glass"),
        Asked("где тетрадь Ивана?", "тетрадь", "зелёном ящике"),
        Asked("which car tag has the trailer?", "trailer", "KR-926"),
        Asked("how does the locker open?", "locker", "7719"),
        Asked("automobile registration", "trailer", "KR-926"),
        Asked("what is the name of the parrot?", None),
    ),
)
