"""Contextual recall through the door: tasks, those who take part, and what is at stake."""

from __future__ import annotations

from typing import Any

import pytest

from muniment import Appraise, Correct, Memory, Note, Remember, Require, Retract, WhyNot, errors
from muniment.model.pack import Pack
from tests.operations.seen import ids, left_out, refused, texts
from tests.requirements.marker import requirement

MEAL = "plan a meal"


def require(memory: Memory, text: str, **fields: Any) -> str:
    """A requirement of the meal."""
    return memory.run(Require(text=text, task=MEAL, **fields)).id


def meal(memory: Memory, *participants: str, query: str = "zzz", **fields: Any) -> Pack:
    """What is recalled for the meal; the words of the question fit nothing by themselves."""
    return memory.recall(query, task=MEAL, participants=participants, **fields)


@pytest.fixture
def kitchen(memory: Memory) -> dict[str, str]:
    """Requirements that concern Ann, Ben and everybody, and one of another task."""
    return {
        "ann": require(memory, "Ann eats no nuts.", about="Ann"),
        "ben": require(memory, "Ben eats no fish.", about="Ben"),
        "all": require(memory, "Dinner is at seven."),
        "walk": memory.run(Require(text="Take a map.", task="plan a walk")).id,
    }


@requirement("contextual:task:participants")
def test_what_concerns_everybody_or_somebody_who_takes_part_is_said(
    memory: Memory, kitchen: dict[str, str]
) -> None:
    """Seed 2: known, other and unknown participants; unknown is not everyone."""
    assert ids(meal(memory, "Ann")) == [kitchen["ann"], kitchen["all"]]
    assert ids(meal(memory, "Ben", "Ann")) == [kitchen["ann"], kitchen["ben"], kitchen["all"]]
    assert ids(meal(memory, "Cem")) == [kitchen["all"]]
    assert ids(meal(memory)) == [kitchen["all"]]
    assert ids(memory.recall("zzz", task="plan a walk")) == [kitchen["walk"]]
    assert ids(memory.recall("zzz", task="plan")) == []
    assert meal(memory, "Ann").items[0].reasons == ("requirements",)


@requirement("contextual:task:bound", "contextual:task:reference")
def test_what_is_bound_to_a_task_is_said_in_it_alone(
    memory: Memory, kitchen: dict[str, str]
) -> None:
    """Seed 2: neither words nor references take it out of its task; the reason is named."""
    assert ids(memory.recall("nuts")) == []
    assert ids(memory.recall("nuts", policy="recent")) == []
    assert memory.run(WhyNot(id=kitchen["ann"], query="nuts")).reason == "other_task"
    why = memory.run(WhyNot(id=kitchen["ann"], query="nuts", task=MEAL))
    assert why.reason == "other_participant"
    for fields in (
        {"require": (kitchen["ann"],)},
        {"pin": (kitchen["ann"],)},
        {"require": (kitchen["ann"],), "task": MEAL, "participants": ("Ben",)},
        {"pin": (kitchen["walk"],), "task": MEAL},
    ):
        at = "require" if "require" in fields else "pin"
        with refused(memory, "not_applicable", at=at):
            memory.recall("nuts", **fields)


@requirement("contextual:task:pending")
@pytest.mark.parametrize("status", ["completed", "rejected", "deferred"])
def test_an_intention_of_a_task_is_said_while_it_is_pending(memory: Memory, status: str) -> None:
    """Seed 2: once it is done it is never said again."""
    fields: dict[str, Any] = {"kind": "intention", "key": "buy", "task": MEAL}
    pending = memory.remember("Buy rice for the meal.", **fields).id
    assert ids(meal(memory, query="rice")) == [pending]

    memory.remember("Buy rice for the meal.", status=status, **fields)

    assert ids(meal(memory, query="rice")) == []
    assert ids(memory.recall("rice", history=True)) == []


@requirement("contextual:task:corrected")
def test_a_corrected_requirement_is_said_in_its_new_words(
    memory: Memory, kitchen: dict[str, str]
) -> None:
    """Seed 2: the new version takes exactly its place; the old one cannot be pinned."""
    said = memory.observe("I may eat almonds now.", role="user", actor="Ann").id

    new = memory.run(Correct(id=kitchen["ann"], text="Almonds are fine.", sources=(said,))).id

    assert texts(meal(memory, "Ann")) == ["Dinner is at seven.", "Almonds are fine."]
    assert ids(meal(memory, "Cem")) == [kitchen["all"]]
    with refused(memory, "required_not_current", at="pin"):
        meal(memory, "Ann", pin=(kitchen["ann"],))
    memory.run(Retract(id=new))
    assert ids(meal(memory, "Ann")) == [kitchen["all"]]


