"""Messages as a table: comma, semicolon or tab between the cells, the columns named in row one.

Columns are `role`, `text` (or `content`, `message`, `body`), `type`, `actor` (or `name`, `speaker`,
`author`, `sender`), `at` (or `timestamp`, `created_at`, `time`), `thread`, `session`,
`external_id` (or `id`), `parent`, `reply_to`, `tags`, `collection`, `caption` and `metadata`, in
any case.  Where two names of one field are there, the first of this list counts.  Other columns
go into the turn's metadata under their own names, and so does `metadata` that is no JSON object.
A cell without words is absent.  Tags stand between commas or semicolons, or in a JSON array.

Without `role` there must be an actor: names such as assistant, bot, ChatGPT, system or tool say
the role, and every other actor is a user.

Cells are quoted as in RFC 4180: in double quotes, which are doubled inside, and then may hold
line ends; a quote elsewhere is text.  The text of a cell is kept as it stands.  Times are as in
JSON.  A file named `.tsv` or `.tab` has tabs; in others the separator counts under which most
columns of the first line are known.  Rows without any words are passed over.  A row that has
another number of cells than the first fails alone; a quote that is never closed takes the rest of
the file with it, and says where it began.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, BinaryIO, get_args

import msgspec

from muniment import limits
from muniment.errors import BadEncoding, BadInput, BadShape, BlankText, TooLong, UnknownRole
from muniment.importers import parts, reading
from muniment.model import canonical
from muniment.model.event_kinds import ExperienceType, Ordering, Role
from muniment.model.turn import Failed, Options, Turn

NAME = "table"
SUFFIXES: tuple[str, ...] = (".csv", ".tsv", ".tab")

COLUMNS_MAX = 256

_TABBED = (".tsv", ".tab")
_SEPARATORS = (b",", b";", b"\t")
_QUOTE = b'"'
# Where in a row a piece of it ends.
_BARE, _QUOTED, _CLOSING, _START = range(4)
_CELL = {
    separator: re.compile(
        rf'(?:"(?P<quoted>(?:[^"]++|"")*+)"|(?P<bare>(?!")[^{separator.decode()}]*+))'
        rf"(?P<more>{separator.decode()}|\Z)"
    )
    for separator in _SEPARATORS
}
_MODELS = ("chatgpt", "claude", "copilot", "gemini", "gpt")
_TYPES: dict[str, ExperienceType] = {type: type for type in get_args(ExperienceType)}
_SAYS_NOTHING = "text"  # as a type: of what kind a message is, other columns say
# The names of each field, the one that counts most first.
_SAID_AS = (
    ("role",),
    ("text", "content", "message", "body"),
    ("type",),
    ("actor", "name", "speaker", "author", "sender"),
    parts.TIMES,
    ("thread",),
    ("session",),
    ("external_id", "id"),
    ("parent",),
    ("reply_to",),
    ("tags",),
    ("collection",),
    ("caption",),
    ("metadata",),
)
_FIELDS = {name.lower(): names[0] for names in _SAID_AS for name in names}
_SHOWN = ("role", "text", "actor", "at")
_RANKS = {name.lower(): rank for names in _SAID_AS for rank, name in enumerate(names)}
_NAMES = (
    *("actor", "thread", "session", "external_id", "parent", "reply_to"),
    *("collection", "caption"),
)
_MARKDOWN = (".md", ".markdown")
_LISTED = re.compile(r"[,;]")
_HINT = re.compile(rb'"?sep=[,;\t]"?', re.IGNORECASE)  # a first line for Excel


class _Row(msgspec.Struct, frozen=True, kw_only=True):
    lines: tuple[int, int]  # from 1, end inclusive
    raw: bytes | None  # without its end; None: too long
    closed: bool  # no quote is open at its end


class _Header(msgspec.Struct, frozen=True, kw_only=True):
    separator: bytes
    columns: tuple[str, ...]  # as the file names them
    fields: dict[str, int]  # the column of each field


def recognises(head: bytes, name: str) -> bool:
    """Whether it is named like a table, or its first line names a text and who says it."""
    if name.lower().endswith(SUFFIXES):
        return True
    if name.lower().endswith(_MARKDOWN):
        return False
    try:
        _header(head.removeprefix(reading.BOM).lstrip(b"\r\n").partition(b"\n")[0], "")
    except BadInput:
        return False
    return True


def turns(file: BinaryIO, options: Options) -> Iterator[Turn | Failed]:
    """Turns in the order of the file, and the rows that are none."""
    pieces = reading.pieces(file, options)
    number, line = _first(pieces)
    try:
        header = _header(line, options.label)
    except BadInput as error:
        yield reading.failed(f"line:{number}", error)
        for _ in pieces:
            pass  # that progress ends where the file does
        return
    for row in _rows(pieces, header.separator, number + 1):
        try:
            turn = _turn(row, header, options)
        except BadInput as error:
            yield reading.failed(f"line:{row.lines[0]}", error)
        else:
            if turn is not None:
                yield turn


def _first(pieces: Iterator[bytes]) -> tuple[int, bytes]:
    """The first line with words and its number; of a long one only the beginning."""
    number = 1
    for piece in pieces:
        line = piece.removeprefix(reading.BOM) if number == 1 else piece
        if line.strip() and not _HINT.fullmatch(line.strip(reading.SPACE)):
            return number, line
        number += 1
    return 1, b""


def _header(raw: bytes, label: str) -> _Header:
    """The columns of a table, told by its first line.

    Raises:
        BadInput: the line names no text or nobody who says it.
    """
    if len(raw) >= reading.CHUNK_BYTES:
        raise TooLong(f"the row that names the columns is over {reading.CHUNK_BYTES} bytes")
    row = _Row(lines=(1, 1), raw=raw.strip(reading.SPACE.replace(b"\t", b"")), closed=True)
    separators = (b"\t",) if label.lower().endswith(_TABBED) else _SEPARATORS
    best: _Header | None = None
    for separator in separators:
        try:
            cells = _cells(row, separator)
        except BadShape:
            continue
        columns = tuple(cell.strip() for cell in cells)
        found = _Header(separator=separator, columns=columns, fields=_fields(columns))
        if best is None or len(found.fields) > len(best.fields):
            best = found
    if best is None or "text" not in best.fields:
        raise BadShape(f"the first row names no column `text`; {_understood()}")
    if "role" not in best.fields and "actor" not in best.fields:
        raise BadShape(f"the first row names no column `role` or `actor`; {_understood()}")
    if len(best.columns) > COLUMNS_MAX:
        raise TooLong(f"a table has at most {COLUMNS_MAX} columns")
    named = [column for column in best.columns if column]
    if len(set(named)) != len(named):
        raise BadShape("the first row names a column twice")
    return best


def _understood() -> str:
    """What the columns may be called that say what was said, by whom and when."""
    called = (
        f"{names[0]} (or {', '.join(names[1:])})" if names[1:] else names[0]
        for names in _SAID_AS
        if names[0] in _SHOWN
    )
    return f"understood are {', '.join(called)}"


def _fields(columns: tuple[str, ...]) -> dict[str, int]:
    """The column of each field, by the name that counts most."""
    found: dict[str, tuple[int, int]] = {}
    for index, column in enumerate(columns):
        known = column.lower().replace(" ", "_").replace("-", "_")
        field = _FIELDS.get(known)
        if field is not None:
            place = (_RANKS[known], index)
            found[field] = min(place, found.get(field, place))
    return {field: index for field, (_, index) in found.items()}


def _rows(pieces: Iterator[bytes], separator: bytes, number: int) -> Iterator[_Row]:
    """The rows from line `number` on; one that is too long is not held."""
    kept = bytearray()
    size = 0
    first = number
    state = _START
    for piece in pieces:
        state = _state(piece, state, separator)
        size += len(piece)
        if size <= limits.IMPORT_ITEM_BYTES_MAX:
            kept += piece
        else:
            kept.clear()
        if piece[-1] != 10:
            continue
        number += 1
        if state != _QUOTED:
            yield _Row(lines=(first, number - 1), raw=_joined(kept), closed=True)
            kept.clear()
            size, first, state = 0, number, _START
    if size:
        last = number - 1 if kept.endswith(b"\n") else number
        yield _Row(lines=(first, last), raw=_joined(kept), closed=state != _QUOTED)


def _joined(kept: bytearray) -> bytes | None:
    return bytes(kept).removesuffix(b"\n").removesuffix(b"\r") if kept else None


def _state(piece: bytes, state: int, separator: bytes) -> int:
    """Where in its row a piece ends that began in `state`."""
    if state != _QUOTED and _QUOTE not in piece:
        return _START if piece.endswith(separator) else _BARE
    place = 0
    while place < len(piece):
        if state == _QUOTED:
            place = piece.find(_QUOTE, place) + 1
            if place == 0:
                return _QUOTED
            state = _CLOSING
        elif state != _BARE and piece.startswith(_QUOTE, place):
            # A cell begins, or one that seemed to end goes on behind a doubled quote.
            place += 1
            state = _QUOTED
        else:
            place = piece.find(separator, place) + 1
            if place == 0:
                return _BARE
            state = _START
    return state


def _cells(row: _Row, separator: bytes) -> list[str]:
    """The cells of a row, their quotes taken off.

    Raises:
        BadEncoding: the row is not UTF-8.
        BadShape: something stands behind a closing quote, or a quote is never closed.
        TooLong: the row is.
    """
    if not row.closed:
        raise BadShape("a quote is opened here and never closed; the rest of the file is in it")
    if row.raw is None:
        raise TooLong(f"the row is over {limits.IMPORT_ITEM_BYTES_MAX} bytes")
    try:
        text = row.raw.decode()
    except UnicodeDecodeError as error:
        raise BadEncoding(f"byte {error.start} of the row is not UTF-8") from error
    if '"' not in text:
        return text.split(separator.decode())
    cells: list[str] = []
    place = 0
    while True:
        found = _CELL[separator].match(text, place)
        if found is None:
            raise BadShape(f"cell {len(cells) + 1} has something behind its closing quote")
        quoted = found["quoted"]
        cells.append(found["bare"] if quoted is None else quoted.replace('""', '"'))
        place = found.end()
        if not found["more"]:
            return cells


def _turn(row: _Row, header: _Header, options: Options) -> Turn | None:
    """The turn that a row is; None where it has no words at all.

    Raises:
        BadInput: a cell is missing, or says what it may not.
    """
    cells = _cells(row, header.separator)
    if not any(cell and not cell.isspace() for cell in cells):
        return None
    if len(cells) != len(header.columns):
        raise BadShape(f"the row has {len(cells)} cells, the first has {len(header.columns)}")
    found = {name: cells[index] for name, index in header.fields.items() if cells[index].strip()}
    if "text" not in found:
        raise BlankText("the row has no text")
    role = _role(found, "role" in header.fields)
    type: ExperienceType = "tool_result" if role == "tool" else "message"
    said = found.get("type", type).strip().lower()
    said = type if said == _SAYS_NOTHING else said
    if said not in _TYPES:
        raise BadShape(f"type is one of {sorted(_TYPES)}")
    names: dict[str, Any] = {name: found[name].strip() for name in _NAMES if name in found}
    at_ms = parts.moment(found.get("at"), options.tz)
    ordering: Ordering = "medium" if at_ms is None else "high"
    turn = Turn(
        at=f"line:{row.lines[0]}",
        role=role,
        text=found["text"],
        type=_TYPES[said],
        ordering=ordering,
        at_ms=at_ms,
        said_at=found.get("at"),
        lines=row.lines,
        metadata=_metadata(cells, found.get("metadata"), header),
        tags=_tags(found.get("tags", "")),
        **names,
    )
    return parts.storable(turn)


def _role(found: dict[str, str], told: bool) -> Role:
    said = found.get("role" if told else "actor", "").strip().lower()
    if not said:
        raise BadShape(f"{'role' if told else 'actor'} is missing")
    if told and said not in parts.ROLES:
        raise UnknownRole(f"{said[:40]!r} is none of {sorted(parts.ROLES)}")
    return parts.ROLES.get(said, "assistant" if said in _MODELS else "user")


def _tags(cell: str) -> tuple[str, ...]:
    tags: Any = None
    if cell.lstrip().startswith("["):
        tags = canonical.read_json(cell, "tags")
        if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
            raise BadShape("tags is an array of strings")
    else:
        tags = _LISTED.split(cell)
    return tuple(tag.strip() for tag in tags if tag.strip())


def _metadata(cells: list[str], said: str | None, header: _Header) -> str | None:
    """What the other columns say, and the metadata, as one object where no name is said twice."""
    used = set(header.fields.values())
    extra: dict[str, Any] = {
        column or f"column {index + 1}": cells[index]
        for index, column in enumerate(header.columns)
        if index not in used and cells[index].strip()
    }
    whole: Any = said
    if said is not None and said.lstrip().startswith("{"):
        whole = canonical.read_json(said, "metadata")
    if isinstance(whole, dict) and not whole.keys() & extra.keys():
        extra = whole | extra
    elif whole is not None:
        extra = {"metadata": whole} | extra
    return parts.json_text(extra) if extra else None
