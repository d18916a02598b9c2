"""Claude.ai exports: conversations, their branches and what was attached to them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.importers import claude
from muniment.model.turn import Failed, Turn
from tests.importers.files import dumped, failures, passed, texts, told, turns
from tests.requirements.marker import requirement

Json = dict[str, Any]
ROOT = "00000000-0000-4000-8000-000000000000"
EARLIER, LATER = "2024-05-01T10:00:00+00:00", "2024-05-01T10:00:01+00:00"


def said(uuid: str, text: str = "Hello.", sender: str = "human", **fields: Any) -> Json:
    """A message as Claude exports it; `fields` stand beside or replace what it has."""
    return {
        "uuid": uuid,
        "text": text,
        "sender": sender,
        "content": [{"type": "text", "text": text}],
        "attachments": [],
        "files": [],
    } | fields


def chat(*messages: Any, **fields: Any) -> Json:
    """A conversation of these messages."""
    return {"uuid": "c", "name": "Telescope", "chat_messages": list(messages)} | fields


@requirement("importers:claude:conversations")
def test_a_conversation_is_a_thread_of_its_messages_and_their_blocks() -> None:
    """Calls and results keep their type, thinking stays apart, and each hangs on the one before."""
    blocks = [
        {"type": "thinking", "thinking": "A sum."},
        {"type": "text", "text": "I add."},
        {"type": "tool_use", "name": "repl", "input": {"code": "2+2"}},
        {"type": "tool_result", "name": "repl", "content": [{"type": "text", "text": "4"}]},
        {"type": "text", "text": "Four."},
    ]
    file = dumped(
        [
            chat(
                said("m1", "What is 2 + 2?", created_at="2024-05-01T10:00:00.000000Z"),
                said("m2", "I add. (unsupported block)", "assistant", content=blocks),
                said("m3", "Thanks."),
            ),
            chat(said("m1", "Hi."), uuid="d", name=""),
        ]
    )

    found = turns(claude, file)

    assert [(turn.role, turn.type, turn.text) for turn in found] == [
        ("user", "message", "What is 2 + 2?"),
        ("assistant", "message", "A sum."),
        ("assistant", "message", "I add."),
        ("assistant", "tool_call", '{"code":"2+2"}'),
        ("tool", "tool_result", "4"),
        ("assistant", "message", "Four."),
        ("user", "message", "Thanks."),
        ("user", "message", "Hi."),
    ]
    ids = [*("m1", "m2", "m2#1", "m2#2", "m2#3", "m2#4", "m3", "m1")]
    assert [turn.external_id for turn in found] == ids
    assert [turn.parent for turn in found] == [None, *ids[:6], None]
    assert [turn.reply_to for turn in found] == [None, None, "m1", "m1", "m2#2", "m1", None, None]
    assert [turn.actor for turn in found[3:5]] == ["repl", "repl"]
    assert [turn.collection for turn in found[:3]] == [None, "thinking", None]
    assert [turn.thread for turn in found] == ["c"] * 7 + ["d"]
    assert [turn.namespace for turn in found[6:]] == ["claude:c", "claude:d"]
    assert [turn.at for turn in found[6:]] == ["$[0].chat_messages[2]", "$[1].chat_messages[0]"]
    assert [turn.at_ms for turn in found[:2]] == [1_714_557_600_000, None]
    assert [turn.metadata for turn in found[6:]] == ['{"title":"Telescope"}', None]


@pytest.mark.parametrize(
    "file", [chat(said("m1")), {"conversations": [chat(said("m1"))], "account": {"uuid": "a"}}]
)
def test_one_conversation_and_a_list_inside_an_object_are_read_too(file: Json) -> None:
    """Tools that export one conversation write it alone."""
    assert texts(told(claude, dumped(file))) == ["Hello."]


@pytest.mark.parametrize("content", [None, [], [{"type": "text", "text": ""}]])
def test_an_older_message_has_its_words_in_text(content: Any) -> None:
    """Exports before 2024 have no blocks, and where these are blank the text still counts."""
    (turn,) = turns(claude, dumped([chat(said("m1", content=content))]))

    assert (turn.text, turn.external_id) == ("Hello.", "m1")


@requirement("importers:claude:branches")
@pytest.mark.parametrize(
    ("fields", "end"),
    [
        ({}, "new"),
        ({"current_leaf_message_uuid": "b1"}, "old"),
        ({"current_leaf_message_uuid": "gone"}, "new"),
    ],
)
def test_of_branches_the_last_or_the_current_one_is_taken(fields: Json, end: str) -> None:
    """An answer that was thrown away is not what was said in the end."""
    file = dumped(
        [
            chat(
                said("b2", "new", "assistant", parent_message_uuid="a", created_at=LATER),
                said("a", "ask", parent_message_uuid=ROOT),
                said("b1", "old", "assistant", parent_message_uuid="a", created_at=EARLIER),
                **fields,
            )
        ]
    )

    found = turns(claude, file)

    assert [turn.text for turn in found] == ["ask", end]
    assert [turn.parent for turn in found] == [None, "a"]


@pytest.mark.parametrize(
    ("parents", "place", "taken"),
    [
        ({"a": "b", "b": "a"}, "$[0].chat_messages[1]", ["a", "b"]),
        ({"a": "gone", "b": "a"}, "$[0].chat_messages[0]", ["a", "b"]),
        ({"a": "b", "b": "b"}, "$[0].chat_messages[1]", ["a", "b"]),
    ],
)
def test_a_broken_thread_is_the_list_that_it_is(
    parents: dict[str, str], place: str, taken: list[str]
) -> None:
    """What is wrong is told once."""
    messages = [said(id, id, parent_message_uuid=up) for id, up in parents.items()]

    file = dumped([chat(*messages)])

    assert failures(claude, file) == [(place, "broken_thread")]
    assert texts(told(claude, file)) == taken


def test_parents_that_nobody_is_leave_the_order_of_the_file() -> None:
    """Where no message hangs on another there is no branch to choose."""
    file = dumped([chat(*(said(id, id, parent_message_uuid=ROOT) for id in "ab"))])

    assert texts(told(claude, file)) == ["a", "b"]


@requirement("importers:claude:empty")
@pytest.mark.parametrize("sender", ["human", "assistant"])
@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"content": []},
        {"content": None, "text": " "},
        {"text": None},
        {"content": [{"type": "redacted_thinking", "data": "x"}]},
    ],
)
def test_an_empty_message_is_told_with_its_place(sender: str, fields: Json) -> None:
    """Nobody can say afterwards whether it was empty or its words were lost on the way."""
    empty = said("m2", "", sender) | fields
    file = dumped([chat(said("m1"), empty, said("m3"))])

    assert failures(claude, file) == [("$[0].chat_messages[1]", "blank_text")]
    found = [turn for turn in told(claude, file) if isinstance(turn, Turn)]
    assert [(turn.external_id, turn.parent) for turn in found] == [("m1", None), ("m3", "m1")]


@requirement("importers:claude:empty")
def test_a_node_that_only_carries_the_tree_is_no_empty_message() -> None:
    """It has no field for words, or is the system's; nor is an empty one left behind told."""
    carrier = {"uuid": "r", "sender": "human", "parent_message_uuid": ROOT}
    prompt = said("s", "", "system", parent_message_uuid="r")
    ask = said("a", "ask", parent_message_uuid="s")
    left = said("b", "", "assistant", parent_message_uuid="a", created_at=EARLIER)
    end = said("c", "new", "assistant", parent_message_uuid="a", created_at=LATER)
    file = dumped([chat(carrier, prompt, ask, left, end)])

    assert [turn.text for turn in turns(claude, file)] == ["ask", "new"]
    assert passed(claude, file) == []


