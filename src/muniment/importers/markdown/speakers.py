"""The lines of a Markdown file that begin a turn, and who speaks there.  Pure.

A line begins a turn in one of three styles, and a file has one style, the first that fits:

- heading: `## User`, `### Ann (2024-05-01 10:00+02:00)`, `#### ChatGPT said:`
- bold: `**User:** text`, `**Ann** (10:05): text`, and for a role word `**User**` alone
- plain: `User: text`, `Ann (10:05): text`, from the first column, in at least two lines

A speaker is a role word (user, assistant, ...) or a name: at most four words and 40 characters,
no digit first, no label such as `Note:`.  Which names count depends on the file:

- role words name both sides, user and assistant: only names that somewhere carry a time of day
- else, some names carry a time of day: these
- else, one side is named by a role word: names that return, the one in the first line, and all
  if every line begins a turn
- else, no role word: all, if the first line begins a turn and a name returns or every line
  begins one; of headings, all of one level, if no other heading has it and a name returns

Headings count on the levels where a role word or a time stands, `#` only for a role word.  No
turn begins inside fenced code, nor in a block quote by a speaker who also stands outside one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from muniment.model.event_kinds import Role

NAME_CHARACTERS_MAX = 40
NAME_WORDS_MAX = 4
# What begins a turn stands in so many characters of a line; more only costs time.
MARK_CHARACTERS_MAX = 256

QUOTE = re.compile(r" {0,3}>[ \t]?")
HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)")
_TIMED = re.compile(
    r"(?P<name>.*?)[ \t]*(?:[(\[](?P<inner>[^()\[\]]*)[)\]]"
    r"|[ \t][-\u2013\u2014][ \t]+(?P<outer>[^()\[\]]*))"
)
_CLOCK = re.compile(r"[0-9]{1,2}:[0-9]{2}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_BOLD = re.compile(
    r"\*\*(?P<label>[^*]+?)(?:[:\uff1a][ \t]*\*\*|\*\*(?P<after>[ \t]*[(\[][^()\[\]]*[)\]])?"
    r"[ \t]*(?P<end>[:\uff1a]|$))[ \t]*"
)
_PLAIN = re.compile(
    r"(?P<label>[^:\uff1a#*>|`()\[\]<]{1,40}(?:[(\[][^()\[\]]{1,40}[)\]])?)"
    r"(?::(?:[ \t]+|$)|\uff1a[ \t]*)"
)
_NAME = re.compile(r"[^\W\d_][\w .'\u2019&@+\-()]*")
_DRESS = re.compile(r"^[^\w(]+|[*_]+")  # emoji before a name, emphasis around it
_SAID = re.compile(r"[ \t]+said$", re.IGNORECASE)
_MODEL = re.compile(
    r"(?:chatgpt|gpt|claude|gemini|copilot)"
    r"(?:[ \-]?(?:[0-9.]+\w*|opus|sonnet|haiku|code|flash|pro|plus|mini|turbo))*",
    re.IGNORECASE,
)

_ROLES: dict[str, Role] = {
    "user": "user",
    "human": "user",
    "me": "user",
    "you": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "ai assistant": "assistant",
    "bot": "assistant",
    "chatbot": "assistant",
    "model": "assistant",
    "system": "system",
    "tool": "tool",
    "function": "tool",
    "narrator": "narrator",
}
# Words that stand before a colon in any text and speak in none.
_LABELS = frozenset(
    {
        "note",
        "notes",
        "warning",
        "caution",
        "tip",
        "hint",
        "example",
        "examples",
        "summary",
        "todo",
        "important",
        "source",
        "sources",
        "link",
        "url",
        "date",
        "time",
        "title",
        "subject",
        "tags",
        "thread",
        "session",
        "step",
        "steps",
        "answer",
        "result",
        "results",
        "output",
        "input",
        "conclusion",
        "ps",
        "p.s.",
        "fyi",
        "update",
        "edit",
        "question",
        "http",
        "https",
    }
)


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a file, without its end."""

    number: int  # from 1
    start: int  # characters of the file before it
    text: str
    open: bool = True  # outside fenced code


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """A line that may begin a turn."""

    line: Line
    name: str  # as it stands
    generic: bool  # the name is a role word and says no more
    role: Role | None  # None: somebody by name
    body: int  # characters of the file before the text
    quoted: bool
    level: int = 0  # of a heading
    time: str | None = None


def lines(text: str) -> list[Line]:
    """The lines of a text, ended by LF or CRLF; those in fenced code are marked.

    A fence that is never closed hides nothing.
    """
    found: list[Line] = []
    start = 1 if text.startswith("\ufeff") else 0  # a byte order mark is no part of a line
    text = text[start:]
    fence = ""
    fenced_from = 0
    for number, whole in enumerate(text.split("\n"), 1):
        line = whole.removesuffix("\r")
        opening = _FENCE.fullmatch(QUOTE.sub("", line, count=1))
        is_open = not fence
        if opening and not fence:
            fence, fenced_from = opening[1], number
            is_open = False
        elif opening and opening[1].startswith(fence) and not opening[2].strip():
            fence = ""
        found.append(Line(number=number, start=start, text=line, open=is_open))
        start += len(whole) + 1
    if fence:
        found[fenced_from - 1 :] = [
            msgspec.structs.replace(line, open=True) for line in found[fenced_from - 1 :]
        ]
    return found


