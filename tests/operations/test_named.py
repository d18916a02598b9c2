"""What a word names: an id, or a key; and what is said of what took a version's place."""

from __future__ import annotations

import pytest

from muniment import (
    Appraise,
    Around,
    Close,
    Correct,
    History,
    Memory,
    Recall,
    Remember,
    Retract,
    Show,
    StateDelete,
    StateHistory,
    StateSetTo,
    WhyNot,
    errors,
)
from tests.conftest import Clock
from tests.operations.seen import refused, shown
from tests.requirements.marker import requirement

LATER = 2_000_000_000_000


@requirement("records:version:successor")
def test_what_is_over_names_what_took_its_place(memory: Memory) -> None:
    """A later version, a retraction, another value, a deletion; what stands names nothing."""
    first = memory.remember("The code is 1.", key="code").id
    second = memory.remember("The code is 2.", key="code").id
    third = memory.run(Retract(id="code")).id
    for value in (1, 2):
        memory.run(StateSetTo(key="k", value=value))
    memory.run(StateDelete(key="k"))

    assert [shown(memory, id).superseded_by for id in (first, second, third)] == [
        second, third, None
    ]  # fmt: skip
    values = memory.run(StateHistory(key="k")).items
    assert values[0].superseded_by == values[1].id
    assert shown(memory, values[1].superseded_by or "").kind == "deletion"


@requirement("records:version:successor")
def test_of_what_is_planned_it_is_what_speaks_now(memory: Memory) -> None:
    """A correction follows the plan in the history, and takes the place of what stood before it."""
    said = memory.observe("It is 3 until then.", role="user").id
    first = memory.remember("The code is 1.", key="code").id
    plan = memory.remember("The code is 2.", key="code", valid_from=LATER).id
    before = shown(memory, first).superseded_by
    fixed = memory.run(Correct(id=first, text="The code is 3.", sources=(said,))).id

    assert before is None
    assert shown(memory, first).superseded_by == fixed
    assert shown(memory, "code").id == fixed
    assert memory.run(Show(id="code", as_of=LATER)).items[0].id == plan


@requirement("records:version:successor")
def test_a_write_to_what_is_over_is_told_the_newest(memory: Memory) -> None:
    """By its id, so that the next try can name it."""
    said = memory.observe("It is 3.", role="user").id
    old, middle, new = [memory.remember(f"The code is {n}.", key="code").id for n in range(3)]
    asking = (
        Retract(id=old),
        Close(id=old),
        Correct(id=old, text="Otherwise.", sources=(said,)),
        Appraise(id=old, harm_ppm=1),
    )

    for request in asking:
        with pytest.raises(errors.Refused) as told:
            memory.run(request)
        assert new in told.value.detail
    with pytest.raises(errors.RequiredNotCurrent) as told:
        memory.recall("code", require=(middle,))
    assert new in told.value.detail
    with pytest.raises(errors.NotCurrent) as told:
        memory.remember("The code is 4.", key=None, supersedes=old)
    assert new in told.value.detail


@requirement("records:version:line")
def test_the_history_of_an_id_is_that_of_its_record(memory: Memory) -> None:
    """From any version, with a key or without, and as it was known then."""
    bare = memory.remember("One.").id
    next_ = memory.remember("Two.", supersedes=bare).id
    memory.remember("Three.")
    keyed = [memory.remember(f"The code is {n}.", key="code").id for n in range(2)]
    then = shown(memory, bare).recorded_at

    def history(name: str, as_recorded: str | None = None) -> list[str]:
        return [each.id for each in memory.run(History(key=name, as_recorded=as_recorded)).items]

    assert history(bare) == history(f"id:{next_.split('-')[0]}") == [bare, next_]
    assert history(bare, then) == [bare]
    assert history(keyed[0]) == history("code") == history("key:code") == keyed
    assert history("r99") == history("key:r1") == history("nothing") == []
    with pytest.raises(errors.NotFound) as told:
        history("id:r99")
    assert told.value.at == "key"


@requirement("records:version:line")
def test_a_key_that_looks_like_an_id_is_told_apart(memory: Memory) -> None:
    """As for `close`: what could be either is refused, and says how to say it."""
    first = memory.remember("One.").id
    other = memory.remember("Two.", key="r1").id

    for request in (History(key="r1"), Show(id="r1"), WhyNot(id="r1", query="two")):
        with pytest.raises(errors.AmbiguousName):
            memory.run(request)

    assert [each.id for each in memory.history("id:r1").items] == [first]
    assert [each.id for each in memory.history("key:r1").items] == [other]
    assert (shown(memory, "id:r1").id, shown(memory, "key:r1").id) == (first, other)


