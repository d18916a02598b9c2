"""Ids: an unknown one, a foreign one and a wrong one get the same answer, whoever asks for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from muniment import (
    Around,
    Close,
    Commit,
    Memory,
    Note,
    Recall,
    Retract,
    Show,
    StateHistory,
    StateSetTo,
    Why,
    WhyNot,
    errors,
)  # fmt: skip
from tests.requirements.marker import requirement

# Where an id may be named, and at which field an unknown one is refused.
ASKING: dict[str, tuple[Callable[[Memory, str], object], str]] = {
    "show": (lambda memory, id: memory.run(Show(id=id, scope="here")), "id"),
    "context": (lambda memory, id: memory.run(Around(id=id, scope="here")), "id"),
    "why": (lambda memory, id: memory.run(Why(id=id, query="a", scope="here")), "id"),
    "why-not": (lambda memory, id: memory.run(WhyNot(id=id, query="a", scope="here")), "id"),
    "retract": (lambda memory, id: memory.run(Retract(id=id, scope="here")), "id"),
    "close": (lambda memory, id: memory.run(Close(id=id, scope="here")), "id"),
    "require": (lambda memory, id: memory.run(Recall(query="a", require=(id,), scope="here")),
                "require"),
    "pin": (lambda memory, id: memory.run(Recall(query="a", pin=(id,), scope="here")), "pin"),
    "source": (lambda memory, id: memory.remember("a", sources=(id,), scope="here"), "sources[0]"),
    "note": (lambda memory, id: memory.run(
        Commit(notes=(Note(text="a", sources=(id,)),), scope="here")), "notes[0].sources[0]"),
    "supersedes": (lambda memory, id: memory.remember("a", supersedes=id, scope="here"),
                   "supersedes"),
    "parent": (lambda memory, id: memory.observe("a", role="user", parent=id, scope="here"),
               "parent"),
    "reply_to": (lambda memory, id: memory.observe("a", role="user", reply_to=id, scope="here"),
                 "reply_to"),
    "erase event": (lambda memory, id: memory.erase(event=id, scope="here"), "event"),
    "erase record": (lambda memory, id: memory.erase(record=id, scope="here"), "record"),
}  # fmt: skip

NOTHING = (
    "", "e", "e0", "e9", "r9", "l9", "q9", "x1", "E1", "e1-", "e1-0", "e01", "e1-0123456789abcdef",
    "e9-0123456789abcdef", "e1 ", " e1", "e1\n", "1", "evvvvvvvvvvvvv", "e１", "é1",
    "e1-" + "G" * 16, "default", "r1'; DROP TABLE record; --",
)  # fmt: skip


def answer(memory: Memory, asking: Callable[[Memory, str], object], id: str) -> tuple[object, ...]:
    """All that an error says."""
    with pytest.raises(errors.NotFound) as caught:
        asking(memory, id)
    return (
        type(caught.value),
        caught.value.code,
        caught.value.at,
        caught.value.detail,
        caught.value.args,
    )


@requirement("records:source:foreign", "experience:links:unknown", "recall:isolated:answers")
@pytest.mark.parametrize("way", ASKING)
def test_a_foreign_id_gets_the_answer_of_an_unknown_one(memory: Memory, way: str) -> None:
    """Promise 7: byte for byte the same, before and after the other scope has that id."""
    asking, at = ASKING[way]
    memory.observe("nothing", role="user", scope="here")
    foreign = [
        memory.observe("theirs one", role="user", scope="there").id,
        memory.observe("theirs two", role="user", scope="there").id,
        memory.remember("theirs three", scope="there").id,
    ]
    memory.run(StateSetTo(key="k", value=1, scope="there"))
    foreign.append(memory.run(StateHistory(key="k", scope="there")).items[0].id)

    for id in foreign:
        told = answer(memory, asking, id)
        without = answer(memory, asking, id.replace(id[-4:], "0000"))
        assert told[2] == at
        assert told[3] == str(without[3]).replace(id[:-4] + "0000", id)
        assert told[:3] == without[:3]


@requirement("recall:isolated:answers")
@pytest.mark.parametrize("way", ASKING)
def test_what_is_no_id_is_not_found_like_an_unknown_one(memory: Memory, way: str) -> None:
    """Promise 7: there is one answer for whatever is not here, and it names the field."""
    asking, at = ASKING[way]
    memory.observe("something", role="user", scope="here")

    told = {answer(memory, asking, id)[:3] for id in NOTHING}

    assert told == {(errors.NotFound, "not_found", at)}


def test_the_letter_of_an_id_counts(memory: Memory) -> None:
    """The same place under another letter is another thing, which is not here."""
    id = memory.observe("something", role="user", scope="here").id

    for letter in "rlpqtoj":
        for name in (letter + id[1:], letter + "1"):
            with pytest.raises(errors.NotFound):
                memory.run(Show(id=name, scope="here"))


def test_a_scope_that_is_not_there_is_not_found(memory: Memory) -> None:
    """Reading makes no scope."""
    memory.observe("something", role="user", scope="here")

    for request in (Recall(query="a", scope="there"), Show(id="e1", scope="there"),
                    Retract(id="r1", scope="there"), StateHistory(key="k", scope="there")):  # fmt: skip
        with pytest.raises(errors.NotFound):
            memory.run(request)
    assert memory.verify(all=True).scopes == 1
