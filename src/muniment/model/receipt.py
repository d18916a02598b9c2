"""Receipts: the durable account of a recall, and its replay."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from muniment.model.event_kinds import StyleName
from muniment.model.request import Request, spell

Against = Literal["now", "then"]


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """What has become of one item of a receipt: a standing, or one of the codes below.

    "added": shown now and not then; "left_out": stands and is not shown now; "source_erased":
    something that it cites has been erased since; "differs", of the receipt itself: the same
    items in other bytes.
    """

    id: str
    code: str


class Replayed(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the pack still follows.  `text` is the pack as it follows now or followed then."""

    same: bool
    changes: tuple[Change, ...]
    against: Against
    receipt: str
    recorded_at: str
    policy: str
    query: str | None  # None once erased
    embedder: str | None  # the model whose vectors were compared; None: none were, or erased
    vectors: tuple[int, int] | None  # texts that had a vector of it, and all texts
    style: StyleName
    task: str | None  # None: no task was asked about, or erased; the same for those below
    participants: tuple[str, ...]
    reader: str | None
    room: str | None
    floor_ppm: int | None
    boost_ppm: int | None
    text: str
    not_checked: tuple[str, ...]


class Replay(Request[Replayed], frozen=True, kw_only=True):
    """Decide a recorded recall again, without searching: against the present, or as of then."""

    receipt: Annotated[str, spell("the receipt's id", form="positional")]
    against: Annotated[Against, spell("the present ledger, or the one the recall saw")] = "now"
