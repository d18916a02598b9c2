"""What a thing may be called: the glossary's word, and no word that says nothing."""

from __future__ import annotations

import re

from tests.tidy.source import MODULES, Module, classes, functions, words

# Words for a place where things end up that nobody named.
EMPTY = (
    "base",
    "common",
    "handler",
    "handlers",
    "helper",
    "helpers",
    "manager",
    "managers",
    "misc",
    "service",
    "services",
    "util",
    "utils",
)

# Coinages of the systems that came before; the glossary in ARCHITECTURE.md has our words for them.
COINAGES = (
    "activation",
    "atlas",
    "brain",
    "charge",
    "cortex",
    "crystallise",
    "crystallize",
    "deposit",
    "dream",
    "inhibition",
    "lane",
    "neuron",
    "pulse",
    "synapse",
    "universe",
)

# Importers and exchange read what those systems wrote, in their words.
FOREIGN = ("importers", "exchange")

_COINAGE = re.compile(rf"(?<![a-z])(?:{'|'.join(COINAGES)})(?:s|d|ed|ing)?(?![a-z])")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


def coinages(module: Module) -> list[str]:
    """Each place of `module` that says one, in names, strings and comments alike."""
    return [
        f"{module.place}:{number} {found[0]}"
        for number, line in enumerate(module.text.splitlines(), 1)
        for found in _COINAGE.finditer(_HUMP.sub("_", line).lower())
    ]


def test_no_file_or_folder_has_an_empty_name() -> None:
    """Whoever knows the grid finds any line by its file's name."""
    empty = [m.place for m in MODULES if set(EMPTY) & set(words(m.place.removesuffix(".py")))]

    assert empty == []


def test_no_class_or_function_has_an_empty_name() -> None:
    """A name says what a thing is, not that it helps."""
    named = [f"{m.place}:{node.lineno} {node.name}" for m, node in classes()]
    named += [function.place for function in functions()]

    assert [place for place in named if set(EMPTY) & set(words(place.split(" ")[1]))] == []


def test_no_name_ends_in_a_version() -> None:
    """There is one way to do a thing; the old one is gone."""
    numbered = [f.place for f in functions() if re.search(r"_?v\d+$", f.node.name)]
    numbered += [m.place for m in MODULES if re.search(r"_v\d+$", m.name)]

    assert numbered == []


def test_the_source_speaks_its_own_words() -> None:
    """One meaning, one word: other systems' coinages stand where their files are read."""
    said = [place for m in MODULES if m.floor not in FOREIGN for place in coinages(m)]

    assert said == []
