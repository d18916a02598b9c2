"""Everything that can go wrong, each cause a concrete class with a stable code.

The families stand in `families.py`, why a summary is refused in `summaries.py`, and what cannot
be bound in `bindings.py`; whoever raises or catches an error reads it from here.
"""

from __future__ import annotations

from muniment.errors.bindings import (
    AppraisalOfAppraisal,
    AppraisalOfNothing,
    AppraisalWithoutSource,
    NotApplicable,
    PrivateWithoutReader,
    RequirementProtected,
    RequirementWithoutTask,
    RoomWithoutName,
    SourceNotStanding,
    SubjectDiffers,
    VisibilityNarrowed,
    VisibilityWidened,
    WiderThanSource,
)
from muniment.errors.families import (
    FAMILIES,
    BadInput,
    Conflict,
    Corrupt,
    MunimentError,
    NotFound,
    Overflow,
    Refused,
    Unavailable,
)
from muniment.errors.summaries import (
    SummaryNotShorter,
    SummaryOfNotStanding,
    SummaryOfOpenTask,
    SummaryOfOverwritten,
    SummaryOfRetracted,
    SummaryOfSummary,
    SummaryOfSuperseded,
    SummaryTooDeep,
)

# What is made elsewhere and read from here; the classes below need no list.
__all__ = (
    "FAMILIES", "AppraisalOfAppraisal", "AppraisalOfNothing", "AppraisalWithoutSource", "BadInput",
    "Conflict", "Corrupt", "MunimentError", "NotApplicable", "NotFound", "Overflow",
    "PrivateWithoutReader", "Refused", "RequirementProtected", "RequirementWithoutTask",
    "RoomWithoutName", "SourceNotStanding", "SubjectDiffers", "SummaryNotShorter",
    "SummaryOfNotStanding", "SummaryOfOpenTask", "SummaryOfOverwritten", "SummaryOfRetracted",
    "SummaryOfSummary", "SummaryOfSuperseded", "SummaryTooDeep", "Unavailable",
    "VisibilityNarrowed", "VisibilityWidened", "WiderThanSource",
)  # fmt: skip


class OpenTaskProtected(Refused):
    """An ordinary write may not replace an open task."""

    code = "open_task_protected"


class TasksFull(Refused):
    """The open tasks would no longer fit into the scope's own pack; close one, or shorten it."""

    code = "tasks_full"


class OwnerDiffers(Refused):
    """The key belongs to another owner."""

    code = "owner_differs"


class RequiredNotCurrent(Refused):
    """A required reference does not stand any more; ask with history to see it."""

    code = "required_not_current"


class NotCurrent(Refused):
    """The version named is no longer the current one, or has been retracted already."""

    code = "not_current"


class AmbiguousName(Refused):
    """A word is the id of one record and the key of another; `id:` or `key:` before it tells which."""

    code = "ambiguous_name"


class NotATask(Refused):
    """Only tasks open and close."""

    code = "not_a_task"


class UngroundedProcedure(Refused):
    """An active procedure cites a source that is neither a summary nor retracted."""

    code = "ungrounded_procedure"


class SourceErased(Refused):
    """A source's content has been erased; nothing can rest on it any more."""

    code = "source_erased"


class NoUserEvidence(Refused):
    """What a user holds or confirms needs something that the user said."""

    code = "no_user_evidence"


class SupersedesOther(Refused):
    """A key names one version to supersede and `supersedes` another."""

    code = "supersedes_other"


class OnlyOwnBlocks(Refused):
    """The text holds nothing but blocks that a memory wrote itself."""

    code = "only_own_blocks"


class StateFull(Refused):
    """The state of a scope would grow beyond its limit."""

    code = "state_full"


class NotTakenIn(Refused):
    """What it rests on in the other ledger, or it itself in an earlier run, was not taken in."""

    code = "not_taken_in"


class QueryRefused(Refused):
    """A prepared query was refused, and all were to be answered or none."""

    code = "query_refused"


class WrongToken(Refused):
    """The erasure token is not the one for this request at this head."""

    code = "wrong_token"


class NothingToErase(Refused):
    """The content asked for is erased already."""

    code = "nothing_to_erase"


class HeadMoved(Conflict):
    """The memory chain's head is not the one expected."""

    code = "head_moved"


class CommandKeyReused(Conflict):
    """A command key was used before for another command."""

    code = "command_key_reused"


class ExternalIdReused(Conflict):
    """An external id was used before for other content."""

    code = "external_id_reused"


