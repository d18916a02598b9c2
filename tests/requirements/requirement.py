"""What one requirement says."""

from __future__ import annotations

from typing import Literal

import msgspec


class Requirement(msgspec.Struct, frozen=True, kw_only=True):
    """One behaviour that can be seen from outside.

    `row` names what it belongs to: A1-A16 durable notes and bounded recall, B1-B31 from
    experience to governed knowledge, C1-C13 contextual recall and appraisal, P1-P9 the nine
    promises of the README.
    """

    id: str  # <area>:<feature>[:<variant>]
    row: str
    source: Literal["seed 000", "seed 001", "seed 002", "design", "own"]
    text: str
    deferred: str | None = None  # "YYYY-MM-DD: reason"; no test may name it yet
