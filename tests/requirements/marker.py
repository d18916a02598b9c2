"""The mark that ties a test to what it proves."""

from __future__ import annotations

import pytest


def requirement(*ids: str) -> pytest.MarkDecorator:
    """A mark that says: this test proves the requirements with these ids.

    The ids are written out as literals, so that they are found without running anything.
    """
    return pytest.mark.requirement(*ids)
