"""Sessions of Claude Code that were gone on with or forked: they begin with copies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from muniment import Import, Memory, Thread
from tests.operations.seen import erased
from tests.requirements.marker import requirement

TOOL = "toolu_01AbCdEfGhIjKlMnOpQrStUv"


def uuid(number: int) -> str:
    """A line's uuid."""
    return f"0a1b2c3d-0000-4000-8000-{number:012d}"


def line(session: str, number: int, content: Any, kind: str = "user") -> dict[str, Any]:
    """A line that hangs on the one before."""
    return {
        "type": kind,
        "uuid": uuid(number),
        "parentUuid": uuid(number - 1) if number > 1 else None,
        "sessionId": session,
        "timestamp": f"2026-02-10T21:11:{number:02d}.000Z",
        "message": {"role": kind, "content": content},
    }


def history(session: str) -> list[dict[str, Any]]:
    """A question, a call, its result and an answer, in a transcript of this name."""
    return [
        line(session, 1, "What is in the shed?"),
        line(session, 2, [{"type": "tool_use", "id": TOOL, "name": "Bash",
                           "input": {"command": "ls shed"}}], "assistant"),
        line(session, 3, [{"type": "tool_result", "tool_use_id": TOOL, "content": "a ladder"}]),
        line(session, 4, [{"type": "text", "text": "A ladder."}], "assistant"),
    ]  # fmt: skip


def file(path: Path, *lines: dict[str, Any]) -> str:
    """A transcript of these lines."""
    path.write_text("".join(json.dumps(each) + "\n" for each in lines))
    return str(path)


@requirement("importers:claude-code:copies")
@pytest.mark.parametrize("redact", [False, True])
def test_copies_are_known_and_what_is_new_hangs_on_them(
    memory: Memory, tmp_path: Path, redact: bool
) -> None:
    """The new session's thread has its own messages, and its first one names what it answers."""
    memory.run(Import(file=file(tmp_path / "first.jsonl", *history("first"))))
    more = line("second", 5, "And behind it?")

    done = memory.run(
        Import(file=file(tmp_path / "second.jsonl", *history("second"), more), redact=redact)
    )

    assert (done.imported, done.skipped, done.failed, done.unlinked) == (1, 4, (), 0)
    first = memory.run(Thread(thread="first")).items
    (new,) = memory.run(Thread(thread="second")).items
    assert [item.text for item in first] == [
        "What is in the shed?", '{"command":"ls shed"}', "a ladder", "A ladder.",
    ]  # fmt: skip
    assert (new.text, new.parent) == ("And behind it?", first[-1].id)


@requirement("importers:claude-code:copies")
def test_copies_beside_each_other_in_one_file_are_taken_in_once(
    memory: Memory, tmp_path: Path
) -> None:
    """Transcripts that were put together, in one commit."""
    together = file(tmp_path / "all.jsonl", *history("first"), *history("second"))

    done = memory.run(Import(file=together))

    assert (done.imported, done.skipped, done.failed) == (4, 4, ())


@requirement("importers:claude-code:copies")
def test_a_copy_that_says_something_else_is_told(memory: Memory, tmp_path: Path) -> None:
    """A uuid is no proof: other words are neither dropped nor put in their place."""
    memory.run(Import(file=file(tmp_path / "first.jsonl", *history("first"))))

    done = memory.run(Import(file=file(tmp_path / "b.jsonl", line("second", 1, "Another thing."))))

    assert [(each.at, each.code) for each in done.failed] == [
        ("line:1 external_id", "external_id_reused")
    ]


@requirement("importers:claude-code:copies")
def test_short_ids_count_within_their_session(memory: Memory, tmp_path: Path) -> None:
    """What is no uuid may mean something else elsewhere."""
    lines = [{**line(session, 1, f"I am {session}."), "uuid": "u1"} for session in ("a", "b")]

    done = memory.run(Import(file=file(tmp_path / "short.jsonl", *lines)))

    assert (done.imported, done.skipped) == (2, 0)


@requirement("importers:claude-code:copies", "erasure:return:told")
def test_a_copy_of_what_was_erased_does_not_bring_it_back(memory: Memory, tmp_path: Path) -> None:
    """It is told, line by line."""
    memory.run(Import(file=file(tmp_path / "first.jsonl", *history("first"))))
    question = memory.run(Thread(thread="first")).items[0]
    erased(memory, event=question.id)

    done = memory.run(Import(file=file(tmp_path / "second.jsonl", *history("second"))))

    assert (done.imported, done.skipped) == (0, 4)
    assert [each.at for each in done.erased_before] == ["line:1"]
