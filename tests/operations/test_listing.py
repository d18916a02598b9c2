"""Lists: what there is can be found without knowing its name, page by page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from muniment import (
    Collections,
    Keys,
    Memory,
    Rebuild,
    Recall,
    Receipts,
    Records,
    Retract,
    Scopes,
    StateDelete,
    StateList,
    StateSetTo,
    Status,
    Tasks,
    Threads,
)
from muniment.errors import BadShape
from tests.operations.seen import erased
from tests.requirements.marker import requirement


@requirement("faces:lists:scopes")
def test_the_scopes_of_a_place_are_listed_by_name(memory: Memory, directory: Path) -> None:
    """Also one whose name was erased, and one that cannot be read."""
    for scope in ("north", "south", "west"):
        memory.observe("first", role="user", scope=scope)
    erased(memory, scope="south", all=True)
    broken = directory / "broken-01234567.muniment"
    broken.write_bytes(b"no store at all")

    found = memory.run(Scopes())
    broken.unlink()

    assert {(each.scope, each.seq) for each in found.items} == {
        ("north", 1), (None, 2), ("west", 1)
    }  # fmt: skip
    assert found.unreadable == ("broken-01234567.muniment",)
    assert [each.scope for each in memory.run(Scopes(scope="west")).items] == ["west"]


@requirement("faces:counts:one-meaning")
def test_the_same_word_counts_the_same(memory: Memory) -> None:
    """Events by every command that counts them; messages, records and keys by their own words."""
    first = memory.observe("first", role="user", thread="t")
    memory.observe("second", role="tool", type="tool_result", thread="t")
    memory.remember("held", sources=(first.id,), command_key="c")
    memory.run(StateSetTo(key="k", value=1))
    memory.run(StateDelete(key="k"))
    erased(memory, event=first.id)

    told = memory.run(Status())

    events = 7  # two messages, a record, its command, a value, a deletion, an erasure
    assert {told.seq, memory.verify().events, memory.run(Scopes()).items[0].seq} == {events}
    assert told.counts == {"experience": 2, "state": 0, "note": 1}
    assert memory.run(Rebuild()).rebuilt["experience"] == 2
    assert [each.messages for each in memory.run(Threads()).items] == [1]
    assert (told.erased, memory.verify().erased) == (1, 1)


@requirement("faces:lists:threads")
def test_threads_are_listed_last_written_first(memory: Memory) -> None:
    """Pages meet, and a hidden collection stays hidden."""
    for number, thread in enumerate(("a", "b", "a", "c")):
        memory.observe("said", role="user", thread=thread, at=1_767_225_600_000 + number)
    memory.observe("aside", role="tool", thread="hidden", collection="tools")

    first = memory.run(Threads(limit=2))
    second = memory.run(Threads(limit=2, after=first.next or 0))

    assert [(each.thread, each.messages) for each in first.items] == [("c", 1), ("a", 2)]
    assert [(each.thread, each.messages) for each in second.items] == [("b", 1)]
    assert second.next is None
    assert first.items[1].first_at == "2026-01-01T00:00:00.000Z"
    assert first.items[1].last_at == "2026-01-01T00:00:00.002Z"


@requirement("faces:lists:collections")
def test_collections_are_listed_with_what_they_hold(memory: Memory) -> None:
    """And the threads of one, which the list of all others does not show."""
    for number, (collection, thread) in enumerate(
        [("tools", "a"), ("tools", "b"), ("mail", None), (None, "a"), ("tools", "a")]
    ):
        memory.observe(
            "said", role="tool", thread=thread, collection=collection,
            at=1_767_225_600_000 + number,
        )  # fmt: skip
    gone = memory.observe("secret", role="tool", collection="diary")
    erased(memory, event=gone.id)

    first = memory.run(Collections(limit=1))
    second = memory.run(Collections(after=first.next or 0))

    assert [(each.collection, each.messages, each.threads) for each in first.items] == [
        ("tools", 3, 2)
    ]
    assert [(each.collection, each.messages, each.threads) for each in second.items] == [
        ("mail", 1, 0)
    ]
    assert first.items[0].first_at == "2026-01-01T00:00:00.000Z"
    assert first.items[0].last_at == "2026-01-01T00:00:00.004Z"
    inside = memory.run(Threads(collection="tools")).items
    assert [(each.thread, each.messages) for each in inside] == [("a", 2), ("b", 1)]
    assert [each.messages for each in memory.run(Threads()).items] == [1]
    assert memory.run(Threads(collection="nothing")).items == ()


@requirement("faces:lists:records")
def test_keys_and_open_tasks_are_listed(memory: Memory) -> None:
    """The newest version of each key, whatever its standing; the tasks that are open."""
    memory.remember("The code is 1.", key="code")
    new = memory.remember("The code is 2.", key="code")
    gone = memory.remember("The lamp is red.", key="lamp")
    memory.run(Retract(id=gone.id))
    tasks = [memory.remember(f"Task {n}.", kind="task", status="open").id for n in range(3)]

    first = memory.run(Keys(limit=1))
    second = memory.run(Keys(after=first.next or 0))
    opened = memory.run(Tasks(limit=2))
    rest = memory.run(Tasks(after=opened.next or 0))

    assert [(item.key, item.standing) for item in first.items] == [("lamp", "retracted")]
    assert [(item.id, item.key) for item in second.items] == [(new.id, "code")]
    assert [item.id for item in (*opened.items, *rest.items)] == tasks
    assert (opened.next is None, rest.next) == (False, None)


@requirement("faces:lists:without-key")
def test_records_are_listed_with_a_key_or_without(memory: Memory) -> None:
    """Newest first and page by page; by default what stands, and what is yet to."""
    bare = memory.remember("No key.", kind="fact").id
    old = memory.remember("The code is 1.", key="code").id
    new = memory.remember("The code is 2.", key="code").id
    planned = memory.remember("Later.", valid_from=2_000_000_000_000).id

    first = memory.run(Records(limit=2))
    second = memory.run(Records(limit=2, after=first.next or 0))
    whole = memory.run(Records(standing="any"))

    assert [each.id for each in (*first.items, *second.items)] == [planned, new, bare]
    assert (first.next is None, second.next) == (False, None)
    assert [each.id for each in whole.items] == [planned, new, old, bare]
    assert [each.id for each in memory.run(Records(standing="superseded")).items] == [old]


@requirement("faces:lists:without-key")
def test_records_are_listed_by_what_is_said_of_them(memory: Memory) -> None:
    """Each alone and all together; what fits none of it is not there."""
    ann = memory.remember("Ann rows.", kind="fact", about="Ann").id
    rows = memory.remember("Bring oars.", kind="fact", about="Ann", task="row").id
    note = memory.remember("Ben swims.", about="Ben", task="swim").id
    gone = memory.remember("Ann sails.", kind="fact", about="Ann", key="sail").id
    erased(memory, record=gone)

    def listed(**fields: Any) -> list[str]:
        return [each.id for each in memory.run(Records(**fields)).items]

    assert listed(kind="fact") == [rows, ann]
    assert listed(about="Ben") == [note]
    assert listed(task="row") == [rows]
    assert listed(kind="fact", about="Ann", task="swim") == []
    assert listed(standing="erased") == [gone]
    with pytest.raises(BadShape) as refused:
        memory.run(Records(limit=0))
    assert refused.value.at == "limit"


@requirement("faces:lists:without-key")
def test_what_is_kept_from_somebody_is_not_listed_to_them(memory: Memory) -> None:
    """Also past versions and what was erased; the page behind them is full all the same."""
    seen = memory.remember("For all.").id
    private = memory.remember("For Ann.", visibility="private", reader="Ann").id
    room = memory.remember("In the hall.", visibility="room", room="hall").id
    hidden = memory.remember("Secret.", visibility="private", reader="Ann").id
    erased(memory, record=hidden)

    def listed(**fields: Any) -> list[str]:
        return [each.id for each in memory.run(Records(standing="any", **fields)).items]

    assert listed() == [seen]
    assert listed(limit=1) == [seen]
    assert listed(reader="Ann") == [private, seen]
    assert listed(reader="Ben") == [seen]
    assert listed(reader="Ann", room="hall") == [room, private, seen]


@requirement("faces:lists:receipts")
def test_recorded_recalls_are_listed_newest_first(memory: Memory) -> None:
    """With their question, unless it was erased with what it spoke of."""
    said = memory.observe("The lamp is red.", role="user")
    memory.observe("The door is open.", role="user")
    first = memory.run(Recall(query="the lamp", record=True))
    second = memory.run(Recall(query="the door", record=True))
    erased(memory, event=said.id)

    found = memory.run(Receipts())
    page = memory.run(Receipts(limit=1))

    assert [(each.id, each.query) for each in found.items] == [
        (second.receipt, "the door"), (first.receipt, None)
    ]  # fmt: skip
    assert found.items[0].policy == "balanced"
    assert [each.id for each in memory.run(Receipts(after=page.next or 0)).items] == [first.receipt]


@requirement("faces:lists:threads", "faces:lists:records", "faces:lists:receipts")
@pytest.mark.parametrize("kind", [Threads, Keys, Tasks, Receipts, Collections, StateList])
@pytest.mark.parametrize("limit", [0, -1, 10_001])
def test_a_page_has_bounds(memory: Memory, kind: type[Threads], limit: int) -> None:
    """A page of nothing, and one without end, are refused."""
    memory.observe("first", role="user")

    with pytest.raises(BadShape) as raised:
        memory.run(kind(limit=limit))

    assert raised.value.at == "limit"
