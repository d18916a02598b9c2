"""Who sees what: through all that a thing rests on, as it is now."""

from __future__ import annotations

import pytest

from muniment.exchange import objects, queries
from muniment.exchange.layout import NO_ID, Ref
from muniment.exchange.recall import Answer, Library
from tests.exchange.things import OTHER, OWNER, ROOM, Making
from tests.exchange.things import query as asked
from tests.requirements.marker import requirement


def ask(made: Making, **fields: object) -> Answer:
    """The answer to one query."""
    (answer,) = Library(made.store()).answer([queries.write(asked("What?", **fields))])
    return answer


def chosen(answer: Answer) -> list[int]:
    """What was chosen, by the first byte of its id."""
    assert answer.selection is not None, answer.turned
    return [each.evidence.ref[0][0] for each in answer.selection.entries]


@requirement("exchange:sight:rests")
def test_what_rests_on_something_made_private_is_seen_by_its_owner_alone() -> None:
    """The source was everybody's when it was cited; its newest version is somebody's."""
    made = Making(owner=OTHER)
    source = made.memory(1, "Everybody's.", 1.0, 0.0, kind=objects.ASSERTION)
    made.memory(2, "It rests on it.", 1.0, 0.1, kind=objects.ASSERTION, source=source)
    made.revise(source, scope=objects.PRIVATE)

    stranger, owner = ask(made), ask(made, principal=OTHER)
    pinned = ask(made, focus=(Ref(made.objects[3].row.id, 1),))

    assert chosen(stranger) == []
    assert chosen(owner) == [2]  # the private version itself is of another scope than the query
    assert chosen(ask(made, principal=OTHER, scope=0)) == [1, 2]
    assert pinned.status == 11


@requirement("exchange:sight:rests")
@pytest.mark.parametrize(("expiry", "seen"), [(4, []), (5, [1, 2])])
def test_what_rests_on_something_that_ends_ends_with_it(expiry: int, seen: list[int]) -> None:
    """At the cut it is over; one later it is not."""
    made = Making()
    source = made.memory(1, "For a while.", 1.0, 0.0, kind=objects.ASSERTION, expiry=expiry)
    made.memory(2, "It rests on it.", 1.0, 0.1, kind=objects.ASSERTION, source=source)
    assert made.sequence == 4

    assert chosen(ask(made)) == seen


@requirement("exchange:sight:rests")
def test_a_source_that_was_revised_or_replaced_disables_nothing() -> None:
    """Only its withdrawal does; and so does that of what a correction has replaced."""
    made = Making()
    source = made.memory(1, "First.", 1.0, 0.0, kind=objects.ASSERTION)
    made.memory(2, "It rests on it.", 1.0, 0.1, kind=objects.ASSERTION, source=source)
    newer = made.revise(source)
    assert chosen(ask(made)) == [1, 2]
    made.memory(3, "Instead.", 1.0, 0.2, kind=objects.ASSERTION, superseded=newer)
    assert chosen(ask(made)) == [2, 3]

    made.revise(newer, evidence=objects.WITHDRAWN)

    assert chosen(ask(made)) == []


@requirement("exchange:sight:rests")
def test_what_is_no_event_is_nobodys_source_of_turns() -> None:
    """Two claims that rest on one assertion are two sources, each its own."""
    made = Making()
    source = made.memory(1, "Said.", -1.0, 0.0, kind=objects.ASSERTION)
    made.memory(2, "One.", 1.0, 0.0, kind=objects.ASSERTION, source=source)
    made.memory(3, "Two.", 1.0, 0.1, kind=objects.ASSERTION, source=source)
    event = made.event(4, "Happened.")
    made.memory(5, "Three.", 1.0, 0.2, kind=objects.ASSERTION, source=event)
    made.memory(6, "Four.", 1.0, 0.15, kind=objects.ASSERTION, source=event)

    answer = ask(made, revision=4)

    assert chosen(answer) == [2, 3, 6, 1, 5]
    assert f"source_ref={'02' * 16}@1 source_actor=unknown" in answer.context.decode()


@requirement("exchange:sight:strangers")
def test_private_and_room_never_mix() -> None:
    """What a query's scope is decides; everybody's things are seen in each."""
    made = Making()
    made.memory(1, "Everybody's.", 1.0, 0.0)
    made.scope = objects.PRIVATE
    made.memory(2, "Mine.", 1.0, 0.1)
    made.scope = objects.ROOM
    made.memory(3, "The room's.", 1.0, 0.2)

    scopes = {0: [1, 2], 1: [1, 3], 2: [1]}
    for scope, seen in scopes.items():
        room = ROOM if scope == 1 else NO_ID
        assert chosen(ask(made, scope=scope, room=room, principal=OWNER)) == seen
