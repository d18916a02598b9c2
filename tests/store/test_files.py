"""Files: one a scope, for their owner alone; what is no store, newer or in use is left as it is."""

from __future__ import annotations

import fcntl
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from muniment import Erase, Memory, Observe, Recall, Show, Status
from muniment.errors import (
    CannotOpen,
    Closed,
    FileNewer,
    Locked,
    MunimentError,
    NotAStore,
    NotFound,
    Unavailable,
)
from tests.requirements.marker import requirement
from tests.store.files import bytes_of, change, listing, only_file, opened, rows


@requirement("ledger:file:one-a-scope")
def test_each_scope_is_a_file_of_its_own(memory: Memory, directory: Path) -> None:
    """Nothing of one scope stands in the file of another, not even its name."""
    for name in ("Alpha", "Beta"):
        memory.observe(f"secretof{name}", role="user", scope=name)
        memory.remember(f"held by {name}", key="k", scope=name)
    memory.close()

    found = {
        path.name.partition("-")[0]: path.read_bytes() for path in directory.glob("*.muniment")
    }

    assert set(found) == {"alpha", "beta"}
    assert b"secretofAlpha" in found["alpha"]
    assert b"Alpha" not in found["beta"]
    assert b"Beta" not in found["alpha"]


@requirement("ledger:file:one-a-scope")
@pytest.mark.parametrize("names", [("a b", "A-B"), ("!", "?"), ("Ä", "ä"), ("x" * 60, "x" * 61)])
def test_scopes_whose_file_names_look_alike_are_kept_apart(
    memory: Memory, directory: Path, names: tuple[str, str]
) -> None:
    """The digits tell them apart where the readable part does not."""
    for name in names:
        memory.observe(f"in {name}", role="user", scope=name)

    assert len(list(directory.glob("*.muniment"))) == 2
    for name in names:
        assert memory.run(Status(scope=name)).name == name
        assert [i.text for i in memory.recall("in", scope=name, policy="recent").items] == [
            f"in {name}"
        ]


@requirement("ledger:file:one-a-scope")
def test_a_name_whose_digits_are_taken_gets_others(memory: Memory, directory: Path) -> None:
    """Another scope's file under the very name: the next digits of the hash are used."""
    memory.observe("first", role="user", scope="one")
    taken = only_file(directory)
    memory.close()
    with Memory.open(directory / "elsewhere") as other:
        other.observe("other", role="user", scope="other")
    only_file(directory / "elsewhere").replace(taken)

    with Memory.open(directory) as again:
        again.observe("second", role="user", scope="one")

        assert [i.text for i in again.recall("x", scope="one", policy="recent").items] == ["second"]
    assert rows(taken, "SELECT name FROM scope") == [("other",)]
    assert len(list(directory.glob("one-*.muniment"))) == 2


@requirement("ledger:file:one-a-scope")
def test_one_file_opens_alone_and_only_as_its_own_scope(memory: Memory, directory: Path) -> None:
    """With its name or without; another name is not found, and makes nothing."""
    memory.observe("first", role="user", scope="one")
    path = only_file(directory)

    with Memory.open(path) as alone:
        alone.observe("second", role="user")
        alone.observe("third", role="user", scope="one")
        with pytest.raises(NotFound):
            alone.recall("x", scope="two")
        with pytest.raises(NotFound):
            alone.observe("x", role="user", scope="two")
        assert alone.run(Status()).seq == 3
    assert [each.name for each in directory.glob("*.muniment")] == [path.name]


@requirement("ledger:file:modes")
def test_directories_and_files_are_for_their_owner_alone(place: Path) -> None:
    """Whatever the process's mask allows others."""
    before = os.umask(0)
    try:
        with Memory.open(place / "some" / "memory") as memory:
            memory.observe("first", role="user")
            while_open = {path: path.stat().st_mode for path in (place / "some").rglob("*")}
    finally:
        os.umask(before)

    for path, mode in while_open.items():
        assert stat.S_IMODE(mode) == (0o700 if path.is_dir() else 0o600), path


NOT_STORES: dict[str, Callable[[Path], object]] = {
    "text": lambda path: path.write_text("no store at all\n" * 400),
    "short text": lambda path: path.write_text("no"),
    "noise": lambda path: path.write_bytes(bytes(range(7, 256)) * 99),
    "empty": lambda path: path.touch(),
    "another database": lambda path: make_another(path),  # noqa: PLW0108 - it stands below
}


def make_another(path: Path) -> None:
    """A database of another program."""
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE scope (number INTEGER, name TEXT)")
    connection.close()


REQUESTS = (Observe(text="x", role="user"), Recall(query="x"), Show(id="e1"), Erase(all=True))


@requirement("ledger:file:refused")
@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: type(request).__name__)
@pytest.mark.parametrize("kind", NOT_STORES)
def test_a_file_that_is_no_store_is_refused_and_not_changed(
    place: Path, kind: str, request_: Observe
) -> None:
    """Named as one, and opened alone: reading and writing alike say so and touch nothing."""
    path = place / "mine.muniment"
    NOT_STORES[kind](path)
    before = listing(place)

    with Memory.open(path) as memory, pytest.raises(NotAStore):
        memory.run(request_)

    after = {name: found for name, found in listing(place).items() if not name.endswith("-lock")}
    assert after == before


