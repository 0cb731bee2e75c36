"""Portable kernel calls drawn at random, for backends to replace.

All arithmetic is given directly, no scales in between: so that multipliers,
shifts and biases can be as extreme as the portable kernels allow.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mcucomp.backends import dsp
from mcucomp.backends.base import Refused
from mcucomp.ops import ConstantArray, KernelCall, ParamValue
from mcucomp.ops.constants import blocked, int8_array, int32_array
from mcucomp.ops.params import integer
from mcucomp.ops.row_forms import RowForm, Rows, row_form
from mcucomp.ops.windows import WindowAxis
from tests.oracle.cases import Draw

CLAMPED_ZERO_POINT = -128


@dataclass(frozen=True, slots=True)
class Sizes:
    """From where sizes are drawn: small ones with every oddity, or those of real layers."""

    image: tuple[int, int]
    channels: tuple[int, ...]
    outputs: tuple[int, ...]
    taps: tuple[int, ...]
    batches: tuple[int, ...]
    length: tuple[int, int]


SMALL = Sizes(
    (1, 14), (1, 2, 3, 4, 5, 8, 12), (1, 2, 3, 4, 5, 8, 10), (1, 2, 3, 4), (1, 1, 2), (1, 90)
)
REAL = Sizes((8, 32), (4, 8, 16, 24, 32), (8, 10, 16, 24, 32), (1, 3, 5), (1,), (40, 400))


def weights(draw: Draw, shape: tuple[int, ...]) -> np.ndarray:
    """Any size, only extremes (no -128: TFLite writes none), or small."""
    kind = draw.integer(0, 3)
    if kind == 0:
        return draw.random.choice(np.array([-127, 127], np.int8), shape)
    bound = draw.one_of(3, 127)
    return draw.random.integers(-bound, bound + 1, shape).astype(np.int8)


def scaling(
    draw: Draw, rows: np.ndarray, bias: np.ndarray, *, is_clamped: bool
) -> dict[str, ParamValue]:
    """Multipliers and right shifts that keep most outputs within int8, and the output's range."""
    reach = np.abs(bias.astype(np.int64)) + 128 * np.abs(rows.astype(np.int64)).sum(axis=1)
    fitting = np.ceil(np.log2(np.maximum(reach, 2) / 64)).astype(int)
    shifts = np.clip(fitting + draw.random.integers(-4, 3, len(rows)), 1, 23)
    multipliers = draw.random.integers(1 << 30, 1 << 31, len(rows))
    multipliers[draw.random.random(len(rows)) < 0.1] = 1 << 30
    if draw.integer(0, 4) == 0:
        multipliers[draw.integer(0, len(rows) - 1)] = 0
    return {
        "multiplier": int32_array(multipliers),
        "right_shift": int8_array(shifts),
        "out_zero_point": CLAMPED_ZERO_POINT if is_clamped else draw.zero_point(),
        "out_min": -128,
        "out_max": 127,
    }


def biases(draw: Draw, count: int) -> np.ndarray:
    bound = draw.one_of(1, 1000, 100_000)
    return draw.random.integers(-bound, bound + 1, count).astype(np.int32)


def _axis(draw: Draw, sizes: Sizes, taps: int, stride: int, dilation: int = 1) -> WindowAxis:
    padding = draw.one_of("SAME", "VALID")
    extent = (taps - 1) * dilation + 1
    size = draw.integer(*sizes.image)
    return WindowAxis(
        max(size, extent) if padding == "VALID" else size, taps, stride, dilation, padding
    )


def convolution(draw: Draw, sizes: Sizes = SMALL) -> tuple[KernelCall, int, int]:
    """(call, bytes of the input, bytes of the output)."""
    batches, channels = draw.one_of(*sizes.batches), draw.one_of(*sizes.channels)
    outputs = draw.one_of(*sizes.outputs)
    height = _axis(draw, sizes, draw.one_of(*sizes.taps), draw.integer(1, 3), draw.one_of(1, 1, 2))
    width = _axis(draw, sizes, draw.one_of(*sizes.taps), draw.integer(1, 3))
    return _convolution(draw, batches, channels, outputs, height, width)


