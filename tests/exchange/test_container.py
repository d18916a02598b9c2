"""Containers: written whole or not at all, appended to, and no byte of them taken on trust."""

from __future__ import annotations

import itertools
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import (
    BadExchange,
    BadFile,
    BrokenSource,
    FileNewer,
    InUse,
    IoFailed,
    MunimentError,
)
from muniment.exchange import container, files, images, publishing
from muniment.exchange.container import Point, Prologue, Section
from tests.exchange.things import LINEAGE, Making
from tests.requirements.marker import requirement

KEPT = Section(type=77, schema=3, flags=0, id=b"k" * 16, alignment=64, data=b"kept as it is")


def greenhouse() -> Making:
    """A small store."""
    made = Making()
    event = made.event(1, "The fern is dry.", subject=b"s" * 16)
    made.memory(2, "Water it.", 1.0, 0.5, source=event)
    return made


def saved(path: Path, *kept: Section) -> bytes:
    """The bytes of a container with that store."""
    files.save(path, greenhouse().store(), kept)
    return path.read_bytes()


def appended(path: Path) -> None:
    """A second generation: the checkpoint stays where it is, a tail comes behind it."""
    made = greenhouse()
    known = container.read(path.read_bytes())
    made.event(3, "It rained.")
    store = made.store()
    tail = images.write(store.image(since=known.point.durable))
    checkpoint = known.one(container.CHECKPOINT)
    assert checkpoint is not None
    sections = [
        container.manifest(b"n" * 16, checkpoint.id, b"t" * 16),
        checkpoint,
        Section(type=container.TAIL, id=b"t" * 16, data=tail),
    ]
    point = Point(checkpoint=known.point.checkpoint, durable=store.sequence, tick=store.tick)
    publishing.append(path, known, sections, point)


@requirement("exchange:container:round-trip")
def test_a_store_comes_back_from_its_container(tmp_path: Path) -> None:
    """The same objects; the same store gives the same bytes; unknown sections are kept."""
    data = saved(tmp_path / "one", KEPT)

    loaded = files.load(str(tmp_path / "one"))

    assert images.write(loaded.store.image()) == images.write(greenhouse().store().image())
    assert saved(tmp_path / "two", KEPT) == data
    (kept,) = files.optional(loaded.container)
    assert (kept.type, kept.schema, bytes(kept.data)) == (77, 3, b"kept as it is")
    assert loaded.container.fallback is None
    assert loaded.container.unreached == 0
    with pytest.raises(BadFile):
        files.save(tmp_path / "one", loaded.store)


@requirement("exchange:container:generations")
def test_a_generation_is_appended_and_the_old_one_stays(tmp_path: Path) -> None:
    """The other root comes to name it; a broken one leads back to the first."""
    path = tmp_path / "store"
    saved(path)
    appended(path)

    second = files.load(str(path))
    data = bytearray(path.read_bytes())
    data[container.ROOT_SLOTS[1] + 20] ^= 1
    path.write_bytes(data)
    first = files.load(str(path))

    assert (second.container.generation, second.container.slot) == (2, 1)
    assert second.store.sequence == first.store.sequence + 1
    assert second.container.fallback is None
    assert (first.container.generation, first.container.slot) == (1, 0)
    assert "root B" in (first.container.fallback or "")


@requirement("exchange:container:crash")
def test_a_crash_at_any_write_leaves_a_whole_generation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every write of an append cut off anywhere: the old generation, or the new one."""
    original = saved(tmp_path / "store")
    path = tmp_path / "cut"
    real = os.pwrite
    seen: set[int] = set()

    for stop in itertools.count():
        path.write_bytes(original)
        written = 0

        def failing(descriptor: int, data: Any, at: int, stop: int = stop) -> int:
            nonlocal written
            if written == stop:
                real(descriptor, data[: len(data) // 2], at)
                raise OSError(5, "no more")
            written += 1
            return real(descriptor, data, at)

        monkeypatch.setattr(os, "pwrite", failing)
        try:
            appended(path)
        except IoFailed:
            finished = False
        else:
            finished = True
        monkeypatch.setattr(os, "pwrite", real)
        seen.add(files.load(str(path)).container.generation)
        if finished:
            break

    assert seen == {1, 2}
    assert stop == 5  # manifest, tail, directory, commit and root


@requirement("exchange:container:order")
def test_everything_is_on_the_disk_before_what_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sections and directory, sync, commit, sync, root, sync."""
    path = tmp_path / "store"
    saved(path)
    told: list[str] = []
    write, sync = os.pwrite, os.fsync

    def writing(descriptor: int, data: Any, at: int) -> int:
        told.append("root" if at in container.ROOT_SLOTS else "data")
        return write(descriptor, data, at)

    def syncing(descriptor: int) -> None:
        told.append("sync")
        sync(descriptor)

    monkeypatch.setattr(os, "pwrite", writing)
    monkeypatch.setattr(os, "fsync", syncing)

    appended(path)

    assert told == ["data", "data", "data", "sync", "data", "sync", "root", "sync"]


