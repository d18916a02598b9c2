"""Every block of code on the pages runs as it stands, and prints what the page says."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.docs import blocks
from tests.docs.blocks import ROOT, RUN
from tests.requirements.marker import requirement

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("examples/*.md")])
RUNNING = [page for page in PAGES if any(b.language in RUN for b in blocks.blocks(page))]


@requirement("faces:pages:run")
@pytest.mark.parametrize("page", RUNNING, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_does_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader who types it gets the same."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    for name, value in blocks.environment(tmp_path).items():
        monkeypatch.setenv(name, value)

    for step in blocks.run(page, tmp_path):
        assert step.good, (
            f"{page.relative_to(ROOT)}:{step.line}: {step.command}\n"
            f"exit code {step.code}, printed:\n{step.printed}\nthe page says:\n{step.wanted}"
        )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_block_says_what_it_is(page: Path) -> None:
    """A block that cannot be run says that it is text, so that none escapes by accident."""
    named = {block.language for block in blocks.blocks(page)}

    assert named <= {*RUN, "json", "text"}


@requirement("faces:pages:run")
def test_the_pages_that_teach_have_something_to_run() -> None:
    """The first page, the tutorial and every how-to."""
    teaching = [ROOT / "README.md", *(ROOT / "docs/tutorial").glob("*.md")]
    teaching += (ROOT / "docs/howto").glob("*.md")

    assert len(teaching) >= 9
    assert [page.name for page in teaching if page not in RUNNING] == []


@pytest.mark.parametrize(
    ("wanted", "printed", "alike"),
    [
        ("ok\n", "ok\n", True),
        ("ok\n", "OK\n", False),
        ("a ... c\n", "a b c\n", True),
        ("a\n...\n", "a\nb\nc\n", True),
        ("at 2026-06-01 10:00\n", "at 2027-02-02 11:11\n", True),
        ("at 2026-01-01 10:00\n", "at 2026-01-02 10:00\n", False),
        ("e1-0000000000000000\n", "e1-8b6904b9c2907980\n", True),
        ("e1-0000000000000000\n", "e2-8b6904b9c2907980\n", False),
        ("", "a line too many\n", False),
    ],
)
def test_what_a_page_says_is_compared(wanted: str, printed: str, alike: bool) -> None:
    """Times and digests by their kind, everything else letter by letter."""
    assert blocks.matches(wanted, printed) == alike
