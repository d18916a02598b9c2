"""Records: what was concluded, typed, versioned and sourced."""

from __future__ import annotations

from tests.requirements.requirement import Requirement

REQUIREMENTS = (
    Requirement(
        id="records:limit:sizes",
        row="A2",
        source="seed 000",
        text=(
            "A key of 128 bytes, a text of 8,192, 32 sources, 32 covers and 8 records a commit are "
            "taken, and one more of each is refused."
        ),
    ),
    Requirement(
        id="records:shape:unknown-field",
        row="A2",
        source="seed 000",
        text="An unknown field is refused with its path.",
    ),
    Requirement(
        id="records:shape:repeated-key",
        row="A2",
        source="seed 000",
        text="JSON that says a key twice is refused with its path.",
    ),
    Requirement(
        id="records:shape:encoding",
        row="A2",
        source="seed 000",
        text="NUL, invalid UTF-8 and half surrogate pairs are refused with the path of the field.",
    ),
    Requirement(
        id="records:shape:writer",
        row="P3",
        source="seed 000",
        text="A writer cannot supply id, seq, commit or recorded time.",
    ),
    Requirement(
        id="records:kind:closed-list",
        row="A2",
        source="seed 000",
        text=(
            "A kind outside the closed list, and a status that its kind does not have, are refused."
        ),
    ),
    Requirement(
        id="records:kind:only-tasks",
        row="A2",
        source="seed 000",
        text="Only a task is open or closed.",
    ),
    Requirement(
        id="records:kind:procedure",
        row="A2",
        source="seed 000",
        text=(
            "An active procedure without a source that is neither a summary nor retracted is "
            "refused."
        ),
    ),
    Requirement(
        id="records:version:supersedes",
        row="A3",
        source="seed 000",
        text="Writing a key again supersedes its current version and keeps the old one.",
    ),
    Requirement(
        id="records:version:history",
        row="A3",
        source="seed 000",
        text=(
            "The history of a key lists all its versions, oldest first, each with its standing and "
            "the version that it supersedes."
        ),
    ),
    Requirement(
        id="records:version:by-id",
        row="A3",
        source="seed 000",
        text="Every version is shown by its own id, with its text and standing, however old.",
    ),
    Requirement(
        id="records:version:successor",
        row="A3",
        source="own",
        text=(
            "A version or a state value that is over names what took its place, and a write that "
            "names a version which is over is told the newest one."
        ),
    ),
    Requirement(
        id="records:version:line",
        row="A3",
        source="own",
        text="The history of an id is that of its record, whether or not it has a key.",
    ),
    Requirement(
        id="records:names:key-or-id",
        row="A3",
        source="own",
        text=(
            "What shows, assesses, explains, corrects or erases one thing takes a record's key as "
            "well as an id, and of a key the version that stands."
        ),
    ),
    Requirement(
        id="records:names:command",
        row="A3",
        source="own",
        text="A command that is repeated means by a key what it meant the first time.",
    ),
    Requirement(
        id="records:names:hint",
        row="A3",
        source="own",
        text="Where an id is wanted, a key is not_found with the id that it has.",
    ),
    Requirement(
        id="records:names:field",
        row="A3",
        source="own",
        text="An error about what an appraisal assesses names its id, and no source but a given one.",
    ),
    Requirement(
        id="records:version:without-key",
        row="A3",
        source="design",
        text=(
            "A record without a key is superseded by nothing but a write that names its current "
            "version by id."
        ),
    ),
    Requirement(
        id="records:version:equal",
        row="A3",
        source="design",
        text="A record equal to its current version writes nothing and answers that it is known.",
    ),
    Requirement(
        id="records:version:owner",
        row="P6",
        source="design",
        text="A write to a key of another owner is refused.",
    ),
    Requirement(
        id="records:source:exact",
        row="P3",
        source="seed 000",
        text=(
            "A record names its sources by exact id, and comes back with them, with role and span."
        ),
    ),
    Requirement(
        id="records:source:foreign",
        row="P7",
        source="seed 000",
        text=(
            "A source of another scope gets the same answer as one that does not exist: not found."
        ),
    ),
    Requirement(
        id="records:covers:subset",
        row="A6",
        source="seed 000",
        text=(
            "What a summary covers is among its sources, and nothing but an active summary covers."
        ),
    ),
    Requirement(
        id="records:summary:sources",
        row="A6",
        source="seed 000",
        text=(
            "A summary cites only what stands: not what is superseded, retracted, stale, expired, "
            "withdrawn, rejected or proposed; each cause has its own code."
        ),
    ),
    Requirement(
        id="records:summary:open-task",
        row="A6",
        source="seed 000",
        text="A summary does not cover an open task.",
    ),
    Requirement(
        id="records:summary:shorter",
        row="A6",
        source="seed 000",
        text="A summary that covers something has fewer bytes than that has in total.",
    ),
    Requirement(
        id="records:summary:same-commit",
        row="A6",
        source="seed 000",
        text="A summary does not cite what its own commit writes anew.",
    ),
    Requirement(
        id="records:summary:recursive",
        row="A6",
        source="seed 000",
        text=(
            "A summary of summaries is refused unless the caller says that it is meant; its "
            "coverage and level are carried through all levels, of which there are eight at most."
        ),
    ),
    Requirement(
        id="records:summary:covered",
        row="A6",
        source="seed 000",
        text=(
            "What a standing summary covers leaves the recent things, and is still found by "
            "words, by id and with history."
        ),
    ),
    Requirement(
        id="records:protect:open-task",
        row="A4",
        source="seed 000",
        text="An ordinary write to the key of an open task is refused and changes nothing.",
    ),
    Requirement(
        id="records:protect:task-write",
        row="A4",
        source="seed 000",
        text="A task write to the key of an open task replaces, closes or retracts it.",
    ),
    Requirement(
        id="records:protect:by-id",
        row="A4",
        source="seed 000",
        text="An open task is protected also where it is named by id instead of by key.",
    ),
    Requirement(
        id="records:protect:capacity",
        row="A4",
        source="seed 000",
        text=(
            "A task that could not be shown under the scope's limits is refused when it is opened, "
            "however it is opened; what was accepted is shown by every recall in the scope's own "
            "pack."
        ),
    ),
    Requirement(
        id="records:close:task",
        row="A4",
        source="seed 000",
        text=(
            "Closing a task writes a new version with the same text, and the task is no longer "
            "open."
        ),
    ),
    Requirement(
        id="records:close:key",
        row="A4",
        source="own",
        text=(
            "A record is closed and retracted by its id or by its key; a word that is the short id "
            "of one and the key of another is refused."
        ),
    ),
    Requirement(
        id="records:retract:record",
        row="A2",
        source="seed 000",
        text=(
            "Retracting a record writes a new version with the same text, which default recall "
            "does not show."
        ),
    ),
    Requirement(
        id="records:retract:again",
        row="A2",
        source="design",
        text="Retracting or closing a version that is not current is refused.",
    ),
    Requirement(
        id="records:standing:expired",
        row="P5",
        source="design",
        text="A record whose window has ended is expired from that moment, without a write.",
    ),
    Requirement(
        id="records:standing:one-answer",
        row="P5",
        source="design",
        text=(
            "Show, history and recall give the same standing for the same record at the same "
            "moment."
        ),
    ),
    Requirement(
        id="records:standing:when-the-source-ends",
        row="A6",
        source="design",
        text=(
            "What rests on a record ends at the moment at which that ends, at every level and not "
            "before; where the record stands again, so does what rests on it."
        ),
    ),
    Requirement(
        id="records:versions:one-holds",
        row="A2",
        source="design",
        text=(
            "At any moment one version of a key at most stands: the newest of those that are "
            "meant for it. What is taken back is so from its own beginning on, for good, with "
            "what a later version had left standing."
        ),
    ),
    Requirement(
        id="records:standing:stale-summary",
        row="A6",
        source="seed 000",
        text="A summary one of whose sources got a newer version is stale at once.",
    ),
    Requirement(
        id="records:decides:no-record-from-words",
        row="P6",
        source="seed 001",
        text="Nothing that a user, an assistant or a tool says becomes a record without a command.",
    ),
    Requirement(
        id="records:decides:agent-face",
        row="P6",
        source="design",
        text="A face made for agents cannot write as a user or own as a user.",
        deferred="2026-11-29: there is no face for agents yet",
    ),
    Requirement(
        id="records:standing:retracted-source",
        row="B9",
        source="design",
        text="What cites a record that was taken back since is labelled `source_retracted`.",
    ),
    Requirement(
        id="records:sources:span",
        row="P3",
        source="own",
        text="A cited span lies within the text that it cites.",
    ),
    Requirement(
        id="records:versions:correct-beside-plans",
        row="A2",
        source="own",
        text=(
            "A version that stands, or is to stand, can be corrected whatever else is planned: "
            "the new one holds in the stretch of time in which that would have held, and every "
            "other version holds as it did."
        ),
    ),
    Requirement(
        id="records:versions:correct-throughout",
        row="A2",
        source="own",
        text=(
            "What is corrected stands nowhere from the corrected stretch of time on: where it "
            "would have held again after a plan that ends, the correction holds, in a version of "
            "its own that was written with the first."
        ),
    ),
    Requirement(
        id="records:metadata:mapping",
        row="A2",
        source="own",
        text=(
            "In Python metadata is a JSON text or a mapping, which is kept as its canonical text; "
            "what JSON has not is refused with its path."
        ),
    ),
    Requirement(
        id="records:close:said",
        row="A4",
        source="own",
        text=(
            "Where an id or a key is taken, `id:` or `key:` before the word says which it is, so "
            "that every key can be named, whatever it looks like."
        ),
    ),
)
