"""The main job on a real conversation, in a temporary directory, in a few seconds.

Each step is the command that a user would type, run by the same door, with what it printed.  A
step that does not find what it says it finds is marked, and the exit code is 1.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from muniment.errors import BadFile
from muniment.surfaces import streams
from muniment.surfaces.stage import Main, Stage

EXAMPLE = "telescope-club.json"

_CUT = 80  # characters of a message that a question or a fact takes over
_LONG_ENOUGH = 40
_LOOKED_FOR = 60
_NO_PLAIN_BYTES = re.compile(r'["\\\x00-\x1f]+')  # what JSON writes in another way


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked, kept, corrected and forgotten."""

    question: str
    first: str  # a fact, and the id of what it rests on
    first_source: str
    later: str  # the fact that corrects it
    later_source: str
    topic: str  # what is asked to be shown the fact
    private: str  # the id of the message to forget
    private_fact: str  # repeats it
    private_words: str  # as they stand in the file's bytes
    elsewhere: str  # a question that has nothing to do with the task


def run(file: str | None, main: Main, *, as_json: bool) -> int:
    """Shows the main job step by step with the command line `main`; 0 when each did what it says.

    Raises:
        BadFile: there is no such file, or no message in it to show anything with.
    """
    path = Path(file) if file is not None else example()
    if not path.is_file():
        raise BadFile(f"there is no file {path.name!r}", at="file")
    with tempfile.TemporaryDirectory(prefix="muniment-demo-") as directory:
        stage = Stage(Path(directory), path, main, silent=as_json)
        script = _take_in(stage)
        for scene in _SCENES:
            scene(stage, script)
        stage.end()
    if as_json:
        streams.write(sys.stdout, streams.json_line(stage.account()))
    return 0 if stage.good else 1


def example() -> Path:
    """The conversation that ships with the program, installed or in a checkout.

    Raises:
        BadFile: it did not come along.
    """
    beside = Path(str(resources.files("muniment"))) / "examples" / EXAMPLE
    checkout = Path(__file__).parents[3] / "examples" / EXAMPLE
    for path in (beside, checkout):
        if path.is_file():
            return path
    raise BadFile("the example is not installed; name a file", at="file")


def _take_in(stage: Stage) -> Script:
    stage.title("Take in a conversation; a second time, nothing is new.")
    first = stage.show("import", stage.file)
    stage.expect("something was imported", not first.startswith("0 imported"))
    again = stage.show("import", stage.file)
    stage.expect("nothing was new", again.startswith("0 imported"))
    return _example(stage) if Path(stage.file).name == EXAMPLE else _own(stage)


def _recall(stage: Stage, script: Script) -> None:
    stage.title("Recall, with the evidence.")
    stage.show("recall", script.question, "--items", "3")
    found = stage.ask("recall", script.question, "--items", "3")["items"]
    stage.expect("the answer is among what is shown", script.later_source in _ids(found))
    stage.expect("each thing says why it is there", all(item["reasons"] for item in found))
    stage.show("context", _short(script.later_source), "--before", "1", "--after", "1")


def _correct(stage: Stage, script: Script) -> None:
    stage.title("Keep a fact with its source.  Recall it, with a receipt.")
    key = ("--key", "the-fact", "--kind", "fact")
    asked = ("recall", script.topic, "--policy", "lexical", "--items", "2")
    stage.show("remember", script.first, *key, "--source", _short(script.first_source))
    printed = stage.show(*asked, "--record")
    receipt = printed.rpartition("receipt: ")[2].strip()
    stage.title("Correct it.  The old version stays in history, and is not shown any more.")
    stage.show("remember", script.later, *key, "--source", _short(script.later_source))
    stage.show("history", "the-fact")
    old, new = stage.ask("history", "the-fact")["items"]
    stage.expect("the old version stays", old["standing"] == "superseded")
    stage.expect("the new one has its source", new["sources"][0]["id"] == script.later_source)
    stage.show(*asked)
    pack = stage.ask(*asked)
    left_out = {each["id"]: each["reason"] for each in pack["suppressed"]}
    stage.expect("recall shows the new version", new["id"] in _ids(pack["items"]))
    stage.expect("and says why not the old one", left_out.get(old["id"]) == "superseded")
    stage.show("why-not", _short(old["id"]), script.topic)
    stage.title("Ask as it was known before.")
    before = ("--as-recorded", old["recorded_at"])
    stage.show(*asked, *before)
    stage.expect("then the old one stood", old["id"] in _ids(stage.ask(*asked, *before)["items"]))
    stage.title("Replay the receipt: as of then, and against what is known now.")
    stage.show("replay", receipt, "--against", "then")
    stage.show("replay", receipt, exit=1)
    changes = stage.ask("replay", receipt, exit=1)["changes"]
    stage.expect("what has changed is said", {"id": old["id"], "code": "superseded"} in changes)


