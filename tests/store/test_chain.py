"""The chains of commits: linked, numbered, timed, and without a word of the caller in a header."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from muniment import (
    Commit,
    Memory,
    Note,
    Observe,
    Recall,
    Remember,
    Retract,
    Show,
    Source,
    StateSetTo,
)
from muniment.errors import BadInput, HeadMoved, MunimentError, NotFound, Refused
from tests.conftest import Clock
from tests.requirements.marker import requirement
from tests.store.files import LEDGER, headers, only_file, plain, rows

CANARY = "zqxcanary"


@requirement("ledger:chain:linked")
def test_each_commit_names_the_one_before_and_the_head_is_the_last(
    memory: Memory, directory: Path
) -> None:
    """The head is the hash of the last header, which names its parent, and so on to the first."""
    heads = [memory.observe(word, role="user").head for word in ("one", "two", "three")]

    chain = headers(only_file(directory))

    assert [header["hash"] for header in chain[1:]] == heads
    assert [header["parent"] for header in chain] == [None, chain[0]["hash"], *heads[:-1]]
    assert [header["height"] for header in chain] == [0, 1, 2, 3]
    assert memory.verify().head == heads[-1]


@requirement("ledger:chain:linked")
def test_the_hash_of_a_commit_is_that_of_its_header(memory: Memory, directory: Path) -> None:
    """docs/format.md: SHA-256 over the domain, a zero byte and the header's own bytes."""
    memory.observe("one", role="user")

    for hash, header in rows(only_file(directory), "SELECT hash, header FROM commits"):
        assert hash == hashlib.sha256(b"muniment/commit/1\0" + header).digest()


def test_each_header_names_the_head_of_the_other_chain(memory: Memory, directory: Path) -> None:
    """Both chains moved together: a header pins where the other one stood."""
    memory.observe("one", role="user")
    memory.observe("two", role="user")

    path = only_file(directory)
    journal, chain = headers(path, "j"), headers(path)

    assert journal[0]["other"] == chain[0]["hash"]
    assert [header["other"] for header in chain] == [None] + [journal[0]["hash"]] * 2


@requirement("ledger:chain:seq-without-gaps")
def test_events_are_numbered_without_gaps_also_after_refusals(
    memory: Memory, directory: Path
) -> None:
    """A write that is refused, lost or wrong takes no number."""
    memory.remember("Feed the cat.", key="cat", kind="task")
    refused: list[tuple[type[MunimentError], dict[str, Any]]] = [
        (Refused, {"text": "No.", "key": "cat"}),
        (HeadMoved, {"text": "No.", "expect_head": "0" * 64}),
        (BadInput, {"text": " "}),
        (NotFound, {"text": "No.", "sources": ("e9",)}),
    ]
    for error, fields in refused:
        with pytest.raises(error):
            memory.run(Remember(**fields))
    memory.run(Commit(notes=(Note(text="a"), Note(text="b")), state={"k": 1}))
    memory.observe("one", role="user")

    found = [shape["seq"] for header in headers(only_file(directory)) for shape in header["events"]]

    assert found == [1, 2, 3, 4, 5]


@requirement("ledger:time:never-backwards")
def test_recorded_time_never_runs_back(directory: Path) -> None:
    """A clock that was set back does not show: the parent's time is kept until it is passed."""
    looks = iter([5_000, 9_000, 2_000, 2_000, 9_500, 9_500, 1, 1, 9_501])
    last: list[int] = []

    def clock() -> int:
        last.append(next(looks, last[-1] if last else 0))
        return last[-1]

    with Memory.open(directory, clock=clock) as memory:
        for number in range(4):
            memory.observe(f"number {number}", role="user")

    times = [header["recorded_ms"] for header in headers(only_file(directory))]

    assert times == sorted(times)
    assert min(last) < times[0] < times[-1]


def test_the_first_header_pins_the_limits_and_the_tags_of_name_and_secret(
    memory: Memory, directory: Path
) -> None:
    """Nobody widens a scope's limits later: they are hashed at height 0 of both chains."""
    memory.observe("one", role="user", scope="Ann's")

    path = only_file(directory)
    ((secret, limits),) = rows(path, "SELECT secret, limits FROM scope")
    first, journal = headers(path)[0], headers(path, "j")[0]

    assert first["genesis"] == journal["genesis"]
    assert first["genesis"]["limits"] == json.loads(limits)
    assert (
        first["genesis"]["secret_digest"]
        == hashlib.sha256(b"muniment/secret/1\0" + secret).hexdigest()
    )
    assert all("genesis" not in header for header in headers(path)[1:])


