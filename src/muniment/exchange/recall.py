"""A batch of prepared queries over a store: what is chosen, recorded, and replayed.

Nothing is encoded and nothing outside the store is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from muniment.errors import BadExchange
from muniment.exchange import (
    evidence,
    intake,
    objects,
    queries,
    rendering,
    selections,
    sight,
    status,
)
from muniment.exchange.images import Stored
from muniment.exchange.layout import Ref
from muniment.exchange.objects import Row
from muniment.exchange.queries import Query
from muniment.exchange.sight import Sight
from muniment.exchange.store import Store
from muniment.model.contextual import Code, Selection, Style, Turned
from muniment.ranking import contextual, recorded
from muniment.ranking.corpus import Corpus

DECISIONS_MAX = 64  # recorded ones that one file holds


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one query: a selection, or why there is none.  `query` None: unreadable."""

    query: Query | None
    selection: Selection | None = None
    turned: Turned | None = None
    cut: int = 0
    searches: int = 1

    @property
    def status(self) -> int:
        """The number of what became of it; 0 is good."""
        return status.OK if self.turned is None else status.NUMBERS[self.turned.code]

    @property
    def context(self) -> bytes:
        """What a model is handed: memory, then the input."""
        assert self.selection is not None
        assert self.query is not None
        return self.selection.text + rendering.INPUT + self.query.text.encode()


class Library:
    """A store with everything that its queries are answered from."""

    def __init__(self, store: Store, namespace: Any = None) -> None:
        self.store = store
        self._namespace = namespace
        self.sight = Sight(store)
        self.corpus: Corpus = evidence.corpus(store, self.sight, namespace)

    def answer(self, rows: Sequence[bytes], style: Style | None = None) -> list[Answer]:
        """What becomes of each query of a batch; one that is bad leaves the others alone."""
        read = [self._read(row, f"queries[{index}]") for index, row in enumerate(rows)]
        taken = _taken(read)
        cut = self.store.sequence
        asked = {
            index: evidence.asked(query, cut)
            for index, query in enumerate(read)
            if isinstance(query, Query) and index not in taken
        }
        about = self.corpus.products(list(asked.values()))
        products = dict(zip(asked, about, strict=True))
        answers = []
        drawn = style or rendering.Wire(self.store)
        for index, query in enumerate(read):
            if isinstance(query, Turned):
                answers.append(Answer(query=None, turned=query, cut=cut))
            elif index in taken:
                turned = Turned(code="version", detail="its ids are those of another query")
                answers.append(Answer(query=query, turned=turned, cut=cut))
            else:
                found = contextual.select(self.corpus, asked[index], drawn, products[index])
                answers.append(_answer(query, found, cut))
        return answers

    def record(self, answers: Sequence[Answer]) -> list[Answer]:
        """The answers, each good one of them with its event and its selection in the store.

        One whose members do not last until then is turned away.

        Raises:
            BadExchange: there is no room for them.
        """
        good = [each for each in answers if each.selection is not None]
        end = self.store.sequence + 2 * len(good)
        if len(decisions(self.store, self.sight)) + len(good) > DECISIONS_MAX:
            raise status.refused("capacity", f"{DECISIONS_MAX} decisions a file", "queries")
        kept = [self._lasting(each, end) for each in answers]
        some: list[Stored] = []
        for each in kept:
            if each.selection is not None:
                some += _objects(self.store, each, self.store.sequence + len(some) + 1)
        self._admit(some)
        return kept

    def lasting(self, answers: Sequence[Answer]) -> list[Answer]:
        """The answers, or why what was chosen does not stand once the inputs are kept."""
        end = self.store.sequence + intake.PER_INPUT * len(answers)
        return [self._lasting(each, end) for each in answers]

    def retain(self, answers: Sequence[Answer]) -> list[Stored]:
        """Each input becomes memory, if all that was chosen for all of them still stands then.

        Three objects for each: the event, its vector and a working copy.

        Raises:
            BadExchange: something of it does not, or a query was refused; nothing has changed.
        """
        for each in self.lasting(answers):
            turned = each.turned
            if turned is not None:
                raise status.refused(turned.code, turned.detail, "queries")
        some = intake.kept(self.store, [each.query for each in answers if each.query])
        self._admit(some)
        return some

    def _admit(self, some: Sequence[Stored]) -> None:
        """These into the store, as one tick of it."""
        if not some:
            return
        before = self.store.sequence
        self.store.sequence += len(some)
        try:
            self.store.admit(some)
        except BaseException:
            self.store.sequence = before
            raise
        self.store.tick += 1
        self.sight = Sight(self.store)
        self.corpus = evidence.corpus(self.store, self.sight, self._namespace)

    def replay(self) -> list[Answer]:
        """Every recorded decision over the store as it is: chosen again, and nothing searched.

        Raises:
            BadExchange: there are more of them than a file holds.
        """
        found = decisions(self.store, self.sight)
        if len(found) > DECISIONS_MAX:
            raise status.refused("capacity", f"{DECISIONS_MAX} decisions a file", "store")
        return [self._again(event, chosen) for event, chosen in found]

    def _read(self, row: bytes, at: str) -> Query | Turned:
        try:
            query = queries.read(row, at)
        except BadExchange as error:
            return Turned(code=status.of(error), detail=f"{error.at}: {error.detail}")
        for id in (query.request, query.selection):
            if self.store.newest(id) is not None:
                return Turned(code="version", detail="the store has an object of its id")
        return query

    def _lasting(self, answer: Answer, end: int) -> Answer:
        """The answer, or why a member of it will not stand at that sequence."""
        if answer.selection is None or answer.query is None:
            return answer
        later = sight.audience(answer.query, end)
        for each in answer.selection.entries:
            code = self.sight.resolve(each.evidence.ref, later)
            if code is not None:
                detail = "it does not last until it is recorded"
                turned = Turned(code=code, detail=detail, ref=each.evidence.ref)
                return msgspec.structs.replace(answer, selection=None, turned=turned)
        return answer

    def _again(self, event: Stored, chosen: Stored) -> Answer:
        question = selections.read_question(event.payload, queries.ROW_BYTES, "request")
        query = queries.read(question.query, "request.query")
        turned = self._fault(event.row, chosen.row, query, question.cut)
        found: Selection | Turned
        if turned is not None:
            found = turned
        else:
            members = selections.read(chosen.payload, "selection")
            asked = evidence.asked(query, self.store.sequence)
            refs = [each.ref for each in members]
            found = recorded.again(self.corpus, asked, refs, rendering.Wire(self.store))
        return msgspec.structs.replace(_answer(query, found, question.cut), searches=0)

    def _fault(self, event: Row, chosen: Row, query: Query, cut: int) -> Turned | None:
        """What stands against a decision besides what was chosen."""
        who = sight.audience(query, self.store.sequence)
        code = self.sight.resolve(chosen.ref, who)
        if code is not None:
            return Turned(code=code, detail="the selection does not stand", ref=chosen.ref)
        same = (event.id, chosen.id) == (query.request, query.selection)
        for row in (event, chosen):
            owned = row.owner == query.principal and row.room == query.room
            same = same and owned and row.scope == query.scope
        if not same or cut >= event.updated:
            return Turned(code="reference", detail="its query is another's", ref=chosen.ref)
        return None


