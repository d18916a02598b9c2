"""Whatever is typed, a command ends with one of its exit codes and never with a traceback."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from muniment.model import codec
from muniment.operations import OPERATIONS
from muniment.operations.operation import Operation
from muniment.surfaces import arguments
from tests.requirements.marker import requirement
from tests.surfaces.shell import Answer, Shell, run

FIELDS = [field for operation in OPERATIONS for field in codec.fields(operation.request)]
FLAGS = sorted({f"--{field.flag}" for field in FIELDS} | {"--json", "--help", "--", "--version"})
NAMES = sorted({word for operation in OPERATIONS for word in operation.name.split()})
ODD = [
    "", " ", "-", "--", "@", "@.", "{}", "[]", "null", "1e999", '{"a":1,"a":2}', "-1", "0", "1",
    "9" * 30, "1-2", "e1", "r1", "l1", "e1-0000000000000000", "e" + "v" * 13, "2026-01-01",
    "2026-01-01T00:00Z", "0001-01-01T00:00+23:59", "9999-12-31T23:59:59.999999-23:59", "\udcff",
    "\ud800", "x\r\ny", "\x1b[31m", "\u202e", "<muniment-recall>", '"quoted"', "NEAR(a b)", "*",
    "a" * 600, "full", "recent", "user", "task",
]  # fmt: skip
# No NUL, which no command line can hold, and no separator, so that nothing outside is named.
TEXT = st.text(st.characters(exclude_characters="\0/\\"), max_size=12)
WORD = st.one_of(st.sampled_from(FLAGS), st.sampled_from(NAMES), st.sampled_from(ODD), TEXT)


def ends_well(words: list[str], answer: Answer) -> None:
    """One object on one of the two streams, and an exit code that says on which."""
    assert answer.code in (0, 1, 2, 3)
    before = words.index("--") if "--" in words else len(words)
    if answer.err:
        assert answer.out == b""
        assert answer.err.count(b"\n") == 1
        assert b"Traceback" not in answer.err
        if "--json" in words[:before]:
            assert set(msgspec.json.decode(answer.err)["error"]) == {
                "family", "code", "detail", "at",
            }  # fmt: skip
    else:
        assert answer.code in (0, 1, 3)
        answer.out.decode()


@requirement("faces:cli:no-traceback")
@given(st.lists(WORD, max_size=7))
def test_any_words_end_in_an_exit_code(words: list[str]) -> None:
    """Commands, flags and nonsense in any order."""
    with tempfile.TemporaryDirectory() as directory:
        answer = run("--db", str(Path(directory) / "memory"), *words)

    ends_well(words, answer)


@st.composite
def asked(draw: st.DrawFn) -> list[str]:
    """A command with all it needs, its values good and bad."""
    operation: Operation = draw(st.sampled_from(OPERATIONS))
    words = [*operation.name.split(), *draw(st.sampled_from([[], ["--json"]]))]
    placed: list[str] = []
    for field in codec.fields(operation.request):
        if field.hidden or field.form == "member" or field.name == "tz":
            continue
        said, value = arguments.spelling(field)
        good: Any = st.sampled_from((value or "").split("|"))
        odd = draw(st.one_of(good, st.sampled_from(ODD), TEXT))
        if not said.startswith("--"):
            placed.append(odd)
        elif field.required or draw(st.integers(0, 5)) == 0:
            words += [said] if value is None else [f"{said}={odd}"]
    if arguments.members(operation):
        placed.append(draw(st.sampled_from(ODD)))
    return [*words, "--", *placed]


@requirement("faces:cli:no-traceback")
@given(st.lists(asked(), min_size=1, max_size=3))
def test_any_values_end_in_an_exit_code(commands: list[list[str]]) -> None:
    """Every command with every field, one after the other on one store, which stays whole."""
    with tempfile.TemporaryDirectory() as directory:
        shell = Shell(Path(directory) / "memory")
        shell.json("observe", "The door code is 5512.", "--role", "user", "--thread", "t")
        for words in commands:
            ends_well(words, shell(*words, stdin=b"x"))

        assert shell.json("verify", "--all")["ok"]
