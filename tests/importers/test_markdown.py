"""Markdown conversations: where turns begin, who speaks, when, and which characters they take."""

from __future__ import annotations

import json
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment import limits
from muniment.importers import markdown
from muniment.model.turn import Failed, Turn
from tests.importers.files import LABEL, failures, texts, told, turns
from tests.requirements.marker import requirement


def said(file: str, tz: ZoneInfo | None = None) -> list[tuple[str, str | None, str]]:
    """Role, actor and text of each turn."""
    return [(turn.role, turn.actor, turn.text) for turn in turns(markdown, file.encode(), tz)]


@requirement("importers:markdown:conversation")
@pytest.mark.parametrize(
    "file",
    [
        "## User\n\nHello.\n\n### Assistant\n\nGood day.\n",
        "## User:\nHello.\n## **AI**\nGood day.\n",
        "#### You said:\nHello.\n\n---\n\n#### Assistant said:\nGood day.\n\n---\n",
        "# Human\r\n\r\nHello.\r\n\r\n# Bot #\r\n\r\nGood day.",
        "**User:** Hello.\n\n**Assistant:** Good day.\n",
        "**User**: Hello.\n**Assistant**: Good day.\n",
        "**User**\n\nHello.\n\n**Assistant**\n\nGood day.\n",
        "User: Hello.\nAssistant: Good day.\n",
        "User:\n\nHello.\n\nAssistant:\nGood day.",
        "> **User:** Hello.\n\n**Assistant:** Good day.\n",
        "> User: Hello.\n>\n> Assistant: Good day.\n",
        "User\uff1aHello.\nAssistant\uff1aGood day.\n",
        "\ufeff## \U0001f9d1 User\nHello.\n## \U0001f916 Assistant\nGood day.\n",
    ],
)
def test_a_turn_begins_where_a_role_is_named(file: str) -> None:
    """Headings, bold names and plain names, as programs and people write them."""
    assert said(file) == [("user", None, "Hello."), ("assistant", None, "Good day.")]


@requirement("importers:markdown:conversation")
@pytest.mark.parametrize(
    ("name", "role", "actor"),
    [
        ("User", "user", None),
        ("human", "user", None),
        ("Me", "user", None),
        ("Assistant", "assistant", None),
        ("AI", "assistant", None),
        ("bot", "assistant", None),
        ("ChatGPT", "assistant", "ChatGPT"),
        ("Claude", "assistant", "Claude"),
        ("GPT-4o", "assistant", "GPT-4o"),
        ("Claude 3.5 Sonnet", "assistant", "Claude 3.5 Sonnet"),
        ("Claude Monet", "user", "Claude Monet"),
        ("System", "system", None),
        ("Tool", "tool", None),
        ("Ann", "user", "Ann"),
        ("Dr. Ann O'Neill", "user", "Dr. Ann O'Neill"),
        ("\u5c0f\u660e", "user", "\u5c0f\u660e"),
    ],
)
def test_who_speaks_is_a_role_or_a_person(name: str, role: str, actor: str | None) -> None:
    """A name that is no role word is a person, who is a user called so."""
    file = f"**{name}:** One.\n\n**Zoe:** Two.\n\n**{name}:** Three.\n"

    assert said(file) == [
        (role, actor, "One."),
        ("user", "Zoe", "Two."),
        (role, actor, "Three."),
    ]


@pytest.mark.parametrize(
    "file",
    [
        "Ann: One.\nBen: Two.\n",
        "**Ann:** One.\n\n**Ben:** Two.\n",
        "# Talk\n\nAnn: One.\nBen: Two.\n",
        "Ann (09:00): One.\n\nBen (09:05): Two.\n",
    ],
)
def test_two_people_talk(file: str) -> None:
    """No role word is needed where the whole file is made of names and what they say."""
    assert said(file) == [("user", "Ann", "One."), ("user", "Ben", "Two.")]


def test_people_talk_under_headings() -> None:
    """Names return, and no other heading has their level."""
    file = "# Talk\n\n### Ann\nOne.\n### Ben\nTwo.\n#### A detail\nMore.\n### Ann\nThree.\n"

    assert said(file) == [
        ("user", "Ann", "One."),
        ("user", "Ben", "Two.\n#### A detail\nMore."),
        ("user", "Ann", "Three."),
    ]


