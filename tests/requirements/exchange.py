"""Exchange with another system's files, and the selection that both share."""

from __future__ import annotations

from tests.requirements.requirement import Requirement

REQUIREMENTS = (
    Requirement(
        id="exchange:formats:round-trip",
        row="C9",
        source="seed 002",
        text="Every format reads back what was written, and writes again the very same bytes.",
    ),
    Requirement(
        id="exchange:formats:strict",
        row="C9",
        source="seed 002",
        text="A changed byte of a file is refused, or means exactly what the tables say.",
    ),
    Requirement(
        id="exchange:formats:any-bytes",
        row="C9",
        source="own",
        text="Whatever bytes are given, they are read or refused with a typed error.",
    ),
    Requirement(
        id="exchange:admission:rules",
        row="C1",
        source="seed 002",
        text=(
            "What breaks a rule between objects is not taken in, and the smallest status of "
            "all that are broken is told."
        ),
    ),
    Requirement(
        id="exchange:admission:whole",
        row="C1",
        source="seed 002",
        text="A batch of objects with one malformed payload is refused whole.",
    ),
    Requirement(
        id="exchange:admission:made",
        row="C1",
        source="seed 002",
        text=(
            "What a model made rests on a complete entry of the queue, and on a unique quote "
            "or on nothing."
        ),
    ),
    Requirement(
        id="exchange:admission:spans",
        row="C1",
        source="seed 002",
        text=(
            "A span is the exact words of its event, and a correction takes the place of "
            "what was current."
        ),
    ),
    Requirement(
        id="exchange:store:tail",
        row="C10",
        source="seed 002",
        text=(
            "A tail follows its store without a gap, may repeat what is there, and changes "
            "nothing where it is refused."
        ),
    ),
    Requirement(
        id="exchange:container:round-trip",
        row="C10",
        source="seed 002",
        text="A store comes back from its container, with the sections that are not known.",
    ),
    Requirement(
        id="exchange:container:generations",
        row="C10",
        source="seed 002",
        text=(
            "A generation is appended behind the old one; where its root is broken the old "
            "one is read, and that is told."
        ),
    ),
    Requirement(
        id="exchange:container:crash",
        row="C10",
        source="design",
        text=(
            "A crash at any write of a publication leaves the old generation or the new one, whole."
        ),
    ),
    Requirement(
        id="exchange:container:order",
        row="C10",
        source="seed 002",
        text=(
            "Sections are on the disk before the commit, and the commit before the root that "
            "names it."
        ),
    ),
    Requirement(
        id="exchange:container:strict",
        row="C10",
        source="seed 002",
        text=(
            "No byte of a container is taken on trust, and what is needed and not known is refused."
        ),
    ),
    Requirement(
        id="exchange:container:apart",
        row="C10",
        source="design",
        text=(
            "The sections of one generation share no bytes: a container where they do is refused, "
            "so that what is written is never many times what was read."
        ),
    ),
    Requirement(
        id="exchange:container:leases",
        row="C10",
        source="seed 002",
        text=(
            "Only regular files that nobody is writing are read, and nothing is appended to "
            "what was not read."
        ),
    ),
    Requirement(
        id="exchange:sight:references",
        row="C2",
        source="seed 002",
        text=(
            "A reference that is not to be had says why: missing, stale, denied or of "
            "another scope."
        ),
    ),
    Requirement(
        id="exchange:sight:strangers",
        row="C2",
        source="seed 002",
        text="Who is neither the owner nor in the room sees nothing, and gets no error.",
    ),
    Requirement(
        id="exchange:sight:rests",
        row="C2",
        source="seed 002",
        text=(
            "What a thing rests on decides who sees it and until when, by the newest version "
            "of each."
        ),
    ),
    Requirement(
        id="exchange:sight:source-gone",
        row="C5",
        source="seed 002",
        text="A source that is withdrawn takes everything out of recall that rests on it.",
    ),
    Requirement(
        id="exchange:context:rule",
        row="C3",
        source="seed 002",
        text=(
            "Obligations enter first, then a less like memory whose appraisal outweighs a "
            "liker one."
        ),
    ),
    Requirement(
        id="exchange:context:controls",
        row="C2",
        source="seed 002",
        text=(
            "Task, participants, floor and boost decide what enters; nobody known is not everybody."
        ),
    ),
    Requirement(
        id="exchange:context:obligations-first",
        row="C4",
        source="seed 002",
        text="All obligations stand in front of what is pinned, or the query is refused.",
    ),
    Requirement(
        id="exchange:context:intention",
        row="C2",
        source="seed 002",
        text="An intention is said while it is pending, and never once it is completed.",
    ),
    Requirement(
        id="exchange:context:appraisal",
        row="C3",
        source="seed 002",
        text="The strongest appraisal counts once; of an event it serves every copy of it.",
    ),
    Requirement(
        id="exchange:context:modelled",
        row="C3",
        source="seed 002",
        text=(
            "What a model appraised enters with its event, entry and relationship, all of "
            "them or none."
        ),
    ),
    Requirement(
        id="exchange:context:floor",
        row="C3",
        source="seed 002",
        text="What is less like the query than the floor is gone before anything is added.",
    ),
    Requirement(
        id="exchange:context:must",
        row="C4",
        source="seed 002",
        text=(
            "What must be shown brings no appraisal of its own along; only the group that a "
            "model made may follow it, whole, where there is room."
        ),
    ),
    Requirement(
        id="exchange:context:review",
        row="C3",
        source="seed 002",
        text=(
            "A review of a task enters with the five things that it rests on, or the query "
            "is refused."
        ),
    ),
    Requirement(
        id="exchange:context:budget",
        row="C3",
        source="seed 002",
        text="A memory and its appraisal fit together exactly, or neither enters.",
    ),
    Requirement(
        id="exchange:queries:status",
        row="C9",
        source="seed 002",
        text="A malformed query is refused with its documented status.",
    ),
    Requirement(
        id="exchange:queries:isolation",
        row="C9",
        source="seed 002",
        text=(
            "Each query of a batch is answered as it is answered alone, and a bad one leaves "
            "the others alone."
        ),
    ),
    Requirement(
        id="exchange:queries:ties",
        row="C9",
        source="seed 002",
        text="Equal scores are ordered by id, and nearly equal ones by sums taken in order.",
    ),
    Requirement(
        id="exchange:queries:budget",
        row="C4",
        source="seed 002",
        text=(
            "A budget is exact: what is too long is passed over, and what must be shown and "
            "does not fit refuses."
        ),
    ),
    Requirement(
        id="exchange:queries:spaces",
        row="C9",
        source="seed 002",
        text="Only vectors of one width, model and processor are compared.",
    ),
    Requirement(
        id="exchange:record:lasting",
        row="C5",
        source="seed 002",
        text=(
            "What would not stand when it is recorded is not recorded, and a file holds 64 "
            "decisions."
        ),
    ),
    Requirement(
        id="exchange:selection:rules",
        row="C4",
        source="seed 002",
        text="What is selected, in which order or with which refusal, is what the rules say.",
    ),
    Requirement(
        id="exchange:selection:indexes",
        row="C12",
        source="design",
        text="Selecting by indexes gives what a scan of everything for each candidate gives.",
    ),
    Requirement(
        id="exchange:selection:replay",
        row="C5",
        source="seed 002",
        text="A recorded selection replays to the same bytes without a search.",
    ),
    Requirement(
        id="exchange:selection:altered",
        row="C5",
        source="seed 002",
        text="An altered, reordered or incomplete recorded selection is refused.",
    ),
    Requirement(
        id="exchange:selection:corrected",
        row="C5",
        source="seed 002",
        text=(
            "A correction makes old recordings stale and is itself recalled, with both "
            "events still stored."
        ),
    ),
    Requirement(
        id="exchange:selection:turns",
        row="C6",
        source="seed 002",
        text="Distinct sources come first, and the actor is the one whom the source names.",
    ),
    Requirement(
        id="exchange:selection:complete",
        row="C6",
        source="seed 002",
        text="A complete working copy enters instead of a part of the same event, where it fits.",
    ),
    Requirement(
        id="exchange:selection:shared",
        row="C7",
        source="seed 002",
        text=(
            "A copy refers to its selected source, sources share a label, and expanding the "
            "labels gives the rows without."
        ),
    ),
    Requirement(
        id="exchange:scoring:same",
        row="C12",
        source="design",
        text=(
            "NumPy, a namespace of the caller's and plain Python give the same order and the "
            "same scores to the last bit."
        ),
    ),
    Requirement(
        id="exchange:render:examples",
        row="C8",
        source="seed 002",
        text="The styles of revisions 0 to 4 render the worked examples byte by byte.",
    ),
    Requirement(
        id="exchange:safe:unambiguous",
        row="C13",
        source="own",
        text="What the safe style writes reads back as it was written, whatever the texts are.",
    ),
    Requirement(
        id="exchange:safe:imitation",
        row="C13",
        source="seed 002",
        text="Stored text in the safe style cannot imitate a header, a group, a task or an input.",
    ),
    Requirement(
        id="exchange:safe:budget",
        row="C13",
        source="own",
        text="The budget of the safe style is measured on what it renders.",
    ),
    Requirement(
        id="exchange:safe:shared",
        row="C13",
        source="own",
        text="In the safe style a copy says by a label whose text it has.",
    ),
    Requirement(
        id="exchange:intake:three",
        row="C11",
        source="seed 002",
        text=(
            "An input that is kept becomes an event with its actor, its vector and a working copy."
        ),
    ),
    Requirement(
        id="exchange:intake:lasting",
        row="C11",
        source="seed 002",
        text=(
            "Where something chosen does not stand once the input is kept, nothing of the "
            "whole input is kept."
        ),
    ),
    Requirement(
        id="exchange:live:rows",
        row="C11",
        source="seed 002",
        text=(
            "A live query is its binding's next, and what the binding has in hand is pinned "
            "behind what it pins."
        ),
    ),
    Requirement(
        id="exchange:bounds:proportion",
        row="C10",
        source="design",
        text="What a file costs to read and to answer from grows as its size does, and no faster.",
    ),
    Requirement(
        id="exchange:bounds:status",
        row="C10",
        source="design",
        text="What would be many times its size in memory or work is refused as CAPACITY.",
    ),
    Requirement(
        id="exchange:boot:recovery",
        row="C10",
        source="seed 002",
        text=(
            "After turns and a correction, a cold start from the file alone has the same "
            "store and goes on."
        ),
    ),
    Requirement(
        id="exchange:pure:ids",
        row="C4",
        source="design",
        text="The selection takes ids of any kind that can be ordered.",
    ),
    Requirement(
        id="exchange:pure:priority",
        row="C4",
        source="seed 002",
        text="Obligations come by priority where one is given, then by id.",
    ),
    Requirement(
        id="exchange:pure:order",
        row="C4",
        source="seed 002",
        text="Required, obligations, pinned, like the question: in this order and none twice.",
    ),
    Requirement(
        id="exchange:pure:overflow",
        row="C4",
        source="own",
        text=(
            "A refusal for want of room names what overflowed and what all that must be "
            "shown needs."
        ),
    ),
    Requirement(
        id="exchange:pure:limits",
        row="C4",
        source="design",
        text="Sixteen entries and four kilobytes are defaults, and larger limits are granted.",
    ),
    Requirement(
        id="exchange:pure:appraisal",
        row="C3",
        source="own",
        text=(
            "An appraisal shares its memory's subject, counts behind the floor, and enters "
            "with it or not at all."
        ),
    ),
    Requirement(
        id="exchange:pure:isolation",
        row="C1",
        source="own",
        text=(
            "In our own revision what cannot be read or compared is left out with its code "
            "and refuses nothing."
        ),
    ),
    Requirement(
        id="exchange:pure:sight",
        row="C2",
        source="design",
        text="Only what the audience may look into, and all that rests on such, is chosen.",
    ),
    Requirement(
        id="exchange:pure:replay",
        row="C5",
        source="design",
        text=(
            "A choice is made again over evidence of any kind, or refused with a code of "
            "what changed."
        ),
    ),
    Requirement(
        id="exchange:cli:files",
        row="C10",
        source="seed 002",
        text=(
            "A batch is answered into a new directory that appears whole, and its store "
            "replays when all else is gone."
        ),
    ),
    Requirement(
        id="exchange:cli:isolation",
        row="C9",
        source="own",
        text=(
            "One bad query is told with its status; only with all-or-nothing does it refuse "
            "the rest."
        ),
    ),
    Requirement(
        id="exchange:cli:overflow",
        row="C4",
        source="own",
        text="An overflow is told with the object, the bound and what would be needed.",
    ),
    Requirement(
        id="exchange:cli:refused",
        row="C10",
        source="seed 002",
        text=(
            "A pipe, a link, another store's queries and a directory that exists or has no name "
            "of its own are refused, and nothing is made."
        ),
    ),
    Requirement(
        id="exchange:cli:retain",
        row="C11",
        source="seed 002",
        text=(
            "Inputs are answered and kept from the command line into a new directory, all of them "
            "or none, where all that was chosen still stands once they are in the store."
        ),
    ),
    Requirement(
        id="exchange:cli:replay",
        row="C5",
        source="seed 002",
        text="Where one recorded choice does not stand, no context of any is shown.",
    ),
    Requirement(
        id="exchange:cli:safe",
        row="C13",
        source="own",
        text=(
            "The safe style is asked for on the command line, and is not recorded in the old "
            "formats."
        ),
    ),
    Requirement(
        id="exchange:cli:inspect",
        row="C10",
        source="own",
        text=(
            "Containers, images, queries and results are told after everything of them was checked."
        ),
    ),
    Requirement(
        id="exchange:convert:homes",
        row="C1",
        source="own",
        text=(
            "Events become messages; assertions, requirements, intentions and appraisals "
            "become records with their sources."
        ),
    ),
    Requirement(
        id="exchange:convert:nothing-dropped",
        row="C1",
        source="own",
        text="Every object of a store that is not taken over is listed with the reason.",
    ),
    Requirement(
        id="exchange:convert:again",
        row="C1",
        source="own",
        text="A second conversion takes in nothing.",
    ),
    Requirement(
        id="exchange:cli:found",
        row="C12",
        source="own",
        text=(
            "A container that was cut off and queries that were prepared for another cut are told "
            "with what was wanted and what was found."
        ),
    ),
)
