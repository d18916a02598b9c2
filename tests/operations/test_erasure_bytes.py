"""Erasure: no byte of what was erased is left in any file, and nothing brings it back."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from muniment import (
    Commit,
    Import,
    Memory,
    Note,
    Rebuild,
    Recall,
    Remember,
    StateHistory,
    StateSetTo,
)  # fmt: skip
from tests.conftest import Clock
from tests.operations.seen import canary, erased, found, shown, traces
from tests.requirements.marker import requirement

NAMES = ("text", "actor", "thread", "session", "external", "tag", "collection", "caption", "source",
         "key", "about", "metadata", "state", "value", "question", "scope", "task", "room",
         "reader")  # fmt: skip
WORD = {name: canary(number) for number, name in enumerate(NAMES)}
COMMAND = canary(99)


def neighbours(memory: Memory, tmp_path: Path, seed: int) -> None:
    """Hundreds of rows of many sizes, whose words and names stand around any other's.

    So many names that the pages which hold them are split: what is moved leaves a copy behind.
    """
    draw = random.Random(seed)

    def name() -> str:
        return canary(draw.randrange(10_000, 60_000))

    lines = [
        {
            "role": "user",
            "text": " ".join(canary(draw.randrange(10_000, 60_000), draw.randint(3, 12))
                             for _ in range(draw.choice((3, 9, 40, 120)))),
            "thread": name(), "session": name(), "tags": [name() for _ in range(3)],
            "id": f"{seed}.{number}",
        }
        for number in range(200)
    ]  # fmt: skip
    file = tmp_path / f"neighbours {seed}.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert memory.run(Import(file=str(file))).imported == 200
    for number in range(20):
        memory.remember(
            f"neighbour {seed} {number} " + "of some length " * number, key=f"n{number}"
        )


def say(memory: Memory, scope: str | None = None) -> str:
    """An event with a word of its own in every place that a caller may fill."""
    return memory.observe(
        f"Before {WORD['text']} after. " + f"And {WORD['text']}. " * 150,
        role="user", scope=scope, actor=WORD["actor"], thread=WORD["thread"],
        session=WORD["session"], external_id=WORD["external"], tags=(WORD["tag"], "plain"),
        collection=WORD["collection"], caption=WORD["caption"], source=WORD["source"],
    ).id  # fmt: skip


def hold(memory: Memory, scope: str | None = None) -> str:
    """A record with a word of its own in every place, and an earlier version of it."""
    fields: dict[str, Any] = {"key": WORD["key"], "about": WORD["about"], "scope": scope}
    memory.remember(f"At first {WORD['text']}.", command_key=COMMAND, **fields)
    metadata = json.dumps({WORD["metadata"]: WORD["metadata"]})
    return memory.remember(f"Then {WORD['text'].upper()}s.", metadata=metadata, **fields).id


def put(memory: Memory, scope: str | None = None) -> str:
    """A state value with a word in its key and one in its value, and an earlier one."""
    for value in ({WORD["value"]: 1}, [WORD["value"].title()]):
        memory.run(StateSetTo(key=WORD["state"], value=value, scope=scope, command_key=None))
    return memory.run(StateHistory(key=WORD["state"], scope=scope)).items[-1].id


def keep(memory: Memory, scope: str | None = None) -> str:
    """A record for one task that a room may see, and an earlier version of it."""
    fields: dict[str, Any] = {"key": "kept", "task": WORD["task"], "scope": scope}
    for text in ("At first.", "Then."):
        last = memory.remember(text, visibility="room", room=WORD["room"], **fields)
    return last.id


def keep_for_one(memory: Memory, scope: str | None = None) -> str:
    """The same for one reader."""
    fields: dict[str, Any] = {"key": "mine", "task": WORD["task"], "scope": scope}
    for text in ("At first.", "Then."):
        last = memory.remember(text, visibility="private", reader=WORD["reader"], **fields)
    return last.id


CASES: dict[str, tuple[Callable[[Memory], str], str, tuple[str, ...]]] = {
    "event": (say, "event", NAMES[:9]),
    "record": (hold, "record", ("text", "key", "about", "metadata")),
    "state": (put, "record", ("state", "value")),
    "kept": (keep, "record", ("task", "room")),
    "kept for one": (keep_for_one, "record", ("task", "reader")),
}


def assert_gone(directory: Path, *words: str) -> None:
    """No piece of these words stands in any file's bytes or name."""
    assert traces(directory, *words, COMMAND) == []


