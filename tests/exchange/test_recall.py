"""Prepared queries: ties, budgets, spaces, references, sources that take turns, shared bodies."""

from __future__ import annotations

import re
import struct
from typing import Any

import pytest

from muniment.errors import BadExchange
from muniment.exchange import objects, queries, texts
from muniment.exchange.layout import Ref
from muniment.exchange.queries import Query
from muniment.exchange.recall import Answer, Library
from tests.exchange.kitchen import changed
from tests.exchange.things import OTHER, OWNER, Making, floats, id_of
from tests.exchange.things import query as asked
from tests.requirements.marker import requirement

LONG = "The greenhouse door was open all night, and the frost took two rows of lettuce. "


def ask(made: Making, *rows: Query) -> list[Answer]:
    """The answers to a batch."""
    return Library(made.store()).answer([queries.write(row) for row in rows])


def chosen(answer: Answer) -> list[int]:
    """What was chosen, by the first byte of its id."""
    assert answer.selection is not None, answer.turned
    return [each.evidence.ref[0][0] for each in answer.selection.entries]


def batch(count: int, *numbers: float, **fields: Any) -> list[Query]:
    """The same question several times, each with ids of its own."""
    return [asked("What now?", *numbers, number=number, **fields) for number in range(count)]


@requirement("exchange:queries:ties")
@pytest.mark.parametrize("count", [1, 64])
def test_ties_are_broken_by_id(count: int) -> None:
    """Byte by byte, whatever came first."""
    made = Making()
    for number in (0xC0, 0x20, 0x80):
        made.memory(number, "Equal.", 0.3, 0.1)

    assert {tuple(chosen(each)) for each in ask(made, *batch(count))} == {(0x20, 0x80, 0xC0)}


@requirement("exchange:queries:ties")
def test_nearly_equal_scores_are_told_apart_as_sums_in_order_tell_them() -> None:
    """Scores that differ in the last bit alone are in the order of those bits."""
    made = Making()
    numbers = [(1.0 + step * 2**-23, 0.25, -0.5) for step in range(40)]
    for step, vector in enumerate(numbers):
        made.memory(200 - step, "Nearly.", *vector)
    asking = floats(0.7, 0.3, 0.11)

    def exact(vector: tuple[float, ...]) -> float:
        y = struct.unpack("<3f", asking)
        x = struct.unpack("<3f", floats(*vector))
        sums = [0.0, 0.0, 0.0]
        for a, b in zip(x, y, strict=True):
            sums = [sums[0] + a * b, sums[1] + a * a, sums[2] + b * b]
        return float(sums[0] / (sums[1] ** 0.5 * sums[2] ** 0.5))

    (answer,) = ask(made, asked("What now?", 0.7, 0.3, 0.11))

    wanted = sorted(range(40), key=lambda step: (-exact(numbers[step]), 200 - step))
    assert chosen(answer) == [200 - step for step in wanted[:16]]


@requirement("exchange:queries:budget")
def test_a_budget_is_exact_and_a_smaller_one_still_fits() -> None:
    """What is too long is passed over, and what is shorter enters behind it."""
    made = Making()
    made.memory(1, LONG, 1.0, 0.0)
    made.memory(2, "Frost.", 1.0, 0.2)

    whole, exact, tight = ask(
        made,
        *(asked("What?", number=n, bytes_max=size) for n, size in
          enumerate((4_096, 84 + len(LONG) + 1 + 84 + 7, 84 + len(LONG) + 84 + 7))),
    )  # fmt: skip

    assert (chosen(whole), chosen(exact), chosen(tight)) == ([1, 2], [1, 2], [1])
    (short,) = ask(made, asked("What?", bytes_max=84 + 7))
    assert chosen(short) == [2]
    assert short.selection is not None
    assert [each.reason for each in short.selection.left_out] == ["budget_bytes"]


@requirement("exchange:queries:budget")
@pytest.mark.parametrize("count", [1, 64])
def test_something_required_that_does_not_fit_refuses(count: int) -> None:
    """CAPACITY, with what overflowed and what would be needed."""
    made = Making()
    wide = made.memory(1, LONG, 1.0, 0.0)

    answers = ask(made, *batch(count, required=(wide,), bytes_max=100))

    assert {each.status for each in answers} == {2}
    turned = answers[0].turned
    assert turned is not None
    assert (turned.ref, turned.over) == (wide, "bytes")
    assert (turned.entries_needed, turned.bytes_needed) == (1, 85 + len(LONG))


