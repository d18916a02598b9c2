"""The selection over stores of all kinds is the one that a scan by the rules gives."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.exchange import evidence, objects, queries
from muniment.exchange.layout import NONE, Ref
from muniment.exchange.recall import Library
from muniment.exchange.rendering import Wire
from muniment.model.contextual import Chosen
from muniment.ranking import contextual, cosine
from tests.exchange.kitchen import Kitchen
from tests.exchange.oracle import Oracle, Refusal
from tests.exchange.things import CUE, OTHER, OWNER, PERSON, ROOM, Making, floats
from tests.exchange.things import query as asked
from tests.requirements.marker import requirement

WORDS = (
    "Dry.",
    "The fern stands by the door.",
    "Ana waters the orchids on Mondays, not on Sunday.",
)
COARSE = st.sampled_from((-1.0, -0.5, 0.0, 0.5, 1.0))
PEOPLE = (PERSON, OTHER)


@st.composite
def stores(draw: st.DrawFn) -> Making:
    """A few events, copies, claims, appraisals, newer versions and ends of them."""
    made = Making()
    events: list[Ref] = []
    memories: list[Ref] = []
    for number in range(1, draw(st.integers(2, 14))):
        made.scope = draw(st.sampled_from((2, 2, 2, 0, 1)))
        made.owner = draw(st.sampled_from((OWNER, OWNER, OTHER)))
        kind = draw(st.sampled_from(("event", "copy", "claim", "bound", "appraise", "change")))
        text = draw(st.sampled_from(WORDS))
        vector = (draw(COARSE), draw(COARSE)) if draw(st.booleans()) else (1.0, 0.5)
        vector = vector if any(vector) else (0.5, 1.0)
        subject = draw(st.sampled_from((bytes(16), PERSON)))
        source = _seen(made, draw(st.sampled_from(events)) if events else NONE)
        fields: dict[str, Any] = {"expiry": draw(st.sampled_from((0, 0, 0, 40, 9)))}
        if kind == "event":
            events.append(made.event(number, text, subject=subject))
        elif kind == "copy":
            of = next((each for each in made.objects if each.row.ref == source), None)
            said = bytes(of.payload)[32:].decode() if of and draw(st.booleans()) else text
            memories.append(made.memory(number, said, *vector, source=source, subject=subject))
        elif kind == "claim":
            fields["evidence"] = draw(st.sampled_from((0, 1, 2, 3)))
            fields["superseded"] = _replaced(made, draw, subject)
            memories.append(
                made.memory(number, text, *vector, kind=2, source=source, subject=subject, **fields)
            )
        elif kind == "bound" and source:
            memories.append(_bound(made, draw, number, (text, vector, source)))
        elif kind == "appraise" and (events or memories):
            _appraise(made, draw, number, [*events, *memories])
        elif kind == "change" and memories:
            _change(made, draw, memories)
    return made


def _seen(made: Making, ref: Ref) -> Ref:
    """The reference where an object of this scope and owner may name it."""
    row = next((each.row for each in made.objects if each.row.ref == ref), None)
    if row is None or row.scope == objects.INSTANCE:
        return ref if row is not None else NONE
    if row.scope != made.scope:
        return NONE
    return ref if row.scope == objects.ROOM or row.owner == made.owner else NONE


def _replaced(made: Making, draw: st.DrawFn, subject: bytes) -> Ref:
    old = [each.row for each in made.objects if each.row.kind == 2 and each.row.subject == subject]
    old = [row for row in old if not row.flags]
    if not old or draw(st.integers(0, 2)):
        return NONE
    return _seen(made, draw(st.sampled_from(old)).ref)


def _bound(made: Making, draw: st.DrawFn, number: int, said: Any) -> Ref:
    text, vector, source = said
    return made.bound(
        number, text, *(vector if draw(st.booleans()) else ()),
        kind=draw(st.sampled_from((2, 6))), source=source,
        subject=draw(st.sampled_from(PEOPLE)), required=draw(st.booleans()),
        task=draw(st.sampled_from((CUE, CUE, OTHER))), retention=draw(st.sampled_from((2, 0))),
    )  # fmt: skip


def _appraise(made: Making, draw: st.DrawFn, number: int, some: list[Ref]) -> None:
    ref = _seen(made, draw(st.sampled_from(some)))
    row = next((each.row for each in made.objects if each.row.ref == ref), None)
    if row is None or row.flags or not any(row.subject):
        return
    stake = st.sampled_from((None, 0, 400_000, 400_000, 900_000))
    made.appraise(number, ref, harm=draw(stake), benefit=draw(stake))


def _change(made: Making, draw: st.DrawFn, memories: list[Ref]) -> None:
    ref = draw(st.sampled_from(memories))
    newer = [each.row for each in made.objects if each.row.id == ref.id]
    last = max(newer, key=lambda row: row.version)
    if last.flags:
        return
    if draw(st.booleans()):
        made.end(last.ref)
    else:
        made.revise(last.ref, evidence=draw(st.sampled_from((1, 3))))


@st.composite
def questions(draw: st.DrawFn, refs: list[Ref]) -> queries.Query:
    """Queries of every revision, tight and roomy."""
    scope = draw(st.sampled_from((2, 0, 1)))
    revision = draw(st.integers(0, 4))
    fields: dict[str, Any] = {}
    if revision:
        fields["task"] = draw(st.sampled_from((CUE, CUE, None)))
        if fields["task"]:
            fields["participants"] = draw(st.sampled_from(((), (PERSON,), PEOPLE)))
        fields["ranked"] = draw(st.booleans()) or (revision == 1 and fields["task"] is None)
        if fields["ranked"]:
            fields["floor"] = draw(st.sampled_from((0, 300_000, 700_000)))
            fields["boost"] = draw(st.sampled_from((0, 500_000, 1_000_000)))
    named = st.lists(st.sampled_from(refs), max_size=2) if refs else st.just([])
    vector = (draw(COARSE), draw(COARSE))
    return asked(
        "What now?", *(vector if any(vector) else (1.0, 0.0)), revision=revision, scope=scope,
        room=ROOM if scope == 1 else bytes(16),
        required=tuple(draw(named)) if draw(st.booleans()) else (),
        focus=tuple(draw(named)) if draw(st.booleans()) else (),
        entries_max=draw(st.sampled_from((16, 4, 2))),
        bytes_max=draw(st.sampled_from((4_096, 1_200, 700, 300))),
        **fields,
    )  # fmt: skip


def by_scanning(library: Library, query: queries.Query) -> Any:
    """The selection of the oracle, or the code of its refusal."""
    wire = Wire(library.store)
    question = evidence.asked(query, library.store.sequence)

    def render(refs: list[Ref]) -> bytes:
        some = [library.corpus.by_ref[ref] for ref in refs]
        why = contextual.reasons(some, question)
        pairs = zip(some, why, strict=True)
        return wire.text([Chosen(evidence=e, reason=r) for e, r in pairs], question)

    try:
        return Oracle(library.store, query).select(render)
    except Refusal as refused:
        return refused.code


@requirement("exchange:selection:rules", "exchange:selection:indexes")
@settings(max_examples=200)
@given(data=st.data())
def test_the_selection_is_the_one_of_a_scan_by_the_rules(data: st.DataObject) -> None:
    """Whatever the store and the query: the same entries in the same order, or the same code."""
    made = data.draw(stores())
    library = Library(made.store())
    refs = [each.row.ref for each in made.objects]
    query = data.draw(questions(refs))

    (answer,) = library.answer([queries.write(query)])

    if answer.selection is None:
        assert answer.turned is not None
        found: Any = answer.turned.code
    else:
        found = [Ref(*each.evidence.ref) for each in answer.selection.entries]
    assert found == by_scanning(library, query)


@requirement("exchange:selection:replay")
@settings(max_examples=100)
@given(data=st.data())
def test_what_was_selected_replays_to_the_same_bytes(data: st.DataObject) -> None:
    """Recorded, and chosen again without a search."""
    made = data.draw(stores())
    library = Library(made.store())
    query = data.draw(questions([each.row.ref for each in made.objects]))
    answers = library.answer([queries.write(query)])
    ends = [each.row.expiry for each in made.objects if each.row.expiry]
    if answers[0].selection is None or any(end <= made.sequence + 2 for end in ends):
        return

    library.record(answers)
    (again,) = library.replay()

    assert again.selection is not None
    assert again.context == answers[0].context
    assert again.searches == 0


@requirement("exchange:scoring:same")
@pytest.mark.parametrize("revision", [1, 2, 4])
def test_whole_batches_are_selected_alike_without_numpy_and_with_any_library(
    revision: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Contexts and scores of 64 cooks, from every library and from none."""
    kitchen = Kitchen(64)
    found = [
        [(each.context, each.selection) for each in kitchen.ask(Library(store, library),
                                                                revision=revision)]
        for store in [kitchen.made.store()]
        for library in namespaces()
    ]  # fmt: skip
    monkeypatch.setattr(cosine, "_numpy", lambda: None)

    plain = [
        (each.context, each.selection)
        for each in kitchen.ask(Library(kitchen.made.store()), revision=revision)
    ]

    assert all(each == plain for each in found)