@requirement("importers:claude:attachments")
def test_what_was_attached_is_an_import_behind_its_message() -> None:
    """A document's words are not the user's own; a pasted text without a name is."""
    plan = {"file_name": "plan.md", "extracted_content": "# Roof", "file_type": "md"}
    paste = {"file_name": "", "extracted_content": "A long letter.", "file_type": "txt"}
    picture = {"file_name": "roof.png", "file_uuid": "f"}
    file = dumped(
        [
            chat(
                said("m1", "Read this.", attachments=[plan, paste], files=[picture, picture]),
                said("m2", "", attachments=[paste]),
                said("m3", "", files_v2=[picture]),
                said("m4", "", attachments=[plan]),
                said("m5", "Read.", "assistant"),
            )
        ]
    )

    found = turns(claude, file)

    assert [(turn.role, turn.type, turn.text, turn.caption) for turn in found] == [
        ("user", "message", "Read this.", "file: plan.md, file: roof.png"),
        ("narrator", "import", "# Roof", "file: plan.md"),
        ("user", "import", "A long letter.", "pasted text"),
        ("user", "import", "A long letter.", "pasted text"),
        ("user", "message", "[file: roof.png]", "file: roof.png"),
        ("narrator", "import", "# Roof", "file: plan.md"),
        ("assistant", "message", "Read.", None),
    ]
    assert [turn.external_id for turn in found] == [*("m1", "m1#1", "m1#2", "m2", "m3", "m4", "m5")]
    assert found[6].reply_to == "m3"


