"""What Muniment must do, as data: one file an area, one entry a behaviour.

Each requirement is proved by at least one test that is marked with its id, or says since when
and why it waits.  `test_coverage.py` holds both directions.
"""

from __future__ import annotations

from tests.requirements import (
    contextual,
    erasure,
    exchange,
    experience,
    faces,
    importers,
    intake,
    ledger,
    recall,
    receipts,
    records,
    vectors,
)
from tests.requirements.requirement import Requirement

__all__ = ["ALL", "Requirement"]

ALL: tuple[Requirement, ...] = (
    *ledger.REQUIREMENTS,
    *experience.REQUIREMENTS,
    *intake.REQUIREMENTS,
    *importers.REQUIREMENTS,
    *records.REQUIREMENTS,
    *recall.REQUIREMENTS,
    *contextual.REQUIREMENTS,
    *vectors.REQUIREMENTS,
    *receipts.REQUIREMENTS,
    *erasure.REQUIREMENTS,
    *exchange.REQUIREMENTS,
    *faces.REQUIREMENTS,
)
