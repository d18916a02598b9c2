"""The style in which stored text cannot imitate what stands around it.

The labels are those of revision 2, each entry stands in a frame (`ranking.framed`), and an entry
whose text stands there already, as its source's, says so by a label of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from muniment.exchange.rendering import Wire
from muniment.exchange.store import Store
from muniment.model.contextual import Asked, Chosen, Evidence
from muniment.ranking import framed
from muniment.ranking.framed import Frame


class Safe:
    """Entries in frames."""

    def __init__(self, store: Store) -> None:
        self._wire = Wire(store)

    def text(self, chosen: Sequence[Chosen], asked: Asked) -> bytes:
        """One frame an entry, and one for the task."""
        refs = {each.evidence.ref for each in chosen}
        frames = [self._frame(each, refs) for each in chosen]
        if asked.task is not None:
            people = ",".join(each.hex() for each in asked.participants) or "unknown"
            labels = (("cue", asked.task.hex()), ("participants", people))
            frames.append(Frame("task", labels))
        return framed.write(frames).encode()

    def least(self, evidence: Evidence, asked: Asked, *, alone: bool) -> int:
        """At least so many bytes are added by an entry: what its row takes, or an empty frame."""
        return framed.least("") if evidence.copy else self._wire.least(evidence, asked, alone=alone)

    def _frame(self, chosen: Chosen, refs: set[Any]) -> Frame:
        id, version = chosen.evidence.origin
        source = [
            ("source_ref", f"{id.hex()}@{version}"),
            ("source_actor", self._wire.actor(chosen.evidence.origin)),
        ]
        labels = self._wire.labels(chosen, source)
        if self._wire.shared(chosen.evidence, refs):
            return Frame("memory", (*labels, ("text_of", f"{id.hex()}@{version}")))
        # A quote of a model may cut a character in two.
        text = self._wire.body(chosen.evidence).decode("utf-8", "replace")
        return Frame("memory", tuple(labels), text)
