"""How a command ends: exit codes, and what an error looks like."""

from __future__ import annotations

from pathlib import Path

import pytest

from muniment import errors
from tests.requirements.marker import requirement
from tests.surfaces.shell import Shell, run

DONE = {
    "a recall that finds nothing": ("recall", "zzz"),
    "a recall without words": ("recall", ""),
    "a thread that never was": ("thread", "nobody"),
    "a key that never was": ("history", "nothing"),
    "a state key that never was": ("state", "get", "nothing"),
    "a thing that is not shown": ("why-not", "e1", "zzz"),
    "a thing that is shown": ("why", "e1h", "the new door code is 7731"),
}
FAILED: dict[str, tuple[tuple[str, ...], int, str]] = {
    "an unknown id": (("show", "ezz"), 1, "not_found"),
    "no id at all": (("show", "door"), 1, "not_found"),
    "an unknown scope": (("status", "--scope", "other"), 1, "not_found"),
    "an unknown source": (("remember", "x", "--source", "e9999"), 1, "not_found"),
    "a head that has moved": (("remember", "x", "--expect-head", "0" * 64), 1, "head_moved"),
    "a procedure without ground": (("remember", "x", "--kind", "procedure"), 1,
                                   "ungrounded_procedure"),
    "a wrong token": (("erase", "--event", "e1", "--confirm", "x"), 1, "wrong_token"),
    "what does not fit": (("recall", "x", "--require", "e1", "--bytes", "60"), 1, "pack_overflow"),
    "a budget of nothing": (("recall", "x", "--items", "0"), 2, "bad_shape"),
    "a negative budget": (("recall", "x", "--bytes", "-1"), 2, "bad_shape"),
    "a page of nothing": (("thread", "x", "--limit", "0"), 2, "bad_shape"),
    "a negative neighbourhood": (("context", "e1", "--before", "-1"), 2, "bad_shape"),
    "a negative wait": (("status", "--wait-ms", "-1"), 2, "bad_shape"),
    "a wait that is no number": (("status", "--wait-ms", "\u00b2"), 2, "bad_shape"),
    "a wait of years": (("status", "--wait-ms", "99999999999999"), 2, "bad_shape"),
    "a number beyond all bounds": (("recall", "x", "--items", "9" * 5_000), 2, "bad_shape"),
    "an unknown policy": (("recall", "x", "--policy", "best"), 2, "bad_usage"),
    "a blank text": (("observe", " ", "--role", "user"), 2, "blank_text"),
    "a role left out": (("observe", "x"), 2, "bad_usage"),
    "a missing file": (("import", "nowhere.json"), 2, "bad_file"),
    "a directory as a file": (("import", "."), 2, "bad_file"),
    "no checkpoint": (("verify", "--checkpoint", "nowhere.json"), 2, "bad_file"),
    "a JSON that is none": (("state", "set", "k", "{"), 2, "bad_json"),
    "a JSON nested without end": (("state", "set", "k", "[" * 100_000), 2, "bad_json"),
    "a commit that is no object": (("commit", "[]"), 2, "bad_shape"),
    "a commit with another field": (("commit", '{"note": []}'), 2, "bad_shape"),
    "a note with another field": (("commit", '{"notes": [{"text": "x", "id": "r1"}]}'), 2,
                                  "bad_shape"),
    "two things to erase": (("erase", "--event", "e1", "--all"), 2, "bad_shape"),
    "an empty scope": (("status", "--scope", ""), 2, "blank_text"),
    "an unknown command": (("dance",), 2, "bad_usage"),
    "no command": ((), 2, "bad_usage"),
    "an unknown flag": (("status", "--loud"), 2, "bad_usage"),
    "a shortened flag": (("status", "--sco", "x"), 2, "bad_usage"),
    "a flag without its value": (("recall", "x", "--items"), 2, "bad_usage"),
    "a word too many": (("status", "now"), 2, "bad_usage"),
    "half of a command": (("state",), 2, "bad_usage"),
    "a time without an offset": (("recall", "x", "--since", "2026-01-01T00:00"), 2, "bad_time"),
    "a time that is none": (("status", "--now", "soon"), 2, "bad_time"),
    "a zone that is none": (("status", "--tz", "Mars/Olympus"), 2, "bad_time"),
    "a text that is not UTF-8": (("observe", "\udcff", "--role", "user"), 2, "bad_encoding"),
}  # fmt: skip


@requirement("faces:cli:exit-codes")
@pytest.mark.parametrize("words", DONE.values(), ids=DONE)
def test_what_is_done_exits_0(club: Shell, words: tuple[str, ...]) -> None:
    """Finding nothing is an answer too."""
    assert club(*words).code == 0


