"""Answers for people: a few lines instead of one JSON object.

Ids are shown by the part before the dash, which every command takes.  Control characters of
stored text, and the marks that turn the direction of writing round, are spelt out, and its further
lines are indented, so that it cannot imitate ours.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable

from muniment import embedders
from muniment.errors import MunimentError
from muniment.surfaces import exchanged, explained, words
from muniment.surfaces.words import Answer

_CONTROL = {
    code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if code not in (9, 10)
}
_TURNING = {code: f"\\u{code:04x}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}
_SPELT = _CONTROL | _TURNING
# What a list does not show of a thing, because it stands there already.
_HEADLINE = ("id", "kind", "text", "at", "standing", "labels", "actor", "role", "key")

CAVEATS: dict[str, str] = {
    "task_unknown": "nothing that may be seen is bound to this task",
    "present_statistics": "words were weighed by all there is today",
    "no_vectors": "meaning was not compared: no vectors of the model named or of one here; run embed",
    "nothing_near": "by meaning nothing is near enough for an answer",
    "vectors_unused": "no word fits, and this policy compares no vectors; --policy hybrid does",
    "vectors_partial": "meaning was compared in part: the newest texts have no vectors; run embed",
}


def text(name: str, answer: Answer) -> str:
    """What `answer` says, for the operation `name`."""
    return _FORMS.get(name, words.fields)(answer).translate(_SPELT)


def error(found: MunimentError) -> str:
    """What went wrong, in one line with its code."""
    at = f"{found.at}: " if found.at else ""
    line = f"muniment: {at}{found.detail} ({found.code})"
    return " ".join(line.translate(_SPELT).split()) + "\n"


def _nothing(answer: Answer) -> str:
    """Why there is no text: nothing fitted, nothing stood, or nothing was found."""
    reasons = {each["reason"] for each in answer["suppressed"]}
    if any(reason.startswith("budget_") for reason in reasons):
        return "nothing fits the budget\n"
    return "nothing that stands\n" if reasons else "nothing relevant\n"


def _items(answer: Answer) -> str:
    return _page([_item(item) for item in answer["items"]], answer)


def _scopes(answer: Answer) -> str:
    lines = [
        f"{one['scope'] or '(its name was erased)'}  {words.number(one['seq'], 'event')}"
        f"  {one['file']}\n"
        for one in answer["items"]
    ]
    lines += [f"{file} cannot be read; see doctor\n" for file in answer["unreadable"]]
    return "".join(lines) or "nothing\n"


def _threads(answer: Answer) -> str:
    lines = []
    for one in answer["items"]:
        counted = words.number(one["messages"], "message")
        lines.append(f"{one['thread']}  {counted}  {_from_to(one)}\n")
    return _page(lines, answer)


def _receipts(answer: Answer) -> str:
    lines = []
    for one in answer["items"]:
        asked = "(erased)" if one["query"] is None else one["query"]
        shown = f"{len(one['chosen'])} shown, {one['left_out']} left out"
        at = one["recorded_at"][:16].replace("T", " ")
        lines.append(f"{words.short(one['id'])}  {at}  {one['policy']}: {asked}  ({shown})\n")
    return _page(lines, answer)


def _page(lines: list[str], answer: Answer) -> str:
    if answer["next"] is not None:
        lines.append(f"more: --after {answer['next']}\n")
    return "".join(lines) or "nothing\n"


def _item(item: Answer) -> str:
    said = item["at"] if item["kind"] == "event" else item["recorded_at"]
    at = "undated" if said is None else said[:16].replace("T", " ")
    notes = [item["outcome"] or item["standing"]] if item["standing"] != "current" else []
    notes += item["labels"]
    tail = f"  ({', '.join(notes)})" if notes else ""
    body = item["text"].replace("\n", "\n    ")
    lead = " ".join(word for word in (item["kind"], *_who(item)) if word)
    return f"{words.short(item['id'])}  {at}  {lead}: {body}{tail}\n"


def _who(item: Answer) -> tuple[str | None, ...]:
    """The role before the name, as in a pack; and what kind of event it is, where it is no message."""
    if item["kind"] != "event":
        return (item["key"],)
    said = None if item["type"] in (None, "message") else f"({item['type']})"
    return item["role"], item["actor"], said


def _shown(answer: Answer) -> str:
    """One thing with every field it has."""
    lines = []
    for item in answer["items"]:
        lines.append(_item(item) + f"  id: {item['id']}\n")
        lines += [
            f"  {field}: {words.value(value)}\n"
            for field, value in item.items()
            if field not in _HEADLINE and words.said(value)
        ]
    return "".join(lines)


def _pack(answer: Answer) -> str:
    out = answer["suppressed"]
    left_out = [
        f"left out: {words.short(each['id'])} ({each['reason']}, {each['bytes']} bytes)\n"
        for each in out
    ]
    counted = Counter(each["reason"] for each in out)
    if len(out) > words.LISTED_MAX:
        reasons = ", ".join(f"{reason} {times}" for reason, times in counted.items())
        left_out = [f"left out: {len(out)} ({reasons}); --json lists them\n"]
    if answer["receipt"] is not None:
        left_out.append(f"receipt: {words.short(answer['receipt'])}\n")
    said = answer["text"] or _nothing(answer)
    if answer["trace"]["embedder"] is not None:
        left_out.append(f"model: {answer['trace']['embedder']}\n")
    left_out += [f"{CAVEATS[caveat]}\n" for caveat in answer["trace"]["caveats"]]
    return said + "".join(left_out)


def _replayed(answer: Answer) -> str:
    against = "the ledger as it is now" if answer["against"] == "now" else "what was known then"
    name = words.short(answer["receipt"])
    if answer["same"]:
        searched = "; what came since was not searched" if answer["against"] == "now" else ""
        lines = [f"{name} is the same against {against}{searched}\n"]
    else:
        lines = [f"{name} is not the same against {against}\n"]
        lines += [
            f"  {words.short(change['id'])} {change['code']}\n" for change in answer["changes"]
        ]
    if answer["embedder"] is not None:
        had, texts = answer["vectors"]
        lines.append(f"model: {answer['embedder']}, vectors of {had} of {texts} texts\n")
    if answer["not_checked"]:
        lines.append(f"not checked: {', '.join(answer['not_checked'])}\n")
    return "".join(lines)


def _verified(answer: Answer) -> str:
    lines = [f"{'ok' if answer['ok'] else 'NOT OK'}: {answer['compared']}\n"]
    counted = (
        words.number(answer["events"], "event"),
        words.number(answer["commits"], "commit"),
        words.number(answer["scopes"], "scope"),
        f"{answer['erased']} erased",
    )
    lines.append(f"{', '.join(counted)}; depth {answer['depth']}\n")
    lines += [f"fault: {_fault(fault)}\n" for fault in answer["faults"]]
    if answer["not_checked"]:
        lines.append(f"not checked: {', '.join(answer['not_checked'])}\n")
    return "".join(lines)


def _fault(fault: Answer) -> str:
    place = (
        f"{name} {fault[name]}" for name in fault if name != "code" and words.said(fault[name])
    )
    return ", ".join([fault["code"], *place])


def _imported(answer: Answer) -> str:
    failed = len(answer["failed"]) + answer["failed_more"]
    head = f"{answer['imported']} imported, {answer['skipped']} known, {failed} failed"
    head += f", {answer['redacted']} redacted" if answer["redacted"] else ""
    own = words.number(answer["stripped_messages"], "message")
    head += f", own blocks taken out of {own}" if answer["stripped_messages"] else ""
    gone = len(answer["erased_before"]) + answer["erased_before_more"]
    head += f", {gone} of the known erased before" if gone else ""
    left = words.number(answer["left_branches"], "message")
    head += f", {left} on branches that were left" if answer["left_branches"] else ""
    head += _others(answer) if answer["other_lines"] else ""
    where = ", ".join(answer["unlinked_at"][: words.LISTED_MAX])
    lost = f"{words.number(answer['unlinked'], 'link')} to nothing that came before ({where})\n"
    head += "\n" + (lost if answer["unlinked"] else "")
    if answer["known_behind_new"]:
        head += (
            f"{answer['known_behind_new']} of the known stand behind new ones, and have no ids: if"
            " this is another conversation under the same file name, import it with a --label\n"
        )
    lines = [f"{one['at']}: {one['detail']} ({one['code']})\n" for one in answer["failed"]]
    lines += [
        f"{one['at']}: {words.short(one['id'])} was erased; nothing was taken in (erased_before)\n"
        for one in answer["erased_before"]
    ]
    return head + words.listed(lines)


def _others(answer: Answer) -> str:
    others = words.number(answer["other_lines"], "other line")
    where = ", ".join(answer["other_lines_at"][: words.LISTED_MAX])
    return f", {others} not taken in ({where})"


def _observed(answer: Answer) -> str:
    known = "was known" if answer["known"] else "taken in"
    if answer["standing"] == "erased":
        known = "was erased; nothing was taken in"
    stripped = answer["stripped"]
    blocks = f"; {stripped} characters of own blocks taken out" if stripped else ""
    return f"{words.short(answer['id'])} {known}{blocks}{_redacted(answer)}\n"


def _written(answer: Answer) -> str:
    redacted = _redacted(answer)
    if answer["erased"]:
        return f"{words.short(answer['id'])} was erased; nothing was written\n"
    if answer["known"]:
        return f"{words.short(answer['id'])} says that already{redacted}\n"
    before = answer["supersedes"]
    return f"{words.short(answer['id'])} written" + (
        f", supersedes {words.short(before)}{redacted}\n" if before else f"{redacted}\n"
    )


def _redacted(answer: Answer) -> str:
    return f"; {answer['redacted']} redacted" if answer["redacted"] else ""


def _committed(answer: Answer) -> str:
    lines = [_written(each) for each in answer["records"]]
    lines += [f"{key} set, seq {seq}\n" for key, seq in answer["state"].items()]
    rest = answer["redacted"] - sum(each["redacted"] for each in answer["records"])
    lines += [f"{rest} redacted in the state\n"] if rest else []
    return "".join(lines)


def _state(answer: Answer) -> str:
    if answer["seq"] is None:
        return "nothing\n"
    return json.dumps(answer["value"], ensure_ascii=False) + "\n"


def _set(answer: Answer) -> str:
    if answer["seq"] is None:
        return f"{answer['key']}: what that command wrote was erased; nothing was written\n"
    how = "has that value already" if answer["known"] else "set"
    return f"{answer['key']} {how}, seq {answer['seq']}{_redacted(answer)}\n"


def _deleted(answer: Answer) -> str:
    how = "was deleted already" if answer["known"] else "deleted"
    return f"{answer['key']} {how}, seq {answer['seq']}\n"


def _state_keys(answer: Answer) -> str:
    lines = [
        f"{one['key']}: {json.dumps(one['value'], ensure_ascii=False)}\n" for one in answer["items"]
    ]
    return _page(lines, answer)


def _collections(answer: Answer) -> str:
    lines = []
    for one in answer["items"]:
        counted = [words.number(one[each], each[:-1]) for each in ("messages", "threads")]
        lines.append("  ".join((one["collection"], ", ".join(counted), _from_to(one))) + "\n")
    return _page(lines, answer)


def _from_to(one: Answer) -> str:
    first, last = ((at or "undated")[:16].replace("T", " ") for at in
                   (one["first_at"], one["last_at"]))  # fmt: skip
    return f"{first} - {last}"


def _rebuilt(answer: Answer) -> str:
    dropped = [
        f"dropped: the vectors of {words.number(texts, 'text')} by {model}; make them again with"
        f" muniment embed --embedder {embedders.of_model(model) or 'and the same model'}\n"
        for model, texts in answer["dropped"].items()
    ]
    return f"rebuilt: {words.rows(answer['rebuilt'])}\n" + "".join(dropped)


def _backed_up(answer: Answer) -> str:
    lines = [f"{answer['file']}: {answer['bytes']} bytes up to seq {answer['seq']}, verified\n"]
    if answer["not_checked"]:
        lines.append(f"not checked: {', '.join(answer['not_checked'])}\n")
    return "".join(lines)


def _migrated(answer: Answer) -> str:
    if not answer["pending"]:
        return f"version {answer['to']}, nothing to do\n"
    steps: Iterable[str] = (f"  {step}\n" for step in answer["pending"])
    kept = f"the file as it was: {answer['backup']}\n" if answer["backup"] else ""
    return f"from version {answer['from']} to {answer['to']}:\n" + "".join(steps) + kept


def _examined(answer: Answer) -> str:
    lines = []
    for each in answer["checks"]:
        what = " ".join(word for word in (each["check"], each["file"]) if word)
        said = f": {each['detail']}" if each["detail"] else ""
        lines.append(f"{each['state'].replace('_', ' ')}  {what}{said}\n")
        if each["advice"]:
            lines.append(f"    {each['advice']}\n")
    return "".join(lines)


def _erased(answer: Answer) -> str:
    if not answer["done"]:
        lines = [f"would erase: {words.rows(answer['counts'])}\n"]
        lines += [
            f"  {words.short(each['id'])} {each['kind']}"
            f" {'goes too' if each['follows'] else 'stays'} ({each['reason']})\n"
            for each in answer["dependents"]
        ]
        if any(not each["follows"] for each in answer["dependents"]):
            lines.append("to take what stays as well, plan it with --with-dependents\n")
        return "".join(
            [*lines, f"nothing has changed; to erase, add --confirm {answer['token']}\n"]
        )
    lines = [f"erased: {words.rows(answer['erased'])}\n"]
    if answer["pending"]:
        lines.append("pending: somebody is reading; the next write finishes it\n")
    for field in ("checked", "not_checked"):
        if answer[field]:
            lines.append(f"{field.replace('_', ' ')}: {', '.join(answer[field])}\n")
    return "".join([*lines, f"receipt: {words.short(answer['receipt'])}\n"])


_FORMS: dict[str, Callable[[Answer], str]] = {
    "import": _imported,
    "observe": _observed,
    "remember": _written,
    "require": _written,
    "appraise": _written,
    "correct": _written,
    "retract": _written,
    "close": _written,
    "commit": _committed,
    "state list": _state_keys,
    "state get": _state,
    "state set": _set,
    "state delete": _deleted,
    "state history": _items,
    "recall": _pack,
    "why": explained.why,
    "why-not": explained.why_not,
    "replay": _replayed,
    "show": _shown,
    "history": _items,
    "thread": _items,
    "context": _items,
    "scopes": _scopes,
    "threads": _threads,
    "collections": _collections,
    "keys": _items,
    "records": _items,
    "tasks": _items,
    "receipts": _receipts,
    "verify": _verified,
    "rebuild": _rebuilt,
    "backup": _backed_up,
    "migrate": _migrated,
    "doctor": _examined,
    "erase": _erased,
    "exchange recall": exchanged.recalled,
    "exchange retain": exchanged.retained,
    "exchange replay": exchanged.replayed,
    "exchange inspect": exchanged.inspected,
    "exchange convert": exchanged.converted,
}
