"""Proof: what was changed, cut or lost is found, all of it, each with its place."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from muniment import Memory, Rebuild
from muniment.errors import Corrupt
from muniment.model.integrity import Depth, Fault, Verified
from muniment.store import sound
from muniment.surfaces.cli import main
from tests.golden import outsider
from tests.requirements.marker import requirement
from tests.store.files import change, headers, ledger, opened, rows

DEPTHS: tuple[Depth, ...] = ("chain", "content", "full")


def checked(path: Path, depth: Depth = "full", **fields: Any) -> Verified:
    """What verify says of the scope in one file."""
    with Memory.open(path) as memory:
        return memory.verify(depth=depth, **fields)


def places(found: Verified) -> set[tuple[str | None, int | None, str | None]]:
    """Chain, seq and table of each fault."""
    return {(fault.chain, fault.seq, fault.table) for fault in found.faults}


@requirement("ledger:verify:clean")
@pytest.mark.parametrize("depth", DEPTHS)
def test_what_only_this_program_wrote_is_clean(copy: Path, depth: Depth) -> None:
    """Every kind of event, an erasure included, at every depth."""
    found = checked(copy, depth)

    assert (found.ok, found.faults, found.depth) == (True, (), depth)
    counted = dict(rows(copy, "SELECT chain, max(seq) FROM commits GROUP BY chain"))
    assert {"m": found.events, "j": found.receipts} == counted


@requirement("ledger:verify:says-what-it-compared")
def test_without_a_checkpoint_verify_says_that_it_looked_inside_only(memory: Memory) -> None:
    """A chain that fits can still be another history; the answer does not hide that."""
    memory.observe("one", role="user")

    full, chain = memory.verify(), memory.verify(depth="chain")

    assert "not compared with any outside checkpoint" in full.compared
    assert full.not_checked == ("outside checkpoint",)
    assert set(chain.not_checked) == {"derived tables", "contents", "outside checkpoint"}


@requirement("ledger:verify:any-byte")
@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("column", ["header", "hash"])
def test_a_changed_byte_of_a_commit_is_found_at_its_place(
    copy: Path, column: str, depth: Depth
) -> None:
    """One byte in each commit in turn, at a place that differs from commit to commit."""
    for chain, seq, height, value in rows(
        copy, f"SELECT chain, seq, height, {column} FROM commits ORDER BY chain, seq"
    ):
        at = (seq * 37 + height) % len(value)
        wrong = value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :]
        where = "WHERE chain = ? AND seq = ?"
        change(copy, f"UPDATE commits SET {column} = ? {where}", (wrong, chain, seq))

        found = checked(copy, depth)
        change(copy, f"UPDATE commits SET {column} = ? {where}", (value, chain, seq))

        assert (chain, seq, "commits") in places(found)
        assert not found.ok


@requirement("ledger:verify:any-byte")
def test_a_changed_byte_of_a_content_is_found_at_its_place(copy: Path) -> None:
    """Content and salt, one byte in each in turn."""
    for place, salt, held in rows(copy, "SELECT place, salt, bytes FROM content"):
        for column, value in (("salt", salt), ("bytes", held)):
            at = abs(place) * 37 % len(value)
            wrong = value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :]
            change(copy, f"UPDATE content SET {column} = ? WHERE place = ?", (wrong, place))

            found = checked(copy, "content")
            change(copy, f"UPDATE content SET {column} = ? WHERE place = ?", (value, place))

            assert ("m" if place > 0 else "j", abs(place), "content") in places(found)


@requirement("ledger:verify:any-byte")
@pytest.mark.parametrize("depth", DEPTHS)
def test_a_commit_that_was_taken_out_is_found(copy: Path, depth: Depth) -> None:
    """From the middle: the one behind it no longer follows."""
    chain = rows(copy, "SELECT seq FROM commits WHERE chain = 'm' ORDER BY seq")
    taken, behind = chain[3][0], chain[4][0]
    change(copy, "DELETE FROM commits WHERE chain = 'm' AND seq = ?", (taken,))

    assert ("m", behind, "commits") in places(checked(copy, depth))


@requirement("ledger:verify:missing-content")
def test_a_missing_content_that_no_erasure_names_is_a_fault(copy: Path) -> None:
    """And only there: the holes of the erasure are counted and are none."""
    before = checked(copy)
    change(copy, "DELETE FROM content WHERE place = 3")

    found = checked(copy, "content")

    assert before.ok
    assert before.erased == 4
    assert [(f.code, f.chain, f.seq) for f in found.faults] == [("content_missing", "m", 3)]
    assert found.erased == 4


@requirement("erasure:chain:visible")
def test_a_content_that_an_erasure_names_may_not_come_back(copy: Path) -> None:
    """What was erased and stands there again is a fault, with its place."""
    gone = next(shape for shape in _shapes(copy) if shape["event"] == "ContentErased")
    seq = int(gone["targets"][0][1:].partition("-")[0], 32)
    change(copy, "INSERT INTO content (scope, place, salt, bytes) VALUES (1, ?, x'00', x'00')",
           (seq,))  # fmt: skip

    with Memory.open(copy) as memory:
        found = memory.verify(depth="content")

    assert ("erased_content_present", "m", seq) in {(f.code, f.chain, f.seq) for f in found.faults}


@requirement("ledger:verify:missing-content")
def test_a_content_that_its_event_never_had_is_a_fault(copy: Path) -> None:
    """An erasure has none, nor has a place behind the end, nor one between the chains."""
    erasure = next(shape for shape in _shapes(copy) if shape["event"] == "ContentErased")
    for place in (erasure["seq"], 999_999, 0, -999_999):
        change(copy, "INSERT INTO content (scope, place, salt, bytes) VALUES (1, ?, x'00', x'00')",
               (place,))  # fmt: skip

        found = checked(copy, "content")
        change(copy, "DELETE FROM content WHERE place = ?", (place,))

        assert [(f.code, f.seq) for f in found.faults] == [("content_stray", abs(place))]


@requirement("ledger:verify:all-faults")
def test_all_faults_are_reported(copy: Path) -> None:
    """Four places spoilt, four places named."""
    change(copy, "UPDATE commits SET hash = zeroblob(32) WHERE chain = 'm' AND seq = 2")
    change(copy, "UPDATE content SET bytes = x'00' WHERE place = 9")
    change(copy, "UPDATE record SET kind = 'note' WHERE seq = 6")
    change(copy, "DELETE FROM state WHERE seq = 13")

    found = checked(copy)

    assert {("m", 2, "commits"), ("m", 9, "content")} <= places(found)
    # A ledger that does not hold folds into nothing that could be compared.
    assert "not_folded" in {fault.code for fault in found.faults}


@requirement("ledger:verify:all-faults")
def test_faults_of_several_derived_tables_are_all_reported(copy: Path) -> None:
    """A sound ledger is folded again and every table held against it."""
    change(copy, "UPDATE record SET kind = 'note' WHERE seq = 6")
    change(copy, "DELETE FROM state WHERE seq = 13")
    change(copy, "INSERT INTO tag (scope, prefix, seq) VALUES (1, 1, 1)")

    found = checked(copy)

    assert {fault.table for fault in found.faults} == {"record", "state", "tag"}


@requirement("ledger:verify:projection")
@pytest.mark.parametrize(
    ("table", "damage"),
    [
        ("experience", "UPDATE experience SET role = 'user ' WHERE seq = 2"),
        ("experience", "DELETE FROM experience WHERE seq = 31"),
        ("record", "UPDATE record SET ended = NULL, to_seq = NULL WHERE seq = 6"),
        ("experience_tag", "INSERT INTO experience_tag (scope, tag, seq) VALUES (1, 'more', 2)"),
        ("link", "UPDATE link SET role = 'contradicts' WHERE record = 10"),
        ("state", "UPDATE state SET to_seq = NULL"),
        ("tag", "DELETE FROM tag WHERE seq = 1"),
        ("text_index_docsize", "DELETE FROM text_index WHERE rowid = 2"),
        ("text_index_docsize", "INSERT INTO text_index (rowid, body) VALUES (100, 'more')"),
        ("projection", "UPDATE projection SET fingerprint = 'ffff' WHERE name = 'state'"),
    ],
)
def test_a_derived_row_that_was_edited_added_or_deleted_is_found(
    copy: Path, table: str, damage: str
) -> None:
    """At full depth, with the table's name; the depths above do not look there."""
    change(copy, damage)

    found = checked(copy)

    assert table in {fault.table for fault in found.faults}
    assert checked(copy, "content").ok


