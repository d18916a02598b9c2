"""Databases of Cogg: verified under their own rules, then carried over once, in order."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from muniment import History, Import, Item, Memory, Recall, Show, StateGet, StateHistory, Thread
from muniment import errors as problems
from muniment.importers.cogg import bodies
from tests.conftest import Clock
from tests.importers.cogg_files import Cogg, dumped, hashed, note, told
from tests.operations.seen import erased, refused, stated
from tests.requirements.marker import requirement

VERSIONS = (1, 2, 3, 4, 5)
KEYS = ("workshop", "delivery", "promise", "walk", "shelf", "overview", "later", "open")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A closed database of the newest version."""
    path = tmp_path / "old" / "cogg.db"
    path.parent.mkdir()
    told(path).close()
    return path


def written(tmp_path: Path, version: int) -> Path:
    """A closed database of this version."""
    path = tmp_path / f"{version}.db"
    told(path, version).close()
    return path


def versions(memory: Memory, key: str) -> list[Item]:
    """Every version of a key."""
    return list(memory.run(History(key=key)).items)


def address(item: Item) -> dict[str, Any]:
    """Where a thing stood in the old ledger."""
    held: dict[str, Any] = json.loads(item.metadata or "")["cogg"]
    return held


def contents(directory: Path) -> list[tuple[object, ...]]:
    """All that came over, in order, without our own times and ids."""
    (path,) = directory.glob("*.muniment")
    database = apsw.Connection(str(path), apsw.SQLITE_OPEN_READONLY)
    found = database.execute(
        "SELECT place, bytes FROM content WHERE place > 0 ORDER BY place"
    ).fetchall()
    database.close()
    return list(found)


@requirement("importers:cogg:versions")
@pytest.mark.parametrize("version", VERSIONS)
def test_every_version_is_recognised_verified_and_taken_in(
    memory: Memory, tmp_path: Path, version: int
) -> None:
    """A11: user_version 1 to 5, recognised by its header; a second run imports nothing."""
    path = written(tmp_path, version)

    first = memory.run(Import(file=str(path)))
    second = memory.run(Import(file=str(path)))

    assert (first.format, first.failed) == ("cogg", ())
    assert (second.imported, second.failed) == (0, ())
    assert second.skipped == first.imported + first.skipped
    assert (second.head, second.seq) == (first.head, first.seq)
    assert memory.verify().faults == ()


@requirement("importers:cogg:versions")
def test_a_file_that_was_migrated_keeps_the_rules_of_each_commit(
    memory: Memory, tmp_path: Path
) -> None:
    """Old commits are never rewritten: each is checked by the schema that it was written under."""
    path = tmp_path / "grown.db"
    cogg = Cogg(path, version=1)
    cogg.commit(memory={"a": 1}, wake_after_ms=5)
    for version in VERSIONS[1:]:
        cogg.upgrade(version)
        cogg.commit(memory={"a": version}, wake_after_ms=5)
    cogg.close()

    done = memory.run(Import(file=str(path)))

    assert done.failed == ()
    history = memory.run(StateHistory(key="a")).items
    assert [item.text for item in history] == ["1", "2", "3", "4", "5"]


@requirement("importers:cogg:notes")
def test_notes_are_versions_of_records_with_their_sources_and_their_old_address(
    memory: Memory, file: Path
) -> None:
    """A11: all versions in their order; DOMAIN: episode is story, prospective is intention."""
    memory.run(Import(file=str(file)))

    found = {key: versions(memory, key) for key in KEYS}

    said = {
        key: [(item.kind, item.status, item.standing) for item in items]
        for key, items in found.items()
    }
    assert said == {
        "workshop": [("fact", "active", "current")],
        "delivery": [("fact", "active", "superseded"), ("fact", "active", "current")],
        "promise": [("task", "open", "superseded"), ("task", "closed", "current")],
        "walk": [("story", "active", "superseded"), ("story", "retracted", "retracted")],
        "shelf": [("note", "active", "current")],
        "overview": [("summary", "active", "superseded"), ("note", "active", "current")],
        "later": [("intention", "pending", "current")],
        "open": [("procedure", "active", "current")],
    }
    (workshop,), (oslo, bergen) = found["workshop"], found["delivery"]
    summary, procedure = found["overview"][0], found["open"][0]
    assert [source.id for source in bergen.sources] == [oslo.id]
    assert [source.id for source in summary.sources] == [workshop.id]
    assert [source.id for source in procedure.sources] == [workshop.id]
    assert (address(found["shelf"][0])["type"], address(found["overview"][1])["status"]) == (
        "task",
        "closed",
    )


