"""Where offsets in the file would crash TFLM, order alone is changed, and the note says why."""

from __future__ import annotations

import pytest

from mcucomp import tflite
from mcucomp.errors import AnswerIsNo, UnsupportedModel
from mcucomp.ir import DType, Graph, Tensor
from mcucomp.tflm import KERNELS, Rules, rewrite
from tests.support.models import ModelBuilder, model_of

REFERENCE = KERNELS["reference"]


def _branches() -> ModelBuilder:
    """Three wide tensors that need not live together, each made narrow at once."""
    b = ModelBuilder()
    x = b.input((1, 64), DType.FLOAT32)
    wide = [b.operator("CONCATENATION", (x,) * 8, (1, 512), DType.FLOAT32) for _ in range(3)]
    narrow = [b.operator("SLICE", (w, x, x), (1, 64), DType.FLOAT32) for w in wide]
    first = b.operator("ADD", (narrow[0], narrow[1]), (1, 64), DType.FLOAT32)
    b.operator("ADD", (first, narrow[2]), (1, 64), DType.FLOAT32)
    return b


def test_a_variable_of_another_graph() -> None:
    state = Tensor(0, "state", DType.INT8, (1, 4), is_variable=True)
    other = Graph("other", (state,), (), (), ())
    model = model_of(_branches().finish().graphs[0], other)
    made = rewrite(model, tflite.write(model), Rules.INPLACE, REFERENCE)
    assert made.after.offsets is None
    assert made.after.head_bytes < made.before.head_bytes
    assert made.moved > 0
    assert made.notes == (
        "order only: graph 1 has a variable (state); offsets in the file would crash"
        " TensorFlow Lite Micro",
    )
    assert "OfflineMemoryAllocation" not in (tflite.read(made.data, "x").metadata or {})


def test_a_file_that_was_rewritten_cannot_be_bettered() -> None:
    b = _branches()
    made = rewrite(b.finish(), b.bytes(), Rules.ORDERS, REFERENCE)
    again = tflite.read(made.data, "again.tflite")
    with pytest.raises(AnswerIsNo):
        rewrite(again, made.data, Rules.ORDERS, REFERENCE)


def test_compressed_constants_are_left_alone() -> None:
    b = _branches()
    b.metadata["COMPRESSION_METADATA"] = b"\0"
    with pytest.raises(UnsupportedModel) as caught:
        rewrite(b.finish(), b.bytes(), Rules.ORDERS, REFERENCE)
    assert str(caught.value) == (
        "test.tflite: has compressed constants (metadata COMPRESSION_METADATA)\n"
        "  fix: rewrite the model before it is compressed"
    )
