"""A note kept elsewhere: whether the file goes on from there, or tells another history."""

from __future__ import annotations

import itertools
import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from muniment import Checkpoint, Erase, Memory, Recall, Verify
from muniment.errors import BadFile, BadJson, BadShape, MunimentError, TooLong
from muniment.model.integrity import Depth, Verified
from tests.requirements.marker import requirement
from tests.store.files import change, headers, only_file

WORDS = [f"word number {number}" for number in range(5)]


def write(directory: Path, words: list[str]) -> None:
    """A scope with these words, made with the same clock and chance each time."""
    looks = itertools.count(1_000_000)
    with Memory.open(
        directory, clock=lambda: next(looks), entropy=random.Random(1).randbytes
    ) as memory:
        for word in words:
            memory.observe(word, role="user")


def checkpoint(directory: Path, note: Path) -> None:
    """A note of both heads as they are now."""
    with Memory.open(directory) as memory:
        memory.run(Checkpoint(out=str(note)))


def compared(directory: Path, note: Path) -> Verified:
    """What verify says against a note."""
    with Memory.open(directory) as memory:
        return memory.run(Verify(checkpoint=str(note)))


def codes(found: Verified) -> set[str]:
    """The codes of the faults."""
    return {fault.code for fault in found.faults}


def test_a_note_holds_where_both_chains_stand(place: Path) -> None:
    """Head, height and count of each, and the scope's own id; nothing that anybody said."""
    write(place / "memory", WORDS)
    with Memory.open(place / "memory") as memory:
        memory.run(Recall(query="number", record=True))
        answer = memory.run(Checkpoint(out=str(place / "note")))

    note = json.loads((place / "note").read_text())

    path = only_file(place / "memory")
    memory_chain, journal = headers(path), headers(path, "j")
    assert note["memory"] == {"head": memory_chain[-1]["hash"], "height": 5, "seq": 5}
    assert note["journal"] == {"head": journal[-1]["hash"], "height": 1, "seq": 1}
    assert (note["scope"], answer.head) == (memory_chain[0]["scope"], memory_chain[-1]["hash"])


@requirement("ledger:checkpoint:rewritten")
def test_a_chain_that_only_grew_is_no_fault(place: Path) -> None:
    """Writes, receipts, an erasure and a rebuild go on from where the note was taken."""
    write(place / "memory", WORDS)
    checkpoint(place / "memory", place / "note")

    with Memory.open(place / "memory") as memory:
        said = memory.observe("more", role="user")
        memory.run(Recall(query="number", record=True))
        planned = memory.run(Erase(event=said.id))
        memory.run(Erase(event=said.id, confirm=planned.token))

    found = compared(place / "memory", place / "note")
    assert (found.ok, found.faults) == (True, ())
    assert "outside checkpoint" not in found.not_checked


@requirement("ledger:checkpoint:rewritten")
@pytest.mark.parametrize("cut", [1, 2, 5])
def test_a_chain_that_was_cut_short_is_found(place: Path, cut: int) -> None:
    """The shorter file verifies by itself; only the note knows of more."""
    write(place / "memory", WORDS)
    checkpoint(place / "memory", place / "note")
    shutil.rmtree(place / "memory")
    write(place / "memory", WORDS[:-cut])
    if cut == len(WORDS):
        write(place / "memory", ["x"])

    with Memory.open(place / "memory") as memory:
        assert memory.verify().ok
    found = compared(place / "memory", place / "note")

    assert "checkpoint_ahead" in codes(found)
    assert {(fault.chain, fault.seq) for fault in found.faults} == {("m", 5)}


@requirement("ledger:checkpoint:rewritten")
@pytest.mark.parametrize("at", [0, 4])
def test_another_history_with_hashes_that_fit_is_found(place: Path, at: int) -> None:
    """Same scope, same secret, one word changed and everything behind it hashed again."""
    write(place / "memory", WORDS)
    checkpoint(place / "memory", place / "note")
    shutil.rmtree(place / "memory")
    write(place / "memory", [*WORDS[:at], "something else", *WORDS[at + 1 :], "and more"])

    with Memory.open(place / "memory") as memory:
        assert memory.verify().ok
    found = compared(place / "memory", place / "note")

    assert codes(found) == {"checkpoint_differs"}
    assert found.faults[0].seq == 5


