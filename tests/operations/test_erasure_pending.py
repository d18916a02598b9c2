"""Erasure with somebody in the way: what is still to be done is said, and the next writer does it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from muniment import Memory, Status, errors
from muniment.model.erasure import Erased
from tests.conftest import Clock
from tests.operations.seen import canary, erased, shown, traces
from tests.requirements.marker import requirement

WORD = canary(7)


@pytest.fixture
def other(directory: Path, clock: Clock) -> Iterator[Memory]:
    """A second memory of the same directory, as another process would have it."""
    with Memory.open(directory, clock=clock) as opened:
        yield opened


def while_reading(reader: Memory, act: Callable[[], Any], scope: str | None = None) -> Any:
    """What `act` answers while `reader` holds a snapshot: a recall that asks a tokenizer."""
    answers: list[Any] = []

    def fits(_: str) -> bool:
        if not answers:
            answers.append(act())
        return True

    assert reader.recall("held", scope=scope, tokens_fit=fits).items
    return answers[0]


def ready(memory: Memory, scope: str | None = None, **asked: Any) -> Callable[[], Erased]:
    """The second step of an erasure, with the token of the first."""
    token = memory.erase(scope=scope, **asked).token
    return lambda: memory.erase(scope=scope, confirm=token, **asked)


@requirement("erasure:pending:reader")
@pytest.mark.parametrize("same", [True, False])
def test_a_reader_in_the_way_is_told_and_the_next_writer_finishes(
    memory: Memory, other: Memory, directory: Path, same: bool
) -> None:
    """Promise 8: nobody is told that the bytes are gone while a snapshot still needs them."""
    id = memory.observe(f"Forget {WORD}.", role="user").id
    memory.remember("held")

    done = while_reading(memory if same else other, ready(memory, event=id))

    assert (done.done, done.pending, done.checked) == (True, True, ())
    assert shown(memory, id).standing == "erased"
    assert memory.run(Status()).erasure_pending
    verified = memory.verify()
    assert (verified.ok, [fault.code for fault in verified.faults]) == (False, ["erasure_pending"])

    memory.observe("The next writer.", role="user")

    assert traces(directory, WORD) == []
    assert not memory.run(Status()).erasure_pending
    assert memory.verify().ok


@requirement("erasure:pending:reader")
@pytest.mark.parametrize("next_write", ["known", "refused", "other memory", "erasure", "receipt"])
def test_any_next_writer_finishes(
    memory: Memory, other: Memory, directory: Path, next_write: str
) -> None:
    """Promise 8: also one that has nothing to write, or is another process."""
    id = memory.observe(f"Forget {WORD}.", role="user").id
    kept = memory.observe("Another thing.", role="user", external_id="x").id
    memory.remember("held")
    assert while_reading(other, ready(memory, event=id)).pending

    if next_write == "known":
        assert memory.observe("Another thing.", role="user", external_id="x").known
    elif next_write == "refused":
        with pytest.raises(errors.BlankText):
            memory.observe(" ", role="user")
        memory.remember("held")
    elif next_write == "other memory":
        other.observe("From elsewhere.", role="user")
    elif next_write == "erasure":
        erased(memory, event=kept)
    else:
        memory.recall("another", record=True)

    assert traces(directory, WORD) == []
    assert memory.verify().ok


@requirement("erasure:pending:reader")
def test_as_long_as_the_reader_stays_it_stays_pending(
    memory: Memory, other: Memory, directory: Path
) -> None:
    """Promise 8: writers go on meanwhile, and each of them tries again."""
    id = memory.observe(f"Forget {WORD}.", role="user").id
    memory.remember("held")
    erase = ready(memory, event=id)

    def act() -> list[bool]:
        first = erase().pending
        memory.observe("Meanwhile.", role="user")
        return [first, memory.run(Status()).erasure_pending]

    assert while_reading(other, act) == [True, True]
    memory.observe("Afterwards.", role="user")

    assert traces(directory, WORD) == []


def test_a_reader_that_only_has_the_file_open_is_not_in_the_way(
    memory: Memory, other: Memory, directory: Path
) -> None:
    """A snapshot counts, an open file does not."""
    id = memory.observe(f"Forget {WORD}.", role="user").id
    other.recall("forget")

    erased(memory, event=id)

    assert traces(directory, WORD) == []
    assert shown(other, id).standing == "erased"


def test_a_reader_keeps_its_snapshot_to_its_end(memory: Memory, other: Memory) -> None:
    """What a recall began with, it ends with; the next one sees the hole."""
    id = memory.observe("The word is held here.", role="user").id
    erase = ready(memory, event=id)
    seen: list[str] = []

    def fits(text: str) -> bool:
        if not seen:
            erase()
        seen.append(text)
        return True

    pack = other.recall("held", tokens_fit=fits)

    assert [item.text for item in pack.items] == ["The word is held here."]
    assert other.recall("held").items == ()
    memory.remember("The next writer.")


@requirement("erasure:pending:reader", "erasure:target:scope")
def test_the_name_of_an_erased_scope_waits_for_whoever_has_its_file_open(
    memory: Memory, other: Memory, directory: Path
) -> None:
    """Promise 8: the name in the file's name is part of it; while it is there, it is pending."""
    scope = canary(8).title()
    memory.observe("held", role="user", scope=scope)
    other.recall("held", scope=scope)

    waiting = ready(memory, scope, all=True)()
    assert waiting.pending
    assert traces(directory, scope.lower())
    other.close()
    done = ready(memory, scope, all=True)()

    assert (done.done, done.pending) == (True, False)
    assert traces(directory, scope.lower()) == []
    assert memory.verify(scope=scope).ok


@requirement("erasure:target:scope")
def test_no_file_takes_the_place_of_another(memory: Memory, directory: Path) -> None:
    """Another file has the name that an erased scope's would get: it takes the next."""
    memory.observe("held", role="user", scope="north")
    memory.observe("live", role="user", scope="south")
    id = memory.run(Status(scope="north")).scope_id
    taken = directory / f"erased-{id[:8]}.muniment"
    south = next(directory.glob("south-*"))
    memory.close()
    south.rename(taken)

    with Memory.open(directory) as again:
        done = ready(again, "north", all=True)()

    assert (done.done, done.pending) == (True, False)
    assert sorted(path.name for path in directory.glob("*.muniment")) == sorted(
        (taken.name, f"erased-{id[8:16]}.muniment")
    )
    with Memory.open(taken) as south_again:
        assert south_again.recall("live").items
