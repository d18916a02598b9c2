"""Corrections come with the messages that they correct, whatever their own words."""

from __future__ import annotations

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
