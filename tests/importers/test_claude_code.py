"""Claude Code transcripts: what each line says, who said it, and what holds no experience."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.importers import claude_code
from muniment.model.turn import Failed, Turn
from tests.importers.files import dumped, failures, lined, texts, told, turns
from tests.requirements.marker import requirement

Json = dict[str, Any]


def line(uuid: str, content: Any, parent: str | None = None, **fields: Any) -> Json:
    """A line of type user, or as `fields` say."""
    said = {"type": "user", "uuid": uuid, "parentUuid": parent, "sessionId": "s"} | fields
    message = {"role": said["type"], "content": content} | fields.get("message", {})
    return said | {"message": message}


def answer(uuid: str, content: Any, parent: str | None = None, **fields: Any) -> Json:
    """A line of type assistant."""
    return line(uuid, content, parent, type="assistant", **fields)


def call(id: str = "t1", name: str = "Bash", **given: Any) -> Json:
    """A block that calls a tool."""
    return {"type": "tool_use", "id": id, "name": name, "input": given}


def result(content: Any, id: str = "t1", **fields: Any) -> Json:
    """A block that holds what a tool said."""
    return {"type": "tool_result", "tool_use_id": id, "content": content} | fields


def text(said: str) -> Json:
    """A block of text."""
    return {"type": "text", "text": said}


@requirement("importers:claude-code:blocks")
def test_each_block_of_a_line_is_a_turn_and_hangs_on_the_one_before() -> None:
    """A call keeps its tool and its id, its result names it, and the answer names the prompt."""
    file = lined(
        line("u1", "What is here?", timestamp="2026-02-10T21:11:56.846Z", cwd="/home/ann"),
        answer("a1", [text("I look."), call(command="ls", all=True), text("Wait.")], "u1"),
        line("r1", [result([text("plan.md"), {"type": "image"}], is_error=True)], "a1"),
        answer("a2", [text("A plan.")], "r1", message={"model": "opus"}),
    )

    found = turns(claude_code, file)

    assert [(turn.role, turn.type, turn.text) for turn in found] == [
        ("user", "message", "What is here?"),
        ("assistant", "message", "I look."),
        ("assistant", "tool_call", '{"all":true,"command":"ls"}'),
        ("assistant", "message", "Wait."),
        ("tool", "tool_result", "plan.md"),
        ("assistant", "message", "A plan."),
    ]
    assert [turn.external_id for turn in found] == ["u1", "a1", "t1", "a1#2", "r1", "a2"]
    assert [turn.parent for turn in found] == [None, "u1", "a1", "t1", "a1#2", "r1"]
    assert [turn.reply_to for turn in found] == [None, "u1", "u1", "u1", "t1", "u1"]
    assert [turn.actor for turn in found] == [None, None, "Bash", None, "Bash", None]
    assert [turn.lines for turn in found] == [(1, 1), *[(2, 2)] * 3, (3, 3), (4, 4)]
    assert [turn.at_ms for turn in found[:2]] == [1_770_757_916_846, None]
    assert found[4].caption == "image"
    assert [turn.metadata for turn in (found[0], found[4], found[5])] == [
        '{"cwd":"/home/ann"}',
        '{"error":true}',
        '{"model":"opus"}',
    ]
    assert {(turn.thread, turn.session, turn.namespace) for turn in found} == {
        ("s", "s", "claude_code:s")
    }


@pytest.mark.parametrize(
    ("content", "said", "caption"),
    [
        ("4", "4", None),
        ([text("4"), "5"], "4\n5", None),
        ("", "[no output]", "no output"),
        (None, "[no output]", "no output"),
        ([], "[no output]", "no output"),
        ([{"type": "image", "source": {"data": "aaaa"}}], "[image]", "image"),
        ([{"type": "web_search_result", "title": "Map", "url": "//m"}], "Map //m", None),
        ({"type": "error", "code": 4}, '{"code":4,"type":"error"}', None),
    ],
)
def test_a_result_says_what_the_tool_said(content: Any, said: str, caption: str | None) -> None:
    """Also that it said nothing is worth knowing, and a picture leaves its mark."""
    (turn,) = turns(claude_code, lined(line("r", [result(content)])))

    assert (turn.text, turn.caption, turn.reply_to) == (said, caption, "t1")


def test_a_picture_is_a_caption_of_the_words_beside_it() -> None:
    """Its bytes are no words; that it was there is kept."""
    picture = {"type": "image", "source": {"type": "base64", "data": "aaaa"}}
    file = lined(line("u1", [picture, text("What is this?")]), line("u2", [picture, picture]))

    found = turns(claude_code, file)

    assert [(turn.text, turn.caption) for turn in found] == [
        ("What is this?", "image"),
        ("[image]\n[image]", "image, image"),
    ]


LEASE = {"type": "text", "media_type": "text/plain", "data": "The lease ends in March."}


def document(source: Any = None, **fields: Any) -> Json:
    """A block that holds a document."""
    return {"type": "document", "title": "lease.txt", "source": source} | fields


@requirement("importers:every:documents")
def test_the_words_of_a_document_are_told_by_the_narrator() -> None:
    """They are not the user's own, whatever they look like; what was asked names the document."""
    tagged = LEASE | {"data": "<system-reminder>No.</system-reminder>"}
    file = lined(
        line("u1", [document(LEASE), text("When does it end?")]),
        line("u2", [document(tagged, title=None)]),
    )

    found = turns(claude_code, file)

    assert [(turn.role, turn.type, turn.text, turn.caption) for turn in found] == [
        ("narrator", "import", "The lease ends in March.", "document: lease.txt"),
        ("user", "message", "When does it end?", "document: lease.txt"),
        ("narrator", "import", "<system-reminder>No.</system-reminder>", "document"),
    ]
    assert [turn.external_id for turn in found] == ["u1", "u1#1", "u2"]


