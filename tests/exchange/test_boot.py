"""Three turns and a correction, started again from one file when everything else is gone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from muniment.exchange import container, files, images, objects, publishing, queries, selections
from muniment.exchange.container import Point, Section
from muniment.exchange.layout import Ref
from muniment.exchange.recall import Library
from muniment.exchange.store import Store
from tests.exchange.kitchen import Kitchen, named
from tests.exchange.things import Making, envelope
from tests.requirements.marker import requirement


class Run:
    """A directory in which turns are taken, each by a process of its own."""

    def __init__(self, at: Path, name: str) -> None:
        self.at = at
        kind, _, count = name.rpartition("-")
        self.raw = kind == "text"
        self.kitchen = Kitchen(int(count))
        self.store = at / "input.aotxccir"
        files.save(self.store, self.kitchen.made.store())
        self.contexts: dict[int, list[bytes]] = {}
        self.asked: dict[int, list[queries.Query]] = {}

    def turn(self, number: int, operation: str = "retain", **fields: Any) -> None:
        """Every cook asks once; the store that comes of it is the next turn's."""
        whole = files.load(str(self.store)).store
        asked = [
            self._query(row, request=named("Q", row + 100 * number),
                        selection=named("s", row + 100 * number), revision=3, **fields)
            for row in range(self.kitchen.count)
        ]  # fmt: skip
        prepared = self.at / f"{number}.queries"
        prepared.write_bytes(envelope(whole, *asked))
        out = self.at / f"turn-{number}"
        words = ["exchange", operation, str(self.store), str(prepared), "--out", str(out)]
        subprocess.run(
            [sys.executable, "-m", "muniment", "--db", str(self.at / "db"), "--json", *words],
            check=True, capture_output=True,
        )  # fmt: skip
        self.asked[number] = asked
        self.contexts[number] = [
            (out / f"{row:02}.context").read_bytes() for row in range(len(asked))
        ]
        self.store = out / files.STORE_NAME

    def correct(self) -> None:
        """A tail behind the store's checkpoint: each requirement is replaced, from a new report."""
        known = container.read(self.store.read_bytes())
        before = files.held(self.store.read_bytes(), "store").store  # read, and not in use
        made = Making()
        made.objects = list(before.objects)
        self.kitchen.made = made
        for row in range(self.kitchen.count):
            said = self.kitchen.report("E", row, f"Cook {row} was wrong.")
            self.kitchen.add(
                "better", row, required=True, superseded=self.kitchen.ref("c", row), source=said
            )
        tail = images.Image(
            tail=True, lineage=before.lineage, sequence=before.sequence + 1, tick=before.tick,
            objects=tuple(made.objects[before.sequence :]),
        )  # fmt: skip
        checkpoint = known.one(container.CHECKPOINT)
        assert checkpoint is not None
        sections = [
            container.manifest(b"n" * 16, checkpoint.id, b"t" * 16),
            checkpoint,
            Section(type=container.TAIL, id=b"t" * 16, data=images.write(tail)),
        ]
        point = Point(checkpoint=known.point.checkpoint, durable=made.sequence, tick=before.tick)
        publishing.append(self.store, known, sections, point)

    def cold(self) -> Store:
        """All but the last store removed, and that one moved and read again."""
        kept = self.at / "kept.aotxccir"
        self.store.rename(kept)
        for path in sorted(self.at.rglob("*"), reverse=True):
            if path != kept:
                path.unlink() if path.is_file() else path.rmdir()
        assert [path.name for path in self.at.iterdir()] == ["kept.aotxccir"]
        self.store = kept
        return files.load(str(kept)).store

    def _query(self, row: int, **fields: Any) -> queries.Query:
        """A query with its vector; of a text run as its text alone, to which a host adds one."""
        query = self.kitchen.query(row, **fields)
        if not self.raw:
            return query
        empty = msgspec.structs.replace(
            query, vector=b"", model=bytes(32), processor=bytes(32)
        )  # fmt: skip
        text = queries.read(queries.write(empty), raw=True)
        assert (text.text, text.vector) == (query.text, b"")
        made = {name: getattr(query, name) for name in ("vector", "model", "processor")}
        return msgspec.structs.replace(text, **made)


def said(run: Run, number: int, what: str) -> set[bool]:
    """Whether each cook's context of a turn has its own line of these."""
    return {
        f"\n{what} of cook {row}\n".encode() in context
        for row, context in enumerate(run.contexts[number])
    }


@requirement("exchange:boot:recovery")
@pytest.mark.parametrize("name", ["vector-1", "vector-64", "text-1"])
def test_turns_a_correction_and_a_cold_start(name: str, tmp_path: Path) -> None:
    """A requirement known, nobody known, corrected; then from the file alone, a fourth turn."""
    run = Run(tmp_path, name)
    count = run.kitchen.count
    start = run.kitchen.made.sequence
    appraisals = sum(each.row.kind == objects.APPRAISAL for each in run.kitchen.made.objects)

    run.turn(1)
    run.turn(2, participants=())
    run.correct()
    run.turn(3)

    assert said(run, 1, "constraint") == {True}
    assert (said(run, 2, "constraint"), said(run, 2, "d-cue")) == ({False}, {True})
    assert (said(run, 3, "constraint"), said(run, 3, "better")) == ({False}, {True})
    state = images.write(files.load(str(run.store)).store.image())
    cold = run.cold()
    assert images.write(cold.image()) == state
    kinds = [each.row.kind for each in cold.objects[start:]]
    kept = [objects.EVENT, objects.COMPONENT, objects.WORKING] * count
    assert kinds[: 6 * count] == kept * 2
    assert kinds[-3 * count :] == kept
    assert kinds.count(objects.APPRAISAL) == 0
    assert sum(each.row.kind == objects.APPRAISAL for each in cold.objects) == appraisals
    for number in (1, 2, 3):
        for query in run.asked[number]:
            held = cold.get(Ref(query.request, 1))
            assert held is not None
            assert bytes(held.payload[32:]).decode() == query.text
    run.turn(4, operation="recall")
    assert (said(run, 4, "constraint"), said(run, 4, "better")) == ({False}, {True})

    recorded = run.cold()

    again = Library(recorded).replay()
    assert [each.context for each in again] == run.contexts[4]
    assert [each.query for each in again] == run.asked[4]
    assert {(each.searches, each.status) for each in again} == {(0, 0)}
    chosen = [each for each in recorded.objects if each.row.kind == objects.SELECTION]
    assert [len(selections.read(each.payload, "s")) for each in chosen] == [
        len(each.selection.entries) for each in again if each.selection
    ]
