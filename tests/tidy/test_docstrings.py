"""What every public thing says about itself."""

from __future__ import annotations

import ast

from tests.tidy.source import MODULES, AnyFunction, Module


def public(module: Module) -> list[tuple[str, ast.ClassDef | AnyFunction]]:
    """Each class and function that can be reached by names without an underscore."""
    found: list[tuple[str, ast.ClassDef | AnyFunction]] = []
    waiting: list[tuple[str, ast.AST]] = [(module.name, module.tree)]
    while waiting:
        name, tree = waiting.pop()
        for node in ast.iter_child_nodes(tree):
            if not isinstance(node, ast.ClassDef | AnyFunction) or node.name.startswith("_"):
                continue
            found.append((f"{name}.{node.name}", node))
            if isinstance(node, ast.ClassDef):
                waiting.append((f"{name}.{node.name}", node))
    return found


def overloaded(node: ast.ClassDef | AnyFunction) -> bool:
    """Whether it only states types, which the function below it explains."""
    return any(ast.unparse(mark).endswith("overload") for mark in node.decorator_list)


def test_each_module_says_what_it_is_about() -> None:
    """The first line of a file tells whether to read on; it is a sentence."""
    silent = [m.place for m in MODULES if not first_line(m.tree)]

    assert silent == []


def test_each_public_thing_says_what_comes_back() -> None:
    """The first line of a docstring is a sentence."""
    silent = [
        name
        for module in MODULES
        for name, node in public(module)
        if not overloaded(node) and not first_line(node)
    ]

    assert silent == []


def first_line(node: ast.Module | ast.ClassDef | AnyFunction) -> str:
    """The first line of its docstring if that ends like a sentence, else nothing."""
    line = (ast.get_docstring(node) or "").partition("\n")[0]
    return line if line.endswith((".", "?")) else ""
