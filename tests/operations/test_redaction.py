"""Redaction through the door: nothing of a secret is ever written, in either way of taking in."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from muniment import (
    Appraise,
    Commit,
    Correct,
    Import,
    Memory,
    Note,
    Observe,
    Remember,
    Require,
    StateSetTo,
    Status,
)
from muniment.model.request import Request
from tests.operations.seen import refused, shown
from tests.requirements.marker import requirement

MAIL, TOKEN = "ann.miller@example.org", "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"

SAID = f"Mail {MAIL} the token {TOKEN}."


def bytes_below(directory: Path) -> bytes:
    """Every byte of every file there."""
    return b"".join(path.read_bytes() for path in directory.rglob("*") if path.is_file())


@requirement("intake:redaction:markers")
def test_a_message_is_kept_without_its_secrets(memory: Memory, directory: Path) -> None:
    """In the text, the speaker's name and the caption; how many there were comes back."""
    done = memory.run(
        Observe(
            text=f"Mail {MAIL} the token {TOKEN}.", role="user", actor=MAIL, caption=TOKEN,
            thread="t1", redact=True,
        )
    )  # fmt: skip

    item = shown(memory, done.id)
    assert done.redacted == 4
    assert item.text == "Mail [redacted: email] the token [redacted: github-token]."
    assert (item.actor, item.thread) == ("[redacted: email]", "t1")
    assert MAIL.encode() not in bytes_below(directory)
    assert TOKEN.encode() not in bytes_below(directory)
    assert memory.recall(MAIL, policy="lexical").items == ()


@requirement("intake:redaction:markers")
def test_an_import_is_kept_without_its_secrets_and_known_the_second_time(
    memory: Memory, directory: Path, tmp_path: Path
) -> None:
    """With ids and without; what tells a message without an id holds nothing of a secret either."""
    lines = [
        {"role": "user", "text": f"Mail {MAIL}.", "id": "m1", "more": {"token": TOKEN}},
        {"role": "user", "text": f"The token is {TOKEN}."},
        {"role": "user", "text": "The token is [redacted: github-token]."},
        {"role": "user", "text": "Nothing to hide."},
    ]
    file = tmp_path / "secrets.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")

    first = memory.run(Import(file=str(file), redact=True))
    again = memory.run(Import(file=str(file), redact=True))

    assert (first.imported, first.redacted, first.failed) == (4, 3, ())
    assert (again.imported, again.skipped) == (0, 4)
    assert MAIL.encode() not in bytes_below(directory)
    assert TOKEN.encode() not in bytes_below(directory)
    assert shown(memory, "e1").text == "Mail [redacted: email]."


WRITES: dict[str, Callable[[str], Request[Any]]] = {
    "remember": lambda _: Remember(
        text=SAID, metadata={"token": TOKEN, "more": [MAIL, 1]}, redact=True
    ),
    "require": lambda _: Require(text=SAID, task="mail", redact=True),
    "appraise": lambda said: Appraise(id=said, text=SAID, benefit_ppm=1, redact=True),
    "correct": lambda said: Correct(id="r2", text=SAID, sources=(said,), redact=True),
}


@requirement("intake:redaction:markers", "ledger:verify:every-rule")
def test_what_is_taken_out_of_an_imports_metadata_leaves_json(tmp_path: Path) -> None:
    """Out of numbers and names too, of which two may become the same."""
    card, other = 4111111111111111, "bob.stone@example.org"
    metadata = {"card": card, MAIL: {"n": 1.5}, other: [TOKEN]}
    file = tmp_path / "said.jsonl"
    file.write_text(json.dumps({"role": "user", "content": "Hello.", "metadata": metadata}))
    with Memory.open(tmp_path / "memory") as memory:
        done = memory.run(Import(file=str(file), redact=True))
        (item,) = memory.recall("hello").items
        faults = memory.verify().faults

    kept = json.loads(item.metadata or "")
    assert done.redacted == 4
    assert sorted(kept) == ["[redacted: email]", "[redacted: email]'", "card"]
    assert kept["card"] == "[redacted: payment-card]"
    assert {"n": 1.5} in kept.values()
    assert faults == ()
    written = bytes_below(tmp_path / "memory")
    assert not any(said.encode() in written for said in (MAIL, other, TOKEN, str(card)))


