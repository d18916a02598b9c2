"""Files of the exchange: a store out of its container and back into one, and whole directories."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, Self

from muniment.errors import BadFile, IoFailed
from muniment.exchange import container, images, publishing, store
from muniment.exchange.container import Container, Point, Prologue, Section
from muniment.exchange.layout import ID_BYTES
from muniment.exchange.status import refused
from muniment.exchange.store import Store

STORE_NAME = "store.aotxccir"


class Loaded(NamedTuple):
    """A container, and the store in it."""

    container: Container
    store: Store


def load(path: str, at: str = "store") -> Loaded:
    """The store in a container, every digest and rule checked.

    Raises:
        BadExchange, BrokenSource, FileNewer: it is not as it must be.
        BadFile, InUse: it cannot be read.
    """
    with publishing.opened(Path(path), at) as data:
        return held(data, at)


def held(data: Any, at: str) -> Loaded:
    """The store in a container's bytes.

    Raises:
        BadExchange, BrokenSource, FileNewer: it is not as it must be.
    """
    found = container.read(data, at)
    checkpoint, tail = found.one(container.CHECKPOINT), found.one(container.TAIL)
    assert checkpoint is not None
    image = images.read(checkpoint.data, f"{at}.checkpoint")
    whole = store.restored(image, f"{at}.checkpoint")
    right = image.lineage == found.prologue.lineage and image.sequence == found.point.checkpoint
    if tail is not None:
        store.apply(whole, images.read(tail.data, f"{at}.tail"), f"{at}.tail")
    if not right or (whole.sequence, whole.tick) != (found.point.durable, found.point.tick):
        raise refused("format", "the commit's lineage, sequences and tick", f"{at}.commit")
    return Loaded(found, whole)


def save(path: Path, whole: Store, kept: tuple[Section, ...] = ()) -> None:
    """A new container with one checkpoint of the store, and with the sections to be kept.

    Its ids are digests of what it holds: the same store gives the same bytes.

    Raises:
        BadFile, IoFailed: it cannot be written.
    """
    data = images.write(whole.image())
    id = container.digest(data)[:ID_BYTES]
    named = container.digest(b"manifest" + id)[:ID_BYTES]
    prologue = Prologue(
        lineage=whole.lineage, incarnation=container.digest(b"incarnation" + id)[:ID_BYTES]
    )
    point = Point(checkpoint=whole.sequence, durable=whole.sequence, tick=whole.tick)
    sections = (
        container.manifest(named, id),
        Section(type=container.CHECKPOINT, id=id, data=data),
        *kept,
    )
    publishing.create(path, prologue, sections, point)


def optional(found: Container) -> tuple[Section, ...]:
    """The sections that are not known here and not needed, to be laid out anew."""
    known = (container.MANIFEST, container.CHECKPOINT, container.TAIL)
    return tuple(
        Section(
            type=each.type, schema=each.schema, flags=each.flags, id=each.id,
            alignment=each.alignment, data=each.data,
        )
        for each in found.sections
        if each.type not in known
    )  # fmt: skip


class Directory:
    """A directory that appears when all of it is on the disk, or not at all."""

    def __init__(self, out: str) -> None:
        self.out = Path(out)
        # Beside it; `.` and `/` have no name, and are refused on entering.
        self._unfinished = self.out.parent / f".{self.out.name}.unfinished-{os.getpid()}"

    def __enter__(self) -> Self:
        if not self.out.name or os.path.lexists(self.out):
            raise BadFile(f"{str(self.out)!r} exists already", at="out")
        try:
            self._unfinished.mkdir(mode=0o700)
        except (OSError, ValueError) as error:
            raise BadFile(f"{str(self.out)!r} cannot be made: {error}", at="out") from error
        return self

    def path(self, name: str) -> Path:
        """Where a file of it is written for now."""
        return self._unfinished / name

    def write(self, files: Mapping[str, bytes]) -> None:
        """These files, on the disk.

        Raises:
            IoFailed: the operating system would not write one.
        """
        try:
            for name, data in files.items():
                with self.path(name).open("xb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
        except OSError as error:
            raise IoFailed(f"it cannot be written: {error.strerror}", at="out") from error

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            shutil.rmtree(self._unfinished, ignore_errors=True)
            return
        try:
            publishing.sync_directory(self._unfinished)
            if os.path.lexists(self.out):
                raise BadFile(f"{str(self.out)!r} exists by now", at="out")
            self._unfinished.rename(self.out)
            publishing.sync_directory(self.out.parent)
        except OSError as error:
            raise IoFailed(f"it cannot be published: {error.strerror}", at="out") from error
        finally:
            shutil.rmtree(self._unfinished, ignore_errors=True)
