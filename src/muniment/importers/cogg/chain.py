"""The check of a Cogg subject under Cogg's own rules, before anything of it is taken in.

Every stored body has its id; commits, occasions and attempts name each other as they must; the
state, the wake plans and the notes follow from the commits; and the subject's row is where they
end.  Tables that Cogg derives from the commits are not looked at, and nothing is read from them.
"""

from __future__ import annotations

from typing import Any

import msgspec

from muniment.errors import BrokenSource
from muniment.importers.cogg import wakes
from muniment.importers.cogg.attempts import check_attempts
from muniment.importers.cogg.bodies import (
    Cause,
    Disposition,
    Genesis,
    NoteBody,
    Transition,
    Try,
    body,
    digest,
    dumped,
    note_id,
    parsed,
    typed,
)
from muniment.importers.cogg.known import Known, must
from muniment.importers.cogg.tables import Commit, Tables
from muniment.importers.cogg.wakes import Admissions

_EMISSION_FROM = 4
_PLAN_FROM = 2
_TEXT_BYTES_MAX = 8_192
_KEY_BYTES_MAX = 128
_NOTES_MAX = 8
_SOURCES_MAX = 32


def verified(tables: Tables) -> Known:
    """What the subject's commits say, all of it checked.

    Raises:
        BrokenSource: something is not as its hash or a rule says; `at` is the first such place.
    """
    admissions = _admissions(tables)
    commits = tables.commits()
    known = _genesis(tables, next(commits, None))
    for commit in commits:
        _transition(tables, commit, known, admissions)
    _check_tip(tables, known, admissions)
    _check_occasions(tables, known)
    known.tries = check_attempts(tables, known, admissions)
    return known


def _admissions(tables: Tables) -> Admissions:
    seqs: list[int] = []
    times: list[int] = []
    for each in tables.attempts():
        must(
            each.admitted_at >= max(times[-1:], default=0),
            f"attempts[{each.seq}]",
            "it was admitted before the one before it",
        )
        seqs.append(each.seq)
        times.append(each.admitted_at)
    return Admissions(seqs, times)


def _genesis(tables: Tables, commit: Commit | None) -> Known:
    at = "commits[0]"
    if commit is None or commit.tick != 0:
        raise BrokenSource("the first commit is missing", at=at)
    first = body(commit.body, Genesis, commit.id, at)
    must(first.subject == tables.subject.id and first.tick == 0, at, "it is another subject's")
    must(1 <= first.schema <= tables.version, at, "its schema is none of this file's")
    limits = parsed(tables.subject.limits, "subjects.limits")
    plain = parsed(commit.body, at)
    must(dumped(limits) == dumped(plain["limits"]), "subjects.limits", "they are not the first")
    return Known(
        genesis=commit.id,
        limits=first.limits,
        ticks={commit.id: 0},
        state=dict(first.memory),
        head=commit.id,
        time=first.created_at,
        plans={commit.id: digest("null")},
        wakes={commit.id: None},
    )


def _transition(tables: Tables, commit: Commit, known: Known, admissions: Admissions) -> None:
    tick = len(known.ticks)
    at = f"commits[{tick}]"
    must(commit.tick == tick, at, "it is missing")
    now = body(commit.body, Transition, commit.id, at)
    must(now.subject == tables.subject.id and now.tick == tick, at, "it is another place's")
    must(1 <= now.schema <= tables.version, at, "its schema is none of this file's")
    must(now.parent == known.head, at, "its parent is not the commit before")
    _check_links(tables, commit.id, now, known, at)
    keys = [write.key for write in now.proposal.memory]
    must(len(set(keys)) == len(keys), at, "it writes one key of the state twice")
    known.state |= {write.key: write.value for write in now.proposal.memory}
    must(dumped(known.state) == dumped(now.memory), at, "its state is not what was written")
    must(now.committed_at >= known.time, at, "it is older than the commit before")
    known.plans[commit.id] = digest(dumped(_checked_plan(now, known, admissions, at)))
    _add_notes(now, known, tick, at)
    known.ticks[commit.id] = tick
    known.wakes[commit.id] = now.wake_at
    known.head, known.time, known.wake_at = commit.id, now.committed_at, now.wake_at


