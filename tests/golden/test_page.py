"""What docs/format.md shows is what the golden files hold, and can be computed again."""

from __future__ import annotations

import json

import pytest

from muniment.model import event_kinds
from tests.golden import examples, outsider
from tests.requirements.marker import requirement

BLOCKS = examples.blocks()
SECRET = bytes.fromhex(BLOCKS[0]["secret"])


def test_the_examples_are_taken_from_the_golden_files() -> None:
    """`python -m tests.golden.make` writes both."""
    assert examples.shown() == examples.section()


@requirement("ledger:header:recomputed")
@pytest.mark.parametrize("block", BLOCKS, ids="-".join)
def test_an_example_can_be_computed_again(block: dict[str, str]) -> None:
    """Each digest, id, tag and hash of the page follows from what stands above it."""
    computed = 0
    if "hash" in block:
        assert block["hash"] == outsider.digest("muniment/commit/1", block["header"].encode())
        computed += 1
    if "shape" in block:
        shape, header = json.loads(block["shape"]), json.loads(block["header"])
        index = int(block["index"])
        assert block["id"] == outsider.event_id(header["parent"], index, shape)
        assert header["events"][index] == {**shape, "id": block["id"]}
        computed += 1
    if "content" in block:
        shape, held = json.loads(block["shape"]), block["content"].encode()
        salted = outsider.digest("muniment/content/1", bytes.fromhex(block["salt"]), held)
        assert (shape["content_digest"], shape["content_bytes"]) == (salted, len(held))
        computed += 1
    for name, kind in (("name", "scope"), ("key", "key")):
        if name in block:
            assert block[f"{name}_tag"] == outsider.tag(SECRET, kind, block[name])
            computed += 1
    assert computed > 0


@pytest.mark.parametrize("kind", event_kinds.EVENT_KINDS, ids=lambda kind: kind.shape.__name__)
def test_the_page_names_every_field_of_every_kind(kind: event_kinds.EventKind) -> None:
    """A field that is added to a shape or content is described before it is released."""
    page = examples.PAGE.read_text(encoding="utf-8")
    _, _, shapes = page.partition("## Shapes\n")
    shapes, _, contents = shapes.partition("## Contents\n")
    contents = contents.partition("## Ids\n")[0]
    own = shapes.partition(f"### {kind.shape.__name__}\n")[2].partition("\n### ")[0]

    common = set(event_kinds.Shape.__struct_fields__)
    assert own
    assert [
        f for f in kind.shape.__struct_fields__ if f not in common and f"`{f}`" not in own
    ] == []
    if kind.content is not None:
        told = contents.partition(f"**{kind.shape.__name__}**")[2].partition("\n**")[0]
        assert [f for f in kind.content.__struct_fields__ if f"`{f}`" not in told] == []