@requirement("records:names:key-or-id")
@pytest.mark.parametrize("key", ["lasagne", "code", "é1"])
def test_a_key_will_do_for_an_id(memory: Memory, key: str) -> None:
    """Also one whose letters could be those of an id."""
    memory.remember("Nutmeg belongs in.", key=key)
    new = memory.remember("Nutmeg stays out.", key=key).id

    assert shown(memory, key).id == new
    assert memory.run(WhyNot(id=key, query="nutmeg")).id == new
    assert shown(memory, memory.run(Appraise(id=key, harm_ppm=1)).id).assesses == new


@requirement("records:names:key-or-id")
def test_a_key_names_what_is_corrected(memory: Memory) -> None:
    """The version that stands, and not what is planned; unknown names are told as for `show`."""
    said = memory.observe("No nutmeg.", role="user").id
    old = memory.remember("Nutmeg belongs in.", key="lasagne").id
    plan = memory.remember("Mace.", key="lasagne", valid_from=LATER).id

    fixed = memory.run(Correct(id="key:lasagne", text="No nutmeg.", sources=(said,)))
    again = memory.run(Correct(id="lasagne", text="No nutmeg at all.", sources=(said,))).id

    assert shown(memory, old).superseded_by == fixed.id
    assert shown(memory, "lasagne").id == again
    assert memory.run(Show(id="lasagne", as_of=LATER)).items[0].id == plan
    for name in ("none", "key:none", "id:lasagne", "r99", "e99"):
        with refused(memory, "not_found", at="id"):
            memory.run(Correct(id=name, text="No.", sources=(said,)))


@requirement("records:names:key-or-id")
def test_what_could_be_an_id_or_a_key_is_neither_corrected_nor_erased(memory: Memory) -> None:
    """`id:` or `key:` says which."""
    said = memory.observe("It is so.", role="user").id
    first = memory.remember("One.").id
    other = memory.remember("Two.", key="r2").id
    memory.run(StateSetTo(key="k", value=1))
    memory.remember("Four.", key="l4")

    with refused(memory, "ambiguous_name", at="id"):
        memory.run(Correct(id="r2", text="So.", sources=(said,)))
    for name in ("r2", "l4"):
        with refused(memory, "ambiguous_name", at="record"):
            memory.erase(record=name)

    assert memory.run(Correct(id="id:r2", text="So.", sources=(said,))).supersedes == first
    assert memory.run(Correct(id="key:r2", text="So.", sources=(said,))).supersedes == other


@requirement("records:names:command")
def test_a_repeated_command_means_by_a_key_what_it_meant_first(memory: Memory) -> None:
    """By then the key names the correction itself, which is not corrected again."""
    said = memory.observe("No nutmeg.", role="user").id
    memory.remember("Nutmeg belongs in.", key="lasagne")
    asked = Correct(id="lasagne", text="No nutmeg.", sources=(said,), command_key="c1")
    assess = Appraise(id="lasagne", harm_ppm=1, command_key="c2")

    fixed, assessed = memory.run(asked), memory.run(assess)
    memory.remember("A little nutmeg.", key="lasagne")
    again, once_more = memory.run(asked), memory.run(assess)

    assert (again.id, again.known) == (fixed.id, True)
    assert (once_more.id, once_more.known) == (assessed.id, True)
    assert [each.text for each in memory.history("lasagne").items] == [
        "Nutmeg belongs in.", "No nutmeg.", "A little nutmeg.",
    ]  # fmt: skip
    memory.remember("Salt.", key="soup")
    with pytest.raises(errors.CommandKeyReused):
        memory.run(Correct(id="soup", text="No nutmeg.", sources=(said,), command_key="c1"))


@requirement("erasure:record:key")
def test_an_erasure_by_key_is_that_of_the_record(memory: Memory) -> None:
    """All its versions, also what led to the key; what the plan counts for its id, and no more."""
    bare = memory.remember("The code is 5512.").id
    keyed = memory.remember("The code is 7731.", supersedes=bare, key="door").id
    last = memory.remember("The code is 9090.", key="door", valid_from=LATER).id
    other = memory.remember("The bread is baked.", key="bread").id
    plan = memory.erase(record="door")

    assert plan.counts == memory.erase(record=bare).counts == memory.erase(record=last).counts
    for name in ("bread", "key:bread", other):
        with refused(memory, "wrong_token", at="confirm"):
            memory.erase(record=name, confirm=plan.token)

    done = memory.erase(record="door", confirm=plan.token)

    assert done.erased == plan.counts
    assert [shown(memory, id).standing for id in (bare, keyed, last)] == ["erased"] * 3
    assert shown(memory, "bread").text == "The bread is baked."
    for name in ("door", "key:door", keyed):
        with refused(memory, "nothing_to_erase"):
            memory.erase(record=name)
    for name in ("none", "key:none", "id:door", "r99"):
        with refused(memory, "not_found", at="record"):
            memory.erase(record=name)


