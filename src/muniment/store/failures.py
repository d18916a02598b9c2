"""What the database engine says, in the words of `errors`."""

from __future__ import annotations

import apsw

from muniment import errors

_BY_CLASS: tuple[tuple[type[apsw.Error], type[errors.MunimentError], str], ...] = (
    (apsw.BusyError, errors.Locked, "another process is writing; try again, or wait longer"),
    (apsw.LockedError, errors.Locked, "another connection holds the table; try again"),
    (apsw.FullError, errors.DiskFull, "there is no room on the disk; nothing was written"),
    (apsw.ReadOnlyError, errors.ReadOnly, "the file or its directory may not be written"),
    (apsw.CantOpenError, errors.CannotOpen, "the file cannot be opened"),
    (apsw.NotADBError, errors.NotAStore, "the file is not one of Muniment's"),
    (apsw.CorruptError, errors.BrokenFile, "the file is malformed; see verify, then rebuild"),
    (apsw.InterruptError, errors.Interrupted, "interrupted; nothing was written"),
    (apsw.IOError, errors.IoFailed, "reading or writing the file failed"),
    (
        apsw.ConstraintError,
        errors.RebuildNeeded,
        "a derived table does not agree with the ledger; see verify, then rebuild",
    ),
)


_NO_TABLE = "no such table: "
# What no rebuild can bring back.
_LEDGER = ("scope", "commits", "content")
# How the engine complains about a statement of ours.  Whatever else it does not understand is in
# the file: the definition of a table that was changed, or an index that is none any more.
_OUR_MISTAKES = (
    "syntax error",
    "incomplete input",
    "ambiguous column",
    "wrong number of arguments",
    "misuse of",
)


def translated(error: apsw.Error | UnicodeDecodeError) -> Exception:
    """The error to raise in place of the engine's; the engine's own where none fits."""
    if isinstance(error, UnicodeDecodeError):
        return errors.BrokenFile(f"a text in the file is not UTF-8 ({error})")
    for engine, ours, detail in _BY_CLASS:
        if isinstance(error, engine):
            return ours(f"{detail} ({error})")
    if isinstance(error, apsw.SQLError) and str(error).removeprefix(_NO_TABLE) in _LEDGER:
        return errors.BrokenLedger(f"a table of the ledger is missing ({error})")
    if isinstance(error, apsw.SQLError) and not any(said in str(error) for said in _OUR_MISTAKES):
        return errors.RebuildNeeded(f"a table is missing or changed; run rebuild ({error})")
    return error
