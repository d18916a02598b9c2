"""No requirement without a test, no test for what is not required."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.requirements import ALL, Requirement

TESTS = Path(__file__).parents[1]
AREAS = {path.stem for path in Path(__file__).parent.glob("*.py")}
KNOWN = {entry.id: entry for entry in ALL}
ID = re.compile(r"[a-z]+(:[a-z0-9]+(-[a-z0-9]+)*){1,2}")
DEFERRED = re.compile(r"20\d\d-\d\d-\d\d: \S.{9,}")


def marks(tree: ast.AST) -> Iterator[ast.Call]:
    """Each `@requirement(...)` over a function or a class of `tree`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func).endswith("requirement"):
                    yield mark


def proofs(folder: Path) -> dict[str, list[str]]:
    """Which tests in `folder` say that they prove what: places by requirement id."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("*.py")):
        for mark in marks(ast.parse(path.read_bytes())):
            for argument in mark.args:
                assert isinstance(argument, ast.Constant), f"{path}:{mark.lineno}: not a literal"
                place = f"{path.relative_to(folder)}:{mark.lineno}"
                found.setdefault(str(argument.value), []).append(place)
    return found


PROOFS = proofs(TESTS)


@pytest.mark.parametrize("entry", ALL, ids=lambda entry: entry.id)
def test_a_requirement_has_a_test_or_waits_with_a_reason(entry: Requirement) -> None:
    """Nothing that was promised is forgotten; what waits says since when and why."""
    proved = entry.id in PROOFS

    if entry.deferred is None:
        assert proved, f"no test is marked @requirement({entry.id!r})"
    else:
        assert not proved, f"no longer deferred: {PROOFS[entry.id]}"
        assert DEFERRED.fullmatch(entry.deferred), 'deferred is "YYYY-MM-DD: reason"'


def test_a_mark_names_a_requirement_that_exists() -> None:
    """A misspelt id proves nothing, and says so."""
    unknown = {id: places for id, places in PROOFS.items() if id not in KNOWN}

    assert unknown == {}


def test_no_two_requirements_share_an_id_or_a_text() -> None:
    """One behaviour, one entry: a second one with the same words is a mistake of copying."""
    ids = Counter(entry.id for entry in ALL)
    texts = Counter(entry.text for entry in ALL)

    assert [id for id, times in ids.items() if times > 1] == []
    assert [text for text, times in texts.items() if times > 1] == []


@pytest.mark.parametrize("entry", ALL, ids=lambda entry: entry.id)
def test_a_requirement_is_well_formed(entry: Requirement) -> None:
    """Its id starts with the file it stands in, and it is one sentence about one row."""
    assert ID.fullmatch(entry.id)
    assert entry.id.partition(":")[0] in AREAS
    assert re.fullmatch(r"[ABC]\d{1,2}|P[1-9]", entry.row)
    assert entry.text.endswith(".")
    assert entry.text[0].isupper() or entry.text[0].isdigit()
    assert "\n" not in entry.text


def test_each_promise_has_requirements() -> None:
    """The nine promises are tested, each by at least one behaviour that is not deferred."""
    rows = {entry.row for entry in ALL if entry.deferred is None}

    assert {f"P{number}" for number in range(1, 10)} <= rows
