"""State: the present value of a key, and the event that changes it."""

from __future__ import annotations

from typing import Any

from muniment.errors import BadEncoding, BadJson, BrokenLedger, NotFound
from muniment.model import canonical, scope
from muniment.model.event import Draft
from muniment.model.event_kinds import StateContent, StateSet
from muniment.projections import state
from muniment.rules import state as rules
from muniment.store import ledger
from muniment.store.tx import Read


def key_tag_of(read: Read, key: str) -> str:
    """The keyed tag of a state key."""
    return canonical.tag(read.scope.secret, "state", key)


def value_at(read: Read, key: str, at_seq: int | None) -> tuple[state.Row | None, str | None]:
    """A key's row and value as JSON text, now or after a past seq; erased ones have no text."""
    row = state.current(read, key_tag_of(read, key), at_seq)
    if row is None:
        return None, None
    content = ledger.contents(read, StateSet, [row.seq]).get(row.seq)
    return row, content.value if isinstance(content, StateContent) else None


def value_of(text: str) -> Any:
    """A value by its JSON text, as it is stored.

    Raises:
        BrokenLedger: no program of ours has written that.
    """
    try:
        return canonical.read_json(text, "value")
    except (BadEncoding, BadJson) as error:
        raise BrokenLedger(f"a state value cannot be read: {error.detail}") from error


def delete(read: Read, key: str) -> Draft | state.Row:
    """The event that takes a key away, or its last value where it has none any more.

    Raises:
        NotFound: it never had a value.
    """
    key_tag = key_tag_of(read, key)
    row = state.current(read, key_tag)
    draft = rules.delete(
        rules.Facts(key_tag=key_tag, before=None if row is None else row.id, value=None)
    )
    if draft is not None:
        return draft
    versions = state.versions(read, key_tag)
    if not versions:
        raise NotFound(f"the state has no key {key!r}", at="key")
    return versions[-1]


def put(read: Read, values: dict[str, Any]) -> dict[str, Draft | str]:
    """The event for each key that changes, and the present value's id for each that stays.

    Raises:
        Refused, BadInput: as the rule says.
    """
    drafts: dict[str, Draft | str] = {}
    if not values:
        return drafts
    leaving = coming = 0
    allowed = scope.allowed(read.scope.limits)
    for key, value in values.items():
        text = rules.value_text(key, value, f"state.{key}", allowed)
        row, present = value_at(read, key, None)
        facts = rules.Facts(
            key_tag=key_tag_of(read, key), before=None if row is None else row.id, value=present
        )
        draft = rules.put(key, text, facts)
        if draft is None:
            assert row is not None
            drafts[key] = row.id
        else:
            drafts[key] = draft
            leaving += 0 if row is None else row.bytes
            coming += len(canonical.encode(draft.content))
    rules.check_size(state.total_bytes(read), leaving, coming, allowed.state_bytes_max)
    return drafts
