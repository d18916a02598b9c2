"""Requirements, appraisals and corrections through the door: what is kept, and what is refused."""

from __future__ import annotations

import random
from pathlib import Path

import apsw
import pytest

from muniment import Appraise, Commit, Correct, Memory, Note, Rebuild, Remember, Require, Retract
from tests.operations.seen import erased, refused, shown
from tests.requirements.marker import requirement

FAR = 2_000_000_000_000


@requirement("contextual:record:bound")
def test_a_requirement_keeps_what_binds_it(memory: Memory) -> None:
    """Seed 2, typed claims: task, subject, visibility, grade, expiry, exact sources."""
    said = memory.observe("No nuts for me, ever.", role="user", actor="Ann").id

    written = memory.run(
        Require(
            text="Ann eats no nuts.", task="plan a meal", about="Ann", priority=9, sources=(said,),
            visibility="room", room="kitchen", grade="supported", valid_to=FAR,
        )
    )  # fmt: skip

    item = shown(memory, written.id)
    assert (item.kind, item.status, item.standing) == ("requirement", "active", "current")
    assert (item.task, item.about, item.priority) == ("plan a meal", "Ann", 9)
    assert (item.visibility, item.room, item.reader) == ("room", "kitchen", None)
    assert (item.grade, item.valid_to) == ("supported", "2033-05-18T03:33:20.000Z")
    assert [source.id for source in item.sources] == [said]
    again = memory.run(Require(text="Ann eats no nuts.", task="plan a meal", about="Ann",
                               priority=9, sources=(said,), visibility="room", room="kitchen",
                               grade="supported", valid_to=FAR))  # fmt: skip
    assert (again.known, again.id) == (True, written.id)


@requirement("contextual:record:bound", "contextual:record:appraisal")
def test_an_appraisal_keeps_exactly_what_it_assesses(memory: Memory) -> None:
    """Seed 2: the exact version, its subject, and amounts of which unknown is not zero."""
    said = memory.observe("The satay made me ill.", role="user", actor="Ann").id
    fact = memory.remember("Satay makes Ann ill.", kind="fact", about="Ann", sources=(said,)).id

    of_event = memory.run(Appraise(id=said, harm_ppm=0)).id
    of_record = memory.run(Appraise(id=fact.split("-")[0], text="Bad.", harm_ppm=900_000)).id

    event, record = shown(memory, of_event), shown(memory, of_record)
    assert (event.assesses, event.about, event.text) == (said, "Ann", "benefit=unknown harm=0")
    assert (event.benefit_ppm, event.harm_ppm) == (None, 0)
    assert (record.assesses, record.about, record.text) == (fact, "Ann", "Bad.")
    assert [source.id for source in record.sources] == [fact]
    memory.remember("Satay makes Ann very ill.", kind="fact", supersedes=fact)
    with refused(memory, "source_not_standing", at="id"):
        memory.run(Appraise(id=fact, harm_ppm=1))


@requirement("contextual:record:validated")
def test_of_several_notes_none_is_stored_where_one_is_bad(memory: Memory) -> None:
    """Seed 2: the bad row is named, and nothing of the commit is there."""
    good = Note(text="Say grace.", kind="requirement", task="meal")
    bad = Note(text="Say grace too.", kind="requirement")

    with refused(memory, "requirement_without_task", at="notes[1].task"):
        memory.run(Commit(notes=(good, bad)))
    with refused(memory, "appraisal_without_source", at="sources"):
        memory.run(Remember(text="Good.", kind="appraisal", assesses="r1"))
    with refused(memory, "private_without_reader", at="reader"):
        memory.remember("mine", visibility="private")
    with refused(memory, "bad_shape", at="visibility"):
        memory.remember("mine", visibility="secret")


@requirement("contextual:record:correction")
def test_a_correction_changes_the_words_and_nothing_else(memory: Memory) -> None:
    """Seed 2: exactly that version is superseded, with what shows it; the old one stays."""
    first = memory.observe("Ann takes milk.", role="user", actor="Ben").id
    old = memory.run(
        Require(text="Milk for Ann.", task="tea", about="Ann", priority=3, sources=(first,),
                visibility="private", reader="Ben", key="milk", valid_to=FAR)
    ).id  # fmt: skip
    later = memory.observe("No, lemon.", role="user", actor="Ann").id

    with refused(memory, "bad_shape", at="sources"):
        memory.run(Correct(id=old, text="Lemon for Ann."))
    written = memory.run(Correct(id=old, text="Lemon for Ann.", sources=(later,)))

    new = shown(memory, written.id)
    assert (written.supersedes, new.text, new.sources[0].id) == (old, "Lemon for Ann.", later)
    assert (new.kind, new.key, new.task, new.about, new.priority) == (
        "requirement", "milk", "tea", "Ann", 3,
    )  # fmt: skip
    assert (new.visibility, new.reader, new.valid_to) == (
        "private", "Ben", shown(memory, old).valid_to,
    )  # fmt: skip
    assert [item.standing for item in memory.history("milk").items] == ["superseded", "current"]
    with refused(memory, "not_current", at="id"):
        memory.run(Correct(id=old, text="Honey.", sources=(later,)))
    gone = memory.run(Retract(id=written.id)).id
    with refused(memory, "not_current", at="id"):
        memory.run(Correct(id=gone, text="Honey.", sources=(later,)))


