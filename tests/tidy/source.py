"""The source as the walls see it: parsed modules, their functions, their strings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src"

AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+[0-9]*|[0-9]+")


class Module(msgspec.Struct, frozen=True, kw_only=True):
    """One file of `src/`."""

    name: str  # "muniment.store.tx"; a package is named without its `__init__`
    place: str  # "muniment/store/tx.py"
    text: str
    tree: ast.Module

    @property
    def floor(self) -> str:
        """The folder that it stands in, or its own name where it stands on top of all floors."""
        return self.place.split("/")[1].removesuffix(".py")


class Function(msgspec.Struct, frozen=True, kw_only=True):
    """One function or method, with the class that it stands in."""

    module: Module
    owner: str | None
    node: AnyFunction

    @property
    def place(self) -> str:
        """Where it stands, for a person."""
        name = self.node.name if self.owner is None else f"{self.owner}.{self.node.name}"
        return f"{self.module.place}:{self.node.lineno} {name}"


def read() -> tuple[Module, ...]:
    """Every module of `src/`, by place."""
    found = []
    for path in sorted(SRC.rglob("*.py")):
        place = path.relative_to(SRC).as_posix()
        text = path.read_text(encoding="utf-8")
        name = place.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        found.append(Module(name=name, place=place, text=text, tree=ast.parse(text)))
    return tuple(found)


MODULES = read()


def functions(modules: tuple[Module, ...] = MODULES) -> Iterator[Function]:
    """Every function of `modules`, those inside functions too."""
    for module in modules:
        yield from _functions(module, module.tree, None)


def _functions(module: Module, tree: ast.AST, owner: str | None) -> Iterator[Function]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, AnyFunction):
            yield Function(module=module, owner=owner, node=node)
            yield from _functions(module, node, None)
        elif isinstance(node, ast.ClassDef):
            yield from _functions(module, node, node.name)
        else:
            yield from _functions(module, node, owner)


def classes(modules: tuple[Module, ...] = MODULES) -> Iterator[tuple[Module, ast.ClassDef]]:
    """Every class of `modules`."""
    for module in modules:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef):
                yield module, node


def strings(module: Module) -> Iterator[tuple[int, str]]:
    """Line and value of each string that is no docstring; what is filled in later reads `{}`."""
    silent = {id(part) for part in _silent(module.tree)}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "{}" for part in node.values]
            yield node.lineno, "".join(str(part) for part in parts)
        elif isinstance(node, ast.Constant) and id(node) not in silent:
            yield node.lineno, node.value if isinstance(node.value, str) else ""


def _silent(tree: ast.AST) -> Iterator[ast.AST]:
    """Docstrings, and the pieces of strings that are seen as a whole."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield from node.values
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def words(name: str) -> list[str]:
    """A name taken apart at its underscores and capitals, in lower case."""
    return [word.lower() for word in _WORD.findall(name)]


def imported(node: ast.Import | ast.ImportFrom) -> list[str]:
    """Every dotted name that an import may load: `from a import b` may mean `a.b`."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    assert node.level == 0, "imports are absolute"
    assert node.module is not None
    return [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]


def imports(tree: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Every import below `tree`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
