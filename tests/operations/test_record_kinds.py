"""Records: the closed list of kinds, what each may be and to whom it may belong, and its evidence."""

from __future__ import annotations

from itertools import product

import pytest

from muniment import Close, Commit, Memory, Note, Retract, Source
from tests.operations.seen import erased, needed, refused, shown
from tests.requirements.marker import requirement

STATUSES = {
    "note": ("active", "retracted"),
    "fact": ("active", "retracted"),
    "procedure": ("active", "retracted"),
    "task": ("open", "closed", "retracted"),
    "summary": ("active", "retracted"),
    "story": ("active", "retracted"),
    "belief": ("active", "disputed", "retracted"),
    "intention": (
        "pending", "confirmed", "deferred", "completed", "rejected", "expired", "retracted",
    ),
    "requirement": ("active", "done", "retracted"),
    "appraisal": ("active", "retracted"),
    "proposal": (
        "proposed", "shadow", "needs_review", "deferred",
        "accepted", "rejected", "superseded", "expired",
    ),
}  # fmt: skip
EVERY = sorted({status for statuses in STATUSES.values() for status in statuses})
OWNERS = ("user", "agent", "scope")


def owners(kind: str) -> tuple[str, ...]:
    """To whom a kind may belong."""
    return ("scope",) if kind == "proposal" else OWNERS


@requirement("records:kind:closed-list")
@pytest.mark.parametrize("kind", STATUSES)
def test_a_kind_comes_back_with_each_of_its_statuses_and_owners(memory: Memory, kind: str) -> None:
    """The closed list of kinds: one store and one life cycle for all of them."""
    said = memory.observe("I said so.", role="user").id
    allowed = list(product(STATUSES[kind], owners(kind)))

    written = [
        memory.remember(
            f"{status} of {owner}",
            kind=kind,
            status=status,
            owner=owner,
            sources=(said,),
            **needed(kind, said),
        )
        for status, owner in allowed
    ]

    items = [shown(memory, each.id) for each in written]
    assert {item.kind for item in items} == {kind}
    assert [(item.status, item.owner) for item in items] == allowed


@requirement("records:kind:closed-list", "records:kind:only-tasks")
@pytest.mark.parametrize("kind", STATUSES)
def test_a_kind_takes_no_status_or_owner_of_another(memory: Memory, kind: str) -> None:
    """Seed 1, typed writes: only tasks open or close; a proposal belongs to the scope alone."""
    said = memory.observe("I said so.", role="user").id

    for status in sorted(set(EVERY) - set(STATUSES[kind])):
        with refused(memory, "bad_shape", at="status"):
            memory.remember("held", kind=kind, status=status, sources=(said,), **needed(kind, said))
    for owner in sorted(set(OWNERS) - set(owners(kind))):
        with refused(memory, "bad_shape", at="owner"):
            memory.remember("held", kind=kind, owner=owner, sources=(said,), **needed(kind, said))


@pytest.mark.parametrize("kind", STATUSES)
def test_a_kind_begins_with_its_first_status(memory: Memory, kind: str) -> None:
    """Where no status is given, the first of the kind's list counts."""
    said = memory.observe("I said so.", role="user").id

    written = memory.remember("held", kind=kind, sources=(said,), **needed(kind, said))

    assert shown(memory, written.id).status == STATUSES[kind][0]


@requirement("records:kind:only-tasks")
@pytest.mark.parametrize("kind", sorted(set(STATUSES) - {"task"}))
def test_only_a_task_can_be_closed(memory: Memory, kind: str) -> None:
    """Seed 1: only tasks close."""
    said = memory.observe("I said so.", role="user").id
    written = memory.remember("held", kind=kind, sources=(said,), **needed(kind, said))

    with refused(memory, "not_a_task", at="id"):
        memory.run(Close(id=written.id))


@requirement("records:kind:procedure")
def test_an_active_procedure_rests_on_something_that_shows_it(memory: Memory) -> None:
    """Seed 1: a procedure needs a source that is neither a summary nor retracted."""
    said = memory.observe("First press, then turn.", role="tool").id
    summary = memory.remember("How to turn.", kind="summary", sources=(said,)).id
    taken_back = memory.run(Retract(id=memory.remember("Turn, then press.", key="k").id)).id

    for sources in ((), (summary,), (taken_back,), (summary, taken_back)):
        with refused(memory, "ungrounded_procedure", at="sources"):
            memory.remember("Press, turn.", kind="procedure", sources=sources)
    written = memory.remember("Press, turn.", kind="procedure", sources=(summary, said))

    assert shown(memory, written.id).status == "active"


def test_a_retracted_procedure_needs_no_ground(memory: Memory) -> None:
    """Taking back is always possible."""
    said = memory.observe("First press, then turn.", role="tool").id
    written = memory.remember("Press, turn.", key="k", kind="procedure", sources=(said,))

    memory.remember("Press, turn.", key="k", kind="procedure", status="retracted")

    assert shown(memory, written.id).standing == "superseded"