@requirement("erasure:record:key")
def test_a_key_that_got_another_version_is_planned_anew(memory: Memory) -> None:
    """The token was for what stood under the key then."""
    memory.remember("The code is 5512.", key="door")
    token = memory.erase(record="door").token
    memory.remember("The code is 7731.", key="door")

    with refused(memory, "wrong_token", at="confirm"):
        memory.erase(record="door", confirm=token)


@requirement("records:names:key-or-id")
def test_what_is_kept_from_somebody_is_named_by_no_key(memory: Memory) -> None:
    """The answer about it is that about what there is not, by every spelling."""
    memory.remember("Ann sings.", key="song", visibility="private", reader="Ann")

    def told(name: str) -> tuple[str, str]:
        with pytest.raises(errors.NotFound) as caught:
            memory.run(WhyNot(id=name, query="sings"))
        return caught.value.detail.replace(name.partition(":")[2] or name, "*"), caught.value.code

    assert told("song") == told("none")
    assert told("key:song") == told("key:none")
    assert told("r1") == told("r9")
    assert told("id:r1") == told("id:r9")
    assert memory.run(WhyNot(id="song", query="sings", reader="Ann")).shown


@requirement("records:names:hint")
def test_where_an_id_is_wanted_a_key_is_told_its_id(memory: Memory) -> None:
    """Wherever a record names something, and where a version must be named exactly."""
    memory.remember("Nutmeg belongs in.", key="lasagne")
    said = memory.observe("No nutmeg.", role="user").id

    for at, asked in (
        ("sources[0]", Remember(text="So.", sources=("lasagne",))),
        ("sources[1]", Remember(text="So.", sources=(said, "lasagne"))),
        ("supersedes", Remember(text="So.", supersedes="lasagne")),
        ("require", Recall(query="nutmeg", require=("lasagne",))),
        ("pin", Recall(query="nutmeg", pin=(said, "lasagne"))),
        ("id", Around(id="lasagne")),
    ):
        with pytest.raises(errors.NotFound) as told:
            memory.run(asked)
        assert told.value.at == at
        assert "r1" in told.value.detail


@requirement("records:names:field")
def test_an_error_about_what_is_assessed_names_the_id(memory: Memory) -> None:
    """What is assessed is cited by itself, in front of the sources that are given."""
    said = memory.observe("It burnt.", role="user").id
    old = memory.remember("Bake it.", key="cake").id
    gone = memory.remember("Burn it.").id
    memory.run(Retract(id=gone))

    with refused(memory, "source_not_standing", at="sources[1]"):
        memory.run(Appraise(id="cake", harm_ppm=1, sources=(said, gone)))
    with refused(memory, "not_found", at="sources[0]"):
        memory.run(Appraise(id="cake", harm_ppm=1, sources=("r99",)))
    memory.run(Retract(id="cake"))
    with refused(memory, "source_not_standing", at="id"):
        memory.run(Appraise(id=old, harm_ppm=1))


@requirement("records:names:hint")
def test_a_key_that_is_kept_from_somebody_is_no_hint_to_them(memory: Memory) -> None:
    """A reference by it gets the answer of a key that nobody wrote."""
    memory.remember("Ann sings.", key="song", visibility="private", reader="Ann")

    def told(name: str, **fields: str) -> str:
        with pytest.raises(errors.NotFound) as caught:
            memory.recall("sings", require=(name,), **fields)
        return caught.value.detail.replace(name, "*")

    assert told("song") == told("none")
    assert "r1" in told("song", reader="Ann")


@requirement("records:names:key-or-id")
def test_no_error_about_the_past_knows_a_key_of_later(memory: Memory, clock: Clock) -> None:
    """Where an id is wanted a key is told its id, as far as it was known then."""
    memory.observe("One.", role="user")
    then = clock()
    memory.remember("Later.", key="zebra")

    for request in (
        Around(id="zebra", as_recorded=then),
        Recall(query="x", require=("zebra",), as_recorded=then),
        Recall(query="x", pin=("zebra",), as_recorded=then),
    ):
        with pytest.raises(errors.NotFound) as told:
            memory.run(request)
        assert "is no id" in told.value.detail
    with pytest.raises(errors.NotFound) as now:
        memory.run(Around(id="zebra"))
    assert "is a key here" in now.value.detail
