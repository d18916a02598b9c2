"""What holds for every importer and any bytes at all."""

from __future__ import annotations

import io
import json
import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment import limits
from muniment.importers import IMPORTERS, choose
from muniment.model.turn import Failed, Importer, Options, Turn
from tests.importers.files import Repeated, dumped, told

KEYS = st.sampled_from(
    [
        *("role", "text", "content", "type", "name", "at", "time", "thread", "session", "id"),
        *("external_id", "parent", "reply_to", "tags", "caption", "metadata", "messages"),
        *("conversations", "mapping", "message", "current_node", "author", "parts", "file"),
        *("create_time", "recipient", "title", "thoughts", "attachments", "tool_calls"),
        *("chat_messages", "sender", "uuid", "parent_message_uuid", "files", "summary"),
        *("parentUuid", "sessionId", "isSidechain", "agentId", "data", "attachment", "prompt"),
    ]
)
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["user", "tool", "a", "b", "text", "\ud83d", "\0", "2024-05-01T10:00Z"])
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(KEYS | st.sampled_from(["a", "b"]) | st.text(max_size=3), inner)
    ),
    max_leaves=25,
)
NODES = st.dictionaries(
    st.sampled_from("abc"),
    st.fixed_dictionaries(
        {},
        optional={
            "parent": st.sampled_from("abcd") | LEAVES,
            "message": st.fixed_dictionaries(
                {},
                optional={
                    "id": LEAVES,
                    "author": st.dictionaries(st.sampled_from(["role", "name"]), LEAVES),
                    "content": st.dictionaries(
                        st.sampled_from(["content_type", "parts", "text"]), VALUES
                    ),
                    "create_time": LEAVES,
                    "metadata": VALUES,
                },
            )
            | VALUES,
        },
    )
    | VALUES,
)
TREES = st.lists(st.fixed_dictionaries({"mapping": NODES | VALUES, "current_node": LEAVES}))
MESSAGES = st.lists(
    st.dictionaries(KEYS, VALUES).map(lambda said: {"role": "user", "text": "a"} | said)
)
EACH = pytest.mark.parametrize("importer", IMPORTERS, ids=lambda importer: importer.NAME)


def storable(item: Turn | Failed) -> bool:
    """Whether every string of it can be written down as UTF-8."""
    told = [getattr(item, field) for field in item.__struct_fields__]
    return all("\0" not in text and text.encode() for text in told if isinstance(text, str) if text)


@EACH
@given(value=VALUES | TREES | MESSAGES | MESSAGES.map(lambda said: {"messages": said}))
def test_any_json_value_comes_out_as_turns_and_failures(importer: Importer, value: Any) -> None:
    """Nothing that a file says makes an importer raise, and a turn is never blank."""
    found = told(importer, dumped(value))

    assert all(item.text.strip() for item in found if isinstance(item, Turn))
    assert all(item.code and item.at for item in found if isinstance(item, Failed))
    assert all(storable(item) for item in found)


@EACH
@given(file=st.binary(max_size=200) | st.text('{}[]",:\\ \n#*>`-a1', max_size=60).map(str.encode))
def test_any_bytes_come_out_as_turns_and_failures(importer: Importer, file: bytes) -> None:
    """Nothing that a file is makes an importer raise."""
    assert all(storable(item) for item in told(importer, file))


@EACH
@pytest.mark.parametrize(
    "file",
    [
        b"[" * 200_000,
        b'{"a":' * 200_000,
        b'[{"role":"user","text":"a","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}]",
        b'[{"mapping":{"a":{"parent":null,"message":{"content":{"parts":['
        + b"[" * 100_000
        + b"]" * 100_000
        + b"]}}}}}]",
        b'{"messages":[' * 400 + b"]}" * 400,
        b'{"role":"user","text":"a","metadata":{"a":' + b'{"a":' * 980 + b"1" + b"}" * 982,
        b"> " * 100_000,
        b"9" * 100_000,
    ],
    ids=["arrays", "objects", "in a message", "in a part", "messages", "metadata", "quotes", "9"],
)
def test_deep_nesting_is_a_failure_and_no_end(importer: Importer, file: bytes) -> None:
    """A recursion bomb costs one message, not the program."""
    assert len(told(importer, file)) >= 1


@EACH
def test_progress_is_told_at_least_each_64_kib(importer: Importer) -> None:
    """A progress bar moves, and ends where the file does."""
    message = {"role": "user", "text": "Return the telescope. " * 20}
    conversation = {"mapping": {"a": {"message": None, "parent": None}}, "x": "y" * 5_000}
    file = json.dumps([message, conversation] * 200).encode()
    seen: list[int] = []

    for _ in importer.turns(io.BytesIO(file), Options(label="x", progress=seen.append)):
        pass

    steps = [after - before for before, after in zip([0, *seen], seen, strict=False)]
    assert seen[-1] == len(file)
    assert all(0 < step <= 2 * 65_536 for step in steps)
    assert len(seen) >= len(file) // (2 * 65_536)


SAID = b'{"role": "user", "text": "' + b"Return the telescope. " * 40 + b'"}'
TALK = (
    b'{"id": "c", "mapping": {"a": {"message": {"author": {"role": "user"}, "content": {"parts": ["'
    + b"Return the telescope. " * 40
    + b'"]}}}}}'
)


CHAT = (
    b'{"uuid": "c", "chat_messages": [{"uuid": "m", "sender": "human", "text": "'
    + b"Return the telescope. " * 40
    + b'"}]}'
)
LINE = (
    b'{"type": "user", "uuid": "u", "sessionId": "s", "message": {"role": "user", "content": "'
    + b"Return the telescope. " * 40
    + b'"}}'
)
ROW = b'user,"' + b'Return ""the"" telescope.\n' * 40 + b'"'


@pytest.mark.parametrize(
    ("format", "head", "piece", "tail"),
    [
        ("json", b"", SAID + b"\n", SAID),
        ("json", b"[", SAID + b",", SAID + b"]"),
        ("json", b'{"messages": [', SAID + b", ", SAID + b"]}"),
        ("chatgpt", b"[", TALK + b",\n", TALK + b"]"),
        ("claude", b"[", CHAT + b",", CHAT + b"]"),
        ("claude_code", b"", LINE + b"\n", LINE),
        ("claude_code", b'{"loglines": [', LINE + b",", LINE + b"]}"),
        ("table", b"role,text\n", ROW + b"\n", ROW),
        ("json", b"", b'{"role": "' + b"x" * 1_000, b'"}'),
        ("json", b'["', b"x" * 1_000, b'"]'),
        ("claude_code", b"", b'{"type": "' + b"x" * 1_000, b'"}'),
        ("table", b"role,text\n", b"user," + b"x" * 1_000, b""),
        ("table", b'role,text\nuser,"', b"x" * 1_000 + b"\n", b""),
    ],
)
def test_memory_does_not_grow_with_the_file(
    format: str, head: bytes, piece: bytes, tail: bytes
) -> None:
    """A file is read a line, an element or a conversation at a time, or given up."""
    importer = choose("", b"", format)

    def peak(times: int) -> int:
        raw = io.BufferedReader(Repeated(head, piece, times, tail))
        tracemalloc.start()
        for _ in importer.turns(raw, Options(label="x")):
            pass
        _, peak_bytes = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return peak_bytes

    long = (limits.IMPORT_ITEM_BYTES_MAX if piece.count(b"x") > 99 else 4_000_000) // len(piece)
    peak(long)  # what is made on first use is made, and Python's own free lists are full
    assert peak(2 * long) < 1.2 * peak(long) + 100_000
