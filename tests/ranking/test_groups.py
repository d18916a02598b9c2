"""Words that mean nearly the same: built in, and the caller's own."""

from __future__ import annotations

import pytest

from muniment import errors, limits
from muniment.model import text
from muniment.ranking import groups
from tests.requirements.marker import requirement


@requirement("recall:synonyms")
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Where is my car?", ("automobile", "auto", "vehicle")),
        ("two CARS", ("automobile", "auto", "vehicle")),
        ("the access code", ("password", "passcode", "pin")),
        ("access to the code", ()),
        ("the car is an automobile", ("auto", "vehicle")),
        ("a glass of water", ()),
        ("", ()),
        ("\U0001f697 \u8eca", ()),
    ],
)
def test_each_word_of_a_group_leads_to_the_others(query: str, expected: tuple[str, ...]) -> None:
    """A phrase counts as a whole, a plural as its singular, and nothing is asked for twice."""
    assert groups.alike(query, groups.BUILT_IN) == expected


@requirement("recall:synonyms")
def test_the_built_in_groups_are_words_that_a_question_may_hold() -> None:
    """A stop word would never be asked for, and a group of one leads nowhere."""
    words = [word for group in groups.BUILT_IN for phrase in group for word in phrase.split()]

    assert not text.STOP_WORDS.intersection(words)
    assert all(len(group) >= 2 and len(set(group)) == len(group) for group in groups.BUILT_IN)


@requirement("recall:synonyms")
@pytest.mark.parametrize(
    ("given", "error"),
    [
        (("car",), errors.BadShape),
        (("car,,",), errors.BadShape),
        (("",), errors.BadShape),
        (("a, b",) * (limits.SYNONYMS_MAX + 1), errors.TooLong),
        ((",".join(f"w{n}" for n in range(limits.SYNONYMS_MAX + 1)),), errors.TooLong),
    ],
)
def test_a_group_has_two_words_and_a_question_not_too_many(
    given: tuple[str, ...], error: type[errors.BadInput]
) -> None:
    """The error names the group."""
    with pytest.raises(error) as refused:
        groups.own(given)

    assert (refused.value.at or "").startswith("synonyms")
