"""Words that mean nearly the same, so that a question need not use the one that was said.  Pure.

The built-in groups are few and everyday English; what is meant in a caller's own field is said by
the caller's own groups.  A group works both ways: each of its words leads to all others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from muniment import limits
from muniment.errors import BadShape, TooLong
from muniment.model import letters, text

_GROUPS = """
    car, automobile, auto, vehicle
    bike, bicycle
    number plate, license plate, licence plate, car tag, registration
    phone, telephone, mobile, cellphone
    password, passcode, access code, pin
    doctor, physician, clinic
    dentist, teeth
    medicine, medication, pill, tablet
    allergy, allergic
    injury, injured, hurt
    child, children, kid, son, daughter
    mother, mum, mom
    father, dad
    husband, wife, spouse, partner
    parents, mother, father
    brother, sister, sibling
    job, work, occupation, profession, career
    boss, manager, supervisor
    colleague, coworker, workmate
    salary, wage, pay, income
    house, home, apartment, flat
    town, city
    country, nation
    road, street
    shop, store
    buy, purchase, bought
    gift, present
    price, cost
    holiday, vacation, trip, journey
    plane, flight, airport
    hotel, accommodation
    movie, film, cinema
    picture, photo, photograph, image
    song, music
    book, novel
    meal, dinner, lunch, supper
    meeting, appointment
    begin, start, began
    end, finish
    fix, repair, mend
    ill, sick, illness, disease
    like, love, enjoy, favourite, favorite
    exercise, workout, training, gym
    pet, dog, cat
    email, mail
    computer, laptop
    garbage, rubbish, trash
    autumn, fall
    colour, color
    clothes, clothing, outfit
    wedding, married, marriage
    birthday, born
    friend, buddy
    exam, test
    wide, width
    high, height
    long, length
    happy, glad
    afraid, scared, fear
    angry, upset
    fast, quick
    big, large
"""


def groups(lines: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Each line as a group: its words or phrases, which commas separate."""
    split = (tuple(" ".join(each.split()) for each in line.split(",")) for line in lines)
    return tuple(tuple(each for each in group if each) for group in split)


BUILT_IN = groups(_GROUPS.strip().splitlines())


def own(synonyms: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The caller's groups.

    Raises:
        TooLong: there are more of them, or words in one, than a question may have.
        BadShape: one has fewer than two words.
    """
    if len(synonyms) > limits.SYNONYMS_MAX:
        raise TooLong(f"at most {limits.SYNONYMS_MAX} groups", at="synonyms")
    found = groups(synonyms)
    for index, group in enumerate(found):
        if len(group) < 2:
            raise BadShape("two words or more, with commas between", at=f"synonyms[{index}]")
        if len(group) > limits.SYNONYMS_MAX:
            raise TooLong(f"at most {limits.SYNONYMS_MAX} words", at=f"synonyms[{index}]")
    return found


def alike(query: str, groups: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """The words and phrases that mean nearly the same as some of the question's, as phrases.

    What the question says itself is not among them; a plural in "s" is its singular.  At most
    `QUERY_TERMS_MAX`, in the order of the groups.
    """
    asked = [_singular(word) for word in text.words(letters.folded(query))]
    said = f" {' '.join(asked)} "
    found: dict[str, None] = {}
    for group in groups:
        forms = _forms(tuple(group))
        present = [f" {form} " in said for form in forms]
        if any(present):
            found |= {form: None for form, here in zip(forms, present, strict=True) if not here}
    return tuple(found)[: limits.QUERY_TERMS_MAX]


@lru_cache(maxsize=1024)
def _forms(group: tuple[str, ...]) -> tuple[str, ...]:
    """The words and phrases of a group as they are compared; what has no word is not there."""
    forms = (" ".join(map(_singular, text.words(letters.folded(phrase)))) for phrase in group)
    return tuple(form for form in forms if form)


def _singular(word: str) -> str:
    plural = len(word) > 3 and word.endswith("s") and not word.endswith("ss")
    return word[:-1] if plural else word
