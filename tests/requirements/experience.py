"""Experience: what happened, in order, with where it came from."""

from __future__ import annotations

from tests.requirements.requirement import Requirement

REQUIREMENTS = (
    Requirement(
        id="experience:kinds:every",
        row="B1",
        source="seed 001",
        text=(
            "Messages, tool calls, tool results, task events, corrections and imports of every "
            "role come back with their type and role."
        ),
    ),
    Requirement(
        id="experience:text:exact",
        row="B1",
        source="seed 001",
        text=(
            "The text of a message comes back exactly, in any script, with its white space and "
            "line ends."
        ),
    ),
    Requirement(
        id="experience:text:limit",
        row="B1",
        source="design",
        text="A message of 1 MiB is taken in, and one byte more is refused.",
    ),
    Requirement(
        id="experience:text:encoding",
        row="B1",
        source="seed 000",
        text="NUL and half surrogate pairs in any string are refused with the path of the field.",
    ),
    Requirement(
        id="experience:links:reply",
        row="B1",
        source="seed 001",
        text=(
            "A message names the earlier message that it answers, or stands under, and comes back "
            "with that id."
        ),
    ),
    Requirement(
        id="experience:links:tool-result",
        row="B1",
        source="seed 001",
        text="A tool result names its tool call, and each is found from the other.",
    ),
    Requirement(
        id="experience:links:unknown",
        row="P3",
        source="seed 001",
        text=(
            "A parent or reply that is unknown, or of another scope, is refused with the answer of "
            "an unknown id."
        ),
    ),
    Requirement(
        id="experience:order:thread",
        row="B1",
        source="seed 001",
        text="A thread comes back in the order in which its messages were taken in.",
    ),
    Requirement(
        id="experience:order:confidence",
        row="B1",
        source="seed 001",
        text="An event says how sure its place is: high, medium or low, as its source deserves.",
    ),
    Requirement(
        id="experience:source:as-given",
        row="B1",
        source="seed 001",
        text=(
            "Source file, lines, characters, actor, session, tags, collection and caption come "
            "back as given, and a span may start at 0."
        ),
    ),
    Requirement(
        id="experience:context:around",
        row="B1",
        source="seed 001",
        text=(
            "The context of an event is the asked number of events before and after it, its parent "
            "and its children, without overlap."
        ),
    ),
    Requirement(
        id="experience:context:time",
        row="B1",
        source="seed 001",
        text="The work that a context takes does not grow with the length of its thread.",
    ),
    Requirement(
        id="experience:time:offset",
        row="B1",
        source="design",
        text="A time without an offset is refused unless a time zone is given.",
    ),
    Requirement(
        id="experience:external:repeat",
        row="B3",
        source="seed 001",
        text=(
            "The same external id with the same content stores nothing and answers that it is "
            "known."
        ),
    ),
    Requirement(
        id="experience:external:reused",
        row="B3",
        source="seed 001",
        text="The same external id with other content is a conflict and stores nothing.",
    ),
    Requirement(
        id="experience:append-only",
        row="B1",
        source="seed 001",
        text=(
            "No command changes an event: a correction is a new event, and the old one is still "
            "shown by its id."
        ),
    ),
)
