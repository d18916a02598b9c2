"""One memory of two scopes, led through anything that can be done, beside a plain model of it."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from muniment import (
    Close, Commit, Memory, Observe, Rebuild, Recall, Remember, Retract, Show, StateGet, StateHistory,
    StateSetTo, Status, Thread, errors,
)  # fmt: skip
from muniment import Note as Asked
from tests.conftest import Clock
from tests.operations.conftest import RAM
from tests.operations.seen import canary, traces
from tests.property.oracle import Note, Oracle, Thing

SCOPES = ("here", "There & back")
KINDS = ("note", "fact", "task", "task", "story", "summary", "belief", "proposal")
STATUSES = {"task": ("open", "open", "closed"), "proposal": ("proposed", "rejected")}
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

scopes = st.sampled_from(SCOPES)
# Spread evenly: left to itself the drawing keeps to a few values, and few things meet.
picks = st.integers(0, 1 << 32).map(lambda seed: random.Random(seed).randrange(1_000))
keys = st.sampled_from(("k0", "k1", "k2", None))
words = st.lists(st.sampled_from("alpha beta gamma delta epsilon zeta eta theta".split()),
                 min_size=1, max_size=8).map(" ".join)  # fmt: skip
sayings = st.tuples(
    words, picks.map(lambda n: ("t0", "t1", None)[n % 3]),
    picks.map(lambda n: f"x{n % 9}" if n % 5 == 0 else None),
    picks.map(lambda n: ("user", "tool")[n % 2]), picks,
)  # fmt: skip
holdings = st.tuples(
    picks.map(lambda n: KINDS[n % len(KINDS)]), picks, picks.map(lambda n: ("k0", "k1", "k2", None)[n % 4]),
    words, picks, picks, picks.map(lambda n: f"c{n % 7}" if n % 5 == 0 else None),
)  # fmt: skip


class Machine(RuleBasedStateMachine):
    """Rules do one thing to the memory and to the model; invariants compare them."""

    def __init__(self) -> None:
        super().__init__()
        self.place = Path(tempfile.mkdtemp(dir=RAM if RAM.is_dir() else None))
        self.directory = self.place / "memory"
        self.clock = Clock()
        self.chance = random.Random(5)
        self.memory = self.opened()
        self.oracles = {scope: Oracle() for scope in SCOPES}
        self.scope = SCOPES[0]  # where the last thing was done
        self.said: list[str] = []  # a word of each text that is in no other, but in its copies

    def opened(self) -> Memory:
        """The memory as another process would find it."""
        return Memory.open(self.directory, clock=self.clock, entropy=self.chance.randbytes)

    def teardown(self) -> None:
        """Everything verifies, in every depth, and what was erased is in no byte."""
        try:
            for scope in SCOPES:
                assert self.memory.verify(scope=scope).faults == ()
                self.memory.run(Rebuild(scope=scope))
            assert self.memory.verify(all=True).faults == ()
            self.nothing_erased_is_left()
        finally:
            self.memory.close()
            shutil.rmtree(self.place)

    # ---- what is used by several rules --------------------------------------------------------

    def word(self) -> str:
        """A word that nothing says yet."""
        self.said.append(canary(1_000 + len(self.said), 14))
        return self.said[-1]

    def pick(self, scope: str, at: int, kinds: Callable[[Thing], bool]) -> Thing | None:
        """One of the things of a kind, a late one more often, if there is any."""
        things = [thing for thing in self.oracles[scope].things.values() if kinds(thing)]
        late = things[-9:] if at % 4 else things
        return late[at % len(late)] if late else None

    def refused(self, scope: str, code: str, request: Any) -> None:
        """The request is refused with the code, and nothing of it shows."""
        before = self.memory.run(Status(scope=scope))
        with pytest.raises(errors.MunimentError) as caught:
            self.memory.run(request)
        assert caught.value.code == code
        assert self.memory.run(Status(scope=scope)) == before

    def moved(self, scope: str, head: str, by: int) -> None:
        """The chain is so many events longer."""
        oracle = self.oracles[scope]
        assert (head == oracle.heads[-1]) is (by == 0)
        oracle.seq += by
        oracle.heads += [head] if by else []

    def nothing_erased_is_left(self) -> None:
        """No file holds a word that nothing says any more."""
        gone = [set(oracle.gone(self.said)) for oracle in self.oracles.values()]
        assert traces(self.directory, *sorted(set.intersection(*gone))) == []

    # ---- rules --------------------------------------------------------------------------------

    @initialize()
    def begin(self) -> None:
        """Both scopes are there."""
        for scope in SCOPES:
            self.oracles[scope].heads.append("")
            self.say(scope, "first", None, None, "user", 0)

    @rule(scope=scopes, said=st.lists(sayings, min_size=1, max_size=3))
    def observe(self, scope: str, said: list[Any]) -> None:
        """Things are said, or said again with an id that was used."""
        self.scope = scope
        for each in said:
            self.say(scope, *each)

    def say(self, scope: str, text: str, thread: str | None, external: str | None, role: str,
            reply: int) -> None:  # fmt: skip
        """One thing is said."""
        oracle = self.oracles[scope]
        known = oracle.things.get(oracle.external.get(external or "", ""))
        to = self.pick(scope, reply, lambda thing: thing.kind == "event") if reply % 3 == 0 else None
        text = known.text if known and known.text and reply % 2 else f"{text} {self.word()}"
        request = Observe(
            text=text, role=role, thread=thread, external_id=external, scope=scope,  # type: ignore[arg-type]  # drawn from the two
            reply_to=None if to is None else to.id,
        )  # fmt: skip
        same = known is not None and (known.text, known.role, known.thread) == (text, role, thread)
        if known is not None and known.ended != "erased" and not same:
            self.refused(scope, "external_id_reused", request)
            return
        done = self.memory.run(request)
        assert done.known is (known is not None)
        if known is not None:
            assert (done.id, done.standing) == (known.id, known.standing)
            self.moved(scope, done.head, 0)
            return
        oracle.observed(
            Thing(id=done.id, seq=done.seq, kind="event", text=text, role=role, thread=thread)
        )
        self.moved(scope, done.head, 1)
        if external is not None:
            oracle.external[external] = done.id

    def note(self, scope: str, kind: str, status: int, key: str | None, text: str, near: int) -> Note:
        """A note of a kind, with sources that stand or not, that may copy one of them."""
        cited = [self.pick(scope, near + step, lambda _: True) for step in range(near % 3)]
        sources = tuple(dict.fromkeys(thing.id for thing in cited if thing is not None))
        if kind == "summary" and not sources:
            kind = "story"
        statuses = STATUSES.get(kind, ("active", "active", "retracted"))
        copied = self.oracles[scope].things[sources[0]].text if sources and near % 5 == 0 else ""
        chosen = statuses[status % len(statuses)]
        return Note(
            text=f"{text} {copied} {self.word()}".replace("  ", " "), kind=kind, status=chosen,
            key=key, sources=sources, owner="agent" if near % 11 == 0 and kind != "proposal" else "scope",
            covers=sources if kind == "summary" and chosen == "active" and near % 2 else (),
            valid_to=1 if near % 13 == 0 else None,
        )  # fmt: skip

    @rule(scope=scopes, held=st.lists(holdings, min_size=1, max_size=4))
    def remember(self, scope: str, held: list[Any]) -> None:
        """Records are written, or some that were written are said again."""
        self.scope = scope
        for each in held:
            self.hold(scope, *each)

    def hold(self, scope: str, kind: str, status: int, key: str | None, text: str, near: int,
                 again: int, command: str | None) -> None:  # fmt: skip
        """One record is written."""
        oracle = self.oracles[scope]
        note = self.note(scope, kind, status, key, text, near)
        old = self.pick(scope, again, lambda thing: thing.is_record and bool(thing.text))
        if old is not None and again % 4 == 0:
            note = Note(text=old.text, kind=old.kind, status=old.status, owner=old.owner,
                        key=old.key, sources=old.sources, covers=old.covers,
                        valid_to=old.valid_to)  # fmt: skip
        known = oracle.known(note)
        command = None if known is not None and command not in oracle.commands else command
        request = asked(note, scope, command)
        if command in oracle.commands:
            first, id = oracle.commands[command]
            if first != note and oracle.things[id].ended != "erased":
                self.refused(scope, "command_key_reused", request)
            else:
                done = self.memory.run(request)
                assert (done.known, done.id) == (True, id)
            return
        code = None if known is not None else oracle.refusal(note)
        if code is not None:
            self.refused(scope, code, request)
            return
        done = self.memory.run(request)
        assert done.known is (known is not None)
        if known is not None:
            assert done.id == known.id
            self.moved(scope, done.head, 0)
            return
        before = oracle.records(note.key)[-1].id if note.key and oracle.records(note.key) else None
        assert done.supersedes == before
        oracle.written(done.id, done.seq, note, before)
        self.moved(scope, done.head, 1)
        if command is not None:
            oracle.commands[command] = (note, done.id)

    @rule(scope=scopes, at=picks, text=words)
    def supersede(self, scope: str, at: int, text: str) -> None:
        """A record without a key is written anew by naming it."""
        self.scope = scope
        oracle = self.oracles[scope]
        old = self.pick(scope, at, lambda thing: thing.is_record and thing.key is None)
        if old is None:
            return
        kind = "task" if at % 2 else "note"
        note = Note(text=f"{text} {self.word()}", kind=kind, owner=old.owner,
                    status="open" if kind == "task" else "active")  # fmt: skip
        request = Remember(text=note.text, kind=kind, owner=note.owner, supersedes=old.id,  # type: ignore[arg-type]  # what stood there
                           scope=scope)  # fmt: skip
        if old.after is not None:
            self.refused(scope, "not_current", request)
        elif old.status == "open" and old.ended != "erased" and kind == "note":
            self.refused(scope, "open_task_protected", request)
        else:
            done = self.memory.run(request)
            oracle.written(done.id, done.seq, note, old.id)
            self.moved(scope, done.head, 1)

    @rule(scope=scopes, at=picks, close=st.booleans(), short=st.booleans())
    def change(self, scope: str, at: int, close: bool, short: bool) -> None:
        """A record is closed or taken back."""
        self.scope = scope
        oracle = self.oracles[scope]
        old = self.pick(scope, at, lambda thing: thing.is_record)
        if old is None:
            return
        status = "closed" if close else "retracted"
        request = (Close if close else Retract)(id=old.id.split("-")[0] if short else old.id, scope=scope)
        outcome = oracle.changing(old.id, status)
        if outcome not in (None, "known"):
            self.refused(scope, outcome, request)
            return
        done = self.memory.run(request)
        if outcome == "known":
            assert (done.known, done.id) == (True, old.id)
            return
        note = Note(text=old.text, kind=old.kind, status=status, owner=old.owner, key=old.key,
                    sources=old.sources, valid_to=old.valid_to)  # fmt: skip
        oracle.written(done.id, done.seq, note, old.id)
        self.moved(scope, done.head, 1)

    @rule(scope=scopes, key=st.sampled_from(("s0", "s1")), value=words, again=st.booleans())
    def put(self, scope: str, key: str, value: str, again: bool) -> None:
        """A state key gets a value, or the one it has."""
        self.scope = scope
        oracle = self.oracles[scope]
        values = oracle.values(key)
        same = again and bool(values) and values[-1].ended is None
        text = values[-1].text.strip('"') if same else f"{value} {self.word()}"
        done = self.memory.run(StateSetTo(key=key, value=text, scope=scope))
        assert done.known is same
        if not same:
            items = self.memory.run(StateHistory(key=key, scope=scope)).items
            oracle.observed(
                Thing(id=items[-1].id, seq=items[-1].seq, kind="state", text=f'"{text}"', key=key)
            )
        self.moved(scope, done.head or "", 0 if same else 1)

    @rule(scope=scopes, texts=st.lists(words, min_size=2, max_size=4), near=picks)
    def commit(self, scope: str, texts: list[str], near: int) -> None:
        """Several records at once, all or nothing."""
        self.scope = scope
        oracle = self.oracles[scope]
        notes = [self.note(scope, "task" if near % 2 else "note", 0, f"k{number}", text, near)
                 for number, text in enumerate(texts[:3])]  # fmt: skip
        codes = [oracle.refusal(note) for note in notes if oracle.known(note) is None]
        request = Commit(
            notes=tuple(Asked(**{name: getattr(note, name) for name in note.__struct_fields__})  # type: ignore[arg-type]  # of one shape
                        for note in notes),
            scope=scope,
        )  # fmt: skip
        refusal = next((code for code in codes if code is not None), None)
        if refusal is not None:
            self.refused(scope, refusal, request)
            return
        done = self.memory.run(request)
        befores = [(oracle.records(note.key) or [None])[-1] for note in notes]
        for each, note, before in zip(done.records, notes, befores, strict=True):
            oracle.written(each.id, each.seq, note, None if before is None else before.id)
        self.moved(scope, done.head, len(notes))

    @rule(scope=scopes, at=picks, with_dependents=st.sampled_from((False, False, True)))
    def erase(self, scope: str, at: int, with_dependents: bool) -> None:
        """An event, a record or a state key is forgotten, with what is derived from it."""
        self.scope = scope
        oracle = self.oracles[scope]
        thing = self.pick(scope, at, lambda _: True)
        assert thing is not None
        targets = [thing.id] if thing.kind == "event" else oracle.versions(thing.id)
        request: dict[str, Any] = {
            "event" if thing.kind == "event" else "record": thing.id,
            "with_dependents": with_dependents, "scope": scope,
        }  # fmt: skip
        if all(oracle.things[id].ended == "erased" for id in targets):
            with pytest.raises(errors.NothingToErase):
                self.memory.erase(**request)
            return
        plan = self.memory.erase(**request)
        follows, stays = oracle.plan(targets, with_dependents=with_dependents)
        listed = {each.id: each.follows for each in plan.dependents if each.kind != "receipt"}
        assert listed == {**dict.fromkeys(follows, True), **dict.fromkeys(stays, False)}
        done = self.memory.erase(confirm=plan.token, **request)
        assert (done.done, done.pending, done.erased) == (True, False, plan.counts)
        oracle.erased({*targets, *follows})
        self.moved(scope, done.head or "", 1)
        self.nothing_erased_is_left()

    @rule(scope=scopes, make=st.sampled_from(BAD), at=picks)
    def ask_for_what_is_wrong(self, scope: str, make: Callable[[str], Any], at: int) -> None:
        """Bad input is refused, whoever has not seen the newest head loses, and nothing is left."""
        self.scope = scope
        before = self.memory.run(Status(scope=scope))
        with pytest.raises((errors.BadInput, errors.Refused)):
            self.memory.run(make(scope))
        assert self.memory.run(Status(scope=scope)) == before
        heads = self.oracles[scope].heads[1:-1] or ["0" * 64]
        self.refused(
            scope, "head_moved",
            Remember(text="lost", key="k0", expect_head=heads[at % len(heads)], scope=scope),
        )  # fmt: skip

    @rule(scope=scopes, at=picks, bytes_max=st.integers(1, 4_000), items_max=st.integers(1, 20),
          policy=st.sampled_from(("balanced", "lexical", "recent")), record=st.booleans())  # fmt: skip
    def ask(self, scope: str, at: int, bytes_max: int, items_max: int, policy: Any,
            record: bool) -> None:  # fmt: skip
        """What is shown stands, fits and is explained; what must be shown is, or it overflows."""
        self.scope = scope
        oracle = self.oracles[scope]
        # A receipt keeps its question, so that a word of one text alone is asked without.
        plain = record or at % 2 == 0
        request = Recall(
            query="alpha gamma" if plain else self.said[at % len(self.said)], scope=scope,
            bytes_max=bytes_max, items_max=items_max, policy=policy, record=record,
        )  # fmt: skip
        try:
            pack = self.memory.run(request)
        except errors.Overflow:
            assert policy == "balanced"
            assert oracle.open_tasks()
            return
        assert len(pack.text.encode()) == pack.bytes <= bytes_max
        assert len(pack.items) <= items_max
        assert all(oracle.things[item.id].standing == "current" for item in pack.items)
        assert all(item.text == oracle.things[item.id].text for item in pack.items)
        assert not {item.id for item in pack.items} & {each.id for each in pack.suppressed}
        assert policy != "balanced" or oracle.open_tasks() <= {item.id for item in pack.items}

    @rule(scope=scopes, at=picks, key=st.sampled_from(("k0", "k1", "k2")),
          thread=st.sampled_from(("t0", "t1")))  # fmt: skip
    def look(self, scope: str, at: int, key: str, thread: str) -> None:
        """Whatever is asked for is as the model says."""
        self.scope = scope
        self.find_a_word(scope, at)
        self.look_at_one(scope, at)
        self.look_back(scope, key, thread)

    def find_a_word(self, scope: str, at: int) -> None:
        """A word leads to exactly what stands and says it."""
        word = self.said[at % len(self.said)]
        pack = self.memory.recall(
            word, policy="lexical", scope=scope, items_max=256, bytes_max=1 << 20
        )
        assert {item.id for item in pack.items} == self.oracles[scope].saying(word)

    def look_at_one(self, scope: str, at: int) -> None:
        """Anything that ever was is shown by its id, as it stands."""
        thing = self.pick(scope, at, lambda _: True)
        assert thing is not None
        for id in (thing.id, thing.id.split("-")[0]):
            item = self.memory.run(Show(id=id, scope=scope)).items[0]
            assert (item.id, item.text, item.standing) == (thing.id, thing.text, thing.standing)
            assert tuple(source.id for source in item.sources) == thing.sources

    def look_back(self, scope: str, key: str, thread: str) -> None:
        """Histories and threads are in order and whole."""
        oracle = self.oracles[scope]
        history = self.memory.history(key, scope=scope).items
        assert [(item.id, item.standing, item.supersedes) for item in history] == [
            (thing.id, thing.standing, thing.before) for thing in oracle.records(key)
        ]
        said = self.memory.run(Thread(thread=thread, scope=scope)).items
        assert [item.id for item in said] == [
            thing.id for thing in oracle.things.values() if thing.thread == thread
        ]
        for name in ("s0", "s1"):
            values = oracle.values(name)
            present = values[-1].text.strip('"') if values and values[-1].ended is None else None
            assert self.memory.run(StateGet(key=name, scope=scope)).value == present

    @rule(scope=scopes, rebuild=st.booleans())
    def open_again(self, scope: str, rebuild: bool) -> None:
        """A process ends and another begins; every table is made again, and the ledger is not."""
        self.scope = scope
        self.memory.close()
        self.memory = self.opened()
        if rebuild:
            assert self.memory.verify(scope=scope).faults == ()
            self.moved(scope, self.memory.run(Rebuild(scope=scope)).head, 0)

    # ---- invariants ---------------------------------------------------------------------------

    @invariant()
    @precondition(lambda self: self.said)
    def the_chain_is_as_long_as_what_was_written(self) -> None:
        """Nothing was written that the model does not know of."""
        status = self.memory.run(Status(scope=self.scope))
        oracle = self.oracles[self.scope]
        assert (status.head, status.seq) == (oracle.heads[-1], oracle.seq)

    @invariant()
    @precondition(lambda self: self.said)
    def every_open_task_is_shown(self) -> None:
        """Whatever is asked."""
        pack = self.memory.recall("zzz", scope=self.scope, items_max=256, bytes_max=1 << 20)
        assert {item.id for item in pack.items} == self.oracles[self.scope].open_tasks()


def asked(note: Note, scope: str, command: str | None) -> Remember:
    """A note as a request."""
    fields: dict[str, Any] = {name: getattr(note, name) for name in note.__struct_fields__}
    return Remember(scope=scope, command_key=command, **fields)


TestMemory = Machine.TestCase
# What fails is told at once: taking it apart takes minutes, and is what the long run is for.
TestMemory.settings = settings(
    max_examples=25, stateful_step_count=80, phases=(Phase.explicit, Phase.reuse, Phase.generate)
)


@pytest.mark.soak
class TestMemoryForLong(Machine.TestCase):  # type: ignore[name-defined,misc]  # made by a function
    """The same, many times over and for longer."""

    settings = settings(max_examples=300, stateful_step_count=150)