@pytest.mark.parametrize("role", ["assistant", "system", "tool", "narrator"])
def test_a_users_belief_rests_on_what_the_user_said(memory: Memory, role: str) -> None:
    """Promise 6: another's words never become a person's belief by themselves."""
    other = memory.observe("You like rain.", role=role).id
    note = memory.remember("The user likes rain.", owner="user").id
    said = memory.observe("I like rain.", role="user").id
    belief = {"kind": "belief", "owner": "user"}

    for sources in ((), (other,), (other, note)):
        with refused(memory, "no_user_evidence", at="sources"):
            memory.remember("Likes rain.", sources=sources, **belief)
    written = memory.remember("Likes rain.", sources=(other, said), **belief)

    assert shown(memory, written.id).standing == "current"


def test_an_intention_is_confirmed_by_something_said_later(memory: Memory) -> None:
    """Intentions: confirmed only by a later, distinct event of the user."""
    said = memory.observe("I might water the plants.", role="user").id
    pending = memory.remember("Water the plants.", key="p", kind="intention", sources=(said,))
    answer = memory.observe("I shall remind you.", role="assistant").id
    confirm = {"text": "Water the plants.", "key": "p", "kind": "intention", "status": "confirmed"}

    for sources in ((), (said,), (answer,), (said, answer)):
        with refused(memory, "no_user_evidence", at="sources"):
            memory.remember(sources=sources, **confirm)
    later = memory.observe("Yes, do.", role="user").id
    written = memory.remember(sources=(said, later), **confirm)

    assert written.supersedes == pending.id
    assert shown(memory, written.id).status == "confirmed"


@requirement("records:source:exact")
def test_sources_come_back_by_exact_id_with_role_and_span(memory: Memory) -> None:
    """Promise 3: a record names earlier things of its scope by exact identity."""
    event = memory.observe("The code is 7731.", role="user").id
    record = memory.remember("A code.", key="k").id
    sources = (
        Source(id=event, span=(0, 3)),
        Source(id=record, role="contradicts"),
    )

    written = memory.remember("7731", kind="fact", sources=sources)

    assert shown(memory, written.id).sources == sources


@requirement("records:source:exact")
def test_a_source_named_by_its_short_id_comes_back_in_full(memory: Memory) -> None:
    """An id may be shortened to the part before the dash; what is stored is the whole."""
    event = memory.observe("The code is 7731.", role="user").id

    written = memory.remember("7731", sources=(event.split("-")[0],))

    assert [source.id for source in shown(memory, written.id).sources] == [event]
    with refused(memory, "bad_shape", at="sources"):
        memory.remember("7731", kind="fact", sources=(event, event.split("-")[0]))


@pytest.mark.parametrize("target", ["event", "record", "state"])
def test_nothing_new_rests_on_what_is_erased(memory: Memory, target: str) -> None:
    """Promise 8: what was forgotten is no evidence for anything."""
    id = {
        "event": lambda: memory.observe("Forget this now.", role="user").id,
        "record": lambda: memory.remember("Forget this now.").id,
        "state": lambda: state_id(memory),
    }[target]()
    erased(memory, **{"event" if target == "event" else "record": id})

    with refused(memory, "source_erased", at="sources[0]"):
        memory.remember("What was it?", sources=(id,))
    with refused(memory, "source_erased", at="notes[0].sources[0]"):
        memory.run(Commit(notes=(Note(text="What was it?", sources=(id,)),)))


def state_id(memory: Memory) -> str:
    """The id of a state value, which can be cited like any other."""
    from muniment import StateHistory, StateSetTo

    memory.run(StateSetTo(key="k", value="Forget this now."))
    return memory.run(StateHistory(key="k")).items[0].id


@requirement("records:covers:subset")
def test_what_a_summary_covers_is_among_its_sources(memory: Memory) -> None:
    """Seed 1, summaries: what is covered is a part of what is cited."""
    first, second = (memory.observe(text, role="user").id for text in ("one", "and two"))

    with refused(memory, "bad_shape", at="covers[1]"):
        memory.remember("both", kind="summary", sources=(first,), covers=(first, second))
    with refused(memory, "bad_shape", at="covers"):
        memory.remember("both", kind="summary", sources=(first,), covers=(first, first))
    written = memory.remember("both", kind="summary", sources=(first, second), covers=(second,))

    assert shown(memory, written.id).covers == (second,)


@requirement("records:covers:subset")
@pytest.mark.parametrize("kind", sorted(set(STATUSES) - {"summary"}))
def test_nothing_but_a_summary_covers(memory: Memory, kind: str) -> None:
    """Seed 1, summaries: the other kinds stand beside what they rest on."""
    said = memory.observe("one", role="user").id

    with refused(memory, "bad_shape", at="covers"):
        memory.remember("all", kind=kind, sources=(said,), covers=(said,), **needed(kind, said))


@requirement("records:covers:subset")
def test_a_retracted_summary_covers_nothing_and_a_summary_has_sources(memory: Memory) -> None:
    """Seed 1, summaries: one without sources sums up nothing."""
    said = memory.observe("one", role="user").id

    with refused(memory, "bad_shape", at="covers"):
        memory.remember("a", kind="summary", status="retracted", sources=(said,), covers=(said,))
    with refused(memory, "bad_shape", at="sources"):
        memory.remember("a", kind="summary")
