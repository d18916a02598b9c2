"""Commits whose every hash is right and which no program of ours would write: none is sound."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from muniment import Checkpoint, Memory, StateDelete, StateHistory, StateSetTo, errors
from muniment.model.integrity import Depth, Verified
from tests.golden import outsider
from tests.requirements.marker import requirement
from tests.store import forged
from tests.store.files import change, opened, plain

SAID = {"event": "MessageObserved", "role": "user"}
KEPT = {"event": "RecordWritten", "kind": "note", "owner": "scope", "status": "active"}
DEEP = b"[" * 100_000 + b"]" * 100_000
ASKED = {
    "event": "RecallRecorded", "policy": "balanced", "memory_head": "0" * 64, "memory_seq": 1,
    "at_ms": 1_767_225_600_000, "bytes_max": 10, "items_max": 1, "bytes": 1, "program": "1",
    "engine": "3",
}  # fmt: skip
HEADER = "SELECT header FROM commits WHERE chain = 'm' ORDER BY seq DESC LIMIT 1"
QUERY = b'{"pack_digest":"0","query":"q"}'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A scope with two messages, a fact and a recorded recall."""
    with Memory.open(tmp_path / "memory") as memory:
        first = memory.observe("Apples are red.", role="user", actor="Ann")
        memory.observe("Pears are green.", role="assistant")
        memory.remember("Grapes are blue.", key="g", kind="fact", sources=(first.id,))
        memory.recall("apples", record=True)
    (path,) = (tmp_path / "memory").glob("*.muniment")
    return path


def checked(path: Path, depth: Depth) -> Verified:
    """What a check of the file says."""
    with Memory.open(path) as memory:
        return memory.verify(depth=depth)


SHAPES: dict[str, tuple[dict[str, Any], bytes | None, str]] = {
    "no content": (SAID, None, "m"),
    "bytes without a digest": ({**SAID, "content_bytes": 5}, None, "m"),
    "an erasure with a content": ({"event": "ContentErased", "through": 1}, b"{}", "m"),
    "an erasure of what comes later": ({"event": "ContentErased", "through": 10**6}, None, "m"),
    "a role of no one": ({**SAID, "role": "king"}, b'{"text":"a"}', "m"),
    "no role": ({"event": "MessageObserved"}, b'{"text":"a"}', "m"),
    "a time as text": ({**SAID, "at_ms": "x"}, b'{"text":"a"}', "m"),
    "a time that is a fraction": ({**SAID, "at_ms": 1.5}, b'{"text":"a"}', "m"),
    "a time of no year": ({**SAID, "at_ms": 2**62}, b'{"text":"a"}', "m"),
    "a default written out": ({**SAID, "stripped": 0}, b'{"text":"a"}', "m"),
    "a default word written out": ({**SAID, "type": "message"}, b'{"text":"a"}', "m"),
    "a null written out": ({**SAID, "at_ms": None}, b'{"text":"a"}', "m"),
    "three lines": ({**SAID, "lines": [1, 2, 3]}, b'{"text":"a"}', "m"),
    "lines before the first": ({**SAID, "lines": [-5, -9]}, b'{"text":"a"}', "m"),
    "words for a tag": ({**SAID, "external_tag": "words of a caller"}, b'{"text":"a"}', "m"),
    "an id that is none": ({**SAID, "id": "e1-junk"}, b'{"text":"a"}', "m"),
    "an unknown field": ({**KEPT, "extra": 1}, b'{"text":"a"}', "m"),
    "a source with an unknown field": (
        {**KEPT, "sources": [{"id": "FIRST", "extra": 1}]}, b'{"text":"a"}', "m",
    ),
    "a source whose default is written out": (
        {**KEPT, "sources": [{"id": "FIRST", "role": "supports"}]}, b'{"text":"a"}', "m",
    ),
    "a message superseded by a record": ({**KEPT, "supersedes": "FIRST"}, b'{"text":"a"}', "m"),
    "a message for a receipt": ({**KEPT, "receipt": "FIRST"}, b'{"text":"a"}', "m"),
    "a receipt for a parent": ({**SAID, "parent": "RECEIPT"}, b'{"text":"a"}', "m"),
    "covered and not cited": ({**KEPT, "covers": ["FIRST"]}, b'{"text":"a"}', "m"),
    "an erasure of the other chain": (
        {"event": "ContentErased", "targets": ["RECEIPT"]}, None, "m",
    ),
    "a receipt's erasure of the other chain": (
        {"event": "ReceiptErased", "targets": ["FIRST"]}, None, "j",
    ),
    "a recall of another place": ({**ASKED, "memory_seq": 99}, QUERY, "j"),
    "a recall of fewer than no bytes": ({**ASKED, "bytes": -5}, QUERY, "j"),
    "a recall by a caller's words": ({**ASKED, "policy": "Words of a caller"}, QUERY, "j"),
    "a content that is no JSON": (SAID, b"not json", "m"),
    "a content without its text": (SAID, b"{}", "m"),
    "a content with an unknown field": (SAID, b'{"hidden":"x","text":"a"}', "m"),
    "a content with a field twice": (SAID, b'{"text":"a","text":"b"}', "m"),
    "a content with white space": (SAID, b'{"text": "a"}', "m"),
    "a content with a null": (SAID, b'{"actor":null,"text":"a"}', "m"),
    "a content with NUL": (SAID, b'{"text":"a\\u0000b"}', "m"),
    "a content with half a surrogate": (SAID, b'{"text":"\\ud800"}', "m"),
    "a content of no UTF-8": (SAID, b'{"text":"\xff"}', "m"),
    "a content that is nested deeply": (SAID, b'{"text":"a","x":' + DEEP + b"}", "m"),
    "a record that is nested deeply": (KEPT, b'{"text":"a","x":' + DEEP + b"}", "m"),
}  # fmt: skip


