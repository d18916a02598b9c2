"""Answers for people: a few lines instead of one JSON object."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

_CONTROL = {code: None for code in range(32) if code not in (9, 10)} | {127: None}


def text(name: str, answer: Mapping[str, Any]) -> str:
    """What `answer` says, for the operation `name`; control characters left out."""
    return _FORMS.get(name, _fields)(answer).translate(_CONTROL)


def _fields(answer: Mapping[str, Any]) -> str:
    if "items" in answer:
        return _items(answer)
    return "".join(f"{field}: {_value(value)}\n" for field, value in answer.items() if _said(value))


def _said(value: Any) -> bool:
    return value not in (None, [], {}, "")


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_value(member)}" for key, member in value.items())
    if isinstance(value, list):
        return "; ".join(_value(member) for member in value)
    return str(value)


def _items(answer: Mapping[str, Any]) -> str:
    lines = [_item(item) for item in answer["items"]]
    return "".join(lines) or "nothing\n"


def _item(item: Mapping[str, Any]) -> str:
    who = item["actor"] or item["role"] or item["key"] or ""
    at = (item["at"] or item["recorded_at"])[:16].replace("T", " ")
    notes = [item["standing"]] if item["standing"] != "current" else []
    notes += item["labels"]
    tail = f"  ({', '.join(notes)})" if notes else ""
    body = item["text"].replace("\n", "\n    ")
    return f"{item['id']}  {at}  {item['kind']} {who}: {body}{tail}\n"


def _pack(answer: Mapping[str, Any]) -> str:
    left_out = [
        f"left out: {each['id']} ({each['reason']}, {each['bytes']} bytes)\n"
        for each in answer["suppressed"]
    ]
    return (answer["text"] or "nothing relevant\n") + "".join(left_out)


def _verified(answer: Mapping[str, Any]) -> str:
    lines = [f"{'ok' if answer['ok'] else 'NOT OK'}: {answer['compared']}\n"]
    lines.append(
        f"{answer['events']} events in {answer['commits']} commits of {answer['scopes']} scopes,"
        f" {answer['erased']} erased, depth {answer['depth']}\n"
    )
    lines += [
        "fault: "
        + ", ".join(f"{key} {value}" for key, value in fault.items() if _said(value))
        + "\n"
        for fault in answer["faults"]
    ]
    if answer["not_checked"]:
        lines.append(f"not checked: {', '.join(answer['not_checked'])}\n")
    return "".join(lines)


def _imported(answer: Mapping[str, Any]) -> str:
    failed = len(answer["failed"]) + answer["failed_more"]
    lines = [f"{answer['imported']} imported, {answer['skipped']} known, {failed} failed\n"]
    lines += [f"{one['at']}: {one['detail']} ({one['code']})\n" for one in answer["failed"]]
    return "".join(lines)


_FORMS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "recall": _pack,
    "verify": _verified,
    "import": _imported,
}
