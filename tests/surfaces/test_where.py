"""Which store and which scope a command speaks of, and that reading makes nothing."""

from __future__ import annotations

import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from muniment import Memory, errors
from tests.requirements.marker import requirement
from tests.surfaces.shell import Shell, environment, process, run

READING = (
    ("recall", "x"),
    ("why", "e1", "x"),
    ("why-not", "e1", "x"),
    ("show", "e1"),
    ("history", "k"),
    ("thread", "t"),
    ("context", "e1"),
    ("state", "get", "k"),
    ("state", "history", "k"),
    ("verify",),
    ("verify", "--all"),
    ("status",),
    ("checkpoint",),
    ("rebuild",),
    ("migrate",),
    ("erase", "--all"),
    ("retract", "r1"),
)


@requirement("faces:cli:where")
def test_the_flag_counts_more_than_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Store and scope alike."""
    monkeypatch.setenv("MUNIMENT_DB", str(tmp_path / "one"))
    monkeypatch.setenv("MUNIMENT_SCOPE", "home")

    run("observe", "x", "--role", "user")
    run("--db", str(tmp_path / "two"), "observe", "x", "--role", "user", "--scope", "work")

    assert [path.name.partition("-")[0] for path in (tmp_path / "one").glob("*.muniment")] == [
        "home"
    ]
    assert [path.name.partition("-")[0] for path in (tmp_path / "two").glob("*.muniment")] == [
        "work"
    ]


@requirement("faces:cli:where")
def test_without_either_it_is_the_data_directory_and_default(tmp_path: Path) -> None:
    """The platform says where, and the scope is called `default`; an empty variable is none."""
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data")}

    seen = process(
        "observe", "x", "--role", "user", env=home | {"MUNIMENT_DB": "", "MUNIMENT_SCOPE": ""}
    )
    shown = process("status", "--json", env=home)

    assert seen.code == 0
    assert shown.json["name"] == "default"
    assert list(tmp_path.rglob("muniment/default-*.muniment"))


@requirement("faces:where:home")
def test_a_tilde_that_no_shell_has_seen_is_the_home_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the variable that a host sets from JSON, as a flag, in Python; elsewhere it is a name."""
    home, here = tmp_path / "home", tmp_path / "here"
    home.mkdir()
    here.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(here)

    monkeypatch.setenv("MUNIMENT_DB", "~/of a host")
    assert run("observe", "x", "--role", "user").code == 0
    assert run("--db", "~/one.muniment", "observe", "x", "--role", "user").code == 0
    with Memory.open("~/in python") as memory:
        memory.observe("x", role="user")
    assert run("--db", "./~/a", "observe", "x", "--role", "user").code == 0
    assert run("--db", "~nobody", "observe", "x", "--role", "user").code == 0

    made = {path.name for path in home.iterdir() if not path.name.endswith("-lock")}
    assert made == {"of a host", "one.muniment", "in python"}
    assert {path.name for path in here.iterdir()} == {"~", "~nobody"}


@requirement("faces:where:home")
def test_there_is_no_memory_outside_of_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What SQLite takes for a database in memory would have been a directory of that name."""
    monkeypatch.chdir(tmp_path)

    refused = run("--json", "--db", ":memory:", "observe", "x", "--role", "user")
    with pytest.raises(errors.BadShape) as wrong:
        Memory.open(":memory:")

    assert (refused.code, refused.error["code"], refused.error["at"]) == (2, "bad_shape", "--db")
    assert (wrong.value.code, wrong.value.at) == ("bad_shape", "path")
    assert list(tmp_path.iterdir()) == []


@requirement("faces:cli:where")
def test_one_scopes_file_is_that_scope(shell: Shell) -> None:
    """`--db FILE` needs no scope, takes its own, and refuses another's."""
    shell.json("observe", "x", "--role", "user", "--scope", "home")
    (file,) = shell.db.glob("*.muniment")
    alone = Shell(file)

    assert alone.json("status")["name"] == "home"
    assert alone.json("status", "--scope", "home")["name"] == "home"
    assert alone.error("status", "--scope", "work", code=1)["code"] == "not_found"