def _task(stage: Stage, script: Script) -> None:
    stage.title("An open task is shown whatever is asked, and no note may replace it.")
    task = ("--key", "letter", "--kind", "task")
    stage.show("remember", "Send the letter before the end of April.", *task)
    stage.show("recall", script.elsewhere, "--items", "2")
    (letter,) = stage.ask("history", "letter")["items"]
    pack = stage.ask("recall", script.elsewhere, "--items", "2")
    stage.expect("the task is shown", letter["id"] in _ids(pack["items"]))
    stage.show("remember", "Never mind the letter.", "--key", "letter", exit=1)
    stage.show("close", _short(letter["id"]))
    pack = stage.ask("recall", script.elsewhere, "--items", "2")
    stage.expect("closed, it is not", letter["id"] not in _ids(pack["items"]))


def _prove(stage: Stage, script: Script) -> None:
    stage.title("Note where the ledger stands, and check everything against the note.")
    stage.show("checkpoint", "--out", str(stage.note))
    stage.show("verify", "--checkpoint", str(stage.note))
    stage.title("Somebody changes one byte of the file.  It shows, with its place.")
    undo = stage.tamper(script.private_words)
    stage.show("verify", "--checkpoint", str(stage.note), exit=3)
    faults = stage.ask("verify", exit=3)["faults"]
    seq = stage.ask("show", script.private)["items"][0]["seq"]
    places = [fault["seq"] for fault in faults if fault["code"] == "content_differs"]
    stage.expect("the place is the right one", places == [seq])
    undo()
    stage.show("verify", "--checkpoint", str(stage.note))


def _forget(stage: Stage, script: Script) -> None:
    stage.title("Forget a message, and what repeats it.")
    stage.show("remember", script.private_fact, "--source", _short(script.private))
    stage.look_for(script.private_words, present=True)
    asked = ("erase", "--event", _short(script.private))
    stage.show(*asked)
    plan = stage.ask(*asked)
    stage.expect("the fact goes with it", all(each["follows"] for each in plan["dependents"]))
    stage.show(*asked, "--confirm", plan["token"])
    stage.look_for(script.private_words, present=False)
    stage.title("The hole is in view, and all else is proven still.")
    stage.show("show", _short(script.private))
    stage.show("verify", "--checkpoint", str(stage.note))
    stage.title("It does not come back.")
    again = stage.show("import", stage.file)
    stage.expect("nothing was new", again.startswith("0 imported"))
    stage.look_for(script.private_words, present=False)


_SCENES: tuple[Callable[[Stage, Script], None], ...] = (
    _recall,
    _correct,
    _task,
    _prove,
    _forget,
)


def _example(stage: Stage) -> Script:
    winter = ("--until", "2026-02-01T00:00:00Z")
    return Script(
        question="which code opens the door?",
        first="The door code of the pump house is 5512.",
        first_source=_said(stage, "Jonas gave me the door code", *winter),
        later="The door code of the pump house is 7731.",
        later_source=_said(stage, "the new door code is 7731"),
        topic="what is the door code of the pump house?",
        private=_said(stage, "migraines from bright white light"),
        private_fact="Mira gets migraines from bright white light.",
        private_words="migraine",
        elsewhere="what do we drink at the summer party?",
    )


def _own(stage: Stage) -> Script:
    """A script from the two longest of the newest messages of another file."""
    newest = stage.ask("recall", "", "--policy", "recent", "--items", "64", "--bytes", "1048576")
    said = sorted(newest["items"], key=lambda item: len(item["text"]))
    if not said or len(said[-1]["text"]) < _LONG_ENOUGH:
        raise BadFile("no message in it is long enough to show anything with", at="file")
    longest, other = said[-1], said[max(len(said) - 2, 0)]
    return Script(
        question=_cut(other["text"]),
        first=f"Before: {_cut(other['text'])}",
        first_source=other["id"],
        later=f"Now: {_cut(other['text'])}",
        later_source=other["id"],
        topic=_cut(other["text"]),
        private=longest["id"],
        private_fact=_cut(longest["text"]),
        private_words=max(_NO_PLAIN_BYTES.split(longest["text"]), key=len)[:_LOOKED_FOR],
        elsewhere="what do we drink at the summer party?",
    )


def _said(stage: Stage, query: str, *more: str) -> str:
    """The id of what a user said that answers best."""
    found = stage.ask("recall", query, "--role", "user", "--items", "1", *more)
    return str(found["items"][0]["id"])


def _ids(items: Any) -> list[str]:
    return [item["id"] for item in items]


def _short(id: str) -> str:
    return id.partition("-")[0]


def _cut(text: str) -> str:
    return " ".join(text.split())[:_CUT]
