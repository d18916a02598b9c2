"""The reference of the command line, made from the operations table."""

from __future__ import annotations

import inspect
from typing import get_args, get_type_hints

import msgspec

from muniment.model import codec
from muniment.model.codec import Field
from muniment.model.policy import PolicyName
from muniment.operations import OPERATIONS
from muniment.operations.operation import Operation
from muniment.surfaces import arguments, bench
from tests.docs import shapes

HEAD = """\
# Commands

`muniment [--db PATH] COMMAND ... [--json]`. Made from the table of operations; `muniment COMMAND --help` says the same.

## For all commands

These flags may stand before the command or behind it.

| flag | meaning |
|---|---|
"""

RULES = """
A store is what `--db` names, else `MUNIMENT_DB`, else `muniment` in the platform's directory for data. It is a directory, in which each scope is a file, or one scope's file; a leading `~` is the home directory, also where no shell has seen it. A scope is what `--scope` names, else `MUNIMENT_SCOPE`, else `default`. `MUNIMENT_EMBEDDER` names the model for vectors where `--embedder` does not, and `MUNIMENT_EMBEDDER_KEY` has the key of one that is [an endpoint](../howto/find-by-meaning.md#vectors).

- **Ids** may be shortened to the part before the dash.
- **Times** are ISO 8601 with an offset, or whole milliseconds since 1970 in UTC; a number that can only be meant in seconds is refused. One without an offset is refused unless `--tz` is given. They go out as ISO 8601 UTC with milliseconds and `Z`; what is printed for people, and the text of a pack, has them in UTC to the minute, without the `Z`. `--tz` is for times that come in. `--since` is inclusive, `--until` exclusive.
- **Texts** that are `-` are read from standard input, without their last line end. A text that begins with a dash stands behind `--`.
- **JSON** is given as it is, as `@FILE`, or as `-` for standard input.
- **Lists** are repeated flags. Every other flag with a value is given once, before the command or behind it; a second value is refused (`bad_usage`).

With `--json` standard output is one JSON object and nothing else; an error is `{"error": {"family", "code", "detail", "at"}}` on standard error. [Errors](errors.md) and [codes](codes.md) have pages of their own. Without it the output is for people and may change.

| exit code | meaning |
|---|---|
| 0 | done; an empty answer is done too, and so is an import with failed lines |
| 1 | refused, conflict, overflow, not found, unavailable; `replay` that differs; `why-not` of something that is shown, `why` of something that is not |
| 2 | wrong usage, bad input |
| 130 | interrupted by the keyboard: `interrupted` where nothing of it shows, `answer_lost` where it had been written |
| 3 | stored bytes are not what was written: the report is on standard output for `verify`, the error on standard error elsewhere |

## What is counted

| word | counts |
|---|---|
| event | each fact of a scope's memory chain: a message, a version of a record, a state value, a deletion, an answered command, an erasure. `seq` is the number of the last one; `events` of `verify` and what `scopes` prints is the same number, of `verify --all` over all scopes |
| experience | what was taken in: messages, tool calls, tool results, task events, corrections, imports; in `status` and `rebuild`. An item of the kind `event` is one of these |
| message | the same, where a thread or a collection is meant; in `threads` and `collections` |
| imported, known, failed | places of one file: its messages, and of another memory's ledger also its notes and state values |
| commit | the events that were written together, the first one of a scope, which has none, included; in `verify` and `status` |
| receipt | each event of the journal that a recorded recall left |
| erased | in `verify` the contents that are gone, of whatever event or receipt; in `status` how much of the experience is without its words |
"""

DEMO = """
## demo

{said}

`muniment demo [FILE]`

| argument | takes | default | meaning |
|---|---|---|---|
| `FILE` | file | the example | the conversation to run it on |

Everything happens in a temporary directory that is gone afterwards. Exit code 1 where a step did not do what it says.
"""

BENCH = """
## bench

{said}

`muniment bench memory`

`muniment bench recall FILE [--policy POLICY] [--embedder MODEL] [--ablate]`

| argument | takes | default | meaning |
|---|---|---|---|
| `FILE` | file | required | messages as `import` takes them, one a line, and questions: `{{"question", "evidence": [external ids], "category"}}`; or conversations in the shape of LoCoMo |
| `--policy` | {policies} | `balanced`; `hybrid` with a model | which retrievers answer |
| `--embedder` | text |  | the model for vectors |
| `--ablate` | switch |  | also without each signal of the policy in turn |

`memory` asks built-in questions of two built-in memories; exit code 1 where fewer are answered than must be. `recall` says how much of the evidence is among the first 5, 10 and 20 items and within budgets of bytes, by category and conversation, and what a question costs. Everything happens in a temporary directory that is gone afterwards.
"""

