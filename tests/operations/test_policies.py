"""Policies: the built-in ones, a caller's own, and what a caller adds to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import pytest

from muniment import Item, Memory, Policy, Replay, WhyNot, errors
from muniment.model.policy import APPRAISALS, CORRECTIONS, MAY, MUST, REQUIREMENTS, PolicyName
from muniment.ranking.policies import BY_NAME, POLICIES
from muniment.retrievers import RETRIEVERS
from tests.operations.seen import ids, refused
from tests.requirements.marker import requirement


@pytest.fixture
def tag(memory: Memory) -> str:
    """The id of a fact that a question in other words asks for."""
    memory.observe("The weather was fine.", role="user")
    return memory.remember("The car tag is QJ-417.", key="transport").id


@requirement("recall:policy:own")
def test_what_a_policy_may_name_is_what_there_is() -> None:
    """The names stand in the model, where a request can be checked; the things on other floors."""
    assert tuple(BY_NAME) == get_args(PolicyName)
    assert {*MUST, *MAY, APPRAISALS, CORRECTIONS} == set(RETRIEVERS)
    named = {name for each in POLICIES for name in (*each.must, *each.may)}
    # These take part where a task is asked about, or what is at stake is weighed.
    assert named | {REQUIREMENTS, APPRAISALS, CORRECTIONS} == set(RETRIEVERS)


@requirement("recall:policy:fallback", "recall:synonyms")
def test_balanced_asks_in_other_words_where_nothing_fits(memory: Memory, tag: str) -> None:
    """A built-in group; and not where the words of the question find something themselves."""
    asked = memory.recall("automobile registration")
    assert ids(asked) == [tag]
    assert asked.items[0].reasons == ("synonyms",)

    said = memory.observe("An automobile passed.", role="user").id
    assert ids(memory.recall("automobile")) == [said]


@requirement("recall:policy:fallback", "recall:synonyms")
def test_a_callers_own_synonyms_are_asked_for_from_the_beginning(memory: Memory) -> None:
    """Both ways, and whole phrases; without them nothing is known of the caller's field."""
    kept = memory.remember("The blast furnace stands cold.").id
    said = memory.observe("The smelter again.", role="user").id
    groups = ("smelter, blast furnace",)

    assert ids(memory.recall("smelter")) == [said]
    assert set(ids(memory.recall("smelter", synonyms=groups))) == {kept, said}
    assert set(ids(memory.recall("blast furnace", synonyms=groups))) == {kept, said}
    shown = memory.run(WhyNot(id=kept, query="smelter", synonyms=groups))
    assert (shown.shown, shown.retrievers) == (True, {"synonyms": 1})


@requirement("recall:policy:hybrid")
def test_hybrid_always_asks_in_other_words_too(memory: Memory, tag: str) -> None:
    """Where balanced is content with the words of the question."""
    said = memory.observe("An automobile passed.", role="user").id

    assert set(ids(memory.recall("automobile", policy="hybrid"))) == {tag, said}


@requirement("recall:policy:hybrid")
def test_semantic_goes_by_meaning_alone(memory: Memory, tag: str) -> None:
    """What says the question's own words is not found by them."""
    memory.observe("An automobile passed.", role="user")

    assert ids(memory.recall("automobile", policy="semantic")) == [tag]


@requirement("recall:policy:hybrid", "recall:tasks:guaranteed")
@pytest.mark.parametrize("policy", ["balanced", "hybrid", "semantic"])
def test_these_policies_show_every_open_task(memory: Memory, policy: str) -> None:
    """Whatever is asked."""
    task = memory.remember("Return the telescope.", kind="task").id

    assert ids(memory.recall("weather", policy=policy)) == [task]


@requirement("recall:policy:tasks")
def test_the_policy_tasks_shows_the_tasks_that_are_named_and_nothing_else(memory: Memory) -> None:
    """For looking after them: in the order given; all, oldest first, where none is named."""
    first = memory.remember("Return the telescope.", kind="task").id
    second = memory.remember("Charge the camera.", kind="task").id
    memory.remember("The telescope is heavy.")

    assert ids(memory.recall("telescope", policy="tasks")) == [first, second]
    assert ids(memory.recall("telescope", policy="tasks", require=(second,))) == [second]
    named = memory.recall("", policy="tasks", require=(second.split("-")[0],), pin=(first,))
    assert ids(named) == [second, first]
    assert {item.reasons for item in named.items} == {("tasks",)}


