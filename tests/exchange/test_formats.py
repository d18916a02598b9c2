"""Every format: what is written reads back, and no byte is read that means nothing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import BadExchange, MunimentError
from muniment.exchange import container, images, queries
from muniment.exchange.store import opened
from tests.exchange.formats import FORMATS
from tests.exchange.things import Making, envelope
from tests.exchange.things import query as asked
from tests.requirements.marker import requirement

each = pytest.mark.parametrize("name", FORMATS)
FLIPS = (1, 2, 4, 8, 16, 32, 64, 128)


@requirement("exchange:formats:round-trip")
@each
@given(data=st.data())
def test_what_is_written_reads_back(name: str, data: st.DataObject) -> None:
    """The value, and then the very same bytes."""
    form = FORMATS[name]
    value = data.draw(form.values)

    written = form.write(value)

    assert form.read(written) == value
    assert form.write(form.read(written)) == written


@requirement("exchange:formats:strict")
@each
@given(data=st.data())
def test_a_changed_byte_is_refused_or_means_what_it_says(name: str, data: st.DataObject) -> None:
    """Each byte in turn: what is still accepted is written again as exactly that."""
    form = FORMATS[name]
    written = form.write(data.draw(form.values))
    bit = data.draw(st.sampled_from(FLIPS))
    places = range(len(written))
    if len(written) > 1_000:
        places = range(data.draw(st.integers(0, 40)), len(written), 41)

    for place in places:
        changed = bytearray(written)
        changed[place] ^= bit
        try:
            value = form.read(bytes(changed))
        except MunimentError:
            continue
        assert form.write(value) == bytes(changed), place


@requirement("exchange:formats:any-bytes")
@each
@given(data=st.data())
def test_any_bytes_are_read_or_refused(name: str, data: st.DataObject) -> None:
    """Noise, and noise behind a beginning that is right: never anything but a typed error."""
    form = FORMATS[name]
    written = form.write(data.draw(form.values))
    kept = data.draw(st.integers(0, len(written)))
    noise = data.draw(st.binary(max_size=300))
    fixed = data.draw(st.booleans())

    for found in (noise, (written[:kept] + noise)[: len(written)] if fixed else written[:kept]):
        try:
            form.read(found)
        except MunimentError as error:
            assert error.at is not None


@requirement("exchange:formats:any-bytes")
@given(noise=st.binary(max_size=20_000))
def test_any_bytes_are_no_container_and_no_batch(noise: bytes) -> None:
    """The outermost formats too."""
    for read in (container.read, queries.read_envelope, opened):
        with pytest.raises(MunimentError):
            read(noise)


@requirement("exchange:formats:strict")
def test_every_byte_of_a_query_file_counts() -> None:
    """Each of its bytes, one bit at a time: refused, or another file that says so."""
    made = Making()
    made.memory(1, "The fern is dry.", 1.0, 0.0)
    written = envelope(made.store(), asked("Which one?", revision=4, task=b"t" * 16))

    for place in range(len(written)):
        changed = bytearray(written)
        changed[place] ^= FLIPS[place % 8]
        try:
            found = queries.read_envelope(bytes(changed))
            rows = tuple(queries.write(queries.read(row)) for row in found.rows)
        except BadExchange:
            continue
        again = queries.write_envelope(
            queries.Envelope(lineage=found.lineage, cut=found.cut, rows=rows)
        )
        assert again == bytes(changed), place


@requirement("exchange:formats:strict")
def test_every_byte_of_an_image_counts() -> None:
    """Each bit of the image of a small store."""
    made = Making()
    event = made.event(1, "The fern is dry.", subject=b"s" * 16)
    made.memory(2, "Water it.", 1.0, 0.5, source=event)
    made.appraise(3, event, harm=5)
    written = images.write(made.image())

    for place in range(len(written) * 8):
        changed = bytearray(written)
        changed[place // 8] ^= 1 << place % 8
        try:
            found: Any = images.read(bytes(changed), "image")
        except MunimentError:
            continue
        assert images.write(found) == bytes(changed), place


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (b"A tab\tand\nlines.", True),
        ("Grüße, 山, \u2028.".encode(), True),
        (b"nul \x00", False),
        (b"return \r", False),
        (b"escape \x1b", False),
        (b"delete \x7f", False),
        ("next line \x85".encode(), False),
        (b"overlong \xc0\xaf", False),
        (b"surrogate \xed\xa0\x80", False),
        (b"too high \xf4\x90\x80\x80", False),
        (b"cut off \xe2\x82", False),
    ],
)
def test_a_text_is_strict(text: bytes, right: bool) -> None:
    """UTF-8 in its shortest form, without control characters but TAB and LF."""
    payload = b"AOTXMEM1" + (1).to_bytes(4, "little") + len(text).to_bytes(4, "little")
    payload += bytes(16) + text
    form = FORMATS["plain"]

    if right:
        assert form.read(payload).text.encode() == text
    else:
        with pytest.raises(BadExchange) as refused:
            form.read(payload)
        assert refused.value.status == 1
