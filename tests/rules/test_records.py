"""May this record be written, and what does it take the place of?"""

from __future__ import annotations

from itertools import product
from typing import Any, get_args

import msgspec
import pytest

from muniment import errors
from muniment.model.event import Draft
from muniment.model.event_kinds import Kind, Owner, RecordContent, RecordWritten, Status
from muniment.model.evidence import Source
from muniment.model.record import Note, SourceFact, Version
from muniment.model.scope import PROGRAM
from muniment.model.standing import Standing
from muniment.rules import records
from muniment.rules.records import Facts, Known
from tests.requirements.marker import requirement

OPEN = ("task", "open")
MARK = "0123456789abcdef"


def version(kind: Any = "note", status: Any = "active", **fields: Any) -> Version:
    """One version that stood before, of the key `k` and the scope itself."""
    plain: dict[str, Any] = {
        "id": f"r1-{MARK}", "seq": 1, "kind": kind, "status": status, "owner": "scope", "key": "k",
        "about": None, "text": "before", "metadata": None, "sources": (), "covers": (),
        "valid_from_ms": None, "valid_to_ms": None, "standing": "current",
    }  # fmt: skip
    return Version(**{**plain, **fields})


def fact(kind: str = "event", role: str | None = "user", standing: Standing = "current",
         seq: int = 5) -> SourceFact:  # fmt: skip
    """A cited thing."""
    letter = "e" if kind == "event" else "r"
    return SourceFact(id=f"{letter}{seq}-{MARK}", seq=seq, kind=kind, role=role, standing=standing)


def decide(note: Note, before: Version | None = None, *sources: SourceFact, **more: Any) -> Any:
    """What the rule answers for a note: a draft, a known version, or the code it refuses with."""
    cited = msgspec.structs.replace(note, sources=note.sources or tuple(s.id for s in sources))
    tag = None if note.key is None else "0" * 32
    try:
        return records.remember(cited, Facts(before=before, sources=sources, key_tag=tag, **more))
    except errors.MunimentError as error:
        return error.code


@requirement("records:protect:open-task", "records:protect:task-write")
@pytest.mark.parametrize(
    ("before", "write", "outcome"),
    [
        (None, ("note", None), None),
        (version(), ("note", None), "r1"),
        (version("fact"), ("note", None), "r1"),
        (version(*OPEN), ("note", None), "open_task_protected"),
        (version(*OPEN), ("story", "retracted"), "open_task_protected"),
        (version(*OPEN), ("proposal", None), "open_task_protected"),
        (version(*OPEN), ("task", None), "r1"),
        (version(*OPEN), ("task", "closed"), "r1"),
        (version(*OPEN), ("task", "retracted"), "r1"),
        (version("task", "closed"), ("note", None), "r1"),
        (version("task", "retracted"), ("fact", None), "r1"),
        (version(*OPEN, standing="erased"), ("note", None), "r1"),
        (version(owner="user"), ("note", None), "owner_differs"),
        (version(*OPEN, owner="agent"), ("task", "closed"), "owner_differs"),
        (version(*OPEN, owner="agent"), ("note", None), "owner_differs"),
        (version(status="retracted"), ("note", None), "r1"),
        (version("summary", standing="stale"), ("note", None), "r1"),
    ],
)
def test_what_a_write_does_to_what_stood_there(
    before: Version | None, write: tuple[Any, Any], outcome: str | None
) -> None:
    """Seed 1, typed writes: it supersedes it, or it is refused."""
    note = Note(text="after", key="k", kind=write[0], status=write[1])

    decided = decide(note, before)

    if isinstance(decided, str):
        assert decided == outcome
    else:
        assert (decided.shape.supersedes or "")[:2] == (outcome or "")


