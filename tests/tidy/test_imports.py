"""Where an import may stand, and that nothing lies about unused."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator

from tests.tidy.source import MODULES, ROOT, functions, imported, imports, strings

# Libraries that cost a command more than it does, loaded where they are used.
HEAVY = ("asyncio", "datafog", "detect_secrets", "fcntl", "numpy", "platformdirs", "rich",
         "zoneinfo")  # fmt: skip

_NAMED = re.compile(r"(muniment(?:\.\w+)+)(?::\w+)?")


def reached() -> set[str]:
    """Every module that an import, a name in a string or an entry point leads to."""
    found = {"muniment", "muniment.__main__"}
    for module in MODULES:
        for node in imports(module.tree):
            found.update(imported(node))
        found.update(named[1] for _, text in strings(module) if (named := _NAMED.fullmatch(text)))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found.update(target.partition(":")[0] for target in project["scripts"].values())
    return found | {parent for name in found for parent in parents(name)}


def parents(name: str) -> Iterator[str]:
    """The packages that are loaded before `name` is."""
    while "." in name:
        name = name.rpartition(".")[0]
        yield name


def inner() -> Iterator[tuple[str, str]]:
    """Place and library of each import that stands inside a function below the surfaces."""
    for function in functions():
        if function.module.floor != "surfaces":
            for node in imports(function.node):
                yield function.place, imported(node)[0].partition(".")[0]


def test_no_module_is_never_imported() -> None:
    """What nothing leads to is dead, or somebody forgot to write it into its tuple."""
    found = reached()

    assert [m.name for m in MODULES if m.name not in found] == []


def test_imports_stand_at_the_top() -> None:
    """What a file needs is read in its first lines; only heavy libraries load on first use."""
    assert [(place, library) for place, library in inner() if library not in HEAVY] == []


def test_imports_are_absolute_and_named() -> None:
    """A name says where it comes from: no dots in front and no star."""
    vague = [
        f"{module.place}:{node.lineno}"
        for module in MODULES
        for node in imports(module.tree)
        if isinstance(node, ast.ImportFrom)
        and (node.level > 0 or any(alias.name == "*" for alias in node.names))
    ]

    assert vague == []
