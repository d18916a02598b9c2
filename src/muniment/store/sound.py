"""The short way of a check, for commits with which nothing is wrong: nearly all of them.

It says that a commit is right, and has passed it then, or it says no and has done nothing.  What
is not plainly right goes the long way, which says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from functools import cache
from typing import Any

import msgspec

from muniment import limits
from muniment.model import canonical
from muniment.model.event import Header
from muniment.model.event_kinds import (
    BY_SHAPE,
    AnyShape,
    CommandAnswered,
    MessageObserved,
    RecordWritten,
    StateSet,
)
from muniment.store import citing, contents, forms, wording
from muniment.store.checked import OTHER, Chain, Checked

_SECOND = b"StateDeleted"  # what there is in format 2 only
Row = tuple[Any, Any, Any, Any]  # seq, height, hash, header


class _At(msgspec.Struct, gc=False):
    """Of an event, what its chain needs."""

    seq: int


class _Links(msgspec.Struct, gc=False):
    """Of a header, what its chain needs."""

    format: int
    scope: str
    chain: str
    height: int
    parent: str | None
    other: str | None
    recorded_ms: int
    events: list[_At]
    genesis: Any = msgspec.UNSET


_links_of = msgspec.json.Decoder(_Links).decode
_sorted = msgspec.json.Encoder(order="sorted").encode

# What each kind cites; a kind that is not here, or that cites the journal, goes the long way.
_CITES: dict[type[Any], Callable[[Any], Sequence[str | None]]] = {
    MessageObserved: lambda shape: (shape.parent, shape.reply_to),
    RecordWritten: lambda shape: (
        shape.supersedes,
        shape.receipt,
        *[source.id for source in shape.sources],
        *shape.covers,
    ),
    StateSet: lambda shape: (shape.supersedes,),
    CommandAnswered: lambda shape: [id for _, id in shape.known],
}
_TAGGED = {RecordWritten: "key", StateSet: "state"}


@cache
def _header_of() -> Callable[[bytes], Header]:
    return msgspec.json.Decoder(Header).decode


def links(checked: Checked, chain: Chain, row: Row) -> bool:
    """Whether a commit is as it should be at depth chain; it has been passed then."""
    plain = _hashed(chain, row)
    if plain is None:
        return False
    try:
        header = _links_of(plain)
    except (msgspec.DecodeError, RecursionError):
        return False
    if header.format != _format(plain):
        return False
    other = _follows(checked, chain, header, row)
    if other is not None:
        _pass(chain, row, header, other)
    return other is not None


def whole(checked: Checked, chain: Chain, row: Row) -> bool:
    """Whether a commit is as it should be at depth content; it has been passed then."""
    plain = _hashed(chain, row)
    header = None if plain is None else typed(plain, content=True)
    # The same bytes again: they are canonical, and no field is unknown.
    if not isinstance(header, Header) or header.parent is None or _sorted(header) != plain:
        return False
    if header.format != _format(plain) or forms.apart(header.events) is not None:
        return False
    other = _follows(checked, chain, header, row)
    return other is not None and _passed(checked, chain, header, row, other)


def _passed(checked: Checked, chain: Chain, header: Header, row: Row, other: int) -> bool:
    """Whether the events of a commit are right; it has been passed then."""
    assert header.parent is not None
    stored = contents.stored(checked, chain.name, chain.seq + 1, row[0])
    ids: dict[str, None] = {}
    values: dict[str, str | None] = {}
    records: list[RecordWritten] = []
    missing: list[int] = []
    for shape in header.events:
        if forms.wrong(shape) is not None:
            return False
        named = _named(chain, header.parent, len(ids), shape)
        if named is None or not _cites_well(checked, chain, ids, shape):
            return False
        if isinstance(shape, StateSet):
            # Which value it takes the place of in what was not read, the long way looks up.
            if checked.since is not None or not checked.values.fits(
                shape.key_tag, shape.supersedes, values
            ):
                return False
            values[shape.key_tag] = named
        elif type(shape) is RecordWritten:
            records.append(shape)
        place = shape.seq if chain.name == "m" else -shape.seq
        if place not in stored:
            if shape.content_digest is not None:
                missing.append(place)
        elif not _kept(checked, shape, *stored[place]):
            return False
        ids[named] = None
    if records and not checked.versions.follow(records, checked.missing):
        return False
    checked.missing.update((place, row[1]) for place in missing)
    checked.values.follow(values)
    chain.note(ids)
    chain.ends[row[1]] = row[0]
    _pass(chain, row, header, other)
    return True


def typed(plain: bytes, *, content: bool) -> Header | _Links | str:
    """A header by its types, with all of its events or their seqs alone; or what is wrong."""
    try:
        return _header_of()(plain) if content else _links_of(plain)
    except (msgspec.DecodeError, RecursionError) as error:
        return str(error)


def _hashed(chain: Chain, row: Row) -> bytes | None:
    """The header's bytes, where they are what was hashed and the commit is the next one."""
    seq, height, named, stored = row
    if type(stored) is not bytes or type(seq) is not int or type(height) is not int:
        return None
    if height != chain.height + 1 or height < 1:
        return None
    deflated = stored[:1] == contents.DEFLATED
    plain = contents.inflated(stored) if deflated else stored
    if plain is None or deflated != (len(plain) > limits.HEADER_DEFLATE_ABOVE_BYTES):
        return None
    return plain if canonical.digest(canonical.COMMIT_DOMAIN, plain) == named else None


