"""The container of a store: sections, found through one of two roots, each under its digest.

A generation is written behind the one before it, and then the root slot that is not in use comes
to name it; so a crash leaves the generation before (`publishing`).  What no root reaches is what
older generations left; it is counted and means nothing.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from muniment.errors import BrokenSource, FileNewer
from muniment.exchange.layout import DIGEST_BYTES, KINDS, NO_ID, Reader, u32s, u64s
from muniment.exchange.status import refused

PAGE_BYTES = 4_096
ROOT_SLOTS = (4_096, 8_192)
DATA_AT = 12_288
ROW_BYTES = 128
COMMIT_BYTES = 256
SECTIONS_MAX = 256
SECTION_BYTES_MAX = 8 << 30
FILE_BYTES_MAX = 16 << 30

MANIFEST, CHECKPOINT, TAIL = 1, 2, 3
REQUIRED = 1  # the flag of a section without which nothing may be read
MAGIC = b"AOTXCCIR"
_ROOT, _COMMIT, _DATA = b"AOTXROOT", b"AOTXCMT1", b"AOTXDATA"
_DIGESTED = PAGE_BYTES - DIGEST_BYTES
_MANIFEST_BYTES = 96
_SCHEMA_KNOWN = 1
_GAP_BYTES = 1_048_576  # that are looked at together


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """One section: its row of the directory, and its bytes."""

    type: int
    schema: int = 1
    flags: int = REQUIRED
    id: bytes
    alignment: int = 128
    data: Any
    at: int = 0


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """What a generation says of the store: where its checkpoint and its updates end."""

    checkpoint: int
    durable: int
    tick: int


class Prologue(msgspec.Struct, frozen=True, kw_only=True):
    """What a file says once and for all."""

    lineage: bytes
    incarnation: bytes

    @property
    def bytes(self) -> bytes:
        """The first page of a file."""
        head = MAGIC + struct.pack("<HHI", 1, 0, PAGE_BYTES) + u64s(0)
        head += self.lineage + self.incarnation + u64s(*ROOT_SLOTS)
        head += u32s(PAGE_BYTES, ROW_BYTES) + u64s(DATA_AT)
        head = head.ljust(_DIGESTED, b"\0")
        return head + digest(head)


class Root(NamedTuple):
    """What a root slot names."""

    generation: int
    commit_at: int
    end: int
    commit_digest: bytes


class Container(msgspec.Struct, frozen=True, kw_only=True):
    """A file as its newest whole generation has it.  `slot` is the root that names it.

    `fallback`: why the other root, which claims to be newer, or none at all, is not followed.
    `unreached`: bytes that are not zero and that neither root reaches.
    """

    prologue: Prologue
    generation: int
    slot: int
    point: Point
    sections: tuple[Section, ...]
    commit_digest: bytes
    end: int
    fallback: str | None = None
    unreached: int = 0

    def one(self, type: int) -> Section | None:
        """The section of a type, if there is one."""
        return next((each for each in self.sections if each.type == type), None)


def digest(data: Any) -> bytes:
    """SHA-256."""
    return hashlib.sha256(data).digest()


def read(data: Any, at: str = "file") -> Container:
    """The newest generation that is whole, every digest of it checked.

    Raises:
        BadExchange: it is no container, or breaks a rule of theirs.
        FileNewer: it needs something that is not known here.
        BrokenSource: no generation of it is whole.
    """
    view = memoryview(data)
    if not DATA_AT <= len(view) <= FILE_BYTES_MAX:
        kind = KINDS.get(bytes(view[:8]), "something else")
        if kind == KINDS[MAGIC]:
            kind = f"one of {len(view)} bytes"
        wanted = f"a container of {DATA_AT} to {FILE_BYTES_MAX} bytes"
        raise refused("format", f"{wanted}, found {kind}", at)
    prologue = _prologue(Reader(view[:PAGE_BYTES], f"{at}.prologue"))
    found: list[Container] = []
    broken: list[str] = []
    newer: FileNewer | None = None
    for slot in range(len(ROOT_SLOTS)):
        try:
            each = _generation(view, prologue, slot, at)
        except BrokenSource as error:
            broken.append(f"root {'AB'[slot]}: {error.detail}")
        except FileNewer as error:
            newer = error
        else:
            found += [] if each is None else [each]
    if newer is not None:
        raise newer
    if not found:
        raise BrokenSource("; ".join(broken) or "no root names a generation", at=at)
    best = max(found, key=lambda each: each.generation)
    if len({each.generation for each in found}) != len(found):
        raise BrokenSource("both roots name the same generation", at=at)
    return msgspec.structs.replace(
        best,
        fallback="; ".join(broken) or None,
        unreached=_unreached(view, found),
    )


def _prologue(reader: Reader) -> Prologue:
    reader.magic(MAGIC)
    if digest(reader.data[:_DIGESTED]) != bytes(reader.data[_DIGESTED:]):
        raise BrokenSource("its bytes do not have their digest", at=reader.at)
    if (reader.u16(8), reader.u16(10), reader.u64(16)) != (1, 0, 0):
        raise FileNewer("a container of another version", at=reader.at)
    reader.must(reader.u32(12) == PAGE_BYTES, "page", str(PAGE_BYTES))
    slots = (reader.u64(56), reader.u64(64))
    reader.must(slots == ROOT_SLOTS, "roots", "at 4096 and 8192")
    sizes = (reader.u32(72), reader.u32(76), reader.u64(80))
    reader.must(sizes == (PAGE_BYTES, ROW_BYTES, DATA_AT), "sizes", "4096, 128 and 12288")
    reader.zeros(88, _DIGESTED)
    found = Prologue(lineage=reader.id(24), incarnation=reader.id(40))
    reader.must(NO_ID not in (found.lineage, found.incarnation), "lineage", "two ids")
    return found


def _generation(view: Any, prologue: Prologue, slot: int, at: str) -> Container | None:
    """What one root slot names; None where it is empty.

    Raises:
        BrokenSource: something of it does not have its digest, or is not where it should be.
        FileNewer: it needs something that is not known here.
    """
    start = ROOT_SLOTS[slot]
    page = view[start : start + PAGE_BYTES]
    if not any(page):
        return None
    place = f"{at}.root"
    root = _root(Reader(page, place), digest(prologue.bytes))
    _must(root.end <= len(view) and root.commit_at + COMMIT_BYTES == root.end, "its end", place)
    data = view[root.commit_at : root.end]
    _must(digest(data) == root.commit_digest, "the commit's digest", place)
    commit = Reader(data, f"{at}.commit")
    _must(commit.take(0, 8) == _COMMIT, "the commit's magic", commit.at)
    _must(commit.u64(8) == root.generation, "the commit's generation", commit.at)
    directory_at, count, row_bytes = commit.u64(72), commit.u32(80), commit.u32(84)
    size = commit.u64(88)
    _must(row_bytes == ROW_BYTES and size == count * ROW_BYTES, "the directory's", commit.at)
    _must(count <= SECTIONS_MAX and not any(commit.data[184:]), "the sections' number", commit.at)
    _must(DATA_AT <= directory_at <= root.commit_at - size, "the directory's place", commit.at)
    _must(commit.u64(128) == root.end, "its end", commit.at)
    directory = view[directory_at : directory_at + size]
    _must(digest(directory) == commit.take(96, DIGEST_BYTES), "the directory's digest", commit.at)
    _check_apart(directory, f"{at}.sections")
    sections = tuple(
        _section(view, directory[place : place + ROW_BYTES], root.commit_at, f"{at}.sections")
        for place in range(0, size, ROW_BYTES)
    )
    point = Point(checkpoint=commit.u64(48), durable=commit.u64(56), tick=commit.u64(64))
    _check_data(sections, point, tuple(commit.id(place) for place in (136, 152, 168)), at)
    return Container(
        prologue=prologue,
        generation=root.generation,
        slot=slot,
        point=point,
        sections=sections,
        commit_digest=root.commit_digest,
        end=root.end,
    )


def _check_apart(directory: Any, at: str) -> None:
    """No two sections share bytes: what is written from them is never more than was read.

    Raises:
        BadExchange: they do.
    """
    rows = [directory[start : start + ROW_BYTES] for start in range(0, len(directory), ROW_BYTES)]
    extents = sorted(struct.unpack_from("<QQ", row, 24) for row in rows)
    end = 0
    for start, size in extents:
        if size and start < end:
            raise refused("format", "sections that share no bytes", at)
        end = max(end, start + size)


def _root(reader: Reader, prologue_digest: bytes) -> Root:
    whole = digest(reader.data[:_DIGESTED]) == bytes(reader.data[_DIGESTED:])
    _must(whole and reader.take(0, 8) == _ROOT, "its digest", reader.at)
    _must(reader.u16(8) == 1, "its schema", reader.at)
    zero = any(reader.data[10:16]) or any(reader.data[112:_DIGESTED])
    _must(reader.u64(32) == COMMIT_BYTES and not zero, "its sizes", reader.at)
    _must(reader.take(80, DIGEST_BYTES) == prologue_digest, "the prologue's digest", reader.at)
    generation = reader.u64(16)
    _must(generation > 0, "its generation", reader.at)
    return Root(generation, reader.u64(24), reader.u64(40), reader.take(48, DIGEST_BYTES))


def _section(view: Any, row: Any, end: int, at: str) -> Section:
    reader = Reader(row, at)
    type, schema, flags = reader.u32(0), reader.u16(4), reader.u16(6)
    start, size, logical = reader.u64(24), reader.u64(32), reader.u64(40)
    alignment, codec = reader.u32(48), reader.u16(52)
    _must(flags <= REQUIRED and not any(reader.data[54:56]), "its flags", at)
    _must(not any(reader.data[88:]) and size == logical and codec == 0, "its sizes", at)
    power = 1 <= alignment <= PAGE_BYTES and alignment & (alignment - 1) == 0
    _must(power and start % max(alignment, 1) == 0, "its alignment", at)
    _must(size <= SECTION_BYTES_MAX and DATA_AT <= start <= end - size, "its place", at)
    known = type in (MANIFEST, CHECKPOINT, TAIL) and schema == _SCHEMA_KNOWN
    if flags & REQUIRED and not known:
        raise FileNewer(f"a section of type {type} and schema {schema} is needed", at=at)
    data = view[start : start + size]
    _must(digest(data) == reader.take(56, DIGEST_BYTES), f"the digest of section {type}", at)
    return Section(
        type=type, schema=schema, flags=flags, id=reader.id(8), alignment=alignment, data=data,
        at=start,
    )  # fmt: skip


def _check_data(sections: Sequence[Section], point: Point, ids: tuple[bytes, ...], at: str) -> None:
    """Manifest, checkpoint and tail are there, and name each other."""
    by_type: dict[int, list[Section]] = {}
    for each in sections:
        by_type.setdefault(each.type, []).append(each)
    counts = tuple(len(by_type.get(type, ())) for type in (MANIFEST, CHECKPOINT, TAIL))
    _must(counts in ((1, 1, 0), (1, 1, 1)), "one manifest and checkpoint, at most one tail", at)
    named = tuple(
        by_type[type][0].id if by_type.get(type) else NO_ID for type in (MANIFEST, CHECKPOINT, TAIL)
    )
    _must(named == ids, "the commit's ids", at)
    needed = all(
        each.flags == REQUIRED for each in sections if each.type in (MANIFEST, CHECKPOINT, TAIL)
    )
    _must(needed, "they are required", at)
    manifest = Reader(by_type[MANIFEST][0].data, f"{at}.manifest")
    _must(bytes(manifest.data) == _manifest(named[1], named[2]), "the manifest", manifest.at)
    ahead = point.durable >= point.checkpoint if counts[2] else point.durable == point.checkpoint
    _must(ahead, "the durable sequence", at)


def _manifest(checkpoint: bytes, tail: bytes) -> bytes:
    head = _DATA + u32s(1, 1, 256, 1) + checkpoint + tail
    return head.ljust(_MANIFEST_BYTES, b"\0")


def _must(right: bool, what: str, at: str) -> None:
    if not right:
        raise BrokenSource(f"{what} is not as it was written", at=at)


def _unreached(view: Any, found: Sequence[Container]) -> int:
    """How many bytes that are not zero belong to no generation that was found."""
    extents = [(0, DATA_AT)]
    for each in found:
        extents += [(one.at, one.at + len(one.data)) for one in each.sections]
        size = len(each.sections) * ROW_BYTES
        extents += [(each.end - COMMIT_BYTES, each.end)]
        commit = view[each.end - COMMIT_BYTES : each.end]
        (directory,) = struct.unpack_from("<Q", commit, 72)
        extents += [(directory, directory + size)]
    count = at = 0
    for start, end in [*sorted(extents), (len(view), len(view))]:
        if start > at:
            count += sum(
                len(part) - bytes(part).count(0)
                for part in (
                    view[n : min(n + _GAP_BYTES, start)] for n in range(at, start, _GAP_BYTES)
                )
            )
        at = max(at, end)
    return count


def manifest(id: bytes, checkpoint: bytes, tail: bytes = NO_ID) -> Section:
    """The section that names the others."""
    return Section(type=MANIFEST, id=id, data=_manifest(checkpoint, tail))


def laid_out(
    sections: Sequence[Section], point: Point, generation: int, before: bytes, start: int
) -> tuple[list[tuple[int, Any]], Root]:
    """One generation behind `start`: what is written where, and what its root will say.

    `before` is the digest of the commit before it, or zeros.
    """
    writes: list[tuple[int, Any]] = []
    rows = []
    end = start
    for each in sections:
        at = each.at or _aligned(end, each.alignment)
        if not each.at:
            writes.append((at, each.data))
            end = at + len(each.data)
        head = struct.pack("<IHH", each.type, each.schema, each.flags) + each.id
        head += u64s(at, len(each.data), len(each.data)) + u32s(each.alignment, 0)
        rows.append((head + digest(each.data)).ljust(ROW_BYTES, b"\0"))
    directory = b"".join(rows)
    directory_at = _aligned(end, ROW_BYTES)
    commit_at = _aligned(directory_at + len(directory), ROW_BYTES)
    ids = [
        next((each.id for each in sections if each.type == type), NO_ID)
        for type in (MANIFEST, CHECKPOINT, TAIL)
    ]
    commit = _COMMIT + u64s(generation) + before
    commit += u64s(point.checkpoint, point.durable, point.tick, directory_at)
    commit += u32s(len(rows), ROW_BYTES) + u64s(len(directory)) + digest(directory)
    commit += u64s(commit_at + COMMIT_BYTES) + b"".join(ids)
    commit = commit.ljust(COMMIT_BYTES, b"\0")
    writes += [(directory_at, directory), (commit_at, commit)]
    return writes, Root(generation, commit_at, commit_at + COMMIT_BYTES, digest(commit))


def root_page(root: Root, prologue: Prologue) -> bytes:
    """The page of a root slot."""
    head = _ROOT + struct.pack("<H", 1) + bytes(6)
    head += u64s(root.generation, root.commit_at, COMMIT_BYTES, root.end)
    head += root.commit_digest + digest(prologue.bytes)
    head = head.ljust(_DIGESTED, b"\0")
    return head + digest(head)


def _aligned(at: int, alignment: int) -> int:
    return -(-at // alignment) * alignment
