"""Recall: words are found in every script, by pieces and by phrases, in bounded work."""

from __future__ import annotations

from pathlib import Path

import pytest

from muniment import Memory
from tests.conftest import Clock
from tests.operations.seen import found, ids, texts
from tests.operations.test_context import steps
from tests.requirements.marker import requirement

SCRIPTS = [
    ("Ответ: дверь открыта.", ["дверь", "ДВЕРЬ", "ответ"]),
    ("Это за́мок на холме.", ["замок", "за́мок", "холме"]),
    ("图书馆在二楼左边。", ["图", "图书", "书馆", "图书馆", "二楼", "左边在二楼"]),
    ("東京タワーへ行きました。", ["東京", "タワー", "行きました"]),
    ("도서관은 이층에 있습니다", ["도서", "도서관은", "이층"]),
    ("مكتبة المدينة مفتوحة", ["مكتبة", "المدينة"]),
    ("مَرْحَبًا بكم", ["مَرْحَبًا", "بكم"]),
    ("ספרייה עירונית", ["ספרייה"]),
    ("สวัสดีครับ ห้องสมุดอยู่ไหน", ["สวัสดี", "ห้องสมุด", "ดี"]),
    ("कविता हिन्दी में है", ["हिन्दी", "कविता"]),
    ("Die Straße ist groß.", ["Straße", "straße", "groß"]),
    ("The café is naïve about Zürich.", ["café", "cafe", "CAFÉ", "naive", "zurich", "cafe\u0301"]),
    ("x\u030ctown has a caron", ["x\u030ctown", "xtown"]),
    ("ＡＢＣ１２３ is full width", ["abc123", "ＡＢＣ１２３", "ａｂｃ１２３"]),
    ("ﬁle with a ligature", ["file", "ﬁle"]),
    ("Ναι, η θάλασσα ΰ προΐσταμαι", ["θάλασσα", "ΘΆΛΑΣΣΑ", "ΰ", "προΐσταμαι"]),
    ("party 🎉 tonight", ["🎉", "party"]),
    ("a family 👩‍👩‍👧 and a flag 🇺🇦", ["👩‍👩‍👧", "🇺🇦", "👧"]),
    ("thumbs 👍🏽 up", ["👍🏽", "👍"]),
    ("it costs 5€ or $7 at 100°", ["100"]),
    ("snake_case_name and kebab-case", ["snake_case_name", "case", "kebab-case", "kebab"]),
    ("versions run faster", ["version", "running", "FASTER"]),
    ("the number is 7731", ["7731"]),
]


@requirement("recall:text:scripts")
@pytest.mark.parametrize(
    ("text", "questions"), SCRIPTS, ids=[ascii(text)[:20] for text, _ in SCRIPTS]
)
def test_words_of_every_script_are_found(memory: Memory, text: str, questions: list[str]) -> None:
    """Seed 1: Cyrillic, CJK, Arabic, Thai, emoji and what else people write."""
    id = memory.observe(text, role="user").id
    memory.observe("nothing of the kind", role="user")

    assert {question: found(memory, question) for question in questions} == {
        question: [id] for question in questions
    }


# What was said, and what somebody asks who types it otherwise.
SPELLINGS = [
    ("Die Straße zum Fußball", ["Strasse", "STRASSE", "STRAẞE", "fussball"]),
    ("Η Αθήνα και ο ΟΔΥΣΣΕΥΣ, λόγῳ", ["αθηνα", "ΑΘΗΝΑ", "Οδυσσεύς", "οδυσσευς", "λογω"]),
    ("Ёлка и ёжик бухнём", ["елка", "ЕЛКА", "ежик", "бухнем"]),
    ("елка без точек", ["ёлка", "ЁЛКА"]),
    ("كِتَابٌ جَدِيدٌ عن الأحياء", ["كتاب", "جديد", "الاحياء"]),
    ("كتاب قديم", ["كِتَابٌ", "كتـــاب", "قدیم"]),
    ("کتاب فارسی", ["كتاب", "فارسي"]),
    ("שָׁלוֹם עולם", ["שלום", "עוֹלָם"]),
    ("Łódź, Ørsted, Þór, Æsir, Œuvre", ["lodz", "ORSTED", "thor", "aesir", "oeuvre"]),
    ("Iğdır ile İstanbul", ["ığdır", "igdir", "IĞDIR", "istanbul", "ISTANBUL"]),
    ("đường về Hà Nội", ["duong", "ha noi"]),
    ("الساعة ٢٠٢٦ ۷۷", ["2026", "77"]),
    ("Ge\u00adsamt\u00adkonzept", ["Gesamtkonzept"]), ("un\u2060broken", ["unbroken"]),
    ("mark\u200fed", ["marked"]),
    ("Gesamtkonzept", ["Ge\u00adsamt\u00adkonzept", "\ufeffGesamtkonzept"]),
    ("ქართული ენა", ["ᲥᲐᲠᲗᲣᲚᲘ"]),
    ("ᏣᎳᎩ", ["ꮳꮃꭹ"]),
]  # fmt: skip


