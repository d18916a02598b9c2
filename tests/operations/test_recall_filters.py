"""Recall: filters show exactly what passes them, in every combination, and apply before limits."""

from __future__ import annotations

import json
import random
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from muniment import Import, Memory, WhyNot
from tests.operations.seen import found, ids, left_out
from tests.requirements.marker import requirement

DAY = 86_400_000
START = 1_767_225_600_000
WHOLE = {"items_max": 256, "bytes_max": 1_048_576}

Said = dict[str, Any]


def crowd() -> list[Said]:
    """Sixty messages that differ in everything a filter looks at, in an order that seems random."""
    every = list(
        product(("t1", "t2", None), ("s1", "s2", None), ("user", "tool"), ("message", "tool_result"),
                (None, "anchor", "c"), ((), ("x",), ("x", "y")))
    )  # fmt: skip
    drawn = random.Random(3).sample(every, 60)
    return [
        {"thread": thread, "session": session, "role": role, "type": type,
         "collection": collection, "tags": tags, "at": START + day * DAY}
        for day, (thread, session, role, type, collection, tags) in enumerate(drawn)
    ]  # fmt: skip


def passes(said: Said, asked: Said) -> bool:
    """Whether a message passes a filter, as the words of the filter say."""
    collection = asked.get("collection")
    return (
        all(asked.get(name) in (None, said[name]) for name in ("thread", "session", "role", "type"))
        and (asked.get("exclude_session") is None or said["session"] != asked["exclude_session"])
        and set(asked.get("tags", ())) <= set(said["tags"])
        and (said["collection"] in (None, "anchor") if collection is None
             else said["collection"] == collection)
        and asked.get("since", 0) <= said["at"] < asked.get("until", 1 << 50)
    )  # fmt: skip


def askings() -> list[Said]:
    """Every filter by itself, every pair, and some of all at once."""
    values: dict[str, list[Any]] = {
        "thread": ["t1", "no such"], "session": ["s1"], "exclude_session": ["s1", "no such"],
        "role": ["user", "narrator"], "type": ["tool_result"], "collection": ["c", "anchor"],
        "tags": [("x",), ("y", "x"), ("z",)], "since": [START + 20 * DAY],
        "until": [START + 40 * DAY],
    }  # fmt: skip
    single = [{name: value} for name, given in values.items() for value in given]
    pairs = [one | other for one in single for other in single if set(one).isdisjoint(other)]
    draw = random.Random(4)
    many = [
        {name: draw.choice(given) for name, given in values.items() if draw.random() < 0.4}
        for _ in range(60)
    ]
    return [{}, *single, *pairs, *many]


@requirement("recall:filter:each", "recall:filter:time", "recall:filter:collection")
def test_every_combination_of_filters_shows_exactly_what_passes(memory: Memory) -> None:
    """Seed 2: held against a plain loop over the messages, under two policies."""
    messages = crowd()
    said = {memory.observe("apple", **message).id: message for message in messages}

    for asked in askings():
        wanted = {id for id, message in said.items() if passes(message, asked)}
        by_words = memory.recall("apple", policy="lexical", **asked, **WHOLE)
        newest = memory.recall("", policy="recent", **asked, **WHOLE)
        assert set(ids(by_words)) == wanted, asked
        assert ids(newest) == [id for id in reversed(said) if id in wanted], asked
        assert left_out(by_words) == left_out(newest) == {}


@requirement("recall:filter:each")
@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ({"thread": "t"}, False), ({"session": "s"}, False), ({"role": "user"}, False),
        ({"type": "message"}, False), ({"tags": ("x",)}, False), ({"collection": "anchor"}, False),
        ({"exclude_session": "s"}, True), ({"since": 0}, True), ({"until": START * 2}, True),
        ({"until": 1}, False), ({"since": START * 2}, False),
    ],
    ids=str,
)  # fmt: skip
def test_records_and_state_pass_a_filter_that_speaks_of_them(
    memory: Memory, asked: Said, shown: bool
) -> None:
    """What only experience has leaves records out; time and an excluded session do not."""
    from muniment import StateSetTo

    memory.remember("apple", kind="task")
    memory.remember("apple", kind="fact")
    memory.run(StateSetTo(key="apple", value=1))

    kinds = {item.kind for item in memory.recall("apple", **asked).items}

    # An open task is filtered away by nothing.
    assert kinds == ({"task", "fact", "state"} if shown else {"task"})


