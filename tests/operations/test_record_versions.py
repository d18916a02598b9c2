"""Records: versions of a key, what supersedes what, and what is known already."""

from __future__ import annotations

import pytest

from muniment import Close, Commit, Memory, Note, Retract, errors
from tests.operations.seen import erased, needed, refused, shown, stated
from tests.requirements.marker import requirement


@requirement("records:version:supersedes")
def test_writing_a_key_again_supersedes_what_stood_and_keeps_it(memory: Memory) -> None:
    """Seed 1, versions: the new one leads back to the old one, which stays as it was."""
    first = memory.remember("The code is 5512.", key="door")
    second = memory.remember("The code is 7731.", key="door")

    assert second.supersedes == first.id
    assert not second.known
    assert shown(memory, first.id).text == "The code is 5512."
    assert shown(memory, first.id).standing == "superseded"
    assert shown(memory, second.id).standing == "current"


@requirement("records:version:history")
def test_the_history_of_a_key_lists_every_version_oldest_first(memory: Memory) -> None:
    """Seed 1, versions: in order, each with its standing and what it took the place of."""
    said = memory.observe("said", role="user").id
    one = memory.remember("one", key="k")
    two = memory.remember("two", key="k", kind="fact", sources=(said,))
    three = memory.run(Retract(id=two.id))
    memory.remember("elsewhere", key="other")
    four = memory.remember("four", key="k")

    items = memory.history("k").items

    assert [item.id for item in items] == [one.id, two.id, three.id, four.id]
    assert [item.text for item in items] == ["one", "two", "two", "four"]
    assert [item.supersedes for item in items] == [None, one.id, two.id, three.id]
    assert [item.standing for item in items] == ["superseded"] * 3 + ["current"]
    assert [item.status for item in items] == ["active", "active", "retracted", "active"]


def test_a_key_that_was_never_written_has_no_history(memory: Memory) -> None:
    """That is no error: there is nothing to show."""
    memory.remember("one", key="k")

    assert memory.history("K").items == ()


def test_two_keys_are_two_claims(memory: Memory) -> None:
    """Seed 1, versions: the same text under two keys is two records; keys are compared exactly."""
    keys = ["door", "Door", "door ", "dööR", "do\u0308o\u0308R"]

    written = [memory.remember("The code is 5512.", key=key) for key in keys]

    assert [each.supersedes for each in written] == [None] * len(keys)
    assert all(len(memory.history(key).items) == 1 for key in keys)


@requirement("records:version:by-id")
def test_every_version_is_shown_by_its_own_id_however_old(memory: Memory) -> None:
    """Seed 1, versions: an id always answers, in full and by the part before the dash."""
    written = [memory.remember(f"version {number}", key="k").id for number in range(40)]

    for number, id in enumerate(written):
        for name in (id, id.split("-")[0]):
            item = shown(memory, name)
            assert (item.id, item.text) == (id, f"version {number}")
            assert item.standing == ("current" if number == 39 else "superseded")


@requirement("records:version:without-key")
def test_a_record_without_a_key_is_superseded_by_name_alone(memory: Memory) -> None:
    """A record that has no key cannot be hit by accident."""
    first = memory.remember("no key")
    memory.remember("no key either")
    memory.remember("with a key", key="k")
    assert shown(memory, first.id).standing == "current"

    second = memory.remember("the next", supersedes=first.id.split("-")[0])

    assert second.supersedes == first.id
    assert shown(memory, first.id).standing == "superseded"
    assert shown(memory, second.id).key is None


@requirement("records:version:without-key")
def test_a_write_that_names_a_version_names_the_newest_one(memory: Memory) -> None:
    """A write names what it takes the place of, so that it never hits something it did not see."""
    old = memory.remember("old")
    new = memory.remember("new", supersedes=old.id)
    kept = memory.remember("kept", key="k")

    with refused(memory, "not_current", at="supersedes"):
        memory.remember("newer", supersedes=old.id)
    with refused(memory, "supersedes_other", at="supersedes"):
        memory.remember("newer", supersedes=kept.id)
    with refused(memory, "supersedes_other", at="supersedes"):
        memory.remember("newer", key="k", supersedes=new.id)
    with refused(memory, "supersedes_other", at="supersedes"):
        memory.remember("newer", key="other", supersedes=kept.id)
    assert memory.remember("newer", key="k", supersedes=kept.id).supersedes == kept.id


@requirement("records:version:without-key")
def test_two_records_of_one_commit_do_not_supersede_the_same_version(memory: Memory) -> None:
    """A version has one successor at most."""
    old = memory.remember("old")
    twice = (Note(text="a", supersedes=old.id), Note(text="b", supersedes=old.id.split("-")[0]))

    with refused(memory, "bad_shape", at="notes[1].supersedes"):
        memory.run(Commit(notes=twice))


