"""The generated reference is what the code says today."""

from __future__ import annotations

import pytest

from tests.docs.pages import PAGES, ROOT


@pytest.mark.parametrize("name", PAGES)
def test_a_reference_page_is_what_the_code_says(name: str) -> None:
    """A page that lags behind is found before a reader finds it; `make reference` mends it."""
    page = PAGES[name]()

    assert (ROOT / name).read_text(encoding="utf-8") == page
