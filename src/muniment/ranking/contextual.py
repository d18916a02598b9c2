"""What is chosen for one question: obligations first, then what is like it.  Pure.

In this order, none of them twice: what the question requires, what its task obliges to say, what
it pins, and then one by one what is like it, as long as there is room.  All of the first three
enter, or the question is turned away with what stands against it.

Revisions 0 and 1 choose by score alone.  From 2 on a source has its next turn only when every
other has had as many, and a complete working copy enters instead of a part of the same event.  5
is our own: what cannot be read or compared is left out with its code and refuses nothing.
"""

from __future__ import annotations

import heapq
import operator
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from muniment import limits
from muniment.model.contextual import (
    Asked,
    Bound,
    Chosen,
    Evidence,
    LeftOut,
    Reason,
    Ref,
    Selection,
    Style,
    Turned,
)
from muniment.ranking.corpus import Candidate, Offer
from muniment.ranking.spaces import applies
from muniment.ranking.stakes import assesses

_TURNS_FROM = 2  # revisions in which sources take turns
_COPY_MUST_FIT = 2  # the revision in which a complete copy is preferred only where it fits now
_ISOLATING_FROM = 5


def select(corpus: Offer, asked: Asked, style: Style, about: Any = None) -> Selection | Turned:
    """What is chosen and its text, or why the question is not answered.

    `about` is what `corpus.products` says of the question; None: everything is compared exactly.
    """
    choosing = _Choosing(corpus, asked, style)
    stream = corpus.candidates(asked, about)
    first = next(stream, None)
    turned = choosing.unusable(nothing_alike=first is None) or choosing.mandatory()
    if turned is not None:
        return turned
    _Turns(choosing, stream, first).run()
    return choosing.selection()


def mandatory(corpus: Offer, asked: Asked) -> list[Evidence] | Turned:
    """What must be shown, in order, whatever it takes; or what stands against one of it."""
    found: dict[Ref, Evidence] = {}
    for ref, why in _must(corpus, asked):
        evidence = _usable(corpus, asked, ref, why)
        if isinstance(evidence, Turned):
            return evidence
        found.setdefault(ref, evidence)
    return list(found.values())


def reasons(chosen: Sequence[Evidence], asked: Asked) -> list[Reason]:
    """Why each stands there: read off the selection, stored nowhere."""
    appraisals = [each for each in chosen if each.part == "appraisal"]
    said = [each for each in chosen if each.required and applies(each, asked)]
    beside = {ref for each in said for ref in each.after}
    return [_reason(each, asked, appraisals, beside) for each in chosen]


def _reason(
    evidence: Evidence, asked: Asked, appraisals: Sequence[Evidence], beside: set[Ref]
) -> Reason:
    if evidence.ref in asked.required:
        return "required"
    if evidence.required and evidence.contextual and applies(evidence, asked):
        return "obligation"
    if evidence.ref in asked.pinned:
        return "pinned"
    if evidence.part != "memory":
        return "support"
    if evidence.ref in beside:
        return "obligation"
    weighs = any(assesses(each, evidence) for each in appraisals)
    return "significant" if weighs else "similar"


def _must(corpus: Offer, asked: Asked) -> Iterator[tuple[Ref, str]]:
    for ref in asked.required:
        yield ref, "required"
    for each in corpus.obligations(asked):
        yield each.ref, "obligation"
        for ref in each.after:
            yield ref, "beside"
    for ref in asked.pinned:
        yield ref, "pinned"


def _usable(corpus: Offer, asked: Asked, ref: Ref, why: str) -> Evidence | Turned:
    """What a reference names, if it may be shown to who asks."""
    code = corpus.verdict(ref, asked.audience)
    if code is not None:
        return Turned(code=code, detail=f"what is {why} is not to be had", ref=ref)
    evidence = corpus.by_ref.get(ref)
    if evidence is None:
        return Turned(code="reference", detail=f"what is {why} is nothing to be shown", ref=ref)
    if evidence.part == "appraisal" and why != "beside":
        return Turned(code="format", detail="an appraisal enters with what it assesses", ref=ref)
    if evidence.broken is not None:
        return Turned(code=evidence.broken, detail=f"what is {why} cannot be read", ref=ref)
    if evidence.cold:
        return Turned(code="unavailable", detail=f"what is {why} is out of reach", ref=ref)
    if not applies(evidence, asked):
        return Turned(code="denied", detail=f"what is {why} is for another task", ref=ref)
    return evidence