def test_a_record_without_a_key_can_get_one(memory: Memory) -> None:
    """The version that names it takes it over under the key."""
    bare = memory.remember("bare")

    keyed = memory.remember("keyed", key="k", supersedes=bare.id)

    assert keyed.supersedes == bare.id
    assert [item.supersedes for item in memory.history("k").items] == [bare.id]


@requirement("records:version:equal")
@pytest.mark.parametrize("key", ["k", None])
def test_a_record_equal_to_its_current_version_writes_nothing(
    memory: Memory, key: str | None
) -> None:
    """A host that says the same again adds no version."""
    said = memory.observe("said", role="user").id
    fields = {"key": key, "kind": "fact", "sources": (said,), "about": "Ann", "metadata": "{}"}
    first = memory.remember("The code is 5512.", **fields)
    before = stated(memory)

    again = memory.remember("The code is 5512.", **fields)

    assert again.known
    assert (again.id, again.seq, again.head) == (first.id, first.seq, first.head)
    assert stated(memory) == before


@requirement("records:version:equal")
@pytest.mark.parametrize(
    "change",
    [
        {"text": "The code is 5513."},
        {"kind": "note"},
        {"status": "retracted"},
        {"about": "Ben"},
        {"metadata": '{"a":1}'},
        {"sources": ()},
        {"valid_to": 2_000_000_000_000},
        {"valid_from": 0},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_record_that_differs_in_one_field_is_a_new_version(
    memory: Memory, change: dict[str, object]
) -> None:
    """Equal means equal in every field that a caller chose."""
    said = memory.observe("said", role="user").id
    fields = {"text": "The code is 5512.", "kind": "fact", "sources": (said,), "about": "Ann"}
    first = memory.remember(key="k", **fields)

    second = memory.remember(key="k", **{**fields, **change})

    assert (second.known, second.supersedes) == (False, first.id)


def test_a_value_that_comes_back_is_a_new_version(memory: Memory) -> None:
    """Equal to an older version is not equal to the current one."""
    first = memory.remember("one", key="k")
    second = memory.remember("two", key="k")

    third = memory.remember("one", key="k")

    assert (third.known, third.supersedes) == (False, second.id)
    assert first.id != third.id


@requirement("records:version:owner")
@pytest.mark.parametrize(
    ("first", "second"), [("user", "scope"), ("scope", "agent"), ("agent", "user")]
)
def test_a_key_belongs_to_its_owner(memory: Memory, first: str, second: str) -> None:
    """Promise 6: what one owner holds is not replaced by another."""
    memory.remember("mine", key="k", owner=first)
    bare = memory.remember("mine too", owner=first)

    with refused(memory, "owner_differs", at="owner"):
        memory.remember("yours", key="k", owner=second)
    with refused(memory, "owner_differs", at="owner"):
        memory.remember("yours", owner=second, supersedes=bare.id)
    assert memory.remember("mine again", key="k", owner=first).supersedes is not None


@requirement("records:retract:record")
@pytest.mark.parametrize(
    "kind",
    ["note", "fact", "procedure", "task", "summary", "story", "belief", "intention",
     "requirement", "appraisal"],
)  # fmt: skip
def test_retracting_keeps_the_text_and_default_recall_does_not_show_it(
    memory: Memory, kind: str
) -> None:
    """Seed 1: a retraction is a version like any other, with the same text."""
    said = memory.observe("zebra crossing", role="user", actor="Ann", collection="apart").id
    fields = {"key": "k", "kind": kind, "sources": (said,), "about": "Ann", "metadata": '{"a":1}'}
    written = memory.remember("A zebra stands here.", **fields, **needed(kind, said))

    taken_back = memory.run(Retract(id=written.id))

    item, before = shown(memory, taken_back.id), shown(memory, written.id)
    assert (item.status, item.standing) == ("retracted", "retracted")
    assert (item.supersedes, before.standing) == (written.id, "superseded")
    for field in ("text", "key", "kind", "owner", "about", "metadata", "sources"):
        assert getattr(item, field) == getattr(before, field)
    assert memory.recall("zebra").items == ()
    assert taken_back.supersedes == written.id


@requirement("records:retract:again")
def test_what_is_not_the_newest_version_is_neither_retracted_nor_closed(memory: Memory) -> None:
    """Who takes back an old version has not seen the new one."""
    from muniment import Close

    old = memory.remember("old", key="k", kind="task")
    new = memory.remember("new", key="k", kind="task")

    for request in (Retract(id=old.id), Close(id=old.id)):
        with refused(memory, "not_current", at="id"):
            memory.run(request)
    closed = memory.run(Close(id=new.id))
    with refused(memory, "not_current", at="id"):
        memory.run(Close(id=new.id))
    taken_back = memory.run(Retract(id=closed.id))
    with refused(memory, "not_current", at="id"):
        memory.run(Close(id=taken_back.id))


@requirement("records:version:equal")
def test_closing_or_retracting_twice_is_known(memory: Memory) -> None:
    """The second answer names the version that says it already."""
    from muniment import Close

    task = memory.remember("a task", kind="task")
    closed = memory.run(Close(id=task.id))
    before = stated(memory)

    again = memory.run(Close(id=closed.id))

    assert (again.known, again.id) == (True, closed.id)
    assert stated(memory) == before


@requirement("records:close:key")
@pytest.mark.parametrize("request_type", [Close, Retract])
def test_a_record_is_closed_and_taken_back_by_its_key_too(
    memory: Memory, request_type: type[Close | Retract]
) -> None:
    """Whoever knows a task knows its key; what is written is the same as by its id."""
    task = memory.remember("Return the telescope.", key="tele scope", kind="task").id
    newer = memory.remember("Return it today.", key="tele scope", kind="task").id

    done = memory.run(request_type(id="tele scope"))

    assert done.supersedes == newer
    assert memory.run(request_type(id="tele scope")).known
    with refused(memory, "not_current", at="id"):
        memory.run(request_type(id=task))
    for nothing in ("telescope", "", " ", "r99", "tele", "😀"):
        with refused(memory, "not_found", at="id"):
            memory.run(request_type(id=nothing))


@requirement("records:close:key")
def test_an_id_is_looked_up_before_a_key_and_nothing_is_guessed(memory: Memory) -> None:
    """A word that means one record as an id and another as a key is refused; a whole id is not."""
    first = memory.remember("Water the garden.", key="garden", kind="task").id
    second = memory.remember("Return the telescope.", key="r1", kind="task").id
    own = memory.remember("Charge the camera.", key="r3", kind="task").id
    said = memory.observe("Hello.", role="user").id
    fourth = memory.remember("Say hello.", key="e4", kind="task").id

    with refused(memory, "ambiguous_name", at="id"):
        memory.run(Close(id="r1"))
    assert memory.run(Close(id=first)).supersedes == first
    assert memory.run(Close(id="r2")).supersedes == second
    assert memory.run(Close(id="r3")).supersedes == own
    with refused(memory, "not_found", at="id"):
        memory.run(Close(id=said))
    assert memory.run(Close(id="e4")).supersedes == fourth


@requirement("records:close:said")
@pytest.mark.parametrize("request_type", [Close, Retract])
@pytest.mark.parametrize("key", ["rose", "r1", "r2-0123456789abcdef", "key:r1", "id:r1", "q7"])
def test_a_key_that_looks_like_an_id_is_reached_by_saying_so(
    memory: Memory, request_type: type[Close | Retract], key: str
) -> None:
    """`key:` and `id:` before a word leave nothing open, whatever the word looks like."""
    first = memory.remember("Water the garden.", kind="task").id
    keyed = memory.remember("Return the telescope.", key=key, kind="task").id

    for nothing in ("key:lily", "id:lily", "id:rosa", "key:", "id:"):
        with refused(memory, "not_found", at="id"):
            memory.run(request_type(id=nothing))
    by_key = memory.run(request_type(id=f"key:{key}"))
    by_id = memory.run(request_type(id=f"id:{first.split('-')[0]}"))

    assert (by_key.supersedes, by_id.supersedes) == (keyed, first)


@requirement("records:close:said")
def test_a_plain_word_is_an_id_where_there_is_one_and_else_a_key(memory: Memory) -> None:
    """`rose` is spelled like an id and is none here; a whole id may be a key's name as well."""
    rose = memory.remember("Water the rose.", key="rose", kind="task").id
    odd = memory.remember("Water the lily.", key=rose, kind="task").id

    assert memory.run(Close(id="rose")).supersedes == rose
    with refused(memory, "ambiguous_name", at="id"):
        memory.run(Retract(id=rose))
    assert memory.run(Close(id=f"key:{rose}")).supersedes == odd


@requirement("records:close:key")
def test_no_key_leads_to_what_is_erased_or_elsewhere(memory: Memory) -> None:
    """Promise 7 and 8: an erased record is not current, and another scope's key is unknown."""
    task = memory.remember("Return the telescope.", key="tele", kind="task")
    memory.remember("Theirs.", key="theirs", kind="task", scope="there")
    erased(memory, record=task.id)

    with refused(memory, "not_current", at="id"):
        memory.run(Close(id="tele"))
    with refused(memory, "not_found", at="id"):
        memory.run(Close(id="theirs"))
    with pytest.raises(errors.NothingToErase):
        memory.erase(record="tele")