@requirement("exchange:queries:spaces")
def test_only_vectors_of_one_space_are_compared() -> None:
    """Others are passed over; where there are only others, the query is refused."""
    made = Making()
    made.memory(1, "Here.", 1.0, 0.0)
    embedding = made.vector(1.0, 0.0, model=b"\x33" * 32)
    made.add(objects.WORKING, id_of(2), texts.write(texts.Plain(text="There.")),
             embedding=embedding)  # fmt: skip

    mixed, other, narrow, processor = ask(
        made,
        asked("What?", 1.0, 0.0),
        asked("What?", 1.0, 0.0, number=1, model=b"\x34" * 32),
        asked("What?", 1.0, number=2),
        asked("What?", 1.0, 0.0, number=3, processor=b"\x35" * 32),
    )

    assert chosen(mixed) == [1]
    assert [each.status for each in (other, narrow, processor)] == [7, 7, 7]


@requirement("exchange:queries:status")
@pytest.mark.parametrize("numbers", [(float("nan"), 0.0), (0.0, 0.0), (float("inf"), 1.0)])
def test_a_vector_without_a_direction_is_refused(numbers: tuple[float, float]) -> None:
    """LAYOUT, and its neighbours in the batch are answered."""
    made = Making()
    made.memory(1, "Here.", 1.0, 0.0)
    row = queries.write(asked("What?", 1.0, 0.0))

    bad, good = Library(made.store()).answer(
        [changed(row, 160, floats(*numbers)), queries.write(asked("What?", number=1))]
    )

    assert (bad.status, good.status) == (8, 0)


@requirement("exchange:queries:status")
def test_a_stored_vector_without_a_direction_refuses_what_would_consider_it() -> None:
    """LAYOUT in the old revisions; who cannot see it is not troubled."""
    made = Making()
    made.scope = objects.PRIVATE
    broken = made.vector(1.0, 0.0)
    spoiled = made.objects[-1]
    payload = bytes(spoiled.payload)[:-8] + bytes(8)
    made.objects[-1] = spoiled._replace(payload=payload)
    made.add(objects.WORKING, id_of(2), texts.write(texts.Plain(text="Broken.")), embedding=broken)

    seeing, stranger = ask(
        made,
        asked("What?", scope=0),
        asked("What?", scope=0, number=1, principal=OTHER),
    )

    assert (seeing.status, stranger.status) == (8, 0)


@requirement("exchange:sight:references")
def test_a_reference_says_why_it_is_not_to_be_had() -> None:
    """Another's, an old version, another scope, nowhere, an appraisal, a component."""
    made = Making()
    made.scope = objects.PRIVATE
    mine = made.memory(1, "Mine.", 1.0, 0.0)
    made.owner = OTHER
    theirs = made.memory(2, "Theirs.", 1.0, 0.0)
    made.scope, made.owner = objects.INSTANCE, OWNER
    old = made.memory(3, "Old.", 1.0, 0.0, subject=id_of(9))
    made.revise(old, texts.write(texts.Plain(text="New.")))
    event = made.event(4, "Said.", subject=id_of(9))
    appraisal = made.appraise(5, event, harm=5)
    component = made.vector(1.0)

    cases = {
        (theirs, 0): 11, (old, 2): 10, (mine, 2): 4, (Ref(id_of(0x77), 1), 2): 9,
        (Ref(old.id, 7), 2): 10, (appraisal, 2): 1, (component, 2): 3, (mine, 0): 0, (event, 2): 0,
    }  # fmt: skip
    rows = [
        asked("What?", number=number, scope=scope, required=(ref,))
        for number, (ref, scope) in enumerate(cases)
    ]

    assert [each.status for each in ask(made, *rows)] == list(cases.values())


def test_subnormal_numbers_keep_their_direction() -> None:
    """Numbers too small to square in 32 bits are compared in 64."""
    made = Making()
    made.memory(1, "Away.", -1e-44, 1e-44)
    made.memory(2, "Along.", 1e-44, 1e-44)

    (answer,) = ask(made, asked("What?", 1e-44, 1e-44))

    assert chosen(answer) == [2, 1]
    assert answer.selection is not None
    assert answer.selection.entries[0].likeness == pytest.approx(1.0)


@requirement("exchange:queries:isolation")
def test_ids_that_are_used_already_are_refused() -> None:
    """VERSION: in the store, or by another query of the batch."""
    made = Making()
    made.memory(1, "Here.", 1.0, 0.0)

    used, one, two, good = ask(
        made,
        asked("What?", request=id_of(1)),
        asked("What?", number=1, selection=id_of(0x99)),
        asked("What?", number=2, request=id_of(0x99)),
        asked("What?", number=3),
    )

    assert [each.status for each in (used, one, two, good)] == [5, 5, 5, 0]


