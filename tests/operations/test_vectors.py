"""Vectors: made in batches, found by, lost, forgotten, erased and checked."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import apsw
import pytest

from muniment import Embed, Erase, Memory, Rebuild, Replay, Retract, Status, WhyNot, errors, limits
from muniment.decisions import meanings
from muniment.embedders import hashed
from muniment.retrievers import similar
from tests.operations.seen import erased, ids, refused, stated
from tests.ranking.things import item
from tests.requirements.marker import requirement


class Told:
    """An embedder whose vectors a test writes down; any other text points somewhere else."""

    def __init__(self, vectors: dict[str, Sequence[float]], name: str = "told") -> None:
        self.name = name
        self.dimension = len(next(iter(vectors.values())))
        self.vectors = vectors
        self.asked: list[str] = []
        self.least = -1.0

    def embed(self, texts: Sequence[str]) -> list[Sequence[float]]:
        """What was written down for the words after the speaker and, where it is known, the date."""
        self.asked += texts
        away = [0.0] * (self.dimension - 1) + [1.0]
        return [self.vectors.get(text.rpartition(": ")[2], away) for text in texts]


NEAR, FAR = [1.0, 0.1, 0.0], [0.0, 1.0, 0.0]
WORDS = {"what flies?": NEAR, "A heron.": NEAR, "A stone.": FAR}


def opened(directory: Path, embedder: Any) -> Memory:
    """The memory with this model."""
    return Memory.open(directory, embedder=embedder)


@requirement("vectors:recall:similar")
@pytest.mark.parametrize("policy", ["hybrid", "semantic"])
def test_what_means_the_same_is_found_in_other_words(directory: Path, policy: str) -> None:
    """Not a word in common; the reason and the model are named."""
    with opened(directory, Told(WORDS)) as memory:
        heron = memory.observe("A heron.", role="user", actor="Ann", session="a").id
        stone = memory.observe("A stone.", role="user", session="b").id
        before = memory.recall("what flies?", policy=policy)
        assert (ids(before), before.trace.caveats) == ([], ("no_vectors",))
        memory.run(Embed())

        pack = memory.recall("what flies?", policy=policy)

        assert ids(pack) == [heron, stone]
        assert [item.reasons for item in pack.items] == [("similar",), ("similar",)]
        assert (pack.trace.embedder, pack.policy) == ("told", policy)
        assert pack.trace.caveats == ()
        assert memory.recall("what flies?").trace.embedder is None
        told = memory.run(WhyNot(id=heron, query="what flies?", policy=policy))
        assert (told.shown, told.retrievers) == (True, {"similar": 1})


@requirement("vectors:recall:least")
@pytest.mark.parametrize("policy", ["hybrid", "semantic"])
def test_what_is_not_near_enough_for_its_model_is_no_answer(directory: Path, policy: str) -> None:
    """Nothing relevant is an empty pack; what words find stays, and one near thing opens the door."""
    model = Told({**WORDS, "is it raining?": [0.1, 0.1, 1.0], "heron?": [0.1, 0.1, 1.0]})
    model.least = 0.2
    with opened(directory, model) as memory:
        heron = memory.observe("A heron.", role="user", session="a").id
        stone = memory.observe("A stone.", role="user", session="b").id
        memory.run(Embed())

        assert ids(memory.recall("is it raining?", policy=policy)) == []
        assert ids(memory.recall("what flies?", policy=policy)) == [heron, stone]
        if policy == "hybrid":
            assert ids(memory.recall("heron?", policy=policy)) == [heron]


@requirement("vectors:recall:least")
def test_talk_of_something_else_takes_no_text_below_what_is_near(directory: Path) -> None:
    """A text that is near enough by itself is one, whatever stands around it."""
    near, away = [0.25, 0.97, 0.0], [-0.2, 0.0, 0.98]
    model = Told({"what flies?": [1.0, 0.0, 0.0], "A heron.": near, "Tea?": away, "No.": away})
    model.least = 0.2
    with opened(directory, model) as memory:
        said = [memory.observe(text, role="user", thread="t").id for text in ("Tea?", "A heron.")]
        memory.observe("No.", role="user", thread="t")
        memory.run(Embed())

        pack = memory.recall("what flies?", policy="semantic")

    assert (ids(pack), pack.trace.caveats) == ([said[1]], ())


@requirement("vectors:recall:least")
def test_a_recall_says_that_nothing_was_near_enough(directory: Path) -> None:
    """Else an empty pack and a pack of words alone look as if there were no vectors."""
    model = Told({**WORDS, "is it raining?": [0.1, 0.1, 1.0]})
    model.least = 0.2
    with opened(directory, model) as memory:
        memory.observe("A heron.", role="user")
        memory.run(Embed())

        assert memory.recall("is it raining?", policy="hybrid").trace.caveats == ("nothing_near",)
        assert memory.recall("what flies?", policy="hybrid").trace.caveats == ()


@requirement("vectors:recall:told")
def test_an_empty_pack_by_words_says_that_there_are_vectors(directory: Path) -> None:
    """A hint where it helps, and nowhere else."""
    with opened(directory, Told(WORDS)) as memory:
        memory.observe("A heron.", role="user")
        assert memory.recall("what flies?").trace.caveats == ()
        memory.run(Embed())

        assert memory.recall("what flies?").trace.caveats == ("vectors_unused",)
        assert memory.recall("heron?").trace.caveats == ()
        assert memory.recall("", policy="recent").trace.caveats == ()


@requirement("vectors:recall:least", "vectors:embedder:foreign")
@pytest.mark.parametrize("least", ["0.2", None, 2.0, float("nan"), True])
def test_a_least_likeness_that_is_none_is_told(directory: Path, least: object) -> None:
    """A typed error, as for everything that a model may give wrongly."""
    model = Told(WORDS)
    with opened(directory, model) as memory:
        memory.observe("A heron.", role="user")
        memory.run(Embed())
        model.least = least  # type: ignore[assignment]
        with refused(memory, "embedder_unavailable", at="embedder"):
            memory.recall("what flies?", policy="semantic")


@requirement("receipts:shape:model")
def test_a_receipt_names_the_model_and_how_much_it_had_seen(directory: Path) -> None:
    """Also later, when the vectors are gone; without vectors it names none."""
    with opened(directory, Told(WORDS)) as memory:
        memory.observe("A heron.", role="user")
        memory.run(Embed())
        memory.observe("A stone.", role="user")
        found = memory.recall("what flies?", policy="hybrid", record=True)
        plain = memory.recall("heron", record=True)
        memory.run(Embed(forget=True))

        assert found.receipt is not None
        assert plain.receipt is not None
        then = memory.run(Replay(receipt=found.receipt, against="then"))
        assert (then.same, then.embedder, then.vectors) == (True, "told", (1, 2))
        other = memory.run(Replay(receipt=plain.receipt))
        assert (other.embedder, other.vectors) == (None, None)
        memory.run(Erase(all=True, confirm=memory.run(Erase(all=True)).token))
        gone = memory.run(Replay(receipt=found.receipt))
        assert (gone.query, gone.embedder, gone.vectors) == (None, None, (1, 2))


@requirement("vectors:recall:similar")
def test_filters_and_moments_hold_for_vectors_too(directory: Path) -> None:
    """Before the limit: what does not pass takes up no place, and what ended gives way."""
    words = {**WORDS, "A heron.": [1.0, 0.3, 0.0], "An osprey.": NEAR}
    with opened(directory, Told(words)) as memory:
        for _ in range(300):
            memory.observe("A heron.", role="assistant", session="b")
        kept = memory.remember("An osprey.").id
        heron = memory.observe("A heron.", role="user", session="a").id
        memory.run(Embed())

        def found(**fields: Any) -> list[str]:
            return ids(memory.recall("what flies?", policy="semantic", items_max=3, **fields))

        assert found(session="a") == [heron]
        assert found(role="user") == [heron]
        assert found()[0] == kept
        before = memory.run(Status()).seq
        memory.run(Retract(id=kept))
        assert kept not in found()
        assert kept in found(history=True)
        assert before + 1 == memory.run(Status()).seq
        assert found(role="tool") == []


@requirement("vectors:recall:window")
def test_a_turn_is_found_by_what_stands_beside_it(directory: Path) -> None:
    """Half by itself and half by its window, within its conversation."""
    with opened(directory, Told({**WORDS, "Yes.": [0.0, 0.0, 1.0]})) as memory:
        for session in ("a", "b"):
            memory.observe(
                "A heron." if session == "a" else "A stone.", role="user", session=session
            )
        beside = memory.observe("Yes.", role="user", session="a").id
        apart = memory.observe("Yes.", role="user", session="c").id
        memory.run(Embed())

        found = ids(memory.recall("what flies?", policy="semantic"))

        assert found.index(beside) == 1
        assert apart not in found


@requirement("vectors:embed:resumes")
def test_embedding_goes_on_where_it_was_broken_off(directory: Path) -> None:
    """A batch at a time, nothing twice, and later only what is new."""
    count = limits.EMBED_BATCH_TEXTS + 10
    with opened(directory, Told(WORDS)) as memory:
        for number in range(count):
            memory.observe(f"Text {number}.", role="user")
        model = Told(WORDS)
        with opened(directory, model) as other:
            some = other.run(Embed(most=7))
            assert (some.embedded, some.covered, some.texts) == (7, 7, count)
            assert other.run(Embed()).embedded == count - 7
            assert other.run(Embed()).embedded == 0
            memory.remember("A heron.", key="bird")
            assert other.run(Embed()).embedded == 1
        assert len(model.asked) == len(set(model.asked)) == count + 1
        assert model.asked[-1] == "bird: A heron."
        assert model.asked[0].startswith("user (")


class Failing(Told):
    """Breaks off after its first batch."""

    def embed(self, texts: Sequence[str]) -> list[Sequence[float]]:
        """As long as it lasts."""
        if self.asked:
            raise errors.EmbedderUnavailable("gone")
        return super().embed(texts)


@requirement("vectors:embed:resumes")
def test_what_was_embedded_before_a_model_failed_stays(directory: Path) -> None:
    """The error is told, and the batches before it are stored."""
    with opened(directory, Failing(WORDS)) as memory:
        for number in range(limits.EMBED_BATCH_TEXTS + 10):
            memory.observe(f"Text {number}.", role="user")

        with pytest.raises(errors.EmbedderUnavailable):
            memory.run(Embed())

        (vectors,) = memory.run(Status()).vectors
        assert vectors.covered == limits.EMBED_BATCH_TEXTS
        assert memory.verify().ok


@requirement("vectors:embed:writes")
def test_a_memory_may_embed_what_it_writes(directory: Path) -> None:
    """Before it answers; and a model that is gone for a while costs no write."""
    model = Failing(WORDS)
    with Memory.open(directory, embedder=model, embed_writes=True) as memory:
        heron = memory.observe("A heron.", role="user", session="a").id
        assert memory.run(Status()).vectors[0].covered == 1
        assert ids(memory.recall("what flies?")) == []
        stone = memory.observe("A stone.", role="user", session="b").id
        assert memory.run(Status()).vectors[0].covered == 1
        model.asked.clear()
        memory.remember("A cloud.")
        assert memory.run(Status()).vectors[0].covered == 3
        model.asked.clear()
        assert set(ids(memory.recall("what flies?", policy="semantic"))) == {heron, stone}


@requirement("vectors:embed:passages")
def test_each_passage_of_a_long_text_has_a_vector(directory: Path) -> None:
    """The one that means the same is shown, and not the whole text."""
    long = "A stone lies there. " * 150 + "\n\nHerons fly over the lake at dawn."
    with opened(directory, "hashed") as memory:
        memory.observe(long, role="user")
        memory.run(Embed())

        (item,) = memory.recall("herons fly over lake dawn", policy="semantic").items

        assert item.text.endswith("Herons fly over the lake at dawn.")
        assert "passage" in item.labels


@requirement("vectors:embed:wrong")
@pytest.mark.parametrize(
    "vectors",
    [[], [NEAR, NEAR], [[1.0]], [[1.0, 2.0, float("nan")]], [[1.0, 2.0, float("inf")]]],
)
def test_what_is_no_vector_is_not_stored(directory: Path, vectors: list[Sequence[float]]) -> None:
    """The number, the length and every number of it."""
    model = Told(WORDS)
    model.embed = lambda _: vectors  # type: ignore[method-assign,assignment]
    with opened(directory, model) as memory:
        memory.observe("A heron.", role="user")

        with pytest.raises(errors.EmbedderUnavailable):
            memory.run(Embed())

        assert memory.run(Status()).vectors == ()


@requirement("vectors:embedder:names")
def test_without_a_model_there_is_nothing_to_embed_by(memory: Memory) -> None:
    """Bad input; and a bound below one."""
    memory.observe("A heron.", role="user")

    with refused(memory, "bad_shape", "embedder"):
        memory.run(Embed())
    with refused(memory, "bad_shape", "most"):
        memory.run(Embed(embedder="hashed", most=0))
    with refused(memory, "unknown_embedder", "embedder"):
        memory.run(Embed(embedder="nothing"))


@requirement("vectors:cache:loss")
def test_vectors_can_go_and_nothing_else_goes_with_them(memory: Memory) -> None:
    """Forgotten, or dropped by a rebuild: the chain is the same, and a recall works."""
    said = memory.observe("A heron flies.", role="user").id
    head = memory.run(Status()).head
    for away in (Embed(embedder="hashed", forget=True), Rebuild()):
        memory.run(Embed(embedder="hashed"))
        assert memory.recall("heron", policy="hybrid").trace.embedder == hashed.NAME

        memory.run(away)

        assert memory.run(Status()).vectors == ()
        assert (memory.run(Status()).head, memory.verify().ok) == (head, True)
        pack = memory.recall("heron", policy="hybrid")
        assert (ids(pack), pack.trace.embedder) == ([said], None)


@requirement("vectors:cache:spaces")
def test_two_models_live_side_by_side_and_are_never_compared(directory: Path) -> None:
    """By name, and by dimension where a name was used again."""
    other = Told(
        {"what flies?": [0.0, 1.0], "A stone.": [0.0, 1.0], "A heron.": [1.0, 0.0]}, "other"
    )
    with opened(directory, Told(WORDS)) as memory:
        heron = memory.observe("A heron.", role="user", session="a").id
        stone = memory.observe("A stone.", role="user", session="b").id
        memory.run(Embed())
    with opened(directory, other) as memory:
        assert ids(memory.recall("what flies?", policy="semantic")) == []
        memory.run(Embed())
        assert ids(memory.recall("what flies?", policy="semantic")) == [stone]
        assert [each.embedder for each in memory.run(Status()).vectors] == ["told", "other"]
    with opened(directory, Told(WORDS)) as memory:
        assert ids(memory.recall("what flies?", policy="semantic")) == [heron, stone]
    with opened(directory, Told({"what flies?": [1.0, 0.0]}, "told")) as memory:
        assert ids(memory.recall("what flies?", policy="semantic")) == []
        assert memory.verify().ok


@requirement("vectors:embed:dimension")
@pytest.mark.parametrize("writes", [False, True])
def test_a_model_that_comes_back_with_another_dimension_is_embedded_anew(
    directory: Path, writes: bool
) -> None:
    """Not taken for one that has all its vectors; what went for it is told, once."""
    with opened(directory, Told(WORDS)) as memory:
        heron = memory.observe("A heron.", role="user", session="a").id
        stone = memory.observe("A stone.", role="user", session="b").id
        memory.run(Embed())
    model = Told({"what flies?": [1.0, 0.1], "A heron.": [1.0, 0.2], "A stone.": [0.4, 1.0]})

    with Memory.open(directory, embedder=model, embed_writes=writes) as memory:
        before = memory.recall("what flies?", policy="semantic")
        if writes:
            memory.observe("A stone.", role="user", session="b")
        else:
            first = memory.run(Embed(most=1))
            done = memory.run(Embed())
            assert (first.embedded, first.forgotten, first.covered) == (1, 2, 1)
            assert (done.embedded, done.forgotten, done.covered, done.dimension) == (1, 0, 2, 2)
        after = memory.recall("what flies?", policy="semantic")

        assert (ids(before), before.trace.caveats) == ([], ("no_vectors",))
        assert ids(after)[0] == heron
        assert stone in ids(after)
        assert (after.trace.embedder, after.trace.caveats) == ("told", ())
        assert memory.verify().ok


@requirement("vectors:cache:erased")
def test_an_erasure_takes_the_vectors_along(directory: Path) -> None:
    """Counted in the plan, gone from every byte, and from what is kept in memory."""
    random.seed(5)
    secret = [random.uniform(-1, 1) for _ in range(64)]
    other = [random.uniform(-1, 1) for _ in range(64)]
    model = Told({"A heron.": secret, "what flies?": secret, "A stone.": other})
    with opened(directory, model) as memory:
        heron = memory.observe("A heron.", role="user", session="a").id
        stone = memory.observe("A stone.", role="user", session="b").id
        memory.run(Embed())
        assert ids(memory.recall("what flies?", policy="semantic"))[0] == heron
        numbers = stored(directory, heron)
        assert held(directory, numbers)

        assert memory.erase(event=heron).counts["vector"] == 1
        done = erased(memory, event=heron)

        assert done.erased["vector"] == 1
        assert not held(directory, numbers)
        assert heron not in ids(memory.recall("what flies?", policy="semantic"))
        assert stored(directory, stone)
        assert memory.verify().ok
        erased(memory, all=True)
        assert not held(directory, stored(directory, stone) or b"none")


def stored(directory: Path, id: str) -> bytes:
    """The numbers of an event's vector, as they lie in the file."""
    file = next(directory.glob("*.muniment"))
    connection = apsw.Connection(str(file), apsw.SQLITE_OPEN_READONLY)
    seq = int(id[1:].partition("-")[0])
    row = connection.execute("SELECT numbers FROM vector WHERE seq = ?", (seq,)).fetchone()
    connection.close()
    return bytes(row[0]) if row else b""


