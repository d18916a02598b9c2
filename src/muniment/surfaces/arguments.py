"""The command line's grammar, read off the operations table."""

from __future__ import annotations

import argparse
import re
import shlex
import types
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import tzinfo
from functools import partial
from typing import Any, Literal, Union, get_args, get_origin

import msgspec

from muniment import errors, limits
from muniment.model import canonical, codec, time
from muniment.model.codec import Field
from muniment.model.request import Request
from muniment.operations import OPERATIONS
from muniment.operations.operation import Operation
from muniment.surfaces import streams
from muniment.surfaces.usage import COMMAND, Parser

HELP = "The memory of an agent, kept as evidence."
EXITS = (
    "exit codes: 0 done; 1 refused, not found or unavailable; 2 wrong usage or bad input;"
    " 3 stored bytes are not what was written"
)
DEMO = "Run the main job on a conversation, step by step, in a few seconds."

# The flags of every command: name, what stands for the value, what it says.
SHARED = (
    ("db", "PATH", "a directory of scopes, or one scope's file; else MUNIMENT_DB"),
    ("scope", "NAME", "the scope; else MUNIMENT_SCOPE, else 'default'"),
    ("now", "TIME", "the clock, for tests and replays"),
    ("tz", "ZONE", "the zone of times that are given without an offset"),
    ("wait-ms", "N", "how many milliseconds a write waits for another process"),
)
SWITCHES = (
    ("json", "one JSON object on standard output"),
    ("keep-log", "leave the log beside the file, for the next to fold in: two syncs less"),
)

# Forms of a field that are said by their place and not by a flag.
PLACED = ("positional", "text", "path", "json")
DOCUMENT = "document"

_VALUES = {"time": "TIME", "lines": "A-B", "id": "ID", "json": "JSON", "path": "FILE"}
# What is said in Python where a variable of the environment says it here.
VARIABLES = {"`Memory.open(embedder=...)`": "MUNIMENT_EMBEDDER"}
_FIRST = re.compile("[a-z_]+")
_QUOTED = re.compile("`[^`]+`")
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")


def parsed(argv: Sequence[str]) -> argparse.Namespace:
    """What a command line says.

    Raises:
        BadUsage: it names an unknown command or flag, or leaves one out.
    """
    given, rest = parser(argv).parse_known_args(argv)
    words = [word for word in rest if word != "--"]
    texts = _texts(given.operation)
    if len(words) == 1 and not words[0].startswith("-"):
        for field in texts:
            # A place that may stay empty counts as filled once a flag follows what is before it.
            if not field.required and getattr(given, field.name) is None:
                setattr(given, field.name, words.pop())
                return given
    if words:
        command = f"muniment {given.operation}" if given.operation else "muniment"
        hint = ""
        if texts and not any(word.startswith("-") for word in words):
            whole = _quoted(given, words, texts[-1])
            hint = f"; what is one text stands in quotes: {whole}"
        raise errors.BadUsage(f"unknown: {' '.join(words)}{hint}; see {command} --help")
    return given


def _texts(name: str | None) -> list[Field]:
    """The texts that a command takes by their place."""
    requests = [each.request for each in OPERATIONS if each.name == name]
    return [
        field
        for request in requests
        for field in codec.fields(request)
        if _placed(field) and (field.form == "text" or not field.required)
    ]


def _quoted(given: argparse.Namespace, words: Sequence[str], text: Field) -> str:
    """The text and the words behind it, as one word of a shell."""
    return shlex.quote(" ".join([str(getattr(given, text.name) or ""), *words]).strip())


