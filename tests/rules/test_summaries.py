"""May this summary stand for what it cites?"""

from __future__ import annotations

from typing import Any

import pytest

from muniment import errors, limits
from muniment.model.event import Draft
from muniment.model.event_kinds import RecordContent, RecordWritten, StateSet
from muniment.model.evidence import Source
from muniment.model.record import SourceFact
from muniment.rules import summaries
from tests.requirements.marker import requirement

MARK = "0123456789abcdef"


def source(number: int = 1, **fields: Any) -> SourceFact:
    """A record of ten bytes that stands."""
    plain: dict[str, Any] = {
        "id": f"r{number}-{MARK}", "seq": number, "kind": "note", "role": None,
        "standing": "current", "status": "active", "bytes": 10,
    }  # fmt: skip
    return SourceFact(**{**plain, **fields})


def summary(*sources: SourceFact, covers: tuple[int, ...] = (), **fields: Any) -> Draft:
    """A summary of nine bytes that covers some of its sources, by their numbers."""
    plain: dict[str, Any] = {"status": "active", "kind": "summary", "owner": "scope"}
    shape = RecordWritten(
        sources=tuple(Source(id=each.id) for each in sources),
        covers=tuple(f"r{number}-{MARK}" for number in covers),
        **{**plain, **{name: fields[name] for name in fields if name != "text"}},
    )
    return Draft(shape, RecordContent(text=fields.get("text", "x" * 9)))


def outcome(draft: Draft, *sources: SourceFact, recursive: bool = False) -> str | None:
    """The code that it is refused with, and where."""
    try:
        summaries.check(draft, sources, recursive=recursive)
    except errors.Refused as error:
        return f"{error.code} {error.at}"
    return None


@requirement("records:summary:sources")
@pytest.mark.parametrize(
    ("cited", "refusal"),
    [
        ({}, None),
        ({"kind": "event", "status": None, "role": "user"}, None),
        ({"kind": "state", "status": None}, None),
        ({"kind": "task", "status": "closed"}, None),
        ({"kind": "task", "status": "open"}, None),
        ({"standing": "superseded"}, "summary_of_superseded"),
        ({"kind": "state", "standing": "superseded"}, "summary_of_superseded"),
        ({"standing": "retracted", "status": "retracted"}, "summary_of_retracted"),
        ({"standing": "retracted"}, "summary_of_retracted"),
        ({"standing": "expired"}, "summary_of_not_standing"),
        ({"standing": "withdrawn", "kind": "belief"}, "summary_of_not_standing"),
        ({"standing": "rejected", "kind": "intention"}, "summary_of_not_standing"),
        ({"standing": "proposed", "kind": "proposal"}, "summary_of_not_standing"),
        ({"standing": "stale", "kind": "summary", "level": 1}, "summary_of_not_standing"),
    ],
)
def test_what_a_summary_may_cite(cited: dict[str, Any], refusal: str | None) -> None:
    """Seed 1: things as they are; one that has ended would make it stale from the beginning."""
    sources = (source(1), source(2, **cited))

    for covers in ((), (1,)):
        found = outcome(summary(*sources, covers=covers), *sources)
        assert found == (None if refusal is None else f"{refusal} sources[1]")
    assert outcome(summary(*sources, status="retracted"), *sources) is None


@requirement("records:summary:recursive")
@pytest.mark.parametrize(
    ("level", "recursive", "refusal"),
    [
        (0, False, None),
        (0, True, None),
        (1, False, "summary_of_summary"),
        (1, True, None),
        (limits.SUMMARY_LEVELS_MAX - 1, True, None),
        (limits.SUMMARY_LEVELS_MAX, True, "summary_too_deep"),
        (limits.SUMMARY_LEVELS_MAX, False, "summary_of_summary"),
    ],
)
def test_how_many_summaries_may_stand_on_each_other(
    level: int, recursive: bool, refusal: str | None
) -> None:
    """Seed 1: one level; beyond it only where that is said, and not without end."""
    sources = (source(1), source(2, kind="summary", level=level))

    found = outcome(summary(*sources, covers=(2,)), *sources, recursive=recursive)

    assert found == (None if refusal is None else f"{refusal} sources[1]")


@requirement("records:summary:open-task")
@pytest.mark.parametrize(
    ("status", "covers", "refusal"),
    [
        ("open", (), None),
        ("open", (1,), None),
        ("open", (1, 2), "summary_of_open_task"),
        ("open", (2,), "summary_of_open_task"),
        ("closed", (2,), None),
    ],
)
def test_an_open_task_is_cited_and_not_covered(
    status: str, covers: tuple[int, ...], refusal: str | None
) -> None:
    """Seed 1: compaction cannot cover an open task."""
    sources = (source(1), source(2, kind="task", status=status))

    found = outcome(summary(*sources, covers=covers), *sources)

    assert found == (None if refusal is None else f"{refusal} sources[1]")


@requirement("records:summary:shorter")
@pytest.mark.parametrize(
    ("text", "covers", "shorter"),
    [
        ("x" * 9, (1,), True),
        ("x" * 10, (1,), False),
        ("x" * 19, (1, 2), True),
        ("x" * 20, (1, 2), False),
        ("é" * 5, (1,), False),
        ("x" * 99, (), True),
        # The third is a summary that covers the second: that counts once, with it.
        ("x" * 9, (3,), True),
        ("x" * 10, (2, 3), False),
        ("x" * 19, (1, 2, 3), True),
        ("x" * 20, (1, 2, 3), False),
    ],
)
def test_a_summary_is_shorter_than_what_it_covers(
    text: str, covers: tuple[int, ...], shorter: bool
) -> None:
    """Seed 1: it must reduce the bytes of what it covers, all in all."""
    sources = (source(1), source(2), source(3, kind="summary", level=1, coverage=(f"r2-{MARK}",)))

    found = outcome(summary(*sources, covers=covers, text=text), *sources, recursive=True)

    assert found == (None if shorter else "summary_not_shorter text")


@requirement("records:summary:same-commit")
@pytest.mark.parametrize(
    ("supersedes", "status", "kind", "refused"),
    [
        (None, "active", "summary", False),
        (f"r9-{MARK}", "active", "summary", False),
        (f"r2-{MARK}", "active", "summary", True),
        (f"r2-{MARK}", "retracted", "summary", False),
        (f"r2-{MARK}", "active", "note", False),
    ],
)
def test_a_summary_does_not_cite_what_its_own_commit_writes_anew(
    supersedes: str | None, status: str, kind: str, refused: bool
) -> None:
    """Seed 1: in whichever order the commit has them, and also of a state value."""
    cites = summary(source(1), source(2), status=status, kind=kind)
    other = summary(source(7), kind="note", supersedes=supersedes)
    put = Draft(StateSet(key_tag="0" * 32, supersedes=supersedes))

    for placed, others in (
        ([(0, cites), (1, other)], []),
        ([(3, other), (4, cites)], []),
        ([(0, cites)], [put]),
    ):
        if not refused:
            summaries.check_apart(placed, others)
            continue
        with pytest.raises(errors.SummaryOfOverwritten) as caught:
            summaries.check_apart(placed, others)
        at = next(place for place, draft in placed if draft is cites)
        assert caught.value.at == f"notes[{at}].sources[1]"
