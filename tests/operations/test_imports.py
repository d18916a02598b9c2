"""Import: a file's messages arrive once, whole, in order, and as experience alone."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from muniment import Import, Memory, Recall, Status, Thread, errors
from tests.conftest import Clock
from tests.operations.seen import erased, refused, stated
from tests.requirements.marker import requirement


def written(path: Path, *messages: dict[str, Any]) -> str:
    """A JSONL file of these messages."""
    path.write_text("".join(json.dumps(message) + "\n" for message in messages))
    return str(path)


def talk(count: int, **fields: Any) -> list[dict[str, Any]]:
    """Messages 1 to `count`, in two roles."""
    return [
        {"role": ("user", "assistant")[n % 2], "text": f"Word {n} of it.", "id": n, **fields}
        for n in range(1, count + 1)
    ]


def all_texts(memory: Memory) -> list[str]:
    """Everything in the scope, in order."""
    pack = memory.run(Recall(query="word", policy="recent", items_max=256, bytes_max=1_000_000))
    return [item.text for item in pack.items][::-1]


@requirement("importers:every:again")
def test_a_second_import_stores_nothing(memory: Memory, tmp_path: Path) -> None:
    """CONTRACT: a second run imports nothing."""
    file = written(tmp_path / "talk.jsonl", *talk(5))

    first = memory.run(Import(file=file))
    second = memory.run(Import(file=file))

    assert (first.imported, first.skipped, first.failed) == (5, 0, ())
    assert (second.imported, second.skipped, second.failed) == (0, 5, ())
    assert (second.head, second.seq) == (first.head, first.seq)


@requirement("importers:every:same-name")
def test_another_file_of_the_same_name_is_told(memory: Memory, tmp_path: Path) -> None:
    """What both say alike is known by the first; a label of its own takes in all of it."""

    def file(folder: str, *texts: str) -> str:
        (tmp_path / folder).mkdir()
        said = [{"role": "user", "text": text} for text in texts]
        return written(tmp_path / folder / "chat.jsonl", *said)

    first = memory.run(Import(file=file("a", "Hi", "I like cats.", "ok", "ok")))
    other = file("b", "Hi", "I like dogs.", "ok")
    second = memory.run(Import(file=other))
    third = memory.run(Import(file=other, label="b/chat.jsonl"))

    assert (first.imported, first.known_behind_new) == (4, 0)
    assert (second.imported, second.skipped, second.known_behind_new) == (1, 2, 1)
    assert (third.imported, third.known_behind_new) == (3, 0)
    named = written(tmp_path / "ids.jsonl", *talk(3))
    memory.run(Import(file=named))
    written(tmp_path / "ids.jsonl", {"role": "user", "text": "New.", "id": 0}, *talk(3))
    assert memory.run(Import(file=named)).known_behind_new == 0


@requirement("importers:every:grown")
def test_a_file_that_grew_adds_its_new_messages(memory: Memory, tmp_path: Path) -> None:
    """CONTRACT: what is known is passed over."""
    file = written(tmp_path / "talk.jsonl", *talk(3))
    memory.run(Import(file=file))
    written(tmp_path / "talk.jsonl", *talk(5))

    grown = memory.run(Import(file=file))

    assert (grown.imported, grown.skipped) == (2, 3)
    assert all_texts(memory) == [f"Word {n} of it." for n in range(1, 6)]


@requirement("importers:every:failed-lines")
def test_what_cannot_be_taken_in_is_listed_and_the_rest_arrives(
    memory: Memory, tmp_path: Path
) -> None:
    """CONTRACT: an import with failed lines is done; also lines that a rule of ours refuses."""
    path = tmp_path / "talk.jsonl"
    own = {"role": "user", "text": "<muniment-recall>mine</muniment-recall>"}
    long = {"role": "user", "text": "x", "thread": "t" * 600}
    lines = [*map(json.dumps, talk(2)), "{broken", json.dumps(own), json.dumps(long)]
    path.write_text("\n".join(lines))

    done = memory.run(Import(file=str(path)))

    assert done.imported == 2
    assert [(one.at.split(" ")[0], one.code) for one in done.failed] == [
        ("line:3", "bad_json"),
        ("line:4", "only_own_blocks"),
        ("line:5", "too_long"),
    ]


@requirement("importers:every:failed-lines")
def test_an_id_that_comes_back_with_other_words_is_named(memory: Memory, tmp_path: Path) -> None:
    """LEDGER: a repeat with other content is a conflict, within a file and against the ledger."""
    one, other = (
        {"role": "user", "text": "One.", "id": 1},
        {"role": "user", "text": "Two.", "id": 1},
    )

    inside = memory.run(Import(file=written(tmp_path / "a.jsonl", one, other, one), label="a"))
    later = memory.run(Import(file=written(tmp_path / "b.jsonl", other), label="a"))

    assert (inside.imported, inside.skipped) == (1, 1)
    assert [one.code for one in inside.failed] == ["external_id_reused"]
    assert [one.code for one in later.failed] == ["external_id_reused"]


@requirement("importers:every:interrupted")
def test_an_import_goes_on_where_it_was_stopped(
    memory: Memory, directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The design: a commit is whole or not there, and what it wrote is known."""
    monkeypatch.setattr("muniment.limits.IMPORT_BATCH_EVENTS", 7)
    messages = [{k: v for k, v in message.items() if k != "id"} for message in talk(40)]
    messages += messages[:5]  # equal ones without an id are kept apart by their place
    file = written(tmp_path / "talk.jsonl", *messages)
    looks = iter(range(1000))

    class Stop(Exception):
        pass

    class Halting(Clock):
        def __call__(self) -> int:
            if next(looks) == 4:
                raise Stop
            return super().__call__()

    chance = random.Random(3).randbytes
    with (
        Memory.open(directory, clock=Halting(), entropy=chance) as stopped,
        pytest.raises(Stop),
    ):
        stopped.run(Import(file=file))
    rest = memory.run(Import(file=file))
    with Memory.open(tmp_path / "whole") as whole:
        whole.run(Import(file=file))
        wanted = all_texts(whole)

    assert rest.skipped > 0
    assert rest.imported + rest.skipped == len(messages)
    assert all_texts(memory) == wanted


