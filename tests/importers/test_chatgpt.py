"""ChatGPT exports: the active branch of each conversation, and what could not be taken."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.importers import chatgpt
from muniment.model.turn import Failed, Turn
from tests.importers.files import dumped, failures, passed, texts, told, turns
from tests.requirements.marker import requirement

Json = dict[str, Any]


def message(role: str = "user", text: Any = "Hello.", **fields: Any) -> Json:
    """A message as ChatGPT writes it; `fields` stand beside or replace what it has."""
    content = {"content_type": "text", "parts": [text]}
    return {"author": {"role": role}, "content": content, "recipient": "all"} | fields


def chain(*messages: Json | None, **fields: Any) -> Json:
    """A conversation in which the nodes n0, n1, ... follow one another."""
    mapping = {
        f"n{index}": {"message": said, "parent": f"n{index - 1}" if index else None}
        for index, said in enumerate(messages)
    }
    current = f"n{len(messages) - 1}" if messages else None
    return {"conversation_id": "c", "mapping": mapping, "current_node": current} | fields


def only(content: Json, **fields: Any) -> Turn:
    """The turn of a file with one message of this content."""
    (turn,) = turns(chatgpt, dumped([chain(message(content=content, **fields))]))
    return turn


TREE: Json = {
    "title": "Telescope",
    "conversation_id": "talk-1",
    "current_node": "d",
    "mapping": {
        "d": {"parent": "b", "message": message("assistant", "At ten, on Friday.", id="m4")},
        "c": {"parent": "b", "message": message("assistant", "I do not know.", id="m3")},
        "b": {"parent": "a", "message": message("user", "When does it close?", id="m2")},
        "a": {"parent": "root", "message": None},
        "root": {"parent": None, "message": None},
    },
}


@requirement("importers:chatgpt:conversations")
def test_a_conversation_is_its_active_branch_from_the_root_down() -> None:
    """The current node says which branch, its parents say the order; the file's order says none."""
    found = turns(chatgpt, dumped([TREE]))

    assert [turn.text for turn in found] == ["When does it close?", "At ten, on Friday."]
    assert [turn.external_id for turn in found] == ["m2", "m4"]
    assert [turn.parent for turn in found] == [None, "m2"]
    assert [turn.reply_to for turn in found] == [None, "m2"]
    assert {(turn.thread, turn.session, turn.namespace) for turn in found} == {
        ("talk-1", "talk-1", "chatgpt:talk-1")
    }
    assert [turn.metadata for turn in found] == ['{"title":"Telescope"}'] * 2
    assert found[1].at == "$[0].mapping.d"


@pytest.mark.parametrize("current", [None, "nowhere", ""])
def test_without_a_current_node_the_latest_leaf_is_the_end(current: str | None) -> None:
    """An export that lost its place still has a newest message: by time, then by place."""
    mapping = {
        "late": {"parent": "q", "message": message("assistant", "late", create_time=3.5)},
        "q": {"parent": None, "message": message("user", "q", create_time=9)},
        "early": {"parent": "q", "message": message("assistant", "early", create_time=2)},
        "later in the file": {"parent": "q", "message": message("user", "end", create_time=3.5)},
    }

    found = told(chatgpt, dumped([{"id": "c", "mapping": mapping, "current_node": current}]))

    assert texts(found) == ["q", "end"]


@requirement("importers:chatgpt:lost-end")
@pytest.mark.parametrize(
    ("current", "told_as"),
    [(None, []), ("", []), ("b", []), ("gone", [("$[0].current_node", "broken_thread")])],
)
def test_a_current_node_that_is_no_node_is_told(
    current: str | None, told_as: list[tuple[str, str]]
) -> None:
    """Another branch than the one that was meant may be taken, so somebody should look."""
    mapping = {
        "a": {"parent": None, "message": message("user", "ask")},
        "b": {"parent": "a", "message": message("assistant", "late", create_time=3)},
        "c": {"parent": "a", "message": message("assistant", "early", create_time=2)},
    }
    file = dumped([{"id": "c", "mapping": mapping, "current_node": current}])

    assert failures(chatgpt, file) == told_as
    assert texts(told(chatgpt, file)) == ["ask", "late"]
    assert [item.count for item in passed(chatgpt, file)] == [1]


