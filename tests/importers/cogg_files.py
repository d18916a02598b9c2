"""Databases as Cogg writes them, versions 1 to 5, made from the facts of its format.

It shares nothing with the importer.  A file is written through a clock that only counts, so that
what comes out is the same each time.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import apsw

APPLICATION_ID = 0x434F4747
START_MS = 1_750_000_000_000
LIMITS = {"min_wake_ms": 10, "max_attempts": 6, "period_ms": 100_000, "max_wake_ms": 900_000}

TABLES = (
    (
        "CREATE TABLE subjects(id TEXT PRIMARY KEY, tick INTEGER NOT NULL, head TEXT NOT NULL,"
        " memory TEXT NOT NULL, wake TEXT NOT NULL, limits TEXT NOT NULL,"
        " accounting_wall INTEGER NOT NULL)"
    ),
    (
        "CREATE TABLE occasions(seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,"
        " subject TEXT NOT NULL REFERENCES subjects(id), key TEXT NOT NULL, kind TEXT NOT NULL,"
        " parent TEXT NOT NULL, body TEXT NOT NULL, consumed TEXT, UNIQUE(subject, key))"
    ),
    (
        "CREATE TABLE attempts(seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,"
        " subject TEXT NOT NULL REFERENCES subjects(id), parent TEXT NOT NULL,"
        " occasion TEXT NOT NULL REFERENCES occasions(id), admitted_at INTEGER NOT NULL,"
        " body TEXT NOT NULL, status TEXT NOT NULL, error TEXT NOT NULL DEFAULT '')"
    ),
    (
        "CREATE TABLE commits(id TEXT PRIMARY KEY, subject TEXT NOT NULL REFERENCES subjects(id),"
        " tick INTEGER NOT NULL, body TEXT NOT NULL, UNIQUE(subject, tick))"
    ),
    "CREATE INDEX attempts_budget ON attempts(subject, admitted_at)",
)
NOTES_FROM, EMISSIONS_FROM, ABSTENTIONS_FROM = 3, 4, 5
NOTE_TABLES = (
    (
        "CREATE TABLE memory_entries(id TEXT PRIMARY KEY, subject TEXT NOT NULL REFERENCES"
        " subjects(id), key TEXT NOT NULL, tick INTEGER NOT NULL, commit_id TEXT NOT NULL,"
        " body TEXT NOT NULL, current INTEGER NOT NULL)"
    ),
    (
        "CREATE TABLE memory_links(subject TEXT NOT NULL, note TEXT NOT NULL, source TEXT NOT NULL,"
        " covers INTEGER NOT NULL, PRIMARY KEY(note, source))"
    ),
    (
        "CREATE VIRTUAL TABLE memory_fts USING fts5(id UNINDEXED, subject UNINDEXED, key, text,"
        " tokenize='unicode61')"
    ),
)
ABSTENTION_TABLE = (
    "CREATE TABLE abstentions(id TEXT PRIMARY KEY, attempt TEXT NOT NULL UNIQUE"
    " REFERENCES attempts(id), body TEXT NOT NULL)"
)
FAILURE_TABLE = (
    "CREATE TABLE IF NOT EXISTS occasion_failures(attempt TEXT PRIMARY KEY REFERENCES attempts(id),"
    " occasion TEXT NOT NULL REFERENCES occasions(id), reason TEXT NOT NULL)"
)
EXECUTION = {
    "schema": "cogg:execution/v1",
    "executor": "local",
    "backend": "demo/v1",
    "session": "one",
    "capabilities": {
        "remote": False,
        "exact_tokens": False,
        "checkpoint": False,
        "cancellation": True,
    },
}


def dumped(value: Any) -> str:
    """Canonical text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def hashed(value: Any) -> str:
    """Its id."""
    return hashlib.sha256(dumped(value).encode()).hexdigest()


def note(key: str, text: str, type: str = "note", **fields: Any) -> dict[str, Any]:
    """A note with all of its six keys."""
    held = {"key": key, "text": text, "type": type, "status": "active", "sources": [], "covers": []}
    return held | fields