_EFFECTS = {
    "read": "Reads; nothing is created or changed.",
    "write": "Writes.",
    "erase": "Erases, when its token is given.",
}


# Those that change nothing in the store, and write something all the same.
_WRITING = {
    "recall": "Reads; with `--record` it writes a receipt.",
    "checkpoint": "Reads; with `--out` it writes the note to the file that is named.",
    "backup": "Reads, and writes the file that is named.",
    "exchange recall": "Reads, and writes the directory that is named.",
    "exchange retain": "Reads, and writes the directory that is named.",
}


def page() -> str:
    """Every command with its arguments, its answer and its exit codes."""
    lines = [HEAD.rstrip("\n")]
    lines += [f"| `--{name} {value}` | {said} |" for name, value, said in arguments.SHARED]
    lines += [f"| `--{name}` | {said} |" for name, said in arguments.SWITCHES]
    lines += [RULES.rstrip("\n")]
    for operation in OPERATIONS:
        lines += ["", *_section(operation)]
    policies = ", ".join(f"`{name}`" for name in get_args(PolicyName))
    lines += [BENCH.format(said=bench.HELP, policies=policies).rstrip("\n")]
    lines += [DEMO.format(said=arguments.DEMO).rstrip("\n"), "", "# Answers"]
    return "\n".join(lines).removesuffix("# Answers") + _answers()


def _section(operation: Operation) -> list[str]:
    fields = [
        field
        for field in codec.fields(operation.request)
        if not field.hidden and field.name != "scope"
    ]
    lines = [f"## {operation.name}", "", _said(operation.request), "", f"`{usage(operation)}`"]
    if fields:
        lines += ["", "| argument | takes | default | meaning |", "|---|---|---|---|"]
        lines += [_row(field) for field in fields]
    lines += ["", f"{_effect(operation)} Answers:", ""]
    return [*lines, *_keys(shapes.result(operation))]


def usage(operation: Operation) -> str:
    """The command on one line: what must be there, then what may be."""
    words = ["muniment", operation.name]
    must: list[str] = []
    may: list[str] = []
    for field in codec.fields(operation.request):
        if field.hidden or field.form == "member" or field.name == "scope":
            continue
        said, value = arguments.spelling(field)
        if not said.startswith("--"):
            must.append(said)
        elif field.required:
            must.append(f"{said} {value}")
        else:
            word = field.flag.rpartition("-")[2].upper() if "|" in (value or "") else value
            more = " ..." if arguments.repeatable(field) else ""
            may.append(f"[{said}]" if value is None else f"[{said} {word}{more}]")
    if arguments.members(operation):
        must.append(arguments.DOCUMENT.upper())
    return " ".join([*words, *must, *may])


def _row(field: Field) -> str:
    said, _ = arguments.spelling(field)
    takes = "JSON" if field.form == "member" else shapes.on_a_line(field)
    if field.form == "member":
        said = field.name
        meaning = f"a member of the {arguments.DOCUMENT.upper()}: {field.description}"
    else:
        meaning = field.description
    return f"| `{said}` | {takes} | {shapes.default(field)} | {meaning} |"


def _effect(operation: Operation) -> str:
    effect = _WRITING.get(operation.name) or _EFFECTS[operation.effect]
    if operation.finding is None:
        return effect
    field, value = operation.finding
    return f"{effect} Exit code {operation.finding_exit} where `{field}` is {str(value).lower()}."


def _keys(struct: type[msgspec.Struct]) -> list[str]:
    hints = get_type_hints(struct)
    lines = ["| key | holds |", "|---|---|"]
    return lines + [
        f"| `{field.encode_name}` | {shapes.in_json(hints[field.name])} |"
        for field in msgspec.structs.fields(struct)
    ]


def _answers() -> str:
    """The objects inside the answers, each once."""
    found = {struct: None for each in OPERATIONS for struct in shapes.structs(shapes.result(each))}
    lines = ["## Objects inside the answers"]
    for struct in sorted(found, key=lambda struct: struct.__name__):
        lines += ["", f"### {struct.__name__}", "", _said(struct), "", *_keys(struct)]
    return "\n".join(lines) + "\n"


def _said(thing: type) -> str:
    """A docstring as one paragraph a part."""
    parts = (inspect.getdoc(thing) or "").split("\n\n")
    return "\n\n".join(" ".join(part.split()) for part in parts)