@requirement("exchange:container:strict")
def test_every_byte_of_a_container_counts(tmp_path: Path) -> None:
    """Each of its bytes in turn: refused, told as a fallback or as unreached, never believed."""
    data = saved(tmp_path / "store", KEPT)
    store = images.write(files.held(data, "file").store.image())

    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1 << place % 8
        try:
            loaded = files.held(bytes(changed), "file")
        except MunimentError:
            continue
        assert loaded.container.fallback or loaded.container.unreached, place
        assert images.write(loaded.store.image()) == store


@requirement("exchange:formats:any-bytes")
@given(
    st.lists(st.tuples(st.integers(0, 17_000), st.binary(min_size=1, max_size=40)), max_size=4),
    st.integers(0, 17_000),
    st.booleans(),
)
def test_a_spoiled_container_is_never_anything_but_a_typed_error(
    tmp_path_factory: pytest.TempPathFactory,
    spoils: list[tuple[int, bytes]],
    end: int,
    signed: bool,
) -> None:
    """Bytes changed here and there, an end cut off, and roots that name what was changed."""
    path = tmp_path_factory.mktemp("spoiled") / "store"
    data = bytearray(saved(path))
    for place, noise in spoils:
        data[place : place + len(noise)] = noise[: max(0, len(data) - place)]
    if signed:
        for slot in (0, *container.ROOT_SLOTS[:1]):
            data[slot + 4_064 : slot + 4_096] = container.digest(data[slot : slot + 4_064])
    data = data[: max(end, container.DATA_AT)] if end % 3 == 0 else data

    try:
        loaded = files.held(bytes(data), "file")
    except MunimentError:
        return
    assert loaded.container.generation >= 1


@requirement("exchange:container:strict")
def test_what_is_needed_and_not_known_is_refused(tmp_path: Path) -> None:
    """A required section of another type: a newer program's."""
    needed = Section(type=99, flags=container.REQUIRED, id=b"k" * 16, data=b"?")
    data = saved(tmp_path / "store", needed)

    with pytest.raises(FileNewer):
        container.read(data)


@requirement("exchange:container:apart")
@pytest.mark.parametrize("shift", [0, 1])
def test_sections_that_share_bytes_are_refused(tmp_path: Path, shift: int) -> None:
    """Else a few bytes read could be very many written: each section is written out for itself."""
    alone = container.read(saved(tmp_path / "one", KEPT))
    (kept,) = (each for each in alone.sections if each.type == KEPT.type)
    row = {"id": b"o" * 16, "at": kept.at + shift, "alignment": 1, "data": KEPT.data[shift:]}

    data = saved(tmp_path / "two", KEPT, msgspec.structs.replace(KEPT, **row))

    with pytest.raises(BadExchange):
        container.read(data)


@requirement("exchange:container:strict")
@pytest.mark.parametrize("schema", [2, 3])
def test_an_image_of_a_newer_schema_is_said_to_be_one(schema: int) -> None:
    """Maintained and tiered stores are not read, and not misread."""
    data = bytearray(images.write(greenhouse().image()))
    data[8] = schema

    with pytest.raises(FileNewer):
        images.read(bytes(data), "image")


@requirement("exchange:container:leases")
def test_only_regular_files_that_nobody_writes_are_read(tmp_path: Path) -> None:
    """No pipe, link or directory; and not while somebody has it to himself."""
    import fcntl

    path = tmp_path / "store"
    saved(path)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(path)

    for name in ("pipe", "link", "nowhere", "."):
        with pytest.raises(BadFile):
            files.load(str(tmp_path / name))
    with path.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(InUse):
            files.load(str(path))


@requirement("exchange:container:leases")
def test_nothing_is_appended_to_what_was_not_read(tmp_path: Path) -> None:
    """Somebody else's generation has come between."""
    path = tmp_path / "store"
    saved(path)
    known = container.read(path.read_bytes())
    appended(path)

    with pytest.raises(InUse):
        publishing.append(path, known, known.sections, known.point)


def test_both_roots_broken_is_a_broken_file(tmp_path: Path) -> None:
    """Neither is followed, and the reasons of both are told."""
    path = tmp_path / "store"
    saved(path)
    appended(path)
    data = bytearray(path.read_bytes())
    for slot in container.ROOT_SLOTS:
        data[slot + 30] ^= 4

    with pytest.raises(BrokenSource) as broken:
        container.read(bytes(data))

    assert "root A" in broken.value.detail
    assert "root B" in broken.value.detail


def test_a_container_is_laid_out_as_the_tables_say(tmp_path: Path) -> None:
    """Prologue, two roots, the first section at 12,288, the commit last."""
    data = saved(tmp_path / "store")
    found = container.read(data)

    assert data[:8] == b"AOTXCCIR"
    assert data[:4_096] == Prologue(lineage=LINEAGE, incarnation=data[40:56]).bytes
    assert data[4_096:4_104] == b"AOTXROOT"
    assert not any(data[8_192:12_288])
    assert min(each.at for each in found.sections) == 12_288
    assert data[-256:-248] == b"AOTXCMT1"
    assert [each.type for each in found.sections] == [1, 2]
