"""The generated reference is what the code says today."""

from __future__ import annotations

import re

import pytest

import muniment
from muniment.importers import IMPORTERS
from tests.docs import python_page
from tests.docs.pages import PAGES, ROOT
from tests.requirements.marker import requirement


@requirement("faces:table:reference")
@pytest.mark.parametrize("name", PAGES)
def test_a_reference_page_is_what_the_code_says(name: str) -> None:
    """A page that lags behind is found before a reader finds it; `make reference` mends it."""
    page = PAGES[name]()

    assert (ROOT / name).read_text(encoding="utf-8") == page


def test_each_public_name_is_on_the_page_of_python() -> None:
    """What can be imported is explained."""
    page = PAGES["docs/reference/python.md"]()

    assert python_page.listed() == set(muniment.__all__)
    assert [name for name in muniment.__all__ if name not in page] == []


def test_each_format_is_on_the_page_about_importing() -> None:
    """Whoever has a file finds out whether it can be read, and nothing is promised besides."""
    page = (ROOT / "docs/howto/import-conversations.md").read_text(encoding="utf-8")
    table = page.partition("| `--format` |")[2].partition("\n\n")[0]

    named = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert sorted(named) == sorted(importer.NAME for importer in IMPORTERS)
