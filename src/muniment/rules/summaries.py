"""May this summary stand for what it cites?  Pure: facts in, nothing or a refusal out.

A summary speaks for its sources as they are.  So each of them stands when it is written, and it
is stale as soon as one of them does not any more.
"""

from __future__ import annotations

from collections.abc import Sequence

from muniment import errors, limits
from muniment.model.event import Draft
from muniment.model.event_kinds import RecordContent, RecordWritten
from muniment.model.record import SourceFact


def check(draft: Draft, sources: Sequence[SourceFact], *, recursive: bool) -> None:
    """Nothing, if the summary may be written; one that is taken back may be in any case.

    `sources` are what it cites, in its order.  With `recursive` summaries may be among them.

    Raises:
        Refused: one class a cause; `at` is the source.
    """
    shape, content = draft.shape, draft.content
    assert isinstance(shape, RecordWritten)
    assert isinstance(content, RecordContent)
    if shape.status != "active":
        return
    covered = set(shape.covers)
    for index, source in enumerate(sources):
        at = f"sources[{index}]"
        _check_stands(source, at)
        _check_level(source, at, recursive=recursive)
        if source.id in covered and source.status == "open":
            raise errors.SummaryOfOpenTask(
                f"{source.id} is an open task and must be seen itself", at=at
            )
    if covered:
        _check_shorter(len(content.text.encode()), [s for s in sources if s.id in covered])


def check_apart(placed: Sequence[tuple[int, Draft]], others: Sequence[Draft] = ()) -> None:
    """Nothing, if no summary cites what its own commit writes anew.

    `placed` are the drafts of a commit's notes, each with its place; `others` write no notes.

    Raises:
        SummaryOfOverwritten: at the source.
    """
    drafts = [*(draft for _, draft in placed), *others]
    written_anew = {getattr(draft.shape, "supersedes", None) for draft in drafts}
    for place, draft in placed:
        shape = draft.shape
        if not isinstance(shape, RecordWritten) or shape.kind != "summary":
            continue
        for index, source in enumerate(shape.sources):
            if shape.status == "active" and source.id in written_anew:
                raise errors.SummaryOfOverwritten(
                    f"{source.id} gets a newer version in the same commit",
                    at=f"notes[{place}].sources[{index}]",
                )


def _check_stands(source: SourceFact, at: str) -> None:
    if source.standing == "superseded":
        raise errors.SummaryOfSuperseded(f"{source.id} has a newer version", at=at)
    if source.standing == "retracted":
        raise errors.SummaryOfRetracted(f"{source.id} was taken back", at=at)
    if source.standing != "current":
        raise errors.SummaryOfNotStanding(f"{source.id} is {source.standing}", at=at)


def _check_level(source: SourceFact, at: str, *, recursive: bool) -> None:
    if source.level and not recursive:
        raise errors.SummaryOfSummary(
            f"{source.id} is a summary itself; say recursive if that is meant", at=at
        )
    if source.level >= limits.SUMMARY_LEVELS_MAX:
        raise errors.SummaryTooDeep(
            f"{source.id} stands on {source.level} levels; {limits.SUMMARY_LEVELS_MAX} are the"
            " most: summarize what it rests on instead",
            at=at,
        )


def _check_shorter(size: int, covered: Sequence[SourceFact]) -> None:
    """What another covered summary covers counts once, with that summary."""
    within = {id for source in covered for id in source.coverage}
    total = sum(source.bytes for source in covered if source.id not in within)
    if size >= total:
        raise errors.SummaryNotShorter(
            f"its text has {size} bytes, and what it covers {total}", at="text"
        )
