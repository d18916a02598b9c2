"""What may be shown, by the gates, before anybody asks whether it fits.  Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from muniment.errors import NotApplicable, RequiredNotCurrent
from muniment.model import passage
from muniment.model.hit import Ask, Found, Hit
from muniment.model.pack import Item, Suppressed
from muniment.ranking import fuse, gates, render

REFERENCES = "required"  # the retriever of what a caller names
OPEN_TASKS = "open_tasks"  # that of what must be shown whatever is asked


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that may be shown, and as what.  `name` is the retriever that it counts for."""

    item: Item
    entry: str
    must: bool
    name: str
    pinned: bool = False
    likeness_ppm: int = 0  # of the best that this retriever found

    @property
    def bytes(self) -> int:
        """What its entry takes."""
        return len(self.entry.encode())


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """What may be shown, what must be first, and what the gates left out."""

    candidates: tuple[Candidate, ...]
    suppressed: tuple[Suppressed, ...]


def judged(
    found: Sequence[Found],
    items: Mapping[int, Item],
    ask: Ask,
    must: Sequence[str],
    *,
    strict: bool = False,
) -> Judged:
    """The hits of `must` and the fused ones, each once, as far as the gates let them pass.

    `strict`: what is pinned and does not stand is refused too, instead of left out.

    Raises:
        RequiredNotCurrent: a required reference does not stand any more.
        NotApplicable: a reference is bound to another task.
    """
    ranked = {each.retriever: each.hits for each in found}
    reasons = _reasons(found)
    suppressed: list[Suppressed] = []
    candidates: list[Candidate] = []
    known: set[int] = set()
    for name in (*must, fuse.NAME):
        best = max((hit.score for hit in ranked.get(name, ())), default=1.0) or 1.0
        for hit in ranked.get(name, ()):
            item = items.get(hit.seq)
            if item is None or hit.seq in known or _dead(item, ask, name):
                continue
            known.add(hit.seq)
            shown = _shown(item, hit, best, reasons.get(hit.seq, ()))
            reason = _reason(item, ask, name, named=name in must, strict=strict)
            entry = render.entry(shown, ask.style)
            if reason is not None:
                suppressed.append(left_out(item, reason, entry))
                continue
            # With history a task past its time that was asked for may be shown; it need not be.
            due = name == REFERENCES or item.standing == "current"
            candidates.append(
                Candidate(
                    item=shown,
                    entry=entry,
                    must=name in must and due,
                    name=name,
                    pinned=name == REFERENCES and not required(item, ask),
                    likeness_ppm=shown.score_ppm or 0,
                )
            )
    candidates.sort(key=lambda candidate: not candidate.must)
    return Judged(candidates=tuple(candidates), suppressed=tuple(suppressed))


def _dead(item: Item, ask: Ask, name: str) -> bool:
    """Whether it is a task that nobody asked for and that is over, or not yet to be done.

    It must not be shown, and is considered only as far as it matches the question.
    """
    if name != OPEN_TASKS:
        return False
    return item.standing != "current" or gates.standing(item, ask) is not None


def required(item: Item, ask: Ask) -> bool:
    """Whether the caller requires it by name."""
    return item.id in ask.required or item.id.split("-")[0] in ask.required


def left_out(item: Item, reason: str, entry: str) -> Suppressed:
    """The account of something that is not shown."""
    return Suppressed(id=item.id, reason=reason, bytes=len(entry.encode()))


def _reason(item: Item, ask: Ask, name: str, *, named: bool, strict: bool) -> str | None:
    if name == REFERENCES:
        return _reference(item, ask, strict=strict)
    # What must not be forgotten is not filtered away either.
    return gates.standing(item, ask) if named else gates.reason(item, ask)


def _reference(item: Item, ask: Ask, *, strict: bool) -> str | None:
    """A reference is not filtered; it must stand, or be a pinned one that is left out."""
    at = "require" if required(item, ask) else "pin"
    if not ask.filtered and gates.applies(item, ask.filter) is not None:
        raise NotApplicable(f"{item.id} is bound to another task or person", at=at)
    past = ask.history and item.standing != "erased"
    if item.standing == "current" or past:
        return None
    if at == "require" or strict:
        after = item.superseded_by
        followed = "" if after is None else f"; {after} took its place"
        raise RequiredNotCurrent(f"{item.id} is {gates.ended(item)}{followed}", at=at)
    return gates.ended(item)


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
    if hit.passage is None or not 0 <= hit.passage < len(spans):
        return changed
    start, end = spans[hit.passage]
    return msgspec.structs.replace(
        changed, text=item.text[start:end], span=(start, end), labels=(*item.labels, "passage")
    )
