"""Recall: what is shown for a question, within a budget, and why."""

from __future__ import annotations

from tests.requirements.requirement import Requirement

REQUIREMENTS = (
    Requirement(
        id="recall:budget:bytes",
        row="P4",
        source="seed 000",
        text=(
            "The UTF-8 length of the text of a pack is what it says and never above the budget, "
            "which is inclusive."
        ),
    ),
    Requirement(
        id="recall:budget:items",
        row="P4",
        source="seed 000",
        text="A pack never holds more items than asked for.",
    ),
    Requirement(
        id="recall:budget:whole",
        row="A8",
        source="seed 000",
        text=(
            "An item that does not fit is left out whole, is listed with its size, and smaller "
            "ones behind it still enter."
        ),
    ),
    Requirement(
        id="recall:budget:required",
        row="P4",
        source="seed 000",
        text="A required id or an open task that does not fit is an overflow that names it.",
    ),
    Requirement(
        id="recall:budget:tokens",
        row="A8",
        source="seed 000",
        text=(
            "A pack holds only what the host's tokenizer lets through, asked about the complete "
            "text."
        ),
    ),
    Requirement(
        id="recall:budget:query-free",
        row="A8",
        source="seed 000",
        text="The length of the question takes nothing from the budget.",
    ),
    Requirement(
        id="recall:budget:out-of-range",
        row="A8",
        source="seed 000",
        text=(
            "An unknown policy, and a budget of zero, below zero or above its limit, are refused "
            "as bad input."
        ),
    ),
    Requirement(
        id="recall:empty",
        row="A8",
        source="seed 000",
        text=(
            "Where nothing is relevant the pack has no items and an empty text, and that is no "
            "error."
        ),
    ),
    Requirement(
        id="recall:explain:shown",
        row="P5",
        source="seed 001",
        text="Each item shown has at least one reason code.",
    ),
    Requirement(
        id="recall:explain:left-out",
        row="P5",
        source="seed 001",
        text="Each thing that was found and left out is listed with one reason code and its size.",
    ),
    Requirement(
        id="recall:explain:why",
        row="B21",
        source="seed 001",
        text=(
            "For any one id why says its place in the pack and the part of each retriever and of "
            "each boost, which add up to its worth."
        ),
    ),
    Requirement(
        id="recall:explain:why-not",
        row="B21",
        source="seed 001",
        text=(
            "For any one id why-not says whether it is shown, the reason, and at which rank each "
            "retriever found it."
        ),
    ),
    Requirement(
        id="recall:receipt:recorded",
        row="A9",
        source="seed 000",
        text=(
            "A recorded recall writes what was shown and why, and can be replayed without "
            "searching again."
        ),
    ),
    Requirement(
        id="recall:plain:writes-nothing",
        row="A12",
        source="seed 000",
        text="A recall changes no byte of the store.",
    ),
    Requirement(
        id="recall:policy:lexical",
        row="A7",
        source="seed 000",
        text="The policy lexical shows what shares words with the question, best first.",
    ),
    Requirement(
        id="recall:policy:balanced",
        row="A7",
        source="seed 000",
        text="The policy balanced takes from its retrievers rank by rank, and shows nothing twice.",
    ),
    Requirement(
        id="recall:policy:fallback",
        row="A7",
        source="seed 000",
        text=(
            "Where no word of the question fits, balanced asks for words that mean nearly the "
            "same; and whenever the caller gives synonyms or a scorer."
        ),
    ),
    Requirement(
        id="recall:policy:hybrid",
        row="A7",
        source="seed 000",
        text=(
            "The policy hybrid always asks every retriever that searches; semantic goes by meaning "
            "alone; both show every open task."
        ),
    ),
    Requirement(
        id="recall:policy:tasks",
        row="A7",
        source="seed 000",
        text=(
            "The policy tasks shows the open tasks that are named and nothing else, or all of them "
            "where none is; what is no open task is refused."
        ),
    ),
    Requirement(
        id="recall:policy:own",
        row="A7",
        source="own",
        text=(
            "A caller may make a policy and pass it; what it names must exist and its weights be "
            "in range, and the error says which is not."
        ),
    ),
    Requirement(
        id="recall:policy:own-replay",
        row="A7",
        source="own",
        text=(
            "A recall by a policy of the caller's replays to the same bytes, and its receipt "
            "holds no name that the caller chose."
        ),
    ),
    Requirement(
        id="recall:policy:scorer",
        row="A7",
        source="seed 000",
        text=(
            "A function of the caller's says how well each thing found answers; a number outside "
            "0 to 1 is refused."
        ),
    ),
    Requirement(
        id="recall:synonyms",
        row="A7",
        source="seed 000",
        text=(
            "A question leads to what says another word of the same group, built in or the "
            "caller's, whole phrases too."
        ),
    ),
    Requirement(
        id="recall:tasks:guaranteed",
        row="A4",
        source="seed 000",
        text="Every open task is in a balanced pack, whatever the question.",
    ),
    Requirement(
        id="recall:state:competes",
        row="A8",
        source="seed 000",
        text="State entries compete with records for the same budget, behind open tasks.",
    ),
    Requirement(
        id="recall:standing:current",
        row="P5",
        source="seed 000",
        text=(
            "Default recall shows what is current, and with history past versions too, each with "
            "its standing."
        ),
    ),
    Requirement(
        id="recall:pinned:first",
        row="B31",
        source="seed 001",
        text=(
            "A pinned id enters before what was found, and is left out with a reason where it does "
            "not stand."
        ),
    ),
    Requirement(
        id="recall:deterministic:bytes",
        row="P9",
        source="design",
        text="The same ledger, question and clock give the same bytes, also after a rebuild.",
    ),
    Requirement(
        id="recall:label:correction-comes",
        row="B1",
        source="own",
        text=(
            "What corrects a message that a recall found is considered right before it, whatever "
            "its own words; so is what corrects that."
        ),
    ),
    Requirement(
        id="recall:label:source-corrected",
        row="A8",
        source="own",
        text=(
            "What rests on an event that a correction answers is labelled `source_corrected`, as "
            "of when it was known."
        ),
    ),
    Requirement(
        id="recall:entry:about",
        row="A8",
        source="own",
        text="An entry names whom or what its record is about, in every style.",
    ),
    Requirement(
        id="recall:label:corrected",
        row="B1",
        source="seed 002",
        text="An event that a correction answers is labelled `corrected`, as of when it was known.",
    ),
    Requirement(
        id="recall:isolated:answers",
        row="P7",
        source="seed 000",
        text=(
            "No recall shows, counts or names anything of another scope, and a foreign required id "
            "is answered like an unknown one."
        ),
    ),
    Requirement(
        id="recall:isolated:ranking",
        row="P7",
        source="design",
        text="What other scopes hold changes no rank and no score.",
    ),
    Requirement(
        id="recall:as-of:versions",
        row="B13",
        source="design",
        text=(
            "A version that says from when it holds leaves the one before it standing until then; "
            "a moment is answered with the version that held at it."
        ),
    ),
    Requirement(
        id="recall:tasks:not-due",
        row="B13",
        source="design",
        text=(
            "An open task that is past its time or put off is considered only where it matches "
            "the question, and with history it competes like anything else."
        ),
    ),
    Requirement(
        id="recall:filter:undated",
        row="B2",
        source="design",
        text=(
            "A message of which nobody said when it was said is shown as undated, and is in no "
            "window of time."
        ),
    ),
    Requirement(
        id="recall:filter:each",
        row="B2",
        source="seed 001",
        text=(
            "A filter by thread, session, excluded session, role, type or tags shows exactly what "
            "passes it."
        ),
    ),
    Requirement(
        id="recall:filter:time",
        row="B2",
        source="seed 001",
        text="Since is inclusive and until is exclusive.",
    ),
    Requirement(
        id="recall:filter:collection",
        row="B18",
        source="seed 001",
        text="What lies in a collection is shown when the collection is named and else never.",
    ),
    Requirement(
        id="recall:filter:before-limit",
        row="B2",
        source="seed 001",
        text=(
            "A filter applies before the limit: the one match among a thousand better ones outside "
            "it is found."
        ),
    ),
    Requirement(
        id="recall:text:quoted",
        row="B2",
        source="seed 001",
        text=(
            "Words in quotation marks are found where they stand together in that order. In a "
            "question that is nothing but quotations nothing else is found; in another, where "
            "nothing holds them, its words count one by one."
        ),
    ),
    Requirement(
        id="recall:text:cjk",
        row="B2",
        source="seed 001",
        text="A question of one or two CJK characters finds the texts that hold them side by side.",
    ),
    Requirement(
        id="recall:text:scripts",
        row="A16",
        source="seed 000",
        text="Cyrillic, CJK, Arabic, Thai and emoji are stored and found.",
    ),
    Requirement(
        id="recall:text:spellings",
        row="B2",
        source="own",
        text=(
            "What people write in several ways is found in each: with and without the accents of "
            "Greek, the points of Hebrew and Arabic and the strokes of Latin letters, ß and ss, "
            "ё and е, digits of any script, and with signs inside that nobody sees."
        ),
    ),
    Requirement(
        id="recall:text:operators",
        row="B2",
        source="design",
        text="Nothing in a question is read as an operator of the search engine.",
    ),
    Requirement(
        id="recall:text:bounded-time",
        row="B2",
        source="seed 001",
        text=(
            "A question of 50,000 words, one of a megabyte without a space, and one of words that "
            "stand everywhere, are answered in bounded time."
        ),
    ),
    Requirement(
        id="recall:passage:found",
        row="B2",
        source="design",
        text=(
            "A passage of a long message is shown within a budget that the whole would not fit, "
            "and is exactly the characters that its span names."
        ),
    ),
    Requirement(
        id="recall:render:sources",
        row="P5",
        source="seed 000",
        text="The text of a pack says of each item what it is, and when and from whom it comes.",
    ),
    Requirement(
        id="recall:render:own-tags",
        row="C13",
        source="own",
        text="A stored text cannot close the block that it is handed over in.",
    ),
    Requirement(
        id="recall:as-of:recorded",
        row="B13",
        source="seed 001",
        text="A recall as of a past moment shows what was held at that moment.",
    ),
    Requirement(
        id="recall:rank:sum",
        row="A7",
        source="own",
        text="The scores of several retrievers are added on one scale, and each is weighed by name.",
    ),
    Requirement(
        id="recall:rank:unlisted",
        row="A7",
        source="own",
        text=(
            "What a retriever had no room to hand on counts half of the last that it did, where "
            "another one found it."
        ),
    ),
    Requirement(
        id="recall:rank:answers",
        row="A7",
        source="own",
        text="What was said right after a question is preferred as its answer.",
    ),
    Requirement(
        id="recall:rank:user",
        row="A7",
        source="own",
        text=(
            "Where an assistant answers in long texts, what the user said is preferred, the more "
            "the longer they are; elsewhere it is not."
        ),
    ),
    Requirement(
        id="recall:rank:windows",
        row="A7",
        source="own",
        text=(
            "A message counts for what it and its neighbours in the same conversation say of a "
            "question together, if it holds one of its words itself."
        ),
    ),
    Requirement(
        id="recall:rank:cues",
        row="A7",
        source="own",
        text="A question is read for dates and for asking a time; a number is no year by itself.",
    ),
    Requirement(
        id="recall:days:named",
        row="A7",
        source="own",
        text=(
            "A question is read for whole dates, and for days as they are called from the moment "
            "it is asked for, in UTC; what could mean two days names none."
        ),
    ),
    Requirement(
        id="recall:days:words",
        row="A7",
        source="own",
        text=(
            "The numbers of a whole date match nothing by themselves, and a text that writes the "
            "date out is found."
        ),
    ),
    Requirement(
        id="recall:days:dated",
        row="A7",
        source="own",
        text=(
            "What was said on the days that a question names is found without a word of it, "
            "spread over them, behind what fits the words too; filters apply before the limit."
        ),
    ),
    Requirement(
        id="recall:rank:boosts",
        row="A7",
        source="own",
        text=(
            "The speaker and date that a question names, the session, time words and length are "
            "weighed by name, and a policy says by how much."
        ),
    ),
    Requirement(
        id="recall:past:recorded",
        row="B13",
        source="design",
        text=(
            "With `as_recorded` every answer is what it was after the last commit recorded by "
            "then: later events, versions and endings do not count."
        ),
    ),
    Requirement(
        id="recall:past:limits",
        row="B13",
        source="design",
        text="What was recorded later takes up no place in a retriever's limit.",
    ),
    Requirement(
        id="recall:past:valid",
        row="B13",
        source="seed 001",
        text=(
            "With `as_of` records are judged by their valid window at that time, and what was "
            "said later is not evidence."
        ),
    ),
    Requirement(
        id="recall:past:erased",
        row="P8",
        source="design",
        text="An erased thing is erased at every moment.",
    ),
    Requirement(
        id="recall:render:roles",
        row="P6",
        source="own",
        text="No actor, key or text can look like another role, another kind or a citation.",
    ),
    Requirement(
        id="recall:tasks:past-filters",
        row="A4",
        source="own",
        text="A filter leaves no open task out of a balanced recall; until its time is over.",
    ),
    Requirement(
        id="recall:reason:how-it-ended",
        row="P5",
        source="own",
        text=(
            "What was taken back, closed, completed, rejected or said to be over is left out, and "
            "named in a replay, with that word; `superseded` only where something else stands."
        ),
    ),
    Requirement(
        id="recall:overflow:advice",
        row="P4",
        source="own",
        text=(
            "An overflow says what would help against what does not fit: a policy that promises no "
            "tasks only where all else that must be shown fits."
        ),
    ),
)
