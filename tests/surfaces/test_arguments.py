"""How a command line is read: flags before and after, lists, times, numbers, files and streams."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import muniment
from muniment import limits
from muniment.model import codec
from muniment.operations import OPERATIONS
from muniment.operations.operation import Operation
from muniment.surfaces import arguments
from tests.requirements.marker import requirement
from tests.surfaces.shell import Shell, run


@pytest.mark.parametrize(
    "words",
    [("--json", "state", "get", "k"), ("state", "--json", "get", "k"),
     ("state", "get", "--json", "k"), ("state", "get", "k", "--json")],
    ids=" ".join,
)  # fmt: skip
@requirement("faces:cli:json")
def test_json_may_stand_anywhere(shell: Shell, words: tuple[str, ...]) -> None:
    """Before the command, between its words, behind it."""
    shell.json("state", "set", "k", "1")

    assert shell(*words).json["value"] == 1


def test_a_flag_behind_the_command_counts_like_one_before(shell: Shell) -> None:
    """What all commands share may stand on either side."""
    shell.json("observe", "One.", "--role", "user", "--scope", "a")

    assert shell.json("status", "--scope", "a")["name"] == "a"
    assert shell.json("--scope", "a", "status")["name"] == "a"


def test_a_value_may_be_joined_to_its_flag(shell: Shell) -> None:
    """`--flag=value` is the way to give one that begins with a dash."""
    shell.json("remember", "A note.", "--key=-k-")

    assert len(shell.json("history", "--", "-k-")["items"]) == 1


def test_a_list_is_a_repeated_flag(shell: Shell) -> None:
    """In the order given."""
    one = shell.json("observe", "One.", "--role", "user", "--tag", "a", "--tag", "b")
    two = shell.json("observe", "Two.", "--role", "user")

    shell.json("remember", "Both.", "--key", "k", "--source", two["id"], "--source", one["id"])

    (item,) = shell.json("show", one["id"])["items"]
    assert item["tags"] == ["a", "b"]
    (item,) = shell.json("history", "k")["items"]
    assert [source["id"] for source in item["sources"]] == [two["id"], one["id"]]


@pytest.mark.parametrize("value", ["-5", "-5.5", "[]", '"-"', "null", "true", '{"a": "é"}'])
def test_a_json_value_comes_back(shell: Shell, value: str) -> None:
    """Negative numbers too, though they begin with a dash."""
    shell.json("state", "set", "k", value)

    assert shell("state", "get", "k").text.replace(" ", "") == value.replace(" ", "") + "\n"


@requirement("faces:cli:streams")
def test_json_comes_from_a_file_or_a_stream(shell: Shell, tmp_path: Path) -> None:
    """`@FILE`, or `-` for standard input, wherever a JSON text may stand."""
    Path("value.json").write_text('{"from": "a file"}', encoding="utf-8")
    Path("commit.json").write_text('{"notes": [{"text": "One."}]}', encoding="utf-8")

    shell.json("state", "set", "a", "@value.json")
    shell.json("state", "set", "b", "-", stdin=b'{"from": "a stream"}')
    by_file = shell.json("commit", "@commit.json")
    by_stream = shell.json("commit", "-", stdin=b'{"notes": [{"text": "Two."}], "state": {"c": 1}}')

    assert shell.json("state", "get", "a")["value"] == {"from": "a file"}
    assert shell.json("state", "get", "b")["value"] == {"from": "a stream"}
    assert len(by_file["records"]) == len(by_stream["records"]) == len(by_stream["state"]) == 1
    assert shell.error("commit", "@nowhere.json", code=2)["code"] == "bad_file"


@requirement("faces:cli:streams")
def test_a_text_comes_from_a_stream(shell: Shell) -> None:
    """`-` is standard input, where a text may be longer than a command line.

    Its last line end is not part of it.
    """
    long = "The door is green. " * 20_000
    seen = shell.json("observe", "-", "--role", "tool", stdin=f"{long}\n".encode())

    shell.json("remember", "-", "--key", "k", stdin=b"Two\nlines.\n")

    assert shell.json("show", seen["id"])["items"][0]["text"] == long
    assert shell.json("history", "k")["items"][0]["text"] == "Two\nlines."
    assert shell("recall", "-", stdin=b"green door").text != "nothing relevant\n"


@pytest.mark.parametrize(
    ("stdin", "code"),
    [(b"\xff", "bad_encoding"), (b"\n", "blank_text"), (b"", "blank_text"),
     (b"x" * (limits.MESSAGE_BYTES_MAX + 2), "too_long")],
    ids=["not UTF-8", "blank", "empty", "endless"],
)  # fmt: skip
def test_a_stream_without_a_text_is_bad_input(shell: Shell, stdin: bytes, code: str) -> None:
    """It is read no further than a text may be long."""
    answer = shell("--json", "observe", "-", "--role", "user", stdin=stdin)

    assert (answer.code, answer.error["code"]) == (2, code)


@requirement("faces:cli:now")
def test_now_is_the_clock_of_every_command(shell: Shell) -> None:
    """What is written says so, and whether a record still stands is asked at that time."""
    shell.json("remember", "Until May.", "--key", "k", "--valid-to", "2026-05-01T00:00Z",
               "--now", "2026-04-01T00:00Z")  # fmt: skip

    before = shell.json("history", "k", "--now", "2026-04-30T23:59:59.999Z")["items"][0]
    after = shell.json("history", "k", "--now", "2026-05-01T00:00Z")["items"][0]

    assert before["recorded_at"] == "2026-04-01T00:00:00.000Z"
    assert (before["standing"], after["standing"]) == ("current", "expired")


@pytest.mark.parametrize(
    ("given", "zone", "shown"),
    [
        ("2026-07-01T12:00:00+02:00", None, "2026-07-01T10:00:00.000Z"),
        ("2026-07-01T12:00:00Z", None, "2026-07-01T12:00:00.000Z"),
        ("1782900000123", None, "2026-07-01T10:00:00.123Z"),
        ("-1", None, "1969-12-31T23:59:59.999Z"),
        ("2026-07-01T12:00:00", "Europe/Berlin", "2026-07-01T10:00:00.000Z"),
        ("2026-07-01", "Asia/Tokyo", "2026-06-30T15:00:00.000Z"),
        ("2026-07-01T12:00:00Z", "Asia/Tokyo", "2026-07-01T12:00:00.000Z"),
    ],
)
def test_a_time_comes_in(shell: Shell, given: str, zone: str | None, shown: str) -> None:
    """With an offset, in milliseconds, or in the zone that is named for those without."""
    more = [] if zone is None else ["--tz", zone]
    seen = shell.json("observe", "x", "--role", "user", "--at", given, *more)
    clock = shell.json("observe", "y", "--role", "user", "--now", given, *more)

    assert shell.json("show", seen["id"])["items"][0]["at"] == shown
    assert shell.json("show", clock["id"])["items"][0]["at"] == shown


def test_a_window_begins_with_its_first_moment_and_ends_before_its_last(shell: Shell) -> None:
    """`--since` is inclusive, `--until` exclusive."""
    for at in ("1000", "2000", "3000"):
        shell.json("observe", f"door {at}", "--role", "user", "--at", at)

    found = shell.json("recall", "door", "--since", "1000", "--until", "3000")["items"]

    assert sorted(item["text"] for item in found) == ["door 1000", "door 2000"]


@pytest.mark.parametrize(
    ("given", "lines"), [("3", [3, 3]), ("3-7", [3, 7]), ("1-1", [1, 1])]
)  # fmt: skip
def test_lines_and_spans_come_in(shell: Shell, given: str, lines: list[int]) -> None:
    """One number is a range of one; 0 is 0."""
    seen = shell.json("observe", "x", "--role", "user", "--source", "f", "--line", given,
                      "--span", given)  # fmt: skip
    (item,) = shell.json("show", seen["id"])["items"]

    assert (item["source"], item["lines"], item["span"]) == ("f", lines, lines)


@pytest.mark.parametrize("given", ["a-b", "-", "1-", "-1", "1-b", "7-3", "1_0-20", " 1-2"])
def test_a_range_that_is_none_is_bad_input(shell: Shell, given: str) -> None:
    """It is not guessed at."""
    error = shell.error("observe", "x", "--role", "user", f"--line={given}", code=2)

    assert (error["code"], error["at"]) == ("bad_shape", "--line")


def test_the_version_is_said() -> None:
    """Of the program, for people and for programs."""
    assert run("--version").text == f"muniment {muniment.__version__}\n"
    assert run("--version", "--json").json == {"version": muniment.__version__}


@requirement("faces:table:parity")
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_the_help_of_a_command_names_all_it_takes(
    operation: Operation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each flag with what it means, and the flags that all commands share."""
    monkeypatch.setenv("COLUMNS", "400")
    answer = run(*operation.name.split(), "--help")
    words = " ".join(answer.text.split())

    assert (answer.code, answer.err) == (0, b"")
    for field in codec.fields(operation.request):
        if not field.hidden and field.form != "member" and field.name != "tz":
            assert f"--{field.flag}" in words or field.name in words
            assert " ".join(field.description.split()) in words
    for name, _, _ in arguments.SHARED:
        assert f"--{name}" in words


