"""Similar: what means nearly the same as the question, by the vectors of one model.

A short turn is told by its own vector and by the mean of its neighbours' and its own, half each:
the question before it, or the answer after it, says what it speaks of.  (That is as good as a
vector of the three texts together, and costs the model nothing.)  Passages of long texts, records
and values stand for themselves.

There is no index that must be built.  Up to a thousand vectors are all compared; of more, first
the signs, a bit a number, and then the best of them exactly: above 0.99 of the ten best at
100,000.  The matrix of a scope is kept in memory between recalls and grows with the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any, NamedTuple

import msgspec

from muniment.model.embedding import Meaning
from muniment.model.hit import Ask, Found, Hit
from muniment.projections import experience, vector
from muniment.retrievers import passing
from muniment.store.tx import Read

NAME = "similar"
# So many are compared exactly, or one in so many of a large scope, chosen by their signs.
CLOSER = 1_024
_PART = 48
_FIRST = 2  # times the limit: room for what the filter and doubles take away
_PORTION = 4_096  # rows that are worked on at once, so that memory stays bounded
_BLOCK = 256  # rows that are multiplied at once
_WORDS = 3  # of 64 signs: what differs in as many can be counted in a byte
_SAMPLE = 8  # one row in so many says how near is near enough
_NONE = -1


class _Near(NamedTuple):
    """One row that was found.  `cosine`: of what stands for it, which is half its neighbours'."""

    seq: int
    part: int
    serial: int
    cosine: float


class _Held(msgspec.Struct, frozen=True, kw_only=True):
    """All of one moment, so that a search meets no half of a growth."""

    floats: Any  # (rows, dimension), 32 bits: own vector and window, half each
    places: Any  # (rows, 3): seq, part and serial
    beside: Any  # (rows, 2): the rows before and after, itself where there is none
    signs: Any  # (words of 64 bits, rows): of the floats; word by word, as they are compared