@requirement("exchange:scoring:same")
@given(
    rows=st.lists(st.tuples(COARSE, COARSE, COARSE).filter(any), min_size=1, max_size=60),
    query=st.tuples(COARSE, COARSE, COARSE).filter(any),
    floor=st.none() | st.sampled_from((0.0, 0.5, 1.0)),
    boosts=st.dictionaries(st.integers(0, 59), st.sampled_from((0.1, 0.25, 0.5))),
)
def test_fast_products_order_exactly_as_sums_in_order(
    rows: list[Any], query: Any, floor: float | None, boosts: dict[int, float]
) -> None:
    """NumPy, another library, one that takes fewer bits, and none: the same to the last bit."""
    vectors = [floats(*row) for row in rows]
    boosts = {place: boost for place, boost in boosts.items() if place < len(rows)}

    def order(matrix: cosine.Matrix) -> Any:
        wanted = cosine.Wanted(
            positions=matrix.places(range(len(rows))), boosts=cosine.Boosts(boosts), floor=floor
        )
        (about,) = matrix.products([floats(*query)])
        return list(matrix.best(floats(*query), about, wanted))

    found = [order(cosine.Matrix(vectors, namespace)) for namespace in namespaces()]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cosine, "_numpy", lambda: None)
        found.append(order(cosine.Matrix(vectors)))

    assert all(each == found[0] for each in found)


