"""What must be shown, and the appraisals of it: schema 1 stays out, schema 2 may follow."""

from __future__ import annotations

from typing import Any

import pytest

from muniment.exchange import queries
from muniment.exchange.layout import Ref
from muniment.exchange.recall import Library
from tests.exchange.kitchen import Kitchen, entries
from tests.exchange.test_store import modelled
from tests.exchange.things import PERSON, Making, id_of
from tests.exchange.things import query as asked
from tests.requirements.marker import requirement

batch = pytest.mark.parametrize(("count", "first"), [(1, 0), (1, 1), (1, 2), (64, 0)])


@requirement("exchange:context:must")
@batch
@pytest.mark.parametrize("field", ["required", "focus"])
def test_what_is_named_brings_no_appraisal_along(count: int, first: int, field: str) -> None:
    """The mixed memory, named: its appraisal does not enter, and the ordinary pair does."""
    kitchen = Kitchen(count, first)
    rows = [
        kitchen.query(row, entries_max=16, **{field: (kitchen.ref("m", row),)})
        for row in range(count)
    ]

    answers = kitchen.opened().answer([queries.write(row) for row in rows])

    obliged = [(b"c", "obligation"), (b"d", "obligation")]
    pair = [(b"k", "significant"), (b"z", "support")]
    first_ = {"required": [(b"m", "required"), *obliged], "focus": [*obliged, (b"m", "pinned")]}
    assert all(entries(answer) == [*first_[field], *pair] for answer in answers)


@requirement("exchange:context:must")
@batch
def test_an_obligation_brings_no_appraisal_along(count: int, first: int) -> None:
    """It is obliged, not significant, whatever is at stake in it."""
    kitchen = Kitchen(count, first)
    for row in range(count):
        kitchen.appraise("w", row, kitchen.ref("c", row), harm=1_000_000)

    answers = kitchen.ask(entries_max=16)

    assert all(
        entries(answer)
        == [(b"c", "obligation"), (b"d", "obligation"), (b"m", "significant"), (b"x", "support"),
            (b"k", "significant"), (b"z", "support")]
        for answer in answers
    )  # fmt: skip


@requirement("exchange:context:must", "exchange:context:modelled")
@pytest.mark.parametrize(("most", "rows"), [(16, 5), (5, 5), (4, 1)])
def test_what_a_model_appraised_may_follow_what_is_named(most: int, rows: int) -> None:
    """The rest of its group, whole, as something optional; the memory stays required."""
    made = Making()
    event = made.event(1, "Fire in the shed.", subject=PERSON)
    made.memory(2, "The shed burned.", 1.0, 0.0, source=event, subject=PERSON)
    modelled(made, event, regard_loss=700_000)
    library = Library(made.store())
    known: dict[str, Any] = {"revision": 4, "ranked": True, "boost": 1_000_000}
    query = asked("What?", required=(Ref(id_of(2), 1),), entries_max=most, **known)

    (answer,) = library.answer([queries.write(query)])

    found = entries(answer)
    assert (len(found), found[0]) == (rows, (b"\x02", "required"))
    assert [reason for _, reason in found[1:]] == (
        ["significant", "support", "support", "support"] if rows == 5 else []
    )
    library.record([answer])
    assert library.replay()[0].context == answer.context
