"""What of a thing is given to an embedder: who said it when, and each passage of a long text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from muniment.model import passage
from muniment.model.day import MONTHS
from muniment.model.moment import Moment
from muniment.model.pack import Item
from muniment.projections import vector


def texts(items: Sequence[Item]) -> list[tuple[int, int, str]]:
    """Seq, part and text of everything that gets a vector, in order."""
    return [(item.seq, part, lead(item) + text) for item in items for part, text in _parts(item)]


def lead(item: Item) -> str:
    """The words before a text: the speaker and the day, where it is known, or the key.

    A model that answers questions finds a turn with its speaker and date nearly twice as often as
    the bare one.
    """
    if item.kind != "event":
        return f"{item.key}: " if item.key else ""
    said = "" if item.at is None else f" ({day(item.at)})"
    return f"{item.actor or item.role}{said}: "


def day(at: str) -> str:
    """A time as people say a day: `8 May 2023`."""
    return f"{int(at[8:10])} {MONTHS[int(at[5:7]) - 1].title()} {at[:4]}"


def _parts(item: Item) -> Iterator[tuple[int, str]]:
    spans = passage.spans(item.text)
    for part, (start, end) in enumerate(spans):
        yield part, item.text[start:end]
    if not spans:
        shown = f" [{item.caption}]" if item.caption else ""
        yield vector.WHOLE, item.text + shown


NOW = Moment(at_ms=0)  # any: nothing that is asked for depends on it