@requirement("erasure:bytes:gone", "erasure:return:rebuild", "contextual:record:erased")
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("crowded", [False, True])
def test_no_byte_of_what_was_erased_is_left(
    memory: Memory, directory: Path, tmp_path: Path, clock: Clock, case: str, crowded: bool
) -> None:
    """Promise 8: database, text index, write-ahead log and file names, also after a rebuild."""
    write, named, places = CASES[case]
    words = [WORD[place] for place in places]
    if crowded:
        neighbours(memory, tmp_path, 1)
    id = write(memory)
    if crowded:
        neighbours(memory, tmp_path, 2)
    memory.recall(
        WORD["text"], record=True, collection=WORD["collection"] if case == "event" else None
    )
    assert all(traces(directory, word) for word in words)

    erased(memory, **{named: id})

    assert_gone(directory, *words)
    assert memory.verify().faults == ()
    memory.run(Rebuild())
    assert_gone(directory, *words)
    memory.remember("Life goes on.")
    memory.close()
    assert_gone(directory, *words)
    with Memory.open(directory, clock=clock) as again:
        assert again.verify().erased >= 1
        assert shown(again, id).standing == "erased"
        assert found(again, " ".join(words), history=True) == []
    assert_gone(directory, *words)


@requirement("erasure:bytes:gone", "erasure:target:scope")
@pytest.mark.parametrize("remove", [False, True])
def test_no_byte_of_an_erased_scope_is_left(memory: Memory, directory: Path, remove: bool) -> None:
    """Promise 8: every word of every kind, questions and the scope's own name too."""
    scope = WORD["scope"].title()
    for write in (say, hold, put, keep, keep_for_one):
        write(memory, scope)
    memory.recall(f"{WORD['question']} before", record=True, scope=scope)
    words = list(WORD.values())
    assert all(traces(directory, word) for word in words)

    erased(memory, scope, all=True, remove_file=remove)

    assert_gone(directory, *words)
    if not remove:
        assert memory.verify(scope=scope).ok
        assert_gone(directory, *words)
        memory.close()
    assert_gone(directory, *words)


@requirement("erasure:bytes:gone")
def test_a_question_about_what_was_erased_goes_with_it(memory: Memory, directory: Path) -> None:
    """Promise 8: a receipt that speaks of it holds the asker's words, which tell of it."""
    id = memory.observe(f"The word is {WORD['text']}.", role="user").id
    memory.run(Recall(query=f"{WORD['text']} {WORD['question']}", record=True))
    assert traces(directory, WORD["question"])

    erased(memory, event=id)

    assert_gone(directory, WORD["text"], WORD["question"])


@requirement("erasure:bytes:gone")
def test_what_follows_goes_without_a_trace_too(memory: Memory, directory: Path) -> None:
    """Promise 8: dependents are erased as thoroughly as what they rest on."""
    id = memory.observe(f"The word of the day is {WORD['text']}.", role="user").id
    memory.remember(
        f"{WORD['about']}: the word of the day is {WORD['text']}.",
        key=WORD["key"], kind="task", sources=(id,),
    )  # fmt: skip
    memory.remember(WORD["value"], kind="summary", sources=(id,), covers=(id,))

    erased(memory, event=id)

    assert_gone(directory, WORD["text"], WORD["about"], WORD["key"], WORD["value"])