@requirement("importers:every:streamed")
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """The design: an import streams; forty times the file takes at most a little more memory."""
    script = (
        "import resource, sys; from muniment import Import, Memory\n"
        "with Memory.open(sys.argv[2], synchronous='normal') as memory:\n"
        "    memory.run(Import(file=sys.argv[1]))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    peaks = []
    for lines in (500, 20_000):
        file = tmp_path / f"{lines}.jsonl"
        with file.open("w") as out:
            for number in range(lines):
                out.write(json.dumps({"role": "user", "text": f"{number} " + "word " * 160}) + "\n")
        ran = subprocess.run(
            [sys.executable, "-c", script, str(file), str(tmp_path / f"m{lines}")],
            check=True,
            capture_output=True,
            text=True,
        )
        peaks.append(int(ran.stdout))

    small, large = peaks
    # 16 MB of text more; a batch of a thousand lines and its index are all that is held of it.
    assert large - small < 12_000


@requirement("importers:every:unknown-format")
@pytest.mark.parametrize(
    ("bytes_", "format", "at"),
    [
        (b"\x00\x01\x02\x03", "auto", "file"),
        (b"plain words\n", "auto", "file"),
        (b"[]", "telegram", "format"),
    ],
)
def test_a_file_that_no_importer_knows_stores_nothing(
    memory: Memory, tmp_path: Path, bytes_: bytes, format: str, at: str
) -> None:
    """CONTRACT: bad input, and nothing else happens."""
    memory.observe("Before.", role="user")
    path = tmp_path / "file.bin"
    path.write_bytes(bytes_)

    with refused(memory, "unknown_format", at=at):
        memory.run(Import(file=str(path), format=format))


def test_a_missing_file_and_an_unknown_zone_are_bad_input(memory: Memory, tmp_path: Path) -> None:
    """CONTRACT: a missing FILE is bad input."""
    memory.observe("Before.", role="user")

    with refused(memory, "bad_file", at="file"):
        memory.run(Import(file=str(tmp_path / "none.jsonl")))
    with refused(memory, "bad_file", at="file"):
        memory.run(Import(file=str(tmp_path)))
    with refused(memory, "bad_time", at="tz"):
        memory.run(Import(file=written(tmp_path / "a.jsonl", *talk(1)), tz="Nowhere/Here"))


@requirement("importers:every:namespaces")
def test_ids_of_two_labels_do_not_collide(memory: Memory, tmp_path: Path) -> None:
    """LEDGER: external ids live in a namespace per import source."""
    a = memory.run(Import(file=written(tmp_path / "a.jsonl", *talk(3))))
    b = memory.run(Import(file=written(tmp_path / "b.jsonl", *talk(3, tags=["b"]))))
    again = memory.run(Import(file=str(tmp_path / "b.jsonl"), label="a.jsonl"))

    assert (a.imported, b.imported) == (3, 3)
    assert (again.imported, len(again.failed)) == (0, 3)


@requirement("importers:every:derived-ids")
def test_equal_messages_without_an_id_are_kept_apart_and_known_again(
    memory: Memory, tmp_path: Path
) -> None:
    """LEDGER: a derived id has the ordinal among equals."""
    same = {"role": "user", "text": "Word again."}
    file = written(tmp_path / "talk.jsonl", same, {"role": "user", "text": "Word other."}, same)

    first = memory.run(Import(file=file))
    second = memory.run(Import(file=file))

    assert (first.imported, second.imported, second.skipped) == (3, 0, 3)
    assert all_texts(memory) == ["Word again.", "Word other.", "Word again."]


@requirement("importers:every:same-rules")
def test_an_import_writes_experience_alone(memory: Memory, tmp_path: Path) -> None:
    """DOMAIN: what somebody said becomes no record and no belief by itself."""
    memory.run(Import(file=written(tmp_path / "a.jsonl", {"role": "user", "text": "I like tea."})))

    told = stated(memory)

    assert told is not None
    assert told.counts == {"experience": 1, "state": 0}


@requirement("importers:every:again")
def test_what_was_erased_does_not_come_back_by_importing_again(
    memory: Memory, tmp_path: Path
) -> None:
    """Promise 8: nothing comes back; a repeat is recognised by its keyed tag, with or without id."""
    bare = {"role": "user", "text": "Word without a name."}
    file = written(tmp_path / "talk.jsonl", *talk(2), bare)
    memory.run(Import(file=file))

    erased(memory, source="talk.jsonl")
    again = memory.run(Import(file=file))

    assert (again.imported, again.skipped) == (0, 3)
    assert all_texts(memory) == []


ASKED: tuple[dict[str, Any], ...] = (
    {},
    {"tz": "Asia/Tokyo"},
    {"redact": True},
    {"tz": "Asia/Tokyo", "redact": True},
)
MAIL = "Word of ann@example.org."
FILES = {
    "a.jsonl": json.dumps({"role": "user", "text": MAIL, "at": "2026-03-01 08:00"}) + "\n",
    "a.json": json.dumps([{"role": "user", "content": MAIL, "timestamp": "2026-03-01 08:00"}]),
    "a.csv": f"role,text,at\nuser,{MAIL},2026-03-01 08:00\n",
    "a.md": f"## 2026-03-01\n\n**Ann** (10:00): {MAIL}\n",
    "claude.json": json.dumps([{
        "uuid": "c", "name": "n", "chat_messages": [
            {"sender": "human", "text": MAIL, "created_at": "2026-03-01T08:00:00"}
        ],
    }]),
    "code.jsonl": json.dumps({
        "type": "user", "sessionId": "s", "isSidechain": False, "timestamp": "2026-03-01T08:00:00",
        "message": {"role": "user", "content": MAIL},
    }) + "\n",
}  # fmt: skip


@requirement("importers:every:options")
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    "first", [{"tz": "Europe/Berlin"}, {"tz": "Europe/Berlin", "redact": True}]
)
@pytest.mark.parametrize("gone", [False, True])
def test_no_option_makes_another_message_of_one_without_an_id(
    memory: Memory, tmp_path: Path, name: str, first: dict[str, Any], gone: bool
) -> None:
    """In every format: it is known, or its line is told; once erased it stays away."""
    file = tmp_path / name
    file.write_text(FILES[name])
    assert memory.run(Import(file=str(file), **first)).imported == 1
    if gone:
        erased(memory, source=name)
    before = all_texts(memory)

    for options in ASKED:
        again = memory.run(Import(file=str(file), **options))

        assert (again.imported, again.skipped + len(again.failed)) == (0, 1)
        assert {failed.code for failed in again.failed} <= {"bad_time", "external_id_reused"}

    assert all_texts(memory) == before
    assert len(before) == (0 if gone else 1)