def held(directory: Path, numbers: bytes) -> bool:
    """Whether any file holds a piece of these numbers."""
    pieces = [numbers[at : at + 16] for at in range(0, len(numbers) - 16, 8)]
    return any(
        piece in path.read_bytes()
        for path in directory.iterdir()
        if path.is_file()
        for piece in pieces
    )


@requirement("vectors:cache:erased")
@pytest.mark.parametrize("policy", ["hybrid", "semantic"])
def test_where_every_vector_was_erased_recall_goes_on(directory: Path, policy: str) -> None:
    """Whoever opens the file then finds nothing by meaning, and later what is embedded later."""
    with opened(directory, Told(WORDS)) as memory:
        stone = memory.observe("A stone.", role="user", session="a").id
        memory.run(Embed())
        erased(memory, event=stone)

    with opened(directory, Told(WORDS)) as memory:
        nothing = memory.recall("what flies?", policy=policy)
        heron = memory.observe("A heron.", role="user", session="b").id
        memory.run(Embed())
        found = memory.recall("what flies?", policy=policy)

    assert (ids(nothing), ids(found)) == ([], [heron])


@requirement("vectors:cache:verified")
def test_verify_says_what_it_did_not_check_and_finds_what_belongs_to_nothing(
    directory: Path,
) -> None:
    """Without the model nobody can make the numbers again; what they belong to can be seen."""
    with opened(directory, Told(WORDS)) as memory:
        memory.observe("A heron.", role="user")
        memory.observe("A stone.", role="user")
        memory.run(Embed(most=1))
        told = memory.verify()
        assert told.ok
        assert any("told" in line and "1 of 2" in line for line in told.not_checked)
        assert memory.run(Status()).vectors[0].covered == 1

    file = next(directory.glob("*.muniment"))
    connection = apsw.Connection(str(file))
    connection.execute("INSERT INTO vector VALUES (1, 5, 77, -1, zeroblob(6), 0)")
    connection.execute("UPDATE vector SET numbers = zeroblob(4) WHERE seq = 1")
    connection.close()

    with opened(directory, None) as memory:
        faults = memory.verify().faults
        assert {(fault.code, fault.table) for fault in faults} == {("row_differs", "vector")}
        assert {fault.seq for fault in faults} == {1, 77}


