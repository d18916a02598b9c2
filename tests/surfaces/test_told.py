"""What people are told: errors in the words of the command line, and how meaning was compared."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from muniment import Erase, Memory, Recall, errors
from tests.requirements.marker import requirement
from tests.surfaces.shell import Shell

FLAGS = {
    "--items": ("recall", "x", "--items", "0"),
    "--bytes": ("recall", "x", "--bytes", "0"),
    "--floor": ("recall", "x", "--floor", "-1"),
    "--participant": ("recall", "x", "--participant", "Ann"),
    "--tag[0]": ("observe", "x", "--role", "user", "--tag", "\udcff"),
    "--source[0]": ("remember", "x", "--source", "e99"),
    "--kind": ("remember", "x", "--key", "tele"),
    "--event": ("erase",),
    "--remove-file": ("erase", "--record", "r1", "--remove-file"),
    "--embedder": ("embed",),
    "--checkpoint": ("verify", "--new"),
    "--wait-ms": ("status", "--wait-ms", "x"),
    "--now": ("status", "--now", "soon"),
    "id": ("show", "e99"),
    "file": ("backup", "-"),
    "state": ("commit", '{"state": 3}'),
}


@requirement("faces:cli:words")
@pytest.mark.parametrize(("at", "words"), FLAGS.items(), ids=FLAGS)
def test_an_error_names_the_flag(shell: Shell, at: str, words: tuple[str, ...]) -> None:
    """As it is typed, with --json and without; what stands in its place is called as in the help."""
    shell("remember", "Return the telescope.", "--key", "tele", "--kind", "task",
          "--status", "open")  # fmt: skip

    answer = shell(*words)

    assert shell.error(*words, code=answer.code)["at"] == at
    assert answer.err.decode().startswith(f"muniment: {at}: ")


@requirement("faces:cli:words")
def test_a_message_names_flags_and_variables(shell: Shell) -> None:
    """Where in Python it names fields."""
    shell("observe", "x", "--role", "user")
    for words in (("embed",), ("embed", "--forget")):
        told = shell(*words).err.decode()
        assert "--embedder" in told
        assert "MUNIMENT_EMBEDDER" in told
    told = shell("erase").err.decode()
    assert all(f"--{name}" in told for name in ("event", "record", "session", "source", "all"))
    with Memory.open(shell.db) as memory:
        with pytest.raises(errors.BadShape) as refused:
            memory.run(Recall(query="x", items_max=0))
        assert refused.value.at == "items_max"
        with pytest.raises(errors.BadShape) as refused:
            memory.run(Erase())
        assert "`event`" in refused.value.detail


@requirement("faces:cli:ids")
@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("erase", "--record", "e5"), "a record (r)"),
        (("erase", "--event", "r1"), "an event (e)"),
        (("replay", "e5"), "a receipt (q)"),
        (("context", "r1"), "an event (e)"),
        (("close", "e5"), "a record (r)"),
        (("correct", "e5", "x", "--source", "e1"), "a record (r)"),
        (("observe", "x", "--role", "user", "--parent", "r1"), "an event (e)"),
        (("recall", "x", "--require", "q1"), "a state value (l)"),
        (("show", "door-code"), "no id"),
        (("remember", "x", "--source", "door-code"), "no id"),
        (("close", "door-code"), "no key"),
    ],
)
def test_an_id_of_another_kind_says_what_is_wanted(
    shell: Shell, words: tuple[str, ...], wanted: str
) -> None:
    """Going by the letter alone: the same for what there is and what there is not."""
    shell("observe", "A heron.", "--role", "user")

    error = shell.error(*words, code=1)

    assert error["code"] == "not_found"
    assert wanted in error["detail"]


@requirement("vectors:recall:partial", "vectors:embed:forget")
def test_people_are_told_how_meaning_was_compared(shell: Shell) -> None:
    """A line for each caveat, the model, and after a rebuild how to make the vectors again."""
    asked = ("recall", "heron", "--policy", "hybrid")
    shell("observe", "A heron.", "--role", "user")
    assert "no vectors" in shell(*asked).text
    shell("embed", "--embedder", "hashed")
    assert "model: hashed-1\n" in shell(*asked).text
    assert "run embed" not in shell(*asked).text
    shell("observe", "A stone.", "--role", "user")
    assert "newest texts have no vectors" in shell(*asked, "--embedder", "hashed").text
    assert "model" not in shell("recall", "heron").text

    assert "muniment embed --embedder hashed\n" in shell("rebuild").text
    assert "embed" not in shell("rebuild").text


@requirement("vectors:embedder:numpy", "faces:errors:one-for-extras")
def test_without_numpy_there_is_no_traceback(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """But what to install."""
    shell("observe", "A heron.", "--role", "user")
    monkeypatch.setitem(sys.modules, "numpy", None)

    error = shell.error("embed", "--embedder", "hashed", code=1)

    assert (error["code"], error["at"]) == ("extra_missing", "--embedder")
    assert "muniment[semantic]" in error["detail"]
    assert list(tmp_path.iterdir()) == [shell.db]
