"""How much of the known evidence a recall shows, on conversations with questions.

A file is JSONL of messages, as `import` takes them, and of questions: `{"question", "evidence":
[external ids], "category"?}`; or JSON in the shape of LoCoMo, a list of conversations of sessions.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from muniment.embedders import named
from muniment.errors import BadFile, BadJson
from muniment.memory import Memory
from muniment.model.embedding import Embed, Embedder, Vector
from muniment.model.experience import Import
from muniment.model.policy import Policy
from muniment.ranking.policies import BY_NAME

AT = (5, 10, 20)
BYTES = (1_024, 2_048, 4_096, 8_192)
_ADVERSARIAL = 5  # LoCoMo's questions whose evidence is that there is none
_ROOM = 1_000_000
_ITEMS = 256


class Question(msgspec.Struct, frozen=True):
    """What is asked of one conversation, and the external ids of what answers it."""

    text: str
    evidence: frozenset[str]
    category: str


class Conversation(msgspec.Struct, frozen=True):
    """Messages as `import` takes them, and questions."""

    messages: tuple[dict[str, Any], ...]
    questions: tuple[Question, ...]


class Watched:
    """An embedder that says how long it took."""

    def __init__(self, embedder: Embedder) -> None:
        self.name = embedder.name
        self.dimension = embedder.dimension
        self.cpu = 0.0
        self._embed = embedder.embed

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """What the embedder gives."""
        started = time.process_time()
        vectors = self._embed(texts)
        self.cpu += time.process_time() - started
        return vectors


def measured(
    file: Path, policy: str, embedder: str | None, *, ablate: bool, told: Callable[[str], None]
) -> dict[str, Any]:
    """Mean evidence recall at 5, 10 and 20 items and within budgets, by category and conversation.

    `ablate`: also what recall at 10 loses where one signal of the policy is left out; `told` is
    called with a line before each long step.

    Raises:
        BadFile, BadJson: there is no file, or it holds no question with evidence.
    """
    conversations = read(file)
    model = None if embedder is None else Watched(named(embedder))
    with tempfile.TemporaryDirectory(prefix="muniment-bench-") as directory:
        place = Path(directory)
        with Memory.open(place / "memory", embedder=model, synchronous="normal") as memory:
            for number, conversation in enumerate(conversations):
                told(f"taking in conversation {number + 1} of {len(conversations)}")
                taken = place / f"{number}.jsonl"
                taken.write_text("\n".join(map(json.dumps, conversation.messages)))
                memory.run(Import(file=str(taken), scope=str(number)))
                if model is not None:
                    memory.run(Embed(scope=str(number)))
            told(f"asking by {policy}")
            figures = _asked(memory, conversations, BY_NAME[policy], model, budgets=True)
            figures |= {"policy": policy, "embedder": None if model is None else model.name}
            if ablate:
                figures["without"] = {}
                for name, without in ablations(BY_NAME[policy]).items():
                    told(f"asking without {name}")
                    less = _asked(memory, conversations, without, model, budgets=False)
                    figures["without"][name] = {
                        f"recall_at_{at}": less[f"recall_at_{at}"] - figures[f"recall_at_{at}"]
                        for at in AT
                    }
    return figures


def ablations(policy: Policy) -> dict[str, Policy]:
    """The policy without each of its signals in turn, by the signal's name."""
    found: dict[str, Policy] = {}
    for field in ("may", "boosts"):
        weights = getattr(policy, field)
        for name in weights:
            rest = {other: weight for other, weight in weights.items() if other != name}
            found[name] = msgspec.structs.replace(policy, name="own", **{field: rest})
    return found


def read(file: Path) -> list[Conversation]:
    """The conversations of a file, in their order.

    Raises:
        BadFile: it cannot be read, or asks nothing that has an answer in it.
        BadJson: it is neither JSONL nor JSON of the shapes that are known.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile.unreadable(file, error, "file") from error
    try:
        if text.lstrip().startswith("["):
            found = [_locomo(sample) for sample in json.loads(text)]
        else:
            lines = [json.loads(line) for line in text.splitlines() if line.strip()]
            found = [_lines(lines)]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadJson(f"neither messages with questions nor LoCoMo's shape: {error!r}", at="file") \
            from error  # fmt: skip
    if not any(conversation.questions for conversation in found):
        raise BadFile("no question in it names its evidence", at="file")
    return found


def _asked(
    memory: Memory,
    conversations: Sequence[Conversation],
    policy: Policy,
    model: Watched | None,
    *,
    budgets: bool,
) -> dict[str, Any]:
    found: dict[str, list[tuple[str, int, float]]] = defaultdict(list)
    cpu = embedding = 0.0
    for number, conversation in enumerate(conversations):
        for question in conversation.questions:
            before, started = model.cpu if model else 0.0, time.process_time()
            pack = memory.recall(
                question.text, scope=str(number), policy=policy, items_max=max(AT), bytes_max=_ROOM
            )
            cpu += time.process_time() - started
            embedding += (model.cpu if model else 0.0) - before
            got = [item.external_id for item in pack.items]
            place = (question.category, number)
            for at in AT:
                found[f"recall_at_{at}"].append((*place, _share(question, got[:at])))
            rank = next((at for at, id in enumerate(got, 1) if id in question.evidence), None)
            found["mrr"].append((*place, 0.0 if rank is None else 1 / rank))
            for size in BYTES if budgets else ():
                within = memory.recall(
                    question.text,
                    scope=str(number),
                    policy=policy,
                    items_max=_ITEMS,
                    bytes_max=size,
                )
                shown = [item.external_id for item in within.items]
                found[f"recall_in_{size}_bytes"].append((*place, _share(question, shown)))
    count = len(found["mrr"])
    return {
        "questions": count,
        **{name: statistics.fmean(value for *_, value in each) for name, each in found.items()},
        "by_category": _by(found, 0),
        "by_conversation": _by(found, 1),
        "cpu_ms_a_query": (cpu - embedding) / count * 1e3,
        "embedding_cpu_ms_a_query": embedding / count * 1e3,
    }


def _by(found: dict[str, list[tuple[str, int, float]]], part: int) -> dict[str, dict[str, float]]:
    """Recall at each number of items, by category or by conversation, with how many questions."""
    groups: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for at in AT:
        for row in found[f"recall_at_{at}"]:
            groups[str(row[part])][f"recall_at_{at}"].append(row[2])
    return {
        group: {
            "questions": len(each[f"recall_at_{AT[0]}"]),
            **{name: statistics.fmean(values) for name, values in each.items()},
        }
        for group, each in sorted(groups.items())
    }


def _share(question: Question, got: Sequence[str | None]) -> float:
    return len(question.evidence & set(got)) / len(question.evidence)


def _lines(lines: Sequence[dict[str, Any]]) -> Conversation:
    asked = [line for line in lines if "question" in line]
    return Conversation(
        messages=tuple(line for line in lines if "question" not in line),
        questions=tuple(
            Question(line["question"], frozenset(line["evidence"]), str(line.get("category", "")))
            for line in asked
            if line["evidence"]
        ),
    )


def _locomo(sample: dict[str, Any]) -> Conversation:
    return Conversation(
        messages=tuple(_turns(sample["conversation"])),
        questions=tuple(
            Question(asked["question"], frozenset(asked["evidence"]), str(asked["category"]))
            for asked in sample["qa"]
            if asked["category"] != _ADVERSARIAL and asked["evidence"]
        ),
    )


def _turns(conversation: dict[str, Any]) -> Iterator[dict[str, Any]]:
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