@requirement("importers:chatgpt:links")
@pytest.mark.parametrize("current", [None, "b"])
@pytest.mark.parametrize("given", [("parent",), ("children",), ("parent", "children")])
def test_a_tree_that_gives_its_links_in_one_direction_is_read(
    given: tuple[str, ...], current: str | None
) -> None:
    """Newer exports leave some of them out; nothing above is lost without a word."""
    mapping: dict[str, Json] = {
        "root": {"parent": None, "children": ["a"], "message": None},
        "a": {"parent": "root", "children": ["b", "gone", 7], "message": message(text="a")},
        "b": {"parent": "a", "children": [], "message": message("assistant", "b")},
    }
    kept = {id: {k: node[k] for k in (*given, "message")} for id, node in mapping.items()}

    found = told(chatgpt, dumped([{"id": "c", "mapping": kept, "current_node": current}]))

    assert texts(found) == ["a", "b"]


@pytest.mark.parametrize(
    ("parents", "place", "taken"),
    [
        ({"a": "b", "b": "a"}, "$[0].mapping.b.parent", ["b", "a"]),
        ({"a": "a"}, "$[0].mapping.a.parent", ["a"]),
        ({"a": "b", "b": "gone"}, "$[0].mapping.b.parent", ["b", "a"]),
    ],
    ids=["cycle", "own parent", "missing parent"],
)
def test_a_broken_thread_is_taken_parents_first(
    parents: dict[str, str], place: str, taken: list[str]
) -> None:
    """What is wrong is told once; all of it is taken, and nothing hangs."""
    mapping = {id: {"parent": up, "message": message("user", id)} for id, up in parents.items()}
    file = dumped([{"id": "c", "mapping": mapping, "current_node": "a"}])

    assert failures(chatgpt, file) == [(place, "broken_thread")]
    assert texts(told(chatgpt, file)) == taken


@requirement("importers:chatgpt:tools")
def test_calls_and_results_keep_their_type_and_name_each_other() -> None:
    """What an assistant says to a tool is a call, and what a tool says is a result of it."""
    code = {"content_type": "code", "language": "python", "text": "2 + 2"}
    output = {"content_type": "execution_output", "text": "4"}
    file = dumped(
        [
            chain(
                message("user", "What is 2 + 2?"),
                message("assistant", content=code, recipient="python"),
                message("tool", content=output, author={"role": "tool", "name": "python"}),
                message("assistant", "Four."),
            )
        ]
    )

    found = turns(chatgpt, file)

    assert [(turn.role, turn.type, turn.text) for turn in found] == [
        ("user", "message", "What is 2 + 2?"),
        ("assistant", "tool_call", "2 + 2"),
        ("tool", "tool_result", "4"),
        ("assistant", "message", "Four."),
    ]
    assert [turn.reply_to for turn in found] == [None, "n0", "n1", "n0"]
    assert [turn.actor for turn in found] == [None, None, "python", None]
    assert found[1].metadata == '{"recipient":"python"}'


