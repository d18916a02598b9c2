"""Every format as a value, its writing and its reading; and strategies for the values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
from hypothesis import strategies as st

from muniment.exchange import appraisals, images, live, objects, queries, selections, texts, vectors
from muniment.exchange.images import Image, Stored
from muniment.exchange.layout import NO_ID, NONE, Ref
from muniment.exchange.objects import Row
from tests.exchange.things import floats

ids = st.binary(min_size=16, max_size=16).filter(any)
digests = st.binary(min_size=32, max_size=32).filter(any)
u32s = st.integers(0, 2**32 - 1)
u64s = st.integers(1, 2**64 - 1)
millionths = st.integers(0, 1_000_000)
amounts = st.none() | millionths
refs = st.builds(Ref, ids, u64s)
maybe = st.just(NONE) | refs
quotes = st.tuples(u32s, u32s)
words = st.text(
    st.characters(exclude_categories=("Cs", "Cc")) | st.sampled_from("\t\n"),
    min_size=1,
    max_size=40,
)
numbers = st.lists(
    st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1, max_size=8
).filter(any).map(lambda some: floats(*some))  # fmt: skip

plain = st.builds(texts.Plain, text=words)
bound = st.builds(texts.Bound, text=words, task=ids, required=st.booleans())
review = st.builds(texts.Bound, text=words, task=ids, required=st.just(True), review=st.just(True))
span = st.builds(
    texts.Span, text=words, span=st.integers(1, 4), start=u32s, model=digests, processor=digests
)
of_digest = st.builds(
    vectors.Vector, numbers=numbers, model=digests, processor=digests, digest=digests
)
of_event = st.builds(vectors.Vector, numbers=numbers, model=digests, processor=digests, event=refs)
made = st.builds(appraisals.Made, processor=digests, model=digests, queue=refs, quote=quotes)
appraisal = st.builds(
    appraisals.Appraisal, benefit=amounts, harm=amounts, arousal=amounts, confidence=amounts,
    consequence=st.integers(0, 4), made=st.none() | made,
)  # fmt: skip
relationship = st.builds(
    appraisals.Relationship, regard_gain=amounts, regard_loss=amounts, trust_gain=amounts,
    trust_loss=amounts, task=st.just(NO_ID) | ids, evidence=quotes, task_quote=quotes,
    commitment=quotes, processor=digests, model=digests, queue=maybe,
)  # fmt: skip
queued = st.builds(
    appraisals.Queued, state=st.integers(0, 3), configuration=maybe, task=st.just(NO_ID) | ids,
    result=u32s, processor=digests, model=digests, descriptor=maybe,
)  # fmt: skip
configuration = st.builds(
    appraisals.Configuration, flags=st.integers(0, 7), pages=u32s, tokens=u32s, ticks=u32s,
    floor=millionths, boost=millionths, rows=u32s, processor=digests,
)  # fmt: skip
members = st.lists(
    st.builds(selections.Member, ref=refs, representation=st.integers(1, 2)), max_size=16
).map(tuple)
question = st.builds(selections.Question, cut=u64s, query=st.binary(min_size=8, max_size=8))


@st.composite
def rows(draw: st.DrawFn) -> Row:
    """An object's row that is right by itself."""
    updated = draw(u64s)
    scope = draw(st.integers(0, 2))
    source, superseded, embedding = (draw(maybe) for _ in range(3))
    size = draw(st.integers(0, 9))
    return Row(
        kind=draw(st.integers(1, 13)),
        flags=draw(st.integers(0, 7)) | (0 if size else objects.TOMBSTONE),
        id=draw(ids),
        lineage=draw(ids),
        version=draw(st.integers(1, updated)),
        created=draw(st.integers(1, updated)),
        updated=updated,
        owner=draw(ids),
        room=draw(ids) if scope == objects.ROOM else NO_ID,
        source_id=source.id,
        source_version=source.version,
        subject=draw(st.just(NO_ID) | ids),
        superseded_id=superseded.id,
        superseded_version=superseded.version,
        payload_bytes=size,
        scope=scope,
        source_kind=draw(st.integers(1, 4 if source else 3)),
        evidence=draw(st.integers(0, 3)),
        retention=draw(st.integers(0, 2)),
        importance=draw(millionths | st.just(2**32 - 1)),
        expiry=draw(st.just(0) | u64s),
        embedding_id=embedding.id,
        embedding_version=embedding.version,
        policy=draw(u64s),
    )


@st.composite
def image(draw: st.DrawFn) -> Image:
    """A checkpoint or a tail with payloads in order."""
    some = []
    size = 0
    for row in draw(st.lists(rows(), max_size=3)):
        payload = draw(st.binary(min_size=row.payload_bytes, max_size=row.payload_bytes))
        some.append(Stored(row._replace(payload_at=size if payload else 0), payload))
        size += len(payload)
    return Image(
        tail=draw(st.booleans()), lineage=draw(ids), sequence=draw(u64s), tick=draw(u64s),
        objects=tuple(some),
    )  # fmt: skip


