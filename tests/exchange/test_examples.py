"""The worked examples of the render styles, byte by byte."""

from __future__ import annotations

import pytest

from muniment.exchange import objects, queries
from muniment.exchange.layout import Ref
from muniment.exchange.recall import Answer, Library
from tests.exchange.things import CUE, PERSON, Making, id_of, query
from tests.requirements.marker import requirement

CRATE = "Ana secured the crate but the glass handle broke."
HEX = {number: f"{number:02x}" * 16 for number in (0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88)}
NINE = "99" * 16
EVENT = Ref(id_of(0x11), 1)


def one(library: Library, asked: queries.Query) -> Answer:
    """The answer to one query that is not refused."""
    (answer,) = library.answer([queries.write(asked)])
    assert answer.turned is None
    return answer


def crate() -> Library:
    """An event, its working copy, and something else."""
    made = Making()
    event = made.event(0x11, CRATE, subject=id_of(0x99))
    made.memory(0x22, CRATE, 1.0, 0.1, source=event)
    made.memory(0x55, "Ana likes plum tea.", 0.9, 0.4)
    return Library(made.store())


@requirement("exchange:render:examples")
def test_a_row_of_revision_0() -> None:
    """One row that is like the question: 104 bytes of memory, 121 with the input."""
    made = Making()
    made.memory(0x55, "Ana likes plum tea.", 1.0, 0.0)

    answer = one(Library(made.store()), query("What tea?"))

    assert answer.context.decode() == (
        f"[memory id={HEX[0x55]} version=1 source=3 evidence=0 reason=3]\n"
        "Ana likes plum tea.\n[input]\nWhat tea?"
    )
    assert len(answer.context) == 121


@requirement("exchange:render:examples")
def test_a_task_with_obligations_and_what_is_at_stake() -> None:
    """Obligations by id, then what matters with its appraisal, then the task: 872 bytes."""
    made = Making()
    event = made.event(0xE1, "At the stove.", subject=PERSON)
    made.bound(
        0x44, "Ana: no peanuts.", required=True, source=event, subject=PERSON,
        evidence=objects.SUPPORTED,
    )  # fmt: skip
    made.bound(
        0x33, "Ask about allergies first.", required=True, kind=objects.CUE, source=event,
        source_kind=objects.AUTHORED,
    )  # fmt: skip
    soup = made.memory(
        0x55, "The last soup burned.", 1.0, 0.0, subject=PERSON, evidence=objects.DISPUTED,
        kind=objects.ASSERTION,
    )  # fmt: skip
    made.appraise(0x66, soup, harm=900_000, consequence=3)
    asked = query(
        "Cook dinner", revision=1, task=CUE, participants=(PERSON,), ranked=True, boost=500_000
    )

    answer = one(Library(made.store()), asked)

    eight, zero = HEX[0x88], "00" * 16
    assert answer.context.decode() == (
        f"[memory id={HEX[0x33]} version=1 source=1 evidence=0 reason=4"
        f" subject={zero} task={HEX[0x77]}]\nAsk about allergies first.\n"
        f"[memory id={HEX[0x44]} version=1 source=3 evidence=1 reason=4"
        f" subject={eight} task={HEX[0x77]}]\nAna: no peanuts.\n"
        f"[memory id={HEX[0x55]} version=1 source=3 evidence=2 reason=6 subject={eight}]\n"
        "The last soup burned.\n"
        f"[memory id={HEX[0x66]} version=1 source=4 evidence=0 reason=5 subject={eight}"
        f" assesses={HEX[0x55]}@1]\n"
        "benefit=unknown harm=900000 arousal=unknown consequence=3 confidence=unknown units=1"
        " assessment\n"
        f"[task cue={HEX[0x77]} participants={eight}]\n[input]\nCook dinner"
    )
    assert (len(answer.context), answer.context.index(b"[input]")) == (891, 872)


def inline(number: int, reason: int, source: str, body: str) -> str:
    """A row of revision 2 or later, its source named in it."""
    return (
        f"[memory id={HEX[number]} version=1 source=3 evidence=0 reason={reason}{source}]\n{body}\n"
    )


FROM_EVENT = f" source_ref={HEX[0x11]}@1 source_actor={NINE}"
FROM_ITSELF = f" source_ref={HEX[0x55]}@1 source_actor=unknown"
GROUP = " source_group=0"
TEA = "Ana likes plum tea."
SHARED = "text: see source_ref"
STYLES = {
    0: (372, inline(0x11, 1, "", CRATE) + inline(0x22, 3, "", CRATE) + inline(0x55, 3, "", TEA)),
    2: (
        623,
        inline(0x11, 1, FROM_EVENT, CRATE)
        + inline(0x55, 3, FROM_ITSELF, TEA)
        + inline(0x22, 3, FROM_EVENT, CRATE),
    ),
    3: (
        594,
        inline(0x11, 1, FROM_EVENT, CRATE)
        + inline(0x55, 3, FROM_ITSELF, TEA)
        + inline(0x22, 3, FROM_EVENT, SHARED),
    ),
    4: (
        549,
        f"[source_group=0{FROM_EVENT}]\n"
        + inline(0x11, 1, GROUP, CRATE)
        + inline(0x55, 3, FROM_ITSELF, TEA)
        + inline(0x22, 3, GROUP, SHARED),
    ),
}


@requirement("exchange:render:examples")
@pytest.mark.parametrize("revision", STYLES)
def test_an_event_and_its_copy_in_each_style(revision: int) -> None:
    """Sources take turns from 2 on, texts are shared from 3 on, labels in 4."""
    size, text = STYLES[revision]

    answer = one(crate(), query("What broke?", revision=revision, required=(EVENT,)))

    assert answer.context.decode() == text + "[input]\nWhat broke?"
    assert answer.context.index(b"[input]") == size
