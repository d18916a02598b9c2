"""May this record be written, and what does it take the place of?  Pure: facts in, a draft out."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from muniment import errors
from muniment.model import binding, blocks, canonical, time
from muniment.model.binding import Binding
from muniment.model.event import Draft, Local
from muniment.model.event_kinds import Kind, Owner, RecordContent, RecordWritten, Status
from muniment.model.evidence import Source
from muniment.model.record import Note, SourceFact, Version
from muniment.model.scope import PROGRAM, Allowed
from muniment.model.stretch import Stretch

STATUSES: dict[Kind, tuple[Status, ...]] = {
    "note": ("active", "retracted"),
    "fact": ("active", "retracted"),
    "procedure": ("active", "retracted"),
    "task": ("open", "closed", "retracted"),
    "summary": ("active", "retracted"),
    "story": ("active", "retracted"),
    "belief": ("active", "disputed", "retracted"),
    "intention": (
        "pending",
        "confirmed",
        "deferred",
        "completed",
        "rejected",
        "expired",
        "retracted",
    ),
    "requirement": ("active", "done", "retracted"),
    "appraisal": ("active", "retracted"),
    "proposal": (
        "proposed",
        "shadow",
        "needs_review",
        "deferred",
        "accepted",
        "rejected",
        "superseded",
        "expired",
    ),
}
OWNERS: dict[Kind, tuple[Owner, ...]] = {"proposal": ("scope",)}


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What is known before one note is decided over.

    `before` is the newest version of its key; `equal` are records without a key that have its
    kind and text; `sources` are the cited things, in the note's order, by full id.
    """

    before: Version | None
    sources: tuple[SourceFact, ...]
    key_tag: str | None
    equal: tuple[Version, ...] = ()
    receipt: str | None = None  # by its full id
    named: Version | None = None  # the version that `supersedes` names
    allowed: Allowed = PROGRAM  # by the scope's genesis


class Known(msgspec.Struct, frozen=True):
    """Nothing is to be written: this version says it already."""

    version: Version


def remember(note: Note, facts: Facts) -> Draft | Known:
    """The version that a note becomes, or the one that stands already.

    Raises:
        Refused: a rule says no; its code says which.
        BadInput: a field is out of its bounds.
    """
    status = note.status or STATUSES[note.kind][0]
    check_shape(note, status, facts.allowed)
    sources = _sources(note, facts)
    before = _before(note, facts)
    covers = _full_ids(note.covers, note.sources, sources)
    bound = _bound(note, sources)
    for version in facts.equal if before is None else (before,):
        same = (version.covers, version.bound) == (covers, bound)
        if same and _same(version, note, status, sources):
            return Known(version)
    _check_replacing(before, note.kind, note.owner)
    _check_evidence(note, status, facts, before)
    shape = RecordWritten(
        kind=note.kind,
        status=status,
        owner=note.owner,
        key_tag=facts.key_tag,
        supersedes=None if before is None else before.id,
        sources=sources,
        covers=covers,
        valid_from_ms=_ms(note.valid_from, "valid_from"),
        valid_to_ms=_ms(note.valid_to, "valid_to"),
        receipt=facts.receipt,
        **bound.shape,
    )
    content = RecordContent(
        text=note.text, about=note.about, key=note.key, metadata=_metadata(note), **bound.words
    )
    return Draft(shape, content)


def beside_plans(note: Note, old: Version, newest: str, place: Stretch) -> Note:
    """A note that takes the place of `old` while that stands, and leaves what is planned.

    `place` is the stretch of time in which `old` stands.  It follows the newest version, as every
    version does, and gives way where `old` would have; an end of its own is its own.
    """
    ends = place[1] if _ms(note.valid_to, "valid_to") == old.valid_to_ms else note.valid_to
    return msgspec.structs.replace(note, supersedes=newest, valid_from=place[0], valid_to=ends)


def again(draft: Draft, places: Sequence[Stretch]) -> list[Draft]:
    """A correction that holds in the first of these places, as it holds in the others.

    Each follows the one before, in one commit.  One with an end of its own holds until then alone.
    """
    shape = draft.shape
    assert isinstance(shape, RecordWritten)
    if shape.valid_to_ms != places[0][1]:
        return []
    later = [
        msgspec.structs.replace(shape, supersedes=None, valid_from_ms=begin, valid_to_ms=end)
        for begin, end in places[1:]
    ]
    return [
        Draft(each, draft.content, (Local("supersedes", index),))
        for index, each in enumerate(later)
    ]


