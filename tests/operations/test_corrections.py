"""Corrections come with the messages that they correct, whatever their own words."""

from __future__ import annotations

from typing import Any

import pytest

from muniment import Memory, Policy, Replay, WhyNot
from tests.operations.seen import erased, ids, left_out
from tests.requirements.marker import requirement


def said(memory: Memory, text: str, corrects: str | None = None, **fields: str) -> str:
    """A message, or one that corrects another."""
    kind = "message" if corrects is None else "correction"
    return memory.observe(text, role="user", type=kind, reply_to=corrects, **fields).id


@pytest.fixture
def ferry(memory: Memory) -> list[str]:
    """What was said of the ferry, what corrects it, what corrects that, and much else."""
    first = said(memory, "The ferry leaves at nine.")
    second = said(memory, "No, at ten.", first)
    for number in range(30):
        said(memory, f"The harbour has a ferry museum, room {number}.")
    third = said(memory, "Half past, that is.", second)
    return [third, second, first]


@requirement("recall:label:correction-comes")
@pytest.mark.parametrize("policy", ["balanced", "hybrid"])
def test_a_correction_stands_before_what_it_corrects(
    memory: Memory, ferry: list[str], policy: str
) -> None:
    """Both, and what corrects the correction; each says how it was found."""
    pack = memory.recall("when leaves the ferry?", policy=policy, items_max=5, record=True)

    assert ids(pack)[:3] == ferry
    assert [item.reasons for item in pack.items][:2] == [("corrections",), ("corrections",)]
    assert [item.labels for item in pack.items][:3] == [(), ("corrected",), ("corrected",)]
    assert memory.run(Replay(receipt=pack.receipt or "", against="then")).same
    assert memory.run(WhyNot(id=ferry[0], query="when leaves the ferry?", policy=policy)).shown


@requirement("recall:label:correction-comes")
def test_a_correction_keeps_to_filters_budgets_and_its_own_standing(
    memory: Memory, ferry: list[str]
) -> None:
    """It is accounted for like everything else."""
    one = memory.recall("when leaves the ferry?", items_max=1)
    assert ids(one) == ferry[:1]
    assert left_out(one)[ferry[1]] == "budget_items"

    assert ids(memory.recall("when leaves the ferry?", type="message"))[0] == ferry[2]
    assert ids(memory.recall('"ferry leaves"')) == [ferry[2]]

    erased(memory, event=ferry[0])
    assert ids(memory.recall("when leaves the ferry?"))[:2] == ferry[1:]


@requirement("recall:label:correction-comes")
def test_a_policy_may_do_without(memory: Memory, ferry: list[str]) -> None:
    """The plain ones do, and one's own says so."""
    own = Policy(may={"lexical": 1.0}, corrections=False)

    for policy in ("lexical", own):
        assert ferry[0] not in ids(memory.recall("when leaves the ferry?", policy=policy))
    assert ferry[0] in ids(memory.recall("leaves", policy=Policy(may={"lexical": 1.0})))


@requirement("recall:label:correction-comes")
def test_a_flood_of_corrections_is_bounded(memory: Memory) -> None:
    """The newest of them, as many as a retriever hands on."""
    wrong = said(memory, "The ferry leaves at nine.")
    for number in range(100):
        newest = said(memory, f"No, at {number}.", wrong)

    pack = memory.recall("ferry", items_max=4)

    assert ids(pack)[0] == newest
    assert {each.retriever: each.hits for each in pack.trace.retrievers}["corrections"] == 64


@requirement("recall:label:correction-comes")
def test_a_correction_that_words_find_too_counts_once(memory: Memory) -> None:
    """And what corrects it still stands before it."""
    first = said(memory, "The ferry leaves the harbour at nine in the morning.")
    second = said(memory, "No, the ferry leaves at ten.", first)
    third = said(memory, "Half past, that is.", second)

    pack = memory.recall("when leaves the ferry the harbour in the morning?")

    assert ids(pack) == [third, second, first]
    for item in pack.items:
        assert len(set(item.reasons)) == len(item.reasons)
    assert {each.retriever: each.hits for each in pack.trace.retrievers}["corrections"] == 2


# What a recall asks for, and what a correction is that does not pass it.
FILTERED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "thread": ({"thread": "t"}, {"thread": "u"}),
    "session": ({"session": "s"}, {"session": "u"}),
    "exclude_session": ({"exclude_session": "u"}, {"session": "u"}),
    "role": ({"role": "user"}, {"role": "assistant"}),
    "type": ({"type": "message"}, {}),
    "tags": ({"tags": ("a",)}, {"tags": ()}),
    "collection": ({"collection": "c"}, {"collection": None}),
    "hidden": ({"collection": None}, {"collection": "hidden"}),
    "until": ({"until": "2026-02-01T00:00:00Z"}, {"at": "2026-03-01T00:00:00Z"}),
    "as_of": ({"as_of": "2026-02-01T00:00:00Z"}, {"at": "2026-03-01T00:00:00Z"}),
}


@requirement("receipts:replay:then", "recall:label:correction-comes")
@pytest.mark.parametrize("name", FILTERED)
def test_a_correction_that_does_not_pass_comes_in_by_no_replay(memory: Memory, name: str) -> None:
    """Nor are its words shown, which may stand in a collection that nobody named."""
    asked, other = FILTERED[name]
    plain: dict[str, Any] = {"role": "user", "thread": "t", "session": "s", "tags": ("a",),
                             "at": "2026-01-01T00:00:00Z"}  # fmt: skip
    plain["collection"] = asked.get("collection")
    first = memory.observe("amber heron", **plain).id
    correcting = {**plain, **other, "type": "correction", "reply_to": first}
    second = memory.observe("xyzzy", **correcting).id

    pack = memory.recall("heron", record=True, **asked)
    then = memory.run(Replay(receipt=pack.receipt or "", against="then"))

    assert ids(pack) == [first]
    assert second not in left_out(pack)
    assert (then.same, then.text, then.changes) == (True, pack.text, ())
    now = memory.run(Replay(receipt=pack.receipt or "")).text
    assert "xyzzy" not in now
    assert memory.verify().ok
