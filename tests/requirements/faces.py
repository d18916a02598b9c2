"""Faces: the command line and Python, read off one table."""

from __future__ import annotations

from tests.requirements.requirement import Requirement

REQUIREMENTS = (
    Requirement(
        id="faces:cli:interrupted",
        row="A5",
        source="own",
        text=(
            "A command that is interrupted says whether what it was asked for stands, and one that "
            "has answered is not interrupted any more."
        ),
    ),
    Requirement(
        id="faces:cli:exit-codes",
        row="A12",
        source="design",
        text=(
            "Done exits 0, also with an empty list; what is refused, not found or unavailable "
            "exits 1; wrong usage and bad input exit 2."
        ),
    ),
    Requirement(
        id="faces:cli:json",
        row="A12",
        source="design",
        text="With --json standard output is one JSON object and nothing else.",
    ),
    Requirement(
        id="faces:cli:json-keys",
        row="A12",
        source="design",
        text="The JSON of each command has the keys that the contract names.",
    ),
    Requirement(
        id="faces:cli:nearest",
        row="A12",
        source="own",
        text="An unknown command is told with those that are spelt like it, three at most.",
    ),
    Requirement(
        id="faces:errors:text",
        row="A12",
        source="own",
        text=(
            "The text of an error in Python names the field or place that is meant, in front of "
            "what is wrong with it."
        ),
    ),
    Requirement(
        id="faces:cli:once",
        row="A12",
        source="own",
        text=(
            "A flag that takes one value is given once, on whichever side of the command; a second "
            "value is bad usage that names the flag, and nothing is done. Lists and switches may "
            "be repeated."
        ),
    ),
    Requirement(
        id="faces:cli:error-shape",
        row="A12",
        source="design",
        text=(
            "An error with --json is one object on standard error with family, code, detail and at."
        ),
    ),
    Requirement(
        id="faces:cli:words",
        row="A12",
        source="own",
        text=(
            "On the command line an error names flags and variables, in Python fields; read off "
            "the fields of the request."
        ),
    ),
    Requirement(
        id="faces:cli:ids",
        row="A12",
        source="own",
        text=(
            "An id of another kind, and what is no id, is not_found with what is wanted, whether "
            "there is such a thing or not."
        ),
    ),
    Requirement(
        id="faces:cli:where",
        row="A12",
        source="design",
        text=(
            "Store and scope are what the flags say, else what the environment says, else the "
            "platform's data directory and default."
        ),
    ),
    Requirement(
        id="faces:cli:now",
        row="P9",
        source="design",
        text="With --now the clock of every command is the one given.",
    ),
    Requirement(
        id="faces:cli:times-out",
        row="A12",
        source="design",
        text="Times go out as ISO 8601 UTC with milliseconds and Z.",
    ),
    Requirement(
        id="faces:cli:start",
        row="A12",
        source="design",
        text="Starting a command loads no library that it does not use.",
    ),
    Requirement(
        id="faces:cli:no-traceback",
        row="A12",
        source="own",
        text=(
            "Whatever is typed, a command ends with one of its exit codes and never with a "
            "traceback."
        ),
    ),
    Requirement(
        id="faces:cli:streams",
        row="A12",
        source="own",
        text=(
            "A text may come from standard input, and a JSON text from a file or standard input; "
            "a reader who has gone, a closed stream and any locale are no failure."
        ),
    ),
    Requirement(
        id="faces:cli:empty-path",
        row="A12",
        source="own",
        text="An empty path is bad input wherever a file is asked for.",
    ),
    Requirement(
        id="faces:where:home",
        row="A12",
        source="own",
        text=(
            "A leading ~ of a store's place is the home directory, however it was said, and a "
            "place that is no place on a disk is refused."
        ),
    ),
    Requirement(
        id="faces:cli:progress",
        row="B23",
        source="design",
        text="An import shows its progress on a terminal and nowhere else.",
    ),
    Requirement(
        id="faces:read:creates-nothing",
        row="A12",
        source="seed 000",
        text=(
            "A command that reads creates, migrates and writes nothing, and says not found where "
            "nothing is."
        ),
    ),
    Requirement(
        id="faces:read:read-only-place",
        row="A12",
        source="design",
        text="A store in a place that cannot be written is read all the same.",
    ),
    Requirement(
        id="faces:table:resolves",
        row="A12",
        source="design",
        text="Every operation of the table names a handler that exists.",
    ),
    Requirement(
        id="faces:table:parity",
        row="A12",
        source="design",
        text="Each operation can be asked for on the command line with every field of its request.",
    ),
    Requirement(
        id="faces:table:reference",
        row="A12",
        source="design",
        text="The reference pages are what the table says today.",
    ),
    Requirement(
        id="faces:errors:families",
        row="A12",
        source="design",
        text="Every error has a family and a code of its own, and both are in the reference.",
    ),
    Requirement(
        id="faces:pages:run",
        row="A12",
        source="own",
        text=(
            "Every command and every program on the pages runs as it stands and prints what the "
            "page says."
        ),
    ),
    Requirement(
        id="faces:pages:codes",
        row="A12",
        source="design",
        text="Every reason, standing, label, change and fault code is in the reference.",
    ),
    Requirement(
        id="faces:python:typed",
        row="A12",
        source="design",
        text=(
            "A request run through a memory, and its shortcut with the same keywords, give the "
            "same result with the JSON's keys as attributes."
        ),
    ),
    Requirement(
        id="faces:python:given",
        row="A12",
        source="own",
        text=(
            "A path will do in Python where a file is asked for; a state value that JSON has not "
            "is refused and not stored as something else."
        ),
    ),
    Requirement(
        id="faces:cli:lists",
        row="A12",
        source="own",
        text=(
            "A list says the role also where there is a name, and what is no message; a file of "
            "another kind is called what it is."
        ),
    ),
    Requirement(
        id="faces:python:functions",
        row="A12",
        source="own",
        text=(
            "What a caller's clock, entropy, scorer or tokens_fit gives wrongly is bad input that "
            "names it; what they raise passes unchanged; nothing half done stays."
        ),
    ),
    Requirement(
        id="faces:python:async",
        row="A12",
        source="design",
        text="The same verbs awaited give the same answers.",
    ),
    Requirement(
        id="faces:python:one-file",
        row="A12",
        source="design",
        text="A memory opened on one scope's file is that scope, and refuses the name of another.",
    ),
    Requirement(
        id="faces:bench:memory",
        row="A15",
        source="seed 000",
        text=(
            "Two built-in memories are asked by each policy within 2,400 bytes and 4 items; fewer "
            "answers than there must be are exit code 1."
        ),
    ),
    Requirement(
        id="faces:bench:recall",
        row="A15",
        source="own",
        text=(
            "On messages with questions of one's own it is counted how much of the evidence is "
            "shown, by items, bytes and category, also without each signal in turn."
        ),
    ),
    Requirement(
        id="faces:demo:runs",
        row="A12",
        source="own",
        text=(
            "The demonstration runs on the shipped conversation, leaves nothing behind, and each "
            "step finds what it says it finds."
        ),
    ),
    Requirement(
        id="faces:lists:scopes",
        row="A12",
        source="design",
        text="The scopes of a place are listed by name, and the files that cannot be read.",
    ),
    Requirement(
        id="faces:text:visible",
        row="A12",
        source="design",
        text=(
            "What a command prints for people spells out control characters and marks that turn "
            "the direction of writing; JSON holds them as they are stored."
        ),
    ),
    Requirement(
        id="faces:lists:threads",
        row="A12",
        source="design",
        text="Threads are listed page by page, without those of a collection that is hidden.",
    ),
    Requirement(
        id="faces:lists:standing",
        row="A12",
        source="design",
        text=(
            "A list says of what is not yet valid that it is not, and shows beside a planned "
            "version of a key the one that stands until then."
        ),
    ),
    Requirement(
        id="faces:lists:records",
        row="A12",
        source="design",
        text="The keys of records and the open tasks are listed page by page.",
    ),
    Requirement(
        id="faces:lists:without-key",
        row="A12",
        source="own",
        text=(
            "Records are listed page by page, newest first, with a key or without, by kind, task, "
            "name and standing, and nobody is shown what is kept from them."
        ),
    ),
    Requirement(
        id="faces:cli:optional-text",
        row="A12",
        source="own",
        text=(
            "A text that has a default may be left out on the command line, and may stand before "
            "the flags or behind them."
        ),
    ),
    Requirement(
        id="faces:cli:unquoted",
        row="A12",
        source="own",
        text="A text of several words without quotes is bad usage that shows it with them.",
    ),
    Requirement(
        id="faces:lists:receipts",
        row="A12",
        source="design",
        text="Recorded recalls are listed with their questions, unless these were erased.",
    ),
    Requirement(
        id="faces:python:opened",
        row="A12",
        source="own",
        text="A memory that is made without being opened is refused, and the error says how.",
    ),
    Requirement(
        id="faces:python:answers",
        row="A12",
        source="own",
        text="The type of every answer, and of all that an answer holds, can be imported.",
    ),
    Requirement(
        id="faces:python:answer-for-id",
        row="A12",
        source="own",
        text="An answer where its id is meant is refused, and the error says to give the id.",
    ),
    Requirement(
        id="faces:pages:apart",
        row="A12",
        source="own",
        text=(
            "Each page of the documentation writes to places of its own, so that pages may be "
            "followed one after another."
        ),
    ),
    Requirement(
        id="faces:python:paths",
        row="A12",
        source="own",
        text=(
            "Wherever a file or directory is named, Python takes a text or a path, by its type "
            "and when it runs."
        ),
    ),
    Requirement(
        id="faces:lists:state",
        row="A1",
        source="own",
        text=(
            "The state is listed page by page, by the beginning of its keys, now and as it was "
            "after any past seq."
        ),
    ),
    Requirement(
        id="faces:lists:collections",
        row="A12",
        source="own",
        text=(
            "Collections are listed with how many messages and threads they hold, and the threads "
            "of one where it is named."
        ),
    ),
    Requirement(
        id="faces:counts:one-meaning",
        row="A12",
        source="own",
        text=(
            "Each answer's `events` counts the events of the memory chain; what was taken in is "
            "counted as experience or messages."
        ),
    ),
    Requirement(
        id="faces:pages:utc",
        row="A12",
        source="own",
        text="Every page that shows a time says in which zone times are.",
    ),
    Requirement(
        id="faces:errors:one-for-extras",
        row="A12",
        source="own",
        text=(
            "A library that is not installed is one error wherever it is missed, and says what to "
            "install; a model that is installed and does not work is another."
        ),
    ),
)
