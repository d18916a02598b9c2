"""Answers of the exchange with another system, for people."""

from __future__ import annotations

from collections import Counter

from muniment.surfaces import words
from muniment.surfaces.words import Answer


def recalled(answer: Answer) -> str:
    """What became of each prepared query."""
    head = f"{answer['answered']} answered, {answer['refused']} refused, in {answer['out']}\n"
    return "".join([head, *_each(answer)])


def retained(answer: Answer) -> str:
    """What became of each query, and what its input has become."""
    head = f"{len(answer['kept'])} answered and kept, in {answer['out']}: "
    lines = [f"{head}sequence {answer['cut']} to {answer['sequence']}\n", *_each(answer)]
    lines += [f"input {one['index']}: {one['event']}, working {one['working']}\n"
              for one in answer["kept"]]  # fmt: skip
    return "".join(lines)


def _each(answer: Answer) -> list[str]:
    lines = []
    for one in answer["results"]:
        if one["status"]:
            named = f" {one['id']}" if one["id"] else ""
            lines.append(f"query {one['index']}: {one['code']}{named}: {one['detail']}\n")
        else:
            shown = words.number(len(one["entries"]), "entry").replace("entrys", "entries")
            lines.append(f"query {one['index']}: {shown}, {one['bytes']} bytes\n")
    return lines


def replayed(answer: Answer) -> str:
    """What became of each recorded choice."""
    lines = [
        f"{one['selection']}: {one['code'] or 'as it was'}\n{one['context'] or ''}"
        for one in answer["items"]
    ]
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines) or "nothing\n"


def inspected(answer: Answer) -> str:
    """What a file holds."""
    lines = [words.fields({name: answer[name] for name in answer if name != "queries"})]
    for one in answer["queries"]:
        said = one["code"] or f"revision {one['revision']}"
        lines.append(f"query {one['index']}: {said}\n")
    return "".join(lines)


def converted(answer: Answer) -> str:
    """What came over, and what did not."""
    left = answer["not_carried"]
    more = len(left) + answer["not_carried_more"]
    taken, known = words.rows(answer["carried"]) or "nothing", answer["known"]
    new = sum(answer["carried"].values()) - known
    lines = [f"{taken}: {new} new, {known} known before; {more} not carried\n"]
    counted = Counter((each["kind"], each["reason"]) for each in left)
    lines += [f"not carried: {kind} {times} ({reason})\n"
              for (kind, reason), times in sorted(counted.items())]  # fmt: skip
    return "".join(lines)