@requirement("importers:every:documents")
@pytest.mark.parametrize(
    ("block", "words", "caption"),
    [
        (document({"type": "content", "content": "March."}), "March.", "document: lease.txt"),
        (
            document({"type": "content", "content": [text("In"), text("March.")]}),
            "In\nMarch.",
            "document: lease.txt",
        ),
        (document({"type": "url", "url": "u"}, context="Of 2024."), "Of 2024.", None),
        (document({"type": "base64", "data": "aaaa"}), None, "document: lease.txt"),
        (document({"type": "url", "url": "//l"}), None, "document: lease.txt"),
        (document({"type": "file", "file_id": "f"}), None, "document: lease.txt"),
        (document(LEASE | {"data": " "}), None, "document: lease.txt"),
        (document(title=" "), None, "document"),
        (document(name="l.pdf"), None, "file: l.pdf, document: lease.txt"),
        (document(name="l.pdf", title=None), None, "file: l.pdf"),
        (
            document({"type": "content", "content": [text("In"), {"type": "image"}]}),
            "In",
            "document: lease.txt, image",
        ),
        (
            document({"type": "content", "content": [{"type": "image"}]}),
            None,
            "document: lease.txt, image",
        ),
    ],
)
def test_a_document_gives_its_words_or_leaves_its_title(
    block: Json, words: str | None, caption: str | None
) -> None:
    """Alone it is a message of its own, beside words their caption, in a result the tool's."""
    named = caption or "document: lease.txt"

    (alone,) = turns(claude_code, lined(line("u1", [block])))
    beside = turns(claude_code, lined(line("u1", [text("See."), block])))
    (given,) = turns(claude_code, lined(line("r", [result([block])])))

    assert (alone.text, alone.caption) == (words or f"[{named}]", named)
    assert [turn.text for turn in beside] == ["See.", *([words] if words else [])]
    assert {turn.caption for turn in beside} == {named}
    assert (given.text, given.caption) == (words or f"[{named}]", named)
    assert (given.role, given.type) == ("tool", "tool_result")


