"""A recorded recall decided again from its hits, without searching.  Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

import msgspec

from muniment.model import event
from muniment.model.contextual import SCALE
from muniment.model.event_kinds import RecallRecorded, RecordedHit
from muniment.model.hit import Ask, Found, Hit
from muniment.model.moment import LAST_SEQ, Moment
from muniment.model.pack import Item
from muniment.model.policy import MUST
from muniment.model.query import Budget, Filter
from muniment.model.receipt import Change
from muniment.model.text import Terms
from muniment.ranking import choose, gates
from muniment.ranking.choose import Choice

_NOTHING = Terms((), (), 0)


def seqs(recorded: RecallRecorded) -> list[int]:
    """Everything that the recall considered, in the order it was found."""
    ids = [hit.id for each in recorded.found for hit in each.hits]
    return list(dict.fromkeys(event.reference(id).seq for id in ids))


def then(recorded: RecallRecorded, gone: AbstractSet[int]) -> Moment:
    """The moment that the recall judged, in the ledger that it saw.

    `gone` are the seqs of what has been erased since.
    """
    seq = min(recorded.memory_seq, recorded.to_seq or LAST_SEQ)
    return Moment(
        at_ms=recorded.at_ms,
        seq=seq,
        said_until_ms=recorded.said_until_ms,
        unerased=frozenset(gone),
    )


def decide(recorded: RecallRecorded, items: Mapping[int, Item], moment: Moment) -> Choice:
    """What follows from the recorded hits and these items.

    The hits passed the filters when they were found, so only standing and budget are judged.
    Where a function of the caller's had its say over tokens, its verdicts are taken as recorded.

    Raises:
        Overflow, RequiredNotCurrent: as for a recall.
    """
    refused = {left.id for left in recorded.left_out if left.reason == "budget_tokens"}
    found = _found(recorded, refused)
    budget = Budget(bytes_max=recorded.bytes_max, items_max=recorded.items_max)
    return choose.choose(found, items, asking(recorded, Filter(), moment), _must(recorded), budget)


def left(recorded: RecallRecorded, items: Mapping[int, Item], moment: Moment) -> Choice:
    """What is left of the pack where something that was considered is erased.

    What that took up, and how it weighed, nobody can tell any more: so the others are not tried
    again, and each stands where it stood.
    """
    gone = {item.id for item in items.values() if item.standing == "erased"}
    ask = asking(recorded, Filter(), moment)
    return choose.kept(_found(recorded, gone), items, ask, _must(recorded), recorded.chosen)


def _must(recorded: RecallRecorded) -> list[str]:
    return [each.retriever for each in recorded.found if each.retriever in MUST]


def _found(recorded: RecallRecorded, without: AbstractSet[str]) -> list[Found]:
    return [
        Found(
            retriever=each.retriever,
            hits=tuple(
                Hit(
                    seq=event.reference(hit.id).seq,
                    retriever=each.retriever,
                    rank=rank,
                    score=hit.score_ppm,
                    passage=None if hit.passage < 0 else hit.passage,
                )
                for rank, hit in enumerate(each.hits, start=1)
                if hit.id not in without
            ),
            limited=each.limited,
        )
        for each in recorded.found
    ]


def asking(recorded: RecallRecorded, filter: Filter, moment: Moment) -> Ask:
    """What was asked, as far as numbers and ids tell; its words are not needed again."""
    return Ask(
        terms=_NOTHING,
        filter=filter,
        required=recorded.required,
        history=recorded.history,
        moment=moment,
        filtered=True,
        floor_ppm=recorded.floor_ppm,
        boost_ppm=recorded.boost_ppm,
        style=recorded.style,
    )


def renewed(recorded: RecallRecorded, found: Found, ids: Mapping[int, str]) -> RecallRecorded:
    """The recall with the requirements that apply now, in front of those that do no more."""
    now = [RecordedHit(ids[hit.seq], SCALE, -1) for hit in found.hits]
    known = {hit.id for hit in now}
    changed = [
        msgspec.structs.replace(
            each, hits=(*now, *(hit for hit in each.hits if hit.id not in known))
        )
        if each.retriever == found.retriever
        else each
        for each in recorded.found
    ]
    return msgspec.structs.replace(recorded, found=tuple(changed))


def changes(
    recorded: RecallRecorded,
    items: Mapping[int, Item],
    choice: Choice,
    moment: Moment,
    gone: AbstractSet[int],
) -> tuple[Change, ...]:
    """What differs from the receipt, item by item, in its order; then what is new.

    `gone` are the seqs of what has been erased since.
    """
    shown = {item.id for item in choice.items}
    ask = asking(recorded, Filter(), moment)
    found = []
    for id in recorded.chosen:
        item = items.get(event.reference(id).seq)
        code = _unsourced(item, gone)
        if id not in shown:
            code = _ended(item, ask) or code or "left_out"
        found += [] if code is None else [Change(id=id, code=code)]
    added = [Change(id=id, code="added") for id in _ids(choice.items) if id not in recorded.chosen]
    return (*found, *added)


def _ended(item: Item | None, ask: Ask) -> str | None:
    """Why it does not stand, or None."""
    if item is None:
        return "missing"
    return gates.standing(item, ask) if item.standing == "current" else gates.ended(item)


def _unsourced(item: Item | None, gone: AbstractSet[int]) -> str | None:
    """Whether something that it cites is gone."""
    cited = () if item is None else item.sources
    return "source_erased" if any(event.reference(each.id).seq in gone for each in cited) else None


def _ids(items: Sequence[Item]) -> list[str]:
    return [item.id for item in items]
