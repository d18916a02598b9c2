"""What is shown: gates, order, budget.  Pure: the same hits and items give the same pack."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from muniment import limits
from muniment.errors import PackOverflow
from muniment.model.event_kinds import StyleName
from muniment.model.hit import Ask, Found
from muniment.model.pack import Item, Suppressed
from muniment.model.policy import REQUIREMENTS
from muniment.model.query import Budget
from muniment.ranking import judge, render, weigh
from muniment.ranking.judge import Candidate


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """What is shown, its text, and what was considered and left out, with the reason."""

    items: tuple[Item, ...]
    text: str
    suppressed: tuple[Suppressed, ...]


def choose(
    found: Sequence[Found], items: Mapping[int, Item], ask: Ask, must: Sequence[str], budget: Budget
) -> Choice:
    """All that must be shown, then what fits whole, best first.

    `must` are the retrievers whose hits must be shown.  Where a task is asked about, or what is
    at stake is weighed, the rest is chosen by `weigh`; else each fused hit in its order.

    Raises:
        PackOverflow: what must be shown is over the budget; the message names it.
        RequiredNotCurrent: a required reference does not stand any more.
        NotApplicable: a reference is bound to another task.
        BadShape: a reference is to an appraisal, which enters with what it assesses.
    """
    weighed = is_weighed(ask, found)
    # A recorded decision is compared part by part, and one that does not stand is one of them.
    judged = judge.judged(found, items, ask, must, strict=weighed and not ask.filtered)
    if not weighed:
        return _packed(judged.candidates, list(judged.suppressed), budget, ask.style)
    chosen = weigh.weighed(judged, found, items, ask, budget)
    return Choice(items=chosen.items, text=chosen.text, suppressed=chosen.suppressed)


def kept(
    found: Sequence[Found],
    items: Mapping[int, Item],
    ask: Ask,
    must: Sequence[str],
    ids: Sequence[str],
) -> Choice:
    """What is left of a choice that was made before, in its order; nothing else is tried."""
    judged = judge.judged(found, items, ask, must)
    if is_weighed(ask, found):
        entries = weigh.written(judged, found, items, ask, ids)
    else:
        entries = {each.item.id: (each.item, each.entry) for each in judged.candidates}
    chosen = [entries[id] for id in ids if id in entries]
    return Choice(
        items=tuple(item for item, _ in chosen),
        text=render.pack([entry for _, entry in chosen], ask.style),
        suppressed=(),
    )


def is_weighed(ask: Ask, found: Sequence[Found]) -> bool:
    """Whether a task is asked about, or what is at stake has its say."""
    ranked = ask.floor_ppm is not None or ask.boost_ppm is not None
    return ranked or any(each.retriever == REQUIREMENTS for each in found)


def _packed(
    candidates: Sequence[Candidate],
    suppressed: list[Suppressed],
    budget: Budget,
    style: StyleName,
) -> Choice:
    chosen: list[Candidate] = []
    size = render.size(())  # of the entries one after the other; shared headers only take less
    for candidate in candidates:
        reason = _over(chosen, candidate, size, budget, style)
        if reason is None:
            chosen.append(candidate)
            size += candidate.bytes
        elif candidate.must:
            must = [each for each in candidates if each.must]
            raise PackOverflow(
                render.overflow(candidate.item.id, reason, candidate.bytes)
                + render.needed([(each.entry, each.name) for each in must], budget, style),
                at="items_max" if reason == "budget_items" else "bytes_max",
            )
        else:
            suppressed.append(judge.left_out(candidate.item, reason, candidate.entry))
    return Choice(
        items=tuple(one.item for one in chosen),
        text=render.pack([one.entry for one in chosen], style),
        suppressed=tuple(suppressed),
    )


def _over(
    chosen: Sequence[Candidate], more: Candidate, size: int, budget: Budget, style: StyleName
) -> str | None:
    """Which part of the budget one more would break; `size` is that of what is chosen."""
    if len(chosen) >= budget.items_max:
        return "budget_items"
    larger = size + more.bytes > budget.bytes_max
    fits: Callable[[str], bool] | None = budget.tokens_fit
    if fits is None and not (larger and style == "grouped"):
        return "budget_bytes" if larger else None
    entries = [*(one.entry for one in chosen), more.entry]
    if larger and (style != "grouped" or render.size(entries, style) > budget.bytes_max):
        return "budget_bytes"
    if fits is not None and not fits(render.pack(entries, style)):
        return "budget_tokens"
    return None


def bounded(suppressed: Sequence[Suppressed]) -> tuple[tuple[Suppressed, ...], int]:
    """The first of them, and how many more there are."""
    kept = tuple(suppressed[: limits.SUPPRESSED_MAX])
    return kept, len(suppressed) - len(kept)
