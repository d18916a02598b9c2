"""Exchange: recall over another system's store, look into its files, take its objects over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from muniment import limits
from muniment.errors import (
    BadExchange,
    BadInput,
    BadShape,
    Conflict,
    NotFound,
    QueryRefused,
    Refused,
    UnknownFormat,
)
from muniment.exchange import (
    container,
    converting,
    files,
    images,
    live,
    objects,
    publishing,
    queries,
    recall,
    results,
    status,
)
from muniment.exchange.layout import Ref
from muniment.exchange.recall import Answer, Library
from muniment.exchange.safe import Safe
from muniment.exchange.sight import Sight
from muniment.exchange.status import refused
from muniment.exchange.store import Store
from muniment.model.contextual import Turned
from muniment.model.exchange import (
    ExchangeConvert,
    ExchangeConverted,
    ExchangeInspect,
    ExchangeInspected,
    ExchangeRecall,
    ExchangeRecalled,
    ExchangeReplay,
    ExchangeReplayed,
    ExchangeRetain,
    ExchangeRetained,
    NotCarried,
)
from muniment.model.experience import Observe
from muniment.model.record import Remember
from muniment.model.request import Request, file_name
from muniment.operations import BY_REQUEST
from muniment.operations.operation import Context

_SUMMARY_BYTES_MAX = 16_777_216  # 64 results with all that they may list take a quarter of it


def answer_queries(context: Context, request: ExchangeRecall) -> ExchangeRecalled:
    """Each query of a file answered from a container, in a new directory."""
    del context
    loaded, envelope = _batch(request)
    safe = request.style == "safe"
    library = Library(loaded.store)
    cut = loaded.store.sequence
    answers = library.answer(envelope.rows, Safe(loaded.store) if safe else None)
    if not safe:
        # A decision is recorded as the formats have it, and they have no style of ours.
        answers = library.record(answers)
    if request.all_or_nothing:
        _check_all(answers)
    told = [results.result(index, each, recorded=not safe) for index, each in enumerate(answers)]
    written = _told(answers, results.summary(told, cut, request.style))
    good = sum(each.selection is not None for each in answers)
    changed = library.store if good and not safe else None
    return ExchangeRecalled(
        out=file_name(request.out),
        lineage=loaded.store.lineage.hex(),
        cut=cut,
        style=request.style,
        answered=good,
        refused=len(answers) - good,
        files=_published(file_name(request.out), written, loaded, changed),
        results=tuple(told),
    )


def retain(context: Context, request: ExchangeRetain) -> ExchangeRetained:
    """Each query of a file answered, and each input kept as memory; all of them or none."""
    del context
    loaded, envelope = _batch(request)
    library = Library(loaded.store)
    cut = loaded.store.sequence
    answers = library.lasting(library.answer(envelope.rows))
    _check_all(answers)
    kept = library.retain(answers)
    told = [results.result(index, each, recorded=False) for index, each in enumerate(answers)]
    written = _told(answers, results.summary(told, cut, "wire"))
    return ExchangeRetained(
        out=file_name(request.out),
        lineage=loaded.store.lineage.hex(),
        cut=cut,
        sequence=library.store.sequence,
        kept=results.kept(kept),
        files=_published(file_name(request.out), written, loaded, library.store),
        results=tuple(told),
    )


def replay(context: Context, request: ExchangeReplay) -> ExchangeReplayed:
    """Every recorded choice once more; where one does not stand, no context at all."""
    del context
    answers = Library(files.load(file_name(request.store)).store).replay()
    same = all(each.selection is not None for each in answers)
    return ExchangeReplayed(
        same=same, items=tuple(results.decision(each, shown=same) for each in answers)
    )


def inspect(context: Context, request: ExchangeInspect) -> ExchangeInspected:
    """What a file holds, after all of it has been checked."""
    del context
    with publishing.opened(Path(request.file), "file") as data:
        magic = bytes(data[:8])
        if magic == container.MAGIC:
            return _container(data)
        if magic == queries.MAGIC:
            return _queries(data)
        if magic in (images.CHECKPOINT, images.TAIL):
            return _image(data)
        if live.known(data):
            return _live(data)
        if magic[:1] == b"{" and len(data) <= _SUMMARY_BYTES_MAX:
            return _summary(data)
    raise UnknownFormat(
        "neither a container, an image, queries, a live file nor results", at="file"
    )


def convert(context: Context, request: ExchangeConvert) -> ExchangeConverted:
    """The objects of a container as messages and records of a scope."""
    loaded = files.load(file_name(request.store))
    places: set[Any] = {None}
    for scope, given, at in (
        (objects.PRIVATE, request.owner, "owner"), (objects.ROOM, request.room, "room"),
    ):  # fmt: skip
        if given is not None:
            places.add((scope, _id(given, at)))
    taking = _Taking(context, request.scope, loaded.store)
    for each in converting.objects_of(loaded.store, frozenset(places)):
        taking.take(each)
    return ExchangeConverted(
        carried=dict(sorted(taking.carried.items())),
        known=taking.known,
        not_carried=tuple(taking.left[: limits.IMPORT_FAILURES_MAX]),
        not_carried_more=max(0, len(taking.left) - limits.IMPORT_FAILURES_MAX),
    )


class _Taking:
    """Objects on their way into a scope; what was taken over, by its old reference."""

    def __init__(self, context: Context, scope: str | None, store: Store) -> None:
        self._context = context
        self._scope = scope
        self._lineage = store.lineage.hex()
        self._ours: dict[Ref, str] = {}
        self._notes: dict[Ref, Remember] = {}
        self.carried: Counter[str] = Counter()
        self.known = 0
        self.left: list[NotCarried] = []

    def take(self, each: converting.Carried | converting.Ended | converting.Left) -> None:
        """One version: written by a command, or listed with the reason why not."""
        row = each.row
        try:
            if isinstance(each, converting.Carried):
                self._write(each)
            elif isinstance(each, converting.Ended):
                self._retract(each)
            else:
                self._leave(each.row, each.reason, each.detail)
        except (BadInput, Conflict, NotFound, Refused) as error:
            self._leave(row, error.code, error.detail)

    def _write(self, each: converting.Carried) -> None:
        name = self._name(each.row)
        metadata = {"exchange": {"lineage": self._lineage, **each.metadata}}
        if each.kind is None:
            said = Observe(
                scope=self._scope, text=each.text, role="narrator", actor=each.actor,
                thread=f"exchange:{self._lineage}", external_id=name,
                # A message has no readers; what not everybody sees is hidden until it is named.
                collection=" ".join(each.seen.values()) or None,
            )  # fmt: skip
            self._done(each.row, self._run(said), "event")
            return
        source = self._ours.get(each.source) if each.source else None
        bound: dict[str, Any] = {"task": each.task, "grade": each.grade, **each.seen}
        if each.appraised is not None:
            benefit, harm = each.appraised
            bound |= {"assesses": source, "benefit_ppm": benefit, "harm_ppm": harm}
        note = Remember(
            scope=self._scope, text=each.text, kind=each.kind, status=each.status, owner="agent",
            about=each.about, sources=() if source is None else (source,),
            supersedes=self._ours.get(each.supersedes) if each.supersedes else None,
            metadata=msgspec.json.encode(metadata).decode(), command_key=name, **bound,
        )  # fmt: skip
        self._done(each.row, self._run(note), each.kind)
        self._notes[each.row.ref] = note

    def _retract(self, each: converting.Ended) -> None:
        note = self._notes.get(each.before)
        if note is None:
            known = each.before in self._ours
            detail = "an event has happened" if known else "what it ends was not taken over"
            self._leave(each.row, reason="ended", detail=detail)
            return
        # By a command with a key, so that a second run finds that it has been done.
        ended = msgspec.structs.replace(
            note, status="retracted", supersedes=self._ours[each.before],
            command_key=f"{self._name(each.row)}:ended",
        )  # fmt: skip
        self._done(each.row, self._run(ended), "retracted")

    def _done(self, row: objects.Row, done: Any, what: str) -> None:
        self._ours[row.ref] = done.id
        self.known += done.known
        self.carried[what] += 1

    def _name(self, row: objects.Row) -> str:
        return f"exchange:{self._lineage}:{row.ref}"

    def _leave(self, row: objects.Row, reason: str, detail: str) -> None:
        self.left.append(
            NotCarried(
                id=row.id.hex(), version=row.version, kind=objects.KINDS[row.kind],
                reason=reason, detail=detail,
            )
        )  # fmt: skip

    def _run(self, request: Request[Any]) -> Any:
        return BY_REQUEST[type(request)].run(self._context, request)


def _id(given: str, at: str) -> bytes:
    try:
        found = bytes.fromhex(given)
    except ValueError as error:
        raise BadShape("an id in hex", at=at) from error
    if len(found) != 16 or not any(found):
        raise BadShape("an id of 32 digits in hex, not zero", at=at)
    return found


def _batch(request: ExchangeRecall | ExchangeRetain) -> tuple[files.Loaded, queries.Envelope]:
    """A container, and the queries that were prepared for it as it is."""
    loaded = files.load(file_name(request.store))
    with publishing.opened(Path(request.queries), "queries", queries.FILE_BYTES_MAX) as data:
        envelope = queries.read_envelope(data)
    _check_envelope(envelope, loaded.store)
    return loaded, envelope


def _told(answers: Sequence[Answer], summary: bytes) -> dict[str, bytes]:
    """The files of a batch but for its store."""
    written = {results.SUMMARY: summary}
    for index, each in enumerate(answers):
        written |= results.files(index, each)
    return written


def _published(
    out: str, written: dict[str, bytes], loaded: files.Loaded, changed: Store | None
) -> tuple[str, ...]:
    """The names of the files in the new directory, which appears whole; `changed`: the store too."""
    with files.Directory(out) as directory:
        directory.write(written)
        if changed is None:
            return tuple(sorted(written))
        kept = files.optional(loaded.container)
        files.save(directory.path(files.STORE_NAME), changed, kept)
        return tuple(sorted((*written, files.STORE_NAME)))


def _check_envelope(envelope: queries.Envelope, store: Store) -> None:
    if envelope.lineage != store.lineage:
        wanted = f"the lineage of the store, {store.lineage.hex()}, found {envelope.lineage.hex()}"
        raise refused("source", wanted, "queries.lineage")
    if envelope.cut != store.sequence:
        wanted = f"the store's sequence, {store.sequence}, found {envelope.cut}"
        raise refused("stale", wanted, "queries.cut")


def _check_all(answers: Sequence[Answer]) -> None:
    code = recall.worst(answers)
    if code is not None:
        bad = [str(index) for index, each in enumerate(answers) if each.turned is not None]
        said = f"query {bad[0]} was" if len(bad) == 1 else f"queries {', '.join(bad)} were"
        raise QueryRefused(f"{code}: {said} refused", at="queries")


def _kinds(some: Sequence[images.Stored]) -> dict[str, int]:
    counts = Counter(objects.KINDS[each.row.kind] for each in some)
    return dict(sorted(counts.items()))


def _container(data: Any) -> ExchangeInspected:
    found, store = files.held(data, "file")
    return ExchangeInspected(
        format="container",
        bytes=len(data),
        lineage=store.lineage.hex(),
        sequence=store.sequence,
        tick=store.tick,
        generation=found.generation,
        fallback=found.fallback,
        unreached=found.unreached,
        sections=tuple(f"{each.type}: {len(each.data)} bytes" for each in found.sections),
        objects=_kinds(store.objects),
        decisions=len(recall.decisions(store, Sight(store))),
    )


def _image(data: Any) -> ExchangeInspected:
    image = images.read(data, "file")
    return ExchangeInspected(
        format="tail" if image.tail else "checkpoint",
        bytes=len(data),
        lineage=image.lineage.hex(),
        sequence=image.sequence,
        tick=image.tick,
        objects=_kinds(image.objects),
    )


def _queries(data: Any) -> ExchangeInspected:
    envelope = queries.read_envelope(data, "file")
    told = []
    for index, row in enumerate(envelope.rows):
        try:
            answer = Answer(query=queries.read(row, f"file.rows[{index}]"))
        except BadExchange as error:
            code = status.of(error)
            answer = Answer(query=None, turned=Turned(code=code, detail=error.detail))
        told.append(results.result(index, answer, recorded=False))
    return ExchangeInspected(
        format="queries",
        bytes=len(data),
        lineage=envelope.lineage.hex(),
        sequence=envelope.cut,
        queries=tuple(told),
    )


def _live(data: Any) -> ExchangeInspected:
    found = live.read(data, "file")
    asked = [each.query for each in found.rows if isinstance(each, live.Asking)]
    told = [
        results.result(index, Answer(query=query), recorded=False)
        for index, query in enumerate(asked)
    ]
    return ExchangeInspected(
        format=found.kind,
        bytes=len(data),
        lineage=found.lineage.hex(),
        sequence=found.sequence,
        slots=tuple(each.slot for each in found.rows),
        queries=tuple(told),
    )


def _summary(data: Any) -> ExchangeInspected:
    try:
        found = msgspec.json.decode(bytes(data), type=results.Summary)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise refused("format", str(error), "file") from error
    if (found.format, found.version) != ("muniment-exchange-results", 1):
        raise UnknownFormat("JSON, but no results of an exchange", at="file")
    return ExchangeInspected(
        format="results", bytes=len(data), sequence=found.cut, queries=found.results
    )
