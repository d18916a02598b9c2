"""What in a text is a secret or personal, and the text without it.  Pure: a text in, a text out.

The detectors are those of two libraries, which the extra `redact` installs: detect-secrets for
keys, tokens, passwords and private keys; DataFog for addresses of mail and network, numbers of
telephones, payment cards and social security.  No detector finds everything.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cache
from ipaddress import IPv6Address
from itertools import chain
from typing import Any

import msgspec

from muniment.errors import ExtraMissing
from muniment.model import blocks, canonical, members
from muniment.model.experience import Message
from muniment.model.record import Commit, Note
from muniment.model.text import STOP_WORDS

# DataFog's kinds that are asked for, by our words.  Dates and postal codes alone tell nobody.
_PERSONAL = {
    "EMAIL": "email",
    "PHONE": "phone",
    "SSN": "social-security-number",
    "CREDIT_CARD": "payment-card",
    "IP_ADDRESS": "ip-address",
}
# Those of detect-secrets that find what is found here in another way: by all of its lines, as an
# address, or by guessing from how a quoted string looks, which is left out.
_LEFT_OUT = ("PrivateKeyDetector", "IPPublicDetector", "Base64HighEntropyString",
             "HexHighEntropyString")  # fmt: skip
_SIXTH = re.compile(r"(?<![\w:.])(?:[0-9A-Fa-f:.]{3,45}(?<![:.])|[0-9A-Fa-f:]{2,38}::)(?![\w:])")
_PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----.*?"
    r"(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----|\Z)",
    re.DOTALL,
)
# What goes on behind a match is the secret's too: some are longer than their pattern says.
_TOKEN = re.compile(r"(?:[A-Za-z0-9_+/=-]|\.(?=[A-Za-z0-9_+/=-]))+")
# What stands right before a number and says what it is the number of.
_SAID_BEFORE = 40
_SECURITY = re.compile(r"\b(?:ssn|social[ -]security)\b\D{0,24}\Z", re.IGNORECASE)
_OF_A_THING = re.compile(
    r"\b(?:order|invoice|part|serial|tracking|ticket|case|ref|reference|booking|flight|model|item"
    r"|article|sku|isbn|score)(?: (?:no|nr|number|id|code)\b)?\.?[ :#]{0,3}(?:(?:is|was) )?\Z",
    re.IGNORECASE,
)
_OF_A_VERSION = re.compile(
    r"(?:\b(?:v|version|release|build|section|chapter|clause|paragraph)\b[ .:]{0,3}|§ ?)\Z",
    re.IGNORECASE,
)
_IN_A_WORD = re.compile(r"[A-Za-z0-9]")
# Some patterns take time by the square of a line's length; so a long one is read in windows.
_WINDOW = 4_096
_OVERLAP = 1_024
# What is assigned to a name stands behind one of these, and they are what takes longest to find.
_ASSIGNED = re.compile(r"[:=;]")
# Personal things are looked for in pieces.  Nothing of them spans white space before a letter; in
# a piece that is torn elsewhere, what stands at its ends is seen whole in its neighbour.
_PIECE = 1_024
_TORN = 256
_EDGE = 64  # the longest number is shorter
_CUT = re.compile(r"\s(?=[^\s\d+\-.()])")
_NUMBERED = re.compile(r"[@\d]")
_LOCAL = re.compile(r"[A-Z0-9!#$%&'*+\-/=?^_`{|}~.]+", re.IGNORECASE)
_DOMAIN = re.compile(r"[A-Z0-9.-]+", re.IGNORECASE)
_FIELDS = ("text", "actor", "caption", "metadata")


class Found(msgspec.Struct, frozen=True, order=True):
    """Characters `start` to `end` of a text are to go; `kind` says what they are."""

    start: int
    end: int
    kind: str


def redacted(message: Message) -> tuple[Message, int]:
    """The message with a marker for each secret and personal thing, and how many there were.

    Its text, its speaker's name, its caption and its metadata are looked through; what it hangs
    on (threads, sessions, ids, tags, its source) is not, because it would no longer tell apart.

    Its own blocks are out of it as well.

    Raises:
        ExtraMissing: the detectors are not installed.
    """
    changed: dict[str, Any] = {}
    count = 0
    for field in _FIELDS:
        value = getattr(message, field)
        if value and field in ("text", "caption"):
            # First what will be taken out anyway: what stood around it may spell a secret then.
            left, stripped = blocks.strip(value)
            if stripped:
                changed[field] = value = left
                changed["stripped"] = changed.get("stripped", message.stripped) + stripped
        if value:
            text, gone = _told(value) if field == "metadata" else without(value)
            if gone:
                changed[field] = text
                count += gone
    return (msgspec.structs.replace(message, **changed), count) if changed else (message, 0)


def without(text: str) -> tuple[str, int]:
    """The text with a marker for each secret and personal thing, and how many there were.

    Raises:
        ExtraMissing: the detectors are not installed.
    """
    gone = found(text)
    return (_without(text, gone), len(gone)) if gone else (text, 0)


def cleaned(value: Any) -> tuple[Any, int]:
    """A JSON value with a marker for each secret and personal thing in it, and how many.

    In its strings and numbers; what is assigned to a name by being its member counts as well.
    The names themselves stay.

    Raises:
        ExtraMissing: the detectors are not installed.
    """
    if isinstance(value, dict):
        members = {name: _member(name, member) for name, member in value.items()}
        return {name: each for name, (each, _) in members.items()}, _sum(members.values())
    if isinstance(value, list | tuple):
        items = [cleaned(each) for each in value]
        return [each for each, _ in items], _sum(items)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return value, 0
    text, gone = without(str(value))
    return (text, gone) if gone else (value, 0)


def committed(request: Commit) -> tuple[Commit, list[int], int]:
    """The commit with markers in it, how many each note has, and how many the state.

    In texts, metadata and values.  Keys, and whom or what a record is about, are what it is found
    and bound by, and stay.

    Raises:
        ExtraMissing: the detectors are not installed.
        BadJson: metadata is no JSON.
    """
    notes = [_note(note, f"notes[{index}]") for index, note in enumerate(request.notes)]
    state, kept = cleaned(request.state)
    clean = msgspec.structs.replace(
        request, notes=tuple(note for note, _ in notes), state=state, redact=False
    )
    return clean, [count for _, count in notes], kept


def _told(metadata: str) -> tuple[str, int]:
    """The metadata of a message, which stays JSON; names in it that tell something go as well."""
    held, count = cleaned(json.loads(metadata))
    held, names = members.renamed(held, without)
    return canonical.encode_text(held), count + names


def _note(note: Note, at: str) -> tuple[Note, int]:
    text, count = without(note.text)
    if not isinstance(note.metadata, str):
        return msgspec.structs.replace(note, text=text), count
    held, more = cleaned(canonical.read_json(note.metadata, f"{at}.metadata"))
    metadata = canonical.plain_json(held, f"{at}.metadata") if more else note.metadata
    return msgspec.structs.replace(note, text=text, metadata=metadata), count + more


def _member(name: str, value: Any) -> tuple[Any, int]:
    held, gone = cleaned(value)
    if gone or not isinstance(value, str):
        return held, gone
    assigned = f"{name} = {json.dumps(value, ensure_ascii=False)}"
    kinds = [each.kind for each in found(assigned) if each.start > len(name)]
    return (f"[redacted: {kinds[0]}]", 1) if kinds else (value, 0)


def _sum(some: Iterable[tuple[Any, int]]) -> int:
    return sum(count for _, count in some)


def found(text: str) -> list[Found]:
    """Every secret and personal thing in a text, in order; what overlaps is one.

    Raises:
        ExtraMissing: the detectors are not installed.
    """
    joined: list[Found] = []
    for each in sorted(chain(_keys(text), _secrets(text), _personal(text), _addresses(text))):
        if joined and each.start < joined[-1].end:
            last = joined[-1]
            wider = each if each.end - each.start > last.end - last.start else last
            joined[-1] = Found(last.start, max(last.end, each.end), wider.kind)
        else:
            joined.append(each)
    return joined


def _without(text: str, gone: list[Found]) -> str:
    kept: list[str] = []
    start = 0
    for each in gone:
        kept += (text[start : each.start], f"[redacted: {each.kind}]")
        start = each.end
    return "".join((*kept, text[start:]))


def _keys(text: str) -> Iterator[Found]:
    """Private keys with all their lines, which the detector knows by their first."""
    if "PRIVATE KEY" in text:
        for match in _PRIVATE_KEY.finditer(text):
            yield Found(match.start(), match.end(), "private-key")


def _secrets(text: str) -> Iterator[Found]:
    """Line by line, as the detectors are made for; to the end of the token, however long.

    The time is linear in the text.
    """
    start = 0
    for line in text.splitlines(keepends=True):
        tokens = _Runs(_TOKEN, line)
        for first in range(0, len(line), _WINDOW - _OVERLAP):
            assigned = _ASSIGNED.search(line, first, first + _WINDOW)
            for kind, pattern, group in _patterns():
                if group is not None and assigned is None:
                    continue
                for match in pattern.finditer(line, first, first + _WINDOW):
                    at, end = _value(match, group)
                    # `password: I forgot` tells none; a word of the language's glue is no secret.
                    talk = group is not None and line[at:end].lower() in STOP_WORDS
                    if end > at and not talk:
                        yield Found(start + at, start + tokens.around(end)[1], kind)
        start += len(line)


def _value(match: re.Match[str], group: int | None) -> tuple[int, int]:
    """Where the secret stands in what a detector matched.

    Of `password = "..."` it is the group that the detector names.  Else it is a group that takes
    up most of the match, or all of it: some patterns have groups for a part of the secret.
    """
    start, end = match.span()
    if group is not None:
        at, to = match.span(group)
        # Without quotes a value ends with its word, not with the line.
        quoted = match.string[at - 1 : at] in ("'", '"', "`")
        return at, to if quoted else at + len(match[group].split(None, 1)[0])
    for at, to in (match.span(number) for number in range(1, (match.lastindex or 0) + 1)):
        if 2 * (to - at) >= end - start:
            return at, to
    return start, end


class _Runs:
    """The runs of a pattern in a text, found when the first is asked for: each is read once."""

    def __init__(self, pattern: re.Pattern[str], text: str) -> None:
        self._pattern = pattern
        self._text = text
        self._spans: list[tuple[int, int]] | None = None

    def around(self, at: int) -> tuple[int, int]:
        """Where the run begins and ends that holds `at`; of none, there itself."""
        if self._spans is None:
            self._spans = [match.span() for match in self._pattern.finditer(self._text)]
        place = bisect_right(self._spans, (at, len(self._text))) - 1
        start, end = self._spans[place] if place >= 0 else (at, at)
        return (start, end) if at < end else (at, at)


def _personal(text: str) -> Iterator[Found]:
    """What is personal.  The time is linear in the text."""
    scan = _scanner()
    for start, end, kind in _entities(text, scan):
        around = text[max(0, start - 1) : start] + text[end : end + 1]
        # Digits inside a longer word are a part of it: a hash has many runs of nine.
        if not _IN_A_WORD.search(around) and _is_told(text, start, end, kind):
            yield Found(start, end, _PERSONAL[kind])


def _is_told(text: str, start: int, end: int, kind: str) -> bool:
    """Whether a number is what it looks like, by its form and by what stands right before it.

    Ten digits in a row are more often the number of an order than of a telephone, and nine are
    the parts of a second, or of a picture's address, unless somebody says otherwise.
    """
    before = text[max(0, start - _SAID_BEFORE) : start]
    bare = text[start:end].isdigit()
    if kind == "SSN":
        if bare:
            return _SECURITY.search(before) is not None
        return _OF_A_THING.search(before) is None
    if kind == "PHONE":
        return not bare and _OF_A_THING.search(before) is None
    return kind != "IP_ADDRESS" or _OF_A_VERSION.search(before) is None


def _entities(text: str, scan: Any) -> Iterator[tuple[int, int, str]]:
    """Where the scanner finds what, piece by piece, in each as if it had the whole text."""
    local, domain = _Runs(_LOCAL, text), _Runs(_DOMAIN, text)
    for first, last, torn_before, torn_behind in _pieces(text):
        if not _NUMBERED.search(text, first, last):
            continue
        found = scan(text[first:last], engine="regex", entity_types=list(_PERSONAL))
        for entity in found.entities:
            start, end = first + entity.start, first + entity.end
            before = torn_before and entity.start < _EDGE
            behind = torn_behind and end == last
            if entity.type == "EMAIL":
                # An address may be longer than a piece.
                start = local.around(start)[0] if before else start
                host = domain.around(end - 1)[1]
                end = host if torn_behind and host >= last else end
            elif before or behind:
                continue
            yield start, end, entity.type


def _pieces(text: str) -> Iterator[tuple[int, int, bool, bool]]:
    """Where each begins and ends, and whether it is torn off there from what is around it."""
    first, torn = 0, False
    while first < len(text):
        last = first + _PIECE
        if last >= len(text):
            yield first, len(text), torn, False
            return
        cut = _CUT.search(text, first + _PIECE // 2, last)
        if cut:
            yield first, cut.end(), torn, False
            first, torn = cut.end(), False
        else:
            yield first, last, torn, True
            first, torn = last - _TORN, True


def _addresses(text: str) -> Iterator[Found]:
    """Addresses of the sixth version, which the detectors do not know."""
    for match in _SIXTH.finditer(text) if ":" in text else ():
        if not any(map(str.isdigit, match[0])):  # two words of a program: `dead::beef` is one
            continue
        try:
            IPv6Address(match[0])
        except ValueError:
            continue
        yield Found(match.start(), match.end(), "ip-address")


@cache
def _scanner() -> Any:
    try:
        from datafog import scan
    except ImportError as error:
        raise _missing() from error
    return scan


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str], int | None], ...]:
    """What the detectors look for: a kind as we write it, a pattern, and the secret's group."""
    try:
        from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
        from detect_secrets.plugins.keyword import (
            CONFIG_DENYLIST_REGEX_TO_GROUP,
            QUOTES_REQUIRED_DENYLIST_REGEX_TO_GROUP,
        )
    except ImportError as error:
        raise _missing() from error
    plugins: dict[str, Any] = get_mapping_from_secret_type_to_class()
    by_form = [
        (re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-"), pattern, None)
        for name, kind in sorted(plugins.items())
        if kind.__name__ not in _LEFT_OUT and hasattr(kind, "denylist")
        for pattern in kind().denylist
    ]
    by_name = (*QUOTES_REQUIRED_DENYLIST_REGEX_TO_GROUP.items(),
               *CONFIG_DENYLIST_REGEX_TO_GROUP.items())  # fmt: skip
    return (*by_form, *(("password", pattern, group) for pattern, group in by_name))


def _missing() -> ExtraMissing:
    return ExtraMissing("redaction needs its detectors: pip install 'muniment[redact]'")
