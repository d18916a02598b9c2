"""The reference of the Python interface, made from `muniment.__all__`."""

from __future__ import annotations

import inspect
from typing import get_type_hints

import msgspec

import muniment
from muniment import AsyncMemory, Embedder, Memory
from muniment.model import codec
from muniment.model.request import Request
from muniment.operations import BY_REQUEST, OPERATIONS
from tests.docs import shapes

HEAD = """\
# Python

Everything here can be imported from `muniment`; the [errors](errors.md) are in `muniment.errors`, all of them `errors.MunimentError`. What the package holds besides is not promised.

`Memory` is the one door: `memory.run(request)` answers any request below, and a few of them have shortcuts that take the request's fields as keywords. Answers carry the keys of [the JSON](commands.md) as attributes. Requests, answers and items are frozen structs of `msgspec`: `msgspec.json.encode(pack)` gives the JSON of the command line, `msgspec.to_builtins(pack)` the same as dictionaries and lists.
"""

# What a caller makes or reads field by field; the other structs are answers.
VALUES = ("Item", "Note", "Pack", "Policy", "Source")

ANSWERS = """
What a request answers, and what that holds. Their fields are the keys of [the JSON](commands.md), where they are described.
"""

ASYNC = """
`AsyncMemory` has the same methods, awaited, and works with `async with`. Each call runs in a worker thread.
"""


def page() -> str:
    """The door, the requests with their fields, and the values they are made of."""
    lines = [HEAD.rstrip("\n"), "", "## Memory", "", _said(Memory), "", *_methods(Memory)]
    lines += ["", "## AsyncMemory", "", _said(AsyncMemory), ASYNC.rstrip("\n")]
    lines += ["", "## Embedder", "", _said(Embedder), "", *_members(Embedder)]
    lines += ["", "## Requests", "", "| request | command | answer |", "|---|---|---|"]
    for operation in OPERATIONS:
        request = operation.request.__name__
        answer = shapes.result(operation).__name__
        anchor = operation.name.replace(" ", "-")
        lines.append(
            f"| [`{request}`](#{request.lower()}) | [`{operation.name}`](commands.md#{anchor})"
            f" | `{answer}` |"
        )
    for operation in OPERATIONS:
        lines += ["", *_struct(operation.request)]
    lines += ["", "## Values"]
    for name in VALUES:
        lines += ["", *_struct(getattr(muniment, name))]
    lines += ["", "## Answers", "", ANSWERS.strip("\n"), "", "| type | what it is |", "|---|---|"]
    for name in sorted(listed() - set(VALUES)):
        thing = getattr(muniment, name)
        plain = isinstance(thing, type) and issubclass(thing, msgspec.Struct)
        if plain and not issubclass(thing, Request):
            lines.append(f"| `{name}` | {_said(thing)} |".replace("\n\n", " "))
    return "\n".join(lines) + "\n"


def listed() -> set[str]:
    """The public names that the page speaks of."""
    kinds = {request.__name__ for request in BY_REQUEST}
    values = {
        name
        for name in muniment.__all__
        if isinstance(getattr(muniment, name), type)
        and issubclass(getattr(muniment, name), msgspec.Struct)
    }
    return kinds | values | {"Memory", "AsyncMemory", "Embedder", "errors"}


def _methods(owner: type) -> list[str]:
    lines = ["| method | what comes back |", "|---|---|"]
    for name, method in vars(owner).items():
        if name.startswith("_"):
            continue
        function = method.__func__ if isinstance(method, classmethod) else method
        given = [
            str(parameter).partition(":")[0]
            for parameter in inspect.signature(function).parameters.values()
            if parameter.name not in ("self", "cls")
        ]
        said = (inspect.getdoc(function) or "").partition("\n")[0]
        lines.append(f"| `{name}({', '.join(given)})` | {said} |")
    opening = (inspect.getdoc(Memory.open) or "").partition("\n\n")[2]
    return [*lines, "", " ".join(opening.split())]


def _members(protocol: type) -> list[str]:
    lines = ["| member | what it says |", "|---|---|"]
    for name, member in vars(protocol).items():
        if not name.startswith("_"):
            said = " ".join((inspect.getdoc(member) or "").partition("\n\n")[0].split())
            spelled = name if isinstance(member, property) else f"{name}(texts)"
            lines.append(f"| `{spelled}` | {said} |")
    return lines


def _struct(thing: type[msgspec.Struct]) -> list[str]:
    lines = [f"### {thing.__name__}", "", _said(thing), ""]
    lines += ["| field | type | default | meaning |", "|---|---|---|---|"]
    for field in codec.fields(thing):
        kind = shapes.in_python(field.hint)
        if field.file or field.mapping:
            kind = kind.replace(
                "str", "str \\| os.PathLike[str]" if field.file else "str \\| Mapping", 1
            )
        lines.append(f"| `{field.name}` | {kind} | {_default(field)} | {_meaning(field)} |")
    for name, member in vars(thing).items():
        if isinstance(member, property):
            kind = shapes.in_python(get_type_hints(member.fget)["return"])
            said = " ".join((inspect.getdoc(member) or "").split())
            lines.append(f"| `{name}` | {kind} | read only | {said} |")
    return lines


def _default(field: codec.Field) -> str:
    return "required" if field.required else f"`{field.default!r}`"


def _said(thing: type) -> str:
    parts = (inspect.getdoc(thing) or "").split("\n\n")
    return "\n\n".join(" ".join(part.split()) for part in parts)


def _meaning(field: codec.Field) -> str:
    """What a field means, without what only the command line understands."""
    if field.form == "json":
        return "any JSON value"
    if field.form == "text":
        return field.description.replace(", or - for standard input", "")
    return field.description
