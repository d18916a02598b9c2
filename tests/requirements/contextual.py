"""Contextual recall: what is bound to tasks, people and rooms, and what is at stake."""

from __future__ import annotations

from tests.requirements.requirement import Requirement

REQUIREMENTS = (
    Requirement(
        id="contextual:record:bound",
        row="C1",
        source="seed 002",
        text=(
            "A record keeps its task, subject, visibility, evidence grade, expiry and the exact "
            "version that it assesses, and every answer shows them."
        ),
    ),
    Requirement(
        id="contextual:record:validated",
        row="C1",
        source="seed 002",
        text=(
            "What is incomplete or fits its kind badly is refused with the path of the field "
            "before anything is stored; of several notes none is stored then."
        ),
    ),
    Requirement(
        id="contextual:record:visibility",
        row="C1",
        source="seed 002",
        text=(
            "No record may be seen by more or others than what it cites, and a new version is "
            "seen by just those who see the version before."
        ),
    ),
    Requirement(
        id="contextual:record:appraisal",
        row="C3",
        source="seed 002",
        text=(
            "An appraisal cites the exact thing that it assesses and is about whom that is about; "
            "its amounts are millionths or unknown, and unknown is not zero."
        ),
    ),
    Requirement(
        id="contextual:record:correction",
        row="C1",
        source="seed 002",
        text=(
            "A correction takes the place of exactly one version, cites what shows it, and keeps "
            "everything else; the old version stays in history."
        ),
    ),
    Requirement(
        id="contextual:record:standing",
        row="C11",
        source="seed 002",
        text=(
            "What would rest on something that does not stand at the moment it is written, even "
            "if that ends just then, is refused whole and nothing is stored."
        ),
    ),
    Requirement(
        id="contextual:record:free",
        row="C1",
        source="design",
        text="A record that nothing binds is written without one statement more.",
    ),
    Requirement(
        id="contextual:record:erased",
        row="P8",
        source="seed 002",
        text="No word that binds a record stays behind when the record is erased.",
    ),
    Requirement(
        id="contextual:task:participants",
        row="C2",
        source="seed 002",
        text=(
            "In a task those requirements are said that concern nobody in particular or somebody "
            "who takes part; where nobody is named, only the former."
        ),
    ),
    Requirement(
        id="contextual:task:bound",
        row="C2",
        source="seed 002",
        text=(
            "What is bound to a task is shown in that task alone, whatever its words, and the "
            "reason is named."
        ),
    ),
    Requirement(
        id="contextual:task:reference",
        row="C2",
        source="seed 002",
        text=(
            "Neither a required nor a pinned reference overrides that it applies, may be seen or "
            "stands; each is refused with its code."
        ),
    ),
    Requirement(
        id="contextual:task:protected",
        row="C2",
        source="own",
        text=(
            "A requirement that holds is lost by no write of its key: one of another kind, for "
            "another task or about somebody else is refused."
        ),
    ),
    Requirement(
        id="contextual:task:unknown",
        row="C2",
        source="own",
        text="A recall says when nothing that may be seen is bound to the task it was asked about.",
    ),
    Requirement(
        id="contextual:task:pending",
        row="C2",
        source="seed 002",
        text=(
            "An intention that is bound to a task is shown while it is pending and never "
            "afterwards."
        ),
    ),
    Requirement(
        id="contextual:task:corrected",
        row="C5",
        source="seed 002",
        text=(
            "A corrected requirement is said in its new words, and what a withdrawn source bore, "
            "claims and appraisals, is said no more."
        ),
    ),
    Requirement(
        id="contextual:task:validated",
        row="C2",
        source="seed 002",
        text=(
            "A task with 0 to 64 distinct participants, and amounts in millionths; anything else "
            "is refused with the path of the field."
        ),
    ),
    Requirement(
        id="contextual:select:order",
        row="C4",
        source="seed 002",
        text=(
            "What is required, what the task obliges to say by priority and then by age, open "
            "tasks, what is pinned, and then what is optional."
        ),
    ),
    Requirement(
        id="contextual:select:all-or-refused",
        row="C4",
        source="seed 002",
        text=(
            "All that must be shown is shown, or the recall is refused with what did not fit and "
            "what all of it would need."
        ),
    ),
    Requirement(
        id="contextual:select:reference",
        row="C3",
        source="seed 002",
        text=(
            "An appraisal is shown with what it assesses, and neither by reference nor by its "
            "words alone."
        ),
    ),
    Requirement(
        id="contextual:select:diverse",
        row="C6",
        source="seed 002",
        text=(
            "Sources take turns, a complete copy enters instead of a part of the same event, and "
            "who said it is named."
        ),
    ),
    Requirement(
        id="contextual:stake:floor-first",
        row="C3",
        source="seed 002",
        text="What is less like the question than the floor enters for no boost.",
    ),
    Requirement(
        id="contextual:stake:strongest",
        row="C3",
        source="seed 002",
        text=(
            "The largest known of benefit and harm counts, of the strongest single appraisal, "
            "ties by id; unknown and zero add nothing."
        ),
    ),
    Requirement(
        id="contextual:stake:together",
        row="C3",
        source="seed 002",
        text="A memory and its appraisal enter together or not at all.",
    ),
    Requirement(
        id="contextual:stake:must",
        row="C4",
        source="seed 002",
        text=(
            "What is required, obliged or pinned enters for itself: no stake raises it, and it "
            "brings no appraisal along."
        ),
    ),
    Requirement(
        id="contextual:stake:off",
        row="C3",
        source="seed 002",
        text=(
            "With the controls off the order is that of likeness, no appraisal has a say, and a "
            "plain recall is byte for byte what it was."
        ),
    ),
    Requirement(
        id="contextual:stake:copy",
        row="C3",
        source="seed 002",
        text=(
            "An appraisal of an event counts for each note that rests on that event alone and has"
            " its subject."
        ),
    ),
    Requirement(
        id="contextual:seen:filtered",
        row="C2",
        source="seed 002",
        text=(
            "What may not be seen by who asks is filtered before every limit, and appears in no "
            "list, count, reason or error."
        ),
    ),
    Requirement(
        id="contextual:style:safe",
        row="C13",
        source="seed 002",
        text=(
            "In the style `safe` no stored text can imitate what stands around it, and the text "
            "reads back as it was written."
        ),
    ),
    Requirement(
        id="contextual:style:grouped",
        row="C8",
        source="seed 002",
        text=(
            "In the style `grouped` what several entries of a pack share of their source is said "
            "once; expanded the entries are exactly those of `plain`, and no stored text looks "
            "like a header."
        ),
    ),
    Requirement(
        id="contextual:style:grouped-fits",
        row="C8",
        source="seed 002",
        text=(
            "The budget of the style `grouped` is measured on what it renders, so that more may "
            "fit; what is left out, why, and a replay follow from it."
        ),
    ),
    Requirement(
        id="contextual:style:shared",
        row="C7",
        source="seed 002",
        text="A copy refers to its source in the same pack where that is shorter than the words.",
    ),
    Requirement(
        id="contextual:receipt:kept",
        row="C5",
        source="seed 002",
        text=(
            "A receipt keeps task, participants, reader, room, floor, boost and style, the words "
            "apart so that they can be erased."
        ),
    ),
    Requirement(
        id="contextual:receipt:then",
        row="C5",
        source="seed 002",
        text="As of then a recorded decision gives the same bytes, without a search.",
    ),
    Requirement(
        id="contextual:receipt:now",
        row="C5",
        source="seed 002",
        text=(
            "Against the present each part that was corrected, withdrawn, expired, erased or "
            "newly applies is named with its code."
        ),
    ),
    Requirement(
        id="contextual:convert:bound",
        row="C10",
        source="seed 002",
        text=(
            "Requirements, tasks, evidence grades and appraisals of another system's store keep "
            "what they say; what has no home is listed, object by object."
        ),
    ),
    Requirement(
        id="contextual:convert:seen",
        row="C10",
        source="seed 002",
        text="What is private or of a room there is seen here by the same, or has to be named.",
    ),
)
