"""Vectors of a scope: what texts mean to a model, so that they can be found in other words.

A cache: no vector is a fact, and any of them can go.  They cannot be folded, because that needs
the model, so the fold only takes away; `embed` makes them.  A vector is stored in 16-bit floats,
with length 1.  Rows of a model are numbered as they are made, so that a reader who has the first
ones needs only the rest.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from muniment.errors import BrokenFile
from muniment.model import event
from muniment.model.event import Event
from muniment.model.event_kinds import ContentErased
from muniment.model.moment import LAST_SEQ
from muniment.store.projector import Difference, readable
from muniment.store.tx import Read, Write, all_typed, typed

NAME = "vector"
VERSION = 1
DDL = (
    # `made` counts the rows ever made, `gone` how often some were taken away.
    """CREATE TABLE vector_model (
        number INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        dimension INTEGER NOT NULL,
        made INTEGER NOT NULL,
        gone INTEGER NOT NULL,
        seal INTEGER NOT NULL
    ) STRICT""",
    """CREATE TABLE vector (
        model INTEGER NOT NULL,
        serial INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        part INTEGER NOT NULL,
        numbers BLOB NOT NULL,
        seal INTEGER NOT NULL,
        PRIMARY KEY (model, serial)
    ) STRICT""",
    "CREATE UNIQUE INDEX vector_seq ON vector (seq, model, part)",
)
_SEALED = "name, dimension, made, gone"
TABLES = {
    "vector_model": "SELECT number, name, dimension, made, gone FROM vector_model ORDER BY number",
    "vector": "SELECT seq, model, part, serial FROM vector ORDER BY seq, model, part",
}
BYTES = 2  # of one number
WHOLE = -1  # the part of a text that is not in passages

# What may have a vector: each message, record and value whose words stand.  Each is looked up, so
# that the next few of a large scope cost no more than those of a small one.
_TEXTS = "SELECT place AS seq FROM content WHERE place > 0 AND (" + " OR ".join(
    f"EXISTS (SELECT 1 FROM {table} t WHERE t.seq = place)"
    for table in ("experience", "record", "state")
) + ")"  # fmt: skip


class Model(msgspec.Struct, frozen=True, array_like=True):
    """A model that has vectors here."""

    number: int
    name: str
    dimension: int
    made: int
    gone: int


class Row(msgspec.Struct, frozen=True, array_like=True):
    """One vector, in the order it was made."""

    serial: int
    seq: int
    part: int
    numbers: bytes


def on_content_erased(write: Write, events: Sequence[Event]) -> None:
    """No number stays that was made of erased words, whatever the model."""
    for erased in events:
        shape = erased.shape
        assert isinstance(shape, ContentErased)
        if shape.through is not None:
            take_away(write, [(1, shape.through)])
        gone = [event.reference(id).seq for id in shape.targets + shape.dependents]
        take_away(write, [(seq, seq) for seq in gone])


ON = {ContentErased: on_content_erased}


def differences(real: Read, right: Read) -> Iterator[Difference]:
    """Vectors of what is not there or is erased, and ones that are no vector of their model.

    Whether a vector says what the model would say of the text, nobody knows who lacks the model.
    That it is the one that was stored, its seal says.
    """
    del right  # has no vectors
    yield from readable("vector_model", _model_differences(real))
    yield from readable("vector", _vector_differences(real))


def _model_differences(real: Read) -> Iterator[Difference]:
    for number, seal, *said in real.each(f"SELECT number, seal, {_SEALED} FROM vector_model"):
        if seal != _seal(number, *said):
            yield Difference(table="vector_model", seq=None, detail=f"model {number} differs")


def _vector_differences(real: Read) -> Iterator[Difference]:
    for seq, seal, *told, numbers in real.each(
        "SELECT v.seq, v.seal, m.name, m.dimension, v.serial, v.seq, v.part, v.numbers"
        " FROM vector v JOIN vector_model m ON m.number = v.model ORDER BY v.seq, v.part"
    ):
        if not isinstance(numbers, bytes) or seal != _seal(*told, data=numbers):
            yield Difference(table="vector", seq=seq, detail="the vector differs")
    for seq in real.column(
        f"SELECT DISTINCT seq FROM vector WHERE seq NOT IN ({_TEXTS}) ORDER BY seq"
    ):
        yield Difference(table="vector", seq=seq, detail="a vector of what is not there")
    for seq in real.column(
        "SELECT v.seq FROM vector v LEFT JOIN vector_model m ON m.number = v.model"
        f" WHERE m.number IS NULL OR length(v.numbers) <> m.dimension * {BYTES}"
        " OR v.serial NOT BETWEEN 1 AND m.made ORDER BY v.seq"
    ):
        yield Difference(table="vector", seq=seq, detail="no vector of its model")


def models(read: Read) -> list[Model]:
    """The models that have vectors here, in the order in which they came."""
    return all_typed(Model, read.rows(TABLES["vector_model"]))


def model(read: Read, name: str) -> Model | None:
    """The model of this name."""
    return next((each for each in models(read) if each.name == name), None)


def rows(read: Read, model: Model, after: int) -> Iterator[Row]:
    """The vectors of a model that were made after the first `after` ones, in their order."""
    for row in read.each(
        "SELECT serial, seq, part, numbers FROM vector WHERE model = ? AND serial > ?"
        " ORDER BY serial",
        (model.number, after),
    ):
        yield _whole(model, typed(Row, row))


def row(read: Read, model: Model, serial: int) -> Row | None:
    """One vector of a model."""
    found = read.row(
        "SELECT serial, seq, part, numbers FROM vector WHERE model = ? AND serial = ?",
        (model.number, serial),
    )
    return None if found is None else _whole(model, typed(Row, found))


def numbers(read: Read, model: Model, serials: Sequence[int]) -> dict[int, bytes]:
    """The numbers of single vectors, by serial."""
    sql = "SELECT serial, seq, part, numbers FROM vector WHERE model = ? AND serial IN "
    rows = all_typed(Row, read.among(sql, model.number, serials))
    return {row.serial: _whole(model, row).numbers for row in rows}


def lacking(read: Read, name: str, dimension: int, after: int, limit: int) -> list[int]:
    """At most `limit` seqs above `after` whose text has no vector of the model yet, in order.

    Vectors of another dimension are another model's, whatever that was called.
    """
    known = model(read, name)
    if known is not None and known.dimension != dimension:
        known = None
    return read.column(
        f"SELECT seq FROM ({_TEXTS}) AS t WHERE seq > ? AND NOT EXISTS"
        " (SELECT 1 FROM vector v WHERE v.seq = t.seq AND v.model = ?) ORDER BY seq LIMIT ?",
        (after, 0 if known is None else known.number, limit),
    )


def covered(read: Read, model: Model) -> int:
    """How many texts have a vector of the model."""
    number: int = read.value(
        "SELECT count(DISTINCT seq) FROM vector WHERE model = ?", (model.number,)
    )
    return number


def partial(read: Read, name: str, to_seq: int | None) -> bool:
    """Whether a text up to there has no vector of the model, without looking at all of them.

    The newest one tells: vectors are made oldest text first, and go with their texts.
    """
    known = model(read, name)
    newest = read.value(
        f"SELECT seq FROM ({_TEXTS}) AS t WHERE seq <= ? ORDER BY seq DESC LIMIT 1",
        (LAST_SEQ if to_seq is None else to_seq,),
    )
    return newest is not None and not read.value(
        "SELECT EXISTS (SELECT 1 FROM vector WHERE seq = ? AND model = ?)",
        (newest, 0 if known is None else known.number),
    )


def coverage(read: Read, name: str) -> tuple[int, int]:
    """How many texts have a vector of the model, and how many there are."""
    known = model(read, name)
    count = 0 if known is None else covered(read, known)
    return count, read.value(f"SELECT count(*) FROM ({_TEXTS})")


def put(write: Write, name: str, dimension: int, vectors: Iterable[tuple[int, int, bytes]]) -> int:
    """Stores vectors of a model as (seq, part, numbers); how many.

    None of another dimension may be there.
    """
    known = model(write, name)
    if known is None:
        write.run(
            "INSERT INTO vector_model (name, dimension, made, gone, seal) VALUES (?, ?, 0, 0, 0)",
            (name, dimension),
        )
        known = model(write, name)
    assert known is not None
    assert known.dimension == dimension
    fresh = [
        (
            *(known.number, serial, seq, part, numbers),
            _seal(known.name, known.dimension, serial, seq, part, data=numbers),
        )
        for serial, (seq, part, numbers) in enumerate(vectors, start=known.made + 1)
    ]
    write.many(
        "INSERT INTO vector (model, serial, seq, part, numbers, seal) VALUES (?, ?, ?, ?, ?, ?)",
        fresh,
    )
    write.run(
        "UPDATE vector_model SET made = made + ? WHERE number = ?", (len(fresh), known.number)
    )
    _seal_models(write)
    return len(fresh)


def forget(write: Write, name: str) -> int:
    """Takes away all vectors of a model; how many."""
    known = model(write, name)
    if known is None:
        return 0
    write.run("DELETE FROM vector WHERE model = ?", (known.number,))
    count = write.changes()
    write.run("DELETE FROM vector_model WHERE number = ?", (known.number,))
    return count


def take_away(write: Write, ranges: Sequence[tuple[int, int]]) -> None:
    """No vector stays of these seqs, each given as first and last."""
    for first, last in ranges:
        write.run("DELETE FROM vector WHERE seq BETWEEN ? AND ?", (first, last))
        if write.changes():
            write.run("UPDATE vector_model SET gone = gone + 1")
            _seal_models(write)


def _whole(model: Model, row: Row) -> Row:
    """The row, if it has as many numbers as a vector of its model."""
    if len(row.numbers) != model.dimension * BYTES:
        raise BrokenFile("a vector is none of its model; see verify, then rebuild")
    return row


def _seal_models(write: Write) -> None:
    for number, *said in write.rows(f"SELECT number, {_SEALED} FROM vector_model"):
        write.run(
            "UPDATE vector_model SET seal = ? WHERE number = ?", (_seal(number, *said), number)
        )


def _seal(*said: object, data: bytes = b"") -> int:
    """By what a changed byte of a row is noticed."""
    return zlib.crc32("\0".join(map(str, said)).encode("utf-8", "surrogatepass") + data)


def count_of(read: Read, seqs: Sequence[int]) -> int:
    """How many vectors there are of these seqs."""
    return sum(read.value("SELECT count(*) FROM vector WHERE seq = ?", (seq,)) for seq in seqs)
