"""A scope as a dictionary: what each thing is, what it rests on, and whether it stands.

Written from the rules and not from the code: no tables, no folds, no ids of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

OVER = ("retracted", "rejected", "expired", "superseded")
ASSERTING = ("belief", "requirement", "intention", "appraisal")
SAME_WORDS = 5


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """What a record is asked to say."""

    text: str
    kind: str
    status: str
    owner: str = "scope"
    key: str | None = None
    sources: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    valid_to: int | None = None


class Thing(msgspec.Struct, kw_only=True):
    """One event, record version or state value."""

    id: str
    seq: int
    kind: str  # "event", "state" or a record's kind
    text: str
    role: str | None = None
    thread: str | None = None
    key: str | None = None
    status: str = ""
    owner: str = ""
    sources: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    before: str | None = None
    after: str | None = None
    valid_to: int | None = None
    until: int | None = None
    ended: str | None = None

    @property
    def is_record(self) -> bool:
        """Whether it is a version of a record."""
        return self.kind not in ("event", "state")

    @property
    def words(self) -> list[str]:
        """The words of its text; that of a state value is JSON."""
        return self.text.replace('"', "").split()

    @property
    def standing(self) -> str:
        """Whether it stands; windows of this model end in the past or never."""
        if self.ended in ("erased", "superseded"):
            return self.ended
        if self.status in OVER:
            return self.status
        if self.ended:
            return self.ended
        if self.valid_to is not None:
            return "expired"
        if self.until is not None:
            return {"summary": "stale", "proposal": "superseded"}.get(self.kind, "withdrawn")
        return "proposed" if self.kind == "proposal" else "current"


class Oracle(msgspec.Struct, kw_only=True):
    """All that a scope holds, in order."""

    things: dict[str, Thing] = {}
    external: dict[str, str] = {}  # external id to event
    commands: dict[str, tuple[Note, str]] = {}  # command key to what it said and wrote
    heads: list[str] = []
    seq: int = 0

    # ---- what there is ------------------------------------------------------------------------

    def records(self, key: str | None = None) -> list[Thing]:
        """Every version of every record, or of a key, oldest first."""
        every = [thing for thing in self.things.values() if thing.is_record]
        return every if key is None else [thing for thing in every if thing.key == key]

    def values(self, key: str) -> list[Thing]:
        """Every value of a state key, oldest first."""
        return [each for each in self.things.values() if each.kind == "state" and each.key == key]

    def newest(self, key: str | None) -> str | None:
        """The newest version of a key."""
        records = self.records(key) if key is not None else []
        return records[-1].id if records else None

    def open_tasks(self) -> set[str]:
        """What must be shown whatever is asked."""
        return {
            thing.id
            for thing in self.records()
            if thing.status == "open" and thing.standing == "current"
        }

    def saying(self, word: str) -> set[str]:
        """What stands and says a word."""
        return {
            thing.id
            for thing in self.things.values()
            if thing.standing == "current" and word in thing.words
        }

    def gone(self, words: list[str]) -> list[str]:
        """Those of the words that nothing says any more, and something said."""
        held = {word for thing in self.things.values() for word in thing.words}
        return [word for word in words if word not in held]

    # ---- what may be written ------------------------------------------------------------------

    def commands_of(self, ids: set[str]) -> int:
        """How many commands wrote, or found standing, one of these that is not erased yet."""
        gone = {id for id in ids if self.things[id].ended != "erased"}
        return sum(id in gone for _, id in self.commands.values())

    def known(self, note: Note) -> Thing | None:
        """The version that says a note already."""
        if note.key is not None:
            candidates = self.records(note.key)[-1:]
        else:
            candidates = [
                thing for thing in self.records() if thing.key is None and thing.ended is None
            ]
        for thing in candidates:
            said = Note(
                text=thing.text, kind=thing.kind, status=thing.status, owner=thing.owner,
                key=thing.key, sources=thing.sources, covers=note.covers, valid_to=thing.valid_to,
            )  # fmt: skip
            if thing.ended != "erased" and said == note:
                return thing
        return None

    def refusal(self, note: Note) -> str | None:
        """The code that a note is refused with."""
        before = self.records(note.key)[-1] if note.key and self.records(note.key) else None
        if before is not None and before.owner != note.owner:
            return "owner_differs"
        protected = before is not None and before.status == "open" and before.ended != "erased"
        if protected and note.kind != "task":
            return "open_task_protected"
        if any(self.things[id].ended == "erased" for id in note.sources):
            return "source_erased"
        return None

    def changing(self, id: str, status: str) -> str | None:
        """What becomes of a version that is closed or taken back: a code, "known" or None."""
        thing = self.things[id]
        if thing.after is not None or thing.ended == "erased":
            return "not_current"
        if status == "closed" and thing.kind != "task":
            return "not_a_task"
        if thing.status == status:
            return "known"
        if thing.kind == "proposal" or (status == "closed" and thing.status != "open"):
            return "not_current"
        return None

    # ---- what a write does --------------------------------------------------------------------

    def observed(self, thing: Thing) -> None:
        """One more event or state value."""
        if thing.kind == "state":
            for before in self.values(thing.key or "")[-1:]:
                before.ended = before.ended or "superseded"
        self.things[thing.id] = thing

    def written(self, id: str, seq: int, note: Note, before: str | None) -> None:
        """One more version of a record."""
        ends = [thing.until for thing in map(self.things.__getitem__, note.sources)]
        inherited = [end for end in ends if end is not None and note.kind not in TELLING]
        self.things[id] = Thing(
            id=id, seq=seq, kind=note.kind, text=note.text, key=note.key, status=note.status,
            owner=note.owner, sources=note.sources, covers=note.covers, before=before,
            valid_to=note.valid_to, until=min([*inherited, *filter(None, [note.valid_to])],
                                              default=None),
        )  # fmt: skip
        if before is not None:
            self.things[before].after = id
            self.things[before].ended = self.things[before].ended or "superseded"
            self._follow(before, "retracted" if note.status == "retracted" else "superseded")

    def erased(self, ids: set[str]) -> None:
        """These have no words any more."""
        for id in ids:
            thing = self.things[id]
            thing.text, thing.ended, thing.thread = "", "erased", None
        for id in ids:
            self._follow(id, "erased")

    def _follow(self, id: str, cause: str) -> None:
        over = cause in ("retracted", "withdrawn", "erased")
        for thing in self.records():
            if thing.ended is not None or id not in thing.sources or thing.id == id:
                continue
            if thing.after is not None:
                continue
            how = "stale" if thing.kind == "summary" else None
            if over and thing.kind in ASSERTING:
                how = "withdrawn"
            if over and thing.kind == "proposal":
                how = "superseded"
            if how is not None:
                thing.ended = how
                self._follow(thing.id, "stale" if how == "stale" else "withdrawn")

    # ---- what an erasure takes ----------------------------------------------------------------

    def plan(self, targets: list[str], *, with_dependents: bool) -> tuple[set[str], set[str]]:
        """What follows the targets, and what rests on them and would stay."""
        follows: set[str] = set()
        waiting = list(targets)
        resting: set[str] = set()
        while waiting:
            id = waiting.pop()
            for other in self._resting_on(id):
                if other.id in targets or other.id in follows:
                    continue
                if with_dependents or self._derived(self.things[id], other):
                    follows.add(other.id)
                    waiting.append(other.id)
                else:
                    resting.add(other.id)
        return follows, resting - follows

    def versions(self, id: str) -> list[str]:
        """Every version of the record that this is one of, or every value of its state key."""
        thing = self.things[id]
        if thing.kind == "state":
            return [each.id for each in self.values(thing.key or "")]
        chain = [thing]
        while chain[0].before is not None:
            chain.insert(0, self.things[chain[0].before])
        while chain[-1].after is not None:
            chain.append(self.things[chain[-1].after])
        return [each.id for each in chain]

    def _resting_on(self, id: str) -> Iterator[Thing]:
        for other in self.records():
            if other.ended != "erased" and (id in other.sources or other.before == id):
                yield other

    def _derived(self, thing: Thing, other: Thing) -> bool:
        if thing.id in other.covers or other.kind == "proposal":
            return True
        left, right = thing.words, other.words
        if not left or not right:
            return False
        return any(
            run(short, size) & run(long, size)
            for short, long in ((left, right), (right, left))
            for size in (SAME_WORDS, len(short))
        )


TELLING = ("note", "fact", "procedure", "task", "story")


def run(words: list[str], size: int) -> set[tuple[str, ...]]:
    """Every run of so many words."""
    return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}
