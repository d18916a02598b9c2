"""Messages as JSON lines, as an array, and as an object with `messages`."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment import limits
from muniment.importers import chat_json, parts, table
from muniment.model.turn import Failed, Turn
from tests.importers.files import LABEL, dumped, failures, lined, texts, told, turns
from tests.requirements.marker import requirement

Json = dict[str, Any]
HELLO: Json = {"role": "user", "text": "Hello."}


def only(message: Json, tz: ZoneInfo | None = None) -> Turn:
    """The turn of a file with one line."""
    (turn,) = turns(chat_json, lined(message), tz)
    return turn


@requirement("importers:jsonl:lines")
def test_a_line_says_all_that_can_be_said_of_a_turn() -> None:
    """Each field that `observe` takes has a name in a line."""
    line = {
        "role": "tool",
        "text": "4",
        "type": "task_event",
        "actor": "python",
        "at": "2024-05-01T10:00:00+02:00",
        "thread": "t",
        "session": "s",
        "external_id": "m2",
        "parent": "m1",
        "reply_to": 1,
        "tags": ["sums", "small"],
        "collection": "c",
        "caption": "a number",
        "metadata": {"b": 2, "a": 1},
    }

    assert only(line) == Turn(
        at="line:1",
        role="tool",
        text="4",
        type="task_event",
        ordering="high",
        actor="python",
        at_ms=1714550400000,
        said_at="2024-05-01T10:00:00+02:00",
        thread="t",
        session="s",
        external_id="m2",
        parent="m1",
        reply_to="1",
        tags=("sums", "small"),
        collection="c",
        caption="a number",
        metadata='{"a":1,"b":2}',
        lines=(1, 1),
    )


@pytest.mark.parametrize(
    ("said", "field", "value"),
    [
        ({"content": "Hi."}, "text", "Hi."),
        ({"text": None, "content": "Hi."}, "text", "Hi."),
        ({"name": "Ann"}, "actor", "Ann"),
        ({"speaker": "Ann"}, "actor", "Ann"),
        ({"actor": "  "}, "actor", None),
        ({"id": 7}, "external_id", "7"),
        ({"id": 12345678901234567890123}, "external_id", "12345678901234567890123"),
        ({"id": ""}, "external_id", None),
        ({"thread": None}, "thread", None),
        ({"role": "human"}, "role", "user"),
        ({"role": "Assistant"}, "role", "assistant"),
        ({"role": "ai"}, "role", "assistant"),
        ({"role": "model"}, "role", "assistant"),
        ({"role": "bot"}, "role", "assistant"),
        ({"role": "function"}, "role", "tool"),
        ({"role": "developer"}, "role", "system"),
        ({"role": "tool"}, "type", "tool_result"),
        ({"role": "narrator"}, "type", "message"),
    ],
)
def test_a_field_has_more_than_one_name(said: Json, field: str, value: str | None) -> None:
    """Names of other programs mean the same here; what is null or blank is not there."""
    message = {"role": "user", "text": "Hello."} | said
    if "content" in said and said.get("text", "") is not None:
        del message["text"]

    assert getattr(only(message), field) == value


@requirement("importers:json:names")
@pytest.mark.parametrize(
    ("said", "text", "metadata"),
    [
        ({"message": "Hi."}, "Hi.", None),
        ({"body": "Hi."}, "Hi.", None),
        ({"body": [{"type": "text", "text": "Hi."}]}, "Hi.", None),
        ({"body": "Hi.", "message": "Ho."}, "Ho.", {"body": "Hi."}),
        ({"body": "Hi.", "content": None}, "Hi.", None),
        ({"body": "Hi.", "content": "Ho."}, "Ho.", {"body": "Hi."}),
        ({"text": "Hi.", "message": {"id": 1}}, "Hi.", {"message": {"id": 1}}),
        ({"type": "text", "text": "Hi."}, "Hi.", None),
        ({"type": "text", "content": [{"type": "text", "text": "Hi."}]}, "Hi.", None),
    ],
)
def test_other_programs_call_the_text_otherwise(
    said: Json, text: str, metadata: Json | None
) -> None:
    """What had a meaning keeps it: a `body` beside a text is metadata, as it was."""
    for found in (turns(chat_json, lined({"role": "user"} | said)),
                  turns(chat_json, dumped([{"role": "user"} | said]))):  # fmt: skip
        assert [(turn.type, turn.text) for turn in found] == [("message", text)]
        assert found[0].metadata == (metadata and parts.json_text(metadata))


@requirement("importers:json:names")
def test_what_stands_beside_a_call_is_no_text() -> None:
    """It is a call without words, whatever a `message` beside it holds."""
    calls = [{"function": {"name": "look", "arguments": "{}"}}]
    turn = only({"role": "assistant", "tool_calls": calls, "message": "Looking."})

    assert (turn.type, turn.text) == ("tool_call", "look({})")
    assert json.loads(turn.metadata or "")["message"] == "Looking."
    assert only({"role": "tool", "type": "text", "text": "4"}).type == "tool_result"


@requirement("importers:json:names")
@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"message": {"content": "Hi."}}, "blank_text"),
        ({"body": 7}, "blank_text"),
        ({"body": " "}, "blank_text"),
        ({"text": "Hi.", "type": "texts"}, "bad_shape"),
    ],
)
def test_what_is_unknown_stays_an_error_of_its_line(said: Json, code: str) -> None:
    """Nothing is guessed at, and the line behind it is taken in."""
    file = lined({"role": "user"} | said, HELLO)

    assert failures(chat_json, file) == [("line:1", code)]
    assert texts(told(chat_json, file)) == ["Hello."]


@requirement("importers:every:dotted-days")
@pytest.mark.parametrize(
    ("at", "iso"),
    [
        ("07.09.2026", "2026-09-07T00:00+02:00"),
        ("7.9.2026 14:30", "2026-09-07T14:30+02:00"),
        ("07.09.2026, 9:05:10", "2026-09-07T09:05:10+02:00"),
        ("7.9.2026 14:30Z", "2026-09-07T14:30Z"),
        ("7.9.2026 14:30 -05:00", "2026-09-07T14:30-05:00"),
    ],
)
def test_a_day_with_dots_is_day_month_year(at: str, iso: str) -> None:
    """In JSON and in tables; without an offset it needs a zone like any other time."""
    berlin = ZoneInfo("Europe/Berlin")
    json_file = lined(HELLO | {"at": at})
    table_file = f'role,text,at\nuser,Hello.,"{at}"\n'.encode()
    wanted = int(datetime.fromisoformat(iso).timestamp()) * 1000

    assert [turn.at_ms for turn in turns(chat_json, json_file, berlin)] == [wanted]
    assert [turn.at_ms for turn in turns(table, table_file, berlin)] == [wanted]
    if iso.endswith("+02:00"):
        assert failures(chat_json, json_file) == [("line:1", "bad_time")]
        assert failures(table, table_file) == [("line:2", "bad_time")]


@requirement("importers:every:dotted-days")
@pytest.mark.parametrize(
    "at", ["9.30.2026", "31.2.2026", "7.9.26", "7.9", "7/9/2026", "7.9.2026 25:00", "7.9.2026 noon"]
)
def test_a_day_that_is_none_is_not_guessed_at(at: str) -> None:
    """A month before the day, two figures of a year, other signs between."""
    file = lined(HELLO | {"at": at})

    assert failures(chat_json, file, ZoneInfo("Europe/Berlin")) == [("line:1", "bad_time")]


@requirement("importers:every:dotted-days")
@pytest.mark.parametrize("at", ["31.02.2026 10:00", "7.9.2026 25:00", "7.9.2026"])
def test_a_day_that_is_none_is_told_as_it_was_written(at: str) -> None:
    """Whoever looks for it in the file finds it."""
    (failure,) = told(chat_json, lined(HELLO | {"at": at}))

    assert isinstance(failure, Failed)
    assert repr(at) in failure.detail


@pytest.mark.parametrize(
    ("said", "metadata"),
    [
        ({"mood": "fine", "n": 1.5, "none": None}, {"mood": "fine", "n": 1.5, "none": None}),
        ({"content": "Other words."}, {"content": "Other words."}),
        ({"name": "Ann", "actor": "Ben"}, {"name": "Ann"}),
        ({"speaker": "Ann", "name": "Ben"}, {"speaker": "Ann"}),
        ({"id": 1, "external_id": "m"}, {"id": 1}),
        ({"time": 1, "at": 2e9}, {"time": 1}),
        ({"metadata": {"a": 1}, "b": 2}, {"a": 1, "b": 2}),
        ({"metadata": {"a": 1}, "a": 2}, {"metadata": {"a": 1}, "a": 2}),
        ({"metadata": "words"}, {"metadata": "words"}),
        ({"big": 2**70}, {"big": 2**70}),
    ],
)
def test_what_has_no_field_is_kept_as_metadata(said: Json, metadata: Json) -> None:
    """Nothing that a line says is lost, and nothing is said twice under one name."""
    turn = only(HELLO | said)

    assert json.loads(turn.metadata or "") == metadata
    assert turn.text == "Hello."


@pytest.mark.parametrize(
    ("at", "at_ms"),
    [
        ("2024-05-01T10:00:00+02:00", 1714550400000),
        ("2024-05-01 08:00Z", 1714550400000),
        (1714550400, 1714550400000),
        (1714550400.5, 1714550400500),
        (1714550400000, 1714550400000),
        ("1714550400", 1714550400000),
        ("1714550400.250", 1714550400250),
        ("1714550400000", 1714550400000),
        (99_999_999_999, 99_999_999_999_000),
        (100_000_000_000, 100_000_000_000),
        (-1, -1000),
        (0, 0),
        (None, None),
    ],
)
def test_a_time_is_iso_or_a_number_of_seconds_or_milliseconds(at: Any, at_ms: int | None) -> None:
    """From 1e11 on a number counts milliseconds; a turn without a time is less surely placed."""
    turn = only(HELLO | {"at": at})

    assert (turn.at_ms, turn.ordering) == (at_ms, "medium" if at_ms is None else "high")


@pytest.mark.parametrize("name", ["at", "timestamp", "created_at", "time"])
def test_a_time_has_four_names(name: str) -> None:
    """As other programs write it."""
    assert only(HELLO | {name: 1714550400}).at_ms == 1714550400000


def test_a_time_without_an_offset_needs_a_zone() -> None:
    """Guessing a zone moves facts by hours; a caller who knows it says so."""
    naive = HELLO | {"at": "2024-05-01T10:00:00"}

    assert failures(chat_json, lined(naive)) == [("line:1", "bad_time")]
    assert only(naive, ZoneInfo("Europe/Berlin")).at_ms == 1714550400000


@requirement("importers:every:failed-lines")
@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b'{"text":"a"}', "bad_shape"),
        (b'{"role":null,"text":"a"}', "bad_shape"),
        (b'{"role":1,"text":"a"}', "bad_shape"),
        (b'{"role":"critic","text":"a"}', "unknown_role"),
        (b'{"role":"user"}', "blank_text"),
        (b'{"role":"user","text":" \\n"}', "blank_text"),
        (b'{"role":"user","text":null}', "blank_text"),
        (b'{"role":"user","content":[]}', "blank_text"),
        (b'{"role":"user","text":5}', "bad_shape"),
        (b'{"role":"user","content":[5]}', "bad_shape"),
        (b'{"role":"user","text":"a","type":"song"}', "bad_shape"),
        (b'{"role":"user","text":"a","type":[]}', "bad_shape"),
        (b'{"role":"user","text":"a","actor":5}', "bad_shape"),
        (b'{"role":"user","text":"a","id":1.5}', "bad_shape"),
        (b'{"role":"user","text":"a","id":true}', "bad_shape"),
        (b'{"role":"user","text":"a","tags":"t"}', "bad_shape"),
        (b'{"role":"user","text":"a","tags":[1]}', "bad_shape"),
        (b'{"role":"user","text":"a","caption":{}}', "bad_shape"),
        (b'{"role":"user","text":"a","at":"soon"}', "bad_time"),
        (b'{"role":"user","text":"a","at":"20240501"}', "bad_time"),
        (b'{"role":"user","text":"a","at":[]}', "bad_time"),
        (b'{"role":"user","text":"a","at":true}', "bad_time"),
        (b'{"role":"user","text":"a","at":1e400}', "bad_json"),
        (b'{"role":"user","text":"a","date":"yesterday"}', "bad_time"),
        (b'{"role":"user","text":"a","x":1e400}', "bad_json"),
        (b'{"role":"user","text":"a","x":NaN}', "bad_json"),
        (b'{"role":"user","text":"a","text":"b"}', "bad_json"),
        (b'{"role":"user","text":"a","text" :"b"}', "bad_json"),
        (b'{"role":"user","text":"a","\\u0074ext":"b"}', "bad_json"),
        (b'{"role":"user","text":"a","x":{"y":1,"y":2}}', "bad_json"),
        (b'{"role":"user","text":"a"', "bad_json"),
        (b'{"role":"user","text":"a"} {}', "bad_json"),
        (b'{"role":"user","text":"a\x01"}', "bad_json"),
        (b'{"role":"user","text":"a\\u0000"}', "bad_encoding"),
        (b'{"role":"user","text":"\\ud83d"}', "bad_encoding"),
        (b'{"role":"user","text":"\xff"}', "bad_encoding"),
        (b'{"role":"user","text":"a","x":' + b"[" * 5_000 + b"]" * 5_000 + b"}", "bad_json"),
        (b"[]", "bad_shape"),
        (b'"text"', "bad_shape"),
        (b"role: user", "bad_json"),
        (b'{"messages":5}', "bad_shape"),
    ],
)
@pytest.mark.parametrize("place", ["first", "last"])
def test_a_line_that_cannot_be_taken_fails_alone(line: bytes, code: str, place: str) -> None:
    """The lines before and after it are taken in, each under its own number."""
    good = dumped(HELLO)
    file = [line, good, good] if place == "first" else [good, good, line]

    found = told(chat_json, b"\n".join(file))

    assert [item.at for item in found] == ["line:1", "line:2", "line:3"]
    assert texts(found) == ["Hello."] * 2
    assert [item.code for item in found if isinstance(item, Failed)] == [code]


@requirement("importers:jsonl:encoding")
def test_marks_line_ends_and_blank_lines_are_read_over() -> None:
    """Files from other systems begin with a mark and end their lines in two characters."""
    file = b"\xef\xbb\xbf" + dumped(HELLO) + b"\r\n\r\n  \n" + dumped(HELLO) + b"\r\n\n"

    found = turns(chat_json, file)

    assert [(turn.text, turn.at, turn.lines) for turn in found] == [
        ("Hello.", "line:1", (1, 1)),
        ("Hello.", "line:4", (4, 4)),
    ]


@requirement("importers:jsonl:encoding")
def test_a_line_that_is_not_utf_8_fails_alone() -> None:
    """One broken byte costs one line."""
    file = dumped(HELLO) + b'\n{"role":"user","text":"caf\xe9"}\n' + dumped(HELLO)

    assert failures(chat_json, file) == [("line:2", "bad_encoding")]
    assert texts(told(chat_json, file)) == ["Hello.", "Hello."]


@pytest.mark.parametrize(("over", "code"), [(0, None), (1, "too_long")])
def test_a_line_may_be_just_as_long_as_the_limit(over: int, code: str | None) -> None:
    """A longer one fails and is not held; the next line is read."""
    frame = dumped(HELLO | {"text": ""})
    long = frame.replace(
        b'""', b'"' + b"x" * (limits.IMPORT_ITEM_BYTES_MAX - len(frame) + over) + b'"'
    )
    file = long + b"\r\n" + dumped(HELLO)

    found = told(chat_json, file)

    assert [item.code for item in found if isinstance(item, Failed)] == ([code] if code else [])
    assert texts(found)[-1] == "Hello."
    assert len(found) == 2


@pytest.mark.parametrize(
    ("content", "text", "caption"),
    [
        (["a", {"type": "text", "text": "b"}], "a\nb", None),
        ([{"type": "text", "text": {"value": "a"}}], "a", None),
        ([{"type": "image_url", "image_url": {"url": "u"}}, {"text": "a"}], "a", "image"),
        ([{"type": "input_image"}], "[image]", "image"),
        ([{"type": "file", "file": {"filename": "a.pdf"}}], "[file: a.pdf]", "file: a.pdf"),
        ([{"type": "tool_result", "content": "found"}], "found", None),
        ([{}], "[part]", "part"),
    ],
)
def test_content_may_come_in_parts(content: list[Any], text: str, caption: str | None) -> None:
    """Words are joined, and what is no words leaves a mark."""
    turn = only({"role": "user", "content": content})

    assert (turn.text, turn.caption) == (text, caption)


@requirement("importers:every:documents")
def test_a_document_among_parts_is_not_its_senders_word() -> None:
    """With words it is a turn of its own; without them it is a caption, and the parts are one."""
    source = {"type": "text", "data": "The lease ends in March."}
    lease = {"type": "document", "title": "lease.txt", "source": source}
    scan = lease | {"source": {"type": "base64", "data": "aaaa"}}
    ask = {"type": "text", "text": "When?"}

    found = turns(chat_json, lined({"role": "user", "content": [ask, lease], "id": "m"}))
    scanned = only({"role": "user", "content": [ask, scan, "Say."]})

    assert [(turn.role, turn.type, turn.text, turn.caption) for turn in found] == [
        ("user", "message", "When?", "document: lease.txt"),
        ("narrator", "import", "The lease ends in March.", "document: lease.txt"),
    ]
    assert [(turn.external_id, turn.parent) for turn in found] == [("m", None), ("m#1", "m")]
    assert (scanned.text, scanned.caption) == ("When?\nSay.", "document: lease.txt")


def test_a_call_without_words_says_what_is_called() -> None:
    """An assistant that only calls a tool has no content, and did something all the same."""
    call = {"id": "c1", "function": {"name": "open", "arguments": '{"door": 5}'}}

    turn = only({"role": "assistant", "content": None, "tool_calls": [call]})

    assert (turn.text, turn.type) == ('open({"door": 5})', "tool_call")
    assert json.loads(turn.metadata or "") == {"tool_calls": [call]}


@requirement("importers:json:array")
@pytest.mark.parametrize(
    ("wrap", "place"),
    [
        (dumped, "$[{}]"),
        (lambda messages: json.dumps(messages, indent=2).encode(), "$[{}]"),
        (lambda messages: dumped({"messages": messages}), "$.messages[{}]"),
        (lambda messages: json.dumps({"a": 1, "messages": messages}, indent=1).encode(),
         "$.messages[{}]"),
        (lambda messages: b"\xef\xbb\xbf \n" + dumped(messages) + b"\n\n", "$[{}]"),
        (lambda messages: lined({"messages": messages}, {"messages": []}), "line:1.messages[{}]"),
        (lambda messages: dumped([{"messages": messages}]), "$[0].messages[{}]"),
    ],
    ids=["array", "indented", "messages", "messages indented", "marked", "lines", "talks"],
)  # fmt: skip
def test_messages_come_in_an_array_or_an_object(wrap: Any, place: str) -> None:
    """The message and its failures have the path that leads to them."""
    file = wrap([HELLO, {"text": "who?"}, HELLO | {"text": "Bye."}])

    found = told(chat_json, file)

    assert [item.at for item in found] == [place.format(index) for index in range(3)]
    assert texts(found) == ["Hello.", "Bye."]
    assert [item.code for item in found if isinstance(item, Failed)] == ["bad_shape"]


def test_a_message_that_is_broken_json_fails_alone_in_an_array() -> None:
    """Elements are cut apart before they are read."""
    elements = [
        b'{"role":"user","text":"a"}',
        b'{"role":"user" "text"}',
        b'{"role":"user","text":"b",}',
        b'{"role":"user","text":"c","text":"d"}',
        b'{"role":"user","text":"\xff"}',
        b'{"role":"user","text":"e"}',
    ]
    file = b"[" + b", ".join(elements) + b"]"

    assert failures(chat_json, file) == [
        ("$[1]", "bad_json"),
        ("$[2]", "bad_json"),
        ("$[3]", "bad_json"),
        ("$[4]", "bad_encoding"),
    ]
    assert texts(told(chat_json, file)) == ["a", "e"]


def test_messages_inherit_the_names_of_their_conversation() -> None:
    """What is said once around the messages holds for each that does not say otherwise."""
    talk = {"thread": "t", "session": "s", "messages": [HELLO, HELLO | {"thread": "u"}]}

    assert [(turn.thread, turn.session) for turn in turns(chat_json, dumped(talk))] == [
        ("t", "s"),
        ("u", "s"),
    ]


def test_a_name_that_comes_after_the_messages_is_told() -> None:
    """They are read as they come, so it holds for none of them, and that is not silent."""
    file = dumped({"messages": [HELLO], "usage": 5, "thread": "t"})

    assert failures(chat_json, file) == [("$", "bad_shape")]
    assert texts(told(chat_json, file)) == ["Hello."]


def test_conversations_on_their_own_lines_are_threads_of_their_own() -> None:
    """Files for training hold one talk a line and no names."""
    found = turns(chat_json, lined({"messages": [HELLO]}, {"messages": [HELLO], "thread": "t"}))

    assert [turn.thread for turn in found] == [f"{LABEL}#line:1", "t"]


@pytest.mark.parametrize(
    ("message", "at"),
    [(dumped(HELLO), "line:1"), (json.dumps(HELLO, indent=1).encode(), "$")],
)
def test_one_message_alone_is_a_file(message: bytes, at: str) -> None:
    """On a line of its own or written out over several."""
    assert [turn.at for turn in turns(chat_json, message)] == [at]


@requirement("importers:json:truncated")
@given(cut=st.integers(1, 400))
def test_an_array_that_is_cut_keeps_the_messages_before_the_break(cut: int) -> None:
    """One last failure says where the file broke off."""
    messages = [HELLO | {"text": 'say "{[' * index + "x"} for index in range(6)]
    whole = dumped(messages)
    cut = min(cut, len(whole) - 1)

    found = told(chat_json, whole[:cut])
    last = found[-1]

    assert found[:-1] == told(chat_json, whole)[: len(found) - 1]
    assert isinstance(last, Failed)
    assert last.code == "bad_json"
    assert len(found) - 1 == whole[:cut].count(b"}")


@given(cut=st.integers(0, 10_000))
def test_lines_that_are_cut_anywhere_lose_no_line_before(cut: int) -> None:
    """Each whole line is taken; the last one is whole, or fails alone."""
    whole = lined(*(HELLO | {"text": "é" * index + "x", "id": index} for index in range(8)))
    cut = cut * len(whole) // 10_000

    found = told(chat_json, whole[:cut])
    ended = whole[:cut].count(b"\n")

    assert found[:ended] == told(chat_json, whole)[:ended]
    assert len(found) - ended in (0, 1)


@given(
    line=st.dictionaries(
        st.sampled_from(
            ["role", "text", "content", "type", "actor", "at", "timestamp", "thread", "id", "extra"]
        ),
        st.sampled_from(["user", "tool", "", " ", "a", 'say ":', "\ud83d", "\0", "é"])
        | st.text(max_size=4)
        | st.integers()
        | st.floats(allow_nan=False)
        | st.none(),
    ),
    ascii=st.booleans(),
)
def test_a_line_means_the_same_however_it_is_spaced(line: Json, ascii: bool) -> None:
    """Plain lines are read in a faster way, which may not say anything else."""
    line = {"role": "user", "text": "Hello."} | line
    plain = json.dumps(line, ensure_ascii=ascii).encode(errors="replace")

    tabbed = told(chat_json, b"{\t" + plain[1:] + b"\n" + dumped(HELLO))
    (found, _), (other, _) = told(chat_json, plain + b"\n" + dumped(HELLO)), tabbed

    assert type(found) is type(other)
    assert found == other or (isinstance(found, Failed) and found.code == other.code)  # type: ignore[union-attr]


@requirement("importers:every:times")
@pytest.mark.parametrize("name", parts.TIMES)
def test_a_time_is_known_by_every_name_that_other_programs_give_it(name: str) -> None:
    """Nothing is kept as undated that says when it was said."""
    (turn,) = turns(chat_json, lined({"role": "user", "text": "a", name: "2026-01-02T03:04:05Z"}))

    assert turn.at_ms == 1_767_323_045_000


@requirement("importers:json:blocks")
def test_content_blocks_are_turns_of_those_who_said_them() -> None:
    """What a tool gave back stands in a user's message and is no word of the user's."""
    lines = lined(
        {"role": "user", "id": "m1", "content": [{"type": "text", "text": "How cold is it?"}]},
        {
            "role": "assistant", "id": "m2", "thread": "t", "parent": "m1", "tags": ["a"],
            "content": [
                {"type": "thinking", "thinking": "I should look."},
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": "call", "name": "thermometer", "input": {"at": "shed"}},
            ],
        },
        {
            "role": "user", "id": "m3", "thread": "t", "metadata": {"k": 1},
            "content": [
                {"type": "tool_result", "tool_use_id": "call", "content": "-7", "is_error": True},
                {"type": "text", "text": "Brr."},
            ],
        },
    )  # fmt: skip

    found = turns(chat_json, lines)

    assert [(turn.role, turn.type, turn.text) for turn in found] == [
        ("user", "message", "How cold is it?"),
        ("assistant", "message", "I should look."),
        ("assistant", "message", "I look."),
        ("assistant", "tool_call", '{"at":"shed"}'),
        ("tool", "tool_result", "-7"),
        ("user", "message", "Brr."),
    ]
    assert [turn.external_id for turn in found] == ["m1", "m2", "m2#1", "call", "m3", "m3#1"]
    assert [turn.parent for turn in found] == [None, "m1", "m2", "m2#1", None, "m3"]
    assert [turn.collection for turn in found] == [None, "thinking", None, None, None, None]
    assert [turn.tags for turn in found[1:4]] == [("a", "thinking"), ("a",), ("a",)]
    assert (found[3].actor, found[4].reply_to, found[5].thread) == ("thermometer", "call", "t")
    assert found[4].metadata == '{"error":true,"k":1}'


@requirement("importers:json:blocks")
def test_a_block_that_is_none_fails_alone_and_thoughts_without_words_are_told() -> None:
    """The good ones around it are taken; a message of which nothing is left is not passed over."""
    good = {"type": "tool_result", "tool_use_id": "c", "content": "ok"}
    file = lined(
        {"role": "user", "content": [good, 7]},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "", "signature": "x"}]},
    )

    assert texts(told(chat_json, file)) == ["ok"]
    assert failures(chat_json, file) == [("line:1", "bad_shape"), ("line:2", "blank_text")]


@pytest.mark.parametrize("role", ["user", "model"])
def test_parts_are_content_too(role: str) -> None:
    """As several programs call it."""
    turn = only({"role": role, "parts": [{"text": "Hello."}, {"type": "image"}]})

    assert (turn.text, turn.caption) == ("Hello.", "image")
