"""Recall: how much is handed over, what must be shown, and what an empty answer is."""

from __future__ import annotations

from pathlib import Path

import pytest

from muniment import Memory, Recall, Retract, StateSetTo, errors
from tests.conftest import Clock
from tests.operations.seen import erased, found, ids, left_out, refused
from tests.requirements.marker import requirement

KIB = 1_024


def fill(memory: Memory) -> None:
    """Things about apples of many sizes, in several scripts."""
    for number in range(1, 25):
        memory.observe(f"apple {number}: " + "яблоко 🍎 " * number, role="user", actor="Anna é")
        memory.remember(f"apple pie {number} " + "苹果" * number * 3, key=f"clé {number}")
    memory.run(StateSetTo(key="apple", value={"яблоко": "🍎" * 40}))


@requirement("recall:budget:bytes", "recall:budget:items")
@pytest.mark.parametrize("policy", ["balanced", "lexical", "recent"])
def test_no_pack_is_larger_than_its_budget(memory: Memory, policy: str) -> None:
    """Promise 4: measured on the text that is really handed over, in bytes and in items."""
    fill(memory)

    for bytes_max in (1, 70, 71, 100, 150, 300, 777, 1_500, 4_096, 8_192, 100_000):
        for items_max in (1, 2, 7, 64):
            pack = memory.recall("apple", policy=policy, bytes_max=bytes_max, items_max=items_max)
            assert pack.bytes == pack.bytes_used == len(pack.text.encode()) <= bytes_max
            assert len(pack.items) <= items_max
            assert bool(pack.items) == bool(pack.text)


@requirement("recall:budget:bytes")
def test_the_budget_is_inclusive_to_the_byte(memory: Memory) -> None:
    """Promise 4: what fits exactly, fits; one byte less is too little."""
    memory.observe("яблоко 🍎 \u2028 apple", role="user", actor="Анна")
    whole = memory.recall("apple")

    exact = memory.recall("apple", bytes_max=whole.bytes)
    short = memory.recall("apple", bytes_max=whole.bytes - 1)

    assert exact.text == whole.text
    assert (short.items, short.text, short.bytes) == ((), "", 0)
    assert left_out(short) == {whole.items[0].id: "budget_bytes"}


@requirement("recall:budget:whole")
def test_what_does_not_fit_is_left_out_whole_and_listed_with_its_size(memory: Memory) -> None:
    """Seed 1: nothing is cut; smaller things behind it still enter."""
    small = memory.observe("apple", role="user").id
    large = memory.remember("apple apple apple apple " + "and more " * 150).id
    frame = memory.recall("apple", items_max=1, policy="recent").bytes

    pack = memory.recall("apple", bytes_max=1_000)

    assert ids(pack) == [small]
    assert left_out(pack) == {large: "budget_bytes"}
    assert pack.suppressed[0].bytes > 1_000
    alone = memory.recall("apple", require=(large,), items_max=1)
    assert alone.bytes - pack.suppressed[0].bytes == frame - alone_size(memory, large)
    assert (
        left_out(memory.recall("apple", items_max=1))[ids(memory.recall("apple"))[1]]
        == "budget_items"
    )


def alone_size(memory: Memory, id: str) -> int:
    """The bytes that one thing takes in a pack, without what stands around every pack."""
    return next(
        each.bytes for each in memory.recall("apple", bytes_max=1).suppressed if each.id == id
    )


@requirement("recall:budget:required")
@pytest.mark.parametrize("budget", [{"bytes_max": 150}, {"items_max": 1}])
def test_a_required_thing_that_does_not_fit_is_an_overflow_that_names_it(
    memory: Memory, budget: dict[str, int]
) -> None:
    """Promise 4: what must be shown is shown or the recall fails, and says for what."""
    one, two = (memory.remember(f"pear {word} " + "x " * 60).id for word in ("one", "two"))

    with pytest.raises(errors.Overflow) as caught:
        memory.run(Recall(query="apple", require=(one, two), **budget))

    assert caught.value.code == "pack_overflow"
    assert (one if "bytes_max" in budget else two) in caught.value.detail


