"""Scratch by operator and kernel library, against figures worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mcucomp.errors import InvalidModel, UnsupportedModel
from mcucomp.ir import DType
from mcucomp.tflm import KERNELS
from mcucomp.tflm.scratch import requests
from tests.support.models import ModelBuilder

STRIDES: dict[str, Any] = {"stride_w": 1, "stride_h": 1}
LIBRARIES = ("reference", "cmsis-nn-plain", "cmsis-nn-dsp", "cmsis-nn-mve")


def _by_library(b: ModelBuilder) -> list[tuple[int, ...]]:
    model = b.finish()
    return [tuple(requests(model, KERNELS[name]).get((0, 0), ())) for name in LIBRARIES]


def _conv(kernel: int, padding: str = "SAME") -> ModelBuilder:
    b = ModelBuilder()
    x = b.input((1, 8, 8, 3), scale=0.5)
    w = b.constant(np.ones((4, kernel, kernel, 3), np.int8), (0.1,) * 4)
    bias = b.constant(np.zeros(4, np.int32))
    out = 8 if padding == "SAME" else 9 - kernel
    b.operator("CONV_2D", (x, w, bias), (1, out, out, 4), scale=0.5, padding=padding, **STRIDES)
    return b


def test_convolutions() -> None:
    assert _by_library(_conv(3)) == [(), (112,), (112,), (128,)]  # 27 taps
    assert _by_library(_conv(1)) == [(), (), (), ()]


def test_depthwise_convolutions() -> None:
    b = ModelBuilder()
    x = b.input((1, 8, 8, 4), scale=0.5)
    w = b.constant(np.ones((1, 5, 3, 4), np.int8), (0.1,) * 4, axis=3)
    bias = b.constant(np.zeros(4, np.int32))
    b.operator(
        "DEPTHWISE_CONV_2D", (x, w, bias), (1, 8, 8, 4), scale=0.5, padding="SAME",
        depth_multiplier=1, **STRIDES,
    )  # fmt: skip
    assert _by_library(b) == [(), (), (2 * 15 * 4,), (4 * 124 * 15,)]


def test_average_pools() -> None:
    b = ModelBuilder()
    x = b.input((1, 4, 4, 6), scale=0.5)
    b.operator("AVERAGE_POOL_2D", (x,), (1, 4, 4, 6), scale=0.5, padding="SAME", **STRIDES)
    assert _by_library(b) == [(), (), (24,), ()]


def test_means() -> None:
    b = ModelBuilder()
    x = b.input((1, 4, 4, 6), scale=0.5)
    axes = b.constant(np.array([1, 2], np.int32))
    b.operator("MEAN", (x, axes), (1, 6), scale=0.5)
    assert _by_library(b) == [(24, 16, 8)] * 4


def test_lstm_has_one_buffer_less_in_cmsis_nn() -> None:
    b = ModelBuilder()
    x = b.input((2, 3, 4), scale=0.5)
    absent = (-1,) * 17
    hidden = b.tensor((2, 5), is_variable=True)
    cell = b.tensor((2, 5), DType.INT16, is_variable=True)
    b.operator(
        "UNIDIRECTIONAL_SEQUENCE_LSTM", (x, *absent, hidden, cell), (2, 3, 5), time_major=False
    )
    assert _by_library(b) == [(20,) * 4, (20,) * 3, (20,) * 3, (20,) * 3]


def test_an_operator_without_its_inputs_is_refused() -> None:
    b = ModelBuilder()
    x = b.input((1, 4))
    b.operator("MEAN", (x,), (1, 4))
    with pytest.raises(InvalidModel) as caught:
        requests(b.finish(), KERNELS["reference"])
    assert str(caught.value) == (
        "test.tflite: graph 0 operator 0 MEAN: it lacks inputs, dimensions or options that MEAN"
        " needs\n  fix: convert the model again"
    )


def test_a_custom_operator_that_is_not_known_is_refused() -> None:
    b = ModelBuilder()
    x = b.input((1, 4))
    b.operator_into("CUSTOM", (x,), (b.tensor((1, 4)),), custom_code="SignalRft\x1b")
    with pytest.raises(UnsupportedModel) as caught:
        requests(b.finish(), KERNELS["reference"])
    assert str(caught.value) == (
        "test.tflite: operator 0: nothing is known of the custom operator SignalRft\\x1b, so that"
        " its scratch cannot be foreseen\n"
        "  fix: known are SignalRfft, SignalIrfft, SignalEnergy, SignalFramer, ..."
    )
