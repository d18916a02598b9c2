"""Contextual recall: what is bound to tasks, people and rooms, and what is at stake."""

from __future__ import annotations

from tests.requirements.requirement import Requirement

REQUIREMENTS = (
    Requirement(
        id="contextual:record:bound",
        row="C1",
        source="seed 002",
        text=(
            "A record keeps its task, subject, visibility, evidence grade, expiry and the exact "
            "version that it assesses, and every answer shows them."
        ),
    ),
    Requirement(
        id="contextual:record:validated",
        row="C1",
        source="seed 002",
        text=(
            "What is incomplete or fits its kind badly is refused with the path of the field "
            "before anything is stored; of several notes none is stored then."
        ),
    ),
    Requirement(
        id="contextual:record:visibility",
        row="C1",
        source="seed 002",
        text=(
            "No record may be seen by more than what it cites, and no new version by more or "
            "others than the version before."
        ),
    ),
    Requirement(
        id="contextual:record:appraisal",
        row="C3",
        source="seed 002",
        text=(
            "An appraisal cites the exact thing that it assesses and is about whom that is about; "
            "its amounts are millionths or unknown, and unknown is not zero."
        ),
    ),
    Requirement(
        id="contextual:record:correction",
        row="C1",
        source="seed 002",
        text=(
            "A correction takes the place of exactly one version, cites what shows it, and keeps "
            "everything else; the old version stays in history."
        ),
    ),
    Requirement(
        id="contextual:record:standing",
        row="C11",
        source="seed 002",
        text=(
            "What would rest on something that does not stand at the moment it is written, even "
            "if that ends just then, is refused whole and nothing is stored."
        ),
    ),
    Requirement(
        id="contextual:record:erased",
        row="P8",
        source="seed 002",
        text="No word that binds a record stays behind when the record is erased.",
    ),
)
