"""Redaction through the door: nothing of a secret is ever written, in either way of taking in."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from muniment import Import, Memory, Observe, Status
from tests.operations.seen import shown
from tests.requirements.marker import requirement

MAIL, TOKEN = "ann.miller@example.org", "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"


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


@requirement("intake:redaction:detectors")
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
