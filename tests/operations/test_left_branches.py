"""Branches that a conversation left are counted; a tree that is none loses nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from muniment import Import, Memory, Thread
from muniment.model.pack import plain
from muniment.surfaces import plainly
from tests.requirements.marker import requirement

ROOT = "00000000-0000-4000-8000-000000000000"
ABSENT = object()

# Name and parent of each message, in the order of the file.
Hung = list[tuple[str, Any]]


def claude(hung: Hung, **fields: Any) -> list[dict[str, Any]]:
    """A Claude export of one conversation, whose messages say their names and places."""
    messages: list[dict[str, Any]] = []
    for place, (name, parent) in enumerate(hung):
        words = {"uuid": name, "sender": "human", "text": f"{name} {place}"}
        made = {"created_at": f"2024-05-01T10:00:{place:02}Z"}
        messages.append(
            words | made | ({"parent_message_uuid": parent} if parent != ABSENT else {})
        )
    return [{"uuid": "c", "name": "", "chat_messages": messages, **fields}]


def chatgpt(hung: Hung, **fields: Any) -> list[dict[str, Any]]:
    """A ChatGPT export of one conversation, whose messages say their names and places."""
    begun = any(parent == ROOT for _, parent in hung)
    mapping: dict[str, Any] = {"root": {"parent": None, "message": None}} if begun else {}
    for place, (name, parent) in enumerate(hung):
        content = {"content_type": "text", "parts": [f"{name} {place}"]}
        message = {"author": {"role": "user"}, "content": content, "create_time": place}
        above = {ROOT: "root", ABSENT: None}.get(parent, parent)
        mapping[name] = {"parent": above, "message": message}
    return [{"id": "c", "title": "", "mapping": mapping, **fields}]


def file(path: Path, export: Any) -> str:
    """An export as a file."""
    path.write_text(json.dumps(export))
    return str(path)


def told(memory: Memory) -> list[str]:
    """What the conversation says, in its order."""
    return [item.text for item in memory.run(Thread(thread="c")).items]


GIVEN_UP: Hung = [("a", ROOT), ("b", "a"), ("c", "b"), ("b2", "a"), ("d", "b2")]


@requirement("importers:every:left-branches")
@pytest.mark.parametrize(
    ("export", "current"), [(claude, "current_leaf_message_uuid"), (chatgpt, "current_node")]
)
def test_what_stands_on_branches_that_were_left_is_counted(
    memory: Memory, tmp_path: Path, export: Any, current: str
) -> None:
    """An edited prompt and its answer are not what was said in the end, and are told."""
    done = memory.run(Import(file=file(tmp_path / "one.json", export(GIVEN_UP))))

    assert (done.imported, done.left_branches, done.failed) == (3, 2, ())
    assert told(memory) == ["a 0", "b2 3", "d 4"]
    assert plainly.text("import", plain(done)) == (
        "3 imported, 0 known, 0 failed, 2 messages on branches that were left\n"
    )
    other = memory.run(Import(file=file(tmp_path / "b.json", export(GIVEN_UP, **{current: "c"}))))
    assert (other.imported, other.skipped, other.left_branches) == (2, 1, 2)


@requirement("importers:every:left-branches")
@pytest.mark.parametrize("export", [claude, chatgpt])
def test_a_first_prompt_that_was_edited_is_a_branch(
    memory: Memory, tmp_path: Path, export: Any
) -> None:
    """Both begin the conversation, below a root that says nothing."""
    edited: Hung = [("a", ROOT), ("b", "a"), ("a2", ROOT), ("b2", "a2")]

    done = memory.run(Import(file=file(tmp_path / "one.json", export(edited))))

    assert (done.imported, done.left_branches, done.failed) == (2, 2, ())
    assert told(memory) == ["a2 2", "b2 3"]


@requirement("importers:every:left-branches")
def test_two_roots_that_say_nothing_begin_branches(memory: Memory, tmp_path: Path) -> None:
    """Nothing is wrong with them, and the branch that was left is counted."""
    export = chatgpt([("a", ROOT), ("b", "other"), ("c", "b")])
    export[0]["mapping"]["other"] = {"parent": None, "message": None}

    done = memory.run(Import(file=file(tmp_path / "one.json", export)))

    assert (done.imported, done.left_branches, done.failed) == (2, 1, ())
    assert told(memory) == ["b 1", "c 2"]


@requirement("importers:every:left-branches")
def test_a_blank_message_on_a_branch_that_was_left_does_not_count(
    memory: Memory, tmp_path: Path
) -> None:
    """It leaves nothing behind."""
    export = claude(GIVEN_UP)
    export[0]["chat_messages"][2]["text"] = " "

    assert memory.run(Import(file=file(tmp_path / "one.json", export))).left_branches == 1


@requirement("importers:every:no-tree")
@pytest.mark.parametrize(
    ("hung", "places"),
    [
        ([("a", ROOT), ("b", "a"), ("c", "b"), ("d", "gone")], [3]),
        ([("a", ROOT), ("b", "gone"), ("c", "b"), ("d", "away")], [1, 3]),
        ([("a", None), ("b", "a"), ("c", None), ("d", None)], [2]),
        ([("a", ROOT), ("b", "a"), ("c", None), ("d", "c")], [2]),
        ([("a", ROOT), ("b", "a"), ("d", "c"), ("c", "d")], [3]),
        ([("a", ABSENT), ("b", ABSENT), ("c", ABSENT), ("d", "c")], [1]),
    ],
    ids=["last", "amid", "no parents", "second root", "cycle", "field missing"],
)
@pytest.mark.parametrize("export", [claude, chatgpt])
def test_a_tree_that_is_none_is_taken_whole_and_told(
    memory: Memory, tmp_path: Path, export: Any, hung: Hung, places: list[int]
) -> None:
    """A good message may not vanish because another is hung up wrongly."""
    made = export(hung)
    at = "$[0].chat_messages[{place}]" if export is claude else "$[0].mapping.{name}.parent"
    failed = [at.format(place=place, name=hung[place][0]) for place in places]

    done = memory.run(Import(file=file(tmp_path / "one.json", made)))

    assert [(each.at, each.code) for each in done.failed] == [(p, "broken_thread") for p in failed]
    assert (done.imported, done.left_branches) == (4, 0)
    in_order = [f"{name} {place}" for place, (name, _) in enumerate(hung)]
    taken = told(memory)
    # The nodes of ChatGPT stand in no order.
    assert taken == in_order or (export is chatgpt and sorted(taken) == sorted(in_order))


@requirement("importers:every:no-tree")
def test_a_uuid_with_other_words_is_told_and_loses_nothing_else(
    memory: Memory, tmp_path: Path
) -> None:
    """The first that has it stands; what hangs on it is taken in."""
    twice: Hung = [("a", ROOT), ("b", "a"), ("b", "a"), ("c", "b")]

    done = memory.run(Import(file=file(tmp_path / "one.json", claude(twice))))

    assert [(each.at, each.code) for each in done.failed] == [
        ("$[0].chat_messages[2] external_id", "external_id_reused")
    ]
    assert told(memory) == ["a 0", "b 1", "c 3"]


@requirement("importers:every:no-tree")
def test_nodes_of_chatgpt_in_any_order_come_parents_first(memory: Memory, tmp_path: Path) -> None:
    """The order of its file says nothing, also where the tree is none."""
    mixed: Hung = [("c", "b"), ("x", "gone"), ("b", "a"), ("a", ROOT)]

    done = memory.run(Import(file=file(tmp_path / "one.json", chatgpt(mixed))))

    assert [each.at for each in done.failed] == ["$[0].mapping.x.parent"]
    assert [text[0] for text in told(memory)] == ["a", "b", "c", "x"]
