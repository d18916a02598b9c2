"""What a check has seen so far: of each chain, and of the contents."""

from __future__ import annotations

import hmac
from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from muniment.errors import BrokenFile, BrokenLedger, RebuildNeeded
from muniment.model.integrity import ChainPoint, CheckpointNote, Fault
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
        self._keyed = hmac.new(read.scope.secret, digestmod="sha256")
        self.genesis: Any = None
        self.born: Any = None  # the scope that the first header names
        self.missing: dict[int, int] = {}  # place to height
        self.authorised: set[int] = set()  # places that an erasure names
        self.values = Values(known=since is None)
        self.through = {"m": 0, "j": 0}  # the last seq that an erasure of everything covers
        self.contents: dict[str, Any] = {}  # by chain: its contents, read so far
        self.waiting: list[tuple[dict[str, Any], str]] = []  # journal ids that memory events cite

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
