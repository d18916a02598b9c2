"""`muniment bench memory` and `muniment bench recall FILE`: does recall find what it should?"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, get_args

from muniment.errors import BadFile, BadUsage, ExtraMissing
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
    command.add_argument(
        "--markdown", action="store_true", help="a Markdown table instead of lines, for recall"
    )
    command.add_argument(
        "--plot", metavar="PNG", help="also draw the figures into this file, for recall"
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
    if given.plot is not None:
        _draw(figures, Path(given.plot))
    lines = _markdown(figures) if given.markdown else _recall(figures)
    _print(figures, lines, as_json=given.json)
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


def _markdown(figures: dict[str, Any]) -> list[str]:
    """A table of recall by category, and what the questions were answered with."""
    model = figures["embedder"] or "none"
    head = ["", *(f"R@{at}" for at in AT), *(f"{size:,} bytes" for size in evidence.BYTES), "MRR"]
    whole = [f"recall_at_{at}" for at in AT]
    whole += [f"recall_in_{size}_bytes" for size in evidence.BYTES]
    rows = [[f"all {figures['questions']}", *(f"{figures[name]:.3f}" for name in (*whole, "mrr"))]]
    for name, each in figures["by_category"].items():
        known = [f"{each[f'recall_at_{at}']:.3f}" for at in AT]
        rows.append([f"category {name}, {each['questions']}", *known, *[""] * 5])
    return [
        "| " + " | ".join(head) + " |",
        "|" + "---|" * len(head),
        *("| " + " | ".join(row) + " |" for row in rows),
        "",
        (
            f"Policy `{figures['policy']}`, model {model}, {figures['cpu_ms_a_query']:.1f} ms of"
            f" processor time a question, {figures['embedding_cpu_ms_a_query']:.1f} for its vector."
        ),
    ]


def _draw(figures: dict[str, Any], file: Path) -> None:
    """Recall within so many items, and within so many bytes, as bars.

    Raises:
        ExtraMissing: there is nothing to draw with.
        BadFile: the file cannot be written.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ExtraMissing("drawing needs a library: pip install 'muniment[bench]'") from error
    names = [f"{at} items" for at in AT] + [f"{size:,} bytes" for size in evidence.BYTES]
    values = [figures[f"recall_at_{at}"] for at in AT]
    values += [figures[f"recall_in_{size}_bytes"] for size in evidence.BYTES]
    figure = Figure(figsize=(8, 3.6), layout="constrained")
    axes = figure.subplots()
    axes.bar_label(axes.bar(names, values, color="#3b7a57"), fmt="%.2f")
    axes.set_ylim(0, 1.05)
    axes.set_ylabel("share of the known evidence")
    axes.set_title(f"{figures['questions']} questions by {figures['policy']}")
    try:
        figure.savefig(file, format="png", dpi=150)
    except OSError as error:
        raise BadFile(f"the picture cannot be written: {error.strerror}", at="plot") from error


def _row(each: dict[str, Any], form: str = "8.3f") -> str:
    return "".join(format(each[f"recall_at_{at}"], form) for at in AT)
