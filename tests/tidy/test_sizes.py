"""How large a thing may be: a large one is two things."""

from __future__ import annotations

from tests.tidy.source import MODULES, AnyFunction, Function, classes, functions

FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 60
METHODS_MAX = 12
PARAMETERS_MAX = 6

# A request counts as one parameter; the shortcuts of the door take its fields as keywords.
SHORTCUTS = ("Memory", "AsyncMemory")


def parameters(function: Function) -> int:
    """How many values a caller may give, `self` not counted."""
    given = function.node.args
    names = [arg.arg for arg in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    bound = function.owner is not None and names[:1] in (["self"], ["cls"])
    return len(names) - bound


def shortcut(function: Function) -> bool:
    """Whether it is a method of the door."""
    return function.module.name == "muniment.memory" and function.owner in SHORTCUTS


def test_no_file_is_longer_than_400_lines() -> None:
    """A file is read to the end in one sitting."""
    long = {m.place: m.text.count("\n") for m in MODULES if m.text.count("\n") > FILE_LINES_MAX}

    assert long == {}


def test_no_function_is_longer_than_60_lines() -> None:
    """A function is seen on one screen, docstring and all."""
    lengths = {
        function.place: (function.node.end_lineno or 0) - function.node.lineno + 1
        for function in functions()
    }

    assert {place: n for place, n in lengths.items() if n > FUNCTION_LINES_MAX} == {}


def test_no_class_has_more_than_12_methods() -> None:
    """No object knows everything."""
    counts = {
        f"{module.place}:{node.lineno} {node.name}": sum(
            isinstance(part, AnyFunction) for part in node.body
        )
        for module, node in classes()
    }

    assert {place: n for place, n in counts.items() if n > METHODS_MAX} == {}


def test_no_function_has_more_than_6_parameters() -> None:
    """More than six values that travel together have a name of their own."""
    counts = {f.place: parameters(f) for f in functions() if not shortcut(f)}

    assert {place: n for place, n in counts.items() if n > PARAMETERS_MAX} == {}
