"""A reference from a record to something earlier in the same scope."""

from __future__ import annotations

from typing import Literal

import msgspec

EvidenceRole = Literal["supports", "contradicts", "mentions"]


class Source(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """One cited thing, exactly as it was: by id, and by the part of it that counts."""

    id: str
    role: EvidenceRole = "supports"
    span: tuple[int, int] | None = None  # characters of its text, end exclusive


class Link(msgspec.Struct, frozen=True, array_like=True):
    """One citation of a record.  `covers`: the summary stands for this source."""

    record: int
    source: int
    source_id: str
    role: str
    span_start: int | None
    span_end: int | None
    covers: int