@requirement("faces:cli:exit-codes", "faces:cli:error-shape")
@pytest.mark.parametrize(("words", "code", "named"), FAILED.values(), ids=FAILED)
def test_what_failed_says_why(club: Shell, words: tuple[str, ...], code: int, named: str) -> None:
    """One object on standard error with family, code, detail and at; nothing on the other."""
    error = club.error(*words, code=code)

    assert set(error) == {"family", "code", "detail", "at"}
    assert error["code"] == named
    assert error["family"] in {family.family for family in errors.FAMILIES}


@requirement("faces:cli:error-shape")
@pytest.mark.parametrize(("words", "code", "named"), FAILED.values(), ids=FAILED)
def test_people_read_one_line(club: Shell, words: tuple[str, ...], code: int, named: str) -> None:
    """Without --json the error is one line that ends in its code."""
    answer = club(*words)

    assert (answer.code, answer.out) == (code, b"")
    assert answer.err.count(b"\n") == 1
    assert answer.err.startswith(b"muniment: ")
    assert answer.err.endswith(f"({named})\n".encode())


@requirement("faces:cli:exit-codes")
def test_what_is_shown_is_no_reason_to_ask_why_not(club: Shell) -> None:
    """`why-not` of something that was shown exits 1, with its answer on standard output."""
    shown = club.json("why-not", "e1h", "the new door code is 7731", code=1)

    assert shown["shown"]
    assert shown["reason"] == "shown"


@requirement("faces:cli:exit-codes")
def test_what_is_not_shown_is_no_reason_to_ask_why(club: Shell) -> None:
    """`why` of something that was not shown exits 1, with its answer on standard output."""
    left_out = club.json("why", "e1", "zzz", code=1)

    assert (left_out["shown"], left_out["reason"], left_out["parts"]) == (False, "no_match", [])


@requirement("faces:cli:exit-codes")
def test_a_replay_that_differs_exits_1(shell: Shell) -> None:
    """With what has changed on standard output."""
    old = shell.json("remember", "The door is red.", "--key", "door")
    receipt = shell.json("recall", "door", "--record")["receipt"]
    new = shell.json("remember", "The door is green.", "--key", "door")

    now = shell.json("replay", receipt, code=1)
    then = shell.json("replay", receipt, "--against", "then")

    assert not now["same"]
    assert {"id": old["id"], "code": "superseded"} in now["changes"]
    assert new["id"] not in [change["id"] for change in then["changes"]]
    assert then["same"]


@requirement("faces:cli:exit-codes")
def test_an_integrity_failure_exits_3(club: Shell) -> None:
    """The report of `verify` is on standard output, like any answer."""
    spoil(club.db)

    report = club.json("verify", code=3)

    assert not report["ok"]
    assert [fault["code"] for fault in report["faults"]][:1] == ["content_differs"]
    assert report["faults"][0]["scope"] == "default"
    assert report["faults"][0]["seq"] == 49
    assert club("verify").code == 3


def test_an_integrity_failure_elsewhere_is_an_error(club: Shell) -> None:
    """A command that cannot read what it needs says so on standard error, and exits 3."""
    (file,) = club.db.glob("*.muniment")
    held = bytearray(file.read_bytes())
    held[4096:] = b"\x55" * (len(held) - 4096)
    file.write_bytes(held)

    assert club.error("recall", "door", code=3)["family"] == "corrupt"


def test_an_import_with_failed_lines_is_done(shell: Shell) -> None:
    """Good neighbours of a bad line are in, so the exit code is 0."""
    lines = b'nonsense\n{"role": "user", "text": "Good."}\n'

    answer = shell("import", "-", "--label", "x.jsonl", "--format", "json", stdin=lines)

    assert answer.code == 0
    assert answer.text.startswith("1 imported, 0 known, 1 failed\n")


def test_a_task_and_its_note(shell: Shell) -> None:
    """A refusal writes nothing."""
    task = shell.json("remember", "Return it.", "--key", "k", "--kind", "task")

    error = shell.error("remember", "Never mind.", "--key", "k", code=1)

    assert error["code"] == "open_task_protected"
    assert shell.json("status")["head"] == task["head"]


def test_an_erased_reference_is_refused_where_it_stands(club: Shell) -> None:
    """`at` is the path of the field."""
    error = club.error("remember", "x", "--source", "e1", "--source", "e9999", code=1)

    assert error["at"] == "--source[1]"


@pytest.mark.parametrize("flag", ["--json", "--db", "--scope", "--now"])
def test_a_text_after_two_dashes_is_a_text(shell: Shell, flag: str) -> None:
    """Even one that looks like a flag, in an error too."""
    answer = shell("remember", "--", flag)

    assert answer.code == 0
    assert shell("--json", "show", "r1").json["items"][0]["text"] == flag
    assert run("remember", "--kind", "dance", "--", "--json").err.startswith(b"muniment: ")


def spoil(db: Path) -> None:
    """One byte of a stored message is another."""
    (file,) = db.glob("*.muniment")
    held = file.read_bytes()
    file.write_bytes(held.replace(b"door code is 7731", b"door code is 7732", 1))
