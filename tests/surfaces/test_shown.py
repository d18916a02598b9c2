"""What a terminal is shown: stored text cannot move its cursor or reorder its lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.requirements.marker import requirement
from tests.surfaces.shell import Shell

MOVING = [*range(0x01, 0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F),
          *range(0x2066, 0x206A)]  # fmt: skip


@requirement("faces:text:visible")
@pytest.mark.parametrize("code", MOVING)
def test_what_moves_a_cursor_is_spelt_out_for_people_and_stored_as_it_is(
    tmp_path: Path, code: int
) -> None:
    """In answers and in errors; a line end and a tab are as they were."""
    shell = Shell(tmp_path / "memory")
    text = f"before{chr(code)}\tbehind\nand below"
    shell("observe", text, "--role", "user")

    shown, stored = shell("show", "e1"), shell.json("show", "e1")
    refused = shell("observe", "x", "--role", f"a{chr(code)}b")

    assert chr(code) not in shown.text + refused.err.decode()
    assert f"{code:02x}" in shown.text
    assert stored["items"][0]["text"] == text


@requirement("faces:text:visible")
def test_the_text_of_a_recall_is_shown_the_same_way(tmp_path: Path) -> None:
    """And its own bytes, in JSON, are what was stored."""
    shell = Shell(tmp_path / "memory")
    shell("observe", "a lamp \x1b[2J\u202ered", "--role", "user")

    assert "a lamp \\x1b[2J\\u202ered" in shell("recall", "lamp").text
    assert "\x1b[2J\u202e" in shell.json("recall", "lamp")["text"]