def changed(version: Version, status: Status, key_tag: str | None, now_ms: int) -> Draft | Known:
    """A new version of the same record with another status and nothing else changed.

    What is taken back before it holds is taken back at once, with what held until then.

    Raises:
        NotCurrent: it is not the newest version, or its content is erased.
        NotATask: it is to be closed and is no task.
    """
    if version.newest is not None:
        raise errors.NotCurrent(
            f"{version.id} is not the current version, {version.newest} is", at="id"
        )
    if version.standing == "erased":
        raise errors.NotCurrent(f"{version.id} is erased", at="id")
    if status == "closed" and version.kind != "task":
        raise errors.NotATask(f"{version.id} is a {version.kind}; only tasks close", at="id")
    begin = version.valid_from_ms
    planned = status == "retracted" and begin is not None and begin > now_ms
    if version.status == status and not planned:
        return Known(version)
    if status not in STATUSES[version.kind]:
        raise errors.NotCurrent(f"a {version.kind} cannot be {status}", at="id")
    if status == "closed" and version.status != "open":
        raise errors.NotCurrent(f"{version.id} is {version.status}, not open", at="id")
    shape = RecordWritten(
        kind=version.kind,
        status=status,
        owner=version.owner,
        key_tag=key_tag,
        supersedes=version.id,
        sources=version.sources,
        valid_from_ms=None if planned else begin,
        valid_to_ms=None if planned else version.valid_to_ms,
        **version.bound.shape,
    )
    content = RecordContent(
        text=version.text,
        about=version.about,
        key=version.key,
        metadata=version.metadata,
        **version.bound.words,
    )
    return Draft(shape, content)


def check_continues(newest: str | None, before: str | None) -> None:
    """Nothing, if an imported version follows the one that its own ledger says it follows.

    `newest` is the key's newest version here, `before` the one that was imported for it.

    Raises:
        KeyTaken: somebody else wrote the key, before or since.
    """
    if newest != before:
        raise errors.KeyTaken(
            f"the key's newest version is {newest or 'none'}, not {before or 'none'}", at="key"
        )


def check_shape(note: Note, status: Status, allowed: Allowed) -> None:
    """Nothing, if a note by itself is one: the static rules.

    Raises:
        BadInput: with the path of the field.
    """
    if not note.text.strip():
        raise errors.BlankText("the text is blank", at="text")
    if blocks.strip(note.text)[1]:
        raise errors.OnlyOwnBlocks("a record's text may not hold a memory's own blocks", at="text")
    if note.key is not None and not note.key.strip():
        raise errors.BlankText("a key is not blank; leave it out instead", at="key")
    if status not in STATUSES[note.kind]:
        known = ", ".join(STATUSES[note.kind])
        raise errors.BadShape(f"a {note.kind} is one of {known}", at="status")
    if note.owner not in OWNERS.get(note.kind, (note.owner,)):
        raise errors.BadShape(f"a {note.kind} belongs to the scope", at="owner")
    _check_sizes(note, allowed)
    _check_lists(note, status)
    metadata = _metadata(note)
    if metadata is not None and not isinstance(canonical.read_json(metadata, "metadata"), dict):
        raise errors.BadJson("metadata is a JSON object", at="metadata")
    begin, end = _ms(note.valid_from, "valid_from"), _ms(note.valid_to, "valid_to")
    if begin is not None and end is not None and begin >= end:
        raise errors.BadTime("it would end before it begins", at="valid_to")


def _check_sizes(note: Note, allowed: Allowed) -> None:
    for field, size, most in (
        ("text", len(note.text.encode()), allowed.record_text_bytes_max),
        ("key", len((note.key or "").encode()), allowed.key_bytes_max),
        ("sources", len(note.sources), allowed.sources_max),
        ("covers", len(note.covers), allowed.covers_max),
    ):
        if size > most:
            raise errors.TooLong(f"at most {most}, not {size}", at=field)


def _check_lists(note: Note, status: Status) -> None:
    for field, ids in (
        ("sources", [_id(source) for source in note.sources]),
        ("covers", list(note.covers)),
    ):
        if len(set(ids)) != len(ids):
            raise errors.BadShape("one is named twice", at=field)
    if note.covers and (note.kind != "summary" or status != "active"):
        raise errors.BadShape("only an active summary covers", at="covers")
    if note.recursive and note.kind != "summary":
        raise errors.BadShape("only a summary is recursive", at="recursive")
    if note.kind == "summary" and not note.sources:
        raise errors.BadShape("a summary has at least one source", at="sources")
    cited = {_id(source) for source in note.sources}
    for index, id in enumerate(note.covers):
        if id not in cited:
            raise errors.BadShape("what is covered is also a source", at=f"covers[{index}]")


