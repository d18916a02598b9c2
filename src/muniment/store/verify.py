"""The check of the chains: every header is what was hashed, and follows the one before.

Shares nothing with append but `canonical.digest`.  Faults are yielded as they are found, each
with its code and its place; the ledger is never repaired from a projection.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from muniment import limits
from muniment.model import canonical
from muniment.model.event import Header
from muniment.model.event_kinds import BY_NAME
from muniment.model.integrity import Fault
from muniment.store import contents, sound
from muniment.store.checked import OTHER, Chain, Checked, kept_going
from muniment.store.tx import ScopeRow

_HEADER_FIELDS = frozenset(
    ("format", "scope", "chain", "height", "parent", "other", "recorded_ms", "events", "genesis")
)


_SCOPE_ID = re.compile(r"[0-9a-f]{32}\Z")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
SECRET_BYTES = 32
_FORMATS = (1, 2)
_json = msgspec.json.Decoder()
_sorted = msgspec.json.Encoder(order="sorted")


def faults(checked: Checked) -> Iterator[Fault]:
    """Everything that is not as it was written, at depth chain or content."""
    yield from kept_going("commits", _chains(checked))
    if checked.since is None:
        yield from kept_going("scope", _scope(checked))
    # Where a chain breaks off, nothing can be said of what may belong to the rest of it.
    if checked.content and all(chain.whole for chain in checked.chains.values()):
        yield from kept_going("commits", contents.unmet(checked))
        yield from kept_going("content", contents.holes(checked))
        yield from kept_going("content", contents.stray(checked))


def _chains(checked: Checked) -> Iterator[Fault]:
    if checked.since is None:
        yield from kept_going("commits", _stray(checked))
    else:
        for chain in checked.chains.values():
            _note_time(checked, chain)
            if chain.head is not None:
                chain.heads[chain.head] = chain.height
    # The memory chain is followed first, and names heads of the journal.
    _note_heads(checked, checked.chains["j"])
    for name in ("m", "j"):
        yield from kept_going("commits", _followed(checked, checked.chains[name]))


def _stray(checked: Checked) -> Iterator[Fault]:
    for scope, name, seq in checked.read.each(
        "SELECT scope, chain, seq FROM commits"
        " WHERE scope IS NOT ? OR chain IS NULL OR chain NOT IN ('m', 'j')"
        " OR typeof(seq) <> 'integer' OR seq < 0 ORDER BY scope, chain, seq",
        (checked.read.scope.number,),
    ):
        place: dict[str, Any] = {"chain": name if isinstance(name, str) else None, "seq": _int(seq)}
        yield Fault(code="commit_stray", table="commits", detail=f"scope {scope}", **place)


def _note_time(checked: Checked, chain: Chain) -> None:
    """Recorded times go on from that of the commit which the check begins behind."""
    stored = checked.read.value(
        "SELECT header FROM commits WHERE scope = ? AND chain = ? AND seq = ?",
        (checked.read.scope.number, chain.name, chain.first),
    )
    plain = contents.inflated(stored) if isinstance(stored, bytes) else None
    header = None if plain is None else _decoded(plain)
    if header is not None and isinstance(header.get("recorded_ms"), int):
        chain.recorded_ms = header["recorded_ms"]


def _note_heads(checked: Checked, chain: Chain) -> None:
    chain.heads |= {
        named.hex(): height
        for named, height in checked.read.each(
            "SELECT hash, height FROM commits"
            " WHERE scope = ? AND chain = ? AND seq > ? ORDER BY seq",
            (checked.read.scope.number, chain.name, _behind(chain)),
        )
        if isinstance(named, bytes) and isinstance(height, int)
    }


def _followed(checked: Checked, chain: Chain) -> Iterator[Fault]:
    plainly_right = sound.whole if checked.content else sound.links
    for row in checked.read.each(
        "SELECT seq, height, hash, header FROM commits"
        " WHERE scope = ? AND chain = ? AND seq > ? ORDER BY seq",
        (checked.read.scope.number, chain.name, _behind(chain)),
    ):
        if not plainly_right(checked, chain, row):
            yield from _looked_into(checked, chain, row)
    if chain.height < 0:
        yield Fault(code="chain_missing", chain=chain.name, table="commits")
    chain.whole = True


def _looked_into(checked: Checked, chain: Chain, row: sound.Row) -> Iterator[Fault]:
    """Everything that is wrong with a commit that is not plainly right; it has been passed then."""
    seq, height, named, stored = row
    place: dict[str, Any] = {
        "chain": chain.name, "height": _int(height), "seq": _int(seq), "table": "commits"
    }  # fmt: skip
    if not _right_types(seq, height, named, stored):
        yield Fault(code="header_unreadable", detail="the types of its row", **place)
        checked.lose()
        return
    chain.heads[named.hex()] = height
    plain = contents.inflated(stored)
    header = None if plain is None else _decoded(plain)
    if plain is not None and canonical.digest(canonical.COMMIT_DOMAIN, plain) != named:
        yield Fault(code="hash_differs", **place)
        _pass_over(checked, chain, named, height, seq)
    elif plain is None or header is None:
        yield Fault(code="header_unreadable", **place)
        _pass_over(checked, chain, named, height, seq)
    else:
        if not contents.rightly_stored(stored, plain):
            detail = "a long header is stored deflated, and no other one"
            yield Fault(code="header_malformed", detail=detail, **place)
        typed = sound.typed(plain, content=checked.content)
        found = list(_long_way(checked, chain, plain, header, (seq, height, named), typed))
        yield from found or _unusual(typed, plain, checked, place)


def _long_way(
    checked: Checked, chain: Chain, plain: bytes, header: dict[str, Any],
    row: tuple[int, int, bytes], typed: Any,
) -> Iterator[Fault]:  # fmt: skip
    """The same of a commit whose hash is right."""
    seq, height, named = row
    place: dict[str, Any] = {"chain": chain.name, "height": height, "seq": seq, "table": "commits"}
    try:
        for code, detail in _links(checked, chain, plain, header, height, seq):
            yield Fault(code=code, detail=detail, **place)
        if checked.content:
            shapes = typed.events if isinstance(typed, Header) else None
            yield from contents.of_commit(checked, chain, header, height, shapes)
        _step(checked, chain, header, named, height)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError,
            ValueError) as error:  # fmt: skip
        # The hash is right and the words are not: somebody wrote this commit by hand.
        yield Fault(code="header_malformed", detail=repr(error), **place)
        _pass_over(checked, chain, named, height, seq)


def _unusual(typed: Any, plain: bytes, checked: Checked, place: dict[str, Any]) -> Iterator[Fault]:
    """What its types alone show: a word of another type, or one that should have been left out."""
    if isinstance(typed, str):
        yield Fault(code="header_malformed", detail=typed, **place)
    elif checked.content and _sorted.encode(typed) != plain:
        yield Fault(code="header_not_canonical", **place)


def _int(value: Any) -> int | None:
    """A number of a row, as far as it is one."""
    return value if isinstance(value, int) else None


def _behind(chain: Chain) -> int:
    """The seq behind which the check begins; the first commit stands at 0."""
    return -1 if chain.height < 0 else chain.first


def _right_types(seq: Any, height: Any, named: Any, stored: Any) -> bool:
    """Whether a row holds what its columns are for: one changed byte can make a text of a blob."""
    return (
        isinstance(seq, int)
        and isinstance(height, int)
        and isinstance(named, bytes)
        and (isinstance(stored, bytes))
    )


def _links(
    checked: Checked, chain: Chain, plain: bytes, header: dict[str, Any], height: int, seq: int
) -> Iterator[tuple[str, str]]:
    """What one header says of its place, held against where it stands."""
    yield from _format(header)
    if header.get("scope") != checked.read.scope.id or header.get("chain") != chain.name:
        yield "scope_differs", ""
    if header.get("height") != height or height != chain.height + 1:
        yield "height_differs", f"expected {chain.height + 1}"
    if header.get("parent") != chain.head:
        yield "parent_differs", ""
    recorded = header.get("recorded_ms")
    if not isinstance(recorded, int) or recorded > limits.TIME_MS_MAX:
        yield "time_differs", ""
    elif recorded < chain.recorded_ms:
        yield "time_runs_back", ""
    yield from _other(checked, chain, header)
    if checked.content and (_sorted.encode(header) != plain or not header.keys() <= _HEADER_FIELDS):
        yield "header_not_canonical", ""
    events = header["events"]
    seqs = [shape.get("seq") for shape in events]
    wanted = list(range(chain.seq + 1, chain.seq + 1 + len(seqs)))
    if seqs != wanted or seq != chain.seq + len(seqs):
        yield "seq_differs", f"expected {chain.seq + 1} and on"
    first = isinstance(header.get("genesis"), dict)
    if (height == 0) != first or ("genesis" in header) != first or (height == 0) != (not events):
        yield "genesis_differs", ""
    if height == 0 and chain.name == "m":
        checked.genesis, checked.born = header.get("genesis"), header.get("scope")
    elif height == 0 and header.get("genesis") != checked.genesis:
        yield "genesis_differs", "the other chain's is another"


def _format(header: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The first that has every event of a header, and no other."""
    said = header.get("format")
    kinds = [BY_NAME.get(str(shape.get("event"))) for shape in header["events"]]
    needed = max((kind.format for kind in kinds if kind is not None), default=1)
    if said not in _FORMATS:
        yield "format_unknown", repr(said)
    elif said != needed:
        yield "format_differs", f"its events need {needed}"