@requirement("contextual:task:corrected")
def test_what_rested_on_a_withdrawn_source_is_said_no_more(memory: Memory) -> None:
    """Seed 2: the claims and appraisals that depend on it go with it."""
    fact = memory.remember("Ann is allergic to nuts.", kind="fact", about="Ann").id
    rule = require(memory, "No nuts.", sources=(fact,))
    other = memory.remember("Nuts were served once.", kind="note").id
    memory.run(Appraise(id=other, harm_ppm=900_000, sources=(fact,)))
    assert rule in ids(meal(memory, query="nuts served", boost_ppm=1_000_000))
    before = meal(memory, query="nuts served", boost_ppm=1_000_000)
    assert [item.kind for item in before.items].count("appraisal") == 1

    memory.run(Retract(id=fact))

    after = meal(memory, query="nuts served", boost_ppm=1_000_000)
    assert ids(after) == [other]
    with refused(memory, "required_not_current", at="require"):
        meal(memory, require=(rule,))


@requirement("contextual:select:all-or-refused")
def test_twelve_requirements_fit_twelve_places_and_not_eleven(memory: Memory) -> None:
    """Seed 2: all that must be said, or a refusal that names what all of it would need."""
    made = [require(memory, f"Rule {number}.") for number in range(12)]

    assert ids(meal(memory, items_max=12)) == made
    with pytest.raises(errors.PackOverflow) as over:
        meal(memory, items_max=11)

    size = meal(memory, items_max=12).bytes
    assert (over.value.code, over.value.at) == ("pack_overflow", "items_max")
    assert made[11] in over.value.detail
    assert f"12 items and {size} bytes" in over.value.detail
    assert meal(memory, bytes_max=size).bytes == size
    with pytest.raises(errors.PackOverflow) as over:
        meal(memory, bytes_max=size - 1)
    assert over.value.at == "bytes_max"
    assert made[11] in over.value.detail
    with pytest.raises(errors.PackOverflow):
        meal(memory, tokens_fit=lambda text: text.count("Rule") < 12)


@requirement("contextual:select:order")
def test_what_must_be_said_stands_in_order(memory: Memory) -> None:
    """Seed 2: explicit, contextual by priority and then by age, pinned, optional."""
    plain = require(memory, "No hurry.")
    later = require(memory, "Second.", priority=5)
    first = require(memory, "First.", priority=9)
    task = memory.remember("Buy plates.", kind="task", key="plates").id
    said = memory.observe("We shall have soup.", role="user").id
    pinned = memory.remember("Chairs are short.").id
    found = memory.remember("Soup is best hot.").id

    pack = meal(memory, query="soup", require=(said,), pin=(pinned,))

    assert ids(pack) == [said, first, later, plain, task, pinned, found]


@requirement("contextual:stake:floor-first")
def test_the_floor_comes_before_the_boost(memory: Memory) -> None:
    """Seed 2: what is less like the question than asked for enters for no stake."""
    like = memory.remember("soup soup bowl", kind="fact").id
    far = memory.remember("a bowl among many other words of no use here", kind="fact").id
    appraisal = memory.run(Appraise(id=far, harm_ppm=1_000_000)).id
    plain = memory.recall("soup bowl", policy="lexical")
    score = {item.id: item.score_ppm or 0 for item in plain.items}
    assert list(score) == [like, far]

    boosted = memory.recall("soup bowl", policy="lexical", floor_ppm=score[far],
                            boost_ppm=1_000_000)  # fmt: skip
    floored = memory.recall("soup bowl", policy="lexical", floor_ppm=score[far] + 1,
                            boost_ppm=1_000_000)  # fmt: skip

    # By hand: 1 + 0 for the first, its likeness + 1 * 1 for the second.
    assert score[far] / 1e6 + 1.0 > 1.0
    assert ids(boosted) == [far, appraisal, like]
    assert boosted.items[0].reasons == ("lexical", "appraised")
    assert boosted.items[1].reasons == ("appraisals",)
    assert ids(floored) == [like]
    assert left_out(floored) == {far: "below_floor"}


