"""A scope's name, the name of the file that holds it, and what it allows."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import lru_cache

import msgspec

from muniment import limits
from muniment.errors import BadShape, BlankText, BrokenLedger, TooLong
from muniment.model import canonical

SUFFIX = ".muniment"
DEFAULT = "default"
ERASED = "erased-"  # what the name of an erased scope's file begins with
_NOT_SLUG = re.compile(r"[^a-z0-9]+")


class Allowed(msgspec.Struct, frozen=True, kw_only=True):
    """The limits of one scope.  Its genesis says them for ever; the defaults are for the rest."""

    covers_max: int = limits.COVERS_MAX
    key_bytes_max: int = limits.KEY_BYTES_MAX
    message_bytes_max: int = limits.MESSAGE_BYTES_MAX
    notes_per_commit_max: int = limits.NOTES_PER_COMMIT_MAX
    pack_bytes_max: int = limits.BYTES_DEFAULT  # of a recall that asks for no other size
    pack_items_max: int = limits.ITEMS_DEFAULT
    record_text_bytes_max: int = limits.RECORD_TEXT_BYTES_MAX
    sources_max: int = limits.SOURCES_MAX
    state_bytes_max: int = limits.STATE_BYTES_MAX
    state_value_bytes_max: int = limits.STATE_VALUE_BYTES_MAX
    state_writes_per_commit_max: int = limits.STATE_WRITES_PER_COMMIT_MAX


PROGRAM = Allowed()  # what the program allows where no scope says less
_BOUNDS = {
    "pack_bytes_max": (limits.PACK_BYTES_MIN, limits.BYTES_MAX),
    "pack_items_max": (1, limits.ITEMS_MAX),
}


@lru_cache(maxsize=64)
def allowed(genesis: str) -> Allowed:
    """What the limits of a genesis, a JSON object, allow.

    Raises:
        BrokenLedger: they are none.
    """
    try:
        return msgspec.json.decode(genesis, type=Allowed)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BrokenLedger("the scope's limits cannot be read") from error


def check_limits(chosen: Mapping[str, int]) -> dict[str, int]:
    """`chosen`, if a new scope may have these limits: none beyond the program's own.

    Raises:
        BadShape: with the path of the one that is unknown or out of range.
    """
    for name, value in chosen.items():
        most = getattr(PROGRAM, name) if name in Allowed.__struct_fields__ else 0
        low, high = _BOUNDS.get(name, (1, most))
        if not high:
            raise BadShape(
                f"one of {', '.join(Allowed.__struct_fields__)}", at=f"scope_limits.{name}"
            )
        if type(value) is not int or not low <= value <= high:
            raise BadShape(f"from {low} to {high}", at=f"scope_limits.{name}")
    return dict(chosen)


def check_name(name: str, at: str = "scope") -> str:
    """`name`, if a scope may be called that: 1 to 128 bytes, no control characters.

    Raises:
        BlankText, TooLong, BadEncoding, BadShape: it may not.
    """
    canonical.check_text(name, at)
    if not name.strip():
        raise BlankText("a scope needs a name", at=at)
    if len(name.encode()) > limits.SCOPE_NAME_BYTES_MAX:
        raise TooLong(f"a scope's name has at most {limits.SCOPE_NAME_BYTES_MAX} bytes", at=at)
    if any(ord(character) < 32 or ord(character) == 127 for character in name):
        raise BadShape("a scope's name holds no control characters", at=at)
    return name


def name_digits(name: str) -> str:
    """64 hex digits by which a scope's file is found; the first eight are in its name."""
    return hashlib.sha256(b"muniment/file/1\0" + name.encode()).hexdigest()


def file_name(name: str, take: int = 0) -> str:
    """`<slug>-<8 hex>.muniment`; `take` counts on when another scope has that name."""
    slug = _NOT_SLUG.sub("-", name.lower()).strip("-")[:40] or "scope"
    return f"{slug}-{name_digits(name)[8 * take : 8 * take + 8]}{SUFFIX}"


def erased_file_names(scope_id: str) -> list[str]:
    """What a file may be called once its scope's name is erased, best first.

    Digits of the id, which is random; the next ones where another file has that name.
    """
    return [f"{ERASED}{scope_id[at : at + 8]}{SUFFIX}" for at in range(0, 32, 8)]
