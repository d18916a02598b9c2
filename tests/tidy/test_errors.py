"""Errors: six families, each class raised, each code its own; nothing is caught wholesale."""

from __future__ import annotations

import ast
from collections import Counter

from muniment import errors
from tests.docs.pages import concrete
from tests.tidy.source import MODULES, Module

CONCRETE = concrete()
# Where a model that somebody else wrote is called, which may raise anything.
FOREIGN = "muniment/embedders/guarded.py"


def named(module: Module) -> set[str]:
    """Every name that the code of `module` uses."""
    return {
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Name | ast.Attribute)
    }


def wholesale(module: Module) -> list[str]:
    """Each `except` of `module` that catches what it does not know.

    `except BaseException` may stand where it ends in a bare `raise`: to put back what was
    begun, whatever happened.
    """
    found = []
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ExceptHandler):
            caught = "" if node.type is None else ast.unparse(node.type)
            end = node.body[-1]
            raised = isinstance(end, ast.Raise) and end.exc is None
            if caught in ("", "Exception") or (caught == "BaseException" and not raised):
                found.append(f"{module.place}:{node.lineno} except {caught}")
    return found


def test_nothing_below_the_surfaces_is_caught_wholesale() -> None:
    """A mistake of ours is seen where it happens, not swallowed on the way up.

    Somebody else's may be any, and is caught in one place.
    """
    caught = {p.partition(":")[0] for m in MODULES if m.floor != "surfaces" for p in wholesale(m)}

    assert caught == {FOREIGN}


def test_each_error_is_raised_somewhere() -> None:
    """A class of error that nobody raises promises what does not happen."""
    used = {name for m in MODULES if m.name != "muniment.errors" for name in named(m)}

    assert [error.__name__ for error in CONCRETE if error.__name__ not in used] == []


def test_each_error_has_a_code_of_its_own() -> None:
    """The code is the contract: a caller who knows it knows the cause."""
    codes = Counter(error.code for error in CONCRETE)
    families = {family.code for family in errors.FAMILIES}

    assert [code for code, times in codes.items() if times > 1] == []
    assert [code for code in codes if code in families] == []


def test_each_error_belongs_to_one_of_the_families() -> None:
    """Six families and conflict, which is a refusal; no seventh."""
    known = {family.family for family in errors.FAMILIES}

    assert {error.family for error in CONCRETE} <= known
