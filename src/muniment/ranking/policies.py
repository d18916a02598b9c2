"""Policies: which retrievers answer, whose hits must be shown, and what is weighed.  Data.

The weights are round on purpose: any sensible ones lie within two points of each other.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """One way of answering.

    `must`: all that these find is shown, or the recall overflows.  `may`: retrievers with the
    weight of their scores; `boosts`: what is added for what a thing is besides its words.
    """

    name: str
    must: tuple[str, ...]
    may: Mapping[str, float]
    boosts: Mapping[str, float] = msgspec.field(default_factory=dict)


POLICIES = (
    Policy(
        name="balanced",
        must=("required", "open_tasks"),
        may={"lexical": 1.0, "nearby": 1.0},
        boosts={
            "speaker": 0.75,
            "session": 1.0,
            "date": 1.0,
            "time_word": 0.3,
            "length": 0.5,
            "kept": 1.0,
            "asks": -0.1,
            "answers": 0.3,
            "user": 1.0,
        },
    ),
    Policy(name="lexical", must=("required",), may={"lexical": 1.0}),
    Policy(name="recent", must=("required",), may={"recent": 1.0}),
)
BY_NAME = {policy.name: policy for policy in POLICIES}
