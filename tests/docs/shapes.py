"""Types as the pages say them: of a field on the command line, in Python, and in JSON."""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from muniment.model.codec import Field
from muniment.operations.operation import Operation
from muniment.surfaces import arguments

_JSON = {str: "text", int: "number", bool: "true or false", float: "number"}
_ON_A_LINE = {
    "time": "time", "lines": "two numbers", "id": "id", "json": "JSON", "path": "file",
}  # fmt: skip


def result(operation: Operation) -> type[msgspec.Struct]:
    """The type of an operation's answer."""
    (base,) = operation.request.__orig_bases__  # type: ignore[attr-defined]  # Request[R]
    found: type[msgspec.Struct] = get_args(base)[0]
    return found


def on_a_line(field: Field) -> str:
    """What a flag of the command line takes."""
    inner = arguments.on_a_line(field.hint)
    if inner is bool:
        return "switch"
    if get_origin(inner) is Literal:
        return ", ".join(f"`{choice}`" for choice in get_args(inner))
    kind = _ON_A_LINE.get(field.form, "number" if inner is int else "text")
    return f"{kind}, may be repeated" if arguments.repeatable(field) else kind


def default(field: Field) -> str:
    """What holds where a field is not given."""
    if field.required:
        return "required"
    if field.default in (None, (), False) or field.default == {}:
        return ""
    return f"`{field.default}`"


def optional(hint: Any) -> tuple[Any, bool]:
    """A type without None, and whether None was in it."""
    if get_origin(hint) in (Union, types.UnionType):
        inner = [each for each in get_args(hint) if each is not type(None)]
        whole = functools.reduce(operator.or_, inner)
        return whole, len(inner) < len(get_args(hint))
    return hint, False


def in_json(hint: Any) -> str:
    """What stands in an answer."""
    inner, nullable = optional(hint)
    name = _plain_json(inner)
    return f"{name} or null" if nullable else name


def in_python(hint: Any) -> str:
    """What a request takes in Python."""
    inner, nullable = optional(hint)
    if get_origin(inner) in (Union, types.UnionType):
        name = " \\| ".join(in_python(each) for each in get_args(inner))
    elif get_origin(inner) is Literal:
        name = " \\| ".join(f'"{choice}"' for choice in get_args(inner))
    elif get_origin(inner) is tuple:
        name = f"tuple[{', '.join(in_python(each) for each in get_args(inner))}]"
    elif get_origin(inner) in (dict, Mapping):
        name = f"dict[{', '.join(in_python(each) for each in get_args(inner))}]"
    elif isinstance(inner, type):
        name = inner.__name__
    elif inner is Ellipsis:
        name = "..."
    elif get_origin(inner) is Callable or "Callable" in str(inner):
        name = "callable"
    else:
        name = str(inner).removeprefix("typing.")
    return f"{name} \\| None" if nullable else name


def structs(root: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    """The structs inside an answer, each once, outermost first; the answer itself left out."""
    seen: dict[type[msgspec.Struct], None] = {}
    waiting = [root]
    while waiting:
        for hint in get_type_hints(waiting.pop(0)).values():
            for inner in _inside(hint):
                if inner not in seen:
                    seen[inner] = None
                    waiting.append(inner)
    yield from seen


def _inside(hint: Any) -> Iterator[type[msgspec.Struct]]:
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        yield hint
    for each in get_args(hint):
        yield from _inside(each)


def _plain_json(hint: Any) -> str:
    if get_origin(hint) in (Union, types.UnionType):
        return " or ".join(_plain_json(each) for each in get_args(hint))
    if get_origin(hint) is Literal:
        return "a code"
    if get_origin(hint) is tuple:
        inner = [each for each in get_args(hint) if each is not Ellipsis]
        many = Ellipsis in get_args(hint)
        return f"list of {_plain_json(inner[0])}" if many else f"{len(inner)} numbers"
    if get_origin(hint) is dict:
        return f"object of {_plain_json(get_args(hint)[1])}"
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return f"[{hint.__name__}](#{hint.__name__.lower()})"
    return _JSON.get(hint, "any JSON")
