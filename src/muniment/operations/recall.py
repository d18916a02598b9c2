"""Recall: one snapshot, every retriever of the policy, one pure choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import msgspec

from muniment import embedders, limits
from muniment.decisions import items, moments, names
from muniment.errors import BadShape, EmbedderUnavailable, ExtraMissing
from muniment.model import event, scope, time
from muniment.model.embedding import Embedder, Meaning
from muniment.model.event import JOURNAL
from muniment.model.hit import Ask, Found, Hit
from muniment.model.pack import CORRECTED, Caveat, Item, Pack, Searched, Trace
from muniment.model.policy import APPRAISALS, BY_DAY, CORRECTIONS, Policy
from muniment.model.query import Budget, Recall
from muniment.operations.operation import Context
from muniment.projections import binding, vector
from muniment.ranking import choose, fuse, gates, plan
from muniment.retrievers import RETRIEVERS, lexical
from muniment.retrievers.similar import NAME
from muniment.rules import receipts
from muniment.rules.receipts import Program, Recalled
from muniment.store import ledger
from muniment.store.connect import engine
from muniment.store.tx import Read

_FILTERS = (
    "thread",
    "session",
    "exclude_session",
    "role",
    "type",
    "since",
    "until",
    "collection",
    "tags",
    "synonyms",
    "tz",
)
PROGRAM = Program(limits.VERSION, engine())


def recall(context: Context, request: Recall) -> Pack:
    """What matters for the question, within the budget, with a reason for each thing."""
    now_ms = context.now()
    plan.check_budget(request)
    policy = plan.policy(request)
    # The model works before the snapshot is taken.
    meaning = meaning_of(context, request, policy)
    with context.read(request.scope) as read:
        found = gathered(read, request, now_ms, policy, meaning)
        pack = packed(read, request, found, policy)
        if not request.record:
            return pack
        tip = ledger.tip(read)
        vectors = None if meaning is None else vector.coverage(read, meaning.model)
    recalled = Recalled(
        query=request.query,
        filters={name: getattr(request, name) for name in _FILTERS},
        ask=found.ask,
        budget=found.budget,
        found=found.found,
        ids={seq: item.id for seq, item in found.loaded.items()},
        pack=pack,
        memory_seq=tip.seq,
        vectors=vectors,
    )
    with context.write(request.scope, make=False) as write:
        draft = receipts.receipt(recalled, PROGRAM)
        receipt = context.append(write, [draft], now_ms, JOURNAL)[0].id
    return msgspec.structs.replace(pack, receipt=receipt)


class Gathered(NamedTuple):
    """All that one question brought together, before anything is chosen."""

    ask: Ask
    budget: Budget
    found: list[Found]
    loaded: dict[int, Item]
    told: dict[int, float]  # what the caller's own function says


def gathered(
    read: Read, request: Recall, now_ms: int, policy: Policy, meaning: Meaning | None
) -> Gathered:
    """What every retriever of the policy finds, loaded, with what corrects it."""
    budget = plan.budget(request, scope.allowed(read.scope.limits))
    moment = moments.of(read, request, now_ms)
    zone = None if request.tz is None else time.zone(request.tz, "tz")
    ask = plan.ask(request, moment, budget.items_max, meaning, zone)
    found = searched(read, ask, policy)
    loaded = _loaded(read, found, ask)
    if policy.corrections and not ask.terms.quoted:
        loaded |= _corrections(read, found, loaded, ask)
    return Gathered(ask, budget, found, loaded, _told(request, loaded))


def packed(read: Read, request: Recall, gathered: Gathered, policy: Policy) -> Pack:
    """What is chosen of it, and the account of the rest; `found` and `loaded` grow by the last."""
    ask, budget, found, loaded, told = gathered
    found.append(fuse.fused(found, loaded, ask.cues, policy, told))
    if ask.boost_ppm:
        assessing, appraisals = _appraised(read, loaded, ask)
        found.append(assessing)
        loaded |= appraisals
    choice = choose.choose(found, loaded, ask, policy.must, budget)
    suppressed, more = choose.bounded(choice.suppressed)
    return Pack(
        items=choice.items,
        suppressed=suppressed,
        bytes=len(choice.text.encode()),
        text=choice.text,
        head=ledger.tip(read).head,
        policy=policy.name,
        trace=_trace(ask, found, more, _caveats(read, request, ask, policy, found)),
    )


def _loaded(read: Read, found: Sequence[Found], ask: Ask) -> dict[int, Item]:
    """What the hits point to, as far as who asks may see it."""
    seqs = list(dict.fromkeys(hit.seq for each in found for hit in each.hits))
    loaded = items.by_seq(read, seqs, ask.moment)
    return {seq: item for seq, item in loaded.items() if gates.seen(item, ask.filter)}


def _corrections(
    read: Read, found: list[Found], loaded: Mapping[int, Item], ask: Ask
) -> dict[int, Item]:
    """What corrects the messages that were found, and what corrects that; `found` is told of it."""
    items: dict[int, Item] = {}
    hits: list[Hit] = []
    wrong = [seq for seq, item in loaded.items() if CORRECTED in item.labels]
    asked_for = set(wrong)
    while wrong and len(hits) < ask.limit:
        asked = msgspec.structs.replace(ask, others=tuple(wrong))
        more = RETRIEVERS[CORRECTIONS].find(read, asked)
        hits += more.hits
        fresh = _loaded(read, [more], ask)
        items |= fresh
        wrong = [
            seq for seq, item in fresh.items() if CORRECTED in item.labels and seq not in asked_for
        ]
        asked_for.update(wrong)
    if hits:
        ranked = (msgspec.structs.replace(hit, rank=at) for at, hit in enumerate(hits, start=1))
        found.append(Found(retriever=CORRECTIONS, hits=tuple(ranked)))
    return items


def _appraised(read: Read, loaded: Mapping[int, Item], ask: Ask) -> tuple[Found, dict[int, Item]]:
    """The appraisals of what was found, and of the events that it is a copy of."""
    events = {event.reference(source.id).seq for item in loaded.values() for source in item.sources}
    asked = msgspec.structs.replace(ask, others=tuple(sorted({*loaded, *events})))
    found = RETRIEVERS[APPRAISALS].find(read, asked)
    return found, _loaded(read, [found], ask)


def searched(read: Read, ask: Ask, policy: Policy) -> list[Found]:
    """What each retriever of the policy finds."""
    with names.hinted(read, (*ask.required, *ask.pinned), ask.filter, ask.moment.seq):
        must = [RETRIEVERS[name].find(read, ask) for name in policy.must]
    if ask.cues.all_said and not set(BY_DAY).isdisjoint(policy.may):
        # All is asked for that was said on a day, and at most what writes its date out.
        alone = (name for name in policy.may if name in BY_DAY or name == lexical.NAME)
        return must + [RETRIEVERS[name].find(read, ask) for name in alone]
    may = [RETRIEVERS[name].find(read, ask) for name in policy.may]
    # Words are looked for in other ways where none fits, whatever was said on the day.
    if not any(each.hits for each in may if each.retriever not in BY_DAY):
        may += [RETRIEVERS[name].find(read, ask) for name in policy.otherwise]
    return must + may


def _told(request: Recall, loaded: dict[int, Item]) -> dict[int, float]:
    """What the caller's own function says of each thing that was found."""
    if request.scorer is None:
        return {}
    told: dict[int, float] = {}
    for seq, item in loaded.items():
        score: object = request.scorer(request.query, item)
        if not isinstance(score, int | float) or not 0 <= score <= 1:
            raise BadShape(f"a scorer gives a number from 0 to 1, not {score!r}", at="scorer")
        told[seq] = float(score)
    return told