@requirement("contextual:record:correction")
def test_a_correction_does_not_change_whose_it_is(memory: Memory) -> None:
    """Promise 6: the face binds the owner, and another's record is not corrected."""
    said = memory.observe("Green.", role="user").id
    old = memory.remember("Likes green.", kind="belief", owner="user", sources=(said,)).id

    with refused(memory, "owner_differs", at="owner"):
        memory.run(Correct(id=old, text="Likes red.", sources=(said,), owner="agent"))
    written = memory.run(Correct(id=old, text="Likes red.", sources=(said,)))

    assert shown(memory, written.id).owner == "user"


@requirement("contextual:record:visibility")
def test_what_is_kept_from_others_stays_so(memory: Memory) -> None:
    """Seed 2: a repetition is seen by no more; a version by just those who see the one before."""
    mine = memory.remember("A secret.", visibility="private", reader="Ann", key="s").id

    with refused(memory, "wider_than_source", at="sources[0]"):
        memory.remember("It says so.", sources=(mine,))
    with refused(memory, "visibility_widened", at="visibility"):
        memory.remember("No secret.", key="s")
    with refused(memory, "visibility_widened", at="visibility"):
        memory.remember("No secret.", key="s", visibility="private", reader="Ben")
    memory.remember("Open.", key="o")
    with refused(memory, "visibility_narrowed", at="visibility"):
        memory.remember("Closed.", key="o", visibility="room", room="hall")
    hall = memory.remember("Closed.", key="h", visibility="room", room="hall").id
    with refused(memory, "wider_than_source", at="sources[0]"):
        memory.remember("Otto knows.", sources=(hall,), visibility="private", reader="Otto")

    assert shown(memory, memory.run(Retract(id=hall)).id).room == "hall"


@requirement("contextual:record:standing")
@pytest.mark.parametrize("late", [0, -1])
def test_what_ends_at_the_moment_of_writing_bears_nothing(directory: Path, late: int) -> None:
    """Seed 2, automatic intake: what expires at that very moment refuses the whole input."""
    now = [FAR]
    with Memory.open(directory, clock=lambda: now[0], entropy=random.Random(7).randbytes) as memory:
        fact = memory.remember("The bridge is open.", kind="fact", valid_to=FAR + 10).id
        now[0] = FAR + 10 + late
        notes = (
            Note(text="Something else."),
            Note(text="Cross the bridge.", kind="requirement", task="way", sources=(fact,)),
        )

        if late < 0:
            assert len(memory.run(Commit(notes=notes)).records) == 2
        else:
            with refused(memory, "source_not_standing", at="notes[1].sources[0]"):
                memory.run(Commit(notes=notes))
            with refused(memory, "source_not_standing", at="id"):
                memory.run(Appraise(id=fact, benefit_ppm=1))


@requirement("contextual:record:free")
def test_a_record_that_nothing_binds_costs_no_statement_more(directory: Path) -> None:
    """The write path: neither the fold nor a later version asks about what is not there."""
    run: list[str] = []

    def watched(connection: apsw.Connection) -> None:
        def kept(_cursor: object, sql: str, _bound: object) -> bool:
            run.append(sql)
            return True

        connection.exec_trace = kept

    apsw.connection_hooks.append(watched)
    try:
        with Memory.open(directory) as memory:
            said = memory.observe("Said.", role="user").id
            run.clear()
            memory.remember("One.", key="k", kind="belief", sources=(said,))
            memory.remember("Two.", key="k", kind="belief", sources=(said,))
            memory.run(Commit(notes=(Note(text="Three."), Note(text="Four.")), state={"a": 1}))
            plain = [sql for sql in run if "binding" in sql]
            memory.remember("Five.", task="t")
            bound = [sql for sql in run if "binding" in sql]
    finally:
        apsw.connection_hooks.remove(watched)

    assert run
    assert plain == []
    assert len(bound) == 1


@requirement("contextual:record:erased")
def test_what_binds_a_record_is_folded_again_the_same(memory: Memory) -> None:
    """Promise 1: the table follows from the ledger, also with its hole."""
    said = memory.observe("Said.", role="user").id
    memory.run(Require(text="Say it.", task="t", about="Ann", priority=1))
    memory.run(Appraise(id=said, benefit_ppm=1, harm_ppm=2, task="t"))
    kept = memory.remember("Kept.", visibility="private", reader="Ann", task="t").id
    bound = memory.remember("Bound.", task="t").id
    for id in (kept, bound):
        erased(memory, record=id)

    assert memory.verify().faults == ()
    assert memory.run(Rebuild()).rebuilt["binding"] == 3
    assert memory.verify().faults == ()
    item = shown(memory, kept)
    assert (item.standing, item.visibility, item.reader, item.task) == (
        "erased", "private", None, None,
    )  # fmt: skip
    erased(memory, all=True)
    assert memory.verify().faults == ()
