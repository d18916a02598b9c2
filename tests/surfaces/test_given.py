"""What is given in Python as Python has it, and told in a list as it was said."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest

from muniment import Backup, Checkpoint, Commit, Import, Memory, Recall, StateSetTo, Verify, errors
from tests.requirements.marker import requirement
from tests.surfaces.shell import EXPORT, Shell


@requirement("faces:python:given")
def test_a_path_will_do_where_a_file_is_asked_for(directory: Path, tmp_path: Path) -> None:
    """And nowhere else: it is no text."""
    note: Any = tmp_path / "note.json"
    copy: Any = tmp_path / "copy.muniment"
    export: Any = EXPORT
    with Memory.open(directory) as memory:
        assert memory.run(Import(file=export)).imported > 0
        assert memory.run(Checkpoint(out=note)).file == str(note)
        assert memory.run(Verify(checkpoint=note)).ok
        assert memory.run(Backup(file=copy)).file == str(copy)
        with pytest.raises(errors.BadShape) as refused:
            memory.run(Recall(query=export))

    assert refused.value.at == "query"


@requirement("faces:cli:empty-path")
@pytest.mark.parametrize(
    ("words", "at"),
    [
        (("import", ""), "file"),
        (("backup", ""), "file"),
        (("checkpoint", "--out", ""), "--out"),
        (("verify", "--checkpoint", ""), "--checkpoint"),
        (("exchange", "inspect", ""), "file"),
        (("exchange", "recall", "store", "", "--out", "x"), "queries"),
    ],
    ids=" ".join,
)
def test_an_empty_path_is_no_directory(shell: Shell, words: tuple[str, ...], at: str) -> None:
    """A script whose variable is empty is told so, not that something is a directory or exists."""
    shell.json("observe", "x", "--role", "user")

    error = shell.error(*words, code=2)

    assert (error["code"], error["at"]) == ("bad_shape", at)


@requirement("faces:python:given")
@pytest.mark.parametrize(
    ("value", "at"),
    [
        ({1, 2}, ""),
        (frozenset(), ""),
        (dt.datetime(2026, 1, 1, tzinfo=dt.UTC), ""),
        ({"a": [1, {2}]}, ".a[1]"),
        (b"a", ""),
        (object(), ""),
    ],
)
def test_a_state_value_that_json_has_not_is_refused(memory: Memory, value: Any, at: str) -> None:
    """Rather than stored as something else."""
    with pytest.raises(errors.BadInput) as refused:
        memory.run(StateSetTo(key="k", value=value))
    assert refused.value.at == f"value{at}"
    with pytest.raises(errors.BadInput) as refused:
        memory.run(Commit(state={"k": value}))
    assert refused.value.at == f"state.k{at}"


@requirement("faces:cli:lists")
def test_a_list_says_who_spoke_as_what_and_how(shell: Shell) -> None:
    """The role also where there is a name; and a call is told from its result."""
    for type in ("message", "tool_call", "tool_result"):
        shell("observe", "x", "--role", "user", "--actor", "Ann", "--type", type, "--thread", "t",
              "--at", "2026-01-01T00:00:00Z")  # fmt: skip

    for words in (("thread", "t"), ("context", "e1")):
        told = shell(*words).text
        assert "event user Ann: x" in told
        assert "event user Ann (tool_call): x" in told
        assert "event user Ann (tool_result): x" in told


@requirement("faces:cli:lists")
def test_a_file_of_another_kind_is_called_what_it_is(shell: Shell, tmp_path: Path) -> None:
    """Whether it is imported or exchanged."""
    file = tmp_path / "some.bin"
    for magic, kind in ((b"AOTXCCIR", "a container"), (b"AOTXREQ1", "prepared queries")):
        file.write_bytes(magic + bytes(64))
        error = shell.error("import", str(file), code=2)
        assert error["code"] == "unknown_format"
        assert kind in error["detail"]
        assert "exchange convert" in error["detail"]
    assert (
        "found a file of prepared queries" in shell("exchange", "convert", str(file)).err.decode()
    )
