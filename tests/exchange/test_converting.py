"""Another system's objects taken over: what they were bound to comes along."""

from __future__ import annotations

from pathlib import Path

from muniment import ExchangeConvert, Memory
from muniment.exchange import files, objects
from muniment.model.exchange import ExchangeConverted
from tests.exchange.things import CUE, OWNER, PERSON, Making, plain
from tests.operations.seen import ids
from tests.requirements.marker import requirement

TASK, WHO = CUE.hex(), PERSON.hex()


def converted(
    memory: Memory, made: Making, path: Path, owner: str | None = None
) -> ExchangeConverted:
    """The store taken over into the default scope."""
    if not path.exists():
        files.save(path, made.store())
    return memory.run(ExchangeConvert(store=str(path), owner=owner))


@requirement("contextual:convert:bound")
def test_what_binds_an_object_is_taken_over(memory: Memory, tmp_path: Path) -> None:
    """Requirements, appraisals, evidence and tasks have a home; a second run takes in nothing."""
    made = Making()
    said = made.event(1, "The fern is dry.", subject=PERSON)
    made.bound(2, "Water the fern.", source=said, subject=PERSON, required=True)
    fern = made.memory(3, "Ferns like shade.", 1.0, 0.0, source=said, subject=PERSON,
                       kind=objects.ASSERTION, evidence=objects.SUPPORTED)  # fmt: skip
    made.bound(4, "Fetch a can.", 1.0, 0.0, source=said, subject=PERSON)
    made.appraise(5, fern, benefit=700_000, confidence=900_000)
    made.appraise(6, said, harm=0)

    answer = converted(memory, made, tmp_path / "store")

    assert answer.carried == {"event": 1, "requirement": 1, "belief": 2, "appraisal": 2}
    assert {(each.kind, each.reason) for each in answer.not_carried} == {("component", "kind")}
    pack = memory.recall("zzz", task=TASK, participants=(WHO,))
    (rule,) = pack.items
    assert (rule.text, rule.task, rule.about) == ("Water the fern.", TASK, WHO)
    assert memory.recall("zzz", task=TASK).items == ()
    weighed = memory.recall("ferns like shade", policy="lexical", boost_ppm=1_000_000)
    belief, appraisal = weighed.items[:2]
    assert (belief.text, belief.grade) == ("Ferns like shade.", "supported")
    assert (appraisal.assesses, appraisal.benefit_ppm, appraisal.harm_ppm) == (
        belief.id, 700_000, None,
    )  # fmt: skip
    assert '"confidence":900000' in (appraisal.metadata or "")
    again = converted(memory, made, tmp_path / "store")
    assert again.known == sum(again.carried.values()) == 6
    assert memory.verify().ok


@requirement("contextual:convert:seen")
def test_what_belongs_to_somebody_stays_theirs(memory: Memory, tmp_path: Path) -> None:
    """A private object is seen by its owner alone; a private message has to be named."""
    made = Making(scope=objects.PRIVATE)
    said = made.event(1, "My fern is dry.", subject=PERSON)
    made.memory(2, "I like my fern.", 1.0, 0.0, source=said, subject=PERSON)
    made.add(objects.CUE, b"\x33" * 16, plain("Remember my fern."), source=said, subject=PERSON)

    nothing = converted(memory, made, tmp_path / "store")
    mine = converted(memory, made, tmp_path / "store", owner=OWNER.hex())

    assert nothing.carried == {}
    assert {each.reason for each in nothing.not_carried} == {"scope"}
    assert mine.carried == {"event": 1, "note": 2}
    assert ids(memory.recall("fern")) == []
    read = memory.recall("fern", reader=OWNER.hex())
    assert {item.text for item in read.items} == {"I like my fern.", "Remember my fern."}
    named = memory.recall("fern", collection=f"private {OWNER.hex()}")
    assert [item.text for item in named.items] == ["My fern is dry."]
