"""What binds a record: to a task, to those who may see it, and to what it assesses.

Most records have none of it, and then none of it is written anywhere.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from muniment import limits
from muniment.model.event_kinds import Grade, RecordContent, RecordWritten, Visibility
from muniment.model.request import spell

Task = Annotated[
    str | None, spell("the task in which alone it applies", bytes_max=limits.NAME_BYTES_MAX)
]
Seen = Annotated[Visibility, spell("who may see it: the whole scope, a room or one reader")]
Reader = Annotated[
    str | None, spell("the one who may see a private record", bytes_max=limits.NAME_BYTES_MAX)
]
Room = Annotated[
    str | None, spell("the room in which alone it is seen", bytes_max=limits.NAME_BYTES_MAX)
]
Graded = Annotated[Grade | None, spell("how good its evidence is; default: unknown")]
Priority = Annotated[
    int | None, spell("of a requirement: which comes first, the greatest; those without come last")
]
Assesses = Annotated[
    str | None, spell("of an appraisal: the version or event that it assesses", form="id")
]
Benefit = Annotated[
    int | None, spell("of an appraisal: what it did good, in millionths; default: unknown",
                      flag="benefit")
]  # fmt: skip
Harm = Annotated[
    int | None, spell("of an appraisal: what it did harm, in millionths; default: unknown",
                      flag="harm")
]  # fmt: skip

# Amounts and likeness are millionths of this.
SCALE = 1_000_000

# By what an event says for ever, and by what goes with its content.
SHAPED = ("visibility", "grade", "priority", "assesses", "benefit_ppm", "harm_ppm")
WORDS = ("task", "room", "reader")


class Binding(msgspec.Struct, frozen=True, kw_only=True):
    """One record's.  `assesses` is a full id; amounts are millionths, None where not known."""

    visibility: Visibility = "scope"
    grade: Grade | None = None
    priority: int | None = None
    assesses: str | None = None
    benefit_ppm: int | None = None
    harm_ppm: int | None = None
    task: str | None = None
    room: str | None = None
    reader: str | None = None

    @property
    def shape(self) -> dict[str, Any]:
        """The fields that stand in the event's shape; none of them where nothing binds it."""
        if self is UNBOUND:
            return {}
        return {field: getattr(self, field) for field in SHAPED}

    @property
    def words(self) -> dict[str, Any]:
        """The fields that stand in its content; none of them where nothing binds it."""
        if self is UNBOUND:
            return {}
        return {field: getattr(self, field) for field in WORDS}


UNBOUND = Binding()


def of(shape: RecordWritten, content: RecordContent | None) -> Binding:
    """What binds the record of an event; its words are gone where `content` is."""
    if not (shaped(shape) or worded(content)):
        return UNBOUND
    words = {} if content is None else {field: getattr(content, field) for field in WORDS}
    return Binding(**{field: getattr(shape, field) for field in SHAPED}, **words)


# Every write asks these two, and most answers are no: so field by field, and not in a loop.
def shaped(said: Any) -> bool:
    """Whether a shape, or a note, says any of what stands in the shape."""
    return (
        said.visibility != "scope"
        or said.grade is not None
        or said.priority is not None
        or said.assesses is not None
        or said.benefit_ppm is not None
        or said.harm_ppm is not None
    )


def worded(said: Any) -> bool:
    """Whether a content, or a note, says any of what stands in the content."""
    return said is not None and (
        said.task is not None or said.room is not None or said.reader is not None
    )


def intensity(benefit_ppm: int | None, harm_ppm: int | None) -> int | None:
    """How much is at stake: the greater of what is known, in millionths; None: nothing is."""
    return max((each for each in (benefit_ppm, harm_ppm) if each is not None), default=None)


def within(narrow: Binding, wide: Binding) -> bool:
    """Whether all who see `narrow` may see `wide`: everybody may, or it is the same place.

    Nobody knows who comes into a room, so a reader is not within one.
    """
    return wide.visibility == "scope" or place(narrow) == place(wide)


def place(bound: Binding) -> tuple[Visibility, str | None, str | None]:
    """By whom it is seen: visibility, room and reader."""
    return bound.visibility, bound.room, bound.reader
