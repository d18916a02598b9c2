"""Files of every released format are read as they are, and the same commands write them again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from muniment import (
    Erase,
    History,
    Import,
    Memory,
    Rebuild,
    Recall,
    Replay,
    StateDelete,
    StateGet,
    Verify,
)
from tests.golden import make, outsider
from tests.requirements.marker import requirement
from tests.store.files import LEDGER, flip, ledger, listing, plain, rows

FORMATS = sorted(path for path in Path(__file__).parent.glob("format-*"))
FILES = sorted(path for folder in FORMATS for path in folder.glob("*.muniment"))


@pytest.fixture
def copies(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A directory with copies of the files of one format."""
    for path in request.param.glob("*.muniment"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path


@pytest.fixture(scope="module")
def again(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The golden commands, run by the present program."""
    directory = tmp_path_factory.mktemp("again")
    make.write(directory)
    return directory


@requirement("ledger:file:golden")
@pytest.mark.parametrize("folder", FORMATS, ids=lambda folder: folder.name)
def test_the_files_are_what_was_released(folder: Path) -> None:
    """Every hash, id, salt and content stands beside the files as text."""
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))

    assert make.described(folder) == expected


@requirement("ledger:header:recomputed")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_somebody_who_has_only_the_page_finds_no_fault(path: Path) -> None:
    """SHA-256, JSON and a reader of tables are enough; nothing of the program is used."""
    assert outsider.faults(path) == []


@requirement("ledger:header:recomputed")
def test_somebody_who_has_only_the_page_accepts_what_is_written_today(again: Path) -> None:
    """Also the receipts, whose bytes differ from release to release."""
    assert {path.name: outsider.faults(path) for path in again.glob("*.muniment")} == {
        path.name: [] for path in again.glob("*.muniment")
    }


@requirement("ledger:header:recomputed")
@pytest.mark.parametrize("table", ["commits", "content", "scope"])
def test_somebody_who_has_only_the_page_finds_a_changed_byte(tmp_path: Path, table: str) -> None:
    """The other check is worth something: it finds each of a few bytes that were changed."""
    (name,) = (path for path in FILES if path.name.startswith("telescope-club"))
    column = {"commits": "header", "content": "bytes", "scope": "limits"}[table]
    sound = name.read_bytes()
    spoilt = tmp_path / name.name
    found = 0
    spoilt.write_bytes(sound)
    for (value,) in rows(spoilt, f"SELECT {column} FROM {table}"):
        held = value.encode() if isinstance(value, str) else value
        at = sound.find(held)
        if at < 0 or held[:1] == b"z":
            continue  # on more pages than one
        spoilt.write_bytes(sound)
        flip(spoilt, at + len(held) // 2)

        found += 1
        assert outsider_finds(spoilt), value
    assert found > 0


@requirement("ledger:file:golden", "ledger:deterministic:heads")
@pytest.mark.parametrize("scope", make.REPEATABLE)
def test_the_same_commands_write_the_same_ledger_today(
    again: Path, tmp_path: Path, scope: str
) -> None:
    """Headers, hashes, salts, contents and secrets, byte for byte."""
    (golden,) = (path for path in make.FOLDER.glob("*.muniment") if is_of(path, scope))
    (tmp_path / golden.name).write_bytes(golden.read_bytes())

    for table in LEDGER:
        wanted = as_hashed(tmp_path / golden.name, table)
        assert as_hashed(again / golden.name, table) == wanted, table


@requirement("ledger:file:golden")
@pytest.mark.parametrize("copies", [make.FOLDER], indirect=True, ids=lambda folder: folder.name)
def test_an_old_file_is_read_verified_and_recalled_from(copies: Path) -> None:
    """The ledger is sound as it lies; derived tables may have to be made again; then all works."""
    before = {path.name: ledger(path) for path in copies.glob("*.muniment")}
    untouched = listing(copies)
    with Memory.open(copies) as memory:
        found = memory.run(Verify(all=True, depth="content"))
    assert (found.faults, found.scopes) == ((), len(before))
    assert listing(copies) == untouched

    with Memory.open(copies) as memory:
        for scope in make.TOLD:
            memory.run(Rebuild(scope=scope))
        assert memory.run(Verify(all=True)).faults == ()
        said = memory.recall("How heavy is the mount?", scope=make.CLUB).text
        held = memory.run(History(key="door-code", scope=make.CLUB)).items
        night = memory.run(StateGet(key="night", scope=make.CLUB)).value

    assert "mount" in said
    assert [item.standing for item in held] == ["erased", "superseded", "current"]
    assert night == 25
    assert {path.name: ledger(path) for path in copies.glob("*.muniment")} == before


@requirement("ledger:file:golden")
@pytest.mark.parametrize("copies", [make.FOLDER], indirect=True, ids=lambda folder: folder.name)
def test_an_old_file_goes_on(copies: Path) -> None:
    """What is written today follows what was written then, and nothing of that is touched."""
    before = {path.name: ledger(path) for path in copies.glob("*.muniment")}

    with Memory.open(copies) as memory:
        for scope in make.TOLD:
            memory.observe("A new release.", role="user", scope=scope)
            memory.run(Recall(query="release", scope=scope, record=True))
        planned = memory.run(Erase(event="e2", scope=make.CLUB))
        memory.run(Erase(event="e2", scope=make.CLUB, confirm=planned.token))
        assert memory.run(Verify(all=True)).faults == ()

    for path in copies.glob("*.muniment"):
        assert outsider.faults(path) == []
        assert set(before[path.name]["commits"]) < set(ledger(path)["commits"])


@requirement("ledger:file:golden")
@pytest.mark.parametrize("copies", [make.FOLDER], indirect=True, ids=lambda folder: folder.name)
def test_an_old_import_is_known_when_it_comes_again(copies: Path) -> None:
    """The tags of the messages, with and without ids of their own, are what they were."""
    export = str(make.ROOT / "examples" / "telescope-club.json")
    before = next(ledger(path) for path in copies.glob("*.muniment") if is_of(path, make.TALKS))

    with Memory.open(copies) as memory:
        told = memory.run(Import(scope=make.TALKS, file=export))

    assert (told.imported, told.failed) == (0, ())
    assert told.skipped > 0
    after = next(ledger(path) for path in copies.glob("*.muniment") if is_of(path, make.TALKS))
    assert after == before


@requirement("ledger:file:golden")
@pytest.mark.parametrize("copies", [make.FOLDER], indirect=True, ids=lambda folder: folder.name)
def test_an_old_receipt_is_decided_again(copies: Path) -> None:
    """One that still has its words, and one that went with what it spoke of."""
    path = next(path for path in copies.glob("*.muniment") if is_of(path, make.QUESTIONS))
    receipts = [shape["id"] for shape in outsider.File(path).shapes("j") if shape["id"][0] == "q"]

    with Memory.open(copies) as memory:
        memory.run(Rebuild(scope=make.QUESTIONS))
        answers = [memory.run(Replay(receipt=id, scope=make.QUESTIONS)) for id in receipts]

    assert [answer.query for answer in answers] == [None, "runs late"]


@requirement("ledger:file:golden", "ledger:state:delete")
@pytest.mark.parametrize("copies", [make.FOLDERS[2]], indirect=True, ids=lambda folder: folder.name)
def test_an_old_state_is_read_and_goes_on(copies: Path, tmp_path: Path) -> None:
    """The same commands write the same bytes; deleted keys are gone, and stay so."""
    (golden,) = copies.glob("*.muniment")
    again = tmp_path / "again"
    make.write(again, 2)
    assert ledger(again / golden.name) == ledger(golden)

    with Memory.open(copies) as memory:
        memory.run(Rebuild(scope=make.DESK))
        assert {each.key: each.value for each in memory.state(scope=make.DESK).items} == {
            "lamp": "off"
        }
        memory.run(StateDelete(key="lamp", scope=make.DESK))
        assert memory.state(scope=make.DESK).items == ()
        assert memory.run(Verify(all=True)).faults == ()

    assert outsider.faults(golden) == []


@requirement("ledger:file:golden", "ledger:state:delete")
def test_only_a_commit_that_deletes_is_of_the_second_format() -> None:
    """All else is written as ever, and an older program reads on up to there."""
    (golden,) = make.FOLDERS[2].glob("*.muniment")
    headers = [json.loads(outsider.plain(row[5])) for row in outsider.File(golden).chain("m")]

    assert {header["format"] for header in headers} == {1, 2}
    for header in headers:
        deletes = any(shape["event"] == "StateDeleted" for shape in header["events"])
        assert (header["format"] == 2) == deletes


def is_of(path: Path, scope: str) -> bool:
    """Whether a golden file is the scope's, also where its name was erased."""
    file = outsider.File(path)
    genesis = json.loads(outsider.plain(file.chain("m")[0][5]))["genesis"]
    secret: bytes = file.scopes[0][3]
    return bool(genesis["name_tag"] == outsider.tag(secret, "scope", scope))


def outsider_finds(path: Path) -> bool:
    """Whether the other check finds something, be it that it cannot go on."""
    try:
        return outsider.faults(path) != []
    except (AssertionError, KeyError, ValueError):
        return True


def as_hashed(path: Path, table: str) -> list[outsider.Row]:
    """The rows of a table, each header as it is hashed: how far it was deflated means nothing."""
    found = ledger(path)[table]
    if table == "commits":
        return [(*row[:-1], plain(row[-1])) for row in found]
    return found
