"""What a word names: a thing by its id, or the version of a key that is meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from muniment.errors import AmbiguousName, NotFound
from muniment.model import canonical, event
from muniment.model.moment import LAST_SEQ, Moment
from muniment.model.query import Filter
from muniment.model.version import Row
from muniment.projections import binding, record, tag
from muniment.projections import standing as standings
from muniment.store import ledger
from muniment.store.tx import Read


def tag_of(read: Read, key: str) -> str:
    """The keyed tag of a record's key."""
    return canonical.tag(read.scope.secret, "key", key)


def newest(read: Read, name: str, at: str = "id") -> str:
    """The id that is meant: `name` itself, or that of the newest version of the key.

    `id:` or `key:` in front says which is meant.

    Raises:
        NotFound: it is the name of nothing.
        AmbiguousName: it is the short id of one thing and the key of another.
    """
    return _named(read, name, at, None)


def standing(read: Read, name: str, moment: Moment, at: str = "id") -> str:
    """As `newest`; of a key the version that stands at the moment, where one does.

    Raises:
        NotFound: it is the name of nothing.
        AmbiguousName: it is the short id of one thing and the key of another.
    """
    return _named(read, name, at, moment)


def commanded(read: Read, name: str, now_ms: int, command_key: str | None) -> str:
    """As `standing` now; a command that is repeated means what it meant the first time.

    Raises:
        NotFound: it is the name of nothing.
        AmbiguousName: it is the short id of one thing and the key of another.
    """
    if command_key is not None:
        before = tag.command(read, canonical.tag(read.scope.secret, "command", command_key))
        if before is not None:
            first = ledger.commit_of(read, before.seq)[1][0]
            with suppress(NotFound):  # the key was used for another command, which is told later
                return standing(read, name, Moment(at_ms=first.recorded_ms, seq=first.seq - 1))
    return standing(read, name, Moment(at_ms=now_ms))


def line(read: Read, name: str, to_seq: int) -> list[int]:
    """The seqs of every version up to a seq of what a word names; none where it names no record.

    Raises:
        NotFound: `id:` says that it is an id, and there is no such record.
        AmbiguousName: it is the short id of one record and the key of another.
    """
    meant, rest = _parted(name)
    keyed = [] if meant == "id" else record.versions(read, tag_of(read, rest), to_seq)
    of_key = [row.seq for row in keyed]
    found = None if meant == "key" else event.match(rest)
    row = None
    if found is not None and found.letter == "r":
        row = record.by_seq(read, [found.seq]).get(found.seq)
    if row is None or found is None or row.seq > to_seq or found.mark not in (None, row.mark):
        if meant == "id":
            raise unknown(name, "key")
        return of_key
    whole = [seq for seq in standings.line(read, row.seq) if seq <= to_seq]
    if keyed and not set(of_key) <= set(whole):
        raise _ambiguous(name, row.id, keyed[-1].id, "key")
    return whole


def last(read: Read, seq: int) -> str:
    """The id of the newest version of what the record at `seq` is a version of."""
    newest = standings.line(read, seq)[-1]
    return record.by_seq(read, [newest])[newest].id


def hint(read: Read, name: str, seen: Filter | None = None, to_seq: int = LAST_SEQ) -> str | None:
    """What is said of a key where an id is wanted; None where there was no such key by `to_seq`.

    With `seen` it must be one that may be seen by who asks.
    """
    keyed = record.versions(read, tag_of(read, name), to_seq)
    if not keyed or (seen is not None and not binding.is_seen(read, seen, keyed[-1].seq)):
        return None
    return f"{name!r} is a key here: its id is {event.short(keyed[-1].id)}"


@contextmanager
def hinted(
    read: Read, given: Sequence[str], seen: Filter | None = None, to_seq: int = LAST_SEQ
) -> Iterator[None]:
    """An error about one of these ids, which is a key, says which id it has."""
    try:
        yield
    except NotFound as error:
        for name in given:
            if repr(name) in error.detail:
                error.detail = hint(read, name, seen, to_seq) or error.detail
                break
        raise


def unknown(name: str, at: str = "id") -> NotFound:
    """What is said of a word that names nothing, or nothing that may be seen."""
    meant, rest = _parted(name)
    if meant == "key":
        return NotFound(f"{rest!r} is no key here", at=at)
    if event.match(rest) is not None:
        return NotFound(f"nothing here has the id {rest!r}", at=at)
    lead = "" if meant == "id" else "no key here, and "
    return NotFound(f"{lead}{rest!r} is no id; ids look like r2 or r2-0123456789abcdef", at=at)


def _named(read: Read, name: str, at: str, moment: Moment | None) -> str:
    meant, rest = _parted(name)
    keyed = None if meant == "id" else _version(read, rest, moment)
    if meant == "id":
        return rest
    if meant == "key":
        if keyed is None:
            raise unknown(name, at)
        return keyed.id
    found = event.match(name)
    if keyed is None:
        if found is None:
            raise unknown(name, at)
        return name
    # What is taken back or closed is a record; the id of anything else cannot be meant there.
    meant_too = found is not None and (moment is not None or found.letter == "r")
    if found is not None and meant_too and (there := _there(read, found)) not in (None, keyed.id):
        raise _ambiguous(name, str(there), keyed.id, at)
    return keyed.id


def _parted(name: str) -> tuple[str | None, str]:
    """Which is meant, if it says so, and the id or key."""
    meant, _, rest = name.partition(":")
    return (meant, rest) if meant in ("id", "key") and rest else (None, name)


def _version(read: Read, key: str, moment: Moment | None) -> Row | None:
    """The version of a key that stands then, or else the newest."""
    if moment is None:
        return record.newest(read, tag_of(read, key))
    versions = record.versions(read, tag_of(read, key), moment.seq)
    for row in reversed(versions):
        if row.standing(moment) == "current" and row.speaks(moment):
            return row
    return versions[-1] if versions else None


def _there(read: Read, found: event.Reference) -> str | None:
    """The full id of what a reference names, if there is such a thing."""
    if not 1 <= found.seq <= ledger.tip(read).seq or found.letter == "q":
        return None
    id = ledger.event_at(read, found.seq).id
    same = id[0] == found.letter and found.mark in (None, event.mark_of(id))
    return id if same else None


def _ambiguous(name: str, id: str, keyed: str, at: str) -> AmbiguousName:
    return AmbiguousName(
        f"{name!r} is the id of {id} and the key of {keyed}: say id:{name} or key:{name}", at=at
    )