@requirement("contextual:stake:strongest")
def test_one_appraisal_counts_the_strongest(memory: Memory) -> None:
    """Seed 2: amounts never add or cancel; among equals the older one counts."""
    id = memory.remember("The soup bowl.", kind="fact").id
    first = memory.run(Appraise(id=id, text="weak", benefit_ppm=1)).id
    both = memory.run(Appraise(id=id, text="both", benefit_ppm=500_000, harm_ppm=500_000)).id
    memory.run(Appraise(id=id, text="again", harm_ppm=500_000))
    memory.run(Appraise(id=id, text="unknown"))
    memory.run(Appraise(id=id, text="nothing", benefit_ppm=0, harm_ppm=0))

    pack = memory.recall("soup", boost_ppm=1_000_000)

    assert ids(pack) == [id, both]
    weak = memory.run(WhyNot(id=first, query="soup", boost_ppm=1_000_000))
    assert (weak.shown, weak.reason) == (False, "appraisal_alone")
    assert "benefit 500000ppm" in pack.text
    assert "harm 500000ppm" in pack.text


@requirement("contextual:stake:strongest", "contextual:record:appraisal")
@pytest.mark.parametrize("amounts", [{}, {"harm_ppm": 0}, {"benefit_ppm": 0, "harm_ppm": 0}])
def test_unknown_and_nothing_at_stake_add_nothing(memory: Memory, amounts: dict[str, int]) -> None:
    """Seed 2: an appraisal that knows of nothing does not enter."""
    id = memory.remember("The soup bowl.", kind="fact").id
    memory.run(Appraise(id=id, text="Nothing of it.", **amounts))

    assert ids(memory.recall("soup", boost_ppm=1_000_000)) == [id]


@requirement("contextual:stake:strongest")
def test_a_newer_appraisal_takes_the_place_of_the_old(memory: Memory) -> None:
    """Seed 2: superseded by one of nothing, the memory is ordinary again."""
    weak = memory.remember("The soup bowl.", kind="fact").id
    strong = memory.remember("The soup bowl, among other words of no use.", kind="fact").id
    first = memory.run(Appraise(id=strong, harm_ppm=1_000_000)).id
    other = memory.run(Appraise(id=weak, harm_ppm=100_000)).id
    before = memory.recall("soup bowl", policy="lexical", boost_ppm=1_000_000)
    assert ids(before) == [strong, first, weak, other]

    memory.run(Appraise(id=strong, benefit_ppm=0, harm_ppm=0, supersedes=first))

    after = memory.recall("soup bowl", policy="lexical", boost_ppm=1_000_000)
    assert ids(after) == [weak, other, strong]


@requirement("contextual:stake:together")
def test_a_memory_and_its_appraisal_enter_together_or_not_at_all(memory: Memory) -> None:
    """Seed 2: a pair is never split; what does not fit is listed."""
    id = memory.remember("The soup bowl.", kind="fact").id
    appraisal = memory.run(Appraise(id=id, harm_ppm=900_000)).id
    other = memory.remember("Another soup, far from any of it.", kind="fact").id
    fields: dict[str, Any] = {"boost_ppm": 1_000_000, "policy": "lexical"}
    whole = memory.recall("soup bowl", **fields)
    assert ids(whole) == [id, appraisal, other]

    pair = memory.recall("soup bowl", items_max=2, **fields)
    one = memory.recall("soup bowl", items_max=1, **fields)
    exact = memory.recall("soup bowl", bytes_max=pair.bytes, **fields)
    less = memory.recall("soup bowl", bytes_max=pair.bytes - 1, **fields)

    assert ids(pair) == ids(exact) == [id, appraisal]
    assert ids(one) == [other]
    assert left_out(one) == {id: "budget_items"}
    assert ids(less) == [other]
    assert left_out(less) == {id: "budget_bytes"}
    assert ids(
        memory.recall("soup bowl", tokens_fit=lambda text: "harm" not in text, **fields)
    ) == [other]


