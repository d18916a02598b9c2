"""`muniment bench memory` and `muniment bench recall FILE`: does recall find what it should?"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, get_args

from muniment.errors import BadUsage
from muniment.model.policy import PolicyName
from muniment.surfaces import evidence, fixtures, streams
from muniment.surfaces.evidence import AT

HELP = "Measure whether recall finds what it should, on built-in questions or a file of one's own."
KINDS = ("memory", "recall")


def arguments(command: argparse.ArgumentParser) -> None:
    """The words behind `bench`."""
    command.add_argument("kind", choices=KINDS, help="built-in questions, or those of a file")
    command.add_argument("file", nargs="?", help="messages with questions, for recall")
    command.add_argument(
        "--policy", choices=get_args(PolicyName), help="which retrievers answer, for recall"
    )
    command.add_argument("--embedder", metavar="MODEL", help="the model for vectors, for recall")
    command.add_argument(
        "--ablate", action="store_true", help="also without each signal in turn, for recall"
    )


def run(given: argparse.Namespace) -> int:
    """Prints the figures; 1 where built-in questions were not answered as they must be.

    Raises:
        BadUsage: a file for `memory`, or none for `recall`.
        BadFile, BadJson: the file cannot be used.
    """
    if given.kind == "memory":
        if given.file is not None:
            raise BadUsage("bench memory takes no file; see muniment bench --help")
        figures = fixtures.measured()
        _print(figures, _memory(figures), as_json=given.json)
        return 0 if figures["ok"] else 1
    if given.file is None:
        raise BadUsage("bench recall takes a file; see muniment bench --help")
    policy = given.policy or ("balanced" if given.embedder is None else "hybrid")
    figures = evidence.measured(
        Path(given.file), policy, given.embedder, ablate=given.ablate, told=_told
    )
    _print(figures, _recall(figures), as_json=given.json)
    return 0


def _print(figures: dict[str, Any], lines: list[str], *, as_json: bool) -> None:
    shown = streams.json_line(figures) if as_json else "\n".join(lines) + "\n"
    streams.write(sys.stdout, shown)


def _told(step: str) -> None:
    """What is going on, for whoever waits at a terminal."""
    if sys.stderr is not None and sys.stderr.isatty():
        streams.write(sys.stderr, step + "\n")


def _memory(figures: dict[str, Any]) -> list[str]:
    lines = []
    for name, policies in figures["fixtures"].items():
        lines.append(
            f"{name}, within {figures['bytes_max']} bytes and {figures['items_max']} items"
        )
        for policy, each in policies.items():
            least = fixtures.LEAST[name][policy]
            lines.append(
                f"  {policy:10}{each['answered']} of {each['of']} (at least {least}), at most"
                f" {each['bytes_most']} bytes and {each['items_most']} items"
            )
    return [*lines, "as it must be" if figures["ok"] else "not as it must be"]


def _recall(figures: dict[str, Any]) -> list[str]:
    lines = [
        f"{figures['questions']} questions by {figures['policy']}"
        + (f" with {figures['embedder']}" if figures["embedder"] else ", no vectors"),
        f"{'':14}" + "".join(f"{f'R@{at}':>8}" for at in AT) + f"{'MRR':>8}",
        f"  {'all':12}{_row(figures)}{figures['mrr']:8.3f}",
    ]
    for title, groups in (("category", "by_category"), ("talk", "by_conversation")):
        lines += [
            f"  {f'{title} {name}':12}{_row(each)}  of {each['questions']}"
            for name, each in figures[groups].items()
        ]
    lines += [f"  {size:5} bytes {figures[f'recall_in_{size}_bytes']:8.3f}"
              for size in evidence.BYTES]  # fmt: skip
    lines += [f"  without {name:12}{_row(each, '+8.3f')}"
              for name, each in figures.get("without", {}).items()]  # fmt: skip
    spent = figures["cpu_ms_a_query"], figures["embedding_cpu_ms_a_query"]
    lines.append("{:.1f} ms of processor time a question, {:.1f} for its vector".format(*spent))
    return lines


def _row(each: dict[str, Any], form: str = "8.3f") -> str:
    return "".join(format(each[f"recall_at_{at}"], form) for at in AT)
