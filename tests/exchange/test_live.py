"""Inputs that become memory, turn by turn; corrected between; and started again from a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from muniment.errors import BadExchange
from muniment.exchange import files, images, live, objects, queries, store
from muniment.exchange.layout import Ref
from muniment.exchange.recall import Answer, Library
from tests.exchange.kitchen import Kitchen, letters, named
from tests.exchange.things import Making
from tests.requirements.marker import requirement

counts = pytest.mark.parametrize(("count", "first"), [(1, 0), (1, 1), (1, 2), (64, 0)])


def turn(kitchen: Kitchen, library: Library, number: int, **fields: Any) -> list[Answer]:
    """One turn: every cook asks, and what was asked becomes memory."""
    rows = [
        _encoded(
            kitchen.query(
                row,
                request=named("Q", row + 100 * number),
                selection=named("s", row + 100 * number),
                **fields,
            )
        )
        for row in range(kitchen.count)
    ]
    answers = library.answer(rows)
    library.retain(answers)
    return answers


def _encoded(query: queries.Query) -> bytes:
    """A query as its text alone, then with the vector that a host makes of that text."""
    written = queries.write(query)
    raw = written[:64] + bytes(68) + written[132:160] + bytes(4_096) + written[4_256:]
    text = queries.read(raw, raw=True)
    assert (text.text, text.vector) == (query.text, b"")
    with pytest.raises(BadExchange):
        queries.read(raw)
    made = {name: getattr(query, name) for name in ("vector", "model", "processor")}
    return queries.write(msgspec.structs.replace(text, **made))


def state(library: Library) -> bytes:
    """Everything of a store."""
    return images.write(library.store.image())


@requirement("exchange:intake:three")
@counts
def test_each_input_adds_three_objects_and_no_appraisal(count: int, first: int) -> None:
    """An event with its actor, its vector, and a working copy that the next turn can find."""
    kitchen = Kitchen(count, first)
    library = kitchen.opened()
    before = library.store.sequence

    answers = turn(kitchen, library, 1, revision=3)

    added = [each.row for each in library.store.objects[before:]]
    kinds = [objects.EVENT, objects.COMPONENT, objects.WORKING]
    assert [row.kind for row in added] == kinds * count
    assert {letters(each) for each in answers} == {"cdmx"}
    assert {row.subject for row in added[::3]} == {named("o", row) for row in range(count)}
    assert all(row.id.startswith(b"AOTXGEN1") for row in added if row.kind != objects.EVENT)
    again = turn(kitchen, library, 2, revision=3, floor=0, boost=0, entries_max=16)
    found = [each.evidence.ref[0] for each in again[0].selection.entries]  # type: ignore[union-attr]  # answered
    assert any(id.startswith(b"AOTXGEN1") for id in found)


@requirement("exchange:intake:lasting")
@counts
def test_an_appraisal_that_ends_when_the_input_is_kept_refuses_all_of_it(
    count: int, first: int
) -> None:
    """DENIED at exactly that sequence, and nothing has changed; one later and it is kept."""
    for later, right in ((0, False), (1, True)):
        kitchen = Kitchen(count, first)
        end = kitchen.made.sequence + 3 * count + later
        for place, each in enumerate(kitchen.made.objects):
            if each.row.id == named("x", count - 1):
                kitchen.made.objects[place] = each._replace(row=each.row._replace(expiry=end))
        library = kitchen.opened()
        before = state(library)

        if right:
            turn(kitchen, library, 1)
            continue
        with pytest.raises(BadExchange) as refused:
            turn(kitchen, library, 1)

        assert refused.value.status == 11
        assert state(library) == before


@requirement("exchange:intake:lasting")
def test_a_query_that_is_refused_keeps_no_input() -> None:
    """CAPACITY, and nothing has changed."""
    kitchen = Kitchen(64)
    library = kitchen.opened()
    before = state(library)

    with pytest.raises(BadExchange) as refused:
        turn(kitchen, library, 1, entries_max=1)

    assert refused.value.status == 2
    assert state(library) == before


@requirement("exchange:live:rows")
def test_a_live_query_is_its_bindings_next() -> None:
    """Its own principal, place and conversation, and the next ordinal; what is in hand is pinned."""
    kitchen = Kitchen(1)
    query = kitchen.query(0, revision=2, focus=(kitchen.ref("k", 0),), actor=named("n", 0))
    conversation = named("v", 0)
    binding = live.Binding(
        slot=3, scope=0, principal=named("o", 0), conversation=conversation, page_cap=8
    )
    asking = live.Asking(slot=3, working=True, conversation=conversation, ordinal=5, query=query)
    held = live.Live(kind="queries", lineage=named("l", 0), sequence=9, rows=(asking,))

    (again,) = live.read(live.write(held), "live").rows

    assert isinstance(again, live.Asking)
    assert again.query.extension == query.extension
    live.check(again, binding, 4)
    strange = msgspec.structs.replace(binding, conversation=named("w", 0))
    for other, last, status in ((binding, 5, 6), (strange, 4, 11)):
        with pytest.raises(BadExchange) as refused:
            live.check(again, other, last)
        assert refused.value.status == status
    working = [kitchen.ref("k", 0), kitchen.ref("m", 0)]
    assert live.focused(query, working).focus == tuple(working)
    with pytest.raises(BadExchange) as full:
        live.focused(query, [kitchen.ref("m", row) for row in range(8)])
    assert full.value.status == 2


def corrected(kitchen: Kitchen, library: Library) -> bytes:
    """A tail in which every requirement is replaced by another."""
    made = Making()
    made.objects = list(library.store.objects)
    kitchen.made = made
    for row in range(kitchen.count):
        kitchen.add("better", row, required=True, superseded=kitchen.ref("c", row))
    return images.write(
        images.Image(
            tail=True, lineage=library.store.lineage, sequence=library.store.sequence + 1,
            tick=library.store.tick, objects=tuple(made.objects[library.store.sequence :]),
        )
    )  # fmt: skip


@requirement("exchange:boot:recovery")
@pytest.mark.parametrize("name", ["vector-1", "vector-64", "text-1"])
def test_turns_a_correction_and_a_cold_start(name: str, tmp_path: Path) -> None:
    """A requirement known, nobody known, corrected; then from the file alone, the same again."""
    count = int(name.rpartition("-")[2])
    kitchen = Kitchen(count)
    files.save(tmp_path / "input", kitchen.made.store())
    library = Library(files.load(str(tmp_path / "input")).store)
    known = turn(kitchen, library, 1)
    unknown = turn(kitchen, library, 2, participants=())
    (tmp_path / "tail").write_bytes(corrected(kitchen, library))
    store.apply(library.store, images.read((tmp_path / "tail").read_bytes(), "tail"))
    library = Library(library.store)
    better = turn(kitchen, library, 3)
    files.save(tmp_path / "mirror", library.store)
    before, contexts = state(library), [each.context for each in better]
    for used in ("input", "tail"):
        (tmp_path / used).unlink()
    del library

    cold = Library(files.load(str(tmp_path / "mirror")).store)

    assert [{letters(each)[0] for each in turn_} for turn_ in (known, unknown, better)] == [
        {"c"}, {"d"}, {"b"},
    ]  # fmt: skip
    assert {letters(each).rstrip("A") for each in unknown} == {"d"}
    assert state(cold) == before
    again = turn(kitchen, cold, 4)
    assert {letters(each)[0] for each in again} == {"b"}
    assert len(contexts) == len(again)


@requirement("exchange:selection:altered")
@pytest.mark.parametrize("count", [1, 64])
def test_an_altered_last_row_is_refused_alone_and_suppresses_the_output(count: int) -> None:
    """Participants, or an obligation, of the last recorded decision: nothing of it stands."""
    kitchen = Kitchen(count)
    library = kitchen.opened()
    library.record(kitchen.ask(library))
    image = library.store.image()
    people = 16 + 6_688 + 48
    spoiled = []
    for each in image.objects:
        payload = bytes(each.payload)
        if each.row.id == named("q", count - 1):
            payload = payload[:people] + named("n", 0) + payload[people + 16 :]
        spoiled.append(each._replace(payload=payload))
    data = images.write(msgspec.structs.replace(image, objects=tuple(spoiled)))

    again = Library(store.opened(data)).replay()

    assert [each.status for each in again] == [0] * (count - 1) + [11]
    assert again[-1].selection is None
    assert Ref(named("q", count - 1), 1) in library.store.places
