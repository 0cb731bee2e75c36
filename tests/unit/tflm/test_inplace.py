"""Which outputs may lie over inputs, and which never."""

from __future__ import annotations

import numpy as np
import pytest

from mcucomp.tflm import KERNELS
from mcucomp.tflm.blocks import blocks, file_orders
from mcucomp.tflm.inplace import Sharing, sharings
from tests.support.models import ModelBuilder

WINDOW = {"stride_w": 1, "stride_h": 1, "filter_width": 2, "filter_height": 2}


def _found(b: ModelBuilder, kernels: str = "reference", outputs: tuple[int, ...] | None = None):
    model = b.finish(outputs)
    orders = file_orders(model)
    lives = {block.tensor: block.lifetime for block in blocks(model, orders, {})}
    return sharings(model, orders[0], lives, KERNELS[kernels])


def _image() -> tuple[ModelBuilder, int]:
    b = ModelBuilder()
    return b, b.input((1, 4, 4, 2), scale=0.5)


def test_either_input_of_an_addition() -> None:
    b, x = _image()
    y = b.input((1, 4, 4, 2), scale=0.5)
    z = b.operator("ADD", (x, y), (1, 4, 4, 2), scale=0.5)
    assert _found(b) == [[Sharing(0, x, z), Sharing(0, y, z)]]


def test_an_input_that_is_read_later_is_kept() -> None:
    b, x = _image()
    b.operator("RELU", (x,), (1, 4, 4, 2), scale=0.5)
    last = b.operator("RELU", (x,), (1, 4, 4, 2), scale=0.5)
    assert _found(b) == [[Sharing(1, x, last)]]


def test_an_output_of_the_graph_is_kept() -> None:
    b, x = _image()
    y = b.operator("RELU", (x,), (1, 4, 4, 2), scale=0.5)
    z = b.operator("RELU", (y,), (1, 4, 4, 2), scale=0.5)
    assert _found(b, outputs=(y, z)) == [[Sharing(0, x, y)]]


def test_a_broadcast_input_is_not_taken() -> None:
    b, x = _image()
    small = b.input((1, 1, 1, 2), scale=0.5)
    z = b.operator("MUL", (small, x), (1, 4, 4, 2), scale=0.5)
    assert _found(b) == [[Sharing(0, x, z)]]


@pytest.mark.parametrize(("padding", "size", "count"), [("VALID", 3, 1), ("SAME", 4, 0)])
def test_windows_without_padding_alone(padding: str, size: int, count: int) -> None:
    b, x = _image()
    b.operator("MAX_POOL_2D", (x,), (1, size, size, 2), scale=0.5, padding=padding, **WINDOW)
    assert len(_found(b)) == count


@pytest.mark.parametrize(("multiplier", "count"), [(1, 1), (2, 0)])
def test_depthwise_with_one_filter_a_channel_alone(multiplier: int, count: int) -> None:
    b, x = _image()
    channels = 2 * multiplier
    w = b.constant(np.ones((1, 2, 2, channels), np.int8), (0.1,) * channels, axis=3)
    bias = b.constant(np.zeros(channels, np.int32))
    b.operator(
        "DEPTHWISE_CONV_2D", (x, w, bias), (1, 3, 3, channels), scale=0.5, padding="VALID",
        stride_w=1, stride_h=1, depth_multiplier=multiplier,
    )  # fmt: skip
    assert len(_found(b)) == count


def test_an_exclusive_sum_writes_before_it_reads() -> None:
    for exclusive in (False, True):
        b, x = _image()
        axis = b.constant(np.array(1, np.int32))
        b.operator("CUMSUM", (x, axis), (1, 4, 4, 2), scale=0.5, exclusive=exclusive)
        assert len(_found(b)) == (0 if exclusive else 1)


def test_kernels_that_a_library_replaces_are_left_alone() -> None:
    b, x = _image()
    y = b.operator("ADD", (x, x), (1, 4, 4, 2), scale=0.5)
    z = b.operator("RELU", (y,), (1, 4, 4, 2), scale=0.5)
    assert len(_found(b)) == 2
    assert _found(b, "cmsis-nn-dsp") == [[Sharing(1, y, z)]]


def test_convolutions_never() -> None:
    b, x = _image()
    w = b.constant(np.ones((2, 1, 1, 2), np.int8), (0.1, 0.1))
    bias = b.constant(np.zeros(2, np.int32))
    b.operator(
        "CONV_2D", (x, w, bias), (1, 4, 4, 2), scale=0.5, padding="VALID", stride_w=1, stride_h=1
    )
    assert _found(b) == []