@pytest.mark.parametrize(
    ("file", "texts"),
    [
        (
            "## User\nHow?\n## Assistant\nSo.\n\n## Steps\n**Note:** slowly.\nUser: no turn\n",
            ["How?", "So.\n\n## Steps\n**Note:** slowly.\nUser: no turn"],
        ),
        (
            "**User:** How?\n\n**Assistant:** So.\n**Flour:** 5 g\n\n**Salt:** 1 g\n",
            ["How?", "So.\n**Flour:** 5 g\n\n**Salt:** 1 g"],
        ),
        (
            "User: How?\nAssistant: So.\nFlour: 5 g\nFlour: 6 g\nhttp://a.b/\n  User: in\n",
            ["How?", "So.\nFlour: 5 g\nFlour: 6 g\nhttp://a.b/\n  User: in"],
        ),
        (
            "Ann: Hm.\nNote: this\nAssistant: So.\nStep: one\nAnn: Bye.\n",
            ["Hm.\nNote: this", "So.\nStep: one", "Bye."],
        ),
        (
            "**Ann (2024-05-01 10:00Z):** Hm.\n**Idea:** a\n**Idea:** b\n**Ann:** Bye.\n",
            ["Hm.\n**Idea:** a\n**Idea:** b", "Bye."],
        ),
        (
            "**User:** As you said:\n\n> **Assistant:** So.\n\n**Assistant:** Yes.\n",
            ["As you said:\n\n> **Assistant:** So.", "Yes."],
        ),
    ],
    ids=["headings", "bold", "plain", "labels", "timed", "quoted"],
)
def test_what_looks_like_a_speaker_is_text_where_the_file_has_others(
    file: str, texts: list[str]
) -> None:
    """A file has one way of naming speakers, and an answer may be full of labels."""
    assert [text for _, _, text in said(file)] == texts


@requirement("importers:markdown:code")
@pytest.mark.parametrize("fence", ["```", "~~~", "````"])
@pytest.mark.parametrize("line", ["## Assistant", "**Assistant:** x", "Assistant: x", "```"])
def test_no_turn_begins_in_a_code_block(fence: str, line: str) -> None:
    """Code that shows a conversation is text of the turn around it."""
    if fence == line:
        line = "User: x"
    code = f"{fence}md\n{line}\n{fence}"

    assert said(f"User: Look:\n{code}\nAssistant: I see.\n") == [
        ("user", None, f"Look:\n{code}"),
        ("assistant", None, "I see."),
    ]


def test_a_code_block_that_never_ends_hides_no_turn() -> None:
    """A forgotten fence costs nobody a word."""
    assert said("User: Look:\n```\ncode\nAssistant: I see.\n") == [
        ("user", None, "Look:\n```\ncode"),
        ("assistant", None, "I see."),
    ]


@requirement("importers:markdown:conversation")
def test_lines_and_span_say_where_the_text_stands() -> None:
    """Counted in lines from 1 and in characters from 0 of the file as it is, CRLF and all."""
    file = "\u00e9: x\n\n## User\n\n\n  One,\ntwo.\n\n**Assistant:** no\n## AI\nYes. "
    file = file.replace("\n", "\r\n")

    found = turns(markdown, file.encode())

    assert [turn.lines for turn in found] == [(1, 1), (6, 9), (11, 11)]
    assert [turn.at for turn in found] == ["line:1", "line:3", "line:10"]
    assert found[0].span == (0, 4)
    assert [file[turn.span[0] : turn.span[1]] for turn in found if turn.span] == [
        turn.text for turn in found
    ]


def test_text_before_the_first_turn_is_told_by_the_narrator() -> None:
    """Nothing of a file is lost, and nobody is said to have said it."""
    found = turns(markdown, b"# Talk\n\nIn the garden.\n\n## User\nHello.\n## Assistant\nHm.\n")

    assert [(turn.role, turn.type, turn.text) for turn in found] == [
        ("narrator", "import", "In the garden."),
        ("user", "message", "Hello."),
        ("assistant", "message", "Hm."),
    ]


