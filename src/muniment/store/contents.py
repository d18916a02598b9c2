"""The check of the contents: digests, ids, tags, citations, and the holes that erasures made.

A part of `verify`; shares nothing with append but `canonical.digest`.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from muniment import limits
from muniment.model import canonical
from muniment.model.event_kinds import BY_NAME, AnyShape, CommandAnswered, RecordWritten
from muniment.model.integrity import Fault
from muniment.store import citing, forms, wording
from muniment.store.checked import Chain, Checked

SALT_BYTES = 16
DEFLATED = b"z"  # the first byte of a header that is stored deflated
_VALUES = ("StateSet", "StateDeleted")  # what changes the value of a key
_FIELDS = {
    name: frozenset(("event", *kind.shape.__struct_fields__)) for name, kind in BY_NAME.items()
}
_json = msgspec.json.Decoder()
_sorted = msgspec.json.Encoder(order="sorted")


def of_commit(
    checked: Checked,
    chain: Chain,
    header: dict[str, Any],
    height: int,
    typed: Sequence[AnyShape] | None,
) -> Iterator[Fault]:
    """Faults of one commit's shapes and contents.

    `typed` are the shapes by their types, where they have them; what has not authorises nothing.
    """
    sign = 1 if chain.name == "m" else -1
    events = header["events"]
    apart = forms.apart(typed) if typed else None
    if apart is not None:
        where: dict[str, Any] = {"chain": chain.name, "height": height, "seq": apart.seq}
        if isinstance(apart, CommandAnswered):
            yield Fault(code="command_differs", table="commits", **where)
        else:
            yield Fault(code="erasure_not_alone", table="commits", **where)
    present = stored(checked, chain.name, events[0]["seq"], events[-1]["seq"]) if events else {}
    for index, shape in enumerate(events):
        place = {"chain": chain.name, "height": height, "seq": shape["seq"]}
        form = None if typed is None else typed[index]
        broken = "its types" if form is None else forms.wrong(form)
        if form is not None and broken is not None:
            yield Fault(code="shape_malformed", table="commits", detail=broken, **place)
        yield from _shape(checked, chain, header, index, place)
        yield from _followed(checked, chain, shape, form if broken is None else None, place)
        found = present.get(sign * shape["seq"])
        if shape.get("content_digest") is None:
            if found is not None:
                yield Fault(code="content_stray", table="content", **place)
        elif found is None:
            checked.missing[sign * shape["seq"]] = height
        else:
            yield from _content(checked, shape, form, found, place)


def _followed(
    checked: Checked,
    chain: Chain,
    shape: dict[str, Any],
    form: AnyShape | None,
    place: dict[str, Any],
) -> Iterator[Fault]:
    """What an event changes: what may be missing, the value of a key, the version of a record.

    `form` is None where its shape is not right, so that it changes nothing that could be said.
    """
    if form is None:
        if shape.get("event") in _VALUES:
            checked.values.lose()
        elif shape.get("event") == "RecordWritten":
            checked.versions.lose()
        return
    _authorise(checked, shape)
    yield from _value(checked, chain, shape, place)
    if isinstance(form, RecordWritten):
        if form.seq > chain.seq + limits.HEADER_BYTES_MAX:
            checked.versions.lose()  # no event of this commit can stand there
        elif not checked.versions.follow((form,), checked.missing):
            yield Fault(code="supersedes_differs", table="commits", **place)
            checked.versions.put(form)


def _content(
    checked: Checked,
    shape: dict[str, Any],
    form: AnyShape | None,
    found: tuple[Any, Any],
    place: dict[str, Any],
) -> Iterator[Fault]:
    """A content that is there: that of its event, and as its kind's are."""
    salt, content = found
    detail: str | None = None
    if not (isinstance(salt, bytes) and isinstance(content, bytes)):
        detail = "its type"
    elif canonical.digest(canonical.CONTENT_DOMAIN, salt, content).hex() != shape["content_digest"]:
        detail = ""
    elif len(content) != shape.get("content_bytes"):
        detail = "its length"
    elif len(salt) != SALT_BYTES:
        detail = "its salt"
    if detail is not None:
        yield Fault(code="content_differs", table="content", detail=detail, **place)
        return
    yield from _tags(checked, shape, content, place)
    if form is not None:
        yield from _words(checked, form, content, place)


def _words(
    checked: Checked, form: AnyShape, content: bytes, place: dict[str, Any]
) -> Iterator[Fault]:
    """A content that is not as its kind's are."""
    found = forms.content(form, content)
    broken = "" if found is None else wording.wrong(form, found, content, checked.allowed)
    if broken is not None:
        yield Fault(code="content_malformed", table="content", detail=broken, **place)


def holes(checked: Checked) -> Iterator[Fault]:
    """Contents that are missing without an erasure that names them."""
    for place, height in sorted(checked.missing.items()):
        if not checked.may_miss(place):
            yield Fault(
                code="content_missing",
                chain="m" if place > 0 else "j",
                seq=abs(place),
                height=height,
                table="content",
            )


