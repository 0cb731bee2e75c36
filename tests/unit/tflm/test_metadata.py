"""The entry OfflineMemoryAllocation, read and written; whole messages."""

from __future__ import annotations

import struct

import pytest

from mcucomp.errors import InvalidModel
from mcucomp.ir import Graph, Model, Tensor
from mcucomp.ir.types import DType
from mcucomp.tflm import metadata
from tests.support.models import ModelBuilder, model_of

FIX = "\n  fix: remove the entry, or write it anew with 'mcucomp rewrite'"


def _model(*words: int) -> Model:
    b = ModelBuilder()
    x = b.input((1, 4), scale=0.5)
    b.operator("RELU", (x,), (1, 4), scale=0.5)
    if words:
        b.metadata[metadata.NAME] = struct.pack(f"<{len(words)}i", *words)
    return b.finish()


def test_an_entry_comes_back() -> None:
    model = _model()
    data = metadata.entry(model, {(0, 1): 48})
    assert struct.unpack("<5i", data) == (1, 1, 2, -1, 48)
    assert metadata.prescribed(_model(1, 1, 2, -1, 48)) == {(0, 1): 48}
    assert metadata.prescribed(model) == {}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((1, 1), "it has 8 B; its header alone has 12"),
        ((1, 1, 3, 0, 0, 0), "it states 3 offsets and has 3; the model has 2 tensors"),
        ((1, 1, 2, 0), "it states 2 offsets and has 1; the model has 2 tensors"),
        ((1, 1, 2, 0, -2), "an offset is -2, before the arena's start"),
    ],
)
def test_an_entry_that_tflm_would_follow_astray(words: tuple[int, ...], message: str) -> None:
    with pytest.raises(InvalidModel) as caught:
        metadata.prescribed(_model(*words))
    assert str(caught.value) == f"test.tflite: metadata {metadata.NAME}: {message}{FIX}"


def test_a_variable_beyond_the_first_graph_forbids_an_entry() -> None:
    plain = _model()
    assert metadata.why_not(plain) is None
    state = Tensor(0, "state\n", DType.INT8, (1, 4), is_variable=True)
    model = model_of(plain.graphs[0], Graph("other", (state,), (), (), ()))
    assert metadata.why_not(model) == (
        "graph 1 has a variable (state\\n); offsets in the file would crash TensorFlow Lite Micro"
    )