@requirement("contextual:stake:off")
def test_with_the_controls_off_no_appraisal_has_a_say(memory: Memory) -> None:
    """Seed 2: without a boost the order is that of likeness, and no appraisal enters."""
    ids_ = [memory.remember(f"soup {'bowl ' * number}", kind="fact").id for number in range(4)]
    memory.run(Appraise(id=ids_[0], harm_ppm=1_000_000))
    plain = memory.recall("soup bowl", policy="lexical")

    for fields in ({"floor_ppm": 0}, {"boost_ppm": 0}, {"floor_ppm": 0, "boost_ppm": 0}):
        pack = memory.recall("soup bowl", policy="lexical", **fields)
        assert [item.id for item in plain.items if item.kind != "appraisal"] == ids(pack)
        assert [item.score_ppm for item in pack.items] == [
            item.score_ppm for item in plain.items if item.kind != "appraisal"
        ]
    again = memory.recall("soup bowl", policy="lexical", reader="Ann", room="hall", style="plain")
    assert (again.text, again.items, again.suppressed) == (
        plain.text, plain.items, plain.suppressed,
    )  # fmt: skip


@requirement("contextual:stake:copy")
def test_an_appraisal_of_an_event_counts_for_its_copies(memory: Memory) -> None:
    """Seed 2: one appraisal of the exact source supports two notes that rest on it alone."""
    said = memory.observe("The soup burnt.", role="user", actor="Ann", collection="apart").id
    first = memory.remember("Soup burns.", about="Ann", sources=(said,)).id
    second = memory.remember("Soup can burn.", about="Ann", sources=(said,)).id
    other = memory.remember("Soup burns for Ben.", about="Ben", sources=(said,)).id
    appraisal = memory.run(Appraise(id=said, harm_ppm=900_000)).id

    pack = memory.recall("soup burns", policy="lexical", boost_ppm=1_000_000)

    assert [item.id for item in pack.items if item.kind == "appraisal"] == [appraisal]
    appraised = {item.id for item in pack.items if "appraised" in item.reasons}
    assert appraised == {first, second}
    assert other in ids(pack)


@requirement("contextual:select:diverse")
def test_sources_take_turns_and_a_whole_copy_is_preferred(memory: Memory) -> None:
    """Seed 2: distinct sources first; the complete copy instead of a part of the same event."""
    long = memory.observe("soup recipe with leeks", role="user", actor="Ann").id
    part = memory.remember("soup recipe", sources=(long,)).id
    copy = memory.remember("soup recipe with leeks", sources=(long,)).id
    other = memory.remember("soup recipe of another book, which is long and has words").id
    plain = memory.recall("soup recipe", policy="lexical")
    assert ids(plain).index(part) < ids(plain).index(other)

    pack = memory.recall("soup recipe", policy="lexical", floor_ppm=0, items_max=2)
    whole = memory.recall("soup recipe", policy="lexical", floor_ppm=0)

    assert ids(pack) == [copy, other]
    assert "the words of" in whole.text or len(whole.text) < len(plain.text)
    assert "user Ann" in whole.text


@requirement("contextual:seen:filtered")
@pytest.mark.parametrize("policy", ["balanced", "lexical", "recent", "tasks"])
@pytest.mark.parametrize("place", ["private", "room"])
def test_what_is_kept_from_who_asks_is_nowhere(memory: Memory, policy: str, place: str) -> None:
    """Promise 7, inside a scope: not shown, not left out, not counted, not explained."""
    bound: dict[str, Any] = (
        {"visibility": "private", "reader": "Ann"}
        if place == "private"
        else {"visibility": "room", "room": "hall"}
    )
    right: dict[str, Any] = {"reader": "Ann"} if place == "private" else {"room": "hall"}
    open_ = memory.remember("The soup is open to all.", kind="task", key="o").id
    without = [memory.recall("soup", policy=policy, **fields) for fields in ({}, right)]
    made = {
        memory.remember(f"The soup {kind} is kept.", kind=kind, **bound).id
        for kind in ("note", "task", "fact")
    }
    made.add(memory.run(Require(text="Soup!", task=MEAL, **bound)).id)
    id = min(made)
    memory.run(Appraise(id=id, harm_ppm=900_000))

    for fields in ({}, {"reader": "Ben"}, {"room": "yard"}, {"reader": "hall", "room": "Ann"}):
        pack = memory.recall("soup", policy=policy, **fields)
        assert ids(pack) == [open_]
        assert pack.text == without[0].text
        assert pack.suppressed == ()
        assert pack.trace.retrievers == without[0].trace.retrievers
        for each in made:
            with refused(memory, "not_found", at="id"):
                memory.run(WhyNot(id=each, query="soup", policy=policy, **fields))
        if policy == "lexical":
            for named in ({"require": (id,)}, {"pin": (id,)}):
                with refused(memory, "not_found", at=next(iter(named))):
                    memory.recall("soup", policy=policy, **fields, **named)
    assert len(ids(memory.recall("soup", policy=policy, **right))) > 1
    weighed = memory.recall("soup", policy=policy, task=MEAL, boost_ppm=1_000_000)
    assert ids(weighed) == [open_]
    assert weighed.suppressed == ()


