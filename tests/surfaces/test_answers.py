"""What each command answers: one object, the keys of the contract, times as promised."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from muniment.operations import OPERATIONS
from tests.requirements.marker import requirement
from tests.surfaces.shell import EXPORT, Shell

ITEM = {
    "id", "kind", "text", "at", "actor", "role", "thread", "session", "external_id", "key",
    "standing", "labels", "reasons", "score_ppm", "sources",
}  # fmt: skip
WRITTEN = {"id", "seq", "head", "supersedes"}
# The least that a program may rely on; the reference page lists what there is besides.
CONTRACT: dict[str, set[str]] = {
    "import": {"imported", "skipped", "failed", "head", "seq"},
    "observe": {"id", "seq", "head", "known", "standing"},
    "remember": WRITTEN | {"known"},
    "retract": WRITTEN,
    "close": WRITTEN,
    "commit": {"records", "state", "head", "known"},
    "state get": {"key", "value", "seq"},
    "state set": {"key", "value", "seq"},
    "state history": {"items"},
    "recall": {"items", "suppressed", "bytes", "text", "head", "policy", "trace", "receipt"},
    "why": {"id", "shown", "reason", "place", "parts", "bytes"},
    "why-not": {"id", "shown", "reason", "retrievers", "bytes"},
    "replay": {"same", "changes"},
    "show": {"items"},
    "history": {"items"},
    "thread": {"items"},
    "context": {"items"},
    "verify": {"ok", "compared", "events", "commits", "scopes", "faults"},
    "checkpoint": {"head", "seq"},
    "rebuild": {"rebuilt"},
    "migrate": {"from", "to", "pending"},
    "status": {"counts", "head", "seq"},
    "erase": {"counts", "dependents", "token", "head"},
}
WORDS: dict[str, tuple[str, ...]] = {
    "import": ("import", str(EXPORT)),
    "observe": ("observe", "Good evening.", "--role", "user"),
    "remember": ("remember", "The light switch is at knee height.", "--source", "e3"),
    "retract": ("retract", "r2h"),
    "close": ("close", "r2h"),
    "commit": ("commit", '{"notes": [{"text": "One."}], "state": {"k": 1}}'),
    "state get": ("state", "get", "k"),
    "state set": ("state", "set", "k", "2"),
    "state history": ("state", "history", "k"),
    "recall": ("recall", "which code opens the door?"),
    "why": ("why", "e1h", "the new door code is 7731"),
    "why-not": ("why-not", "e1", "zzz"),
    "replay": ("replay", "q1"),
    "show": ("show", "e1"),
    "history": ("history", "k"),
    "thread": ("thread", "470c4e04-8b73-4325-a7d2-7b1df32dbc35"),
    "context": ("context", "e3"),
    "verify": ("verify",),
    "checkpoint": ("checkpoint",),
    "rebuild": ("rebuild",),
    "migrate": ("migrate", "--dry-run"),
    "status": ("status",),
    "erase": ("erase", "--event", "e1"),
}
BEFORE: dict[str, tuple[str, ...]] = {
    "retract": ("remember", "Buy biscuits."),
    "close": ("remember", "Return the telescope.", "--kind", "task"),
    "state get": ("state", "set", "k", "1"),
    "state history": ("state", "set", "k", "1"),
    "replay": ("recall", "door code", "--record"),
    "history": ("remember", "A thing.", "--key", "k"),
}
NAMED = sorted(set(CONTRACT) & {operation.name for operation in OPERATIONS})
_UTC = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def test_each_command_of_the_contract_is_here() -> None:
    """Nothing that was promised is missing."""
    assert sorted(CONTRACT) == NAMED


@requirement("faces:cli:json", "faces:cli:json-keys")
@pytest.mark.parametrize("name", NAMED)
def test_a_command_answers_with_the_keys_of_the_contract(club: Shell, name: str) -> None:
    """With --json: one object, alone, with what a program may rely on."""
    if name in BEFORE:
        club.json(*BEFORE[name])

    answer = club(*WORDS[name], "--json")

    assert answer.err == b""
    assert answer.out.count(b"\n") == 1
    assert answer.code == 0
    assert CONTRACT[name] <= set(answer.json)


@requirement("faces:cli:json-keys")
@pytest.mark.parametrize(
    "words",
    [WORDS[name] for name in ("recall", "show", "thread", "context")],
    ids=lambda words: words[0],
)
def test_an_item_has_the_keys_of_the_contract(club: Shell, words: tuple[str, ...]) -> None:
    """Every list shows a thing in the same way."""
    items = club.json(*words)["items"]

    assert items
    assert all(set(item) >= ITEM for item in items)
    assert all(set(items[0]) == set(item) for item in items)


def test_what_is_left_out_has_the_keys_of_the_contract(club: Shell) -> None:
    """A thing that does not fit is listed with its size and the reason."""
    left_out = club.json("recall", "door code", "--items", "1")["suppressed"]

    assert left_out
    assert all({"id", "reason", "bytes"} <= set(each) for each in left_out)


def test_an_erasure_answers_with_the_keys_of_the_contract(club: Shell) -> None:
    """Both steps: the plan with its token, then what was done and checked."""
    plan = club.json("erase", "--event", "e5")
    done = club.json("erase", "--event", "e5", "--confirm", plan["token"])

    assert {"counts", "dependents", "token", "head"} <= set(plan)
    assert {"erased", "checked", "not_checked", "pending", "receipt"} <= set(done)


def test_a_failed_line_has_the_keys_of_the_contract(shell: Shell) -> None:
    """What was not taken in is said line by line, and the import is done all the same."""
    lines = b'{"role": "user", "text": "Good."}\n{"role": "user", "text":\n'

    answer = shell.json("import", "-", "--label", "lines.jsonl", stdin=lines)

    assert answer["imported"] == 1
    (failed,) = answer["failed"]
    assert set(failed) == {"at", "code", "detail"}
    assert failed["at"] == "line:2"


@requirement("faces:cli:times-out")
def test_times_go_out_as_utc_with_milliseconds(club: Shell) -> None:
    """Whatever came in, the same spelling comes out."""
    club.json("remember", "Until May.", "--valid-to", "2026-05-01T00:00:00+02:00", "--key", "k")

    shown = [
        *times(club.json("recall", "door code")),
        *times(club.json("history", "k")),
        *times(club.json("thread", "470c4e04-8b73-4325-a7d2-7b1df32dbc35")),
    ]

    assert "2026-04-30T22:00:00.000Z" in shown
    assert [time for time in shown if not _UTC.fullmatch(time)] == []


def times(value: Any, field: str = "") -> Iterator[str]:
    """Every time in an answer."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield from times(member, name)
    elif isinstance(value, list):
        for member in value:
            yield from times(member, field)
    elif field in ("at", "recorded_at", "valid_from", "valid_to") and value is not None:
        yield value


