"""What a store takes in, and tails that follow it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from muniment.errors import BadExchange
from muniment.exchange import appraisals, images, objects, queries, selections, store, texts
from muniment.exchange.images import Image, Stored
from muniment.exchange.layout import NO_ID, Ref
from muniment.exchange.recall import Library
from tests.exchange.kitchen import entries
from tests.exchange.things import LINEAGE, OTHER, OWNER, PERSON, Making, id_of, plain
from tests.exchange.things import query as asked
from tests.requirements.marker import requirement

MODEL, PROCESSOR = b"\x07" * 32, b"\x08" * 32


def status(made: Making) -> int:
    """The status with which a store is refused; 0 where it is not."""
    try:
        made.store()
    except BadExchange as error:
        return error.status
    return 0


def rejected(change: Callable[[Making], Any]) -> int:
    """The status of a small store after a change."""
    made = Making()
    made.event(1, "The fern is dry.", subject=PERSON)
    made.memory(2, "Water it.", 1.0, 0.5, source=Ref(id_of(1), 1), subject=PERSON)
    assert status(made) == 0
    change(made)
    return status(made)


def replaced(made: Making, place: int, **fields: Any) -> None:
    """Another row in the place of one."""
    each = made.objects[place]
    made.objects[place] = each._replace(row=each.row._replace(**fields))


CLAIM = Ref(id_of(2), 1)
EVENT = Ref(id_of(1), 1)


def backwards(made: Making) -> None:
    """What refers to something stands in front of it."""
    replaced(made, 0, updated=3, created=3)
    replaced(made, 2, updated=1, created=1)


def private(made: Making, **fields: Any) -> Ref:
    """Something that only the owner sees."""
    made.scope = objects.PRIVATE
    ref = made.memory(9, "Mine.", 1.0, 0.0, **fields)
    made.scope = objects.INSTANCE
    return ref


@requirement("exchange:admission:rules")
@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        (lambda made: made.event(1, "Again."), 5),
        (lambda made: replaced(made, 0, lineage=OTHER), 7),
        (lambda made: replaced(made, 1, updated=1, created=1), 6),
        (lambda made: replaced(made, 2, updated=9, created=9), 6),
        (lambda made: replaced(made, 2, created=1), 5),
        (lambda made: made.revise(CLAIM, owner=OTHER), 5),
        (lambda made: made.revise(CLAIM, subject=OTHER), 5),
        (lambda made: made.revise(CLAIM, source_kind=objects.AUTHORED), 7),
        (lambda made: made.revise(CLAIM, source_id=NO_ID, source_version=0), 7),
        (lambda made: made.revise(CLAIM, scope=objects.PRIVATE), 0),
        (lambda made: made.revise(private(made), scope=objects.INSTANCE), 4),
        (lambda made: made.revise(EVENT), 5),
        (lambda made: made.end(EVENT), 0),
        (lambda made: made.revise(made.end(CLAIM), plain("Back.")), 11),
        (backwards, 3),
        (lambda made: replaced(made, 2, source_id=id_of(7)), 3),
        (lambda made: replaced(made, 2, embedding_id=id_of(1)), 3),
        (lambda made: made.memory(8, "x", 1.0, kind=2, source=private(made)), 4),
        (lambda made: made.memory(9, "x", 1.0, superseded=EVENT, subject=PERSON), 7),
        (lambda made: made.memory(9, "x", 1.0, superseded=CLAIM), 7),
        (lambda made: made.memory(9, "x", 1.0, superseded=CLAIM, subject=PERSON), 0),
        (lambda made: made.appraise(9, EVENT, harm=1, subject=OTHER), 7),
        (lambda made: made.revise(
            made.memory(9, "x", 1.0, flags=objects.PROTECTED), b"", flags=objects.TOMBSTONE), 11),
        (lambda made: made.revise(made.memory(9, "x", 1.0, flags=objects.PROTECTED), flags=0), 11),
    ],
)  # fmt: skip
def test_what_breaks_a_rule_is_not_taken_in(change: Callable[[Making], Any], wanted: int) -> None:
    """Each rule between objects, with its status."""
    assert rejected(change) == wanted


@requirement("exchange:admission:rules")
def test_the_smallest_status_of_all_that_are_broken_is_told() -> None:
    """Whichever stands first; and where the first such one stands."""
    made = Making()
    made.event(1, "Said.", lineage=OTHER)  # SOURCE
    made.event(2, "Said.")
    made.event(2, "Said.")  # VERSION

    with pytest.raises(BadExchange) as refused:
        made.store()

    assert refused.value.status == 5
    assert refused.value.at == "checkpoint.objects[2]"


def tail_of(made: Making, first: int, **fields: Any) -> Image:
    """The updates from `first` on."""
    image = Image(
        tail=True, lineage=LINEAGE, sequence=first, tick=2, objects=tuple(made.objects[first - 1 :])
    )
    return msgspec.structs.replace(image, **fields)


@requirement("exchange:store:tail")
def test_a_tail_follows_the_store() -> None:
    """New updates, also behind some that are there already; the tick comes along."""
    made = Making()
    made.event(1, "One.")
    made.event(2, "Two.")
    found = made.store()
    made.event(3, "Three.")
    tail = images.read(images.write(tail_of(made, 2)), "tail")

    assert store.apply(found, tail) == 1
    assert store.apply(found, tail) == 0
    assert (found.sequence, found.tick) == (3, 2)
    assert images.write(found.image()) == images.write(
        msgspec.structs.replace(made.image(), tick=2)
    )


@requirement("exchange:store:tail")
@pytest.mark.parametrize(
    ("fields", "wanted"),
    [
        ({"lineage": OTHER}, 7),
        ({"sequence": 4}, 6),
        ({"tick": 0}, 6),
        ({"objects": ()}, 0),
    ],
)
def test_a_tail_that_does_not_follow_is_refused(fields: dict[str, Any], wanted: int) -> None:
    """Another lineage, a gap, a tick that runs back; and the store stays as it was."""
    made = Making()
    made.event(1, "One.")
    found = made.store()
    made.event(2, "Two.")

    try:
        store.apply(found, tail_of(made, 2, **fields))
    except BadExchange as error:
        assert error.status == wanted
    else:
        assert wanted == 0
    assert (found.sequence, len(found.objects)) == (1, 1)


@requirement("exchange:store:tail")
def test_a_tail_may_not_say_something_else_of_what_is_there() -> None:
    """VERSION, and a broken object in it leaves the store alone."""
    made, other = Making(), Making()
    made.event(1, "One.")
    other.event(1, "Another.")
    other.event(2, "Two.")
    found = made.store()

    with pytest.raises(BadExchange) as refused:
        store.apply(found, tail_of(other, 1))
    made.event(1, "Twice.")
    with pytest.raises(BadExchange) as broken:
        store.apply(found, tail_of(made, 2))

    assert (refused.value.status, broken.value.status) == (5, 5)
    assert (found.sequence, found.tick) == (1, 1)


def modelled(made: Making, event: Ref, **values: Any) -> tuple[Ref, Ref, Ref]:
    """A complete entry of the queue for an event, its appraisal and its relationship."""
    known = next((each.row.ref for each in made.objects if each.row.id == id_of(0x70)), None)
    if known is None:
        configured = appraisals.write_configuration(
            appraisals.Configuration(flags=1, pages=1, tokens=1, ticks=1, floor=0, boost=0, rows=1,
                                     processor=PROCESSOR)
        )  # fmt: skip
        known = made.add(objects.POLICY, id_of(0x70), configured)
    of = next(each.row for each in made.objects if each.row.ref == event)
    number = event.id[0]
    same = {"source": event, "subject": of.subject, "source_kind": objects.INFERRED}
    task = values.pop("task", NO_ID)
    quote = values.pop("quote", (0, 4))
    entry = made.add(
        objects.POLICY, id_of(number + 0x20),
        appraisals.write_queued(appraisals.Queued(
            state=values.pop("state", 1), configuration=known, processor=PROCESSOR, model=MODEL)),
        **same,
    )  # fmt: skip
    made_by = appraisals.Made(processor=PROCESSOR, model=MODEL, queue=entry, quote=quote)
    appraisal = made.add(
        objects.APPRAISAL, id_of(number + 0x30),
        appraisals.write(appraisals.Appraisal(harm=values.pop("harm", 10), made=made_by)), **same,
    )  # fmt: skip
    relationship = made.add(
        objects.RELATIONSHIP, id_of(number + 0x40),
        appraisals.write_relationship(appraisals.Relationship(
            task=task, processor=PROCESSOR, model=MODEL, queue=entry, evidence=quote, **values)),
        **same,
    )  # fmt: skip
    return entry, appraisal, relationship


@requirement("exchange:admission:made")
@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ({}, 0), ({"state": 0}, 7), ({"quote": (0, 0)}, 7), ({"quote": (4, 1)}, 7),
        ({"quote": (90, 4)}, 7), ({"quote": (0, 0), "harm": None}, 0),
    ],
)  # fmt: skip
def test_what_a_model_made_rests_on_a_complete_entry_and_a_unique_quote(
    values: dict[str, Any], wanted: int
) -> None:
    """A quote that stands twice, nowhere or for nothing is refused."""
    made = Making()
    modelled(made, made.event(1, "Fire in the shed.", subject=PERSON), **values)

    assert status(made) == wanted


@requirement("exchange:context:modelled")
def test_what_a_model_made_enters_with_its_whole_group() -> None:
    """Memory, event, appraisal, entry and relationship; five rows or none of them."""
    made = Making()
    event = made.event(1, "Fire in the shed.", subject=PERSON)
    made.memory(2, "The shed burned.", 1.0, 0.0, source=event, subject=PERSON)
    modelled(made, event, regard_loss=700_000, task=id_of(0x5A))
    library = Library(made.store())

    def ask(number: int, **fields: Any) -> list[tuple[bytes, str]]:
        known: dict[str, Any] = {
            "revision": 4, "ranked": True, "boost": 1_000_000, "task": id_of(0x5A),
            "participants": (PERSON,),
        }  # fmt: skip
        row = asked("What of the shed?", number=number, **(known | fields))
        (answer,) = library.answer([queries.write(row)])
        if number == 0:
            library.record([answer])
            assert library.replay()[-1].context == answer.context
            assert b"regard_loss=700000" in answer.context
            assert b"evidence: Fire\ntask quote: unknown\n" in answer.context
            assert b"completed appraisal; no new exposure" in answer.context
        return entries(answer)

    whole = ask(0)
    assert [reason for _, reason in whole] == [
        "significant", "significant", "support", "support", "support",
    ]  # fmt: skip
    assert ask(1, entries_max=4) == []
    for fields in ({"participants": (OTHER,)}, {"task": id_of(0x5B)}, {"boost": 0}):
        assert [reason for _, reason in ask(2, **fields)] == ["similar"]


@requirement("exchange:admission:spans")
@pytest.mark.parametrize(
    ("fields", "wanted"),
    [
        ({}, 0), ({"start": 1}, 7), ({"text": "FIRE"}, 7), ({"kind": objects.CUE}, 1),
        ({"subject": PERSON}, 1), ({"source_kind": objects.REPORTED}, 1), ({"span": 4}, 1),
    ],
)  # fmt: skip
def test_a_span_is_the_exact_words_of_its_event(fields: dict[str, Any], wanted: int) -> None:
    """Other words, another place, another kind or somebody's own are refused."""
    made = Making()
    event = made.event(1, "Fire in the shed.")
    text = texts.Span(
        text=fields.pop("text", "Fire"), span=fields.pop("span", 3), start=fields.pop("start", 0),
        model=MODEL, processor=PROCESSOR,
    )  # fmt: skip
    known = {"source": event, "source_kind": objects.INFERRED}
    kind = fields.pop("kind", objects.ASSERTION)
    made.add(kind, id_of(2), texts.write(text), **(known | fields))

    assert status(made) == wanted


