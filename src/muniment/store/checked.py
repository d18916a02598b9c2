"""What a check has seen so far: of each chain, and of the contents."""

from __future__ import annotations

import hmac
from array import array
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

from muniment import limits
from muniment.errors import BrokenFile, BrokenLedger, RebuildNeeded
from muniment.model import scope
from muniment.model.event_kinds import RecordWritten
from muniment.model.integrity import ChainPoint, CheckpointNote, Fault
from muniment.model.scope import Allowed
from muniment.store import citing
from muniment.store.tx import Read

OTHER = {"m": "j", "j": "m"}  # the name of the other chain
# What values that nobody thought of can make of a check.
_UNEXPECTED = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


def kept_going(table: str, found: Iterable[Fault]) -> Iterator[Fault]:
    """The faults of a table, and one more where its check ends early: the others go on."""
    try:
        yield from found
    except (BrokenFile, BrokenLedger, RebuildNeeded) as error:
        yield Fault(code="file_malformed", table=table, detail=error.detail)
    except _UNEXPECTED as error:
        yield Fault(code="check_failed", table=table, detail=repr(error))


class Chain:
    """How far one chain has been followed.  `since`: from behind this commit, or from the first."""

    def __init__(self, name: str, since: ChainPoint | None = None) -> None:
        self.name = name
        self.height = -1 if since is None else since.height
        self.seq = self.first = 0 if since is None else since.seq
        self.head: str | None = None if since is None else since.head
        self.recorded_ms = 0
        self.other_height = -1
        self.whole = False  # whether it was followed to its end
        self.heads: dict[str, int] = {}  # hash to height
        self.ends: dict[int, int] = {}  # height to the seq of its last event, as far as followed
        self.marks = array("Q")  # by seq - 1 - first: the digest part of each id
        self.letters: list[str] = []  # the same; "?" where the header cannot be read

    def note(self, ids: Iterable[str]) -> None:
        """The ids of a commit's events are known from now on."""
        for id in ids:
            self.marks.append(int(id[-16:], 16))
            self.letters.append(id[0])


class Values:
    """Which value each key of the state has, as far as the memory chain was followed.

    `known`: from its first commit; else a key that was not met yet may have any value.
    """

    def __init__(self, *, known: bool) -> None:
        self._known = known
        self._now: dict[str, str | None] = {}  # by the key's tag, the id of the event

    def fits(self, key_tag: str, cited: str | None, more: Mapping[str, str | None]) -> bool:
        """Whether a key had just the value that is cited; `more` of them came since."""
        for now in (more, self._now):
            if key_tag in now:
                return now[key_tag] == cited
        return not self._known or cited is None

    def follow(self, more: Mapping[str, str | None]) -> None:
        """These keys have these values from now on."""
        self._now.update(more)

    def lose(self) -> None:
        """A commit cannot be read, and may have changed any of them."""
        self._known = False
        self._now.clear()


