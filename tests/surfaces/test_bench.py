"""The measurements: built-in questions are answered, and a file's evidence is counted rightly."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from muniment.surfaces import evidence, fixtures
from tests.requirements.marker import requirement
from tests.surfaces.shell import run

LINES: list[dict[str, Any]] = [
    {"role": "user", "actor": "Ann", "text": "My car is a green estate.", "external_id": "m1"},
    {"role": "user", "actor": "Ben", "text": "Mine has no roof.", "external_id": "m2"},
    {"role": "user", "actor": "Ann", "text": "We sail on Sundays.", "external_id": "m3"},
    {"question": "What colour is Ann's car?", "evidence": ["m1"], "category": "single"},
    {"question": "When does the sail go up?", "evidence": ["m3", "m99"], "category": "half"},
    {"question": "Who likes parrots?", "evidence": []},
]


@pytest.fixture(autouse=True)
def _own_temporary_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Messages and questions of one's own."""
    made = tmp_path / "own.jsonl"
    made.write_text("\n".join(json.dumps(line) for line in LINES), encoding="utf-8")
    return made


@requirement("faces:bench:memory")
def test_the_built_in_questions_are_answered_within_their_bounds(tmp_path: Path) -> None:
    """Six of six and seven of seven, where the newest answer one and words alone four and five."""
    answer = run("bench", "memory", "--json")

    assert (answer.code, answer.json["ok"]) == (0, True)
    answered = {
        name: {policy: each["answered"] for policy, each in policies.items()}
        for name, policies in answer.json["fixtures"].items()
    }
    assert answered == {
        "six questions": {"recent": 1, "lexical": 4, "balanced": 6, "hybrid": 6},
        "91 messages": {"recent": 1, "lexical": 5, "balanced": 7, "hybrid": 7},
    }
    for policies in answer.json["fixtures"].values():
        assert all(each["bytes_most"] <= 2_400 for each in policies.values())
        assert all(each["items_most"] <= 4 for each in policies.values())
    assert list(tmp_path.iterdir()) == []


@requirement("faces:bench:memory")
def test_questions_that_are_not_answered_are_a_negative(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 1, and a word for people."""
    monkeypatch.setitem(fixtures.LEAST["six questions"], "recent", 2)

    answer = run("bench", "memory")

    assert answer.code == 1
    assert "not as it must be" in answer.text


@requirement("faces:bench:recall")
def test_the_evidence_of_ones_own_questions_is_counted(file: Path) -> None:
    """A share of the evidence, by category; a question without evidence does not count."""
    figures = run("bench", "recall", str(file), "--json").json

    assert (figures["questions"], figures["policy"], figures["embedder"]) == (2, "balanced", None)
    assert figures["recall_at_5"] == figures["recall_in_8192_bytes"] == 0.75
    assert figures["mrr"] == 1.0
    assert figures["by_category"]["single"]["recall_at_10"] == 1.0
    assert figures["by_category"]["half"] == {
        "questions": 1, "recall_at_5": 0.5, "recall_at_10": 0.5, "recall_at_20": 0.5,
    }  # fmt: skip
    assert figures["cpu_ms_a_query"] > 0


@requirement("faces:bench:recall")
def test_each_signal_can_be_left_out_in_turn(file: Path) -> None:
    """And a model may be named."""
    figures = run("bench", "recall", str(file), "--embedder", "hashed", "--ablate", "--json").json

    assert (figures["policy"], figures["embedder"]) == ("hybrid", "hashed-1")
    assert {"lexical", "nearby", "similar", "synonyms", "speaker", "session"} <= set(
        figures["without"]
    )
    text = run("bench", "recall", str(file), "--policy", "lexical").text
    assert "2 questions by lexical, no vectors" in text


@requirement("faces:bench:recall")
def test_conversations_of_sessions_are_read(tmp_path: Path) -> None:
    """The shape of LoCoMo; what asks for no evidence, and its fifth category, are left out."""
    sample = {
        "conversation": {
            "speaker_a": "Ann",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ann", "dia_id": "D1:1", "text": "Hello!", "blip_caption": "x"}
            ],
        },
        "qa": [
            {"question": "Who said hello?", "evidence": ["D1:1"], "category": 4},
            {"question": "Who did not?", "evidence": ["D1:1"], "category": 5},
            {"question": "Who else?", "evidence": [], "category": 1},
        ],
    }
    file = tmp_path / "talks.json"
    file.write_text(json.dumps([sample]), encoding="utf-8")

    (conversation,) = evidence.read(file)

    assert [question.category for question in conversation.questions] == ["4"]
    (message,) = conversation.messages
    assert (message["at"], message["session"]) == ("2023-05-08T13:56:00+00:00", "session_1")
    assert run("bench", "recall", str(file), "--json").json["recall_at_5"] == 1.0


@requirement("faces:bench:recall")
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("recall",), "bad_usage"),
        (("memory", "file"), "bad_usage"),
        (("speed",), "bad_usage"),
        (("recall", "nothing-here"), "bad_file"),
        (("recall", "FILE"), "bad_json"),
        (("recall", "EMPTY"), "bad_file"),
    ],
)
def test_what_cannot_be_measured_is_bad_input(
    tmp_path: Path, words: tuple[str, ...], code: str
) -> None:
    """Exit code 2, with the code of what is wrong."""
    (tmp_path / "FILE").write_text("no JSON", encoding="utf-8")
    (tmp_path / "EMPTY").write_text('{"role": "user", "text": "Hi."}', encoding="utf-8")
    given = [str(tmp_path / word) if word.isupper() else word for word in words]

    answer = run("bench", *given, "--json")

    assert (answer.code, answer.error["code"]) == (2, code)


@requirement("faces:bench:recall")
def test_the_figures_of_recall_are_a_table_and_a_picture(file: Path, tmp_path: Path) -> None:
    """The table is Markdown with a column a budget; the picture is a PNG."""
    picture = tmp_path / "recall.png"

    answer = run("bench", "recall", str(file), "--markdown", "--plot", str(picture))

    lines = answer.text.splitlines()
    assert answer.code == 0
    assert len({line.count("|") for line in lines[:5]}) == 1
    assert lines[2].startswith("| all 2 | ")
    assert "Policy `balanced`, model none" in lines[-1]
    assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


@requirement("faces:bench:recall")
def test_a_picture_that_cannot_be_drawn_is_an_error_of_ours(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it may not be written, and where nothing can draw."""
    nowhere = run("bench", "recall", str(file), "--plot", str(tmp_path / "no" / "a.png"), "--json")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    nothing = run("bench", "recall", str(file), "--plot", str(tmp_path / "a.png"), "--json")

    assert (nowhere.code, nowhere.error["code"]) == (2, "bad_file")
    assert (nothing.code, nothing.error["code"]) == (1, "extra_missing")