@requirement("ledger:file:refused")
@pytest.mark.parametrize("name", ["notes.txt", "mine.muniment"])
def test_a_path_that_is_another_kind_of_thing_is_refused(place: Path, name: str) -> None:
    """A file where the directory should be; a directory where the scope's file should be."""
    if name == "notes.txt":
        (place / name).write_text("my notes")
        with Memory.open(place / name) as memory, pytest.raises(NotAStore):
            memory.observe("x", role="user")
        with Memory.open(place / name / "below") as memory, pytest.raises(Unavailable):
            memory.observe("x", role="user")
        assert (place / name).read_text() == "my notes"
    else:
        with Memory.open(place) as memory:
            memory.observe("x", role="user", scope="mine")
        path = only_file(place)
        path.unlink()
        path.mkdir()
        with Memory.open(place) as memory, pytest.raises(CannotOpen):
            memory.observe("x", role="user", scope="mine")


@requirement("ledger:file:refused")
@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: type(request).__name__)
def test_a_file_of_a_newer_program_is_refused_and_not_changed(
    copy: Path, request_: Observe
) -> None:
    """The number of its tables is higher than this program knows."""
    change(copy, "PRAGMA user_version = 99")
    before = listing(copy.parent)

    with Memory.open(copy) as memory, pytest.raises(FileNewer):
        memory.run(request_)

    after = listing(copy.parent)
    assert {name: after[name] for name in before} == before


def test_a_scope_that_is_not_there_is_not_found_and_not_made(place: Path) -> None:
    """A question about nothing leaves nothing behind."""
    for path in (place / "no", place / "no.muniment", place):
        with Memory.open(path) as memory, pytest.raises(NotFound):
            memory.recall("x")

    assert list(place.iterdir()) == []


def test_a_closed_memory_says_so(memory: Memory) -> None:
    """Closing twice is nothing; using it afterwards is an error with a code."""
    memory.observe("x", role="user")
    memory.close()
    memory.close()

    with pytest.raises(Closed):
        memory.recall("x")


HOLDING = """
import sys, apsw
connection = apsw.Connection(sys.argv[1])
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.readline()
"""


def test_a_writer_that_waits_too_long_says_locked_and_writes_nothing(
    memory: Memory, directory: Path
) -> None:
    """Another process is in the middle of a transaction; afterwards the same memory goes on."""
    memory.observe("first", role="user")
    before = bytes_of(directory)
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(only_file(directory))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with holder, Memory.open(directory, wait_ms=20) as hurried:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"

        with pytest.raises(Locked):
            hurried.observe("second", role="user")

        assert hurried.recall("first").items
        assert hurried.verify().ok
        holder.communicate("\n")
        assert b"second" not in before + bytes_of(directory)
        assert hurried.observe("second", role="user").seq == 2


def test_a_writer_waits_for_the_lock_of_another(memory: Memory, directory: Path) -> None:
    """Long enough, and it writes; not long enough, and it says locked."""
    memory.observe("first", role="user")
    lock = os.open(f"{only_file(directory)}-lock", os.O_RDWR)
    fcntl.flock(lock, fcntl.LOCK_EX)
    with Memory.open(directory, wait_ms=20) as hurried, pytest.raises(Locked):
        hurried.observe("second", role="user")

    written: list[int] = []
    patient = threading.Thread(
        target=lambda: written.append(memory.observe("third", role="user").seq)
    )
    patient.start()
    os.close(lock)
    patient.join()

    assert written == [2]


def test_a_single_wrong_page_makes_an_answer_or_an_error_but_never_a_crash(copy: Path) -> None:
    """Each page in turn is noise: what an operation raises is one of ours."""
    with opened(copy) as connection:
        # A page that no table uses says nothing, whatever is in it.
        pages = [page for (page,) in connection.execute("SELECT pageno FROM dbstat ORDER BY 1")]
    sound = copy.read_bytes()
    for page in pages[1:]:
        spoilt = bytearray(sound)
        spoilt[(page - 1) * 4096 : page * 4096] = bytes(range(256)) * 16
        copy.write_bytes(spoilt)
        for request in (Recall(query="telescope"), Show(id="e2"), Observe(text="x", role="user")):
            with Memory.open(copy) as memory:
                try:
                    memory.run(request)
                except MunimentError as error:
                    assert error.family in ("corrupt", "unavailable", "not_found"), page
        with Memory.open(copy) as memory:
            assert not memory.verify().ok, page
        for beside in copy.parent.glob(f"{copy.name}-*"):
            beside.unlink()


@requirement("ledger:file:whole")
@pytest.mark.parametrize(
    "write",
    [
        lambda memory: memory.remember("lost", sources=["e9"]),
        lambda memory: memory.remember("lost", expect_head="0" * 64),
        lambda memory: memory.observe("lost", role="user", reply_to="e1"),
    ],
)
def test_a_first_write_that_is_refused_leaves_no_file(
    memory: Memory, directory: Path, write: Callable[[Memory], object]
) -> None:
    """A scope begins with something that was accepted."""
    with pytest.raises(MunimentError):
        write(memory)

    assert [path.name for path in directory.glob("*.muniment")] == []
    memory.observe("first", role="user")
    assert memory.run(Status()).seq == 1