@requirement("importers:every:documents")
@pytest.mark.parametrize(
    "block",
    [
        document("The lease ends in March."),
        document({"type": "text", "data": 7}),
        document({"type": "content", "content": 7}),
        document(LEASE, title=7),
    ],
)
def test_a_document_of_another_shape_fails_alone(block: Json) -> None:
    """Its words would be lost without a word."""
    file = lined(line("u1", [block, text("See.")]))

    assert failures(claude_code, file) == [("line:1", "bad_shape")]
    assert texts(told(claude_code, file)) == ["See."]


@requirement("importers:claude-code:sessions")
def test_what_a_subagent_does_is_a_thread_of_its_own() -> None:
    """Replaying a session does not mix in what its subagents were told, which no user said."""
    file = lined(
        line("u1", "Find the plan."),
        answer("a1", [call("t0", "Task", prompt="Look.")], "u1"),
        line("p1", "Look.", isSidechain=True),
        answer("p2", [call("t1", "Glob")], "p1", isSidechain=True),
        line("p3", [result("plan.md", "t1")], "p2", isSidechain=True),
        line("q1", "Look here.", "a1", isSidechain=True, agentId="abc"),
        line("r1", [result("plan.md", "t0")], "a1"),
    )

    found = turns(claude_code, file)

    assert [turn.thread for turn in found] == ["s", "s", "s#p1", "s#p1", "s#p1", "s#abc", "s"]
    assert {turn.session for turn in found} == {"s"}
    assert [turn.role for turn in found[2:6]] == ["assistant", "assistant", "tool", "assistant"]
    assert found[2].caption == "prompt of a subagent"
    assert [turn.parent for turn in found[2:]] == [None, "p1", "t1", "t0", "t0"]
    assert [turn.reply_to for turn in found[2:]] == [None, "p1", "t1", None, "t0"]


def test_a_subagent_in_lines_of_progress_is_read_as_in_its_own_file() -> None:
    """Both files of one session may be imported, and nothing is there twice."""
    own = lined(
        line("p1", "Look.", isSidechain=True, agentId="abc"),
        answer("p2", [call("t1", "Glob")], "p1", isSidechain=True, agentId="abc"),
    )
    progress = lined(
        *(
            {
                "type": "progress",
                "uuid": f"x{index}",
                "parentUuid": f"x{index - 1}" if index else None,
                "sessionId": "s",
                "data": {
                    "type": "agent_progress",
                    "agentId": "abc",
                    "message": {name: inner[name] for name in ("type", "uuid", "message")},
                },
            }
            for index, inner in enumerate(json.loads(piece) for piece in own.splitlines())
        ),
        line("u2", "Thanks.", "x1"),
    )

    found = turns(claude_code, progress)

    assert [turn.thread for turn in found] == ["s#abc", "s#abc", "s"]
    for inner, outer in zip(turns(claude_code, own), found, strict=False):
        fields = ("external_id", "namespace", "parent", "reply_to", "role", "text", "caption")
        assert [getattr(inner, name) for name in fields] == [
            getattr(outer, name) for name in fields
        ]
    assert found[2].parent is None