@requirement("importers:every:options")
def test_times_that_a_zone_is_needed_for_tell_equal_messages_apart(
    memory: Memory, tmp_path: Path
) -> None:
    """What could not be read the first time is not taken for its neighbour the second time."""
    same = {"role": "user", "text": "Word again."}
    file = written(
        tmp_path / "a.jsonl",
        {**same, "at": "2026-03-01 08:00"},
        {**same, "at": "2026-03-02T08:00Z"},
    )

    first = memory.run(Import(file=file))
    second = memory.run(Import(file=file, tz="Europe/Berlin"))

    assert (first.imported, len(first.failed)) == (1, 1)
    assert (second.imported, second.skipped) == (1, 1)


@requirement("importers:chatgpt:branches")
def test_the_example_arrives_as_its_active_branch(memory: Memory) -> None:
    """The shipped conversation: each thread replays from root to current node, linked."""
    example = Path(__file__).parents[2] / "examples" / "telescope-club.json"
    export = json.loads(example.read_text())

    done = memory.run(Import(file=str(example)))

    assert (done.format, done.failed) == ("chatgpt", ())
    total = 0
    for conversation in export:
        mapping, node = conversation["mapping"], conversation["current_node"]
        active = []
        while node is not None:
            active.append(node)
            node = mapping[node]["parent"]
        items = memory.run(Thread(thread=conversation["conversation_id"])).items
        ids = [item.external_id for item in items]
        assert [id for id in reversed(active) if id in set(ids)] == ids
        assert {item.parent for item in items[1:]} == {item.id for item in items[:-1]}
        total += len(items)
    assert total == done.imported == memory.run(Status()).seq


