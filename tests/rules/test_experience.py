"""May this message be taken in, and as what?"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment import errors
from muniment.model.event import Draft, Event
from muniment.model.event_kinds import MessageContent, MessageObserved
from muniment.model.experience import Message
from muniment.model.turn import Turn
from muniment.rules import experience
from tests.requirements.marker import requirement

SAID = Message(text="said", role="user", actor="Ann", thread="t", tags=("a", "b"))


def known(message: Message) -> Event:
    """The event that a message became before."""
    draft = experience.observe(message, "0" * 32)
    assert isinstance(draft.shape, MessageObserved)
    shape = msgspec.structs.replace(draft.shape, seq=1, id="e1-0123456789abcdef")
    return Event(shape, draft.content, 1, 0)


def code(message: Message, before: Event) -> str | None:
    """What a message with the external id of another is refused with."""
    try:
        experience.repeated(experience.observe(message, "0" * 32), before)
    except errors.MunimentError as error:
        return error.code
    return None


@requirement("experience:external:repeat", "experience:external:reused")
@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({}, None), ({"at_ms": 5}, None), ({"ordering": "low"}, None), ({"lines": (1, 2)}, None),
        ({"source": "f"}, None), ({"metadata": "{}"}, None), ({"tags": ("a", "b", "a")}, None),
        ({"text": "other"}, "external_id_reused"), ({"role": "tool"}, "external_id_reused"),
        ({"type": "correction"}, "external_id_reused"), ({"actor": None}, "external_id_reused"),
        ({"thread": "u"}, "external_id_reused"), ({"session": "s"}, "external_id_reused"),
        ({"tags": ("b", "a")}, "external_id_reused"), ({"caption": "c"}, "external_id_reused"),
        ({"collection": "c"}, "external_id_reused"),
    ],
    ids=str,
)  # fmt: skip
def test_what_makes_a_repeat_another_message(change: dict[str, Any], refusal: str | None) -> None:
    """Seed 2: who said what where counts; when, and in which file it came, does not."""
    assert code(msgspec.structs.replace(SAID, **change), known(SAID)) == refusal


@requirement("erasure:return:import")
def test_anything_repeats_what_is_erased() -> None:
    """Promise 8: without its content an event is recognised by its tag alone."""
    gone = msgspec.structs.replace(known(SAID), content=None)

    assert code(Message(text="anything", role="tool"), gone) is None


@requirement("intake:blocks:stripped", "intake:blocks:only", "intake:blank")
@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("said", ("said", 0)), ("  said  ", ("  said  ", 0)),
        ("a <muniment-recall>b</muniment-recall>", ("a", 37)),
        ("<muniment-recall>b", "only_own_blocks"), ("</cogmem_x>", "only_own_blocks"),
        (" \n", "blank_text"), ("", "blank_text"),
    ],
)  # fmt: skip
def test_what_is_left_of_a_text(text: str, outcome: object) -> None:
    """Seed 2: own blocks are taken out and counted; what is nothing without them is refused."""
    try:
        draft = experience.observe(Message(text=text, role="user"), None)
    except errors.MunimentError as error:
        assert (error.code, error.at) == (outcome, "text")
        return

    assert isinstance(draft.content, MessageContent)
    assert isinstance(draft.shape, MessageObserved)
    assert (draft.content.text, draft.shape.stripped) == outcome


def test_no_string_of_a_caller_stands_in_the_shape() -> None:
    """Promise 8: every word can be erased, because the part that is kept for ever has none."""
    names = (
        "actor",
        "caption",
        "collection",
        "external_id",
        "metadata",
        "session",
        "source",
        "thread",
    )
    words = {name: f"word of {name}" for name in names}
    message = Message(text="the text", role="user", tags=("a tag",), **words)

    draft = experience.observe(message, "0" * 32)

    shape = msgspec.json.encode(draft.shape).decode()
    assert not any(word in shape for word in (*words.values(), "the text", "a tag"))
    content = msgspec.json.encode(draft.content).decode()
    assert all(word in content for word in (*words.values(), "the text", "a tag"))


@given(st.text(max_size=40), st.sampled_from(("user", "tool")), st.none() | st.text(max_size=9))
def test_a_message_without_an_id_is_named_by_what_it_says(
    text: str, role: Any, thread: str | None
) -> None:
    """The same message in another run of an import has the same name, and another one another."""
    turn = Turn(at="line:1", text=text, role=role, thread=thread)

    assert experience.told(turn) == experience.told(msgspec.structs.replace(turn, at="line:2"))
    for change in ({"text": text + "x"}, {"role": "system"}, {"thread": "other one"}, {"at_ms": 1}):
        assert experience.told(msgspec.structs.replace(turn, **change)) != experience.told(turn)


def test_a_draft_keeps_its_places_for_links() -> None:
    """What comes in the same commit is named by its place in it."""
    from muniment.model.event import Local

    draft = experience.observe(SAID, None, (Local("parent", 3),))

    assert isinstance(draft, Draft)
    assert draft.locals == (Local("parent", 3),)
