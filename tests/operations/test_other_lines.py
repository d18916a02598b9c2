"""Lines of a Claude Code transcript that are nobody's message: counted with their places."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from muniment import Import, Imported, Memory, Thread
from muniment.importers.claude_code import others
from muniment.model.pack import plain
from muniment.surfaces import plainly
from tests.requirements.marker import requirement


def typed(text: Any, uuid: str = "u1") -> dict[str, Any]:
    """A line in which the user says something."""
    message = {"role": "user", "content": text}
    return {"type": "user", "uuid": uuid, "parentUuid": None, "sessionId": "s", "message": message}


def queued(text: Any, operation: str = "enqueue") -> dict[str, Any]:
    """A line about a prompt that waits."""
    return {"type": "queue-operation", "operation": operation, "content": text, "sessionId": "s"}


def imported(memory: Memory, path: Path, *lines: dict[str, Any]) -> Imported:
    """What became of a transcript of these lines."""
    path.write_text("".join(json.dumps(each) + "\n" for each in lines))
    return memory.run(Import(file=str(path), format="claude_code"))


def told(memory: Memory) -> list[str]:
    """What the session says, in its order."""
    return [item.text for item in memory.run(Thread(thread="s")).items]


@requirement("importers:claude-code:other-lines")
@pytest.mark.parametrize(
    "other",
    [
        {"type": "attachment", "attachment": {"type": "file", "content": "Plan."}},
        {"type": "attachment", "attachment": "Plan."},
        {"type": "something-new", "value": [1]},
        queued("And the door?"),
        queued([{"type": "text", "text": "And the door?"}]),
    ],
    ids=["file", "shapeless", "unknown", "never taken up", "unreadable queue"],
)
def test_a_line_that_is_nobodys_message_is_counted_with_its_place(
    memory: Memory, tmp_path: Path, other: dict[str, Any]
) -> None:
    """It is no failure, and no event either."""
    done = imported(memory, tmp_path / "a.jsonl", typed("Hello."), other, typed("Bye.", "u2"))

    assert (done.imported, done.other_lines, done.other_lines_at) == (2, 1, ("line:2",))
    assert done.failed == ()
    assert plainly.text("import", plain(done)) == (
        "2 imported, 0 known, 0 failed, 1 other line not taken in (line:2)\n"
    )


@requirement("importers:claude-code:other-lines")
@pytest.mark.parametrize(
    "other",
    [
        {"type": "zebra", "text": "Words."},
        {"type": "zebra", "message": {"role": "user", "content": [{"text": "Words."}]}},
        {"type": "zebra", "data": 1, "content": ["", "Words."]},
        {"type": "system", "content": ["Words."]},
    ],
)
def test_words_of_an_unknown_kind_of_line_fail_where_they_stand(
    memory: Memory, tmp_path: Path, other: dict[str, Any]
) -> None:
    """Who said them is not known, and they are not passed over in silence."""
    done = imported(memory, tmp_path / "a.jsonl", typed("Hello."), other)

    assert [(each.at, each.code) for each in done.failed] == [("line:2", "bad_shape")]
    assert (done.imported, done.other_lines) == (1, 0)


@requirement("importers:claude-code:other-lines", "importers:claude-code:passed-over")
@pytest.mark.parametrize(
    "later",
    [
        typed("And the door?", "u2"),
        typed("First this.\nAnd the door?", "u2"),
        typed([{"type": "image"}, {"type": "text", "text": "And the door?"}], "u2"),
        {"type": "attachment", "uuid": "u2", "sessionId": "s",
         "attachment": {"type": "queued_command", "prompt": "And the door?"}},
    ],
    ids=["alone", "with another", "with a picture", "attached"],
)  # fmt: skip
def test_what_was_queued_and_comes_up_is_told_once(
    memory: Memory, tmp_path: Path, later: dict[str, Any]
) -> None:
    """The line of the queue says nothing that is not taken in."""
    out = queued("And the door?", "remove")

    done = imported(memory, tmp_path / "a.jsonl", typed("Hi."), queued("And the door?"), out, later)

    assert (done.imported, done.other_lines, done.failed) == (2, 0, ())
    assert "And the door?" in told(memory)[1]


@requirement("importers:claude-code:other-lines")
def test_a_command_that_was_queued_comes_up_in_its_tags(memory: Memory, tmp_path: Path) -> None:
    """The user typed it without."""
    tagged = "<command-name>/plan</command-name>\n<command-args>the roof</command-args>"

    done = imported(memory, tmp_path / "a.jsonl", queued("/plan the roof"), typed(tagged))

    assert (done.imported, done.other_lines) == (1, 0)


@requirement("importers:claude-code:other-lines")
def test_words_that_only_a_tool_repeats_have_not_come_up(memory: Memory, tmp_path: Path) -> None:
    """Nor does a longer prompt that happens to hold them."""
    result = [{"type": "tool_result", "tool_use_id": "t", "content": "stop"}]

    done = imported(
        memory, tmp_path / "a.jsonl", queued("stop"), typed(result), typed("Don't stop.", "u2")
    )

    assert (done.imported, done.other_lines_at) == (2, ("line:1",))


@requirement("importers:claude-code:other-lines")
def test_of_many_prompts_that_wait_the_oldest_are_told_first(
    memory: Memory, tmp_path: Path
) -> None:
    """Memory is bounded, so one that comes up after too many others counts as well."""
    waiting = [queued(f"Prompt {n}.") for n in range(others.QUEUED_MAX + 1)]

    done = imported(
        memory, tmp_path / "a.jsonl", *waiting, typed("Prompt 0."), typed("Prompt 1.", "u2")
    )

    assert (done.imported, done.other_lines) == (2, others.QUEUED_MAX)
    assert done.other_lines_at[:2] == ("line:1", "line:3")


@requirement("importers:every:failed-lines")
def test_loglines_that_are_no_array_are_told(memory: Memory, tmp_path: Path) -> None:
    """A file of which nothing could be read does not count as read."""
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"loglines": {"0": typed("Hello.")}}))

    done = memory.run(Import(file=str(path), format="claude_code"))

    assert [(each.at, each.code) for each in done.failed] == [("$", "bad_shape")]
