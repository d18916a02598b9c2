"""Whole groups that a model made: bodies shared from revision 3 on, labels in 4, or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from muniment.exchange import queries
from muniment.exchange.layout import Ref
from muniment.exchange.recall import Answer, Library
from tests.exchange.kitchen import entries
from tests.exchange.test_recall import expanded
from tests.exchange.test_store import modelled
from tests.exchange.things import PERSON, Making, id_of
from tests.exchange.things import query as asked
from tests.requirements.marker import requirement

TEXT = "Fire in the shed, and "
MORE = "nobody had closed the door before the wind came up, "
counts = pytest.mark.parametrize("count", [1, 64])
GROUP = ["significant", "significant", "support", "support", "support"]


def sheds(more: int) -> Library:
    """Two events, of each a complete copy and what a model made of it; and something else.

    `more`: how often their text repeats itself.
    """
    made = Making()
    for number in (1, 2):
        text = f"{TEXT}{MORE * more}shed {number} burned."
        event = made.event(number, text, subject=PERSON)
        made.memory(0x50 + number, text, 1.0, 0.1 * number, source=event, subject=PERSON)
        modelled(made, event, regard_loss=700_000)
    made.memory(0x5A, "The spare key.", -1.0, 0.1)
    return Library(made.store())


def ask(library: Library, count: int, revision: int, **fields: Any) -> list[Answer]:
    """The same question `count` times, one after the other for what a batch has in common."""
    known = {"ranked": True, "boost": 1_000_000, "revision": revision, **fields}
    rows = [asked("What of the sheds?", number=number, **known) for number in range(count)]
    return library.answer([queries.write(row) for row in rows])


def size(answer: Answer) -> int:
    """The bytes of memory."""
    assert answer.selection is not None
    return len(answer.selection.text)


@requirement("exchange:selection:shared", "exchange:context:modelled")
@counts
def test_two_groups_fit_where_their_texts_stand_once(count: int) -> None:
    """Ten rows in revision 3, five in 2; a byte less, and the second group is gone whole."""
    library = sheds(6)
    most = size(ask(library, 1, 3, entries_max=10)[0])

    compact = ask(library, count, 3, entries_max=10, bytes_max=most)
    plain = ask(library, count, 2, entries_max=10, bytes_max=most)
    less = ask(library, count, 3, entries_max=10, bytes_max=most - 1)

    assert all([reason for _, reason in entries(each)] == GROUP * 2 for each in compact)
    assert all(each.context.count(b"text: see source_ref") == 2 for each in compact)
    # The key is no part of either group, and enters where they leave room.
    for answers in (plain, less):
        assert all([reason for _, reason in entries(each)][:5] == GROUP for each in answers)
        assert all({letter for letter, _ in entries(each)[5:]} <= {b"Z"} for each in answers)


@requirement("exchange:selection:shared", "exchange:context:modelled")
@counts
def test_eleven_rows_fit_where_their_labels_stand_once(count: int) -> None:
    """With one that is pinned, in revision 4 alone; expanded they are those of revision 3."""
    library = sheds(1)
    fields = {"focus": (Ref(id_of(0x5A), 1),)}
    roomy = {revision: ask(library, 1, revision, **fields)[0] for revision in (3, 4)}
    most = size(roomy[4])

    grouped = ask(library, count, 4, bytes_max=most, **fields)
    inline = ask(library, count, 3, bytes_max=most, **fields)

    assert all(
        [reason for _, reason in entries(each)] == ["pinned", *GROUP * 2] for each in grouped
    )
    assert all([reason for _, reason in entries(each)] == ["pinned", *GROUP] for each in inline)
    assert size(roomy[3]) > most
    assert expanded(roomy[4].context.decode()) == roomy[3].context.decode()
    library.record(grouped[:1])
    assert [each.context for each in library.replay()] == [grouped[0].context]
