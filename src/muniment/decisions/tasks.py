"""Tasks: what the open ones take in a pack, before and after a commit."""

from __future__ import annotations

from collections.abc import Sequence

from muniment import limits
from muniment.model import event, scope
from muniment.model.event import Draft
from muniment.model.event_kinds import RecordContent, RecordWritten
from muniment.model.evidence import Source
from muniment.model.moment import Moment
from muniment.model.pack import Item
from muniment.projections import link, standing
from muniment.ranking import render
from muniment.rules import tasks as rules
from muniment.rules.tasks import Change, Room
from muniment.store import ledger
from muniment.store.tx import Read

# What an answer may come to say of a record or state value that something rests on, longest
# first; of an event it may say that it was corrected, and of another that it is erased.
_BECOMES = (
    "source_superseded",
    "source_withdrawn",
    "source_retracted",
    "source_rejected",
    "source_expired",
    "source_erased",
    "source_stale",
)
_CORRECTED, _ERASED = "source_corrected", "source_erased"
# As long as every time that is printed.
_SOME_TIME = "2026-01-01T00:00:00.000Z"


def check_room(read: Read, found: Sequence[object], skipping: int = 0) -> None:
    """Nothing, if the open tasks will fit into the scope's own pack once `found` is written.

    `found` is what becomes of the notes of a commit, each at its place: a draft, or anything else
    where nothing is written.  `skipping` drafts stand before them in the commit.

    Raises:
        TasksFull: they will not.
    """
    drafts = [(place, each) for place, each in enumerate(found) if isinstance(each, Draft)]
    if not any(_opens(draft) for _, draft in drafts):
        return
    present = _present(read)
    before = Room(len(present), render.size(list(present.values())))
    seq = ledger.tip(read).seq + skipping
    changes = []
    for place, draft in drafts:
        seq += 1
        assert isinstance(draft.shape, RecordWritten)
        leaving = None
        if draft.shape.supersedes is not None:
            leaving = present.get(event.reference(draft.shape.supersedes).seq)
        coming = _coming(draft, seq) if _opens(draft) else None
        items = int(coming is not None) - int(leaving is not None)
        size = len((coming or "").encode()) - len((leaving or "").encode())
        changes.append(Change(place, items, size))
    allowed = scope.allowed(read.scope.limits)
    rules.check_room(before, changes, Room(allowed.pack_items_max, allowed.pack_bytes_max))


def _opens(draft: Draft) -> bool:
    return isinstance(draft.shape, RecordWritten) and draft.shape.status == "open"


def _present(read: Read) -> dict[int, str]:
    """The entry of each open task, by seq; also of one past its time, which a past moment shows."""
    # All of them: how much is too much is the rule's to say.
    rows = standing.open_tasks(read, Moment(at_ms=0), limits.INTEGER_MAX)
    contents = ledger.contents(read, RecordWritten, [row.seq for row in rows])
    entries = {}
    for row in rows:
        content = contents.get(row.seq)
        text = content.text if isinstance(content, RecordContent) else ""
        sources = tuple(Source(id=each.source_id) for each in link.of(read, row.seq))
        entries[row.seq] = _entry(row.seq, row.key, text, sources, row.valid_to_ms)
    return entries


def _coming(draft: Draft, seq: int) -> str:
    shape, content = draft.shape, draft.content
    assert isinstance(shape, RecordWritten)
    assert isinstance(content, RecordContent)
    return _entry(seq, content.key, content.text, shape.sources, shape.valid_to_ms)


def _entry(
    seq: int, key: str | None, text: str, sources: Sequence[Source], valid_to_ms: int | None
) -> str:
    """What a pack says of an open task, with every label that it may come to have."""
    return render.entry(
        Item(
            id=event.id_text("r", seq, 0),
            seq=seq,
            kind="task",
            text=text,
            at=_SOME_TIME,
            recorded_at=_SOME_TIME,
            standing="current" if valid_to_ms is None else "expired",
            labels=_labels(sources),
            key=key,
            status="open",
            sources=tuple(sources),
        )
    )


def _labels(sources: Sequence[Source]) -> tuple[str, ...]:
    events = sum(source.id.startswith("e") for source in sources)
    labels = list(_BECOMES[: len(sources) - events])
    if events:
        labels.append(_CORRECTED)
    if events > 1 and _ERASED not in labels:
        labels.append(_ERASED)
    return tuple(labels)
