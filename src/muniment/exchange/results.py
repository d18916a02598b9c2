"""What becomes of queries, as it is told and as it is written down."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from muniment.exchange import selections
from muniment.exchange.images import Stored
from muniment.exchange.intake import PER_INPUT
from muniment.exchange.layout import Ref
from muniment.exchange.recall import Answer
from muniment.model.exchange import Decision, Entry, Kept, NotChosen, QueryResult

SUMMARY = "results.json"


def result(index: int, answer: Answer, *, recorded: bool) -> QueryResult:
    """What became of one query."""
    query, turned, selection = answer.query, answer.turned, answer.selection
    ref = None if turned is None else turned.ref
    return QueryResult(
        index=index,
        request=None if query is None else query.request.hex(),
        selection=None if query is None else query.selection.hex(),
        status=answer.status,
        code=None if turned is None else turned.code,
        detail=None if turned is None else turned.detail,
        id=None if ref is None else str(Ref(*ref)),
        over=None if turned is None else turned.over,
        entries_needed=None if turned is None else turned.entries_needed,
        bytes_needed=None if turned is None else turned.bytes_needed,
        revision=None if query is None else query.revision,
        bytes=None if selection is None else len(selection.text),
        entries=() if selection is None else tuple(
            Entry(
                id=each.evidence.ref[0].hex(), version=each.evidence.ref[1], reason=each.reason,
                likeness=each.likeness, score=each.score,
            )
            for each in selection.entries
        ),
        left_out=() if selection is None else tuple(
            NotChosen(id=each.ref[0].hex(), version=each.ref[1], reason=each.reason,
                      score=each.score)
            for each in selection.left_out
        ),
        recorded=recorded and selection is not None,
    )  # fmt: skip


def kept(some: Sequence[Stored]) -> tuple[Kept, ...]:
    """What the inputs have become: of each its event, its vector and its working copy."""
    refs = [str(each.row.ref) for each in some]
    return tuple(
        Kept(
            index=first // PER_INPUT, event=refs[first], vector=refs[first + 1],
            working=refs[first + 2],
        )
        for first in range(0, len(refs), PER_INPUT)
    )  # fmt: skip


def files(index: int, answer: Answer) -> dict[str, bytes]:
    """The files of one answer: its context, its line of JSON and its selection."""
    if answer.selection is None:
        return {}
    members = [selections.Member(ref=Ref(*each.evidence.ref)) for each in answer.selection.entries]
    return {
        f"{index:02}.context": answer.context,
        f"{index:02}.json": line(answer),
        f"{index:02}.selection": selections.write(members, wire=True),
    }


def line(answer: Answer) -> bytes:
    """One answer as that system prints it: quotes, backslashes and controls are escaped."""
    assert answer.query is not None
    assert answer.selection is not None
    head = (
        f'{{"request":"{answer.query.request.hex()}","selection":"{answer.query.selection.hex()}",'
        f'"cut":{answer.cut},"count":{len(answer.selection.entries)},'
        f'"searches":{answer.searches},"context":"'
    )
    return head.encode() + escaped(answer.context) + b'"}\n'


def escaped(text: bytes) -> bytes:
    """Bytes inside a string of JSON; what is no control character stays as it is."""
    found = text.replace(b"\\", b"\\\\").replace(b'"', b'\\"')
    for code in range(32):
        found = found.replace(bytes([code]), b"\\u%04x" % code)
    return found


def summary(results: Sequence[QueryResult], cut: int, style: str) -> bytes:
    """The results of a batch."""
    told = {"format": "muniment-exchange-results", "version": 1, "cut": cut, "style": style}
    return msgspec.json.encode({**told, "results": results}) + b"\n"


class Summary(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file of results as it is read."""

    format: str
    version: int
    cut: int
    style: str
    results: tuple[QueryResult, ...]


def decision(answer: Answer, *, shown: bool) -> Decision:
    """A recorded choice as it is told; its context only where all of them stand."""
    query, turned, selection = answer.query, answer.turned, answer.selection
    assert query is not None
    return Decision(
        request=query.request.hex(),
        selection=query.selection.hex(),
        cut=answer.cut,
        status=answer.status,
        count=0 if selection is None else len(selection.entries),
        searches=answer.searches,
        code=None if turned is None else turned.code,
        detail=None if turned is None else turned.detail,
        context=answer.context.decode("utf-8", "replace") if shown and selection else None,
    )