@requirement("records:kind:closed-list", "records:kind:only-tasks")
def test_the_table_of_statuses_is_the_closed_list() -> None:
    """Each kind with each status and owner is either written as it is, or refused."""
    written = set()
    said = fact(seq=9)
    for kind, status, owner in product(get_args(Kind), get_args(Status), get_args(Owner)):
        decided = decide(Note(text="a", kind=kind, status=status, owner=owner), None, said)
        if isinstance(decided, Draft):
            shape = decided.shape
            assert isinstance(shape, RecordWritten)
            assert (shape.kind, shape.status, shape.owner) == (kind, status, owner)
            written.add((kind, status, owner))
        else:
            assert decided == "bad_shape"

    assert {(kind, status) for kind, status, _ in written} == {
        (kind, status) for kind, statuses in records.STATUSES.items() for status in statuses
    }
    assert {kind for kind, status, _ in written if status in ("open", "closed")} == {"task"}
    assert {owner for kind, _, owner in written if kind == "proposal"} == {"scope"}
    assert len(written) == 3 * sum(map(len, records.STATUSES.values())) - 2 * 8


@requirement("records:kind:procedure")
@pytest.mark.parametrize(
    ("sources", "outcome"),
    [
        ([], "ungrounded_procedure"),
        ([fact("summary", None)], "ungrounded_procedure"),
        ([fact("note", None, "retracted")], "ungrounded_procedure"),
        ([fact("summary", None), fact("fact", None, "retracted", seq=6)], "ungrounded_procedure"),
        ([fact("event", "tool")], None),
        ([fact("note", None, "superseded")], None),
        ([fact("state", None)], None),
        ([fact("summary", None), fact("event", "user", seq=6)], None),
        ([fact("event", "user", "erased")], "source_erased"),
        ([fact("event", "user"), fact("note", None, "erased", seq=6)], "source_erased"),
    ],
)
def test_what_an_active_procedure_may_rest_on(
    sources: list[SourceFact], outcome: str | None
) -> None:
    """Seed 1: on a source that is neither a summary nor retracted."""
    decided = decide(Note(text="a", kind="procedure"), None, *sources)

    assert decided == outcome if outcome else isinstance(decided, Draft)


@pytest.mark.parametrize(
    ("note", "source", "outcome"),
    [
        (Note(text="a", kind="belief", owner="user"), fact(role="assistant"), "no_user_evidence"),
        (Note(text="a", kind="belief", owner="user"), fact(role="user"), None),
        (Note(text="a", kind="belief", owner="user"), fact("belief", None), "no_user_evidence"),
        (Note(text="a", kind="belief", owner="agent"), fact(role="assistant"), None),
        (Note(text="a", kind="note", owner="user"), fact(role="assistant"), None),
        (Note(text="a", kind="intention", status="confirmed"), fact(role="tool"), "no_user_evidence"),
        (Note(text="a", kind="intention", status="confirmed"), fact(role="user"), None),
        (Note(text="a", kind="intention", status="pending"), fact(role="tool"), None),
        (Note(text="a", kind="intention", status="completed"), fact(role="tool"), None),
    ],
)  # fmt: skip
def test_whose_words_may_carry_what(note: Note, source: SourceFact, outcome: str | None) -> None:
    """Promise 6: what a user holds or confirms needs something that the user said."""
    decided = decide(note, None, source)

    assert decided == outcome if outcome else isinstance(decided, Draft)


@pytest.mark.parametrize(
    ("seq", "cited_before", "outcome"),
    [(9, False, None), (4, False, "no_user_evidence"), (9, True, "no_user_evidence")],
)
def test_an_intention_is_confirmed_later_and_by_something_new(
    seq: int, cited_before: bool, outcome: str | None
) -> None:
    """A distinct event, after the version that it confirms."""
    said = fact(seq=seq)
    before = version("intention", "pending", seq=4,
                     sources=(Source(id=said.id),) if cited_before else ())  # fmt: skip

    decided = decide(Note(text="a", key="k", kind="intention", status="confirmed"), before, said)

    assert decided == outcome if outcome else isinstance(decided, Draft)


@requirement("records:version:equal")
@pytest.mark.parametrize(
    ("change", "known"),
    [
        ({}, True), ({"text": "other"}, False), ({"kind": "fact"}, False),
        ({"status": "retracted"}, False), ({"about": "Ann"}, False), ({"metadata": "{}"}, False),
        ({"valid_from_ms": 1}, False), ({"valid_to_ms": 1}, False), ({"standing": "erased"}, False),
        ({"standing": "stale"}, True), ({"sources": (Source(id=f"e5-{MARK}"),)}, False),
    ],
    ids=str,
)  # fmt: skip
def test_a_note_equal_to_what_stands_is_known(change: dict[str, Any], known: bool) -> None:
    """Equal in all that a caller chose; what is erased equals nothing."""
    before = version(**change)

    decided = decide(Note(text="before", key="k"), before)

    assert isinstance(decided, Known) is known


