"""Entries of a pack with one header for all that come from one source.  Pure.

A source is what an entry says of where its words come from: the day, the speaker or the kind, and
what is said of it.  Sources that several entries share are numbered by first occurrence and named
once, at the top; their entries say the number instead.  `expanded` gives back the entries as they
were.  A header begins at the margin, as an entry does, and no line of a stored text does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

# An entry as `render` writes it: no name in it holds a colon.
_ENTRY = re.compile(
    r"\[([a-z][0-9a-z]*)\] (?:(undated)|(\d{4}-\d\d-\d\d)( \d\d:\d\d)) ([^:\n]+)(?=: )"
)
_HEADER = re.compile(r"\[#(\d+)\] (\S+) (.+)\n")
_ROW = re.compile(r"\[([a-z][0-9a-z]*) #(\d+)\]( \d\d:\d\d|)(?=: )")
_BEGINS = re.compile(r"^(?=\[)", re.MULTILINE)


class _Parts(NamedTuple):
    """An entry's id, when in the day, where it comes from, and all else."""

    id: str
    hour: str
    source: str
    rest: str


def written(entries: Sequence[str]) -> str:
    """The entries behind the headers of those sources that save more than they take."""
    parts = [_parts(each) for each in entries]
    numbers = _numbers(each.source for each in parts if each is not None)
    rows = [
        entry if each is None or each.source not in numbers else _row(each, numbers[each.source])
        for entry, each in zip(entries, parts, strict=True)
    ]
    return "".join([*(_header(number, source) for source, number in numbers.items()), *rows])


def expanded(text: str) -> str:
    """The entries as they stand without headers."""
    sources: dict[str, tuple[str, str]] = {}
    found: list[str] = []
    for block in _BEGINS.split(text):
        header, row = _HEADER.fullmatch(block), _ROW.match(block)
        if header is not None:
            sources[header[1]] = (header[2], header[3])
        elif row is not None and row[2] in sources:
            day, said = sources[row[2]]
            found.append(f"[{row[1]}] {day}{row[3]} {said}{block[row.end() :]}")
        else:
            found.append(block)
    return "".join(found)


def least(entry: str) -> int:
    """At least so many bytes are added by an entry, whatever stands there already."""
    parts = _parts(entry)
    return len(entry.encode()) - (0 if parts is None else len(parts.source.encode()))


def _numbers(sources: Iterable[str]) -> dict[str, int]:
    """The number of each source whose header is shorter than what it saves."""
    numbers: dict[str, int] = {}
    for source, times in Counter(sources).items():
        size, digits = len(source.encode()), len(str(len(numbers)))
        header = size + digits + len("[#] \n")
        saved = size - digits - len("#")  # a row has " #0" and a space less than its source has
        if times * saved > header:
            numbers[source] = len(numbers)
    return numbers


def _header(number: int, source: str) -> str:
    return f"[#{number}] {source}\n"


def _row(parts: _Parts, number: int) -> str:
    return f"[{parts.id} #{number}]{parts.hour}{parts.rest}"


def _parts(entry: str) -> _Parts | None:
    """An entry taken apart; None where it is none."""
    found = _ENTRY.match(entry)
    if found is None:
        return None
    id, undated, day, hour, said = found.groups()
    return _Parts(id, hour or "", f"{undated or day} {said}", entry[found.end() :])