def stray(checked: Checked) -> Iterator[Fault]:
    """Contents that no event has, or that an erasure should have taken."""
    read, first = checked.read, {name: chain.first for name, chain in checked.chains.items()}
    new = (
        "" if checked.since is None else f" AND (place > {first['m']:d} OR place < {-first['j']:d})"
    )
    for (place,) in read.each(
        f"SELECT place FROM content WHERE (scope IS NOT ? OR place = 0 OR place > ? OR place < ?){new}"
        " ORDER BY place",
        (read.scope.number, checked.chains["m"].seq, -checked.chains["j"].seq),
    ):
        yield Fault(code="content_stray", seq=abs(place), table="content")
    present = read.column(f"SELECT place FROM content WHERE scope = ?{new}", (read.scope.number,))
    if new:
        # Also what came before, where an erasure since then names it.
        sql = "SELECT place FROM content WHERE scope = ? AND place IN "
        old = [each for each in checked.authorised if -first["j"] <= each <= first["m"]]
        present += [place for (place,) in read.among(sql, read.scope.number, old)]
    for place in present:
        if checked.may_miss(place):
            chain = "m" if place > 0 else "j"
            yield Fault(code="erased_content_present", chain=chain, seq=abs(place), table="content")


def inflated(stored: bytes) -> bytes | None:
    """A stored header as it is hashed; None where its check or its stream is broken."""
    if stored[:1] != DEFLATED:
        return stored
    check, deflated = stored[1:9], stored[9:]
    if canonical.digest(canonical.DEFLATED_DOMAIN, deflated)[:8] != check:
        return None
    return unpacked(deflated)


def rightly_stored(stored: bytes, plain: bytes) -> bool:
    """Whether a header is stored deflated if it is long, and only then."""
    return (stored[:1] == DEFLATED) == (len(plain) > limits.HEADER_DEFLATE_ABOVE_BYTES)


def unpacked(deflated: bytes) -> bytes | None:
    """What was deflated, if it is that and nothing else, and no longer than a header may be."""
    stream = zlib.decompressobj()
    try:
        plain = stream.decompress(deflated, limits.HEADER_BYTES_MAX)
    except zlib.error:
        return None
    return plain if stream.eof and not stream.unused_data else None


def unmet(checked: Checked) -> Iterator[Fault]:
    """Journal ids that memory events cite and that do not stand."""
    journal = checked.chains["j"]
    for place, cited, height in checked.waiting:
        later = citing.seq_of(cited) > journal.ends.get(height, limits.INTEGER_MAX)
        if later or not stands(checked, journal, cited):
            yield Fault(code="reference_unknown", table="commits", detail=cited, **place)


def stored(checked: Checked, chain: str, first: int, last: int) -> dict[int, tuple[Any, Any]]:
    """The salts and contents of the events of one commit, by place.

    All are read in one pass, commit by commit; the last commit's may be asked for again.
    """
    rows = checked.contents.get(chain)
    if rows is None:
        rows = checked.contents[chain] = _Ahead(_rows(checked, chain, first))
    sign = 1 if chain == "m" else -1
    found: dict[int, tuple[Any, Any]] = {
        place: each for place, each in rows.last.items() if first <= sign * place <= last
    }
    while (row := rows.next_) is not None and sign * row[0] <= last:
        if sign * row[0] >= first:
            found[row[0]] = row[1], row[2]
        rows.step()
    rows.last = found
    return found


def _rows(checked: Checked, chain: str, first: int) -> Iterator[tuple[Any, ...]]:
    """Every content of a chain from `first` on, in the order of its events."""
    sql = "SELECT place, salt, bytes FROM content WHERE scope = ? AND place "
    if chain == "m":
        return checked.read.each(f"{sql}>= ? ORDER BY place", (checked.read.scope.number, first))
    return checked.read.each(f"{sql}<= ? ORDER BY place DESC", (checked.read.scope.number, -first))


class _Ahead:
    """Rows one by one, with a look at the next, and at those of the last commit."""

    def __init__(self, rows: Iterator[tuple[Any, ...]]) -> None:
        self._rows = rows
        self.next_: tuple[Any, ...] | None = None
        self.last: dict[int, tuple[Any, Any]] = {}
        self.step()

    def step(self) -> None:
        """The next one is past."""
        self.next_ = next(self._rows, None)


