"""A selection that was recorded: is it still one, word for word?  Pure, and without a search."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.model.contextual import (
    SCALE,
    Asked,
    Chosen,
    Evidence,
    Ref,
    Selection,
    Style,
    Turned,
)
from muniment.ranking import contextual, cosine
from muniment.ranking.corpus import Corpus
from muniment.ranking.spaces import applies
from muniment.ranking.stakes import assesses


def again(corpus: Corpus, asked: Asked, refs: Sequence[Ref], style: Style) -> Selection | Turned:
    """The recorded choice in its order with its text, or what has come between.

    What must be shown is worked out anew and must stand in front, unchanged; whatever else was
    chosen stays chosen as long as it stands.
    """
    chosen = _present(corpus, asked, refs)
    if isinstance(chosen, Turned):
        return chosen
    must = contextual.mandatory(corpus, asked)
    if isinstance(must, Turned):
        return must
    if chosen[: len(must)] != must:
        return Turned(code="reference", detail="what must be shown is not what was shown")
    unrelated = _unrelated(corpus, asked, chosen, len(must))
    if unrelated is not None:
        return Turned(code="reference", detail="it rests on nothing that was chosen", ref=unrelated)
    entries = tuple(
        Chosen(evidence=each, reason=reason)
        for each, reason in zip(chosen, contextual.reasons(chosen, asked), strict=True)
    )
    text = style.text(entries, asked)
    if len(text) > asked.bytes_max or len(entries) > asked.entries_max:
        return Turned(code="capacity", detail="it is over the budget", bytes_needed=len(text))
    return Selection(entries=entries, text=text)


def _present(corpus: Corpus, asked: Asked, refs: Sequence[Ref]) -> list[Evidence] | Turned:
    """What the references name, if all of it is still to be had."""
    if len({id for id, _ in refs}) != len(refs):
        return Turned(code="reference", detail="one thing is recorded twice")
    chosen: list[Evidence] = []
    for ref in refs:
        code = corpus.verdict(ref, asked.audience)
        evidence = corpus.by_ref.get(ref)
        if code is None and evidence is None:
            code = "reference"
        if code is None and evidence is not None:
            code = evidence.broken or (None if applies(evidence, asked) else "denied")
        if code is not None or evidence is None:
            return Turned(code=code or "reference", detail="what was chosen is gone", ref=ref)
        chosen.append(evidence)
    return chosen


def _unrelated(corpus: Corpus, asked: Asked, chosen: Sequence[Evidence], first: int) -> Ref | None:
    """The first appraisal or support that no chosen memory calls for."""
    refs = {each.ref for each in chosen}
    holding: set[Ref] = set()
    for each in chosen[first:]:
        if each.part == "appraisal":
            group = {*each.before, *each.after}
            mine = [memory for memory in chosen if assesses(each, memory)]
            if each.after:
                mine = [memory for memory in mine if _alike(asked, memory)]
            counted = asked.ranked and asked.boost > 0 and corpus.stakes.counts(each, asked)
            if not mine or not counted or not group <= refs:
                return each.ref
            holding |= group
    return next(
        (each.ref for each in chosen[first:] if each.part == "support" and each.ref not in holding),
        None,
    )


def _alike(asked: Asked, memory: Evidence) -> bool:
    """Whether it is at least as like the question as was asked for."""
    if asked.vector is None or memory.vector is None or memory.space != asked.space:
        return False
    found = cosine.likeness(cosine.numbers(memory.vector), cosine.numbers(asked.vector))
    return found >= asked.floor / SCALE