def parser(argv: Sequence[str]) -> Parser:
    """The parser of the command that `argv` names; of all commands where it names none."""
    made: Any = partial(Parser, said=set())
    top: Parser = made(prog="muniment", description=HELP, epilog=EXITS)
    _shared_flags(top, first=True)
    top.add_argument("--version", action="store_true", help="the program's version")
    top.set_defaults(operation=None)
    commands = top.add_subparsers(dest="command", metavar=COMMAND, parser_class=made)
    groups: dict[str, Any] = {}
    name = _named(argv)
    only = [each for each in OPERATIONS if each.name.partition(" ")[0] == name]
    for operation in only or OPERATIONS:
        first, _, second = operation.name.partition(" ")
        if second and first not in groups:
            groups[first] = _group(commands, first)
        _command(groups[first] if second else commands, second or first, operation)
    if not only:
        demo = commands.add_parser("demo", help=DEMO, description=DEMO)
        demo.set_defaults(operation="demo")
        demo.add_argument("file", nargs="?", help="a file to run it on; default: the example")
        _shared_flags(demo, first=False)
        _bench(commands)
    return top


def _bench(commands: Any) -> None:
    from muniment.surfaces import bench

    command = commands.add_parser("bench", help=bench.HELP, description=bench.HELP)
    command.set_defaults(operation="bench")
    bench.arguments(command)
    _shared_flags(command, first=False)


def request(operation: Operation, given: argparse.Namespace) -> Request[Any]:
    """The request that a command line spells.

    Raises:
        BadInput: a value does not read as its field; `at` names the field.
    """
    zone = None if given.tz is None else time.zone(given.tz, "tz")
    values: dict[str, Any] = {}
    for field in codec.fields(operation.request):
        value = getattr(given, field.name, None)
        if value is not None and (not field.hidden or field.name == "scope"):
            values[field.name] = _read(field, value, zone)
    if members(operation):
        values |= _document(operation, getattr(given, DOCUMENT))
    return operation.request(**values)


def members(operation: Operation) -> list[Field]:
    """The fields that stand together in the JSON object which is the command's one argument."""
    return [field for field in codec.fields(operation.request) if field.form == "member"]


def spelling(field: Field) -> tuple[str, str | None]:
    """How the command line says a field: its flag or its place, and what stands for the value."""
    inner = on_a_line(field.hint)
    if _placed(field):
        return field.name.upper(), None
    if inner is bool:
        return f"--{field.flag}", None
    if get_origin(inner) is Literal:
        return f"--{field.flag}", "|".join(get_args(inner))
    word = "N" if inner is int else field.flag.rpartition("-")[2].upper()
    return f"--{field.flag}", _VALUES.get(field.form, word)


@contextmanager
def worded(operation: Operation) -> Iterator[None]:
    """What goes wrong inside is told in the words of the command line: flags, and variables.

    Read off the request's fields: the place of an error is a field's name, and so is every word
    of its message between backquotes.
    """
    try:
        yield
    except errors.MunimentError as error:
        words = {name.replace("-", "_"): f"--{name}" for name, *_ in SHARED} | {"path": "--db"}
        for field in codec.fields(operation.request):
            if not field.hidden and field.form != "member":
                words[field.name] = spelling(field)[0] if not _placed(field) else field.name
        named = {f"`{name}`": word for name, word in words.items()} | VARIABLES
        if error.at is not None:
            first = _FIRST.match(error.at)
            if first is not None and first[0] in words:
                error.at = words[first[0]] + error.at[first.end() :]
        error.detail = _QUOTED.sub(lambda found: named.get(found[0], found[0]), error.detail)
        raise


def repeatable(field: Field) -> bool:
    """Whether the flag may be given several times."""
    return get_origin(on_a_line(field.hint)) is tuple and field.form != "lines"


def integer(value: str, at: str) -> int:
    """A whole number in plain digits.

    Raises:
        BadShape: it is none.
    """
    if not _INTEGER.fullmatch(value):
        raise errors.BadShape(f"{value!r} is no whole number", at=at)
    return int(value)


def _named(argv: Sequence[str]) -> str | None:
    """The first word that is neither a flag nor the value of a shared one."""
    words = iter(argv)
    for word in words:
        if word in {f"--{name}" for name, _, _ in SHARED}:
            next(words, None)
        elif not word.startswith("-"):
            return word
    return None


def _shared_flags(parser: argparse.ArgumentParser, *, first: bool) -> None:
    """The flags of every command, before its name (`first`) or after it."""
    unsaid: Any = argparse.SUPPRESS  # so that what stood before the name is kept
    for name, value, said in SHARED:
        default = None if first else unsaid
        parser.add_argument(f"--{name}", default=default, metavar=value, help=said)
    for name, said in SWITCHES:
        default = False if first else unsaid
        parser.add_argument(f"--{name}", action="store_true", default=default, help=said)


