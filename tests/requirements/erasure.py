"""Erasure: forgetting everywhere, with the hole in plain view."""

from __future__ import annotations

from tests.requirements.requirement import Requirement

REQUIREMENTS = (
    Requirement(
        id="erasure:plan:counts",
        row="P8",
        source="design",
        text=(
            "Without a token an erasure changes nothing and answers the counts, the dependents and "
            "a token."
        ),
    ),
    Requirement(
        id="erasure:record:key",
        row="P8",
        source="own",
        text=(
            "A record is erased by its key as by its id, with all its versions; the token of such "
            "a plan is good for that key at that head alone."
        ),
    ),
    Requirement(
        id="erasure:plan:wrong-token",
        row="P8",
        source="design",
        text=(
            "A token of another request, or taken at an earlier head, is refused and nothing is "
            "erased."
        ),
    ),
    Requirement(
        id="erasure:target:event",
        row="B25",
        source="seed 001",
        text="Erasing an event takes its content and leaves its place, which shows as erased.",
    ),
    Requirement(
        id="erasure:target:record",
        row="B25",
        source="seed 001",
        text="Erasing a record takes the content of all its versions.",
    ),
    Requirement(
        id="erasure:target:scope",
        row="B25",
        source="seed 001",
        text=(
            "Erasing a scope takes every content and the scope's name, and the skeleton still "
            "verifies."
        ),
    ),
    Requirement(
        id="erasure:target:session",
        row="B25",
        source="seed 001",
        text="A session or an import's source can be erased as a whole.",
    ),
    Requirement(
        id="erasure:target:file",
        row="P8",
        source="design",
        text=(
            "Removing the file of an erased scope leaves nothing of it, and says that nothing can "
            "be proved any more."
        ),
    ),
    Requirement(
        id="erasure:bytes:gone",
        row="P8",
        source="seed 001",
        text=(
            "No byte sequence of an erased text is left in the database file, its text index, its "
            "write-ahead log or beside it."
        ),
    ),
    Requirement(
        id="erasure:bytes:command",
        row="P8",
        source="design",
        text=(
            "The digest of a command is erased with the first thing that it wrote or found "
            "standing, so that nobody can try guesses against it."
        ),
    ),
    Requirement(
        id="erasure:chain:verifies",
        row="P8",
        source="seed 001",
        text=(
            "After an erasure the chain verifies from its genesis, and against a checkpoint taken "
            "before."
        ),
    ),
    Requirement(
        id="erasure:chain:visible",
        row="P8",
        source="design",
        text="Verify counts the erased contents, and a hole that no erasure names is a fault.",
    ),
    Requirement(
        id="erasure:chain:id-answers",
        row="P8",
        source="design",
        text="The id of an erased thing still answers, with the standing erased and no text.",
    ),
    Requirement(
        id="erasure:derived:covering",
        row="P8",
        source="design",
        text="A summary that covers an erased source is erased with it.",
    ),
    Requirement(
        id="erasure:derived:repeating",
        row="P8",
        source="design",
        text=(
            "A record that repeats at least 5 consecutive words, or 8 CJK characters, of a cited "
            "source is erased with it."
        ),
    ),
    Requirement(
        id="erasure:derived:through",
        row="P8",
        source="design",
        text=(
            "A summary that rests on an erased source goes with it, covering it or not; and so does "
            "a record that repeats its words, also where it rests on it through one that stays."
        ),
    ),
    Requirement(
        id="erasure:derived:listed",
        row="P8",
        source="design",
        text=(
            "A dependent that would stay is listed in the plan, and is labelled source_erased "
            "afterwards."
        ),
    ),
    Requirement(
        id="erasure:derived:with-dependents",
        row="P8",
        source="design",
        text="With dependents asked for, those that would stay are erased too.",
    ),
    Requirement(
        id="erasure:return:rebuild",
        row="P8",
        source="seed 001",
        text="A rebuild brings nothing back, and equals the tables after the erasure.",
    ),
    Requirement(
        id="erasure:return:import",
        row="P8",
        source="seed 001",
        text=(
            "Importing the same file again stores nothing of what was erased, and counts it as "
            "known."
        ),
    ),
    Requirement(
        id="erasure:return:command-key",
        row="P8",
        source="design",
        text=(
            "A command key of an erased write answers that it is known and erased, whatever comes "
            "with it."
        ),
    ),
    Requirement(
        id="erasure:return:predecessor",
        row="P8",
        source="design",
        text=(
            "Erasing a version never revives the one before it, and a new write to the key "
            "supersedes the erased one."
        ),
    ),
    Requirement(
        id="erasure:pending:reader",
        row="P8",
        source="design",
        text=(
            "With a reader in the way the answer says pending, verify says so too, and the next "
            "writer finishes."
        ),
    ),
    Requirement(
        id="erasure:crash:finished-later",
        row="P8",
        source="design",
        text=(
            "A process killed at any moment of an erasure leaves it undone or to be finished by "
            "the next writer."
        ),
    ),
    Requirement(
        id="erasure:receipt:checked",
        row="B25",
        source="seed 001",
        text="The answer of an erasure lists what was checked and what was not.",
    ),
    Requirement(
        id="erasure:plan:elsewhere",
        row="B25",
        source="own",
        text=(
            "A plan names what holds a number or code of the text elsewhere, and it goes too where "
            "dependents are taken."
        ),
    ),
    Requirement(
        id="erasure:receipt:shown",
        row="B25",
        source="own",
        text="The receipt of an erasure can be shown by its id, with the ids of what it took.",
    ),
    Requirement(
        id="erasure:bytes:automatic-backups",
        row="B25",
        source="design",
        text="An erasure removes the copies that migrations made beside the file.",
    ),
    Requirement(
        id="erasure:return:told",
        row="P8",
        source="own",
        text=(
            "What comes under the id or command key of something erased is not taken in, whatever "
            "it says, and the answer says so for each place of a file."
        ),
    ),
)
