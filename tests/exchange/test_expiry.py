"""What ends at a sequence is over at that sequence, and stands at the one before."""

from __future__ import annotations

import pytest

from muniment.exchange import queries
from muniment.exchange.layout import Ref
from muniment.exchange.recall import Library
from tests.exchange.things import Making, id_of
from tests.exchange.things import query as asked
from tests.requirements.marker import requirement


@requirement("exchange:sight:rests", "exchange:sight:references")
@pytest.mark.parametrize(("later", "status"), [(0, 11), (1, 0)])
@pytest.mark.parametrize("itself", [True, False])
def test_a_reference_ends_with_what_it_rests_on(itself: bool, later: int, status: int) -> None:
    """DENIED at exactly the cut, whether the end is its own or its source's."""
    made = Making()
    cut = 3
    end = {"expiry": cut + later}
    event = made.event(1, "The lamp is on until then.", **({} if itself else end))
    claim = made.memory(2, "The lamp is on.", 1.0, 0.0, source=event, **(end if itself else {}))
    assert made.sequence == cut

    (answer,) = Library(made.store()).answer([queries.write(asked("What?", required=(claim,)))])

    assert answer.status == status


@requirement("exchange:record:lasting")
@pytest.mark.parametrize("count", [1, 64])
@pytest.mark.parametrize(("later", "status"), [(0, 11), (1, 0)])
@pytest.mark.parametrize("itself", [True, False])
def test_a_choice_is_recorded_if_it_stands_when_all_are(
    count: int, itself: bool, later: int, status: int
) -> None:
    """At the sequence behind every query of the batch, two objects for each."""
    made = Making()
    end = {"expiry": 3 + 2 * count + later}
    event = made.event(1, "The lamp is on until then.", **({} if itself else end))
    made.memory(2, "The lamp is on.", 1.0, 0.0, source=event, **(end if itself else {}))
    library = Library(made.store())
    rows = [queries.write(asked("What?", number=number)) for number in range(count)]

    answers = library.record(library.answer(rows))

    assert {each.status for each in answers} == {status}
    assert library.store.sequence == 3 + (0 if status else 2 * count)
    assert len(library.replay()) == (0 if status else count)
    assert Ref(id_of(2), 1) in library.store.places
