"""Ctrl-C at any moment: the answer says whether what was asked for stands."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from muniment.store import tx
from tests.requirements.marker import requirement
from tests.surfaces.shell import Answer, Shell, environment

TRIES = 8


@pytest.fixture(autouse=True)
def _heard() -> Iterator[None]:
    """Whoever runs the tests may have told this process to hear no interruption."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def pressed(call: Callable[..., Any]) -> Callable[..., Any]:
    """The same call, before which somebody presses Ctrl-C."""

    def interrupted(*given: Any, **named: Any) -> Any:
        os.kill(os.getpid(), signal.SIGINT)
        return call(*given, **named)

    return interrupted


@requirement("faces:cli:interrupted")
@pytest.mark.parametrize("new", [False, True])
def test_a_write_that_stands_is_not_called_interrupted(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, *, new: bool
) -> None:
    """The interruption is held back until the commit is done, or undoes all of the first one."""
    if not new:
        shell.json("observe", "The first.", "--role", "user")
    with monkeypatch.context() as patched:
        patched.setattr(tx, "commit", pressed(tx.commit))
        answer: Answer = shell("observe", "It stands.", "--role", "user", "--json")

    there = not new and bool(shell.json("recall", "stands")["items"])
    assert (answer.code, answer.out) == (130, b"")
    assert answer.error["code"] == ("interrupted" if new else "answer_lost")
    assert there == (not new)


@requirement("faces:cli:interrupted")
def test_what_only_reads_is_interrupted(club: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """And says so, whatever was written before it in this process."""
    club.json("observe", "Before.", "--role", "user")
    monkeypatch.setattr(tx.Read, "rows", pressed(tx.Read.rows))

    answer = club("recall", "door", "--json")

    assert (answer.code, answer.error["code"]) == (130, "interrupted")


@requirement("faces:cli:interrupted")
def test_at_any_moment_the_answer_says_how_it_is(club: Shell) -> None:
    """A process of its own; once it has answered nothing interrupts it any more."""
    chance = random.Random(1)
    command = [sys.executable, "-m", "muniment", "--db", str(club.db), "observe"]
    for number in range(TRIES):
        text = f"Xyzzy {number} plugh"
        child = subprocess.Popen(
            [*command, text, "--role", "user", "--json"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
        )  # fmt: skip
        time.sleep(chance.uniform(0.05, 0.4))
        child.send_signal(signal.SIGINT)
        out, err = child.communicate()
        there = bool(club.json("recall", f'"{text}"', "--policy", "lexical")["items"])
        if out:
            assert (child.returncode, there) == (0, True)
        elif child.returncode == 130:
            assert there == (b'"answer_lost"' in err)
        else:  # before the program had begun
            assert not there