@requirement("recall:budget:tokens")
def test_a_tokenizer_is_asked_about_the_complete_text(memory: Memory) -> None:
    """Seed 1: the host's tokenizer decides over the whole pack, and its no is kept."""
    fill(memory)
    asked: list[str] = []

    def fits(text: str) -> bool:
        asked.append(text)
        return len(text) <= 900

    pack = memory.recall("apple", policy="lexical", tokens_fit=fits)

    assert pack.items
    assert pack.text in asked
    assert len(pack.text) <= 900
    frame = (asked[0].splitlines()[0], asked[0].splitlines()[-1])
    assert all((text.splitlines()[0], text.splitlines()[-1]) == frame for text in asked)
    assert set(left_out(pack).values()) == {"budget_tokens", "budget_items"} - (
        set() if len(pack.items) == 16 else {"budget_items"}
    )


@requirement("recall:budget:tokens", "recall:budget:required")
def test_what_must_be_shown_and_has_too_many_tokens_is_an_overflow(memory: Memory) -> None:
    """Promise 4: a tokenizer's no counts like a byte too many."""
    memory.remember("Return the telescope.", kind="task")

    with pytest.raises(errors.Overflow):
        memory.recall("apple", tokens_fit=lambda _: False)
    assert memory.recall("telescope", policy="lexical", tokens_fit=lambda _: False).items == ()


@requirement("recall:budget:query-free")
def test_the_length_of_the_question_takes_nothing_from_the_budget(memory: Memory) -> None:
    """Seed 1: a long question gets as much memory as a short one."""
    fill(memory)

    short = memory.recall("apple", bytes_max=2 * KIB)
    long = memory.recall("apple" + " the of and" * 50_000, bytes_max=2 * KIB)

    assert long.text == short.text
    assert long.bytes == short.bytes > KIB


@requirement("recall:budget:out-of-range")
@pytest.mark.parametrize(
    "wrong",
    [
        {"bytes_max": 0}, {"bytes_max": -1}, {"bytes_max": 1_048_577}, {"bytes_max": "8192"},
        {"items_max": 0}, {"items_max": -1}, {"items_max": 257}, {"items_max": 1.5},
        {"policy": "best"}, {"policy": ""}, {"policy": None}, {"query": None},
        {"require": tuple(f"e{n}" for n in range(65))}, {"pin": tuple(f"e{n}" for n in range(65))},
        {"since": 5, "until": 5}, {"since": 6, "until": 5}, {"role": "human"}, {"type": "memo"},
        {"tokens_fit": 5}, {"history": 1}, {"query": b"apple"},
    ],
    ids=str,
)  # fmt: skip
def test_a_budget_or_a_policy_out_of_range_is_bad_input(
    memory: Memory, wrong: dict[str, object]
) -> None:
    """Seed 1: an unknown policy or a value out of range is refused, not bent."""
    memory.observe("apple", role="user")

    with pytest.raises(errors.BadInput) as caught:
        memory.recall(**{"query": "apple", **wrong})

    assert caught.value.code == "bad_shape"
    assert caught.value.at is not None


@pytest.mark.parametrize("query", ["a\0b", "\ud800"])
def test_a_question_that_is_no_text_is_refused(memory: Memory, query: str) -> None:
    """What cannot be stored cannot be asked either."""
    memory.observe("apple", role="user")

    with refused(memory, "bad_encoding", at="query"):
        memory.recall(query)
    with refused(memory, "too_long", at="query"):
        memory.recall("é" * 524_288 + "a")


@requirement("recall:empty")
@pytest.mark.parametrize("query", ["zebra", "", " ", "the of and", "?!", "«»", "\u200b", "𓀀"])
@pytest.mark.parametrize("policy", ["balanced", "lexical"])
def test_where_nothing_is_relevant_the_pack_is_empty(
    memory: Memory, policy: str, query: str
) -> None:
    """Seed 1: that is an answer and no error."""
    memory.observe("apple", role="user")
    memory.remember("pear", key="k")

    pack = memory.recall(query, policy=policy)

    assert (pack.items, pack.suppressed, pack.text, pack.bytes) == ((), (), "", 0)
    assert pack.head == memory.verify().head