@st.composite
def extension(draw: st.DrawFn) -> queries.Extension:
    """An extension of any revision."""
    revision = draw(st.integers(1, 4))
    task = draw(st.none() | ids)
    ranked = draw(st.booleans()) or (revision == 1 and task is None)
    people = draw(st.lists(ids, max_size=64, unique=True)) if task else []
    return queries.Extension(
        revision=revision,
        task=task,
        participants=tuple(people),
        ranked=ranked,
        floor=draw(millionths) if ranked else 0,
        boost=draw(millionths) if ranked else 0,
        actor=draw(st.just(NO_ID) | ids) if revision > 1 else NO_ID,
    )


@st.composite
def query(draw: st.DrawFn) -> queries.Query:
    """A query with a vector."""
    scope = draw(st.integers(0, 2))
    request, selection = draw(st.lists(ids, min_size=2, max_size=2, unique=True))
    return queries.Query(
        request=request,
        selection=selection,
        principal=draw(ids),
        room=draw(ids) if scope == queries.ROOM else NO_ID,
        scope=scope,
        model=draw(digests),
        processor=draw(digests),
        vector=draw(numbers),
        entries_max=draw(st.integers(1, 16)),
        bytes_max=draw(st.integers(1, 4_096)),
        required=tuple(draw(st.lists(refs, max_size=8))),
        focus=tuple(draw(st.lists(refs, max_size=8))),
        text=draw(words),
        extension=draw(st.none() | extension()),
    )


@st.composite
def bindings(draw: st.DrawFn) -> live.Live:
    """Slots and whom they serve."""
    rows_ = []
    for slot in draw(st.lists(st.integers(0, 99), min_size=1, max_size=3, unique=True)):
        scope = draw(st.integers(0, 2))
        rows_.append(
            live.Binding(
                slot=slot, scope=scope, principal=draw(ids), conversation=draw(ids),
                room=draw(ids) if scope == queries.ROOM else NO_ID, page_cap=draw(u32s),
                retention=draw(st.integers(0, 2)),
            )
        )  # fmt: skip
    return live.Live(kind="bindings", lineage=draw(ids), sequence=draw(u64s), rows=tuple(rows_))


@st.composite
def askings(draw: st.DrawFn) -> live.Live:
    """Queries of slots, with vectors or as texts."""
    kind: Any = draw(st.sampled_from(("queries", "texts")))
    rows_ = []
    for slot in draw(st.lists(st.integers(0, 99), min_size=1, max_size=2, unique=True)):
        asked = draw(query())
        if kind == "texts":
            empty = bytes(32)
            asked = msgspec.structs.replace(asked, vector=b"", model=empty, processor=empty)
        rows_.append(
            live.Asking(slot=slot, working=draw(st.booleans()), conversation=draw(ids),
                        ordinal=draw(u64s), query=asked)
        )  # fmt: skip
    return live.Live(kind=kind, lineage=draw(ids), sequence=draw(u64s), rows=tuple(rows_))


def _image(data: Any) -> Image:
    found = images.read(data, "image")
    kept = tuple(Stored(row, bytes(payload)) for row, payload in found.objects)
    return Image(
        tail=found.tail, lineage=found.lineage, sequence=found.sequence, tick=found.tick,
        objects=kept,
    )  # fmt: skip


class Format(NamedTuple):
    """One format."""

    values: st.SearchStrategy[Any]
    write: Callable[[Any], bytes]
    read: Callable[[Any], Any]


FORMATS: dict[str, Format] = {
    "plain": Format(plain, texts.write, lambda data: texts.read(data, "text")),
    "bound": Format(bound, texts.write, lambda data: texts.read(data, "text")),
    "span": Format(span, texts.write, lambda data: texts.read(data, "text")),
    "review": Format(review, texts.write, lambda data: texts.read(data, "text")),
    "vector 1": Format(of_digest, vectors.write, lambda data: vectors.read(data, "vector")),
    "vector 2": Format(of_event, vectors.write, lambda data: vectors.read(data, "vector")),
    "appraisal": Format(appraisal, appraisals.write, lambda data: appraisals.read(data, "a")),
    "relationship": Format(
        relationship, appraisals.write_relationship,
        lambda data: appraisals.read_relationship(data, "r"),
    ),
    "queue": Format(
        queued, appraisals.write_queued, lambda data: appraisals.read_queued(data, "q")
    ),
    "configuration": Format(
        configuration, appraisals.write_configuration,
        lambda data: appraisals.read_configuration(data, "c"),
    ),
    "selection": Format(members, selections.write, lambda data: selections.read(data, "s")),
    "selection on the wire": Format(
        members, lambda some: selections.write(some, wire=True),
        lambda data: selections.read(data, "s", wire=True),
    ),
    "question": Format(
        question, selections.write_question, lambda data: selections.read_question(data, 8, "q")
    ),
    "row": Format(rows(), objects.write, lambda data: objects.read(data, "row")),
    "image": Format(image(), images.write, _image),
    "query": Format(query(), queries.write, queries.read),
    "bindings": Format(bindings(), live.write, lambda data: live.read(data, "live")),
    "live queries": Format(askings(), live.write, lambda data: live.read(data, "live")),
}  # fmt: skip
