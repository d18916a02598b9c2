"""Why one thing is shown for a question, and why not."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from muniment.decisions import items, names
from muniment.model.pack import Item, Pack
from muniment.model.policy import Policy
from muniment.model.query import Explained, Recall, Shown, Why, WhyNot
from muniment.operations import recall
from muniment.operations.operation import Context
from muniment.operations.recall import Gathered
from muniment.ranking import choose, explained, fuse, gates, judge, plan, render
from muniment.ranking.fuse import Worth
from muniment.retrievers import recent
from muniment.store.tx import Read


class _Looked(NamedTuple):
    """One thing, what came of the question, and whether anything finds the thing at all."""

    item: Item
    gathered: Gathered
    policy: Policy
    worth: Worth
    pack: Pack
    matches: bool
    covered: bool


def why(context: Context, request: Why) -> Explained:
    """What each part adds to the worth of one thing, and its place in the pack; or why it has none."""
    looked = _looked(context, request)
    reason, size = _reason(looked)
    seq, worth = looked.item.seq, looked.worth
    ids = [chosen.id for chosen in looked.pack.items]
    counted = seq in worth.totals
    return Explained(
        id=looked.item.id,
        shown=looked.item.id in ids,
        reason=reason,
        place=ids.index(looked.item.id) + 1 if looked.item.id in ids else None,
        must=explained.demanding(looked.gathered.found, looked.policy.must, seq),
        parts=explained.parts(worth, looked.policy, seq) if counted else (),
        worth_ppm=explained.ppm(worth.totals[seq]) if counted else None,
        best_ppm=explained.ppm(max(worth.totals.values())) if counted else None,
        bytes=size,
    )


def why_not(context: Context, request: WhyNot) -> Shown:
    """Whether one thing is shown for a question, and if not, the first thing against it.

    It is looked for by each retriever alone, so that a rank is known even where others crowd it
    out; the rank among all is in `retrievers` where it is high enough to be handed on.
    """
    looked = _looked(context, request)
    reason, size = _reason(looked)
    return Shown(
        id=looked.item.id,
        shown=reason == "shown",
        reason=reason,
        retrievers=_ranks(looked.gathered, looked.item.seq),
        bytes=size,
    )


def _looked(context: Context, request: Why | WhyNot) -> _Looked:
    """The thing and the pack, of one snapshot.

    Raises:
        NotFound: there is no such thing, or who asks may not see it.
    """
    asked = msgspec.structs.asdict(request)
    del asked["id"]
    question = Recall(**asked)
    now_ms = context.now()
    plan.check_budget(question)
    policy = plan.policy(question)
    meaning = recall.meaning_of(context, question, policy)
    with context.read(request.scope) as read:
        gathered = recall.gathered(read, question, now_ms, policy, meaning)
        ask, _, found, loaded, told = gathered
        item = items.by_id(read, names.standing(read, request.id, ask.moment), ask.moment)
        if not gates.seen(item, ask.filter):
            raise names.unknown(request.id)
        matches = bool(_ranks(gathered, item.seq)) or _found_alone(read, gathered, policy, item.seq)
        covered = recent.NAME in policy.may and recent.is_covered(read, ask, item.seq)
        worth = fuse.worth(found, loaded, ask.cues, policy, told)
        pack = recall.packed(read, question, gathered, policy)
    return _Looked(item, gathered, policy, worth, pack, matches, covered)


def _found_alone(read: Read, gathered: Gathered, policy: Policy, seq: int) -> bool:
    """Whether a retriever finds the thing where nothing else is there to crowd it out."""
    only = msgspec.structs.replace(gathered.ask.filter, only=seq)
    alone = recall.searched(read, msgspec.structs.replace(gathered.ask, filter=only), policy)
    return any(each.hits for each in alone if each.retriever != judge.REFERENCES)


def _ranks(gathered: Gathered, seq: int) -> dict[str, int]:
    return {
        each.retriever: hit.rank
        for each in gathered.found
        for hit in each.hits
        if hit.seq == seq and each.retriever != fuse.NAME
    }


def _reason(looked: _Looked) -> tuple[str, int]:
    """The word for how it is: `shown`, or the first thing against it; and its bytes."""
    item, ask = looked.item, looked.gathered.ask
    for chosen in looked.pack.items:
        if chosen.id == item.id:  # of a long text it is the best passage
            return "shown", len(render.entry(chosen, ask.style).encode())
    size = len(render.entry(item, ask.style).encode())
    for left_out in looked.pack.suppressed:
        if left_out.id == item.id:
            return left_out.reason, left_out.bytes
    against = gates.reason(item, ask)
    if against is not None:
        return against, size
    if item.kind == "appraisal" and choose.is_weighed(ask, looked.gathered.found):
        return "appraisal_alone", size
    if looked.covered and not looked.matches:
        return "covered", size
    return "below_limit" if looked.matches else "no_match", size
