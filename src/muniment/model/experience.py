"""Experience: what a host asks to be taken in, and how it comes back."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from muniment import limits
from muniment.model.event_kinds import ExperienceType, Ordering, Role
from muniment.model.pack import Item
from muniment.model.request import FileName, Request, Time, spell
from muniment.model.standing import Standing

Name = limits.NAME_BYTES_MAX


class Observed(msgspec.Struct, frozen=True, kw_only=True):
    """Where a message stands.  `known`: it stood there before, and nothing was written."""

    id: str
    seq: int
    head: str
    known: bool
    standing: Standing
    mode: str
    stripped: int  # characters of own blocks that were taken out
    redacted: int  # secrets and personal things that a marker stands for now


class Observe(Request[Observed], frozen=True, kw_only=True):
    """Take in one message, tool call, tool result, task event or correction, as it was."""

    text: Annotated[
        str,
        spell(
            "what was said, or - for standard input",
            form="text",
            bytes_max=limits.MESSAGE_BYTES_MAX,
        ),
    ]
    role: Annotated[Role, spell("who spoke, as the host knows it")]
    type: Annotated[ExperienceType, spell("what kind of experience it is")] = "message"
    actor: Annotated[str | None, spell("the speaker's or tool's name", bytes_max=Name)] = None
    at: Annotated[Time | None, spell("when it was said; default: now", form="time")] = None
    thread: Annotated[str | None, spell("the conversation it belongs to", bytes_max=Name)] = None
    session: Annotated[str | None, spell("the sitting it belongs to", bytes_max=Name)] = None
    external_id: Annotated[
        str | None, spell("the host's id; a repeat stores nothing", bytes_max=Name)
    ] = None
    parent: Annotated[str | None, spell("the id of what it belongs under", form="id")] = None
    reply_to: Annotated[str | None, spell("the id of what it answers", form="id")] = None
    tags: Annotated[
        tuple[str, ...], spell("a tag; may be repeated", flag="tag", bytes_max=Name)
    ] = ()
    collection: Annotated[
        str | None, spell("a collection; recall sees it only when named", bytes_max=Name)
    ] = None
    caption: Annotated[
        str | None, spell("what a picture beside the text shows", bytes_max=Name * 16)
    ] = None
    source: Annotated[str | None, spell("the file it comes from", bytes_max=Name)] = None
    lines: Annotated[
        tuple[int, int] | None, spell("its lines in the file, A-B", flag="line", form="lines")
    ] = None
    span: Annotated[
        tuple[int, int] | None, spell("its characters in the file, A-B", form="lines")
    ] = None
    mode: Annotated[Literal["store_only"], spell("what happens to it beyond being kept")] = (
        "store_only"
    )
    redact: Annotated[
        bool, spell("put a marker for each secret and personal thing, before anything is kept")
    ] = False


class Message(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One message to be taken in, from whatever face: what the rule decides over."""

    text: str
    role: Role
    type: ExperienceType = "message"
    ordering: Ordering = "high"
    at_ms: int | None = None
    actor: str | None = None
    caption: str | None = None
    collection: str | None = None
    external_id: str | None = None
    metadata: str | None = None
    session: str | None = None
    source: str | None = None
    tags: tuple[str, ...] = ()
    thread: str | None = None
    lines: tuple[int, int] | None = None
    span: tuple[int, int] | None = None
    parent: str | None = None  # an id
    reply_to: str | None = None  # an id
    stripped: int = 0  # characters of own blocks that were taken out already


class Items(msgspec.Struct, frozen=True, kw_only=True):
    """A list in its order.  `next`: what to give as `after` for the following page."""

    items: tuple[Item, ...]
    next: int | None = None


class Thread(Request[Items], frozen=True, kw_only=True):
    """Replay a thread in the order it was taken in."""

    thread: Annotated[str, spell("the thread", form="positional", bytes_max=Name)]
    after: Annotated[int, spell("only what stands after this seq")] = 0
    limit: Annotated[int, spell("at most so many")] = limits.PAGE_ITEMS_MAX
    as_of: Annotated[Time | None, spell("what held then", form="time")] = None
    as_recorded: Annotated[Time | None, spell("as it was known then", form="time")] = None


class Around(Request[Items], frozen=True, kw_only=True):
    """What stands around one event: before and after it, its parent, what hangs on it."""

    id: Annotated[str, spell("the event", form="positional")]
    before: Annotated[int, spell("so many before it")] = limits.CONTEXT_DEFAULT
    after: Annotated[int, spell("so many after it")] = limits.CONTEXT_DEFAULT
    as_of: Annotated[Time | None, spell("what held then", form="time")] = None
    as_recorded: Annotated[Time | None, spell("as it was known then", form="time")] = None


class FailedLine(msgspec.Struct, frozen=True, kw_only=True):
    """A place in a file that was not taken in, and why."""

    at: str
    code: str
    detail: str


class ErasedLine(msgspec.Struct, frozen=True, kw_only=True):
    """A place in a file whose id is that of something erased; what it says is not looked at."""

    at: str
    id: str


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a file."""

    imported: int
    skipped: int  # known before, what was erased before included
    known_behind_new: int  # of the known without ids of their own, those behind something new
    erased_before: tuple[ErasedLine, ...]  # of these, what was erased; it does not come back
    erased_before_more: int  # beyond the listed ones
    failed: tuple[FailedLine, ...]
    failed_more: int  # failures beyond the listed ones
    left_branches: int  # messages on branches that their conversation left; they are not taken in
    other_lines: int  # lines of a transcript that are nobody's message; they are not taken in
    other_lines_at: tuple[str, ...]  # where, the first of them
    stripped_messages: int  # out of how many a memory's own blocks were taken
    redacted: int  # secrets and personal things that a marker stands for now
    unlinked: int  # links to what did not come before; the place is a guess, ordering "low"
    unlinked_at: tuple[str, ...]  # where, the first of them
    format: str
    head: str
    seq: int


class Import(Request[Imported], frozen=True, kw_only=True):
    """Take in a file of conversations, or another memory's ledger; a second run takes in nothing."""

    file: Annotated[FileName, spell("the file, or - for standard input", form="path")]
    format: Annotated[str, spell("the name of a format; auto recognises it")] = "auto"
    label: Annotated[
        str | None, spell("the source's name; default: the file's", bytes_max=Name)
    ] = None
    subject: Annotated[
        str | None, spell("which subject of a ledger that holds several", bytes_max=Name)
    ] = None
    tz: Annotated[str | None, spell("the zone of times without an offset", flag="tz")] = None
    redact: Annotated[
        bool, spell("put a marker for each secret and personal thing, before anything is kept")
    ] = False
    progress: Annotated[object, spell("a function told the bytes read", hidden=True)] = None