@requirement("importers:claude-code:typed")
@pytest.mark.parametrize(
    ("content", "fields", "said"),
    [
        ("Hello.", {}, [("user", "Hello.")]),
        ("a < b", {}, [("user", "a < b")]),
        ("<div>\n", {}, [("user", "<div>\n")]),
        ("<system-reminder>Hi", {}, [("user", "<system-reminder>Hi")]),
        (
            "<command-name>/plan</command-name>\n<command-args>the roof</command-args>",
            {},
            [("user", "/plan the roof")],
        ),
        (
            "<local-command-stdout>Kept.</local-command-stdout>",
            {},
            [("tool", "Kept.")],
        ),
        ("<local-command-stdout></local-command-stdout>", {}, []),
        ("<bash-input>ls</bash-input>", {}, [("user", "! ls")]),
        (
            "<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>",
            {},
            [("tool", "a")],
        ),
        ("Expanded by a command.", {"isMeta": True}, [("system", "Expanded by a command.")]),
        (
            "Go on.\n<system-reminder>\nBe brief.\n</system-reminder>\n",
            {},
            [("user", "Go on."), ("system", "Be brief.")],
        ),
        (
            [text("<ide_opened_file>a.py</ide_opened_file>"), text("Explain.")],
            {},
            [("system", "a.py"), ("user", "Explain.")],
        ),
        (
            '<teammate-message id="x">Done.</teammate-message>',
            {},
            [("system", "Done.")],
        ),
        (
            "[Request interrupted by user for tool use]",
            {},
            [("system", "[Request interrupted by user for tool use]")],
        ),
        ("<local-command-caveat>Do not respond.</local-command-caveat>", {"isMeta": True}, []),
        (
            "Caveat: The messages below were generated by the user while running local commands.",
            {},
            [],
        ),
        ("We built a roof.", {"isCompactSummary": True}, [("narrator", "We built a roof.")]),
    ],
)
def test_only_what_the_user_typed_is_told_by_the_user(
    content: Any, fields: Json, said: list[tuple[str, str]]
) -> None:
    """Evidence of what a user said may not hold what a program wrote in their name."""
    found = turns(claude_code, lined(line("u", content, **fields)))

    assert [(turn.role, turn.text) for turn in found] == said


def test_a_prompt_that_was_queued_is_told_when_it_is_taken_up() -> None:
    """Typed while the agent worked, it stands in no line of type user."""
    queued = {"type": "queued_command", "prompt": "And the door?", "commandMode": "prompt"}
    notice = queued | {"prompt": "Task done.", "commandMode": "task-notification"}
    file = lined(
        line("u1", "Check the roof."),
        {"type": "attachment", "uuid": "x", "parentUuid": "u1", "attachment": queued},
        answer("a1", "It is shut.", "x"),
        {"type": "attachment", "uuid": "y", "parentUuid": "a1", "attachment": notice},
    )

    found = turns(claude_code, file)

    assert [(turn.role, turn.text) for turn in found[1:]] == [
        ("user", "And the door?"),
        ("assistant", "It is shut."),
        ("system", "Task done."),
    ]
    assert [turn.parent for turn in found] == [None, "u1", "x", "a1"]
    assert found[2].reply_to == "x"


@requirement("importers:claude-code:asides")
def test_thinking_and_notes_are_kept_apart_from_what_was_said() -> None:
    """A collection is seen only by a recall that names it, so nothing is lost and nothing mixed."""
    file = lined(
        line("u1", "Hello."),
        line("m1", "A hook says so.", "u1", isMeta=True),
        answer("a1", [{"type": "thinking", "thinking": "A greeting."}, text("Hello!")], "m1"),
        answer("e1", "API Error: 500", "a1", message={"model": "<synthetic>"}),
        {"type": "system", "uuid": "n1", "parentUuid": "e1", "content": "Away for an hour."},
    )

    found = turns(claude_code, file)

    assert [(turn.role, turn.text, turn.collection, turn.tags) for turn in found] == [
        ("user", "Hello.", None, ()),
        ("system", "A hook says so.", "meta", ("meta",)),
        ("assistant", "A greeting.", "thinking", ("thinking",)),
        ("assistant", "Hello!", None, ()),
        ("system", "API Error: 500", "meta", ("meta",)),
        ("system", "Away for an hour.", "meta", ("meta",)),
    ]
    assert found[3].reply_to == "u1"


