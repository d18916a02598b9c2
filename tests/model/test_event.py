"""Ids: what they are made of, and how one that a caller gives is taken apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment import errors
from muniment.model import event
from muniment.model.event_kinds import MessageObserved

SEQS = st.integers(0, (1 << 62) - 1)
MARKS = st.integers(-(1 << 63), (1 << 63) - 1)


@given(st.sampled_from("erlqj"), SEQS, MARKS)
def test_an_id_comes_back_from_its_parts(letter: str, seq: int, mark: int) -> None:
    """Letter, place and digest; the part before the dash alone leaves the digest open."""
    id = event.id_text(letter, seq, mark)

    whole, short = event.reference(id), event.reference(id.split("-")[0])

    assert (whole.letter, whole.seq, whole.mark) == (letter, seq, mark)
    assert (short.letter, short.seq, short.mark) == (letter, seq, None)
    assert event.mark_of(id) == mark


@pytest.mark.parametrize(
    ("number", "digits"), [(0, "0"), (9, "9"), (10, "a"), (31, "v"), (32, "10"), (1_023, "vv")]
)
def test_a_place_is_written_in_base_32(number: int, digits: str) -> None:
    """Digits 0-9a-v, no padding: short ids stay short."""
    assert event.base32(number) == digits


@given(st.text(st.characters(codec="utf-8"), max_size=20))
def test_anything_else_is_not_found(id: str) -> None:
    """One id has one spelling; what is none, is answered like an unknown one."""
    try:
        found = event.reference(id, "id")
    except errors.NotFound as error:
        told = (error.code, error.at)
    else:
        id = id.split("-", maxsplit=1)[0]
        told = ("not_found", "id") if id == found.letter + event.base32(found.seq) else ("", "")

    assert told == ("not_found", "id")


def test_an_id_depends_on_all_that_stands_before_it() -> None:
    """Promise 3: on parent head, position, and the whole shape with its content's digest."""
    shape = MessageObserved(seq=1, role="user", content_digest="0" * 64, content_bytes=5)
    other = MessageObserved(seq=1, role="user", content_digest="1" * 64, content_bytes=5)

    ids = {
        event.event_id("e", 1, parent, index, each)
        for parent in ("0" * 64, "1" * 64)
        for index in (0, 1)
        for each in (shape, other)
    }

    assert len(ids) == 8
    assert event.event_id("e", 1, "0" * 64, 0, shape) in ids