def test_notes_in_which_nobody_speaks_are_one_text() -> None:
    """A file that is named as Markdown is taken whole."""
    file = "# Bees\n\n## Spring\n\nThey fly.\n\n## Summer\n\nThey still do.\n"

    assert said(file) == [("narrator", None, file.strip())]


@pytest.mark.parametrize("file", [b"", b"\n \r\n\t\n", b"---\ntitle: Nothing\n---\n"])
def test_an_empty_file_says_nothing(file: bytes) -> None:
    """It is not a failure to have nothing to say."""
    assert told(markdown, file) == []


def test_a_speaker_who_says_nothing_is_told() -> None:
    """Somebody was about to speak; that is not silently nothing."""
    file = b"## User\n\n## Assistant\n\nHello?\n\n---\n\n## User\n---\n"

    assert failures(markdown, file) == [("line:1", "blank_text"), ("line:9", "blank_text")]
    assert texts(told(markdown, file)) == ["Hello?"]


@pytest.mark.parametrize(
    ("stamp", "tz", "at_ms"),
    [
        ("2024-05-01 10:00+02:00", None, 1714550400000),
        ("2024-05-01T08:00:00Z", None, 1714550400000),
        ("2024-05-01, 8:00 UTC", None, 1714550400000),
        ("2024-05-01 08:00 AM Z", None, 1714550400000),
        ("2024-05-01 10:00", "Europe/Berlin", 1714550400000),
        ("10:00+02:00", None, None),
        ("10:00", None, None),
        ("2024-05-01", None, None),
        ("she/her", None, None),
    ],
)
def test_a_time_stands_beside_the_name(stamp: str, tz: str | None, at_ms: int | None) -> None:
    """A moment needs a day, a time of day and an offset; else the order is all that is known."""
    file = f"**User ({stamp}):** Hello.\n\n**Assistant:** Hm.\n".encode()

    (turn, *_) = turns(markdown, file, ZoneInfo(tz) if tz else None)

    assert (turn.at_ms, turn.ordering) == (at_ms, "medium" if at_ms is None else "high")
    assert (at_ms is None) == (stamp in (turn.metadata or "") + (turn.actor or ""))


@pytest.mark.parametrize("stamp", ["2024-05-01 10:00", "2024-05-01 25:00Z", "2024-05-32 10:00Z"])
def test_a_time_that_cannot_be_placed_fails_its_turn(stamp: str) -> None:
    """Taken in without its time, the same turn would come twice once a zone is given."""
    file = f"## User ({stamp})\nHello.\n## Assistant\nHm.\n".encode()

    assert failures(markdown, file) == [("line:1", "bad_time")]
    assert texts(told(markdown, file)) == ["Hm."]


@pytest.mark.parametrize(
    ("heading", "session", "at_ms"),
    [
        ("## Session 2 \u2014 2024-05-01", "Session 2", 1714550400000),
        ("# Conversation 7 (May 1, 2024)", "Conversation 7", 1714550400000),
        ("## 2024-05-01", "Talk", 1714550400000),
        ("### Wednesday, 1 May 2024", "Talk", 1714550400000),
    ],
)
def test_a_heading_sets_session_and_day(heading: str, session: str, at_ms: int) -> None:
    """From there on, a time of day is a time of that day."""
    file = (
        "# Talk\n\n## 2024-04-30\n\n**User (10:00Z):** Hello.\n**Assistant:** Hm.\n\n"
        f"{heading}\n\n**User (8:00Z):** Again.\n"
    )

    found = turns(markdown, file.encode())

    assert [(turn.session, turn.at_ms) for turn in found] == [
        ("Talk", 1714471200000),
        ("Talk", None),
        (session, at_ms),
    ]
    assert json.loads(found[1].metadata or "") == {"title": "Talk", "date": "2024-04-30"}


def test_a_date_inside_an_answer_is_text_of_it() -> None:
    """Only a heading with a turn right behind it speaks of what follows."""
    file = "## User\nWhen?\n## Assistant\n## 2024-05-01\nOn this day.\n"

    assert [text for _, _, text in said(file)] == ["When?", "## 2024-05-01\nOn this day."]


