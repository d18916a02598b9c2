"""The word for how a thing ended: the same among what was left out, in why-not and in a replay."""

from __future__ import annotations

from typing import Any

import pytest

from muniment import Close, Memory, Replay, Retract, WhyNot, errors
from tests.operations.seen import left_out, refused, shown
from tests.requirements.marker import requirement

Y27 = "2027-01-01T00:00Z"
# A kind with its first status, the status that ends it, and the word for that.
ENDS = [
    ("fact", None, "retracted", "retracted"),
    ("task", None, "retracted", "retracted"),
    ("task", None, "closed", "closed"),
    ("intention", "pending", "completed", "completed"),
    ("intention", "pending", "rejected", "rejected"),
    ("intention", "pending", "expired", "expired"),
    ("requirement", None, "done", "done"),
    ("belief", None, "disputed", "superseded"),
    ("fact", None, "active", "superseded"),
]


def told(memory: Memory, receipt: str | None) -> dict[str, str]:
    """What a replay says of each thing that it does not show any more."""
    assert receipt is not None
    changes = memory.run(Replay(receipt=receipt)).changes
    return {change.id: change.code for change in changes if change.code != "added"}


@requirement("recall:reason:how-it-ended")
@pytest.mark.parametrize("key", ["tide", None])
@pytest.mark.parametrize(("kind", "status", "after", "word"), ENDS)
def test_every_side_says_how_a_thing_ended(
    memory: Memory, kind: str, status: str | None, after: str, word: str, key: str | None
) -> None:
    """Whoever reads that something is superseded looks for what stands instead."""
    asked: dict[str, Any] = {"task": "mooring"} if kind == "requirement" else {}
    first = memory.remember("The tide table.", kind=kind, status=status, key=key, **asked).id
    receipt = memory.recall("tide table", record=True, **asked).receipt

    memory.remember(
        "The tide table, again.", kind=kind, status=after, key=key,
        supersedes=None if key else first, **asked,
    )  # fmt: skip

    assert left_out(memory.recall("tide table", **asked))[first] == word
    assert memory.run(WhyNot(id=first, query="tide table", **asked)).reason == word
    assert told(memory, receipt) == {first: word}
    assert shown(memory, first).outcome == (None if word == "superseded" else word)
    with refused(memory, "required_not_current", at="require"):
        memory.recall("tide table", require=(first,), **asked)


@requirement("recall:reason:how-it-ended")
def test_what_is_taken_back_for_later_stands_until_then(memory: Memory) -> None:
    """And what is written over a retraction takes the place of what was before it."""
    first = memory.remember("The tide table.", key="tide", kind="fact").id
    memory.remember("The tide table.", key="tide", kind="fact", status="retracted", valid_from=Y27)

    assert shown(memory, first).outcome is None
    late = memory.recall("tide table", as_of="2027-02-01T00:00Z")
    assert left_out(late)[first] == "retracted"

    memory.run(Retract(id="tide"))
    assert left_out(memory.recall("tide table"))[first] == "retracted"
    memory.remember("The tide table is here.", key="tide", kind="fact")
    assert left_out(memory.recall("tide table"))[first] == "superseded"


@requirement("recall:reason:how-it-ended")
def test_a_replay_says_of_what_has_not_begun_that_it_has_not(memory: Memory) -> None:
    """Asked for a later day, and decided again today; and what is open is not called over."""
    later = memory.remember("The tide table.", kind="fact", valid_from=Y27).id
    task = memory.remember("Print the tide table.", kind="task").id
    receipt = memory.recall("tide table", as_of="2027-02-01T00:00Z", record=True).receipt

    assert told(memory, receipt) == {later: "not_yet_valid"}

    memory.run(Close(id=task))
    with pytest.raises(errors.NotCurrent):
        memory.run(Close(id=task))
    assert told(memory, receipt) == {later: "not_yet_valid", task: "closed"}
