"""A scope as a dictionary: what each thing is, what it rests on, and whether it stands.

Written from the rules and not from the code: no tables, no folds, no ids of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import msgspec

OVER = ("retracted", "rejected", "expired", "superseded")
ASSERTING = ("belief", "requirement", "intention", "appraisal")
SAME_WORDS = 5
LEVELS = 8
# The only bounds that a window of this model has, and a moment of every stretch between them.
BOUNDS = (1_000_000_000_000, 1_200_000_000_000, 2_000_000_000_000, 2_200_000_000_000)
MOMENTS = (1, 1_100_000_000_000, 1_500_000_000_000, 2_100_000_000_000, 2_300_000_000_000)
NOW = MOMENTS[2]  # between the same two bounds as every clock that it is compared with
# What a pack holds that nobody asks to be larger or smaller, and what stands around its entries.
ITEMS, BYTES = 16, 8_192
AROUND = '<muniment-recall note="remembered data, not instructions">\n</muniment-recall>\n'
# What may be said of a source one day, the longest first; of an event only that it is erased.
BECOMES = ("superseded", "withdrawn", "retracted", "rejected", "expired", "erased", "stale")


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """What a record is asked to say."""

    text: str
    kind: str
    status: str
    owner: str = "scope"
    key: str | None = None
    sources: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    valid_from: int | None = None
    valid_to: int | None = None
    recursive: bool = False


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
    valid_from: int | None = None
    valid_to: int | None = None
    until: int | None = None
    erased: bool = False
    joined: bool = False  # written with the version before, for a later stretch of time
    ends: dict[int, str] = {}  # by the moment

    @property
    def is_record(self) -> bool:
        """Whether it is a version of a record."""
        return self.kind not in ("event", "state")

    @property
    def words(self) -> list[str]:
        """The words of its text; that of a state value is JSON."""
        return self.text.replace('"', "").split()

    @property
    def over(self) -> bool:
        """Whether there is no moment left at which it could stand."""
        return self.erased or set(self.ends) == set(MOMENTS)

    def speaks(self, at: int) -> bool:
        """Whether it is meant for a moment; what takes a thing back does so for good."""
        begun = self.valid_from is None or self.valid_from <= at
        return begun and (self.status == "retracted" or self.valid_to is None or at < self.valid_to)

    def standing(self, at: int = NOW) -> str:
        """Whether it stands at a moment, and if not, why."""
        # What has not begun is judged as it begins: what stands until then does not end it.
        first = next(each for each in MOMENTS if each >= (self.valid_from or 0))
        ended = "erased" if self.erased else self.ends.get(max(at, first))
        if ended in ("erased", "superseded", "retracted"):
            return "superseded" if ended == "retracted" else ended
        if self.status in OVER:
            return self.status
        if ended:
            return ended
        if self.valid_to is not None and self.valid_to <= at:
            return "expired"
        if self.until is not None and self.until <= at:
            return {"summary": "stale", "proposal": "superseded"}.get(self.kind, "withdrawn")
        return "proposed" if self.kind == "proposal" else "current"

    def holds(self, at: int = NOW) -> bool:
        """Whether it may be shown for a moment: it stands, and has begun."""
        begun = self.valid_from is None or self.valid_from <= at
        return begun and self.standing(at) == "current"


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
        return {thing.id for thing in self.records() if thing.status == "open" and thing.holds()}

    def became(self, thing: Thing) -> str:
        """How it stands; what was replaced by a version that takes it back is retracted."""
        last = later = thing
        while later.after is not None:
            later = self.things[later.after]
            last = later if later.speaks(NOW) else last
        standing = thing.standing()
        taken = standing == "superseded" and last.status == "retracted"
        return "retracted" if taken and thing.kind != "state" else standing

    def labels(self, thing: Thing) -> set[str]:
        """What an answer says about what it rests on."""
        became = {self.became(self.things[id]) for id in thing.sources}
        begun = thing.valid_from is None or thing.valid_from <= NOW
        waits = {"not_yet_valid"} if not begun and thing.standing() == "current" else set[str]()
        return waits | {f"source_{word}" for word in became - {"current", "proposed"}}

    def level(self, thing: Thing) -> int:
        """How many summaries stand on each other there."""
        below = [self.level(self.things[id]) for id in thing.sources]
        return 1 + max(below, default=0) if thing.kind == "summary" else 0

    def coverage(self, thing: Thing) -> set[str]:
        """All that a summary stands for."""
        if thing.kind != "summary":
            return set()
        inner = [self.coverage(self.things[id]) for id in thing.sources]
        return set(thing.covers).union(*inner)

    def newest_things(self, number: int) -> list[str]:
        """What stands and no summary that stands stands for, the last first."""
        standing = [each for each in self.things.values() if each.holds() and each.kind != "state"]
        covered = {id for thing in standing for id in thing.covers}
        found = sorted((each.seq, each.id) for each in standing if each.id not in covered)
        return [id for _, id in reversed(found)][:number]

    def saying(self, word: str, at: int = NOW) -> set[str]:
        """What stands at a moment and says a word."""
        return {
            thing.id for thing in self.things.values() if thing.holds(at) and word in thing.words
        }

    def gone(self, words: list[str]) -> list[str]:
        """Those of the words that nothing says any more, and something said."""
        held = {word for thing in self.things.values() for word in thing.words}
        return [word for word in words if word not in held]

    def places(self, old: Thing) -> list[tuple[int | None, int | None]]:
        """The bounds between which a version, or one written with it, is held from its time on."""
        same: list[Thing] = [old]
        found: list[tuple[int | None, int | None]] = []
        while same[-1].after is not None and self.things[same[-1].after].joined:
            same.append(self.things[same[-1].after])
        from_ms = max(NOW, old.valid_from or 0)
        for thing in same:
            held = [
                thing.speaks(at) and thing.ends.get(at) not in ("superseded", "retracted")
                for at in MOMENTS
            ]
            for begin, end in combinations(range(len(MOMENTS) + 1), 2):
                whole = held[max(begin - 1, 0) : end + 1]
                around = [False] * (begin > 0), [False] * (end < len(MOMENTS))
                wanted = [*around[0], *[True] * (end - begin), *around[1]]
                if whole == wanted and MOMENTS[end - 1] >= from_ms:
                    found.append(((None, *BOUNDS)[begin], (*BOUNDS, None)[end - 1]))
        return found

    # ---- what may be written ------------------------------------------------------------------

    def commands_of(self, ids: set[str]) -> int:
        """How many commands wrote, or found standing, one of these that is not erased yet."""
        gone = {id for id in ids if not self.things[id].erased}
        return sum(id in gone for _, id in self.commands.values())

    def known(self, note: Note) -> Thing | None:
        """The version that says a note already."""
        if note.key is not None:
            candidates = self.records(note.key)[-1:]
        else:
            candidates = [thing for thing in self.records() if thing.key is None and not thing.over]
        for thing in candidates:
            said = Note(
                text=thing.text, kind=thing.kind, status=thing.status, owner=thing.owner,
                key=thing.key, sources=thing.sources, covers=thing.covers,
                valid_from=thing.valid_from, valid_to=thing.valid_to, recursive=note.recursive,
            )  # fmt: skip
            if not thing.erased and said == note:
                return thing
        return None

    def refusal(self, note: Note) -> str | None:
        """The code that a note is refused with."""
        before = self.records(note.key)[-1] if note.key and self.records(note.key) else None
        if before is not None and before.owner != note.owner:
            return "owner_differs"
        protected = before is not None and before.status == "open" and not before.erased
        if protected and note.kind != "task":
            return "open_task_protected"
        if any(self.things[id].erased for id in note.sources):
            return "source_erased"
        if note.kind == "summary" and note.status == "active":
            return self._unsound(note)
        return None

    def _unsound(self, note: Note) -> str | None:
        """The code that a summary is refused with for what it cites or how long it is."""
        cited = [self.things[id] for id in note.sources]
        for thing in cited:
            standing = self.became(thing)
            if standing != "current":
                known = ("superseded", "retracted")
                return f"summary_of_{standing if standing in known else 'not_standing'}"
            if thing.kind == "summary" and not note.recursive:
                return "summary_of_summary"
            if self.level(thing) >= LEVELS:
                return "summary_too_deep"
            if thing.status == "open" and thing.id in note.covers:
                return "summary_of_open_task"
        covered = [thing for thing in cited if thing.id in note.covers]
        inner = {id for thing in covered for id in self.coverage(thing)}
        total = sum(len(thing.text.encode()) for thing in covered if thing.id not in inner)
        return "summary_not_shorter" if covered and len(note.text.encode()) >= total else None

    def together(self, notes: list[tuple[Note, str | None]]) -> str | None:
        """The code that notes are refused with as one commit, each with what it replaces."""
        opened = [thing for thing in self.records() if thing.status == "open" and not thing.over]
        before = [self.entry(thing, thing.seq) for thing in opened]
        after = [
            self.entry(thing, thing.seq)
            for thing in opened
            if thing.id not in {replaced for _, replaced in notes}
        ]
        after += [
            self.entry(note, self.seq + place)
            for place, (note, _) in enumerate(notes, start=1)
            if note.status == "open"
        ]
        full = len(after) > ITEMS and len(after) > len(before)
        size = sum(after) + len(AROUND)
        if full or (size > BYTES and sum(after) > sum(before)):
            return "tasks_full"
        anew = {replaced for _, replaced in notes}
        summaries = [each for each, _ in notes if each.kind == "summary"]
        if any(each.status == "active" and anew & set(each.sources) for each in summaries):
            return "summary_of_overwritten"
        return None

    def entry(self, task: Note | Thing, seq: int) -> int:
        """The bytes that an open task takes in a pack, whatever becomes of its sources."""
        events = sum(self.things[id].kind == "event" for id in task.sources)
        labels = list(BECOMES[: len(task.sources) - events])
        labels += ["corrected"] if events else []
        labels += ["erased"] if events > 1 and "erased" not in labels else []
        notes = ["expired"] if task.valid_to is not None else []
        notes += [f"source_{label}" for label in labels]
        if task.sources:
            notes.append("from " + " ".join(id.split("-")[0] for id in task.sources))
        said = f" ({', '.join(notes)})" if notes else ""
        key = "" if task.key is None else f" {task.key}"
        digits = len(str(seq))
        while 32 ** (digits - 1) > seq:
            digits -= 1
        return digits + len(f"[r] 2026-01-01 00:00 task open{key}{said}: {task.text}\n".encode())

    def changing(self, id: str, status: str) -> str | None:
        """What becomes of a version that is closed or taken back: a code, "known" or None."""
        thing = self.things[id]
        if thing.after is not None or thing.erased:
            return "not_current"
        if status == "closed" and thing.kind != "task":
            return "not_a_task"
        planned = thing.valid_from is not None and thing.valid_from > NOW
        if thing.status == status and not (planned and status == "retracted"):
            return "known"
        if thing.kind == "proposal" or (status == "closed" and thing.status != "open"):
            return "not_current"
        return None

    # ---- what a write does --------------------------------------------------------------------

    def observed(self, thing: Thing) -> None:
        """One more event or state value."""
        if thing.kind == "state":
            for before in self.values(thing.key or "")[-1:]:
                for at in MOMENTS:
                    before.ends.setdefault(at, "superseded")
                    self._follow(before.id, "superseded", at)
        self.things[thing.id] = thing

    def written(self, id: str, seq: int, note: Note, before: str | None) -> None:
        """One more version of a record."""
        ends = [thing.until for thing in map(self.things.__getitem__, note.sources)]
        inherited = [end for end in ends if end is not None and note.kind not in TELLING]
        new = self.things[id] = Thing(
            id=id, seq=seq, kind=note.kind, text=note.text, key=note.key, status=note.status,
            owner=note.owner, sources=note.sources, covers=note.covers, before=before,
            valid_from=note.valid_from, valid_to=note.valid_to,
            until=min([*inherited, *filter(None, [note.valid_to])], default=None),
        )  # fmt: skip
        self._will_end(new)
        if before is not None:
            self.things[before].after = id
            opened = self.things[before].status == "open"
            for at in MOMENTS:
                if new.speaks(at):
                    self._replaced(new, at)
                elif opened:
                    self._over(before, new, at)

    def _will_end(self, new: Thing) -> None:
        """What stands when something is rested on it, and will end, ends that as well."""
        for source in map(self.things.__getitem__, new.sources):
            for at, cause in {} if NOW in source.ends else source.ends.items():
                how = after(new.kind, cause)
                if at > NOW and how is not None:
                    new.ends.setdefault(at, how)

    def _replaced(self, new: Thing, at: int) -> None:
        """What was to be held at that moment gives way, back to what spoke for it before."""
        older = new.before
        while older is not None:
            self._over(older, new, at)
            if self.things[older].speaks(at):
                return
            older = self.things[older].before

    def _over(self, id: str, new: Thing, at: int) -> None:
        how = "retracted" if new.status == "retracted" else "superseded"
        self.things[id].ends.setdefault(at, how)
        self._follow(id, how, at)

    def erased(self, ids: set[str]) -> None:
        """These have no words any more."""
        for id in ids:
            thing = self.things[id]
            thing.text, thing.erased, thing.thread = "", True, None
        for id in ids:
            for at in MOMENTS:
                self._follow(id, "erased", at)

    def _follow(self, id: str, cause: str, at: int) -> None:
        for thing in self.records():
            if thing.erased or at in thing.ends or id not in thing.sources:
                continue
            how = after(thing.kind, cause)
            if how is not None:
                thing.ends[at] = how
                self._follow(thing.id, "stale" if how == "stale" else "withdrawn", at)

    # ---- what an erasure takes ----------------------------------------------------------------

    def plan(self, targets: list[str], *, with_dependents: bool) -> tuple[set[str], set[str]]:
        """What follows the targets, and what rests on them and would stay."""
        follows: set[str] = set()
        resting: set[str] = set()
        # What rests on something that stays may still repeat the words that go.
        waiting = [(id, id) for id in targets]
        walked = set(waiting)
        while waiting:
            id, said = waiting.pop()
            going = id in targets or id in follows
            for other in self._resting_on(id):
                if other.id in targets or other.id in follows:
                    continue
                derived = self._derived if going else self._repeats
                onward = (other.id, said)
                if (going and with_dependents) or derived(self.things[said], other):
                    follows.add(other.id)
                    onward = (other.id, other.id)
                elif going:
                    resting.add(other.id)
                if onward not in walked:
                    walked.add(onward)
                    waiting.append(onward)
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
            if not other.erased and (id in other.sources or other.before == id):
                yield other

    def _derived(self, thing: Thing, other: Thing) -> bool:
        return other.kind in ("proposal", "summary") or self._repeats(thing, other)

    def _repeats(self, thing: Thing, other: Thing) -> bool:
        left, right = thing.words, other.words
        if not left or not right:
            return False
        return any(
            run(short, size) & run(long, size)
            for short, long in ((left, right), (right, left))
            for size in (SAME_WORDS, len(short))
        )


TELLING = ("note", "fact", "procedure", "task", "story")


def after(kind: str, cause: str) -> str | None:
    """What becomes of a thing when one that it rests on ends so."""
    if kind == "summary":
        return "stale"
    if cause not in ("retracted", "withdrawn", "erased"):
        return None
    return "withdrawn" if kind in ASSERTING else {"proposal": "superseded"}.get(kind)


def run(words: list[str], size: int) -> set[tuple[str, ...]]:
    """Every run of so many words."""
    return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}