@requirement("erasure:bytes:gone")
@pytest.mark.parametrize("text", ["彁墸妛挧暃椦槞蟐袮", "жщъыэюяђѓ", "🜁🜂🜃🜄🝆🝇🝈"])
def test_words_of_other_scripts_leave_no_trace_either(
    memory: Memory, directory: Path, text: str
) -> None:
    """Promise 8: letter by letter, as the index takes them apart."""
    memory.observe("Before.", role="user")
    id = memory.observe(f"{text} {text}", role="user").id
    memory.observe("After.", role="user")

    erased(memory, event=id)

    held = b"".join(path.read_bytes() for path in directory.iterdir())
    letters = [letter.encode() for letter in text]
    assert [letter for letter in letters if len(letter) > 2 and letter in held] == []
    assert text.encode() not in held


@requirement("erasure:return:import")
def test_taking_it_in_again_brings_nothing_back(memory: Memory, directory: Path) -> None:
    """Promise 8: the same message is recognised by its external id, and stores nothing."""
    id = say(memory)
    erased(memory, event=id)
    head = memory.verify().head

    again = memory.observe(
        f"Before {WORD['text']} after, or anything else.",
        role="assistant", external_id=WORD["external"],
    )  # fmt: skip

    assert (again.known, again.standing, again.id) == (True, "erased", id)
    assert memory.verify().head == head
    assert_gone(directory, *(WORD[place] for place in NAMES[:9]))


@requirement("erasure:return:import")
@pytest.mark.parametrize("with_ids", [True, False])
def test_importing_the_file_again_brings_nothing_back(
    memory: Memory, directory: Path, tmp_path: Path, with_ids: bool
) -> None:
    """Promise 8: also a message that has no id of its own is known by what it said."""
    said = [f"line {number}" for number in range(40)]
    said[20] = f"line with {WORD['text']}"
    lines = [
        {"role": "user", "text": text, "thread": "t", "at": number, "actor": WORD["actor"]}
        | ({"id": f"m{number}"} if with_ids else {})
        for number, text in enumerate(said)
    ]
    file = tmp_path / "said.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    memory.run(Import(file=str(file)))
    erased(memory, event=found(memory, WORD["text"])[0])

    again = memory.run(Import(file=str(file)))

    assert (again.imported, again.skipped, again.failed) == (0, 40, ())
    assert found(memory, WORD["text"]) == []
    assert_gone(directory, WORD["text"])
    erased(memory, source="said.jsonl")
    assert memory.run(Import(file=str(file))).skipped == 40
    assert_gone(directory, WORD["text"], WORD["actor"])


@requirement("erasure:return:command-key")
@pytest.mark.parametrize("other", [False, True])
def test_a_command_key_brings_nothing_back(memory: Memory, directory: Path, other: bool) -> None:
    """Promise 8: the same command, or any other with its key, stores nothing."""
    id = hold(memory)
    erased(memory, record=id)
    text = "Something else." if other else f"At first {WORD['text']}."
    request = Remember(text=text, key=WORD["key"], about=WORD["about"], command_key=COMMAND)

    again = memory.run(request)

    assert again.known
    assert shown(memory, again.id).standing == "erased"
    assert found(memory, text, history=True) == []
    assert_gone(directory, WORD["text"], WORD["key"], WORD["about"])


@requirement("erasure:return:command-key")
def test_one_record_of_a_command_is_erased_and_the_others_stand(
    memory: Memory, directory: Path
) -> None:
    """Promise 8: what was answered then is answered again, without the words that are gone."""
    request = Commit(
        notes=(Note(text="Stays."), Note(text=f"Goes: {WORD['text']}."), Note(text="Stays too.")),
        state={"stays": 1},
        command_key=COMMAND,
    )
    first = memory.run(request)
    erased(memory, record=first.records[1].id)

    again = memory.run(request)

    assert [each.id for each in again.records] == [each.id for each in first.records]
    assert [shown(memory, each.id).standing for each in again.records] == [
        "current", "erased", "current",
    ]  # fmt: skip
    assert_gone(directory, WORD["text"])