@requirement("records:version:without-key")
@pytest.mark.parametrize(
    ("note_key", "named", "newest", "outcome"),
    [
        (None, version(key=None), None, None),
        ("k", version(key=None), None, None),
        ("k", version(), version(), None),
        (None, version(), None, "supersedes_other"),
        ("other", version(), None, "supersedes_other"),
        ("k", version(key=None), version(id=f"r2-{MARK}"), "supersedes_other"),
        ("k", version(newest=f"r9-{MARK}"), version(id=f"r2-{MARK}"), "supersedes_other"),
        (None, version(key=None, newest=f"r9-{MARK}"), None, "not_current"),
        (None, version(*OPEN, key=None), None, "open_task_protected"),
    ],
)
def test_which_version_a_note_may_name(
    note_key: str | None, named: Version, newest: Version | None, outcome: str | None
) -> None:
    """The newest of its own key, or one without a key."""
    note = Note(text="after", key=note_key, supersedes=named.id)

    decided = decide(note, newest, named=named)

    assert decided == outcome if outcome else decided.shape.supersedes == named.id


@pytest.mark.parametrize(
    ("before", "status", "outcome"),
    [
        (version(), "retracted", "retracted"),
        (version(), "closed", "not_a_task"),
        (version(*OPEN), "closed", "closed"),
        (version(*OPEN), "retracted", "retracted"),
        (version("task", "closed"), "closed", "known"),
        (version("task", "closed"), "retracted", "retracted"),
        (version("task", "retracted"), "closed", "not_current"),
        (version(status="retracted"), "retracted", "known"),
        (version(newest=f"r9-{MARK}"), "retracted", "not_current"),
        (version(standing="erased"), "retracted", "not_current"),
        (version("summary", standing="stale"), "retracted", "retracted"),
        (version("proposal", "proposed"), "retracted", "not_current"),
    ],
)
def test_what_becomes_of_a_version_that_is_closed_or_taken_back(
    before: Version, status: Any, outcome: str
) -> None:
    """Seed 1: a version like any other, with everything else as it was."""
    try:
        decided = records.changed(before, status, "0" * 32, 0)
    except errors.MunimentError as error:
        assert error.code == outcome
        return

    if isinstance(decided, Known):
        assert outcome == "known"
    else:
        assert isinstance(decided.shape, RecordWritten)
        assert isinstance(decided.content, RecordContent)
        assert decided.shape.status == outcome
        assert decided.shape.supersedes == before.id
        assert (decided.content.text, decided.content.key) == (before.text, before.key)


@requirement("records:covers:subset")
@pytest.mark.parametrize(
    ("note", "at"),
    [
        (Note(text="a", kind="summary"), "sources"),
        (Note(text="a", kind="summary", sources=("e1",), covers=("e2",)), "covers[0]"),
        (Note(text="a", kind="summary", sources=("e1", "e1")), "sources"),
        (Note(text="a", kind="summary", sources=("e1",), covers=("e1", "e1")), "covers"),
        (Note(text="a", kind="note", sources=("e1",), covers=("e1",)), "covers"),
        (Note(text="a", metadata="[]"), "metadata"),
        (Note(text="a", valid_from=2, valid_to=1), "valid_to"),
        (Note(text="a", valid_from="soon"), "valid_from"),
        (Note(text=" "), "text"),
        (Note(text="a", key="\n"), "key"),
        (Note(text="a </cogmem_x>"), "text"),
        (Note(text="a", status="open"), "status"),
        (Note(text="a", kind="proposal", owner="agent", status="proposed"), "owner"),
    ],
)
def test_what_a_note_by_itself_may_be(note: Note, at: str) -> None:
    """What needs no history to be refused, is refused by its own field."""
    status = note.status or records.STATUSES[note.kind][0]

    with pytest.raises(errors.MunimentError) as caught:
        records.check_shape(note, status, PROGRAM)

    assert caught.value.at == at
