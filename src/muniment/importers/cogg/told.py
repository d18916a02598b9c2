"""What a verified Cogg chain says, in our words.  Pure."""

from __future__ import annotations

import json
from typing import Any

from muniment import limits
from muniment.importers.cogg.bodies import (
    Abstention,
    Cause,
    Genesis,
    NoteBody,
    Transition,
    Try,
    dumped,
    parsed,
    typed,
)
from muniment.importers.cogg.tables import Attempt, Commit, Occasion
from muniment.model.event_kinds import Kind, Status
from muniment.model.foreign import OldNote
from muniment.model.record import Note
from muniment.model.turn import Turn

COLLECTION = "cogg"

_KINDS: dict[str, Kind] = {
    "note": "note",
    "fact": "fact",
    "procedure": "procedure",
    "task": "task",
    "summary": "summary",
    "episode": "story",
    "prospective": "intention",
}
_INTENTIONS: dict[str, Status] = {
    "active": "pending",
    "closed": "completed",
    "retracted": "retracted",
}
_TASKS: dict[str, Status] = {"open": "open", "closed": "closed", "retracted": "retracted"}


class Teller:
    """Turns and records of one subject."""

    def __init__(self, subject: str, genesis: str) -> None:
        self._subject = subject
        self._namespace = f"cogg:{genesis}"

    def genesis(self, commit: Commit, plain: dict[str, Any], first: Genesis) -> Turn:
        """The first commit."""
        told = {name: value for name, value in plain.items() if name != "memory"}
        return self._event(
            at="commits[0]",
            text="commit 0: genesis",
            external_id=commit.id,
            at_ms=_moment(first.created_at),
            metadata=_metadata("commit", id=commit.id, state=sorted(first.memory), body=told),
        )

    def commit(
        self, commit: Commit, plain: dict[str, Any], now: Transition, notes: list[str]
    ) -> list[Turn]:
        """A later commit, and what the agent said with it."""
        at = f"commits[{commit.tick}]"
        told = {name: value for name, value in plain.items() if name not in ("memory", "proposal")}
        if isinstance(told.get("emission"), dict):
            told["emission"] = _without(told["emission"], "proposal")
        told["proposal"] = {"kind": now.proposal.kind, "wake_after_ms": now.proposal.wake_after_ms}
        state = [write.key for write in now.proposal.memory]
        turns = [
            self._event(
                at=at,
                text=f"commit {commit.tick}: {now.proposal.kind}",
                external_id=commit.id,
                parent=now.parent,
                reply_to=now.attempt,
                at_ms=_moment(now.committed_at),
                metadata=_metadata("commit", id=commit.id, state=state, notes=notes, body=told),
            )
        ]
        if now.proposal.text:
            turns.append(
                Turn(
                    at=f"{at}.proposal.text",
                    role="assistant",
                    text=now.proposal.text,
                    external_id=f"{commit.id}:speech",
                    namespace=self._namespace,
                    reply_to=now.occasion,
                    at_ms=_moment(now.committed_at),
                    thread=self._subject,
                    metadata=_metadata("speech", commit=commit.id, tick=commit.tick),
                )
            )
        return turns

    def more_state(self, commit: Commit, part: int) -> Turn:
        """A further part of a state that is too long for one commit."""
        return self._event(
            at=f"commits[{commit.tick}]",
            text=f"commit {commit.tick}: state, part {part}",
            external_id=f"{commit.id}:state:{part}",
            parent=commit.id,
            metadata=_metadata("state", commit=commit.id, tick=commit.tick, part=part),
        )

    def occasion(self, row: Occasion) -> Turn:
        """A message of whoever sent it; anything else that woke the agent is an event."""
        at = f"occasions[{row.seq}]"
        plain = parsed(row.body, at)
        cause = typed(plain, Cause, at)
        said = cause.payload.get("text") if isinstance(cause.payload, dict) else None
        if cause.kind == "external" and isinstance(said, str) and said.strip():
            rest = {name: value for name, value in cause.payload.items() if name != "text"}
            return Turn(
                at=at,
                role="user",
                text=said,
                external_id=row.id,
                namespace=self._namespace,
                at_ms=_moment(cause.received_at),
                thread=self._subject,
                metadata=_metadata(
                    "occasion", id=row.id, seq=row.seq, body=plain | {"payload": rest}
                ),
            )
        return self._event(
            at=at,
            text=f"{cause.kind}: {dumped(cause.payload)}",
            external_id=row.id,
            at_ms=_moment(cause.received_at),
            metadata=_metadata("occasion", id=row.id, seq=row.seq, body=_without(plain, "payload")),
        )

    def attempt(self, row: Attempt, failure: str | None) -> list[Turn]:
        """The packets that an attempt was given, and the attempt."""
        at = f"attempts[{row.seq}]"
        plain = parsed(row.body, at)
        tried = typed(plain, Try, at)
        turns = [
            self._packet(f"{at}.inputs[{index}]", packet, row)
            for index, packet in enumerate(tried.inputs)
        ]
        told = _metadata(
            "attempt",
            id=row.id,
            seq=row.seq,
            status=row.status,
            error=row.error,
            failure=failure,
            body=_named(plain),
        )
        turns.append(
            self._event(
                at=at,
                text=f"attempt {row.seq}",
                actor=_name(tried.backend),
                external_id=row.id,
                reply_to=row.occasion,
                at_ms=_moment(row.admitted_at),
                metadata=told,
            )
        )
        return turns

    def abstention(self, receipt: tuple[str, str], row: Attempt) -> Turn:
        """Why a backend did not take part."""
        at = f"abstentions[{row.seq}]"
        plain = parsed(receipt[1], at)
        outcome = typed(plain, Abstention, at).outcome
        detail = f", {outcome.detail}" if outcome.detail.strip() else ""
        return self._event(
            at=at,
            text=f"abstained: {outcome.reason}{detail}",
            external_id=receipt[0],
            reply_to=row.id,
            metadata=_metadata("abstention", id=receipt[0], body=plain),
        )

    def note(
        self, commit: Commit, now: Transition, index: int, id: str, before: str | None
    ) -> OldNote:
        """One note of a commit as a version of a record."""
        said = now.proposal.notes[index]
        kind, status = _kind(said)
        address = {
            "subject": self._subject,
            "commit": commit.id,
            "tick": commit.tick,
            "index": index,
            "type": said.type,
            "status": said.status,
            "at_ms": now.committed_at,
        }
        note = Note(
            text=said.text,
            key=said.key,
            kind=kind,
            status=status,
            metadata=_metadata("note", id=id, **address),
        )
        at = f"commits[{commit.tick}].notes[{index}]"
        return OldNote(
            at=at, id=id, before=before, note=note, sources=said.sources, covers=said.covers
        )

    def _packet(self, at: str, packet: dict[str, Any], row: Attempt) -> Turn:
        held = packet["body"] if isinstance(packet.get("body"), dict) else {}
        content, producer = held.get("content"), held.get("producer")
        said = isinstance(content, str) and content.strip()
        return Turn(
            at=at,
            role="tool",
            type="tool_result",
            text=str(content) if said else dumped(content),
            actor=_name(producer) if isinstance(producer, str) else None,
            external_id=str(packet["id"]),
            namespace=self._namespace,
            at_ms=_moment(row.admitted_at),
            thread=self._subject,
            metadata=_metadata(
                "input", id=packet["id"], attempt=row.id, body=_without(held, "content")
            ),
        )

    def _event(self, **fields: Any) -> Turn:
        return Turn(
            role="system",
            type="task_event",
            namespace=self._namespace,
            collection=COLLECTION,
            thread=f"cogg:{self._subject}",
            **fields,
        )


