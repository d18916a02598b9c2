"""The built-in policies, and what a caller's own must keep to.  Data.

The weights are round on purpose: any sensible ones lie within two points of each other.  A
retriever's scores run from 0 to 1, so a boost of 1 is as much as the best words there are.

- `lexical` 0.5 beside `nearby` 1: the window holds the message's own words already.
- `similar` 1: a model's word counts as much as the words themselves.
- `dated` 0.5 beside the boost `date`: what was said on the day is found without a word of the
  question, and stands behind what fits both.
- `speaker` 0.75: a question that names one of the speakers nearly always means what that one said.
- `session` 1: what a question is about was talked of together; as telling as the words.
- `date` 1.5: a date in a question is a condition, and says more than its words.
- `time_word`, `answers` 0.3 and `asks` -0.1: they order what the words leave equal.
- `length` 0.5: a greeting holds no fact.
- `kept` 1: somebody concluded it, and gave it its words.
- `user` 1: among an assistant's essays the facts are in what the user said.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from muniment import limits
from muniment.errors import BadShape
from muniment.model.policy import MAY, MUST, OWN, WEIGHT_MAX, Policy
from muniment.ranking.boosts import BOOSTS

_PROTECTED = ("required", "open_tasks")
_TALK = {
    "speaker": 0.75,
    "session": 1.0,
    "date": 1.5,
    "time_word": 0.3,
    "length": 0.5,
    "kept": 1.0,
    "asks": -0.1,
    "answers": 0.3,
    "user": 1.0,
}

POLICIES = (
    Policy(
        name="balanced",
        must=_PROTECTED,
        may={"lexical": 0.5, "nearby": 1.0, "dated": 0.5},
        otherwise={"synonyms": 0.5},
        boosts=_TALK,
    ),
    Policy(
        name="hybrid",
        must=_PROTECTED,
        may={"lexical": 0.5, "nearby": 1.0, "similar": 1.0, "synonyms": 0.25, "dated": 0.5},
        boosts=_TALK,
    ),
    Policy(
        name="semantic",
        must=_PROTECTED,
        may={"similar": 1.0, "synonyms": 0.5, "dated": 0.5},
        boosts={"kept": 0.5},
    ),
    Policy(name="lexical", must=("required",), may={"lexical": 1.0}, corrections=False),
    Policy(name="recent", must=("required",), may={"recent": 1.0}, corrections=False),
    Policy(name="tasks", must=("tasks",), may={}, corrections=False),
)
BY_NAME = {policy.name: policy for policy in POLICIES}


def checked(policy: Policy) -> Policy:
    """`policy`, if what it names exists and its weights are in range.

    Raises:
        BadShape: with the path of the first name or weight that is not so.
    """
    if policy.name != OWN and BY_NAME.get(policy.name) != policy:
        raise BadShape(f"a policy of your own is called {OWN!r}", at="policy.name")
    for index, name in enumerate(policy.must):
        _check_known(name, MUST, f"policy.must[{index}]")
    for field, known, least in (
        ("may", MAY, 0.0),
        ("otherwise", MAY, 0.0),
        ("boosts", BOOSTS, -WEIGHT_MAX),
    ):
        weights: Mapping[str, float] = getattr(policy, field)
        for name, weight in weights.items():
            at = f"policy.{field}.{name}"
            _check_known(name, known, at)
            if not math.isfinite(weight) or not least <= weight <= WEIGHT_MAX:
                raise BadShape(f"a weight from {least:g} to {WEIGHT_MAX:g}", at=at)
    if not 1 <= policy.hits <= limits.HITS_PER_RETRIEVER_MAX:
        raise BadShape(f"from 1 to {limits.HITS_PER_RETRIEVER_MAX}", at="policy.hits")
    return policy


def _check_known(name: str, known: Mapping[str, object] | tuple[str, ...], at: str) -> None:
    if name not in known:
        raise BadShape(f"one of {', '.join(known)}", at=at)
