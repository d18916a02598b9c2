"""What is shown: what must be, then what may be, within the budget, each with its reason."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment import errors, limits
from muniment.model import passage
from muniment.model.hit import NO_CUES, Found, Hit
from muniment.model.pack import Item, Suppressed
from muniment.model.policy import Policy
from muniment.model.query import Budget
from muniment.ranking import choose, fuse, render
from muniment.ranking.policies import BY_NAME
from tests.ranking.things import ask, found, item
from tests.requirements.marker import requirement

# The order of what was found is its retriever's here; `test_fuse.py` has what changes it.
PLAIN = Policy(name="balanced", must=BY_NAME["balanced"].must, may={"lexical": 1.0})


def chosen(*each: Found, items: list[Item], asked: Any = None, **budget: Any) -> choose.Choice:
    """What is shown of what was found."""
    by_seq = {thing.seq: thing for thing in items}
    every = (*each, fuse.fused(each, by_seq, NO_CUES, PLAIN))
    return choose.choose(every, by_seq, asked or ask(), PLAIN.must, Budget(**budget))


@requirement("recall:policy:balanced", "recall:pinned:first", "recall:tasks:guaranteed")
def test_what_must_be_shown_comes_first_and_nothing_twice() -> None:
    """References, then open tasks, then what was found; the first retriever wins a double."""
    things = [item(n, "note") for n in range(1, 6)]

    choice = chosen(
        found("required", 4), found("open_tasks", 2, 4), found("lexical", 3, 2, 5), items=things
    )

    assert [thing.seq for thing in choice.items] == [4, 2, 3, 5]
    assert [thing.reasons for thing in choice.items] == [
        ("required", "open_tasks"), ("open_tasks", "lexical"), ("lexical",), ("lexical",),
    ]  # fmt: skip
    assert [thing.score_ppm for thing in choice.items] == [1_000_000, 1_000_000, 1_000_000, 250_000]


@requirement("recall:budget:whole", "recall:explain:left-out")
def test_what_does_not_fit_is_passed_over_and_the_next_may_fit() -> None:
    """Promise 4: whole or not at all, with the size that it would have taken."""
    things = [item(1, "note", text="x" * 500), item(2, "note"), item(3, "note", text="y" * 500)]
    both = found("lexical", 1, 2, 3)

    choice = chosen(both, items=things, bytes_max=300)

    assert [thing.seq for thing in choice.items] == [2]
    assert choice.suppressed == tuple(
        Suppressed(id=thing.id, reason="budget_bytes", bytes=len(render.entry(thing).encode()))
        for thing in (things[0], things[2])
    )


@requirement("recall:budget:required")
@pytest.mark.parametrize("retriever", ["required", "open_tasks"])
@pytest.mark.parametrize(
    "budget", [{"bytes_max": 100}, {"items_max": 1}, {"tokens_fit": lambda text: len(text) < 100}]
)
def test_what_must_be_shown_and_does_not_fit_is_an_overflow(
    retriever: str, budget: dict[str, Any]
) -> None:
    """Promise 4: never a silent cut; the message names it."""
    things = [item(1, "task", text="x"), item(2, "task", text="y" * 60)]

    with pytest.raises(errors.PackOverflow) as caught:
        chosen(found(retriever, 1, 2), items=things, **budget)

    assert any(thing.id in caught.value.detail for thing in things)


def test_a_reference_is_not_filtered_and_must_stand() -> None:
    """Who requires a thing has said that it counts; what does not stand any more is refused."""
    from muniment.model.query import Filter

    elsewhere = item(1, thread="elsewhere", collection="hidden")
    old = item(2, "note", standing="superseded")
    of_thread = ask(Filter(thread="t"), required=(elsewhere.id,), pinned=(old.id,))

    choice = chosen(found("required", 1, 2), items=[elsewhere, old], asked=of_thread)

    assert [thing.seq for thing in choice.items] == [1]
    assert [(each.id, each.reason) for each in choice.suppressed] == [(old.id, "superseded")]
    with pytest.raises(errors.RequiredNotCurrent):
        chosen(found("required", 2), items=[old], asked=ask(required=("r2",)))
    past = chosen(found("required", 2), items=[old], asked=ask(required=("r2",), history=True))
    assert [thing.seq for thing in past.items] == [2]


def test_a_thing_is_listed_once_however_many_found_it() -> None:
    """Promise 5: each thing that was left out has one reason."""
    old = item(2, "note", standing="superseded")

    choice = chosen(
        found("required", 2), found("open_tasks", 2), found("lexical", 2), items=[old],
        asked=ask(pinned=(old.id,)),
    )  # fmt: skip

    assert [(each.id, each.reason) for each in choice.suppressed] == [(old.id, "superseded")]


def test_a_hit_whose_thing_is_gone_is_passed_over() -> None:
    """Replaying a receipt may find a place empty."""
    assert chosen(found("lexical", 1, 2), items=[item(2)]).text.count("\n") == 3


@requirement("recall:passage:found")
def test_a_passage_is_the_characters_of_its_span() -> None:
    """A long text is shown by the passage that was found, and says so."""
    text = "One sentence here. " * 300
    spans = passage.spans(text)
    hit = Hit(seq=1, retriever="lexical", rank=1, score=1.0, passage=2)

    choice = chosen(
        Found(retriever="lexical", hits=(hit,)), items=[item(1, text=text, labels=("x",))]
    )

    shown = choice.items[0]
    assert shown.span == spans[2]
    assert shown.text == text[spans[2][0] : spans[2][1]]
    assert shown.labels == ("x", "passage")


THING = st.builds(
    lambda size, kind, standing: {"text": "é" * size, "kind": kind, "standing": standing},
    st.integers(0, 400), st.sampled_from(("event", "note", "task", "state")),
    st.sampled_from(("current", "current", "current", "superseded", "stale", "erased")),
)  # fmt: skip


@requirement("recall:budget:bytes", "recall:budget:items", "recall:explain:left-out")
@given(
    st.lists(THING, min_size=1, max_size=20), st.data(), st.integers(1, 3_000), st.integers(1, 20)
)
def test_every_pack_keeps_its_promises(
    drawn: list[dict[str, Any]], data: st.DataObject, bytes_max: int, items_max: int
) -> None:
    """Promise 4 and 5, over any hits: within the budget, in order, each hit shown or listed once.

    A task that is not due counts only where it was found by something else as well.
    """
    things = [item(seq, **fields) for seq, fields in enumerate(drawn, start=1)]
    order = st.permutations([thing.seq for thing in things])
    lexical = data.draw(order)[: data.draw(st.integers(0, len(things)))]
    tasks = [thing.seq for thing in things if thing.kind == "task"]

    due = {seq for seq in tasks if things[seq - 1].standing == "current"}

    try:
        choice = chosen(
            found("open_tasks", *tasks), found("lexical", *lexical), items=things,
            bytes_max=bytes_max, items_max=items_max,
        )  # fmt: skip
    except errors.PackOverflow:
        assert tasks
        return

    shown, listed = [thing.seq for thing in choice.items], [each.id for each in choice.suppressed]
    assert len(choice.text.encode()) <= bytes_max
    assert len(shown) <= items_max
    assert sorted([thing.id for thing in choice.items] + listed) == sorted(
        things[seq - 1].id for seq in {*due, *lexical}
    )
    order_found = list(dict.fromkeys([*tasks, *lexical]))
    assert shown == [seq for seq in order_found if seq in shown]
    assert due <= set(shown)
    assert all(thing.standing == "current" for thing in choice.items)


def test_a_list_of_what_was_left_out_is_bounded() -> None:
    """Promise 4: the account as well, and it says how much more there was."""
    many = [
        Suppressed(id=f"e{n}", reason="thread", bytes=1) for n in range(limits.SUPPRESSED_MAX + 7)
    ]

    assert choose.bounded(many) == (tuple(many[: limits.SUPPRESSED_MAX]), 7)
    assert choose.bounded(many[:3]) == (tuple(many[:3]), 0)