@requirement("contextual:seen:filtered")
def test_what_is_kept_takes_no_place_under_a_limit(memory: Memory) -> None:
    """Seed 2: visibility is asked for before the limit of any retriever."""
    mine = memory.remember("soup of everybody with more words").id
    for number in range(200):
        memory.remember(f"soup {number}", visibility="private", reader="Ann")

    assert ids(memory.recall("soup")) == [mine]
    assert ids(memory.recall("soup", policy="recent")) == [mine]


@requirement("contextual:task:validated")
@pytest.mark.parametrize(
    ("fields", "code", "at"),
    [
        ({"participants": ("Ann",)}, "bad_shape", "participants"),
        ({"task": " "}, "blank_text", "task"),
        ({"reader": ""}, "blank_text", "reader"),
        ({"room": " "}, "blank_text", "room"),
        ({"task": "t", "participants": ("Ann", "Ann")}, "bad_shape", "participants[1]"),
        ({"task": "t", "participants": (" ",)}, "blank_text", "participants[0]"),
        ({"task": "t", "participants": tuple(map(str, range(65)))}, "too_long", "participants"),
        ({"floor_ppm": -1}, "bad_shape", "floor_ppm"),
        ({"boost_ppm": 1_000_001}, "bad_shape", "boost_ppm"),
        ({"style": "7"}, "bad_shape", "style"),
    ],
)
def test_who_asks_what_is_checked(
    memory: Memory, fields: dict[str, Any], code: str, at: str
) -> None:
    """Seed 2: a task with nobody to 64 who take part, each once; amounts in millionths."""
    memory.observe("Hello.", role="user")

    with refused(memory, code, at=at):
        memory.recall("hello", **fields)
    assert ids(memory.recall("zzz", task="t", participants=tuple(map(str, range(64))))) == []


@requirement("contextual:select:reference")
def test_an_appraisal_is_no_reference(memory: Memory) -> None:
    """Seed 2: it enters with what it assesses, and with nothing else."""
    id = memory.remember("The soup.", kind="fact").id
    appraisal = memory.run(Appraise(id=id, text="soup went badly", harm_ppm=1)).id

    for fields in ({"require": (appraisal,)}, {"pin": (appraisal,)}):
        with refused(memory, "bad_shape", at=next(iter(fields))):
            memory.recall("soup", boost_ppm=1, **fields)
    pack = memory.recall("soup badly", floor_ppm=0)
    assert left_out(pack)[appraisal] == "appraisal_alone"


def test_a_note_may_be_a_requirement_by_its_fields_alone(memory: Memory) -> None:
    """The commands are thin: each is a note."""
    id = memory.run(Remember(text="Sit down.", kind="requirement", task=MEAL)).id

    assert Note(text="x").task is None
    assert ids(meal(memory)) == [id]


@requirement("recall:overflow:advice")
@pytest.mark.parametrize(
    ("task", "requirement", "lexical"),
    [("Return it. " * 40, "Say so.", True), ("Return it.", "Say so. " * 60, False)],
)
def test_an_overflow_advises_what_helps(
    memory: Memory, task: str, requirement: str, *, lexical: bool
) -> None:
    """To ask without the open tasks helps where they are what is too much, and nowhere else."""
    memory.remember(task, kind="task", status="open")
    memory.run(Require(text=requirement, task="way"))
    asked = {"task": "way", "bytes_max": 400}

    with pytest.raises(errors.PackOverflow) as over:
        memory.recall("lamp", **asked)

    assert ("lexical" in over.value.detail) is lexical
    assert "requirements" in over.value.detail
    if lexical:
        assert len(memory.recall("lamp", policy="lexical", **asked).items) == 1
    else:
        with pytest.raises(errors.PackOverflow) as over:
            memory.recall("lamp", policy="lexical", **asked)
        assert "1 item and" in over.value.detail
        assert "tasks" not in over.value.detail
