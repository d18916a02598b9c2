"""Requests checked once, with the path of the field that is wrong."""

from __future__ import annotations

import re
import types
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from muniment import limits
from muniment.errors import BadJson, BadShape, TooLong
from muniment.model import canonical, time
from muniment.model.evidence import Source
from muniment.model.request import PathLike

S = TypeVar("S", bound=msgspec.Struct)

_PATH = re.compile(r" - at `\$?(?:\.\.\.)?\.?(.*?)`$")
_NAMED = re.compile(r"(?:unknown|required) field `(.*?)`")
_NO_TEXT = (bytes, bytearray, memoryview)
_PLAIN = (str, int, float, *_NO_TEXT)  # bytes are refused further on


class Field(msgspec.Struct, frozen=True):
    """One field of a request, with what `spell` said of it."""

    name: str
    hint: Any
    form: str
    bytes_max: int | None
    flag: str
    hidden: bool
    description: str
    required: bool
    default: Any
    file: bool  # a path-like value will do
    mapping: bool  # a mapping will do
    words: bool  # any string of its length will do


@cache
def fields(request: type[msgspec.Struct]) -> tuple[Field, ...]:
    """The fields of a request type, in the order they are declared."""
    hints = get_type_hints(request, include_extras=True)
    return tuple(
        _field(field, hints[field.name])
        for field in msgspec.structs.fields(request)
        if field.name in hints
    )


def checked(request: S) -> S:
    """`request` with each field of its type, in its bounds, and each time in milliseconds.

    Raises:
        BadInput: with the path of the first field that is not.
    """
    changed: dict[str, Any] = {}
    for field in fields(type(request)):
        value = getattr(request, field.name)
        if value is field.default and not field.required:
            continue
        if field.file and value == "":
            # As a path it would be the directory one is in.
            raise BadShape("a path is not empty", at=field.name)
        if field.words and type(value) is str:
            _check(value, field.name, field.bytes_max)
            continue
        if callable(value) and field.hidden:
            continue
        try:
            right = _right(field, value)
        except RecursionError as error:
            raise BadJson("it is nested too deeply", at=field.name) from error
        if right is not value:
            changed[field.name] = right
    return msgspec.structs.replace(request, **changed) if changed else request


def decoded(type_: type[S], value: Any, at: str = "") -> S:
    """A struct from plain JSON values.

    Raises:
        BadShape: a field is missing, unknown or of another type; `at` is its path.
    """
    try:
        return msgspec.convert(value, type_)
    except msgspec.ValidationError as error:
        detail, path = _parted(error)
        raise BadShape(detail, at=_joined(at, path)) from error


def _field(field: msgspec.structs.FieldInfo, hint: Any) -> Field:
    meta = next((m for m in get_args(hint)[1:] if isinstance(m, msgspec.Meta)), msgspec.Meta())
    plain = _spelt(get_args(hint)[0] if get_origin(hint) is Annotated else hint)
    extra = meta.extra or {}
    if field.default_factory is not msgspec.NODEFAULT:
        default = field.default_factory()
    else:
        default = None if field.default is msgspec.NODEFAULT else field.default
    return Field(
        name=field.name,
        hint=plain,
        form=extra.get("form", "flag"),
        bytes_max=extra.get("bytes_max"),
        flag=extra.get("flag", field.name.replace("_", "-")),
        hidden=extra.get("hidden", False),
        description=meta.description or "",
        required=field.required,
        default=default,
        file=extra.get("file", False),
        mapping=extra.get("form") == "object",
        words=plain in (str, str | None) and extra.get("form") != "time",
    )


def _spelt(hint: Any) -> Any:
    """A type without what only Python can say: paths, and mappings instead of a JSON text."""
    if get_origin(hint) not in (Union, types.UnionType):
        return hint
    left = [
        each for each in get_args(hint) if each is not PathLike and get_origin(each) is not Mapping
    ]
    return Union[tuple(left)]  # noqa: UP007  # of a list, which `|` does not take


def _right(field: Field, value: Any) -> Any:
    if field.form == "time" and value is not None:
        return time.any_form(value, field.name)
    value = _in_text(field, value, field.name)
    if field.file and hasattr(value, "__fspath__"):
        value = value.__fspath__()
    if Any in (field.hint, *get_args(field.hint)):
        _check_plain(value, field.name)
    try:
        # Bytes stay bytes, and are refused: they would come back as another text.
        plain = msgspec.to_builtins(value, builtin_types=_NO_TEXT)
        right = msgspec.convert(plain, field.hint)
    except (msgspec.ValidationError, TypeError, OverflowError) as error:
        if field.form != "text":
            _check_ids(value, field.name)
        detail, path = _parted(error)
        raise BadShape(detail + _choices(field, path), at=_joined(field.name, path)) from error
    except UnicodeEncodeError:
        right = value
    _check(right, field.name, field.bytes_max)
    return right


