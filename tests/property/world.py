"""A memory of two scopes beside a plain model of each: what can be done to both at once."""

from __future__ import annotations

import random
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from muniment import (
    Close,
    Commit,
    Correct,
    Memory,
    Observe,
    Rebuild,
    Recall,
    Receipts,
    Remember,
    Replay,
    Retract,
    Show,
    StateGet,
    StateHistory,
    StateSetTo,
    Status,
    Thread,
    errors,
)
from muniment import Note as Asked
from muniment.model import event
from muniment.model.policy import PolicyName
from muniment.ranking.policies import BY_NAME
from tests.conftest import Clock
from tests.operations.conftest import RAM
from tests.operations.seen import canary
from tests.property.oracle import BOUNDS, BYTES, ITEMS, MOMENTS, NOW, Note, Oracle, Thing

LETTERS = re.compile(rb"[a-z]{8,}")
GUARANTEED = [
    name for name, each in BY_NAME.items() if {"open_tasks", "tasks"}.intersection(each.must)
]
SCOPES = ("here", "There & back")
KINDS = (
    *("note", "fact", "task", "task", "story", "summary", "summary"),
    *("belief", "belief", "intention", "proposal"),
)
CORRECTED = ("note", "fact", "story", "belief")
STATUSES = {
    "task": ("open", "open", "closed"),
    "intention": ("pending", "pending", "retracted"),
    "proposal": ("proposed", "rejected"),
}
WORDS = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta")
EVERYTHING = {"items_max": 256, "bytes_max": 1 << 20}
BAD: tuple[Callable[[str], Any], ...] = (
    lambda scope: Observe(text=" ", role="user", scope=scope),
    lambda scope: Observe(text="a\0", role="user", scope=scope),
    lambda scope: Remember(text="a", key="k" * 129, scope=scope),
    lambda scope: Remember(text="a", status="open", scope=scope),
    lambda scope: Remember(text="a", kind="summary", scope=scope),
    lambda scope: Commit(scope=scope),
    lambda scope: Commit(notes=(Asked(text="fine"), Asked(text="")), scope=scope),
    lambda scope: Commit(notes=(Asked(text="fine"),), state={"k": float("nan")}, scope=scope),
    lambda scope: StateSetTo(key="", value=1, scope=scope),
    lambda scope: Recall(query="a", bytes_max=0, scope=scope),
)


