"""`exchange retain`: queries answered, and their inputs kept, all of them or none."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from muniment.exchange import files, objects, queries
from muniment.exchange.recall import Library
from tests.exchange.kitchen import Kitchen, changed, named
from tests.exchange.test_container import KEPT
from tests.exchange.things import envelope
from tests.requirements.marker import requirement
from tests.surfaces.shell import Shell

batches = pytest.mark.parametrize("count", [1, 64])


class Place:
    """A container and a file of queries, beside each other."""

    def __init__(self, at: Path, kitchen: Kitchen, **fields: object) -> None:
        self.at = at
        self.kitchen = kitchen
        self.store = at / "store.aotxccir"
        self.queries = at / "queries"
        self.out = at / "out"
        made = kitchen.made.store()
        files.save(self.store, made, (KEPT,))
        rows = [kitchen.query(row, **fields) for row in range(kitchen.count)]
        self.queries.write_bytes(envelope(made, *rows))

    @property
    def words(self) -> tuple[str, ...]:
        """The command that answers and keeps them."""
        return ("exchange", "retain", str(self.store), str(self.queries), "--out", str(self.out))


@requirement("exchange:cli:retain")
@batches
def test_each_input_becomes_memory_in_a_new_store(shell: Shell, tmp_path: Path, count: int) -> None:
    """An event, its vector and a working copy; contexts as recall has them; the old store stays."""
    place = Place(tmp_path, Kitchen(count), revision=3)
    answers = place.kitchen.ask(revision=3)
    before = place.store.read_bytes()

    told = shell.json(*place.words)

    cut = place.kitchen.made.sequence
    assert (told["cut"], told["sequence"]) == (cut, cut + 3 * count)
    assert sorted(path.name for path in place.out.iterdir()) == told["files"]
    for row, answer in enumerate(answers):
        assert (place.out / f"{row:02}.context").read_bytes() == answer.context
        assert told["kept"][row]["event"] == f"{named('q', row).hex()}@1"
        assert not told["results"][row]["recorded"]
    assert place.store.read_bytes() == before
    assert json.loads((place.out / "results.json").read_bytes())["results"] == told["results"]
    loaded = files.load(str(place.out / files.STORE_NAME))
    added = loaded.store.objects[cut:]
    kinds = [objects.EVENT, objects.COMPONENT, objects.WORKING]
    assert [each.row.kind for each in added] == kinds * count
    assert [str(each.row.ref) for each in added] == [
        kept[name] for kept in told["kept"] for name in ("event", "vector", "working")
    ]
    assert [each.type for each in files.optional(loaded.container)] == [KEPT.type]
    assert Library(loaded.store).replay() == []
    shell.json("exchange", "inspect", str(place.out / "results.json"))


@requirement("exchange:cli:retain")
def test_what_was_kept_is_found_by_the_next_input(shell: Shell, tmp_path: Path) -> None:
    """Turn by turn, each from the store that the one before has written."""
    kitchen = Kitchen(1)
    place = Place(tmp_path, kitchen, revision=3)
    first = shell.json(*place.words)
    store = place.out / files.STORE_NAME
    fresh = {"request": named("Q", 7), "selection": named("S", 7)}
    again = kitchen.query(0, revision=3, floor=0, boost=0, entries_max=16, **fresh)
    (tmp_path / "next").write_bytes(envelope(files.load(str(store)).store, again))

    words = ("exchange", "retain", str(store), str(tmp_path / "next"), "--out")
    second = shell.json(*words, str(tmp_path / "second"))

    chosen = {f"{each['id']}@{each['version']}" for each in second["results"][0]["entries"]}
    assert first["kept"][0]["working"] in chosen
    assert (
        f"sequence {second['cut']} to {second['sequence']}"
        in shell(*words, str(tmp_path / "third")).text
    )


@requirement("exchange:cli:retain", "exchange:intake:lasting")
@batches
@pytest.mark.parametrize(("later", "kept"), [(0, False), (1, True)])
def test_what_ends_when_the_inputs_are_in_the_store_refuses_all_of_them(
    shell: Shell, tmp_path: Path, count: int, later: int, kept: bool
) -> None:
    """DENIED at exactly the resulting sequence: no directory, nothing of one; one later, kept."""
    kitchen = Kitchen(count)
    end = kitchen.made.sequence + 3 * count + later
    for at, each in enumerate(kitchen.made.objects):
        if each.row.id == named("x", count - 1):
            kitchen.made.objects[at] = each._replace(row=each.row._replace(expiry=end))
    place = Place(tmp_path, kitchen)
    names = sorted(path.name for path in tmp_path.iterdir())

    if kept:
        assert len(shell.json(*place.words)["kept"]) == count
        return
    error = shell.error(*place.words, code=1)

    assert (error["code"], error["at"]) == ("query_refused", "queries")
    assert "denied" in error["detail"]
    assert error["detail"].endswith(f"query {count - 1} was refused")
    assert sorted(path.name for path in tmp_path.iterdir()) == names


@requirement("exchange:cli:retain")
def test_one_bad_query_keeps_no_input_at_all(shell: Shell, tmp_path: Path) -> None:
    """A malformed row, one that overflows, another's ids, another store's file: nothing is made."""
    place = Place(tmp_path, Kitchen(3))
    data = place.queries.read_bytes()
    row = 64 + 8_192
    spoiled = {
        "format": changed(data, row + 156, b"\x01"),
        "capacity": changed(data, row + 132, b"\x01"),
        "version": changed(data, row, data[64:80]),
    }

    for code, spoilt in spoiled.items():
        place.queries.write_bytes(spoilt)
        error = shell.error(*place.words, code=1)
        assert error["code"] == "query_refused"
        assert error["detail"].startswith(f"{code}: ")
    place.queries.write_bytes(changed(data, 32, b"\x01"))
    assert shell.error(*place.words, code=2)["code"] == "bad_exchange"
    assert not place.out.exists()
    place.queries.write_bytes(data)
    place.out.mkdir()
    assert shell.error(*place.words, code=2)["code"] == "bad_file"


@requirement("exchange:cli:found")
def test_a_whole_file_that_does_not_fit_is_told_what_was_found(
    shell: Shell, tmp_path: Path
) -> None:
    """The size of a container that was cut off; the sequence that queries were prepared for."""
    place = Place(tmp_path, Kitchen(1))
    cut = tmp_path / "cut.aotxccir"
    cut.write_bytes(place.store.read_bytes()[:5_000])
    held = queries.read_envelope(place.queries.read_bytes())
    place.queries.write_bytes(queries.write_envelope(msgspec.structs.replace(held, cut=999)))

    other = shell.error(*place.words, code=2)
    short = shell.error("exchange", "inspect", str(cut), code=2)

    assert (other["code"], other["at"]) == ("bad_exchange", "queries.cut")
    assert other["detail"].endswith("found 999")
    assert short["detail"].endswith("found one of 5000 bytes")
