"""The door in Python: shortcuts, results with the JSON's keys, and the same awaited."""

from __future__ import annotations

import asyncio
import pickle
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import muniment
from muniment import (
    AsyncMemory,
    Commit,
    Erase,
    History,
    Memory,
    Note,
    Observe,
    Recall,
    Remember,
    Show,
    Source,
    Verify,
    errors,
)
from muniment.model.request import Request
from muniment.operations import OPERATIONS
from tests.conftest import Clock
from tests.docs import shapes
from tests.requirements.marker import requirement

ASKED: list[tuple[str, str, dict[str, Any], Request[Any]]] = [
    ("observe", "The door is red.", {"role": "user", "scope": "s", "actor": "Ann", "at": 1_000},
     Observe(text="The door is red.", role="user", scope="s", actor="Ann", at=1_000)),
    ("remember", "The door is red.", {"scope": "s", "key": "door", "kind": "fact"},
     Remember(text="The door is red.", scope="s", key="door", kind="fact")),
    ("recall", "which door?", {"scope": "s", "bytes_max": 4_096, "items_max": 20},
     Recall(query="which door?", scope="s", bytes_max=4_096, items_max=20)),
    ("history", "door", {"scope": "s"}, History(key="door", scope="s")),
]  # fmt: skip


def twin(directory: Path) -> Memory:
    """A memory whose time and chance are those of every other one made here."""
    counted = iter(range(1, 1_000_000))
    return Memory.open(directory, clock=Clock(), entropy=lambda n: bytes([next(counted) % 251] * n))


@requirement("faces:python:typed")
def test_a_shortcut_is_the_request_with_the_same_keywords(tmp_path: Path) -> None:
    """Two memories that are asked the same, one by shortcut and one by request, answer alike."""
    with twin(tmp_path / "a") as short, twin(tmp_path / "b") as long:
        for name, first, fields, request in ASKED:
            assert getattr(short, name)(first, **fields) == long.run(request)
        assert short.verify(scope="s") == long.run(Verify(scope="s"))
        assert short.erase(scope="s", all=True) == long.run(Erase(scope="s", all=True))


@requirement("faces:python:typed")
def test_a_result_has_the_keys_of_the_json_as_attributes(memory: Memory) -> None:
    """What a script reads in JSON, a program reads as an attribute."""
    memory.observe("The door is red.", role="user")

    pack = memory.recall("door")

    told = msgspec.to_builtins(pack)
    assert all(hasattr(pack, key) for key in told)
    assert pack.items[0].text == told["items"][0]["text"]
    assert pack.bytes_used == len(pack.text.encode()) == told["bytes"]
    assert pack.chosen == pack.items


@pytest.mark.parametrize(
    ("call", "code", "at"),
    [
        (lambda m: m.observe("x", role="king"), "bad_shape", "role"),
        (lambda m: m.observe("x"), "bad_shape", "role"),
        (lambda m: m.observe("x", role="user", mood="good"), "bad_shape", "mood"),
        (lambda m: m.observe("x", role="user", at="2026-01-01"), "bad_time", "at"),
        (lambda m: m.observe("x", role="user", at=True), "bad_shape", "at"),
        (lambda m: m.observe("x", role="user", scope=""), "blank_text", "scope"),
        (lambda m: m.observe("x", role="user", scope=7), "bad_shape", "scope"),
        (lambda m: m.observe("x\0", role="user"), "bad_encoding", "text"),
        (lambda m: m.observe(7, role="user"), "bad_shape", "text"),
        (lambda m: m.remember("x", sources="e1"), "bad_shape", "sources"),
        (lambda m: m.recall("x", items_max=2.5), "bad_shape", "items_max"),
        (lambda m: m.recall("x", tags=["a", 1]), "bad_shape", "tags[1]"),
    ],
)
def test_a_wrong_argument_is_bad_input(
    memory: Memory, call: Callable[[Memory], object], code: str, at: str
) -> None:
    """With the path of the field, and nothing is written."""
    with pytest.raises(errors.BadInput) as found:
        call(memory)

    assert (found.value.code, found.value.at) == (code, at)
    with pytest.raises(errors.NotFound):
        memory.verify()


def test_what_is_no_request_is_bad_input(memory: Memory) -> None:
    """Only what stands in the table runs."""
    with pytest.raises(errors.BadShape):
        memory.run(muniment.Note(text="x"))


@requirement("faces:python:async")
def test_the_same_verbs_can_be_awaited(tmp_path: Path) -> None:
    """Each answers what its twin answers, and the loop is free meanwhile."""

    async def awaited() -> list[object]:
        counted = iter(range(1, 1_000_000))
        settings: dict[str, Any] = {
            "clock": Clock(),
            "entropy": lambda n: bytes([next(counted) % 251] * n),
        }
        async with AsyncMemory.open(tmp_path / "a", **settings) as memory:
            answers = [await getattr(memory, name)(first, **f) for name, first, f, _ in ASKED]
            answers.append(await memory.verify(scope="s"))
            answers.append(await memory.erase(scope="s", all=True))
            answers.append(await memory.run(History(key="door", scope="s")))
        return answers

    with twin(tmp_path / "b") as memory:
        expected: list[object] = [getattr(memory, name)(first, **f) for name, first, f, _ in ASKED]
        expected += [memory.verify(scope="s"), memory.erase(scope="s", all=True)]
        expected.append(memory.run(History(key="door", scope="s")))

    assert asyncio.run(awaited()) == expected


