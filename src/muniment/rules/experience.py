"""May this message be taken in, and as what?  Pure: no clock, no database, no randomness."""

from __future__ import annotations

import hashlib

import msgspec

from muniment import limits
from muniment.errors import BadShape, BlankText, ExternalIdReused, OnlyOwnBlocks, TooLong
from muniment.model import blocks, canonical, time
from muniment.model.event import Draft, Event, Local
from muniment.model.event_kinds import MessageContent, MessageObserved
from muniment.model.experience import Message
from muniment.model.scope import PROGRAM, Allowed
from muniment.model.turn import Turn

_NAMES = ("actor", "collection", "external_id", "session", "source", "thread")


def observe(
    message: Message,
    external_tag: str | None,
    locals: tuple[Local, ...] = (),
    allowed: Allowed = PROGRAM,
) -> Draft:
    """The event that a message becomes: its own blocks taken out, everything else as it is.

    `allowed`: what the scope's genesis says of its size.

    Raises:
        BlankText: there is nothing in it.
        OnlyOwnBlocks: there is nothing in it but what a memory wrote itself.
        BadInput: a field is out of its bounds; `at` names it.
    """
    _check(message, allowed.message_bytes_max)
    text, stripped = blocks.strip(message.text)
    if not text.strip():
        if stripped or message.stripped:
            raise OnlyOwnBlocks("the text holds nothing but a memory's own blocks", at="text")
        raise BlankText("the text is blank", at="text")
    caption, beside = blocks.strip(message.caption or "")
    shape = MessageObserved(
        role=message.role,
        type=message.type,
        ordering=message.ordering,
        at_ms=message.at_ms,
        parent=message.parent,
        reply_to=message.reply_to,
        lines=message.lines,
        span=message.span,
        stripped=message.stripped + stripped + beside,
        external_tag=external_tag,
    )
    content = MessageContent(
        text=text,
        actor=message.actor,
        caption=caption or None,
        collection=message.collection,
        external_id=message.external_id,
        metadata=message.metadata,
        session=message.session,
        source=message.source,
        tags=tuple(dict.fromkeys(message.tags)),
        thread=message.thread,
    )
    return Draft(shape, content, locals)


def repeated(draft: Draft, known: Event, *, anywhere: bool = False) -> None:
    """Nothing, if `known` says the same as `draft`, or its content is erased.

    Who said what where counts.  The time does not, because a host that sends a message again may
    date it again; nor do metadata and the file it came from, which change with every export.
    `anywhere`: nor do session and thread, because a program copies what was said into the session
    that goes on with it.

    Raises:
        ExternalIdReused: it says something else.
    """
    if known.content is not None:
        assert isinstance(known.shape, MessageObserved)
        same(draft, Draft(known.shape, known.content), known.id, anywhere=anywhere)


def same(
    draft: Draft,
    other: Draft,
    name: str = "an earlier one of this file",
    *,
    anywhere: bool = False,
) -> None:
    """Nothing, if two drafts with one external id say the same; `anywhere` as in `repeated`.

    Raises:
        ExternalIdReused: they do not.
    """
    left, right = draft.shape, other.shape
    assert isinstance(left, MessageObserved)
    assert isinstance(right, MessageObserved)
    said, before = _said(draft, anywhere=anywhere), _said(other, anywhere=anywhere)
    if (left.role, left.type) != (right.role, right.type) or said != before:
        raise ExternalIdReused(
            f"that external id is {name}, which says something else", at="external_id"
        )


def _said(draft: Draft, *, anywhere: bool) -> MessageContent:
    assert isinstance(draft.content, MessageContent)
    said = msgspec.structs.replace(draft.content, metadata=None, source=None)
    return msgspec.structs.replace(said, session=None, thread=None) if anywhere else said


def told(turn: Turn) -> str:
    """32 hex digits of what a file says, who, when and where: a message's name where it has none.

    The file's own words, before anything is taken out of them: what an import is told besides,
    such as a time zone, makes no other message of it.
    """
    at = turn.at_ms if turn.said_at is None else turn.said_at
    parts = [turn.role, turn.actor, at, turn.thread, turn.text]
    return hashlib.sha256(canonical.encode(parts)).hexdigest()[:32]


def _check(message: Message, bytes_max: int) -> None:
    for field in _NAMES:
        value = getattr(message, field)
        if value is not None:
            _check_name(value, field)
    if len(message.tags) > limits.TAGS_MAX:
        raise TooLong(f"at most {limits.TAGS_MAX} tags", at="tags")
    for index, tag in enumerate(message.tags):
        _check_name(tag, f"tags[{index}]")
    for field, value in (("text", message.text), ("caption", message.caption)):
        if value is not None:
            canonical.check_text(value, field)
            if len(value) * 4 > bytes_max < len(value.encode()):
                raise TooLong(f"at most {bytes_max} bytes", at=field)
    if message.metadata is not None:
        canonical.check_text(message.metadata, "metadata")
    if message.at_ms is not None:
        time.check(message.at_ms, "at")
    for field, pair, least in (("lines", message.lines, 1), ("span", message.span, 0)):
        if pair is not None and not least <= pair[0] <= pair[1] <= limits.INTEGER_MAX:
            raise BadShape(f"two numbers from {least}, the first not the larger", at=field)


def _check_name(value: str, field: str) -> None:
    if not value or value.isspace():
        raise BlankText("a name is not blank; leave it out instead", at=field)
    canonical.check_text(value, field)
    if len(value) * 4 > limits.NAME_BYTES_MAX and len(value.encode()) > limits.NAME_BYTES_MAX:
        raise TooLong(f"at most {limits.NAME_BYTES_MAX} bytes", at=field)
