"""Whatever is bound to whom: exactly what applies is said, and nothing that is kept is seen."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment import Memory, Remember
from muniment.model import pack
from tests.requirements.marker import requirement

TASKS, PEOPLE, ROOMS = ("meal", "walk"), ("Ann", "Ben"), ("hall", "yard")


class Made(msgspec.Struct, frozen=True):
    """One record to be written, and by whom it is seen."""

    kind: str
    task: str | None
    about: str | None
    priority: int | None
    place: tuple[str, str] | None

    def fields(self) -> dict[str, Any]:
        """As a request has them."""
        seen: dict[str, Any] = {}
        if self.place is not None:
            name = "reader" if self.place[0] == "private" else "room"
            seen = {"visibility": self.place[0], name: self.place[1]}
        priority = self.priority if self.kind == "requirement" else None
        return {
            "kind": self.kind, "task": self.task, "about": self.about, "priority": priority, **seen,
        }  # fmt: skip


PLACES = st.one_of(
    st.none(),
    st.tuples(st.just("private"), st.sampled_from(PEOPLE)),
    st.tuples(st.just("room"), st.sampled_from(ROOMS)),
)
MADE = st.builds(
    Made,
    kind=st.sampled_from(("requirement", "note", "belief")),
    task=st.sampled_from(TASKS),
    about=st.sampled_from((None, *PEOPLE)),
    priority=st.sampled_from((None, 1, 2)),
    place=PLACES,
)


@requirement("contextual:task:participants", "contextual:seen:filtered", "contextual:select:order")
@settings(max_examples=25)
@given(
    made=st.lists(MADE, max_size=9),
    task=st.sampled_from((None, *TASKS)),
    people=st.sets(st.sampled_from(PEOPLE)),
    reader=st.sampled_from((None, *PEOPLE)),
    room=st.sampled_from((None, *ROOMS)),
    weighed=st.booleans(),
)
def test_exactly_what_applies_and_may_be_seen_is_said(
    made: list[Made], task: str | None, people: set[str], reader: str | None, room: str | None,
    weighed: bool,
) -> None:  # fmt: skip
    """Seed 2, by a second account of it: who sees, in which task, about whom, in which order."""
    with (
        tempfile.TemporaryDirectory() as directory,
        Memory.open(Path(directory) / "m", entropy=random.Random(7).randbytes) as memory,
    ):
        memory.observe("Nothing of it.", role="user")
        ids = [
            memory.run(Remember(text=f"fern word{number}", **each.fields())).id
            for number, each in enumerate(made)
        ]

        got = memory.recall(
            "fern", task=task, participants=tuple(sorted(people)) if task else (), reader=reader,
            room=room, items_max=32, floor_ppm=0 if weighed else None,
        )  # fmt: skip

    def seen(each: Made) -> bool:
        asks = {"private": reader, "room": room}
        return each.place is None or asks[each.place[0]] == each.place[1]

    def said(each: Made) -> bool:
        return seen(each) and each.task == task and each.about in (None, *people)

    shown = [item.id for item in got.items]
    wanted = [
        (each.kind == "requirement", each.priority, number)
        for number, each in enumerate(made)
        if said(each)
    ]
    rules = sorted(
        (each for each in wanted if each[0]), key=lambda each: (-(each[1] or 0), each[2])
    )
    assert shown[: len(rules)] == [ids[number] for _, _, number in rules]
    assert sorted(shown) == sorted(ids[number] for _, _, number in wanted)
    answer = str(pack.plain(got))
    assert [ids[n] for n, each in enumerate(made) if not seen(each) and ids[n] in answer] == []
    assert [n for n, each in enumerate(made) if not seen(each) and f"word{n}" in answer] == []