def namespaces() -> list[Any]:
    """NumPy by default and by name, a library that is coarse, and others that are installed."""
    import numpy as np

    class Coarse:
        asarray = staticmethod(np.asarray)

        @staticmethod
        def matmul(left: Any, right: Any) -> Any:
            return left.astype(np.float16) @ right.astype(np.float16)

    found: list[Any] = [None, np, Coarse]
    for name in ("array_api_strict", "torch"):
        try:
            found.append(__import__(name))
        except ImportError:
            continue
    return found


@requirement("exchange:scoring:same")
def test_the_best_of_many_are_found_without_looking_at_all() -> None:
    """Tens of thousands of vectors, many of them equal: the same best as by sorting all."""
    import numpy as np

    drawn = np.random.default_rng(5).integers(-3, 4, (70_000, 4)).astype("<f4")
    drawn[~drawn.any(axis=1)] = 1.0
    vectors = [row.tobytes() for row in drawn]
    query = floats(1.0, 2.0, -1.0, 0.5)
    matrix = cosine.Matrix(vectors)
    places = matrix.places(range(0, len(vectors), 1))
    (about,) = matrix.products([query])

    best = matrix.best(query, about, cosine.Wanted(positions=places))
    found = [next(best)[:2] for _ in range(300)]

    exact = matrix.exact(query, places)
    right = sorted(range(len(vectors)), key=lambda place: (-exact[place], place))[:300]
    assert [place for place, _ in found] == right
    assert all(value == exact[place] for place, value in found)