@requirement("intake:redaction:every-write")
@pytest.mark.parametrize(("name", "count"), [
    ("remember", 4), ("require", 2), ("appraise", 2), ("correct", 2),
])  # fmt: skip
def test_a_record_is_kept_without_its_secrets(
    memory: Memory, directory: Path, name: str, count: int
) -> None:
    """Each way of writing one: markers in the text and the metadata, and their number."""
    said = memory.observe("There was a mail.", role="user")
    memory.remember("There was one.", metadata="{}")

    done: Any = memory.run(WRITES[name](said.id))

    item = shown(memory, done.id)
    assert done.redacted == count
    assert item.text == "Mail [redacted: email] the token [redacted: github-token]."
    if name == "remember":
        assert json.loads(item.metadata or "") == {
            "token": "[redacted: github-token]", "more": ["[redacted: email]", 1],
        }  # fmt: skip
    assert MAIL.encode() not in bytes_below(directory)
    assert TOKEN.encode() not in bytes_below(directory)


@requirement("intake:redaction:every-write")
def test_a_commit_and_the_state_are_kept_without_their_secrets(
    memory: Memory, directory: Path
) -> None:
    """In notes and values, whatever these are made of; what is assigned by its name as well."""
    request = Commit(
        notes=(Note(text=SAID), Note(text="Nothing to hide.", key="n")),
        state={"mail": {"to": [MAIL], "password": "correct horse"}, "card": 4111111111111111},
        command_key="c", redact=True,
    )  # fmt: skip

    done = memory.run(request)
    again = memory.run(request)
    put = memory.run(StateSetTo(key="api_key", value="correct horse", redact=True))

    assert [each.redacted for each in done.records] == [2, 0]
    assert (done.redacted, again.redacted, again.known) == (5, 5, True)
    assert {each.key: each.value for each in memory.state().items} == {
        "mail": {"to": ["[redacted: email]"], "password": "[redacted: password]"},
        "card": "[redacted: payment-card]",
        "api_key": "[redacted: password]",
    }
    assert (put.value, put.redacted) == ("[redacted: password]", 1)
    for secret in (MAIL, TOKEN, "correct horse", "4111111111111111"):
        assert secret.encode() not in bytes_below(directory)


@requirement("intake:redaction:every-write")
def test_nothing_is_changed_where_nobody_asked_or_nothing_is_secret(memory: Memory) -> None:
    """A record that says the same with and without is the same record."""
    plain = memory.remember("Nothing to hide.", metadata='{"b": 1, "a": 1.50}')
    asked = memory.remember("Nothing to hide.", metadata='{"b": 1, "a": 1.50}', redact=True)
    kept = memory.remember(SAID)

    assert (asked.id, asked.known, asked.redacted) == (plain.id, True, 0)
    assert (shown(memory, kept.id).text, kept.redacted) == (SAID, 0)
    with refused(memory, "bad_json", at="metadata"):
        memory.remember("held", metadata="{", redact=True)


@requirement("intake:redaction:detectors", "faces:errors:one-for-extras")
@pytest.mark.parametrize("missing", ["datafog", "detect_secrets"])
def test_without_the_detectors_nothing_is_taken_in(
    memory: Memory, directory: Path, missing: str
) -> None:
    """A process without them: it is said what to install, and no word is kept."""
    memory.observe("first", role="user")
    without = f"import sys; sys.modules[{missing!r}] = None; "
    command = "from muniment.surfaces.cli import main; sys.exit(main(sys.argv[1:]))"

    done = subprocess.run(
        [sys.executable, "-c", without + command, "--db", str(directory), "observe", MAIL,
         "--role", "user", "--redact", "--json"],
        capture_output=True, check=False, timeout=60,
    )  # fmt: skip

    told = json.loads(done.stderr)["error"]
    assert (done.returncode, told["code"]) == (1, "extra_missing")
    assert "muniment[redact]" in told["detail"]
    assert memory.run(Status()).seq == 1
