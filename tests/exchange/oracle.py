"""The selection once more, by scanning: no index, no memo, no stream, every rule where it is said.

It follows the text of the rules step by step and is slow.  It shares the reading of payloads and
the rendering with the product, and nothing else.
"""

from __future__ import annotations

import math
import struct
from typing import Any

from muniment.errors import BadExchange
from muniment.exchange import appraisals, objects, queries, status, texts, vectors
from muniment.exchange.layout import NO_ID, Ref
from muniment.exchange.objects import Row
from muniment.exchange.queries import Query
from muniment.exchange.store import Store

MEMORIES = (1, 2, 5, 6, 7, 12, 13)


class Refusal(Exception):  # a refusal, by the rules' own word
    """A query that is not answered."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Oracle:
    """One store and one query."""

    def __init__(self, store: Store, query: Query) -> None:
        self.store = store
        self.query = query
        self.rows = [each.row for each in store.objects]
        self.extension = query.extension or queries.Extension(revision=1)
        self.chosen: list[Ref] = []

    def row(self, ref: Any) -> Row | None:
        """An exact version."""
        return next((row for row in self.rows if (row.id, row.version) == tuple(ref)), None)

    def payload(self, row: Row) -> Any:
        """Its payload."""
        return self.store.get(row.ref).payload  # type: ignore[union-attr]  # it is there

    def latest(self, id: bytes) -> Row | None:
        """The greatest version."""
        return max((r for r in self.rows if r.id == id), key=lambda r: r.version, default=None)

    def visible(self, row: Row) -> bool:
        """Whether the asker may look at it now."""
        mine = (
            row.scope == objects.INSTANCE
            or (row.scope == objects.PRIVATE and row.owner == self.query.principal)
            or (row.scope == objects.ROOM and row.room == self.query.room)
        )
        gone = row.evidence == objects.WITHDRAWN or row.flags & objects.TOMBSTONE
        return bool(mine and not gone and (row.expiry == 0 or row.expiry > self.store.sequence))

    def superseded(self, row: Row) -> bool:
        """Whether anything names it as replaced."""
        return any(other.superseded == row.ref for other in self.rows)

    def resolve(self, ref: Any) -> str | None:
        """The code for a reference."""
        latest = self.latest(ref[0])
        if latest is None:
            return "missing"
        if not self.visible(latest):
            return "denied"
        if latest.version != ref[1] or self.superseded(latest):
            return "stale"
        waiting, walked = [latest], set()
        while waiting:
            row = waiting.pop()
            if row.ref in walked:
                continue
            walked.add(row.ref)
            newest = self.latest(row.id)
            if newest is None or not self.visible(newest):
                return "denied"
            for found in (row.source, row.superseded, row.embedding):
                target = self.row(found)
                if target is not None:
                    waiting.append(target)
        scopes = (objects.INSTANCE, self.query.scope)
        return None if latest.scope in scopes else "scope"

    def bound(self, row: Row) -> texts.Bound | None:
        """What binds it to a task."""
        if self.payload(row)[:8] != texts.BOUND:
            return None
        found = texts.read(self.payload(row), "payload")
        assert isinstance(found, texts.Bound)
        return found

    def applicable(self, row: Row) -> bool:
        """Whether task and participants are the ones it is for."""
        found = self.bound(row)
        if found is None:
            return True
        pending = row.kind != objects.INTENTION or row.retention == objects.PENDING
        concerned = row.subject == NO_ID or row.subject in self.extension.participants
        return found.task == self.extension.task and pending and concerned

    def obligatory(self, row: Row) -> bool:
        """Whether it must be said."""
        found = self.bound(row)
        return found is not None and found.required and self.applicable(row)

    def group(self, row: Row) -> Ref:
        """The source that it counts for."""
        source = self.row(row.source)
        return source.ref if source is not None and source.kind == objects.EVENT else row.ref

    def intensity(self, row: Row) -> int:
        """What is at stake, 0 where nobody knows."""
        found = appraisals.read(self.payload(row), "payload")
        return max(found.benefit or 0, found.harm or 0)

    def assesses(self, appraisal: Row, memory: Row) -> bool:
        """Whether an appraisal is of a memory."""
        if appraisal.subject != memory.subject:
            return False
        event = self.row(memory.source)
        copied = memory.kind == objects.WORKING and event is not None
        through = copied and event is not None and event.kind == objects.EVENT
        return appraisal.source == memory.ref or (through and appraisal.source == memory.source)

    def classify(self) -> dict[Ref, tuple[float, float, Row | None]]:
        """Candidates with likeness, score and appraisal.

        Raises:
            Refusal: of the whole query.
        """
        found: dict[Ref, tuple[float, float, Row | None]] = {}
        strangers = False
        assessors: list[Row] = []
        for row in self.rows:
            if self.resolve(row.ref) is not None:
                continue
            if row.kind == objects.APPRAISAL and self.extension.ranked and self.intensity(row):
                assessors.append(row)
            if row.kind not in MEMORIES or not self.applicable(row) or self.obligatory(row):
                continue
            if not row.embedding:
                continue
            component = self.row(row.embedding)
            assert component is not None
            try:
                vector = vectors.read(self.payload(component), "payload")
            except BadExchange as error:
                raise Refusal(status.of(error)) from error
            if vector.space != self.query.space:
                strangers = True
                continue
            likeness = cosine(vector.numbers, self.query.vector)
            if not self.extension.ranked or likeness >= self.extension.floor / 1_000_000:
                found[row.ref] = (likeness, likeness, None)
        if strangers and not found:
            raise Refusal("source")
        if self.extension.ranked and self.extension.boost:
            self.raise_up(found, assessors)
        return found

    def raise_up(
        self, found: dict[Ref, tuple[float, float, Row | None]], assessors: list[Row]
    ) -> None:
        """Each candidate by the strongest of its appraisals."""
        for ref, (likeness, _, _) in found.items():
            memory = self.row(ref)
            assert memory is not None
            mine = [each for each in assessors if self.assesses(each, memory)]
            best = min(mine, key=lambda each: (-self.intensity(each), each.ref), default=None)
            if best is not None:
                boost = (self.extension.boost / 1e6) * (self.intensity(best) / 1e6)
                found[ref] = (likeness, likeness + boost, best)

    def fits(self, some: list[Ref], render: Any) -> bool:
        """Whether these may enter."""
        together = [*self.chosen, *some]
        size = len(render(together))
        return len(together) <= self.query.entries_max and size <= self.query.bytes_max

    def select(self, render: Any) -> list[Ref]:
        """What is chosen.

        Raises:
            Refusal: with the code.
        """
        candidates = self.classify()
        if self.extension.task is not None and len(render([])) > self.query.bytes_max:
            raise Refusal("capacity")
        obliged = sorted(
            row.ref
            for row in self.rows
            if row.kind in MEMORIES and self.obligatory(row) and self.resolve(row.ref) is None
        )
        for ref in (*self.query.required, *obliged, *self.query.focus):
            self.mandatory(ref, render)
        self.optional(candidates, render)
        return self.chosen

    def mandatory(self, ref: Ref, render: Any) -> None:
        """One that must enter."""
        code = self.resolve(ref)
        if code is not None:
            raise Refusal(code)
        row = self.row(ref)
        assert row is not None
        if row.kind == objects.APPRAISAL:
            raise Refusal("format")
        if row.kind not in MEMORIES:
            raise Refusal("reference")
        if not self.applicable(row):
            raise Refusal("denied")
        if row.ref in self.chosen:
            return
        if not self.fits([row.ref], render):
            raise Refusal("capacity")
        self.chosen.append(row.ref)

    def optional(self, found: dict[Ref, tuple[float, float, Row | None]], render: Any) -> None:
        """What is like the question, one by one."""
        revision = self.query.revision
        left = dict(found)
        while len(self.chosen) < self.query.entries_max:
            open_ = [ref for ref in left if ref not in self.chosen]
            if not open_:
                return

            def key(ref: Ref) -> Any:
                row = self.row(ref)
                assert row is not None
                turn = 0
                if revision >= 2:
                    memories = [self.row(one) for one in self.chosen]
                    turn = sum(
                        one is not None
                        and one.kind != objects.APPRAISAL
                        and self.group(one) == self.group(row)
                        for one in memories
                    )
                return (turn, -left[ref][1], ref)

            best = min(open_, key=key)
            if revision >= 2:
                best = self.complete(best, open_, render)
            _, _, appraisal = left.pop(best)
            some = [best] if appraisal is None else [best, appraisal.ref]
            some = [ref for ref in some if ref not in self.chosen]
            if self.fits(some, render):
                self.chosen += some

    def complete(self, best: Ref, open_: list[Ref], render: Any) -> Ref:
        """The complete working copy that enters instead."""
        row = self.row(best)
        assert row is not None
        for ref in sorted(open_):
            other = self.row(ref)
            assert other is not None
            event = self.row(other.source)
            same = (
                other.kind == objects.WORKING
                and event is not None
                and event.kind == objects.EVENT
                and self.group(other) == self.group(row)
                and bytes(self.payload(other)) == bytes(self.payload(event))
            )
            if same and (self.query.revision != 2 or self.fits([ref], render)):
                return ref
        return best


def cosine(left: bytes, right: bytes) -> float:
    """Sums in order, in 64 bits."""
    dot = one = two = 0.0
    for (x,), (y,) in zip(struct.iter_unpack("<f", left), struct.iter_unpack("<f", right),
                          strict=True):  # fmt: skip
        dot += x * y
        one += x * x
        two += y * y
    return dot / (math.sqrt(one) * math.sqrt(two))
