"""Derived tables: each file holds one subject's tables, what fills them, and their queries."""

from __future__ import annotations

from muniment.projections import binding, experience, receipt, record, state, tag, text, vector
from muniment.store.projector import Projection

PROJECTIONS: tuple[Projection, ...] = (
    experience,
    record,
    binding,
    state,
    tag,
    text,
    receipt,
    vector,
)
