"""What ships in `examples/` is what its page says, in the layout of its kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.exchange import example
from tests.importers import cogg_files

EXPORT = Path(__file__).parents[1] / "examples" / "telescope-club.json"
COGG = EXPORT.with_name("cogg.db")
OPENED = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
TALKS: list[dict[str, Any]] = json.loads(EXPORT.read_text(encoding="utf-8"))


def branch(talk: dict[str, Any]) -> list[str]:
    """The ids from the root to the current node."""
    ids = []
    at = talk["current_node"]
    while at is not None:
        ids.append(at)
        at = talk["mapping"][at]["parent"]
    return ids[::-1]


def messages(talk: dict[str, Any]) -> list[dict[str, Any]]:
    """The messages of a conversation that say something, in the order of the file."""
    held = [node["message"] for node in talk["mapping"].values()]
    return [m for m in held if m is not None and m["author"]["role"] != "system"]


ALL = [message for talk in TALKS for message in messages(talk)]


@pytest.mark.parametrize("talk", TALKS, ids=lambda talk: talk["title"])
def test_each_node_hangs_together(talk: dict[str, Any]) -> None:
    """Parents and children name each other, and the current node is a leaf under the root."""
    nodes = talk["mapping"]

    for id, node in nodes.items():
        assert node["id"] == id
        assert all(nodes[child]["parent"] == id for child in node["children"])
    assert nodes[talk["current_node"]]["children"] == []
    assert nodes[branch(talk)[0]]["message"] is None


@pytest.mark.parametrize("talk", TALKS, ids=lambda talk: talk["title"])
def test_time_goes_forward(talk: dict[str, Any]) -> None:
    """The messages of one branch follow each other, inside the time of their conversation."""
    said = [talk["mapping"][id]["message"] for id in branch(talk)[2:]]
    times = [message["create_time"] for message in said if message["create_time"] is not None]

    assert times == sorted(times)
    assert talk["create_time"] <= times[0]
    assert times[-1] <= talk["update_time"]


def test_it_holds_what_its_page_lists() -> None:
    """Everything that an import has to get right happens in it at least once."""
    texts = [part for m in ALL for part in m["content"].get("parts", []) if isinstance(part, str)]

    assert len(ALL) == 81
    assert any(len(text.encode()) > 2_048 for text in texts)
    assert any(message["create_time"] is None for message in ALL)
    assert {message["content"]["content_type"] for message in ALL} == {
        "text",
        "multimodal_text",
        "code",
        "execution_output",
    }
    assert any(len(node["children"]) > 1 for talk in TALKS for node in talk["mapping"].values())


def test_ids_are_not_shared() -> None:
    """Two messages of the file are never the same message."""
    ids = [id for talk in TALKS for id in talk["mapping"]]

    assert len(ids) == len(set(ids))


def test_the_database_is_what_the_generator_of_such_files_makes(tmp_path: Path) -> None:
    """Every row that is hashed; nobody edits a database by hand."""
    cogg_files.example(tmp_path / "cogg.db")

    for table in ("subjects", "commits", "occasions", "attempts", "abstentions"):
        assert rows(COGG, table) == rows(tmp_path / "cogg.db", table)


def rows(path: Path, table: str) -> list[tuple[Any, ...]]:
    """All rows of a table."""
    database = apsw.Connection(f"{path.as_uri()}?immutable=1", OPENED)
    found = database.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()
    database.close()
    return list(found)


def test_the_greenhouse_is_what_its_maker_makes(tmp_path: Path) -> None:
    """The container and the queries of the exchange, byte by byte."""
    example.write(tmp_path)

    for name in (example.STORE, example.QUERIES):
        assert (tmp_path / name).read_bytes() == (example.EXAMPLES / name).read_bytes()