@requirement("ledger:verify:by-hand", "ledger:state:delete")
@pytest.mark.parametrize("format", [1, 2])
def test_a_kind_of_event_stands_in_no_earlier_format(file: Path, format: int) -> None:
    """A program of the first format would not know it, and goes by the number."""
    with Memory.open(file) as memory:
        memory.run(StateSetTo(key="lamp", value="on"))
    (value,) = forged.ids(file, "StateSet")
    tag = json.loads(plain(opened_value(file, HEADER)))["events"][0]["key_tag"]
    shape = {"event": "StateDeleted", "key_tag": tag, "supersedes": value}

    seq = forged.append(file, shape, None, header=lambda whole: whole.update(format=format))

    found = [(each.code, each.seq) for each in checked(file, "content").faults]
    assert found == ([("format_differs", seq)] if format == 1 else [])


VALUES: dict[str, tuple[str, str, str | None]] = {
    "a key that never was": ("StateDeleted", "none", "NOW"),
    "the value of another key": ("StateDeleted", "OTHER", "NOW"),
    "a value that was superseded": ("StateDeleted", "LAMP", "OLD"),
    "a value that was superseded and erased": ("StateDeleted", "LAMP", "ERASED"),
    "a value that was deleted": ("StateDeleted", "GONE", "LOST"),
    "an event that is no value": ("StateDeleted", "LAMP", "COMMAND"),
    "a value set beside the present one": ("StateSet", "LAMP", None),
    "a value set for a superseded one": ("StateSet", "LAMP", "OLD"),
    "a value set for a deleted one": ("StateSet", "GONE", "LOST"),
    "a value set for that of another key": ("StateSet", "OTHER", "NOW"),
}


def valued(file: Path) -> dict[str, str]:
    """State of every kind in the file; the tags of its keys and the ids of its values, by name."""
    with Memory.open(file) as memory:
        for value in (0, 1):
            memory.run(StateSetTo(key="lamp", value=value))
        first = memory.run(StateHistory(key="lamp")).items[0].id
        memory.erase(record=first, confirm=memory.erase(record=first).token)
        memory.run(StateSetTo(key="lamp", value=2, command_key="c"))
        memory.run(StateSetTo(key="gone", value=1))
        memory.run(StateDelete(key="gone"))
        memory.run(StateSetTo(key="other", value=1))
    erased, old, now, lost, _ = forged.ids(file, "StateSet")
    (command,) = forged.ids(file, "CommandAnswered")
    tags = {name.upper(): forged.tag(file, "state", name) for name in ("lamp", "gone", "other")}
    return {**tags, "ERASED": erased, "OLD": old, "NOW": now, "LOST": lost, "COMMAND": command}


