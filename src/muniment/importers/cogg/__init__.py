"""Databases of Cogg (application id "COGG", versions 1 to 5): one subject's chain, step by step.

The whole chain is checked under Cogg's own rules before the first step is told (`chain`).  A step
is one commit with what led to it, in the old order:

- what was sent to the agent, and what the agent said, are messages in a thread called like the
  subject; an input packet is the result of a tool, by its producer;
- commits, attempts, abstentions and all other occasions are task events of the system in the
  collection "cogg", in the thread "cogg:SUBJECT"; recall sees these where they are named.  Their
  JSON stands in their metadata, but for what is taken in under its own name (the state, notes,
  texts and packets), which it names by key or id;
- each note is a version of a record: an episode is a story, a prospective note an intention.  What
  has no such status here (a task that is not open, a closed note) is active, a task of that kind
  then a note; the old words stand in the metadata beside the old id, commit and tick;
- each key of the state that was written is a state key.

External ids are the old ids, within the namespace `cogg:GENESIS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from muniment.errors import BadFile
from muniment.importers.cogg.bodies import Genesis, Transition, note_id, parsed, typed
from muniment.importers.cogg.chain import verified
from muniment.importers.cogg.known import Known
from muniment.importers.cogg.tables import Commit, Tables
from muniment.importers.cogg.told import Teller
from muniment.model import foreign
from muniment.model.foreign import OldNote, OldValue, Step
from muniment.model.turn import Options, Turn
from muniment.store.foreign import opened

NAME = "cogg"
SUFFIXES: tuple[str, ...] = (".db", ".sqlite", ".cogg")

APPLICATION_ID = 0x434F4747  # "COGG"
VERSIONS = range(1, 6)

TURNS_PER_STEP_MAX = 500
VALUES_PER_STEP_MAX = 64  # as in any commit


def recognises(head: bytes, name: str) -> bool:
    """Whether a file that begins like this is a database of Cogg's."""
    del name
    found = foreign.header(head)
    return found is not None and found.application_id == APPLICATION_ID


def steps(path: str, head: bytes, options: Options) -> Iterator[Step]:
    """The steps of one subject, all of it verified before the first.

    Raises:
        BrokenSource: the chain is broken, or the database cannot be read.
        InUse, FileNewer, BadFile: it cannot be read safely, or not by this program.
        BadShape: the file holds several subjects and none is named, or not the one named.
    """
    found = foreign.header(head)
    if found is None or found.application_id != APPLICATION_ID:
        raise BadFile("the file is no database of Cogg's", at="file")
    size = Path(path).stat().st_size
    with opened(Path(path), found, VERSIONS) as file:
        tables = Tables(file, found.version, options.subject)
        known = verified(tables)
        file.check_unchanged()
        for tick, step in _steps(tables, known):
            # Whatever was read up to here is what was verified.
            file.check_unchanged()
            yield step
            if options.progress is not None:
                options.progress(size * (tick + 1) // len(known.ticks))


def _steps(tables: Tables, known: Known) -> Iterator[tuple[int, Step]]:
    """The steps with their ticks; what hangs on the last commit comes after it."""
    teller = Teller(tables.subject.id, known.genesis)
    newest: dict[str, str] = {}  # note id by key
    before: str | None = None
    for commit in tables.commits():
        turns = [] if before is None else _hanging(tables, known, teller, before)
        while len(turns) > TURNS_PER_STEP_MAX:
            yield commit.tick, Step(turns=tuple(turns[:TURNS_PER_STEP_MAX]))
            del turns[:TURNS_PER_STEP_MAX]
        for step in _of_commit(teller, commit, turns, newest):
            yield commit.tick, step
        before = commit.id
    assert before is not None
    turns = _hanging(tables, known, teller, before)
    for first in range(0, len(turns), TURNS_PER_STEP_MAX):
        some = turns[first : first + TURNS_PER_STEP_MAX]
        yield len(known.ticks) - 1, Step(turns=tuple(some))


def _hanging(tables: Tables, known: Known, teller: Teller, head: str) -> list[Turn]:
    """What came, and what was tried, while this commit was the last."""
    turns: list[Turn] = []
    for seq in known.causes.get(head, ()):
        cause = tables.occasion("seq", seq)
        assert cause is not None
        turns.append(teller.occasion(cause))
    for seq in known.tries.get(head, ()):
        tried = tables.attempt("seq", seq)
        assert tried is not None
        turns += teller.attempt(tried, tables.failure(tried.id))
        abstained = tables.abstention(tried.id)
        if abstained is not None:
            turns.append(teller.abstention(abstained, tried))
    return turns


def _of_commit(
    teller: Teller, commit: Commit, turns: list[Turn], newest: dict[str, str]
) -> Iterator[Step]:
    at = f"commits[{commit.tick}]"
    plain = parsed(commit.body, at)
    if commit.tick == 0:
        first = typed(plain, Genesis, at)
        turns = [*turns, teller.genesis(commit, plain, first)]
        written = list(first.memory.items())
        notes: tuple[OldNote, ...] = ()
    else:
        now = typed(plain, Transition, at)
        ids = [note_id(now.parent, index, note) for index, note in enumerate(now.proposal.notes)]
        turns = [*turns, *teller.commit(commit, plain, now, ids)]
        written = [(write.key, write.value) for write in now.proposal.memory]
        notes = tuple(
            teller.note(commit, now, index, ids[index], newest.get(note.key))
            for index, note in enumerate(now.proposal.notes)
        )
        newest.update({note.key: id for note, id in zip(now.proposal.notes, ids, strict=True)})
    values = tuple(
        OldValue(at=f"{at}.memory[{index}]", key=key, value=value)
        for index, (key, value) in enumerate(written)
    )
    rest = values[VALUES_PER_STEP_MAX:]
    yield Step(turns=tuple(turns), mark=commit.id, notes=notes, values=values[:VALUES_PER_STEP_MAX])
    for begin in range(0, len(rest), VALUES_PER_STEP_MAX):
        more = teller.more_state(commit, begin // VALUES_PER_STEP_MAX + 2)
        some = rest[begin : begin + VALUES_PER_STEP_MAX]
        yield Step(turns=(more,), mark=more.external_id, values=some)
