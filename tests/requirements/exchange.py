"""Exchange with another system's files, and the selection that both share."""

from __future__ import annotations

from tests.requirements.requirement import Requirement

REQUIREMENTS = (
    Requirement(
        id="exchange:formats:round-trip",
        row="C9",
        source="seed 002",
        text="Every format reads back what was written, and writes again the very same bytes.",
    ),
    Requirement(
        id="exchange:formats:strict",
        row="C9",
        source="seed 002",
        text="A changed byte of a file is refused, or means exactly what the tables say.",
    ),
    Requirement(
        id="exchange:formats:any-bytes",
        row="C9",
        source="own",
        text="Whatever bytes are given, they are read or refused with a typed error.",
    ),
    Requirement(
        id="exchange:render:examples",
        row="C8",
        source="seed 002",
        text="The styles of revisions 0 to 4 render the worked examples byte by byte.",
    ),
    Requirement(
        id="exchange:selection:rules",
        row="C4",
        source="seed 002",
        text="What is selected, in which order or with which refusal, is what the rules say.",
    ),
    Requirement(
        id="exchange:selection:indexes",
        row="C12",
        source="design",
        text="Selecting by indexes gives what a scan of everything for each candidate gives.",
    ),
    Requirement(
        id="exchange:selection:replay",
        row="C5",
        source="seed 002",
        text="A recorded selection replays to the same bytes without a search.",
    ),
    Requirement(
        id="exchange:scoring:same",
        row="C12",
        source="design",
        text=(
            "NumPy, a namespace of the caller's and plain Python give the same order and the "
            "same scores to the last bit."
        ),
    ),
)