@requirement("importers:cogg:address")
def test_an_auditor_finds_each_thing_in_the_old_file(memory: Memory, file: Path) -> None:
    """A11: the old id, tick, seq and head stand beside what came over."""
    memory.run(Import(file=str(file)))
    database = apsw.Connection(str(file), apsw.SQLITE_OPEN_READONLY)
    rows = database.execute("SELECT id, commit_id FROM memory_entries").fetchall()
    notes = {str(id): str(commit) for id, commit in rows}
    commits = [id for (id,) in database.execute("SELECT id FROM commits ORDER BY tick")]
    attempts = [id for (id,) in database.execute("SELECT id FROM attempts ORDER BY seq")]
    database.close()

    records = [item for key in KEYS for item in versions(memory, key)]
    chain = memory.run(Thread(thread="cogg:s")).items

    assert {address(item)["id"]: address(item)["commit"] for item in records} == notes
    assert [i.external_id for i in chain if address(i)["kind"] == "commit"] == commits
    assert [i.external_id for i in chain if address(i)["kind"] == "attempt"] == attempts
    by_id = {item.external_id: item for item in chain}
    for earlier, later in itertools.pairwise(commits):
        assert by_id[later].parent == by_id[earlier].id
        assert by_id[later].reply_to == by_id[address(by_id[later])["body"]["attempt"]].id
    assert address(by_id[commits[2]])["body"]["wake_plan"]["policy"] == "cogg:wake/v2"
    assert address(by_id[attempts[2]])["error"] == "transport_failed"


@requirement("importers:cogg:experience")
def test_what_was_said_is_a_conversation_and_the_rest_is_kept_apart(
    memory: Memory, file: Path
) -> None:
    """Messages in the subject's thread; bookkeeping in a collection that recall does not see."""
    memory.run(Import(file=str(file)))

    talk = [(i.role, i.type, i.text) for i in memory.run(Thread(thread="s")).items]
    shown = memory.recall("attempt commit wake due scheduled genesis", items_max=64)
    named = memory.run(Recall(query="scheduled wake", collection="cogg"))

    assert talk[:3] == [
        ("user", "message", "Where is the telescope?"),
        ("assistant", "message", "On the roof."),
        ("user", "message", "The workshop code is cedar-582, and it goes to Oslo."),
    ]
    assert ("tool", "tool_result", '{"celsius":21.5}') in talk
    assert {item.type for item in shown.items} <= {None, "message", "tool_result"}
    assert named.items
    (question,) = [i for i in memory.run(Thread(thread="s")).items if i.text == talk[0][2]]
    (answer,) = [i for i in memory.run(Thread(thread="s")).items if i.text == talk[1][2]]
    assert answer.reply_to == question.id


@requirement("importers:cogg:state")
def test_the_state_can_be_read_at_each_of_its_past_moments(memory: Memory, file: Path) -> None:
    """A1: state is read at any past seq, also the state that a subject began with."""
    memory.run(Import(file=str(file)))

    counter = memory.run(StateHistory(key="counter")).items

    assert [item.text for item in counter] == ["1", "2.5"]
    assert memory.run(StateGet(key="counter", at_seq=counter[1].seq - 1)).value == 1
    assert memory.run(StateGet(key="mood")).value == "calm"


@requirement("importers:cogg:state")
def test_a_long_first_state_comes_over_whole(memory: Memory, tmp_path: Path) -> None:
    """A commit takes 64 keys; a subject may begin with more, and a second run knows all of them."""
    path = tmp_path / "wide.db"
    Cogg(path, memory={f"key {number}": number for number in range(150)}).close()

    first, second = memory.run(Import(file=str(path))), memory.run(Import(file=str(path)))

    told_state = stated(memory)
    assert told_state is not None
    assert (told_state.counts["state"], first.failed, second.imported) == (150, (), 0)
    assert memory.verify().faults == ()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e15, "1e+15"),
        (-1234567890123456.0, "-1.234567890123456e+15"),
        (1234567890123456.5, "1.2345678901234565e+15"),
        (999999999999999.9, "999999999999999.9"),
        (1e16, "1e+16"),
        (0.1, "0.1"),
        (
            {"b": [1e15, "1234567890123456.0"], "a": None},
            '{"a":null,"b":[1e+15,"1234567890123456.0"]}',
        ),
        ({"ä": '\t"\x01\x7f/'}, '{"ä":"\\t\\"\\u0001\x7f/"}'),
    ],
)
def test_values_are_written_as_cogg_writes_them(value: Any, text: str) -> None:
    """Its library begins exponents one digit earlier than others do."""
    assert bodies.dumped(value) == text