class Versions:
    """Which version of each record is the newest, as far as the memory chain was followed.

    `first`: the seq behind which the check begins; of what came before nothing is known.
    """

    _KEYED, _TAKEN = 1, 2

    def __init__(self, first: int) -> None:
        self._first = first
        self._lost = False
        self._newest: dict[int, int] = {}  # by the key's tag, a seq
        self._marks = bytearray()  # by seq - 1 - first: has a key, has a version after it

    def follow(self, shapes: Iterable[RecordWritten], missing: Container[int]) -> bool:
        """Whether each takes the place that it may; these are the newest then, else nothing is.

        `missing` are places of contents that are gone: nothing tells the key of such a version.
        """
        done: list[tuple[RecordWritten, int | None]] = []
        for shape in shapes:
            if not self._fits(shape, missing):
                for each, before in reversed(done):
                    self._undo(each, before)
                return False
            done.append((shape, self.put(shape)))
        return True

    def put(self, shape: RecordWritten) -> int | None:
        """This is the newest version of its key from now on; which was so before."""
        at = shape.seq - 1 - self._first
        self._marks.extend(bytes(max(0, at + 1 - len(self._marks))))
        if shape.supersedes is not None:
            self._mark(citing.seq_of(shape.supersedes), self._TAKEN)
        if shape.key_tag is None:
            return None
        tag = int(shape.key_tag, 16)
        before = self._newest.get(tag)
        self._newest[tag] = shape.seq
        self._marks[at] |= self._KEYED
        return before

    def lose(self) -> None:
        """A commit cannot be read, and may have written any record."""
        self._lost = True

    def _fits(self, shape: RecordWritten, missing: Container[int]) -> bool:
        cited = None if shape.supersedes is None else citing.seq_of(shape.supersedes)
        newest = None if shape.key_tag is None else self._newest.get(int(shape.key_tag, 16))
        if self._lost:
            return True
        if newest is not None and cited != newest:
            return False
        if cited is None or cited <= self._first or cited in missing:
            return True
        at = cited - 1 - self._first
        said = self._marks[at] if at < len(self._marks) else 0
        return not said & self._TAKEN and (newest is not None or not said & self._KEYED)

    def _mark(self, seq: int, how: int) -> None:
        at = seq - 1 - self._first
        if 0 <= at < len(self._marks):
            self._marks[at] |= how

    def _undo(self, shape: RecordWritten, before: int | None) -> None:
        self._marks[shape.seq - 1 - self._first] &= ~self._KEYED
        if shape.supersedes is not None:
            # What it takes the place of had been free, or is gone and not looked at any more.
            at = citing.seq_of(shape.supersedes) - 1 - self._first
            if 0 <= at < len(self._marks):
                self._marks[at] &= ~self._TAKEN
        if shape.key_tag is not None:
            tag = int(shape.key_tag, 16)
            if before is None:
                del self._newest[tag]
            else:
                self._newest[tag] = before


def _allowed(read: Read) -> Allowed:
    """What the scope's limits allow; where they cannot be read, which is a fault, anything."""
    try:
        return scope.allowed(read.scope.limits)
    except BrokenLedger:
        return Allowed(**dict.fromkeys(Allowed.__struct_fields__, limits.INTEGER_MAX))


class Checked:
    """What a check of one scope has seen."""

    def __init__(self, read: Read, *, content: bool, since: CheckpointNote | None = None) -> None:
        self.read = read
        self.content = content
        self.since = since
        self.chains = {
            "m": Chain("m", None if since is None else since.memory),
            "j": Chain("j", None if since is None else since.journal),
        }
        self.allowed = _allowed(read)
        self._keyed = hmac.new(read.scope.secret, digestmod="sha256")
        self.genesis: Any = None
        self.born: Any = None  # the scope that the first header names
        self.missing: dict[int, int] = {}  # place to height
        self.authorised: set[int] = set()  # places that an erasure names
        self.values = Values(known=since is None)
        self.versions = Versions(self.chains["m"].first)
        self.through = {"m": 0, "j": 0}  # the last seq that an erasure of everything covers
        self.contents: dict[str, Any] = {}  # by chain: its contents, read so far
        # Journal ids that memory events cite, and the height by which they must stand.
        self.waiting: list[tuple[dict[str, Any], str, int]] = []

    def lose(self) -> None:
        """A commit cannot be read: what the state and the records are behind it is not known."""
        self.values.lose()
        self.versions.lose()

    @property
    def erased(self) -> int:
        """How many contents are gone, and may be."""
        return sum(self.may_miss(place) for place in self.missing)

    def may_miss(self, place: int) -> bool:
        """Whether an erasure has taken this content."""
        covered = self.through["m"] if place > 0 else self.through["j"]
        return place in self.authorised or 0 < abs(place) <= covered

    def tag(self, kind: str, text: str) -> str:
        """The keyed tag that a text must have."""
        state = self._keyed.copy()
        state.update(kind.encode() + b"\0" + text.encode())
        return state.hexdigest()[:32]