@requirement("exchange:record:lasting")
def test_what_expires_when_it_is_recorded_is_not_recorded() -> None:
    """DENIED for that query; the 65th decision of a file is refused as a whole."""
    made = Making()
    made.memory(1, "Soon over.", 1.0, 0.0, expiry=6)
    made.memory(2, "Lasting.", 0.0, 1.0)
    library = Library(made.store())

    answers = library.record(
        library.answer(
            [
                queries.write(asked("What?", 1.0, 0.0, entries_max=1)),
                queries.write(asked("What?", 0.0, 1.0, number=1, entries_max=1)),
            ]
        )
    )

    assert [each.status for each in answers] == [11, 0]
    assert [each.status for each in library.replay()] == [0]


@requirement("exchange:record:lasting")
def test_a_file_holds_64_decisions() -> None:
    """One more is refused, and the store stays as it was."""
    made = Making()
    made.memory(1, "Here.", 1.0, 0.0)
    library = Library(made.store())
    library.record(library.answer([queries.write(row) for row in batch(64)]))
    sequence = library.store.sequence
    one = library.answer([queries.write(asked("What?", number=99))])

    with pytest.raises(BadExchange) as refused:
        library.record(one)

    assert refused.value.status == 2
    assert (library.store.sequence, len(library.replay())) == (sequence, 64)


def sources(made: Making, count: int, copies: int) -> None:
    """Events with several working memories each, the first the likest."""
    for number in range(count):
        event = made.event(0x10 + number, f"{LONG}Row {number}.", subject=id_of(0x90 + number))
        for copy in range(copies):
            made.memory(
                0x40 + number * 8 + copy, f"Row {number}, part {copy}.",
                1.0, 0.01 * (number + 1) + 0.1 * copy * (number == 0), source=event,
            )  # fmt: skip


