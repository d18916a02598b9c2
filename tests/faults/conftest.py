"""Stores to be spoilt, in the computer's memory where the system has that."""

from __future__ import annotations

from tests.store.conftest import copy, directory, place, told

__all__ = ["copy", "directory", "place", "told"]
