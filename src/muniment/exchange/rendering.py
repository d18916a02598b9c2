"""What was chosen as a text: the styles of revisions 0 to 4, byte by byte.

These copy stored text as it is, so that it can imitate a header.  `safe` renders the same in
frames that it cannot imitate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from muniment.exchange import appraisals, objects, spans, texts
from muniment.exchange.layout import NO_ID
from muniment.exchange.objects import Row
from muniment.exchange.store import Store
from muniment.model.contextual import Asked, Chosen, Evidence, Reason

REASONS: dict[Reason, int] = {
    "required": 1, "pinned": 2, "similar": 3, "obligation": 4, "support": 5, "significant": 6,
}  # fmt: skip
INPUT = b"[input]\n"
SAME_TEXT = b"text: see source_ref"

_SOURCES_FROM = 2  # the revisions in which a source is named, a text shared, a label shared
_SHARED_FROM = 3
_GROUPS_FROM = 4
_SHARED_ABOVE_BYTES = 52  # of a payload: a shorter text is no longer than what stands for it
_UNNAMED, _INLINE = -1, -2  # how a row that is in no group names its source

Labels = list[tuple[str, str]]


class Wire:
    """The style of a query's revision."""

    def __init__(self, store: Store) -> None:
        self.store = store
        # Rows as they were written: one selection is written again and again as it grows.
        self._rows: dict[tuple[Any, ...], bytes] = {}

    def text(self, chosen: Sequence[Chosen], asked: Asked) -> bytes:
        """Groups, rows and the task's line."""
        some = [(each, each.evidence, each.evidence.origin) for each in chosen]
        refs = {evidence.ref for _, evidence, _ in some}
        groups: dict[Any, int] = {}
        if asked.revision >= _GROUPS_FROM:
            groups = grouped([origin for _, _, origin in some])
        parts = [self._group(ref, number) for ref, number in groups.items()]
        inline = _INLINE if asked.revision >= _SOURCES_FROM else _UNNAMED
        sharing = asked.revision >= _SHARED_FROM
        for each, evidence, origin in some:
            shared = sharing and evidence.complete and self.shared(evidence, refs)
            parts.append(self._row(each, groups.get(origin, inline), shared=shared))
        return b"".join(parts) + task_line(asked)

    def _group(self, ref: Any, number: int) -> bytes:
        """The line that names a source for its rows."""
        row = self._rows.get((ref, number))
        if row is None:
            row = b"[source_group=%d%s]\n" % (number, _said(self._source(ref)))
            self._rows[ref, number] = row
        return row

    def _row(self, chosen: Chosen, source: int, *, shared: bool) -> bytes:
        """One row.  `source`: its group's number; else how it is named."""
        key = (chosen.evidence.held, chosen.reason, source, shared)
        row = self._rows.get(key)
        if row is None:
            row = self._rows[key] = self._made(chosen, source, shared=shared)
        return row

    def _made(self, chosen: Chosen, source: int, *, shared: bool) -> bytes:
        labels: Labels = []
        if source >= 0:
            labels = [("source_group", str(source))]
        elif source == _INLINE:
            labels = self._source(chosen.evidence.origin)
        body = SAME_TEXT if shared else self.body(chosen.evidence)
        return b"[memory%s]\n%s\n" % (_said(self.labels(chosen, labels)), body)

    def least(self, evidence: Evidence, asked: Asked, *, alone: bool) -> int:
        """At least so many bytes are added by a row; of a memory alone, exactly so many."""
        source = _INLINE if asked.revision >= _SOURCES_FROM else _UNNAMED
        if asked.revision >= _GROUPS_FROM and not alone:
            source = 0
        reason: Reason = "similar" if evidence.part == "memory" else "support"
        row = self._row(Chosen(evidence=evidence, reason=reason), source, shared=False)
        if not evidence.copy:
            return len(row)
        return len(row) - max(0, len(self.body(evidence)) - len(SAME_TEXT))

    def shared(self, evidence: Evidence, refs: set[Any]) -> bool:
        """Whether the very same text is in the selection, as its source's."""
        size = len(self.store.objects[evidence.held].payload)
        return evidence.complete and size > _SHARED_ABOVE_BYTES and evidence.source in refs

    def labels(self, chosen: Chosen, source: Labels) -> Labels:
        """What a row's header says, with what is said of its source."""
        evidence = chosen.evidence
        row, payload = self.store.objects[evidence.held]
        found: Labels = [
            ("id", row.id.hex()),
            ("version", str(row.version)),
            ("source", str(row.source_kind)),
            ("evidence", str(row.evidence)),
            ("reason", str(REASONS[chosen.reason])),
            *source,
        ]
        if evidence.part == "memory" and payload[:8] == texts.SPAN:
            found += _span(row, payload)
        about = evidence.part != "memory" or evidence.contextual
        if about or chosen.reason == "significant":
            found.append(("subject", row.subject.hex()))
        if evidence.contextual:
            found.append(("task", evidence.task.hex()))
        if evidence.part != "memory":
            found.append(("assesses", str(row.source)))
            made = evidence.part == "support" or bool(evidence.after)
            if made and row.superseded:
                found.append(("replaces", str(row.superseded)))
        return found

    def body(self, evidence: Evidence) -> bytes:
        """The text of a row."""
        row, payload = self.store.objects[evidence.held]
        if evidence.part == "memory":
            return bytes(payload[texts.start(payload) :])
        if evidence.part == "appraisal":
            return appraised(appraisals.read(payload, "payload"))
        if payload[:8] == appraisals.QUEUE:
            return b"completed appraisal; no new exposure"
        return self._related(row, payload)

    def _source(self, ref: Any) -> Labels:
        return [("source_ref", f"{ref[0].hex()}@{ref[1]}"), ("source_actor", self.actor(ref))]

    def actor(self, ref: Any) -> str:
        """Who said it, where an event says so; nobody else is guessed."""
        found = self.store.get(ref)
        if found is None:
            return "unknown"
        row, payload = found
        said = row.kind == objects.EVENT and row.source_kind == objects.REPORTED
        plain = payload[:8] == texts.PLAIN
        return row.subject.hex() if said and plain and row.subject != NO_ID else "unknown"

    def _related(self, row: Row, payload: Any) -> bytes:
        found = appraisals.read_relationship(payload, "payload")
        values = " ".join(
            f"{name}={_known(value)}"
            for name, value in (
                ("regard_gain", found.regard_gain), ("regard_loss", found.regard_loss),
                ("task_trust_gain", found.trust_gain), ("task_trust_loss", found.trust_loss),
            )
        )  # fmt: skip
        head = f"relationship exposure={found.exposure} units={appraisals.UNITS} {values}"
        head += f" task={found.task.hex()} reported assessment; no authority\n"
        text = None
        source = self.store.get(row.source)
        if source is not None:
            text = spans.event_text(source.payload)
        quotes = (
            (b"evidence: ", found.evidence),
            (b"\ntask quote: ", found.task_quote),
            (b"\nreported commitment candidate: ", found.commitment),
        )
        return head.encode() + b"".join(lead + _quote(text, quote) for lead, quote in quotes)


