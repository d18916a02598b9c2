"""Records: what one may look like, at and beyond each bound, and how a wrong one is refused."""

from __future__ import annotations

import datetime as dt
import json
from types import MappingProxyType
from typing import Any

import pytest

from muniment import Commit, Memory, Note, Show, Source
from tests.operations.seen import needed, refused, shown
from tests.requirements.marker import requirement

# Two bytes and three bytes a character: a bound is counted in bytes.
KEY_AT = "é" * 64
TEXT_AT = "日" * 2_730 + "ab"
ABOUT_AT = "é" * 256
METADATA_AT = '{"a":"' + "日" * 2_728 + '"}'

KINDS = (
    "note", "fact", "procedure", "task", "summary", "story",
    "belief", "intention", "requirement", "appraisal", "proposal",
)  # fmt: skip


@requirement("records:limit:sizes")
@pytest.mark.parametrize(
    ("field", "value"),
    [("key", KEY_AT), ("text", TEXT_AT), ("about", ABOUT_AT), ("metadata", METADATA_AT)],
)
def test_a_string_is_taken_at_its_bound_and_refused_one_byte_beyond(
    memory: Memory, field: str, value: str
) -> None:
    """Seed 1, limits: key 128 bytes, text 8,192; a name 512 and metadata 8,192 are our own."""
    fields = {"text": "held", "key": "k", field: value}
    longer = " " + value if field == "metadata" else value + "a"

    written = memory.remember(**fields)

    assert getattr(shown(memory, written.id), field) == value
    with refused(memory, "too_long", at=field):
        memory.remember(**{**fields, field: longer})
    with refused(memory, "too_long", at=f"notes[1].{field}"):
        memory.run(Commit(notes=(Note(text="a"), Note(**{**fields, field: longer}))))


@requirement("records:limit:sizes")
def test_a_record_has_32_sources_and_covers_and_no_more(memory: Memory) -> None:
    """Seed 1, limits: 32 sources and 32 covers a record."""
    said = [memory.observe(f"word {number}", role="user").id for number in range(33)]
    first = tuple(said[:32])

    written = memory.remember("all of it", kind="summary", sources=first, covers=first)

    item = shown(memory, written.id)
    assert tuple(source.id for source in item.sources) == first
    assert item.covers == first
    with refused(memory, "too_long", at="sources"):
        memory.remember("more of it", kind="summary", sources=tuple(said))
    with refused(memory, "too_long", at="covers"):
        memory.remember("more of it", kind="summary", sources=first, covers=tuple(said))


@requirement("records:limit:sizes")
def test_a_commit_has_8_records_and_no_more(memory: Memory) -> None:
    """Seed 1, limits: at most 8 records a commit."""
    notes = tuple(Note(text=f"note {number}") for number in range(9))

    done = memory.run(Commit(notes=notes[:8]))

    assert [shown(memory, each.id).text for each in done.records] == [n.text for n in notes[:8]]
    with refused(memory, "too_long", at="notes"):
        memory.run(Commit(notes=notes))
    with refused(memory, "bad_shape", at="notes"):
        memory.run(Commit())


@requirement("records:shape:unknown-field")
def test_an_unknown_field_is_refused_with_its_path(memory: Memory) -> None:
    """Seed 1, typed writes: an unknown field is refused, not passed over."""
    memory.remember("held")
    wrong: Any = {"text": "held", "colour": "red"}
    nowhere: Any = {"key": "k"}

    with refused(memory, "bad_shape", at="colour"):
        memory.remember("held", colour="red")
    with refused(memory, "bad_shape", at="notes[1].colour"):
        memory.run(Commit(notes=(Note(text="a"), wrong)))
    with refused(memory, "bad_shape", at="notes[0].text"):
        memory.run(Commit(notes=(nowhere,)))


@requirement("records:shape:writer")
@pytest.mark.parametrize(
    "field", ["id", "seq", "head", "height", "commit", "recorded_at", "recorded_ms", "standing"]
)
def test_a_writer_cannot_say_what_the_ledger_says(memory: Memory, field: str) -> None:
    """Promise 3: whoever writes chooses neither identity nor place nor time."""
    memory.observe("held", role="user")

    with refused(memory, "bad_shape", at=field):
        memory.remember("held", **{field: 1})
    with refused(memory, "bad_shape", at=field):
        memory.observe("held", role="user", **{field: 1})