@requirement("exchange:admission:spans")
def test_a_correction_takes_the_place_of_what_was_current() -> None:
    """One that was corrected already is STALE, another owner's DENIED."""

    def claim(made: Making, number: int, span: Any, old: Ref | None = None) -> Ref:
        text = texts.Span(text="Fire", span=span, start=0, model=MODEL, processor=PROCESSOR)
        return made.add(
            objects.ASSERTION, id_of(number), texts.write(text), source=EVENT,
            source_kind=objects.INFERRED, **({} if old is None else {"superseded": old}),
        )  # fmt: skip

    made = Making()
    made.event(1, "Fire in the shed.")
    first = claim(made, 2, 3)
    claim(made, 3, 4, first)
    assert status(made) == 0
    claim(made, 4, 4, first)
    assert status(made) == 10

    made = Making()
    made.event(1, "Fire in the shed.")
    first = claim(made, 2, 3)
    made.owner = OTHER
    claim(made, 3, 4, first)
    assert status(made) == 11


@requirement("exchange:admission:rules")
def test_a_selection_names_what_is_there() -> None:
    """Its members are exact earlier versions, and media are said to be media."""
    made = Making()
    event = made.event(1, "Said.")
    media = made.add(objects.MEDIA, id_of(2), b"a picture")

    def members(*some: tuple[Ref, int]) -> bytes:
        return selections.write(
            [selections.Member(ref=ref, representation=how) for ref, how in some]
        )

    wanted = {((event, 1), (media, 2)): 0, ((event, 2),): 1, ((Ref(id_of(9), 1), 1),): 3}
    for some, right in wanted.items():
        trying = Making()
        trying.objects = list(made.objects)
        trying.add(objects.SELECTION, id_of(3), members(*some))
        assert status(trying) == right


def test_the_objects_of_an_image_may_stand_in_any_order() -> None:
    """They are taken in by their updates."""
    made = Making()
    made.event(1, "One.")
    made.event(2, "Two.")
    image = msgspec.structs.replace(made.image(), objects=tuple(reversed(made.objects)))

    found = store.opened(images.write(image))

    assert [each.row.updated for each in found.objects] == [1, 2]
    assert isinstance(found.objects[0], Stored)
    assert found.objects[0].row.owner == OWNER