class Cogg:
    """One subject of a database, driven as Cogg's host would; several may share a file."""

    def __init__(
        self,
        path: Path,
        subject: str = "s",
        *,
        version: int = 5,
        memory: dict[str, Any] | None = None,
        limits: dict[str, int] | None = None,
    ) -> None:
        self.db = apsw.Connection(str(path))
        self.subject, self.now = subject, START_MS
        self.limits = LIMITS | (limits or {})
        self.state = dict(memory or {})
        self.plan: Any = None
        self.wake: int | None = None
        self.tick, self.count = 0, 0
        self.wall = self.now
        self.db.pragma("journal_mode", "wal")
        self.upgrade(version)
        body = {
            "created_at": self.now,
            "limits": self.limits,
            "memory": self.state,
            "nonce": self._nonce(),
            "parent": None,
            "schema": version,
            "subject": subject,
            "tick": 0,
            "wake_at": None,
        }
        self.head = self.genesis = hashed(body)
        self.db.execute(
            "INSERT INTO subjects VALUES(?, 0, ?, ?, 'null', ?, ?)",
            (subject, self.head, dumped(self.state), dumped(self.limits), self.now),
        )
        self.db.execute(
            "INSERT INTO commits VALUES(?, ?, 0, ?)", (self.head, subject, dumped(body))
        )
        self.enqueue("system:created", "created", {})

    def close(self) -> None:
        """The log is folded in, and nothing is left beside the file."""
        self.db.close()

    def copy(self, path: Path) -> Path:
        """The file as it is now, closed."""
        self.db.execute("VACUUM INTO ?", (str(path),))
        return path

    def upgrade(self, version: int) -> None:
        """As a later release does on opening: missing tables, and the number."""
        self.version = version
        present = {name for (name,) in self.db.execute("SELECT name FROM sqlite_schema").fetchall()}
        wanted = [*TABLES]
        wanted += NOTE_TABLES if version >= NOTES_FROM else ()
        wanted += (ABSTENTION_TABLE,) if version >= ABSTENTIONS_FROM else ()
        for statement in wanted:
            name = statement.split()[3 if "VIRTUAL" in statement else 2].partition("(")[0]
            if name not in present:
                self.db.execute(statement)
        self.db.pragma("application_id", APPLICATION_ID)
        self.db.pragma("user_version", version)

    def enqueue(self, key: str, kind: str, payload: Any) -> str:
        """One entry of the inbox."""
        body = {
            "key": key,
            "kind": kind,
            "parents": [self.head],
            "payload": payload,
            "received_at": self.now,
            "schema": 1,
            "subject": self.subject,
        }
        self.db.execute(
            "INSERT INTO occasions(id, subject, key, kind, parent, body) VALUES(?, ?, ?, ?, ?, ?)",
            (hashed(body), self.subject, key, kind, self.head, dumped(body)),
        )
        return hashed(body)

    def send(self, text: str) -> str:
        """A message from outside."""
        self.now += 7
        return self.enqueue(f"user:{self.now}", "external", {"text": text})

    def admit(self, inputs: list[dict[str, Any]] | None = None, **fields: Any) -> str:
        """An attempt at the oldest entry that waits, or at the wake that is due."""
        self.now = max(self.now + 5, self.budget(self.now + 5)["eligible_at"])
        row = self.db.execute(
            "SELECT id, kind, body FROM occasions WHERE subject = ? AND consumed IS NULL"
            " ORDER BY seq LIMIT 1",
            (self.subject,),
        ).fetchone()
        if row is None:
            assert self.wake is not None
            self.now = max(self.now, self.wake)
            payload = {"due_at": self.wake}
            told = {"id": None, "kind": "scheduled", "payload": payload}
            occasion = self.enqueue(f"wake:{self.head}", "scheduled", payload)
        else:
            occasion, kind, held = row
            told = {"id": occasion, "kind": kind, "payload": json.loads(held)["payload"]}
        body = {
            "admitted_at": self.now,
            "backend": "demo/v1",
            "nonce": self._nonce(),
            "occasion": occasion,
            "parent": self.head,
            "prior_unsettled": False,
            "schema": self.version,
            "subject": self.subject,
            "tick": self.tick,
        }
        if self.version >= 2:
            body |= {"temporal": self._temporal(told), "wall_observed_at": self.now}
        if self.version >= EMISSIONS_FROM:
            body["execution"] = EXECUTION
        if self.version >= ABSTENTIONS_FROM:
            body["inputs"] = inputs or []
        body |= fields
        self.wall = max(self.wall, self.now)
        self.db.execute(
            "INSERT INTO attempts(id, subject, parent, occasion, admitted_at, body, status)"
            " VALUES(?, ?, ?, ?, ?, ?, 'reserved')",
            (hashed(body), self.subject, self.head, occasion, self.now, dumped(body)),
        )
        self._save()
        return hashed(body)

    def commit(self, attempt: str | None = None, **fields: Any) -> list[str]:
        """The commit of an attempt, a new one where none is named; the ids of its notes."""
        attempt = attempt or self.admit()
        ((occasion, held),) = self.db.execute(
            "SELECT occasion, body FROM attempts WHERE id = ?", (attempt,)
        ).fetchall()
        self.now += 3
        extra = {name: fields.pop(name) for name in ("disposition",) if name in fields}
        proposal = {"kind": "reflection", "memory": [], "text": "", "wake_after_ms": None} | fields
        proposal["memory"] = [
            {"key": key, "value": value} for key, value in dict(proposal["memory"]).items()
        ]
        if proposal["text"]:
            proposal["kind"] = "speech"
        self.state |= {write["key"]: write["value"] for write in proposal["memory"]}
        body = {
            "attempt": attempt,
            "committed_at": self.now,
            "memory": self.state,
            "occasion": occasion,
            "parent": self.head,
            "proposal": proposal,
            "schema": self.version,
            "subject": self.subject,
            "tick": self.tick + 1,
        } | extra
        self._wake(body, proposal["wake_after_ms"])
        if self.version >= EMISSIONS_FROM:
            emission = {
                "schema": "cogg:emission/v1",
                "attempt": attempt,
                "subject": self.subject,
                "parent": self.head,
                "occasion": occasion,
                "execution": json.loads(held).get("execution"),
                "proposal": proposal,
                "provider": {"adapter": "demo"},
            }
            body["emission"] = None if extra else emission
        ids = [
            hashed({"index": index, "note": each, "parent": self.head})
            for index, each in enumerate(proposal.get("notes", ()))
        ]
        self.head, self.tick = hashed(body), self.tick + 1
        self.wall = max(self.wall, self.now)
        self.db.execute(
            "INSERT INTO commits VALUES(?, ?, ?, ?)",
            (self.head, self.subject, self.tick, dumped(body)),
        )
        self._derive(proposal.get("notes", ()), ids)
        self.settle(attempt, "committed")
        self.db.execute("UPDATE occasions SET consumed = ? WHERE id = ?", (self.head, occasion))
        self._save()
        return ids

    def settle(self, attempt: str, status: str, error: str = "") -> None:
        """What became of an attempt."""
        self.db.execute(
            "UPDATE attempts SET status = ?, error = ? WHERE id = ?", (status, error, attempt)
        )

    def abstain(self, attempt: str, reason: str = "uncertain", detail: str = "") -> None:
        """The backend does not take part."""
        ((occasion, held),) = self.db.execute(
            "SELECT occasion, body FROM attempts WHERE id = ?", (attempt,)
        ).fetchall()
        body = {
            "schema": "cogg:abstention/v1",
            "attempt": attempt,
            "subject": self.subject,
            "parent": self.head,
            "occasion": occasion,
            "execution": json.loads(held)["execution"],
            "outcome": {"kind": "abstain", "reason": reason, "detail": detail},
            "provider": {},
        }
        self.db.execute(
            "INSERT INTO abstentions VALUES(?, ?, ?)", (hashed(body), attempt, dumped(body))
        )
        self.settle(attempt, "abstained")

    def dispose(self, attempts: list[str]) -> None:
        """An occasion is set aside after so many failures; the last attempt commits nothing."""
        self.db.execute(FAILURE_TABLE)
        for attempt in attempts:
            self.db.execute(
                "INSERT INTO occasion_failures SELECT id, occasion, 'invalid_output'"
                " FROM attempts WHERE id = ?",
                (attempt,),
            )
        told = {
            "schema": "cogg:disposition/v1",
            "reason": "occasion_failures",
            "limit": len(attempts),
            "failures": attempts,
        }
        self.commit(attempts[-1], kind="null", disposition=told)

    def budget(self, now: int) -> dict[str, int]:
        """What may be spent, counted the long way round."""
        rows: list[Any] = self.db.execute(
            "SELECT seq, admitted_at FROM attempts WHERE subject = ? ORDER BY seq", (self.subject,)
        ).fetchall()
        after = -1 if now < self.limits["period_ms"] else now - self.limits["period_ms"]
        inside: list[int] = [at for _, at in rows if after < at <= now]
        most = self.limits["max_attempts"]
        quota = now if len(inside) < most else inside[-most] + self.limits["period_ms"]
        floor = max([now, *(at + self.limits["min_wake_ms"] for _, at in rows[-1:])])
        return {
            "used": len(inside),
            "limit": most,
            "period_ms": self.limits["period_ms"],
            "through_seq": max([0, *(seq for seq, _ in rows)]),
            "floor_at": floor,
            "quota_at": quota,
            "eligible_at": max(floor, quota),
        }

    def _temporal(self, occasion: dict[str, Any]) -> dict[str, Any]:
        due = self.wake if occasion["kind"] == "scheduled" else None
        budget = self.budget(self.now)
        return {
            "clock": {
                "clock_id": f"cogg:commit:{self.genesis}",
                "grain_epoch": "cogg:committed-transition/v1",
                "membership": "as it is written",
                "origin": self.genesis,
                "unit": "committed_transition",
            },
            "coordinate": self.tick,
            "admission": {
                "accounting_at": self.now,
                "budget": budget,
                "eligible_at": budget["eligible_at"],
                "head": self.head,
                "occasion": occasion,
                "status": "ready",
                "tick": self.tick,
                "wake_at": self.wake,
                "wall_observed_at": self.now,
                "wall_rollback_ms": 0,
            },
            "previous_wake": self.plan,
            "wake_lateness_ms": None if due is None else self.now - due,
        }

    def _wake(self, body: dict[str, Any], wanted: int | None) -> None:
        if self.version == 1:
            self.wake = None if wanted is None else self.now + max(wanted, LIMITS["min_wake_ms"])
            self.plan = {"policy": "cogg:wake/v1", "granted_at": self.wake}
            body["wake_at"] = self.wake
            return
        budget, reasons, granted = self.budget(self.now), [], None
        if wanted is None:
            reasons.append("waiting_external")
        else:
            least, most = self.limits["min_wake_ms"], self.limits["max_wake_ms"]
            reasons += ["minimum_interval"] * (wanted < least)
            reasons += ["maximum_interval"] * (wanted > most)
            granted = self.now + min(max(wanted, least), most)
            reasons += ["attempt_budget"] * (budget["eligible_at"] > granted)
            granted = max(granted, budget["eligible_at"])
        self.wake = granted
        self.plan = {
            "policy": "cogg:wake/v2",
            "decided_at": self.now,
            "requested_after_ms": wanted,
            "requested_at": None if wanted is None else self.now + wanted,
            "granted_at": granted,
            "granted_after_ms": None if granted is None else granted - self.now,
            "reasons": reasons,
            "budget": budget,
        }
        body |= {
            "inference_elapsed_ms": 0,
            "wake_at": granted,
            "wake_plan": self.plan,
            "wall_observed_at": self.now,
        }

    def _derive(self, notes: Any, ids: list[str]) -> None:
        for id, each in zip(ids, notes, strict=True):
            old = (self.subject, each["key"])
            self.db.execute(
                "UPDATE memory_entries SET current = 0 WHERE subject = ? AND key = ?", old
            )
            self.db.execute(
                "INSERT INTO memory_entries VALUES(?, ?, ?, ?, ?, ?, 1)",
                (id, self.subject, each["key"], self.tick, self.head, dumped({"note": each})),
            )
            self.db.execute("INSERT INTO memory_fts VALUES(?, ?, ?, ?)", (id, *old, each["text"]))

    def _save(self) -> None:
        self.db.execute(
            "UPDATE subjects SET tick = ?, head = ?, memory = ?, wake = ?, accounting_wall = ?"
            " WHERE id = ?",
            (self.tick, self.head, dumped(self.state), dumped(self.wake), self.wall, self.subject),
        )

    def _nonce(self) -> str:
        self.count += 1
        return hashlib.sha256(f"{self.subject} {self.count}".encode()).hexdigest()[:32]