def _in_text(field: Field, value: Any, at: str) -> Any:
    """`value` with the JSON text in place of each mapping that is kept as one."""
    if field.mapping:
        return _json_text(value, at) if isinstance(value, Mapping) else value
    held = get_args(field.hint)[0] if get_origin(field.hint) is tuple else None
    if not isinstance(held, type) or not issubclass(held, msgspec.Struct):
        return value
    if not isinstance(value, list | tuple):
        return value
    return [_members_in_text(held, each, f"{at}[{index}]") for index, each in enumerate(value)]


def _members_in_text(held: type[msgspec.Struct], value: Any, at: str) -> Any:
    of = value if isinstance(value, dict) else {}
    if isinstance(value, held):
        of = {name: getattr(value, name) for name in held.__struct_fields__}
    changed = {
        field.name: _json_text(of[field.name], f"{at}.{field.name}")
        for field in fields(held)
        if field.mapping and isinstance(of.get(field.name), Mapping)
    }
    if not changed:
        return value
    return {**value, **changed} if value is of else msgspec.structs.replace(value, **changed)


def _json_text(value: Mapping[Any, Any], at: str) -> str:
    """The canonical text of a mapping.

    Raises:
        BadShape, BadJson, BadEncoding: JSON has no such value.
    """
    _check_plain(dict(value), at)
    plain = msgspec.to_builtins(dict(value), builtin_types=_NO_TEXT)
    text = canonical.plain_json(plain, at)
    canonical.check_strings(plain, at)
    return text


def _check_plain(value: Any, at: str) -> None:
    """Nothing, if JSON has all of this: a set or a time would come back as something else."""
    if isinstance(value, dict):
        for key, member in value.items():
            _check_plain(member, f"{at}.{key}")
    elif isinstance(value, list | tuple):
        for index, member in enumerate(value):
            _check_plain(member, f"{at}[{index}]")
    elif value is not None and not isinstance(value, _PLAIN):
        raise BadShape(f"JSON has no {type(value).__name__}", at=at)


def _check_ids(value: Any, at: str) -> None:
    """Nothing, if no answer stands where its id is meant; a source is an id with more."""
    if isinstance(value, list | tuple):
        for index, member in enumerate(value):
            _check_ids(member, f"{at}[{index}]")
    elif isinstance(value, msgspec.Struct):
        names = value.__struct_fields__
        if "id" in names and not isinstance(value, Source):
            raise BadShape(f"an id, and no {type(value).__name__}: give its .id", at=at)
        for name in names:
            _check_ids(getattr(value, name), f"{at}.{name}")


def _choices(field: Field, path: str) -> str:
    """What may be said instead, where the field itself is one of a few words."""
    words = [word for each in (field.hint, *get_args(field.hint)) for word in _words(each)]
    return f"; one of {', '.join(words)}" if words and not path else ""


def _words(hint: Any) -> list[str]:
    return [str(word) for word in get_args(hint)] if get_origin(hint) is Literal else []


def _check(value: Any, at: str, bytes_max: int | None) -> None:
    if isinstance(value, str):
        canonical.check_text(value, at)
        if bytes_max is not None and len(value.encode()) > bytes_max:
            raise TooLong(f"at most {bytes_max} bytes", at=at)
    elif isinstance(value, int) and not isinstance(value, bool):
        if abs(value) > limits.INTEGER_MAX:
            raise BadShape("an integer is beyond 2**53", at=at)
    elif isinstance(value, tuple | list):
        for index, member in enumerate(value):
            _check(member, f"{at}[{index}]", bytes_max)
    elif isinstance(value, dict):
        _check_members(value, at, bytes_max)
    elif isinstance(value, msgspec.Struct):
        for field in fields(type(value)):
            member = getattr(value, field.name)
            if member is not field.default:
                _check(member, f"{at}.{field.name}", field.bytes_max)


def _check_members(value: dict[Any, Any], at: str, bytes_max: int | None) -> None:
    for key, member in value.items():
        if not isinstance(key, str):
            raise BadShape("a key is not a string", at=at)
        canonical.check_text(key, at)
        _check(member, f"{at}.{key}", bytes_max)


def _parted(error: Exception) -> tuple[str, str]:
    text = str(error)
    found = _PATH.search(text)
    detail, path = (text[: found.start()], found[1]) if found else (text, "")
    named = _NAMED.search(detail)
    return detail, _joined(path, named[1]) if named else path


def _joined(at: str, path: str) -> str:
    if not at or not path:
        return at or path
    return at + path if path.startswith("[") else f"{at}.{path}"