SPOILED: dict[str, tuple[str, str]] = {
    "a commit's words": (
        "UPDATE commits SET body = replace(body, 'cedar', 'maple') WHERE tick = 4",
        "commits[4]",
    ),
    "a commit taken out": ("DELETE FROM commits WHERE tick = 3", "commits[3]"),
    "the end cut off": ("DELETE FROM commits WHERE tick = 8", "subjects[s]"),
    "the beginning": ("DELETE FROM commits WHERE tick = 0", "commits[0]"),
    "the state": ("UPDATE subjects SET memory = '{\"counter\":3}'", "subjects[s]"),
    "the head": ("UPDATE subjects SET head = (SELECT id FROM commits LIMIT 1)", "subjects[s]"),
    "the wake": ("UPDATE subjects SET wake = '7'", "subjects[s]"),
    "the time": ("UPDATE subjects SET accounting_wall = 1", "subjects[s]"),
    "the limits": ("UPDATE subjects SET limits = '{}'", "subjects.limits"),
    "a message": (
        "UPDATE occasions SET body = replace(body, 'Where', 'There') WHERE seq = 3",
        "occasions[3]",
    ),
    "a message's key": ("UPDATE occasions SET key = 'user:x' WHERE seq = 3", "occasions[3]"),
    "what waits": ("UPDATE occasions SET consumed = 'x' WHERE seq = 9", "occasions[9]"),
    "what was answered": ("UPDATE occasions SET consumed = NULL WHERE seq = 3", "commits[3]"),
    "an attempt": (
        "UPDATE attempts SET body = replace(body, 'demo', 'dema') WHERE seq = 3",
        "attempts[3]",
    ),
    "an attempt's time": ("UPDATE attempts SET admitted_at = 5 WHERE seq = 3", "attempts[3]"),
    "an attempt's end": ("UPDATE attempts SET status = 'committed' WHERE seq = 3", "attempts[3]"),
    "an attempt undone": ("UPDATE attempts SET status = 'failed' WHERE seq = 4", "commits[3]"),
    "an abstention": (
        "UPDATE abstentions SET body = replace(body, 'window', 'door')",
        "abstentions[8]",
    ),
    "an abstention lost": ("DELETE FROM abstentions", "attempts[8]"),
    "a table lost": ("DROP TABLE abstentions", "abstentions"),
    "a value of another type": ("UPDATE commits SET body = x'00' WHERE tick = 2", "commits[x]"),
}


def spoiled(path: Path, sql: str) -> None:
    """Changes a closed database behind Cogg's back."""
    database = apsw.Connection(str(path))
    database.pragma("foreign_keys", False)
    database.execute(sql)
    database.close()


@requirement("importers:cogg:broken")
@pytest.mark.parametrize("name", SPOILED)
def test_a_broken_chain_is_refused_with_its_place_and_stores_nothing(
    memory: Memory, directory: Path, file: Path, name: str
) -> None:
    """A11: verified under its own rules, all of it, before anything is stored."""
    sql, at = SPOILED[name]
    spoiled(file, sql)

    with pytest.raises(problems.BrokenSource) as refusal:
        memory.run(Import(file=str(file)))

    assert refusal.value.code == "broken_source"
    assert refusal.value.exit == 3
    if at != "commits[x]":
        assert refusal.value.at == at
    assert not directory.exists()


def rewritten(path: Path, tick: int, change: Callable[[dict[str, Any]], None]) -> None:
    """Changes the last commit and computes every hash that names it anew."""
    database = apsw.Connection(str(path))
    database.pragma("foreign_keys", False)
    ((old, held),) = database.execute(
        "SELECT id, body FROM commits WHERE tick = ?", (tick,)
    ).fetchall()
    body = json.loads(held)
    change(body)
    new = hashed(body)
    database.execute("UPDATE commits SET id = ?, body = ? WHERE id = ?", (new, dumped(body), old))
    database.execute("UPDATE occasions SET consumed = ? WHERE consumed = ?", (new, old))
    database.execute("UPDATE subjects SET head = ? WHERE head = ?", (new, old))
    database.close()


