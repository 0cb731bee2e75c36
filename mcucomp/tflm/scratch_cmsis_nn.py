"""How many bytes of scratch do the kernels of CMSIS-NN request?

In: a node and what the core can do: nothing special ("plain"), the DSP
extension ("dsp"), vectors ("mve"). Out: the bytes of each request, as TFLM
makes them. Compiled with gcc or clang; armclang differs in two sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from mcucomp.ir import DType
from mcucomp.ops.base import Node

Rule = Callable[[Node], tuple[int, ...]]

REPLACED = frozenset(
    {
        "ADD",
        "AVERAGE_POOL_2D",
        "BATCH_MATMUL",
        "CONV_2D",
        "DEPTHWISE_CONV_2D",
        "FULLY_CONNECTED",
        "MAXIMUM",
        "MAX_POOL_2D",
        "MINIMUM",
        "MUL",
        "PAD",
        "PADV2",
        "SOFTMAX",
        "SVDF",
        "TRANSPOSE",
        "TRANSPOSE_CONV",
        "UNIDIRECTIONAL_SEQUENCE_LSTM",
    }
)

_QUANTISED = (DType.INT8, DType.INT16)


def rules(core: str) -> Mapping[str, Rule]:
    """The rules for a core: "plain", "dsp" or "mve"."""
    kinds = {
        "ADD_N": _add_n,
        "AVERAGE_POOL_2D": _average_pool,
        "BATCH_MATMUL": _batch_matmul,
        "CONV_2D": _conv,
        "DEPTHWISE_CONV_2D": _depthwise,
        "FULLY_CONNECTED": _fully_connected,
        "SVDF": _svdf,
        "TRANSPOSE_CONV": _transpose_conv,
        "UNIDIRECTIONAL_SEQUENCE_LSTM": _lstm,
    }
    return {kind: partial(rule, core) for kind, rule in kinds.items()}


def _positive(size_bytes: int) -> tuple[int, ...]:
    """TFLM requests nothing where the library needs nothing."""
    return (size_bytes,) if size_bytes > 0 else ()


def _ceil(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple


def _number(node: Node, option: str) -> int:
    value = node.option(option)
    assert isinstance(value, int)
    return value


def _pad_before(node: Node, axis: int, taps: int, stride: int, dilation: int) -> int:
    """Padding before the first pixel along an axis of the image, as TFLM computes it."""
    if node.option("padding") == "VALID":
        return 0
    extent = (taps - 1) * dilation + 1
    in_size, out_size = node.input(0).shape[axis], node.output().shape[axis]
    return max(0, (out_size - 1) * stride + extent - in_size) // 2


def _conv(core: str, node: Node) -> tuple[int, ...]:
    image = node.input(0)
    if image.dtype is DType.INT16:
        # Whatever the bias: TFLM looks for its type in the wrong place and finds none.
        return _positive(_im2col_s16(core, node))
    # For four-bit weights TFLM asks the eight-bit function too.
    return _positive(_conv_s8(core, node)) if image.dtype is DType.INT8 else ()


def _taps(node: Node) -> int:
    """Bytes under one position of the filter: width by height by the image's channels."""
    _, height, width, _ = node.input(1).shape
    return width * height * node.input(0).shape[3]