@requirement("importers:chatgpt:pictures")
@pytest.mark.parametrize(
    ("parts", "text", "caption"),
    [
        (["Look."], "Look.", None),
        (["Look.", "", "There."], "Look.\nThere.", None),
        ([{"content_type": "image_asset_pointer"}, "Look."], "Look.", "image"),
        ([{"content_type": "image_asset_pointer"}], "[image]", "image"),
        ([{"content_type": "file", "name": "a.pdf"}], "[file: a.pdf]", "file: a.pdf"),
        ([{"content_type": "audio_transcription", "text": "Hm."}], "Hm.", None),
        ([{"content_type": "audio_asset_pointer"}, None, "Hm."], "Hm.", "audio"),
        (
            [{"content_type": "image_asset_pointer", "metadata": {"dalle": {"prompt": "A fox."}}}],
            "A fox.",
            "image",
        ),
    ],
)
def test_a_part_without_words_leaves_a_mark(
    parts: list[Any], text: str, caption: str | None
) -> None:
    """A picture is not text, but that it was there is part of what happened."""
    turn = only({"content_type": "multimodal_text", "parts": parts})

    assert (turn.text, turn.caption) == (text, caption)


@requirement("importers:chatgpt:pictures")
def test_an_attached_file_is_named() -> None:
    """Files hang on the metadata of a message, not on its parts."""
    turn = only(
        {"content_type": "text", "parts": ["Read this."]},
        metadata={"attachments": [{"name": "plan.pdf", "size": 9}, {}]},
    )

    assert (turn.text, turn.caption) == ("Read this.", "file: plan.pdf, file")


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ({"content_type": "tether_browsing_display", "result": "L0: Home"}, "L0: Home"),
        ({"content_type": "tether_quote", "title": "T", "url": "u", "text": "q"}, "T\nu\nq"),
        ({"content_type": "reasoning_recap", "content": "Thought for 5s"}, "Thought for 5s"),
        ({"content_type": "thoughts", "thoughts": [{"summary": "S", "content": "C"}]}, "S\nC"),
        ({"content_type": "system_error", "name": "E", "text": "failed"}, "E\nfailed"),
        ({"content_type": "not known yet", "text": "t"}, "t"),
        ({"content_type": "not known yet", "parts": ["p"]}, "p"),
        ({"content_type": "not known yet", "result": "r", "content": {"a": 1}}, "r"),
        ({"parts": ["no type"]}, "no type"),
    ],
)
def test_each_kind_of_content_gives_its_words(content: Json, text: str) -> None:
    """Kinds known and kinds to come: words are taken where they stand."""
    assert only(content).text == text


def test_what_a_user_told_of_himself_is_said_by_the_system() -> None:
    """Custom instructions are handed to the model with each talk; nobody typed them there."""
    content = {
        "content_type": "user_editable_context",
        "user_profile": "I keep bees.",
        "user_instructions": "Be short.",
    }

    turn = only(content, metadata={"is_visually_hidden_from_conversation": True})

    assert (turn.role, turn.text) == ("system", "I keep bees.\nBe short.")
    assert turn.metadata == '{"hidden":true}'


@pytest.mark.parametrize("kind", ["text", "code", "thoughts"])
def test_words_of_a_known_kind_count_where_another_kind_has_them(kind: str) -> None:
    """What a message says is not lost because it stands in the field of another."""
    assert only({"content_type": kind, "parts": [""], "result": "Here."}).text == "Here."


@pytest.mark.parametrize(
    "empty",
    [
        None,
        message("system", "", metadata={"is_visually_hidden_from_conversation": True}),
        message("system", "   "),
        message("assistant", content={"content_type": "text", "parts": []}),
        message("assistant", content={"content_type": "text"}),
        message("assistant", content={"content_type": "code", "text": ""}),
        message("assistant", content=None),
        message("tool", content={"content_type": "tether_browsing_display", "result": ""}),
        {},
    ],
)
def test_a_node_that_holds_nothing_is_passed_over_and_breaks_no_link(empty: Json | None) -> None:
    """It is no failure, and the turns around it follow each other."""
    found = turns(chatgpt, dumped([chain(message(text="a"), empty, message("assistant", "b"))]))

    assert [(turn.text, turn.parent) for turn in found] == [("a", None), ("b", "n0")]