def test_front_matter_names_the_thread() -> None:
    """What it says of the whole is said of each turn."""
    file = (
        b"---\ntitle: 'Bees'\ndate: 2024-05-01\nthread: t1\nsession: s1\n---\n"
        b"**User (8:00Z):** Hello.\n**Assistant:** Hm.\n"
    )

    found = turns(markdown, file)

    assert [(turn.thread, turn.session, turn.at_ms) for turn in found] == [
        ("t1", "s1", 1714550400000),
        ("t1", "s1", None),
    ]
    assert found[0].metadata == '{"title":"Bees"}'
    assert found[0].lines == (7, 7)


@pytest.mark.parametrize(
    ("date", "kept"),
    [("2024-05-01", False), ("Wednesday, 1 May 2024", True), ("2024-05-01 10:00", True),
     ("soon", True)],
)  # fmt: skip
def test_a_date_that_says_more_than_a_day_is_kept(date: str, kept: bool) -> None:
    """What no field holds would be lost with the lines it stands in."""
    front = f"---\ndate: {date}\n---"

    found = said(f"{front}\n## User\nHello.\n")

    assert found == [("narrator", None, front)] * kept + [("user", None, "Hello.")]


def test_front_matter_with_more_to_say_is_kept() -> None:
    """What has no field is told by the narrator, as it stands."""
    front = "---\ntitle: Bees\ntags:\n  - honey\n---"

    assert said(f"{front}\n## User\nHello.\n")[0] == ("narrator", None, front)


def test_a_file_without_a_thread_is_one_of_its_label() -> None:
    """All of a file is one conversation."""
    (turn,) = turns(markdown, b"## User\nHello.\n")

    assert (turn.thread, turn.session, turn.namespace, turn.external_id) == (
        LABEL,
        None,
        None,
        None,
    )


def test_bytes_that_are_not_utf_8_fail_their_turn_alone() -> None:
    """The turns around them keep their lines."""
    file = b"## User\ncaf\xe9\n## Assistant\nHm.\n## User\n\0\n## Assistant\nYes.\n"

    assert failures(markdown, file) == [("line:1", "bad_encoding"), ("line:5", "bad_encoding")]
    assert texts(told(markdown, file)) == ["Hm.", "Yes."]


def test_a_file_that_is_too_long_fails() -> None:
    """It is read whole, so it has the bound of one item."""
    file = b"## User\n" + b"x" * limits.IMPORT_ITEM_BYTES_MAX

    assert failures(markdown, file) == [("line:1", "too_long")]


@given(
    st.lists(
        st.sampled_from(
            [
                *("## User", "### Assistant", "## Ann (10:00)", "# Talk", "## Session 2", "---"),
                *("**User:** a", "**Ann (2024-05-01 10:00Z):** b", "User: c", "Ann: d", "```"),
                *("> Ann: e", "> f", "g", "", "  ", "\u00e9", "tags: [a]", "**Note:** h", "- i"),
                *("~~~", "## 2024-05-01", "\ufeff"),
            ]
        )
    ),
    st.sampled_from(["\n", "\r\n"]),
)
def test_every_word_of_a_file_is_in_some_turn_or_names_one(lines: list[str], end: str) -> None:
    """Spans are exact, in order and apart, and only what marks turns stands between them."""
    file = end.join(lines)

    heard = told(markdown, file.encode(), ZoneInfo("UTC"))
    found = [item for item in heard if isinstance(item, Turn)]

    covered = 0
    between = []
    for turn in found:
        assert turn.span is not None
        assert turn.lines is not None
        begin, stop = turn.span
        assert covered <= begin < stop
        assert file[begin:stop] == turn.text or ">" in file
        assert turn.lines[0] == file.count("\n", 0, begin) + 1
        assert turn.lines[1] == file.count("\n", 0, stop) + 1
        between.append(file[covered:begin])
        covered = stop
    between.append(file[covered:])
    assert {"c", "d", "g", "- i", "\u00e9"}.isdisjoint(
        line.strip() for piece in between for line in piece.split("\n")
    )


@requirement("importers:every:streamed")
def test_a_file_of_too_many_lines_is_not_held() -> None:
    """Blank lines cost as much as others while they are looked at."""
    (failed,) = told(markdown, b"\n" * (limits.MARKDOWN_LINES_MAX + 1))

    assert isinstance(failed, Failed)
    assert failed.code == "too_long"
