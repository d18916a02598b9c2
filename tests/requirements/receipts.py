"""Receipts of recalls and their replay."""

from __future__ import annotations

from tests.requirements.requirement import Requirement

REQUIREMENTS = (
    Requirement(
        id="receipts:recorded:head-stays",
        row="A9",
        source="seed 000",
        text="Recording a recall goes to the journal chain and never moves the memory head.",
    ),
    Requirement(
        id="receipts:recorded:opt-in",
        row="A9",
        source="design",
        text="A recall writes nothing unless it is asked to be recorded.",
    ),
    Requirement(
        id="receipts:shape:no-text",
        row="A9",
        source="design",
        text="No word of the question, of a filter or of what was shown stands in a header.",
    ),
    Requirement(
        id="receipts:shape:model",
        row="A9",
        source="design",
        text=(
            "A receipt names the model whose vectors were compared, how many texts had one and "
            "how many there were; the name goes with the question's words."
        ),
    ),
    Requirement(
        id="receipts:replay:now",
        row="A9",
        source="seed 002",
        text=(
            "A receipt replayed against the present names each item that would no longer be "
            "shown, with what became of it, and each that would be new."
        ),
    ),
    Requirement(
        id="receipts:replay:then",
        row="A9",
        source="seed 002",
        text=(
            "A receipt replayed as of its own head gives the same bytes, whatever was written, "
            "superseded or retracted since."
        ),
    ),
    Requirement(
        id="receipts:replay:no-search",
        row="A9",
        source="design",
        text="A replay decides over the recorded hits, so that a later message cannot enter it.",
    ),
    Requirement(
        id="receipts:replay:erased",
        row="A9",
        source="design",
        text=(
            "Where a part has been erased a replay is not the same, names it with the code "
            "`erased`, and the rest reproduces."
        ),
    ),
    Requirement(
        id="receipts:replay:erased-since",
        row="A9",
        source="own",
        text=(
            "As of then an erasure that came later changes nothing about what is left: neither "
            "labels nor standing, nor what fits, nor the order. What was shown and is erased is "
            "named `erased`, what cites something erased since `source_erased`, also against the "
            "present; a text that differs from what was handed over is never the same."
        ),
    ),
    Requirement(
        id="receipts:replay:tokens",
        row="A9",
        source="design",
        text=(
            "Where a function of the caller's had its say, a replay takes its verdicts as "
            "recorded and says that it was not checked."
        ),
    ),
    Requirement(
        id="receipts:replay:unknown",
        row="A9",
        source="own",
        text="An unknown receipt, another scope's and any other id are the same not_found.",
    ),
    Requirement(
        id="receipts:link:record",
        row="A9",
        source="seed 000",
        text="A record names the receipt of the recall it was made from, which must exist.",
    ),
    Requirement(
        id="receipts:erased:with-its-items",
        row="P8",
        source="design",
        text=(
            "The question and digest of a receipt go with any thing that it showed or left out; "
            "its ids and codes stay, and both chains verify."
        ),
    ),
    Requirement(
        id="receipts:verify:budget",
        row="A9",
        source="seed 000",
        text="Verify checks that receipts cite what stands and kept their own budget.",
    ),
)
