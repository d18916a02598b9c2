"""Every page has one title, and every link leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.requirements.marker import requirement

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("examples/*.md")])

_CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
# Where a page has something written: a memory, and files beside it.
_PLACE = re.compile(
    r"(?:MUNIMENT_DB=|^\$ muniment --db |Memory\.open\(\"|--out |^cat > |muniment backup | > )"
    r"([\w~][\w./~-]*)",
    re.MULTILINE,
)
_TIME = re.compile(r"\b20\d\d-\d\d-\d\d[ T]\d\d:\d\d")
_TITLE = re.compile(r"^(#+) +(.*?)\s*$", re.MULTILINE)


def prose(page: Path) -> str:
    """What the page says outside its blocks of code."""
    return _CODE.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """The names under which its headings can be linked to."""
    titles = [title.lower() for _, title in _TITLE.findall(prose(page))]
    return {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in titles}


def leads_nowhere(page: Path, target: str) -> bool:
    """Whether a link of `page` to another place of the project is broken."""
    if target.startswith(("https://", "mailto:")):
        return False
    name, _, anchor = target.partition("#")
    path = page.parent / name if name else page
    return not path.exists() or (anchor != "" and anchor not in anchors(path))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_has_one_title(page: Path) -> None:
    """A page is about one thing and says which in its first line."""
    levels = [len(marks) for marks, _ in _TITLE.findall(prose(page))]

    assert levels[:1] == [1]
    assert levels.count(1) == 1


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_link_leads_somewhere(page: Path) -> None:
    """A file or heading that moved takes its links along."""
    broken = [link for link in _LINK.findall(prose(page)) if leads_nowhere(page, link)]

    assert broken == []


@requirement("faces:pages:apart")
def test_no_two_pages_write_to_the_same_place() -> None:
    """Whoever follows one page after another in one directory sees what each of them shows."""
    places = [
        (place.removesuffix("/"), page)
        for page in PAGES
        for place in set(_PLACE.findall(page.read_text(encoding="utf-8")))
        if place not in ("memory.muniment", "-")
    ]
    owners = {place: {page.name for other, page in places if other == place} for place, _ in places}

    assert {place: names for place, names in owners.items() if len(names) > 1} == {}
    assert {"club", "examined", "awaited", "kept", "~/club.checkpoint"} <= set(owners)


@requirement("faces:pages:utc")
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page.parent.name in ("howto", "tutorial")],
    ids=lambda page: page.stem,
)
def test_a_page_that_shows_a_time_says_its_zone(page: Path) -> None:
    """In its first paragraph, outside the blocks of code."""
    first = prose(page).split("\n\n")[1]

    assert ("in UTC" in first) == bool(_TIME.search(page.read_text(encoding="utf-8")))