@requirement("importers:cogg:broken")
@pytest.mark.parametrize(
    "change",
    [
        lambda body: body.update(memory={"counter": 9}),
        lambda body: body["wake_plan"].update(granted_at=5),
        lambda body: body["wake_plan"]["budget"].update(used=0),
        lambda body: body.update(parent="0" * 64),
        lambda body: body.update(committed_at=1),
        lambda body: body.update(schema=6),
        lambda body: body.update(emission=None),
        lambda body: body["proposal"].update(mood="none"),
        lambda body: body.update(
            disposition={
                "schema": "cogg:disposition/v1",
                "reason": "occasion_failures",
                "limit": 1,
                "failures": [body["attempt"]],
            }
        ),
        lambda body: body["proposal"].update(notes=[note("k", "t", sources=["0" * 64])]),
        lambda body: body["proposal"].update(notes=[note("k", "t", status="open")]),
        lambda body: body["proposal"].update(notes=[note("k", "t"), note("k", "u")]),
        lambda body: body["proposal"].update(notes=[note("k", "t", "secret")]),
        lambda body: body["proposal"].update(notes=[note("k", "t" * 8_193)]),
    ],
)
def test_hashes_that_fit_are_not_enough(
    memory: Memory, directory: Path, tmp_path: Path, change: Callable[[dict[str, Any]], None]
) -> None:
    """What the old program itself would refuse is refused: state, plans, links and notes."""
    path = tmp_path / "short.db"
    cogg = Cogg(path)
    cogg.commit(memory={"counter": 1}, wake_after_ms=5)
    cogg.close()
    rewritten(path, 1, change)

    with pytest.raises(problems.BrokenSource) as refusal:
        memory.run(Import(file=str(path)))

    assert str(refusal.value.at).startswith(("commits[1]", "subjects"))
    assert not directory.exists()


def rehashed(path: Path, table: str, seq: int, change: Callable[[dict[str, Any]], None]) -> None:
    """Changes a row that no other one names, and computes its hash anew."""
    database = apsw.Connection(str(path))
    database.pragma("foreign_keys", False)
    ((held,),) = database.execute(f"SELECT body FROM {table} WHERE seq = ?", (seq,)).fetchall()
    body = json.loads(held)
    change(body)
    database.execute(
        f"UPDATE {table} SET id = ?, body = ? WHERE seq = ?", (hashed(body), dumped(body), seq)
    )
    database.close()


@requirement("importers:cogg:broken")
@pytest.mark.parametrize(
    ("table", "seq", "change"),
    [
        ("attempts", 3, lambda body: body["temporal"]["admission"]["budget"].update(used=0)),
        ("attempts", 3, lambda body: body["temporal"]["admission"].update(head="0" * 64)),
        ("attempts", 3, lambda body: body["temporal"]["admission"].update(status="sleeping")),
        ("attempts", 3, lambda body: body["temporal"]["admission"].update(occasion=None)),
        ("attempts", 3, lambda body: body["temporal"]["clock"].update(origin="0" * 64)),
        ("attempts", 3, lambda body: body["temporal"].update(previous_wake=None)),
        ("attempts", 3, lambda body: body["temporal"].update(coordinate=0)),
        ("attempts", 3, lambda body: body.update(temporal=None)),
        ("attempts", 3, lambda body: body.update(tick=1)),
        ("attempts", 3, lambda body: body.update(schema=6)),
        ("attempts", 3, lambda body: body.update(backend=7)),
        ("attempts", 3, lambda body: body["execution"]["capabilities"].update(remote="yes")),
        ("attempts", 3, lambda body: body.update(context={"view": {"head": "0" * 64}})),
        ("attempts", 3, lambda body: body.update(inputs=[{"id": "0" * 64, "body": {}}])),
        ("occasions", 9, lambda body: body.update(kind="created")),
        ("occasions", 9, lambda body: body.update(parents=["0" * 64])),
        ("occasions", 9, lambda body: body.update(schema=5)),
        ("occasions", 9, lambda body: body.update(subject="t")),
    ],
)
def test_attempts_and_occasions_are_held_against_the_chain(
    memory: Memory,
    directory: Path,
    file: Path,
    table: str,
    seq: int,
    change: Callable[[dict[str, Any]], None],
) -> None:
    """Their hashes fit; what they say does not."""
    rehashed(file, table, seq, change)

    with pytest.raises(problems.BrokenSource) as refusal:
        memory.run(Import(file=str(file)))

    assert str(refusal.value.at).startswith(f"{table}[{seq}]")
    assert not directory.exists()


