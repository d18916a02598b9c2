"""What is shown where a task is asked about, or what is at stake has its say.  Pure.

Things that were found become evidence for the one selection (`contextual.select`): likeness is
the fused score in millionths of the best, what must be shown is an obligation, and an appraisal
enters with what it assesses or not at all.  A memory whose appraisal does not fit is left out
with it: shown alone it would read like any other.

Whether things apply was asked by the gates, so nothing here is bound to a task but the obligations.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from muniment.errors import BadShape, PackOverflow
from muniment.model import binding, event
from muniment.model.contextual import (
    SCALE,
    Asked,
    Audience,
    Chosen,
    Code,
    Evidence,
    Ref,
    Selection,
    Turned,
)
from muniment.model.event_kinds import StyleName
from muniment.model.hit import Ask, Found
from muniment.model.pack import Item, Suppressed
from muniment.model.policy import APPRAISALS
from muniment.model.query import Budget
from muniment.ranking import contextual, gates, grouped, judge, render, stakes
from muniment.ranking.corpus import Candidate as Compared
from muniment.ranking.judge import Candidate, Judged
from muniment.ranking.stakes import Stakes

_TASK = "task"  # stands for the one that is asked about, whatever it is called
_APPRAISED = "appraised"
_MISSING: Code = "missing"
_OVER = {
    "budget_entries": "budget_items",
    "budget_bytes": "budget_bytes",
    "budget_tokens": "budget_tokens",
}


class Weighed(msgspec.Struct, frozen=True, kw_only=True):
    """What is shown, its text, and what was left out."""

    items: tuple[Item, ...]
    text: str
    suppressed: tuple[Suppressed, ...]


class Offered:
    """What was found, as the selection looks into it."""

    def __init__(self, memories: Sequence[Evidence], appraisals: Sequence[Evidence]) -> None:
        self.by_ref = {each.ref: each for each in (*memories, *appraisals)}
        self.copies: dict[Ref, list[Ref]] = {}
        self._obligations = [each for each in memories if each.required]
        self._memories = [each for each in memories if not each.required]
        self._appraisals = sorted(appraisals, key=lambda each: (-(each.intensity or 0), each.ref))
        self._stakes = Stakes(self.verdict)
        for each in self._memories:
            if each.complete:
                self.copies.setdefault(each.origin, []).append(each.ref)

    def verdict(self, ref: Ref, _audience: Audience) -> Code | None:
        """Nothing stands against what was found and passed the gates."""
        return None if ref in self.by_ref else _MISSING

    def obligations(self, _asked: Asked) -> list[Evidence]:
        """What must be shown, in the order in which it was found."""
        return self._obligations

    def unusable(self, _asked: Asked) -> tuple[Evidence, ...]:
        """Nothing: what cannot be read was never found."""
        return ()

    def strangers(self, _asked: Asked) -> bool:
        """Everything that was found can be compared."""
        return False

    def candidates(self, asked: Asked, _about: Any) -> Iterator[Compared]:
        """What may be chosen, best first, ties by reference."""
        found = [self.candidate(asked, each.ref) for each in self._memories]
        some = [each for each in found if each is not None]
        return iter(sorted(some, key=lambda each: (-each.score, each.evidence.ref)))

    def candidate(self, asked: Asked, ref: Ref) -> Compared | None:
        """One of the candidates, if it is like the question enough; the floor before the boost."""
        memory = self.by_ref[ref]
        likeness: int = memory.held.likeness_ppm
        if asked.ranked and likeness < asked.floor:
            return None
        stake = self._strongest(asked, memory) if asked.ranked and asked.boost else None
        boost = 0.0
        if stake is not None:
            boost = (asked.boost / SCALE) * ((stake.intensity or 0) / SCALE)
        return Compared(memory, likeness / SCALE, likeness / SCALE + boost, stake)

    def _strongest(self, asked: Asked, memory: Evidence) -> Evidence | None:
        return next(
            (
                each
                for each in self._appraisals
                if stakes.assesses(each, memory) and self._stakes.counts(each, asked)
            ),
            None,
        )


class Entries:
    """The style of a pack: its entries between head and foot."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def text(self, chosen: Sequence[Chosen], asked: Asked) -> bytes:
        """The whole text, on which the budget is measured."""
        assert asked.task is not None
        refs = {each.evidence.ref for each in chosen}
        entries = [self.entry(each.evidence, refs) for each in chosen]
        return render.pack(entries, self._ask.style).encode()

    def entry(self, evidence: Evidence, refs: set[Ref]) -> str:
        """One entry; a copy whose source stands there too refers to it where that is shorter."""
        entry: str = evidence.held.entry
        if evidence.complete and evidence.source in refs:
            source = evidence.held.item.sources[0].id.split("-")[0]
            return min(
                entry, render.entry(evidence.held.item, self._ask.style, text_of=source), key=len
            )
        return entry

    def least(self, evidence: Evidence, asked: Asked, *, alone: bool) -> int:
        """At least so many bytes are added by it."""
        del asked, alone
        if evidence.complete:
            return 0
        shared = self._ask.style == "grouped"
        return grouped.least(evidence.held.entry) if shared else int(evidence.held.bytes)


def weighed(
    judged: Judged, found: Sequence[Found], items: Mapping[int, Item], ask: Ask, budget: Budget
) -> Weighed:
    """The pack by the one selection.

    Raises:
        PackOverflow: what must be shown is over the budget; the message names it.
        BadShape: a reference is to an appraisal.
    """
    for each in judged.candidates:
        if each.name == judge.REFERENCES and each.item.kind == "appraisal":
            raise BadShape(
                "an appraisal enters with what it assesses",
                at="pin" if each.pinned else "require",
            )
    memories = [_memory(each, items) for each in judged.candidates if each.item.kind != "appraisal"]
    appraisals = list(_appraisals(found, items, ask))
    offered = Offered(memories, appraisals)
    asked = _asked(memories, ask, budget)
    selection = contextual.select(offered, asked, Entries(ask))
    if isinstance(selection, Turned):
        raise _overflow(selection, offered, asked, budget, ask.style)
    return _weighed(selection, judged, ask, offered)


