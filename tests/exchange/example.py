"""The container and the queries in `examples/`: a greenhouse, a frost, and three questions.

`python -m tests.exchange.example` writes them anew.
"""

from __future__ import annotations

from pathlib import Path

from muniment.exchange import files, objects
from muniment.exchange.layout import Ref
from muniment.exchange.store import Store
from tests.exchange.things import CUE, PERSON, Making, envelope, id_of
from tests.exchange.things import query as asked

EXAMPLES = Path(__file__).parents[2] / "examples"
STORE, QUERIES = "greenhouse.aotxccir", "greenhouse.queries"
DOOR = "The greenhouse door was open all night, and the frost took two rows of lettuce."


def store() -> Store:
    """What the greenhouse remembers."""
    made = Making()
    night = made.event(0x11, DOOR, subject=PERSON)
    made.memory(0x12, DOOR, 0.9, 0.2, 0.1, source=night, subject=PERSON)
    made.appraise(0x13, night, harm=800_000, consequence=2)
    spring = made.event(0x21, "Mira: the vents stick when it rains.", subject=PERSON)
    made.memory(0x22, "The vents stick when it rains.", 0.7, 0.6, 0.1, source=spring,
                subject=PERSON, kind=objects.ASSERTION)  # fmt: skip
    made.bound(0x31, "Shut the door before you leave.", required=True, kind=objects.CUE,
               source=night)  # fmt: skip
    old = made.memory(0x41, "The spare key hangs by the tap.", 0.2, 0.9, 0.3,
                      kind=objects.ASSERTION, source=spring, subject=PERSON)  # fmt: skip
    made.memory(0x42, "The spare key is with Mira.", 0.2, 0.9, 0.4, kind=objects.ASSERTION,
                source=spring, subject=PERSON, superseded=old)  # fmt: skip
    made.bound(0x51, "Order a new seal for the door.", kind=objects.INTENTION, source=night,
               subject=PERSON, retention=objects.PENDING)  # fmt: skip
    return made.store()


def queries() -> bytes:
    """Three questions: about closing up, about the key, and one that pins what was corrected."""
    return envelope(
        store(),
        asked("Closing up: anything to mind?", 1.0, 0.1, 0.1, number=1, revision=4, task=CUE,
              participants=(PERSON,), ranked=True, floor=300_000, boost=500_000),
        asked("Where is the spare key?", 0.1, 1.0, 0.4, number=2, entries_max=1),
        asked("Is it by the tap?", 0.1, 1.0, 0.4, number=3, focus=(Ref(id_of(0x41), 1),)),
    )  # fmt: skip


def write(directory: Path) -> None:
    """Both files."""
    (directory / STORE).unlink(missing_ok=True)
    files.save(directory / STORE, store())
    (directory / STORE).chmod(0o644)
    (directory / QUERIES).write_bytes(queries())


if __name__ == "__main__":
    write(EXAMPLES)
