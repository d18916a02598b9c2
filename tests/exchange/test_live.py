"""Inputs that become memory, turn by turn; corrected between; and started again from a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from muniment import ExchangeReplay, Memory
from muniment.errors import BadExchange
from muniment.exchange import files, images, live, objects, queries, store
from muniment.exchange.images import Stored
from muniment.exchange.recall import Answer, Library
from tests.exchange.kitchen import Kitchen, letters, named
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
    for row, each in enumerate(answers):
        # Each prompt has its own cook's cue, and nobody else's.
        assert each.context.count(b"d-cue of cook ") == 1
        assert f"d-cue of cook {row}\n".encode() in each.context
    assert {row.subject for row in added[::3]} == {named("o", row) for row in range(count)}
    assert all(row.id.startswith(b"AOTXGEN1") for row in added if row.kind != objects.EVENT)
    again = turn(kitchen, library, 2, revision=3, floor=0, boost=0, entries_max=16)
    found = [each.evidence.ref[0] for each in again[0].selection.entries]  # type: ignore[union-attr]  # answered
    assert any(id.startswith(b"AOTXGEN1") for id in found)


@requirement("exchange:intake:three")
@pytest.mark.parametrize("count", [1, 64])
def test_an_input_is_said_by_its_actor(count: int) -> None:
    """Where the query names one; the events are that one's, and so are the copies."""
    kitchen = Kitchen(count)
    library = kitchen.opened()
    before = library.store.sequence
    rows = [
        queries.write(kitchen.query(row, revision=2, actor=named("n", row))) for row in range(count)
    ]

    kept = library.retain(library.answer(rows))

    assert [each.row.subject for each in kept] == [
        subject for row in range(count) for subject in (named("n", row), bytes(16), named("n", row))
    ]
    assert kept == library.store.objects[before:]


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
@counts
@pytest.mark.parametrize("kind", ["queries", "texts"])
def test_an_extension_reaches_its_binding_unchanged(count: int, first: int, kind: Any) -> None:
    """Each of its 1,504 bytes, through a file of queries and of texts, for every slot."""
    kitchen = Kitchen(count, first)
    asked = [kitchen.query(row, revision=4, actor=named("n", row)) for row in range(count)]
    empty = {"vector": b"", "model": bytes(32), "processor": bytes(32)}
    rows = [
        live.Asking(
            slot=row, working=False, conversation=named("v", row), ordinal=row + 1,
            query=query if kind == "queries" else msgspec.structs.replace(query, **empty),
        )
        for row, query in enumerate(asked)
    ]  # fmt: skip
    held = live.Live(kind=kind, lineage=named("l", 0), sequence=9, rows=tuple(rows))

    again = live.read(live.write(held), "live").rows

    for query, each in zip(asked, again, strict=True):
        assert isinstance(each, live.Asking)
        assert queries.write(each.query)[6_688:] == queries.write(query)[6_688:]
        binding = live.Binding(
            slot=each.slot, scope=query.scope, principal=query.principal, room=query.room,
            conversation=each.conversation, page_cap=8,
        )  # fmt: skip
        live.check(each, binding, each.slot)
        with pytest.raises(BadExchange) as refused:
            live.check(each, msgspec.structs.replace(binding, principal=named("?", 0)), each.slot)
        assert refused.value.status == 11


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
    for other, last, status in ((binding, 5, 6), (binding, 3, 6), (strange, 4, 11)):
        with pytest.raises(BadExchange) as refused:
            live.check(again, other, last)
        assert refused.value.status == status
    working = [kitchen.ref("k", 0), kitchen.ref("m", 0)]
    assert live.focused(query, working).focus == tuple(working)
    with pytest.raises(BadExchange) as full:
        live.focused(query, [kitchen.ref("m", row) for row in range(8)])
    assert full.value.status == 2


def people(payload: bytes) -> bytes:
    """A recorded query of somebody else."""
    at = 16 + 6_688 + 48
    return payload[:at] + named("n", 0) + payload[at + 16 :]


def unrelated(payload: bytes) -> bytes:
    """A recorded selection with another's appraisal behind its memory."""
    return payload[:112] + named("y", int.from_bytes(payload[124:128], "big")) + payload[128:]


def without(payload: bytes) -> bytes:
    """A recorded selection without its first obligation."""
    return payload[:4] + b"\x03" + payload[5:16] + payload[48:]


@requirement("exchange:selection:altered")
@pytest.mark.parametrize("count", [1, 64])
@pytest.mark.parametrize(
    ("letter", "alter", "status"), [("q", people, 11), ("s", unrelated, 3), ("s", without, 3)]
)
def test_an_altered_last_row_is_refused_and_nothing_is_shown(
    tmp_path: Path, count: int, letter: str, alter: Callable[[bytes], bytes], status: int
) -> None:
    """Participants, assessor, obligation of the last decision: from the file, nothing of any."""
    kitchen = Kitchen(count)
    library = kitchen.opened()
    library.record(kitchen.ask(library))
    image = library.store.image()
    spoiled = []
    for each in image.objects:
        payload = bytes(each.payload)
        if each.row.id == named(letter, count - 1):
            payload = alter(payload)
        spoiled.append(Stored(each.row._replace(payload_bytes=len(payload)), payload))
    data = images.write(msgspec.structs.replace(image, objects=tuple(spoiled)))
    files.save(tmp_path / "store", store.opened(data))

    again = Library(files.load(str(tmp_path / "store")).store).replay()
    with Memory.open(tmp_path / "unused") as memory:
        told = memory.run(ExchangeReplay(store=str(tmp_path / "store")))

    assert [each.status for each in again] == [0] * (count - 1) + [status]
    assert again[-1].selection is None
    assert not told.same
    assert {each.context for each in told.items} == {None}


@requirement("exchange:record:lasting")
@pytest.mark.parametrize("count", [1, 64])
def test_a_decision_is_recorded_once(count: int) -> None:
    """VERSION the second time, and an input that is kept twice; nothing has changed."""
    kitchen = Kitchen(count)
    for record in (Library.record, Library.retain):
        library = kitchen.opened()
        answers = library.answer([queries.write(kitchen.query(row)) for row in range(count)])
        record(library, answers)
        before = state(library)

        with pytest.raises(BadExchange) as refused:
            record(library, answers)

        # Of 64 the file has no room for 64 more, which is told first.
        full = record is Library.record and count == 64
        assert refused.value.status == (2 if full else 5)
        assert state(library) == before
