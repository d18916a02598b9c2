"""Every code of the source is explained on the page of codes, and no other."""

from __future__ import annotations

import pytest

from tests.docs import codes_page
from tests.requirements.marker import requirement

SAID, USED = codes_page.said(), codes_page.used()


@requirement("faces:pages:codes")
@pytest.mark.parametrize("kind", sorted(SAID))
def test_each_code_is_explained(kind: str) -> None:
    """Whoever meets one finds what it means."""
    assert sorted(USED[kind] - SAID[kind]) == []


@requirement("faces:pages:codes")
@pytest.mark.parametrize("kind", sorted(SAID))
def test_no_code_is_explained_that_never_comes(kind: str) -> None:
    """A page that lists what does not happen misleads."""
    assert sorted(SAID[kind] - USED[kind]) == []