def _shape(
    checked: Checked, chain: Chain, header: dict[str, Any], index: int, place: dict[str, Any]
) -> Iterator[Fault]:
    """One shape: a known kind, its own id, and nothing cited that does not stand earlier."""
    shape = header["events"][index]
    kind = BY_NAME.get(shape.get("event"))
    if kind is None or kind.chain != chain.name:
        yield Fault(code="event_unknown", table="commits", **place)
        return
    if not shape.keys() <= _FIELDS[shape["event"]]:
        unknown = ", ".join(sorted(shape.keys() - _FIELDS[shape["event"]]))
        yield Fault(code="field_unknown", table="commits", detail=unknown, **place)
    bare = {name: value for name, value in shape.items() if name != "id"}
    right = citing.id_of(kind.letter, shape["seq"], header["parent"], index, _sorted.encode(bare))
    if shape["id"] != right:
        yield Fault(code="id_differs", table="commits", **place)
    for cited in citing.cited(shape):
        if cited[0] in citing.JOURNAL_LETTERS and chain.name == "m":
            # The journal is followed behind the memory chain.
            checked.waiting.append((place, cited, chain.other_height))
        elif not (
            stands(checked, checked.chains[citing.chain_of(cited)], cited)
            or any(earlier["id"] == cited for earlier in header["events"][:index])
        ):
            yield Fault(code="reference_unknown", table="commits", detail=cited, **place)
    if shape["event"] == "RecallRecorded" and not _receipt_holds(checked, chain, shape):
        yield Fault(code="receipt_differs", table="commits", **place)


def _authorise(checked: Checked, shape: dict[str, Any]) -> None:
    """What an erasure names may be missing."""
    chain = {"ContentErased": "m", "ReceiptErased": "j"}.get(shape["event"])
    if chain is not None:
        sign = 1 if chain == "m" else -1
        named = [*shape.get("targets", ()), *shape.get("dependents", ())]
        checked.authorised.update(sign * citing.seq_of(id) for id in named)
        checked.through[chain] = max(checked.through[chain], shape.get("through", 0))


def _value(
    checked: Checked, chain: Chain, shape: dict[str, Any], place: dict[str, Any]
) -> Iterator[Fault]:
    """What is set or deleted cites the value that its key had, and nothing where it had none."""
    if shape["event"] not in _VALUES:
        return
    key_tag, cited = shape["key_tag"], shape.get("supersedes")
    before = _before(checked, chain, cited)
    right = before is None or (before.get("event"), before.get("key_tag")) == ("StateSet", key_tag)
    if not right or not checked.values.fits(key_tag, cited, {}):
        yield Fault(code="value_differs", table="commits", **place)
    checked.values.follow({key_tag: shape["id"] if shape["event"] == "StateSet" else None})


def _before(checked: Checked, chain: Chain, cited: str | None) -> dict[str, Any] | None:
    """The event that is cited, where that is in what was not read."""
    seq = 0 if cited is None else citing.seq_of(cited)
    if not 1 <= seq <= chain.first:
        return None
    return next((each for each in _unread(checked, chain, seq) or () if each["id"] == cited), None)


def _receipt_holds(checked: Checked, chain: Chain, shape: dict[str, Any]) -> bool:
    """Whether a receipt kept its own budget, and speaks of what stood at a head that it may know.

    That is one of the memory chain's, and not behind the one that its header names.
    """
    last = shape["memory_seq"]
    if shape["bytes"] > shape["bytes_max"] or len(shape.get("chosen", ())) > shape["items_max"]:
        return False
    if shape.get("to_seq", 0) > last or any(
        citing.seq_of(cited) > last for cited in citing.cited(shape)
    ):
        return False
    memory = checked.chains["m"]
    height = memory.heads.get(shape["memory_head"])
    if height is None or height > chain.other_height:
        return False
    return bool(memory.ends.get(height, last) == last)


def stands(checked: Checked, chain: Chain, cited: str) -> bool:
    """Whether this exact id stands in the commits that were passed, or in one before them."""
    seq = citing.seq_of(cited)
    if 1 <= seq <= chain.first:
        return _stood(checked, chain, seq, cited)
    if 1 <= seq - chain.first <= len(chain.letters):
        letter = chain.letters[seq - chain.first - 1]
        same = letter == cited[0] and chain.marks[seq - chain.first - 1] == int(cited[-16:], 16)
        return same or letter == "?"
    return False


def _stood(checked: Checked, chain: Chain, seq: int, cited: str) -> bool:
    """Whether this exact id stands in what was not read, as its commit says.

    A commit that cannot be read is for a check of everything to name.
    """
    events = _unread(checked, chain, seq)
    return events is None or any(shape["id"] == cited for shape in events)


def _unread(checked: Checked, chain: Chain, seq: int) -> list[dict[str, Any]] | None:
    """The events of a commit in what was not read; None where that cannot be read."""
    row = checked.read.row(
        "SELECT header FROM commits WHERE scope = ? AND chain = ? AND seq >= ? ORDER BY seq LIMIT 1",
        (checked.read.scope.number, chain.name, seq),
    )
    if row is None:
        return []
    try:
        events = _json.decode(inflated(row[0]) or b"")["events"]
        return [shape for shape in events if shape["id"]]
    except (KeyError, TypeError, RecursionError, msgspec.DecodeError):
        return None


def _tags(
    checked: Checked, shape: dict[str, Any], content: bytes, place: dict[str, Any]
) -> Iterator[Fault]:
    kind = {"RecordWritten": "key", "StateSet": "state"}.get(shape["event"])
    if kind is None:
        return
    key = _json.decode(content).get("key")
    if shape.get("key_tag") != (None if key is None else checked.tag(kind, key)):
        yield Fault(code="tag_differs", table="commits", detail=kind, **place)
