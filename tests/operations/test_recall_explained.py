"""Recall: why each thing is shown, why each other thing is not, and for any one thing."""

from __future__ import annotations

from typing import Any

import pytest

from muniment import Memory, Replay, Retract, StateHistory, StateSetTo, WhyNot
from tests.operations.seen import erased, ids, left_out, refused, shown
from tests.requirements.marker import requirement


def why_not(memory: Memory, id: str, query: str = "apple", **fields: Any) -> str:
    """The reason for one thing, which must agree with the recall itself."""
    told = memory.run(WhyNot(id=id, query=query, **fields))
    pack = memory.recall(query, **fields)
    assert told.id.startswith(id)
    assert told.shown == (told.id in ids(pack))
    if told.id in left_out(pack):
        assert told.reason == left_out(pack)[told.id]
    return told.reason


@requirement("recall:explain:shown")
@pytest.mark.parametrize("policy", ["balanced", "lexical", "recent"])
def test_each_thing_shown_says_why(memory: Memory, policy: str) -> None:
    """Promise 5: the retrievers that found it, and how well, in millionths of the best."""
    task = memory.remember("Buy an apple.", kind="task").id
    for number in range(4):
        memory.observe(f"apple {'and pear ' * number}", role="user")

    pack = memory.recall("apple", policy=policy, pin=(task,))

    assert len(pack.items) == 5
    for item in pack.items:
        assert set(item.reasons) <= {"required", "open_tasks", "lexical", "nearby", "recent"}
        assert item.reasons
        assert item.score_ppm is not None
        assert 0 <= item.score_ppm <= 1_000_000
    assert (
        pack.items[0].reasons
        == {
            "balanced": ("required", "open_tasks", "lexical"),
            "lexical": ("required", "lexical"),
            "recent": ("required", "recent"),
        }[policy]
    )


@requirement("recall:explain:left-out")
def test_each_thing_found_and_left_out_is_listed_once_with_its_size(memory: Memory) -> None:
    """Promise 5: every hit is either shown or listed, and nothing is both."""
    for number in range(30):
        memory.remember(f"apple version {number}", key=f"k{number % 10}")
    memory.run(Retract(id=memory.remember("apple, no more").id))

    pack = memory.recall("apple", items_max=4, pin=("r1", "r2"))

    reasons = left_out(pack)
    assert len(pack.items) == 4
    assert not set(reasons) & set(ids(pack))
    assert len(reasons) + len(pack.items) == 32
    assert sorted(set(reasons.values())) == ["budget_items", "retracted", "superseded"]
    assert all(each.bytes > 0 for each in pack.suppressed)


@requirement("recall:explain:left-out")
def test_a_long_list_of_what_was_left_out_says_how_much_more_there_is(memory: Memory) -> None:
    """Promise 4: the account is bounded too, and says so."""
    for number in range(40):
        for _ in range(8):
            memory.remember(f"apple {number}", key=f"k{number}", metadata=f'{{"n":{_}}}')

    pack = memory.recall("apple", items_max=1)

    shown = {searched.retriever: searched for searched in pack.trace.retrievers}
    assert shown["lexical"].hits == len(pack.suppressed) + pack.trace.suppressed_more + 1
    assert len(pack.suppressed) <= 256


@requirement("recall:explain:why-not")
def test_why_not_names_the_first_thing_against_it(memory: Memory) -> None:
    """Seed 2: for any one id, whatever it is; the reasons are a closed list of codes."""
    event = memory.observe(
        "apple", role="user", thread="t", session="s", tags=("a",), at="2026-01-01T00:00:00Z"
    ).id
    record = memory.remember("apple").id

    assert why_not(memory, event) == "shown"
    assert why_not(memory, event.split("-")[0]) == "shown"
    assert why_not(memory, event, "pear") == "no_match"
    assert why_not(memory, event, policy="recent") == "shown"
    assert why_not(memory, event, thread="u") == "thread"
    assert why_not(memory, event, session="u") == "session"
    assert why_not(memory, event, exclude_session="s") == "session_excluded"
    assert why_not(memory, event, role="tool") == "role"
    assert why_not(memory, event, type="import") == "type"
    assert why_not(memory, event, tags=("a", "b")) == "tags"
    assert why_not(memory, event, collection="c") == "collection"
    assert why_not(memory, event, since="2026-01-01T00:00:00.001Z") == "before_window"
    assert why_not(memory, event, until="2026-01-01T00:00:00Z") == "after_window"
    assert why_not(memory, record, thread="t") == "not_experience"
    assert why_not(memory, record, until=5) == "after_window"
    assert why_not(memory, record, since=2_000_000_000_000) == "before_window"
    assert why_not(memory, record, items_max=1, pin=(event,)) == "budget_items"
    assert why_not(memory, record, bytes_max=80) == "budget_bytes"


@requirement("recall:explain:why-not")
def test_why_not_says_when_something_does_not_hold_yet_or_was_said_later(memory: Memory) -> None:
    """Promise 5: time has reasons of its own."""
    later = memory.remember("apple", kind="fact", valid_from=4_000_000_000_000).id
    said = memory.observe("apple", role="user", at="2026-01-01T00:00:00Z").id

    assert why_not(memory, later) == "not_yet_valid"
    assert why_not(memory, later, as_of=4_000_000_000_000) == "shown"
    assert why_not(memory, said, as_of="2025-12-31T00:00:00Z") == "after_moment"
    assert why_not(memory, said, as_of="2026-01-01T00:00:00.001Z") == "shown"


