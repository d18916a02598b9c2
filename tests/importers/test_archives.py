"""An export as it was downloaded: what is inside the archive is read, or what to do is said."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from muniment import Import, Memory, errors
from tests.operations.seen import refused, shown
from tests.requirements.marker import requirement
from tests.surfaces.shell import run

EXPORT = Path(__file__).parents[2] / "examples" / "telescope-club.json"
LINE = json.dumps({"role": "user", "text": "The tide is high."})


def archive(path: Path, **files: str | bytes) -> Path:
    """An archive of these files; two underscores stand for a slash, one for a dot."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.mkdir("folder")
        for name, held in files.items():
            made.writestr(name.replace("__", "/").replace("_", "."), held)
    return path


@requirement("importers:archive:read")
@pytest.mark.parametrize("name", ["conversations_json", "export__conversations_json"])
def test_an_export_is_read_from_its_archive(memory: Memory, tmp_path: Path, name: str) -> None:
    """The file of conversations among others; it is known when it is extracted afterwards."""
    held = EXPORT.read_bytes()
    path = archive(
        tmp_path / "export.zip", user_json="{}", chat_html="<p>", **{name: held}
    )  # fmt: skip
    extracted = tmp_path / "conversations.json"
    extracted.write_bytes(held)

    first = memory.run(Import(file=path))
    again = memory.run(Import(file=path))
    after = memory.run(Import(file=extracted))

    assert (first.imported, first.failed) == (80, ())
    assert (again.imported, again.skipped) == (0, 80)
    assert (after.imported, after.skipped) == (0, 80)
    assert shown(memory, "e1").source == "conversations.json"


@requirement("importers:archive:read")
def test_the_only_file_of_an_archive_is_read(memory: Memory, tmp_path: Path) -> None:
    """Whatever its format and name; messages without an id are known by the file's own name."""
    path = archive(tmp_path / "said.zip", said_jsonl=f"{LINE}\n{LINE}\n")
    (tmp_path / "said.jsonl").write_text(f"{LINE}\n{LINE}\n", encoding="utf-8")

    assert memory.run(Import(file=path)).imported == 2
    assert memory.run(Import(file=tmp_path / "said.jsonl")).skipped == 2


@requirement("importers:archive:told")
@pytest.mark.parametrize(("files", "named"), [
    ({"channels_json": "[]", "general__2026-01-01_json": "[]"}, "channels.json"),
    ({"a__conversations_json": "[]", "b__conversations_json": "[]"}, "a/conversations.json"),
    ({"a_txt": "a", "b_txt": "b"}, "a.txt, b.txt"),
])  # fmt: skip
def test_another_archive_says_what_to_extract(
    memory: Memory, tmp_path: Path, files: dict[str, Any], named: str
) -> None:
    """By name, and nothing is taken in."""
    memory.observe("first", role="user")
    path = archive(tmp_path / "export.zip", **files)

    with refused(memory, "unknown_format", at="file"):
        memory.run(Import(file=path))
    with pytest.raises(errors.UnknownFormat) as told:
        memory.run(Import(file=path))
    assert "extract it" in told.value.detail
    assert named in told.value.detail


@requirement("importers:archive:told")
def test_a_damaged_archive_and_one_in_a_pipe_are_bad_input(memory: Memory, tmp_path: Path) -> None:
    """Cut off, changed inside, inside another, or not seekable: a typed error and no crash."""
    memory.observe("first", role="user")
    path = archive(tmp_path / "export.zip", conversations_json=EXPORT.read_bytes())
    held = path.read_bytes()

    (tmp_path / "cut.zip").write_bytes(held[: len(held) // 2])
    with refused(memory, "bad_file", at="file"):
        memory.run(Import(file=tmp_path / "cut.zip"))
    middle = held.index(b"PK\x01\x02") - 20  # before the list of what is in it
    (tmp_path / "flipped.zip").write_bytes(
        held[:middle] + bytes([held[middle] ^ 255]) + held[middle + 1 :]
    )
    done = memory.run(Import(file=tmp_path / "flipped.zip"))
    assert [(each.at, each.code) for each in done.failed] == [("$[3]", "bad_file")]
    nested = archive(tmp_path / "nested.zip", export_zip=held)
    with refused(memory, "unknown_format", at="file"):
        memory.run(Import(file=nested, scope="other"))

    piped = run("--db", str(tmp_path / "piped"), "--json", "import", "-", stdin=held)
    assert (piped.code, piped.error["code"]) == (2, "unknown_format")
    assert "extract it" in piped.error["detail"]


@requirement("importers:empty:told")
@pytest.mark.parametrize("name", ["export.zip", "conversations.json", "said", "folders.zip"])
def test_what_is_empty_is_told_so(memory: Memory, tmp_path: Path, name: str) -> None:
    """A file of no byte, an archive of no file and one of folders: it is the file that is wrong."""
    memory.observe("first", role="user")
    path = tmp_path / name
    path.write_bytes(b"")
    if name.endswith(".zip"):
        with zipfile.ZipFile(path, "w") as made:
            if name == "folders.zip":
                made.mkdir("folder")

    with refused(memory, "unknown_format", at="file"):
        memory.run(Import(file=path))
    with pytest.raises(errors.UnknownFormat) as told:
        memory.run(Import(file=path))

    assert ("is empty" in told.value.detail) is not name.endswith(".zip")
    assert "pipe" not in told.value.detail