@requirement("importers:cogg:broken")
@pytest.mark.parametrize("size", [150, 4_096, 20_000])
def test_a_file_that_was_cut_is_refused(
    memory: Memory, directory: Path, file: Path, size: int
) -> None:
    """An unreadable database is a refusal like any other."""
    file.write_bytes(file.read_bytes()[:size])

    with pytest.raises(problems.BrokenSource):
        memory.run(Import(file=str(file)))

    assert not directory.exists()


@requirement("importers:cogg:broken")
def test_a_view_in_place_of_a_table_is_not_run(memory: Memory, directory: Path, file: Path) -> None:
    """A file from elsewhere may hold anything; only plain tables are read."""
    spoiled(file, "ALTER TABLE commits RENAME TO hidden")
    spoiled(file, "CREATE VIEW commits AS SELECT * FROM hidden")

    with pytest.raises(problems.BrokenSource) as refusal:
        memory.run(Import(file=str(file)))

    assert refusal.value.at == "commits"
    assert not directory.exists()


@requirement("importers:cogg:untouched")
def test_nothing_is_written_to_the_old_file_nor_beside_it(memory: Memory, file: Path) -> None:
    """Opened for reading alone: no log, no index, no migration."""
    before = (file.read_bytes(), sorted(path.name for path in file.parent.iterdir()))

    memory.run(Import(file=str(file)))

    assert (file.read_bytes(), sorted(path.name for path in file.parent.iterdir())) == before


@requirement("importers:cogg:untouched")
def test_a_file_whose_last_words_stand_in_its_log_is_refused(
    memory: Memory, directory: Path, tmp_path: Path
) -> None:
    """What is not folded in would be missing, and nobody would know."""
    path = tmp_path / "hot.db"
    told(path).close()
    cogg = apsw.Connection(str(path))
    cogg.execute("UPDATE attempts SET error = 'late' WHERE seq = 3")

    with pytest.raises(problems.InUse) as refusal:
        memory.run(Import(file=str(path)))
    cogg.close()
    done = memory.run(Import(file=str(path)))

    assert (refusal.value.code, refusal.value.at) == ("in_use", "file")
    assert done.failed == ()