def setting(file: Path, event: str, key_tag: str, cited: str | None) -> int:
    """A state event by hand, with every hash and tag right but for what it cites; its seq."""
    shape = {"event": event, "key_tag": key_tag}
    shape |= {} if cited is None else {"supersedes": cited}
    keys = {forged.tag(file, "state", name): name for name in ("lamp", "gone", "other")}
    content = b'{"key":"%s","value":"7"}' % keys.get(key_tag, "").encode()
    deleted = event == "StateDeleted"
    return forged.append(
        file, shape, None if deleted else content,
        header=lambda whole: whole.update(format=2 if deleted else 1),
    )  # fmt: skip


@requirement("ledger:verify:by-hand", "ledger:state:delete")
@pytest.mark.parametrize("name", VALUES)
def test_a_state_event_cites_the_value_that_its_key_had(file: Path, name: str) -> None:
    """Each of its hashes is right; whoever has only the page finds it too."""
    names = valued(file)
    before = checked(file, "content").faults, outsider.faults(file)
    event, key, cited = VALUES[name]
    key_tag = names.get(key, "0" * 32)

    seq = setting(file, event, key_tag, None if cited is None else names[cited])

    assert before == ((), [])
    for depth in ("content", "full"):
        found = [(each.code, each.seq) for each in checked(file, depth).faults]
        assert ("value_differs", seq) in found, depth
    assert found_by_outsider(file, seq)


@requirement("ledger:verify:by-hand", "ledger:state:delete")
@pytest.mark.parametrize("event", ["StateDeleted", "StateSet"])
def test_a_state_event_that_cites_what_its_key_had_is_sound(file: Path, event: str) -> None:
    """Once; a second deletion of the same value is none."""
    names = valued(file)

    setting(file, event, names["LAMP"], names["NOW"])
    right = checked(file, "content").faults, outsider.faults(file)
    seq = setting(file, "StateDeleted", names["LAMP"], names["NOW"])

    assert right == ((), [])
    assert [(each.code, each.seq) for each in checked(file, "content").faults] == [
        ("value_differs", seq)
    ]


@requirement("ledger:verify:by-hand", "ledger:verify:new")
@pytest.mark.parametrize("event", ["StateDeleted", "StateSet"])
def test_from_a_checkpoint_on_a_state_event_cites_a_value_of_its_key(
    file: Path, tmp_path: Path, event: str
) -> None:
    """What came before is not read but for what is cited: that is of another key."""
    names, note = valued(file), str(tmp_path / "note")
    with Memory.open(file) as memory:
        memory.run(Checkpoint(out=note))
    setting(file, event, names["LAMP"], names["NOW"])
    with Memory.open(file) as memory:
        right = memory.verify(depth="content", checkpoint=note, new=True).faults
    seq = setting(file, event, names["GONE"], names["OLD"])

    with Memory.open(file) as memory:
        found = memory.verify(depth="content", checkpoint=note, new=True).faults

    assert right == ()
    assert [(each.code, each.seq) for each in found] == [("value_differs", seq)]


def found_by_outsider(file: Path, seq: int) -> bool:
    """Whether somebody who has only the page finds fault with an event of the memory chain."""
    return f"m {seq}: not the value that its key had" in outsider.faults(file)


@requirement("ledger:verify:by-hand")
@pytest.mark.parametrize("name", SHAPES)
def test_an_event_that_breaks_the_format_is_found_at_its_place(file: Path, name: str) -> None:
    """From depth content on, with its seq, and without a crash."""
    shape, content, chain = SHAPES[name]
    first, receipt = forged.ids(file, "MessageObserved")[0], forged.ids(file, "RecallRecorded")[0]
    head = opened_value(file, "SELECT hash FROM commits WHERE chain = 'm' AND seq = 1")
    named = _filled(shape, {"FIRST": first, "RECEIPT": receipt, "0" * 64: head.hex()})
    seq = forged.append(file, named, content, chain=chain)

    for depth in ("content", "full"):
        found = checked(file, depth)
        assert (chain, seq) in {(fault.chain, fault.seq) for fault in found.faults}, depth
    checked(file, "chain")


HEADERS: dict[str, Callable[[dict[str, Any]], None]] = {
    "a format that is true": lambda header: header.update(format=True),
    "a height that is a fraction": lambda header: header.update(height=float(header["height"])),
    "a time of 300 digits": lambda header: header.update(recorded_ms=10**300),
    "no time": lambda header: header.pop("recorded_ms"),
    "events that are none": lambda header: header.update(events=[1]),
    "a later genesis": lambda header: header.update(genesis=None),
}