def test_the_help_of_the_program_names_every_command() -> None:
    """And says what the exit codes mean."""
    answer = run("--help")

    assert (answer.code, answer.err) == (0, b"")
    for operation in OPERATIONS:
        assert re.search(rf"^    {operation.name.partition(' ')[0]}\s", answer.text, re.MULTILINE)
    assert "    demo " in answer.text
    assert "    bench " in answer.text
    assert "exit codes" in answer.text
    assert answer.out.isascii()


@requirement("faces:cli:optional-text")
@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("r1", "--harm", "5"), "benefit=unknown harm=5"),
        (("--harm", "5", "r1"), "benefit=unknown harm=5"),
        (("r1", "Too sweet.", "--harm", "5"), "Too sweet."),
        (("r1", "--harm", "5", "Too sweet."), "Too sweet."),
        (("--harm", "5", "--", "r1", "Too sweet."), "Too sweet."),
    ],
)
def test_a_text_with_a_default_may_be_left_out(
    shell: Shell, words: tuple[str, ...], text: str
) -> None:
    """As the help says: in words, or else the amounts."""
    shell.json("remember", "Bake it.")

    written = shell.json("appraise", *words)

    assert shell.json("show", written["id"])["items"][0]["text"] == text


@requirement("faces:cli:unquoted")
@pytest.mark.parametrize(
    ("words", "quoted"),
    [
        (("recall", "red", "button"), "'red button'"),
        (("recall", "red", "big", "button", "--items", "3"), "'red big button'"),
        (("observe", "--role", "user", "It's", "on"), """'It'"'"'s on'"""),
        (("why-not", "r1", "red", "button"), "'red button'"),
    ],
)
def test_words_without_quotes_are_shown_with_them(
    shell: Shell, words: tuple[str, ...], quoted: str
) -> None:
    """The words that were taken for the text, and those behind it; a flag is no such word."""
    told = shell.error(*words, code=2)
    wrong = shell.error(*words, "--colour", "red", code=2)

    assert (told["code"], wrong["code"]) == ("bad_usage", "bad_usage")
    assert quoted in told["detail"]
    assert quoted not in wrong["detail"]