@requirement("recall:filter:time")
@pytest.mark.parametrize("at", [0, START, -5])
def test_since_is_inclusive_and_until_is_exclusive(memory: Memory, at: int) -> None:
    """Two windows that meet share nothing and miss nothing."""
    id = memory.observe("apple", role="user", at=at).id

    assert found(memory, "apple", since=at) == [id]
    assert found(memory, "apple", since=at + 1) == []
    assert found(memory, "apple", until=at + 1) == [id]
    assert found(memory, "apple", until=at) == []
    assert found(memory, "apple", since=at, until=at + 1) == [id]


@requirement("recall:filter:collection")
def test_a_collection_is_seen_when_it_is_named(memory: Memory) -> None:
    """Seed 2, collections: the default sees what lies in none, and the anchor."""
    said = {
        name: memory.observe("apple", role="user", collection=name).id
        for name in (None, "anchor", "letters", "Anchor")
    }

    assert set(ids(memory.recall("apple"))) == {said[None], said["anchor"]}
    assert left_out(memory.recall("apple")) == {}
    for name in ("anchor", "letters", "Anchor"):
        assert ids(memory.recall("apple", collection=name)) == [said[name]]
    assert memory.recall("apple", collection="no such").items == ()


FEW: list[Said] = [
    {"thread": "mine"}, {"session": "mine"}, {"role": "narrator"}, {"type": "correction"},
    {"tags": ["mine"]}, {"collection": "mine"}, {"since": START + 5 * DAY, "until": START + 6 * DAY},
]  # fmt: skip


@requirement("recall:filter:before-limit")
def test_the_one_match_among_a_thousand_better_ones_is_found(
    memory: Memory, tmp_path: Path
) -> None:
    """Seed 2: a filter applies before the limit, so that it never comes back empty by chance."""
    file = tmp_path / "said.jsonl"
    poor = "one apple in a much longer line of words, which fits far worse than the others do"
    lines: list[Said] = [{"text": "apple apple", "role": "user", "thread": "t", "session": "s",
                          "at": START + number} for number in range(1_000)]  # fmt: skip
    for asked in FEW:
        fields = {"at": START + 5 * DAY} if "since" in asked else {"at": START + 9 * DAY, **asked}
        lines.insert(1, {"role": "user", **fields, "text": poor})
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert memory.run(Import(file=str(file))).imported == 1_000 + len(FEW)

    for asked in FEW:
        for policy in ("lexical", "recent", "balanced"):
            pack = memory.recall("apple", policy=policy, **asked)
            assert [item.text for item in pack.items] == [poor], asked
    assert memory.recall("apple", policy="lexical").trace.retrievers[-1].limited


@requirement("recall:filter:undated")
def test_an_undated_message_shows_no_time_and_is_in_no_window(
    memory: Memory, tmp_path: Path
) -> None:
    """Of a file that says no times: when it was taken in is not when it was said."""
    file = tmp_path / "undated.jsonl"
    file.write_text('{"role": "user", "text": "The apple fell."}\n', encoding="utf-8")
    memory.run(Import(file=str(file)))

    pack = memory.recall("apple")

    assert "] undated user: The apple fell." in pack.text
    assert pack.items[0].at is None
    for window in ({"since": 0}, {"until": 1 << 42}, {"since": 0, "until": 1 << 42}):
        assert memory.recall("apple", **window).items == ()
        assert memory.run(WhyNot(id="e1", query="apple", **window)).reason == "undated"
