"""Scopes and sameness: no scope learns of another, and the same history gives the same bytes."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from muniment import (
    Around,
    Close,
    Commit,
    History,
    Memory,
    Note,
    Observe,
    Rebuild,
    Recall,
    Remember,
    Retract,
    Show,
    StateGet,
    StateHistory,
    StateSetTo,
    Status,
    Thread,
    Verify,
    Why,
    WhyNot,
    errors,
)  # fmt: skip
from tests.conftest import Clock
from tests.operations.seen import ids
from tests.requirements.marker import requirement

PLACE = re.compile(r"'/[^']*'")
WORDS = ("amber", "lamp", "door", "river", "stone", "图书馆", "дверь", "🎉")


def story(seed: int) -> Iterator[Callable[[str], Any]]:
    """Forty requests to a scope, as functions of its name; the same for the same seed."""
    draw = random.Random(seed)

    def words() -> str:
        return " ".join(draw.choices(WORDS, k=draw.randint(1, 9)))

    for number in range(40):
        said, name, near = words(), f"k{draw.randrange(4)}", f"e{draw.randrange(1, 9)}"
        yield draw.choice([
            lambda scope, t=said, k=name: Observe(text=t, role="user", thread=k, scope=scope),
            lambda scope, t=said, n=number: Observe(text=t, role="tool", external_id=f"x{n % 5}",
                                                    scope=scope),
            lambda scope, t=said, k=name: Remember(text=t, key=k, scope=scope),
            lambda scope, t=said, k=name, n=near: Remember(text=t, key=k, sources=(n,), scope=scope),
            lambda scope, t=said, k=name: Remember(text=t, key=k, kind="task", scope=scope),
            lambda scope, t=said: Commit(notes=(Note(text=t),), state={"s": t}, scope=scope),
            lambda scope, t=said, k=name: StateSetTo(key=k, value=t, scope=scope),
            lambda scope, n=number: Retract(id=f"r{n % 9}", scope=scope),
            lambda scope, n=number: Close(id=f"r{n % 9}", scope=scope),
            lambda scope, t=said: Recall(query=t, record=len(t) % 2 == 0, scope=scope),
        ])  # fmt: skip


def questions(scope: str) -> list[Any]:
    """Everything that can be asked of a scope, also of what is not there."""
    return [
        *(Recall(query=word, policy=policy, items_max=64, history=True, scope=scope)
          for word in (*WORDS, "lamp door", "theirs") for policy in ("balanced", "recent")),
        *(request(id=f"{letter}{number}", scope=scope)
          for letter in "erlqj" for number in (1, 5, 30) for request in (Show, Around)),
        *(request(id=f"e{number}", query="lamp", scope=scope)
          for number in (1, 7) for request in (Why, WhyNot)),
        *(History(key=f"k{number}", scope=scope) for number in range(5)),
        *(Thread(thread=f"k{number}", scope=scope) for number in range(5)),
        *(StateHistory(key=f"k{number}", scope=scope) for number in range(5)),
        StateGet(key="s", scope=scope), Status(scope=scope), Verify(scope=scope),
    ]  # fmt: skip


def told(memory: Memory, request: Any) -> bytes:
    """The bytes of an answer, or all that an error says but for where the memory lies."""
    try:
        return msgspec.json.encode(memory.run(request))
    except errors.MunimentError as error:
        detail = PLACE.sub("here", error.detail)
        return repr((type(error), error.code, error.at, detail)).encode()


@contextmanager
def opened(directory: Path, seed: int) -> Iterator[Memory]:
    """A memory with a clock and chance of its own."""
    with Memory.open(directory, clock=Clock(), entropy=random.Random(seed).randbytes) as memory:
        yield memory


@requirement("recall:isolated:answers", "recall:isolated:ranking")
@pytest.mark.parametrize("seed", range(4))
def test_no_answer_depends_on_another_scope(directory: Path, seed: int) -> None:
    """Promise 7: a scope answers the same bytes, with a busy neighbour and without one."""
    alone, beside = directory / "alone", directory / "beside"
    with (
        opened(alone, seed) as one,
        opened(beside, seed) as two,
        opened(beside, seed + 99) as other,
    ):
        for mine, theirs in zip(story(seed), story(seed + 99), strict=True):
            told(other, theirs("there"))
            told(other, Observe(text="theirs " * 9, role="user", scope="there"))
            assert told(one, mine("here")) == told(two, mine("here"))

        answers = [(told(one, each), told(two, each)) for each in questions("here")]

        assert all(left == right for left, right in answers)
        assert sum(b"NotFound" not in left for left, _ in answers) > 20
        assert not any(b"theirs " in right for _, right in answers)


@requirement("recall:isolated:answers")
def test_no_recall_counts_or_names_anything_of_another_scope(memory: Memory) -> None:
    """Promise 7: what lies elsewhere is neither shown nor left out, and no filter reaches it."""
    for number in range(5):
        memory.observe(f"lamp {number}", role="user", thread="t", tags=("x",), scope="there")
        memory.remember(f"lamp {number}", kind="task", scope="there")
    memory.observe("door", role="user", scope="here")

    for fields in ({}, {"policy": "recent"}, {"thread": "t"}, {"tags": ("x",)}, {"history": True}):
        pack = memory.recall("lamp", scope="here", **fields)
        assert [item.text for item in pack.items if item.text != "door"] == []
        assert pack.suppressed == ()
    assert memory.run(Status(scope="here")).counts == {"experience": 1, "state": 0}
    assert memory.run(Thread(thread="t", scope="here")).items == ()


@requirement("recall:isolated:ranking")
def test_words_of_another_scope_change_no_rank_and_no_score(memory: Memory) -> None:
    """Promise 7: how rare a word is, is counted in the scope alone."""
    for scope in ("alone", "beside"):
        memory.observe("amber amber stone", role="user", scope=scope)
        memory.observe("river stone river", role="user", scope=scope)
        memory.observe("a stone in the stream", role="user", scope=scope)
    for _ in range(50):
        memory.observe("amber", role="user", scope="there")

    packs = [memory.recall("amber river stone", scope=scope) for scope in ("alone", "beside")]

    scores = [[(item.text, item.score_ppm) for item in pack.items] for pack in packs]
    assert scores[0] == scores[1]
    assert len(scores[0]) == 3


@requirement("recall:deterministic:bytes")
@pytest.mark.parametrize("seed", range(3))
def test_the_same_history_gives_the_same_bytes(directory: Path, seed: int) -> None:
    """Promise 9: time and chance are arguments, and nothing else has a say."""
    with opened(directory / "one", seed) as one, opened(directory / "two", seed) as two:
        for each in story(seed):
            assert told(one, each("s")) == told(two, each("s"))

        assert [told(one, each) for each in questions("s")] == [
            told(two, each) for each in questions("s")
        ]


@requirement("recall:deterministic:bytes")
def test_a_rebuild_and_another_opening_change_no_byte_of_an_answer(directory: Path) -> None:
    """Promise 1: the tables are made of the ledger, and made again they are the same."""
    with opened(directory, 1) as memory:
        for each in story(1):
            told(memory, each("s"))
        before = [memory.recall(word, scope="s", as_of=0) for word in WORDS]
        texts = [memory.recall(word, scope="s").text for word in WORDS]
        memory.run(Rebuild(scope="s"))
        after = [memory.recall(word, scope="s", as_of=0) for word in WORDS]

    with opened(directory, 2) as again:
        assert [again.recall(word, scope="s").text for word in WORDS] == texts
    assert after == before
    assert any(ids(pack) for pack in before) or any(texts)


def test_names_of_scopes_that_look_alike_are_different_scopes(memory: Memory) -> None:
    """Promise 7: a file's name is made of the scope's, and no two scopes share a file."""
    names = [
        "a b",
        "a-b",
        "A B",
        "a  b",
        "ä-b",
        "a_b",
        "a/b",
        "../a",
        "a" * 128,
        "日本",
        "日夲",
        ".",
        "-",
    ]

    for number, name in enumerate(names):
        memory.observe(f"number {number}", role="user", scope=name)

    for number, name in enumerate(names):
        pack = memory.recall("number", scope=name)
        assert [item.text for item in pack.items] == [f"number {number}"]
    assert memory.verify(all=True).scopes == len(names)


@pytest.mark.parametrize(
    ("name", "code"),
    [("", "blank_text"), (" ", "blank_text"), ("a" * 129, "too_long"), ("é" * 65, "too_long"),
     ("a\nb", "bad_shape"), ("a\x7f", "bad_shape"), ("a\0b", "bad_encoding"),
     ("\ud800", "bad_encoding")],
    ids=ascii,
)  # fmt: skip
def test_a_scope_has_a_name(memory: Memory, directory: Path, name: str, code: str) -> None:
    """1 to 128 bytes and no control characters; a wrong one makes nothing."""
    for request in (Observe(text="a", role="user", scope=name), Recall(query="a", scope=name)):
        with pytest.raises(errors.BadInput) as caught:
            memory.run(request)
        assert (caught.value.code, caught.value.at) == (code, "scope")
    assert not directory.exists()