@requirement("recall:text:spellings")
@pytest.mark.parametrize(
    ("text", "questions"), SPELLINGS, ids=[ascii(text)[:20] for text, _ in SPELLINGS]
)
def test_what_is_typed_in_another_way_is_found(
    memory: Memory, text: str, questions: list[str]
) -> None:
    """By whoever has no key for a letter, leaves its accent out, or copied it from a page."""
    id = memory.observe(text, role="user").id
    memory.observe("nothing of the kind", role="user")

    assert {question: found(memory, question) for question in questions} == {
        question: [id] for question in questions
    }
    assert memory.verify(depth="full").faults == ()


@requirement("recall:text:spellings")
def test_other_words_and_quotations_are_found_in_any_spelling(memory: Memory) -> None:
    """A caller's synonyms meet the index as the words of a question do."""
    id = memory.observe("Die Straße nach Łódź", role="user").id

    for group in ("Weg, Straße", "weg, STRASSE NACH LODZ"):
        assert ids(memory.recall("WEG", synonyms=(group,))) == [id]
    assert found(memory, '"strasse nach lodz"') == [id]


@requirement("recall:text:cjk")
@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("图", ["图书馆", "地图书店"]),
        ("书馆", ["图书馆"]),
        ("图书", ["图书馆", "地图书店"]),
        ("图馆", []),
        ("馆书", []),
        ("门", ["开 门"]),
        ("開", []),
        ("がな", ["ひらがな"]),
        ("ท่า", ["ท่าเรือ"]),
    ],
)
def test_one_or_two_characters_are_found_side_by_side(
    memory: Memory, question: str, wanted: list[str]
) -> None:
    """Seed 2: scripts without spaces are found by any two characters that stand together."""
    for text in ("图书馆", "地图书店", "开 门", "ひらがな", "ท่าเรือ"):
        memory.observe(text, role="user")

    assert sorted(texts(memory.recall(question))) == sorted(wanted)


@requirement("recall:text:quoted")
@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ('"red door"', ["the red door is open", "Red Door!"]),
        ('who said "red door" and when', ["the red door is open", "Red Door!"]),
        ("“red door”", ["the red door is open", "Red Door!"]),
        ("«red door»", ["the red door is open", "Red Door!"]),
        ('"the red door"', ["the red door is open"]),
        ('"red door" "is open"', ["the red door is open"]),
        ('"door red"', ["a door red with rust"]),
        ('"open red"', []),
        ('"green door"', []),
        ('"red door" "on a door"', []),
        (
            "who opened the 'library'? \"open red door\"",
            ["Red Door!", "a door red with rust", "red paint on a door", "the red door is open"],
        ),
        ('"書館在"', ["図書館在此"]),
    ],
)
def test_words_in_quotation_marks_stand_together_in_that_order(
    memory: Memory, question: str, wanted: list[str]
) -> None:
    """Seed 2: a quote is found where it was said, and not where its words stand apart."""
    for text in ("the red door is open", "Red Door!", "a door red with rust",
                 "red paint on a door", "図書館在此", "図書館は此在"):  # fmt: skip
        memory.observe(text, role="user")

    assert sorted(texts(memory.recall(question))) == sorted(wanted)


@requirement("recall:text:operators")
@pytest.mark.parametrize(
    "question",
    [
        "apple AND pear", "apple OR", "NOT apple", "apple NOT pear", "NEAR(apple pear)",
        "NEAR(apple, 2)", "apple*", "^apple", "body:apple", "{body} : apple", "-apple", "+apple",
        "(apple", "apple)", '"apple', 'apple"', '"" apple', '"apple" *', "apple + pear", "apple; --",
        "apple' OR 1=1 --", "ap\\ple apple", "apple\n\n", "apple|pear", "col:x apple", "apple\x01",
        "rank MATCH apple", "text_index: apple", 'apple "" ""', '"apple" AND',
    ],
)  # fmt: skip
def test_nothing_in_a_question_is_an_operator(memory: Memory, question: str) -> None:
    """A question is words, whatever signs stand around them."""
    apple = memory.observe("an apple a day", role="user").id

    assert found(memory, question) == [apple]


