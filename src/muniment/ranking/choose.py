"""What is shown: gates, order, budget.  Pure: the same hits and items give the same pack."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from muniment import limits
from muniment.errors import PackOverflow, RequiredNotCurrent
from muniment.model import passage
from muniment.model.hit import Ask, Found, Hit
from muniment.model.pack import Item, Suppressed
from muniment.model.query import Budget
from muniment.ranking import fuse, gates, render


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """What is shown, its text, and what was considered and left out, with the reason."""

    items: tuple[Item, ...]
    text: str
    suppressed: tuple[Suppressed, ...]


class _Candidate(msgspec.Struct, frozen=True):
    item: Item
    entry: str
    must: bool


def choose(
    found: Sequence[Found], items: Mapping[int, Item], ask: Ask, must: Sequence[str], budget: Budget
) -> Choice:
    """All that must be shown, then each fused hit that still fits whole, best first.

    `must` are the retrievers whose hits must be shown.

    Raises:
        PackOverflow: what must be shown is over the budget; the message names it.
        RequiredNotCurrent: a required reference does not stand any more.
    """
    ranked = {each.retriever: each.hits for each in found}
    reasons = _reasons(found)
    required = set(ask.required)
    suppressed: list[Suppressed] = []
    candidates: list[_Candidate] = []
    judged: set[int] = set()
    for name in (*must, fuse.NAME):
        best = max((hit.score for hit in ranked.get(name, ())), default=1.0) or 1.0
        for hit in ranked.get(name, ()):
            item = items.get(hit.seq)
            if item is None or hit.seq in judged:
                continue
            judged.add(hit.seq)
            reason = None if name == "required" and ask.history else gates.reason(item, ask)
            if name == "required":
                reason = _reference(item, reason, required)
            elif name in must:
                # What must not be forgotten is not filtered away either.
                reason = gates.standing(item, ask)
            shown = _shown(item, hit, best, reasons.get(hit.seq, ()))
            entry = render.entry(shown)
            if reason is not None:
                suppressed.append(_left_out(item, reason, entry))
            else:
                # A task past its time may be shown with history; only a current one must be.
                due = name == "required" or item.standing == "current"
                candidates.append(_Candidate(shown, entry, name in must and due))
    candidates.sort(key=lambda candidate: not candidate.must)
    return _packed(candidates, suppressed, budget)


def _reference(item: Item, reason: str | None, required: set[str]) -> str | None:
    """A reference is not filtered; it must stand, or be a pinned one that is left out."""
    if item.standing == "current" or (reason is None and item.standing != "erased"):
        return None
    if item.id in required or item.id.split("-")[0] in required:
        raise RequiredNotCurrent(f"{item.id} is {item.standing}", at="require")
    return item.standing


def _reasons(found: Sequence[Found]) -> dict[int, tuple[str, ...]]:
    """The retrievers that found each thing, in their order."""
    reasons: dict[int, tuple[str, ...]] = {}
    for each in found:
        for hit in () if each.retriever == fuse.NAME else each.hits:
            reasons[hit.seq] = (*reasons.get(hit.seq, ()), each.retriever)
    return reasons


def _shown(item: Item, hit: Hit, best: float, reasons: tuple[str, ...]) -> Item:
    """The item with why it is here; a long text as its best passage, labelled."""
    changed = msgspec.structs.replace(
        item, reasons=reasons, score_ppm=round(1_000_000 * hit.score / best)
    )
    spans = passage.spans(item.text) if hit.passage is not None else []
    if hit.passage is None or hit.passage >= len(spans):
        return changed
    start, end = spans[hit.passage]
    return msgspec.structs.replace(
        changed, text=item.text[start:end], span=(start, end), labels=(*item.labels, "passage")
    )


def _packed(
    candidates: Sequence[_Candidate], suppressed: list[Suppressed], budget: Budget
) -> Choice:
    chosen: list[_Candidate] = []
    size = len((render.HEAD + render.FOOT).encode())
    for candidate in candidates:
        more = len(candidate.entry.encode())
        reason = _over(chosen, candidate, size + more, budget)
        if reason is None:
            chosen.append(candidate)
            size += more
        elif candidate.must:
            raise PackOverflow(
                f"{candidate.item.id} must be shown and does not fit ({reason}: {more} bytes); "
                + _needed(candidates),
                at="items" if reason == "budget_items" else "bytes",
            )
        else:
            suppressed.append(_left_out(candidate.item, reason, candidate.entry))
    return Choice(
        items=tuple(one.item for one in chosen),
        text=render.pack([one.entry for one in chosen]),
        suppressed=tuple(suppressed),
    )


def _needed(candidates: Sequence[_Candidate]) -> str:
    must = [candidate for candidate in candidates if candidate.must]
    size = len(render.pack([candidate.entry for candidate in must]).encode())
    return (
        f"what must be shown takes {len(must)} items and {size} bytes: allow as many, close "
        "tasks that are done, or ask with the policy lexical, which promises no tasks"
    )


def _over(chosen: Sequence[_Candidate], more: _Candidate, size: int, budget: Budget) -> str | None:
    if len(chosen) >= budget.items_max:
        return "budget_items"
    if size > budget.bytes_max:
        return "budget_bytes"
    fits: Callable[[str], bool] | None = budget.tokens_fit
    if fits is not None and not fits(render.pack([one.entry for one in (*chosen, more)])):
        return "budget_tokens"
    return None


def _left_out(item: Item, reason: str, entry: str) -> Suppressed:
    return Suppressed(id=item.id, reason=reason, bytes=len(entry.encode()))


def bounded(suppressed: Sequence[Suppressed]) -> tuple[tuple[Suppressed, ...], int]:
    """The first of them, and how many more there are."""
    kept = tuple(suppressed[: limits.SUPPRESSED_MAX])
    return kept, len(suppressed) - len(kept)
