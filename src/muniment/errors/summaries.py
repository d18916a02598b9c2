"""Why a summary is refused: one class a cause, so that whoever wrote it knows what to mend."""

from __future__ import annotations

from muniment.errors.families import Refused


class SummaryOfSuperseded(Refused):
    """A summary cites the newest version of each source, and one of these has a newer one."""

    code = "summary_of_superseded"


class SummaryOfRetracted(Refused):
    """A summary cites nothing that was taken back."""

    code = "summary_of_retracted"


class SummaryOfNotStanding(Refused):
    """A summary cites nothing stale, expired, withdrawn, rejected or merely proposed."""

    code = "summary_of_not_standing"


class SummaryOfOpenTask(Refused):
    """A summary does not stand for an open task; close the task first, or cite without covering."""

    code = "summary_of_open_task"


class SummaryOfOverwritten(Refused):
    """A source of the summary gets a newer version in the same commit."""

    code = "summary_of_overwritten"


class SummaryOfSummary(Refused):
    """A summary cites a summary only where `recursive` says that this is meant."""

    code = "summary_of_summary"


class SummaryTooDeep(Refused):
    """Summaries stand on each other in so many levels and no more."""

    code = "summary_too_deep"


class SummaryNotShorter(Refused):
    """A summary's text has fewer bytes than what it covers in total."""

    code = "summary_not_shorter"