@pytest.mark.parametrize(
    ("broken", "where", "code"),
    [
        (5, "", "bad_shape"),
        (message(author=[]), ".author", "bad_shape"),
        (message(author={"role": 7}), ".author.role", "bad_shape"),
        (message(author={"role": "critic"}), ".author.role", "unknown_role"),
        (message(author=None), ".author.role", "unknown_role"),
        (message(create_time="2023-06-15T01:26:22"), ".create_time", "bad_time"),
        (message(author={"role": "user", "name": {}}), ".author.name", "bad_shape"),
        (message(content="text"), ".content", "bad_shape"),
        (message(content={"content_type": 1}), ".content.content_type", "bad_shape"),
        (message(content={"content_type": "text", "parts": "p"}), ".content.parts", "bad_shape"),
        (message(text=4.5), ".content.parts[0]", "bad_shape"),
        (message(text={"text": 4.5}), ".content.parts[0].text", "bad_shape"),
        (message(text="a\0b"), "", "bad_encoding"),
        (message(text="\ud83d"), "", "bad_encoding"),
        (message(content={"thoughts": [1]}), ".content.thoughts[0]", "bad_shape"),
        (message(content={"content_type": "code", "text": 1}), ".content.text", "bad_shape"),
        (message(content={"content_type": "canvas", "x": 1}), ".content", "no_text"),
        (message(create_time="today"), ".create_time", "bad_time"),
        (message(create_time=True), ".create_time", "bad_time"),
        (message(create_time=1e300), ".create_time", "bad_time"),
        (message(recipient=1), ".recipient", "bad_shape"),
        (message(id=1), ".id", "bad_shape"),
        (message(metadata=[]), ".metadata", "bad_shape"),
        (message(metadata={"model_slug": 4}), ".metadata.model_slug", "bad_shape"),
        (message(metadata={"attachments": {}}), ".metadata.attachments", "bad_shape"),
    ],
)
def test_a_message_that_cannot_be_taken_fails_where_it_is_wrong(
    broken: Any, where: str, code: str
) -> None:
    """The path leads to the field, and the messages around it are linked without it."""
    file = dumped([chain(message(text="a"), broken, message(text="b"))])

    assert failures(chatgpt, file) == [(f"$[0].mapping.n1.message{where}", code)]
    assert texts(told(chatgpt, file)) == ["a", "b"]


@pytest.mark.parametrize(
    ("broken", "failed"),
    [
        (7, [("$[1]", "bad_shape")]),
        ({"title": "no mapping"}, [("$[1]", "bad_shape")]),
        ({"mapping": None}, [("$[1].mapping", "bad_shape")]),
        ({"mapping": []}, [("$[1].mapping", "bad_shape")]),
        ({"mapping": {"a": 1}}, [("$[1].mapping.a", "bad_shape")]),
        ({"mapping": {"a": {"parent": 7}}}, [("$[1].mapping.a.parent", "bad_shape")]),
        ({"mapping": {}}, []),
    ],
)
def test_a_conversation_that_cannot_be_taken_fails_alone(
    broken: Any, failed: list[tuple[str, str]]
) -> None:
    """The conversations before and after it are read."""
    file = dumped([chain(message(text="a")), broken, chain(message(text="b"))])

    assert failures(chatgpt, file) == failed
    assert texts(told(chatgpt, file)) == ["a", "b"]


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"title": 5}, "title"),
        ({"title": "\ud83d"}, "title"),
        ({"id": 5}, "id"),
        ({"current_node": 5}, "current_node"),
    ],
)
def test_a_conversation_goes_without_a_field_it_cannot_use(fields: Json, where: str) -> None:
    """A title of the wrong type costs the title, not the talk."""
    file = dumped([chain(message(text="a"), message(text="b"), **fields)])

    assert [place for place, _ in failures(chatgpt, file)] == [f"$[0].{where}"]
    assert texts(told(chatgpt, file)) == ["a", "b"]


def test_what_a_developer_says_is_the_systems() -> None:
    """As in every other format."""
    (turn,) = turns(chatgpt, dumped([chain(message("developer", "Be brief."))]))

    assert (turn.role, turn.text) == ("system", "Be brief.")


