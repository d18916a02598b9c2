"""May a record be bound like this: to a task, to a reader or room, to what it assesses?  Pure."""

from __future__ import annotations

from collections.abc import Sequence

from muniment import errors
from muniment.model import binding
from muniment.model.binding import SCALE
from muniment.model.event import Draft
from muniment.model.event_kinds import Kind, RecordContent, RecordWritten
from muniment.model.record import Note, SourceFact, Version
from muniment.model.standing import Standing

# What may be meant for one task alone.  An open task is shown in all of them.
FOR_TASKS: tuple[Kind, ...] = (
    "note", "fact", "procedure", "story", "belief", "intention", "requirement", "appraisal",
)  # fmt: skip
_MUST = ("active", "pending")  # the statuses of what must be said
# What says something does not rest on what is in one of these; a newer version is no reason.
_ENDED: tuple[Standing, ...] = ("retracted", "stale", "expired", "withdrawn", "rejected")


def check_note(note: Note) -> None:
    """Nothing, if what binds a note fits its kind and is complete: the static rules.

    Raises:
        BadInput: with the path of the field.
    """
    bound = binding.shaped(note) or binding.worded(note)
    if not bound and note.kind not in ("requirement", "appraisal"):
        return
    for field in ("task", "room", "reader"):
        value = getattr(note, field)
        if value is not None and not value.strip():
            raise errors.BlankText("a name is not blank; leave it out instead", at=field)
    _check_seen(note)
    if note.kind == "requirement" and note.task is None:
        raise errors.RequirementWithoutTask("a requirement says for which task", at="task")
    if note.task is not None and note.kind not in FOR_TASKS:
        raise errors.BadShape(f"a {note.kind} is for every task", at="task")
    if note.priority is not None and note.kind != "requirement":
        raise errors.BadShape("only a requirement has a priority", at="priority")
    if note.kind == "appraisal" and note.assesses is None:
        raise errors.AppraisalOfNothing("an appraisal says what it assesses", at="assesses")
    for field, most in (("priority", SCALE), ("benefit_ppm", SCALE), ("harm_ppm", SCALE)):
        value = getattr(note, field)
        if value is not None and not 0 <= value <= most:
            raise errors.BadShape(f"from 0 to {most}", at=field)
    for field in ("assesses", "benefit_ppm", "harm_ppm"):
        if getattr(note, field) is not None and note.kind != "appraisal":
            raise errors.BadShape("only an appraisal assesses", at=field)


def check(draft: Draft, sources: Sequence[SourceFact], before: Version | None) -> None:
    """Nothing, if a draft may rest on its sources and take the place of `before`.

    Raises:
        Refused: a rule says no; its code says which.
    """
    shape, content = draft.shape, draft.content
    assert isinstance(shape, RecordWritten)
    assert isinstance(content, RecordContent)
    bound = binding.of(shape, content)
    _check_standing(shape, sources)
    for index, source in enumerate(sources):
        if not binding.within(bound, source.bound):
            raise errors.WiderThanSource(
                f"more may see it than {source.id}, which it cites", at=f"sources[{index}]"
            )
        if source.id == shape.assesses and source.subject != content.about:
            raise errors.SubjectDiffers(
                f"{source.id} is about {source.subject or 'nobody'}", at="about"
            )
        if source.id == shape.assesses and source.kind == "appraisal":
            raise errors.AppraisalOfAppraisal(f"{source.id} is an appraisal", at="assesses")
    if before is not None:
        _check_place(bound, before)
        _check_displaced(shape, content, before)


def _check_seen(note: Note) -> None:
    if note.visibility == "private" and note.reader is None:
        raise errors.PrivateWithoutReader("a private record says who may read it", at="reader")
    if note.visibility == "room" and note.room is None:
        raise errors.RoomWithoutName("it says in which room it is seen", at="room")
    if note.reader is not None and note.visibility != "private":
        raise errors.BadShape("only a private record has a reader", at="reader")
    if note.room is not None and note.visibility != "room":
        raise errors.BadShape("only what is seen in a room names one", at="room")


def _check_standing(shape: RecordWritten, sources: Sequence[SourceFact]) -> None:
    """What holds as it is written rests on what holds then."""
    if shape.kind not in ("requirement", "appraisal") or shape.status in ("retracted", "done"):
        return
    for index, (source, cited) in enumerate(zip(sources, shape.sources, strict=True)):
        gone = source.standing in _ENDED and cited.role == "supports"
        if gone or (source.id == shape.assesses and source.standing != "current"):
            raise errors.SourceNotStanding(
                f"{source.id} is {source.standing}", at=f"sources[{index}]"
            )


def _check_place(bound: binding.Binding, before: Version) -> None:
    """A version is seen by whom the one before is seen.

    To others, that one would end for no reason that they may see.
    """
    old = before.bound
    same = binding.place(bound) == binding.place(old)
    if before.standing == "erased":  # its words are gone, and with them who could see it
        same = bound.visibility == old.visibility
    if not same and before.bound.visibility == "scope":
        raise errors.VisibilityNarrowed(
            f"{before.id}, whose place it takes, is seen by more; take another key, or none",
            at="visibility",
        )
    if not same:
        raise errors.VisibilityWidened(
            f"others may see it than {before.id}, whose place it takes", at="visibility"
        )


def _check_displaced(shape: RecordWritten, content: RecordContent, before: Version) -> None:
    """Nothing, if no requirement that holds is lost by a write of another kind or for another task."""
    if before.kind != "requirement" or before.status not in _MUST or before.standing != "current":
        return
    kept = shape.kind == "requirement" and content.task == before.bound.task
    if not kept or content.about not in (None, before.about):
        raise errors.RequirementProtected(
            f"{before.id} must be said in its task; take another key, or retract it first", at="key"
        )