@requirement("ledger:checkpoint:rewritten")
def test_a_journal_that_was_cut_short_is_found(place: Path) -> None:
    """The note pins both chains: a receipt cannot be made to disappear."""
    write(place / "memory", WORDS)
    with Memory.open(place / "memory") as memory:
        memory.run(Recall(query="number", record=True))
    checkpoint(place / "memory", place / "note")
    path = only_file(place / "memory")
    change(path, "DELETE FROM commits WHERE chain = 'j' AND height = 1")
    change(path, "DELETE FROM content WHERE place = -1")
    with Memory.open(place / "memory") as memory:
        assert memory.verify(depth="content").ok

    found = compared(place / "memory", place / "note")

    assert ("checkpoint_ahead", "j") in {(fault.code, fault.chain) for fault in found.faults}


def test_the_note_of_another_scope_is_a_fault(place: Path) -> None:
    """A file that was exchanged for another scope's is not taken for its continuation."""
    with Memory.open(place / "other") as memory:
        memory.observe("other", role="user")
    checkpoint(place / "other", place / "note")
    write(place / "memory", WORDS)

    assert "checkpoint_scope_differs" in codes(compared(place / "memory", place / "note"))


@pytest.mark.parametrize(
    ("spoil", "error"),
    [
        (lambda note: note.unlink(), BadFile),
        (lambda note: note.write_bytes(b"\xff\xfe"), BadJson),
        (lambda note: note.write_text("[]"), BadShape),
        (lambda note: note.write_text('{"muniment_checkpoint": 1}'), BadShape),
    ],
    ids=["missing", "no text", "no object", "half"],
)
def test_a_note_that_cannot_be_read_proves_nothing(
    place: Path, spoil: Callable[[Path], object], error: type[MunimentError]
) -> None:
    """It is bad input, and not a fault of the file."""
    write(place / "memory", WORDS)
    checkpoint(place / "memory", place / "note")
    spoil(place / "note")

    with pytest.raises(error):
        compared(place / "memory", place / "note")


def test_a_note_never_takes_the_place_of_another(place: Path) -> None:
    """The older note is the evidence: it stays, and the caller is told."""
    write(place / "memory", WORDS)
    checkpoint(place / "memory", place / "note")
    before = (place / "note").read_bytes()

    with pytest.raises(BadFile):
        checkpoint(place / "memory", place / "note")

    assert (place / "note").read_bytes() == before


def news(path: Path, note: Path, depth: Depth) -> Verified:
    """What verify says of what came after a note."""
    with Memory.open(path) as memory:
        return memory.verify(checkpoint=str(note), new=True, depth=depth)


@pytest.fixture
def going_on(place: Path) -> tuple[Path, Path]:
    """A scope that went on after a note was made of it, and the note."""
    directory, note = place / "memory", place / "note"
    write(directory, WORDS)
    with Memory.open(directory) as memory:
        first = memory.run(Recall(query="number", record=True))
        memory.run(Checkpoint(out=str(note)))
        memory.remember("Five words.", key="words", sources=["e1", "e2"], receipt=first.receipt)
        memory.run(Recall(query="words", record=True))
        memory.remember("Still five.", key="words", sources=["e3"])
        plan = memory.erase(event="e4")
        memory.erase(event="e4", confirm=plan.token)
        memory.observe("And one more.", role="user")
    return only_file(directory), note


@requirement("ledger:verify:new")
@pytest.mark.parametrize("depth", ["chain", "content"])
def test_what_came_after_a_note_is_checked_alone(going_on: tuple[Path, Path], depth: Depth) -> None:
    """Citations of what came before, holes in it and receipts of it all hold."""
    found = news(*going_on, depth)

    assert (found.ok, found.faults) == (True, ())
    assert "what came before the checkpoint" in found.not_checked
    assert found.events == 9


@requirement("ledger:verify:new")
@pytest.mark.parametrize("depth", ["chain", "content"])
def test_a_fault_is_found_behind_the_note_and_not_before_it(
    going_on: tuple[Path, Path], depth: Depth
) -> None:
    """What was changed before the note is for a check of everything."""
    path, note = going_on
    change(path, "UPDATE commits SET header = x'00' WHERE chain = 'm' AND seq = 2")
    before = news(path, note, depth)
    change(path, "UPDATE commits SET hash = zeroblob(32) WHERE chain = 'm' AND seq = 7")
    after = news(path, note, depth)

    assert before.ok
    assert ("hash_differs", 7) in {(fault.code, fault.seq) for fault in after.faults}
    assert not compared(path, note).ok


