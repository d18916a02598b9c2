"""`exchange` on the command line: recall into a new directory, replay, inspect, convert."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from muniment.exchange import files, images, objects
from muniment.exchange.layout import Ref
from muniment.exchange.recall import Library
from tests.exchange.kitchen import Kitchen, changed, named
from tests.exchange.test_container import KEPT, appended, saved
from tests.exchange.test_safe import ATTACK
from tests.exchange.things import Making, envelope, id_of
from tests.exchange.things import query as asked
from tests.requirements.marker import requirement
from tests.surfaces.shell import Shell

batches = pytest.mark.parametrize("count", [1, 64])


class Place:
    """A container and a file of queries, beside each other."""

    def __init__(self, at: Path, kitchen: Kitchen, **fields: object) -> None:
        self.kitchen = kitchen
        self.store = at / "store.aotxccir"
        self.queries = at / "queries"
        self.out = at / "out"
        made = kitchen.made.store()
        files.save(self.store, made)
        self.rows = [kitchen.query(row, **fields) for row in range(kitchen.count)]
        self.queries.write_bytes(envelope(made, *self.rows))

    @property
    def words(self) -> tuple[str, ...]:
        """The command that answers them."""
        return ("exchange", "recall", str(self.store), str(self.queries), "--out", str(self.out))


@requirement("exchange:cli:files")
@batches
def test_a_batch_is_answered_into_a_new_directory(shell: Shell, tmp_path: Path, count: int) -> None:
    """Contexts, lines of JSON, selections, a summary, and a store that replays after all else."""
    place = Place(tmp_path, Kitchen(count))
    answers = place.kitchen.ask()
    before = place.store.read_bytes()

    told = shell.json(*place.words)

    assert (told["answered"], told["refused"]) == (count, 0)
    assert sorted(path.name for path in place.out.iterdir()) == told["files"]
    for row, answer in enumerate(answers):
        line = (place.out / f"{row:02}.json").read_bytes()
        assert (place.out / f"{row:02}.context").read_bytes() == answer.context
        assert json.loads(line) == {
            "request": named("q", row).hex(), "selection": named("s", row).hex(),
            "cut": place.kitchen.made.sequence, "count": 4, "searches": 1,
            "context": answer.context.decode(),
        }  # fmt: skip
        assert len((place.out / f"{row:02}.selection").read_bytes()) == 528
        entries = told["results"][row]["entries"]
        assert [each["reason"] for each in entries] == [
            "obligation", "obligation", "significant", "support",
        ]  # fmt: skip
    assert place.store.read_bytes() == before
    summary = json.loads((place.out / "results.json").read_bytes())
    assert summary["results"] == told["results"]
    recorded = tmp_path / "kept"
    (place.out / files.STORE_NAME).rename(recorded)
    place.store.unlink()
    place.queries.unlink()
    again = shell.json("exchange", "replay", str(recorded))
    assert again["same"]
    assert [each["context"].encode() for each in again["items"]] == [
        each.context for each in answers
    ]
    assert {each["searches"] for each in again["items"]} == {0}


@requirement("exchange:cli:isolation")
def test_one_bad_query_leaves_the_others_alone(shell: Shell, tmp_path: Path) -> None:
    """Its status and why; with --all-or-nothing none is answered and no directory is made."""
    place = Place(tmp_path, Kitchen(3))
    data = place.queries.read_bytes()
    place.queries.write_bytes(changed(data, 64 + 8_192 + 156, b"\x01"))

    error = shell.error(*place.words, "--all-or-nothing", code=1)
    nothing = place.out.exists()
    told = shell.json(*place.words)

    assert (error["code"], nothing) == ("query_refused", False)
    assert [each["status"] for each in told["results"]] == [0, 1, 0]
    assert told["results"][1]["code"] == "format"
    assert told["results"][1]["request"] is None
    assert not (place.out / "01.context").exists()
    assert len(shell.json("exchange", "replay", str(place.out / files.STORE_NAME))["items"]) == 2


@requirement("exchange:cli:overflow")
def test_an_overflow_is_told_with_what_would_be_needed(shell: Shell, tmp_path: Path) -> None:
    """The object, the bound, and how much all that must be shown takes."""
    place = Place(tmp_path, Kitchen(1), entries_max=1)

    (told,) = shell.json(*place.words)["results"]

    assert (told["status"], told["code"], told["over"]) == (2, "capacity", "entries")
    assert told["id"] == f"{named('d', 0).hex()}@1"
    assert told["entries_needed"] == 2
    assert told["bytes_needed"] > 200
    assert not (place.out / files.STORE_NAME).exists()
    words = ("exchange", "recall", *place.words[2:4], "--out", str(tmp_path / "plain"))
    assert f"query 0: capacity {named('d', 0).hex()}@1: " in shell(*words).text


@requirement("exchange:cli:refused")
def test_what_is_no_input_is_refused_and_nothing_is_made(shell: Shell, tmp_path: Path) -> None:
    """A pipe, a link, another lineage, another cut, a directory that is there."""
    place = Place(tmp_path, Kitchen(1))
    data = place.queries.read_bytes()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(place.queries)
    (tmp_path / "lineage").write_bytes(changed(data, 16, b"?" * 16))
    (tmp_path / "cut").write_bytes(changed(data, 32, b"\x01"))
    (tmp_path / "short").write_bytes(data[:-1])
    (tmp_path / "there").mkdir()

    def code(name: str, out: str = "out") -> str:
        words = ("exchange", "recall", str(place.store), str(tmp_path / name))
        found: str = shell.error(*words, "--out", str(tmp_path / out), code=2)["code"]
        return found

    assert [code(name) for name in ("pipe", "link", "nowhere")] == ["bad_file"] * 3
    assert [code(name) for name in ("lineage", "cut", "short")] == ["bad_exchange"] * 3
    assert code("queries", "there") == "bad_file"
    assert code("queries", "no/where") == "bad_file"
    assert not place.out.exists()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@requirement("exchange:cli:refused")
@pytest.mark.parametrize("verb", ["recall", "retain"])
@pytest.mark.parametrize("out", [".", "./", "/", "..", ""])
def test_an_output_that_is_no_new_directory_is_refused(
    shell: Shell, tmp_path: Path, verb: str, out: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one that has no name of its own, beside which nothing could be made."""
    place = Place(tmp_path, Kitchen(1))
    names = sorted(path.name for path in tmp_path.iterdir())
    monkeypatch.chdir(tmp_path)

    words = ("exchange", verb, str(place.store), str(place.queries), "--out", out)
    error = shell.error(*words, code=2)

    assert (error["code"], error["at"]) == ("bad_file" if out else "bad_shape", "--out")
    assert sorted(path.name for path in tmp_path.iterdir()) == names


