"""One table: every operation is a command, a page and a request in Python."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import get_args, get_type_hints

import msgspec
import pytest

import muniment
from muniment import errors
from muniment.errors import MunimentError
from muniment.model import codec
from muniment.model.codec import Field
from muniment.model.request import PathLike
from muniment.operations import BY_REQUEST, OPERATIONS
from muniment.operations.operation import Operation
from muniment.surfaces import arguments
from tests.docs.pages import PAGES, ROOT, concrete
from tests.requirements.marker import requirement

each = pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
VALUES = {"N": "3", "TIME": "1000", "A-B": "1-2", "TZ": "UTC"}
FORMS = {"flag", "id", "object", "time", "lines", "positional", "text", "path", "json", "member"}


def spelt(operation: Operation) -> list[Field]:
    """The fields that the command line says."""
    return [field for field in codec.fields(operation.request) if not field.hidden]


@requirement("faces:table:resolves")
@each
def test_an_operation_names_a_handler_that_exists(operation: Operation) -> None:
    """What loads on first use is there."""
    module, _, function = operation.handler.partition(":")

    assert callable(getattr(import_module(module), function))


@each
def test_an_operation_is_named_once(operation: Operation) -> None:
    """One name, one request."""
    assert [other.name for other in OPERATIONS].count(operation.name) == 1
    assert BY_REQUEST[operation.request] is operation


@requirement("faces:table:parity")
@each
def test_each_field_can_be_said_on_the_command_line(operation: Operation) -> None:
    """A command line that says them all becomes a request in which none is left out."""
    words = operation.name.split()
    placed = ["{}"] * bool(arguments.members(operation))
    for field in spelt(operation):
        assert field.form in FORMS
        assert field.description
        said, value = arguments.spelling(field)
        if field.form == "member":
            continue
        if said.startswith("--"):
            words += [said] if value is None else [said, VALUES.get(value, value.split("|")[0])]
        else:
            placed.append("1")

    request = arguments.request(operation, arguments.parsed(["--scope=s", *words, "--", *placed]))

    for field in codec.fields(operation.request):
        if field.form != "member" and (not field.hidden or field.name == "scope"):
            assert getattr(request, field.name) not in (None, (), False), field.name


@requirement("faces:table:parity")
@each
def test_a_request_is_a_public_name(operation: Operation) -> None:
    """What the command line can ask, Python can ask."""
    assert operation.request.__name__ in muniment.__all__


@requirement("faces:python:paths")
@each
def test_a_file_is_named_by_a_path_as_well(operation: Operation) -> None:
    """By its type, and when it is checked: every field that names a file or directory."""
    for field in codec.fields(operation.request):
        hint = get_type_hints(operation.request)[field.name]
        files = field.form == "path" or field.name in ("out", "checkpoint", "store", "queries")
        assert field.file == files
        assert (PathLike in get_args(hint)) == files
        if files:
            given = operation.request(
                **{each.name: "1" for each in codec.fields(operation.request) if each.required}
                | {field.name: Path("a") / "b"}
            )
            assert getattr(codec.checked(given), field.name) == "a/b"


@each
def test_a_negative_answer_is_a_field_of_the_result(operation: Operation) -> None:
    """What makes a command exit 1 or 3 is in its answer."""
    if operation.finding is not None:
        field, _ = operation.finding
        result = operation.request.__orig_bases__[0].__args__[0]  # type: ignore[attr-defined]  # Request[R]
        assert field in {told.name for told in msgspec.structs.fields(result)}


@requirement("faces:table:reference")
@each
def test_an_operation_is_in_the_reference(operation: Operation) -> None:
    """With every flag."""
    page = (ROOT / "docs/reference/commands.md").read_text(encoding="utf-8")
    section = page.partition(f"\n## {operation.name}\n")[2].partition("\n## ")[0]

    for field in spelt(operation):
        assert f"`{arguments.spelling(field)[0]}" in section or f"`{field.name}`" in section


@requirement("faces:errors:families")
def test_every_error_is_in_the_reference() -> None:
    """Family, code and class, each in its section."""
    page = PAGES["docs/reference/errors.md"]()

    every: list[type[MunimentError]] = [*errors.FAMILIES, *concrete()]
    for error in every:
        section = page.partition(f"\n## {error.family}\n")[2].partition("\n## ")[0]
        assert f"| `{error.code}` | `{error.__name__}` |" in section