@requirement("vectors:verify:any-byte")
@pytest.mark.parametrize(
    "change",
    [
        "vector SET model = 2", "vector SET serial = serial + 1", "vector SET seq = 2",
        "vector SET part = 3", "vector SET seal = seal + 1",
        "vector SET numbers = zeroblob(length(numbers))", "vector_model SET number = 9",
        "vector_model SET name = 'tolt'", "vector_model SET dimension = dimension + 1",
        "vector_model SET made = made + 1", "vector_model SET gone = gone + 1",
        "vector_model SET seal = seal + 1",
    ],
)  # fmt: skip
def test_a_vector_that_was_changed_is_found(directory: Path, change: str) -> None:
    """Nobody can say without the model whether it is right; whether it is the one stored, all."""
    with opened(directory, Told(WORDS)) as memory:
        memory.observe("A heron.", role="user")
        memory.observe("A stone.", role="user")
        memory.run(Embed(most=1))
    connection = apsw.Connection(str(next(directory.glob("*.muniment"))))
    connection.execute(f"UPDATE {change}")
    connection.close()

    with opened(directory, None) as memory:
        faults = memory.verify().faults

    assert {fault.table for fault in faults} <= {"vector", "vector_model"}
    assert faults


@requirement("vectors:cache:fresh")
def test_what_is_kept_in_memory_follows_the_table(directory: Path) -> None:
    """Another memory writes, forgets and embeds again, and this one sees it."""
    with opened(directory, Told(WORDS)) as memory, opened(directory, Told(WORDS)) as writer:
        heron = writer.observe("A heron.", role="user", session="a").id
        writer.run(Embed())

        def found() -> list[str]:
            return ids(memory.recall("what flies?", policy="semantic"))

        assert found() == [heron]
        stone = writer.observe("A stone.", role="user", session="a").id
        writer.run(Embed())
        assert found() == [heron, stone]
        erased(writer, event=heron)
        assert found() == [stone]
        writer.run(Embed(forget=True))
        assert found() == []
        writer.run(Embed())
        assert found() == [stone]