def marks(file: Sequence[Line]) -> list[Mark]:
    """The lines that begin a turn, in order, all of the one style that fits the file."""
    for read, choose in ((_heading, _headings), (_bold, _inline), (_plain, _inline)):
        found = [mark for line in file if line.open and (mark := read(line)) is not None]
        outside = {mark.name.casefold() for mark in found if not mark.quoted}
        found = [mark for mark in found if not mark.quoted or mark.name.casefold() not in outside]
        if found and (chosen := choose(found, file)):
            return chosen
    return []


def _heading(line: Line) -> Mark | None:
    quoted, text, _ = _begun(line)
    found = HEADING.fullmatch(text)
    if found is None or len(text) > MARK_CHARACTERS_MAX:
        return None
    label = _DRESS.sub("", found[2]).rstrip(" \t:\uff1a")
    return _mark(line, label, line.start + len(line.text), quoted, len(found[1]))


def _bold(line: Line) -> Mark | None:
    quoted, text, offset = _begun(line)
    found = _BOLD.match(text)
    if found is None:
        return None
    label = _DRESS.sub("", found["label"]) + (found["after"] or "")
    mark = _mark(line, label, offset + found.end(), quoted)
    bare = found["end"] == ""
    if mark is None or (bare and (mark.role is None or len(text) > MARK_CHARACTERS_MAX)):
        return None
    return mark


def _plain(line: Line) -> Mark | None:
    quoted, text, offset = _begun(line)
    found = _PLAIN.match(text)
    if found is None or text[:1].isspace():
        return None
    return _mark(line, found["label"], offset + found.end(), quoted)


def _begun(line: Line) -> tuple[bool, str, int]:
    """Whether a line is quoted, how it begins, and at which character of the file."""
    found = QUOTE.match(line.text)
    begin = found.end() if found else 0
    return found is not None, line.text[begin:][: MARK_CHARACTERS_MAX + 1], line.start + begin


def _mark(line: Line, label: str, body: int, quoted: bool, level: int = 0) -> Mark | None:
    name, time = label.strip(), None
    bare = name
    if timed := _TIMED.fullmatch(name):
        bare = timed["name"]
        beside = timed["inner"] or timed["outer"] or ""
        if _CLOCK.search(beside) or _DATE.search(beside):
            name, time = bare, beside.strip()
    name, bare = _SAID.sub("", name).strip(), _SAID.sub("", bare).strip()
    role = _ROLES.get(bare.casefold())
    if role is None and _MODEL.fullmatch(bare):
        role = "assistant"
    spoken = role is not None or (
        level != 1
        and len(name) <= NAME_CHARACTERS_MAX
        and len(name.split()) <= NAME_WORDS_MAX
        and _NAME.fullmatch(name)
        and name.split()[0].casefold() not in _LABELS
    )
    if not spoken:
        return None
    return Mark(
        line=line,
        name=name,
        generic=name.casefold() in _ROLES,
        role=role,
        body=body,
        quoted=quoted,
        level=level,
        time=time,
    )


def _headings(found: list[Mark], file: Sequence[Line]) -> list[Mark]:
    timed = [mark for mark in found if mark.role is None and _has_clock(mark)]
    known = [mark for mark in found if mark.role] + (timed if len(timed) > 1 else [])
    if known:
        levels = {mark.level for mark in known}
        return _named([mark for mark in found if mark.role or mark.level in levels], file)
    level = found[0].level
    found = [mark for mark in found if mark.level == level]
    titles = [HEADING.fullmatch(_begun(line)[1]) for line in file if line.open]
    alone = len(found) == sum(title is not None and len(title[1]) == level for title in titles)
    return found if alone and len(found) > len(_names(found)) > 1 else []


def _inline(found: list[Mark], file: Sequence[Line]) -> list[Mark]:
    bold = found[0].line.text.lstrip(" >\t").startswith("**")
    if any(mark.role for mark in found) or any(_has_clock(mark) for mark in found):
        found = _named(found, file)
        return found if bold or len(found) > 1 else []
    first, every = _extent(found, file)
    returns = len(found) > len(_names(found))
    return found if first and len(found) > 1 and (returns or every) else []


def _named(found: list[Mark], file: Sequence[Line]) -> list[Mark]:
    """Those by role words, and by the names that count beside them."""
    roles = {mark.role for mark in found}
    timed = [mark for mark in found if mark.role is None and _has_clock(mark)]
    counted = _names(timed)
    if not timed and not {"user", "assistant"} <= roles:
        first, every = _extent(found, file)
        names = [mark.name.casefold() for mark in found]
        counted = {name for name in names if every or names.count(name) > 1}
        counted |= {names[0]} if first else set()
    return [mark for mark in found if mark.role or mark.name.casefold() in counted]


def _extent(found: list[Mark], file: Sequence[Line]) -> tuple[bool, bool]:
    """Whether the first line that says something begins a turn, and whether every such line does.

    Headings say nothing here, unless they are what begins the turns.
    """
    begun = {mark.line.number for mark in found}
    said = [
        line.number
        for line in file
        if line.text.strip() and (line.number in begun or not HEADING.fullmatch(_begun(line)[1]))
    ]
    return said[0] in begun, len(said) == len(begun)


def _names(found: Sequence[Mark]) -> set[str]:
    return {mark.name.casefold() for mark in found}


def _has_clock(mark: Mark) -> bool:
    return mark.time is not None and _CLOCK.search(mark.time) is not None
