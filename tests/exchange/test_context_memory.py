"""Tasks, participants and what is at stake, for one cook and for 64, in every scope."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from muniment.errors import BadExchange
from muniment.exchange import files, images, objects, queries, store, texts
from muniment.exchange.images import Stored
from muniment.exchange.layout import NO_ID
from muniment.exchange.queries import Extension
from muniment.exchange.recall import Library
from tests.exchange.kitchen import Kitchen, changed, entries, letters, named
from tests.exchange.things import Making, id_of
from tests.exchange.things import query as asked
from tests.requirements.marker import requirement

batch = pytest.mark.parametrize(("count", "first"), [(1, 0), (1, 1), (1, 2), (64, 0)])


@requirement("exchange:context:rule")
@batch
def test_obligations_and_what_matters_more(count: int, first: int) -> None:
    """Both obligations, then the less like memory with its appraisal: 1.427 against 1.075."""
    kitchen = Kitchen(count, first)
    library = kitchen.opened()
    before = images.write(library.store.image())

    answers = kitchen.ask(library)

    for row, answer in enumerate(answers):
        assert entries(answer) == [
            (b"c", "obligation"), (b"d", "obligation"), (b"m", "significant"), (b"x", "support"),
        ]  # fmt: skip
        assert answer.selection is not None
        score = 2**-0.5 + 0.8 * (0.9 - row / 1e6)
        assert answer.selection.entries[2].score == pytest.approx(score, abs=1e-6)
        assert score > 1.075
        text = answer.context.decode()
        assert f"benefit={700_000 + row} harm={900_000 - row} arousal=unknown" in text
        assert "confidence=unknown" in text
        assert "irrelevant" not in text
    assert images.write(library.store.image()) == before


@requirement("exchange:context:controls")
@batch
@pytest.mark.parametrize(
    ("fields", "chosen"),
    [
        ({"boost": 0}, "cdkm"),
        ({"floor": 990_000}, "cdkz"),
        ({"participants": (named("n", 9),)}, "d"),
        ({"participants": ()}, "d"),
        ({"task": named("u", 9)}, ""),
        ({"revision": 0, "task": None, "participants": (), "ranked": False, "floor": 0, "boost": 0},
         ""),
        ({"entries_max": 3}, "cd"),
    ],
)  # fmt: skip
def test_the_controls_of_a_query(
    count: int, first: int, fields: dict[str, Any], chosen: str
) -> None:
    """Cosine alone, a high floor, strangers, nobody known, another task, none, a pair unsplit."""
    kitchen = Kitchen(count, first)
    if not fields.get("revision", 1):
        fields = {"revision": 0}
        rows = [msgspec.structs.replace(kitchen.query(row), extension=None) for row in range(count)]
        answers = kitchen.opened().answer([queries.write(row) for row in rows])
    else:
        answers = kitchen.ask(**fields)

    assert {letters(answer) for answer in answers} == {chosen}
    if fields.get("participants") == ():
        assert all(b" participants=unknown]" in answer.context for answer in answers)


@requirement("exchange:context:obligations-first")
@batch
def test_what_is_pinned_comes_behind_obligations(count: int, first: int) -> None:
    """Third, with its own reason; and where the limits are too low, the query is refused."""
    kitchen = Kitchen(count, first)
    library = kitchen.opened()

    def rows(**fields: Any) -> list[bytes]:
        return [
            queries.write(kitchen.query(row, focus=(kitchen.ref("k", row),), **fields))
            for row in range(count)
        ]

    roomy = library.answer(rows(entries_max=5))
    few = library.answer(rows(entries_max=1))
    short = library.answer(rows(bytes_max=64))

    assert {tuple(entries(each)[:3]) for each in roomy} == {
        ((b"c", "obligation"), (b"d", "obligation"), (b"k", "pinned"))
    }
    for row, answer in enumerate(roomy):
        label = f"reason=2 subject={named('p', row).hex()} task={named('t', row).hex()}]"
        assert label in answer.context.decode()
    assert {each.status for each in (*few, *short)} == {2}
    turned = few[0].turned
    assert turned is not None
    assert (turned.over, turned.entries_needed) == ("entries", 3)
    assert turned.ref == kitchen.ref("d", 0)


EXTENSION = 6_688
MALFORMED: dict[str, tuple[int, bytes]] = {
    "magic": (0, b"AOTXCTX9"),
    "schema": (8, b"\x02"),
    "flag 4": (12, b"\x07"),
    "no flag": (12, b"\x00"),
    "zero cue": (16, NO_ID),
    "65 participants": (32, b"\x41"),
    "same participant": (64, named("p", 0)),
    "zero participant": (48, NO_ID),
    "reserved 1072": (1_072, b"\x01"),
    "reserved 1503": (1_503, b"\x01"),
    "floor": (36, (1_000_001).to_bytes(4, "little")),
    "boost": (40, (1_000_001).to_bytes(4, "little")),
    "policy": (44, b"\x02"),
    "controls without flag 2": (12, b"\x01"),
    "task without flag 1": (12, b"\x02"),
}


@requirement("exchange:queries:status")
@pytest.mark.parametrize("name", MALFORMED)
@pytest.mark.parametrize("count", [1, 64])
def test_a_malformed_extension_refuses_its_query(name: str, count: int) -> None:
    """FORMAT for each of them, and the others of the batch are answered."""
    kitchen = Kitchen(count)
    place, data = MALFORMED[name]
    rows = [queries.write(kitchen.query(row)) for row in range(count)]
    two = b"\x02" if name == "same participant" else b"\x01"
    bad = [
        changed(changed(row, EXTENSION + 32, two), EXTENSION + place,
                row[EXTENSION + 48 : EXTENSION + 64] if name == "same participant" else data)
        for row in rows
    ]  # fmt: skip
    library = kitchen.opened()

    answers = library.answer([*bad[:1], *rows[1:]])

    assert answers[0].status == 1
    assert {each.status for each in answers[1:]} <= {0}
    assert {each.status for each in library.answer(bad)} == {1}
    assert {each.status for each in library.answer(rows)} == {0}


def test_64_participants_are_taken() -> None:
    """The most that a query may name."""
    kitchen = Kitchen(1)
    people = (named("p", 0), *(named("w", row) for row in range(63)))

    (answer,) = kitchen.ask(participants=people)

    assert letters(answer) == "cdmx"


def bound(text: bytes, schema: int = 2, flag: int = 0, task: bytes = named("t", 0)) -> bytes:
    """A payload of revision 2, right or wrong."""
    head = texts.BOUND + schema.to_bytes(4, "little") + len(text).to_bytes(4, "little") + task
    return head + flag.to_bytes(4, "little") + bytes(28) + text


@requirement("exchange:admission:whole")
@pytest.mark.parametrize(
    ("payload", "fields"),
    [
        (bound(b"Salt.", schema=1), {}),
        (bound(b"Salt.", flag=2), {}),
        (bound(b"Salt.", task=NO_ID), {}),
        (bound(b"Salt."), {"subject": NO_ID}),
        (bound(b"Salt."), {"source_id": NO_ID, "source_version": 0}),
        (bound(b"S\xffalt."), {}),
        (bound(b"Salt.")[:-1], {}),
        (bound(b"s" * 2_049), {}),
    ],
    ids=["schema", "flag", "cue", "subject", "source", "utf-8", "cut", "long"],
)
def test_a_malformed_bound_text_refuses_the_whole_store(
    payload: bytes, fields: dict[str, Any]
) -> None:
    """FORMAT, and nothing of it is taken in."""
    made = Kitchen(1).made
    last = next(each for each in made.objects if each.row.id == named("c", 0))
    row = last.row._replace(payload_bytes=len(payload), **fields)
    made.objects[made.objects.index(last)] = Stored(row, payload)

    with pytest.raises(BadExchange) as refused:
        made.store()

    assert refused.value.status == 1


@requirement("exchange:selection:replay")
@batch
def test_a_recorded_batch_replays_from_its_file(count: int, first: int, tmp_path: Path) -> None:
    """The same bytes out of the container, no search, the extension kept."""
    kitchen = Kitchen(count, first)
    library = kitchen.opened()
    answers = library.record(kitchen.ask(library))
    files.save(tmp_path / "store", library.store)

    fresh = Library(files.load(str(tmp_path / "store")).store)
    again = fresh.replay()

    assert [each.context for each in again] == [each.context for each in answers]
    assert {each.searches for each in again} == {0}
    assert [each.query for each in again] == [each.query for each in answers]
    assert {each.cut for each in again} == {kitchen.made.sequence}


@requirement("exchange:selection:altered")
@pytest.mark.parametrize("count", [1, 64])
@pytest.mark.parametrize(
    "alter",
    [
        lambda rows: rows[:112] + named("y", 0) + rows[128:],  # an unrelated appraisal
        lambda rows: rows[:4] + b"\x03" + rows[5:16] + rows[48:],  # an obligation is missing
        lambda rows: rows[:16] + rows[48:80] + rows[16:48] + rows[80:],  # in another order
    ],
)
def test_an_altered_record_is_refused(alter: Callable[[bytes], bytes], count: int) -> None:
    """REFERENCE, and nothing is shown of it."""
    kitchen = Kitchen(count)
    library = kitchen.opened()
    library.record(kitchen.ask(library))
    image = library.store.image()
    spoiled = [
        Stored(each.row._replace(payload_bytes=len(payload)), payload)
        for each in image.objects
        for payload in [
            alter(bytes(each.payload)) if each.row.id == named("s", 0) else each.payload
        ]
    ]
    data = images.write(msgspec.structs.replace(image, objects=tuple(spoiled)))

    again = Library(store.opened(data)).replay()

    assert again[0].status == 3
    assert again[0].selection is None
    assert {each.status for each in again[1:]} <= {0}


@requirement("exchange:selection:corrected")
@batch
def test_a_correction_makes_the_old_choice_stale(count: int, first: int) -> None:
    """The new claim is recalled, the old recording is not, and both events are still there."""
    kitchen = Kitchen(count, first)
    library = kitchen.opened()
    library.record(kitchen.ask(library))
    kitchen.made.objects[:] = library.store.objects
    for row in range(count):
        said = kitchen.report("E", row, f"Cook {row} was wrong.")
        kitchen.add("better", row, required=True, superseded=kitchen.ref("c", row), source=said)

    corrected = kitchen.opened()

    assert {each.status for each in corrected.replay()} == {10}
    asked_again = [
        msgspec.structs.replace(kitchen.query(row), request=named("f", row),
                                selection=named("g", row))
        for row in range(count)
    ]  # fmt: skip
    answers = corrected.answer([queries.write(each) for each in asked_again])
    assert {letters(each) for each in answers} == {"bdmx"}
    for row, answer in enumerate(answers):
        assert f"better of cook {row}\n".encode() in answer.context
        assert b"constraint" not in answer.context
        for event in (kitchen.event(row), kitchen.ref("E", row)):
            assert event in corrected.store.places


@requirement("exchange:selection:corrected")
@batch
def test_a_superseding_appraisal_changes_what_matters(count: int, first: int) -> None:
    """Nothing is at stake any more: the ordinary memory comes with its own appraisal."""
    kitchen = Kitchen(count, first)
    for row in range(count):
        kitchen.appraise(
            "w", row, kitchen.ref("m", row), benefit=0, harm=0, superseded=kitchen.ref("x", row)
        )

    assert {letters(each) for each in kitchen.ask()} == {"cdkz"}


@requirement("exchange:context:appraisal")
def test_equal_appraisals_count_once() -> None:
    """A second one of the same changes neither the selection nor its bytes."""
    plain_, doubled = Kitchen(1), Kitchen(1)
    doubled.appraise("~", 0, doubled.ref("m", 0), benefit=700_000, harm=900_000)

    assert plain_.ask()[0].context == doubled.ask()[0].context


@requirement("exchange:admission:whole")
def test_a_reported_appraisal_of_something_inferred_is_refused() -> None:
    """SOURCE: what rests on a guess is one."""
    kitchen = Kitchen(1)
    guess = kitchen.add("guess", 0, source_kind=objects.INFERRED)
    kitchen.appraise("v", 0, guess, harm=1, source_kind=objects.REPORTED)

    with pytest.raises(BadExchange) as refused:
        kitchen.made.store()

    assert refused.value.status == 7


@requirement("exchange:sight:source-gone")
@batch
def test_a_tombstoned_source_takes_everything_along(count: int, first: int) -> None:
    """Nothing leaks, and pinning a claim is denied."""
    kitchen = Kitchen(count, first)
    for row in range(count):
        kitchen.made.end(kitchen.event(row))
    library = kitchen.opened()

    empty = kitchen.ask(library)
    pinned = library.answer(
        [queries.write(kitchen.query(row, focus=(kitchen.ref("c", row),))) for row in range(count)]
    )

    assert {letters(each) for each in empty} == {""}
    assert {each.status for each in pinned} == {11}


@requirement("exchange:context:intention")
@batch
def test_an_intention_is_said_while_it_is_pending(count: int, first: int) -> None:
    """Completed by a new version, it never comes back, from a restored store neither."""
    kitchen = Kitchen(count, first)
    for row in range(count):
        kitchen.add("b-intention", row, kind=objects.INTENTION, required=True,
                    retention=objects.PENDING)  # fmt: skip
    pending = kitchen.ask(entries_max=5)
    for row in range(count):
        kitchen.made.revise(kitchen.ref("b", row), retention=objects.ORDINARY)

    done = kitchen.ask(Library(store.opened(images.write(kitchen.made.image()))))

    assert {letters(each)[:1] for each in pending} == {"b"}
    assert {letters(each) for each in done} == {"cdmx"}


@requirement("exchange:context:budget")
@batch
def test_a_pair_fits_exactly_or_not_at_all(count: int, first: int) -> None:
    """One byte less than it needs, and neither of the two is there."""
    kitchen = Kitchen(count, first)
    library = kitchen.opened()
    sizes = [len(each.selection.text) for each in kitchen.ask(library) if each.selection]

    def rows(less: int) -> list[bytes]:
        return [
            queries.write(kitchen.query(row, bytes_max=size - less))
            for row, size in enumerate(sizes)
        ]

    exact, tight = library.answer(rows(0)), library.answer(rows(1))

    assert {letters(each) for each in exact} == {"cdmx"}
    assert all(letters(each) in ("cd", "cdk", "cdkz") for each in tight)


@requirement("exchange:sight:strangers")
def test_a_stranger_sees_nothing() -> None:
    """Another owner, another room: empty and no error."""
    for first, fields in ((0, {"principal": named("n", 1)}), (1, {"room": named("n", 1)})):
        assert letters(Kitchen(1, first).ask(**fields)[0]) == ""


@requirement("exchange:context:appraisal")
@pytest.mark.parametrize(
    ("harm", "reasons"),
    [(500_000, ["significant", "support", "significant"]), (0, ["similar"] * 2),
     (None, ["similar"] * 2)],
)  # fmt: skip
def test_one_appraisal_of_an_event_serves_both_copies(harm: int | None, reasons: list[str]) -> None:
    """It stands once, behind the first; unknown or zero, it does not stand at all."""
    made = Making()
    event = made.event(1, "The oven was left on.", subject=id_of(9))
    made.memory(2, "The oven!", 1.0, 0.0, source=event, subject=id_of(9))
    made.memory(3, "Left on.", 1.0, 0.1, source=event, subject=id_of(9))
    made.appraise(4, event, harm=harm)
    library = Library(made.store())
    answers = library.answer(
        [queries.write(asked("What?", revision=1, ranked=True, boost=1_000_000))]
    )

    assert [reason for _, reason in entries(answers[0])] == reasons
    library.record(answers)
    assert library.replay()[0].context == answers[0].context


@requirement("exchange:context:obligations-first")
@batch
def test_all_twelve_obligations_or_none(count: int, first: int) -> None:
    """At a limit of twelve all of them, at eleven a refusal."""
    kitchen = Kitchen(count, first)
    for row in range(count):
        for number in range(10):
            kitchen.add("f", row, required=True, id=named("f", row + 1_000 * (number + 1)))
    library = kitchen.opened()

    all_, few = kitchen.ask(library, entries_max=12), kitchen.ask(library, entries_max=11)

    assert {letters(each) for each in all_} == {"cd" + "f" * 10}
    assert {each.status for each in few} == {2}


def test_an_extension_at_its_bounds_is_itself() -> None:
    """Written and read."""
    extension = Extension(revision=4, ranked=True, floor=1_000_000, boost=1_000_000)
    row = queries.write(asked("What?", revision=1, ranked=True))

    whole = row[:EXTENSION] + queries.write_extension(extension)

    assert queries.read(whole).extension == extension
