"""A policy: which retrievers answer a recall, whose hits must be shown, and what is weighed.

A value that a caller may make; the built-in ones stand in `ranking/policies.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from muniment import limits

PolicyName = Literal["balanced", "hybrid", "semantic", "lexical", "recent", "tasks"]

# What a policy is called that is none of the built-in ones, wherever its name is kept.
OWN = "own"

# The retrievers by what they are for: what they find must be shown, or may be.
REQUIREMENTS = "requirements"  # takes part where a task is asked about, whatever the policy
MUST = ("required", REQUIREMENTS, "open_tasks", "tasks")
# These find by the day that a question names, and know nothing of its words.
BY_DAY = ("dated",)
MAY = ("lexical", "nearby", "synonyms", "similar", "recent", *BY_DAY)

# What enters with something that the others found.
APPRAISALS = "appraisals"
CORRECTIONS = "corrections"

# Room for any sensible weighing; beyond it somebody has mistaken the unit.
WEIGHT_MAX = 100.0


class Policy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One way of answering.

    `must`: all that these find is shown, or the recall overflows.  `may`: retrievers with the
    weight of their scores, each from 0 to 1 times its weight.  `otherwise`: the same, asked only
    where none of `may` found anything, or where the caller gives synonyms.  `boosts`: what is
    added for what a thing is besides its words; a weight below zero takes away.  `corrections`:
    whether what corrects a message that was found enters before it, whatever its own words.
    """

    name: str = OWN
    must: tuple[str, ...] = ("required", "open_tasks")
    may: Mapping[str, float]
    otherwise: Mapping[str, float] = {}
    boosts: Mapping[str, float] = {}
    corrections: bool = True
    hits: int = limits.HITS_PER_RETRIEVER_DEFAULT  # that each retriever may hand on