def grouped(origins: Sequence[Any]) -> dict[Any, int]:
    """The number of each source that two rows or more have, in the order they come."""
    counts = Counter(origins)
    several = [ref for ref, count in counts.items() if count > 1]
    return {ref: number for number, ref in enumerate(several)}


def task_line(asked: Asked) -> bytes:
    """The line that says the task and who takes part, if the query is about one."""
    if asked.task is None:
        return b""
    people = ",".join(each.hex() for each in asked.participants) or "unknown"
    return f"[task cue={asked.task.hex()} participants={people}]\n".encode()


def _said(labels: Labels) -> bytes:
    return "".join(f" {name}={value}" for name, value in labels).encode()


def _span(row: Row, payload: Any) -> Labels:
    span = texts.read(payload, "payload")
    assert isinstance(span, texts.Span)
    found: Labels = [
        ("inferred", texts.SPANS[span.span]),
        ("from", str(row.source)),
        ("byte", str(span.start)),
        ("length", str(len(span.text.encode()))),
    ]
    return [*found, ("replaces", str(row.superseded))] if row.superseded else found


def appraised(found: appraisals.Appraisal) -> bytes:
    """An appraisal in one line, every value of it."""
    return (
        f"benefit={_known(found.benefit)} harm={_known(found.harm)}"
        f" arousal={_known(found.arousal)} consequence={found.consequence}"
        f" confidence={_known(found.confidence)} units={appraisals.UNITS} assessment"
    ).encode()


def _known(value: int | None) -> str:
    return "unknown" if value is None else str(value)


def _quote(text: bytes | None, quote: tuple[int, int]) -> bytes:
    start, size = quote
    if text is None or not size or start + size > len(text):
        return b"unknown"
    return text[start : start + size]