@pytest.mark.parametrize("name", NAMED)
def test_a_command_says_something_to_people_too(club: Shell, name: str) -> None:
    """Without --json: lines for people, with a line end, and never a JSON object."""
    if name in BEFORE:
        club.json(*BEFORE[name])

    answer = club(*WORDS[name])

    assert (answer.code, answer.err) == (0, b"")
    assert answer.text.endswith("\n")
    assert not answer.text.startswith("{")


def test_people_see_no_control_characters(shell: Shell) -> None:
    """Stored text cannot move the cursor, and its further lines are indented."""
    text = "red \x1b[31m\x9b31m\ne1  not an entry"
    shell.json("observe", text, "--role", "user", "--thread", "t")

    shown = shell("thread", "t").text

    assert "\x1b" not in shown
    assert "\x9b" not in shown
    assert "\n    e1  not an entry" in shown


@requirement("contextual:style:grouped")
def test_the_command_line_writes_it_too(shell: Shell) -> None:
    """`--style grouped`, byte for byte what `text` is."""
    for number in range(3):
        shell("observe", f"The harbour {number}.", "--role", "user", "--actor", "Ann Anderson")

    plain = shell.json("recall", "harbour")
    found = shell.json("recall", "harbour", "--style", "grouped")

    assert found["bytes"] == len(found["text"].encode()) < plain["bytes"]
    assert "\n[#0] " in found["text"]
    assert found["text"] in shell("recall", "harbour", "--style", "grouped").text
