"""Importers: foreign files in, without losing where each message stood."""

from __future__ import annotations

from tests.requirements.requirement import Requirement

REQUIREMENTS = (
    Requirement(
        id="importers:every:again",
        row="B23",
        source="seed 001",
        text=(
            "A second import of the same file stores nothing and counts each message as skipped."
        ),
    ),
    Requirement(
        id="importers:every:same-name",
        row="B23",
        source="own",
        text=(
            "Messages without ids that are known by their words alone, though new ones stand "
            "before them, are counted and told: it may be another file of the same name."
        ),
    ),
    Requirement(
        id="importers:every:grown",
        row="B23",
        source="seed 001",
        text="A file that grew since its last import adds its new messages alone.",
    ),
    Requirement(
        id="importers:every:failed-lines",
        row="B23",
        source="seed 001",
        text=(
            "A broken message is listed with its line or JSON path and a code, and the rest is "
            "taken in."
        ),
    ),
    Requirement(
        id="importers:every:links",
        row="B23",
        source="design",
        text="Links to messages that are nowhere are counted in the answer.",
    ),
    Requirement(
        id="importers:every:left-branches",
        row="B23",
        source="own",
        text=(
            "How many messages stand on branches that their conversation left is told; they are "
            "not taken in."
        ),
    ),
    Requirement(
        id="importers:every:no-tree",
        row="B23",
        source="own",
        text=(
            "A conversation whose tree is none is taken in whole, and each place that is wrong is "
            "told."
        ),
    ),
    Requirement(
        id="importers:every:documents",
        row="B23",
        source="own",
        text=(
            "The words of a document among the blocks of a message are an import that the narrator "
            "tells and that has the document's title; without words the title stands in a caption."
        ),
    ),
    Requirement(
        id="importers:every:times",
        row="B23",
        source="design",
        text="A time is read by whichever of its usual names it stands.",
    ),
    Requirement(
        id="importers:every:interrupted",
        row="B23",
        source="seed 001",
        text=(
            "An import that was killed and is run again ends with the same events as one that was "
            "not."
        ),
    ),
    Requirement(
        id="importers:every:streamed",
        row="B23",
        source="seed 001",
        text="The memory that an import takes does not grow with the length of the file.",
    ),
    Requirement(
        id="importers:every:recognised",
        row="B23",
        source="design",
        text="The format of each shipped kind of file is recognised from its bytes.",
    ),
    Requirement(
        id="importers:every:unknown-format",
        row="B23",
        source="design",
        text="A file that no importer knows is refused as bad input and stores nothing.",
    ),
    Requirement(
        id="importers:every:what-it-is",
        row="B23",
        source="own",
        text=(
            "Where no format was named, a file that no importer knows is told by what it is and "
            "by the formats there are."
        ),
    ),
    Requirement(
        id="importers:every:namespaces",
        row="B23",
        source="design",
        text="Messages 1 to n of two files with different labels are different messages.",
    ),
    Requirement(
        id="importers:every:derived-ids",
        row="B23",
        source="design",
        text=(
            "Messages without an id that are equal in all respects are kept apart by their place "
            "among equals."
        ),
    ),
    Requirement(
        id="importers:every:options",
        row="P8",
        source="design",
        text=(
            "A message without an id is known by what its file says, whatever else an import is "
            "told: with another time zone or with redaction it is neither taken in twice nor "
            "brought back after it was erased."
        ),
    ),
    Requirement(
        id="importers:every:same-rules",
        row="P6",
        source="design",
        text=("An import of messages writes experience alone: no record, no state and no belief."),
    ),
    Requirement(
        id="importers:every:encoding",
        row="B23",
        source="own",
        text="A file in UTF-16 is refused as such, whatever format is named.",
    ),
    Requirement(
        id="importers:chatgpt:conversations",
        row="B23",
        source="seed 001",
        text=(
            "Each conversation of a ChatGPT export is a thread, in the order from its root to its "
            "current node."
        ),
    ),
    Requirement(
        id="importers:chatgpt:branches",
        row="B23",
        source="own",
        text=(
            "Of a ChatGPT conversation the active branch is taken in, from its current node up; "
            "an answer that was abandoned for another is not."
        ),
    ),
    Requirement(
        id="importers:chatgpt:lost-end",
        row="B23",
        source="own",
        text=(
            "A current node of a ChatGPT conversation that names no node is told once, and the "
            "branch that ends last is taken in."
        ),
    ),
    Requirement(
        id="importers:chatgpt:links",
        row="B23",
        source="own",
        text=(
            "A tree of which a ChatGPT export gives the links in one direction only, to parents or "
            "to children, is read whole."
        ),
    ),
    Requirement(
        id="importers:chatgpt:tools",
        row="B23",
        source="seed 001",
        text=(
            "Tool calls and tool results of a ChatGPT export keep their type, the tool's name and "
            "their order."
        ),
    ),
    Requirement(
        id="importers:chatgpt:pictures",
        row="B23",
        source="seed 001",
        text="A message with a picture keeps its text and says that a picture was there.",
    ),
    Requirement(
        id="importers:chatgpt:no-time",
        row="B23",
        source="seed 001",
        text="A message whose time is null keeps an unknown time and its place.",
    ),
    Requirement(
        id="importers:json:array",
        row="B23",
        source="seed 001",
        text=(
            "Each object of a JSON array with a role and a text, or content in parts, is a message."
        ),
    ),
    Requirement(
        id="importers:json:names",
        row="B23",
        source="own",
        text=(
            "A message's text may be called message or body where no other name of a text is "
            "there, and the type text says nothing of it; what had a meaning keeps it."
        ),
    ),
    Requirement(
        id="importers:every:dotted-days",
        row="B23",
        source="own",
        text=(
            "A day, a month and a year of four figures with dots between, with or without a time "
            "of the day, are a time in JSON and in tables; without an offset it needs a zone."
        ),
    ),
    Requirement(
        id="importers:json:blocks",
        row="B23",
        source="own",
        text=(
            "Content blocks of a message in JSON are turns of those who said them: a tool's result "
            "is the tool's, also in a message of the user's, and a thought is in a collection."
        ),
    ),
    Requirement(
        id="importers:json:truncated",
        row="B23",
        source="seed 001",
        text=(
            "A JSON file that ends too early keeps the messages before the break and names the "
            "place."
        ),
    ),
    Requirement(
        id="importers:jsonl:lines",
        row="B23",
        source="seed 001",
        text=("Each line of a JSONL file is a message with all the fields that observe takes."),
    ),
    Requirement(
        id="importers:jsonl:encoding",
        row="B23",
        source="seed 001",
        text=(
            "A byte order mark, CRLF line ends and blank lines are read over, and a line that is "
            "not UTF-8 fails alone."
        ),
    ),
    Requirement(
        id="importers:markdown:conversation",
        row="B23",
        source="seed 001",
        text=(
            "A Markdown conversation gives one message for each heading or line that names a "
            "speaker, with the lines that it takes."
        ),
    ),
    Requirement(
        id="importers:markdown:code",
        row="B23",
        source="seed 001",
        text=("What looks like a speaker inside a code block is text of the message around it."),
    ),
    Requirement(
        id="importers:claude-code:blocks",
        row="B23",
        source="seed 001",
        text=(
            "Each block of a Claude Code line is a message, a tool call or its result, in order."
        ),
    ),
    Requirement(
        id="importers:claude-code:sessions",
        row="B23",
        source="own",
        text="A Claude Code session is a thread, and each of its subagents another.",
    ),
    Requirement(
        id="importers:claude-code:copies",
        row="B23",
        source="own",
        text=(
            "A line that a session copied from the one it goes on with is known by its uuid, and "
            "what it says is not taken in again."
        ),
    ),
    Requirement(
        id="importers:claude-code:typed",
        row="B23",
        source="own",
        text="Of a Claude Code session only what the user typed is told by the user.",
    ),
    Requirement(
        id="importers:claude-code:asides",
        row="B23",
        source="own",
        text=("Thinking and notes of the program are kept in collections that a recall must name."),
    ),
    Requirement(
        id="importers:claude-code:passed-over",
        row="B23",
        source="own",
        text=("A Claude Code line that holds no experience leaves neither event nor failure."),
    ),
    Requirement(
        id="importers:claude-code:other-lines",
        row="B23",
        source="own",
        text=(
            "A Claude Code line that is not known to hold nothing, and is nobody's message, is "
            "counted with its place, or fails where its words stand as a message's."
        ),
    ),
    Requirement(
        id="importers:claude:conversations",
        row="B23",
        source="seed 001",
        text=("Each conversation of a Claude export is a thread of its messages and their blocks."),
    ),
    Requirement(
        id="importers:claude:branches",
        row="B23",
        source="own",
        text="Of a Claude conversation with branches the one that ends last is taken in.",
    ),
    Requirement(
        id="importers:claude:empty",
        row="B23",
        source="own",
        text=(
            "A message of a human or an assistant in a Claude export that says nothing and has no "
            "file is told with its place; a node that only carries the tree is not."
        ),
    ),
    Requirement(
        id="importers:claude:attachments",
        row="B23",
        source="own",
        text=("The text of a file attached in Claude is kept as an import that names the file."),
    ),
    Requirement(
        id="importers:table:columns",
        row="B23",
        source="seed 001",
        text=("Each row of a CSV or TSV file is a message, its columns told by the first row."),
    ),
    Requirement(
        id="importers:table:lines",
        row="B23",
        source="own",
        text=("A message of a table keeps the lines of its row, also where a cell has line ends."),
    ),
    Requirement(
        id="importers:table:cells",
        row="B23",
        source="own",
        text=(
            "A row with too many or too few cells fails with its line, and the rest is taken in."
        ),
    ),
    Requirement(
        id="importers:table:speakers",
        row="B23",
        source="own",
        text=("A table without roles is told by its actors; one that has neither fails once."),
    ),
    Requirement(
        id="importers:table:names-told",
        row="B23",
        source="own",
        text=(
            "A table whose first row names no text or nobody who says it is told which names are "
            "understood for the text, the role, the actor and the time."
        ),
    ),
    Requirement(
        id="importers:cogg:versions",
        row="A11",
        source="seed 000",
        text=(
            "A database of Cogg of each of its versions is recognised, verified and taken in once."
        ),
    ),
    Requirement(
        id="importers:cogg:broken",
        row="A11",
        source="seed 000",
        text=(
            "A Cogg chain that breaks one of its own rules is refused with its place and "
            "stores nothing."
        ),
    ),
    Requirement(
        id="importers:cogg:untouched",
        row="A11",
        source="seed 000",
        text=(
            "A Cogg file is only read: nothing is written to it or beside it, and a file with "
            "a log is refused."
        ),
    ),
    Requirement(
        id="importers:cogg:notes",
        row="A11",
        source="seed 000",
        text=(
            "Each version of a Cogg note is a version of a record, with its key, sources and "
            "covers, in order."
        ),
    ),
    Requirement(
        id="importers:cogg:experience",
        row="A11",
        source="seed 000",
        text=(
            "What was said to and by a Cogg agent is a conversation, and its bookkeeping is "
            "kept apart."
        ),
    ),
    Requirement(
        id="importers:cogg:state",
        row="A11",
        source="seed 000",
        text=(
            "Each state write of a Cogg chain is one here, also of a state that is longer "
            "than a commit."
        ),
    ),
    Requirement(
        id="importers:cogg:address",
        row="A11",
        source="seed 000",
        text=(
            "What comes from a Cogg file says under which id, seq, tick and commit it stood there."
        ),
    ),
    Requirement(
        id="importers:cogg:subjects",
        row="A11",
        source="seed 000",
        text="One subject of a Cogg file is taken in; of several, the one that is named.",
    ),
    Requirement(
        id="importers:cogg:grown",
        row="A11",
        source="seed 000",
        text="A Cogg file that was used since its last import adds what is new alone.",
    ),
    Requirement(
        id="importers:cogg:interrupted",
        row="A11",
        source="seed 000",
        text=(
            "An import of a Cogg file that was stopped and is run again ends as one that was not."
        ),
    ),
    Requirement(
        id="importers:cogg:failed",
        row="A11",
        source="seed 000",
        text=(
            "What may not be taken in of a Cogg file is listed with what rests on it, and the "
            "rest arrives."
        ),
    ),
    Requirement(
        id="importers:cogg:erased",
        row="P8",
        source="seed 000",
        text=(
            "What was erased does not come back from a Cogg file, and what follows it still "
            "finds its place."
        ),
    ),
    Requirement(
        id="importers:cogg:redacted",
        row="A11",
        source="design",
        text="With redaction notes and state of a Cogg file come over without secrets, too.",
    ),
    Requirement(
        id="importers:archive:read",
        row="B30",
        source="own",
        text=(
            "An export is read from its archive where that holds one `conversations.json` or one "
            "file at all, and is the same as when it is extracted."
        ),
    ),
    Requirement(
        id="importers:empty:told",
        row="B30",
        source="own",
        text="A file without a byte and an archive without a file are refused as what they are.",
    ),
    Requirement(
        id="importers:archive:told",
        row="B30",
        source="own",
        text=(
            "Of any other archive it is said which files to extract and import, and a damaged one "
            "is refused."
        ),
    ),
)