@requirement("vectors:cache:fresh")
def test_vectors_made_again_by_another_edition_of_a_model_are_noticed(directory: Path) -> None:
    """The same name, the same number of them, and other numbers."""
    turned = Told({"A heron.": FAR, "A stone.": NEAR})
    with opened(directory, Told(WORDS)) as memory, opened(directory, turned) as writer:
        heron = memory.observe("A heron.", role="user", session="a").id
        stone = memory.observe("A stone.", role="user", session="b").id
        memory.run(Embed())
        assert ids(memory.recall("what flies?", policy="semantic")) == [heron, stone]

        for away in (Embed(forget=True), Rebuild()):
            writer.run(away)
            writer.run(Embed())
            assert ids(memory.recall("what flies?", policy="semantic")) == [stone, heron]


@requirement("vectors:recall:exact")
def test_the_best_of_many_are_nearly_always_the_exact_ones(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The signs choose whom to compare; of 3,000 vectors in 64 dimensions, 300 are."""
    import numpy as np

    numbers = np.random.default_rng(3)
    middles = numbers.normal(size=(40, 64))
    cloud = middles[numbers.integers(0, 40, 3_000)] + numbers.normal(scale=0.7, size=(3_000, 64))
    model = Told({f"T{at}.": row.tolist() for at, row in enumerate(cloud)})
    asked = (middles[:20] + numbers.normal(scale=0.5, size=(20, 64))).tolist()
    model.vectors |= {f"q{at}": row for at, row in enumerate(asked)}
    file = directory.parent / "many.jsonl"
    file.write_text(
        "\n".join(f'{{"role": "user", "text": "T{n}.", "session": "{n}"}}' for n in range(3_000))
    )

    def best(memory: Memory) -> list[set[str]]:
        return [
            set(ids(memory.recall(f"q{at}", policy="semantic", items_max=10))) for at in range(20)
        ]

    from muniment import Import

    with opened(directory, model) as memory:
        memory.run(Import(file=str(file)))
        memory.run(Embed())
        monkeypatch.setattr(similar, "CLOSER", 3_000)
        exact = best(memory)
        monkeypatch.setattr(similar, "CLOSER", 300)
        near = best(memory)

    shared = sum(len(left & right) for left, right in zip(exact, near, strict=True))
    assert shared >= 0.99 * 200


@requirement("vectors:recall:plain")
def test_a_plain_recall_loads_nothing_heavy(directory: Path) -> None:
    """Neither for its answer nor because a model was named at the opening."""
    import subprocess

    with opened(directory, "hashed") as memory:
        memory.observe("A heron.", role="user")
        memory.run(Embed())
    program = (
        "import sys; from muniment import Memory\n"
        f"memory = Memory.open({str(directory)!r}, embedder='minilm')\n"
        "assert memory.recall('heron').items\n"
        "assert not {'numpy', 'onnxruntime', 'urllib.request'} & set(sys.modules)\n"
    )

    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True)

    assert done.returncode == 0, done.stderr.decode()


@requirement("vectors:embed:resumes")
def test_what_is_erased_while_the_model_works_gets_no_vector(directory: Path) -> None:
    """No transaction is open meanwhile, and what is gone stays gone."""
    with opened(directory, None) as eraser:
        heron = eraser.observe("A heron.", role="user").id
        eraser.observe("A stone.", role="user")

        class Slow(Told):
            def embed(self, texts: Sequence[str]) -> list[Sequence[float]]:
                plan = eraser.run(Erase(event=heron))
                eraser.run(Erase(event=heron, confirm=plan.token))
                return super().embed(texts)

        with opened(directory, Slow(WORDS)) as memory:
            done = memory.run(Embed())

        assert (done.embedded, done.covered, done.texts) == (1, 1, 1)
        assert stated(eraser) is not None
        assert eraser.verify().ok


@requirement("recall:filter:undated")
def test_an_undated_message_is_embedded_without_a_day() -> None:
    """When it was taken in is not when it was said, for a model either."""
    dated = item(1, actor="Ann", at="2023-05-08T10:00:00.000Z")
    undated = item(1, actor="Ann", at=None, recorded_at="2026-01-02T00:00:00.000Z")

    assert meanings.lead(dated) == "Ann (8 May 2023): "
    assert meanings.lead(undated) == "Ann: "
