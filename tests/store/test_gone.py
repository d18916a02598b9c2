"""Files of other scopes that are broken, and files that go while they are in use."""

from __future__ import annotations

from pathlib import Path

import pytest

from muniment import Memory
from muniment.errors import BrokenFile, NotAStore, NotFound
from muniment.store import scrub
from tests.requirements.marker import requirement
from tests.store.files import only_file

BROKEN = {
    "empty": b"",
    "garbage": b"garbage" * 1_000,
    "header": b"SQLite format 3\0" + bytes(5_000),
}


@requirement("ledger:files:contained")
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_of_an_erased_scope_denies_no_other_name(directory: Path, name: str) -> None:
    """It may be any scope's: a new one is made, one that is not there is not found."""
    directory.mkdir()
    (directory / "erased-00000000.muniment").write_bytes(BROKEN[name])

    with Memory.open(directory) as memory:
        with pytest.raises(NotFound):
            memory.recall("word", scope="other")
        memory.observe("word", role="user", scope="new")

        assert [item.text for item in memory.recall("word", scope="new").items] == ["word"]
        with pytest.raises(NotFound):
            memory.recall("word", scope="other")


@requirement("ledger:files:contained")
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_under_the_own_name_of_a_scope_says_so(directory: Path, name: str) -> None:
    """It is not taken for one that is not there."""
    with Memory.open(directory) as memory:
        memory.observe("word", role="user", scope="own")
    only_file(directory).write_bytes(BROKEN[name])

    with Memory.open(directory) as memory, pytest.raises((NotAStore, BrokenFile)):
        memory.observe("again", role="user", scope="own")


@requirement("ledger:files:contained")
def test_a_file_that_goes_between_finding_and_opening_is_not_found(directory: Path) -> None:
    """Whoever reads and whoever writes is told the same, and tidying up there is nothing."""
    with Memory.open(directory) as memory:
        memory.observe("word", role="user")
    path = only_file(directory)
    with Memory.open(directory) as memory:
        store = memory._context.store  # noqa: SLF001 - nothing above it can be stopped in between
        path.unlink()

        with pytest.raises(NotFound), store.read(path):
            pass
        with pytest.raises(NotFound), store.write(path):
            pass
        assert not scrub.alone(path)
        assert not store.forget_name(path, remove=True)
