"""A batch of cooks: for each a requirement, a cue, three memories and what is at stake in them."""

from __future__ import annotations

from typing import Any

from muniment.exchange import objects, queries
from muniment.exchange.layout import NO_ID, Ref
from muniment.exchange.queries import Query
from muniment.exchange.recall import Answer, Library
from tests.exchange.things import Making, plain
from tests.exchange.things import query as asked

FLOOR, BOOST = 600_000, 800_000


def named(letter: str, row: int) -> bytes:
    """An id of this row; letters sort as they should."""
    return letter.encode().ljust(12, letter.encode()) + row.to_bytes(4, "big")


class Kitchen:
    """A store with `count` cooks, cook `row` in scope `(first + row) % 3`."""

    def __init__(self, count: int, first: int = 0) -> None:
        self.count = count
        self.first = first
        self.made = Making()
        for row in range(count):
            self._cook(row)

    def scope(self, row: int) -> int:
        """Where a cook's things are seen."""
        return (self.first + row) % 3

    def add(self, what: str, row: int, *vector: float, **fields: Any) -> Ref:
        """A text bound to the cook's task, in the cook's scope."""
        self._place(row)
        given = {
            "subject": named("p", row), "task": named("t", row), "source": self.event(row),
            "id": named(what[0], row),
        } | fields  # fmt: skip
        id = given.pop("id")
        ref = self.made.bound(0xFF, f"{what} of cook {row}", *vector, **given)
        last = self.made.objects[-1]
        self.made.objects[-1] = last._replace(row=last.row._replace(id=id))
        return Ref(id, ref.version)

    def appraise(self, letter: str, row: int, of: Ref, **values: Any) -> Ref:
        """What is at stake in something of the cook's."""
        self._place(row)
        ref = self.made.appraise(0xFE, of, **values)
        last = self.made.objects[-1]
        self.made.objects[-1] = last._replace(row=last.row._replace(id=named(letter, row)))
        return Ref(named(letter, row), ref.version)

    def report(self, letter: str, row: int, text: str) -> Ref:
        """One more report to the cook."""
        self._place(row)
        return self.made.add(
            objects.EVENT, named(letter, row), plain(text), subject=named("p", row)
        )

    def event(self, row: int) -> Ref:
        """The report that everything of the cook's rests on."""
        return Ref(named("e", row), 1)

    def ref(self, letter: str, row: int) -> Ref:
        """Something of the cook's."""
        return Ref(named(letter, row), 1)

    def opened(self) -> Library:
        """The store, ready to be asked."""
        return Library(self.made.store())

    def query(self, row: int, **fields: Any) -> Query:
        """The cook's question."""
        scope = self.scope(row)
        known: dict[str, Any] = {
            "task": named("t", row), "participants": (named("p", row),), "ranked": True,
            "floor": FLOOR, "boost": BOOST, "entries_max": 4, "scope": scope, "revision": 1,
            "principal": named("o", row), "room": named("r", row) if scope == 1 else NO_ID,
            "request": named("q", row), "selection": named("s", row),
        }  # fmt: skip
        return asked(f"What does cook {row} cook?", 1.0, 0.0, **(known | fields))

    def ask(self, library: Library | None = None, **fields: Any) -> list[Answer]:
        """All cooks' questions in one batch."""
        rows = [queries.write(self.query(row, **fields)) for row in range(self.count)]
        return (library or self.opened()).answer(rows)

    def _cook(self, row: int) -> None:
        self._place(row)
        self.made.add(
            objects.EVENT, named("e", row), plain(f"Report {row}."), subject=named("p", row)
        )
        self.add("constraint", row, required=True)
        self.add("d-cue", row, required=True, kind=objects.CUE, subject=NO_ID)
        ordinary = self.add("ordinary", row, 1.0, 0.1, id=named("k", row))
        mixed = self.add("mixed", row, 1.0, 1.0)
        irrelevant = self.add("irrelevant", row, -1.0, 0.01)
        self.appraise("x", row, mixed, benefit=700_000 + row, harm=900_000 - row)
        self.appraise("y", row, irrelevant, harm=1_000_000)
        self.appraise("z", row, ordinary, benefit=100_000)

    def _place(self, row: int) -> None:
        self.made.scope, self.made.owner = self.scope(row), named("o", row)
        self.made.room = named("r", row)


def entries(answer: Answer) -> list[tuple[bytes, str]]:
    """What was chosen, by letter, and why."""
    assert answer.selection is not None, answer.turned
    return [(each.evidence.ref[0][:1], str(each.reason)) for each in answer.selection.entries]


def letters(answer: Answer) -> str:
    """What was chosen, by letter."""
    return b"".join(letter for letter, _ in entries(answer)).decode()


def changed(row: bytes, place: int, data: bytes) -> bytes:
    """A query with other bytes at a place."""
    return row[:place] + data + row[place + len(data) :]
