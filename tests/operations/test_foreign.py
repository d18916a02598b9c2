"""What callers bring along: models, scorers, clocks; nothing they do leaves anything half done."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from muniment import Embed, Memory, Status, WhyNot, errors
from tests.operations.seen import ids
from tests.requirements.marker import requirement


class Odd:
    """A model that does as a test says once it is `broken`."""

    name, dimension = "odd", 2

    def __init__(self, does: Callable[[Sequence[str]], Any]) -> None:
        self.broken = True
        self.does = does

    def embed(self, texts: Sequence[str]) -> Any:
        """The same vector for every text, or what the test says."""
        return self.does(texts) if self.broken else [[1.0, 0.0]] * len(texts)


def raising(error: Exception) -> Callable[[Sequence[str]], Any]:
    """A model that raises this."""

    def does(_: Sequence[str]) -> Any:
        raise error

    return does


def late(_: Sequence[str]) -> Iterator[list[float]]:
    """A generator that breaks off while it is read."""
    yield [1.0, 0.0]
    raise ValueError("late")


WRONG: list[Callable[[Sequence[str]], Any]] = [
    raising(ConnectionError("refused")),
    raising(ValueError("no")),
    raising(MemoryError()),
    raising(errors.BadShape("its own", at="there")),
    late,
    lambda _: None,
    lambda texts: [None] * len(texts),
    lambda texts: [["a", "b"]] * len(texts),
    lambda texts: [[0.0, 0.0]] * len(texts),
    lambda texts: [[float("nan"), 1.0]] * len(texts),
    lambda texts: [[1e300, 1.0]] * len(texts),
    lambda texts: [[1e-300, 0.0]] * len(texts),
    lambda texts: [[1.0]] * len(texts),
    lambda texts: [[1.0, 0.0]] * (len(texts) + 1),
]


@requirement("vectors:embedder:foreign")
@pytest.mark.parametrize("does", WRONG)
def test_whatever_a_model_does_wrong_is_one_error(directory: Path, does: Any) -> None:
    """Wherever it is called; `at` names the model, and nothing is stored of it."""
    model = Odd(does)
    with Memory.open(directory, embedder=model) as memory:
        heron = memory.observe("A heron.", role="user").id
        with pytest.raises(errors.EmbedderUnavailable) as refused:
            memory.run(Embed())
        assert (refused.value.at, memory.run(Status()).vectors) == ("embedder", ())
        model.broken = False
        memory.run(Embed())
        model.broken = True

        for ask in (
            lambda: memory.recall("what flies?", policy="hybrid", record=True),
            lambda: memory.recall("what flies?", policy="semantic"),
            lambda: memory.run(WhyNot(id=heron, query="what flies?", policy="hybrid")),
        ):
            with pytest.raises(errors.EmbedderUnavailable):
                ask()

        assert memory.run(Status()).journal_seq == 0
        assert ids(memory.recall("heron")) == [heron]


@requirement("vectors:embedder:foreign")
def test_what_a_model_raised_is_the_cause(directory: Path) -> None:
    """So that it can be found out; and that a model is unavailable may be said by itself."""
    cause, own = ConnectionError("refused"), errors.Closed("gone")
    with Memory.open(directory, embedder=Odd(raising(cause))) as memory:
        memory.observe("A heron.", role="user")
        with pytest.raises(errors.EmbedderUnavailable) as refused:
            memory.run(Embed())
    with Memory.open(directory, embedder=Odd(raising(own))) as memory, pytest.raises(errors.Closed):
        memory.run(Embed())

    assert refused.value.__cause__ is cause


@requirement("vectors:embed:writes")
@pytest.mark.parametrize("does", WRONG)
def test_no_model_makes_a_write_fail_that_is_stored(directory: Path, does: Any) -> None:
    """Or the write would be repeated, and stand there twice."""
    model = Odd(does)
    with Memory.open(directory, embedder=model, embed_writes=True) as memory:
        memory.observe("A heron.", role="user")
        memory.remember("A stone.", key="stone")
        model.broken = False

        memory.observe("A cloud.", role="user")

        assert memory.run(Status()).vectors[0].covered == 3


@requirement("vectors:embed:writes")
@pytest.mark.parametrize(
    ("embedder", "code"),
    [(None, "bad_shape"), ("nothing", "unknown_embedder"), (42, "bad_shape"), (b"a", "bad_shape")],
)
def test_without_a_model_nothing_is_opened_that_embeds_what_it_writes(
    directory: Path, embedder: Any, code: str
) -> None:
    """Said before the first write, which would be stored all the same."""
    with pytest.raises(errors.BadInput) as refused:
        Memory.open(directory, embedder=embedder, embed_writes=True)

    assert (refused.value.code, refused.value.at) == (code, "embedder")


@requirement("faces:python:functions")
@pytest.mark.parametrize(
    ("field", "function"),
    [
        ("scorer", lambda _question, _item: float("nan")),
        ("scorer", lambda _question, _item: "1"),
        ("scorer", 3),
        ("tokens_fit", lambda _text: "no"),
        ("tokens_fit", lambda _text: None),
        ("tokens_fit", 3),
    ],
)
def test_what_a_function_of_the_caller_gives_wrongly_is_named(
    memory: Memory, field: str, function: Any
) -> None:
    """By the field, whatever way the recall goes; no receipt is kept."""
    memory.observe("A heron.", role="user")
    for ways in ({}, {"task": "birds"}, {"boost_ppm": 1}):
        with pytest.raises(errors.BadShape) as refused:
            memory.recall("heron", record=True, **{field: function}, **ways)
        assert refused.value.at == field

    assert memory.run(Status()).journal_seq == 0


@requirement("faces:python:functions")
@pytest.mark.parametrize("field", ["scorer", "tokens_fit"])
def test_what_a_function_of_the_caller_raises_passes_unchanged(memory: Memory, field: str) -> None:
    """It is the caller's own; no transaction stays open."""
    memory.observe("A heron.", role="user")

    def broken(*_: Any) -> Any:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        memory.recall("heron", record=True, **{field: broken})

    assert memory.observe("A stone.", role="user").seq == 2
    assert memory.verify().ok