@requirement("exchange:cli:files")
def test_a_directory_that_cannot_be_finished_is_not_there(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk refuses in the midst of it: no directory, and nothing of one."""
    place = Place(tmp_path, Kitchen(2))
    names = sorted(path.name for path in tmp_path.iterdir())

    def failing(descriptor: int) -> None:
        raise OSError(28, "no room", descriptor)

    monkeypatch.setattr(os, "fsync", failing)

    assert shell.error(*place.words, code=1)["code"] == "io_failed"
    assert sorted(path.name for path in tmp_path.iterdir()) == names


@requirement("exchange:cli:replay")
@batches
def test_a_withdrawn_member_suppresses_all_output(shell: Shell, tmp_path: Path, count: int) -> None:
    """One decision does not stand: its status is told, no context is, and the exit code is 1."""
    kitchen = Kitchen(count)
    library = kitchen.opened()
    library.record(kitchen.ask(library))
    kitchen.made.objects = list(library.store.objects)
    kitchen.made.end(kitchen.ref("m", 0))
    files.save(tmp_path / "store", kitchen.made.store())

    told = shell.json("exchange", "replay", str(tmp_path / "store"), code=1)

    assert not told["same"]
    assert [each["status"] for each in told["items"]] == [11] + [0] * (count - 1)
    assert {each["context"] for each in told["items"]} == {None}


@requirement("exchange:cli:safe")
def test_the_safe_style_is_asked_for(shell: Shell, tmp_path: Path) -> None:
    """In frames, and not recorded: the old formats have no such style."""
    made = Making()
    made.memory(1, ATTACK, 1.0, 0.0)
    store = made.store()
    files.save(tmp_path / "store", store)
    (tmp_path / "queries").write_bytes(envelope(store, asked("What?")))
    words = ("exchange", "recall", str(tmp_path / "store"), str(tmp_path / "queries"))

    told = shell.json(*words, "--out", str(tmp_path / "safe"), "--style", "safe")

    text = (tmp_path / "safe" / "00.context").read_text()
    assert text.count("\n[input]\n") == 1
    assert told["style"] == "safe"
    assert files.STORE_NAME not in told["files"]
    assert not told["results"][0]["recorded"]


@requirement("exchange:cli:inspect")
def test_each_kind_of_file_is_told(shell: Shell, tmp_path: Path) -> None:
    """A container, an image, queries with a bad one among them, results; anything else is not."""
    place = Place(tmp_path, Kitchen(2))
    data = place.queries.read_bytes()
    place.queries.write_bytes(changed(data, 64 + 156, b"\x01"))
    shell.json(*place.words)
    (tmp_path / "image").write_bytes(images.write(place.kitchen.made.image()))
    (tmp_path / "noise").write_bytes(b"nothing of the kind")

    def told(path: Path) -> dict[str, object]:
        found: dict[str, object] = shell.json("exchange", "inspect", str(path))
        return found

    container = told(place.out / files.STORE_NAME)
    assert (container["format"], container["decisions"], container["generation"]) == (
        "container", 1, 1,
    )  # fmt: skip
    assert container["objects"] == {
        "appraisal": 6, "assertion": 8, "component": 6, "cue": 2, "event": 3, "selection": 1,
    }  # fmt: skip
    assert told(tmp_path / "image")["format"] == "checkpoint"
    found = told(place.queries)
    assert [each["status"] for each in found["queries"]] == [1, 0]  # type: ignore[attr-defined]  # a list
    assert told(place.out / "results.json")["format"] == "results"
    error = shell.error("exchange", "inspect", str(tmp_path / "noise"), code=2)
    assert error["code"] == "unknown_format"
    for path in (place.out / files.STORE_NAME, place.queries, place.out / "results.json"):
        assert shell("exchange", "inspect", str(path)).text.startswith("format: ")


@requirement("exchange:bounds:status")
@pytest.mark.parametrize("nested", ['{"x":' + "[" * 100_000, '{"results":[{"x":' + "[" * 100_000])
def test_results_that_are_nested_too_deeply_are_refused(
    shell: Shell, tmp_path: Path, nested: str
) -> None:
    """FORMAT, and no crash of the program that looks into them."""
    (tmp_path / "results.json").write_text(nested)

    error = shell.error("exchange", "inspect", str(tmp_path / "results.json"), code=2)

    assert error["code"] == "bad_exchange"


def mixed() -> Making:
    """One of each kind, newer versions, and somebody's own."""
    made = Making()
    event = made.event(1, "The shed burned.", subject=id_of(9))
    made.memory(2, "The shed burned.", 1.0, 0.0, source=event, subject=id_of(9))
    made.memory(3, "It was the lamp.", 1.0, 0.0, kind=objects.ASSERTION, source=event,
                subject=id_of(9))  # fmt: skip
    made.bound(4, "Ask about the lamp.", required=True, source=event, kind=objects.CUE)
    made.bound(5, "Buy a lamp.", source=event, kind=objects.INTENTION, subject=id_of(9),
               retention=objects.PENDING)  # fmt: skip
    made.appraise(6, Ref(id_of(3), 1), harm=800_000)
    made.memory(7, "No, the stove.", 1.0, 0.0, kind=objects.ASSERTION, source=event,
                superseded=Ref(id_of(3), 1), subject=id_of(9))  # fmt: skip
    made.memory(8, "Forgotten.", 1.0, 0.0, kind=objects.ASSERTION)
    made.end(Ref(id_of(8), 1))
    made.scope = objects.PRIVATE
    made.memory(10, "My diary.", 1.0, 0.0, kind=objects.ASSERTION)
    return made


@requirement("exchange:convert:homes", "exchange:convert:nothing-dropped")
def test_objects_become_messages_and_records(shell: Shell, tmp_path: Path) -> None:
    """Each in its home with its source; what has none is listed, one by one, with the reason."""
    made = mixed()
    files.save(tmp_path / "store", made.store())

    told = shell.json("exchange", "convert", str(tmp_path / "store"))

    assert told["carried"] == {
        "appraisal": 1, "belief": 3, "event": 1, "intention": 1, "requirement": 1, "retracted": 1,
    }  # fmt: skip
    assert told["known"] == 0
    reasons = {(each["kind"], each["reason"]) for each in told["not_carried"]}
    assert reasons == {("component", "kind"), ("working", "copy"), ("assertion", "scope"),
                       ("component", "scope")}  # fmt: skip
    carried = sum(told["carried"].values())
    assert carried + len(told["not_carried"]) == len(made.objects)
    (thread,) = shell.json("threads")["items"]
    (event,) = shell.json("thread", thread["thread"])["items"]
    assert (event["text"], event["role"], event["actor"]) == (
        "The shed burned.", "narrator", id_of(9).hex(),
    )  # fmt: skip
    assert event["external_id"].endswith(f"{id_of(1).hex()}@1")
    found = shell.json("recall", "lamp stove forgotten", "--history")["items"]
    by_text = {each["text"]: each for each in found}
    assert by_text["It was the lamp."]["standing"] == "superseded"
    assert by_text["Forgotten."]["standing"] in ("retracted", "superseded")
    stove = by_text["No, the stove."]
    assert (stove["kind"], stove["about"]) == ("belief", id_of(9).hex())
    assert [each["id"] for each in stove["sources"]] == [event["id"]]
    assert json.loads(stove["metadata"])["exchange"]["id"] == id_of(7).hex()


@requirement("exchange:convert:again")
def test_a_second_run_takes_in_nothing(shell: Shell, tmp_path: Path) -> None:
    """Everything is known by its old id; with an owner, what is that owner's comes besides."""
    files.save(tmp_path / "store", mixed().store())
    words = ("exchange", "convert", str(tmp_path / "store"))
    first = shell.json(*words)
    head = shell.json("status")["head"]

    second = shell.json(*words)
    unchanged = shell.json("status")["head"] == head
    mine = shell.json(*words, "--owner", (b"\x01" * 16).hex())

    assert unchanged
    assert second["not_carried"] == first["not_carried"]
    assert second["known"] == sum(first["carried"].values())
    assert mine["carried"]["belief"] == first["carried"]["belief"] + 1
    assert shell.error(*words, "--owner", "zz", code=2)["code"] == "bad_shape"
    assert "known" in shell(*words).text


@requirement("exchange:cli:files")
def test_unknown_optional_sections_come_along(shell: Shell, tmp_path: Path) -> None:
    """A tail is folded into the checkpoint, and what is not known here is kept as it is."""
    path = tmp_path / "store"
    saved(path, KEPT)
    appended(path)
    store = files.load(str(path)).store
    (tmp_path / "queries").write_bytes(envelope(store, asked("What?")))
    out = tmp_path / "out"

    shell.json("exchange", "recall", str(path), str(tmp_path / "queries"), "--out", str(out))

    loaded = files.load(str(out / files.STORE_NAME))
    assert [each.type for each in loaded.container.sections][:2] == [1, 2]
    assert loaded.store.sequence == store.sequence + 2
    assert len(Library(loaded.store).replay()) == 1