@requirement("erasure:return:command-key")
@pytest.mark.parametrize("guess", ["The code is 7731.", "The code is 7732."])
def test_a_command_key_does_not_tell_a_right_guess_from_a_wrong_one(
    memory: Memory, guess: str
) -> None:
    """Promise 8: what is left of a command says nothing of the part that was erased."""
    notes = (Note(text="Stays."), Note(text="The code is 7731."))
    first = memory.run(Commit(notes=notes, command_key=COMMAND))
    erased(memory, record=first.records[1].id)

    again = memory.run(Commit(notes=(notes[0], Note(text=guess)), command_key=COMMAND))

    assert again.known
    assert [each.id for each in again.records] == [each.id for each in first.records]


@requirement("erasure:bytes:command")
@pytest.mark.parametrize("standing", [False, True])
def test_no_digest_of_a_command_outlives_what_it_said(
    memory: Memory, directory: Path, standing: bool
) -> None:
    """Promise 8: who has the file cannot try guesses against a digest of the whole command."""
    notes = (Note(text="Stays."), Note(text="The code is 7731."))
    if standing:
        memory.run(Commit(notes=notes))
    written = memory.run(Commit(notes=notes, command_key=COMMAND))
    kept = b"".join(path.read_bytes() for path in directory.iterdir())
    assert b'{"request":"' in kept

    plan = memory.erase(record=written.records[1].id)
    erased(memory, record=written.records[1].id)

    left = b"".join(path.read_bytes() for path in directory.iterdir())
    assert [(each.kind, each.follows, each.reason) for each in plan.dependents] == [
        ("command", True, "same_command")
    ]
    assert b'{"request":"' not in left
    assert memory.verify().faults == ()
    assert memory.verify().erased == 2


@requirement("erasure:return:command-key")
def test_a_command_that_found_everything_standing_is_recognised_too(memory: Memory) -> None:
    """Promise 8: it wrote nothing, and its key still stands for what is erased by now."""
    stood = memory.remember("Forget me.")
    memory.remember("Forget me.", command_key=COMMAND)
    erased(memory, record=stood.id)

    again = memory.remember("Anything.", command_key=COMMAND)

    assert (again.known, again.id) == (True, stood.id)
    assert shown(memory, again.id).standing == "erased"
    assert found(memory, "anything") == []


@requirement("erasure:return:rebuild")
def test_tables_after_an_erasure_equal_tables_made_again(memory: Memory, tmp_path: Path) -> None:
    """Promise 1: an erasure leaves what a rebuild over the hole would make, row by row."""
    neighbours(memory, tmp_path, 1)
    for write in (say, hold, put, keep, keep_for_one):
        write(memory)
    for asked in ({"event": found(memory, WORD["text"], collection=WORD["collection"])[0]},
                  {"record": memory.history(WORD["key"]).items[0].id},
                  {"source": "neighbours 1.jsonl"}):  # fmt: skip
        erased(memory, **asked)

        before = memory.verify()
        made = memory.run(Rebuild()).rebuilt
        after = memory.verify()

        assert before.faults == after.faults == ()
        assert before.erased == after.erased > 0
        assert made["experience"] == 201


def test_what_a_killed_maker_left_goes_with_an_erasure(memory: Memory, directory: Path) -> None:
    """Half a file beside the scope's own may hold the words that it was to begin with."""
    said = memory.observe(WORD["text"], role="user").id
    (path,) = directory.glob("*.muniment")
    for end in (".new", ".new-wal"):
        path.with_name(path.name + end).write_bytes(WORD["text"].encode())

    assert not erased(memory, event=said).pending

    memory.close()
    assert not [each for each in directory.iterdir() if WORD["text"].encode() in each.read_bytes()]
