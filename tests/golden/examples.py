"""The worked examples of docs/format.md, read off the golden files."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.golden.outsider import File, plain, tag

FOLDER = Path(__file__).parent / "format-1"
PAGE = Path(__file__).parents[2] / "docs" / "format.md"

_SECTION = re.compile(r"(?<=^## Worked examples\n).*?(?=^## )", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def section() -> str:
    """The text of the section."""
    club = File(next(FOLDER.glob("telescope-club-*.muniment")))
    forgotten = File(next(FOLDER.glob("erased-*.muniment")))
    _, _, name, secret, _ = club.scopes[0]
    height = {row[3]: row for row in club.commits if row[1] == "m"}
    key = json.loads(club.contents[height[18][2]][2])["key"]
    erasure = next(row for row in forgotten.commits if b'"ContentErased"' in row[5])
    parts = [
        "All of these are taken from `tests/golden/format-1/`, and a test computes them again.",
        f"The scope called `{name}`:",
        _block(secret=secret.hex(), name=name, name_tag=tag(secret, "scope", name)),
        "Its first header, and the hash of it:",
        _block(**_commit(height[0])),
        "The last message, with its content, and the commit that holds it:",
        _block(**_content(club, height[19][2]), **_shape(height[19]), **_commit(height[19])),
        "The version of a record before it. It supersedes the one with the same key:",
        _block(
            key=key,
            key_tag=tag(secret, "key", key),
            **_content(club, height[18][2]),
            **_shape(height[18]),
            **_commit(height[18]),
        ),
        "The erasure of a whole scope, in the file that keeps no name. Contents 1 and 2 are gone:",
        _block(**_shape(erasure), **_commit(erasure)),
    ]
    return "\n" + "\n\n".join(parts) + "\n\n"


def blocks() -> list[dict[str, str]]:
    """What the page shows: names and values, block by block."""
    found = _SECTION.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None
    return [
        dict(line.split(None, 1) for line in block.splitlines())
        for block in _BLOCK.findall(found[0])
    ]


def write() -> None:
    """The section of the page, anew."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(_SECTION.sub(lambda _: section(), page), encoding="utf-8")


def shown() -> str:
    """The section as it stands in the page."""
    found = _SECTION.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None
    return found[0]


def _block(**lines: str) -> str:
    width = max(map(len, lines)) + 2
    return "```text\n" + "".join(f"{name:{width}}{lines[name]}\n" for name in lines) + "```"


def _commit(row: Any) -> dict[str, str]:
    return {"header": plain(row[5]).decode(), "hash": row[4].hex()}


def _content(file: File, place: int) -> dict[str, str]:
    _, salt, held = file.contents[place]
    return {"content": held.decode(), "salt": salt.hex()}


def _shape(row: Any) -> dict[str, str]:
    """The only event of a commit, as its id is computed."""
    (shape,) = json.loads(plain(row[5]))["events"]
    id = shape.pop("id")
    bare = json.dumps(shape, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return {"shape": bare, "index": "0", "id": id}
