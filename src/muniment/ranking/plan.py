"""A recall request as one ask for every retriever.  Pure."""

from __future__ import annotations

from muniment import limits
from muniment.errors import BadShape
from muniment.model import cue, text
from muniment.model.hit import Ask
from muniment.model.moment import Moment
from muniment.model.query import Budget, Filter, Recall
from muniment.ranking.policies import BY_NAME, Policy


def policy(request: Recall) -> Policy:
    """The policy a request names."""
    return BY_NAME[request.policy]


def ask(request: Recall, moment: Moment, only: int | None = None) -> Ask:
    """What each retriever is asked; `only` narrows it to one thing.

    Raises:
        BadShape: too many references, or a window that ends before it begins.
    """
    for field in ("require", "pin"):
        if len(getattr(request, field)) > limits.REFERENCES_MAX:
            raise BadShape(f"at most {limits.REFERENCES_MAX}", at=field)
    since, until = request.since, request.until
    assert not isinstance(since, str), "checked at the door"
    assert not isinstance(until, str), "checked at the door"
    if since is not None and until is not None and since >= until:
        raise BadShape("the window ends before it begins", at="until")
    return Ask(
        terms=text.terms(request.query),
        cues=cue.cues(request.query),
        filter=Filter(
            thread=request.thread,
            session=request.session,
            exclude_session=request.exclude_session,
            role=request.role,
            type=request.type,
            since_ms=since,
            until_ms=until,
            collection=request.collection,
            tags=request.tags,
            said_until_ms=moment.said_until_ms,
            to_seq=moment.seq if moment.past else None,
            only=only,
        ),
        required=request.require,
        pinned=request.pin,
        history=request.history,
        moment=moment,
    )


def budget(request: Recall) -> Budget:
    """How much the pack may hold.

    Raises:
        BadShape: a bound is not positive, or beyond what is allowed.
    """
    for field, most in (("bytes_max", limits.BYTES_MAX), ("items_max", limits.ITEMS_MAX)):
        if not 1 <= getattr(request, field) <= most:
            raise BadShape(f"from 1 to {most}", at=field.removesuffix("_max"))
    return Budget(
        bytes_max=request.bytes_max, items_max=request.items_max, tokens_fit=request.tokens_fit
    )
