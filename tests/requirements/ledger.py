"""The ledger: chains, commits, ids, state, verify, rebuild, files."""

from __future__ import annotations

from tests.requirements.requirement import Requirement

REQUIREMENTS = (
    Requirement(
        id="ledger:chain:linked",
        row="A1",
        source="seed 000",
        text=(
            "Each header names the hash of the commit before it, and the head is the hash of the "
            "last one."
        ),
    ),
    Requirement(
        id="ledger:chain:seq-without-gaps",
        row="A1",
        source="seed 000",
        text=(
            "The events of a chain are numbered from 1 in the order of writing, without a gap, "
            "also after writes that were refused."
        ),
    ),
    Requirement(
        id="ledger:chain:journal",
        row="A9",
        source="design",
        text=(
            "What a recall was shown goes to a chain of its own, so that recording it never moves "
            "the memory head."
        ),
    ),
    Requirement(
        id="ledger:header:no-caller-string",
        row="P8",
        source="design",
        text="No string that a caller chose stands in a header, whatever was written.",
    ),
    Requirement(
        id="ledger:header:canonical",
        row="P9",
        source="design",
        text="The bytes of a header are what RFC 8785 says for the same values.",
    ),
    Requirement(
        id="ledger:header:recomputed",
        row="A1",
        source="design",
        text=(
            "Every hash, digest and id of a file can be computed again from docs/format.md with "
            "SHA-256 and JSON alone."
        ),
    ),
    Requirement(
        id="ledger:values:exact",
        row="P9",
        source="design",
        text=(
            "A float, an integer beyond 2**53 - 1 and a key that is not ASCII are refused in "
            "anything hashed."
        ),
    ),
    Requirement(
        id="ledger:time:never-backwards",
        row="A1",
        source="design",
        text=(
            "The recorded time of a commit is not before that of its parent, even where the clock "
            "went back."
        ),
    ),
    Requirement(
        id="ledger:id:short",
        row="A3",
        source="seed 000",
        text="The part of an id before the dash names the same thing as the whole id.",
    ),
    Requirement(
        id="ledger:commit:interrupted-beside",
        row="A5",
        source="design",
        text=(
            "A thread that is interrupted and a child that is forked take no other writer along: "
            "the others write on, and what they are answered is so."
        ),
    ),
    Requirement(
        id="ledger:commit:forked",
        row="A5",
        source="design",
        text=(
            "A child that is forked while other threads read and write can write at once, and so "
            "can its parent; nothing is lost and the chain verifies."
        ),
    ),
    Requirement(
        id="ledger:files:contained",
        row="A5",
        source="design",
        text=(
            "A file that only might be a scope's denies that scope nothing where it is broken, and "
            "tells nothing; one that goes while it is opened is not found."
        ),
    ),
    Requirement(
        id="ledger:commit:grouped",
        row="A5",
        source="design",
        text=(
            "Threads of one process that write at once share a COMMIT. Each is answered when what "
            "it wrote is there; one that fails takes nobody along, and a COMMIT that fails is told "
            "to all in it."
        ),
    ),
    Requirement(
        id="ledger:commit:atomic",
        row="P2",
        source="seed 000",
        text=(
            "Records, source links, search entries, state and head of one commit appear together "
            "or not at all."
        ),
    ),
    Requirement(
        id="ledger:commit:expected-head",
        row="A5",
        source="seed 000",
        text=(
            "A write that expects another head than the current one is a conflict that names the "
            "head that won, and writes nothing."
        ),
    ),
    Requirement(
        id="ledger:commit:command-key-repeated",
        row="A5",
        source="seed 000",
        text=(
            "A command key given again with the same content returns the first answer and writes "
            "nothing."
        ),
    ),
    Requirement(
        id="ledger:commit:command-key-reused",
        row="A5",
        source="seed 000",
        text="A command key given again with other content is a conflict and writes nothing.",
    ),
    Requirement(
        id="ledger:crash:killed",
        row="A5",
        source="seed 000",
        text=(
            "A process killed at any moment of a write leaves all of it or nothing, and all of it "
            "once the write was answered."
        ),
    ),
    Requirement(
        id="ledger:race:writers",
        row="A16",
        source="seed 000",
        text=(
            "Processes and threads that write to one scope at once lose no event and see no lock "
            "error."
        ),
    ),
    Requirement(
        id="ledger:state:set-and-get",
        row="A1",
        source="seed 000",
        text="A state key answers the last JSON value that it was given, null included.",
    ),
    Requirement(
        id="ledger:state:at-seq",
        row="A1",
        source="seed 000",
        text=(
            "A state key answers the value that it had after any past seq, and its history lists "
            "each value, oldest first."
        ),
    ),
    Requirement(
        id="ledger:scope:limits",
        row="A1",
        source="seed 000",
        text=(
            "A scope's limits are chosen when it is made, stand in its genesis for ever, and are "
            "what its rules and its recalls go by; none is beyond the program's."
        ),
    ),
    Requirement(
        id="ledger:state:limits",
        row="A1",
        source="seed 000",
        text=(
            "A state value above 64 KiB, more than 64 keys in a commit, and a state above 1 MiB "
            "are refused and change nothing."
        ),
    ),
    Requirement(
        id="ledger:verify:as-of",
        row="A10",
        source="design",
        text=(
            "Verify tells how many events, commits and receipts there were at a past time, and "
            "which head the memory chain had then; it checks everything all the same."
        ),
    ),
    Requirement(
        id="ledger:verify:by-hand",
        row="A10",
        source="design",
        text=(
            "A commit that was written by hand with every hash right, and that the format does not "
            "allow, is found at its place; no check crashes on it, or takes more memory for it."
        ),
    ),
    Requirement(
        id="ledger:verify:every-rule",
        row="A10",
        source="design",
        text=(
            "What docs/format.md says of shapes, contents, commits and headers is what verify "
            "holds them to: a file that breaks a rule of it is not ok, whatever its hashes say."
        ),
    ),
    Requirement(
        id="ledger:verify:free-pages",
        row="A10",
        source="design",
        text=(
            "A page of the file that belongs to nothing, and a count or list of free pages that is "
            "not right, are found at full depth, also after an erasure."
        ),
    ),
    Requirement(
        id="ledger:state:unreadable",
        row="A10",
        source="design",
        text="A state value that is no JSON is an error with a code wherever it is asked for.",
    ),
    Requirement(
        id="ledger:verify:clean",
        row="A10",
        source="seed 000",
        text="A file that only this program wrote verifies without a fault at every depth.",
    ),
    Requirement(
        id="ledger:verify:any-byte",
        row="A10",
        source="seed 000",
        text=(
            "Any byte changed in a stored header, hash or content, and a commit taken out, are "
            "found and named by place."
        ),
    ),
    Requirement(
        id="ledger:verify:any-type",
        row="A10",
        source="own",
        text=(
            "A value that is of another type than its column, as one bit of the file makes it, is "
            "found and its table named; everything else is checked all the same. Whatever is asked "
            "of such a file is answered, or is an error of ours."
        ),
    ),
    Requirement(
        id="ledger:verify:missing-content",
        row="A10",
        source="design",
        text="Content that is missing and that no erasure names is a fault.",
    ),
    Requirement(
        id="ledger:verify:all-faults",
        row="A10",
        source="seed 000",
        text="Two faults in one file are both reported.",
    ),
    Requirement(
        id="ledger:verify:projection",
        row="A10",
        source="seed 000",
        text=(
            "A row of a derived table or of the text index that was edited, added or deleted is "
            "found at full depth, and the table is named; so is a byte that says only how the "
            "index lies in its pages."
        ),
    ),
    Requirement(
        id="ledger:verify:all-scopes",
        row="A10",
        source="design",
        text=(
            "A check of all scopes also finds a file that lies under another scope's name, and two "
            "that hold the same scope."
        ),
    ),
    Requirement(
        id="ledger:rebuild:holds-first",
        row="A10",
        source="design",
        text="A ledger that does not hold is not rebuilt from, and nothing is changed.",
    ),
    Requirement(
        id="ledger:checkpoint:note",
        row="A10",
        source="design",
        text="A note of a version that is not known, or that is no small file, is refused.",
    ),
    Requirement(
        id="ledger:checkpoint:all-scopes",
        row="A10",
        source="design",
        text="Among all scopes a note is compared with the scope it is of.",
    ),
    Requirement(
        id="ledger:verify:new",
        row="A10",
        source="design",
        text=(
            "From a checkpoint only what came after it can be checked, in time that does not grow "
            "with what came before; the answer says what was not checked."
        ),
    ),
    Requirement(
        id="ledger:verify:other-version",
        row="A10",
        source="design",
        text=(
            "Derived tables that another version made are not checked, which verify says, and are "
            "no fault; a changed note of who made them is one."
        ),
    ),
    Requirement(
        id="ledger:verify:other-engine",
        row="A10",
        source="design",
        text=(
            "An index that another database engine wrote to is checked by its meaning; verify says "
            "that how it was laid out is not checked, until a rebuild."
        ),
    ),
    Requirement(
        id="ledger:verify:says-what-it-compared",
        row="A10",
        source="design",
        text="Without a checkpoint verify says that nothing outside the file was compared.",
    ),
    Requirement(
        id="ledger:verify:exit",
        row="A10",
        source="seed 000",
        text="A fault makes the command line exit 3 with the whole report on stdout.",
    ),
    Requirement(
        id="ledger:checkpoint:rewritten",
        row="P1",
        source="design",
        text=(
            "A chain that was rewritten with hashes that fit, or cut short, is found against a "
            "checkpoint taken before; one that only grew is not."
        ),
    ),
    Requirement(
        id="ledger:rebuild:same-content",
        row="P1",
        source="seed 000",
        text=(
            "Every derived table that is dropped, emptied or edited is the same after a rebuild as "
            "before, with the same head, for any history of writes."
        ),
    ),
    Requirement(
        id="ledger:rebuild:ledger-untouched",
        row="A10",
        source="seed 000",
        text="A ledger that does not verify is never mended from a derived table.",
    ),
    Requirement(
        id="ledger:file:one-a-scope",
        row="P7",
        source="design",
        text="Each scope is one file of the directory, and holds nothing of another scope.",
    ),
    Requirement(
        id="ledger:file:whole",
        row="A5",
        source="design",
        text="A scope's file is made with its first accepted write; a refused one leaves none.",
    ),
    Requirement(
        id="ledger:file:log-kept",
        row="A5",
        source="design",
        text=(
            "Who says so leaves the log beside the file, with two syncs for a process that opens, "
            "writes once and closes; everybody reads it from there, and the next ordinary writer "
            "folds it in."
        ),
    ),
    Requirement(
        id="ledger:file:modes",
        row="P7",
        source="design",
        text="Store directories are made with mode 0700 and files with mode 0600.",
    ),
    Requirement(
        id="ledger:file:refused",
        row="A11",
        source="seed 000",
        text="A file of a newer program, and a file that is no store, are refused and not changed.",
    ),
    Requirement(
        id="ledger:file:golden",
        row="A11",
        source="seed 000",
        text=(
            "A file of every released ledger format is read, verified and recalled from, and not a "
            "byte of it changes."
        ),
    ),
    Requirement(
        id="ledger:file:migrations",
        row="A11",
        source="seed 000",
        text=(
            "A ledger of an older format is migrated after an automatic backup, and a dry run says "
            "what would be done."
        ),
    ),
    Requirement(
        id="ledger:deterministic:heads",
        row="P9",
        source="design",
        text=(
            "The same commands with the same clock and randomness give the same heads, byte for "
            "byte."
        ),
    ),
    Requirement(
        id="ledger:backup:copy",
        row="P2",
        source="design",
        text="A backup holds everything of a scope as of one moment and opens like any scope's file.",
    ),
    Requirement(
        id="ledger:backup:new-file",
        row="B29",
        source="design",
        text="A backup never takes the place of a file, and leaves nothing where it cannot be written.",
    ),
    Requirement(
        id="ledger:backup:verified",
        row="A10",
        source="design",
        text="A copy that does not verify is not kept, and the answer says how deep it was verified.",
    ),
    Requirement(
        id="ledger:backup:concurrent",
        row="A5",
        source="design",
        text="A backup waits for no writer, keeps none waiting, and shows no write by halves.",
    ),
    Requirement(
        id="ledger:backup:erased",
        row="P8",
        source="design",
        text="No byte of what was erased is in a backup made afterwards.",
    ),
    Requirement(
        id="ledger:backup:crash",
        row="A5",
        source="design",
        text="A backup that was killed leaves no file of the name, and the next one sweeps up.",
    ),
    Requirement(
        id="ledger:migrate:dry-run",
        row="B29",
        source="design",
        text="A dry run of a migration says from where to where and which steps, and changes nothing.",
    ),
    Requirement(
        id="ledger:migrate:backup",
        row="A11",
        source="design",
        text=(
            "Before a step is taken the file as it was lies beside it, verified and open to nobody "
            "else."
        ),
    ),
    Requirement(
        id="ledger:migrate:reading",
        row="A11",
        source="design",
        text="Reading never migrates, and a write to a file of an older program asks for a migration.",
    ),
    Requirement(
        id="ledger:migrate:newer",
        row="A11",
        source="design",
        text="A program refuses a file that a newer one has migrated.",
    ),
    Requirement(
        id="ledger:migrate:whole",
        row="B29",
        source="design",
        text="A migration that fails, is interrupted or is killed leaves the old file, or is done.",
    ),
    Requirement(
        id="ledger:doctor:sound",
        row="A12",
        source="design",
        text="Doctor looks at the place or one scope, says ok where all is well, and changes nothing.",
    ),
    Requirement(
        id="ledger:doctor:files",
        row="A12",
        source="design",
        text="Doctor names what is wrong with a file and what to do, and looks at the others too.",
    ),
    Requirement(
        id="ledger:doctor:modes",
        row="A12",
        source="design",
        text="Doctor names directories and files that others may read.",
    ),
    Requirement(
        id="ledger:doctor:leftovers",
        row="A12",
        source="design",
        text="Doctor names what processes that were killed left in the directory.",
    ),
    Requirement(
        id="ledger:doctor:machine",
        row="A12",
        source="design",
        text="Doctor names a clock that runs behind, a disk without room and a log that grows.",
    ),
    Requirement(
        id="ledger:state:delete",
        row="A1",
        source="own",
        text=(
            "A state key that is deleted has no value from then on and makes room; its history and "
            "its past stay, it can be set again, and what rested on it ends as with a retraction."
        ),
    ),
)