def convolution_3x3(draw: Draw, sizes: Sizes = SMALL) -> tuple[KernelCall, int, int]:
    """Stride 1, channels in multiples of four, mostly an even height and a width of fours."""
    channels, outputs = 4 * draw.integer(1, 6), 4 * draw.integer(1, 6)
    padding = draw.one_of("SAME", "VALID")
    grown = 0 if padding == "SAME" else 2
    height = WindowAxis(2 * draw.integer(1, sizes.image[1] // 2) + grown, 3, 1, 1, padding)
    width = WindowAxis(4 * draw.integer(1, sizes.image[1] // 4) + grown, 3, 1, 1, padding)
    return _convolution(draw, draw.one_of(*sizes.batches), channels, outputs, height, width)


def _convolution(
    draw: Draw, batches: int, channels: int, outputs: int, height: WindowAxis, width: WindowAxis
) -> tuple[KernelCall, int, int]:
    rows = weights(draw, (outputs, height.taps * width.taps * channels))
    bias = biases(draw, outputs)
    scale = scaling(draw, rows, bias, is_clamped=bool(draw.integer(0, 1)))
    params: dict[str, ParamValue] = {
        "filter": int8_array(blocked(rows)),
        "bias": int32_array(bias),
        "multiplier": scale["multiplier"],
        "right_shift": scale["right_shift"],
        "batches": batches,
        "in_height": height.in_size,
        "in_width": width.in_size,
        "out_height": height.out_size,
        "out_width": width.out_size,
        "groups": 1,
        "group_in_channels": channels,
        "group_out_channels": outputs,
        "filter_height": height.taps,
        "filter_width": width.taps,
        "stride_h": height.stride,
        "stride_w": width.stride,
        "dilation_h": height.dilation,
        "dilation_w": 1,
        "pad_top": height.pad_before,
        "pad_left": width.pad_before,
        "in_zero_point": draw.zero_point(),
        "out_zero_point": scale["out_zero_point"],
        "out_min": -128,
        "out_max": 127,
    }
    call = KernelCall("mcuc_conv_2d_s8", params, reads=(0,), writes=(1,))
    pixels = batches * height.out_size * width.out_size
    return call, batches * height.in_size * width.in_size * channels, pixels * outputs


def pointwise(draw: Draw, sizes: Sizes = SMALL) -> tuple[KernelCall, int, int]:
    pixels, channels = draw.integer(*sizes.image), draw.integer(*sizes.length)
    outputs = draw.one_of(*sizes.outputs)
    rows, bias = weights(draw, (outputs, channels)), biases(draw, outputs)
    scale = scaling(draw, rows, bias, is_clamped=bool(draw.integer(0, 1)))
    params: dict[str, ParamValue] = {
        "filter": int8_array(blocked(rows)),
        "bias": int32_array(bias),
        "multiplier": scale["multiplier"],
        "right_shift": scale["right_shift"],
        "pixels": pixels,
        "in_channels": channels,
        "out_channels": outputs,
        "out_zero_point": scale["out_zero_point"],
        "out_min": -128,
        "out_max": 127,
    }
    call = KernelCall("mcuc_conv_2d_s8__1x1", params, reads=(0,), writes=(1,))
    return call, pixels * channels, pixels * outputs


def plain_pointwise(
    rows: np.ndarray, bias: np.ndarray, shifts: np.ndarray | None = None, zero_point: int = 3
) -> KernelCall:
    """Three pixels through the given weights, a row an output; the same multiplier for all."""
    outputs, channels = rows.shape
    params: dict[str, ParamValue] = {
        "filter": int8_array(blocked(rows)),
        "bias": int32_array(bias),
        "multiplier": int32_array(np.full(outputs, 0x5A7F1234)),
        "right_shift": int8_array(np.full(outputs, 6) if shifts is None else shifts),
        "pixels": 3,
        "in_channels": channels,
        "out_channels": outputs,
        "out_zero_point": zero_point,
        "out_min": -128,
        "out_max": 127,
    }
    return KernelCall("mcuc_conv_2d_s8__1x1", params, reads=(0,), writes=(1,))


def depthwise_3x3(draw: Draw, sizes: Sizes = SMALL) -> tuple[KernelCall, int, int]:
    """Stride 1 or 2, clamped."""
    stride = draw.integer(1, 2)
    height, width = (_axis(draw, sizes, 3, stride) for _ in range(2))
    return _depthwise(
        draw, draw.one_of(*sizes.batches), 4 * draw.integer(1, 4), height, width, True
    )


def depthwise_row(draw: Draw, sizes: Sizes = SMALL) -> tuple[KernelCall, int, int]:
    """A filter of one row, as sequences have it."""
    height = WindowAxis(draw.integer(1, 3), 1, 1, 1, "SAME")
    width = _axis(draw, sizes, draw.integer(1, 15), 1)
    is_clamped = bool(draw.integer(0, 1))
    return _depthwise(
        draw, draw.one_of(*sizes.batches), 4 * draw.integer(1, 8), height, width, is_clamped
    )


def depthwise(draw: Draw, sizes: Sizes = SMALL) -> tuple[KernelCall, int, int]:
    """Any filter and strides, clamped or not."""
    height = _axis(draw, sizes, draw.integer(1, 7), draw.integer(1, 3))
    width = _axis(draw, sizes, draw.integer(1, 7), draw.integer(1, 2))
    is_clamped = bool(draw.integer(0, 1))
    return _depthwise(
        draw, draw.one_of(*sizes.batches), 4 * draw.integer(1, 4), height, width, is_clamped
    )


def _depthwise(
    draw: Draw,
    batches: int,
    channels: int,
    height: WindowAxis,
    width: WindowAxis,
    is_clamped: bool,
) -> tuple[KernelCall, int, int]:
    taps = weights(draw, (height.taps, width.taps, channels))
    rows, bias = taps.reshape(-1, channels).T, biases(draw, channels)
    scale = scaling(draw, rows, bias, is_clamped=is_clamped)
    params: dict[str, ParamValue] = {
        "filter": int8_array(taps),
        "bias": int32_array(bias),
        "multiplier": scale["multiplier"],
        "right_shift": scale["right_shift"],
        "batches": batches,
        "in_height": height.in_size,
        "in_width": width.in_size,
        "out_height": height.out_size,
        "out_width": width.out_size,
        "channels": channels,
        "filter_height": height.taps,
        "filter_width": width.taps,
        "stride_h": height.stride,
        "stride_w": width.stride,
        "dilation_h": 1,
        "dilation_w": 1,
        "pad_top": height.pad_before,
        "pad_left": width.pad_before,
        "in_zero_point": draw.zero_point(),
        "out_zero_point": scale["out_zero_point"],
        "out_min": -128,
        "out_max": 127,
    }
    call = KernelCall("mcuc_depthwise_conv_2d_s8", params, reads=(0,), writes=(1,))
    pixels = batches * height.out_size * width.out_size
    return call, batches * height.in_size * width.in_size * channels, pixels * channels


def fully_connected(draw: Draw, sizes: Sizes = SMALL) -> tuple[KernelCall, int, int]:
    rows, channels = draw.one_of(*sizes.batches), draw.integer(*sizes.length)
    outputs = draw.one_of(*sizes.outputs)
    if rows > 1 and draw.integer(0, 3):
        channels = -(-channels // 4) * 4
    matrix, bias = weights(draw, (outputs, channels)), biases(draw, outputs)
    reach = 128 * np.abs(matrix.astype(np.int64)).sum(axis=1).max() + np.abs(bias).max()
    params: dict[str, ParamValue] = {
        "filter": int8_array(blocked(matrix)),
        "bias": int32_array(bias),
        "multiplier": int(draw.random.integers(1 << 30, 1 << 31)),
        "rows": rows,
        "in_channels": channels,
        "out_channels": outputs,
        "right_shift": min(23, max(1, int(np.log2(max(reach, 2))) - draw.integer(3, 9))),
        "out_zero_point": draw.zero_point(),
        "out_min": -128,
        "out_max": 127,
    }
    call = KernelCall("mcuc_fully_connected_s8", params, reads=(0,), writes=(1,))
    return call, rows * channels, rows * outputs


def add(draw: Draw, sizes: Sizes = SMALL) -> tuple[KernelCall, int, int]:
    size = draw.integer(*sizes.length)
    params: dict[str, ParamValue] = {
        "size": size,
        "b_multiplier": int(draw.random.integers(1 << 30, 1 << 31)),
        "out_multiplier": int(draw.random.integers(1 << 30, 1 << 31)),
        "a_offset": -draw.zero_point(),
        "b_offset": -draw.zero_point(),
        "b_right_shift": draw.integer(0, 12),
        "out_right_shift": draw.one_of(1, 15, 16, 17, 18, 19, 20, 23),
        "out_zero_point": draw.zero_point(),
        "out_min": -128,
        "out_max": 127,
    }
    return KernelCall("mcuc_add_s8", params, reads=(0, 1), writes=(2,)), size, size


def average_pool(draw: Draw, sizes: Sizes = SMALL) -> tuple[KernelCall, int, int]:
    """Windows inside the image, channels in multiples of four."""
    height, width = (
        WindowAxis(taps + draw.integer(0, 7), taps, draw.integer(1, 3), 1, "VALID")
        for taps in (draw.integer(1, 15), draw.integer(1, 17))
    )
    batches, channels = draw.one_of(*sizes.batches), 4 * draw.integer(1, 5)
    return _pool("mcuc_average_pool_2d_s8", batches, channels, height, width)


def max_pool(draw: Draw, sizes: Sizes = SMALL) -> tuple[KernelCall, int, int]:
    """Any window, also reaching out of the image; mostly channels in fours, and not clamped."""
    height, width = (_axis(draw, sizes, draw.integer(1, 5), draw.integer(1, 3)) for _ in range(2))
    batches, fours = draw.one_of(*sizes.batches), 4 * draw.integer(1, 8)
    channels = draw.one_of(fours, fours, fours, fours + draw.integer(-3, 3))
    call, input_bytes, output_bytes = _pool("mcuc_max_pool_2d_s8", batches, channels, height, width)
    low, high = -128, 127
    if draw.integer(0, 3) == 0:
        low, high = sorted((draw.zero_point(), draw.zero_point()))
    return with_param(call, out_min=low, out_max=high), input_bytes, output_bytes


def _pool(
    kernel: str, batches: int, channels: int, height: WindowAxis, width: WindowAxis
) -> tuple[KernelCall, int, int]:
    params: dict[str, ParamValue] = {
        "batches": batches,
        "in_height": height.in_size,
        "in_width": width.in_size,
        "out_height": height.out_size,
        "out_width": width.out_size,
        "channels": channels,
        "filter_height": height.taps,
        "filter_width": width.taps,
        "stride_h": height.stride,
        "stride_w": width.stride,
        "pad_top": height.pad_before,
        "pad_left": width.pad_before,
        "out_min": -128,
        "out_max": 127,
    }
    call = KernelCall(kernel, params, reads=(0,), writes=(1,))
    pixels = batches * height.out_size * width.out_size
    return call, batches * height.in_size * width.in_size * channels, pixels * channels


def mul(draw: Draw, sizes: Sizes = SMALL) -> tuple[KernelCall, int, int]:
    """Two tensors of one shape."""
    rows, width = draw.integer(1, 5), draw.integer(*sizes.length)
    strides = (rows * width, rows * width, rows * width, rows * width, width, 1)
    params: dict[str, ParamValue] = {
        "shape": (1, 1, 1, 1, rows, width),
        "a_strides": strides,
        "b_strides": strides,
        "a_offset": -draw.zero_point(),
        "b_offset": -draw.zero_point(),
        "multiplier": int(draw.random.integers(1 << 30, 1 << 31)),
        "out_zero_point": draw.zero_point(),
        "out_min": -128,
        "out_max": 127,
        "right_shift": draw.integer(0, 12),
    }
    return KernelCall("mcuc_mul_s8", params, (0, 1), (2,)), rows * width, rows * width


def softmax(draw: Draw, sizes: Sizes = SMALL) -> tuple[KernelCall, int, int]:
    """Input scales from tiny to large, rows of a few values and of many."""
    rows, depth = draw.integer(1, 4), draw.one_of(1, 2, 10, 300, draw.integer(1, 40))
    left_shift = draw.integer(8, 28)
    params: dict[str, ParamValue] = {
        "rows": rows,
        "depth": depth,
        "multiplier": int(draw.random.integers(1 << 30, 1 << 31)),
        "diff_min": -((31 << 26) >> left_shift),
        "left_shift": left_shift,
    }
    call = KernelCall("mcuc_softmax_s8", params, reads=(0,), writes=(1,))
    return call, rows * depth, rows * depth


def with_param(call: KernelCall, **changed: ParamValue | np.ndarray) -> KernelCall:
    """The same call with other parameters; arrays keep their C type."""
    params = dict(call.params)
    for name, value in changed.items():
        old = params[name]
        if isinstance(value, np.ndarray):
            assert isinstance(old, ConstantArray)
            value = ConstantArray(old.c_type, value.astype(old.values.dtype).ravel())
        params[name] = value
    return KernelCall(call.kernel, params, call.reads, call.writes, call.scratch_bytes, call.macs)


def with_sum(channel: int, highest: int, shift: int) -> KernelCall:
    """A pointwise call in which one channel's sum reaches `highest`, where outputs still change."""
    weights = np.full((4, 4), 5)
    bias = np.zeros(4, np.int64)
    bias[channel] = highest - 4 * 5 * 127
    # The outputs 103 and 104 meet at the middle of the sums.
    multiplier = round(100.5 * 2 ** (31 + shift) / bias[channel])
    call = plain_pointwise(weights, bias, shifts=np.full(4, shift))
    return with_param(call, multiplier=np.full(4, multiplier))


def in_rows(
    call: KernelCall, input_bytes: int, output_bytes: int
) -> list[tuple[KernelCall, RowForm]]:
    """What of `call` and of what the extension has for it runs in rows, with its form."""
    in_height, out_height = _heights(call, input_bytes)
    if input_bytes % in_height or output_bytes % out_height:
        return []
    seen = Rows(in_height, input_bytes // in_height)
    out = Rows(out_height, output_bytes // out_height)
    found = []
    for tested in (call, *_rivals(call)):
        form = row_form(tested, [seen] * len(call.reads), out)
        if form is not None:
            found.append((tested, form))
    return found


def _rivals(call: KernelCall) -> Iterator[KernelCall]:
    for rule in dsp.BACKEND.rules[call.kernel]:
        with contextlib.suppress(Refused):
            yield rule(call)


def _heights(call: KernelCall, input_bytes: int) -> tuple[int, int]:
    """Rows of input and output. Without an image pixels, or the input of a layer of all pixels,
    are as few rows as can be."""
    params = call.params
    if "in_height" in params:
        return integer(params, "in_height"), integer(params, "out_height")
    if "pixels" in params:
        rows = _least_divisor(integer(params, "pixels"))
        return rows, rows
    if params.get("rows") == 1:
        return _least_divisor(input_bytes), 1
    return 1, 1


def _least_divisor(count: int) -> int:
    """But one, unless there is no other."""
    return next((k for k in range(2, count + 1) if count % k == 0), 1)
