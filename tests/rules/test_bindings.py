"""May a record be bound like this?"""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from muniment import errors
from muniment.model import binding
from muniment.model.binding import UNBOUND, Binding
from muniment.model.event import Draft
from muniment.model.event_kinds import RecordContent, RecordWritten
from muniment.model.evidence import Source
from muniment.model.record import Note, SourceFact, Version
from muniment.rules import bindings
from tests.requirements.marker import requirement

MARK = "0123456789abcdef"
ANN = Binding(visibility="private", reader="Ann")
BEN = Binding(visibility="private", reader="Ben")
HALL = Binding(visibility="room", room="hall")
YARD = Binding(visibility="room", room="yard")
ENDED = ("retracted", "stale", "expired", "withdrawn", "rejected")
PLACES = (UNBOUND, HALL, YARD, ANN, BEN)


def outcome(of: Any, *given: Any) -> tuple[str, str | None] | None:
    """The code and place that a rule refuses with, or None."""
    try:
        of(*given)
    except errors.MunimentError as error:
        return error.code, error.at
    return None


def draft(bound: Binding = UNBOUND, kind: Any = "note", about: str | None = None,
          sources: tuple[Source, ...] = (), status: Any = "active") -> Draft:  # fmt: skip
    """A record that has been decided so far."""
    shape = RecordWritten(kind=kind, status=status, owner="scope", sources=sources, **bound.shape)
    return Draft(shape, RecordContent(text="held", about=about, **bound.words))


def source(standing: Any = "current", bound: Binding = UNBOUND, **fields: Any) -> SourceFact:
    """A cited record."""
    plain: dict[str, Any] = {"kind": "note", "role": None}
    return SourceFact(id=f"r5-{MARK}", seq=5, standing=standing, bound=bound, **{**plain, **fields})


@requirement("contextual:record:validated", "contextual:record:appraisal")
@pytest.mark.parametrize(
    ("fields", "refusal"),
    [
        ({}, None),
        ({"task": "t"}, None),
        ({"task": " "}, ("blank_text", "task")),
        ({"kind": "task", "task": "t"}, ("bad_shape", "task")),
        ({"kind": "summary", "task": "t"}, ("bad_shape", "task")),
        ({"kind": "proposal", "task": "t"}, ("bad_shape", "task")),
        ({"kind": "requirement"}, ("requirement_without_task", "task")),
        ({"kind": "requirement", "task": "t"}, None),
        ({"kind": "requirement", "task": "t", "priority": 0}, None),
        ({"kind": "requirement", "task": "t", "priority": -1}, ("bad_shape", "priority")),
        ({"kind": "requirement", "task": "t", "priority": 1_000_001}, ("bad_shape", "priority")),
        ({"priority": 1}, ("bad_shape", "priority")),
        ({"visibility": "private"}, ("private_without_reader", "reader")),
        ({"visibility": "private", "reader": "Ann"}, None),
        ({"visibility": "private", "reader": "Ann", "room": "hall"}, ("bad_shape", "room")),
        ({"visibility": "room"}, ("room_without_name", "room")),
        ({"visibility": "room", "room": "hall"}, None),
        ({"visibility": "room", "room": "hall", "reader": "Ann"}, ("bad_shape", "reader")),
        ({"reader": "Ann"}, ("bad_shape", "reader")),
        ({"reader": ""}, ("blank_text", "reader")),
        ({"room": "hall"}, ("bad_shape", "room")),
        ({"kind": "appraisal"}, ("appraisal_of_nothing", "assesses")),
        ({"kind": "appraisal", "assesses": "r5"}, None),
        ({"kind": "appraisal", "assesses": "r5", "benefit_ppm": 0, "harm_ppm": 1_000_000}, None),
        ({"kind": "appraisal", "assesses": "r5", "benefit_ppm": -1}, ("bad_shape", "benefit_ppm")),
        ({"kind": "appraisal", "assesses": "r5", "harm_ppm": 1_000_001}, ("bad_shape", "harm_ppm")),
        ({"assesses": "r5"}, ("bad_shape", "assesses")),
        ({"benefit_ppm": 1}, ("bad_shape", "benefit_ppm")),
        ({"harm_ppm": 0}, ("bad_shape", "harm_ppm")),
        ({"grade": "disputed"}, None),
    ],
)
def test_what_binds_a_note_fits_its_kind(
    fields: dict[str, Any], refusal: tuple[str, str] | None
) -> None:
    """Seed 2, typed claims: complete, in range, and of the kind that may say it."""
    assert outcome(bindings.check_note, Note(text="held", **fields)) == refusal


