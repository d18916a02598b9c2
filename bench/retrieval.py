"""Retrieval: how much of the known evidence is among the first items of a recall."""

from __future__ import annotations

import json
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from muniment import Import, Memory

AT = (5, 10, 20)
ADVERSARIAL = 5  # questions whose evidence is that there is none
_ROOM = 1_000_000


def figures(directory: Path, conversations: Path) -> dict[str, Any]:
    """Mean evidence recall at 5, 10 and 20 items over all questions, and by category."""
    found: dict[int, list[float]] = {at: [] for at in AT}
    by_category: dict[int, list[float]] = defaultdict(list)
    ranks: list[float] = []
    spent: list[float] = []
    with Memory.open(directory / "retrieval") as memory:
        for number, sample in enumerate(json.loads(conversations.read_text())):
            scope = f"conversation-{number}"
            file = directory / f"{scope}.jsonl"
            file.write_text("\n".join(json.dumps(turn) for turn in _turns(sample)))
            memory.run(Import(file=str(file), scope=scope))
            for question, evidence, category in _questions(sample):
                started = time.process_time()
                pack = memory.recall(question, scope=scope, items_max=max(AT), bytes_max=_ROOM)
                spent.append(time.process_time() - started)
                got = [item.external_id for item in pack.items]
                for at in AT:
                    found[at].append(len(evidence & set(got[:at])) / len(evidence))
                by_category[category].append(found[10][-1])
                first = next((rank for rank, id in enumerate(got, 1) if id in evidence), None)
                ranks.append(0.0 if first is None else 1 / first)
    return {
        "questions": len(ranks),
        **{f"recall_at_{at}": statistics.fmean(values) for at, values in found.items()},
        "mrr": statistics.fmean(ranks),
        "recall_at_10_by_category": {
            category: statistics.fmean(values) for category, values in sorted(by_category.items())
        },
        "cpu_ms_a_query": statistics.fmean(spent) * 1e3,
    }


def _turns(sample: dict[str, Any]) -> Iterator[dict[str, Any]]:
    conversation = sample["conversation"]
    for name, turns in conversation.items():
        if not name.startswith("session_") or name.endswith("_date_time"):
            continue
        said = conversation[f"{name}_date_time"] + " +0000"
        at = datetime.strptime(said, "%I:%M %p on %d %B, %Y %z")
        for turn in turns:
            yield {
                "role": "user",
                "actor": turn["speaker"],
                "text": turn["text"],
                "external_id": turn["dia_id"],
                "session": name,
                "at": at.isoformat(),
                **({"caption": turn["blip_caption"]} if turn.get("blip_caption") else {}),
            }


def _questions(sample: dict[str, Any]) -> Iterator[tuple[str, set[str], int]]:
    for asked in sample["qa"]:
        if asked["category"] != ADVERSARIAL and asked["evidence"]:
            yield str(asked["question"]), set(asked["evidence"]), asked["category"]