@requirement("exchange:selection:turns")
@pytest.mark.parametrize("count", [1, 64])
def test_distinct_sources_come_first(count: int) -> None:
    """With six references: one of each of three sources, then the second of each."""
    made = Making()
    sources(made, 3, 4)

    by_turns = ask(made, *batch(count, revision=2, entries_max=6))
    by_score = ask(made, *batch(count, revision=1, ranked=True, entries_max=6))

    assert {tuple(number // 8 for number in chosen(each)) for each in by_turns} == {
        (8, 9, 10, 9, 10, 8)
    }
    assert {tuple(number // 8 for number in chosen(each)) for each in by_score} == {
        (8, 9, 9, 9, 9, 10)
    }
    actor = (b" source_actor=" + id_of(0x90).hex().encode()) in by_turns[0].context
    assert actor


@requirement("exchange:selection:complete")
def test_a_complete_copy_is_preferred_where_it_is_one() -> None:
    """A whole copy instead of a liker fragment; unequal text gets no preference."""
    made = Making()
    event = made.event(1, LONG)
    made.memory(2, "The door was open.", 1.0, 0.0, source=event)
    made.memory(3, LONG, 0.0, 1.0, source=event)
    made.memory(4, LONG.upper(), 0.5, 0.5, source=event)

    (answer,) = ask(made, asked("What?", revision=2, entries_max=1))

    assert chosen(answer) == [3]
    (plain,) = ask(made, asked("What?", revision=1, ranked=True, entries_max=1))
    assert chosen(plain) == [2]


@requirement("exchange:selection:complete")
def test_a_copy_that_is_too_long_gives_way_to_a_fragment() -> None:
    """In revision 2 and 3 alike: the copy is passed over, and the fragment fits."""
    made = Making()
    event = made.event(1, LONG * 4)
    made.memory(2, "The door was open.", 1.0, 0.0, source=event)
    made.memory(3, LONG * 4, 0.5, 0.5, source=event)

    answers = ask(made, *(asked("What?", number=n, revision=n, bytes_max=250) for n in (2, 3, 4)))

    assert [chosen(each) for each in answers] == [[2], [2], [2]]


def test_what_is_no_event_is_its_own_source_and_nobody_said_it() -> None:
    """A claim that rests on nothing: its own reference, the actor unknown."""
    made = Making()
    made.memory(1, "Alone.", 1.0, 0.0, subject=id_of(9))

    (answer,) = ask(made, asked("What?", revision=2))

    assert f"source_ref={id_of(1).hex()}@1 source_actor=unknown" in answer.context.decode()


def evidence_groups(made: Making) -> tuple[Ref, ...]:
    """Two events, each with three complete copies."""
    events = []
    for number in range(2):
        event = made.event(0x10 + number, LONG * 10 + str(number))
        events.append(event)
        for copy in range(3):
            made.memory(
                0x30 + 16 * number + copy, LONG * 10 + str(number), 1.0, 0.1 * copy, source=event
            )
    return tuple(events)


@requirement("exchange:selection:shared")
@pytest.mark.parametrize("count", [1, 64])
def test_shared_bodies_leave_room_for_more(count: int) -> None:
    """Copies of required events: all of them in revision 3, one in revision 2."""
    made = Making()
    events = evidence_groups(made)
    fields: dict[str, Any] = {"required": events, "bytes_max": 3_000}

    (full, *_) = ask(made, *batch(count, revision=2, **fields))
    compact = ask(made, *batch(count, revision=3, **fields))

    assert len(chosen(full)) == 3
    assert {len(chosen(each)) for each in compact} == {8}
    assert compact[0].context.count(b"text: see source_ref") == 6


def copied(made: Making) -> tuple[Ref, ...]:
    """Three complete copies of an event, and then the event, which is least like the question."""
    event = made.event(1, LONG * 5, embedding=made.vector(0.1, 1.0))
    copies = [made.memory(2 + copy, LONG * 5, 1.0, 0.1 * copy, source=event) for copy in range(3)]
    return (*copies, event)


@requirement("exchange:selection:shared")
def test_an_event_that_makes_its_copies_shorter_fits_where_nothing_else_would() -> None:
    """The budget is full of copies, and the text of all of them stands once in the end."""
    made = Making()
    copied(made)
    three = ask(made, asked("What?", revision=3, entries_max=3))[0]
    assert three.selection is not None
    size = len(three.selection.text)

    (answer,) = ask(made, asked("What?", number=1, revision=3, bytes_max=size))

    assert chosen(answer) == [2, 3, 4, 1]
    assert answer.context.count(b"text: see source_ref") == 3


@requirement("exchange:queries:budget")
def test_what_must_be_shown_fits_step_by_step() -> None:
    """Copies that fit only once their event stands there are refused, in front of it."""
    made = Making()
    copies = copied(made)
    whole = ask(made, asked("What?", revision=3, entries_max=4, required=copies))[0]
    assert whole.selection is not None
    size = len(whole.selection.text)

    late = ask(made, asked("What?", revision=3, bytes_max=size, required=copies))[0]
    first = ask(made, asked("What?", revision=3, bytes_max=size, required=copies[::-1]))[0]

    assert (late.status, first.status) == (2, 0)


@requirement("exchange:selection:shared")
@pytest.mark.parametrize("count", [1, 64])
def test_shared_labels_leave_room_for_more_and_expand_to_the_same(count: int) -> None:
    """Revision 4 fits more; with its groups expanded it is revision 3, byte by byte."""
    made = Making()
    events = evidence_groups(made)
    fields: dict[str, Any] = {"required": events[:1], "focus": events[1:]}
    roomy = {n: ask(made, asked("What?", number=n, revision=n, **fields))[0] for n in (3, 4)}
    assert roomy[4].selection is not None
    size = len(roomy[4].selection.text)

    tight = {n: ask(made, *batch(count, revision=n, bytes_max=size, **fields)) for n in (3, 4)}

    assert {len(chosen(each)) for each in tight[4]} == {8}
    assert {len(chosen(each)) for each in tight[3]} == {6}
    assert expanded(roomy[4].context.decode()) == roomy[3].context.decode()


def expanded(text: str) -> str:
    """Group lines put back into the rows that name them."""
    groups: list[str] = []
    while text.startswith("[source_group="):
        line, _, text = text.partition("\n")
        groups.append(line[line.index(" source_ref") : -1])
    for number, label in enumerate(groups):
        text = re.sub(rf" source_group={number}(?=[ \]])", label, text)
    return text


@requirement("exchange:queries:isolation")
def test_64_different_queries_are_answered_as_if_alone() -> None:
    """A batch is one product; each answer is the one that its query gets by itself."""
    made = Making()
    for number in range(1, 100):
        made.memory(number, f"Thing {number}.", 1.0 / number, number / 50 - 1)
    rows = [
        asked("What?", 1.0 - n / 40, n / 64, number=n, revision=n % 5,
              **({"ranked": True} if n % 5 == 1 else {}))
        for n in range(64)
    ]  # fmt: skip

    together = ask(made, *rows)

    assert [each.context for each in together] == [ask(made, row)[0].context for row in rows]