def written(
    judged: Judged,
    found: Sequence[Found],
    items: Mapping[int, Item],
    ask: Ask,
    ids: Collection[str],
) -> dict[str, tuple[Item, str]]:
    """Those of these that were found, each with its entry beside the others, by id."""
    every = [_memory(each, items) for each in judged.candidates if each.item.kind != "appraisal"]
    every += _appraisals(found, items, ask)
    some = [each for each in every if each.held.item.id in ids]
    refs, entries = {each.ref for each in some}, Entries(ask)
    return {each.held.item.id: (each.held.item, entries.entry(each, refs)) for each in some}


def _memory(candidate: Candidate, items: Mapping[int, Item]) -> Evidence:
    item = candidate.item
    source = _source(item)
    told = None if source is None else items.get(source)
    copy = item.kind == "note" and source is not None
    obliged = candidate.must and candidate.name != judge.REFERENCES
    return Evidence(
        ref=(item.seq, 0),
        held=candidate,
        # An obligation is one of the task and concerns whoever asks: the gates saw to it.
        task=_TASK if obliged else None,
        subject=None if obliged else item.actor if item.kind == "event" else item.about,
        source=None if source is None else (source, 0),
        group=None if source is None else (source, 0),
        copy=copy,
        complete=copy and told is not None and told.text == item.text,
        required=obliged,
    )


def _source(item: Item) -> int | None:
    """The one event that a record comes from, if it is one."""
    ids = [source.id for source in item.sources]
    return event.reference(ids[0]).seq if len(ids) == 1 and ids[0].startswith("e") else None


def _appraisals(found: Sequence[Found], items: Mapping[int, Item], ask: Ask) -> Iterator[Evidence]:
    """Those that stand, of what was found."""
    hits = [hit for each in found if each.retriever == APPRAISALS for hit in each.hits]
    for rank, hit in enumerate(hits, start=1):
        item = items.get(hit.seq)
        if item is None or item.assesses is None or gates.standing(item, ask) is not None:
            continue
        shown = msgspec.structs.replace(item, reasons=(APPRAISALS,))
        held = Candidate(
            item=shown, entry=render.entry(shown, ask.style), must=False, name=APPRAISALS,
            likeness_ppm=rank,
        )  # fmt: skip
        yield Evidence(
            ref=(item.seq, 0),
            part="appraisal",
            held=held,
            subject=item.about,
            assesses=(event.reference(item.assesses).seq, 0),
            intensity=binding.intensity(item.benefit_ppm, item.harm_ppm),
        )


def _asked(memories: Sequence[Evidence], ask: Ask, budget: Budget) -> Asked:
    named = [each for each in memories if each.held.name == judge.REFERENCES]
    tokens = budget.tokens_fit
    return Asked(
        required=tuple(each.ref for each in named if not each.held.pinned),
        pinned=tuple(each.ref for each in named if each.held.pinned),
        task=_TASK,
        ranked=ask.floor_ppm is not None or ask.boost_ppm is not None,
        floor=ask.floor_ppm or 0,
        boost=ask.boost_ppm or 0,
        entries_max=budget.items_max,
        bytes_max=budget.bytes_max,
        fits=None if tokens is None else lambda text: not text or tokens(text.decode()),
    )


def _overflow(
    turned: Turned, offered: Offered, asked: Asked, budget: Budget, style: StyleName
) -> PackOverflow:
    """What must be shown and does not fit, and what all of it would need."""
    assert turned.code == "capacity", "what was found passed the gates"
    assert turned.ref is not None, "a pack without entries is empty"
    must = contextual.mandatory(offered, asked)
    assert not isinstance(must, Turned), "as above"
    held = offered.by_ref[turned.ref].held
    reason = _OVER[f"budget_{turned.over}"]
    return PackOverflow(
        render.overflow(held.item.id, reason, held.bytes)
        + render.needed([(each.held.entry, each.held.name) for each in must], budget, style),
        at="items_max" if reason == "budget_items" else "bytes_max",
    )


def _weighed(selection: Selection, judged: Judged, ask: Ask, offered: Offered) -> Weighed:
    chosen = {each.evidence.ref for each in selection.entries}
    reasons = {each.ref: _OVER.get(each.reason, each.reason) for each in selection.left_out}
    suppressed = list(judged.suppressed)
    for each in judged.candidates:
        ref = (each.item.seq, 0)
        if ref in chosen:
            continue
        reason = reasons.get(ref) or _unchosen(each, ask)
        suppressed.append(judge.left_out(each.item, reason, each.entry))
    return Weighed(
        items=tuple(_item(each, offered) for each in selection.entries),
        text=selection.text.decode(),
        suppressed=tuple(suppressed),
    )


def _unchosen(candidate: Candidate, ask: Ask) -> str:
    """Why something that was not even tried is left out."""
    if candidate.item.kind == "appraisal":
        return "appraisal_alone"
    if candidate.likeness_ppm < (ask.floor_ppm or 0):
        return "below_floor"
    return "budget_items"


def _item(chosen: Chosen, offered: Offered) -> Item:
    item: Item = chosen.evidence.held.item
    assert chosen.evidence.ref in offered.by_ref
    if chosen.reason != "significant":
        return item
    return msgspec.structs.replace(item, reasons=(*item.reasons, _APPRAISED))