class KeyTaken(Conflict):
    """An imported version would take the place of one that its own ledger does not know."""

    code = "key_taken"


class PackOverflow(Overflow):
    """A thing that must enter the pack is over its byte, item or token budget."""

    code = "pack_overflow"


class Locked(Unavailable):
    """Another process kept the file locked for longer than the caller would wait."""

    code = "locked"


class DiskFull(Unavailable):
    """There is no room for the write; nothing of it shows."""

    code = "disk_full"


class ReadOnly(Unavailable):
    """The file or its directory may not be written."""

    code = "read_only"


class InUse(Unavailable):
    """Another program is writing the file to read, or left a log beside it."""

    code = "in_use"


class FileNewer(Unavailable):
    """A newer program wrote this file."""

    code = "file_newer"


class NotAStore(Unavailable):
    """The path is neither a directory nor a file of Muniment."""

    code = "not_a_store"


class CannotOpen(Unavailable):
    """The operating system would not open the file."""

    code = "cannot_open"


class IoFailed(Unavailable):
    """The operating system failed to read or write; nothing of the write shows."""

    code = "io_failed"


class Interrupted(Unavailable):
    """The work was interrupted from outside; nothing of it shows."""

    code = "interrupted"


class RebuildNeeded(Unavailable):
    """A derived table is missing or of another version: `rebuild` makes it again."""

    code = "rebuild_needed"


class MigrationNeeded(Unavailable):
    """An older program made the file, and this one does not write it before `migrate`."""

    code = "migration_needed"


class ExtraMissing(Unavailable):
    """What was asked for needs a library that is not installed; the message says which."""

    code = "extra_missing"


class AnswerLost(Unavailable):
    """The answer could not be given; what it speaks of has been done, an import as far as it came."""

    code = "answer_lost"


class Closed(Unavailable):
    """The memory has been closed."""

    code = "closed"


class EmbedderUnavailable(Unavailable):
    """A model is not there, does not load, or does not answer as it should."""

    code = "embedder_unavailable"


class BadShape(BadInput):
    """A field is missing, unknown, of the wrong type or out of its range."""

    code = "bad_shape"


class TooLong(BadInput):
    """A text is longer than its limit in UTF-8 bytes."""

    code = "too_long"


class BlankText(BadInput):
    """A text is empty or white space."""

    code = "blank_text"


class BadEncoding(BadInput):
    """Bytes are not UTF-8, or a text holds NUL or half a surrogate pair."""

    code = "bad_encoding"


class BadJson(BadInput):
    """A text is not JSON, repeats a key, or holds a number that is not kept exactly."""

    code = "bad_json"


class BadTime(BadInput):
    """A time is neither ISO 8601 with an offset nor milliseconds UTC, or is out of range."""

    code = "bad_time"


class UnknownFormat(BadInput):
    """No importer knows this file."""

    code = "unknown_format"


class BadFile(BadInput):
    """The file to read is missing or cannot be read."""

    code = "bad_file"

    @classmethod
    def unreadable(cls, path: object, error: Exception, at: str) -> BadFile:
        """The error of a file that the operating system would not open or read."""
        why = getattr(error, "strerror", None) or "that is no file's name"
        if isinstance(error, UnicodeDecodeError):
            why = "it is not UTF-8"
        return cls(f"{str(path)!r} cannot be read: {why}", at=at)


class UnknownRole(BadInput):
    """A message's role is none that an importer knows."""

    code = "unknown_role"


class NoText(BadInput):
    """A message's content is of a kind in which no text was found."""

    code = "no_text"


class BrokenThread(BadInput):
    """A conversation's tree names a parent that is missing or below itself, or a missing end."""

    code = "broken_thread"


class UnknownEmbedder(BadInput):
    """No embedder is called so."""

    code = "unknown_embedder"


class BadExchange(BadInput):
    """A file of the exchange formats breaks a rule of theirs; `status` is their number for it."""

    code = "bad_exchange"
    status = 1


class BadUsage(BadInput):
    """The command line names an unknown command or flag, or leaves one out."""

    code = "bad_usage"


class BrokenFile(Corrupt):
    """The database engine found the file malformed."""

    code = "broken_file"


class BrokenLedger(Corrupt):
    """A stored commit or content is not what its hash says."""

    code = "broken_ledger"


class BrokenSource(Corrupt):
    """A database to import does not hold what its own hashes and rules say; nothing was stored."""

    code = "broken_source"


class BackupFaulty(Corrupt):
    """The copy of a scope's file does not verify and was not kept; see verify."""

    code = "backup_faulty"
