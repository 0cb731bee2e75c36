"""Each rewrite takes away what it says, and no result changes: TFLM runs both, or we run ours.

A model whose padding was folded in cannot be written to a file, so our kernels run it, and TFLM
the original.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from mcucomp.ir import DType, Model
from mcucomp.rewrite import PASSES, rewrite, rewrite_graph
from mcucomp.rules import ALL, Rules
from mcucomp.tflite import write
from tests.support.kernel_runner import run_model
from tests.support.models import ModelBuilder
from tests.support.reference import tflm_outputs

Q: dict[str, Any] = {"scale": 0.05, "zero_point": -7}
RANDOM = np.random.default_rng(11)


def rewritten(b: ModelBuilder, outputs: tuple[int, ...] | None = None) -> tuple[Model, Model]:
    """(the model, what all passes make of it)."""
    model = b.finish(outputs)
    return model, rewrite(model, Rules(rewrites=True))


def kinds(model: Model) -> list[str]:
    return [operator.kind for operator in model.graphs[0].operators]


def values(shape: tuple[int, ...]) -> np.ndarray:
    return RANDOM.integers(-128, 128, shape, dtype=np.int8)


def same_on_tflm(before: Model, after: Model, inputs: list[np.ndarray]) -> None:
    expected, got = (tflm_outputs(write(m), inputs) for m in (before, after))
    assert len(expected) == len(got)
    for a, b in zip(expected, got, strict=True):
        np.testing.assert_array_equal(a, b)


def same_here(before: Model, after: Model, inputs: list[np.ndarray]) -> None:
    for a, b in zip(tflm_outputs(write(before), inputs), run_model(after, inputs), strict=True):
        np.testing.assert_array_equal(a, b)


def weights(b: ModelBuilder, shape: tuple[int, ...], axis: int) -> tuple[int, int]:
    scales = RANDOM.uniform(0.005, 0.02, shape[axis]).tolist()
    bias = RANDOM.integers(-500, 500, shape[axis], dtype=np.int32)
    return b.constant(values(shape), scales, axis=axis), b.constant(bias, scales)


def flattened() -> ModelBuilder:
    """ABS and a RESHAPE to the shape that SHAPE, STRIDED_SLICE and PACK compute."""
    b = ModelBuilder()
    x = b.input((2, 3, 2), **Q)
    shape = b.operator("SHAPE", (x,), (3,), DType.INT32, out_type="int32")
    first, second, step = (b.constant(np.array([k], np.int32)) for k in (0, 1, 1))
    rows = b.operator(
        "STRIDED_SLICE", (shape, first, second, step), (), DType.INT32, shrink_axis_mask=1
    )
    rest = b.constant(np.array(6, np.int32))
    wanted = b.operator("PACK", (rows, rest), (2,), DType.INT32, axis=0, values_count=2)
    y = b.operator("ABS", (x,), (2, 3, 2), **Q)
    b.operator("RESHAPE", (y, wanted), (2, 6), **Q)
    return b


def test_a_shape_that_is_computed_is_forgotten() -> None:
    before, after = rewritten(flattened())
    assert kinds(after) == ["ABS", "RESHAPE"]
    same_on_tflm(before, after, [values((2, 3, 2))])


def test_a_shape_that_is_computed_is_not_read() -> None:
    """Without rewrites, too, the shape of the output is what counts; values may be followed."""
    before = flattened().finish()
    for rules in (Rules(), Rules(values=True)):
        after = rewrite(before, rules)
        assert kinds(after) == kinds(before)
        same_here(before, after, [values((2, 3, 2))])


MARGINS = np.array([[0, 0], [2, 1], [0, 3], [0, 0]], np.int32)


def padded(b: ModelBuilder, kind: str = "PAD", value: int = -7) -> int:
    x = b.input((1, 6, 7, 3), **Q)
    inputs = [x, b.constant(MARGINS)]
    if kind == "PADV2":
        inputs.append(b.constant(np.array([value], np.int8), [0.05], [-7]))
    return b.operator(kind, inputs, (1, 9, 10, 3), **Q)


def convolved(b: ModelBuilder, x: int, padding: str, stride: int, out: tuple[int, int]) -> int:
    return b.operator(
        "CONV_2D", (x, *weights(b, (5, 3, 3, 3), 0)), (1, *out, 5), scale=0.2, zero_point=3,
        padding=padding, stride_h=stride, stride_w=stride,
    )  # fmt: skip


@pytest.mark.parametrize("kind", ["PAD", "PADV2"])
@pytest.mark.parametrize(("padding", "stride", "out"), [("VALID", 2, (4, 4)), ("SAME", 1, (9, 10))])
def test_a_pad_is_folded_into_a_convolution(
    kind: str, padding: str, stride: int, out: tuple[int, int]
) -> None:
    b = ModelBuilder()
    convolved(b, padded(b, kind), padding, stride, out)
    before, after = rewritten(b)
    assert kinds(after) == ["CONV_2D"]
    options = after.graphs[0].operators[0].options
    extra = 0 if padding == "VALID" else 1
    pads = [options[f"pad_{side}"] for side in ("top", "bottom", "left", "right")]
    assert pads == [2 + extra, 1 + extra, extra, 3 + extra]
    same_here(before, after, [values((1, 6, 7, 3))])


def test_a_pad_is_folded_into_a_depthwise_convolution() -> None:
    b = ModelBuilder()
    b.operator(
        "DEPTHWISE_CONV_2D", (padded(b), *weights(b, (1, 3, 3, 3), 3)), (1, 4, 4, 3), scale=0.2,
        padding="VALID", stride_h=2, stride_w=2, depth_multiplier=1,
    )  # fmt: skip
    before, after = rewritten(b)
    assert kinds(after) == ["DEPTHWISE_CONV_2D"]
    same_here(before, after, [values((1, 6, 7, 3))])


@pytest.mark.parametrize(("value", "folds"), [(-128, True), (-7, False)])
def test_a_pad_is_folded_into_a_maximum_if_it_is_below_everything(value: int, folds: bool) -> None:
    b = ModelBuilder()
    b.operator(
        "MAX_POOL_2D", (padded(b, "PADV2", value),), (1, 4, 3, 3), **Q, padding="VALID",
        stride_h=2, stride_w=3, filter_height=3, filter_width=4,
    )  # fmt: skip
    before, after = rewritten(b)
    assert kinds(after) == (["MAX_POOL_2D"] if folds else ["PADV2", "MAX_POOL_2D"])
    same_here(before, after, [values((1, 6, 7, 3))])


def test_pads_that_are_no_zero_points_or_have_other_readers_stay() -> None:
    b = ModelBuilder()
    convolved(b, padded(b, "PADV2", 9), "VALID", 2, (4, 4))
    assert kinds(rewritten(b)[1]) == ["PADV2", "CONV_2D"]
    b = ModelBuilder()
    x = padded(b)
    pool = b.operator(
        "AVERAGE_POOL_2D", (x,), (1, 3, 3, 3), **Q, padding="VALID", stride_h=3, stride_w=3,
        filter_height=3, filter_width=3,
    )  # fmt: skip
    conv = convolved(b, x, "VALID", 2, (4, 4))
    after = rewritten(b, (pool, conv))[1]
    assert kinds(after) == ["PAD", "AVERAGE_POOL_2D", "CONV_2D"]


def test_constants_are_folded() -> None:
    b = ModelBuilder()
    x = b.input((1, 4), DType.FLOAT32)
    stored = b.constant(values((1, 4)), [0.3], [4])
    real = b.operator("DEQUANTIZE", (stored,), (1, 4), DType.FLOAT32)
    flat = b.operator("RESHAPE", (real, b.constant(np.array([4], np.int32))), (4,), DType.FLOAT32)
    b.operator("ADD", (x, flat), (1, 4), DType.FLOAT32)
    before, after = rewritten(b)
    assert kinds(after) == ["ADD"]
    same_on_tflm(before, after, [RANDOM.normal(size=(1, 4)).astype(np.float32)])


def test_a_quantised_constant_is_folded() -> None:
    b = ModelBuilder()
    x = b.input((1, 9), **Q)
    halves = b.constant((np.arange(-4, 5) * 0.15).astype(np.float32).reshape(1, 9))
    y = b.operator("QUANTIZE", (halves,), (1, 9), scale=0.3, zero_point=2)
    b.operator("ADD", (x, y), (1, 9), scale=0.2)
    before, after = rewritten(b)
    assert kinds(after) == ["ADD"]
    same_on_tflm(before, after, [values((1, 9))])


def test_a_shape_is_folded() -> None:
    b = ModelBuilder()
    x = b.input((3, 2, 5), **Q)
    shape = b.operator("SHAPE", (x,), (3,), DType.INT32, out_type="int32")
    y = b.operator("RESHAPE", (x, shape), (3, 2, 5), **Q)
    b.operator("ADD", (x, y), (3, 2, 5), scale=0.3)
    before, after = rewritten(b)
    assert kinds(after) == ["ADD"]
    same_on_tflm(before, after, [values((3, 2, 5))])


def test_identities_are_dropped_also_in_front_of_an_output() -> None:
    b = ModelBuilder()
    x = b.input((2, 6), **Q)
    a = b.operator("QUANTIZE", (x,), (2, 6), **Q)
    c = b.operator("ADD", (a, x), (2, 6), scale=0.3)
    last = b.operator("RESHAPE", (c, b.constant(np.array([2, 6], np.int32))), (2, 6), scale=0.3)
    before, after = rewritten(b)
    assert kinds(after) == ["ADD"]
    assert after.graphs[0].outputs == (last,)
    same_on_tflm(before, after, [values((2, 6))])


def test_an_identity_between_input_and_output_stays() -> None:
    b = ModelBuilder()
    b.operator("QUANTIZE", (b.input((2, 6), **Q),), (2, 6), **Q)
    assert kinds(rewritten(b)[1]) == ["QUANTIZE"]


def test_another_scale_is_no_identity() -> None:
    b = ModelBuilder()
    x = b.input((2, 6), **Q)
    y = b.operator("QUANTIZE", (x,), (2, 6), scale=0.05, zero_point=-8)
    b.operator("ADD", (x, y), (2, 6), scale=0.3)
    assert kinds(rewritten(b)[1]) == ["QUANTIZE", "ADD"]


def test_transposes_cancel() -> None:
    b = ModelBuilder()
    x = b.input((1, 4, 5, 3), **Q)
    there = b.operator("TRANSPOSE", (x, b.constant(np.array([0, 3, 1, 2], np.int32))), (1, 3, 4, 5),
                       **Q)  # fmt: skip
    back = b.operator("TRANSPOSE", (there, b.constant(np.array([0, 2, 3, 1], np.int32))),
                      (1, 4, 5, 3), **Q)  # fmt: skip
    b.operator("ADD", (back, x), (1, 4, 5, 3), scale=0.3)
    before, after = rewritten(b)
    assert kinds(after) == ["ADD"]
    same_on_tflm(before, after, [values((1, 4, 5, 3))])


def test_transposes_that_do_not_undo_each_other_stay() -> None:
    b = ModelBuilder()
    x = b.input((2, 3, 4), **Q)
    turn = b.constant(np.array([1, 2, 0], np.int32))
    y = b.operator("TRANSPOSE", (x, turn), (3, 4, 2), **Q)
    b.operator("TRANSPOSE", (y, turn), (4, 2, 3), **Q)
    assert kinds(rewritten(b)[1]) == ["TRANSPOSE", "TRANSPOSE"]


@pytest.mark.parametrize("kind", ["RELU", "RELU6"])
@pytest.mark.parametrize("scale", [0.05, 0.017, 1 / 42.6])
def test_activations_are_absorbed(kind: str, scale: float) -> None:
    b = ModelBuilder()
    x = b.input((2, 30), **Q)
    w = b.constant(values((40, 30)), [0.02])
    y = b.operator("FULLY_CONNECTED", (x, w), (2, 40), scale=scale, zero_point=-20)
    b.operator(kind, (y,), (2, 40), scale=scale, zero_point=-20)
    before, after = rewritten(b)
    assert kinds(after) == ["FULLY_CONNECTED"]
    assert after.graphs[0].operators[0].options["fused_activation_function"] == kind
    same_on_tflm(before, after, [values((2, 30))])


def test_an_activation_at_another_scale_or_with_a_neighbour_stays() -> None:
    for other in (False, True):
        b = ModelBuilder()
        x = b.input((2, 6), **Q)
        y = b.operator("ADD", (x, x), (2, 6), scale=0.3)
        z = b.operator("RELU", (y,), (2, 6), scale=0.3 if other else 0.4)
        if other:
            b.operator("ADD", (y, z), (2, 6), scale=0.3)
        assert kinds(rewritten(b)[1])[:2] == ["ADD", "RELU"]


def test_an_activation_stays_behind_an_operator_that_takes_none() -> None:
    b = ModelBuilder()
    x = b.input((2, 6), scale=0.3)
    y = b.operator("CONCATENATION", (x, x), (2, 12), scale=0.3, axis=1,
                   fused_activation_function="NONE")  # fmt: skip
    b.operator("RELU", (y,), (2, 12), scale=0.3)
    before, after = rewritten(b)
    assert kinds(after) == ["CONCATENATION", "RELU"]
    same_on_tflm(before, after, [values((2, 6))])


def test_what_nobody_reads_is_dropped() -> None:
    b = ModelBuilder()
    x = b.input((2, 6), **Q)
    dead = b.operator("ADD", (x, x), (2, 6), scale=0.3)
    b.operator("ADD", (dead, x), (2, 6), scale=0.3)
    out = b.operator("ADD", (x, x), (2, 6), scale=0.2)
    before, after = rewritten(b, (out,))
    assert [op.index for op in after.graphs[0].operators] == [2]
    same_on_tflm(before, after, [values((2, 6))])


def test_a_float_input_is_quantised_at_the_edge() -> None:
    b = ModelBuilder()
    x = b.input((2, 6), DType.FLOAT32)
    y = b.operator("QUANTIZE", (x,), (2, 6), **Q)
    b.operator("ADD", (y, y), (2, 6), scale=0.3)
    graph = rewrite(b.finish(), ALL).graphs[0]
    assert [op.kind for op in graph.operators] == ["ADD"]
    assert graph.inputs == (y,)


def test_a_float_input_with_two_readers_stays() -> None:
    b = ModelBuilder()
    x = b.input((2, 6), DType.FLOAT32)
    for scale in (0.1, 0.2):
        b.operator("QUANTIZE", (x,), (2, 6), scale=scale)
    assert rewrite(b.finish(), ALL).graphs[0].inputs == (x,)


def test_tensors_and_operators_keep_their_indices() -> None:
    b = ModelBuilder()
    convolved(b, padded(b), "VALID", 2, (4, 4))
    graph = b.finish().graphs[0]
    after = rewrite_graph(graph)
    assert [t.index for t in after.tensors] == list(range(len(graph.tensors)))
    assert dataclasses.replace(after.operators[0], options={}).index == 1


def test_every_pass_has_its_reason() -> None:
    for apply in PASSES.values():
        doc = __import__(apply.__module__, fromlist=["x"]).__doc__
        assert "Reason:" in doc