class _Choosing:
    """The selection so far."""

    def __init__(self, corpus: Offer, asked: Asked, style: Style) -> None:
        self.corpus = corpus
        self.asked = asked
        self.style = style
        self.chosen: list[Evidence] = []
        self.scores: dict[Ref, Candidate] = {}
        self.left_out: list[LeftOut] = []
        self.refs: set[Ref] = set()
        self._text: bytes | None = None
        self._tried: tuple[list[Evidence], bytes] | None = None  # the last that was written out

    def unusable(self, *, nothing_alike: bool) -> Turned | None:
        """What stands against an answer before anything is chosen."""
        isolating = self.asked.revision >= _ISOLATING_FROM
        found = sorted(self.corpus.unusable(self.asked), key=lambda each: (not each.cold, each.ref))
        for each in found:
            code = "unavailable" if each.cold else each.broken or each.unfit or "format"
            if not isolating:
                return Turned(code=code, detail="something to be considered is unfit", ref=each.ref)
            self.leave_out(each.ref, code)
        if not isolating and nothing_alike and self.corpus.strangers(self.asked):
            return Turned(
                code="source", detail="every vector is of another space than the question"
            )
        if self.asked.task is not None and len(self.text()) > self.asked.bytes_max:
            return self._over("bytes", None)
        return None

    def mandatory(self) -> Turned | None:
        """What must be shown enters, or the first thing that stands against it."""
        whole = mandatory(self.corpus, self.asked)
        if isinstance(whole, list) and self._at_once(whole):
            return None
        odd: Ref | None = None
        for ref, why in _must(self.corpus, self.asked):
            found = _usable(self.corpus, self.asked, ref, why)
            if isinstance(found, Turned):
                return found
            if ref in self.refs:
                continue
            over = self.over([found])
            if over is not None:
                return self._over(over, ref)
            self.add([found])
            if found.part == "support" and why != "beside":
                odd = ref
        if odd is not None:
            return Turned(code="reference", detail="it enters only with an appraisal", ref=odd)
        return None

    def _at_once(self, whole: Sequence[Evidence]) -> bool:
        """Whether all of it entered together: no part of it takes more than the whole."""
        plain = all(each.part == "memory" and not each.copy and not each.after for each in whole)
        if not plain or self.over(whole) is not None:
            return False
        self.add(whole)
        return True

    def add(self, some: Sequence[Evidence]) -> None:
        """These enter."""
        self.chosen += some
        self.refs |= {each.ref for each in some}
        tried = self._tried
        self._text = tried[1] if tried is not None and _same(tried[0], self.chosen) else None

    def over(self, some: Sequence[Evidence]) -> Bound | None:
        """Which bound these are over, if any."""
        together = [*self.chosen, *some]
        if len(together) > self.asked.entries_max:
            return "entries"
        text = self._written(together)
        self._tried = (together, text)
        if len(text) > self.asked.bytes_max:
            return "bytes"
        return "tokens" if self.asked.fits is not None and not self.asked.fits(text) else None

    def leave_out(self, ref: Ref, reason: str, score: float | None = None) -> None:
        """It was considered and does not enter."""
        if len(self.left_out) < limits.SUPPRESSED_MAX:
            self.left_out.append(LeftOut(ref=ref, reason=reason, score=score))

    def text(self) -> bytes:
        """What stands there so far."""
        if self._text is None:
            self._text = self._written(self.chosen)
        return self._text

    def selection(self) -> Selection:
        """What was chosen."""
        return Selection(
            entries=tuple(self._entries(self.chosen)),
            text=self.text(),
            left_out=tuple(self.left_out),
        )

    def _written(self, some: Sequence[Evidence]) -> bytes:
        return self.style.text(self._entries(some), self.asked)

    def _entries(self, some: Sequence[Evidence]) -> list[Chosen]:
        found = []
        for evidence, reason in zip(some, reasons(some, self.asked), strict=True):
            known = self.scores.get(evidence.ref)
            found.append(
                Chosen(
                    evidence=evidence,
                    reason=reason,
                    likeness=None if known is None else known.likeness,
                    score=None if known is None else known.score,
                )
            )
        return found

    def _over(self, over: Bound, ref: Ref | None) -> Turned:
        """What must be shown does not fit, and what would be needed."""
        found = mandatory(self.corpus, self.asked)
        whole = None if isinstance(found, Turned) else found
        return Turned(
            code="capacity",
            detail="what must be shown does not fit",
            ref=ref,
            over=over,
            entries_needed=None if whole is None else len(whole),
            bytes_needed=None if whole is None else len(self._written(whole)),
        )


def _same(one: Sequence[Evidence], other: Sequence[Evidence]) -> bool:
    """Whether these are the very same things, in the same order."""
    return len(one) == len(other) and all(map(operator.is_, one, other))