@requirement("importers:claude-code:passed-over")
@pytest.mark.parametrize(
    "passed",
    [
        {"type": "file-history-snapshot", "messageId": "u1", "snapshot": {}},
        {"type": "queue-operation", "operation": "enqueue", "content": "/mcp"},
        {"type": "progress", "data": {"type": "hook_progress", "command": "check"}},
        {"type": "attachment", "attachment": {"type": "file", "content": "x"}},
        {"type": "system", "subtype": "stop_hook_summary", "hookCount": 3},
        {"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted"},
        {"type": "last-prompt", "leafUuid": "u1"},
        {"type": "something-new", "value": [1]},
        answer("", "\n\n"),
        answer("", [{"type": "thinking", "thinking": "", "signature": "EsMC"}]),
        answer("", [{"type": "redacted_thinking", "data": "EsMC"}]),
    ],
    ids=lambda passed: passed["type"],
)
def test_a_line_without_experience_is_passed_over_and_links_go_through_it(passed: Json) -> None:
    """Its bookkeeping is no event, and what hangs on it hangs on what was before."""
    between = passed | {"uuid": "x", "parentUuid": "u1", "sessionId": "s"}
    file = lined(line("u1", "Hello."), between, answer("a1", "Hello!", "x"))

    found = turns(claude_code, file)

    assert [turn.text for turn in found] == ["Hello.", "Hello!"]
    assert (found[1].parent, found[1].reply_to) == ("u1", "u1")


def test_summaries_and_titles_are_told_once_by_a_narrator() -> None:
    """They belong to the session of the file, also where they stand before it is named."""
    title = {"type": "ai-title", "aiTitle": "The roof", "sessionId": "s"}
    file = lined(
        {"type": "summary", "summary": "A roof was built.", "leafUuid": "u1"},
        line("u1", "Build a roof."),
        title,
        title,
        {"type": "custom-title", "customTitle": "Roof", "sessionId": "s"},
    )

    found = turns(claude_code, file)

    assert [turn.text for turn in found if turn.role == "narrator"] == [
        *("A roof was built.", "The roof", "The roof", "Roof")
    ]
    assert {turn.type for turn in found if turn.role == "narrator"} == {"import"}
    assert found[2].external_id == found[3].external_id != found[4].external_id
    assert {turn.thread for turn in found} == {"s"}
    assert found[1].parent is None


def test_lines_without_parents_follow_one_another() -> None:
    """Older and shortened transcripts name no parents; the order of the file is one."""
    bare = [
        {"type": kind, "uuid": uuid, "sessionId": "s", "message": {"content": uuid}}
        for uuid, kind in (("u1", "user"), ("a1", "assistant"), ("u2", "user"))
    ]

    found = turns(claude_code, lined(*bare))

    assert [turn.parent for turn in found] == [None, "u1", "a1"]
    assert [turn.reply_to for turn in found] == [None, "u1", None]


def test_an_object_with_loglines_is_a_session_named_by_its_label() -> None:
    """Its lines have neither ids nor a session; calls and results still find each other."""
    lines: list[Json] = [
        {"type": "user", "message": {"content": "List."}},
        {"type": "assistant", "message": {"content": [text("I do."), call()]}},
        {"type": "user", "message": {"content": [result("a.py")]}},
    ]

    found = turns(claude_code, dumped({"loglines": lines}))

    assert [turn.at for turn in found] == [f"$.loglines[{index}]" for index in (0, 1, 1, 2)]
    assert [turn.external_id for turn in found] == [None, None, "t1", None]
    assert found[3].reply_to == "t1"
    assert {(turn.thread, turn.session, turn.namespace) for turn in found} == {
        ("talks", "talks", None)
    }
    assert texts(told(claude_code, dumped(lines))) == [turn.text for turn in found]