def decisions(store: Store, seen: Sight) -> list[tuple[Stored, Stored]]:
    """Each current selection that answers a recorded query, in the order they were recorded."""
    found = []
    for each in store.objects:
        row = each.row
        if row.kind != objects.SELECTION or seen.stale(row) or row.flags & objects.TOMBSTONE:
            continue
        event = store.get(row.source)
        asked = event is not None and event.row.kind == objects.EVENT
        if event is not None and asked and selections.known_question(event.payload):
            found.append((event, each))
    return found


def worst(answers: Iterable[Answer]) -> Code | None:
    """The smallest status of those that were refused."""
    numbers = [each.status for each in answers if each.status]
    return status.CODES[min(numbers) - 1] if numbers else None


def _taken(read: Sequence[Query | Turned]) -> set[int]:
    """Queries one of whose ids another query of the batch has too."""
    seen: dict[bytes, int] = {}
    for query in read:
        for id in (query.request, query.selection) if isinstance(query, Query) else ():
            seen[id] = seen.get(id, 0) + 1
    return {
        index
        for index, query in enumerate(read)
        if isinstance(query, Query) and max(seen[query.request], seen[query.selection]) > 1
    }


def _answer(query: Query, found: Selection | Turned, cut: int) -> Answer:
    if isinstance(found, Turned):
        return Answer(query=query, turned=found, cut=cut)
    return Answer(query=query, selection=found, cut=cut)


def _objects(store: Store, answer: Answer, sequence: int) -> tuple[Stored, Stored]:
    """The event that keeps the query, and the selection that was made for it."""
    query = answer.query
    assert query is not None
    assert answer.selection is not None
    kept = selections.write_question(
        selections.Question(cut=answer.cut, query=queries.write(query))
    )
    members = selections.write(
        [selections.Member(ref=Ref(*each.evidence.ref)) for each in answer.selection.entries]
    )
    event = Row(
        kind=objects.EVENT, flags=0, id=query.request, lineage=store.lineage, version=1,
        created=sequence, updated=sequence, owner=query.principal, room=query.room,
        payload_bytes=len(kept), scope=query.scope, source_kind=objects.AUTHORED,
    )  # fmt: skip
    chosen = event._replace(
        kind=objects.SELECTION, id=query.selection, created=sequence + 1, updated=sequence + 1,
        source_id=event.id, source_version=1, payload_bytes=len(members),
        source_kind=objects.INFERRED,
    )  # fmt: skip
    return Stored(event, kept), Stored(chosen, members)
