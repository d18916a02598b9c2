"""Which model is asked: by name, by what it covers, without NumPy, and without being installed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from muniment import Embed, Erase, Memory, Rebuild, Status, WhyNot, embedders, errors
from muniment.embedders.parts import Model
from tests.operations.seen import ids, refused
from tests.requirements.marker import requirement

LOADED: list[str] = []
ASKED: list[str] = []


def load(name: str) -> Model:
    """A model that gives every text the same vector."""
    LOADED.append(name)

    def embed(texts: Sequence[str]) -> list[list[float]]:
        ASKED.extend(texts)
        return [[1.0, 0.5, 0.25]] * len(texts)

    return Model(name, 3, embed)


def first(_: str) -> Model:
    """The first of two."""
    return load("first-1")


def second(_: str) -> Model:
    """The second of two."""
    return load("second-1")


@pytest.fixture(autouse=True)
def two_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two models more, as if a package had brought them."""
    LOADED.clear()
    ASKED.clear()
    for name in ("first", "second"):
        monkeypatch.setitem(embedders.EMBEDDERS, name, f"{__name__}:{name}")
        monkeypatch.setitem(embedders.MODELS, f"{name}-1", name)


def said(memory: Memory, *texts: str) -> list[str]:
    """Messages with these texts."""
    return [memory.observe(text, role="user", session=text).id for text in texts]


def used(memory: Memory, **fields: Any) -> str | None:
    """The model that a recall compared by."""
    return memory.recall("what flies?", policy="hybrid", **fields).trace.embedder


@requirement("vectors:embedder:chosen")
def test_the_model_is_the_named_one_or_the_memorys_or_the_one_that_covers_most(
    directory: Path,
) -> None:
    """And one for tests only where there is no other; `why-not` is told like a recall."""
    with Memory.open(directory) as memory:
        heron, *_ = said(memory, "A heron.", "A stone.", "A cloud.")
        memory.run(Embed(embedder="hashed"))
        assert used(memory) == "hashed-1"
        memory.run(Embed(embedder="first", most=1))
        assert used(memory) == "first-1"
        memory.run(Embed(embedder="second", most=2))
        assert used(memory) == "second-1"
        memory.run(Embed(embedder="first"))
        assert used(memory) == "first-1"

        assert used(memory, embedder="second") == used(memory, embedder="second-1") == "second-1"
        assert used(memory, embedder="hashed") == "hashed-1"
        told = memory.run(
            WhyNot(id=heron, query="what flies?", policy="semantic", embedder="second")
        )
        assert (told.shown, list(told.retrievers)) == (True, ["similar"])
    with Memory.open(directory, embedder="hashed") as memory:
        assert used(memory) == "hashed-1"
        assert used(memory, embedder="first") == "first-1"


@requirement("vectors:embedder:chosen")
def test_a_model_without_vectors_here_is_not_loaded(memory: Memory) -> None:
    """Nor is an address asked; that it was not compared is said, and a wrong name is wrong."""
    said(memory, "A heron.")
    memory.run(Embed(embedder="hashed"))

    for name in ("first", "http://127.0.0.1:9/v1#none"):
        pack = memory.recall("what flies?", policy="semantic", embedder=name)
        assert (pack.trace.embedder, pack.trace.caveats) == (None, ("no_vectors",))
    for policy in ("balanced", "semantic"):
        with pytest.raises(errors.UnknownEmbedder) as wrong:
            memory.recall("what flies?", policy=policy, embedder="nothing")
        assert wrong.value.at == "embedder"

    assert LOADED == []


