"""The page about the house shows the house as it stands."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.tidy.source import MODULES, ROOT

PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
GRID = PAGE.partition("\n## The grid\n")[2].partition("\n## ")[0]
FLOORS = sorted({m.floor for m in MODULES if m.place.count("/") > 1})
_NAMED = re.compile(r"`([\w/]+)`")
_PATH = re.compile(r"`((?:[a-z_]+/)+(?:[a-z_]+\.py)?|[a-z_]+\.py)`")


@pytest.mark.parametrize("floor", FLOORS)
def test_the_grid_names_every_file_of_a_floor(floor: str) -> None:
    """Who looks for a file finds its place on the page."""
    row = next(line for line in GRID.splitlines() if line.startswith(f"| `{floor}/` |"))
    files = {
        m.place.split("/", 2)[2].split("/")[0].removesuffix(".py")
        for m in MODULES
        if m.floor == floor and not m.place.endswith(f"{floor}/__init__.py")
    }

    assert {name.removesuffix("/") for name in _NAMED.findall(row.split("|")[3])} == files


def test_each_place_that_is_named_exists() -> None:
    """A file that moved takes its name on the page along."""
    places = {found.rstrip("/") for found in _PATH.findall(PAGE)}
    inside = ROOT / "src/muniment"
    tops = (ROOT, ROOT / "tests", inside, inside / "importers", inside / "operations")

    assert [p for p in sorted(places) if not any((top / p).exists() for top in tops)] == []


def test_each_dependency_has_its_reason() -> None:
    """Whoever wonders why a library is there finds out."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    table = PAGE.partition("\n## Dependencies\n")[2].partition("\n## ")[0]
    named = set(re.findall(r"^\| (\w+) \|", table, re.MULTILINE)) - {"library"}

    assert named == {re.split(r"[<>=\[]", each)[0] for each in project["dependencies"]}
