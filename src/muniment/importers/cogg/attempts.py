"""The check of a Cogg subject's attempts: where each started, what it might spend, how it ended."""

from __future__ import annotations

from typing import Any

import msgspec

from muniment.errors import BrokenSource
from muniment.importers.cogg.bodies import (
    Abstention,
    Execution,
    Packet,
    Try,
    body,
    digest,
    dumped,
    typed,
)
from muniment.importers.cogg.known import Known, must
from muniment.importers.cogg.tables import Attempt, Tables
from muniment.importers.cogg.wakes import Admissions

_STATUSES = ("reserved", "committed", "failed", "superseded", "abstained")
_TEMPORAL_FROM = 2
_WAKES = "scheduled"


def check_attempts(tables: Tables, known: Known, admissions: Admissions) -> dict[str, list[int]]:
    """The seqs of the attempts by the head that they started from.

    Raises:
        BrokenSource: one of them is not what it says.
    """
    found: dict[str, list[int]] = {}
    before = 0
    for each in tables.attempts():
        at = f"attempts[{each.seq}]"
        started = body(each.body, Try, each.id, at)
        must(1 <= started.schema <= tables.version, at, "its schema is none of this file's")
        copied = (started.subject, started.parent, started.occasion, started.admitted_at)
        must(
            copied == (tables.subject.id, each.parent, each.occasion, each.admitted_at),
            at,
            "its columns are not what its body says",
        )
        must(known.ticks.get(each.parent) == started.tick, at, "it started at no such commit")
        must(tables.occasion("id", each.occasion) is not None, at, "its occasion is missing")
        must(each.status in _STATUSES, at, f"{each.status!r} is no status")
        committed = each.id in known.spent
        must(committed == (each.status == "committed"), at, "its status is not what it led to")
        if started.schema >= _TEMPORAL_FROM:
            budget = admissions.budget(known.limits, started.admitted_at, before)
            _check_time(started, known, budget, at)
        if started.execution is not None:
            typed(started.execution, Execution, at)
        failure = tables.failed_occasion(each.id)
        must(failure in (None, each.occasion), at, "its failure is another occasion's")
        view = (started.context or {}).get("view")
        if isinstance(view, dict):
            must(view.get("head") == each.parent, at, "it was shown what stood at another head")
        _check_inputs(started, at)
        _check_abstention(tables, each, started, at)
        found.setdefault(each.parent, []).append(each.seq)
        before = each.seq
    return found


def _check_time(started: Try, known: Known, budget: dict[str, int], at: str) -> None:
    """It counts from the right commit, quotes the plan before, and had an attempt to spend."""
    temporal = started.temporal
    if temporal is None:
        raise BrokenSource("it says nothing of its time", at=at)
    clock, admission = temporal.get("clock"), temporal.get("admission")
    if not isinstance(clock, dict) or not isinstance(admission, dict):
        raise BrokenSource("it says nothing of its clock or its admission", at=at)
    counted = (clock.get("clock_id"), clock.get("origin"), temporal.get("coordinate"))
    wanted = (f"cogg:commit:{known.genesis}", known.genesis, started.tick)
    must(counted == wanted, at, "it counts from another commit")
    quoted = digest(dumped(temporal.get("previous_wake")))
    must(quoted == known.plans[started.parent], at, "it quotes another wake plan")
    must(dumped(admission.get("budget")) == dumped(budget), at, "its budget does not follow")
    ready = admission.get("status") == "ready" and budget["eligible_at"] <= started.admitted_at
    must(ready, at, "it was admitted before its time")
    stood = tuple(
        admission.get(name)
        for name in ("accounting_at", "wall_observed_at", "head", "tick", "wake_at")
    )
    expected = (
        started.admitted_at,
        started.wall_observed_at,
        started.parent,
        started.tick,
        known.wakes[started.parent],
    )
    must(stood == expected, at, "it was admitted somewhere else")
    _check_due(admission, started, at)


def _check_due(admission: dict[str, Any], started: Try, at: str) -> None:
    """It answers the occasion that it was admitted for; a wake has come due, and has no id yet."""
    occasion, due = admission.get("occasion"), admission.get("wake_at")
    if not isinstance(occasion, dict):
        raise BrokenSource("it was admitted for nothing", at=at)
    must(occasion.get("id") in (None, started.occasion), at, "it was admitted for another occasion")
    if occasion.get("kind") == _WAKES:
        observed = started.wall_observed_at
        due_then = isinstance(due, int) and observed is not None and observed >= due
        must(due_then, at, "it woke before it was due")


def _check_inputs(started: Try, at: str) -> None:
    """Each packet has its id, and is inferred from what stands before it, or from nothing."""
    seen: set[str] = set()
    for index, plain in enumerate(started.inputs):
        where = f"{at}.inputs[{index}]"
        packet = typed(plain, Packet, where)
        must(digest(dumped(plain["body"])) == packet.id, where, "its id is another's")
        sources = packet.body.sources
        distinct = len(set(sources)) == len(sources) and set(sources) <= seen
        inferred = packet.body.kind == "inference"
        must(distinct and bool(sources) == inferred, where, "its sources are not before it")
        seen.add(packet.id)


def _check_abstention(tables: Tables, each: Attempt, started: Try, at: str) -> None:
    """There is a receipt of an abstention exactly where the attempt abstained, and it fits."""
    told = tables.abstention(each.id)
    must((told is not None) == (each.status == "abstained"), at, "its abstention does not fit")
    if told is None:
        return
    where = f"abstentions[{each.seq}]"
    receipt = body(told[1], Abstention, told[0], where)
    found = (receipt.attempt, receipt.subject, receipt.parent, receipt.occasion)
    wanted = (each.id, started.subject, started.parent, started.occasion)
    must(found == wanted, where, "it is of another attempt")
    same = dumped(msgspec.to_builtins(receipt.execution)) == dumped(started.execution)
    must(same, where, "it is of another executor")
