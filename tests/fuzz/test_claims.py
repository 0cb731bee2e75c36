"""Small files that claim much: refused, or planned, at once and in little memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from mcucomp import pipeline
from mcucomp.backends import Selection
from mcucomp.errors import DoesNotFit, InvalidModel
from mcucomp.ir import DType
from mcucomp.rules import parse
from tests.fuzz.pipeline import bounded
from tests.support.models import ModelBuilder

SIDE = 32_767
ALLOWED_S = 5
ALLOWED_BYTES = 512 << 20
SMALL_BYTES = 10_000

Grow = Callable[[ModelBuilder], None]


def _image(b: ModelBuilder, *shape: int) -> int:
    return b.input(shape or (SIDE, SIDE), scale=0.5)


def _ints(b: ModelBuilder, *values: int) -> int:
    return b.constant(np.array(values, np.int32))


def _into(
    b: ModelBuilder, kind: str, inputs: Sequence[int], *shape: int, **options: object
) -> None:
    b.operator(kind, inputs, shape or (SIDE, SIDE), scale=0.5, **options)  # type: ignore[arg-type]


def _window(kind: str, axis: int, **options: object) -> Grow:
    def grow(b: ModelBuilder) -> None:
        x = _image(b, 1, SIDE, SIDE, 1)
        weights = b.constant(np.ones((1, 3, 3, 1), np.int8), (0.1,), axis=axis)
        stride = {"stride_w": 1, "stride_h": 1, "padding": "SAME"}
        _into(b, kind, (x, weights, -1), 1, SIDE, SIDE, 1, **stride, **options)

    return grow


def _pool(b: ModelBuilder) -> None:
    options = {"stride_w": 1, "stride_h": 1, "filter_width": 2, "filter_height": 2}
    x = _image(b, 1, SIDE, SIDE, 1)
    _into(b, "MAX_POOL_2D", (x,), 1, SIDE, SIDE, 1, padding="SAME", **options)


def _one_hot(b: ModelBuilder) -> None:
    ones = [b.constant(np.array(value, np.int8)) for value in (1, 0)]
    indices, depth = b.input((SIDE,), DType.INT32), b.constant(np.array(SIDE, np.int32))
    b.operator("ONE_HOT", (indices, depth, *ones), (SIDE, SIDE), axis=-1)


def _constant_spread(b: ModelBuilder) -> None:
    value = b.constant(np.array([3], np.int8), (0.5,))
    spread = b.operator("BROADCAST_TO", (value, _ints(b, SIDE, SIDE)), (SIDE, SIDE), scale=0.5)
    _into(b, "RELU", (spread,))


def _resize(b: ModelBuilder) -> None:
    inputs = (_image(b, 1, 1, 1, 1), _ints(b, SIDE, SIDE))
    _into(b, "RESIZE_NEAREST_NEIGHBOR", inputs, 1, SIDE, SIDE, 1)


def _channels(b: ModelBuilder) -> None:
    """All of it one dimension, the last, each index of which is a channel."""
    shape = (1, SIDE * SIDE)
    doubled = b.operator("ADD", (_image(b, *shape),) * 2, shape, scale=0.5)
    _into(b, "RELU", (doubled,), *shape)


# Each walks over a gigabyte, if it is walked over.
GIGABYTES: dict[str, Grow] = {
    "ADD": lambda b: _into(b, "ADD", (_image(b, SIDE, 1), _image(b, 1, SIDE))),
    "channels": _channels,
    "MUL": lambda b: _into(b, "MUL", (_image(b), _image(b, 1))),
    "TRANSPOSE": lambda b: _into(b, "TRANSPOSE", (_image(b), _ints(b, 1, 0))),
    "REVERSE_V2": lambda b: _into(b, "REVERSE_V2", (_image(b), _ints(b, 0))),
    "MEAN": lambda b: _into(b, "MEAN", (_image(b), _ints(b, 0)), 1, SIDE, keep_dims=True),
    "BATCH_MATMUL": lambda b: _into(b, "BATCH_MATMUL", (_image(b, SIDE, 1), _image(b, 1, SIDE))),
    "BROADCAST_TO": _constant_spread,
    "RESIZE_NEAREST_NEIGHBOR": _resize,
    "ONE_HOT": _one_hot,
    "MAX_POOL_2D": _pool,
    "CONV_2D": _window("CONV_2D", 0),
    "DEPTHWISE_CONV_2D": _window("DEPTHWISE_CONV_2D", 3, depth_multiplier=1),
}


@pytest.mark.parametrize("cpu", ["generic", "cortex-m4"])
@pytest.mark.parametrize("rules", ["all", "all,free-rows", "all,rows"])
@pytest.mark.parametrize("kind", sorted(GIGABYTES))
def test_gigabytes_are_planned_without_walking_over_them(kind: str, rules: str, cpu: str) -> None:
    b = ModelBuilder()
    GIGABYTES[kind](b)
    data = b.bytes()
    assert len(data) < SMALL_BYTES
    with bounded(ALLOWED_S, ALLOWED_BYTES):
        planned = pipeline.plan_model(
            data, "m.tflite", rules=parse(rules), selection=Selection(cpu)
        )
    assert planned.plan.arena_bytes >= SIDE * SIDE


def test_terabytes_are_refused() -> None:
    b = ModelBuilder()
    b.operator("RELU", (b.input((2**20, 2**20), scale=0.5),), (2**20, 2**20), scale=0.5)
    data = b.bytes()
    assert len(data) < SMALL_BYTES
    with bounded(ALLOWED_S, ALLOWED_BYTES), pytest.raises(InvalidModel) as caught:
        pipeline.plan_model(data, "m.tflite")
    assert str(caught.value) == (
        "m.tflite: tensors have more than 2147483647 B\n"
        "  tensor 0 tensor_0 of int8 [1048576, 1048576] has 1099511627776 B\n"
        "  tensor 1 out_0 of int8 [1048576, 1048576] has 1099511627776 B\n"
        "  fix: the file is damaged or was edited badly; convert the model again"
    )


def test_tensors_that_together_are_too_many() -> None:
    b = ModelBuilder()
    halves = [b.operator("MUL", (_image(b), _image(b)), (SIDE, SIDE), scale=0.5) for _ in "ab"]
    _into(b, "MUL", halves)
    with bounded(ALLOWED_S, ALLOWED_BYTES), pytest.raises(DoesNotFit) as caught:
        pipeline.plan_model(b.bytes(), "m.tflite")
    what, fix = str(caught.value).split("\n")
    assert what.endswith(" B of arena; offsets on a device reach 2,147,483,647 B")
    assert fix == "  fix: choose a smaller model"