@requirement("importers:chatgpt:no-time")
@pytest.mark.parametrize(
    ("created", "at_ms"),
    [
        (None, None), (1686792382.104189, 1686792382104), (1686792382, 1686792382000), (0, 0),
        (1686792382104, 1686792382104), ("1686792382.104", 1686792382104),
        ("2023-06-15T01:26:22.104Z", 1686792382104),
    ],
)  # fmt: skip
def test_a_time_may_be_missing_and_the_order_holds(created: object, at_ms: int) -> None:
    """The chain of parents orders the turns, so their ordering is no guess.

    A time in another form, as other programs write it, is a time and no broken message.
    """
    (turn,) = turns(chatgpt, dumped([chain(message(create_time=created))]))

    assert (turn.at_ms, turn.ordering) == (at_ms, "high")


def test_a_conversation_without_an_id_has_the_same_one_in_the_next_export() -> None:
    """A talk that went on is the same thread, and another talk is another."""
    begun = chain(message(text="a"), message(text="b"), title="T", conversation_id=None)
    grown = chain(
        message(text="a"), message(text="b"), message(text="c"), title="T", conversation_id=None
    )

    threads = [
        {turn.thread for turn in turns(chatgpt, dumped([talk]))}
        for talk in (begun, grown, begun | {"create_time": 5.5})
    ]

    assert threads[0] == threads[1] != threads[2]


def test_messages_with_one_id_are_told_apart_by_their_nodes() -> None:
    """Two nodes are two messages, whatever their messages are called."""
    file = dumped([chain(message(id="m", text="a"), message(id="m", text="b"))])

    assert [(turn.external_id, turn.parent) for turn in turns(chatgpt, file)] == [
        ("m", None),
        ("n1", "m"),
    ]


@pytest.mark.parametrize(
    "wrap",
    [
        lambda talk: [talk],
        lambda talk: talk,
        lambda talk: {"conversations": [talk]},
        lambda talk: {"version": 2, "conversations": [talk], "more": {"mapping": {}}},
    ],
    ids=["array", "alone", "conversations", "with other members"],
)
def test_older_shapes_are_read_too(wrap: Any) -> None:
    """An array, an object with the conversations, or one conversation alone."""
    assert texts(told(chatgpt, dumped(wrap(TREE)))) == ["When does it close?", "At ten, on Friday."]


def test_a_repeated_key_fails_its_conversation() -> None:
    """One of two nodes with one name would vanish without a word."""
    twice = b'{"mapping": {"a": {"message": null}, "a": {"message": null}}}'
    file = b"[" + twice + b"," + dumped(TREE) + b"]"

    assert failures(chatgpt, file) == [("$[0]", "bad_json")]
    assert len(texts(told(chatgpt, file))) == 2


@pytest.mark.parametrize("file", [b"", b"  ", b"{", b"[", b"nonsense", b"[1,", b"{}", b"7"])
def test_a_file_without_conversations_fails(file: bytes) -> None:
    """Silence would look like an empty export."""
    assert [code for _, code in failures(chatgpt, file)][-1:] in (["bad_json"], ["bad_shape"])


@given(cut=st.integers(0, 2_000))
def test_a_file_that_is_cut_keeps_the_conversations_before_the_break(cut: int) -> None:
    """What was whole is taken, and the last word says where the file broke off."""
    talks = [TREE | {"conversation_id": f"talk-{index}"} for index in range(3)]
    whole = json.dumps(talks).encode()
    cut = cut * len(whole) // 2_001

    found = told(chatgpt, whole[:cut])
    last = found[-1]

    assert found[:-1] == told(chatgpt, whole)[: len(found) - 1]
    assert isinstance(last, Failed)
    assert last.code == "bad_json"
    assert len(found) - 1 == 2 * whole[:cut].count(b'"root": {"parent": null, "message": null}}}')
