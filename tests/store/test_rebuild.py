"""One truth: every derived table can be lost and comes back the same, with the ledger untouched."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment import Commit, Erase, Memory, Note, Observe, Rebuild, Recall, Remember, Retract
from muniment.errors import Corrupt, NotFound, RebuildNeeded, Refused
from muniment.model.integrity import Rebuilt
from tests.requirements.marker import requirement
from tests.store.conftest import empty
from tests.store.files import change, content, ledger, only_file, rows, tables

LEDGER = ("scope", "commits", "content", "projection", "pending")
# The index's own tables: what a damaged disk may take one by one.
SHADOWS = ("data", "idx", "docsize", "config")


def derived(path: Path) -> list[str]:
    """Every table that is folded from the ledger, the text index included."""
    return [name for name in tables(path) if name not in LEDGER]


def rebuilt(path: Path) -> Rebuilt:
    """What rebuild answers for the scope in one file."""
    with Memory.open(path) as memory:
        return memory.run(Rebuild())


@requirement("ledger:rebuild:same-content", "erasure:return:rebuild")
@pytest.mark.parametrize("damage", ["DROP TABLE {}", "DELETE FROM {}"], ids=["dropped", "emptied"])
def test_a_derived_table_that_was_dropped_or_emptied_comes_back(copy: Path, damage: str) -> None:
    """Each in turn; found by verify, named, and the same after a rebuild, with the same head."""
    before, kept = content(copy), ledger(copy)
    for table in derived(copy):
        if table == "text_index" and damage.startswith("DELETE"):
            continue  # a row at a time is asked of it below
        change(copy, damage.format(table))
        with Memory.open(copy) as memory:
            found = memory.verify()

        answer = rebuilt(copy)

        named = {fault.table for fault in found.faults}
        assert table in named or not before[table]
        assert content(copy) == before
        assert ledger(copy) == kept
        assert (answer.head, answer.seq) == (found.head, found.seq)


@requirement("ledger:rebuild:same-content")
def test_all_derived_tables_at_once_come_back(copy: Path) -> None:
    """Nothing but the ledger is left, and everything is made again from it."""
    before = content(copy)
    for table in derived(copy):
        change(copy, f"DROP TABLE {table}")
    change(copy, "DELETE FROM projection")

    with Memory.open(copy) as memory, pytest.raises(RebuildNeeded):
        memory.recall("telescope")
    rebuilt(copy)

    assert content(copy) == before
    with Memory.open(copy) as memory:
        assert memory.verify().ok
        assert memory.recall("telescope").items


@requirement("ledger:rebuild:same-content")
@pytest.mark.parametrize(
    "edit",
    [
        "UPDATE experience SET actor = 'Mallory', role = 'system'",
        "UPDATE record SET status = 'active', ended = NULL, to_seq = NULL",
        "UPDATE link SET source = source + 1",
        "UPDATE state SET to_seq = NULL",
        "UPDATE tag SET prefix = prefix + 1",
        "INSERT INTO text_index (rowid, body) VALUES (1, 'The door code is 5512.')",
        "DELETE FROM text_index WHERE rowid = 2",
        "DROP INDEX record_key",
        "CREATE TRIGGER sneaky AFTER INSERT ON record BEGIN DELETE FROM content; END",
        "ALTER TABLE record ADD COLUMN more TEXT",
    ],
)
def test_a_derived_table_that_was_edited_comes_back(copy: Path, edit: str) -> None:
    """Rows, the index, its definition: whatever was changed is found and made again."""
    before, kept = content(copy), ledger(copy)
    change(copy, edit)
    with Memory.open(copy) as memory:
        found = memory.verify()

    rebuilt(copy)

    assert not found.ok
    assert content(copy) == before
    assert ledger(copy) == kept
    with Memory.open(copy) as memory:
        assert memory.verify().ok


@requirement("ledger:rebuild:same-content")
@pytest.mark.parametrize("damage", ["DROP TABLE {}", "DELETE FROM {}"], ids=["dropped", "emptied"])
@pytest.mark.parametrize("shadow", SHADOWS)
def test_a_damaged_text_index_comes_back(copy: Path, shadow: str, damage: str) -> None:
    """One of its own tables is gone or empty, so that the engine itself cannot read it."""
    before, kept = content(copy), ledger(copy)
    change(copy, damage.format(f"text_index_{shadow}"))
    with Memory.open(copy) as memory:
        found = memory.verify()

    rebuilt(copy)

    assert {"text_index", f"text_index_{shadow}"} & {fault.table for fault in found.faults}
    assert content(copy) == before
    assert ledger(copy) == kept


@requirement("ledger:rebuild:same-content")
def test_physically_broken_pages_of_derived_tables_come_back(copy: Path) -> None:
    """Whole pages of noise: verify says so, rebuild makes the tables anew from the ledger."""
    before, kept = content(copy), ledger(copy)
    pages = [
        page
        for table in ("record", "experience", "text_index_data", "link_source")
        for (page,) in rows(copy, "SELECT pageno FROM dbstat WHERE name = ?", (table,))
    ]
    with copy.open("r+b") as file:
        for page in pages:
            file.seek((page - 1) * 4096)
            file.write(bytes(range(256)) * 16)
    with Memory.open(copy) as memory:
        found = memory.verify()

    rebuilt(copy)

    assert "file_malformed" in {fault.code for fault in found.faults}
    assert content(copy) == before
    assert ledger(copy) == kept
    with Memory.open(copy) as memory:
        assert memory.verify().ok


@requirement("ledger:rebuild:ledger-untouched")
def test_a_ledger_that_cannot_be_read_is_not_rebuilt_from(copy: Path) -> None:
    """A header that is no header: the error says so, and every table stays as it was."""
    change(copy, "UPDATE commits SET header = x'7b7d' WHERE chain = 'm' AND seq = 5")
    before = content(copy)

    with pytest.raises(Corrupt):
        rebuilt(copy)

    assert content(copy) == before


def test_rebuild_makes_no_scope(memory: Memory, directory: Path) -> None:
    """There is nothing to rebuild where nothing is."""
    with pytest.raises(NotFound):
        memory.run(Rebuild())

    assert not directory.exists()


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["observe", "remember", "commit", "retract", "erase", "recall"]),
        st.integers(0, 3),
    ),
    min_size=1,
    max_size=12,
)


@requirement("ledger:rebuild:same-content")
@given(steps=STEPS)
def test_after_any_history_a_rebuild_changes_nothing(steps: list[tuple[str, int]]) -> None:
    """What writes folded step by step is what a fold over the whole ledger gives."""
    with empty() as place:
        with Memory.open(place, synchronous="normal") as memory:
            ids = [memory.observe("the first word of all", role="user").id]
            for step, number in steps:
                with suppress(Refused, NotFound):
                    ids += step_of(memory, step, number, ids)
            memory.run(Recall(query="word", record=True))
        path = only_file(Path(place))
        before = content(path)

        rebuilt(path)

        assert content(path) == before


def step_of(memory: Memory, step: str, number: int, ids: list[str]) -> list[str]:
    """One write of a history; the ids that it made."""
    some = ids[number % len(ids)]
    match step:
        case "observe":
            return [memory.run(Observe(text=f"word {number}", role="user", thread=f"t{number}")).id]
        case "remember":
            kind = ("note", "summary", "belief", "task")[number]
            return [
                memory.run(
                    Remember(
                        text=f"word {number}", key=f"k{number % 2}", kind=kind, sources=(some,)
                    )
                ).id
            ]
        case "commit":
            notes = (Note(text=f"word {len(ids)}", sources=(some,)), Note(text="again"))
            done = memory.run(Commit(notes=notes, state={f"k{number}": len(ids)}))
            return [record.id for record in done.records]
        case "retract":
            return [memory.run(Retract(id=some)).id]
        case "erase":
            what = {"event": some} if some[0] == "e" else {"record": some}
            planned = memory.run(Erase(**what))
            memory.run(Erase(confirm=planned.token, **what))
            return []
        case _:
            memory.run(Recall(query=f"word {number}", record=True))
            return []
