"""The command line's grammar, read off the operations table."""

from __future__ import annotations

import argparse
import types
from collections.abc import Sequence
from typing import Any, Literal, NoReturn, Union, get_args, get_origin
from zoneinfo import ZoneInfo

from muniment import errors
from muniment.model import canonical, codec, time
from muniment.model.codec import Field
from muniment.model.request import Request
from muniment.operations import OPERATIONS
from muniment.operations.operation import Operation

HELP = "the memory of an agent, kept as evidence"


class Parser(argparse.ArgumentParser):
    """Wrong usage is an error like any other, with a code."""

    def error(self, message: str) -> NoReturn:
        """Raises `BadUsage`."""
        raise errors.BadUsage(f"{message}; see {self.prog} --help")


def parser(argv: Sequence[str]) -> Parser:
    """The parser of the command that `argv` names; of all commands where it names none."""
    top = Parser(prog="muniment", description=HELP, allow_abbrev=False)
    _common(top, hidden=False)
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    groups: dict[str, Any] = {}
    words = [word for word in argv if not word.startswith("-")]
    named = [each for each in OPERATIONS if each.name.split()[0] in words] or list(OPERATIONS)
    for operation in named if _one_is_named(words) else OPERATIONS:
        first, _, second = operation.name.partition(" ")
        into = commands
        if second:
            if first not in groups:
                group = commands.add_parser(first, help=f"{first}: get, set, history")
                groups[first] = group.add_subparsers(
                    dest="subcommand", metavar="COMMAND", required=True, parser_class=Parser
                )
            into = groups[first]
        _command(into, second or first, operation)
    demo = commands.add_parser("demo", help="the main job on a conversation, in a few seconds")
    demo.add_argument("file", nargs="?", help="an export to run it on; default: the example's")
    _common(demo, hidden=True)
    return top


def request(operation: Operation, given: argparse.Namespace) -> Request[Any]:
    """The request that a command line spells.

    Raises:
        BadInput: a value does not read as its field; `at` names the field.
    """
    values: dict[str, Any] = {"scope": given.scope}
    tz = None if given.tz is None else time.zone(given.tz, "tz")
    for field in codec.fields(operation.request):
        if field.name == "scope" or (field.hidden and field.name != "progress"):
            continue
        value = getattr(given, field.name, None)
        if field.name == "tz":
            value = given.tz
        if value is not None:
            values[field.name] = _read(field, value, tz)
    return operation.request(**values)


def _one_is_named(words: Sequence[str]) -> bool:
    return any(operation.name.split()[0] in words for operation in OPERATIONS)


def _common(parser: argparse.ArgumentParser, *, hidden: bool) -> None:
    """The flags of every command, before or after its name."""
    default: Any = argparse.SUPPRESS if hidden else None
    for flag, help in (
        ("--db", "a directory of scopes, or one scope's file; else MUNIMENT_DB"),
        ("--scope", "the scope; else MUNIMENT_SCOPE, else 'default'"),
        ("--now", "the clock, for tests and replays"),
        ("--tz", "the zone of times that are given without an offset"),
        ("--wait-ms", "how long a write waits for another process"),
    ):
        parser.add_argument(flag, default=default, metavar=flag[2:].upper(), help=help)
    parser.add_argument(
        "--json",
        action="store_true",
        default=argparse.SUPPRESS if hidden else False,
        help="one JSON object on standard output",
    )
    if not hidden:
        parser.add_argument("--version", action="store_true", help="the program's version")


def _command(commands: Any, name: str, operation: Operation) -> None:
    doc = (operation.request.__doc__ or "").strip()
    command = commands.add_parser(name, help=doc, description=doc, allow_abbrev=False)
    command.set_defaults(operation=operation.name)
    _common(command, hidden=True)
    for field in codec.fields(operation.request):
        if not field.hidden and field.name not in ("scope", "tz"):
            _argument(command, field)


def _argument(command: argparse.ArgumentParser, field: Field) -> None:
    inner = _inner(field.hint)
    options: dict[str, Any] = {"help": field.description.replace("%", "%%"), "default": None}
    if get_origin(inner) is Literal:
        options["choices"] = get_args(inner)
    if field.form == "positional" or (field.form in ("json", "path") and field.required):
        command.add_argument(field.name, **options)
        return
    flag = f"--{field.flag}"
    if inner is bool:
        command.add_argument(
            flag, dest=field.name, action="store_true", default=None, help=options["help"]
        )
    elif get_origin(inner) is tuple and field.form == "flag":
        options.pop("choices", None)
        command.add_argument(flag, dest=field.name, action="append", **options)
    else:
        if "choices" not in options:
            options["metavar"] = field.form.upper() if field.form != "flag" else "VALUE"
        command.add_argument(flag, dest=field.name, **options)


def _read(field: Field, value: Any, tz: ZoneInfo | None) -> Any:
    inner = _inner(field.hint)
    if field.form == "time":
        return time.parse(value, field.name, tz)
    if field.form == "json":
        return canonical.read_json(value, field.name)
    if field.form == "lines":
        return _pair(field, value)
    if isinstance(value, list):
        return tuple(value)
    if inner is int:
        return _integer(field, value)
    return value


def _pair(field: Field, value: str) -> tuple[int, int]:
    first, _, last = value.partition("-")
    return _integer(field, first), _integer(field, last or first)


def _integer(field: Field, value: str) -> int:
    try:
        return int(value)
    except ValueError as error:
        raise errors.BadShape(f"{value!r} is no whole number", at=field.name) from error


def _inner(hint: Any) -> Any:
    """The type of a field that may be None."""
    if get_origin(hint) in (Union, types.UnionType):
        inner = [each for each in get_args(hint) if each is not type(None)]
        return inner[0] if len(inner) == 1 else str
    return hint
