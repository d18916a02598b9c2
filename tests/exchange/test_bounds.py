"""What a small file can make this program do: no more than in proportion to its size."""

from __future__ import annotations

import os
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from muniment import limits
from muniment.errors import BadExchange
from muniment.exchange import container, files, objects, queries, selections
from muniment.exchange.layout import Ref
from muniment.exchange.recall import Answer, Library
from muniment.exchange.sight import Sight
from tests.exchange.things import PERSON, Making, plain, query
from tests.requirements.marker import requirement

SOURCES = "muniment"


def lines(work: Callable[[], object]) -> int:
    """How many lines of the program are run; the same in every run, unlike seconds."""
    count = 0

    def inside(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        count += event == "line"
        return inside

    def entering(frame: FrameType, event: str, _: Any) -> Any:
        return inside if SOURCES in frame.f_code.co_filename else None

    before = sys.gettrace()
    sys.settrace(entering)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def peak(work: Callable[[], object]) -> int:
    """Bytes that are held at once."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def in_proportion(cost: Callable[[int], int], size: int) -> None:
    """Four times the input, and not much more than four times the cost."""
    assert cost(4 * size) < 6 * cost(size)


def id_at(number: int) -> bytes:
    """An id that sorts by its number."""
    return number.to_bytes(16, "big")


def ask(library: Library, **fields: Any) -> Answer:
    """One query's answer."""
    (answer,) = library.answer([queries.write(query("What?", **fields))])
    return answer


def chained(size: int) -> Library:
    """Claims, each resting on the one before, each somebody else's own by now."""
    made = Making()
    refs: list[Ref] = []
    for number in range(size):
        made.owner = id_at(number + 1)
        source = {"source": refs[-1]} if refs else {}
        refs.append(made.add(objects.ASSERTION, id_at(number + 1), plain("x"), **source))
    for number, ref in enumerate(refs):
        made.owner = id_at(number + 1)
        made.revise(ref, scope=objects.PRIVATE)
    return Library(made.store())


@requirement("exchange:bounds:proportion")
def test_long_chains_of_private_things_take_no_more_than_they_are_long() -> None:
    """Nobody sees what rests on three people's own things; the first two are seen by one each."""
    library = chained(40)

    assert max(map(len, library.sight.needs)) <= 2
    for number in range(40):
        who = ask(
            library, principal=id_at(number + 1), scope=objects.PRIVATE,
            required=(Ref(id_at(number + 1), 2),), number=number,
        )  # fmt: skip
        assert (who.status == 0) == (number == 0)
        assert who.status in (0, 11)
    stores = {size: chained(size).store for size in (100, 400)}
    in_proportion(lambda size: peak(lambda: Sight(stores[size])), 100)


def copied(size: int) -> Library:
    """Complete copies of one event, which share a vector."""
    made = Making()
    component = made.vector(1.0, 0.0)
    event = made.event(1, "The vents were open.", subject=PERSON)
    for number in range(size):
        made.add(
            objects.WORKING, id_at(number + 1), plain("The vents were open."), source=event,
            embedding=component, subject=PERSON,
        )  # fmt: skip
    return Library(made.store())


@requirement("exchange:bounds:proportion")
@pytest.mark.parametrize("revision", [2, 3, 4])
def test_many_copies_of_one_event_are_each_looked_at_once(revision: int) -> None:
    """None of them fits, so that each is considered."""
    libraries = {size: copied(size) for size in (100, 400)}
    ask(libraries[100], revision=revision, bytes_max=100)

    def cost(size: int) -> int:
        return lines(lambda: ask(libraries[size], revision=revision, bytes_max=100))

    in_proportion(cost, 100)


@requirement("exchange:bounds:proportion")
@pytest.mark.parametrize("what", [lines, peak])
def test_many_appraisals_of_many_copies_are_each_looked_at_once(
    what: Callable[[Callable[[], object]], int],
) -> None:
    """Appraisals of an event count for each of its copies, and are sorted once for all of them."""

    def library(size: int) -> Library:
        made = Making()
        component = made.vector(1.0, 0.0)
        event = made.event(1, "The vents were open.", subject=PERSON)
        for number in range(size):
            made.add(objects.WORKING, id_at(number + 1), plain("Open."), source=event,
                     embedding=component, subject=PERSON)  # fmt: skip
        for number in range(size):
            made.appraise(2, event, harm=number + 1)
            last = made.objects[-1]
            made.objects[-1] = last._replace(row=last.row._replace(id=id_at(10_000 + number)))
        return Library(made.store())

    libraries = {size: library(size) for size in (100, 400)}
    fields = {"revision": 3, "ranked": True, "boost": 1_000_000, "entries_max": 2}
    answer = ask(library(100), **fields)
    assert answer.selection is not None
    assert answer.selection.entries[1].evidence.ref[0] == id_at(10_099)
    ask(copied(10), **fields)

    in_proportion(lambda size: what(lambda: ask(libraries[size], **fields)), 100)


@requirement("exchange:bounds:proportion")
@pytest.mark.parametrize("revision", [0, 2, 3, 4])
def test_what_does_not_fit_is_not_written_out_with_all_the_rest(revision: int) -> None:
    """Room for a row's text and not for its labels: the selection is rendered no more often."""

    def library(size: int) -> Library:
        made = Making()
        component = made.vector(1.0, 0.0)
        for number in range(size):
            text = plain("Short." if number < 10 else "Somewhat longer than that one.")
            made.add(objects.WORKING, id_at(number + 1), text, embedding=component)
        return Library(made.store())

    room = ask(library(11), revision=revision, entries_max=16)
    assert room.selection is not None
    most = len(room.selection.text) - 1
    libraries = {size: library(size) for size in (60, 260)}
    ask(libraries[60], revision=revision, bytes_max=most)
    found = ask(libraries[60], revision=revision, bytes_max=most).selection
    assert found is not None
    assert len(found.entries) == 10
    assert {each.reason for each in found.left_out} == {"budget_bytes"}

    costs = [
        lines(lambda: ask(libraries[size], revision=revision, bytes_max=most))  # noqa: B023
        for size in (60, 260)
    ]

    # Writing ten rows out again takes several hundred lines.
    assert (costs[1] - costs[0]) / 200 < 200


@requirement("exchange:bounds:status")
def test_a_vector_that_too_many_share_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """CAPACITY: each would be compared for itself, and a row of 300 bytes would take 4,096."""
    copied(10)
    monkeypatch.setattr(limits, "EXCHANGE_SHARED_VECTOR_BYTES_MAX", 8 * 8)
    copied(9)

    with pytest.raises(BadExchange) as refused:
        copied(10)

    assert refused.value.status == 2


@requirement("exchange:bounds:status")
def test_more_decisions_than_a_file_holds_are_not_replayed() -> None:
    """CAPACITY at 65: a selection of 272 bytes would have a query of 8,192 read again."""
    for count, status in ((64, 0), (65, 2)):
        made = Making()
        kept = selections.Question(cut=0, query=queries.write(query()))
        event = made.add(objects.EVENT, id_at(1), selections.write_question(kept))
        for number in range(count):
            made.add(objects.SELECTION, id_at(number + 2), selections.write([]), source=event,
                     source_kind=objects.INFERRED)  # fmt: skip
        library = Library(made.store())

        if not status:
            assert len(library.replay()) == 64
            continue
        with pytest.raises(BadExchange) as refused:
            library.replay()
        assert refused.value.status == status


@requirement("exchange:bounds:status")
def test_a_file_that_is_mostly_holes_is_refused(tmp_path: Path) -> None:
    """CAPACITY: a few kilobytes on the disk that would be read as gigabytes of zeros."""
    path = tmp_path / "store"
    made = Making()
    made.event(1, "The vents were open.")
    files.save(path, made.store())
    os.truncate(path, 16_777_216)
    assert files.load(str(path)).container.unreached == 0

    os.truncate(path, container.FILE_BYTES_MAX)
    if path.stat().st_blocks * 512 > 16_777_216:
        pytest.skip("this file system writes holes out")
    with pytest.raises(BadExchange) as refused:
        files.load(str(path))

    assert refused.value.status == 2