@requirement("ledger:verify:projection")
def test_a_text_that_was_replaced_by_others_of_the_same_length_is_found(copy: Path) -> None:
    """The index is compared token by token, and not by its sizes alone."""
    change(copy, "DELETE FROM text_index WHERE rowid = 9")
    change(copy, "INSERT INTO text_index (rowid, body) VALUES (9, 'Clouds tomorrow')")

    found = checked(copy)

    assert ("m", 9, "text_index") in places(found)


@requirement("ledger:verify:exit")
def test_a_fault_makes_the_command_exit_3_with_the_report_on_stdout(
    copy: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """A script sees it by the code, a person by the report; stderr stays silent."""
    change(copy, "UPDATE commits SET hash = zeroblob(32) WHERE chain = 'm' AND seq = 2")
    change(copy, "UPDATE content SET bytes = x'00' WHERE place = 9")

    code = main(["--db", str(copy), "verify", "--json"])

    out, err = capsysbinary.readouterr()
    report = json.loads(out)
    assert (code, err, report["ok"]) == (3, b"", False)
    assert {("m", 2), ("m", 9)} <= {(f["chain"], f["seq"]) for f in report["faults"]}


@requirement("ledger:verify:exit")
def test_a_clean_file_exits_0(copy: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    """The other half of the code."""
    code = main(["--db", str(copy), "verify", "--json"])

    out, _ = capsysbinary.readouterr()
    assert (code, json.loads(out)["faults"]) == (0, [])


@requirement("ledger:verify:clean")
def test_verify_all_looks_at_every_scope_of_the_directory(memory: Memory, directory: Path) -> None:
    """Each fault carries its scope; a file that cannot be read is one, and not the end."""
    for scope in ("one", "two", "three"):
        memory.observe(f"said in {scope}", role="user", scope=scope)
    memory.close()
    assert _all(directory).ok
    files = {path.name.partition("-")[0]: path for path in directory.glob("*.muniment")}
    change(files["two"], "UPDATE content SET bytes = x'00' WHERE place = 1")
    files["three"].write_bytes(b"no store at all, and longer than a header " * 100)

    found = _all(directory)

    assert found.scopes == 3
    assert {fault.scope for fault in found.faults} == {"two", files["three"].name}
    assert _of(found, "two")[0].seq == 1


@requirement("ledger:rebuild:ledger-untouched")
def test_verify_and_rebuild_change_nothing_in_a_broken_ledger(copy: Path) -> None:
    """What does not verify is never mended from a derived table, whatever is run."""
    change(copy, 'UPDATE content SET bytes = CAST(\'{"text":"other"}\' AS BLOB) WHERE place = 9')
    change(copy, "DELETE FROM content WHERE place = 3")
    before = ledger(copy)
    faults = checked(copy, "content").faults

    with Memory.open(copy) as memory:
        _rebuild(memory)

    assert ledger(copy) == before
    assert checked(copy, "content").faults == faults


def test_a_copy_verifies_where_it_lies(copy: Path, place: Path) -> None:
    """A scope's file can be handed on alone, under any name."""
    moved = place / "moved.muniment"
    shutil.copy(copy, moved)

    assert checked(moved).ok


def _rebuild(memory: Memory) -> None:
    try:
        memory.run(Rebuild())
    except Corrupt:
        return


def _shapes(path: Path) -> list[dict[str, Any]]:
    return [shape for header in headers(path) for shape in header["events"]]


def _all(directory: Path) -> Verified:
    with Memory.open(directory) as memory:
        return memory.verify(all=True)


def _of(found: Verified, scope: str) -> list[Fault]:
    return [fault for fault in found.faults if fault.scope == scope]


@requirement("ledger:verify:any-byte")
def test_a_changed_name_of_a_scope_is_found_under_the_name_it_had(copy: Path) -> None:
    """In a directory the scope is still found by its name, whose tag the first header keeps."""
    change(copy, "UPDATE scope SET name = 'Telescope clud'")

    with Memory.open(copy.parent) as memory:
        found = memory.verify(scope="Telescope club")

    assert ("scope_differs", "scope") in {(fault.code, fault.table) for fault in found.faults}


@requirement("ledger:verify:any-byte")
def test_a_field_that_no_such_event_has_is_found(copy: Path) -> None:
    """Somebody who can compute hashes wrote the last commit anew, with a field more."""
    height, stored = rows(
        copy, "SELECT height, header FROM commits WHERE chain = 'm' ORDER BY seq DESC LIMIT 1"
    )[0]
    header = json.loads(stored)
    shape = header["events"][0]
    shape["mood"] = "bright"
    bare = {name: value for name, value in shape.items() if name != "id"}
    shape["id"] = outsider.event_id(header["parent"], 0, bare)
    forged = outsider.canonical(header)
    named = bytes.fromhex(outsider.digest("muniment/commit/1", forged))
    change(copy, "UPDATE commits SET header = ?, hash = ? WHERE chain = 'm' AND height = ?",
           (forged, named, height))  # fmt: skip

    found = checked(copy, "content")

    assert ("field_unknown", "mood") in {(fault.code, fault.detail) for fault in found.faults}


@requirement("ledger:verify:all-scopes")
def test_a_copy_under_another_name_is_found_among_all_scopes(
    memory: Memory, directory: Path
) -> None:
    """Each file alone is sound; together one is where it does not belong."""
    for scope in ("north", "south"):
        memory.observe(f"in the {scope}", role="user", scope=scope)
    memory.close()
    north = next(directory.glob("north-*"))
    shutil.copy(north, north.with_name("west-01234567.muniment"))

    with Memory.open(directory) as again:
        found = again.verify(all=True)

    assert [fault.code for fault in found.faults] == ["file_misnamed", "scope_doubled"]
    assert found.scopes == 3


@requirement("ledger:verify:exit")
def test_a_file_that_was_cut_is_a_report_too(
    copy: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Where not even its scope can be read, the report still stands on stdout."""
    copy.write_bytes(copy.read_bytes()[: copy.stat().st_size // 2])

    code = main(["--db", str(copy.parent), "verify", "--scope", "Telescope club", "--json"])

    out, err = capsysbinary.readouterr()
    report = json.loads(out)
    assert (code, err, report["ok"]) == (3, b"", False)
    assert "file_malformed" in {fault["code"] for fault in report["faults"]}


@requirement("ledger:rebuild:holds-first")
def test_no_table_is_made_of_a_ledger_that_does_not_hold(copy: Path) -> None:
    """The tables may be the last trace of what was changed; they stay as they are."""
    forged = "CAST(replace(CAST(bytes AS TEXT), 'Good', 'Mild') AS BLOB)"
    change(copy, f"UPDATE content SET bytes = {forged} WHERE place = 31")
    before = checked(copy).faults

    with Memory.open(copy) as memory, pytest.raises(Corrupt, match="content_differs"):
        memory.run(Rebuild())

    assert checked(copy).faults == before
    assert {fault.table for fault in before} > {"content"}


@requirement("ledger:verify:any-byte")
def test_a_changed_letter_of_what_the_engine_notes_of_a_table_is_found(copy: Path) -> None:
    """One that means the same to the engine: not its statement alone is compared."""
    with opened(copy) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_schema SET tbl_name = 'stAte' WHERE name = 'state'")

    found = checked(copy)

    assert "state" in {fault.table for fault in found.faults}


@requirement("ledger:verify:any-byte")
@pytest.mark.parametrize("column", ["name", "tbl_name", "sql"])
def test_what_the_engine_notes_of_a_table_is_compared_with_its_type(
    copy: Path, column: str
) -> None:
    """One bit makes bytes of a text; to the engine they mean the same, and it finds no fault."""
    of_index = "state_key"
    with opened(copy) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(
            f"UPDATE sqlite_schema SET {column} = CAST({column} AS BLOB) WHERE name = ?",
            (of_index,),
        )

    found = checked(copy)

    assert not found.ok
    assert of_index in {fault.table for fault in found.faults}


@requirement("ledger:verify:clean")
@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("way", ["links", "whole"])
def test_the_long_way_agrees_with_the_short_one(
    copy: Path, depth: Depth, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is plainly right is passed the short way; the other finds nothing wrong with it."""
    short = checked(copy, depth)
    monkeypatch.setattr(sound, way, lambda *_: False)

    assert checked(copy, depth) == short


@requirement("ledger:verify:clean")
def test_nearly_every_commit_goes_the_short_way(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only first commits, erasures and receipts need more than the short way looks at."""
    passed: list[bool] = []
    whole = sound.whole

    def counted_too(*given: Any) -> bool:
        passed.append(whole(*given))
        return passed[-1]

    monkeypatch.setattr(sound, "whole", counted_too)

    assert checked(copy).ok
    named = "%ContentErased%", "%RecallRecorded%", "%ReceiptErased%", "%genesis%", "z%"
    others = " OR ".join(f"CAST(header AS TEXT) LIKE '{each}'" for each in named)
    counted = dict(rows(copy, f"SELECT 1, count(*) FROM commits WHERE {others}"))
    assert 0 < passed.count(False) <= counted[1]
    assert any(passed)