def _check_replacing(before: Version | None, kind: Kind, owner: Owner) -> None:
    if before is None:
        return
    if before.owner != owner:
        raise errors.OwnerDiffers(f"{before.id} belongs to {before.owner}", at="owner")
    if before.standing == "erased":
        return
    if before.kind == "task" and before.status == "open" and kind != "task":
        raise errors.OpenTaskProtected(
            f"{before.id} is an open task; close it or retract it first", at="kind"
        )


def _check_evidence(note: Note, status: Status, facts: Facts, before: Version | None) -> None:
    for index, source in enumerate(facts.sources):
        if source.standing == "erased":
            raise errors.SourceErased(f"{source.id} is erased", at=f"sources[{index}]")
    if (
        note.kind == "procedure"
        and status == "active"
        and not any(
            source.kind != "summary" and source.standing != "retracted" for source in facts.sources
        )
    ):
        raise errors.UngroundedProcedure("an active procedure cites what shows it", at="sources")
    said = [
        source
        for source, cited in zip(facts.sources, note.sources, strict=True)
        if source.role == "user" and (isinstance(cited, str) or cited.role == "supports")
    ]
    if note.kind == "belief" and note.owner == "user" and not said:
        raise errors.NoUserEvidence("a user's belief cites what the user said", at="sources")
    if note.kind == "intention" and status == "confirmed":
        since = 0 if before is None else before.seq
        earlier = set() if before is None else {source.id for source in before.sources}
        later = any(source.seq > since and source.id not in earlier for source in said)
        if not later:
            raise errors.NoUserEvidence(
                "an intention is confirmed by something the user said later", at="sources"
            )


def _before(note: Note, facts: Facts) -> Version | None:
    """The version that the note takes the place of, or may be equal to."""
    if note.supersedes is None:
        return facts.before
    named = facts.named
    assert named is not None
    if note.key is not None and facts.before is not None and facts.before.id != named.id:
        raise errors.SupersedesOther(
            f"the key's newest version is {facts.before.id}", at="supersedes"
        )
    if named.newest is not None:
        raise errors.NotCurrent(
            f"{named.id} is not the newest version, {named.newest} is", at="supersedes"
        )
    if named.key is not None and named.key != note.key:
        raise errors.SupersedesOther(f"{named.id} has another key", at="supersedes")
    return named


def _same(before: Version, note: Note, status: Status, sources: Sequence[Source]) -> bool:
    return before.standing != "erased" and (
        before.kind,
        before.text,
        before.status,
        before.owner,
        before.about,
        before.metadata,
        before.sources,
        before.valid_from_ms,
        before.valid_to_ms,
    ) == (
        note.kind,
        note.text,
        status,
        note.owner,
        note.about,
        _metadata(note),
        tuple(sources),
        _ms(note.valid_from, "valid_from"),
        _ms(note.valid_to, "valid_to"),
    )


def _sources(note: Note, facts: Facts) -> tuple[Source, ...]:
    """The note's sources by their full ids."""
    found = []
    for index, (given, fact) in enumerate(zip(note.sources, facts.sources, strict=True)):
        source = Source(id=fact.id) if isinstance(given, str) else given
        if source.span is not None and not 0 <= source.span[0] < source.span[1]:
            raise errors.BadShape("a span is not empty", at=f"sources[{index}].span")
        if source.span and fact.characters is not None and source.span[1] > fact.characters:
            raise errors.BadShape(
                f"the text cited has {fact.characters} characters", at=f"sources[{index}].span"
            )
        found.append(msgspec.structs.replace(source, id=fact.id))
    if len({source.id for source in found}) != len(found):
        raise errors.BadShape("one is named twice", at="sources")
    return tuple(found)


def _bound(note: Note, sources: Sequence[Source]) -> Binding:
    """What binds a note; what it assesses by its full id, which its sources have."""
    if not (binding.shaped(note) or binding.worded(note)):
        return binding.UNBOUND
    fields = {field: getattr(note, field) for field in Binding.__struct_fields__}
    if note.assesses is not None:
        named = [each.id for each in sources if note.assesses in (each.id, each.id.split("-")[0])]
        if not named:
            raise errors.AppraisalWithoutSource("what is assessed is also a source", at="sources")
        fields["assesses"] = named[0]
    return Binding(**fields)


def _full_ids(
    covers: Sequence[str], given: Sequence[str | Source], sources: Sequence[Source]
) -> tuple[str, ...]:
    full = {_id(said): source.id for said, source in zip(given, sources, strict=True)}
    return tuple(full[id] for id in covers)


def _id(source: str | Source) -> str:
    return source if isinstance(source, str) else source.id


def _metadata(note: Note) -> str | None:
    """Its JSON text, which the door has made of a mapping."""
    assert note.metadata is None or isinstance(note.metadata, str)
    return note.metadata


def _ms(value: int | str | None, at: str) -> int | None:
    return None if value is None else time.parse(value, at)
