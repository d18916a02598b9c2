"""Pure floors: now and chance are arguments, and nothing outside the arguments is looked at."""

from __future__ import annotations

import ast

from tests.tidy.source import MODULES, Module, imported, imports

PURE = ("model", "rules", "ranking", "projections")

# Clock, chance, environment, network, disk and other processes.
IMPURE = (
    "asyncio",
    "datetime",
    "glob",
    "http",
    "multiprocessing",
    "os",
    "pathlib",
    "random",
    "secrets",
    "shutil",
    "socket",
    "ssl",
    "subprocess",
    "tempfile",
    "threading",
    "time",
    "urllib",
    "uuid",
)
CONVERTING = "muniment/model/time.py"  # turns a time into a text and back, and needs `datetime`
LOOKING = ("now", "utcnow", "today", "open", "input", "print", "getenv", "urandom")


def impure_imports(module: Module) -> list[str]:
    """Each import of `module` that would let it look outside."""
    return [
        f"{module.place}:{node.lineno} {name}"
        for node in imports(module.tree)
        for name in imported(node)[:1]
        if name.partition(".")[0] in IMPURE
        and not (module.place == CONVERTING and name == "datetime")
    ]


def looks(module: Module) -> list[str]:
    """Each call in `module` that looks outside."""
    return [
        f"{module.place}:{node.lineno} {ast.unparse(node.func)}"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in LOOKING
    ]


def test_pure_floors_import_no_clock_chance_or_environment() -> None:
    """The same arguments give the same bytes, today and in ten years."""
    assert [place for m in MODULES if m.floor in PURE for place in impure_imports(m)] == []


def test_pure_floors_look_at_nothing_but_their_arguments() -> None:
    """No file is opened and no clock is read, by whatever name it came in."""
    assert [place for m in MODULES if m.floor in PURE for place in looks(m)] == []