def meaning_of(context: Context, request: Recall, policy: Policy) -> Meaning | None:
    """The question as a vector, where the policy goes by meaning and there are vectors.

    The model is the one that the request names, or the one the memory was opened with, or else
    one whose vectors are there (`_at_hand`).  A model without vectors here is not even loaded: no
    text goes to an address by which nothing was embedded.  It works before the snapshot is taken.
    """
    if request.embedder is not None:
        embedders.vectors_of(request.embedder)  # a wrong name is wrong with any policy
    if NAME not in policy.may or not request.query.strip():
        return None
    wanted = context.vectors_of(request.embedder)
    with context.read(request.scope) as read:
        known = {model.name: model for model in vector.models(read)}
        if wanted is None:
            order = sorted(known.values(), key=lambda model: _rank(read, model, len(known)))
    if wanted is None:
        embedder = _at_hand(context, [model.name for model in order])
    else:
        embedder = context.embedder(request.embedder) if wanted in known else None
    if embedder is None or embedder.name not in known:
        return None
    name = embedder.name
    (asked,) = embedder.embed([request.query])
    if len(asked) != known[name].dimension:
        return None
    least = getattr(embedder, "least", -1.0)
    return Meaning(model=name, vector=tuple(asked), least=least)


def _rank(read: Read, model: vector.Model, models: int) -> tuple[bool, int, int]:
    """Real models before those for tests, then by how many texts they cover, then the newest."""
    covered = vector.covered(read, model) if models > 1 else 0
    return model.name in embedders.FOR_TESTS, -covered, -model.number


def _at_hand(context: Context, names: Sequence[str]) -> Embedder | None:
    """The first of these models that is installed on this machine."""
    for spelling in filter(None, map(embedders.of_model, names)):
        with suppress(EmbedderUnavailable, ExtraMissing):
            return context.embedder(spelling)
    return None


def _caveats(
    read: Read, request: Recall, ask: Ask, policy: Policy, found: Sequence[Found]
) -> list[Caveat]:
    """What somebody who goes by this recall should know of it."""
    caveats: list[Caveat] = []
    if ask.moment.past:
        caveats.append("present_statistics")
    if request.task is not None and not binding.knows_task(read, ask.filter):
        caveats.append("task_unknown")
    if not request.query.strip() or ask.cues.all_said:
        return caveats  # nothing of it has a meaning to compare
    if NAME not in policy.may:
        if policy.may and not any(each.hits for each in found) and vector.models(read):
            caveats.append("vectors_unused")
    elif ask.meaning is None:
        caveats.append("no_vectors")
    elif vector.partial(read, ask.meaning.model, ask.filter.to_seq):
        caveats.append("vectors_partial")
    if any(each.far for each in found):
        caveats.append("nothing_near")
    return caveats


def _trace(ask: Ask, found: Sequence[Found], more: int, caveats: Sequence[Caveat]) -> Trace:
    return Trace(
        caveats=tuple(caveats),
        embedder=None if ask.meaning is None else ask.meaning.model,
        terms=ask.terms.words,
        quoted=ask.terms.quoted,
        terms_left_out=ask.terms.left_out,
        retrievers=tuple(
            Searched(retriever=each.retriever, hits=len(each.hits), limited=each.limited)
            for each in found
        ),
        suppressed_more=more,
        days=ask.cues.asked_days,
    )
