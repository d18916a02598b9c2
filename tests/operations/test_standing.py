"""Standing: what becomes of a record when its time or its sources end, the same from every side."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from muniment import Memory, Retract, Show, Source
from tests.operations.seen import erased, ids, left_out, needed, refused, shown
from tests.requirements.marker import requirement

FAR = 2_000_000_000_000
KINDS = ("summary", "belief", "requirement", "intention", "appraisal",
         "note", "fact", "procedure", "task", "story", "proposal")  # fmt: skip
# What becomes of a record of a kind, and its label, when its source ends in some way.
WITHDRAWN = ("belief", "requirement", "intention", "appraisal")


class At:
    """A clock that stands where it is put."""

    def __init__(self, ms: int) -> None:
        self.ms = ms

    def __call__(self) -> int:
        """The moment it was put at."""
        return self.ms


def resting(memory: Memory, kind: str, source: str) -> str:
    """A record of `kind` that rests on `source` and repeats nothing of it."""
    return memory.remember(
        f"A {kind} of its own words.", key=kind, kind=kind, sources=(source,),
        **needed(kind, source),
    ).id  # fmt: skip


def wanted(kind: str, cause: str) -> tuple[str, tuple[str, ...]]:
    """The standing and the labels, by the table of what happens when a source changes."""
    labels = (f"source_{cause}",)
    if kind == "summary":
        return "stale", labels
    if cause == "superseded":
        return ("proposed" if kind == "proposal" else "current"), labels
    if kind in WITHDRAWN:
        return "withdrawn", labels
    return ("superseded" if kind == "proposal" else "current"), labels


@requirement("records:standing:stale-summary")
@pytest.mark.parametrize("kind", KINDS)
def test_what_happens_when_a_source_gets_a_newer_version(memory: Memory, kind: str) -> None:
    """The table of standing, first row: a summary is stale, the others stand with a label."""
    source = memory.remember("The harbour is open.", key="s")
    id = resting(memory, kind, source.id)

    memory.remember("The harbour is shut.", key="s")

    item = shown(memory, id)
    assert (item.standing, item.labels) == wanted(kind, "superseded")


@pytest.mark.parametrize("kind", KINDS)
def test_what_happens_when_a_source_is_taken_back(memory: Memory, kind: str) -> None:
    """The table of standing, second row: what asserts is withdrawn, what tells stands."""
    source = memory.remember("The harbour is open.", key="s")
    id = resting(memory, kind, source.id)

    memory.run(Retract(id=source.id))

    item = shown(memory, id)
    assert item.standing == wanted(kind, "retracted")[0]


@pytest.mark.parametrize("kind", KINDS)
def test_what_happens_when_a_source_expires(directory: Path, kind: str) -> None:
    """The table of standing, third row: it is folded when written, and read by the clock."""
    now = At(FAR)
    with Memory.open(directory, clock=now, entropy=random.Random(7).randbytes) as memory:
        source = memory.remember("The harbour is open.", valid_to=FAR + 10)
        id = resting(memory, kind, source.id)

        now.ms = FAR + 9
        before = shown(memory, id)
        now.ms = FAR + 10
        after = shown(memory, id)

        assert (before.standing, before.labels) == (
            "proposed" if kind == "proposal" else "current",
            (),
        )
        assert (after.standing, after.labels) == wanted(kind, "expired")


@requirement("erasure:derived:listed")
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("proposal", "summary")])
def test_what_happens_when_a_source_is_erased(memory: Memory, kind: str) -> None:
    """The table of standing, fourth row: what is not derived from it stays, with a label."""
    source = memory.observe("The harbour is open all year.", role="user")
    id = resting(memory, kind, source.id)

    plan = memory.erase(event=source.id)
    erased(memory, event=source.id)

    item = shown(memory, id)
    assert [(each.id, each.kind, each.follows) for each in plan.dependents] == [(id, kind, False)]
    assert (item.standing, item.labels) == wanted(kind, "erased")


@pytest.mark.parametrize("kind", ["summary", "belief"])
def test_an_end_goes_through_every_level(memory: Memory, kind: str) -> None:
    """Standing is transitive: what rests on what rests on it ends as well."""
    source = memory.remember("The harbour is open.", key="s")
    chain = [source.id]
    for level in range(5):
        written = memory.remember(
            f"Level {level} of it.", kind=kind, sources=(chain[-1],), recursive=kind == "summary"
        )
        chain.append(written.id)

    memory.run(Retract(id=source.id))

    ends = {shown(memory, id).standing for id in chain[1:]}
    assert ends == {"stale" if kind == "summary" else "withdrawn"}


def test_a_record_that_tells_ends_the_chain(memory: Memory) -> None:
    """A fact stands by itself, so what rests on it stands too."""
    source = memory.remember("The harbour is open.", key="s")
    fact = memory.remember("It opened in May.", kind="fact", sources=(source.id,))
    belief = memory.remember("Ships come.", kind="belief", sources=(fact.id,))

    memory.run(Retract(id=source.id))

    assert shown(memory, fact.id).labels == ("source_retracted",)
    assert shown(memory, belief.id).standing == "current"


@requirement("records:standing:expired")
def test_a_window_ends_by_itself(directory: Path) -> None:
    """Promise 5: the end is exclusive, and nothing is written for it."""
    now = At(FAR)
    with Memory.open(directory, clock=now, entropy=random.Random(7).randbytes) as memory:
        written = memory.remember("The ferry runs.", key="f", valid_from=FAR, valid_to=FAR + 10)

        standings = []
        for now.ms in (FAR, FAR + 9, FAR + 10, FAR + 10_000):
            standings.append(shown(memory, written.id).standing)

        assert standings == ["current", "current", "expired", "expired"]
        assert ids(memory.recall("ferry")) == []
        assert left_out(memory.recall("ferry")) == {written.id: "expired"}
        assert memory.verify().head == written.head


@requirement("records:standing:one-answer")
def test_show_history_and_recall_say_the_same_of_every_record(memory: Memory) -> None:
    """Promise 5: one function answers for a record at a moment, whoever asks."""
    source = memory.remember("The lighthouse stands.", key="s")
    memory.remember("Lighthouse summary.", key="a", kind="summary", sources=(source.id,))
    memory.remember("Lighthouse belief.", key="b", kind="belief", sources=(source.id,))
    memory.remember("Lighthouse offer.", key="c", kind="proposal")
    memory.remember("Lighthouse of old.", key="d", valid_to=1)
    memory.run(Retract(id=memory.remember("Lighthouse no more.", key="e").id))
    memory.run(Retract(id=source.id))

    listed = {item.id: item for key in "sabcde" for item in memory.history(key).items}
    pack = memory.recall("lighthouse", history=True)

    assert {item.id for item in pack.items} == set(listed)
    for item in pack.items:
        assert item.standing == listed[item.id].standing == shown(memory, item.id).standing
        assert item.labels == listed[item.id].labels
    assert {item.standing for item in pack.items} == {
        "superseded", "retracted", "stale", "withdrawn", "proposed", "expired",
    }  # fmt: skip


@requirement("recall:standing:current")
def test_recall_shows_what_is_current_and_the_past_where_asked(memory: Memory) -> None:
    """Promise 5: what was left out is listed with its standing; with history it is shown so."""
    old = memory.remember("The lighthouse is white.", key="k")
    new = memory.remember("The lighthouse is red.", key="k")
    event = memory.observe("What a lighthouse!", role="user")

    plain = memory.recall("lighthouse")
    past = memory.recall("lighthouse", history=True)

    assert set(ids(plain)) == {new.id, event.id}
    assert left_out(plain) == {old.id: "superseded"}
    assert {item.id: item.standing for item in past.items} == {
        old.id: "superseded", new.id: "current", event.id: "current",
    }  # fmt: skip


@requirement("recall:standing:current")
def test_the_policy_recent_shows_the_past_where_asked(memory: Memory) -> None:
    """Promise 5: history means the same under every policy."""
    old = memory.remember("The lighthouse is white.", key="k")
    new = memory.remember("The lighthouse is red.", key="k")

    assert ids(memory.recall("", policy="recent")) == [new.id]
    assert ids(memory.recall("", policy="recent", history=True)) == [new.id, old.id]


def test_a_proposal_is_never_recalled_as_knowledge(memory: Memory) -> None:
    """Promise 6: what was suggested is no knowledge, whatever became of the suggestion."""
    statuses = ("proposed", "shadow", "needs_review", "deferred",
                "accepted", "rejected", "superseded", "expired")  # fmt: skip
    for status in statuses:
        memory.remember(f"The lighthouse is {status}.", kind="proposal", status=status)

    assert memory.recall("lighthouse").items == ()
    assert memory.recall("lighthouse", policy="recent").items == ()
    assert memory.run(Show(id="r1")).items[0].kind == "proposal"


def test_what_may_not_be_shown_takes_no_room_from_what_may(memory: Memory) -> None:
    """Promise 4: a limit counts what can be shown, so that nothing is crowded out by the rest."""
    for number in range(70):
        memory.remember(f"lighthouse lighthouse {number}", kind="proposal")
        memory.remember(f"lighthouse lighthouse {number}", valid_to=1)
    note = memory.remember("One lighthouse in a long line of quite different words and thoughts.")

    assert ids(memory.recall("lighthouse")) == [note.id]


@requirement("records:standing:retracted-source")
@pytest.mark.parametrize("key", ["k", None])
def test_a_source_that_was_taken_back_is_labelled_so(memory: Memory, key: str | None) -> None:
    """DOMAIN: what rests on a retracted source stands where it may, and says so."""
    source = memory.remember("A source.", key=key)
    rests = memory.remember("It rests.", sources=(source.id,))
    memory.run(Retract(id=source.id))

    assert shown(memory, rests.id).labels == ("source_retracted",)


@requirement("records:sources:span")
def test_a_span_lies_within_the_text_it_cites(memory: Memory) -> None:
    """Promise 3: a citation leads to what is there."""
    said = memory.observe("twelve signs", role="user").id

    memory.remember("held", sources=(Source(id=said, span=(0, 12)),))
    with refused(memory, "bad_shape", at="sources[0].span"):
        memory.remember("held as well", sources=(Source(id=said, span=(0, 13)),))
