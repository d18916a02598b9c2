"""The style `grouped` through the door: the same things, named once a source, and more of them."""

from __future__ import annotations

from typing import Any

import pytest

from muniment import Appraise, Memory, Replay, Require, WhyNot, errors
from muniment.model.pack import Pack
from muniment.ranking import grouped, render
from tests.operations.seen import ids, left_out
from tests.requirements.marker import requirement

DAY = "2026-05-02T10:{:02}:00Z"
WAYS: list[dict[str, Any]] = [{}, {"floor_ppm": 0}, {"boost_ppm": 500_000, "task": "sail"}]


@pytest.fixture
def told(memory: Memory) -> list[str]:
    """What two people said in one talk, and what was concluded of it."""
    made = [
        memory.observe(
            f"The harbour {word}.", role="user", actor="Ann of the harbour", at=DAY.format(number),
            thread="t",
        ).id
        for number, word in enumerate(("is deep", "closes", "opens again", "has a crane", "sleeps"))
    ]  # fmt: skip
    made.append(memory.observe("A harbour?", role="user", actor="Ben", at=DAY.format(9)).id)
    made += [
        memory.remember(f"The harbour fact {number}.", kind="fact", sources=(made[0],)).id
        for number in range(3)
    ]
    made.append(memory.run(Require(text="Harbour rules first.", task="sail")).id)
    memory.run(Appraise(id=made[6], harm_ppm=900_000))
    return made


def inner(pack: Pack) -> str:
    """The text without what stands around it."""
    return pack.text.removeprefix(render.HEAD).removesuffix(render.FOOT)


@requirement("contextual:style:grouped")
@pytest.mark.parametrize("way", WAYS)
def test_the_same_things_are_shown_in_fewer_bytes(
    memory: Memory, told: list[str], way: dict[str, Any]
) -> None:
    """Seed 2, shared labels: expanding gives back exactly the plain rows."""
    plain = memory.recall("harbour", **way)
    pack = memory.recall("harbour", style="grouped", **way)

    assert pack.items == plain.items
    assert grouped.expanded(inner(pack)) == inner(plain)
    assert pack.bytes == len(pack.text.encode()) < plain.bytes
    assert inner(pack).startswith("[#0] ")
    assert inner(pack).count("Ann of the harbour") == 1
    assert inner(plain).count("Ann of the harbour") == 5


@requirement("contextual:style:grouped-fits")
@pytest.mark.parametrize("way", WAYS)
def test_the_budget_is_that_of_the_text_with_its_headers(
    memory: Memory, told: list[str], way: dict[str, Any]
) -> None:
    """Promise 4: what fits with shared headers enters; a byte less, and the last does not."""
    whole = memory.recall("harbour", style="grouped", **way)
    plain = memory.recall("harbour", bytes_max=whole.bytes, **way)

    exact = memory.recall("harbour", style="grouped", bytes_max=whole.bytes, **way)
    less = memory.recall("harbour", style="grouped", bytes_max=whole.bytes - 1, **way)

    assert exact.text == whole.text
    assert exact.suppressed == whole.suppressed
    assert len(plain.items) < len(exact.items)
    assert less.bytes < whole.bytes
    assert set(left_out(less).values()) >= {"budget_bytes"}
    assert set(ids(less)) | set(left_out(less)) == set(ids(whole)) | set(left_out(whole))
    for most in range(200, whole.bytes, 37):
        try:
            pack = memory.recall("harbour", style="grouped", bytes_max=most, **way)
        except errors.PackOverflow:
            continue
        assert pack.bytes <= most


@requirement("contextual:style:grouped-fits")
@pytest.mark.parametrize("way", WAYS)
def test_a_receipt_of_it_gives_the_same_bytes(
    memory: Memory, told: list[str], way: dict[str, Any]
) -> None:
    """Promise 5: the style is part of what was decided, with the budget that it was measured on."""
    whole = memory.recall("harbour", style="grouped", **way)
    pack = memory.recall(
        "harbour", style="grouped", record=True, bytes_max=whole.bytes - 1, **way
    )  # fmt: skip
    assert pack.receipt is not None

    then = memory.run(Replay(receipt=pack.receipt, against="then"))

    assert (then.same, then.text, then.style) == (True, pack.text, "grouped")


@requirement("contextual:style:grouped-fits")
def test_why_not_is_the_same_in_every_style(memory: Memory, told: list[str]) -> None:
    """What a thing takes is what it takes alone; why it is left out follows from the budget."""
    plain = [memory.run(WhyNot(id=id, query="harbour", items_max=3)) for id in told]

    found = [memory.run(WhyNot(id=id, query="harbour", items_max=3, style="grouped"))
             for id in told]  # fmt: skip

    assert found == plain
    assert {each.reason for each in found} >= {"shown", "budget_items"}


@requirement("contextual:style:grouped-fits")
def test_what_must_be_shown_is_measured_with_shared_headers(memory: Memory) -> None:
    """Open tasks that fit only with them are shown; where they do not, the size told is right."""
    made = [memory.remember(f"Do {number}.", kind="task", key=f"k{number}").id for number in (1, 2)]
    both = memory.recall("zzz", style="grouped")
    many = [memory.remember(f"Fact {number}.", kind="fact").id for number in range(4)]
    pack = memory.recall("zzz", style="grouped", require=tuple(many), policy="lexical")
    plain = memory.recall("zzz", require=tuple(many), policy="lexical")
    assert ids(both) == made
    assert pack.bytes < plain.bytes

    fits = memory.recall(
        "zzz", style="grouped", require=tuple(many), policy="lexical", bytes_max=pack.bytes
    )
    with pytest.raises(errors.PackOverflow):
        memory.recall("zzz", require=tuple(many), policy="lexical", bytes_max=pack.bytes)
    with pytest.raises(errors.PackOverflow) as over:
        memory.recall(
            "zzz", style="grouped", require=tuple(many), policy="lexical", bytes_max=pack.bytes - 1
        )

    assert fits.text == pack.text
    assert f"4 items and {pack.bytes} bytes" in over.value.detail


@requirement("contextual:style:grouped-fits")
def test_tokens_are_counted_on_the_text_with_its_headers(memory: Memory, told: list[str]) -> None:
    """The caller's function sees what would be handed over."""
    seen: list[str] = []

    def fits(text: str) -> bool:
        seen.append(text)
        return text.count("Ann of the harbour") < 3

    pack = memory.recall("harbour", style="grouped", tokens_fit=fits)

    assert pack.text in seen
    assert len(pack.items) == len(memory.recall("harbour").items)
    assert len(memory.recall("harbour", tokens_fit=fits).items) < len(pack.items)