@requirement("records:shape:repeated-key")
@pytest.mark.parametrize(
    "metadata", ['{"a":1,"a":2}', '{"a":{"b":1,"b":1}}', '{"a":[{"b":1,"b":2}]}']
)
def test_metadata_that_says_a_key_twice_is_refused(memory: Memory, metadata: str) -> None:
    """Seed 1, typed writes: a repeated key is refused, because readers differ on which counts."""
    memory.remember("held")

    with refused(memory, "bad_json", at="metadata"):
        memory.remember("held", metadata=metadata)
    with refused(memory, "bad_json", at="notes[0].metadata"):
        memory.run(Commit(notes=(Note(text="a", metadata=metadata),)))


@pytest.mark.parametrize("metadata", ["[]", "1", "null", '"a"', "{", "", "{'a':1}", '{"a":NaN}'])
def test_metadata_is_a_json_object(memory: Memory, metadata: str) -> None:
    """Metadata is kept as it was given; what is no JSON object is refused."""
    memory.remember("held")

    with refused(memory, "bad_json", at="metadata"):
        memory.remember("held", metadata=metadata)


@requirement("records:metadata:mapping")
@pytest.mark.parametrize("given", [
    {}, {"b": 1, "a": [1, {"c": None}], "ключ": "é"}, MappingProxyType({"z": 1.5, "a": True}),
], ids=repr)  # fmt: skip
def test_metadata_may_be_a_mapping(memory: Memory, given: Any) -> None:
    """It is kept as the JSON text with sorted keys; said either way it is the same record."""
    text = json.dumps(dict(given), ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    first = memory.remember("held", key="k", metadata=given)

    assert memory.run(Show(id=first.id)).items[0].metadata == text
    assert memory.remember("held", key="k", metadata=text).known
    notes: Any = (Note(text="held", key="k", metadata=given), {"text": "other", "metadata": given})
    done = memory.run(Commit(notes=notes, command_key="c"))
    assert [each.known for each in done.records] == [True, False]
    assert memory.run(Show(id=done.records[1].id)).items[0].metadata == text
    notes = tuple(Note(text=each, key=key, metadata=text) for each, key in
                  (("held", "k"), ("other", None)))  # fmt: skip
    assert memory.run(Commit(notes=notes, command_key="c")).known


@requirement("records:metadata:mapping")
@pytest.mark.parametrize(
    ("given", "code", "at"),
    [
        ({"a": {1}}, "bad_shape", ".a"),
        ({"a": [dt.date(2026, 1, 1)]}, "bad_shape", ".a[0]"),
        ({"a": b"b"}, "bad_json", ".a"),
        ({"a": float("nan")}, "bad_json", ".a"),
        ({"a": 2**53}, "bad_json", ".a"),
        ({"a": {1: 2}}, "bad_json", ".a"),
        ({"a": "\0"}, "bad_encoding", ".a"),
        ({"a": "x" * 8_192}, "too_long", ""),
    ],
    ids=repr,
)
def test_a_mapping_that_is_no_json_is_refused(
    memory: Memory, given: Any, code: str, at: str
) -> None:
    """With the path of the very member, as for a value of the state."""
    memory.remember("held")

    with refused(memory, code, at=f"metadata{at}"):
        memory.remember("held", metadata=given)
    with refused(memory, code, at=f"notes[1].metadata{at}"):
        memory.run(Commit(notes=(Note(text="a"), Note(text="b", metadata=given))))


@requirement("records:shape:encoding")
@pytest.mark.parametrize("bad", ["a\0b", "a\ud800b", "\udfff"])
@pytest.mark.parametrize("field", ["text", "key", "about", "metadata", "supersedes", "command_key"])
def test_a_string_that_would_not_come_back_is_refused(memory: Memory, field: str, bad: str) -> None:
    """Seed 1, typed writes: NUL and half surrogate pairs are refused with the field's path."""
    memory.remember("held")

    with refused(memory, "bad_encoding", at=field):
        memory.remember(**{"text": "held", field: bad})


@requirement("records:shape:encoding")
def test_bad_encoding_inside_a_list_is_refused_with_its_place(memory: Memory) -> None:
    """Seed 1, typed writes: the path leads to the very string."""
    said = memory.observe("held", role="user").id

    with refused(memory, "bad_encoding", at="sources[1]"):
        memory.remember("held", sources=(said, "e\ud800"))
    with refused(memory, "bad_encoding", at="covers[0]"):
        memory.remember("held", kind="summary", sources=(said,), covers=("\0",))
    with refused(memory, "bad_encoding", at="notes[1].key"):
        memory.run(Commit(notes=(Note(text="a"), Note(text="b", key="\0"))))


@requirement("records:shape:encoding")
@pytest.mark.parametrize("field", ["text", "key", "about", "metadata"])
@pytest.mark.parametrize("raw", [b"abc", b"\xff\xfe", bytearray(b"abc")])
def test_bytes_are_no_text(memory: Memory, field: str, raw: bytes) -> None:
    """Seed 1, typed writes: what may be invalid UTF-8 is never stored as something else."""
    memory.remember("held")

    with refused(memory, "bad_shape", at=field):
        memory.remember(**{"text": "held", field: raw})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("text", 5), ("text", None), ("key", 5), ("kind", "memo"), ("kind", None),
        ("status", "current"), ("owner", "system"), ("owner", None), ("sources", "e1"),
        ("sources", 1), ("covers", {"a": 1}), ("supersedes", 1), ("metadata", 1), ("metadata", [1]),
        ("valid_from", 1.5), ("valid_to", True), ("scope", 5), ("expect_head", 1),
        ("command_key", 1), ("about", 1),
    ],
)  # fmt: skip
def test_a_field_of_another_type_is_refused_with_its_name(
    memory: Memory, field: str, value: object
) -> None:
    """Nothing is guessed: a field of the wrong type is refused and named."""
    memory.remember("held")

    with refused(memory, "bad_shape", at=field):
        memory.remember(**{"text": "held", field: value})


