"""Each rule of docs/format.md, broken by a commit whose every hash is right."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from muniment import Checkpoint, Memory, Show, StateGet, StateSetTo, errors
from muniment.model.integrity import Depth, Verified
from tests.golden import outsider
from tests.requirements.marker import requirement
from tests.store import forged
from tests.store.files import change, headers, only_file

DIGEST = "0" * 64
DEEP = "[" * 3_000 + "]" * 3_000
Event = tuple[dict[str, Any], bytes | None]


class File:
    """A scope with something of every kind, and what its events are called."""

    def __init__(self, directory: Path) -> None:
        with Memory.open(directory) as memory:
            first = memory.observe("Apples are red.", role="user", session="s").id
            memory.observe("Pears are green.", role="assistant")
            old = memory.remember("Grapes are blue.", key="g", kind="fact", sources=(first,)).id
            memory.remember("Grapes are green.", key="g", kind="fact")
            memory.remember("Plums are late.", command_key="c")
            memory.run(StateSetTo(key="lamp", value="on"))
            memory.recall("apples", record=True)
            gone = memory.observe("Medlars rot.", role="user").id
            memory.erase(event=gone, confirm=memory.erase(event=gone).token)
            memory.recall("pears", record=True)
        self.path = only_file(directory)
        self.first, self.second, self.gone = forged.ids(self.path, "MessageObserved")
        self.old, self.now, self.plain = forged.ids(self.path, "RecordWritten")
        self.receipt, self.later = forged.ids(self.path, "RecallRecorded")
        (self.value,) = forged.ids(self.path, "StateSet")
        assert old == self.old

    def tag(self, kind: str, text: str) -> str:
        """The tag of a text."""
        return forged.tag(self.path, kind, text)

    def verify(self, depth: Depth = "content") -> Verified:
        """What a check says."""
        with Memory.open(self.path) as memory:
            return memory.verify(depth=depth)


@pytest.fixture
def file(tmp_path: Path) -> File:
    """As it was written."""
    return File(tmp_path / "memory")


def said(more: dict[str, Any] | None = None, **content: Any) -> Event:
    """A message."""
    shape = {"event": "MessageObserved", "role": "user", **(more or {})}
    return shape, forged.encoded({"text": "a", **content})


def kept(more: dict[str, Any] | None = None, **content: Any) -> Event:
    """A record."""
    shape = {"event": "RecordWritten", "kind": "note", "owner": "scope", "status": "active"}
    return shape | (more or {}), forged.encoded({"text": "a", **content})


def keyed(file: File, key: str, **more: Any) -> Event:
    """A fact with a key."""
    return kept({"key_tag": file.tag("key", key), "kind": "fact", **more}, key=key)


def put(file: File, value: str) -> Event:
    """A state value."""
    shape = {"event": "StateSet", "key_tag": file.tag("state", "lamp"), "supersedes": file.value}
    content = json.dumps({"key": "lamp", "value": value}, ensure_ascii=False, separators=(",", ":"))
    return shape, content.encode()


def answered(file: File, key: str = "new", request: str = DIGEST, **more: Any) -> Event:
    """The answer of a command."""
    shape = {"event": "CommandAnswered", "command_tag": file.tag("command", key), **more}
    return shape, forged.encoded({"request": request})


def recalled(
    file: File, seq: int | None = None, content: dict[str, Any] | None = None, **more: Any
) -> Event:
    """A receipt that saw the memory at a seq."""
    heads = {each["events"][-1]["seq"]: each["hash"] for each in headers(file.path)[1:]}
    seq = max(heads) if seq is None else seq
    shape = {
        "event": "RecallRecorded", "policy": "balanced", "memory_head": heads[seq],
        "memory_seq": seq, "at_ms": 1_767_225_600_000, "bytes_max": 10, "items_max": 2,
        "bytes": 1, "program": "1", "engine": "3",
        "found": [{"retriever": "lexical", "hits": [[file.first, 1_000_000, -1]]}], **more,
    }  # fmt: skip
    return shape, forged.encoded({"pack_digest": DIGEST, "query": "q", **(content or {})})


def asserted(kind: str, **more: Any) -> dict[str, Any]:
    """What a shape of a kind of record says besides."""
    return {"kind": kind, **more}


RIGHT: dict[str, Callable[[File], Sequence[Event]]] = {
    "a message": lambda _: [said(tags=["a", "b"], metadata='{"b": 1.50, "a": [1e+22]}')],
    "a message with a tag": lambda _: [said({"external_tag": "0" * 32}, external_id="x")],
    "a record": lambda _: [kept(metadata='{"b": 1, "a": "\\u00e9"}')],
    "the next version": lambda f: [keyed(f, "g", supersedes=f.now)],
    "two versions at once": lambda f: [
        keyed(f, "g", supersedes=f.now), keyed(f, "g", supersedes="EARLIER"),
    ],
    "a key for what had none": lambda f: [keyed(f, "p", supersedes=f.plain)],
    "a first version": lambda f: [keyed(f, "new")],
    "an appraisal": lambda f: [
        kept(asserted("appraisal", assesses=f.first, sources=[{"id": f.first}], harm_ppm=5))
    ],
    "a requirement": lambda _: [kept(asserted("requirement", priority=5), task="t")],
    "what one reader sees": lambda _: [kept({"visibility": "private"}, reader="Ann")],
    "what a room sees": lambda _: [kept({"visibility": "room"}, room="hall")],
    "a time": lambda _: [kept({"valid_from_ms": 1, "valid_to_ms": 2})],
    "a record made of a recall": lambda f: [kept({"receipt": f.receipt})],
    **{
        f"a value {value}": lambda f, value=value: [put(f, value)]
        for value in ('{"a":1.5,"b":[]}', "1e+22", '"\u00e9"', "[-0.0]", "null", '"\\u001f"')
    },
    "an answer": lambda f: [kept(), put(f, "1"), answered(f)],
    "an answer of what stood": lambda f: [
        kept(), put(f, "1"), answered(f, known=[[0, f.plain], [2, f.now]]),
    ],
    "an answer that wrote nothing": lambda f: [answered(f, known=[[0, f.plain]])],
}  # fmt: skip

WRONG: dict[str, Callable[[File], Sequence[Event]]] = {
    **{
        f"a value {value[:20]!r}": lambda f, value=value: [put(f, value)]
        for value in (
            "", "{", "NaN", "Infinity", "1e999", "1.50", "1e22", "-0", '{"b":1,"a":2}', "[1, 2]",
            '{"a":1,"a":1}', '"\\u00e9"', '"\\u0000"', '"\\ud800"', "9007199254740993", DEEP,
            '"' + "a" * 70_000 + '"',
        )
    },
    **{
        f"metadata of a message {text[:20]!r}": (
            lambda _, text=text: [said(metadata=text)]
        )
        for text in ("", "x", "[1]", "null", '{"a":1,"a":2}', '{"a":NaN}', '{"a":1e999}', DEEP,
                     '{"a":' + DEEP + "}")
    },
    **{
        f"metadata of a record {text[:20]!r}": (
            lambda _, text=text: [kept(metadata=text)]
        )
        for text in ("", "x", "[1]", '{"a":1,"a":2}', '{"a":NaN}', '{"a":"\\u0000"}', DEEP)
    },
    "a tag twice": lambda _: [said(tags=["a", "a"])],
    "an empty tag": lambda _: [said(tags=["", "a"])],
    "an empty message": lambda _: [said(text="")],
    "an empty name": lambda _: [said(actor="")],
    "an empty caption": lambda _: [said(caption="")],
    "a message longer than any": lambda _: [said(text="a" * 1_048_577)],
    "an external id without its tag": lambda _: [said(external_id="x")],
    "a record longer than any": lambda _: [kept(text="a" * 8_193)],
    "a key longer than any": lambda f: [keyed(f, "k" * 129)],
    "more sources than any": lambda f: [kept({"sources": [{"id": f.first}] * 33})],
    "an empty record": lambda _: [kept(text="")],
    "private for nobody": lambda _: [kept({"visibility": "private"})],
    "a reader of what all see": lambda _: [kept(reader="Ann")],
    "a room without a name": lambda _: [kept({"visibility": "room"})],
    "a room of what all see": lambda _: [kept(room="hall")],
    "a summary for a task": lambda f: [
        kept(asserted("summary", sources=[{"id": f.first}]), task="t")
    ],
    "a requirement for no task": lambda _: [kept(asserted("requirement"))],
    "a summary of nothing": lambda _: [kept(asserted("summary"))],
    "a status of another kind": lambda _: [kept({"status": "closed"})],
    "a proposal of the user's": lambda _: [
        kept(asserted("proposal", status="proposed", owner="user"))
    ],
    "a source twice": lambda f: [kept({"sources": [{"id": f.first}, {"id": f.first}]})],
    "an empty span": lambda f: [kept({"sources": [{"id": f.first, "span": [1, 1]}]})],
    "a note that covers": lambda f: [kept({"sources": [{"id": f.first}], "covers": [f.first]})],
    "covered twice": lambda f: [
        kept(asserted("summary", sources=[{"id": f.first}], covers=[f.first, f.first]))
    ],
    "an end before its beginning": lambda _: [kept({"valid_from_ms": 2, "valid_to_ms": 1})],
    "an end at its beginning": lambda _: [kept({"valid_from_ms": 2, "valid_to_ms": 2})],
    "an appraisal of nothing": lambda _: [kept(asserted("appraisal"))],
    "a note that assesses": lambda f: [
        kept({"assesses": f.first, "sources": [{"id": f.first}]})
    ],
    "the benefit of a note": lambda _: [kept({"benefit_ppm": 1})],
    "the priority of a note": lambda _: [kept({"priority": 1})],
    "a priority below none": lambda _: [kept(asserted("requirement", priority=-1), task="t")],
    "a second first version": lambda f: [keyed(f, "g")],
    "a version that was superseded": lambda f: [keyed(f, "g", supersedes=f.old)],
    "a version of another key": lambda f: [keyed(f, "p", supersedes=f.now)],
    "a version with a key for one without": lambda f: [kept({"supersedes": f.now})],
    "superseded twice": lambda f: [
        kept({"supersedes": f.plain}), kept({"supersedes": f.plain}),
    ],
    "superseded twice at once": lambda f: [
        keyed(f, "g", supersedes=f.now), keyed(f, "g", supersedes=f.now),
    ],
    "an answer that is not the last": lambda f: [kept(), answered(f), kept()],
    "an answer before all else": lambda f: [answered(f), kept()],
    "two answers": lambda f: [kept(), answered(f), answered(f, "more")],
    "an answer of nothing": lambda f: [answered(f)],
    "an answer behind a message": lambda f: [said(), answered(f)],
    "an answer behind a deletion": lambda f: [
        ({"event": "StateDeleted", "key_tag": f.tag("state", "lamp"), "supersedes": f.value}, None),
        answered(f),
    ],
    "a place twice": lambda f: [kept(), answered(f, known=[[1, f.now], [1, f.plain]])],
    "a place beyond all": lambda f: [kept(), answered(f, known=[[2, f.now]])],
    "places out of order": lambda f: [kept(), answered(f, known=[[2, f.now], [1, f.plain]])],
    "a state value before a record": lambda f: [kept(), answered(f, known=[[0, f.value]])],
    "a short digest of a command": lambda f: [kept(), answered(f, request="00")],
    "an erasure of nothing": lambda _: [({"event": "ContentErased"}, None)],
    "an erasure of one thing twice": lambda f: [
        ({"event": "ContentErased", "targets": [f.gone, f.gone]}, None)
    ],
    "an erasure of both kinds": lambda f: [
        ({"event": "ContentErased", "targets": [f.gone], "through": 0}, None)
    ],
    "an erasure beside something": lambda f: [
        said(), ({"event": "ContentErased", "targets": [f.gone]}, None),
    ],
}  # fmt: skip

RECEIPTS: dict[str, Callable[[File], Event]] = {
    "shown twice": lambda f: recalled(f, chosen=[f.first, f.first]),
    "shown and not found": lambda f: recalled(f, chosen=[f.second]),
    "required and not found": lambda f: recalled(f, required=[f.second]),
    "shown before it was there": lambda f: recalled(
        f, 1, found=[{"retriever": "lexical", "hits": [[f.second, 1, -1]]}]
    ),
    "left out before it was there": lambda f: recalled(f, 1, left_out=[[f.second, "x", 5]]),
    "up to what was not there yet": lambda f: recalled(f, 1, to_seq=2),
    "a short digest of the pack": lambda f: recalled(f, content={"pack_digest": "00"}),
    **{
        f"filters {text[:20]!r}": (lambda f, text=text: recalled(f, content={"filters": text}))
        for text in ("", "{", "[]", "{}", '{ "thread":"a"}', '{"a":1,"a":1}', '{"a":NaN}', DEEP)
    },
    "an erasure of no receipt": lambda _: ({"event": "ReceiptErased"}, None),
}


@requirement("ledger:verify:every-rule", "ledger:verify:clean")
@pytest.mark.parametrize("name", RIGHT)
def test_what_the_format_allows_is_sound(file: File, name: str) -> None:
    """The cases below are found for what is wrong with them, and not for being made by hand."""
    forged.append_all(file.path, RIGHT[name](file))

    assert file.verify().faults == ()


@requirement("ledger:verify:every-rule", "ledger:verify:by-hand")
@pytest.mark.parametrize("name", WRONG)
def test_an_event_that_breaks_a_rule_is_found(file: File, name: str) -> None:
    """At both depths that read it; and nothing is rebuilt from such a ledger."""
    events = WRONG[name](file)
    last = forged.append_all(file.path, events)

    for depth in ("content", "full"):
        found = {(each.chain, each.seq) for each in file.verify(depth).faults}
        assert found & {("m", last - at) for at in range(len(events))}, depth
    file.verify("chain")


@requirement("ledger:verify:every-rule")
@pytest.mark.parametrize("name", [name for name in WRONG if "superseded" in name or "version" in name
                                  or "erasure beside" in name or "two answers" in name])  # fmt: skip
def test_whoever_has_only_the_page_finds_it_too(file: File, name: str) -> None:
    """What a commit and its records may be stands on the page."""
    before = outsider.faults(file.path)

    forged.append_all(file.path, WRONG[name](file))

    assert before == []
    assert outsider.faults(file.path)


@requirement("ledger:verify:every-rule", "receipts:verify:budget")
@pytest.mark.parametrize("name", RECEIPTS)
def test_a_receipt_that_breaks_a_rule_is_found(file: File, name: str) -> None:
    """One that breaks none is sound."""
    forged.append_all(file.path, [recalled(file, chosen=[file.first])], chain="j")
    filtered = recalled(file, 1, {"filters": '{"thread":"a"}'}, to_seq=1)
    forged.append_all(file.path, [filtered], chain="j")
    before = file.verify().faults

    seq = forged.append_all(file.path, [RECEIPTS[name](file)], chain="j")

    assert before == ()
    assert ("j", seq) in {(each.chain, each.seq) for each in file.verify().faults}


@requirement("ledger:verify:every-rule")
def test_nothing_knows_what_came_after_the_other_head_that_it_names(file: File) -> None:
    """A receipt that saw a later memory, and a record made of a later recall."""
    journal = headers(file.path, "j")

    def early(whole: dict[str, Any]) -> None:
        whole["other"] = journal[-1]["other"]

    with Memory.open(file.path) as opened:
        opened.observe("Quinces are hard.", role="user")
    receipt = forged.append_all(file.path, [recalled(file)], chain="j", header=early)
    path = File(file.path.parent.parent / "another")
    other = headers(path.path, "j")[1]["hash"]
    while headers(path.path)[-1]["other"] != other:  # of the time between the two recalls
        change(path.path, "DELETE FROM commits WHERE chain = 'm' AND seq ="
                          " (SELECT max(seq) FROM commits WHERE chain = 'm')")  # fmt: skip
    record = forged.append_all(
        path.path, [kept({"receipt": path.later})], header=lambda whole: whole.update(other=other)
    )

    assert ("receipt_differs", receipt) in [(each.code, each.seq) for each in file.verify().faults]
    found = [(each.code, each.seq) for each in path.verify().faults]
    assert ("reference_unknown", record) in found


@requirement("ledger:verify:every-rule")
def test_a_version_whose_words_are_erased_may_be_followed_by_any(file: File) -> None:
    """Nothing says any more which key it has; the program writes such a file itself."""
    with Memory.open(file.path) as memory:
        memory.erase(record=file.now, confirm=memory.erase(record=file.now).token)
        memory.remember("Without a key.", supersedes=file.now)
        memory.remember("With it again.", key="g", kind="fact")

    assert file.verify("full").faults == ()


@requirement("ledger:verify:every-rule", "ledger:verify:new")
def test_behind_a_checkpoint_versions_are_checked_as_far_as_they_are_read(
    file: File, tmp_path: Path
) -> None:
    """A version of what came before is taken for right, and one of what came since is checked."""
    note = str(tmp_path / "note")
    with Memory.open(file.path) as memory:
        memory.run(Checkpoint(out=note))
        memory.remember("Grapes are red.", key="g", kind="fact")
        right = memory.verify(depth="content", checkpoint=note, new=True).faults
    seq = forged.append_all(file.path, [keyed(file, "g", supersedes=file.old)])

    with Memory.open(file.path) as memory:
        found = memory.verify(depth="content", checkpoint=note, new=True).faults

    assert right == ()
    assert [(each.code, each.seq) for each in found] == [("supersedes_differs", seq)]


def stored_deflated(file: File) -> int:
    """A short header stored deflated."""
    return forged.append_all(file.path, [said()], said=forged.deflated)


def stored_plainly(file: File) -> int:
    """A long header stored as it is."""
    return forged.append_all(file.path, [said()] * 40, said=lambda whole: whole)


def of_format_two(file: File) -> int:
    """A header of format 2 that needs only the first."""
    return forged.append_all(file.path, [said()], header=lambda whole: whole.update(format=2))


@requirement("ledger:verify:every-rule")
@pytest.mark.parametrize("depth", ["chain", "content", "full"])
@pytest.mark.parametrize("forge", [stored_deflated, stored_plainly, of_format_two])
def test_a_header_that_breaks_a_rule_is_found_at_every_depth(
    file: File, forge: Callable[[File], int], depth: Depth
) -> None:
    """The header alone tells; one that is long and deflated is sound."""
    forged.append_all(file.path, [said()] * 40)
    before = file.verify("content").faults

    seq = forge(file)

    assert before == ()
    assert ("m", seq) in {(each.chain, each.seq) for each in file.verify(depth).faults}


@requirement("ledger:verify:every-rule")
def test_a_salt_of_another_length_is_found(file: File) -> None:
    """It is what keeps the digest of an erased content from telling anything."""
    seq = forged.append_all(file.path, [said()], salt=b"S")

    assert ("content_differs", seq) in [(each.code, each.seq) for each in file.verify().faults]


@requirement("ledger:state:unreadable")
@pytest.mark.parametrize("value", ["{", "NaN", "1e999", '{"a":1,"a":1}', DEEP, ""])
def test_a_state_value_that_is_no_json_is_an_error_of_ours(file: File, value: str) -> None:
    """Whatever asks for it; all else is answered."""
    content = forged.encoded({"key": "lamp", "value": value})
    change(file.path, "UPDATE content SET bytes = ? WHERE place ="
                      " (SELECT seq FROM state)", (content,))  # fmt: skip

    assert not file.verify().ok
    with Memory.open(file.path) as memory:
        with pytest.raises(errors.BrokenLedger):
            memory.state()
        with pytest.raises(errors.BrokenLedger):
            memory.run(StateGet(key="lamp"))
        assert memory.recall("lamp").text is not None
        assert memory.run(Show(id=file.value)).items