@requirement("importers:cogg:untouched")
def test_a_file_that_changes_while_it_is_read_is_noticed(
    memory: Memory, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was verified is what is taken in; the run after that goes on from there."""
    monkeypatch.setattr("muniment.limits.IMPORT_BATCH_EVENTS", 1)

    def touch(_: int) -> None:
        with file.open("ab") as out:
            out.write(b"\0")

    with pytest.raises(problems.InUse):
        memory.run(Import(file=str(file), progress=touch))

    assert memory.verify().faults == ()


def test_a_newer_file_and_one_without_a_version_are_told_apart(memory: Memory, file: Path) -> None:
    """A newer program's file is unavailable; a file of no version is none."""
    spoiled(file, "PRAGMA user_version = 6")
    with pytest.raises(problems.FileNewer):
        memory.run(Import(file=str(file)))

    spoiled(file, "PRAGMA user_version = 0")
    with pytest.raises(problems.BrokenSource):
        memory.run(Import(file=str(file)))


def test_a_file_of_something_else_is_no_database_of_cogg(memory: Memory, tmp_path: Path) -> None:
    """A format that is named is taken at its word, and the word may be wrong."""
    path = tmp_path / "plain.db"
    path.write_bytes(b"words\n")

    with pytest.raises(problems.BadFile):
        memory.run(Import(file=str(path), format="cogg"))


@requirement("importers:cogg:subjects")
def test_one_subject_of_several_is_named(memory: Memory, tmp_path: Path) -> None:
    """Subjects never share memory: which goes into this scope is said."""
    path = tmp_path / "two.db"
    told(path, subject="ann").close()
    told(path, subject="ben").close()
    memory.observe("Before.", role="user")

    with refused(memory, "bad_shape", at="subject"):
        memory.run(Import(file=str(path)))
    with refused(memory, "bad_shape", at="subject"):
        memory.run(Import(file=str(path), subject="eve"))
    done = memory.run(Import(file=str(path), subject="ben", scope="ben"))

    assert done.failed == ()
    assert memory.run(Thread(thread="ben", scope="ben")).items
    assert not memory.run(Thread(thread="ann", scope="ben")).items


def test_a_subject_is_named_of_a_ledger_alone(memory: Memory, tmp_path: Path) -> None:
    """Other files have none."""
    path = tmp_path / "talk.jsonl"
    path.write_text('{"role": "user", "text": "Hello."}\n')
    memory.observe("Before.", role="user")

    with refused(memory, "bad_shape", at="subject"):
        memory.run(Import(file=str(path), subject="s"))


@requirement("importers:cogg:grown")
def test_a_file_that_grew_adds_what_is_new(memory: Memory, tmp_path: Path) -> None:
    """The old program may be used a while longer."""
    path = tmp_path / "grown.db"
    cogg = told(path)
    memory.run(Import(file=str(cogg.copy(tmp_path / "first.db"))))

    cogg.commit(text="Yes.", notes=[note("workshop", "The code is maple-9.", "fact")])
    cogg.close()
    done = memory.run(Import(file=str(path)))

    assert done.failed == ()
    assert done.imported == 4  # attempt, commit, speech, note
    assert [item.text[-10:] for item in versions(memory, "workshop")] == [
        "cedar-582.",
        "s maple-9.",
    ]
    assert memory.run(Thread(thread="s")).items[-1].text == "Yes."


@requirement("importers:cogg:interrupted")
def test_an_import_that_was_stopped_goes_on(
    memory: Memory, directory: Path, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step is whole or not there; the rest follows and cites what the first run wrote."""
    monkeypatch.setattr("muniment.limits.IMPORT_BATCH_EVENTS", 4)
    looks = iter(range(1000))

    class Stop(Exception):
        pass

    class Halting(Clock):
        def __call__(self) -> int:
            if next(looks) == 6:
                raise Stop
            return super().__call__()

    with (
        Memory.open(directory, clock=Halting(), entropy=random.Random(3).randbytes) as stopped,
        pytest.raises(Stop),
    ):
        stopped.run(Import(file=str(file)))
    rest = memory.run(Import(file=str(file)))
    with Memory.open(tmp_path / "whole") as whole:
        done = whole.run(Import(file=str(file)))

    assert (rest.failed, rest.skipped > 5) == ((), True)
    assert rest.imported + rest.skipped == done.imported + done.skipped
    assert contents(directory) == contents(tmp_path / "whole")


@requirement("importers:cogg:failed")
def test_a_key_of_somebody_else_is_left_alone_and_what_hangs_on_it_too(
    memory: Memory, file: Path
) -> None:
    """The rest is taken in only where nothing depends on what was not; each is listed."""
    mine = memory.remember("The code is mine.", key="workshop")

    first = memory.run(Import(file=str(file)))
    second = memory.run(Import(file=str(file)))

    assert [(one.at, one.code) for one in first.failed] == [
        ("commits[4].notes[0] key", "key_taken"),
        ("commits[5].notes[0]", "not_taken_in"),  # the summary that cites it
        ("commits[6].notes[1]", "not_taken_in"),  # the procedure that cites it
        ("commits[6].notes[2]", "not_taken_in"),  # the version after that summary
    ]
    assert [one.at for one in second.failed] == [
        one.at.removesuffix(" key") for one in first.failed
    ]
    assert {one.code for one in second.failed} == {"not_taken_in"}
    assert second.imported == 0
    assert [item.id for item in versions(memory, "workshop")] == [mine.id]
    assert versions(memory, "overview") == []
    assert len(versions(memory, "delivery")) == 2
    assert memory.verify().faults == ()


@requirement("importers:cogg:failed")
def test_what_our_rules_refuse_is_listed_and_the_rest_arrives(
    memory: Memory, tmp_path: Path
) -> None:
    """Cogg took blank texts, and messages that hold a memory's own blocks."""
    path = tmp_path / "odd.db"
    cogg = Cogg(path, memory={" ": 1, "big": 2**60})
    cogg.send("<muniment-recall>mine</muniment-recall>")
    cogg.commit(notes=[note("blank", "  "), note("good", "A word.")], memory={"fine": None})
    cogg.commit(text="Said.")
    cogg.close()

    done = memory.run(Import(file=str(path)))

    assert [(one.at, one.code) for one in done.failed] == [
        ("commits[0].memory[0] key", "blank_text"),
        ("commits[0].memory[1] value", "bad_json"),
        ("occasions[2] text", "only_own_blocks"),
        ("commits[1].notes[0] text", "blank_text"),
    ]
    assert [item.text for item in versions(memory, "good")] == ["A word."]
    assert memory.run(StateGet(key="fine")).seq is not None
    assert memory.run(Thread(thread="s")).items[-1].text == "Said."


@requirement("importers:cogg:erased", "erasure:return:told")
def test_what_was_erased_does_not_come_back_and_what_follows_still_finds_it(
    memory: Memory, directory: Path, tmp_path: Path
) -> None:
    """Promise 8: recognised by keyed tags; a later version supersedes the erased one."""
    path = tmp_path / "grown.db"
    cogg = told(path)
    memory.run(Import(file=str(cogg.copy(tmp_path / "first.db"))))
    oslo = versions(memory, "delivery")[0]
    erased(memory, record=oslo.id)
    erased(memory, source="first.db")

    cogg.commit(notes=[note("delivery", "The parcel has arrived.", "fact")])
    cogg.close()
    done = memory.run(Import(file=str(path)))

    assert done.failed == ()
    gone = [item.id for item in versions(memory, "delivery")[:2]]
    assert [each.id for each in done.erased_before if each.id[0] == "r"] == gone
    assert [item.standing for item in versions(memory, "delivery")] == [
        "erased",
        "erased",
        "current",
    ]
    assert memory.run(Show(id=oslo.id)).items[0].text == ""
    held = b"".join(each.read_bytes() for each in directory.iterdir())
    assert b"Where is the telescope?" not in held
    assert b"Oslo." not in held


@requirement("importers:cogg:redacted")
def test_secrets_are_kept_out_of_notes_state_and_messages_alike(
    memory: Memory, directory: Path, tmp_path: Path
) -> None:
    """`--redact`, also of what is no message; ids and addresses stay whole."""
    path = tmp_path / "secret.db"
    mail = "ann.miller@example.org"
    cogg = told(path)
    cogg.send(f"Write to {mail}.")
    cogg.commit(
        text=f"I wrote to {mail}.",
        memory={"mail": {"to": [mail]}},
        notes=[note("mail", f"Ann is {mail}.", "fact")],
    )
    cogg.close()

    done = memory.run(Import(file=str(path), redact=True))

    assert (done.failed, done.redacted) == ((), 4)
    assert memory.run(StateGet(key="mail")).value == {"to": ["[redacted: email]"]}
    (item,) = versions(memory, "mail")
    assert item.text == "Ann is [redacted: email]."
    assert address(item)["commit"] == cogg.head
    assert mail.encode() not in b"".join(each.read_bytes() for each in directory.iterdir())


def test_a_chain_that_never_went_on_is_a_genesis(memory: Memory, tmp_path: Path) -> None:
    """A subject that was made and never used."""
    path = tmp_path / "new.db"
    Cogg(path).close()

    done = memory.run(Import(file=str(path)))

    assert (done.imported, done.failed) == (2, ())


@requirement("records:protect:capacity", "importers:cogg:notes")
def test_open_tasks_that_no_pack_would_hold_are_not_taken_in(
    memory: Memory, tmp_path: Path
) -> None:
    """Seed 1: capacity counts however a task comes; what one step closes makes room in it."""
    cogg = Cogg(tmp_path / "old.db", "s", version=5)
    for first in (0, 8):
        cogg.send(f"More to do, {first}.")
        cogg.commit(notes=[note(f"t{n}", f"Errand {n}.", "task", status="open")
                           for n in range(first, first + 8)])  # fmt: skip
    cogg.send("And more.")
    cogg.commit(
        notes=[
            note("new", "A new errand.", "task", status="open"),
            note("t3", "Done.", "task", status="closed"),
        ]
    )
    cogg.send("And more still.")
    cogg.commit(notes=[note("over", "One too many.", "task", status="open"), note("n", "A note.")])
    cogg.close()

    done = memory.run(Import(file=str(tmp_path / "old.db")))

    assert [failure.code for failure in done.failed] == ["tasks_full"]
    keys = {item.key for item in memory.recall("anything").items if item.kind == "task"}
    assert keys == {"new", *(f"t{n}" for n in range(16) if n != 3)}
    assert memory.history("over").items == ()
    assert [item.text for item in memory.history("n").items] == ["A note."]
