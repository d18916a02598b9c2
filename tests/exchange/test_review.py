"""Reviews of a task: five things that they rest on enter with them, or the question is refused."""

from __future__ import annotations

from typing import Any

import pytest

from muniment.errors import BadExchange
from muniment.exchange import appraisals, objects, queries, selections, texts
from muniment.exchange.layout import NONE, Ref
from muniment.exchange.recall import Answer, Library
from tests.exchange.kitchen import entries
from tests.exchange.things import CUE, OTHER, PERSON, Making, id_of
from tests.exchange.things import query as asked
from tests.requirements.marker import requirement

MODEL, PROCESSOR = b"\x07" * 32, b"\x08" * 32


def reviewed(**changes: Any) -> Making:
    """A report, what a model made of it, and the review that it asks for."""
    made = Making()
    event = made.event(0x51, "The pump failed again.", subject=PERSON)
    task = made.bound(0x52, "Keep the pump running.", source=event, subject=PERSON)
    configured = made.add(
        objects.POLICY, id_of(0x53),
        appraisals.write_configuration(
            appraisals.Configuration(flags=1, pages=1, tokens=1, ticks=1, floor=0, boost=0, rows=1,
                                     processor=PROCESSOR)),
    )  # fmt: skip
    same = {"source": event, "subject": PERSON, "source_kind": objects.INFERRED}
    queue = made.add(
        objects.POLICY, id_of(0x54),
        appraisals.write_queued(
            appraisals.Queued(state=1, configuration=configured, processor=PROCESSOR, model=MODEL,
                              descriptor=task if changes.get("described", True) else NONE)),
        **same,
    )  # fmt: skip
    by = appraisals.Made(processor=PROCESSOR, model=MODEL, queue=queue, quote=(4, 4))
    appraisal = made.add(
        objects.APPRAISAL, id_of(0x55), appraisals.write(appraisals.Appraisal(harm=9, made=by)),
        **same,
    )  # fmt: skip
    relationship = made.add(
        objects.RELATIONSHIP, id_of(0x56),
        appraisals.write_relationship(
            appraisals.Relationship(processor=PROCESSOR, model=MODEL, queue=queue)),
        **same,
    )  # fmt: skip
    refs = [event, appraisal, queue, relationship, task]
    members = [selections.Member(ref=ref) for ref in changes.get("order", list)(refs)]
    chosen = made.add(
        objects.SELECTION, id_of(0x57), selections.write(members), source=event,
        source_kind=objects.INFERRED,
    )  # fmt: skip
    payload = texts.write(
        texts.Bound(text="Think this over before you go on.", task=CUE, required=True, review=True)
    )
    made.add(
        changes.get("kind", objects.REVIEW), id_of(0x11), payload, source=chosen,
        subject=changes.get("subject", PERSON), source_kind=objects.INFERRED,
    )  # fmt: skip
    return made


def ask(made: Making, **fields: Any) -> Answer:
    """The answer for the one who takes part, unless it says otherwise."""
    known: dict[str, Any] = {"revision": 4, "task": CUE, "participants": (PERSON,)}
    (answer,) = Library(made.store()).answer([queries.write(asked("Go on?", **(known | fields)))])
    return answer


@requirement("exchange:context:review")
def test_a_review_enters_with_all_that_it_rests_on() -> None:
    """Event, appraisal, entry, relationship and task right behind it; six rows or a refusal."""
    found = ask(reviewed())

    assert entries(found) == [
        (b"\x11", "obligation"), (b"\x51", "obligation"), (b"\x55", "support"),
        (b"\x54", "support"), (b"\x56", "support"), (b"\x52", "obligation"),
    ]  # fmt: skip
    assert ask(reviewed(), entries_max=5).status == 2
    assert entries(ask(reviewed(), participants=())) == []
    assert entries(ask(reviewed(), task=OTHER)) == []


@requirement("exchange:context:review")
def test_a_review_replays_and_falls_with_what_it_rests_on() -> None:
    """The same bytes; when its event is gone, so is it."""
    made = reviewed()
    library = Library(made.store())
    answers = library.answer(
        [queries.write(asked("Go on?", revision=4, task=CUE, participants=(PERSON,)))]
    )
    library.record(answers)
    assert library.replay()[0].context == answers[0].context

    made.objects = list(library.store.objects)
    made.end(Ref(id_of(0x51), 1))
    gone = Library(made.store())

    assert gone.replay()[0].status == 11
    again = asked("Go on?", revision=4, number=1, task=CUE, participants=(PERSON,))
    assert entries(gone.answer([queries.write(again)])[0]) == []


@requirement("exchange:admission:made")
@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({}, 0), ({"order": lambda refs: refs[:4]}, 7), ({"order": lambda refs: refs[::-1]}, 7),
        ({"described": False}, 7), ({"subject": OTHER}, 7), ({"kind": objects.CUE}, 1),
    ],
)  # fmt: skip
def test_a_review_names_five_things_that_belong_together(
    changes: dict[str, Any], status: int
) -> None:
    """Fewer, in another order, of another task, person or kind: refused."""
    try:
        reviewed(**changes).store()
    except BadExchange as error:
        assert error.status == status
    else:
        assert status == 0
