"""Reference pages that are made from the code, so that they cannot lag behind it.

`python -m tests.docs.pages` writes them; `test_reference.py` fails while one is stale.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from muniment import errors
from tests.docs import codes_page, commands_page, kinds_page, limits_page, python_page

ROOT = Path(__file__).parents[2]

# What each family means for the caller, in the words of the command line.
_MEANING = {
    "refused": "A rule said no, and nothing was written. Change the request.",
    "conflict": "Somebody was first. Read again, decide again, then write.",
    "overflow": "What must be shown does not fit. Give a larger budget, or require less.",
    "not_found": "There is no such thing here. Another scope's id gets the same answer.",
    "unavailable": "The file cannot be used now or by this program. What it holds is untouched.",
    "bad_input": "The request itself is wrong. `at` is the path of the field.",
    "corrupt": "Stored bytes are not what was written. Run `muniment verify` and restore a backup.",
}


def concrete() -> list[type[errors.MunimentError]]:
    """Every error with a code of its own, in the order of `errors.py`."""
    return [
        thing
        for thing in vars(errors).values()
        if isinstance(thing, type)
        and issubclass(thing, errors.MunimentError)
        and thing not in (errors.MunimentError, *errors.FAMILIES)
    ]


def errors_page() -> str:
    """The reference of errors: families with their exit codes, and each code with its cause."""
    lines = [
        "# Errors",
        "",
        "Family, code and exit code are promised; the wording of a message is not.",
        "In Python an error is a class of `muniment.errors`; all of them are `errors.MunimentError`,",
        "with `family`, `code`, `detail` and `at`. With `--json` it is",
        '`{"error": {"family", "code", "detail", "at"}}` on standard error. `at` is the field that is',
        "meant, as it is said: `items_max` in Python, `--items` on the command line; `str()` of an",
        "error is its `detail` with `at` in front, where there is one. What a function",
        "of the caller's raises (a scorer, `tokens_fit`, a clock) passes unchanged; what a model of",
        "the caller's raises is `embedder_unavailable`.",
    ]
    for family in errors.FAMILIES:
        lines += [
            "",
            f"## {family.family}",
            "",
            f"Exit {family.exit}, `{family.__name__}`. {_MEANING[family.family]}",
            "",
            "| code | class | when |",
            "|---|---|---|",
        ]
        lines += [_row(error) for error in (family, *concrete()) if error.family == family.family]
    return "\n".join(lines) + "\n"


def _row(error: type[errors.MunimentError]) -> str:
    cause = (error.__doc__ or "").partition("\n")[0]
    return f"| `{error.code}` | `{error.__name__}` | {cause} |"


PAGES: Mapping[str, Callable[[], str]] = {
    "docs/reference/codes.md": codes_page.page,
    "docs/reference/commands.md": commands_page.page,
    "docs/reference/errors.md": errors_page,
    "docs/reference/kinds.md": kinds_page.page,
    "docs/reference/limits.md": limits_page.page,
    "docs/reference/python.md": python_page.page,
}


def write() -> None:
    """Every page, written anew where it is stale."""
    for name, page in PAGES.items():
        path = ROOT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    write()
