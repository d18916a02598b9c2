"""Experience: what is taken in comes back as it was, in its order, with where it came from."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any, get_args

import pytest

from muniment import Import, Memory, Observe, Thread
from muniment.model.event_kinds import ExperienceType, Role
from tests.operations.seen import erased, refused, shown, stated, texts
from tests.requirements.marker import requirement

MIB = 1_048_576
TEXTS = [
    "The door code is 5512.",
    "  two spaces before, two after  ",
    "line\nline\r\nline\rline\n\n\tindented\u2028separator\u0085next",
    "Ответ: за́втра в 9:30.",
    "图书馆几点开门？二楼左边。",
    "مرحبا، كيف حالك؟ مَرْحَبًا",
    "สวัสดีครับ ยินดีที่ได้รู้จัก",
    "👩‍👩‍👧 family 🇺🇦 flag ❤️ heart 👍🏽",
    "e\u0301 is not é here, and x\u030c has no letter of its own",
    "ＡＢＣ１２３ full width",
    "\u200bzero\u200dwidth\ufeff",
    "\x01\x1f\x7f control",
    "<b>&amp;</b> ```python\nprint(1)\n```",
    "\U0010ffff last \ue000 private",
]


@requirement("experience:kinds:every")
def test_every_type_of_every_role_comes_back(memory: Memory) -> None:
    """Seed 2: messages, tool calls, results, task events, corrections and imports of all roles."""
    said = [
        (role, type, memory.observe(f"{role} {type}", role=role, type=type, thread="t"))
        for role, type in product(get_args(Role), get_args(ExperienceType))
    ]

    items = memory.run(Thread(thread="t")).items

    assert [(item.role, item.type, item.id) for item in items] == [
        (role, type, each.id) for role, type, each in said
    ]
    assert {item.kind for item in items} == {"event"}
    assert {item.standing for item in items} == {"current"}


@requirement("experience:text:exact")
@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text)[:24])
def test_a_text_comes_back_exactly(memory: Memory, text: str) -> None:
    """Seed 2: evidence is the very characters, in any script, with white space and line ends."""
    id = memory.observe(text, role="user", thread="t").id

    assert shown(memory, id).text == text
    assert memory.run(Thread(thread="t")).items[0].text == text
    assert texts(memory.recall("", policy="recent")) == [text]


@requirement("experience:text:limit")
def test_a_message_of_one_mebibyte_is_taken_and_one_byte_more_is_not(memory: Memory) -> None:
    """The bound is counted in bytes: of three a character here."""
    at = "語" * (MIB // 3) + "a" * (MIB % 3)

    id = memory.observe(at, role="user").id

    assert len(at.encode()) == MIB
    assert shown(memory, id).text == at
    with refused(memory, "too_long", at="text"):
        memory.observe(at + "a", role="user")


@pytest.mark.parametrize(
    "field", ["actor", "thread", "session", "external_id", "collection", "source"]
)
def test_a_name_has_512_bytes_and_no_more(memory: Memory, field: str) -> None:
    """Names are counted in bytes, and none is blank."""
    at = "é" * 256

    id = memory.observe("said", role="user", **{field: at}).id

    assert getattr(shown(memory, id), field) == at
    with refused(memory, "too_long", at=field):
        memory.observe("said", role="user", **{field: at + "a"})
    with refused(memory, "blank_text", at=field):
        memory.observe("said", role="user", **{field: " "})


def test_tags_and_captions_have_their_bounds(memory: Memory) -> None:
    """32 tags of 512 bytes; a caption of 8,192; a repeated tag counts once."""
    tags = [f"tag {number}" for number in range(31)] + ["é" * 256]

    id = memory.observe("said", role="user", tags=[*tags[:31], tags[31]], caption="é" * 4_096).id

    assert shown(memory, id).tags == tuple(tags)
    with refused(memory, "too_long", at="tags"):
        memory.observe("said", role="user", tags=[*tags, "one more"])
    with refused(memory, "too_long", at="tags[0]"):
        memory.observe("said", role="user", tags=["é" * 256 + "a"])
    with refused(memory, "blank_text", at="tags[1]"):
        memory.observe("said", role="user", tags=["a", " "])
    with refused(memory, "too_long", at="caption"):
        memory.observe("said", role="user", caption="é" * 4_096 + "a")
    assert shown(memory, memory.observe("x", role="user", tags=["a", "b", "a"]).id).tags == (
        "a",
        "b",
    )


@requirement("experience:text:encoding")
@pytest.mark.parametrize("bad", ["a\0b", "a\ud800b", "\udfff"])
@pytest.mark.parametrize(
    "field",
    ["text", "actor", "thread", "session", "external_id", "collection", "caption", "source",
     "parent", "reply_to"],
)  # fmt: skip
def test_a_string_that_would_not_come_back_is_refused(memory: Memory, field: str, bad: str) -> None:
    """Seed 1: NUL and half surrogate pairs are refused with the path of the field."""
    memory.observe("said", role="user")

    with refused(memory, "bad_encoding", at=field):
        memory.observe(**{"text": "said", "role": "user", field: bad})
    with refused(memory, "bad_encoding", at="tags[1]"):
        memory.observe("said", role="user", tags=("a", bad))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("role", "human"), ("role", None), ("type", "note"), ("mode", "later"), ("tags", "a"),
        ("lines", (1,)), ("lines", (5, 4)), ("lines", (0, 1)), ("span", (-1, 4)), ("span", (3, 2)),
        ("text", None), ("at", 1.5), ("scope", 5), ("reply_to", 1),
    ],
)  # fmt: skip
def test_a_wrong_field_is_refused_with_its_name(memory: Memory, field: str, value: object) -> None:
    """Nothing is guessed: what is no such value is refused and named."""
    memory.observe("said", role="user")

    with refused(memory, "bad_shape", at=field):
        memory.observe(**{"text": "said", "role": "user", field: value})


@requirement("experience:links:reply")
def test_a_message_comes_back_with_what_it_answers_and_stands_under(memory: Memory) -> None:
    """Seed 2: replies are linked to the message that triggered them, by exact id."""
    question = memory.observe("What is the code?", role="user").id
    above = memory.observe("A section about codes.", role="narrator").id

    short = question.split("-")[0]
    id = memory.observe("It is 7731.", role="assistant", reply_to=short, parent=above).id

    assert (shown(memory, id).reply_to, shown(memory, id).parent) == (question, above)


@requirement("experience:links:unknown")
@pytest.mark.parametrize("field", ["parent", "reply_to"])
def test_a_message_answers_only_earlier_experience(memory: Memory, field: str) -> None:
    """Promise 3: a record is nothing that can be answered, and what does not stand yet neither."""
    record = memory.remember("a record")
    next_id = f"e{record.seq + 1}"

    for id in (record.id, next_id):
        with refused(memory, "not_found", at=field):
            memory.observe("said", role="user", **{field: id})


@requirement("experience:source:as-given")
def test_where_a_message_came_from_comes_back_as_given(memory: Memory) -> None:
    """Seed 2: file, lines, characters, actor, session and the rest; 0 is 0."""
    given: dict[str, Any] = {
        "actor": "Ann", "session": "s1", "thread": "t1", "external_id": "m1",
        "collection": "letters", "caption": "a red door", "source": "notes/2026.md",
        "tags": ("keys", "house"), "lines": (1, 1), "span": (0, 12),
    }  # fmt: skip

    id = memory.observe("The door code is 5512.", role="user", **given).id

    item = shown(memory, id)
    assert {name: getattr(item, name) for name in given} == given


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        ("1767225600001", "2026-01-01T00:00:00.001Z"),
        ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000Z"),
        ("2026-01-01T01:30:00.123+01:30", "2026-01-01T00:00:00.123Z"),
        ("2025-12-31T19:00:00-05:00", "2026-01-01T00:00:00.000Z"),
        (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ],
)
def test_a_time_comes_back_in_utc(memory: Memory, given: int | str, wanted: str) -> None:
    """What a caller says of the time is a claim, and is kept beside the time of recording."""
    id = memory.observe("said", role="user", at=given).id

    item = shown(memory, id)
    assert item.at == wanted
    assert item.recorded_at.startswith("2026-01-01T00:00:")


@requirement("experience:time:offset")
@pytest.mark.parametrize(
    "time", ["2026-01-01", "2026-01-01T10:00:00", "10:00", "yesterday", "", 10**16, "99999-01-01"]
)
def test_a_time_without_an_offset_is_refused(memory: Memory, time: int | str) -> None:
    """Guessing a zone moves facts by hours; what is no time is no time."""
    memory.observe("said", role="user")

    with refused(memory, "bad_time", at="at"):
        memory.observe("said", role="user", at=time)


@requirement("experience:time:offset")
def test_a_time_without_an_offset_is_read_in_the_zone_that_was_given(
    memory: Memory, tmp_path: Path
) -> None:
    """Whoever knows the zone says it; summer time counts."""
    lines = [{"role": "user", "text": text, "at": at, "thread": "t"} for text, at in (
        ("in winter", "2026-01-15T12:00:00"), ("in summer", "2026-07-15T12:00:00"),
    )]  # fmt: skip
    file = tmp_path / "said.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")

    without = memory.run(Import(file=str(file)))
    within = memory.run(Import(file=str(file), tz="Europe/Berlin"))

    assert [failed.code for failed in without.failed] == ["bad_time"] * 2
    assert within.imported == 2
    assert [item.at for item in memory.run(Thread(thread="t")).items] == [
        "2026-01-15T11:00:00.000Z", "2026-07-15T10:00:00.000Z",
    ]  # fmt: skip


@requirement("experience:order:thread")
def test_a_thread_comes_back_in_the_order_of_taking_in(memory: Memory) -> None:
    """Seed 2: the order is that of the ledger, whatever the messages say of their time."""
    for number in range(12):
        memory.observe(f"a{number}", role="user", thread="a", at=1_000_000 - number)
        memory.observe(f"b{number}", role="user", thread="b")
    memory.observe("nowhere", role="user")

    items = memory.run(Thread(thread="a")).items

    assert [item.text for item in items] == [f"a{number}" for number in range(12)]
    assert memory.run(Thread(thread="A")).items == ()


@pytest.mark.parametrize("limit", [1, 5, 11, 12, 13])
def test_a_thread_can_be_read_in_pages(memory: Memory, limit: int) -> None:
    """Each page says where the next one begins, and the last one that it is the last."""
    for number in range(12):
        memory.observe(f"a{number}", role="user", thread="a")
        memory.observe("between", role="user")

    pages, after = [], 0
    while True:
        page = memory.run(Thread(thread="a", after=after, limit=limit))
        pages.append([item.text for item in page.items])
        if page.next is None:
            break
        after = page.next

    assert [text for page in pages for text in page] == [f"a{number}" for number in range(12)]
    assert [len(page) for page in pages[:-1]] == [limit] * (len(pages) - 1)
    assert 1 <= len(pages[-1]) <= limit


@pytest.mark.parametrize("limit", [0, -1, 10_001])
def test_a_page_of_a_thread_has_a_bound(memory: Memory, limit: int) -> None:
    """Zero and negative limits are bad input."""
    memory.observe("said", role="user", thread="a")

    with refused(memory, "bad_shape", at="limit"):
        memory.run(Thread(thread="a", limit=limit))


@requirement("experience:order:confidence")
def test_an_event_says_how_sure_its_place_is(memory: Memory, tmp_path: Path) -> None:
    """Seed 2: high as its source deserves, medium without a time, low where its parent is missing."""
    file = tmp_path / "said.jsonl"
    lines: list[dict[str, Any]] = [
        {"id": "1", "role": "user", "text": "dated", "at": 0},
        {"id": "2", "role": "user", "text": "undated"},
        {"id": "3", "role": "user", "text": "orphaned", "at": 0, "parent": "gone"},
        {"id": "4", "role": "user", "text": "linked", "at": 0, "parent": "1"},
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")

    memory.run(Import(file=str(file)))
    live = memory.observe("live", role="user")

    wanted = {"dated": "high", "undated": "medium", "orphaned": "low", "linked": "high"}
    found = {item.text: item.ordering for item in memory.recall("", policy="recent").items}
    assert found == {**wanted, "live": "high"}
    assert shown(memory, live.id).ordering == "high"


@requirement("experience:external:repeat")
def test_the_same_external_id_with_the_same_content_is_known(memory: Memory) -> None:
    """Seed 2: a host that sends a message again, also at another time, adds nothing.

    Nor does the file it came from count, which is another one with every export.
    """
    fields = {"role": "user", "external_id": "m1", "actor": "Ann", "tags": ("a",), "thread": "t"}
    first = memory.observe("said", at=1, **fields)
    before = stated(memory)

    again = memory.observe("said", at=2, source="another.json", **fields)

    assert (again.known, again.standing) == (True, "current")
    assert (again.id, again.seq, again.head) == (first.id, first.seq, first.head)
    assert stated(memory) == before
    assert shown(memory, first.id).at == "1970-01-01T00:00:00.001Z"


@requirement("experience:external:reused")
@pytest.mark.parametrize(
    "change",
    [
        {"text": "something else"}, {"role": "assistant"}, {"type": "correction"},
        {"actor": "Ben"}, {"thread": "u"}, {"tags": ()}, {"session": "s"}, {"caption": "c"},
        {"collection": "c"},
    ],
    ids=lambda change: next(iter(change)),
)  # fmt: skip
def test_the_same_external_id_with_other_content_is_a_conflict(
    memory: Memory, change: dict[str, Any]
) -> None:
    """Seed 2: two things never share a name, and the first one stays."""
    fields = {"text": "said", "role": "user", "external_id": "m1", "actor": "Ann", "tags": ("a",),
              "thread": "t"}  # fmt: skip
    memory.observe(**fields)

    with refused(memory, "external_id_reused", at="external_id"):
        memory.observe(**{**fields, **change})


def test_an_external_id_belongs_to_its_scope(memory: Memory) -> None:
    """Promise 7: the same id elsewhere is another message."""
    here = memory.observe("here", role="user", external_id="m1", scope="here")
    there = memory.observe("there", role="user", external_id="m1", scope="there")

    assert (here.known, there.known) == (False, False)


def test_without_an_external_id_the_same_words_are_said_twice(memory: Memory) -> None:
    """People repeat themselves, and each time is an event."""
    first = memory.observe("Good morning.", role="user")
    second = memory.observe("Good morning.", role="user")

    assert first.id != second.id
    assert len(memory.recall("morning").items) == 2


@requirement("experience:append-only")
def test_a_correction_is_a_new_event_and_the_old_one_stays(memory: Memory) -> None:
    """Seed 2: no command changes an event; what was said was said."""
    first = memory.observe("The code is 5512.", role="user", thread="t")
    before = shown(memory, first.id)

    second = memory.observe(
        "No, it is 7731.", role="user", type="correction", parent=first.id, thread="t"
    )

    assert shown(memory, first.id) == before
    assert shown(memory, second.id).parent == first.id
    assert texts(memory.recall("code")) == ["The code is 5512."]
    assert [item.id for item in memory.run(Thread(thread="t")).items] == [first.id, second.id]


@requirement("experience:append-only")
def test_no_request_names_an_event_to_be_changed(memory: Memory) -> None:
    """Every operation that names an event reads it, cites it, or erases it whole."""
    from muniment.operations import OPERATIONS

    id = memory.observe("said", role="user").id
    before = shown(memory, id)

    writing = [operation for operation in OPERATIONS if operation.effect != "read"]
    for operation in writing:
        request: Any = operation.request
        if "id" in request.__struct_fields__ and operation.name != "appraise":
            more = {"text": "other", "sources": (id,)} if operation.name == "correct" else {}
            with refused(memory, "not_found", at="id"):
                memory.run(request(id=id, **more))

    assert len(writing) > 5
    assert shown(memory, id) == before


def test_a_later_message_may_answer_an_erased_one(memory: Memory) -> None:
    """Its place in the conversation stays, also when its words are gone."""
    first = memory.observe("Forget this.", role="user", thread="t").id
    erased(memory, event=first)

    second = memory.run(Observe(text="Answered.", role="assistant", reply_to=first))

    assert shown(memory, second.id).reply_to == first
