"""What the tests of the faces share: a shell on an empty directory, and one on the example."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.surfaces.shell import EXPORT, Shell


@pytest.fixture(autouse=True)
def _nothing_from_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No store, scope or working directory of whoever runs the tests."""
    monkeypatch.delenv("MUNIMENT_DB", raising=False)
    monkeypatch.delenv("MUNIMENT_SCOPE", raising=False)
    monkeypatch.delenv("MUNIMENT_EMBEDDER", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """Commands on a directory that is not there yet."""
    return Shell(tmp_path / "memory")


@pytest.fixture(scope="session")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the example in its scope `default`; nobody writes to it."""
    directory = tmp_path_factory.mktemp("club") / "memory"
    Shell(directory).json("import", str(EXPORT), "--now", "2026-06-01T00:00:00Z")
    return directory


@pytest.fixture
def club(imported: Path, tmp_path: Path) -> Shell:
    """Commands on a copy of the example."""
    return Shell(Path(shutil.copytree(imported, tmp_path / "club")))
