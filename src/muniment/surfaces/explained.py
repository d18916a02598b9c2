"""Why one thing is shown for a question, and why not, for people."""

from __future__ import annotations

from muniment.surfaces import words
from muniment.surfaces.words import Answer


def why_not(answer: Answer) -> str:
    """One line: shown or not, and at which rank each retriever found it."""
    ranks = [f"rank {rank} in {name}" for name, rank in answer["retrievers"].items()]
    told = "; ".join([f"{answer['bytes']} bytes", *ranks])
    if answer["shown"]:
        return f"{words.short(answer['id'])} is shown ({told})\n"
    return f"{words.short(answer['id'])} is not shown: {answer['reason']} ({told})\n"


def why(answer: Answer) -> str:
    """The place, and a line for each part of the worth."""
    name = words.short(answer["id"])
    if answer["shown"]:
        lines = [f"{name} is shown in place {answer['place']} ({answer['bytes']} bytes)\n"]
    else:
        lines = [f"{name} is not shown: {answer['reason']} ({answer['bytes']} bytes)\n"]
    lines += [f"  must be shown by {each}\n" for each in answer["must"]]
    for part in answer["parts"]:
        rank = "" if part["rank"] is None else f", rank {part['rank']}"
        amount = f"{_decimal(part['value_ppm'])} times {_decimal(part['weight_ppm'])}"
        lines.append(f"  {_decimal(part['adds_ppm'], '+')}  {part['name']} ({amount}{rank})\n")
    if answer["worth_ppm"] is not None:
        best = _decimal(answer["best_ppm"])
        lines.append(f"  {_decimal(answer['worth_ppm'], '+')}  in all; the best has {best}\n")
    return "".join(lines)


def _decimal(ppm: int, sign: str = "") -> str:
    return f"{ppm / 1_000_000:{sign}.3f}"
