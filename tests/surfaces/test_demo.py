"""The demonstration does what it says, on the example and on a file of one's own."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest

from tests.requirements.marker import requirement
from tests.surfaces.shell import process, run

OWN = [
    {
        "role": "user",
        "text": "We moved the garden party to the fourteenth of July because of rain.",
    },
    {"role": "assistant", "text": "Noted."},
    {"role": "user", "text": "今晚看木星的卫星" * 12},
]


@pytest.fixture(autouse=True)
def _own_temporary_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


@requirement("faces:demo:runs")
def test_it_runs_on_the_example(tmp_path: Path) -> None:
    """Every step finds what it says, and nothing stays behind."""
    answer = run("demo")

    assert (answer.code, answer.err) == (0, b"")
    assert "NOT" not in answer.text.replace("NOT OK", "")
    assert "Every step did what it says" in answer.text
    assert list(tmp_path.iterdir()) == []


@requirement("faces:demo:runs")
def test_it_shows_each_part_of_the_main_job(tmp_path: Path) -> None:
    """Import, recall, correct, prove, catch a changed byte, forget."""
    account = run("demo", "--json").json

    assert account["good"]
    assert all(step["good"] for step in account["steps"])
    commands = {step["command"].split()[0]: step["exit"] for step in account["steps"]}
    assert {"import", "recall", "remember", "history", "why-not", "close", "checkpoint", "verify",
            "erase", "show"} <= set(commands)  # fmt: skip
    assert {step["exit"] for step in account["steps"]} == {0, 1, 3}


@requirement("faces:demo:runs")
def test_it_runs_on_a_file_of_ones_own(tmp_path: Path) -> None:
    """Whatever is in it, if there is something in it."""
    own, short = tmp_path / "own.jsonl", tmp_path / "short.jsonl"
    own.write_text("\n".join(json.dumps(line) for line in OWN), encoding="utf-8")
    short.write_text('{"role": "user", "text": "Hi."}\n', encoding="utf-8")

    assert run("demo", str(own)).code == 0
    assert run("demo", "--json", str(short)).code == 2
    assert run("demo", "--json", str(tmp_path / "nothing")).error["code"] == "bad_file"


def test_it_needs_no_settings_of_the_user(tmp_path: Path) -> None:
    """Where the environment points elsewhere, it stays in its own place."""
    answer = process("demo", env={"MUNIMENT_DB": str(tmp_path / "mine"), "MUNIMENT_SCOPE": "mine"})

    assert answer.code == 0
    assert not (tmp_path / "mine").exists()