def _other(checked: Checked, chain: Chain, header: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Both chains moved together: what a header names of the other chain never runs back."""
    named = header.get("other")
    if named is None:
        if not (chain.name == "m" and chain.height < 0):
            yield "other_differs", "missing"
        return
    height = checked.chains[OTHER[chain.name]].heads.get(named)
    if height is None:
        yield "other_differs", "no such commit"
    elif height < chain.other_height:
        yield "other_differs", "runs back"
    else:
        chain.other_height = height


def _scope(checked: Checked) -> Iterator[Fault]:
    scope, genesis = checked.read.scope, checked.genesis
    for column in scope.wrong:
        yield Fault(code="scope_differs", table="scope", detail=f"the type of its {column}")
    for column in sorted({*_unlike(scope)} - {*scope.wrong}):
        yield Fault(code="scope_differs", table="scope", detail=f"no {column} is like that")
    if not isinstance(genesis, dict):
        return
    if checked.born != scope.id:
        yield Fault(code="scope_differs", table="scope", detail="id")
    secret = canonical.digest(canonical.SECRET_DOMAIN, scope.secret).hex()
    if genesis.get("secret_digest") != secret:
        yield Fault(code="scope_differs", table="scope", detail="secret")
    elif scope.name is None:
        if checked.content and not checked.through["m"]:
            yield Fault(code="scope_differs", table="scope", detail="name")
    elif genesis.get("name_tag") != checked.tag("scope", scope.name):
        yield Fault(code="scope_differs", table="scope", detail="name")
    if _sorted.encode(genesis.get("limits")).decode() != scope.limits:
        yield Fault(code="scope_differs", table="scope", detail="limits")


def _unlike(scope: ScopeRow) -> Iterator[str]:
    """The columns of the scope's row that hold no such thing as they are for."""
    if scope.number != 1:
        yield "number"
    if not _SCOPE_ID.match(scope.id):
        yield "id"
    if len(scope.secret) != SECRET_BYTES:
        yield "secret"
    if scope.name is not None:
        size = len(scope.name.encode())
        if not 1 <= size <= limits.SCOPE_NAME_BYTES_MAX or _CONTROL.search(scope.name):
            yield "name"


def _pass_over(checked: Checked, chain: Chain, named: bytes, height: int, seq: int) -> None:
    """The chain goes on behind a commit that cannot be read."""
    checked.lose()
    chain.head, chain.height = named.hex(), height
    chain.seq = max(chain.seq, seq)
    if checked.content:
        for _ in range(chain.seq - chain.first - len(chain.letters)):
            chain.marks.append(0)
            chain.letters.append("?")


def _step(
    checked: Checked, chain: Chain, header: dict[str, Any], named: bytes, height: int
) -> None:
    chain.head, chain.height = named.hex(), height
    chain.seq += len(header["events"])
    chain.ends[height] = chain.seq
    if isinstance(header.get("recorded_ms"), int):
        chain.recorded_ms = max(chain.recorded_ms, header["recorded_ms"])
    if checked.content:
        chain.note(shape["id"] for shape in header["events"])


def _decoded(plain: bytes) -> dict[str, Any] | None:
    try:
        header = _json.decode(plain)
    except (msgspec.DecodeError, RecursionError):
        return None
    if not isinstance(header, dict) or not isinstance(header.get("events"), list):
        return None
    return header if all(isinstance(shape, dict) for shape in header["events"]) else None
