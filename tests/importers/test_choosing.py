"""Which importer reads a file, and the head that decides it."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import BadEncoding, UnknownFormat
from muniment.importers import HEAD_BYTES, IMPORTERS, LEDGERS, choose, peek
from muniment.model.turn import Options, Turn
from tests.importers.files import Chunked, dumped, lined
from tests.requirements.marker import requirement

MESSAGE = {"role": "user", "text": "Return the telescope."}
CONVERSATION = {"title": "Telescope", "mapping": {"a": {"message": None, "children": []}}}
CHAT = {"uuid": "c", "name": "Telescope", "chat_messages": [{"sender": "human", "text": "Hi."}]}
LINE = {
    "type": "user",
    "uuid": "u",
    "sessionId": "s",
    "message": {"role": "user", "content": "Return the telescope."},
}
SUMMARY = {"type": "summary", "summary": "The telescope", "leafUuid": "u"}
SNAPSHOT = {"type": "file-history-snapshot", "isSnapshotUpdate": False, "snapshot": {}}
QUOTED = {"role": "user", "text": '{"type": "user", "isSidechain": false, "chat_messages": []}'}


@requirement("importers:every:recognised")
@pytest.mark.parametrize(
    ("name", "file", "format"),
    [
        ("conversations.json", dumped([CONVERSATION]), "chatgpt"),
        ("conversations.json", dumped({"conversations": [CONVERSATION]}), "chatgpt"),
        ("", dumped(CONVERSATION), "chatgpt"),
        ("", b"\xef\xbb\xbf" + dumped([CONVERSATION]), "chatgpt"),
        ("conversations.json", dumped([CHAT]), "claude"),
        ("conversations.json", dumped({"conversations": [CHAT]}), "claude"),
        ("", b"\xef\xbb\xbf" + dumped(CHAT), "claude"),
        ("talk.jsonl", lined(CHAT), "json"),
        ("s.jsonl", lined(LINE, LINE), "claude_code"),
        ("", lined(SUMMARY, LINE), "claude_code"),
        ("", b"\xef\xbb\xbf" + lined(SNAPSHOT), "claude_code"),
        ("s.json", dumped({"loglines": [LINE]}), "claude_code"),
        ("s.json", dumped([LINE]), "claude_code"),
        ("talk.json", dumped([QUOTED]), "json"),
        ("talk.jsonl", lined(QUOTED), "json"),
        ("talk.json", dumped([MESSAGE | {"uuid": "u", "type": "message"}]), "json"),
        ("talk.json", dumped([MESSAGE]), "json"),
        ("talk.json", dumped({"messages": [MESSAGE]}), "json"),
        ("", lined(MESSAGE, MESSAGE), "json"),
        ("", b"\xef\xbb\xbf\r\n" + lined(MESSAGE), "json"),
        ("talk.jsonl", b"no json yet\n" + lined(MESSAGE), "json"),
        ("talk.jsonl", lined(CONVERSATION), "json"),
        ("talk.json", dumped([MESSAGE | {"text": '"mapping": {"children": []'}]), "json"),
        ("talk.csv", b"role,text\nuser,hello\n", "table"),
        ("TALK.TSV", b"", "table"),
        ("", b"role,text\nuser,hello\n", "table"),
        ("talk.txt", b"\xef\xbb\xbfSpeaker;Time;Text\r\nAnn;;Mira: hello\r\n", "table"),
        ("talk.csv", b"time,name,text\n10:05,Ann,Ben: hello\n", "table"),
        ("talk.md", b"name, message\n\n**User:** hello\n", "markdown"),
        ("talk.md", b"Nobody speaks.", "markdown"),
        ("TALK.MD", b"", "markdown"),
        ("", b"## User\n\nHello.\n", "markdown"),
        ("talk.txt", b"Ann: hello\nBen: good day\n", "markdown"),
        ("", b"[the map](map.png)\n\n**User:** hello\n", "markdown"),
    ],
)
def test_the_format_of_a_file_is_seen_in_its_bytes(name: str, file: bytes, format: str) -> None:
    """What begins like a format is read as that format, whatever its name."""
    chosen = choose(name, file, "auto")

    assert format == chosen.NAME


@pytest.mark.parametrize(
    ("name", "file", "format"),
    [
        ("", b"", "auto"),
        ("talk.txt", b"Nobody speaks in this text.", "auto"),
        ("talk.txt", b"day,place\nMonday,home\n", "auto"),
        ("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "auto"),
        ("talk.json", dumped([MESSAGE]), "yaml"),
        ("talk.json", dumped([MESSAGE]), ""),
    ],
)
def test_a_file_that_no_importer_knows_is_refused(name: str, file: bytes, format: str) -> None:
    """Guessing would take in nonsense as evidence."""
    with pytest.raises(UnknownFormat) as refused:
        choose(name, file, format)

    assert refused.value.code == "unknown_format"


@requirement("importers:every:what-it-is")
@pytest.mark.parametrize(
    ("name", "head", "what"),
    [
        ("notes.txt", b"Nobody speaks in this text.", ".txt"),
        ("a/picture.PNG", b"\x89PNG\r\n\x1a\n", ".PNG"),
        ("notes", b"Nobody speaks in this text.", "text"),
        ("", b"\xff\xd8\xff\xe0", "not text"),
        ("", b"a\0b", "not text"),
        ("", b"x" * (HEAD_BYTES - 1) + "é".encode()[:1], "text"),
    ],
)
def test_a_file_is_told_by_what_it_is(name: str, head: bytes, what: str) -> None:
    """And by the formats there are, with how their files are named; nobody said a format."""
    with pytest.raises(UnknownFormat) as refused:
        choose(name, head, "auto")

    assert refused.value.at == "file"
    assert f" {what}" in refused.value.detail
    assert ("is text" in refused.value.detail) is (what == "text")
    every: list[Any] = [*IMPORTERS, *LEDGERS]
    for importer in every:
        assert importer.NAME in refused.value.detail
        assert importer.SUFFIXES[0] in refused.value.detail
    with pytest.raises(UnknownFormat) as named:
        choose(name, head, "yaml")
    assert named.value.at == "format"


@requirement("importers:every:encoding")
@pytest.mark.parametrize("format", ["auto", *(importer.NAME for importer in IMPORTERS)])
@pytest.mark.parametrize("order", ["utf-16-le", "utf-16-be"])
def test_a_file_in_utf_16_is_told_so(format: str, order: str) -> None:
    """A shell of Windows writes it; "no format" and "half a surrogate" would say nothing."""
    file = "\ufeffrole,text\nuser,hello\n".encode(order)

    with pytest.raises(BadEncoding) as refused:
        choose("talk.csv", file, format)

    assert (refused.value.code, refused.value.at) == ("bad_encoding", "file")


@pytest.mark.parametrize("importer", IMPORTERS, ids=lambda importer: importer.NAME)
def test_a_format_that_is_named_is_taken_at_its_word(importer: object) -> None:
    """A caller who says the format is not overruled by the bytes."""
    named = [choose("", b"", known.NAME) for known in IMPORTERS if known is importer]

    assert named == [importer]


@given(file=st.binary(max_size=300), size=st.integers(1, 70))
def test_a_pipe_is_looked_into_without_losing_a_byte(file: bytes, size: int) -> None:
    """Standard input cannot be sought: the head is given back before the rest."""
    head, whole = peek(io.BufferedReader(Chunked(file, size)))

    assert head == file
    assert whole.read() == file


def test_a_head_is_as_long_as_it_may_be_also_from_a_slow_pipe() -> None:
    """What is recognised does not hang on how a pipe cuts its bytes."""
    file = bytes(range(256)) * 1_000

    head, whole = peek(io.BufferedReader(Chunked(file, 1_000)))

    assert head == file[:HEAD_BYTES]
    assert whole.readline() == file[:11]
    assert whole.read() == file[11:]


@requirement("importers:every:recognised")
def test_a_file_from_a_pipe_is_recognised_and_read() -> None:
    """Choosing and reading share one stream."""
    head, whole = peek(io.BufferedReader(Chunked(lined(MESSAGE, MESSAGE), 7)))

    found = list(choose("", head, "auto").turns(whole, Options(label="stdin")))

    assert [turn.text for turn in found if isinstance(turn, Turn)] == [MESSAGE["text"]] * 2
