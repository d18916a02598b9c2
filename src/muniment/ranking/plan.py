"""A recall request as one ask for every retriever.  Pure."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from muniment import limits
from muniment.errors import BadShape, BlankText, TooLong
from muniment.model import cue, text, time
from muniment.model.contextual import SCALE
from muniment.model.embedding import Meaning
from muniment.model.hit import Ask
from muniment.model.moment import Moment
from muniment.model.policy import REQUIREMENTS, Policy
from muniment.model.query import Budget, Filter, Recall
from muniment.model.scope import Allowed
from muniment.ranking import groups, policies


def policy(request: Recall) -> Policy:
    """The policy that a request names or brings along.

    A caller who gives synonyms or a scorer wants them used, so what the policy keeps for when
    nothing else is found takes part from the beginning.

    Raises:
        BadShape: it names what there is not, or a weight is out of range.
    """
    given = request.policy
    found = policies.BY_NAME[given] if isinstance(given, str) else policies.checked(given)
    must = tuple(name for name in found.must if name != REQUIREMENTS)
    if request.task is not None:
        first = must[:1] if must[:1] == ("required",) else ()
        must = (*first, REQUIREMENTS, *must[len(first) :])
    found = msgspec.structs.replace(found, must=must)
    if request.synonyms or request.scorer is not None:
        found = msgspec.structs.replace(found, may={**found.otherwise, **found.may}, otherwise={})
    if request.scorer is not None:
        # As much as the best words, where the policy does not say otherwise.
        found = msgspec.structs.replace(found, boosts={"scorer": 1.0, **found.boosts})
    return found


def ask(
    request: Recall,
    moment: Moment,
    items_max: int,
    meaning: Meaning | None = None,
    tz: time.Zone | None = None,
) -> Ask:
    """What each retriever is asked, if the pack holds so many items at most.

    `meaning` is the question as a vector, where there is one; the days that it names are those of
    the zone.

    Raises:
        BadShape: too many references, a window that ends before it begins, no synonyms,
            participants of no task, or amounts out of range.
        TooLong: too many synonyms or participants.
        BlankText: a task or a name is blank.
    """
    for field in ("require", "pin"):
        if len(getattr(request, field)) > limits.REFERENCES_MAX:
            raise BadShape(f"at most {limits.REFERENCES_MAX}", at=field)
    since, until = request.since, request.until
    _check_situation(request)
    assert not isinstance(since, str), "checked at the door"
    assert not isinstance(until, str), "checked at the door"
    if since is not None and until is not None and since >= until:
        raise BadShape("the window ends before it begins", at="until")
    cues = cue.cues(request.query, moment.at_ms, tz)
    return Ask(
        terms=text.terms(request.query, cues.dates, all_said=cues.all_said),
        cues=cues,
        alike=groups.alike(request.query, (*groups.own(request.synonyms), *groups.BUILT_IN)),
        meaning=meaning,
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
            reader=request.reader,
            room=request.room,
            task=request.task,
            participants=request.participants,
        ),
        required=request.require,
        pinned=request.pin,
        history=request.history,
        moment=moment,
        limit=max(policy(request).hits, items_max),
        floor_ppm=request.floor_ppm,
        boost_ppm=request.boost_ppm,
        style=request.style,
    )


def _check_situation(request: Recall) -> None:
    """Nothing, if for whom and in which task is asked is complete and in range."""
    for field in ("task", "reader", "room"):
        value = getattr(request, field)
        if value is not None and not value.strip():
            raise BlankText("a name is not blank; leave it out instead", at=field)
    if request.participants and request.task is None:
        raise BadShape("they take part in a task; name it with `task`", at="participants")
    if len(request.participants) > limits.PARTICIPANTS_MAX:
        raise TooLong(f"at most {limits.PARTICIPANTS_MAX}", at="participants")
    for index, name in enumerate(request.participants):
        if not name.strip():
            raise BlankText("a name is not blank", at=f"participants[{index}]")
        if name in request.participants[:index]:
            raise BadShape("one is named twice", at=f"participants[{index}]")
    for field in ("floor_ppm", "boost_ppm"):
        value = getattr(request, field)
        if value is not None and not 0 <= value <= SCALE:
            raise BadShape(f"from 0 to {SCALE}", at=field)


def check_budget(request: Recall) -> None:
    """Nothing, if what a request asks to be the size of its pack may be.

    Raises:
        BadShape: a bound is not positive, or beyond what is allowed.
    """
    for field, most in (("bytes_max", limits.BYTES_MAX), ("items_max", limits.ITEMS_MAX)):
        value = getattr(request, field)
        if value is not None and not 1 <= value <= most:
            raise BadShape(f"from 1 to {most}", at=field)


def budget(request: Recall, allowed: Allowed) -> Budget:
    """How much the pack may hold: what is asked for, or else the scope's own."""
    given = (request.bytes_max, request.items_max)
    own = (allowed.pack_bytes_max, allowed.pack_items_max)
    size, items = (mine if asked is None else asked for asked, mine in zip(given, own, strict=True))
    return Budget(bytes_max=size, items_max=items, tokens_fit=_fits(request.tokens_fit))


def _fits(given: Callable[[str], bool] | None) -> Callable[[str], bool] | None:
    """The caller's function, whose answers are looked at."""
    if given is None:
        return None

    def fits(text: str) -> bool:
        said: object = given(text)
        if not isinstance(said, bool):
            raise BadShape("whether a text fits is true or false", at="tokens_fit")
        return said

    return fits
