"""Conversations written down in Markdown; `speakers` says which lines begin a turn.

Around the turns: YAML front matter gives `title`, `date`, `thread` and `session` where its lines
are `name: value`; a first `# Title` gives title and session; `## Session 2, 2024-05-01` gives
session and day, `## 2024-05-01` the day, before the first turn or right before another one.

Times stand with the speaker: `2024-05-01 10:00+02:00`, or `10:00` of the day that holds.  One
without an offset fails unless the options name a zone; one without a day, and a day without a
time, time nothing and stay in the turn's metadata as `time` and `date`.

Text outside of any turn becomes an import told by the narrator, and so does front matter with
other names or a date that says more than a day.  Rules (`---`) between turns are taken off.
`span` counts the characters of the file decoded as UTF-8, a byte order mark included, and `lines`
are the lines it lies in; the text is just that span, except that a turn which begins in a block
quote loses its `>`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from datetime import tzinfo
from typing import BinaryIO

import msgspec

from muniment import limits
from muniment.errors import BadInput, BadTime, BlankText, TooLong
from muniment.importers import parts, reading
from muniment.importers.markdown import speakers
from muniment.model import canonical, time
from muniment.model.turn import Failed, Options, Turn

NAME = "markdown"
SUFFIXES: tuple[str, ...] = (".md", ".markdown")

FRONT_MATTER_LINES_MAX = 256

_BLANK_LINES = re.compile(r"(?:[ \t]*+\r?\n)*+")
_RULE = re.compile(r"(?:\A|\n[ \t]*\r?\n) {0,3}([-*_])(?:[ \t]*\1){2,}\Z")
_QUOTES = re.compile(rf"^{speakers.QUOTE.pattern}", re.MULTILINE)
_FIELD = re.compile(r"([A-Za-z_][\w\-]*):[ \t]*(.*)")
_FIELDS = ("title", "date", "thread", "session")
_SESSION = re.compile(r"(?:session|conversation|chat)[ \t]*#?[ \t]*[0-9]+\b.*", re.IGNORECASE)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"(?:{'|'.join(_MONTHS)})[a-z]*\.?"
_DAY = re.compile(
    rf"\b(?:(?P<iso>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})|[0-9]{{1,2}}\.? {_MONTH} [0-9]{{4}}"
    rf"|{_MONTH} [0-9]{{1,2}},? [0-9]{{4}})\b",
    re.IGNORECASE,
)
_LETTERS, _DIGITS = re.compile(r"[A-Za-z]{3}"), re.compile(r"[0-9]+")
_WEEKDAY = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day,?[ \t]+", re.IGNORECASE)
_AROUND = " \t,;:()[]-\u2013\u2014"
_STAMP = re.compile(
    r"(?:(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})[T ,]*)?"
    r"(?:(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2}(?:\.[0-9]+)?))?"
    r"[ ]?(?P<half>[ap]\.?m\.?)?[ ]?(?P<zone>Z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2})?)?",
    re.IGNORECASE,
)


class _Around(msgspec.Struct, frozen=True, kw_only=True):
    # What holds for the turns that follow.
    thread: str
    title: str | None = None
    session: str | None = None
    day: str | None = None


class _Section(msgspec.Struct, frozen=True, kw_only=True):
    line: speakers.Line
    title: str | None = None
    session: str | None = None
    day: str | None = None


class _Piece(msgspec.Struct, frozen=True, kw_only=True):
    # Characters of the file that one mark, or none, stands before.
    begin: int
    end: int
    around: _Around
    mark: speakers.Mark | None


def recognises(head: bytes, name: str) -> bool:
    """Whether the file is named like Markdown, or lines in its head begin turns."""
    if name.lower().endswith(SUFFIXES):
        return True
    lines = speakers.lines(head.decode("utf-8", "ignore"))
    _, skipped, _ = _front_matter(lines, "")
    return bool(speakers.marks(lines[skipped:]))


def turns(file: BinaryIO, options: Options) -> Iterator[Turn | Failed]:
    """Turns in the order of the file, which is one conversation and is read whole."""
    raw = reading.whole(file, options, limits.IMPORT_ITEM_BYTES_MAX)
    if raw is None:
        error = TooLong(f"the file is over {limits.IMPORT_ITEM_BYTES_MAX} bytes")
        yield reading.failed("line:1", error)
        return
    if raw.count(b"\n") + raw.count(b"\r") > limits.MARKDOWN_LINES_MAX:
        error = TooLong(f"the file has over {limits.MARKDOWN_LINES_MAX} lines")
        yield reading.failed("line:1", error)
        return
    # Bytes that are not UTF-8 fail the turn they stand in and shift no other.
    text = raw.decode("utf-8", "surrogateescape")
    lines = speakers.lines(text)
    starts = [line.start for line in lines]
    for piece in _pieces(text, lines, options.label):
        begin, end = _trimmed(text, piece.begin, piece.end)
        if begin == end and piece.mark is None:
            continue
        first = bisect_right(starts, begin)
        last = bisect_right(starts, max(begin, end - 1))
        at = f"line:{piece.mark.line.number if piece.mark else first}"
        try:
            yield _turn(piece, text[begin:end], at, (first, last), (begin, end), options.tz)
        except BadInput as error:
            yield reading.failed(at, error)


def _pieces(text: str, lines: list[speakers.Line], label: str) -> Iterator[_Piece]:
    around, skipped, told = _front_matter(lines, label)
    begin = lines[0].start
    if told:
        begin = lines[skipped].start if skipped < len(lines) else len(text)
    marks = speakers.marks(lines[skipped:])
    before: speakers.Mark | None = None
    events: list[speakers.Mark | _Section] = [*marks, *_sections(lines[skipped:], marks)]
    for found in sorted(events, key=lambda event: event.line.number):
        yield _Piece(begin=begin, end=found.line.start, around=around, mark=before)
        if isinstance(found, speakers.Mark):
            begin, before = found.body, found
        else:
            begin, before = found.line.start + len(found.line.text), None
            around = _Around(
                thread=around.thread,
                title=found.title or around.title,
                session=found.session or found.title or around.session,
                day=found.day or around.day,
            )
    yield _Piece(begin=begin, end=len(text), around=around, mark=before)


def _front_matter(lines: list[speakers.Line], label: str) -> tuple[_Around, int, bool]:
    """What front matter says, how many lines it takes, and whether that is all it says."""
    ends = ("---", "...")
    texts = [line.text.rstrip() for line in lines[:FRONT_MATTER_LINES_MAX]]
    last = next((index for index, text in enumerate(texts) if index and text in ends), 0)
    if texts[0] != "---" or not last:
        return _Around(thread=label), 0, True
    found: dict[str, str] = {}
    told = True
    for text in texts[1:last]:
        field = _FIELD.fullmatch(text)
        if field and field[1].lower() in _FIELDS and field[1].lower() not in found:
            found[field[1].lower()] = field[2].strip().strip("\"'")
        elif text:
            told = False
    date = found.get("date", "")
    day = _DAY.search(date)
    if (date.replace(day[0], "", 1) if day else date).strip(_AROUND):
        told = False  # it says more than a day
    around = _Around(
        thread=found.get("thread") or label,
        title=found.get("title") or None,
        session=found.get("session") or None,
        day=_iso(day) if day else None,
    )
    return around, last + 1, told


def _sections(lines: list[speakers.Line], marks: list[speakers.Mark]) -> list[_Section]:
    """The headings that speak of the turns after them, in order; none without a turn."""
    marked = {mark.line.number for mark in marks}
    first = min(marked, default=0)
    found: list[_Section] = []
    leads = False  # the next line that is not blank begins a turn or a section
    titles = [line for line in lines if line.number < first and _heading(line, 1)]
    for line in reversed(lines):
        if not line.text.strip():
            continue
        section = None
        if line.number not in marked and line.open and (leads or line.number < first):
            section = _section(line)
            if section is None and titles and line is titles[0]:
                section = _Section(line=line, title=_heading(line, 1))
        if section is not None:
            found.append(section)
        leads = section is not None or line.number in marked
    return found[::-1]


def _section(line: speakers.Line) -> _Section | None:
    text = _heading(line)
    day = _DAY.search(text)
    if _SESSION.fullmatch(text):
        session = text.replace(day[0], "").rstrip(_AROUND) if day else text
        return _Section(line=line, session=session, day=_iso(day) if day else None)
    if day and not _WEEKDAY.sub("", text.replace(day[0], "", 1) + " ").strip(_AROUND):
        return _Section(line=line, day=_iso(day))
    return None


def _heading(line: speakers.Line, level: int | None = None) -> str:
    found = speakers.HEADING.fullmatch(line.text[: speakers.MARK_CHARACTERS_MAX])
    if found is None or (level is not None and len(found[1]) != level):
        return ""
    return found[2]


def _iso(day: re.Match[str]) -> str:
    if day["iso"]:
        return day["iso"]
    letters = _LETTERS.search(day[0])
    assert letters is not None
    number, year = sorted(_DIGITS.findall(day[0]), key=len)
    return f"{year}-{_MONTHS.index(letters[0].lower()) + 1:02}-{int(number):02}"


def _trimmed(text: str, begin: int, end: int) -> tuple[int, int]:
    """Without blank lines at both ends, white space and rules at the end."""
    blank = _BLANK_LINES.match(text, begin, end)
    begin = blank.end() if blank else begin
    piece = text[begin:end].rstrip()
    while rule := _RULE.search(piece):
        piece = piece[: rule.start()].rstrip()
    return begin, begin + len(piece)


def _turn(
    piece: _Piece,
    text: str,
    at: str,
    lines: tuple[int, int],
    span: tuple[int, int],
    tz: tzinfo | None,
) -> Turn:
    mark, around = piece.mark, piece.around
    if mark and mark.quoted:
        text = _QUOTES.sub("", text).strip()
    if not text:
        raise BlankText(f"{mark.name if mark else 'nobody'!r} says nothing")
    at_ms, day = _when(mark.time, around.day, tz) if mark and mark.time else (None, around.day)
    said = {"title": around.title}
    if at_ms is None:
        said |= {"date": day, "time": mark.time if mark else None}
    said = {name: value for name, value in said.items() if value}
    turn = Turn(
        at=at,
        role=(mark.role or "user") if mark else "narrator",
        text=text,
        type="import" if mark is None else "tool_result" if mark.role == "tool" else "message",
        ordering="medium" if at_ms is None else "high",
        actor=None if mark is None or mark.generic else mark.name,
        at_ms=at_ms,
        said_at=" ".join(filter(None, (around.day, mark.time if mark else None))) or None,
        metadata=parts.json_text(said) if said else None,
        session=around.session,
        thread=around.thread,
        lines=lines,
        span=span,
    )
    for kept in (turn.text, turn.actor, turn.metadata, turn.session, turn.thread):
        canonical.check_text(kept or "", at)
    return turn


def _when(stamp: str, day: str | None, tz: tzinfo | None) -> tuple[int | None, str | None]:
    """Milliseconds UTC, if a stamp and the day say which, and the day.

    Raises:
        BadTime: it is no time, or has no offset and there is no zone.
    """
    found = _STAMP.fullmatch(stamp)
    if found is None:
        return None, day
    day = found["day"] or day
    if day is None or found["hour"] is None:
        return None, day
    hour = int(found["hour"])
    if half := found["half"]:
        if not 1 <= hour <= 12:
            raise BadTime(f"{stamp!r} is no time of a half day")
        hour = hour % 12 + (12 if half[0] in "pP" else 0)
    zone = found["zone"] or ""
    zone = "+00:00" if zone.upper() in ("Z", "UTC", "GMT") else zone
    clock = f"{hour:02}:{found['minute']}:{found['second'] or '00'}"
    return time.parse(f"{day}T{clock}{zone}", "at", tz), day
