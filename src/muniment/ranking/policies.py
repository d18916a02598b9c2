"""Policies: which retrievers answer, and whose hits must be shown.  Data, one row a policy."""

from __future__ import annotations

import msgspec


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """One way of answering.  `must`: all of theirs are shown, or the recall overflows."""

    name: str
    must: tuple[str, ...]
    may: tuple[str, ...]


POLICIES = (
    Policy(name="balanced", must=("required", "open_tasks"), may=("lexical",)),
    Policy(name="lexical", must=("required",), may=("lexical",)),
    Policy(name="recent", must=("required",), may=("recent",)),
)
BY_NAME = {policy.name: policy for policy in POLICIES}