@requirement("recall:plain:writes-nothing")
def test_a_recall_changes_no_byte(directory: Path, clock: Clock) -> None:
    """Seed 1: asking leaves no trace, unless a receipt was asked for."""
    with Memory.open(directory, clock=clock) as writer:
        fill(writer)
    before = {path.name: path.read_bytes() for path in directory.iterdir()}

    with Memory.open(directory, clock=clock) as reader:
        for policy in ("balanced", "lexical", "recent"):
            assert reader.recall("apple", policy=policy, history=True).items
        assert reader.recall("zebra").items == ()

    assert {path.name: path.read_bytes() for path in directory.iterdir()} == before


@requirement("recall:pinned:first")
def test_a_pinned_thing_enters_before_what_was_found(memory: Memory) -> None:
    """Seed 2, pinned context: a small working set that the host keeps enters first."""
    best = memory.observe("apple apple apple", role="user").id
    pinned = memory.observe("of something else", role="user", collection="apart", thread="t").id
    required = memory.remember("and else").id

    pack = memory.recall("apple", pin=(pinned.split("-")[0],), require=(required,), thread="x")
    again = memory.recall("apple", pin=(best, pinned))

    assert ids(pack) == [required, pinned]
    assert ids(again) == [best, pinned]
    assert again.items[0].reasons == ("required", "lexical", "nearby")


@requirement("recall:pinned:first")
def test_a_pinned_thing_that_does_not_stand_is_left_out_with_a_reason(memory: Memory) -> None:
    """Seed 2, pinned context: the host's set may be older than the memory."""
    old = memory.remember("The apple is green.", key="k").id
    new = memory.remember("The apple is red.", key="k").id
    gone = memory.observe("Forget the apple.", role="user").id
    erased(memory, event=gone)

    pack = memory.recall("apple", pin=(old, gone))

    assert ids(pack) == [new]
    assert left_out(pack) == {old: "superseded", gone: "erased"}


@pytest.mark.parametrize("how", ["superseded", "retracted", "expired", "stale", "erased"])
def test_a_required_thing_that_does_not_stand_is_refused(memory: Memory, how: str) -> None:
    """Promise 4: what must be shown is never silently replaced; with history it is shown."""
    source = memory.remember("A source.", key="s")
    written = {
        "stale": {"kind": "summary", "sources": (source.id,)},
        "expired": {"valid_to": 1},
    }.get(how, {})
    id = memory.remember("The apple is green.", key="k", **written).id
    if how == "superseded":
        memory.remember("The apple is red.", key="k")
    elif how == "retracted":
        id = memory.run(Retract(id=id)).id
    elif how == "stale":
        memory.remember("Another source.", key="s")
    elif how == "erased":
        erased(memory, record=id)

    with refused(memory, "required_not_current", at="require"):
        memory.recall("apple", require=(id,))
    if how == "erased":
        with refused(memory, "required_not_current", at="require"):
            memory.recall("apple", require=(id,), history=True)
    else:
        assert ids(memory.recall("x", require=(id,), history=True)) == [id]


@requirement("recall:state:competes")
def test_state_competes_with_records_behind_open_tasks(memory: Memory) -> None:
    """Seed 1: state entries take from the same budget, by how well they fit."""
    task = memory.remember("Water the plants.", kind="task").id
    memory.run(StateSetTo(key="apple", value="apple apple"))
    record = memory.remember("One apple in a much longer line of words than that.").id

    both = memory.recall("apple")
    one = memory.recall("apple", items_max=2)

    assert [item.kind for item in both.items] == ["task", "state", "note"]
    assert [item.kind for item in one.items] == ["task", "state"]
    assert left_out(one) == {record: "budget_items"}
    assert ids(both)[0] == task
    assert found(memory, "apple", bytes_max=1) == []