def _im2col_s16(core: str, node: Node) -> int:
    taps = _taps(node)
    return 64 * (_ceil(taps, 8) // 8) if core == "mve" else 4 * taps


def _general_s8(core: str, taps: int) -> int:
    return 64 * (_ceil(taps, 16) // 16) if core == "mve" else 4 * _ceil(taps, 4)


def _conv_s8(core: str, node: Node) -> int:
    _, height, width, depth = node.input(1).shape
    channels = node.input(0).shape[3]
    stride_w, stride_h = _number(node, "stride_w"), _number(node, "stride_h")
    dilation_w, dilation_h = (
        _number(node, "dilation_w_factor"),
        _number(node, "dilation_h_factor"),
    )
    pad_w = _pad_before(node, 2, width, stride_w, dilation_w)
    pad_h = _pad_before(node, 1, height, stride_h, dilation_h)
    undilated = dilation_w == dilation_h == 1
    if height == width == 1 and pad_w == pad_h == 0 and undilated and depth == channels:
        return 0
    general = _general_s8(core, _taps(node))
    one_row = node.input(0).shape[1] == 1 and height == 1 and dilation_w == 1
    if core == "mve" and one_row and stride_w * channels % 4 == 0 and depth == channels:
        return _row_mve(node, width, channels, stride_w, pad_w, general)
    return general


def _row_mve(node: Node, width: int, channels: int, stride_w: int, pad_w: int, general: int) -> int:
    """A filter along one row: room for the taps at either border of the image."""
    in_w, out_w = node.input(0).shape[2], node.output().shape[2]
    total_pad = max(0, (out_w - 1) * stride_w + width - in_w)
    right = total_pad - pad_w
    left_columns = -(-pad_w // stride_w)
    right_columns = -(-right // stride_w)
    inner_columns = (in_w - width + stride_w) // stride_w if in_w >= width else 0
    if left_columns + right_columns + inner_columns != out_w:
        return general
    left_bytes = pad_w * channels
    right_bytes = right * channels if right != pad_w else left_bytes
    return max(width * channels + left_bytes, (width - 1) * channels + right_bytes)


def _depthwise(core: str, node: Node) -> tuple[int, ...]:
    image, weights = node.input(0), node.input(1)
    if image.dtype is not DType.INT8:
        return ()
    batches, _, _, in_channels = image.shape
    _, height, width, out_channels = weights.shape
    stride_w, stride_h = _number(node, "stride_w"), _number(node, "stride_h")
    dilation_w, dilation_h = (
        _number(node, "dilation_w_factor"),
        _number(node, "dilation_h_factor"),
    )
    taps = width * height
    if core == "mve" and in_channels == 1 and out_channels > 1 and weights.dtype is DType.INT8:
        return _positive(_general_s8(core, taps) + out_channels * taps)
    fast = in_channels == out_channels and batches == 1 and dilation_w == dilation_h == 1
    if not fast or core == "plain":
        return ()
    if core == "mve":
        return _positive(4 * 124 * taps)
    pads = (
        _pad_before(node, 2, width, stride_w, dilation_w),
        _pad_before(node, 1, height, stride_h, dilation_h),
    )
    if height == width == 3 and max(pads) <= 1 and weights.dtype is DType.INT8:
        return ()
    return _positive(2 * taps * in_channels)


def _fully_connected(core: str, node: Node) -> tuple[int, ...]:
    """On vectors, sums of constant weights are kept beside the kernel's data, not here."""
    image, weights, output = node.input(0), node.input(1), node.output()
    if image.dtype is not DType.INT8 or weights.dtype is DType.INT4:
        return ()
    outputs = output.shape[-1]
    if len(output.shape) > 2 and weights.shape[-1] % 4 == 0:
        per_channel = weights.quantization is not None and len(weights.quantization.scales) > 1
        return () if per_channel else (8 * outputs,)
    constant = weights.is_constant and (not node.has_input(2) or node.input(2).is_constant)
    return (4 * outputs,) if core == "mve" and not constant else ()


def _add_n(_core: str, node: Node) -> tuple[int, ...]:
    """The kernel is the reference's, but pointers have four bytes on these cores."""
    return (4 * len(node.operator.inputs),)


def _batch_matmul(core: str, node: Node) -> tuple[int, ...]:
    if core != "mve" or node.input(0).dtype is not DType.INT8:
        return ()
    return (4 * node.output().shape[-1],)


def _average_pool(core: str, node: Node) -> tuple[int, ...]:
    image = node.input(0)
    if core != "dsp" or image.dtype not in _QUANTISED:
        return ()
    return _positive(4 * image.shape[3])


def _svdf(core: str, node: Node) -> tuple[int, ...]:
    """The third buffer, of weights' sums, is kept in the tail where built for speed."""
    batches, filters = node.input(0).shape[0], node.input(1).shape[0]
    sums = 4 * batches * filters
    if node.input(0).dtype is DType.FLOAT32:
        return (sums,)
    return (sums, 4 * batches * (filters // _number(node, "rank")))


def _lstm(core: str, node: Node) -> tuple[int, ...]:
    batches = node.input(0).shape[1 if node.option("time_major") else 0]
    cell = node.input(19)
    buffers = 3 if node.input(0).dtype in _QUANTISED else 4
    return (batches * cell.shape[-1] * (cell.dtype.element_bytes or 0),) * buffers


def _transpose_conv(core: str, node: Node) -> tuple[int, ...]:
    """Inputs are the output's shape, weights, image, and perhaps a bias."""
    weights, image, output = node.input(1), node.input(2), node.output()
    if image.dtype is DType.INT16:
        widened = node.has_input(3) and node.input(3).dtype is DType.INT16
        bias = (8 * node.input(3).elements,) if widened else ()
        return (*bias, 8 * output.elements)
    if image.dtype is not DType.INT8:
        return ()
    out_channels, height, width, channels = weights.shape
    stride_w, stride_h = _number(node, "stride_w"), _number(node, "stride_h")
    taps = width * height * channels
    if max(stride_w, stride_h) <= 2 and channels > 16:
        return (_general_s8(core, taps), taps * out_channels)
    # The width is compared with the vertical stride; that is how the library does it.
    row = (image.shape[2] - 1) * stride_w + max(width, stride_h)
    return (4 * out_channels * row * max(height, stride_h), 0)