def test_a_summary_is_an_import_at_the_end() -> None:
    """It is written anew while the conversation goes on, so its words are its name."""
    first = turns(claude, dumped([chat(said("m1"), summary="Of a telescope.")]))
    later = turns(claude, dumped([chat(said("m1"), summary="Of a roof.")]))

    assert [(turn.role, turn.type, turn.text) for turn in first[1:]] == [
        ("narrator", "import", "Of a telescope.")
    ]
    assert first[1].external_id != later[1].external_id


def test_a_conversation_without_an_id_keeps_its_thread_while_it_grows() -> None:
    """Its title, its time and its first message tell it from others."""
    one = turns(claude, dumped([chat(said("m1"), uuid=None)]))
    two = turns(claude, dumped([chat(said("m1"), said("m2"), uuid="")]))
    other = turns(claude, dumped([chat(said("m9"), uuid=None)]))

    assert one[0].thread == two[1].thread != other[0].thread


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (7, "bad_shape"),
        (said("x") | {"uuid": 1}, "bad_shape"),
        (said("x") | {"sender": "robot"}, "unknown_role"),
        (said("x") | {"sender": None}, "unknown_role"),
        (said("x") | {"sender": []}, "bad_shape"),
        (said("x") | {"content": 7}, "bad_shape"),
        (said("x") | {"content": [7]}, "bad_shape"),
        (said("x") | {"content": None, "text": 7}, "bad_shape"),
        (said("x") | {"files": {}}, "bad_shape"),
        (said("x") | {"attachments": [7]}, "bad_shape"),
        (said("x") | {"files": [{"file_name": 7}]}, "bad_shape"),
        (said("x") | {"created_at": "noon"}, "bad_time"),
        (said("x", "\0"), "bad_encoding"),
        (said("\ud83d"), "bad_encoding"),
    ],
)
def test_a_broken_message_fails_alone(message: Any, code: str) -> None:
    """The rest of the conversation is taken in, and says what it hangs on."""
    file = dumped([chat(said("m1", "one"), message, said("m2", "two"))])

    assert failures(claude, file) == [("$[0].chat_messages[1]", code)]
    found = told(claude, file)
    assert texts(found) == ["one", "two"]
    assert [turn.parent for turn in found if isinstance(turn, Turn)] == [None, "m1"]


def test_a_broken_conversation_fails_alone() -> None:
    """Its place is a JSON path."""
    file = dumped([7, {"uuid": "x"}, {"chat_messages": {}}, chat(said("m1")), {"mapping": {}}])

    assert failures(claude, file) == [(f"$[{index}]", "bad_shape") for index in (0, 1, 2, 4)]
    assert texts(told(claude, file)) == ["Hello."]


LEAVES = st.none() | st.integers() | st.sampled_from(["a", "b", "", "text", "\0", "\ud83d", ROOT])
VALUES = LEAVES | st.lists(LEAVES, max_size=3)
BLOCKS = st.dictionaries(
    st.sampled_from(["type", "text", "thinking", "name", "input", "content", "tool_use_id"]),
    VALUES | st.sampled_from(["tool_use", "tool_result", "thinking", "image"]),
)
FILES = st.dictionaries(st.sampled_from(["file_name", "extracted_content"]), LEAVES)
MESSAGES = st.fixed_dictionaries(
    {"sender": st.sampled_from(["human", "assistant", "robot"])},
    optional={
        "uuid": LEAVES,
        "parent_message_uuid": LEAVES,
        "text": VALUES,
        "content": st.lists(BLOCKS | LEAVES, max_size=3) | VALUES,
        "attachments": st.lists(FILES | LEAVES, max_size=2) | VALUES,
        "files": st.lists(FILES, max_size=2),
        "created_at": LEAVES | st.just("2024-05-01T10:00Z"),
    },
)
CHATS = st.fixed_dictionaries(
    {"chat_messages": st.lists(MESSAGES | LEAVES, max_size=5) | VALUES},
    optional={
        "uuid": LEAVES,
        "name": VALUES,
        "model": LEAVES,
        "summary": VALUES,
        "current_leaf_message_uuid": VALUES,
    },
)


@given(chats=st.lists(CHATS | LEAVES, max_size=3))
def test_any_conversations_come_out_as_turns_and_failures(chats: list[Any]) -> None:
    """No mixture of what Claude exports makes the importer raise or tell a blank turn."""
    found = told(claude, dumped(chats))

    assert all(turn.text.strip() for turn in found if isinstance(turn, Turn))
    assert all(item.code and item.at for item in found if isinstance(item, Failed))