class Matrix:
    """The vectors of one model in one scope, in memory: rows as they were made."""

    def __init__(self, model: vector.Model) -> None:
        import numpy as np

        self._np = np
        self.model = model
        self.made = 0
        self._last = vector.Row(0, 0, 0, b"")
        self._talks: dict[tuple[str | None, str | None], int] = {}
        self._talk = np.zeros(0, np.int64)  # of each row; below zero where it stands for itself
        self._held = _Held(
            floats=np.zeros((0, model.dimension), np.float32),
            places=np.zeros((0, 3), np.int64),
            beside=np.zeros((0, 2), np.int64),
            signs=np.zeros((-(-model.dimension // 64), 0), np.uint64),
        )
        self._lock = Lock()

    def grown(self, read: Read, model: vector.Model) -> None:
        """Holds all vectors that the snapshot holds; more of them may have been made since."""
        np = self._np
        with self._lock:
            if model.made <= self.made:
                return
            old = self._held
            rows = list(vector.rows(read, model, self.made))
            if not rows:  # all that were made since are gone again
                self.made = model.made
                return
            where = [(row.seq, row.part, row.serial) for row in rows]
            places = np.concatenate([old.places, np.array(where, np.int64).reshape(-1, 3)])
            self._talk = np.concatenate([self._talk, self._conversations(read, rows)])
            beside = self._neighbours(places)
            changed = np.ones(len(places), bool)
            changed[: len(old.places)] = (beside[: len(old.places)] != old.beside).any(axis=1)
            floats = np.concatenate(
                [old.floats, np.zeros((len(rows), model.dimension), np.float32)]
            )
            signs = np.pad(old.signs, ((0, 0), (0, len(rows))))
            stored = {row.serial: row.numbers for row in rows}
            todo = np.flatnonzero(changed)
            # In portions, so that a large scope is not in memory twice.
            for some in np.array_split(todo, len(todo) // _PORTION + 1):
                floats[some] = self._both(read, places, beside, some, stored)
                signs[:, some] = self._packed(floats[some])
            self._held = _Held(floats=floats, places=places, beside=beside, signs=signs)
            self.made, self._last = model.made, rows[-1]

    def same(self, read: Read, model: vector.Model) -> bool:
        """Whether what is held is still the beginning of what is stored.

        None was taken away, and the last one is the one that was read: somebody may have dropped
        all and made them again, by another model of the same name even.
        """
        known = (self.model.name, self.model.gone) == (model.name, model.gone)
        last = self._last
        return known and (not last.serial or vector.row(read, model, last.serial) == last)

    def best(self, question: Sequence[float], most: int) -> list[_Near]:
        """At most `most` rows, best first."""
        np, held = self._np, self._held
        asked = self._unit(question)
        closer = max(CLOSER, most, len(held.floats) // _PART)
        if len(held.floats) > closer:
            some = self._near(held.signs, self._packed(asked[None, :]), closer)
        else:
            some = np.arange(len(held.floats))
        cosines = self._product(held.floats, some, asked)
        if len(some) > most:
            top = np.argpartition(-cosines, most)[:most]
            some, cosines = some[top], cosines[top]
        # Among equals the newest first, as everywhere.
        order = np.lexsort((-held.places[some, 0], -cosines))
        places = held.places[some[order]].tolist()
        return [
            _Near(seq, part, serial, cosine)
            for (seq, part, serial), cosine in zip(places, cosines[order].tolist(), strict=True)
        ]

    def nearest(self, read: Read, question: Sequence[float], rows: Sequence[_Near]) -> float:
        """The greatest cosine of the question with one of these texts itself."""
        np = self._np
        stored = vector.numbers(read, self.model, [row.serial for row in rows])
        own = np.frombuffer(b"".join(stored.values()), "<f2").reshape(len(stored), -1)
        units = own / np.maximum(np.linalg.norm(own.astype(np.float32), axis=1), 1e-6)[:, None]
        return float((units @ self._unit(question)).max(initial=-1.0))

    def _unit(self, question: Sequence[float]) -> Any:
        asked = self._np.asarray(question, self._np.float32)
        return asked / (self._np.linalg.norm(asked) or 1.0)

    def _near(self, signs: Any, wanted: Any, about: int) -> Any:
        """About so many rows whose signs differ least from the wanted ones, in their order."""
        np = self._np
        apart = np.zeros(signs.shape[1], np.uint16)
        for first in range(0, len(signs), _WORDS):
            some = zip(signs[first : first + _WORDS], wanted[first : first + _WORDS], strict=True)
            counts = [np.bitwise_count(word ^ other) for word, other in some]
            for more in counts[1:]:
                counts[0] += more
            apart += counts[0]
        # The last number of differing signs that is needed for so many rows, by a sample of them.
        enough = np.searchsorted(np.cumsum(np.bincount(apart[::_SAMPLE])), about / _SAMPLE)
        return np.flatnonzero(apart <= enough)

    def _product(self, floats: Any, rows: Any, asked: Any) -> Any:
        """Each of these rows times the question, on one thread.

        The library's own product starts a thread a core, which then wait for one another where
        anybody else is at work: seventy times as long was measured.  In blocks, so that what was
        fetched is still at hand when it is multiplied.
        """
        np = self._np
        products = np.empty(len(rows), np.float32)
        for first in range(0, len(rows), _BLOCK):
            block = slice(first, first + _BLOCK)
            np.einsum("ij,j->i", floats[rows[block]], asked, out=products[block])
        return products

    def _both(self, read: Read, places: Any, beside: Any, rows: Any, stored: Any) -> Any:
        """Of these rows, the mean of the own vector and of the mean vector of its window."""
        np = self._np
        wanted = np.unique(np.concatenate([rows, beside[rows].ravel()]))
        serials = places[wanted, 2].tolist()
        missing = [serial for serial in serials if serial not in stored]
        stored = {**vector.numbers(read, self.model, missing), **stored} if missing else stored
        numbers = np.frombuffer(b"".join(stored[serial] for serial in serials), "<f2")
        each = numbers.reshape(len(serials), -1).astype(np.float32)
        own = each[np.searchsorted(wanted, rows)]
        window = own.copy()
        for other in (beside[rows, 0], beside[rows, 1]):
            there = other != rows
            window[there] += each[np.searchsorted(wanted, other[there])]
        lengths = np.maximum(np.linalg.norm(window, axis=1, keepdims=True), 1e-6)
        return (own + window / lengths) / 2

    def _conversations(self, read: Read, rows: Sequence[vector.Row]) -> Any:
        """A number for the conversation of each row that is a whole message; else below zero."""
        seqs = sorted({row.seq for row in rows if row.part == vector.WHOLE})
        talks = {
            seq: self._talks.setdefault((thread, session), len(self._talks))
            for seq, thread, session in experience.places(read, seqs)
        }
        return self._np.array(
            [talks.get(row.seq, _NONE) if row.part == vector.WHOLE else _NONE for row in rows],
            self._np.int64,
        )

    def _neighbours(self, places: Any) -> Any:
        """For each row, the rows before and after it in its conversation; itself where is none."""
        np = self._np
        beside = np.repeat(np.arange(len(places))[:, None], 2, axis=1)
        order = np.lexsort((places[:, 0], self._talk))
        first, second = order[:-1], order[1:]
        both = (self._talk[first] == self._talk[second]) & (self._talk[first] != _NONE)
        beside[second[both], 0] = first[both]
        beside[first[both], 1] = second[both]
        return beside

    def _packed(self, floats: Any) -> Any:
        """Above zero or not, a bit a number, in words of 64."""
        np = self._np
        bits = np.packbits(floats > 0, axis=1)
        words = np.zeros((len(bits), self._held.signs.shape[0] * 8), np.uint8)
        words[:, : bits.shape[1]] = bits
        return words.view(np.uint64).T


def find(read: Read, ask: Ask) -> Found:
    """The things that mean most nearly the same, each by its best passage.

    Nothing where no model was asked, or it has no vectors here, or even the nearest is not as near
    as the model has it for an answer, or the question puts phrases in quotation marks, which asks
    for exactly what holds them.
    """
    model = None if ask.meaning is None else vector.model(read, ask.meaning.model)
    if ask.meaning is None or model is None or ask.terms.quoted:
        return Found(retriever=NAME, hits=())
    if model.dimension != len(ask.meaning.vector):
        return Found(retriever=NAME, hits=())
    matrix = _matrix(read, model)
    most = ask.limit * _FIRST
    while True:
        rows = matrix.best(ask.meaning.vector, most)
        if not _is_near(read, matrix, ask.meaning, rows):
            return Found(retriever=NAME, hits=(), far=True)
        hits, enough = _passing(read, ask, rows)
        if enough or len(rows) < most:
            return Found(retriever=NAME, hits=tuple(hits), limited=enough)
        most *= 8


def _is_near(read: Read, matrix: Matrix, asked: Meaning, rows: Sequence[_Near]) -> bool:
    """Whether any text is as near as the model has it for an answer, by itself or with its talk.

    Talk of something else around a text takes it away from what it says itself.
    """
    if not rows or rows[0].cosine >= asked.least:
        return True
    return matrix.nearest(read, asked.vector, rows) >= asked.least


def _matrix(read: Read, model: vector.Model) -> Matrix:
    """What is kept in memory of the model's vectors, as far as the snapshot has them."""
    key = f"vectors of {model.number}"
    kept: Matrix | None = read.kept.get(key)
    if kept is None or not kept.same(read, model):
        kept = read.kept[key] = Matrix(model)
    kept.grown(read, model)
    return kept


def _passing(read: Read, ask: Ask, rows: Sequence[_Near]) -> tuple[list[Hit], bool]:
    """At most `limit` hits that are not over, and at most as many that are and stood among them."""
    best: dict[int, tuple[int, float]] = {}
    for row in rows:
        if row.cosine > 0:
            best.setdefault(row.seq, (row.part, row.cosine))
    over = _over(read, ask, list(best))
    room = {False: ask.limit, True: ask.limit}
    hits: list[Hit] = []
    passed = 0
    for seq, (part, cosine) in best.items():
        if seq not in over:
            continue
        ended = over[seq] and not ask.history
        passed += not ended
        if room[ended]:
            room[ended] -= 1
            passage = None if part == vector.WHOLE else part
            rank = len(hits) + 1
            hits.append(Hit(seq=seq, retriever=NAME, rank=rank, score=cosine, passage=passage))
    return hits, passed > ask.limit


def _over(read: Read, ask: Ask, seqs: Sequence[int]) -> dict[int, bool]:
    """Of those that pass the filter, whether each is over at the moment."""
    where, values = passing.condition(read, ask, _SEQ)
    ended = passing.ended(_SEQ, ask.moment)
    rows = read.rows(
        f"SELECT {_SEQ}, {ended} FROM json_each(?) AS thing WHERE {where}",
        (f"[{','.join(map(str, seqs))}]", *values),
    )
    return {seq: bool(over) for seq, over in rows}


_SEQ = "thing.value"
