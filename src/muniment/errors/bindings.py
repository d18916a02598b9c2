"""Why a record may not be bound, or not be shown, as it was asked: one class a cause."""

from __future__ import annotations

from muniment.errors.families import BadInput, Refused


class RequirementWithoutTask(BadInput):
    """A requirement says in which task it must be said."""

    code = "requirement_without_task"


class RequirementProtected(Refused):
    """A requirement that holds is replaced by one for the same task, and the same person or all."""

    code = "requirement_protected"


class AppraisalOfNothing(BadInput):
    """An appraisal says which version or event it assesses."""

    code = "appraisal_of_nothing"


class AppraisalWithoutSource(BadInput):
    """An appraisal cites what it assesses among its sources."""

    code = "appraisal_without_source"


class PrivateWithoutReader(BadInput):
    """A private record says who may read it."""

    code = "private_without_reader"


class RoomWithoutName(BadInput):
    """A record that is seen in a room says in which."""

    code = "room_without_name"


class AppraisalOfAppraisal(Refused):
    """An appraisal assesses what can be recalled with it, which another appraisal cannot."""

    code = "appraisal_of_appraisal"


class SubjectDiffers(Refused):
    """An appraisal is about whom its record is about, or about who said what it assesses."""

    code = "subject_differs"


class SourceNotStanding(Refused):
    """What is to hold from now on cites something that does not hold now."""

    code = "source_not_standing"


class WiderThanSource(Refused):
    """More may see the record than what it cites."""

    code = "wider_than_source"


class VisibilityWidened(Refused):
    """A new version is seen by those who see the old one, not by more or by others."""

    code = "visibility_widened"


class VisibilityNarrowed(Refused):
    """A new version is seen by all who see the old one: to the others that would end unexplained."""

    code = "visibility_narrowed"


class NotApplicable(Refused):
    """A reference names what is bound to another task, to somebody else, or is done."""

    code = "not_applicable"