def _kind(note: NoteBody) -> tuple[Kind, Status]:
    """Kind and status here; what was neither open nor taken back is active."""
    if note.type == "prospective":
        return "intention", _INTENTIONS[note.status]
    if note.type == "task" and note.status in _TASKS:
        return "task", _TASKS[note.status]
    kind = "note" if note.type == "task" else _KINDS[note.type]
    return kind, "retracted" if note.status == "retracted" else "active"


def _named(plain: dict[str, Any]) -> dict[str, Any]:
    """An attempt's body with the ids of what it quotes instead of the words."""
    told = dict(plain)
    if told.get("inputs"):
        told["inputs"] = [packet.get("id") for packet in told["inputs"]]
    if isinstance(told.get("context"), dict):
        told["context"] = _named_context(told["context"])
    temporal = told.get("temporal")
    admission = temporal.get("admission") if isinstance(temporal, dict) else None
    occasion = admission.get("occasion") if isinstance(admission, dict) else None
    if isinstance(temporal, dict) and isinstance(admission, dict) and isinstance(occasion, dict):
        admission = admission | {"occasion": _without(occasion, "payload")}
        told["temporal"] = temporal | {"admission": admission}
    return told


def _named_context(context: dict[str, Any]) -> dict[str, Any]:
    """What an attempt was shown, by keys and ids; its question is the occasion's text."""
    told = dict(context)
    if isinstance(told.get("memory"), dict):
        told["memory"] = sorted(told["memory"])
    view = told.get("view")
    if isinstance(view, dict):
        items = view.get("items")
        shown = items if isinstance(items, list) else []
        ids = [item.get("id") for item in shown if isinstance(item, dict)]
        told["view"] = _without(view, "query") | {"items": ids}
    return told


def _metadata(kind: str, **told: Any) -> str:
    """The old address of a thing, and what else was said of it, as a JSON object."""
    said = {name: value for name, value in told.items() if value is not None}
    return json.dumps({"cogg": {"kind": kind, **said}}, ensure_ascii=False, sort_keys=True)


def _without(plain: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in plain.items() if key != name}


def _name(text: str) -> str | None:
    """A name that an actor may have; a longer one stands in the metadata alone."""
    fits = 0 < len(text.encode()) <= limits.NAME_BYTES_MAX and "\0" not in text
    return text if fits and text.strip() else None


def _moment(ms: int) -> int | None:
    """A time that can be one here; another stands in the metadata alone."""
    return ms if 0 <= ms <= limits.TIME_MS_MAX else None
