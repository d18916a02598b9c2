"""Messages: whether one is known, what it hangs on, and which event it becomes."""

from __future__ import annotations

import msgspec

from muniment.errors import NotFound
from muniment.model import canonical, event, scope
from muniment.model.event import Draft, Event, Local
from muniment.model.event_kinds import MessageObserved
from muniment.model.experience import Message
from muniment.projections import experience, tag
from muniment.rules import experience as rules
from muniment.store import ledger
from muniment.store.tx import Read


class Link(msgspec.Struct, frozen=True):
    """What an external id leads to: an event's id, or a place in the same commit."""

    id: str | None
    index: int | None


def external_tag(read: Read, namespace: str, external_id: str) -> str:
    """The keyed tag of an external id in its namespace."""
    return canonical.tag(read.scope.secret, "external", f"{namespace}\0{external_id}")


def observe(read: Read, message: Message, tag_text: str | None) -> Draft | Event:
    """The draft of a message, or the event that says it already.

    Raises:
        Conflict: the external id was used for something else.
        NotFound: its parent or what it answers is unknown.
        BadInput, Refused: the message itself may not be taken in.
    """
    message = msgspec.structs.replace(
        message,
        parent=full_id(read, message.parent, "parent"),
        reply_to=full_id(read, message.reply_to, "reply_to"),
    )
    known = None if tag_text is None else tag.external(read, tag_text)
    allowed = scope.allowed(read.scope.limits)
    return drafted(read, rules.observe(message, tag_text, allowed=allowed), known)


def drafted(
    read: Read, draft: Draft, known: Event | None, *, anywhere: bool = False
) -> Draft | Event:
    """`draft`, or the event that its external tag recognises, `anywhere` also in another session.

    Raises:
        Conflict: that event says something else.
    """
    if known is None:
        return draft
    content = ledger.contents(read, MessageObserved, [known.seq]).get(known.seq)
    known = msgspec.structs.replace(known, content=content)
    rules.repeated(draft, known, anywhere=anywhere)
    return known


def full_id(read: Read, id: str | None, at: str) -> str | None:
    """The full id of an event named by a caller.

    Raises:
        NotFound: there is none.
    """
    if id is None:
        return None
    named = event.named(id, at, "e")
    row = experience.by_seq(read, [named.seq]).get(named.seq)
    if row is None or named.mark not in (None, row.mark):
        raise NotFound(f"nothing here has the id {id!r}", at=at)
    return row.id


def linked(
    message: Message, parent: Link | None, reply_to: Link | None
) -> tuple[Message, tuple[Local, ...]]:
    """A message with its links: by id where they stand already, by place where they come too."""
    locals: list[Local] = []
    ids: dict[str, str | None] = {}
    for field, link in (("parent", parent), ("reply_to", reply_to)):
        if link is not None and link.index is not None:
            locals.append(Local("parent" if field == "parent" else "reply_to", link.index))
        elif link is not None:
            ids[field] = link.id
    return msgspec.structs.replace(message, **ids), tuple(locals)


def link(read: Read, tag_text: str, pending: dict[str, int]) -> Link | None:
    """Where the message with this external tag stands, or will in the commit being built."""
    if tag_text in pending:
        return Link(None, pending[tag_text])
    found = tag.external(read, tag_text)
    return None if found is None else Link(found.id, None)
