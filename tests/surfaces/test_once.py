"""A flag that takes one value and is given twice: one of the two would be lost without a word."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from muniment.model import codec
from muniment.operations import OPERATIONS
from muniment.operations.operation import Operation
from muniment.surfaces import arguments
from tests.requirements.marker import requirement
from tests.surfaces.shell import Shell, run

COMMANDS = [*(operation.name for operation in OPERATIONS), "bench", "demo"]
SHARED = [f"--{name}" for name, *_ in arguments.SHARED]


def single(operation: Operation) -> Iterator[tuple[str, str]]:
    """The flags of a command that take one value, each with a value that it takes."""
    for field in codec.fields(operation.request):
        if field.hidden or field.form == "member" or field.name in ("scope", "tz"):
            continue
        said, value = arguments.spelling(field)
        if said.startswith("--") and value is not None and not arguments.repeatable(field):
            yield said, value.partition("|")[0]


FLAGS = [
    *((each.name, *flag) for each in OPERATIONS for flag in single(each)),
    *(("bench recall file", flag, "recent") for flag in ("--policy", "--embedder", "--plot")),
]


@requirement("faces:cli:once")
@pytest.mark.parametrize(("command", "flag", "value"), FLAGS)
def test_a_flag_with_one_value_is_given_once(command: str, flag: str, value: str) -> None:
    """Of every command, also joined to its value; the same value twice is no other case."""
    for words in ([flag, value, flag, value], [f"{flag}={value}", f"{flag}={value}"]):
        answer = run("--json", *command.split(), *words)

        assert (answer.code, answer.error["code"], answer.error["at"]) == (2, "bad_usage", flag)


@requirement("faces:cli:once")
@pytest.mark.parametrize("flag", SHARED)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_flag_of_all_commands_is_given_once(command: str, flag: str) -> None:
    """Before the command, between its words, behind it, or on both sides."""
    first, *rest = command.split()
    given = [flag, "1"]
    lines = [
        [*given, *given, first, *rest],
        [*given, first, *rest, *given],
        [first, *rest, *given, *given],
        [first, *given, *rest, *given],
    ]

    for words in lines:
        answer = run("--json", *words)
        assert (answer.code, answer.error["code"], answer.error["at"]) == (2, "bad_usage", flag)


@requirement("faces:cli:once")
def test_an_erasure_of_two_things_erases_neither(shell: Shell) -> None:
    """With the token of the one that would have been kept, the other was said to be gone too."""
    one = shell.json("observe", "The code is 5512.", "--role", "user")["id"]
    two = shell.json("observe", "The code is 7731.", "--role", "user")["id"]
    token = shell.json("erase", "--event", two)["token"]

    told = shell.error("erase", "--event", one, "--event", two, "--confirm", token, code=2)

    assert (told["code"], told["at"]) == ("bad_usage", "--event")
    assert [item["text"] for item in shell.json("show", one)["items"]] == ["The code is 5512."]
    assert [item["text"] for item in shell.json("show", two)["items"]] == ["The code is 7731."]


@requirement("faces:cli:once")
def test_lists_and_switches_may_be_repeated(shell: Shell) -> None:
    """Of a list nothing is lost, and a switch says the same twice."""
    twice = ("--json", "--redact", "--redact", "--keep-log", "--tag", "a", "--tag", "b")
    seen = shell.json("--keep-log", "observe", "One.", "--role", "user", *twice)

    assert shell.json("show", seen["id"], "--json")["items"][0]["tags"] == ["a", "b"]