def test_parents_that_do_not_come_lower_the_confidence_in_the_order(
    memory: Memory, tmp_path: Path
) -> None:
    """B1: ordering confidence as the source deserves."""
    at = "2026-01-01T00:00:00Z"
    file = written(
        tmp_path / "talk.jsonl",
        {"role": "user", "text": "Word one.", "id": "a", "at": at, "thread": "t"},
        {
            "role": "assistant",
            "text": "Word two.",
            "id": "b",
            "at": at,
            "parent": "a",
            "thread": "t",
        },
        {"role": "user", "text": "Word three.", "id": "c", "at": at, "parent": "z", "thread": "t"},
    )

    memory.run(Import(file=file))
    one, two, three = memory.run(Thread(thread="t")).items

    assert two.parent == one.id
    assert (one.ordering, two.ordering, three.ordering) == ("high", "high", "low")
    assert three.parent is None


def test_an_import_into_a_directory_that_is_a_file_says_so(tmp_path: Path) -> None:
    """LEDGER: not a store is a code of its own."""
    path = tmp_path / "plain"
    path.write_text("not a store")

    with Memory.open(path) as memory, pytest.raises(errors.NotAStore):
        memory.run(Import(file=written(tmp_path / "a.jsonl", *talk(1))))


@requirement("importers:every:links")
def test_links_that_lead_nowhere_are_counted(memory: Memory, tmp_path: Path) -> None:
    """The message is taken in, its place is a guess, and the answer says how many there are."""
    lines = [
        {"role": "user", "text": "a", "id": "1"},
        {"role": "assistant", "text": "b", "id": "2", "reply_to": "1"},
        {"role": "user", "text": "c", "id": "3", "parent": "gone", "reply_to": "3"},
    ]
    file = tmp_path / "links.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")

    first = memory.run(Import(file=str(file)))
    again = memory.run(Import(file=str(file)))

    assert (first.imported, first.unlinked, again.unlinked) == (3, 2, 0)
    assert (first.unlinked_at, again.unlinked_at) == (("line:3",), ())
