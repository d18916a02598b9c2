"""Pages that no table has: each is accounted for, in every file that the program leaves."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from muniment import Memory, Rebuild
from muniment.store import pages
from tests.requirements.marker import requirement
from tests.store.files import change, flip, only_file, rows

PAGE = 4_096
COUNT, TRUNK, FREE = 28, 32, 36  # where the file's header says these
GOLDEN = sorted((Path(__file__).parent.parent / "golden").glob("format-*/*.muniment"))


def written(directory: Path) -> Path:
    """A scope's file."""
    with Memory.open(directory) as memory:
        memory.observe("Apples are red.", role="user")
        memory.observe("Pears are green.", role="user")
    return only_file(directory)


def erased(directory: Path) -> Path:
    """A scope's file after an erasure, which writes it anew."""
    path = written(directory)
    with Memory.open(path) as memory:
        id = memory.recall("apples").items[0].id
        memory.erase(event=id, confirm=memory.erase(event=id).token)
    return path


def emptied(path: Path, pages: int = 40) -> Path:
    """The file with so many free pages, and one trunk that lists them."""
    change(path, "CREATE TABLE other (a)")
    change(path, "INSERT INTO other VALUES (zeroblob(?))", (pages * PAGE,))
    change(path, "DROP TABLE other")
    assert rows(path, "PRAGMA freelist_count")[0][0] >= pages
    return path


MAKERS: dict[str, Callable[[Path], Path]] = {
    "written": written,
    "erased": erased,
    "written and emptied": lambda directory: emptied(written(directory)),
    "erased and emptied": lambda directory: emptied(erased(directory)),
}


@pytest.fixture(params=MAKERS)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file with and without an erasure, with and without free pages."""
    return MAKERS[request.param](tmp_path / "memory")


def malformed(path: Path) -> bool:
    """Whether a full check finds the file itself malformed."""
    with Memory.open(path) as memory:
        return "file_malformed" in {fault.code for fault in memory.verify().faults}


@requirement("ledger:verify:free-pages", "ledger:verify:clean")
def test_every_page_of_a_true_file_is_accounted_for(path: Path) -> None:
    """With a log beside it and without, and after a rebuild."""
    assert not malformed(path)
    with Memory.open(path) as memory:
        memory.observe("Quinces are hard. " * 500, role="user")
        memory.run(Rebuild())
        assert memory.verify().ok
        memory.observe("Plums are late.", role="user")
    assert not malformed(path)


@requirement("ledger:verify:free-pages", "ledger:verify:clean")
@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden.name)
@pytest.mark.parametrize("how", ["as it is", "VACUUM"])
def test_every_page_of_a_golden_file_is_accounted_for(
    golden: Path, tmp_path: Path, how: str
) -> None:
    """As it was written, and written anew by the engine."""
    path = tmp_path / golden.name
    shutil.copyfile(golden, path)
    if how == "VACUUM":
        change(path, how)

    assert not malformed(path)


@requirement("ledger:verify:free-pages")
@pytest.mark.parametrize("at", [COUNT, TRUNK, FREE])
def test_any_byte_of_what_the_header_says_of_pages_is_found(path: Path, at: int) -> None:
    """How many there are, where the list of the free ones begins, and how many those are."""
    for offset in range(at, at + 4):
        flip(path, offset)
        assert malformed(path), offset
        flip(path, offset)
    assert not malformed(path)


@requirement("ledger:verify:free-pages")
def test_pages_behind_the_last_are_found(path: Path) -> None:
    """Words that no table has, in a file that says how long it is."""
    with path.open("r+b") as file:
        size = file.seek(0, 2)
        file.write(b"SMUGGLED" * (PAGE // 8))
        file.seek(COUNT)
        file.write((size // PAGE + 1).to_bytes(4))

    assert malformed(path)


@requirement("ledger:verify:free-pages")
def test_a_page_that_is_free_and_in_use_is_found(tmp_path: Path) -> None:
    """The number of pages is right: one is listed as free in the place of another."""
    path = emptied(erased(tmp_path / "memory"))
    (used,) = rows(path, "SELECT max(pageno) FROM dbstat WHERE name = 'commits'")[0]
    with path.open("r+b") as file:
        file.seek(TRUNK)
        trunk = int.from_bytes(file.read(4))
        file.seek((trunk - 1) * PAGE + 8)
        file.write(used.to_bytes(4))

    assert malformed(path)


@requirement("ledger:verify:free-pages")
@pytest.mark.parametrize(("more", "own"), [(0, 0), (1, 1), (2, 1)])
def test_the_page_that_the_engine_locks_by_is_of_no_table(more: int, own: int) -> None:
    """It holds the byte at one gigabyte, in a file that is longer than that."""
    count = (1 << 30) // PAGE + more

    assert pages.unaccounted(PAGE, count, count - own) == 0
    assert pages.unaccounted(PAGE, count, count - own - 1) == 1


@requirement("ledger:verify:free-pages")
def test_an_engine_that_cannot_list_pages_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that is tested with can, else none of this would be looked at."""
    path = written(tmp_path / "memory")
    with Memory.open(path) as memory:
        able = memory.verify()
        monkeypatch.setattr(pages, "countable", lambda: False)
        unable = memory.verify()

    assert not any("pages" in each for each in able.not_checked)
    assert any("pages" in each for each in unable.not_checked)
    assert unable.ok