@requirement("faces:python:functions")
def test_a_clock_or_entropy_that_fails_leaves_nothing_half_done(directory: Path) -> None:
    """Neither a scope nor a commit; and what is no function is refused at the door."""
    given: dict[str, Any] = {}

    def clock() -> Any:
        return given["now"]()

    def entropy(count: int) -> Any:
        return given["bytes"](count)

    opened = Memory.open(directory, clock=clock, entropy=entropy)

    def broken(*_: Any) -> Any:
        raise ZeroDivisionError

    good = {"now": lambda: 1_000, "bytes": os.urandom}
    wrong: list[tuple[str, Any, type[Exception]]] = [
        ("now", broken, ZeroDivisionError), ("now", lambda: 1.5, errors.BadShape),
        ("now", lambda: None, errors.BadShape), ("bytes", broken, ZeroDivisionError),
        ("bytes", lambda count: b"a" * (count - 1), errors.BadShape),
        ("bytes", lambda count: "a" * count, errors.BadShape),
        ("bytes", lambda _: None, errors.BadShape),
    ]  # fmt: skip
    with opened as memory:
        for seq in (1, 2):
            for name, function, error in wrong:
                given |= {**good, name: function}
                with pytest.raises(error):
                    memory.observe("A heron.", role="user")
            given |= good
            assert memory.observe(f"A heron, {seq}.", role="user").seq == seq
        assert memory.verify().ok
    for name in ("clock", "entropy"):
        with pytest.raises(errors.BadShape) as refused:
            Memory.open(directory, **{name: 3})
        assert refused.value.at == name