@requirement("faces:cli:nearest")
@pytest.mark.parametrize(
    ("words", "near"),
    [
        (("recal", "x"), ["recall"]),
        (("Recall", "x"), ["recall"]),
        (("--now", "1", "stat"), ["state", "status"]),
        (("set", "k", "1"), ["state set"]),
        (("state", "gt", "k"), ["get"]),
        (("state", "--now", "1", "dlete", "k"), ["delete"]),
        (("thread5",), ["thread", "threads"]),
        (("zzz",), []),
        (("", "x"), []),
        (("x" * 100_000,), []),
    ],
)
def test_of_an_unknown_command_the_nearest_are_named(
    words: tuple[str, ...], near: list[str]
) -> None:
    """And not all that there are, which nobody reads."""
    answer = run("--json", *words)

    assert (answer.code, answer.error["code"]) == (2, "bad_usage")
    said, _, rest = answer.error["detail"].partition("; near it: ")
    assert rest.partition(";")[0].split(", ") == (near or [""])
    assert len(said) < 200
    assert "verify" not in answer.error["detail"]


@requirement("faces:cli:nearest")
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_a_letter_too_many_still_leads_to_the_command(operation: Operation) -> None:
    """Whichever it is, at most three are named."""
    *first, last = operation.name.split()
    detail = run("--json", *first, f"{last}x").error["detail"]

    near = detail.partition("; near it: ")[2].partition(";")[0].split(", ")
    assert last in near
    assert len(near) <= 3