@requirement("contextual:record:visibility")
@pytest.mark.parametrize(("cited", "citing"), list(product(PLACES, PLACES)))
def test_no_more_see_a_record_than_what_it_cites(cited: Binding, citing: Binding) -> None:
    """Seed 2: visibility does not widen by being repeated; nobody knows who is in a room."""
    allowed = cited == citing or cited.visibility == "scope"
    version = "visibility_narrowed" if cited.visibility == "scope" else "visibility_widened"
    before = Version(
        id=f"r1-{MARK}", seq=1, kind="note", status="active", owner="scope", key=None, about=None,
        text="before", metadata=None, sources=(), covers=(), valid_from_ms=None,
        valid_to_ms=None, standing="current", bound=cited,
    )  # fmt: skip

    by_source = outcome(bindings.check, draft(citing), [source(bound=cited)], None)
    by_version = outcome(bindings.check, draft(citing), [], before)

    assert binding.within(citing, cited) is allowed
    assert by_source == (None if allowed else ("wider_than_source", "sources[0]"))
    assert by_version == (None if cited == citing else (version, "visibility"))


@requirement("contextual:record:standing")
@pytest.mark.parametrize(
    ("kind", "role", "standing", "refused"),
    [
        ("requirement", "supports", "current", False),
        ("requirement", "supports", "superseded", False),
        *(("requirement", "supports", standing, True) for standing in ENDED),
        ("requirement", "contradicts", "withdrawn", False),
        ("requirement", "mentions", "expired", False),
        ("appraisal", "supports", "expired", True),
        ("note", "supports", "expired", False),
    ],
)
def test_what_says_something_rests_on_what_stands(
    kind: str, role: Any, standing: str, refused: bool
) -> None:
    """Seed 2: the sources are looked at again at the moment of writing."""
    cited = source(standing)
    drafted = draft(kind=kind, sources=(Source(id=cited.id, role=role),))

    found = outcome(bindings.check, drafted, [cited], None)

    assert found == (("source_not_standing", "sources[0]") if refused else None)


@requirement("contextual:record:standing")
def test_taking_back_needs_nothing_that_stands() -> None:
    """What ends is not held any more."""
    cited = source("withdrawn")
    drafted = draft(kind="requirement", sources=(Source(id=cited.id),), status="retracted")

    assert outcome(bindings.check, drafted, [cited], None) is None


@requirement("contextual:record:appraisal")
@pytest.mark.parametrize(
    ("about", "fields", "refusal"),
    [
        (None, {}, None),
        ("Ann", {"subject": "Ann"}, None),
        ("Ann", {}, ("subject_differs", "about")),
        (None, {"subject": "Ann"}, ("subject_differs", "about")),
        ("Ben", {"subject": "Ann"}, ("subject_differs", "about")),
        (None, {"kind": "appraisal"}, ("appraisal_of_appraisal", "assesses")),
        (None, {"standing": "superseded"}, ("source_not_standing", "sources[0]")),
    ],
)
def test_an_appraisal_is_about_whom_it_assesses(
    about: str | None, fields: dict[str, Any], refusal: tuple[str, str] | None
) -> None:
    """Seed 2: it shares the subject, and assesses a version that is the newest."""
    cited = source(**fields)
    assessing = Binding(assesses=cited.id)
    drafted = draft(assessing, "appraisal", about, (Source(id=cited.id),))

    assert outcome(bindings.check, drafted, [cited], None) == refusal


@pytest.mark.parametrize(
    ("benefit", "harm", "intensity"),
    [(None, None, None), (0, None, 0), (None, 0, 0), (3, 5, 5), (5, 3, 5), (None, 7, 7), (0, 0, 0)],
)
def test_the_greatest_known_amount_counts(
    benefit: int | None, harm: int | None, intensity: int | None
) -> None:
    """Seed 2: benefit and harm never cancel, and unknown is not zero."""
    assert binding.intensity(benefit, harm) == intensity
