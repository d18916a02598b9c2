"""Intake: what a memory handed over never comes back into it, and nothing is concluded unasked."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from muniment import Import, Memory, Status, Thread
from muniment.model.pack import plain
from muniment.surfaces import plainly
from tests.operations.seen import canary, refused, shown, traces
from tests.requirements.marker import requirement

OWN = ("muniment-recall", "muniment-bridge", "muniment-session", "muniment-strategy")
EARLIER = ("COGMEM_RECALL_CONTEXT", "COGMEM_TURN_BRIDGE", "COGMEM_SESSION_STATE",
           "COGMEM_STRATEGY_CONTEXT")  # fmt: skip


@requirement("intake:blocks:stripped", "intake:blocks:earlier")
@pytest.mark.parametrize("name", OWN + EARLIER)
def test_of_an_own_block_no_byte_is_stored(memory: Memory, directory: Path, name: str) -> None:
    """Seed 2: what was handed over is taken out before anything is written."""
    word = canary(1)

    done = memory.observe(f"Before. <{name}>{word}</{name}> After.", role="user", thread="t")

    assert shown(memory, done.id).text == "Before.  After."
    assert done.stripped == len(f"<{name}>{word}</{name}>")
    assert memory.recall(word).items == ()
    assert traces(directory, word) == []


@requirement("intake:blocks:told")
def test_an_import_says_out_of_how_many_messages_blocks_were_taken(
    memory: Memory, tmp_path: Path
) -> None:
    """Closed, nested, unclosed; what is known, and what holds nothing else, does not count."""
    said = ["a <muniment-recall>X</muniment-recall>", "b <muniment-recall>X <cogmem_y>Y", "plain",
            "<muniment-recall>X</muniment-recall>"]  # fmt: skip
    file = tmp_path / "said.jsonl"
    lines = [{"role": "user", "text": text, "id": text} for text in said]
    file.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))

    first = memory.run(Import(file=file))
    again = memory.run(Import(file=file))

    assert (first.imported, first.stripped_messages) == (3, 2)
    assert [each.code for each in first.failed] == ["only_own_blocks"]
    assert (again.imported, again.skipped, again.stripped_messages) == (0, 3, 0)
    assert "own blocks taken out of 2 messages" in plainly.text("import", plain(first))
    assert "taken out of" not in plainly.text("import", plain(again))


@requirement("intake:blocks:stripped")
@pytest.mark.parametrize(
    ("caption", "left"),
    [
        ("a door <muniment-recall>X</muniment-recall>", "a door"),
        ("<muniment-recall>X", None),
        ("a <b>door</b> ", "a <b>door</b> "),
    ],
)
def test_a_caption_is_a_text_too(memory: Memory, caption: str, left: str | None) -> None:
    """Seed 2: what a picture shows is found and shown like what was said."""
    done = memory.observe("look", role="user", caption=caption)

    assert shown(memory, done.id).caption == left
    assert (done.stripped > 0) is (caption != left)


@requirement("intake:blocks:any-form")
@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a <MUNIMENT-RECALL>X</muniment-recall> b", "a  b"),
        ("a <Muniment-Bridge>X</MUNIMENT-BRIDGE> b", "a  b"),
        ("a <muniment-recall note='n'>X</muniment-recall> b", "a  b"),
        ("a < muniment-recall >X</ muniment-recall > b", "a  b"),
        ("a <muniment-recall\n  note=1>\nX\n</muniment-recall\n> b", "a  b"),
        ("a <muniment-recall>X<muniment-recall>Y</muniment-recall>Z</muniment-recall> b", "a  b"),
        ("a <muniment-recall>X<muniment-bridge>Y</muniment-bridge>Z</muniment-recall> b", "a  b"),
        ("a <muniment-recall>X <cogmem_turn_bridge>Y", "a"),
        ("a <muniment-session>X", "a"),
        ("a </muniment-recall> b", "a  b"),
        ("X<muniment-recall></muniment-recall>Y", "XY"),
        ("a\n```\n<muniment-recall>X</muniment-recall>\n```\nb", "a\n```\n\n```\nb"),
        ("a `<muniment-recall>X</muniment-recall>` b", "a `` b"),
        ("<cogmem_anything_else>X</cogmem_anything_else> b", "b"),
        ("a <muniment-recall>X</muniment-recall></muniment-recall> b", "a  b"),
        ("<muniment-recall>X</muniment-recall>a<muniment-recall>Y</muniment-recall>", "a"),
    ],
)
def test_own_blocks_are_taken_out_in_any_form(memory: Memory, text: str, left: str) -> None:
    """Seed 2: in any case, nested, unclosed to the end of the text, and a closing tag alone."""
    id = memory.observe(text, role="user").id

    assert shown(memory, id).text == left


@requirement("intake:blocks:any-form")
def test_taking_a_block_out_makes_no_new_one(memory: Memory) -> None:
    """What is left holds no own tag, also where one was put together from two pieces."""
    inner = "<muniment-recall>x</muniment-recall>"

    id = memory.observe(f"a <muniment-{inner}recall>b</muniment-{inner}recall> c", role="user").id

    assert "<muniment-recall" not in shown(memory, id).text
    assert "</muniment-recall" not in shown(memory, id).text


@requirement("intake:blocks:rest-untouched")
@pytest.mark.parametrize(
    "text",
    [
        "  <b>bold</b> and 1 < 2 > 0  ",
        "<muniment>not a block</muniment>",
        "<muniment-recaller>neither</muniment-recaller>",
        "<my-muniment-recall>nor this</my-muniment-recall>",
        "<recall>no</recall> <cogmem>no</cogmem>",
        "&lt;muniment-recall&gt; is how it is written",
        "muniment-recall without brackets",
        "<muniment-recall is not finished",
        "<｛muniment-recall｝>",
    ],
)
def test_a_text_without_own_blocks_is_stored_as_it_is(memory: Memory, text: str) -> None:
    """Other tags are somebody's words."""
    done = memory.observe(text, role="user")

    assert shown(memory, done.id).text == text
    assert done.stripped == 0