@requirement("ledger:verify:new")
@pytest.mark.parametrize(
    ("damage", "code"),
    [
        ("UPDATE content SET bytes = x'00' WHERE place = 9", "content_differs"),
        ("DELETE FROM content WHERE place = 9", "content_missing"),
        (
            "INSERT INTO content (scope, place, salt, bytes) VALUES (1, 4, x'00', x'00')",
            "erased_content_present",
        ),
        (
            "INSERT INTO content (scope, place, salt, bytes) VALUES (1, 99, x'00', x'00')",
            "content_stray",
        ),
    ],
)
def test_a_content_behind_the_note_is_checked(
    going_on: tuple[Path, Path], damage: str, code: str
) -> None:
    """Also one before it that an erasure took since."""
    path, note = going_on
    change(path, damage)

    assert codes(news(path, note, "content")) == {code}


@requirement("ledger:verify:new")
def test_another_history_has_nothing_new(going_on: tuple[Path, Path], place: Path) -> None:
    """A file that does not go on from the note is told so, and by nothing else."""
    _, note = going_on
    write(place / "other", [*WORDS[:3], "something else", *WORDS[4:], *WORDS])

    found = news(only_file(place / "other"), note, "chain")

    assert codes(found) <= {"checkpoint_differs", "checkpoint_ahead", "checkpoint_scope_differs"}
    assert not found.ok


@requirement("ledger:verify:new")
@pytest.mark.parametrize(
    ("fields", "at"),
    [({"depth": "chain"}, "checkpoint"), ({"checkpoint": "note", "depth": "full"}, "depth")],
)
def test_what_is_new_is_asked_for_with_a_note_and_a_depth(
    going_on: tuple[Path, Path], place: Path, fields: dict[str, Any], at: str
) -> None:
    """Derived tables cannot be folded from the middle."""
    if "checkpoint" in fields:
        fields = {**fields, "checkpoint": str(place / "note")}
    with Memory.open(going_on[0]) as memory, pytest.raises(BadShape) as raised:
        memory.verify(new=True, **fields)

    assert raised.value.at == at


@requirement("ledger:checkpoint:all-scopes")
def test_among_all_scopes_a_note_is_held_against_its_own(place: Path) -> None:
    """The others are checked without it; a note of none of them is bad input."""
    with Memory.open(place / "memory") as memory:
        for scope in ("north", "south"):
            memory.observe("first", role="user", scope=scope)
        memory.run(Checkpoint(scope="north", out=str(place / "note")))
    with Memory.open(place / "other") as memory:
        memory.observe("first", role="user")
        memory.run(Checkpoint(out=str(place / "other note")))

    with Memory.open(place / "memory") as memory:
        found = memory.verify(all=True, checkpoint=str(place / "note"))
        with pytest.raises(BadShape) as raised:
            memory.verify(all=True, checkpoint=str(place / "other note"))

    assert (found.ok, found.scopes) == (True, 2)
    assert raised.value.at == "checkpoint"


@requirement("ledger:checkpoint:note")
@pytest.mark.parametrize(
    ("held", "error"),
    [
        ('"muniment_checkpoint": 2', BadShape),
        ("x" * 70_000, TooLong),
    ],
)
def test_a_note_that_is_none_of_ours_is_refused(
    going_on: tuple[Path, Path], held: str, error: type[MunimentError]
) -> None:
    """One of a later version, and one that has no end."""
    path, note = going_on
    text = note.read_text().replace('"muniment_checkpoint":1', held)
    note.write_text(text if error is BadShape else held)

    with Memory.open(path) as memory, pytest.raises(error) as raised:
        memory.verify(checkpoint=str(note))

    assert raised.value.at == "checkpoint"


@requirement("ledger:checkpoint:note")
def test_a_note_is_a_file(going_on: tuple[Path, Path], place: Path) -> None:
    """A pipe that nobody writes to is not waited for."""
    os.mkfifo(place / "pipe")

    with Memory.open(going_on[0]) as memory, pytest.raises(BadFile):
        memory.verify(checkpoint=str(place / "pipe"))
