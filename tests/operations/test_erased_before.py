"""What comes again under the id of something erased: never taken in, and never without a word."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from muniment import Import, Memory, Remember, StateGet, StateHistory, StateSetTo, errors
from muniment.model.experience import Imported
from tests.operations.seen import erased, found, shown
from tests.requirements.marker import requirement
from tests.surfaces.shell import Shell

SAID = ("The tide is high.", "The code is 5512.", "The boat is blue.")


def told(file: Path, said: Sequence[str], *, ids: bool = True) -> Import:
    """An import of a file with these messages, a line each, with ids by their place or without."""
    lines = [
        {"role": "user", "text": text, "at": 1} | ({"id": f"m{at}"} if ids else {})
        for at, text in enumerate(said)
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return Import(file=file, label="said")


def counted(done: Imported) -> tuple[int, int, int]:
    """Taken in, known, failed."""
    return done.imported, done.skipped, len(done.failed)


@requirement("erasure:return:told")
@pytest.mark.parametrize("ids", [True, False])
def test_the_same_file_says_which_of_its_lines_were_erased(
    memory: Memory, tmp_path: Path, *, ids: bool
) -> None:
    """They are known, by an id of their own or by their words, and do not come back."""
    request = told(tmp_path / "said.jsonl", SAID, ids=ids)
    assert memory.run(request).erased_before == ()
    gone = found(memory, "code")[0]
    erased(memory, event=gone)

    again = memory.run(request)

    assert counted(again) == (0, 3, 0)
    assert [(each.at, each.id) for each in again.erased_before] == [("line:2", gone)]
    assert found(memory, "code") == []


@requirement("erasure:return:told")
def test_other_words_under_an_erased_id_are_told_line_by_line(
    memory: Memory, tmp_path: Path
) -> None:
    """What was erased is not compared; the line is named, and everything else is as ever."""
    memory.run(told(tmp_path / "said.jsonl", SAID))
    gone = found(memory, "code")[0]
    erased(memory, event=gone)

    done = memory.run(told(tmp_path / "said.jsonl", [*("Other." for _ in SAID), "New."]))

    assert counted(done) == (1, 1, 2)
    assert [(each.at, each.code) for each in done.failed] == [
        ("line:1 external_id", "external_id_reused"), ("line:3 external_id", "external_id_reused"),
    ]  # fmt: skip
    assert [(each.at, each.id) for each in done.erased_before] == [("line:2", gone)]
    assert found(memory, "other") == []
    assert shown(memory, gone).standing == "erased"


@requirement("erasure:return:told")
def test_after_everything_was_erased_every_line_is_told(memory: Memory, tmp_path: Path) -> None:
    """Also a line that comes twice in the file."""
    request = told(tmp_path / "said.jsonl", SAID)
    memory.run(request)
    erased(memory, all=True)

    with (tmp_path / "said.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps({"role": "user", "text": "Again.", "at": 1, "id": "m0"}) + "\n")
    done = memory.run(request)

    assert counted(done) == (0, 4, 0)
    assert [each.at for each in done.erased_before] == ["line:1", "line:2", "line:3", "line:4"]


@requirement("erasure:return:told")
def test_a_repeated_command_says_that_what_it_wrote_is_erased(memory: Memory) -> None:
    """The key alone recognises it; its words are not compared, and not kept."""
    first = memory.remember("The code is 5512.", command_key="c")
    assert memory.remember("The code is 5512.", command_key="c").erased is False
    with pytest.raises(errors.CommandKeyReused):
        memory.remember("Other words.", command_key="c")
    memory.run(StateSetTo(key="code", value="5512", command_key="d"))
    (value,) = memory.run(StateHistory(key="code")).items
    for id in (first.id, value.id):
        erased(memory, record=id)

    again = memory.run(Remember(text="Other words.", command_key="c"))
    put = memory.run(StateSetTo(key="code", value="7731", command_key="d"))

    assert (again.id, again.known, again.erased) == (first.id, True, True)
    assert (put.known, put.seq, memory.run(StateGet(key="code")).seq) == (True, None, None)


@requirement("erasure:return:told")
def test_people_read_it_too(tmp_path: Path) -> None:
    """In the summary and line by line; and where one message is said again."""
    shell = Shell(tmp_path / "memory")
    told(tmp_path / "said.jsonl", SAID)
    words = ("import", str(tmp_path / "said.jsonl"))
    assert shell(*words).out == b"3 imported, 0 known, 0 failed\n"
    plan = shell.json("erase", "--event", "e2")
    shell("erase", "--event", "e2", "--confirm", str(plan["token"]))

    again = shell(*words)

    assert again.out.decode().splitlines() == [
        "0 imported, 3 known, 0 failed, 1 of the known erased before",
        "line:2: e2 was erased; nothing was taken in (erased_before)",
    ]