@pytest.mark.parametrize("blank", ["", " ", "\n\t\r ", "\u3000\u2003"])
def test_a_blank_text_or_key_is_refused(memory: Memory, blank: str) -> None:
    """A record says something, and a key names something."""
    memory.remember("held")

    with refused(memory, "blank_text", at="text"):
        memory.remember(blank)
    with refused(memory, "blank_text", at="key"):
        memory.remember("held", key=blank)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("valid_from", "tomorrow"), ("valid_from", "2026-01-01"), ("valid_to", "2026-01-01T10:00"),
        ("valid_to", "2026-13-01T00:00:00Z"), ("valid_to", 10**17), ("valid_from", -(10**17)),
    ],
)  # fmt: skip
def test_a_window_is_told_in_times(memory: Memory, field: str, value: object) -> None:
    """A time has an offset or is milliseconds, and lies in the years 1 to 9999."""
    memory.remember("held")

    with refused(memory, "bad_time", at=field):
        memory.remember(**{"text": "held", field: value})


@pytest.mark.parametrize(("begin", "end"), [(5, 5), (6, 5), ("2026-01-01T01:00+01:00", 0)])
def test_a_window_ends_after_it_begins(memory: Memory, begin: int | str, end: int | str) -> None:
    """A window that holds no moment is a mistake."""
    memory.remember("held")

    with refused(memory, "bad_time", at="valid_to"):
        memory.remember("held", valid_from=begin, valid_to=end or 1_767_225_600_000)


@pytest.mark.parametrize("span", [(4, 4), (5, 4), (-1, 4)])
def test_a_span_of_a_source_is_not_empty(memory: Memory, span: tuple[int, int]) -> None:
    """A span names characters of the source's text, the first from 0."""
    said = memory.observe("held", role="user").id

    with refused(memory, "bad_shape", at="sources[0].span"):
        memory.remember("held", sources=(Source(id=said, span=span),))


@pytest.mark.parametrize("kind", KINDS)
def test_own_blocks_are_no_record(memory: Memory, kind: str) -> None:
    """Promise 6: what a memory handed over is no evidence of anything, so none of it is held."""
    said = memory.observe("held", role="user").id

    with refused(memory, "only_own_blocks", at="text"):
        memory.remember("a <MUNIMENT-Recall>b", kind=kind, sources=(said,), **needed(kind, said))