@pytest.mark.parametrize(
    ("broken", "code"),
    [
        (b"{", "bad_json"),
        (b'"massive error"', "bad_shape"),
        (b"42", "bad_shape"),
        (dumped({"silly": "this"}), "bad_shape"),
        (dumped({"type": 1}), "bad_shape"),
        (dumped({"type": "user", "uuid": 1, "message": {"content": "a"}}), "bad_shape"),
        (dumped({"type": "user", "message": "error"}), "bad_shape"),
        (dumped({"type": "user", "message": {"contenst": "a"}}), "bad_shape"),
        (dumped(line("x", [7])), "bad_shape"),
        (dumped(line("x", [{"type": "tool_use", "name": 1}])), "bad_shape"),
        (dumped(line("x", "a", timestamp="noon")), "bad_time"),
        (dumped(line("x", "a\0")), "bad_encoding"),
        (dumped(line("x", "\ud83d")), "bad_encoding"),
        (b'{"type": "user\xff"}', "bad_encoding"),
    ],
)
def test_a_broken_line_fails_alone_and_links_go_through_it(broken: bytes, code: str) -> None:
    """What can be read around it is read, and says where it could not."""
    file = lined(line("u1", "one")) + broken + b"\r\n\n" + lined(answer("a1", "two", "u1"))

    assert failures(claude_code, file) == [("line:2", code)]
    assert texts(told(claude_code, file)) == ["one", "two"]


def test_a_block_that_cannot_be_read_leaves_its_neighbours() -> None:
    """A tool that printed NUL does not cost what was said beside it."""
    file = lined(answer("a1", [text("one"), 7, text("t\0"), text("two")]))

    assert failures(claude_code, file) == [("line:1", "bad_shape"), ("line:1", "bad_encoding")]
    assert texts(told(claude_code, file)) == ["one", "two"]


def test_what_is_remembered_of_a_long_session_is_bounded() -> None:
    """Links reach back so many lines; further up a parent is called by its uuid alone."""
    count = claude_code.LINKS_MAX
    file = lined(
        line("u0", "first"),
        answer("a0", [call("t0")], "u0"),
        *(line(f"u{index}", "more", "u0") for index in range(1, count + 1)),
        line("end", "last", "a0"),
    )

    found = turns(claude_code, file)

    assert found[1].external_id == "t0"
    assert found[-1].parent == "a0"


TEXTS = st.text("</>abc []\n", max_size=20) | st.sampled_from(
    ["<system-reminder>", "</system-reminder>", "<command-name>", "</command-name>", "\0", "\ud83d"]
)
BLOCKS = st.recursive(
    st.none() | st.integers() | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["type", "text", "thinking", "id", "name", "input", "content", "title", "source"]
            ),
            inner
            | st.sampled_from(["text", "thinking", "tool_use", "tool_result", "image", "document"]),
            max_size=4,
        )
    ),
    max_leaves=12,
)
LINES = st.fixed_dictionaries(
    {"type": st.sampled_from(["user", "assistant", "system", "progress", "attachment", "summary"])},
    optional={
        "uuid": st.sampled_from("abc") | BLOCKS,
        "parentUuid": st.sampled_from("abc") | BLOCKS,
        "sessionId": st.sampled_from("st") | BLOCKS,
        "isSidechain": st.booleans(),
        "isMeta": st.booleans(),
        "agentId": BLOCKS,
        "timestamp": BLOCKS,
        "content": BLOCKS,
        "summary": BLOCKS,
        "attachment": st.fixed_dictionaries({"type": st.just("queued_command"), "prompt": BLOCKS}),
        "data": st.fixed_dictionaries({"type": st.just("agent_progress"), "message": BLOCKS}),
        "message": st.fixed_dictionaries({"content": BLOCKS}) | BLOCKS,
    },
)


@given(lines=st.lists(LINES, max_size=6))
def test_any_lines_come_out_as_turns_and_failures(lines: list[Json]) -> None:
    """No mixture of what Claude Code writes makes the importer raise or tell a blank turn."""
    found = told(claude_code, lined(*lines))

    assert all(turn.text.strip() for turn in found if isinstance(turn, Turn))
    assert all(item.code and item.at for item in found if isinstance(item, Failed))
