"""Erasure: what each target takes with it, what stays behind in view, and what rests on it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw
import pytest

from muniment import (
    Around,
    Checkpoint,
    Close,
    Memory,
    Retract,
    Show,
    StateGet,
    StateHistory,
    StateSetTo,
    Status,
    Thread,
    errors,
)  # fmt: skip
from tests.operations.seen import erased, ids, shown, stated
from tests.requirements.marker import requirement

KEPT = {"id", "seq", "kind", "recorded_at", "at", "standing", "role", "type", "ordering", "parent",
        "reply_to", "lines", "span", "status", "owner", "supersedes", "superseded_by", "sources",
        "covers", "valid_from", "valid_to", "labels"}  # fmt: skip


def assert_wordless(memory: Memory, id: str) -> None:
    """The thing answers as erased, and every field that a caller put words into is empty."""
    item = shown(memory, id)
    assert item.standing == "erased"
    assert item.text == ""
    words = {name: getattr(item, name) for name in item.__struct_fields__ if name not in KEPT}
    assert not any(words.values()), words


@requirement("erasure:target:event", "erasure:chain:id-answers")
def test_erasing_an_event_takes_its_words_and_leaves_its_place(memory: Memory) -> None:
    """Promise 8: the id still answers, in its thread there is a hole, and no word is left."""
    before = memory.observe("one", role="user", thread="t").id
    id = memory.observe(
        "Forget this.", role="user", thread="t", actor="Ann", session="s", tags=("a",),
        collection="anchor", caption="a face", external_id="x", source="f", lines=(1, 2),
        span=(0, 9), parent=before, reply_to=before,
    ).id  # fmt: skip
    after = memory.observe("three", role="user", thread="t", parent=id).id

    erased(memory, event=id.split("-")[0])

    assert_wordless(memory, id)
    assert shown(memory, id).parent == before
    assert [item.id for item in memory.run(Thread(thread="t")).items] == [before, after]
    assert [item.id for item in memory.run(Around(id=id)).items] == [before, id, after]
    assert memory.recall("forget ann face").items == ()
    for fields in ({"session": "s"}, {"tags": ("a",)}, {"collection": "anchor"}):
        assert memory.recall("", policy="recent", **fields).items == ()
    assert memory.run(Status()).erased == 1


@requirement("erasure:target:record", "erasure:chain:id-answers")
@pytest.mark.parametrize("named", range(4))
def test_erasing_a_record_takes_all_its_versions(memory: Memory, named: int) -> None:
    """Promise 8: whichever version is named, the whole record goes, and nothing beside it."""
    versions = [memory.remember(f"Version {number}.", key="k").id for number in range(3)]
    versions.append(memory.run(Retract(id=versions[-1])).id)
    beside = memory.remember("Version 9.", key="other").id

    erased(memory, record=versions[named])

    for id in versions:
        assert_wordless(memory, id)
    assert shown(memory, beside).text == "Version 9."
    assert [item.standing for item in memory.history("k").items] == ["erased"] * 4
    assert ids(memory.recall("version", history=True)) == [beside]


@requirement("erasure:target:record")
@pytest.mark.parametrize("named", range(3))
def test_a_record_that_got_its_key_later_goes_whole(memory: Memory, named: int) -> None:
    """Promise 8: versions are led by what supersedes what, whether or not they have the key."""
    first = memory.remember("Version one.").id
    second = memory.remember("Version two.", supersedes=first).id
    third = memory.remember("Version three.", key="k", supersedes=second).id

    erased(memory, record=(first, second, third)[named])

    for id in (first, second, third):
        assert_wordless(memory, id)


@requirement("erasure:target:record")
def test_erasing_a_state_value_takes_every_value_of_its_key(memory: Memory) -> None:
    """Promise 8: a key of the state is a record in this."""
    for value in ("one", "two"):
        memory.run(StateSetTo(key="k", value=value))
    memory.run(StateSetTo(key="other", value="three"))
    items = memory.run(StateHistory(key="k")).items

    erased(memory, record=items[0].id)

    for item in items:
        assert_wordless(memory, item.id)
    assert memory.run(StateGet(key="k")).seq is None
    assert memory.run(StateGet(key="other")).value == "three"


@requirement("erasure:target:session")
@pytest.mark.parametrize("name", ["session", "source"])
def test_a_session_or_a_source_goes_as_a_whole(memory: Memory, name: str) -> None:
    """Seed 2: what came in together can be forgotten together."""
    said = [memory.observe(f"said {n}", role="user", **{name: "s"}).id for n in range(5)]
    beside = [memory.observe(f"said {n}", role="user", **{name: "S"}).id for n in range(5, 8)]
    erased(memory, event=said[2])

    erased(memory, **{name: "s"})

    for id in said:
        assert_wordless(memory, id)
    assert set(ids(memory.recall("said"))) == set(beside)
    with pytest.raises(errors.MunimentError) as caught:
        memory.erase(**{name: "s"})
    assert caught.value.code in ("nothing_to_erase", "not_found")


@requirement("erasure:target:scope")
def test_erasing_a_scope_takes_everything_and_the_skeleton_verifies(
    memory: Memory, directory: Path, tmp_path: Path
) -> None:
    """Promise 8: every content and the name go; what is left still verifies against a note."""
    said = memory.observe("Forget this.", role="user", scope="Private matters").id
    held = memory.remember("And this.", key="k", sources=(said,), scope="Private matters").id
    memory.run(StateSetTo(key="k", value="And that.", scope="Private matters"))
    memory.recall("forget", record=True, scope="Private matters")
    memory.observe("Not this.", role="user", scope="others")
    note = str(tmp_path / "note.json")
    memory.run(Checkpoint(out=note, scope="Private matters"))

    erased(memory, "Private matters", all=True)

    status = memory.run(Status(scope="Private matters"))
    assert (status.name, status.seq, status.erased) == (None, 4, 1)
    assert [shown(memory, id, "Private matters").standing for id in (said, held)] == ["erased"] * 2
    verified = memory.verify(checkpoint=note, scope="Private matters")
    assert (verified.ok, verified.erased) == (True, 4)
    assert memory.recall("this", scope="others", policy="recent").items
    assert not any("private" in path.name for path in directory.iterdir())


@requirement("erasure:target:file")
def test_removing_the_file_of_an_erased_scope_leaves_nothing(
    memory: Memory, directory: Path
) -> None:
    """Promise 8: for those who must not keep even the skeleton; the answer says what that costs."""
    memory.observe("Forget this.", role="user", scope="gone")
    memory.observe("Not this.", role="user", scope="others")
    plan = memory.erase(all=True, remove_file=True, scope="gone")
    kept = memory.erase(all=True, scope="others")

    done = memory.erase(all=True, remove_file=True, confirm=plan.token, scope="gone")

    assert (done.done, done.pending) == (True, False)
    assert len(done.not_checked) > len(erase_all(memory, "others", kept.token).not_checked)
    assert stated(memory, "gone") is None
    assert len({path.name.split(".")[0] for path in directory.iterdir()}) == 1
    with pytest.raises(errors.NotFound):
        memory.recall("forget", scope="gone")


def erase_all(memory: Memory, scope: str, token: str | None) -> Any:
    """The second step for a whole scope."""
    return memory.erase(all=True, confirm=token, scope=scope)


@requirement("erasure:target:scope")
def test_a_scope_goes_on_after_everything_in_it_was_erased(memory: Memory) -> None:
    """The same name leads to the same ledger, which goes on where it stood."""
    memory.observe("Forget this.", role="user", external_id="x", scope="s")
    erased(memory, "s", all=True)

    again = memory.observe("Forget this.", role="user", external_id="x", scope="s")
    new = memory.observe("A new beginning.", role="user", scope="s")

    assert (again.known, again.standing) == (True, "erased")
    assert ids(memory.recall("beginning forget", scope="s")) == [new.id]
    assert new.seq == 3


@requirement("erasure:chain:verifies")
def test_the_chain_verifies_from_its_genesis_and_against_an_earlier_note(
    memory: Memory, tmp_path: Path
) -> None:
    """Promise 8: no hash changes, because no header held a word."""
    note = str(tmp_path / "note.json")
    said = [memory.observe(f"Thing {number} was said.", role="user").id for number in range(9)]
    held = memory.remember("Held.", key="k").id
    memory.run(Checkpoint(out=note))

    for asked in ({"event": said[0]}, {"event": said[8]}, {"record": held}):
        erased(memory, **asked)

    for depth in ("chain", "content", "full"):
        verified = memory.verify(depth=depth, checkpoint=note)
        assert (verified.ok, verified.faults) == (True, ())
    assert memory.verify().erased == 3


@requirement("erasure:chain:visible")
def test_a_hole_that_no_erasure_names_is_a_fault(memory: Memory, directory: Path) -> None:
    """Promise 8: verify counts what is gone, and tells what was forgotten from what was lost."""
    said = [memory.observe(f"Thing {number} was said.", role="user").id for number in range(3)]
    erased(memory, event=said[0])
    counted = memory.verify(depth="content")
    path = next(directory.glob("*.muniment"))
    held = path.read_bytes()
    memory.close()
    with apsw.Connection(str(path)) as connection:
        connection.execute("DELETE FROM content WHERE place = 2")
    connection.close()

    with Memory.open(directory) as spoiled:
        verified = spoiled.verify(depth="content")
    path.write_bytes(held)

    assert (counted.ok, counted.erased) == (True, 1)
    assert [(fault.code, fault.seq) for fault in verified.faults] == [("content_missing", 2)]
    assert verified.erased == 1


@requirement("erasure:derived:covering")
def test_a_summary_of_what_is_erased_is_erased_with_it(memory: Memory) -> None:
    """Promise 8: what stands for it would still tell of it."""
    said = [memory.observe(f"Thing {number} was said.", role="user").id for number in range(2)]
    over = memory.remember("Two things.", kind="summary", sources=said, covers=said).id
    above = memory.remember(
        "All.", kind="summary", sources=(over,), covers=(over,), recursive=True
    ).id
    plan = memory.erase(event=said[0])

    erased(memory, event=said[0])

    assert {(each.id, each.follows, each.reason) for each in plan.dependents} == {
        (over, True, "covers"), (above, True, "covers"),
    }  # fmt: skip
    assert [shown(memory, id).standing for id in (over, above, said[1])] == [
        "erased", "erased", "current",
    ]  # fmt: skip


@requirement("erasure:derived:repeating")
@pytest.mark.parametrize(
    ("source", "copy", "follows"),
    [
        (
            "We meet at the old mill on Sunday at nine.",
            "Somebody said: meet at the old mill.",
            True,
        ),
        ("We meet at the old mill on Sunday at nine.", "They meet at the mill.", False),
        ("We MEET, at the old: mill on Sunday!", "meet at the old mill, he said", True),
        ("她星期天九点在老磨坊和我们见面", "听说她星期天九点在老磨", True),
        ("她星期天九点在老磨坊和我们见面", "星期天九点在磨坊等", False),
        ("ｗｅ ｍｅｅｔ ａｔ ｔｈｅ ｏｌｄ ｍｉｌｌ today", "so we meet at the old one", True),
    ],
)
@pytest.mark.parametrize("kind", ["note", "belief", "story", "task"])
def test_what_repeats_a_cited_source_is_erased_with_it(
    memory: Memory, kind: str, source: str, copy: str, follows: bool
) -> None:
    """Promise 8: five words in a row, or eight CJK characters, are the same words."""
    said = memory.observe(source, role="user").id
    id = memory.remember(copy, kind=kind, sources=(said,)).id
    uncited = memory.remember(copy + " ", kind="fact").id

    plan = memory.erase(event=said)
    erased(memory, event=said)

    assert [(each.id, each.follows) for each in plan.dependents] == [(id, follows)]
    assert (shown(memory, id).standing == "erased") is follows
    assert shown(memory, uncited).standing == "current"


@requirement("erasure:derived:listed")
def test_what_would_stay_is_listed_and_labelled_afterwards(memory: Memory) -> None:
    """Promise 8: the person sees it before, and whoever reads it sees it after."""
    said = memory.observe("The harbour is open all year.", role="user").id
    fact = memory.remember("Ships come.", kind="fact", sources=(said,)).id
    belief = memory.remember("It is a good place.", kind="belief", sources=(said,)).id

    plan = memory.erase(event=said)
    erased(memory, event=said)

    assert {(each.id, each.kind, each.follows, each.reason) for each in plan.dependents} == {
        (fact, "fact", False, "cites"), (belief, "belief", False, "cites"),
    }  # fmt: skip
    assert [(shown(memory, id).standing, shown(memory, id).labels) for id in (fact, belief)] == [
        ("current", ("source_erased",)), ("withdrawn", ("source_erased",)),
    ]  # fmt: skip
    assert [source.id for source in shown(memory, fact).sources] == [said]


@requirement("erasure:derived:with-dependents")
def test_with_dependents_what_would_stay_goes_too(memory: Memory) -> None:
    """Promise 8: all that rests on it, and what rests on that."""
    said = memory.observe("The harbour is open all year.", role="user").id
    fact = memory.remember("Ships come.", kind="fact", sources=(said,)).id
    belief = memory.remember("It is a good place.", kind="belief", sources=(fact,)).id
    beside = memory.remember("Something else.", kind="fact").id

    plan = memory.erase(event=said, with_dependents=True)
    erased(memory, event=said, with_dependents=True)

    assert {(each.id, each.follows) for each in plan.dependents} == {(fact, True), (belief, True)}
    for id in (said, fact, belief):
        assert_wordless(memory, id)
    assert shown(memory, beside).text == "Something else."


@requirement("erasure:derived:repeating")
def test_later_versions_of_what_follows_follow_where_they_say_the_same(memory: Memory) -> None:
    """Promise 8: a version that no longer cites it may still repeat it."""
    said = memory.observe("We meet at the old mill on Sunday.", role="user").id
    task = memory.remember("Go: we meet at the old mill.", key="k", kind="task", sources=(said,)).id
    closed = memory.run(Close(id=task)).id
    after = memory.remember("All done.", key="k").id

    erased(memory, event=said)

    assert [shown(memory, id).standing for id in (task, closed, after)] == [
        "erased", "erased", "current",
    ]  # fmt: skip


@requirement("erasure:derived:covering")
def test_a_receipt_that_speaks_of_what_is_erased_loses_its_question(memory: Memory) -> None:
    """Promise 8: what was asked about it would tell of it."""
    said = memory.observe("The harbour is open all year.", role="user").id
    receipt = memory.recall("harbour", record=True).receipt

    plan = memory.erase(event=said)
    erased(memory, event=said)

    assert [(each.id, each.follows) for each in plan.dependents] == [(receipt, True)]
    assert memory.verify().erased == 2


@requirement("erasure:return:predecessor")
def test_erasing_never_revives_what_stood_before(memory: Memory) -> None:
    """Promise 8: a key whose record is erased holds nothing, until it is written again."""
    memory.remember("The first.", key="k")
    second = memory.remember("The second.", key="k").id
    memory.run(StateSetTo(key="k", value="first"))
    memory.run(StateSetTo(key="k", value="second"))
    state = memory.run(StateHistory(key="k")).items[1].id
    erased(memory, record=second)
    erased(memory, record=state)

    assert memory.recall("first second", history=True).items == ()
    assert memory.run(StateGet(key="k")).value is None
    third = memory.remember("The third.", key="k", kind="fact")

    assert third.supersedes == second
    assert [item.standing for item in memory.history("k").items] == ["erased", "erased", "current"]
    assert not memory.run(StateSetTo(key="k", value="second")).known


@requirement("erasure:receipt:shown")
def test_the_receipt_of_an_erasure_shows_what_it_took(memory: Memory) -> None:
    """B25: the receipt is an event of the ledger, which anybody may look at."""
    said = memory.observe("Forget the lamp.", role="user").id
    done = erased(memory, event=said)
    assert done.receipt is not None

    shown = memory.run(Show(id=done.receipt)).items[0]

    assert (shown.kind, shown.covers, shown.text) == ("erasure", (said,), "")


@requirement("erasure:derived:through")
def test_words_are_followed_through_what_stays(memory: Memory, directory: Path) -> None:
    """e1 is put in other words, and what rests on those repeats it: the words go, those stay."""
    said = "The spare key hangs behind the third clock on the left."
    source = memory.observe(said, role="user")
    told = memory.remember("There is a way in.", kind="fact", sources=[source.id])
    quoted = memory.remember(f"He wrote: {said}", kind="note", sources=[told.id])
    digest = memory.remember("About keys.", kind="summary", sources=[source.id])

    plan = memory.erase(event=source.id)
    memory.erase(event=source.id, confirm=plan.token)

    follows = {each.id: (each.follows, each.reason) for each in plan.dependents}
    assert follows == {
        told.id: (False, "cites"), quoted.id: (True, "same_words"), digest.id: (True, "summary")
    }  # fmt: skip
    assert b"third clock" not in b"".join(path.read_bytes() for path in directory.iterdir())
    assert memory.run(Show(id=told.id)).items[0].text == "There is a way in."