@requirement("recall:explain:why-not")
def test_why_not_says_when_something_is_hidden_in_a_collection(memory: Memory) -> None:
    """Seed 2, collections: it is there, and has to be named."""
    hidden = memory.observe("apple", role="user", collection="c").id
    anchored = memory.observe("apple", role="user", collection="anchor").id

    assert why_not(memory, hidden) == "collection"
    assert why_not(memory, hidden, collection="c") == "shown"
    assert why_not(memory, anchored) == "shown"
    assert why_not(memory, anchored, collection="c") == "collection"


@requirement("recall:explain:why-not")
@pytest.mark.parametrize(
    "standing",
    ["superseded", "retracted", "stale", "expired", "withdrawn", "proposed", "rejected", "erased"],
)
def test_why_not_names_the_standing(memory: Memory, standing: str) -> None:
    """Promise 5: a record that does not stand is left out for that."""
    source = memory.remember("a source", key="s")
    fields: Any = {
        "stale": {"kind": "summary", "sources": (source.id,)},
        "withdrawn": {"kind": "belief", "sources": (source.id,)},
        "expired": {"valid_to": 1},
        "proposed": {"kind": "proposal"},
        "rejected": {"kind": "proposal", "status": "rejected"},
    }.get(standing, {})
    id = memory.remember("apple", key="k", **fields).id
    if standing in ("stale", "withdrawn"):
        memory.run(Retract(id=source.id))
    elif standing == "superseded":
        memory.remember("apple pie", key="k")
    elif standing == "retracted":
        id = memory.run(Retract(id=id)).id
    elif standing == "erased":
        erased(memory, record=id)

    assert why_not(memory, id) == standing
    if standing != "erased":
        assert why_not(memory, id, history=True) == "shown"


@requirement("recall:explain:why-not")
def test_why_not_says_when_better_things_crowd_it_out(memory: Memory) -> None:
    """Each retriever hands on so many, and what is behind them is told apart from no match."""
    last = memory.observe("apple in a long line of words that are of no use here", role="user").id
    for _ in range(70):
        memory.observe("apple", role="user")

    told = memory.run(WhyNot(id=last, query="apple"))

    assert (told.shown, told.reason, told.retrievers) == (False, "below_limit", {})
    assert memory.run(WhyNot(id=last, query="apple", policy="recent")).reason == "below_limit"
    assert memory.run(WhyNot(id=last, query="long", items_max=256)).shown


@requirement("recall:explain:why-not")
def test_why_not_gives_the_rank_of_each_retriever(memory: Memory) -> None:
    """Seed 2: at which rank each retriever found it, and what it takes."""
    first = memory.remember("Buy an apple, but not today.", kind="task").id
    second = memory.remember("Buy it.", kind="task").id
    memory.observe("apple", role="user")

    told = memory.run(WhyNot(id=first, query="apple"))
    other = memory.run(WhyNot(id=second, query="apple", pin=(first, second)))

    assert (told.shown, told.reason) == (True, "shown")
    assert told.retrievers == {"open_tasks": 1, "lexical": 2}
    assert other.retrievers == {"required": 2, "open_tasks": 2}
    assert 0 < told.bytes < memory.recall("apple").bytes


@requirement("recall:label:corrected")
def test_what_somebody_corrected_says_so(memory: Memory) -> None:
    """B1: a correction leads to what it corrects; an answer of another type corrects nothing."""
    wrong = memory.observe("The door code is 5512.", role="user").id
    right = memory.observe("The gate is open.", role="user").id
    before = memory.recall("door code")
    said = memory.observe("No, 7731.", role="user", type="correction", reply_to=wrong)
    memory.observe("Is it?", role="assistant", reply_to=right)

    after = memory.recall("door code gate", record=True)

    assert [item.labels for item in before.items] == [()]
    assert {item.id: item.labels for item in after.items} == {
        wrong: ("corrected",), right: (), said.id: ()
    }  # fmt: skip
    assert "(corrected): The door code is 5512." in after.text
    assert memory.recall("door code", as_recorded=before.items[0].recorded_at).items[0].labels == ()
    assert memory.run(Replay(receipt=after.receipt or "", against="then")).same
    assert shown(memory, wrong).labels == ("corrected",)
    erased(memory, event=said.id)
    assert shown(memory, wrong).labels == ()


@requirement("recall:explain:why-not")
def test_why_not_speaks_of_state_values_too(memory: Memory) -> None:
    """For one thing, whatever it is."""
    memory.run(StateSetTo(key="apple", value=1))
    memory.run(StateSetTo(key="apple", value=2))
    old, new = (item.id for item in memory.run(StateHistory(key="apple")).items)

    assert why_not(memory, old) == "superseded"
    assert why_not(memory, new) == "shown"
    assert why_not(memory, new, "pear") == "no_match"
    with refused(memory, "not_found", at="id"):
        memory.run(WhyNot(id="l9", query="apple"))
