"""What every request shares: its scope, the type of its answer, and how a face spells its fields.

A field's spelling stands at the field (`spell(...)` inside `Annotated`); the command line, the
other faces and the reference pages are read off it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Generic, Protocol, TypeVar

import msgspec

R = TypeVar("R")

# Milliseconds UTC, or ISO 8601 with an offset; in Python also a `datetime` that knows its zone.
Time = int | str


class PathLike(Protocol):
    """What the system's own calls take for a name: as `os.PathLike[str]`, a `Path` for one."""

    def __fspath__(self) -> str:
        """The name."""


# The name of a file or directory.
FileName = str | PathLike
# A JSON object: its text, or in Python a mapping.
JsonObject = str | Mapping[str, Any]


def file_name(given: FileName) -> str:
    """A file's name as text."""
    return given if isinstance(given, str) else given.__fspath__()


def spell(
    description: str,
    *,
    bytes_max: int | None = None,
    flag: str | None = None,
    form: str = "flag",
    hidden: bool = False,
    file: bool = False,
) -> msgspec.Meta:
    """How one field is said outside Python.

    `form` is "flag", "id" (a flag with an id), "object" (a flag with a JSON object, in Python also a
    mapping), "time", "lines" (A-B), "positional", "text" (a
    positional; `-` is standard input), "path", "json" (a JSON text, `@FILE` or `-`) or "member"
    (in the JSON object that is the command's one argument); `bytes_max` bounds its UTF-8 bytes;
    `flag` is the word after the two dashes where it is not the field's own name; `hidden` fields
    exist in Python only; `file` and the form "path" say that a `Path` will do in Python.
    """
    extra: dict[str, Any] = {"form": form}
    if bytes_max is not None:
        extra["bytes_max"] = bytes_max
    if flag is not None:
        extra["flag"] = flag
    if file or form == "path":
        extra["file"] = True
    if hidden:
        extra["hidden"] = True
    return msgspec.Meta(description=description, extra=extra)


class Request(msgspec.Struct, Generic[R], frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing to be done; `R` is what comes back."""

    scope: Annotated[str | None, spell("the scope; the host says which", hidden=True)] = None