def _check_links(tables: Tables, id: str, now: Transition, known: Known, at: str) -> None:
    """Its occasion and its attempt are there, name the same, and lead to nothing else."""
    cause = tables.occasion("id", now.occasion)
    tried = tables.attempt("id", now.attempt)
    must(cause is not None and tried is not None, at, "its occasion or its attempt is missing")
    assert cause is not None
    assert tried is not None
    must(cause.consumed == id, at, "its occasion was consumed by something else")
    must(cause.parent in known.ticks, at, "its occasion came at no earlier commit")
    must(tried.status == "committed", at, f"its attempt is {tried.status!r}")
    must(
        (tried.parent, tried.occasion) == (now.parent, now.occasion),
        at,
        "its attempt is another's",
    )
    started = body(tried.body, Try, tried.id, f"attempts[{tried.seq}]")
    elapsed = now.inference_elapsed_ms or 0
    must(now.committed_at >= started.admitted_at + elapsed, at, "it is older than its attempt")
    if now.disposition is not msgspec.UNSET:
        _check_disposition(tables, now, at)
    known.used[now.occasion] = id
    known.spent[now.attempt] = id
    if now.schema >= _EMISSION_FROM:
        must(now.emission is not msgspec.UNSET, at, "it says nothing of an emission")
    if isinstance(now.emission, dict):
        must(_bound(now.emission, now, started), at, "its emission is of another commit")
    elif now.disposition is msgspec.UNSET:
        must(started.execution is None, at, "its executor's emission is missing")


def _check_disposition(tables: Tables, now: Transition, at: str) -> None:
    """An occasion was set aside after as many failures as are listed, and nothing was said."""
    told = typed(now.disposition, Disposition, at)
    last = told.failures[-1:] == (now.attempt,)
    must(last and told.limit == len(set(told.failures)), at, "its failures are not those it counts")
    empty = (now.proposal.kind, now.proposal.text, now.proposal.memory, now.proposal.notes)
    must(empty == ("null", "", (), ()), at, "it sets an occasion aside and says something")
    must(now.emission is None, at, "it sets an occasion aside and has an emission")
    for id in told.failures:
        tried = tables.attempt("id", id)
        failed = tried is not None and tried.occasion == now.occasion
        must(failed and tables.failure(id) is not None, at, "a failure that it counts is none")


def _bound(emission: dict[str, Any], now: Transition, started: Try) -> bool:
    wanted = {
        "attempt": now.attempt,
        "subject": now.subject,
        "parent": now.parent,
        "occasion": now.occasion,
        "execution": started.execution,
        "proposal": _plain(now),
    }
    return all(dumped(emission.get(name)) == dumped(value) for name, value in wanted.items())


def _plain(now: Transition) -> dict[str, Any]:
    """The proposal as it stands in the body: without notes where there are none."""
    plain: dict[str, Any] = msgspec.to_builtins(now.proposal)
    if not now.proposal.notes:
        del plain["notes"]
    return plain