@requirement("vectors:recall:partial")
def test_a_recall_says_where_the_newest_texts_have_no_vectors(memory: Memory) -> None:
    """By the model that was asked, up to the moment that was asked about."""
    said(memory, "A heron.", "A stone.")

    def caveats(**fields: Any) -> tuple[str, ...]:
        return memory.recall("what flies?", policy="hybrid", **fields).trace.caveats

    assert caveats() == ("no_vectors",)
    memory.run(Embed(embedder="first", most=1))
    assert caveats() == ("vectors_partial",)
    memory.run(Embed(embedder="first"))
    assert caveats() == ()
    memory.remember("A cloud.", key="cloud", command_key="c")
    assert caveats() == ("vectors_partial",)
    memory.run(Embed(embedder="first"))
    assert caveats() == ()
    late = memory.observe("A mole.", role="user").id
    assert caveats() == ("vectors_partial",)
    plan = memory.run(Erase(event=late))
    memory.run(Erase(event=late, confirm=plan.token))
    assert caveats() == ()
    assert memory.recall("which heron?").trace.caveats == ()
    assert memory.recall(" ", policy="hybrid").trace.caveats == ()


@requirement("vectors:embed:forget")
def test_vectors_are_forgotten_without_their_model_and_without_its_name(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where one model has some it is meant; where more have, the error names them."""
    said(memory, "A heron.")
    memory.run(Embed(embedder="first"))
    monkeypatch.setitem(embedders.EMBEDDERS, "first", "muniment.no_such:module")

    done = memory.run(Embed(forget=True))

    assert (done.embedder, done.forgotten, done.dimension) == ("first-1", 1, 3)
    with refused(memory, "bad_shape", "embedder"):
        memory.run(Embed(forget=True))
    memory.run(Embed(embedder="second"))
    memory.run(Embed(embedder="hashed"))
    with refused(memory, "bad_shape", "embedder"):
        memory.run(Embed(forget=True))
    assert memory.run(Embed(forget=True, embedder="second")).forgotten == 1
    assert memory.run(Embed(forget=True, embedder="second")).forgotten == 0
    assert memory.run(Embed(forget=True)).embedder == "hashed-1"


@requirement("vectors:embed:forget")
def test_a_rebuild_says_whose_vectors_went(memory: Memory) -> None:
    """By model, how many texts; and nothing where there were none."""
    said(memory, "A heron.", "A stone.")
    memory.run(Embed(embedder="first"))
    memory.run(Embed(embedder="hashed", most=1))

    assert memory.run(Rebuild()).dropped == {"first-1": 2, "hashed-1": 1}
    assert memory.run(Rebuild()).dropped == {}


@requirement("vectors:embedder:numpy")
def test_without_numpy_each_way_in_says_what_to_install(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what does not need it goes on: a write, a recall that names no model, forgetting."""
    with Memory.open(directory, embedder="first") as memory:
        said(memory, "A heron.")
        memory.run(Embed())
    monkeypatch.setitem(sys.modules, "numpy", None)

    class Own:
        """A model of the caller's, which needs none either."""

        name, dimension = "first-1", 3

        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            """The same for every text."""
            return [[1.0, 0.5, 0.25]] * len(texts)

    for model in ("first", Own()):
        with Memory.open(directory, embedder=model, embed_writes=True) as memory:
            with pytest.raises(errors.ExtraMissing, match=r"pip install .*semantic"):
                memory.run(Embed())
            with pytest.raises(errors.ExtraMissing, match=r"pip install .*semantic"):
                memory.recall("heron", policy="hybrid")
            said(memory, "A stone.")
    with Memory.open(directory) as memory:
        with pytest.raises(errors.ExtraMissing):
            memory.run(Embed(embedder="hashed"))
        pack = memory.recall("heron", policy="hybrid")
        assert (len(ids(pack)), pack.trace.caveats) == (1, ("no_vectors",))
        assert memory.run(Embed(forget=True)).forgotten == 1
        assert (memory.run(Status()).seq, memory.verify().ok) == (3, True)


@requirement("vectors:embedder:chosen")
def test_a_question_is_embedded_once_also_for_why_not(directory: Path) -> None:
    """A model may be slow, or cost money."""
    with Memory.open(directory, embedder="first") as memory:
        (id,) = said(memory, "A heron stood in the reeds.")
        memory.run(Embed())
        ASKED.clear()
        memory.run(WhyNot(id=id, query="what flies?", policy="hybrid"))
        assert ASKED == ["what flies?"]
