"""Vectors: finding what means the same, by a model that is never needed."""

from __future__ import annotations

from tests.requirements.requirement import Requirement

REQUIREMENTS = (
    Requirement(
        id="vectors:embedder:names",
        row="B30",
        source="own",
        text=(
            "An embedder is named by one word, by a library and a model, or by an address and a "
            "model; any other name is refused, and one that is not installed says what to install."
        ),
    ),
    Requirement(
        id="vectors:embedder:foreign",
        row="B30",
        source="own",
        text=(
            "Whatever a model raises or gives wrongly, wherever it is called, is "
            "embedder_unavailable with its cause, and nothing is stored of it."
        ),
    ),
    Requirement(
        id="vectors:embedder:numpy",
        row="B30",
        source="own",
        text=(
            "Without NumPy whatever needs it says what to install; a recall or a write that does "
            "not goes on."
        ),
    ),
    Requirement(
        id="vectors:embedder:chosen",
        row="B30",
        source="own",
        text=(
            "A recall compares by the model it names, else by that of the memory, else by the one "
            "that is installed and covers most texts, a test model last; no other is loaded."
        ),
    ),
    Requirement(
        id="vectors:embed:forget",
        row="B30",
        source="own",
        text=(
            "To forget vectors needs no model, and no name where one model has vectors; what a "
            "rebuild drops is told."
        ),
    ),
    Requirement(
        id="vectors:recall:partial",
        row="B30",
        source="own",
        text="A recall says where the newest texts have no vectors, and people are told each caveat.",
    ),
    Requirement(
        id="vectors:embedder:packaged",
        row="B30",
        source="own",
        text="The packaged models embed without a network, the same text to the same vector.",
    ),
    Requirement(
        id="vectors:embedder:library",
        row="B30",
        source="own",
        text="Any model that a local library loads from a folder can embed.",
    ),
    Requirement(
        id="vectors:embedder:endpoint",
        row="B30",
        source="own",
        text=(
            "An address that answers as OpenAI's embeddings do can embed, in bounded requests; "
            "where it fails or answers something else, that is unavailable and says why."
        ),
    ),
    Requirement(
        id="vectors:embedder:endpoint-named",
        row="B30",
        source="own",
        text="Texts and questions leave the machine only where the caller names the address.",
    ),
    Requirement(
        id="vectors:embed:dimension",
        row="B30",
        source="own",
        text=(
            "A model that gives vectors of another dimension under its old name has none here: "
            "embed makes them, and says how many of the old ones went."
        ),
    ),
    Requirement(
        id="vectors:embed:resumes",
        row="B30",
        source="seed 001",
        text=(
            "Embedding goes on where it was broken off, makes nothing twice, and takes in only "
            "what is new."
        ),
    ),
    Requirement(
        id="vectors:embed:writes",
        row="B30",
        source="own",
        text=(
            "Where the opening asks for it, each write makes the missing vectors; a model that "
            "fails is no failure of the write, and the next one catches up."
        ),
    ),
    Requirement(
        id="vectors:embed:passages",
        row="B30",
        source="own",
        text="Each passage of a long text has a vector, and is what is shown.",
    ),
    Requirement(
        id="vectors:embed:wrong",
        row="B30",
        source="own",
        text="Vectors of another number, length or kind than announced are refused and not stored.",
    ),
    Requirement(
        id="vectors:cache:loss",
        row="B30",
        source="seed 001",
        text=(
            "Losing, forgetting or rebuilding vectors touches no memory: the chain verifies, and a "
            "recall works without them."
        ),
    ),
    Requirement(
        id="vectors:cache:spaces",
        row="B30",
        source="seed 001",
        text="Vectors of two models or two dimensions are never compared.",
    ),
    Requirement(
        id="vectors:cache:erased",
        row="B30",
        source="seed 001",
        text="An erasure takes the vectors of what it erases, and no byte of them stays.",
    ),
    Requirement(
        id="vectors:cache:verified",
        row="B30",
        source="own",
        text=(
            "Verify says that numbers were not made again and how many texts have a vector, and "
            "finds vectors of what is not there; status counts them."
        ),
    ),
    Requirement(
        id="vectors:verify:any-byte",
        row="B30",
        source="design",
        text="A changed byte of a stored vector, or of what is noted of its model, is found.",
    ),
    Requirement(
        id="vectors:cache:fresh",
        row="B30",
        source="own",
        text="What is kept in memory follows the table, also where another process writes it.",
    ),
    Requirement(
        id="vectors:recall:similar",
        row="A7",
        source="seed 000",
        text=(
            "Hybrid and semantic find what the model says is similar, name it as the reason, and "
            "the answer names the model; filters and moments hold as everywhere."
        ),
    ),
    Requirement(
        id="vectors:recall:told",
        row="B21",
        source="design",
        text=(
            "A recall that found nothing by words says that there are vectors which its policy does "
            "not compare."
        ),
    ),
    Requirement(
        id="vectors:recall:least",
        row="A8",
        source="own",
        text=(
            "Where even the nearest vector is not as near as the model has it for an answer, "
            "meaning finds nothing, and a pack may be empty."
        ),
    ),
    Requirement(
        id="vectors:recall:window",
        row="A7",
        source="own",
        text="A turn is found by what stands beside it in its conversation, and in no other.",
    ),
    Requirement(
        id="vectors:recall:exact",
        row="B30",
        source="own",
        text="Beyond some thousands of vectors the ten best are nearly always the exact ten.",
    ),
    Requirement(
        id="vectors:recall:plain",
        row="B30",
        source="own",
        text="A recall that does not ask for vectors loads no heavy library.",
    ),
)
