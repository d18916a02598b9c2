"""Receipts: a recorded recall is accounted for, and can be decided again without searching."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from muniment import Memory, Recall, Replay, Show, Status, errors
from tests.operations.seen import erased, refused
from tests.requirements.marker import requirement

QUESTION = "Which number opens the garden gate?"


def told(memory: Memory) -> tuple[str, str]:
    """A message and the fact that rests on it."""
    said = memory.observe("The garden gate opens with 5512, said Ann.", role="user", session="s1")
    fact = memory.remember("The garden gate opens with 5512.", key="gate", sources=(said.id,))
    return said.id, fact.id


def headers(directory: Path) -> bytes:
    """Every header that is stored plain; short commits are."""
    file = next(directory.glob("*.muniment"))
    connection = apsw.Connection(str(file), apsw.SQLITE_OPEN_READONLY)
    stored = b"".join(row[0] for row in connection.execute("SELECT header FROM commits"))
    connection.close()
    return stored


@requirement("receipts:recorded:opt-in", "receipts:recorded:head-stays", "ledger:chain:journal",
             "recall:receipt:recorded")  # fmt: skip
def test_recording_a_recall_moves_the_journal_and_not_the_memory_head(memory: Memory) -> None:
    """Seed 1 and the design: a recorded recall makes no writer lose; a plain one writes nothing."""
    told(memory)
    before = memory.run(Status())

    plain = memory.recall(QUESTION)
    between = memory.run(Status())
    recorded = memory.recall(QUESTION, record=True)
    after = memory.run(Status())

    assert plain.receipt is None
    assert between == before
    assert recorded.receipt is not None
    assert recorded.receipt[0] == "q"
    assert (after.head, after.seq) == (before.head, before.seq)
    assert after.journal_seq == before.journal_seq + 1
    assert recorded.text == plain.text


@requirement("receipts:shape:no-text")
def test_no_header_holds_a_word_of_a_recorded_recall(memory: Memory, directory: Path) -> None:
    """The design: a receipt is ids, codes and numbers; words stand where they can be erased."""
    told(memory)

    memory.recall("garden xylophone", session="s1", record=True)

    stored = headers(directory)
    assert b"RecallRecorded" in stored
    assert not any(word in stored for word in (b"xylophone", b"garden", b"5512", b'"s1"'))


@requirement("receipts:replay:now", "receipts:replay:then")
def test_a_correction_changes_the_pack_now_and_not_as_of_then(memory: Memory) -> None:
    """Seed 3: the decision can be repeated, and what has changed since is named."""
    _, fact = told(memory)
    receipt = memory.recall(QUESTION, record=True).receipt
    assert receipt is not None
    assert memory.run(Replay(receipt=receipt)).same

    memory.remember("The garden gate opens with 7731.", key="gate")
    now = memory.run(Replay(receipt=receipt))
    then = memory.run(Replay(receipt=receipt, against="then"))

    assert not now.same
    assert [(change.id, change.code) for change in now.changes] == [(fact, "superseded")]
    assert then.same
    assert then.changes == ()


@requirement("receipts:replay:now")
@requirement("recall:reason:how-it-ended")
@pytest.mark.parametrize("status", ["retracted", "closed"])
def test_a_task_that_has_ended_since_is_named_with_its_end(memory: Memory, status: str) -> None:
    """Seed 3: a part that no longer stands has a code of its own."""
    task = memory.remember("Water the plants.", key="plants", kind="task")
    receipt = memory.recall("anything", record=True).receipt
    assert receipt is not None

    memory.remember("Water the plants.", key="plants", kind="task", status=status)
    now = memory.run(Replay(receipt=receipt))

    assert [(change.id, change.code) for change in now.changes] == [(task.id, status)]


@requirement("receipts:replay:no-search")
def test_what_was_said_later_does_not_enter_a_replay(memory: Memory) -> None:
    """The design: a replay decides over the recorded hits."""
    told(memory)
    receipt = memory.recall(QUESTION, record=True).receipt
    assert receipt is not None

    memory.observe("The garden gate has a new number, 9040.", role="user")
    now = memory.run(Replay(receipt=receipt))

    assert now.same
    assert "9040" not in now.text


@requirement("receipts:replay:erased", "receipts:erased:with-its-items")
def test_an_erased_part_is_named_and_the_rest_reproduces(memory: Memory) -> None:
    """The design: a hole is visible in a replay, and the question goes with what it spoke of."""
    said, _ = told(memory)
    other = memory.observe("The garden gate squeaks.", role="user")
    receipt = memory.recall(QUESTION, record=True).receipt
    assert receipt is not None

    done = erased(memory, event=said)
    then = memory.run(Replay(receipt=receipt, against="then"))

    assert done.erased["receipt"] == 1
    assert not then.same
    assert said in {change.id for change in then.changes if change.code == "erased"}
    assert other.id.split("-")[0] in then.text
    assert then.query is None


@requirement("receipts:replay:tokens")
def test_a_token_function_is_taken_at_its_recorded_word(memory: Memory) -> None:
    """The design: a check that could not run says so."""
    told(memory)
    pack = memory.recall(QUESTION, record=True, tokens_fit=lambda text: text.count("[") <= 1)
    assert pack.receipt is not None

    again = memory.run(Replay(receipt=pack.receipt))

    assert len(pack.items) == 1
    assert again.same
    assert again.text == pack.text
    assert again.not_checked != ()


@requirement("receipts:replay:unknown")
def test_any_id_that_is_no_receipt_here_is_not_found(memory: Memory) -> None:
    """The design: an unknown id and another scope's get the same answer."""
    said, _ = told(memory)
    memory.observe("Elsewhere.", role="user", scope="other")
    foreign = memory.recall("elsewhere", scope="other", record=True).receipt
    assert foreign is not None

    for id in (said, foreign, "q1", "q9-0123456789abcdef", "no id"):
        with refused(memory, "not_found", at="receipt"):
            memory.run(Replay(receipt=id))


@requirement("receipts:link:record")
def test_a_record_names_the_receipt_it_was_made_from(memory: Memory) -> None:
    """Seed 1: what was concluded leads back to what was shown."""
    told(memory)
    receipt = memory.recall(QUESTION, record=True).receipt
    assert receipt is not None

    made = memory.remember("Ann knows the gate.", receipt=receipt.split("-")[0])

    assert memory.run(Show(id=made.id)).items[0].receipt == receipt
    with refused(memory, "not_found", at="receipt"):
        memory.remember("Ann knows more.", receipt="q7")


@requirement("receipts:verify:budget")
def test_a_recorded_recall_that_overflows_leaves_no_receipt(memory: Memory) -> None:
    """Seed 1: what could not be shown was not handed over."""
    memory.remember("A task that must be shown.", kind="task")

    with refused(memory, "pack_overflow", at="bytes_max"):
        memory.run(Recall(query="x", bytes_max=20, record=True))


@requirement("receipts:verify:budget")
def test_many_receipts_verify_at_full_depth(memory: Memory) -> None:
    """Seed 1: every version that a receipt names stands in this scope's history."""
    for number in range(6):
        memory.observe(f"The gate was painted {number} times.", role="user")
        memory.recall("gate painted", record=True, items_max=1 + number)

    checked = memory.verify()

    assert checked.faults == ()
    assert (checked.events, checked.receipts) == (6, 6)


def test_a_closed_memory_says_so(directory: Path) -> None:
    """An answer after closing would come from nowhere."""
    memory = Memory.open(directory)
    memory.observe("Something.", role="user")
    memory.close()

    with pytest.raises(errors.Closed):
        memory.recall("something", record=True)