@pytest.mark.parametrize(
    "text", ['say "apple"', "apple's", "(apple)", "apple,pear", "#apple", "@apple", "a.apple.b"]
)
def test_signs_around_a_word_do_not_hide_it(memory: Memory, text: str) -> None:
    """The same signs in what was said."""
    id = memory.observe(text, role="user").id

    assert found(memory, "apple") == [id]


def test_an_event_is_found_by_who_said_it_and_what_a_picture_shows(memory: Memory) -> None:
    """The speaker and the caption belong to what was said."""
    by_actor = memory.observe("good morning", role="user", actor="Ann Karenin").id
    by_caption = memory.observe("look", role="user", caption="a red lighthouse").id
    by_key = memory.remember("7731", key="door-code", about="Mira").id

    assert found(memory, "karenin") == [by_actor]
    assert found(memory, "lighthouse") == [by_caption]
    assert found(memory, "door code") == [by_key]
    assert found(memory, "mira") == [by_key]


@requirement("recall:text:bounded-time")
def test_a_question_of_50000_words_takes_the_work_of_its_rarest(
    memory: Memory, directory: Path, clock: Clock
) -> None:
    """Seed 2: counted in the engine's steps; what was left out of the question is said."""
    for number in range(300):
        memory.observe(f"a common line number {number} with extraordinarily{number}", role="user")
    words = [f"w{number}" for number in range(50_000)]
    long = " ".join([*words, "extraordinarily7", "common"])

    taken = {}
    for name, question in (("short", "extraordinarily7 common"), ("long", long)):
        with steps() as counted, Memory.open(directory, clock=clock) as fresh:
            pack = fresh.recall(question)
            assert pack.items[0].text.endswith("extraordinarily7")
            assert len(pack.trace.terms) <= 64
            assert pack.trace.terms_left_out == (49_938 if name == "long" else 0)
        taken[name] = counted[0]

    assert taken["long"] < 3 * taken["short"]


@requirement("recall:text:bounded-time")
def test_words_that_stand_everywhere_are_answered_from_a_bounded_number(memory: Memory) -> None:
    """Seed 2: what a retriever hands on is bounded, and it says that there was more."""
    for number in range(400):
        memory.observe(f"everywhere and always {number}", role="user")

    pack = memory.recall("everywhere always")

    lexical = {each.retriever: each for each in pack.trace.retrievers}["lexical"]
    assert (lexical.hits, lexical.limited) == (64, True)
    assert 64 <= len(pack.items) + len(pack.suppressed) <= 128
    assert not memory.recall("nothing here").trace.retrievers[-1].limited


@requirement("recall:policy:lexical")
def test_lexical_shows_what_shares_words_best_first(memory: Memory) -> None:
    """Seed 1: rarer words and shorter texts count more; what shares none is not there."""
    memory.remember("unrelated", kind="task")
    both = memory.observe("the amber lamp", role="user").id
    one = memory.observe("a lamp stands in the long and dark corridor of the house", role="user").id
    for number in range(10):
        memory.observe(f"corridor {number}", role="user")

    assert found(memory, "amber lamp") == [both, one]
    assert found(memory, "lamp amber amber") == [both, one]


@requirement("recall:policy:balanced")
def test_balanced_takes_rank_by_rank_and_shows_nothing_twice(memory: Memory) -> None:
    """Seed 1: what must be shown, then what the words lead to, each once."""
    task = memory.remember("Buy a lamp.", kind="task").id
    other = memory.remember("Call Mira.", kind="task").id
    lamp = memory.observe("lamp", role="user").id

    pack = memory.recall("lamp", pin=(lamp,))

    assert [item.id for item in pack.items] == [lamp, task, other]
    assert [item.reasons for item in pack.items] == [
        ("required", "lexical", "nearby"), ("open_tasks", "lexical"), ("open_tasks",),
    ]  # fmt: skip


def test_recent_shows_the_newest_first(memory: Memory) -> None:
    """By the order of taking in, whatever a message says of its time."""
    written = [
        memory.observe("one", role="user", at=5_000_000_000_000).id,
        memory.remember("two").id,
        memory.observe("three", role="user", at=0).id,
    ]

    pack = memory.recall("anything", policy="recent")

    assert [item.id for item in pack.items] == written[::-1]