class World:
    """The memory, the models, and every word that was ever said in one text and its copies."""

    def __init__(self) -> None:
        self.place = Path(tempfile.mkdtemp(dir=RAM if RAM.is_dir() else None))
        self.directory = self.place / "memory"
        self.clock = Clock()
        self.chance = random.Random(5)
        self.memory = self.opened()
        self.oracles = {scope: Oracle() for scope in SCOPES}
        self.said: list[str] = []

    def opened(self) -> Memory:
        """The memory as another process would find it."""
        return Memory.open(self.directory, clock=self.clock, entropy=self.chance.randbytes)

    def remove(self) -> None:
        """Nothing is left of it."""
        self.memory.close()
        shutil.rmtree(self.place)

    def word(self) -> str:
        """A word that nothing says yet."""
        self.said.append(canary(1_000 + len(self.said), 14))
        return self.said[-1]

    def sentence(self, draw: random.Random) -> str:
        """Some words of everybody and one of its own."""
        return " ".join([*draw.choices(WORDS, k=draw.randint(1, 8)), self.word()])

    def pick(
        self, scope: str, draw: random.Random, fits: Callable[[Thing], bool] = lambda _: True
    ) -> Thing | None:
        """One of the things that fit, a late one more often, if there is any."""
        things = [thing for thing in self.oracles[scope].things.values() if fits(thing)]
        return draw.choice(things[-9:] if draw.random() < 0.7 else things) if things else None

    def refused(self, scope: str, code: str, request: Any) -> None:
        """The request is refused with the code, and nothing of it shows."""
        before = self.memory.run(Status(scope=scope))
        with pytest.raises(errors.MunimentError) as caught:
            self.memory.run(request)
        assert caught.value.code == code
        assert self.memory.run(Status(scope=scope)) == before

    def moved(self, scope: str, head: str | None, by: int) -> None:
        """The chain is so many events longer."""
        oracle = self.oracles[scope]
        assert head is not None
        assert (head == oracle.heads[-1]) is (by == 0)
        oracle.seq += by
        oracle.heads += [head] if by else []

    # ---- writing ------------------------------------------------------------------------------

    def observe(self, scope: str, draw: random.Random) -> None:
        """Something is said, or said again with an id that was used."""
        oracle = self.oracles[scope]
        external = draw.choice([None, None, f"x{draw.randrange(9)}"])
        known = oracle.things.get(oracle.external.get(external or "", ""))
        to = self.pick(scope, draw, lambda thing: thing.kind == "event")
        text, role, thread = (
            self.sentence(draw),
            draw.choice(("user", "tool")),
            draw.choice(("t0", "t1", None)),
        )
        if known is not None and known.text and draw.random() < 0.5:
            text, role, thread = known.text, known.role or "", known.thread
        request = Observe(
            text=text,
            role=role,
            thread=thread,
            external_id=external,
            reply_to=None if to is None or draw.random() < 0.7 else to.id,
            scope=scope,
        )
        same = known is not None and (known.text, known.role, known.thread) == (text, role, thread)
        if known is not None and not known.erased and not same:
            self.refused(scope, "external_id_reused", request)
            return
        done = self.memory.run(request)
        assert done.known is (known is not None)
        if known is not None:
            assert (done.id, done.standing) == (known.id, known.standing())
            self.moved(scope, done.head, 0)
            return
        oracle.observed(
            Thing(id=done.id, seq=done.seq, kind="event", text=text, role=role, thread=thread)
        )
        self.moved(scope, done.head, 1)
        if external is not None:
            oracle.external[external] = done.id

    def note(self, scope: str, draw: random.Random, key: str | None) -> Note:
        """A note of a kind, with sources that stand or not, that may copy one of them."""
        kind = draw.choice(KINDS)
        # A summary of what has ended is refused, which is seen often enough with some of them.
        sound = kind == "summary" and draw.random() < 0.8
        cited = [
            self.pick(scope, draw, lambda thing: not sound or thing.standing() == "current")
            for _ in range(draw.randint(0, 3))
        ]
        sources = tuple(dict.fromkeys(thing.id for thing in cited if thing is not None))
        if kind == "summary" and not sources:
            kind = "story"
        text = self.sentence(draw)
        if sources and draw.random() < 0.3:
            text += " " + " ".join(self.oracles[scope].things[sources[0]].words)
        status = draw.choice(STATUSES.get(kind, ("active", "active", "retracted")))
        covering = kind == "summary" and status == "active" and draw.random() < 0.5
        return Note(
            text=text.strip(),
            kind=kind,
            status=status,
            key=key,
            sources=sources,
            owner="agent" if draw.random() < 0.05 and kind != "proposal" else "scope",
            covers=sources if covering else (),
            **window(draw),
            recursive=kind == "summary" and draw.random() < 0.7,
        )

    def remember(self, scope: str, draw: random.Random) -> None:
        """A record is written, or one that was written is said again."""
        oracle = self.oracles[scope]
        note = self.note(scope, draw, draw.choice(("k0", "k1", "k2", "k3", "k4", None, None)))
        old = self.pick(scope, draw, lambda thing: thing.is_record and bool(thing.text))
        if old is not None and draw.random() < 0.2:
            note = again(old, old.status)
        known = oracle.known(note)
        command = draw.choice([None, None, None, f"c{draw.randrange(6)}"])
        request = Remember(scope=scope, command_key=command, **fields(note))
        if command is not None and command in oracle.commands:
            first, id = oracle.commands[command]
            if first != note and not oracle.things[id].erased:
                self.refused(scope, "command_key_reused", request)
            else:
                done = self.memory.run(request)
                assert (done.known, done.id) == (True, id)
            return
        before = oracle.newest(note.key)
        code = None
        if known is None:
            code = oracle.refusal(note) or oracle.together([(note, before)])
        if code is not None:
            self.refused(scope, code, request)
            return
        done = self.memory.run(request)
        assert (done.known, done.id) == (known is not None, done.id if known is None else known.id)
        if known is None:
            assert done.supersedes == before
            oracle.written(done.id, done.seq, note, before)
        self.moved(scope, done.head, int(known is None) + int(command is not None))
        if command is not None:
            oracle.commands[command] = (note, done.id)

    def supersede(self, scope: str, draw: random.Random) -> None:
        """A record without a key is written anew by naming it."""
        oracle = self.oracles[scope]
        old = self.pick(scope, draw, lambda thing: thing.is_record and thing.key is None)
        if old is None:
            return
        kind, status = draw.choice((("task", "open"), ("note", "active")))
        note = Note(
            text=self.sentence(draw), kind=kind, status=status, owner=old.owner, **window(draw)
        )
        request = Remember(scope=scope, supersedes=old.id, **fields(note))
        if old.after is not None:
            self.refused(scope, "not_current", request)
        elif old.status == "open" and not old.erased and kind == "note":
            self.refused(scope, "open_task_protected", request)
        elif (code := oracle.together([(note, old.id)])) is not None:
            self.refused(scope, code, request)
        else:
            done = self.memory.run(request)
            oracle.written(done.id, done.seq, note, old.id)
            self.moved(scope, done.head, 1)

    def correct(self, scope: str, draw: random.Random) -> None:
        """Something is said in other words, wherever it is to hold."""
        oracle = self.oracles[scope]
        old = self.pick(scope, draw, lambda thing: thing.kind in CORRECTED and bool(thing.text))
        said = self.pick(scope, draw, lambda thing: thing.kind == "event" and not thing.erased)
        if old is None or said is None or old.status != "active":
            return
        if draw.random() < 0.5:
            self.plan(scope, draw, old)
        request = Correct(id=old.id, text=self.sentence(draw), sources=(said.id,), scope=scope)
        newest = oracle.things[oracle.versions(old.id)[-1]]
        places = [(old.valid_from, old.valid_to)] if old.after is None else oracle.places(old)
        if old.standing() == "superseded" or (old.after and old.standing() != "current"):
            self.refused(scope, "not_current", request)
        elif newest.status == "open" and not newest.erased:
            self.refused(scope, "open_task_protected", request)
        else:
            done = self.memory.run(request)
            before, id = newest.id, done.id
            for place, (first, last) in enumerate(places):
                if place:
                    name = f"r{event.base32(done.seq + place)}"
                    id = self.memory.run(Show(id=name, scope=scope)).items[0].id
                note = Note(
                    text=request.text, kind=old.kind, status=old.status, owner=old.owner,
                    key=old.key, sources=(said.id,), valid_from=first, valid_to=last,
                )  # fmt: skip
                oracle.written(id, done.seq + place, note, before)
                oracle.things[id].joined = place > 0
                before = id
            self.moved(scope, done.head, len(places))

    def plan(self, scope: str, draw: random.Random, old: Thing) -> None:
        """Something else is to hold for a while."""
        first, last = draw.choice(
            ((BOUNDS[2], BOUNDS[3]), (BOUNDS[0], BOUNDS[1]), (BOUNDS[1], None))
        )
        oracle, newest = self.oracles[scope], self.oracles[scope].versions(old.id)[-1]
        note = Note(
            text=self.sentence(draw), kind="fact", status="active", owner=old.owner, key=old.key,
            valid_from=first, valid_to=last,
        )  # fmt: skip
        before = oracle.things[newest]
        if before.status == "open" and not before.erased:
            return
        done = self.memory.run(Remember(supersedes=newest, scope=scope, **fields(note)))
        oracle.written(done.id, done.seq, note, newest)
        self.moved(scope, done.head, 1)

    def summarize(self, scope: str, draw: random.Random) -> None:
        """Something is summed up in a word, mostly as it may be."""
        oracle = self.oracles[scope]
        sound = draw.random() < 0.8
        high = draw.random() < 0.6
        cited = [
            self.pick(
                scope,
                draw,
                lambda thing: (
                    not sound
                    or (thing.standing() == "current" and (thing.kind == "summary") >= high)
                ),
            )
            for _ in range(draw.randint(1, 3))
        ]
        sources = tuple(dict.fromkeys(thing.id for thing in cited if thing is not None))
        if not sources:
            return
        note = Note(
            text=self.word(),
            kind="summary",
            status="active",
            key=draw.choice(("k0", "k5", None)),
            sources=sources,
            covers=tuple(id for id in sources if draw.random() < 0.8),
            recursive=draw.random() < 0.9,
        )
        before = oracle.newest(note.key)
        code = oracle.refusal(note) or oracle.together([(note, before)])
        request = Remember(scope=scope, **fields(note))
        if code is not None:
            self.refused(scope, code, request)
            return
        done = self.memory.run(request)
        oracle.written(done.id, done.seq, note, before)
        self.moved(scope, done.head, 1)

    def open_tasks(self, scope: str, draw: random.Random) -> None:
        """Tasks are opened until there is no room, or rather many of them."""
        oracle, room = self.oracles[scope], draw.choice((1, 9, 40))
        for _ in range(draw.randint(1, 6)):
            text = " ".join(self.sentence(draw) for _ in range(room))
            cited = self.pick(scope, draw)
            sources = () if cited is None or cited.erased else (cited.id,)
            note = Note(text=text, kind="task", status="open", sources=sources)
            code = oracle.together([(note, None)])
            request = Remember(scope=scope, **fields(note))
            if code is not None:
                self.refused(scope, code, request)
                return
            done = self.memory.run(request)
            oracle.written(done.id, done.seq, note, None)
            self.moved(scope, done.head, 1)

    def change(self, scope: str, draw: random.Random) -> None:
        """A record is closed or taken back."""
        oracle = self.oracles[scope]
        old = self.pick(scope, draw, lambda thing: thing.is_record)
        if old is None:
            return
        close = draw.random() < 0.5
        names = [old.id, old.id.split("-")[0]]
        names += [] if old.key is None or oracle.newest(old.key) != old.id else [old.key]
        id = draw.choice(names)
        request = Close(id=id, scope=scope) if close else Retract(id=id, scope=scope)
        status = "closed" if close else "retracted"
        if not close and old.after is not None and old.standing() == "current":
            old = oracle.things[oracle.versions(old.id)[-1]]
        outcome = oracle.changing(old.id, status)
        if outcome not in (None, "known"):
            self.refused(scope, outcome, request)
            return
        done = self.memory.run(request)
        if outcome == "known":
            assert (done.known, done.id) == (True, old.id)
            return
        new = again(old, status)
        if not close and old.valid_from is not None and old.valid_from > NOW:
            new = msgspec.structs.replace(new, valid_from=None, valid_to=None)
        oracle.written(done.id, done.seq, new, old.id)
        self.moved(scope, done.head, 1)

    def put(self, scope: str, draw: random.Random) -> None:
        """A state key gets a value, or the one it has."""
        oracle, key = self.oracles[scope], draw.choice(("s0", "s1"))
        values = oracle.values(key)
        same = bool(values) and not values[-1].over and draw.random() < 0.3
        text = values[-1].text.strip('"') if same else self.sentence(draw)
        done = self.memory.run(StateSetTo(key=key, value=text, scope=scope))
        assert done.known is same
        if not same:
            item = self.memory.run(StateHistory(key=key, scope=scope)).items[-1]
            oracle.observed(
                Thing(id=item.id, seq=item.seq, kind="state", text=f'"{text}"', key=key)
            )
        self.moved(scope, done.head, int(not same))

    def commit(self, scope: str, draw: random.Random) -> None:
        """Several records at once, all or nothing."""
        oracle = self.oracles[scope]
        notes = [self.note(scope, draw, f"k{number}") for number in range(draw.randint(1, 3))]
        befores = [oracle.newest(note.key) for note in notes]
        refusal = next(filter(None, map(oracle.refusal, notes)), None)
        refusal = refusal or oracle.together(list(zip(notes, befores, strict=True)))
        request = Commit(notes=tuple(Asked(**fields(note)) for note in notes), scope=scope)
        if refusal is not None:
            self.refused(scope, refusal, request)
            return
        done = self.memory.run(request)
        for each, note, before in zip(done.records, notes, befores, strict=True):
            oracle.written(each.id, each.seq, note, before)
        self.moved(scope, done.head, len(notes))

    def erase(self, scope: str, draw: random.Random) -> None:
        """An event, a record or a state key is forgotten, with what is derived from it."""
        oracle, thing = self.oracles[scope], self.pick(scope, draw)
        if thing is None:
            return
        targets = [thing.id] if thing.kind == "event" else oracle.versions(thing.id)
        everything = draw.random() < 0.2
        request: dict[str, Any] = {
            "event" if thing.kind == "event" else "record": thing.id,
            "with_dependents": everything,
            "scope": scope,
        }
        if all(oracle.things[id].erased for id in targets):
            with pytest.raises(errors.NothingToErase):
                self.memory.erase(**request)
            return
        plan = self.memory.erase(**request)
        follows, stays = oracle.plan(targets, with_dependents=everything)
        named = [each for each in plan.dependents if each.kind not in ("receipt", "command")]
        listed = {each.id: each.follows for each in named}
        assert listed == {**dict.fromkeys(follows, True), **dict.fromkeys(stays, False)}
        commands = [each for each in plan.dependents if each.kind == "command"]
        assert len(commands) == oracle.commands_of({*targets, *follows})
        done = self.memory.erase(confirm=plan.token, **request)
        assert (done.done, done.pending, done.erased) == (True, False, plan.counts)
        oracle.erased({*targets, *follows})
        self.moved(scope, done.head, 1)
        self.nothing_erased_is_left()

    # ---- asking -------------------------------------------------------------------------------

    def recall(self, scope: str, draw: random.Random) -> None:
        """What is shown stands, fits and is explained; what must be shown is, or it overflows."""
        oracle = self.oracles[scope]
        record = draw.random() < 0.3
        # A receipt keeps its question, so that a word of one text alone is asked without.
        plain = record or draw.random() < 0.3
        size, number = draw.choice((100, 400, 1_500, 8_192)), draw.randint(1, 20)
        request = Recall(
            query="alpha gamma" if plain else draw.choice(self.said),
            bytes_max=size,
            items_max=number,
            policy=draw.choice(get_args(PolicyName)),
            record=record,
            scope=scope,
        )
        try:
            pack = self.memory.run(request)
        except errors.Overflow:
            assert size < BYTES or number < ITEMS
            assert request.policy in GUARANTEED
            assert oracle.open_tasks()
            return
        shown = {item.id for item in pack.items}
        assert len(pack.text.encode()) == pack.bytes <= size
        assert len(pack.items) == len(shown) <= number
        assert all(oracle.things[item.id].holds() for item in pack.items)
        assert all(oracle.things[item.id].text == item.text for item in pack.items)
        assert not shown & {each.id for each in pack.suppressed}
        assert request.policy not in GUARANTEED or oracle.open_tasks() <= shown

    def look(self, scope: str, draw: random.Random) -> None:
        """A word leads to exactly what says it; anything that ever was is shown as it stands."""
        oracle, word = self.oracles[scope], draw.choice(self.said)
        pack = self.memory.recall(word, policy="lexical", scope=scope, **EVERYTHING)
        assert {item.id for item in pack.items} == oracle.saying(word)
        at = draw.choice(MOMENTS)
        held = self.memory.recall(word, policy="lexical", scope=scope, as_of=at, **EVERYTHING)
        records = {id for id in oracle.saying(word, at) if oracle.things[id].is_record}
        assert {item.id for item in held.items if item.id.startswith("r")} == records
        things = list(oracle.things.values())
        for thing in draw.sample(things, min(len(things), 12)):
            item = self.memory.run(Show(id=thing.id.split("-")[0], scope=scope)).items[0]
            assert (item.id, item.text, item.standing) == (thing.id, thing.text, thing.standing())
            assert tuple(source.id for source in item.sources) == thing.sources
            assert set(item.labels) == oracle.labels(thing)
            assert (item.level or 0, item.covers) == (oracle.level(thing), thing.covers)
            assert set(item.coverage) == oracle.coverage(thing)
        pack = self.memory.recall("", policy="recent", scope=scope, **EVERYTHING)
        assert [item.id for item in pack.items] == oracle.newest_things(EVERYTHING["items_max"])
        for key in ("k0", "k1", "k2"):
            history = self.memory.history(key, scope=scope).items
            assert [(item.id, item.standing, item.supersedes) for item in history] == [
                (thing.id, thing.standing(), thing.before) for thing in oracle.records(key)
            ]
        for thread in ("t0", "t1"):
            said = self.memory.run(Thread(thread=thread, scope=scope)).items
            assert [item.id for item in said] == [
                thing.id for thing in oracle.things.values() if thing.thread == thread
            ]
        for key in ("s0", "s1"):
            standing = [each.text.strip('"') for each in oracle.values(key) if not each.over]
            value = self.memory.run(StateGet(key=key, scope=scope)).value
            assert value == (standing[-1] if standing else None)

    def ask_for_what_is_wrong(self, scope: str, draw: random.Random) -> None:
        """Bad input is refused, whoever has not seen the newest head loses, and nothing is left."""
        before = self.memory.run(Status(scope=scope))
        with pytest.raises((errors.BadInput, errors.Refused)):
            self.memory.run(draw.choice(BAD)(scope))
        assert self.memory.run(Status(scope=scope)) == before
        head = draw.choice(self.oracles[scope].heads[1:-1] or ["0" * 64])
        self.refused(
            scope, "head_moved", Remember(text="lost", key="k0", expect_head=head, scope=scope)
        )

    def open_again(self, scope: str, draw: random.Random) -> None:
        """A process ends and another begins; every table is made again, and the ledger is not."""
        self.memory.close()
        self.memory = self.opened()
        if draw.random() < 0.5:
            assert self.memory.verify(scope=scope).faults == ()
            self.moved(scope, self.memory.run(Rebuild(scope=scope)).head, 0)

    @contextmanager
    def undisturbed(self, scope: str) -> Iterator[None]:
        """What is done inside to other scopes changes no byte of an answer about this one."""
        before = self._answers(scope)
        yield
        assert self._answers(scope) == before

    def _answers(self, scope: str) -> list[bytes]:
        """What is found, in which order, why, and what was left out; and each receipt so far."""
        packs = [
            self.memory.recall(query, policy=policy, scope=scope)
            for query, policy in (("alpha gamma", "balanced"), ("delta", "hybrid"), ("", "recent"))
        ]
        listed = self.memory.run(Receipts(scope=scope, limit=3))
        again = [self.memory.run(Replay(receipt=each.id, scope=scope)) for each in listed.items]
        return [msgspec.json.encode(each) for each in (*packs, listed, *again)]

    # ---- what always holds --------------------------------------------------------------------

    def nothing_erased_is_left(self) -> None:
        """No file holds a piece of a word that nothing says any more."""
        gone = [set(oracle.gone(self.said)) for oracle in self.oracles.values()]
        pieces = {piece for word in set.intersection(*gone) for piece in pieces_of(word)}
        for path in self.directory.iterdir():
            for found in LETTERS.findall(path.read_bytes()):
                assert pieces.isdisjoint(pieces_of(found.decode())), path.name

    def chain_is_as_long_as_what_was_written(self, scope: str) -> None:
        """Nothing was written that the model does not know of."""
        status, oracle = self.memory.run(Status(scope=scope)), self.oracles[scope]
        assert (status.head, status.seq) == (oracle.heads[-1], oracle.seq)

    def every_open_task_is_shown(self, scope: str) -> None:
        """Whatever is asked, and in a pack of which nobody said how large it is."""
        pack = self.memory.recall("zzz", scope=scope)
        assert {item.id for item in pack.items} == self.oracles[scope].open_tasks()

    def everything_verifies(self) -> None:
        """In every depth, before every table is made again and after it."""
        for scope in SCOPES:
            assert self.memory.verify(scope=scope).faults == ()
            self.memory.run(Rebuild(scope=scope))
        assert self.memory.verify(all=True).faults == ()
        self.nothing_erased_is_left()


def pieces_of(word: str) -> set[str]:
    """Every eight letters that stand together in it, which are no chance."""
    return {word[at : at + 8] for at in range(len(word) - 7)}


def fields(note: Note) -> dict[str, Any]:
    """A note's fields, as a request has them."""
    return {name: getattr(note, name) for name in note.__struct_fields__}


def again(old: Thing, status: str) -> Note:
    """What a version says, with another status."""
    return Note(
        text=old.text,
        kind=old.kind,
        status=status,
        owner=old.owner,
        key=old.key,
        sources=old.sources,
        covers=old.covers if status == old.status else (),
        valid_from=old.valid_from,
        valid_to=old.valid_to,
    )


def window(draw: random.Random) -> dict[str, int | None]:
    """From when to when something holds, if that is said."""
    first, last = draw.choices((None, *BOUNDS), (20, 1, 1, 2, 1), k=2)
    if first is not None and last is not None and first >= last:
        last = None
    return {"valid_from": first, "valid_to": last}