@requirement("ledger:verify:by-hand")
@pytest.mark.parametrize("depth", ["chain", "content", "full"])
@pytest.mark.parametrize("name", HEADERS)
def test_a_header_of_other_types_is_found_at_every_depth(
    file: Path, name: str, depth: Depth
) -> None:
    """Its chain is what every depth reads."""
    seq = forged.append(file, SAID, header=HEADERS[name])

    assert ("m", seq) in {(fault.chain, fault.seq) for fault in checked(file, depth).faults}


SAYINGS: dict[str, Callable[[bytes], bytes]] = {
    "nested deeply": lambda said: said.replace(b'"scope"', b'"a":' + DEEP + b',"scope"'),
    "longer than any": lambda said: forged.deflated(said + b" " * 200_000_000),
    "something behind it": lambda said: forged.deflated(said, b"HIDDEN WORDS"),
}


@requirement("ledger:verify:by-hand")
@pytest.mark.parametrize("depth", ["chain", "content", "full"])
@pytest.mark.parametrize("name", SAYINGS)
def test_a_header_that_cannot_be_one_is_found_and_not_inflated(
    file: Path, name: str, depth: Depth, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No check takes more memory than a header may have, nor ends in an error of Python's."""
    monkeypatch.setattr(
        "tests.store.forged.plain", lambda stored: zlib.decompressobj().decompress(stored[9:])
        if stored[:1] == b"z" else stored
    )  # fmt: skip
    forged.append(file, SAID, said=SAYINGS[name])

    assert not checked(file, depth).ok
    with Memory.open(file) as memory, pytest.raises(errors.Corrupt):
        memory.observe("More.", role="user")


@requirement("ledger:verify:by-hand")
@pytest.mark.parametrize("depth", ["chain", "content", "full"])
@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO commits VALUES (1, 'm', -5, 77, x'00', CAST('hidden' AS BLOB))",
        "UPDATE commits SET seq = -1 WHERE chain = 'm' AND seq = 3",
    ],
)
def test_a_row_before_the_first_commit_is_a_stray(file: Path, statement: str, depth: Depth) -> None:
    """Nothing that lies in the ledger's tables goes unread."""
    change(file, statement)

    assert "commit_stray" in {fault.code for fault in checked(file, depth).faults}


@requirement("ledger:verify:by-hand")
@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO pending VALUES ('hidden words', 'x')",
        "CREATE TABLE sqliteX (a)",
        "CREATE TRIGGER sqliteY AFTER DELETE ON content BEGIN SELECT 1; END",
        "CREATE INDEX sqliteZ ON content (salt)",
        "CREATE VIEW sqliteV AS SELECT * FROM content",
    ],
)
def test_whatever_else_lies_in_the_file_is_found(file: Path, statement: str) -> None:
    """Only names that begin with the engine's own prefix are the engine's."""
    change(file, statement)

    assert not checked(file, "full").ok


@requirement("ledger:verify:by-hand")
def test_the_limits_of_a_scope_that_are_none_are_an_error_of_ours(file: Path) -> None:
    """Whoever recalls is told that the ledger is broken."""
    change(file, "UPDATE scope SET limits = '['")

    assert not checked(file, "chain").ok
    with Memory.open(file) as memory, pytest.raises(errors.BrokenLedger):
        memory.recall("apples")


@requirement("erasure:bytes:gone")
def test_a_trigger_that_somebody_added_keeps_nothing_of_what_is_erased(file: Path) -> None:
    """It goes before anything is erased; a table of somebody's is named as not checked."""
    change(file, "CREATE TABLE sqliteX (a)")
    change(file, "CREATE TRIGGER zz AFTER DELETE ON content"
                 " BEGIN INSERT INTO sqliteX VALUES (old.bytes); END")  # fmt: skip
    with Memory.open(file) as memory:
        id = memory.recall("apples").items[0].id
        done = memory.erase(event=id, confirm=memory.erase(event=id).token)

    assert b"Apples" not in file.read_bytes()
    assert any("sqliteX" in each for each in done.not_checked)


def opened_value(path: Path, query: str) -> Any:
    """The only value of a query."""
    with opened(path) as connection:
        return connection.execute(query).fetchall()[0][0]


def _filled(value: Any, names: dict[str, str]) -> Any:
    """A shape with the ids of this file."""
    if isinstance(value, dict):
        return {key: _filled(each, names) for key, each in value.items()}
    if isinstance(value, list):
        return [_filled(each, names) for each in value]
    return names.get(value, value) if isinstance(value, str) else value