def _group(commands: Any, name: str) -> Any:
    """The place of commands of two words that begin with `name`."""
    words = [each.name for each in OPERATIONS if each.name.partition(" ")[0] == name]
    seconds = ", ".join(word.partition(" ")[2] for word in words)
    said = f"One of: {seconds}."
    group = commands.add_parser(name, help=said, description=said)
    _shared_flags(group, first=False)
    made: Any = partial(Parser, said=group.said)
    return group.add_subparsers(
        dest="subcommand", metavar=COMMAND, required=True, parser_class=made
    )


def _command(commands: Any, name: str, operation: Operation) -> None:
    said = " ".join((operation.request.__doc__ or "").split()).replace("%", "%%")
    first = said.partition(". ")[0].removesuffix(".") + "."
    command = commands.add_parser(name, help=first, description=said)
    command.set_defaults(operation=operation.name)
    for field in codec.fields(operation.request):
        if not field.hidden and field.form != "member" and field.name not in ("scope", "tz"):
            _argument(command, field)
    if members(operation):
        names = " and ".join(field.name for field in members(operation))
        command.add_argument(
            DOCUMENT, help=f"a JSON object with {names}; or @FILE; or - for standard input"
        )
    _shared_flags(command, first=False)


def _argument(command: argparse.ArgumentParser, field: Field) -> None:
    inner = on_a_line(field.hint)
    said = field.description.replace("%", "%%")
    word, value = spelling(field)
    options: dict[str, Any] = {"help": said, "default": None}
    if get_origin(inner) is Literal:
        options["choices"] = get_args(inner)
    if _placed(field):
        if not field.required:
            options["nargs"] = "?"
        command.add_argument(field.name, **options)
        return
    options |= {"dest": field.name, "required": field.required}
    if inner is bool:
        command.add_argument(word, action="store_true", **options)
    elif repeatable(field):
        command.add_argument(word, action="append", metavar=value, **options)
    elif "choices" in options:
        command.add_argument(word, **options)
    else:
        command.add_argument(word, metavar=value, **options)


def _placed(field: Field) -> bool:
    return field.form in PLACED and (field.required or field.form in ("positional", "text"))


def _read(field: Field, value: Any, zone: tzinfo | None) -> Any:
    if isinstance(value, list) and not repeatable(field):
        value = "--"  # the parser takes a value that is two dashes for a second separator
    if field.form == "time":
        return time.text(time.asked(value, field.name, zone))
    if field.form == "text":
        return streams.text(value, field.name, field.bytes_max or limits.MESSAGE_BYTES_MAX)
    if field.form == "json":
        held = streams.document(value, field.name, limits.IMPORT_ITEM_BYTES_MAX)
        return canonical.read_json(held, field.name)
    if field.form == "lines":
        first, dash, last = value.partition("-")
        return integer(first, field.name), integer(last if dash else first, field.name)
    if isinstance(value, list):
        return tuple(value)
    return integer(value, field.name) if on_a_line(field.hint) is int else value


def _document(operation: Operation, given: str) -> dict[str, Any]:
    held = streams.document(given, DOCUMENT, limits.IMPORT_ITEM_BYTES_MAX)
    values = canonical.read_json(held, DOCUMENT)
    if not isinstance(values, dict):
        raise errors.BadShape("a JSON object", at=DOCUMENT)
    known = [field.name for field in members(operation)]
    for name in values:
        if name not in known:
            raise errors.BadShape(f"one of {', '.join(known)}", at=f"{DOCUMENT}.{name}")
    return values


def on_a_line(hint: Any) -> Any:
    """The type of a field that may be None, or in Python a value that no line spells."""
    if get_origin(hint) in (Union, types.UnionType):
        inner = [each for each in get_args(hint) if each is not type(None) and not _made(each)]
        return inner[0] if len(inner) == 1 else str
    return hint


def _made(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, msgspec.Struct)