@requirement("faces:python:async")
def test_many_may_be_awaited_together(tmp_path: Path) -> None:
    """None is lost, none waits for ever, and an error comes to whoever awaits it."""

    async def together() -> tuple[list[Any], Any]:
        async with AsyncMemory.open(tmp_path) as memory:
            seen = await asyncio.gather(
                *(memory.observe(f"Door {n}.", role="user", scope="s") for n in range(40))
            )
            lost = await asyncio.gather(memory.recall("x", scope="t"), return_exceptions=True)
            return seen, lost[0]

    seen, lost = asyncio.run(together())

    assert sorted(each.seq for each in seen) == list(range(1, 41))
    assert isinstance(lost, errors.NotFound)


def test_a_memory_serves_several_threads(memory: Memory) -> None:
    """One may be shared."""
    threads = [
        threading.Thread(target=memory.observe, args=(f"Door {n}.",), kwargs={"role": "user"})
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert memory.verify().events == 8


@requirement("faces:python:one-file")
def test_a_file_is_its_scope(memory: Memory, directory: Path) -> None:
    """Opened alone it needs no name, takes its own, and refuses another's."""
    memory.observe("The door is red.", role="user", scope="home")
    (file,) = directory.glob("*.muniment")

    with Memory.open(file) as alone:
        assert alone.recall("door").items == alone.recall("door", scope="home").items
        for call in (alone.recall, alone.remember):
            with pytest.raises(errors.NotFound):
                call("door", scope="work")
    assert list(directory.glob("*.muniment")) == [file]


@requirement("faces:python:one-file")
def test_a_file_that_is_not_there_yet_is_made(tmp_path: Path) -> None:
    """A path that ends in `.muniment` is one scope's file from the first write on."""
    file = tmp_path / "diary.muniment"

    with Memory.open(file) as alone:
        alone.observe("The door is red.", role="user", scope="diary")

    with Memory.open(file) as again:
        assert again.recall("door").items
        with pytest.raises(errors.NotFound):
            again.recall("door", scope="other")


def test_what_is_closed_stays_closed(memory: Memory) -> None:
    """A second close does nothing; a call says so."""
    memory.close()
    memory.close()

    with pytest.raises(errors.Closed):
        memory.observe("x", role="user")


def test_each_public_name_is_there() -> None:
    """What `__all__` promises."""
    assert sorted(set(muniment.__all__)) == sorted(muniment.__all__)
    assert [name for name in muniment.__all__ if not hasattr(muniment, name)] == []


@requirement("faces:python:opened")
@pytest.mark.parametrize("door", [Memory, AsyncMemory])
@pytest.mark.parametrize("given", ["memory/", Path("memory"), None])
def test_a_memory_is_opened_and_not_made(tmp_path: Path, door: Any, given: object) -> None:
    """A path given to the class is told the way in; nothing is made on disk."""
    with pytest.raises(errors.BadShape) as refused:
        door(given)

    assert refused.value.at == "path"
    assert f"{door.__name__}.open(path)" in refused.value.detail
    assert list(tmp_path.iterdir()) == []


@requirement("faces:python:answers")
def test_the_type_of_every_answer_can_be_imported() -> None:
    """So that a caller can name what it got; a new operation brings its own."""
    for operation in OPERATIONS:
        answer = shapes.result(operation)
        for kind in (answer, *shapes.structs(answer)):
            assert getattr(muniment, kind.__name__) is kind
            assert kind.__name__ in muniment.__all__


@requirement("faces:python:answer-for-id")
def test_an_answer_in_the_place_of_its_id_is_told_to_give_that(memory: Memory) -> None:
    """One thing, a list, a note of a commit; with the id it works."""
    seen: Any = memory.observe("The door is red.", role="user")
    kept: Any = memory.remember("The door is red.", sources=[seen.id])
    item: Any = memory.run(Show(id=kept.id)).items[0]

    for asked, at in (
        (Remember(text="x", sources=[seen]), "sources[0]"),
        (Remember(text="x", sources=(seen.id, kept)), "sources[1]"),
        (Remember(text="x", supersedes=item), "supersedes"),
        (Commit(notes=(Note(text="x", sources=(seen,)),)), "notes[0].sources[0]"),
        (Show(id=seen), "id"),
        (Recall(query="x", require=(item,)), "require[0]"),
        (Erase(event=seen), "event"),
    ):
        with pytest.raises(errors.BadShape) as refused:
            memory.run(asked)
        assert (refused.value.at, ".id" in refused.value.detail) == (at, True)
    assert memory.remember("y", sources=[Source(id=seen.id)]).supersedes is None


@requirement("faces:errors:text")
def test_the_text_of_an_error_says_its_place(tmp_path: Path) -> None:
    """In a traceback or a log nothing else is seen of it; what a program reads stays as it is."""
    with Memory.open(tmp_path / "memory") as memory:
        for place, call in (
            ("sources[1]", lambda: memory.remember("x", sources=("e1", 7))),
            ("tags", lambda: memory.observe("x", role="user", tags="a")),
            ("text", lambda: memory.observe(" ", role="user")),
        ):
            with pytest.raises(errors.MunimentError) as told:
                call()
            found = told.value
            assert (found.at, str(found)) == (place, f"{place}: {found.detail}")
            assert str(pickle.loads(pickle.dumps(found))) == str(found)

    with pytest.raises(errors.Closed) as closed:
        memory.observe("x", role="user")
    assert str(closed.value) == closed.value.detail