@requirement("recall:policy:tasks")
def test_what_is_no_open_task_cannot_be_looked_after(memory: Memory) -> None:
    """A fact, a task that is closed, an event, and an id that nothing has."""
    fact = memory.remember("The telescope is heavy.").id
    task = memory.remember("Return the telescope.", kind="task", key="t").id
    memory.remember("Return the telescope.", kind="task", key="t", status="closed")
    said = memory.observe("Hello.", role="user").id

    for id in (fact, task, said, "r99"):
        with refused(memory, "bad_shape", "require"):
            memory.recall("", policy="tasks", require=(id,))


@requirement("recall:policy:own")
def test_a_policy_of_the_callers_own_is_followed(memory: Memory) -> None:
    """Its retrievers, its weights and its boosts, and no others."""
    kept = memory.remember("apple").id
    said = memory.observe("apple apple apple", role="user").id
    newest = memory.observe("pear", role="user").id

    words = Policy(may={"lexical": 1.0}, boosts={"kept": -2.0})
    both = Policy(must=(), may={"lexical": 1.0, "recent": 5.0})

    assert ids(memory.recall("apple", policy=words)) == [said, kept]
    assert ids(memory.recall("apple", policy=both)) == [newest, said, kept]
    assert memory.recall("apple", policy=both).policy == "own"
    assert memory.recall("apple", policy=BY_NAME["lexical"]).policy == "lexical"


@requirement("recall:policy:own", "recall:budget:out-of-range")
@pytest.mark.parametrize(
    ("fields", "at"),
    [
        ({"may": {"telepathy": 1.0}}, "policy.may.telepathy"),
        ({"may": {"required": 1.0}}, "policy.may.required"),
        ({"may": {"lexical": -0.1}}, "policy.may.lexical"),
        ({"may": {"lexical": 100.1}}, "policy.may.lexical"),
        ({"may": {"lexical": float("nan")}}, "policy.may.lexical"),
        ({"may": {}, "otherwise": {"synonyms": float("inf")}}, "policy.otherwise.synonyms"),
        ({"may": {}, "must": ("lexical",)}, "policy.must[0]"),
        ({"may": {}, "boosts": {"luck": 1.0}}, "policy.boosts.luck"),
        ({"may": {}, "boosts": {"kept": -101.0}}, "policy.boosts.kept"),
        ({"may": {}, "hits": 0}, "policy.hits"),
        ({"may": {}, "hits": 513}, "policy.hits"),
        ({"may": {}, "name": "mine"}, "policy.name"),
        ({"may": {}, "name": "balanced"}, "policy.name"),
    ],
)
def test_what_is_wrong_in_a_policy_is_named(
    memory: Memory, fields: Mapping[str, Any], at: str
) -> None:
    """Bad input, with the path of the name or weight."""
    memory.observe("Hello.", role="user")

    with pytest.raises(errors.BadInput) as wrong:
        memory.recall("hello", policy=Policy(**fields))

    assert wrong.value.at == at


@requirement("recall:policy:own-replay")
def test_a_recall_by_ones_own_policy_replays(memory: Memory) -> None:
    """What it must show is in the hits; of the policy itself the receipt knows no word."""
    memory.remember("Return the apple.", kind="task")
    memory.observe("apple", role="user")
    mine = Policy(must=("open_tasks",), may={"recent": 1.0, "synonyms": 0.5})
    pack = memory.recall("apple", policy=mine, synonyms=("apple, pear",), record=True)

    for against in ("now", "then"):
        again = memory.run(Replay(receipt=pack.receipt or "", against=against))
        assert (again.same, again.text, again.policy) == (True, pack.text, "own")


def shortness(query: str, item: Item) -> float:
    """A scorer that prefers short texts."""
    assert query == "apple"
    return 1.0 / len(item.text)


@requirement("recall:policy:scorer")
def test_a_scorer_has_its_say(memory: Memory) -> None:
    """Weighed as much as the best words, or as the policy says."""
    long = memory.remember("apple apple apple apple pie").id
    short = memory.remember("an apple").id
    ignored = Policy(may={"lexical": 1.0}, boosts={"scorer": 0.0})
    heavy = Policy(may={"lexical": 1.0}, boosts={"scorer": 50.0})

    assert ids(memory.recall("apple", policy=heavy, scorer=shortness)) == [short, long]
    assert ids(memory.recall("apple", policy=ignored, scorer=shortness)) == ids(
        memory.recall("apple", policy=ignored)
    )


@requirement("recall:policy:scorer")
@pytest.mark.parametrize("score", [-0.1, 1.1, float("nan"), float("inf"), "0.5", None])
def test_a_scorer_that_gives_no_score_is_refused(memory: Memory, score: Any) -> None:
    """It could carry anything past everything else."""
    memory.observe("apple", role="user")

    with refused(memory, "bad_shape", "scorer"):
        memory.recall("apple", scorer=lambda _q, _i: score)