@requirement("intake:blocks:only")
@pytest.mark.parametrize(
    "text",
    [
        "<muniment-recall>X</muniment-recall>",
        " \n<muniment-recall>X</muniment-recall>\n<COGMEM_TURN_BRIDGE>Y",
        "</muniment-recall>",
        "<muniment-strategy>X",
    ],
)
def test_a_text_of_own_blocks_alone_is_refused(memory: Memory, text: str) -> None:
    """There is nothing in it that anybody said."""
    memory.observe("said", role="user")

    with refused(memory, "only_own_blocks", at="text"):
        memory.observe(text, role="user")


@requirement("intake:blocks:returned")
@pytest.mark.parametrize("wrap", ["{}", "Look:\n{}\nThat is all.", "```\n{}```", "{}{}"])
def test_a_pack_that_is_observed_again_leaves_nothing_of_itself(
    memory: Memory, directory: Path, wrap: str
) -> None:
    """Seed 2, hygiene of the context: a pack is never evidence, however a host hands it back."""
    words = [canary(seed) for seed in range(4)]
    memory.observe(f"{words[0]} </muniment-recall> <muniment-recall> {words[1]}", role="user",
                   actor=f"{words[2]} </muniment-recall>", scope="a")  # fmt: skip
    memory.remember(f"{words[0]} {words[3]}", scope="a", key=f"{words[2]} </muniment-recall>")
    text = memory.recall(words[0], scope="a").text
    assert words[3] in text
    told = wrap.replace("{}", text)

    memory.observe(told + " And mine.", role="user", scope="b")

    left = [path for path in traces(directory, *words) if path.startswith("b-")]
    assert left == []


@requirement("intake:blank")
@pytest.mark.parametrize("text", ["", " ", "\n\r\n\t", "\u2003\u3000\u00a0", "\x0b\x0c\x1c\u2028"])
def test_a_blank_text_is_refused(memory: Memory, text: str) -> None:
    """Nobody said anything."""
    memory.observe("said", role="user")

    with refused(memory, "blank_text", at="text"):
        memory.observe(text, role="user")


@requirement("intake:mode:store-only", "records:decides:no-record-from-words")
@pytest.mark.parametrize("role", ["user", "assistant", "system", "tool", "narrator"])
@pytest.mark.parametrize("mode", [{}, {"mode": "store_only"}])
def test_what_is_said_becomes_experience_and_nothing_else(
    memory: Memory, role: str, mode: dict[str, str]
) -> None:
    """Promise 6: no words become a record, a task or state without a command."""
    said = (
        "Remember: the door code is 5512. TODO: call Mira tomorrow.",
        'remember("x", kind="fact")',
        "/remember the door code",
        "I prefer tea. From now on, always answer in French.",
    )

    for text in said:
        done = memory.observe(text, role=role, thread="t", **mode)
        assert done.mode == "store_only"

    assert memory.run(Status()).counts == {"experience": len(said), "state": 0}
    assert {item.kind for item in memory.recall("door code tea remember").items} == {"event"}
    assert [item.text for item in memory.run(Thread(thread="t")).items] == list(said)
