"""Events, drafts of events, commit headers, and the ids that name them."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from muniment.errors import NotFound
from muniment.model import canonical
from muniment.model.event_kinds import AnyShape, Content, Shape

Chain = Literal["m", "j"]
MEMORY: Chain = "m"
JOURNAL: Chain = "j"

_DIGITS = "0123456789abcdefghijklmnopqrstuv"
_PAIRS = [first + second for first in _DIGITS for second in _DIGITS]  # two digits at once
_ID = re.compile(r"([erlqj])([0-9a-v]{1,13})(?:-([0-9a-f]{16}))?\Z")
_MARK_SPAN = 1 << 64
_KINDS = {"e": "an event", "r": "a record", "l": "a state value", "q": "a receipt"}


class Local(msgspec.Struct, frozen=True, gc=False):
    """A shape's field that names an earlier event of the same commit, by position."""

    field: Literal["parent", "reply_to", "supersedes"]
    index: int


class Draft(msgspec.Struct, frozen=True, gc=False):
    """An event that has been decided and has no place yet."""

    shape: AnyShape
    content: Content | None = None
    locals: tuple[Local, ...] = ()


class Event(msgspec.Struct, frozen=True, gc=False):
    """An event at its place.  `content` is None where there is none, or no more."""

    shape: AnyShape
    content: Content | None
    height: int
    recorded_ms: int

    @property
    def seq(self) -> int:
        """Its place in its chain, from 1, without gaps."""
        return self.shape.seq

    @property
    def id(self) -> str:
        """Its id, for ever."""
        assert self.shape.id is not None
        return self.shape.id

    @property
    def mark(self) -> int:
        """The digest part of its id, as the engine's signed integer."""
        return mark_of(self.id)


class Genesis(msgspec.Struct, frozen=True, kw_only=True):
    """What the first header of a chain says instead of events."""

    name_tag: str  # keyed by the secret, so that the name can be forgotten
    secret_digest: str
    limits: dict[str, int]


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """One commit, exactly as it is hashed.  `genesis` stands at height 0 only."""

    format: int
    scope: str
    chain: Chain
    height: int
    parent: str | None
    other: str | None
    recorded_ms: int
    events: tuple[AnyShape, ...]
    genesis: Genesis | msgspec.UnsetType | None = msgspec.UNSET


def event_id(letter: str, seq: int, parent: str, index: int, shape: Shape) -> str:
    """The id of the event at `seq`, whose `shape` has its seq and no id yet."""
    named = canonical.digest(
        canonical.ID_DOMAIN, parent.encode(), b"%d" % index, canonical.encode(shape)
    )
    return f"{letter}{base32(seq)}-{named[:8].hex()}"


def base32(number: int) -> str:
    """`number` in base 32 with the digits 0-9a-v, without padding."""
    digits = ""
    while number >= len(_PAIRS):
        digits = _PAIRS[number & len(_PAIRS) - 1] + digits
        number >>= 10
    return (_PAIRS[number] if number >= len(_DIGITS) else _DIGITS[number]) + digits


class Reference(msgspec.Struct, frozen=True):
    """What an id given by a caller says: which letter, which seq, and the mark if given."""

    letter: str
    seq: int
    mark: int | None


def reference(id: str, at: str | None = None) -> Reference:
    """An id, or the part of it before the dash, taken apart.  `at` is the field that names it.

    Raises:
        NotFound: it is no id at all, or one that there cannot be.
    """
    if _ID.match(id) is None:
        raise NotFound(f"{id!r} is no id; ids look like r2 or r2-0123456789abcdef", at=at)
    found = match(id)
    if found is None:
        raise NotFound(f"nothing here has the id {id!r}", at=at)
    return found


def match(id: str) -> Reference | None:
    """As `reference`; None where it is no id, or one that there cannot be."""
    found = _ID.match(id)
    seq = 0 if found is None else int(found[2], 32)
    if found is None or base32(seq) != found[2] or seq >= 1 << 62:
        return None
    return Reference(found[1], seq, None if found[3] is None else signed(found[3]))


def named(id: str, at: str | None, letters: str) -> Reference:
    """A reference to one of these kinds.

    Raises:
        NotFound: it is no id, or one of another kind, whether there is such a thing or not.
    """
    found = reference(id, at)
    if found.letter not in letters:
        wanted = " or ".join(f"{_KINDS[letter]} ({letter})" for letter in letters)
        raise NotFound(f"{id!r} is the id of another kind of thing than {wanted}", at=at)
    return found


def short(id: str) -> str:
    """The part of an id before the dash."""
    return id.partition("-")[0]


def mark_of(id: str) -> int:
    """The digest part of a full id as a signed 64-bit integer."""
    return signed(id[-16:])


def signed(hex: str) -> int:
    """Sixteen hex digits as the signed integer that the engine stores."""
    number = int(hex, 16)
    return number - _MARK_SPAN if number >= _MARK_SPAN >> 1 else number


def id_text(letter: str, seq: int, mark: int) -> str:
    """The id that `letter`, `seq` and the stored `mark` spell."""
    return f"{letter}{base32(seq)}-{mark % _MARK_SPAN:016x}"