def _checked_plan(now: Transition, known: Known, admissions: Admissions, at: str) -> dict[str, Any]:
    """What the next attempt quotes of the wake plan, which follows from request and attempts."""
    wanted = now.proposal.wake_after_ms
    if now.schema < _PLAN_FROM:
        granted = wakes.first_plan(known.limits, now.committed_at, wanted)
        must(now.wake_at == granted, at, "its wake is not what was granted")
        return {"policy": wakes.FIRST_POLICY, "granted_at": granted}
    plan = now.wake_plan
    if plan is None:
        raise BrokenSource("it has no wake plan", at=at)
    # A commit that only sets an occasion aside keeps the wake that was planned before.
    if now.disposition is not msgspec.UNSET:
        must(now.wake_at in (None, known.wake_at), at, "its wake is none that was planned")
    else:
        spent = plan.get("budget")
        through = spent.get("through_seq") if isinstance(spent, dict) else None
        if not isinstance(through, int):
            raise BrokenSource("its wake plan has no budget", at=at)
        budget = admissions.budget(known.limits, now.committed_at, through)
        planned = wakes.plan(known.limits, now.committed_at, wanted, budget)
        must(dumped(planned) == dumped(plan), at, "its wake plan does not follow")
        must(now.wake_at == planned["granted_at"], at, "its wake is not its plan's")
    return plan


def _add_notes(now: Transition, known: Known, tick: int, at: str) -> None:
    notes = now.proposal.notes
    must(len(notes) <= _NOTES_MAX, at, "it has too many notes")
    must(len({note.key for note in notes}) == len(notes), at, "two of its notes have one key")
    added: dict[str, int] = {}
    for index, note in enumerate(notes):
        where = f"{at}.notes[{index}]"
        _check_note(note, where)
        for id in note.sources:
            must(id in known.notes, where, "it cites what is no earlier note")
        added[note_id(now.parent, index, note)] = tick
    known.notes |= added


def _check_note(note: NoteBody, at: str) -> None:
    for text, most in ((note.key, _KEY_BYTES_MAX), (note.text, _TEXT_BYTES_MAX)):
        must(0 < len(text.encode()) <= most and "\0" not in text, at, "a text is out of bounds")
    must(note.status != "open" or note.type == "task", at, "only a task is open")
    must(len(note.sources) <= _SOURCES_MAX, at, "it has too many sources")
    must(len(set(note.sources)) == len(note.sources), at, "it cites one twice")
    must(len(set(note.covers)) == len(note.covers), at, "it covers one twice")
    must(set(note.covers) <= set(note.sources), at, "it covers what it does not cite")
    summary = note.type == "summary"
    must(not note.covers or (summary and note.status == "active"), at, "it may not cover")
    must(not summary or bool(note.sources), at, "a summary without a source")


def _check_tip(tables: Tables, known: Known, admissions: Admissions) -> None:
    subject, at = tables.subject, f"subjects[{tables.subject.id}]"
    must(subject.tick == len(known.ticks) - 1, at, "its tick is not the last commit's")
    must(subject.head == known.head, at, "its head is not the last commit")
    state = parsed(subject.memory, at)
    must(dumped(state) == dumped(known.state), at, "its state is not what was written")
    must(parsed(subject.wake, at) == known.wake_at, at, "its wake is not the last commit's")
    must(subject.accounting_wall == max(known.time, admissions.last), at, "its time differs")


def _check_occasions(tables: Tables, known: Known) -> None:
    for each in tables.occasions():
        at = f"occasions[{each.seq}]"
        cause = body(each.body, Cause, each.id, at)
        copied = (cause.subject, cause.key, cause.kind, cause.parents[0])
        must(
            copied == (tables.subject.id, each.key, each.kind, each.parent),
            at,
            "its columns are not what its body says",
        )
        must(each.parent in known.ticks, at, "it came at no commit of this chain")
        must(_keyed(cause, known), at, "its key is none of its kind")
        must(each.consumed == known.used.get(each.id), at, "it was consumed by something else")
        known.causes.setdefault(each.parent, []).append(each.seq)


def _keyed(cause: Cause, known: Known) -> bool:
    """Whether an occasion has the key, and a wake the payload, that its kind makes."""
    (parent,) = cause.parents
    if cause.kind == "scheduled":
        due = cause.payload.get("due_at") if isinstance(cause.payload, dict) else None
        wake = known.wakes[parent]
        return cause.key == f"wake:{parent}" and due is not None and due == wake
    if cause.kind == "created":
        return cause.key == "system:created"
    return cause.key.startswith("user:")
