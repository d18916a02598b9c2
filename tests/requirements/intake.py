"""Intake: what is kept of what comes in, and what never enters."""

from __future__ import annotations

from tests.requirements.requirement import Requirement

REQUIREMENTS = (
    Requirement(
        id="intake:time:seconds",
        row="B13",
        source="design",
        text=(
            "A number that is a time of our days in seconds is refused where milliseconds are "
            "asked for; the days of 1970 to 1973 can be said in ISO 8601."
        ),
    ),
    Requirement(
        id="intake:mode:store-only",
        row="B3",
        source="seed 001",
        text=(
            "In the mode store_only a message is kept as experience and nothing is concluded from "
            "it."
        ),
    ),
    Requirement(
        id="intake:mode:others",
        row="B3",
        source="seed 001",
        text=(
            "The modes defer, selective and immediate decide what becomes of a message beyond "
            "being kept."
        ),
        deferred="2026-11-29: they need episodes and consolidation",
    ),
    Requirement(
        id="intake:redaction:markers",
        row="B3",
        source="design",
        text=(
            "On request each secret and each piece of personal data is replaced by a marker that "
            "says its kind, before the first byte is written; nothing of it is in any file, nor in "
            "a tag or id."
        ),
    ),
    Requirement(
        id="intake:redaction:linear",
        row="B3",
        source="design",
        text="Looking through a text takes time in proportion to its length, whatever is in it.",
    ),
    Requirement(
        id="intake:redaction:detectors",
        row="B3",
        source="design",
        text="Where the detectors are not installed, the message is refused and says what to do.",
    ),
    Requirement(
        id="intake:blocks:told",
        row="A12",
        source="own",
        text=(
            "An import says out of how many of the messages it took in own blocks were taken, in "
            "its summary and by a name of its own."
        ),
    ),
    Requirement(
        id="intake:blocks:stripped",
        row="B3",
        source="seed 001",
        text="Each of our own context blocks is taken out of a text before a byte of it is stored.",
    ),
    Requirement(
        id="intake:blocks:any-form",
        row="B3",
        source="seed 001",
        text="Own blocks are taken out in any case, nested, and unclosed to the end of the text.",
    ),
    Requirement(
        id="intake:blocks:earlier",
        row="B3",
        source="seed 001",
        text="The blocks of the earlier kernel, named COGMEM, are taken out too.",
    ),
    Requirement(
        id="intake:blocks:rest-untouched",
        row="B3",
        source="design",
        text="A text without own blocks is stored as it is, other tags and all.",
    ),
    Requirement(
        id="intake:blocks:only",
        row="B3",
        source="seed 001",
        text="A text that holds nothing but own blocks is refused.",
    ),
    Requirement(
        id="intake:blocks:returned",
        row="B22",
        source="seed 001",
        text="The text of a pack that is observed again leaves nothing of itself in the store.",
    ),
    Requirement(
        id="intake:blank",
        row="B3",
        source="seed 001",
        text="An empty text and a text of white space are refused.",
    ),
    Requirement(
        id="intake:redaction",
        row="B3",
        source="seed 001",
        text=(
            "Secrets and personal data are replaced by a visible marker before the first byte is "
            "written, where asked."
        ),
        deferred="2026-11-29: comes with the rules that find secrets",
    ),
    Requirement(
        id="intake:blocks:linear",
        row="B3",
        source="own",
        text="Looking for own blocks costs no more than in proportion to the text, whatever it holds.",
    ),
    Requirement(
        id="intake:redaction:every-write",
        row="B3",
        source="own",
        text=(
            "Every command that keeps a caller's words puts markers where asked, in texts, metadata "
            "and state values, and answers how many."
        ),
    ),
    Requirement(
        id="intake:redaction:ordinary-numbers",
        row="B3",
        source="own",
        text=(
            "Orders, serials, versions, sections, parts of seconds and addresses of pictures stay "
            "as they are."
        ),
    ),
)
