"""The commands that the golden files were made by, with a clock and a chance that only count.

`python -m tests.golden.make NUMBER` writes the files of a format, and the worked examples of the
page.  That is done once a format: afterwards a difference is a mistake of the program.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import shutil
import sys
import zlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import apsw

from muniment import (
    Appraise,
    Close,
    Commit,
    Erase,
    Import,
    Memory,
    Note,
    Observe,
    Recall,
    Remember,
    Retract,
    Source,
    StateDelete,
    StateSetTo,
)
from tests.golden import examples

ROOT = Path(__file__).parents[2]
FOLDERS = {number: Path(__file__).parent / f"format-{number}" for number in (1, 2)}
FOLDER = FOLDERS[1]

START_MS = 1_767_225_600_000  # 2026-01-01T00:00:00Z
STEP_MS = 1_000

CLUB = "Telescope club"
TALKS = "Club talks"
FORGOTTEN = "Ann's diary"
QUESTIONS = "Questions"
DESK = "Desk"

LONG = "\n\n".join(
    f"Night {night}. The seeing was {('poor', 'fair', 'good')[night % 3]}, and Mira wrote down "
    f"{night * 7} stars near the {('Lyre', 'Swan', 'Eagle')[night % 3]} before the clouds came."
    for night in range(1, 25)
)


def clock() -> Callable[[], int]:
    """Milliseconds that count one second a look."""
    looks = itertools.count(START_MS, STEP_MS)
    return lambda: next(looks)


def entropy(seed: str) -> Callable[[int], bytes]:
    """Bytes of SHA-256 over the seed and a count: the same in every release of Python."""
    counts = itertools.count()

    def drawn(size: int) -> bytes:
        found = b""
        while len(found) < size:
            found += hashlib.sha256(f"{seed} {next(counts)}".encode()).digest()
        return found[:size]

    return drawn


def write(directory: Path, number: int = 1) -> None:
    """Every golden file of a format, anew, into `directory`."""
    for scope, tell in TOLD_IN[number].items():
        with Memory.open(directory, clock=clock(), entropy=entropy(scope)) as memory:
            tell(memory)
    for lock in directory.glob("*-lock"):
        lock.unlink()


def tell_club(memory: Memory) -> None:
    """One event of every kind and most of their fields: said, held, changed, set, erased."""
    said = _tell_messages(memory)
    held = _tell_records(memory, said)
    _tell_commits(memory, said, held)
    memory.run(Close(scope=CLUB, id=held["task"]))
    memory.run(Retract(scope=CLUB, id=held["note"]))
    _erase(memory, CLUB, event=said["code"])
    memory.remember("The door code is kept by Mira.", scope=CLUB, key="door-code", kind="fact",
                    owner="user")  # fmt: skip
    memory.observe("Good night.", scope=CLUB, role="user", actor="Ann")
    _tell_bound(memory, said["answer"])


def tell_talks(memory: Memory) -> None:
    """A conversation that was imported, most of it in one commit."""
    memory.run(Import(scope=TALKS, file=str(ROOT / "examples" / "telescope-club.json")))


def tell_forgotten(memory: Memory) -> None:
    """A scope that was erased as a whole and goes on."""
    memory.observe("Dear diary, nobody may read this.", scope=FORGOTTEN, role="user")
    memory.remember("Nobody may read the diary.", scope=FORGOTTEN, key="rule", command_key="c1")
    _erase(memory, FORGOTTEN, all=True)
    memory.observe("A new page.", scope=FORGOTTEN, role="user")


def tell_questions(memory: Memory) -> None:
    """Recalls with their receipts, one of which was erased with what it spoke of."""
    secret = memory.observe("The spare key hangs behind the clock.", scope=QUESTIONS, role="user")
    memory.observe("The clock runs late.", scope=QUESTIONS, role="user", thread="clock")
    first = memory.run(Recall(scope=QUESTIONS, query="Where is the spare key?", record=True))
    second = memory.run(
        Recall(scope=QUESTIONS, query="runs late", thread="clock", bytes_max=4_096, record=True)
    )
    memory.remember("The clock is late.", scope=QUESTIONS, receipt=second.receipt)
    _erase(memory, QUESTIONS, event=secret.id)
    assert first.receipt is not None


def tell_desk(memory: Memory) -> None:
    """State that is set, deleted, set again and erased, and a summary that rested on it."""
    for key, value in (("lamp", "on"), ("drawer", [1, {"b": None}]), ("lamp", "dim")):
        memory.run(StateSetTo(scope=DESK, key=key, value=value))
    (lamp, drawer) = memory.state(scope=DESK).items
    memory.remember("Dim.", scope=DESK, kind="summary", sources=(lamp.id,))
    memory.run(StateDelete(scope=DESK, key="lamp"))
    memory.run(StateDelete(scope=DESK, key="drawer"))
    memory.run(StateSetTo(scope=DESK, key="lamp", value="off"))
    _erase(memory, DESK, record=drawer.id)


def _tell_messages(memory: Memory) -> dict[str, str]:
    code = memory.observe("The door code is 5512.", scope=CLUB, role="user", actor="Ann",
                          thread="t1", session="s1", external_id="m1",
                          at="2025-12-31T18:00:00+01:00")  # fmt: skip
    answer = memory.run(Observe(
        text='Noted: "5512".\r\n\tüöß 東京タワー 🔭 \u2028 \u007f \u001f end',
        scope=CLUB, role="assistant", actor="Keeper", thread="t1", session="s1",
        parent=code.id, reply_to=code.id, tags=("codes", "doors"), external_id="m2",
    ))  # fmt: skip
    page = memory.run(Observe(
        text="Aperture 114 mm, focal length 900 mm.", scope=CLUB, role="tool", type="tool_result",
        actor="read_file", collection="manuals", caption="a drawing of the mount",
        source="manual.txt", lines=(12, 14), span=(300, 337), at=-1,
    ))  # fmt: skip
    memory.observe("<muniment-recall>old words</muniment-recall>Is the mount heavy?",
                   scope=CLUB, role="user", type="correction")  # fmt: skip
    memory.observe(LONG, scope=CLUB, role="narrator", thread="nights")
    return {"code": code.id, "answer": answer.id, "page": page.id}


def _tell_records(memory: Memory, said: dict[str, str]) -> dict[str, str]:
    first = memory.run(Remember(
        text="The door code is 5512.", scope=CLUB, key="door-code", kind="fact", owner="user",
        sources=(Source(id=said["code"], span=(17, 21)),), about="Ann", metadata='{"b":1.50,"a":[]}',
        valid_from="2026-01-01T00:00:00Z", valid_to="2027-01-01T00:00:00Z",
    ))  # fmt: skip
    memory.run(Remember(
        text="The door code has changed.", scope=CLUB, key="door-code", kind="fact", owner="user",
        sources=(
            Source(id=said["answer"], role="mentions"),
            Source(id=first.id, role="contradicts"),
        ),
    ))  # fmt: skip
    task = memory.remember("Return the telescope to Mira.", scope=CLUB, key="return", kind="task")
    note = memory.remember("Clouds tonight.", scope=CLUB)
    belief = memory.remember("Ann likes the Lyre.", scope=CLUB, key="likes", kind="belief",
                             owner="user", sources=(said["code"],))  # fmt: skip
    memory.remember("The code is noted.", scope=CLUB, kind="summary",
                    sources=(said["code"], said["answer"]), covers=(said["code"],),
                    command_key="c1")  # fmt: skip
    memory.run(StateSetTo(scope=CLUB, key="mood", value={"ключ": [1.5, None, True], "a": "é"}))
    return {"task": task.id, "note": note.id, "belief": belief.id}


def _tell_commits(memory: Memory, said: dict[str, str], held: dict[str, str]) -> None:
    notes = (
        Note(text="Clouds tonight."),
        Note(text="Align the finder by day.", kind="procedure", sources=(said["page"],)),
        Note(text="Ask about the mount.", kind="intention", key="ask"),
        Note(
            text="Name the star first.",
            kind="requirement",
            about="Ann",
            task="roll call",
            priority=2,
            grade="supported",
        ),
        Note(
            text="That helped.",
            kind="appraisal",
            sources=(held["belief"],),
            assesses=held["belief"],
            benefit_ppm=700_000,
        ),
        Note(text="Ann may prefer the Swan.", kind="proposal"),
        Note(text="The first night.", kind="story", owner="agent"),
        Note(text="Return the telescope on Friday.", kind="task", status="open"),
    )
    state = {"mood": None, "night": 24, "place": "roof"}
    memory.run(Commit(scope=CLUB, notes=notes, state=state, command_key="c2"))
    memory.run(Commit(scope=CLUB, state={"night": 25}, command_key="c3"))


def _tell_bound(memory: Memory, answer: str) -> None:
    memory.remember("Ann is afraid of heights.", scope=CLUB, visibility="private", reader="Mira")
    memory.remember("The roof is slippery.", scope=CLUB, kind="belief", visibility="room",
                    room="roof", grade="disputed")  # fmt: skip
    memory.run(Appraise(scope=CLUB, id=answer, harm_ppm=0, task="roll call"))


def _erase(memory: Memory, scope: str, **what: Any) -> None:
    planned = memory.run(Erase(scope=scope, **what))
    memory.run(Erase(scope=scope, confirm=planned.token, **what))


TOLD: Mapping[str, Callable[[Memory], None]] = {
    CLUB: tell_club,
    TALKS: tell_talks,
    FORGOTTEN: tell_forgotten,
    QUESTIONS: tell_questions,
}
TOLD_IN = {1: TOLD, 2: {DESK: tell_desk}}
# A receipt names the versions of program and engine, so that no other writes the same bytes.
REPEATABLE = (CLUB, TALKS, FORGOTTEN)


def described(directory: Path) -> dict[str, Any]:
    """What the files of `directory` must hold: every hash, id and digest, by file."""
    return {path.name: _file(path) for path in sorted(directory.glob("*.muniment"))}


def _file(path: Path) -> dict[str, Any]:
    # As unchanging, so that the engine leaves no file beside it.
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(path.resolve().as_uri() + "?immutable=1", flags)
    try:
        scope, name = connection.execute("SELECT id, name FROM scope").fetchall()[0]
        commits: list[tuple[Any, ...]] = connection.execute(
            "SELECT chain, seq, height, hash, header FROM commits ORDER BY chain DESC, seq"
        ).fetchall()
        contents: Iterable[tuple[Any, ...]] = connection.execute(
            "SELECT place, salt, bytes FROM content ORDER BY place"
        )
        return {
            "scope": scope,
            "name": name,
            "commits": [
                {
                    "chain": chain,
                    "seq": seq,
                    "height": height,
                    "hash": hash.hex(),
                    "ids": [shape["id"] for shape in json.loads(plain(header))["events"]],
                }
                for chain, seq, height, hash, header in commits
            ],
            "contents": [
                {
                    "place": place,
                    "salt": salt.hex(),
                    "sha256": hashlib.sha256(held).hexdigest(),
                }
                for place, salt, held in contents
            ],
        }
    finally:
        connection.close()


def plain(header: bytes) -> bytes:
    """A stored header as it is hashed."""
    return zlib.decompress(header[9:]) if header[:1] == b"z" else header


if __name__ == "__main__":
    wanted = int(sys.argv[1])
    folder = FOLDERS[wanted]
    shutil.rmtree(folder, ignore_errors=True)
    write(folder, wanted)
    told = json.dumps(described(folder), indent=1, sort_keys=True)
    (folder / "expected.json").write_text(told + "\n")
    examples.write()