@requirement("ledger:header:no-caller-string")
def test_no_string_of_a_caller_stands_in_a_header(memory: Memory, directory: Path) -> None:
    """Every field of every write holds the word; no header does, on either chain."""
    _write_everywhere(memory, CANARY)

    stored = rows(only_file(directory), "SELECT header FROM commits")
    held = [
        row
        for row in rows(only_file(directory), "SELECT bytes FROM content")
        if b'"request"' not in row[0]
    ]  # a command's digest

    assert not [header for (header,) in stored if CANARY.encode() in plain(header)]
    assert len([bytes for (bytes,) in held if CANARY.encode() in bytes]) == len(held)


@requirement("ledger:id:short")
def test_the_part_of_an_id_before_the_dash_names_the_same_thing(memory: Memory) -> None:
    """Experience, records and state values alike, at any version."""
    said = memory.observe("one", role="user")
    first = memory.remember("a", key="k", sources=(said.id.partition("-")[0],))
    memory.remember("b", key="k")
    put = memory.run(StateSetTo(key="k", value=1))
    assert put.seq is not None

    for id in (said.id, first.id):
        shown = [memory.run(Show(id=each)).items[0] for each in (id, id.partition("-")[0])]
        assert [(item.id, item.text) for item in shown] == [(id, shown[0].text)] * 2
    assert memory.run(Show(id=f"l{put.seq}")).items[0].text == "1"


@requirement("ledger:id:short")
@pytest.mark.parametrize("id", ["e9", "r1", "e1-0000000000000000", "e01", "x1", "", "e", "1"])
def test_what_names_nothing_is_not_found(memory: Memory, id: str) -> None:
    """A wrong letter, digest or number gets the same answer as an unknown id."""
    memory.observe("one", role="user")

    with pytest.raises(NotFound):
        memory.run(Show(id=id))


@requirement("ledger:deterministic:heads")
def test_the_same_commands_give_the_same_heads(tmp_path: Path) -> None:
    """Same words, same clock, same chance: the same bytes, salts and secret included."""
    places = [tmp_path / name for name in ("one", "two")]

    for place in places:
        with Memory.open(place, clock=Clock(), entropy=random.Random(3).randbytes) as memory:
            _write_everywhere(memory, "word")

    first, second = (
        [rows(only_file(place), f"SELECT * FROM {table}") for table in LEDGER] for place in places
    )
    assert first == second


@requirement("ledger:values:exact")
@pytest.mark.parametrize(
    "fields",
    [
        {"at": 1.5},
        {"at": 2**53},
        {"lines": (1, 2**53)},
        {"lines": (1.0, 2.0)},
        {"span": (0, 2**53)},
        {"span": (0.5, 1)},
    ],
    ids=str,
)
def test_a_number_that_is_not_kept_exactly_is_refused(
    memory: Memory, directory: Path, fields: dict[str, Any]
) -> None:
    """No float and no integer beyond 2**53 - 1 gets into what is hashed."""
    with pytest.raises(BadInput):
        memory.observe("one", role="user", **fields)

    assert not list(directory.glob("*.muniment"))


@requirement("ledger:values:exact")
def test_json_of_a_caller_is_hashed_as_one_string(memory: Memory, directory: Path) -> None:
    """Its floats and its keys in other scripts stay inside the string; the keys are ours."""
    memory.run(StateSetTo(key="ключ", value={"ключ": 1.5}))
    memory.remember("a", metadata='{"ключ":1.5}')

    held = rows(only_file(directory), "SELECT bytes FROM content ORDER BY place")
    contents = [json.loads(bytes) for (bytes,) in held]

    assert contents[0] == {"key": "ключ", "value": '{"ключ":1.5}'}
    assert contents[1] == {"metadata": '{"ключ":1.5}', "text": "a"}
    for value in (*contents, *headers(only_file(directory))):
        assert all(key.isascii() for key in _keys(value))
        assert not any(isinstance(part, float) for part in _parts(value))


def _write_everywhere(memory: Memory, word: str) -> None:
    """Each kind of event, with `word` wherever a caller may put one."""
    scope = f"{word} scope"
    said = memory.run(
        Observe(
            scope=scope, text=word, role="user", actor=word, thread=word, session=word,
            external_id=word, tags=(word,), collection=word, caption=word, source=word,
        )
    )  # fmt: skip
    held = memory.run(
        Remember(
            scope=scope, text=word, key=word, about=word, metadata=json.dumps({word: word}),
            sources=(Source(id=said.id),), command_key=f"1 {word}",
        )
    )  # fmt: skip
    memory.run(
        Commit(
            scope=scope,
            notes=(Note(text=f"other {word}"), Note(text=f"third {word}")),
            state={word: {word: word}},
            command_key=f"2 {word}",
        )
    )
    memory.run(Retract(scope=scope, id=held.id))
    memory.run(Recall(scope=scope, query=word, thread=word, tags=(word,), record=True))


def _parts(value: Any) -> Iterator[Any]:
    yield value
    if isinstance(value, dict):
        for part in value.values():
            yield from _parts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _parts(part)


def _keys(value: Any) -> Iterator[str]:
    for part in _parts(value):
        if isinstance(part, dict):
            yield from part
