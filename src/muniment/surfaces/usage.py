"""Wrong usage of the command line, told: a flag given twice, a command that there is not."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from muniment import errors
from muniment.operations import OPERATIONS
from muniment.surfaces import streams

COMMAND = "COMMAND"

# What else is said where a flag is given twice.
_ALONE = {"erase": "; each erasure is a command of its own"}
_NEAREST = 3
_LIKE = 0.7  # below that `forget` is like `correct`
_SHOWN = 40


class Once(argparse.Action):
    """Keeps a value; a second one is an error, since one of the two would be lost."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Raises `BadUsage` for a flag that was given before, also before the command's name."""
        assert isinstance(parser, Parser), "every parser of the line is one of ours"
        if option_string is not None:
            if self.dest in parser.said:
                apart = _ALONE.get(parser.get_default("operation"), "")
                wanted = f"it takes one value and is given once{apart}; see {parser.prog} --help"
                raise errors.BadUsage(wanted, at=option_string)
            parser.said.add(self.dest)
        setattr(namespace, self.dest, values)


class Parser(argparse.ArgumentParser):
    """Wrong usage is an error like any other, with a code.

    `said` holds what was given so far: one set for all the parsers of a line.
    """

    def __init__(self, *, said: set[str], **options: Any) -> None:
        super().__init__(allow_abbrev=False, **options)
        self.said = said
        self.register("action", None, Once)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Of an unknown command the nearest are named; all of them are in the help."""
        if action.metavar != COMMAND or action.choices is None or value in action.choices:
            super()._check_value(action, value)
            return
        near = _nearest(str(value), list(action.choices), first=action.dest == "command")
        hint = f"; near it: {', '.join(near)}" if near else ""
        self.error(f"{str(value)[:_SHOWN]!r} is no command of {self.prog}{hint}")

    def error(self, message: str) -> NoReturn:
        """Raises `BadUsage`."""
        raise errors.BadUsage(f"{message}; see {self.prog} --help")

    def print_help(self, file: Any = None) -> None:
        """Prints it in UTF-8, whoever reads it."""
        assert file is None, "nobody asks for another stream"
        streams.write(sys.stdout, self.format_help())


def _nearest(word: str, names: Sequence[str], *, first: bool) -> list[str]:
    """At most three commands that are spelt like a word, the nearest first.

    Where it is the `first` word, it may also be the second of a command of two.
    """
    from difflib import get_close_matches

    near = get_close_matches(word.lower(), names, _NEAREST, _LIKE)
    if first:
        near += [each.name for each in OPERATIONS if each.name.split()[1:] == [word]]
    return near[:_NEAREST]
