"""Recorded recalls of which something was erased since: told, and the rest is as it was."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment import Appraise, Memory, Replay, Require, Retract, StateSetTo, errors
from muniment.model.pack import Item, Pack
from muniment.model.receipt import Against, Replayed
from muniment.ranking import render
from tests.conftest import Clock
from tests.operations.seen import erased, ids, shown
from tests.requirements.marker import requirement


def again(memory: Memory, pack: Pack, against: Against = "then") -> Replayed:
    """The decision once more."""
    assert pack.receipt is not None
    return memory.run(Replay(receipt=pack.receipt, against=against))


def changed(replayed: Replayed) -> dict[str, str]:
    """The code of each part that differs."""
    return {each.id: each.code for each in replayed.changes}


@requirement("receipts:replay:erased-since")
@pytest.mark.parametrize("task", ["meal", None])
def test_a_label_that_came_later_takes_no_room(memory: Memory, task: str | None) -> None:
    """What fitted exactly fits as of then, though its source has gone since."""
    said = memory.observe("It was almonds, said the doctor.", role="user").id
    made = memory.remember if task is None else None
    for text, sources in (("Mira: no nuts.", (said,)), ("Ben: no milk.", ())):
        if made is None:
            memory.run(Require(text=text, task="meal", sources=sources))
        else:
            made(text, kind="task", sources=sources)
    size = memory.recall("cook", task=task).bytes
    pack = memory.recall("cook", task=task, bytes_max=size, record=True)
    first = pack.items[0].id

    erased(memory, event=said)

    then = again(memory, pack)
    assert then.text == pack.text
    assert (then.same, changed(then)) == (False, {first: "source_erased"})
    now = again(memory, pack, "now")
    assert not now.same
    assert changed(now)[first] == ("withdrawn" if task else "source_erased")


@requirement("receipts:replay:erased-since")
def test_another_text_is_never_the_same(memory: Memory) -> None:
    """The digest went with the question; what is labelled now and was not then is told."""
    said = memory.observe("hall lamp.", role="user").id
    memory.remember("Red lamps only.", sources=(said,))
    pack = memory.recall("lamps", policy="recent", items_max=1, record=True)
    (fact,) = ids(pack)

    erased(memory, event=said)

    now = again(memory, pack, "now")
    assert now.text != pack.text
    assert (now.same, changed(now)) == (False, {fact: "source_erased"})
    then = again(memory, pack)
    assert then.text == pack.text
    assert (then.same, changed(then)) == (False, {fact: "source_erased"})


@requirement("receipts:replay:erased-since")
def test_a_mark_that_is_gone_differs(memory: Memory) -> None:
    """A message that was labelled `corrected` stands as it did then; the present says otherwise."""
    said = memory.observe("The ferry leaves at nine.", role="user").id
    fixed = memory.observe("No, at ten.", role="user", type="correction", reply_to=said).id
    pack = memory.recall("ferry", policy="lexical", items_max=1, record=True)
    assert ids(pack) == [said]
    assert "corrected" in pack.text

    erased(memory, event=fixed)

    then, now = again(memory, pack), again(memory, pack, "now")
    assert then.text == pack.text
    assert now.text != pack.text
    assert (now.same, set(changed(now).values())) == (False, {"differs"})


@requirement("receipts:replay:erased-since")
def test_an_appraisal_that_is_gone_moves_nothing(memory: Memory) -> None:
    """What it had raised stays where it was, and what it had kept out does not come in."""
    memory.remember("Tea with milk is liked best of all teas by Ben.", kind="fact")
    raised = memory.remember("Tea with lemon.", kind="fact").id
    weight = memory.run(Appraise(id=raised, text="No harm.", harm_ppm=900_000)).id
    pack = memory.recall(
        "tea milk best", boost_ppm=1_000_000, floor_ppm=0, items_max=2, record=True
    )
    assert ids(pack) == [raised, weight]

    erased(memory, record=weight)

    then = again(memory, pack)
    assert changed(then) == {weight: "erased"}
    assert then.text == without(pack, {weight})


@requirement("receipts:replay:erased-since")
def test_what_was_required_and_is_gone_leaves_the_rest(memory: Memory) -> None:
    """A reference to it refuses a recall today, and not what was handed over then."""
    gone = memory.remember("The gate opens with 5512.", key="gate").id
    other = memory.observe("The gate squeaks.", role="user").id
    pack = memory.recall("gate", require=(gone,), record=True)
    assert set(ids(pack)) == {gone, other}

    erased(memory, record=gone)

    then = again(memory, pack)
    assert changed(then) == {gone: "erased"}
    assert then.text == without(pack, {gone})


@requirement("receipts:replay:erased-since")
def test_an_ended_source_that_is_gone_says_how_it_had_ended(memory: Memory) -> None:
    """As of then it was superseded or withdrawn; that it is erased was not known."""
    said = memory.observe("Guests like short chairs most.", role="user").id
    low = memory.remember("Stools.", kind="belief", key="a", sources=(said,)).id
    high = memory.remember("Tables.", kind="fact", key="b", sources=(low,)).id
    old = memory.remember("Lamps.", kind="fact", key="c").id
    top = memory.remember("Windows.", kind="fact", key="d", sources=(old,)).id
    memory.remember("Many lamps, and red ones.", kind="fact", key="c")
    erased(memory, event=said)
    pack = memory.recall("tables windows", policy="lexical", record=True)
    labels = {item.id: item.labels for item in pack.items}
    assert labels == {high: ("source_withdrawn",), top: ("source_superseded",)}

    erased(memory, record=low)
    erased(memory, record=old)

    then = again(memory, pack)
    assert then.text == pack.text
    assert changed(then) == {high: "source_erased", top: "source_erased"}


def without(pack: Pack, gone: set[str]) -> str:
    """The text of a pack of entries of one line each, without some of them."""
    if gone >= set(ids(pack)):
        return ""
    short = [id.split("-")[0] for id in gone]
    lines = pack.text.removeprefix(render.HEAD).removesuffix(render.FOOT).splitlines(keepends=True)
    kept = [line for line in lines if line[1 : line.index("]")] not in short]
    return f"{render.HEAD}{''.join(kept)}{render.FOOT}"


class Store:
    """A memory that chance fills, and empties again."""

    def __init__(self, memory: Memory, draw: random.Random) -> None:
        self.memory = memory
        self.draw = draw
        self.made: list[str] = []

    def some(self, most: int, letters: str = "er") -> tuple[str, ...]:
        """Some of the things."""
        fit = [id for id in self.made if id[0] in letters]
        return tuple(self.draw.sample(fit, min(len(fit), self.draw.randint(0, most))))

    def text(self) -> str:
        """A few words."""
        return " ".join(self.draw.choices(("tea", "milk", "nuts", "soup", "fish", "bread"), k=4))

    def write(self) -> None:
        """Something is said, kept, weighed, put or taken back, as far as the rules allow it."""
        draw, memory = self.draw, self.memory
        one = self.some(1) or ("e1",)
        kind = draw.choice(("note", "fact", "summary", "belief", "task"))
        key = draw.choice(("k0", "k1", "k2", None))
        wrong = self.some(1, "e")
        asked: list[Any] = [
            lambda: memory.observe(self.text(), role="user"),
            lambda: memory.observe(
                self.text(), role="user", type="correction", reply_to=wrong[0] if wrong else None
            ),
            lambda: memory.remember(self.text(), kind=kind, key=key, sources=self.some(2)),
            lambda: memory.remember(self.text(), kind=kind, key=key, sources=self.some(2)),
            lambda: memory.run(Require(text=self.text(), task="meal", sources=self.some(1))),
            lambda: memory.run(Appraise(id=one[0], harm_ppm=draw.randrange(1_000_000))),
            lambda: memory.run(StateSetTo(key="s", value=self.text())),
            lambda: memory.run(Retract(id=one[0])),
        ]
        try:
            done = draw.choice(asked)()
        except (errors.Refused, errors.NotFound, errors.BadInput):
            return
        if hasattr(done, "id") and done.id not in self.made:
            self.made.append(done.id)

    def forget(self) -> None:
        """Something is erased, unless it is already."""
        for id in self.some(1):
            try:
                erased(self.memory, **{"event" if id[0] == "e" else "record": id})
            except errors.NothingToErase:
                return

    def ask(self) -> Pack | None:
        """A recorded recall, if it can be answered."""
        draw = self.draw
        fields: dict[str, Any] = {
            "policy": draw.choice(("balanced", "lexical", "recent", "tasks")),
            "bytes_max": draw.choice((200, 300, 500, 8_192)),
            "items_max": draw.choice((1, 2, 3, 16)),
            "history": draw.random() < 0.2,
            "require": self.some(1) if draw.random() < 0.2 else (),
            "task": draw.choice(("meal", None)),
            "boost_ppm": draw.choice((None, 800_000)),
        }
        try:
            return self.memory.recall("tea nuts", record=True, **fields)
        except (errors.Overflow, errors.Refused, errors.BadInput):
            return None


def expected(memory: Memory, pack: Pack, before: set[str]) -> dict[str, str]:
    """What has become of the parts of a pack; `before` was erased when it was made."""

    def gone(id: str) -> bool:
        return id not in before and shown(memory, id).standing == "erased"

    def code(item: Item) -> str | None:
        if gone(item.id):
            return "erased"
        return "source_erased" if any(gone(each.id) for each in item.sources) else None

    found = {item.id: code(item) for item in pack.items}
    return {id: word for id, word in found.items() if word is not None}


@requirement("receipts:replay:erased-since", "receipts:replay:then")
@settings(max_examples=120)
@given(draw=st.integers(0, 1 << 32).map(random.Random))
def test_what_was_handed_over_is_as_it_was_without_what_is_gone(draw: random.Random) -> None:
    """Whatever is written and erased later; and a text that differs is never the same."""
    with (
        tempfile.TemporaryDirectory() as place,
        Memory.open(Path(place), clock=Clock(), entropy=draw.randbytes) as memory,
    ):
        store = Store(memory, draw)
        memory.observe("tea", role="user")
        for _ in range(draw.randint(4, 14)):
            store.write()
        if draw.random() < 0.4:
            store.forget()
        before = {id for id in store.made if shown(memory, id).standing == "erased"}
        pack = store.ask()
        if pack is None:
            return
        for _ in range(draw.randint(0, 4)):
            store.write()
            store.forget()

        then, now = again(memory, pack), again(memory, pack, "now")

        wanted = expected(memory, pack, before)
        gone = {id for id, code in wanted.items() if code == "erased"}
        assert changed(then) == wanted
        assert then.same is not bool(wanted)
        assert then.text == without(pack, gone)
        assert now.text == pack.text or not now.same
        assert gone <= {id for id, code in changed(now).items() if code == "erased"}