def _format(plain: bytes) -> int:
    """The format that a header needs; no string of a caller's is in it.

    Of all kinds of events only the one of the second has a D, which is found three times as fast.
    """
    return 2 if plain.find(b"D") >= 0 and _SECOND in plain else 1


def _follows(checked: Checked, chain: Chain, header: _Links | Header, row: Row) -> int | None:
    """Where the other chain stood, if the header says of its place what that is; else None."""
    if (header.height != row[1] or header.parent != chain.head
            or header.scope != checked.read.scope.id or header.chain != chain.name
            or header.genesis is not msgspec.UNSET
            or not chain.recorded_ms <= header.recorded_ms <= limits.TIME_MS_MAX
            or not header.events):  # fmt: skip
        return None
    wanted = chain.seq
    for shape in header.events:
        wanted += 1
        if shape.seq != wanted:
            return None
    other = checked.chains[OTHER[chain.name]].heads.get(header.other or "")
    if other is None or other < chain.other_height or wanted != row[0]:
        return None
    return other


def _named(chain: Chain, parent: str, index: int, shape: AnyShape) -> str | None:
    """The event's id, if that is its own; the shape has none any more."""
    kind, id = BY_SHAPE[type(shape)], shape.id
    msgspec.structs.force_setattr(shape, "id", None)
    right = citing.id_of(kind.letter, shape.seq, parent, index, _sorted(shape))
    return id if id == right and kind.chain == chain.name else None


def _cites_well(checked: Checked, chain: Chain, before: Container[str], shape: AnyShape) -> bool:
    """Whether all that an event cites stands before it, in the same chain."""
    cites = _CITES.get(type(shape))
    return cites is not None and all(
        id is None or id in before or contents.stands(checked, chain, id) for id in cites(shape)
    )


def _kept(checked: Checked, shape: AnyShape, salt: Any, content: Any) -> bool:
    """Whether a content is the one that its event was written with."""
    if type(salt) is not bytes or type(content) is not bytes:
        return False
    named = canonical.digest(canonical.CONTENT_DOMAIN, salt, content).hex()
    if named != shape.content_digest or len(content) != shape.content_bytes:
        return False
    if len(salt) != contents.SALT_BYTES:
        return False
    words = forms.content(shape, content)
    if words is None or wording.wrong(shape, words, content, checked.allowed) is not None:
        return False
    if not isinstance(shape, RecordWritten | StateSet):
        return True
    key: str | None = getattr(words, "key", None)
    return shape.key_tag == (None if key is None else checked.tag(_TAGGED[type(shape)], key))


def _pass(chain: Chain, row: Row, header: _Links | Header, other: int) -> None:
    chain.seq, chain.height, named, _ = row
    chain.head = named.hex()
    chain.heads[chain.head] = chain.height
    chain.recorded_ms, chain.other_height = header.recorded_ms, other