class _Turns:
    """Candidates, each in its turn."""

    def __init__(
        self, choosing: _Choosing, stream: Iterator[Candidate], first: Candidate | None
    ) -> None:
        self._choosing = choosing
        self._asked = choosing.asked
        self._corpus = choosing.corpus
        self._stream = stream
        self._turns = choosing.asked.revision >= _TURNS_FROM
        self._taken: set[Ref] = set()
        self._drawn: list[tuple[int, float, Ref, Candidate]] = []
        self._origins: set[Ref] = set()
        self._counted: Counter[Ref] = Counter()
        self._copies: dict[Ref, list[Ref]] = {}  # those not yet passed over, the first one last
        self._ended = first is None
        self._count()
        if first is not None:
            self._push(first)

    def run(self) -> None:
        """Whatever fits enters, until the selection is full or nothing is left."""
        choosing = self._choosing
        while len(choosing.chosen) < self._asked.entries_max:
            found = self._next()
            if found is None:
                return
            copy = self._complete(found) if self._turns else None
            if copy is not None and copy.evidence.ref != found.evidence.ref:
                self._push(found)  # its own turn comes later
                found = copy
            self._taken.add(found.evidence.ref)
            group = self._with_it(found)
            if not group:
                continue
            over = self._over(group)
            if over is not None:
                choosing.leave_out(found.evidence.ref, f"budget_{over}", found.score)
                continue
            choosing.scores[found.evidence.ref] = found
            choosing.add(group)
            self._count()

    def _next(self) -> Candidate | None:
        """The best that is left: first whose source had fewest turns, then the greatest score."""
        while True:
            while self._drawn:
                turn, _, ref, candidate = self._drawn[0]
                if ref in self._taken or not self._open(candidate):
                    heapq.heappop(self._drawn)
                elif turn != self._turn(candidate):
                    heapq.heappop(self._drawn)
                    self._push(candidate)
                else:
                    break
            # What has not been drawn yet scores no better than what has.
            if self._drawn and (self._ended or self._drawn[0][0] == 0):
                return heapq.heappop(self._drawn)[3]
            more = next(self._stream, None)
            if more is not None:
                self._push(more)
            elif self._ended and not self._drawn:
                return None
            else:
                self._ended = True

    def _complete(self, found: Candidate) -> Candidate | None:
        """The complete working copy that enters instead of it, if there is one.

        What is passed over stays passed over: each copy of an event is looked at once.
        """
        origin = found.evidence.origin
        copies = self._copies.get(origin)
        if copies is None:
            copies = self._copies[origin] = sorted(
                self._corpus.copies.get(origin, ()), reverse=True
            )
        while copies:
            ref = copies[-1]
            if ref not in self._taken and ref not in self._choosing.refs:
                if ref == found.evidence.ref:
                    return found
                copy = self._corpus.candidate(self._asked, ref)
                if copy is not None and not self._too_long(copy):
                    return copy
            copies.pop()
        return None

    def _too_long(self, copy: Candidate) -> bool:
        """Whether the revision asks for a copy that fits, and it does not."""
        asks = self._asked.revision == _COPY_MUST_FIT
        return asks and self._choosing.over([copy.evidence]) is not None

    def _with_it(self, candidate: Candidate) -> list[Evidence]:
        """The memory with what must enter with it, without what stands there already."""
        group = [candidate.evidence]
        appraisal = candidate.appraisal
        if appraisal is not None:
            by_ref = self._corpus.by_ref
            group += [by_ref[ref] for ref in appraisal.before]
            group += [appraisal, *(by_ref[ref] for ref in appraisal.after)]
        unique = {each.ref: each for each in group if each.ref not in self._choosing.refs}
        return list(unique.values())

    def _over(self, group: Sequence[Evidence]) -> Bound | None:
        """Which bound these are over; what cannot fit is not written out first."""
        origins = Counter(each.origin for each in group)
        least = sum(
            self._choosing.style.least(
                each,
                self._asked,
                alone=origins[each.origin] == 1 and each.origin not in self._origins,
            )
            for each in group
        )
        refs = {each.ref for each in group}
        refers = any(each.copy and each.group in refs for each in self._choosing.chosen)
        if not refers and len(self._choosing.text()) + least > self._asked.bytes_max:
            fits = len(self._choosing.chosen) + len(group) <= self._asked.entries_max
            return "bytes" if fits else "entries"
        return self._choosing.over(group)

    def _open(self, candidate: Candidate) -> bool:
        """Whether it has something to add."""
        appraisal = candidate.appraisal
        grouped = appraisal is not None and bool(appraisal.after)
        return candidate.evidence.ref not in self._choosing.refs or (
            grouped and appraisal is not None and appraisal.ref not in self._choosing.refs
        )

    def _push(self, candidate: Candidate) -> None:
        ref = candidate.evidence.ref
        heapq.heappush(self._drawn, (self._turn(candidate), -candidate.score, ref, candidate))

    def _turn(self, candidate: Candidate) -> int:
        return self._counted[candidate.evidence.origin] if self._turns else 0

    def _count(self) -> None:
        some = self._choosing.chosen
        self._origins = {each.origin for each in some}
        said = zip(some, reasons(some, self._asked), strict=True)
        self._counted = Counter(each.origin for each, reason in said if reason != "support")