def told(path: Path, version: int = 5, subject: str = "s") -> Cogg:
    """A subject with all that its version knows, still open."""
    cogg = Cogg(path, subject, version=version, memory={"mood": "calm"})
    cogg.commit(memory={"counter": 1}, wake_after_ms=2)
    cogg.commit(memory={"counter": 2.5, "mood": "calm"}, wake_after_ms=2_000_000)
    cogg.send("Where is the telescope?")
    cogg.settle(cogg.admit(), "failed", "transport_failed")
    cogg.commit(text="On the roof.")
    if version >= NOTES_FROM:
        _tell_notes(cogg)
    if version >= ABSTENTIONS_FROM:
        _tell_abstentions(cogg)
    cogg.send("Is anybody there?")
    return cogg


def _tell_notes(cogg: Cogg) -> None:
    cogg.send("The workshop code is cedar-582, and it goes to Oslo.")
    workshop, delivery, _, _, _ = cogg.commit(
        notes=[
            note("workshop", "The access code of the workshop is cedar-582.", "fact"),
            note("delivery", "The parcel goes to Oslo.", "fact"),
            note("promise", "Return the telescope to Mira.", "task", status="open"),
            note("walk", "They walked along the harbour in the rain.", "episode"),
            note("shelf", "Sort the shelf some day.", "task"),
        ]
    )
    cogg.send("No, to Bergen.")
    cogg.commit(
        notes=[
            note("overview", "Workshop is set.", "summary", sources=[workshop], covers=[workshop]),
            note("delivery", "The parcel goes to Bergen.", "fact", sources=[delivery]),
            note("promise", "Mira has the telescope.", "task", status="closed"),
            note("later", "Ask about the parcel on Friday.", "prospective"),
        ]
    )
    cogg.send("Forget the walk.")
    cogg.commit(
        notes=[
            note("walk", "They walked along the harbour.", "episode", status="retracted"),
            note("open", "How to open: cedar-582.", "procedure", sources=[workshop]),
            note("overview", "Nothing is set.", "note", status="closed"),
        ]
    )


def _tell_abstentions(cogg: Cogg) -> None:
    seen = {
        "schema": "cogg:input/v1",
        "kind": "observation",
        "producer": "thermometer",
        "content": {"celsius": 21.5},
        "sources": [],
    }
    cogg.send("How warm is it?")
    packets = [{"id": hashed(seen), "body": seen}]
    cogg.abstain(cogg.admit(packets), "missing_input", "no window")
    cogg.commit(cogg.admit(packets), text="It has 21.5 degrees.")
    cogg.send("Say nothing that can be read.")
    failed = [cogg.admit() for _ in range(2)]
    cogg.settle(failed[0], "failed", "invalid_output")
    cogg.dispose(failed)


def example(path: Path) -> None:
    """The small database that ships in `examples/`."""
    cogg = told(path, subject="workshop")
    cogg.db.pragma("journal_mode", "delete")
    for statement in ("DROP TABLE memory_fts", "PRAGMA page_size = 1024", "VACUUM"):
        cogg.db.execute(statement)
    cogg.close()