@requirement("faces:read:creates-nothing")
@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_where_nothing_is_nothing_is_made(shell: Shell, words: tuple[str, ...]) -> None:
    """Neither a directory nor a file; and the answer is `not_found`."""
    assert shell.error(*words, code=1)["code"] == "not_found"
    assert not shell.db.exists()


@requirement("faces:read:creates-nothing")
def test_reading_leaves_the_directory_as_it_was(club: Shell) -> None:
    """Not a byte, not a file, not a time of change."""
    before = photographed(club.db)

    for words in READING[:12]:
        assert club("--json", *words).code in (0, 1)

    assert photographed(club.db) == before


def photographed(directory: Path) -> dict[str, tuple[bytes, int, int]]:
    """Every file of a directory with its bytes, its mode and when it changed."""
    return {
        path.name: (path.read_bytes(), path.stat().st_mode, path.stat().st_mtime_ns)
        for path in directory.iterdir()
    }


def test_a_store_is_its_owners_alone(shell: Shell) -> None:
    """Directories are made 0700 and files 0600."""
    shell.json("observe", "x", "--role", "user")

    assert stat.S_IMODE(shell.db.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in shell.db.iterdir()} == {0o600}


READER = """
import os, stat, sys
from pathlib import Path
from tests.surfaces.shell import Shell

directory = Path(sys.argv[1])
shell = Shell(directory)
words = [("recall", "door"), ("show", "e1"), ("thread", "t"), ("verify",), ("status",)]
before = [shell.json(*each) for each in words]  # loads what is loaded on first use
for path in (*directory.iterdir(), directory):
    path.chmod(path.stat().st_mode & ~0o222 | 0o055)
    os.chown(path, os.getuid(), -1)
closed = directory.parent / "closed"
closed.mkdir(mode=0)
if os.getuid() == 0:
    os.setuid(65534)
assert not os.access(directory, os.W_OK)
for each, answer in zip(words, before, strict=True):
    assert shell.json(*each) == answer
assert shell.error("observe", "x", "--role", "user", code=1)["code"] == "read_only"
for place in (closed, closed / "below"):
    for each in (("status",), ("verify", "--all"), ("observe", "x", "--role", "user")):
        assert Shell(place).error(*each, code=1)["code"] == "cannot_open"
"""


@requirement("faces:read:read-only-place")
def test_a_store_that_cannot_be_written_is_read(club: Shell) -> None:
    """A file without a log, in a directory that may not be written, by a user who may not.

    And one that may not even be looked into is told so.
    """
    # The directories above a test's own are closed to other users, and root may write anywhere.
    with tempfile.TemporaryDirectory() as directory:
        place = shutil.copytree(club.db, Path(directory) / "club")
        Path(directory).chmod(0o755)

        done = subprocess.run(
            [sys.executable, "-c", READER, str(place)],
            capture_output=True,
            env=environment(),
            cwd=Path(__file__).parents[2],
            check=False,
        )
        Path(place).chmod(0o700)

    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.parametrize("name", ["x" * 300, "a file/below", "\udcff"])
def test_a_place_that_cannot_be_is_no_traceback(tmp_path: Path, name: str) -> None:
    """Too long, below a file, or not UTF-8."""
    (tmp_path / "a file").write_text("x", encoding="utf-8")

    answer = run("--json", "--db", str(tmp_path / name), "status")

    assert answer.code == 1
    assert answer.error["family"] in ("unavailable", "not_found")


def test_a_file_of_somebody_else_is_no_store(tmp_path: Path) -> None:
    """It is refused and left as it was."""
    other = tmp_path / "letter.txt"
    other.write_text("Dear Sir or Madam", encoding="utf-8")

    reading = run("--json", "--db", str(other), "status")
    writing = run("--json", "--db", str(other), "observe", "x", "--role", "user")

    assert reading.error["code"] == writing.error["code"] == "not_a_store"
    assert other.read_text(encoding="utf-8") == "Dear Sir or Madam"
